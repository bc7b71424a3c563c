"""What makes a position impossible: for states that come from outside, as a record may begin with one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from companion.games.layout import UNKNOWN
from companion.games.rail_raiders_infinite.machine import MACHINE
from companion.games.rail_raiders_infinite.packs.pack_faults import ENDS, SIZE
from companion.games.rail_raiders_infinite.packs.pack_faults import faults as card_faults
from companion.games.rail_raiders_infinite.rules import FACEDOWN
from companion.games.rail_raiders_infinite.state import (
    DECKS,
    HIGH_NOON,
    KINDS,
    LAWBOTS,
    LONG_ARM,
    LOOT,
    MODELS,
    NOBODY,
    OFF,
    SEATS,
    TOKENS,
    TURNED_UP,
    Edition,
    State,
    all_copies,
    cards_of,
)


def faults(state: State) -> tuple[str, ...]:
    """Each thing that no game can come to, with the path to it; empty for a position that may be.

    Cards come first, then shapes: while one is wrong, what rests on it is not looked at.
    """
    return (
        tuple(fault.replace("`$.", "`$.edition.") for fault in card_faults(state.edition))
        or tuple(_edition(state))
        or tuple(_shapes(state))
        or (*_cards(state), *_table(state))
    )


def _edition(state: State) -> Iterator[str]:
    if len(state.edition.raiders) < len(state.seats):
        yield f"There is a Raider for each of {len(state.seats)} seats at least - at `$.edition.raiders`."
    for end in ENDS:
        if not any(car.end == end for car in state.edition.cars):
            yield f"The train has a {end} - at `$.edition.cars`."


def _shapes(state: State) -> Iterator[str]:
    seats = len(state.seats)
    if not 2 <= seats <= 4 or len(set(state.seats)) != seats or not set(state.seats) <= set(SEATS):
        yield f"Two to four different seats of {', '.join(SEATS)} - at `$.seats`."
        return
    if len(state.riders) != seats:
        yield f"One Raider for each of the {seats} seats, not {len(state.riders)} - at `$.riders`."
    cars = FACEDOWN[seats] + 2
    for part in ("train", "cars"):
        if len(getattr(state, part)) != cars:
            yield f"The train has {cars} cars, not {len(getattr(state, part))} - at `$.{part}`."
    for at, rider in enumerate(state.riders):
        if not OFF <= rider.at < cars:
            yield f"A Raider is on car 0 to {cars - 1}, or -1 - at `$.riders[{at}].at`."
        if rider.dollars < 0:
            yield f"Nobody has fewer than no double-dollars - at `$.riders[{at}].dollars`."
    if state.turn != NOBODY and not 0 <= state.turn < seats:
        yield f"A seat's number, 0 to {seats - 1}, or {NOBODY} - at `$.turn`."
    if not 0 <= state.dealer < seats:
        yield f"A seat's number, 0 to {seats - 1} - at `$.dealer`."
    for at, job in enumerate(state.agenda):
        if job.do not in MACHINE:
            yield f"There is no job '{job.do}' - at `$.agenda[{at}].do`."
        if not NOBODY <= job.seat < seats or not OFF <= job.car < cars:
            yield f"A job is for a seat and a car of the game - at `$.agenda[{at}]`."


def _cards(state: State) -> Iterator[str]:
    for deck in DECKS:
        known, uncounted = _counted(state.edition, deck)
        found = Counter(_where(state, deck))
        blank = found.pop(UNKNOWN, 0)
        if found.total() + blank != SIZE:
            yield f"The deck has {SIZE} cards, not {found.total() + blank} - at `$.{deck}`."
        for card in found:
            if found[card] > known[card] and card not in uncounted:
                yield f"There are {known[card]} of '{card}', not {found[card]} - at `$.{deck}`."
        if (more := sum(found[card] for card in uncounted)) > SIZE - known.total():
            yield f"There are {SIZE - known.total()} cards that are not counted, not {more} - at `$.{deck}`."
    tokens = Counter((*state.tokens, *state.shown, *(token for car in state.cars for token in car.tokens)))
    blank = tokens.pop(UNKNOWN, 0)
    if tokens.total() + blank != sum(TOKENS.values()):
        yield f"There are {sum(TOKENS.values())} Loot tokens, not {tokens.total() + blank} - at `$.tokens`."
    for token in tokens:
        if tokens[token] > TOKENS.get(token, 0):
            yield f"There are {TOKENS.get(token, 0)} tokens '{token}', not {tokens[token]} - at `$.tokens`."
    for at, rider in enumerate(state.riders):
        if rider.raider and rider.raider not in cards_of(state.edition, "raiders"):
            yield f"There is no Raider '{rider.raider}' - at `$.riders[{at}].raider`."


@lru_cache(maxsize=64)
def _counted(edition: Edition, deck: str) -> tuple[Counter[str], frozenset[str]]:
    """How many of each card a deck has, and the cards of which nobody has counted the copies."""
    uncounted = frozenset(card.name for card in getattr(edition, deck) if not card.copies)
    return Counter(all_copies(edition, deck)), uncounted


def _where(state: State, deck: str) -> Iterator[str]:
    """Every card of a deck, wherever it is."""
    yield from getattr(state, deck)
    yield from getattr(state, f"{deck}_discard")
    yield from (force.card for force in state.forces if force.deck == deck)
    yield from (job.card for job in state.agenda if job.do == f"aside_{deck}")
    if deck == HIGH_NOON:
        yield from (*state.high_noon_buried, *state.unused)
        for job in state.agenda:
            if job.do == "shuffle_back":
                yield from job.cards or (job.card,)
    if deck == LONG_ARM:
        yield from (card for car in state.cars for card in car.grit)
    if deck == LOOT:
        yield from state.loot_buried
        yield from (card for rider in state.riders for card in rider.gear)
        yield from (card for car in state.cars for card in car.bombs)
        yield from (card for job in state.agenda if job.do == "look" for card in job.cards)


def _table(state: State) -> Iterator[str]:
    for at, kind in enumerate(KINDS):
        count = sum(car.bots[at] for car in state.cars)
        if count > MODELS[at] or any(car.bots[at] < 0 for car in state.cars):
            yield f"There are {MODELS[at]} of {kind}, not {count} - at `$.cars`."
    for at, (deck, top) in enumerate(zip(TURNED_UP, state.tops, strict=True)):
        if top not in ("", UNKNOWN) and top not in cards_of(state.edition, deck):
            yield f"There is no card '{top}' - at `$.tops[{at}]`."
    names = {car.name: car.end for car in state.edition.cars}
    ends = (names.get(state.train[0]), names.get(state.train[-1]))
    if ends != ("caboose", "locomotive"):
        yield "The train begins with the caboose and ends with the locomotive - at `$.train`."
    seen = Counter(name for name in (*state.train[1:-1], *state.box) if name != UNKNOWN)
    for name in seen:
        if seen[name] > 1 or names.get(name) != "":
            yield f"There is one '{name}' at most between the ends - at `$.train`."
    for at, car in enumerate(state.cars):
        if car.up and state.train[at] == UNKNOWN:
            yield f"A car that lies face up is known - at `$.train[{at}]`."
    fight = state.fight
    if fight is not None:
        for at, side in enumerate(fight.sides):
            if not LAWBOTS <= side.who < len(state.seats) or not 0 <= side.runner < len(state.seats):
                yield f"A side is a seat's, or {LAWBOTS} for the Lawbots - at `$.fight.sides[{at}]`."
