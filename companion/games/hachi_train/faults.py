"""What makes a position impossible: for states that come from outside, as a record may begin with one.

What owners entered of their hands is not held against what lies open: it may be wrong, and is theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.games.hachi_train.cards import (
    HAND,
    KINDS,
    RANKS,
    SPECIAL_CARS,
    copies,
    ranks_of,
    specials_among,
    train_cars,
)
from companion.games.hachi_train.state import (
    BACK,
    FIRST,
    FRONT,
    MATCHES,
    NOBODY,
    NONE,
    OVER,
    PHASES,
    SEATS,
    SPECIALS,
    TRAINS,
    TURN,
    State,
)
from companion.games.layout import UNKNOWN

_FOR_EACH_SEAT = ("hands", "kept", "loose", "seen", "specials", "assets")


def faults(state: State) -> tuple[str, ...]:
    """Each thing that no game can come to, with the path to it; empty for a position that may be.

    Shapes come first: while they are wrong, nothing else is looked at.
    """
    return tuple(_shape(state)) or (*_course(state), *_cards(state), *_hands(state))


def _shape(state: State) -> Iterator[str]:
    seats = len(state.seats)
    if not 3 <= seats <= 5 or len(set(state.seats)) < seats or not set(state.seats) <= set(SEATS):
        yield f"Three to five different seats of {', '.join(SEATS)} - at `$.seats`."
        return
    for part in _FOR_EACH_SEAT:
        count = len(getattr(state, part))
        if count != seats:
            yield f"One for each of the {seats} seats, not {count} - at `$.{part}`."
    if state.phase not in PHASES:
        yield f"There is no phase '{state.phase}', known are {', '.join(PHASES)} - at `$.phase`."
    if not 0 <= state.turn < seats:
        yield f"A seat's number, 0 to {seats - 1}, not {state.turn} - at `$.turn`."
    if not NOBODY <= state.owner < seats:
        yield f"A seat's number, or -1 where nobody has played, not {state.owner} - at `$.owner`."
    for part in ("passed", "gone"):
        numbers = getattr(state, part)
        if len(set(numbers)) < len(numbers) or any(not 0 <= seat < seats for seat in numbers):
            yield f"Seats' numbers, each once - at `$.{part}`."
    for part in ("field", "out", "seen"):
        lists = state.seen if part == "seen" else (getattr(state, part),)
        for cards in lists:
            yield from (f"There is no car '{card}' - at `$.{part}`." for card in cards if card not in KINDS)
            if cards != tuple(sorted(cards)):
                yield f"Cards that lie open are sorted - at `$.{part}`."
    for card in (*state.deck, *(card for hand in state.hands for card in hand)):
        if card not in KINDS and card != UNKNOWN:
            yield f"There is no car '{card}' - at `$.hands` or `$.deck`."


def _course(state: State) -> Iterator[str]:
    if any(assets not in (FRONT, BACK, NONE) for assets in state.assets):
        yield f"Assets are {FRONT}, {BACK} or {NONE} million - at `$.assets`."
        return
    lost = sum(FRONT - assets for assets in state.assets) // (FRONT - BACK)
    ended = NONE in state.assets or lost == MATCHES
    if not 1 <= state.match <= MATCHES or lost != state.match - (state.phase != OVER):
        there = state.match if state.phase == OVER else state.match - 1
        yield f"Each match takes $100 million: {there} were lost, not {lost} - at `$.match` or `$.assets`."
    if (state.phase == OVER) != ended:
        yield "The game is over when assets are gone or four matches played - at `$.phase`."
    if bool(state.field) != (state.rank in RANKS) or bool(state.field) != (state.owner != NOBODY):
        yield "Cards on the field have a rank and an owner, and without cards both are none - at `$.field`."
    if any(state.rank not in ranks_of(card) for card in state.field):
        yield "All cards on the field can be of its rank - at `$.rank`."
    if state.phase != TURN:
        played = bool(state.field)
        if played != _just_ended(state) or state.gone or state.passed or state.out or any(state.seen):
            yield (
                "Cards are played while turns are taken, and the last ones lie there until the cars are "
                "shuffled - at `$.phase`."
            )
        return
    if len(state.playing) < 2:
        yield "A match goes on while two players are in it - at `$.gone`."
    elif state.turn in state.gone:
        yield "Who has gone out has no turn - at `$.turn`."
    if state.passed and not state.field:
        yield "Nobody passes while no card is on the field - at `$.passed`."
    if set(state.passed) & {*state.gone, state.owner, state.turn}:
        yield "Those have passed who are in the match and did not play since - at `$.passed`."


def _just_ended(state: State) -> bool:
    """Whether a match is over, and its cards are not shuffled yet."""
    return state.phase == OVER or (state.phase == TRAINS and state.match > 1)


def _cards(state: State) -> Iterator[str]:
    """Every card is in one place, train cars and special cars counted apart, since all can do that."""
    seats = len(state.seats)
    dealt = state.phase not in (TRAINS, OVER)
    decked = dealt and state.phase != SPECIALS
    lying = (*state.field, *state.out) if dealt else ()
    specials = sum(state.specials) + len(state.deck) + specials_among(lying)
    if specials != (len(SPECIAL_CARS) if decked else 0):
        yield f"There are {specials} special cars in hands, deck, field and discards - at `$.specials`."
    trains = sum(map(len, state.hands)) - sum(state.specials) + len(lying) - specials_among(lying)
    if trains != (len(train_cars(seats)) if dealt else 0):
        yield f"There are {trains} train cars in hands, field and discards - at `$.hands`."
    known = Counter((*state.field, *state.out, *(card for cards in state.seen for card in cards)))
    for kind, most in copies(seats).items():
        if known[kind] > most:
            yield f"There are {known[kind]} cars {kind}, not {most} - in the field, discards and `$.seen`."
    if any("/" not in card for card in state.deck if card != UNKNOWN):
        yield "Special cars are in the draw deck, and no others - at `$.deck`."


def _hands(state: State) -> Iterator[str]:
    for at, hand in enumerate(state.hands):
        specials, seen = state.specials[at], state.seen[at]
        trains = len(hand) - specials
        if specials < 0 or trains < 0:
            yield f"A hand has no more special cars than cards - at `$.specials[{at}]`."
        for path, cards in (("hands", hand), ("seen", seen)):
            known = [card for card in cards if card != UNKNOWN]
            among = specials_among(tuple(known))
            if among > specials or len(known) - among > trains:
                yield f"A hand has as many special and train cars as were counted - at `$.{path}[{at}]`."
        if not 0 <= state.loose[at] <= len(hand) or (state.loose[at] and not state.kept[at]):
            yield f"Of a kept hand some cards may be loose, of no other any - at `$.loose[{at}]`."
        if state.phase == TURN and (not hand) != (at in state.gone):
            yield f"Who has no cards has gone out, and nobody else - at `$.hands[{at}]`."
        if state.phase in (SPECIALS, FIRST) and len(hand) != HAND:
            yield f"{HAND} cards are dealt to each player - at `$.hands[{at}]`."
