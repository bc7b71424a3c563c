"""The game in words for people: what the table waits for, and what each choice would do."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.game import AwaitedDice, Choice, Prompt
from companion.games.hachi_train.actions import (
    EnterCard,
    ForgetHand,
    HachiAction,
    KeepHand,
    Lead,
    Pass,
    Play,
    PutIn,
)
from companion.games.hachi_train.cards import HAND, LEFT_OUT
from companion.games.hachi_train.names import a_card, as_rank, cards, counted, listed, name, place, played
from companion.games.hachi_train.rules import awaiting, legal, losers, view
from companion.games.hachi_train.state import (
    MATCHES,
    OVER,
    TURN,
    State,
    own_hand,
)
from companion.games.hachi_train.words_hand import around, lying, notes, own
from companion.games.layout import UNKNOWN


def prompt(state: State, seat: str, card: str = "") -> Prompt:
    """What the table waits for, as that seat is told; "" is the table's own page.

    Nothing in it rests on a card that the seat may not know.
    """
    state = view(state, seat)
    now = awaiting(state)
    thrower = now.chance.seat if isinstance(now.chance, AwaitedDice) else ""
    return Prompt(
        words=_waiting(state, seat),
        choices=tuple(choice(state, action) for action in legal(state, seat, card)),
        reminders=tuple((*notes(state, seat), *_reminders(state, seat))),
        yours=bool(seat) and seat in (*now.seats, thrower),
        status=_status(state),
        in_force=tuple(_in_force(state)),
        lying=lying(state),
        around=around(state),
        own=own(state, seat),
    )


# -- choices ------------------------------------------------------------------------------------------


def choice(state: State, action: HachiAction) -> Choice:
    """A legal action as people read it."""
    match action:
        case Play():
            return _play_choice(state, action)
        case Pass():
            what = "draw a special car" if state.deck else "no card is left to draw"
            return Choice(action, "Pass", what, main=True)
        case Lead(seat, first):
            return Choice(
                action, "I lead" if first == seat else f"{name(first)} leads", place=f"assets:{first}"
            )
        case KeepHand():
            return Choice(action, "Keep my hand here", "nobody else sees it; it is wiped when the match ends")
        case ForgetHand():
            return Choice(action, "Forget my hand", "what was entered is wiped", warning=_FORGET)
        case EnterCard(seat, card):
            at = state.hands[state.seats.index(seat)].index(UNKNOWN)
            return Choice(
                action, f"{place(at).capitalize()} is {a_card(card)}", group="Enter my hand", card=card
            )
        case PutIn():
            return _put_in_choice(state, action)
    raise ValueError(f"{action} is no choice of a seat's.")


_FORGET = "The order of your hand is wiped here, and cannot be brought back. Forget it?"


def _play_choice(state: State, action: Play) -> Choice:
    number = state.seats.index(action.seat)
    left = len(state.hands[number]) - len(action.cards)
    if not left:
        does = "you go out"
    elif state.field:
        does = f"take {cards(state.field)}"
    else:
        does = f"{counted(left, 'card')} left"
    words = f"Play {played(action.cards, action.rank)}"
    if action.places:
        where = listed(tuple(place(at) for at in action.places))
        return Choice(action, words, f"{where}; {does}", held=action.places)
    kept = state.kept[number] and UNKNOWN not in state.hands[number]
    group = "Not as I entered it" if kept else f"Play {action.rank}s"
    return Choice(action, words, does, group=group)


def _put_in_choice(state: State, action: PutIn) -> Choice:
    hand = own_hand(state, state.seats.index(action.seat))
    # Of a hand of which nothing is entered, what was taken is not known either.
    bare = set(hand.cards + hand.loose) == {UNKNOWN}
    drawn = "The card taken or drawn" if bare else "The card drawn"
    card = drawn if hand.loose[0] == UNKNOWN else f"The {hand.loose[0]}"
    left = _beside(hand.cards, action.place - 1)
    right = _beside(hand.cards, action.place)
    if not left and not right:
        where = "is my only card in order"
    elif not left:
        where = f"went to the far left, before {right}"
    elif not right:
        where = f"went to the far right, after {left}"
    else:
        where = f"went between {left} and {right}"
    return Choice(action, f"{card} {where}", group="Where it went", gap=action.place)


def _beside(held: tuple[str, ...], at: int) -> str:
    """A card of a hand as a landmark; "" beyond its ends."""
    if not 0 <= at < len(held):
        return ""
    return place(at) if held[at] == UNKNOWN else f"{place(at)} ({held[at]})"


# -- what is waited for -------------------------------------------------------------------------------


def _waiting(state: State, seat: str) -> str:
    match state.phase:
        case "trains":
            return _to_deal(state)
        case "specials":
            return (
                "Shuffle all 8 special cars: they are the draw deck. Now pick your cards up, in their order."
            )
        case "first" if state.options.first_player == "told":
            return "Settle in any way who leads the first match, and say so."
        case "first":
            return "Draw lots for who leads the first match."
        case "over":
            return _ended(state)
    acting = state.seats[state.turn]
    you = acting == seat
    who = "You are" if you else f"{name(acting)} is"
    if not state.field:
        return f"{who} to lead: play any cards of one rank that are side by side in the hand."
    return f"{who} to beat {as_rank(len(state.field), state.rank)}, or to pass."


def _to_deal(state: State) -> str:
    count = LEFT_OUT[len(state.seats)]
    aside = ""
    if state.match == 1 and count:
        aside = f"Put {'one' if count == 1 else 'two'} of each rank 1 to 8 aside for the whole game. "
    return f"{aside}Shuffle the train cars, and deal {HAND} to each player, face down."


def _ended(state: State) -> str:
    lost = tuple(map(name, losers(state)))
    if not lost:
        return "The game is over. All have the same assets, and nobody loses."
    if len(lost) == len(state.seats):
        return "The game is over. All have the same assets, and all lose together."
    return f"The game is over. {listed(lost)} {'loses' if len(lost) == 1 else 'lose'}, all others win."


def _status(state: State) -> str:
    if state.phase == OVER:
        return ""
    where = f"Match {state.match} of {MATCHES}"
    if state.phase != TURN:
        return where
    left = counted(len(state.deck), "special car") if state.deck else "no special car"
    return f"{where}, {left} left to draw"


def _in_force(state: State) -> Iterator[str]:
    if state.phase != TURN:
        return
    if state.field:
        lying = played(state.field, state.rank)
        yield f"On the field: {lying}, by {name(state.seats[state.owner])}."
    if state.passed:
        who = listed(tuple(name(state.seats[seat]) for seat in state.passed))
        yield f"Passed since, and still in: {who}."
    if state.gone:
        yield f"Gone out: {listed(tuple(name(state.seats[seat]) for seat in state.gone))}."


# -- what tables forget -------------------------------------------------------------------------------


def _reminders(state: State, seat: str) -> Iterator[str]:
    match state.phase:
        case "trains":
            yield "Nobody picks a card up before all are dealt, and nobody ever changes the order of a hand."
            if state.match > 1:
                yield f"{name(state.seats[state.turn])} lost the last match, and leads this one."
        case "specials":
            yield "All special cars are used, whatever the number of players."
        case "first":
            yield "The order of a hand is never changed, nor is a hand turned round."
        case "turn":
            yield from _of_turn(state)


def _of_turn(state: State) -> Iterator[str]:
    seat = state.turn
    seen, who = state.seen[seat], name(state.seats[seat])
    if seen:
        yield f"{who} holds {cards(seen)}, which everybody saw being taken."
    if not state.field:
        yield "Who leads may not pass."
        return
    yield f"Who plays takes {cards(state.field)} into the hand, anywhere; who goes out discards that."
    yield "More cards beat fewer; of as many, the higher rank beats. What is equal does not."
    if state.deck:
        yield "Who passes draws a special car, and may play again in a later turn."
    else:
        yield "Who passes may play again in a later turn."
