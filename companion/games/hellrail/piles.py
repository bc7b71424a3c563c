"""Hands and piles: drawing, discarding, derailing, and how the turn passes."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeVar

from msgspec.structs import replace

from companion.games.hellrail.state import ACTIONS, FANNED, GATE, OVER, Edition, Rail, State
from companion.games.hellrail.track import Position
from companion.games.layout import UNKNOWN

T = TypeVar("T")


def put(of_seats: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """What belongs to the seats, with that seat's part exchanged."""
    return (*of_seats[:seat], value, *of_seats[seat + 1 :])


def unseen(state: State) -> tuple[str, ...]:
    """The Rail Cards that lie nowhere in the open, in the pack's order: they may be in a hand of which
    cards are unknown.
    """
    return _unseen(state.edition, state.rails, state.hands, state.loaded, state.delivered, state.discard)


@lru_cache(maxsize=256)
def _unseen(
    edition: Edition,
    rails: tuple[Rail, ...],
    hands: tuple[tuple[str, ...], ...],
    loaded: tuple[tuple[str, ...], ...],
    delivered: tuple[tuple[str, ...], ...],
    discard: tuple[str, ...],
) -> tuple[str, ...]:
    seen = {rail.card for rail in rails} | {card for rail in rails for card, _ in rail.covered}
    for cards in (*hands, *loaded, *delivered, discard):
        seen.update(cards)
    return tuple(card.name for card in edition.rails if card.name not in seen)


def playable(state: State, seat: int) -> tuple[str, ...]:
    """The cards that the seat holds, or may hold as far as its hand is known."""
    hand = state.hands[seat]
    known = tuple(card for card in hand if card != UNKNOWN)
    if len(known) == len(hand):
        return known
    return tuple(sorted((*known, *unseen(state)))) if known else unseen(state)


def holds(state: State, seat: int, card: str) -> bool:
    """Whether the seat has the card, or may have it as far as its hand is known."""
    hand = state.hands[seat]
    return card in hand or (UNKNOWN in hand and card in unseen(state))


def leave_hand(state: State, seat: int, card: str) -> State:
    """The card, or one that may be it, leaves that seat's hand."""
    hand = list(state.hands[seat])
    hand.remove(card if card in hand else UNKNOWN)
    return replace(state, hands=put(state.hands, seat, tuple(hand)))


def discard(state: State, seat: int, card: str) -> State:
    """The card goes from the hand onto the discard pile, face up."""
    state = leave_hand(state, seat, card)
    return replace(state, discard=(*state.discard, card), top=card)


def begin_turn(state: State, seat: int) -> State:
    """That seat's turn begins with the draw. Rulebook, Turn Sequence."""
    state = replace(
        state,
        turn=seat,
        phase=ACTIONS,
        owed=1,
        drawer=seat,
        crossing=None,
        effect=None,
        entries=(),
        turn_over=False,
    )
    return draw(state)


def next_turn(state: State) -> State:
    """Play passes to the player on the left."""
    return begin_turn(state, (state.turn + 1) % len(state.seats))


def draw(state: State) -> State:
    """The draws that are owed, as far as the Draw Pile goes.

    Where it is empty it waits for a shuffle of the discards, and not before a card is needed; with
    both piles empty the game ends. Rulebook, Humping the Draw Pile; End of the Line.
    """
    if state.owed and state.deck:
        count = min(state.owed, len(state.deck))
        hand = tuple(sorted((*state.hands[state.drawer], *state.deck[:count])))
        state = replace(
            state,
            hands=put(state.hands, state.drawer, hand),
            deck=state.deck[count:],
            owed=state.owed - count,
        )
    if state.owed and not state.discard and not state.buried:
        return replace(state, phase=OVER, owed=0)
    if state.owed:
        return state
    return next_turn(state) if state.phase == FANNED else state


def derail(state: State, seat: int) -> State:
    """The hand is discarded, then the loaded cars; the engine goes to the Gate.

    Rulebook, Derailing; HR-A17, HR-A19. Whose turn that ends is left to who calls this. Within the
    hand and within the train the order is anybody's, so that one car alone is known to lie on top.
    """
    hand, cars = state.hands[seat], state.loaded[seat]
    unknown = "" if cars or hand else state.top
    top = cars[0] if len(cars) == 1 else unknown
    gate = next(circle.cell for circle in state.circles if circle.name == GATE)
    return replace(
        state,
        hands=put(state.hands, seat, ()),
        loaded=put(state.loaded, seat, ()),
        buried=tuple(sorted((*state.buried, *hand))),
        discard=(*state.discard, *cars),
        top=top,
        engines=put(state.engines, seat, Position(gate)),
        entries=tuple(entered for entered in state.entries if entered != seat),
    )


def derail_all(state: State, seats: tuple[int, ...]) -> State:
    """Several derail at once: in which order their cards come to lie nobody says."""
    before = len(state.discard) + len(state.buried)
    for seat in seats:
        state = derail(state, seat)
    if len(seats) > 1 and len(state.discard) + len(state.buried) > before:
        state = replace(state, top="")
    return state
