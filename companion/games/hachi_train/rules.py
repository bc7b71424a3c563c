"""The rules of Hachi Train: setting up, whose turn it is, what may be done, who knows what, who loses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from companion.games.game import (
    Action,
    AwaitedDice,
    AwaitedShuffle,
    Awaiting,
    Countdown,
    Rolled,
    Shuffled,
    Standing,
)
from companion.games.hachi_train import turns
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
from companion.games.hachi_train.cards import KINDS, SPECIAL_CARS, beats, specials_among, train_cars
from companion.games.hachi_train.hands import Counts, cards_of, playable, rooms, told, unknown_cards
from companion.games.hachi_train.options import chosen
from companion.games.hachi_train.pack import Pack
from companion.games.hachi_train.state import (
    BACK,
    FIRST,
    FRONT,
    MATCHES,
    NOBODY,
    OVER,
    SEATS,
    SPECIALS,
    TRAINS,
    TURN,
    State,
    open_hand,
    own_hand,
)
from companion.games.layout import UNKNOWN

PLAYERS = (3, 5)


def setup(seats: tuple[str, ...], pack: Pack, options: Mapping[str, str]) -> State:
    """A new game, its cards still to be shuffled. Rulebook, Setup. ValueError names what is wrong."""
    unknown = [seat for seat in seats if seat not in SEATS]
    if unknown or len(set(seats)) != len(seats):
        raise ValueError(f"Seats are {', '.join(SEATS)}, each at most once; given were: {', '.join(seats)}.")
    if not PLAYERS[0] <= len(seats) <= PLAYERS[1]:
        raise ValueError(f"Hachi Train is for 3 to 5 players, not {len(seats)}.")
    nobody: tuple[tuple[str, ...], ...] = ((),) * len(seats)
    none = (0,) * len(seats)
    return State(
        pack=pack.name,
        options=chosen(options),
        seats=tuple(seats),
        hands=nobody,
        kept=(False,) * len(seats),
        loose=none,
        seen=nobody,
        specials=none,
        deck=(),
        field=(),
        rank=0,
        owner=NOBODY,
        passed=(),
        gone=(),
        out=(),
        assets=(FRONT,) * len(seats),
        match=1,
        turn=0,
        phase=TRAINS,
    )


def awaiting(state: State) -> Awaiting:
    """Who holds the game up, and what chance is to say."""
    match state.phase:
        case "trains":
            cards = train_cars(len(state.seats))
            return Awaiting(chance=AwaitedShuffle(cards, "train cars, to be dealt"))
        case "specials":
            return Awaiting(chance=AwaitedShuffle(SPECIAL_CARS, "special cars, for the draw deck"))
        case "first" if state.options.first_player == "told":
            return Awaiting(state.seats)
        case "first":
            return Awaiting(chance=AwaitedDice(state.seats[0], 1, "who leads the first match", state.seats))
        case "turn":
            return Awaiting((state.seats[state.turn],))
    return Awaiting()


@lru_cache(maxsize=256)
def legal(state: State, seat: str, card: str = "") -> tuple[HachiAction, ...]:
    """All that the seat may do now; with a card, only its entering that one.

    What is legal rests on nothing that the seat may not know.
    """
    if seat not in state.seats or state.phase not in (FIRST, TURN):
        return ()
    number = state.seats.index(seat)
    found: list[HachiAction] = []
    if state.phase == FIRST and state.options.first_player == "told":
        found += [Lead(seat, first) for first in state.seats]
    if state.phase == TURN and number == state.turn:
        found += plays_told(state, number)
        found += plays_untold(state, number)
        if state.field:
            found.append(Pass(seat))
    if number not in state.gone:
        found += _keeping(state, number)
    return tuple(action for action in found if not card or getattr(action, "card", "") == card)


def playable_untold(state: State, seat: int) -> dict[int, Counts]:
    """What the seat may be seen to play, by rank, whatever lies on the field.

    Such a play is what everybody saw at the table. A hand that its owner keeps does not bear on it:
    what was entered may be wrong, and a refusal would give it away. Other hands are known where all
    cards are, as in a game that is played in the open; if one cannot be, the table is right.
    """
    by_all = playable(open_hand(state, seat))
    if state.kept[seat]:
        return by_all
    own = playable(own_hand(state, seat))
    both = {rank: counts & own.get(rank, frozenset()) for rank, counts in by_all.items()}
    return both if any(both.values()) else by_all


def plays_untold(state: State, seat: int) -> list[Play]:
    """The plays that beat the field and that the seat's hand could hold, by rank and cards alone."""
    name = state.seats[seat]
    return [
        Play(name, rank, cards_of(rank, trains, specials))
        for rank, counts in playable_untold(state, seat).items()
        for trains, specials in sorted(counts)
        if beats((trains + specials, rank), state.power)
    ]


def plays_told(state: State, seat: int) -> list[Play]:
    """The plays that beat the field, of cards whose places and kinds the seat knows.

    None while cards that it took lie in places that it has not told.
    """
    if state.loose[seat]:
        return []
    name, hand = state.seats[seat], own_hand(state, seat)
    could = playable(open_hand(state, seat))
    found = []
    for rank, places in told(hand):
        cards = tuple(sorted(hand.cards[at] for at in places))
        specials = specials_among(cards)
        counts = (len(cards) - specials, specials)
        if beats((len(cards), rank), state.power) and counts in could.get(rank, ()):
            found.append(Play(name, rank, cards, places))
    return found


def _keeping(state: State, seat: int) -> list[HachiAction]:
    """What the seat may say of its own hand."""
    name = state.seats[seat]
    if not state.kept[seat]:
        return [KeepHand(name)]
    found: list[HachiAction] = []
    if UNKNOWN in state.hands[seat]:
        found += [EnterCard(name, card) for card in may_enter(state, seat)]
    if state.loose[seat]:
        ordered = len(state.hands[seat]) - state.loose[seat]
        found += [PutIn(name, place) for place in range(ordered + 1)]
    return [*found, ForgetHand(name)]


def may_enter(state: State, seat: int) -> tuple[str, ...]:
    """Which cars an unknown card of the seat's hand may be."""
    return tuple(kind for kind, room in zip(KINDS, rooms(own_hand(state, seat)), strict=True) if room)


def play(state: State, action: HachiAction) -> State:
    """The state after a legal action; what needs nobody's choice and no chance happens at once."""
    return _PLAY[type(action)](state, action)


def _rolled(state: State, action: Rolled) -> State:
    return turns.lead(state, str(action.values[0]))


def _lead(state: State, action: Lead) -> State:
    return turns.lead(state, action.first)


def _shuffled(state: State, action: Shuffled) -> State:
    if state.phase == TRAINS:
        return replace(turns.deal(state, action.cards), phase=SPECIALS)
    return replace(state, deck=action.cards, phase=FIRST if state.match == 1 else TURN)


_PLAY: dict[type[Action], Callable[[State, Any], State]] = {
    Rolled: _rolled,
    Shuffled: _shuffled,
    Lead: _lead,
    Play: turns.exchange,
    Pass: turns.pass_turn,
    KeepHand: turns.keep,
    ForgetHand: turns.forget,
    EnterCard: turns.enter,
    PutIn: turns.put_in,
}


def over(state: State) -> bool:
    """Whether somebody has no assets left, or the fourth match is over."""
    return state.phase == OVER


def losers(state: State) -> tuple[str, ...]:
    """Who has the least assets at the end of the game; nobody while it goes on. HT-A11."""
    least = min(state.assets)
    if state.phase != OVER or (least == max(state.assets) and state.options.all_equal == "nobody_loses"):
        return ()
    return tuple(seat for seat, assets in zip(state.seats, state.assets, strict=True) if assets == least)


def scores(state: State) -> tuple[Standing, ...]:
    """The seats by their assets; at the end all who do not lose win. Rulebook, Ending Condition."""
    lost = losers(state)
    ranks = {
        seat: (0 if seat in lost else 1) if state.phase == OVER else assets
        for seat, assets in zip(state.seats, state.assets, strict=True)
    }
    standings = []
    for number, seat in enumerate(state.seats):
        place = 1 + sum(other > ranks[seat] for other in ranks.values())
        facts = [f"${state.assets[number]} million" if state.assets[number] else "no assets"]
        if state.phase == OVER:
            facts.append("loses" if seat in lost else "wins" if lost else "does not lose")
        elif number in state.gone:
            facts.append(f"went out {_ORDER[state.gone.index(number)]}")
        elif state.hands[number]:
            count = len(state.hands[number])
            facts.append(f"{count} card{'' if count == 1 else 's'}")
        standings.append(Standing(seat, place, tuple(facts)))
    return tuple(sorted(standings, key=lambda standing: standing.place))


_ORDER = ("first", "second", "third", "fourth")


def countdown(state: State) -> Countdown | None:
    """How many matches are left, the running one included; the last one if somebody may lose all in it."""
    if state.phase == OVER:
        return None
    left = MATCHES - state.match + 1
    return Countdown(left, "match" if left == 1 else "matches", left == 1 or BACK in state.assets)


@lru_cache(maxsize=256)
def view(state: State, seat: str) -> State:
    """The state as that seat may know it: its own hand, as far as that is known here."""
    own = state.seats.index(seat) if seat in state.seats else NOBODY
    return replace(
        state,
        hands=tuple(hand if at == own else unknown_cards(len(hand)) for at, hand in enumerate(state.hands)),
        deck=unknown_cards(len(state.deck)),
    )


def hide(state: State) -> State:
    """The state as far as the table shows it: hands and the draw deck are blank."""
    return view(state, "")


def hide_action(action: HachiAction) -> HachiAction:
    """The action as far as the table shows it: orders and places are blank, and what owners enter."""
    match action:
        case Shuffled(cards):
            return Shuffled(unknown_cards(len(cards)))
        case Play(seat, rank, cards):
            return Play(seat, rank, cards)
        case EnterCard(seat):
            return EnterCard(seat, UNKNOWN)
        case PutIn(seat):
            return PutIn(seat, NOWHERE)
    return action


def closed(state: State, seat: str) -> dict[str, tuple[str, ...]]:
    """The hands and piles that are closed to that seat, by what they are called."""
    hands = zip(state.seats, state.hands, strict=True)
    shut = {f"{owner}'s hand": hand for owner, hand in hands if owner != seat}
    return {**shut, "the draw deck": state.deck}


def ways(state: State, action: HachiAction) -> tuple[HachiAction, ...]:
    """What a blanked action may truly be: the same cards from each of the places in which they are."""
    seat = getattr(action, "seat", "")
    alike = tuple(other for other in legal(state, seat) if other != action and hide_action(other) == action)
    return alike or (action,)


def implied(state: State) -> HachiAction | None:
    """The pass, which people skip saying when the next player simply goes on; the draw is its part."""
    if state.phase == TURN and state.field:
        return Pass(state.seats[state.turn])
    return None


def free(state: State, action: HachiAction) -> bool:
    """Whether the action may simply be taken back: nothing is drawn by it, and no match ends with it."""
    match action:
        case Pass():
            return not state.deck
        case Play():
            return play(state, action).phase == TURN
    return not isinstance(action, Rolled | Shuffled)
