"""What is wrong with a pack: each fault in a sentence that says what would do, with the path to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from companion.games.hellrail.state import CHIP, COLUMNS, COUNTERS, GATE, ROWS, STEPS, TICKET, Step
from companion.games.hellrail.track import SIDES, Cell, opposite

if TYPE_CHECKING:
    from companion.games.hellrail.pack import CircleEntry, Pack, RailEntry

RAIL_CARDS = 45
"""How many Rail Cards the rulebook's Components list."""

CIRCLES = (GATE, *"123456789")
"""The Circle Cards, by their Circle Numbers."""

SETUPS = ("ring", "sacrilege")
"""The set-ups whose cells a pack gives: the rulebook's Setup, and its Sacrilege."""

WHO = ("self", "opponent", "opponents", "anyone")
"""Whom a step can be for."""

_GAINS = (CHIP, TICKET)
GIVERS = {"1": TICKET, "6": CHIP}
"""What Circles give by the rulebook itself: Boatman Tickets, Heresy Chips."""

STEP_THINGS = {"gain": _GAINS, "put_counter": COUNTERS, "take_counter": ("", *COUNTERS)}
"""What a step may be of; "" where that is left to the player."""

LARGEST = 9
"""One digit: of ties, Car Value, Brimstone Value and cards in a step."""

CURVE = 3
"""The fewest ties of a curve."""

STEP_FIELDS = {
    "gain": {"who", "what"},
    "derail": {"who"},
    "draw": {"who", "count"},
    "discard": {"who", "count"},
    "turn_rail": {"count"},
    "scrap_rail": {"count"},
    "put_counter": {"count", "what"},
    "take_counter": {"count", "what"},
    "move_engine": {"who", "to"},
    "table": {"words"},
}
"""Which fields mean something to which step, beside `do` and `optional`."""

_PLAIN = Step("")


def faults(pack: Pack) -> list[str]:
    """Every fault of the pack, with the path to it; none for a good one. What is left out is no fault."""
    return [*card_faults(pack), *_setup_faults(pack)]


def card_faults(pack: Pack) -> list[str]:
    """Every fault of the pack's cards, wherever the Circles are laid."""
    return [
        *_count_faults(pack),
        *(fault for at, card in enumerate(pack.rails) for fault in rail_faults(card, f"$.rails[{at}]")),
        *(fault for at, card in enumerate(pack.circles) for fault in circle_faults(card, f"$.circles[{at}]")),
    ]


def _count_faults(pack: Pack) -> Iterator[str]:
    if len(pack.rails) != RAIL_CARDS:
        yield f"There are {RAIL_CARDS} Rail Cards, not {len(pack.rails)} - at `$.rails`."
    names = [card.name for card in pack.rails]
    for at, name in enumerate(names):
        # Names stand in files' names, in places' names, and apart from "?", which is a card unseen.
        if not re.fullmatch("[a-z0-9_-]+", name):
            yield f"A name is of small letters, digits, - and _, not '{name}' - at `$.rails[{at}].name`."
        if name in names[:at]:
            yield f"The name '{name}' comes twice, give each card its own - at `$.rails[{at}].name`."
    circles = [circle.name for circle in pack.circles]
    for at, name in enumerate(circles):
        if name not in CIRCLES:
            yield f"There is no Circle '{name}', known are {_list(CIRCLES)} - at `$.circles[{at}].name`."
    for name in CIRCLES:
        if (count := circles.count(name)) != 1:
            yield f"There is one Circle '{name}', not {count} - at `$.circles`."


def rail_faults(card: RailEntry, path: str) -> Iterator[str]:
    """Every fault of one Rail Card; what is left out is none."""
    # The rulebook gives no range. Known editions print Car Values of 2 to 9 and Brimstone of 1 to 5;
    # one digit of either is taken. Nought is none of them: fanning draws "a number of new cards".
    for field, name in (("value", "Car Value"), ("brimstone", "Brimstone Value")):
        number = getattr(card, field)
        if not 0 <= number <= LARGEST:
            yield f"A {name} is 1 to {LARGEST}, or left out, not {number} - at `{path}.{field}`."
    for field in ("pickup", "setout"):
        circle = getattr(card, field)
        if circle and circle not in CIRCLES:
            yield f"There is no Circle '{circle}', known are {_list(CIRCLES)} - at `{path}.{field}`."
    broken = list(_segment_faults(card, path))
    yield from broken or _shared_faults(card, path)


def _segment_faults(card: RailEntry, path: str) -> Iterator[str]:
    pairs: list[str] = []
    for at, text in enumerate(card.track):
        pair, ties = text[:2], text[2:]
        if not (
            len(text) == 3
            and set(pair) <= set(SIDES)
            and SIDES.index(pair[0]) < SIDES.index(pair[1])
            and ties in "123456789"
        ):
            yield (
                f"A segment is two sides in the order {_list(SIDES)} and 1 to {LARGEST} ties, as 'NS4', "
                f"not '{text}' - at `{path}.track[{at}]`."
            )
        elif pair in pairs:
            yield f"The sides {pair} are joined twice, join them once - at `{path}.track[{at}]`."
        elif pair[1] != opposite(pair[0]) and int(ties) < CURVE:
            # Entering a Circle: along a short curve it takes 4 to the next Circle, which counts as one.
            yield f"A curve has {CURVE} ties or more, not {ties} - at `{path}.track[{at}]`."
        pairs.append(pair)


def _shared_faults(card: RailEntry, path: str) -> Iterator[str]:
    ties = {text[:2]: int(text[2:]) for text in card.track}
    for side, count in card.shared.items():
        there = f"`{path}.shared.{side}`"
        touching = [length for pair, length in ties.items() if side in pair]
        if side not in (*SIDES,):
            yield f"There is no side '{side}', known are {_list(SIDES)} - at {there}."
        elif len(touching) < 2:
            yield f"Ties are shared where two segments touch a side, not {len(touching)} - at {there}."
        elif not 1 <= count < min(touching):
            yield (
                f"Shared ties are 1 or more, and fewer than the {min(touching)} of the shortest segment, "
                f"not {count} - at {there}."
            )
    for pair, length in ties.items():
        both = sum(card.shared.get(side, 0) for side in pair)
        if both >= length:
            yield (
                f"The segment {pair} has {length} ties and shares {both} at its ends, share fewer "
                f"- at `{path}.shared`."
            )


def circle_faults(circle: CircleEntry, path: str) -> Iterator[str]:
    """Every fault of one Circle; an Effect that is left out is none."""
    sides = circle.sides
    if not sides or sides != "".join(side for side in SIDES if side in sides):
        yield f"A Circle's sides are of {SIDES}, in that order, each once, not '{sides}' - at `{path}.sides`."
    if not circle.words:
        if circle.steps:
            yield f"An Effect with steps has words for the players to read - at `{path}.words`."
        return
    if not circle.steps:
        yield f"An Effect has steps; 'table' is one for what no other can say - at `{path}.steps`."
    given = GIVERS.get(circle.name)
    if given and not any(step.do == "gain" and step.what == given for step in circle.steps):
        yield (
            f"By the rulebook Circle {circle.name} gives a {given}: add a step 'gain' of '{given}' "
            f"- at `{path}.steps`."
        )
    for at, step in enumerate(circle.steps):
        yield from _step_faults(step, f"{path}.steps[{at}]")


def _step_faults(step: Step, path: str) -> Iterator[str]:
    if step.do not in STEP_FIELDS:
        yield f"There is no step '{step.do}', known are {_list(STEPS)} - at `{path}.do`."
        return
    means = STEP_FIELDS[step.do]
    for field in ("who", "count", "what", "to", "words"):
        if field not in means and getattr(step, field) != getattr(_PLAIN, field):
            yield f"The step '{step.do}' has no '{field}', leave it out - at `{path}.{field}`."
    if step.who not in WHO:
        yield f"A step is for {_list(WHO)}, not '{step.who}' - at `{path}.who`."
    if not 1 <= step.count <= LARGEST:
        yield f"A step's count is 1 to {LARGEST}, not {step.count} - at `{path}.count`."
    # To which Circle an engine is moved may be left to the player.
    things = STEP_THINGS.get(step.do, ())
    if "what" in means and step.what not in things:
        known = _list(filter(None, things))
        yield f"The step '{step.do}' is of {known}, not '{step.what}' - at `{path}.what`."
    if "to" in means and step.to and step.to not in CIRCLES:
        yield f"There is no Circle '{step.to}', known are {_list(CIRCLES)} - at `{path}.to`."
    if "words" in means and not step.words:
        yield f"The step 'table' has words that say what the players do - at `{path}.words`."


def _setup_faults(pack: Pack) -> Iterator[str]:
    for name in pack.setups:
        if name not in SETUPS:
            yield f"There is no set-up '{name}', known are {_list(SETUPS)} - at `$.setups`."
    for name in SETUPS:
        if name not in pack.setups:
            yield f"The set-up '{name}' is missing - at `$.setups`."
        else:
            yield from _cell_faults(pack.setups[name], f"$.setups.{name}")
    # The rulebook's Setup speaks of the "immediately diagonal Circle".
    ring = pack.setups.get("ring", {})
    for name, cell in ring.items():
        if not any(_diagonal(cell, other) for other in ring.values()):
            yield f"In the ring, Circle {name} is diagonal to no other, move it - at `$.setups.ring.{name}`."


def _cell_faults(cells: dict[str, Cell], path: str) -> Iterator[str]:
    if set(cells) != set(CIRCLES):
        yield f"A set-up has a cell for each of the Circles {_list(CIRCLES)}, no more - at `{path}`."
    taken: dict[Cell, str] = {}
    for name, cell in cells.items():
        if not (0 <= cell[0] < COLUMNS and 0 <= cell[1] < ROWS):
            yield (
                f"A cell is [column, row], from [0, 0] to [{COLUMNS - 1}, {ROWS - 1}], not {list(cell)} "
                f"- at `{path}.{name}`."
            )
        if cell in taken:
            yield f"Circle {taken[cell]} lies on {list(cell)} already - at `{path}.{name}`."
        taken.setdefault(cell, name)


def _diagonal(one: Cell, other: Cell) -> bool:
    return abs(one[0] - other[0]) == 1 == abs(one[1] - other[1])


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)
