"""How many ways there are to play on within a turn of HellRail, counted without the rules' own code.

Another model of the same table: each card is a bundle of lanes, each lane a row of ties from one
side to another; a tie that lanes share is one tie. An engine is on a tie and knows the lanes that it
may follow. Every walk is walked, tie by tie; what ends alike is counted once. Nothing of
`companion.games.hellrail` is used but the data of a State.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

Cell = tuple[int, int]
Tie = tuple[Cell, Any]
Heading = tuple[int, int]  # lane number on the card, +1 or -1 along it

ROUND = ("N", "E", "S", "W")
STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
ACROSS = {"N": "S", "S": "N", "E": "W", "W": "E"}


@dataclass(frozen=True)
class Lane:
    """A segment as it lies: its two sides, and its ties from the first side to the second."""

    sides: tuple[str, str]
    ties: tuple[Tie, ...]


@dataclass(frozen=True)
class Engine:
    """In a Circle (no tie) or on a tie, with the lanes and ways that it may follow."""

    cell: Cell
    tie: Tie | None = None
    ways: frozenset[Heading] = frozenset()


@dataclass(frozen=True)
class Table:
    """What counts for one player's turn: the mover is engine 0."""

    lanes: tuple[tuple[Cell, tuple[Lane, ...]], ...]
    cards: tuple[tuple[Cell, str, int], ...]
    circles: tuple[tuple[Cell, str], ...]
    engines: tuple[Engine | None, ...]
    hand: tuple[str, ...]
    loaded: tuple[str, ...]
    walls: bool
    corners: bool


def lanes_of(cell: Cell, track: Any, turn: int) -> tuple[Lane, ...]:
    """The lanes of a card that lies there turned clockwise by so many degrees."""
    clockwise = {side: ROUND[(at + turn // 90) % 4] for at, side in enumerate(ROUND)}
    shared = dict(zip(ROUND, track.shared, strict=True))
    found = []
    for text in track.segments:
        first, last, count = text[0], text[1], int(text[2:])
        ties: list[Tie] = []
        for number in range(count):
            if number < shared[first]:
                ties.append((cell, (clockwise[first], number)))
            elif count - 1 - number < shared[last]:
                ties.append((cell, (clockwise[last], count - 1 - number)))
            else:
                ties.append((cell, (text[:2], turn, number)))
        found.append(Lane((clockwise[first], clockwise[last]), tuple(ties)))
    return tuple(found)


class Counter:
    """Counts for States of one edition."""

    def __init__(self, state: Any) -> None:
        self.rails = {card.name: card for card in state.edition.rails}
        self.circles = {card.name: card for card in state.edition.circles}
        self.same = state.options.same_rail == "legal"
        self.purpose = state.options.derail_on_purpose == "legal"
        self.decides = state.options.rammed_into_circle == "decides"

    def table(self, state: Any) -> Table:
        """The State as this model has it, seen by the player in turn."""
        lanes = tuple(
            (rail.cell, lanes_of(rail.cell, self.rails[rail.card].track, rail.turn)) for rail in state.rails
        )
        order = (state.turn, *(seat for seat in range(len(state.seats)) if seat != state.turn))
        by_cell = dict(lanes)
        return Table(
            lanes,
            tuple((rail.cell, rail.card, rail.turn) for rail in state.rails),
            tuple((circle.cell, circle.name) for circle in state.circles),
            tuple(self._engine(by_cell, state.engines[seat]) for seat in order),
            state.hands[state.turn],
            state.loaded[state.turn],
            state.options.rail_without_rail == "blocked",
            state.options.adjacent == "side_or_corner",
        )

    def _engine(self, lanes: dict[Cell, tuple[Lane, ...]], at: Any) -> Engine:
        cell = tuple(at.cell)
        if not at.segment:
            return Engine(cell)
        for number, lane in enumerate(lanes[cell]):
            if set(lane.sides) == set(at.segment):
                index = at.tie - 1 if lane.sides[0] == at.segment[0] else len(lane.ties) - at.tie
                way = 1 if lane.sides[1] == at.facing else -1
                return on(lanes[cell], cell, number, index, way)
        raise KeyError(at)

    # -- walking ------------------------------------------------------------------------------

    def on_from(self, table: Table, engine: Engine) -> Iterator[Engine | None]:
        """One tie on, or a Circle; None for off the end. Not all differ."""
        lanes = dict(table.lanes)
        circles = {cell: name for cell, name in table.circles}
        if engine.tie is None:
            for side in self.circles[circles[engine.cell]].sides:
                yield from (there for there in self._over(table, engine.cell, side) if there is not None)
            return
        for number, way in engine.ways:
            lane = lanes[engine.cell][number]
            index = lane.ties.index(engine.tie) + way
            if 0 <= index < len(lane.ties):
                yield on(lanes[engine.cell], engine.cell, number, index, way)
            else:
                yield from self._over(table, engine.cell, lane.sides[1 if way == 1 else 0])

    def _over(self, table: Table, cell: Cell, side: str) -> Iterator[Engine | None]:
        there = (cell[0] + STEP[side][0], cell[1] + STEP[side][1])
        lanes, circles = dict(table.lanes), dict(table.circles)
        if there in circles:
            if ACROSS[side] in self.circles[circles[there]].sides:
                yield Engine(there)
                return
        elif there in lanes:
            joined = [
                (number, lane) for number, lane in enumerate(lanes[there]) if ACROSS[side] in lane.sides
            ]
            for number, lane in joined:
                way = 1 if lane.sides[0] == ACROSS[side] else -1
                yield on(lanes[there], there, number, 0 if way == 1 else len(lane.ties) - 1, way)
            if joined:
                return
        else:
            yield None
            return
        if not table.walls:
            yield None

    def _shove(
        self, table: Table, onto: Engine, others: tuple[Engine | None, ...]
    ) -> set[tuple[Engine | None, ...]]:
        """What becomes of the others when one comes onto that tie."""
        hit = [at for at, other in enumerate(others) if other and other.tie and other.tie == onto.tie]
        if not hit:
            return {others}
        (at,) = hit
        victim = others[at]
        assert victim is not None
        rest = (*others[:at], None, *others[at + 1 :])
        found: set[tuple[Engine | None, ...]] = set()
        for pushed in self.on_from(table, onto):
            if pushed is None:
                found.add(rest)
                continue
            if pushed.tie is None or victim.ways == onto.ways:
                lies = pushed
            else:
                lies = turned_round(dict(table.lanes)[pushed.cell], pushed)
            for after in self._shove(table, pushed, rest):
                found.add((*after[:at], lies, *after[at + 1 :]))
        return found

    def moves(self, table: Table, value: int) -> set[tuple[Engine | None, tuple[Engine | None, ...]]]:
        """Every end of a Move of up to so many ties."""
        start, others = table.engines[0], table.engines[1:]
        assert start is not None
        ends: set[tuple[Engine | None, tuple[Engine | None, ...]]] = {(start, others)}
        walks = [(start, others)]
        for _ in range(value):
            further = []
            for here, rest in walks:
                for there in self.on_from(table, here):
                    if there is None:
                        if self.purpose:
                            ends.add((None, rest))
                        continue
                    for after in self._shove(table, there, rest):
                        ends.add((there, after))
                        if there.tie is not None:
                            further.append((there, after))
            walks = further
        return ends

    # -- what one may do ----------------------------------------------------------------------

    def actions(self, table: Table) -> Iterator[Table | None]:
        """The table after each thing that the player may do; None where the turn is interrupted or over."""
        circles = dict(table.circles)
        own = table.engines[0]
        assert own is not None
        here = circles.get(own.cell) if own.tie is None else None
        yield None  # the turn ends
        for car in table.loaded:
            if self.rails[car].setout == here:
                yield replace(table, loaded=tuple(held for held in table.loaded if held != car))
        for card in table.hand:
            hand = tuple(held for held in table.hand if held != card)
            yield None  # the flames are fanned
            if self.rails[card].pickup == here:
                yield replace(table, hand=hand, loaded=(*table.loaded, card))
            if len(table.loaded) <= self.rails[card].brimstone:
                for to, rest in self.moves(table, self.rails[card].value):
                    stays = to == own
                    interrupted = to is None or (to.tie is None and not stays)
                    if self.decides:
                        both = zip(table.engines[1:], rest, strict=True)
                        interrupted |= any(was and was.tie and now and not now.tie for was, now in both)
                    after = replace(table, hand=hand, engines=(to, *rest))
                    yield None if interrupted else self._derailed(after)
            for cell in self._blanks(table):
                for turn in (0, 90, 180, 270):
                    yield self._laid(table, hand, cell, card, turn)
            standing = {engine.cell for engine in table.engines if engine}
            for cell, old, old_turn in table.cards:
                for turn in (0, 90, 180, 270):
                    if cell not in standing and self._fits(card, turn, old, old_turn):
                        yield self._laid(table, hand, cell, card, turn)

    def _derailed(self, table: Table) -> Table:
        gate = next(cell for cell, name in table.circles if name == "G")
        return replace(table, engines=tuple(engine or Engine(gate) for engine in table.engines))

    def _laid(self, table: Table, hand: tuple[str, ...], cell: Cell, card: str, turn: int) -> Table:
        lanes = dict(table.lanes) | {cell: lanes_of(cell, self.rails[card].track, turn)}
        cards = [(at, name, lies) for at, name, lies in table.cards if at != cell]
        return replace(
            table, hand=hand, lanes=tuple(sorted(lanes.items())), cards=tuple([*cards, (cell, card, turn)])
        )

    def _blanks(self, table: Table) -> set[Cell]:
        taken = {cell for cell, _ in table.lanes} | {cell for cell, _ in table.circles}
        near = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]
        if not table.corners:
            near = [step for step in near if 0 in step]
        return {(c + right, r + down) for c, r in taken for right, down in near} - taken

    def _fits(self, card: str, turn: int, old: str, old_turn: int) -> bool:
        new, lying = (
            {frozenset(lane.sides) for lane in lanes_of((0, 0), self.rails[name].track, at)}
            for name, at in ((card, turn), (old, old_turn))
        )
        return lying <= new and (self.same or lying < new)

    def count(self, table: Table, depth: int) -> int:
        """The ways to do so many things one after the other."""
        if depth == 1:
            return sum(1 for _ in self.actions(table))
        return sum(self.count(after, depth - 1) for after in self.actions(table) if after is not None)


def on(lanes: tuple[Lane, ...], cell: Cell, number: int, index: int, way: int) -> Engine:
    """An engine on that tie of that lane: it may follow each lane that shares the tie, the same way."""
    tie = lanes[number].ties[index]
    here = {(number, way)}
    ahead, behind = ends(lanes[number], way)
    for other, lane in enumerate(lanes):
        if other != number and tie in lane.ties:
            for along in (1, -1):
                forth, back = ends(lane, along)
                # Shared ties are counted from a side: that side is ahead of both, or behind both.
                side = tie[1][0]
                if (side == ahead and forth == side) or (side == behind and back == side):
                    here.add((other, along))
    return Engine(cell, tie, frozenset(here))


def ends(lane: Lane, way: int) -> tuple[str, str]:
    """The side ahead and the side behind."""
    return (lane.sides[1], lane.sides[0]) if way == 1 else (lane.sides[0], lane.sides[1])


def turned_round(lanes: tuple[Lane, ...], engine: Engine) -> Engine:
    """The engine on the same tie, facing the other way."""
    number, way = next(iter(engine.ways))
    assert engine.tie is not None
    return on(lanes, engine.cell, number, lanes[number].ties.index(engine.tie), -way)
