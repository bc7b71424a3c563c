"""Movement: where an engine gets to, whom it rams on the way, and what it may cross.

Rulebook, Movement. A `Net` is the rail as it lies; `reach` walks it tie by tie. Opponents' engines
are pushed as the mover comes onto their ties; at a fork the mover chooses for itself and for each
engine that it pushes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from companion.games.hellrail.actions import Rammed
from companion.games.hellrail.state import (
    BARRIER,
    Circle,
    Edition,
    Rail,
    State,
    circle_cards,
    rail_cards,
)
from companion.games.hellrail.track import Cell, Face, Position, beside, face, opposite, reversed_spot

Others = tuple[Position | None, ...]
"""The opponents' engines in seat order; None for one that has derailed, or is being moved."""


@dataclass(frozen=True, eq=False)
class Net:
    """All rail on the table, one object for each way it lies. `sides` are the Circles' sides with rail.

    `walls`: whether rail that meets a card's side without rail is blocked instead of ending there.
    """

    faces: Mapping[Cell, Face]
    sides: Mapping[Cell, str]
    barriers: frozenset[Cell]
    walls: bool

    def ahead(self, position: Position) -> tuple[Position | None, ...]:
        """One tie on, or a Circle: several at a fork or out of a Circle, None for off the end of the
        rail, nothing where an engine cannot go on.
        """
        if position.in_circle:
            return tuple(
                there
                for side in self.sides[position.cell]
                for there in self.across(position.cell, side)
                if there is not None
            )
        found: list[Position | None] = []
        for step in self.faces[position.cell].ahead[position.spot]:
            if isinstance(step, str):
                found += self.across(position.cell, step)
            else:
                found.append(Position(position.cell, *step))
        return tuple(found)

    def across(self, cell: Cell, side: str) -> tuple[Position | None, ...]:
        """What lies over that side of a cell, for an engine that leaves by it."""
        there, enters = beside(cell, side), opposite(side)
        if there in self.sides:
            if enters in self.sides[there]:
                return (Position(there),)
        elif there in self.faces:
            if there in self.barriers:
                return ()
            if entries := self.faces[there].entries[enters]:
                return tuple(Position(there, *spot) for spot in entries)
        else:
            return (None,)
        return () if self.walls else (None,)

    def blank(self, cell: Cell) -> bool:
        """Whether no card lies there."""
        return cell not in self.faces and cell not in self.sides

    def exits(self, position: Position) -> tuple[str, ...]:
        """The sides by which an engine leaves its cell with the next step."""
        if position.in_circle:
            return tuple(self.sides[position.cell])
        return tuple(step for step in self.faces[position.cell].ahead[position.spot] if isinstance(step, str))

    def crossings(self, position: Position) -> Iterator[tuple[str, int, tuple[Position, ...]]]:
        """Where a Boatman Ticket may lead from here (HR-A30): side, blank squares, where one lands.

        The blank squares lie in a straight line from the cell. Rulebook, Boatman Tickets.
        """
        columns = [cell[0] for cell in (*self.faces, *self.sides)]
        rows = [cell[1] for cell in (*self.faces, *self.sides)]
        for side in self.exits(position):
            cell, blanks = beside(position.cell, side), 0
            while (
                self.blank(cell)
                and min(columns) <= cell[0] <= max(columns)
                and min(rows) <= cell[1] <= max(rows)
            ):
                last, cell, blanks = cell, beside(cell, side), blanks + 1
            if blanks and not self.blank(cell):
                landings = tuple(there for there in self.across(last, side) if there is not None)
                if landings:
                    yield side, blanks, landings


def net_of(state: State) -> Net:
    """The rail as it lies in this state."""
    return _net(state.edition, state.circles, state.rails, state.options.rail_without_rail == "blocked")


@lru_cache(maxsize=64)
def _net(edition: Edition, circles: tuple[Circle, ...], rails: tuple[Rail, ...], walls: bool) -> Net:
    cards, stations = rail_cards(edition), circle_cards(edition)
    return Net(
        {rail.cell: face(cards[rail.card].track, rail.turn) for rail in rails},
        {circle.cell: stations[circle.name].sides for circle in circles},
        frozenset(rail.cell for rail in rails if BARRIER in rail.counters),
        walls,
    )


def pushed(net: Net, onto: Position, others: Others) -> Iterator[Others]:
    """The ways in which engines give room as one comes onto that tie, heading as `onto` says.

    One way where the tie is free; none where what stands there cannot be pushed on. Rulebook,
    Movement - Ramming; HR-A10, HR-A12, HR-A13, HR-A16.
    """
    if onto.in_circle:
        yield others
        return
    for at, there in enumerate(others):
        if there is None or (there.cell, there.segment, there.tie) != (onto.cell, onto.segment, onto.tie):
            continue
        without = (*others[:at], None, *others[at + 1 :])
        for further in net.ahead(onto):
            if further is None:
                yield without
                continue
            turned = further
            if not further.in_circle and there.facing != onto.facing:
                turned = Position(further.cell, *reversed_spot(further.spot))
            for rest in pushed(net, further, without):
                yield (*rest[:at], turned, *rest[at + 1 :])
        return
    yield others


Way = tuple[Position | None, Others]
"""Where a Move ends: the mover's position (None: derailed), and the opponents'."""


def reach(net: Net, start: Position, others: Others, points: int) -> dict[Way, int]:
    """Every end of a Move with that many points, and the fewest points that it takes.

    Staying is among them, with none (HR-A08). Rulebook, Movement. Coming back to the Circle that
    one left is not: the shortest way round has nine ties and the Circle, more than any Car Value.
    """
    found: dict[Way, int] = {(start, others): 0}
    edge: list[tuple[Position, Others]] = [(start, others)]
    for cost in range(1, points + 1):
        following: list[tuple[Position, Others]] = []
        for here, rest in edge:
            for there in net.ahead(here):
                if there is None:
                    found.setdefault((None, rest), cost)
                    continue
                for after in pushed(net, there, rest):
                    if (there, after) not in found:
                        found[there, after] = cost
                        if not there.in_circle:
                            following.append((there, after))
        edge = following
    return found


def rammed(
    seats: tuple[str, ...], engines: tuple[Position, ...], mover: int, after: Others
) -> tuple[Rammed, ...]:
    """The opponents' engines that are elsewhere now, as an action names them."""
    names = (*seats[:mover], *seats[mover + 1 :])
    before = (*engines[:mover], *engines[mover + 1 :])
    moved = [
        Rammed(seat, now)
        for seat, was, now in zip(names, before, after, strict=True)
        if now is None or now != was
    ]
    return tuple(sorted(moved, key=lambda ram: ram.seat))
