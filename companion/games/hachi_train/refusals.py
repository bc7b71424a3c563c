"""Why an action may not be done now: the fault and the cure in a sentence, with the rulebook's section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.games.game import Action, AwaitedDice, AwaitedShuffle, Rolled, Ruling, Shuffled
from companion.games.hachi_train.actions import (
    NOWHERE,
    EnterCard,
    ForgetHand,
    HachiAction,
    KeepHand,
    Lead,
    Pass,
    Play,
    PutIn,
)
from companion.games.hachi_train.cards import (
    KINDS,
    RANKS,
    SPECIALS,
    beats,
    copies,
    is_special,
    ranks_of,
    special_of,
    specials_among,
    train_of,
)
from companion.games.hachi_train.hands import fits
from companion.games.hachi_train.names import a_card, as_rank, cards, counted, listed, name, place
from companion.games.hachi_train.rules import awaiting, hide_action, legal, losers
from companion.games.hachi_train.state import FIRST, OVER, TRAINS, TURN, State, most, own_hand
from companion.games.layout import UNKNOWN
from companion.games.refusing import BOOK, FORM, Fault, roll_fault, ruling, shuffle_fault

_EXCHANGE = "Exchange Card(s) of Hand and on the Field"
_POWER = "Which Card(s) Are More Powerful?"
_PASS = "Pass the Turn (and Draw a Card from the Deck, if Any)"
_FLOW = "The Flow of the Match"
_HAND = "Important Rules"
_SETUP = "Setup"


def refusal(state: State, action: HachiAction) -> Ruling | None:
    """None when the action is legal, otherwise the Ruling that says why it is not.

    Of a hand that its owner keeps it tells only to who names places in it, or enters a card.
    """
    seat = getattr(action, "seat", "")
    if action in legal(state, seat) or _is_blanked(state, action):
        return None
    fault = _fault(state, action)
    return None if fault is None else ruling(fault, _instead(state, action))


def _is_blanked(state: State, action: Action) -> bool:
    """Whether something that may be said of an own hand is said, with what is its owner's alone left out."""
    if not isinstance(action, EnterCard | PutIn) or action.seat not in state.seats:
        return False
    seat = state.seats.index(action.seat)
    kept = state.kept[seat] and state.phase in (FIRST, TURN) and seat not in state.gone
    if isinstance(action, EnterCard):
        return kept and action.card == UNKNOWN
    return kept and action.place == NOWHERE and state.loose[seat] > 0


def _instead(state: State, action: Action) -> tuple[HachiAction, ...]:
    """A few legal actions of the same kind, or any; what tells of a hand only to who told of it."""
    if isinstance(action, Rolled | Shuffled):
        return ()
    found = legal(state, str(getattr(action, "seat", "")))
    if not isinstance(action, HachiAction) or hide_action(action) == action:
        found = tuple(other for other in found if hide_action(other) == other)
    alike = [other for other in found if type(other) is type(action)]
    if isinstance(action, Play):
        as_told = [
            other for other in alike if isinstance(other, Play) and bool(other.places) == bool(action.places)
        ]
        rank = [other for other in as_told if other.rank == action.rank]
        return tuple(rank or as_told or [other for other in found if isinstance(other, Pass)])
    return tuple(alike or found)


def _fault(state: State, action: Action) -> Fault:
    if not isinstance(action, HachiAction):
        return FORM, _FLOW, "Hachi Train has no such action; choose one of its own."
    if state.phase == OVER:
        who = listed(tuple(map(name, losers(state)))) or "nobody"
        return BOOK, "Ending Condition of the Game", f"The game is over, and {who} lost. Start a new one."
    if isinstance(action, Rolled):
        return roll_fault(awaiting(state).chance, action, _SETUP, holding_up(state))
    if isinstance(action, Shuffled):
        section = _SETUP if state.match == 1 else "Preparing the Next Match"
        return shuffle_fault(awaiting(state).chance, action, section, holding_up(state), _shuffling(state))
    if action.seat not in state.seats:
        return FORM, _SETUP, f"Nobody plays '{action.seat}'; the seats are {listed(state.seats)}."
    if isinstance(action, Lead):
        return _lead_fault(state, action)
    if state.phase not in (FIRST, TURN):
        return BOOK, _HAND, f"The hands are not dealt yet: {holding_up(state)}."
    if state.seats.index(action.seat) in state.gone:
        return BOOK, _EXCHANGE, f"{name(action.seat)} has gone out, and waits for the next match."
    if isinstance(action, KeepHand | ForgetHand | EnterCard | PutIn):
        return _keeping_fault(state, action)
    if state.phase == FIRST:
        return BOOK, _SETUP, f"Nobody's turn has begun: {holding_up(state)}."
    if action.seat != state.seats[state.turn]:
        return BOOK, _FLOW, f"It is {name(state.seats[state.turn])}'s turn; wait for yours."
    if isinstance(action, Pass):
        return BOOK, _PASS, "There are no cards on the field, so whoever leads must play; play any cards."
    return _form_fault(action) or _power_fault(state, action) or _hand_fault(state, action)


def holding_up(state: State) -> str:
    """What the game waits for, as part of a sentence."""
    now = awaiting(state)
    if isinstance(now.chance, AwaitedShuffle):
        return f"the {_shuffling(state)} are shuffled first"
    if isinstance(now.chance, AwaitedDice):
        return "lots are drawn first for who leads"
    if state.phase == FIRST:
        return "somebody says first who leads"
    return f"it is {name(state.seats[state.turn])}'s turn"


def _shuffling(state: State) -> str:
    return "train cars" if state.phase == TRAINS else "special cars"


def _lead_fault(state: State, action: Lead) -> Fault:
    if state.phase != FIRST:
        return BOOK, _SETUP, f"Who leads is settled once, before the first turn; now {holding_up(state)}."
    if state.options.first_player != "told":
        return "HT-A13", _SETUP, "Lots are drawn for who leads the first match, as this table plays it."
    return FORM, _SETUP, f"Nobody plays '{action.first}'; the seats are {listed(state.seats)}."


def _keeping_fault(state: State, action: KeepHand | ForgetHand | EnterCard | PutIn) -> Fault:
    who, number = name(action.seat), state.seats.index(action.seat)
    if isinstance(action, KeepHand):
        return FORM, _HAND, f"{who} keeps the hand here already; go on with it, or forget it first."
    if not state.kept[number]:
        return FORM, _HAND, f"{who} does not keep the hand here; begin with that first."
    if isinstance(action, PutIn):
        if not state.loose[number]:
            return FORM, _EXCHANGE, f"All of {who}'s cards are in their places; nothing was taken since."
        last = len(state.hands[number]) - state.loose[number]
        return FORM, _EXCHANGE, f"A card goes in before card 1 to {last}, or after them; say where it went."
    assert isinstance(action, EnterCard)
    if action.card not in KINDS:
        return FORM, "Components", f"There is no car '{action.card}'; the cars are {listed(KINDS)}."
    if UNKNOWN not in state.hands[number]:
        return FORM, _HAND, f"All of {who}'s cards are entered; forget the hand to enter it anew."
    return (
        "HT-A17",
        _HAND,
        f"{a_card(action.card)} cannot be in the hand as well, by what lies open and what is entered; "
        "look at the card again, or forget the hand and enter it anew.",
    )


# -- plays --------------------------------------------------------------------------------------------


def _form_fault(action: Play) -> Fault:
    if action.rank not in RANKS:
        return FORM, "Components", f"Ranks are 1 to 8, not {action.rank}."
    if not action.cards:
        return FORM, _EXCHANGE, "A play has at least one card; name it, or pass."
    for card in action.cards:
        if card not in KINDS:
            return FORM, "Components", f"There is no car '{card}'; the cars are {listed(KINDS)}."
        if action.rank not in ranks_of(card):
            ranks = listed(tuple(map(str, ranks_of(card))), "or")
            return (
                "HT-A04",
                _PASS,
                f"{a_card(card)} is played as {ranks}, and all cards of a play have one rank.",
            )
    if action.cards != tuple(sorted(action.cards)):
        return FORM, _EXCHANGE, f"Name the cards in order: {cards(tuple(sorted(action.cards)))}."
    if action.places and (
        len(action.places) != len(action.cards) or action.places != tuple(sorted(set(action.places)))
    ):
        return FORM, _HAND, "Name one place for each card, from the left, or none at all."
    return None


def _power_fault(state: State, action: Play) -> Fault:
    count = len(action.cards)
    if beats((count, action.rank), state.power):
        return None
    lying, mine = as_rank(*state.power), as_rank(count, action.rank)
    rule = "HT-A02" if (count, action.rank) == state.power else "HT-A01"
    one = count == 1
    if rule == "HT-A02":
        beaten = f"{'is' if one else 'are'} just as powerful as"
    else:
        beaten = f"{'does' if one else 'do'} not beat"
    would = listed(stronger(state), "or")
    cure = f"play {would}, or pass" if would else "nothing does, so pass"
    return rule, _POWER, f"{mine} {beaten} {lying} on the field; {cure}."


def stronger(state: State) -> tuple[str, ...]:
    """What would beat the field, in words."""
    count, rank = state.power
    there = copies(len(state.seats))
    longest = there[train_of(1)] + there[special_of(1)]
    higher = (f"{as_rank(count, rank + 1)} or higher",) if rank < RANKS[-1] else ()
    return (*higher, f"{as_rank(count + 1, 1)} or more") if count < longest else higher


def _hand_fault(state: State, action: Play) -> Fault:
    seat = state.seats.index(action.seat)
    by_all = next(_by_what_all_know(state, seat, action), None)
    if by_all is not None:
        return by_all
    if action.places:
        return _places_fault(state, seat, action)
    return (
        "HT-A18",
        _HAND,
        f"{name(action.seat)}'s hand cannot hold {cards(action.cards)} side by side; play cards that are.",
    )


def _by_what_all_know(state: State, seat: int, action: Play) -> Iterator[Fault]:
    """What speaks against the cards by what lies open and was seen, and by how many the hand holds."""
    who, count, held = name(action.seat), len(action.cards), len(state.hands[seat])
    if count > held:
        yield BOOK, _EXCHANGE, f"{who} holds {counted(held, 'card')}, and cannot play {count}; play fewer."
    specials = specials_among(action.cards)
    if specials > state.specials[seat]:
        has = counted(state.specials[seat], "special car") if state.specials[seat] else "no special car"
        yield BOOK, _PASS, f"{who} holds {has}, as drawn and taken; play train cars."
    trains = held - state.specials[seat]
    if count - specials > trains:
        yield BOOK, _PASS, f"{who} holds {counted(trains, 'train car')}, as dealt and taken; play fewer."
    left = dict(zip(KINDS, most(state, seat), strict=True))
    for card in dict.fromkeys(action.cards):
        if action.cards.count(card) > left[card]:
            there = copies(len(state.seats))[card]
            yield (
                BOOK,
                "Components",
                f"Of the {there} cars {card} in the game {there - left[card]} lie open or were seen to go "
                f"elsewhere, so {who} has {left[card]} at most; look at the cards again.",
            )
    still = tuple(sorted((Counter(state.seen[seat]) - Counter(action.cards)).elements()))
    for kind, played, room in (
        ("train", count - specials, trains),
        ("special", specials, state.specials[seat]),
    ):
        taken = tuple(card for card in still if is_special(card) == (kind == "special"))
        if played + len(taken) > room:
            yield (
                BOOK,
                _EXCHANGE,
                f"{who} holds {counted(room, f'{kind} car')}, and {cards(taken)} of them still, as everybody "
                "saw; look at the cards again.",
            )


def _places_fault(state: State, seat: int, action: Play) -> Fault:
    hand, who = own_hand(state, seat), name(action.seat)
    if hand.loose:
        return "HT-A06", _EXCHANGE, "Say first where the cards went that were taken; then name places."
    for at in action.places:
        if not 0 <= at < len(hand.cards):
            return FORM, _HAND, f"{who}'s hand has cards 1 to {len(hand.cards)}, and no {place(at)}."
        if hand.cards[at] == UNKNOWN:
            return FORM, _HAND, f"{place(at)} of the hand is not entered; enter it, or name no places."
    there = tuple(sorted(hand.cards[at] for at in action.places))
    if there != action.cards:
        return FORM, _HAND, f"In those places are {cards(there)}, not {cards(action.cards)}; look again."
    for at in range(action.places[0], action.places[-1]):
        if not fits(hand.cards[at], action.rank):
            ends = (action.places[0], action.places[-1]) == (0, len(hand.cards) - 1)
            rule = "HT-A19" if ends and len(action.places) == 2 else "HT-A18"
            between = f"{a_card(hand.cards[at])} lies between them ({place(at)})"
            return rule, _EXCHANGE, f"{between}, so they are not adjacent; play cards that are."
    known = listed(SPECIALS)
    return (
        "HT-A18",
        _EXCHANGE,
        f"The cards between them cannot all have rank {action.rank}, whichever of {known} and of the "
        "train cars they are; play cards that are adjacent.",
    )
