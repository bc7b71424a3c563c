"""Ways over a HellRail table: along the rail that lies, and across squares where rail could be laid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from heapq import heapify, heappop, heappush
from itertools import permutations
from math import inf

from msgspec import Struct

from companion.games.hellrail.movement import Net
from companion.games.hellrail.track import SIDES, Cell, Position, Spot, beside, opposite

LIES, CURVE, STRAIGHT, OVER = "lies", "curve", "straight", "over"
"""Rail that lies, is to be laid on a blank square, or over a card."""

_STOP = 2  # what it costs to go on from a Circle, in ties: entering it ended a Move
_TIES = {CURVE: 3, STRAIGHT: 4}  # of rail that is still to be laid

Entry = tuple[Cell, str]
"""About to come onto a cell by a side; with "" for the side, in the Circle on that cell."""

Link = tuple[Entry, int, str]
"""From where an entry is reached, by how many ties, and with which kind of rail."""


class Build(Struct, frozen=True):
    """A segment that a way needs and that does not lie yet; `over` when a card lies there."""

    cell: Cell
    segment: str
    over: bool


class Routes:
    """What it costs from anywhere, in ties, to come to where it is worth most to go.

    `goals` are Circles' cells and what it is worth to come there, in ties. `laying` is what each kind
    of rail costs that is still to be laid. `overs` are segments, with their ties, that a card of the
    hand would add to a Rail Card. All costs are net of the worth: the lower, the better.
    """

    def __init__(
        self,
        net: Net,
        goals: Mapping[Cell, float],
        laying: Mapping[str, float],
        overs: Iterable[tuple[Cell, str, int]] = (),
    ) -> None:
        self._net = net
        self._cost: dict[Entry, float] = {}
        self._onward: dict[Entry, tuple[Entry, str]] = {}
        links = _links(net)
        more: dict[Entry, list[Link]] = {}
        for cell, segment, ties in overs:
            for one, other in permutations(segment):
                more.setdefault(over(cell, other), []).append(((cell, one), ties, OVER))
        edge: list[tuple[float, Entry, tuple[Entry, str]]] = [
            (-worth, (cell, ""), ((cell, ""), LIES)) for cell, worth in goals.items()
        ]
        heapify(edge)
        found = self._cost
        while edge:
            cost, entry, onward = heappop(edge)
            if entry in found:
                continue
            found[entry] = cost
            self._onward[entry] = onward
            for source, ties, kind in (*links.get(entry, ()), *more.get(entry, ())):
                if source not in found:
                    further = cost + ties if kind == LIES else cost + ties + laying[kind]
                    heappush(edge, (further, source, (entry, kind)))

    def onward(self, position: Position) -> float:
        """What it costs to go on from there; infinite where no way leads on."""
        return min(
            (ties + self._cost.get(entry, inf) for ties, entry in exits(self._net, position)), default=inf
        )

    def arrived(self, position: Position) -> float:
        """What it costs once a Move has ended there: a Circle counts for what it is worth."""
        if position.in_circle:
            return self._cost.get((position.cell, ""), inf)
        return self.onward(position)

    def builds(self, position: Position) -> Iterator[tuple[Build, int]]:
        """What has to be laid on the best way on from there, nearest first, after how many ties."""
        ways = list(exits(self._net, position))
        if not ways:
            return
        far, entry = min(ways, key=lambda way: way[0] + self._cost.get(way[1], inf))
        while entry in self._cost:
            to, kind = self._onward[entry]
            if to == entry:
                return
            cell, side = entry
            segment = "".join(sorted(side + opposite(to[1]), key=SIDES.index)) if side and to[1] else ""
            if kind != LIES:
                yield Build(cell, segment, kind == OVER), far
            elif segment:
                far += self._net.faces[cell].segments[segment]
            elif side:
                far += 1
            entry = to

    def cells(self, position: Position) -> Iterator[Cell]:
        """The cells of the best way on from there, nearest first."""
        ways = list(exits(self._net, position))
        if ways:
            entry = min(ways, key=lambda way: way[0] + self._cost.get(way[1], inf))[1]
            while entry in self._cost:
                yield entry[0]
                to = self._onward[entry][0]
                if to == entry:
                    return
                entry = to


def exits(net: Net, position: Position) -> Iterator[tuple[int, Entry]]:
    """The ties to each side by which an engine can leave its cell, and where it comes to by it."""
    if position.in_circle:
        for side in net.sides[position.cell]:
            yield 0, over(position.cell, side)
        return
    ahead = net.faces[position.cell].ahead
    edge: list[Spot] = [position.spot]
    ties = 0
    while edge:
        following: list[Spot] = []
        for spot in edge:
            for step in ahead[spot]:
                if isinstance(step, str):
                    yield ties, over(position.cell, step)
                else:
                    following.append(step)
        edge, ties = following, ties + 1


@lru_cache(maxsize=32)
def _links(net: Net) -> dict[Entry, list[Link]]:
    """For each entry, from where it is reached, on all cells with cards and one beyond them."""
    cells = [*net.faces, *net.sides]
    columns = range(min(c for c, _ in cells) - 1, max(c for c, _ in cells) + 2)
    rows = range(min(r for _, r in cells) - 1, max(r for _, r in cells) + 2)
    links: dict[Entry, list[Link]] = {}
    for cell in ((column, row) for column in columns for row in rows):
        if cell in net.sides:
            found = _in_circle(cell, net.sides[cell])
        elif cell not in net.faces:
            found = _on_blank(cell)
        elif cell not in net.barriers:
            found = _on_rail(cell, tuple(net.faces[cell].segments.items()))
        else:
            continue
        for entry, link in found:
            if entry in links:
                links[entry].append(link)
            else:
                links[entry] = [link]
    return links


@lru_cache(maxsize=1024)
def _in_circle(cell: Cell, sides: str) -> tuple[tuple[Entry, Link], ...]:
    return tuple(
        way
        for side in sides
        for way in (((cell, ""), ((cell, side), 1, LIES)), (over(cell, side), ((cell, ""), _STOP, LIES)))
    )


@lru_cache(maxsize=1024)
def _on_blank(cell: Cell) -> tuple[tuple[Entry, Link], ...]:
    return tuple(
        (over(cell, other), ((cell, one), _TIES[kind], kind))
        for one, other in permutations(SIDES, 2)
        for kind in ((STRAIGHT if other == opposite(one) else CURVE),)
    )


@lru_cache(maxsize=4096)
def _on_rail(cell: Cell, segments: tuple[tuple[str, int], ...]) -> tuple[tuple[Entry, Link], ...]:
    return tuple(
        (over(cell, other), ((cell, one), ties, LIES))
        for segment, ties in segments
        for one, other in permutations(segment)
    )


def over(cell: Cell, side: str) -> Entry:
    """What lies over that side of a cell, for an engine that leaves by it."""
    return beside(cell, side), opposite(side)
