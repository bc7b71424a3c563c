"""The emulated table's physical truth: what lies where, and how hands move it about in time.

Nothing here knows the rules. What people do begins at once and takes its time; `moment` says what
can be seen at any later time.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import cos, radians, sin
from random import Random

from msgspec.structs import replace

from companion.alike import Alike
from companion.emulated.box import Box, with_figures, without_markers
from companion.emulated.changes import Change, buried, changes, differences, key_of
from companion.emulated.clock import Clock, MonotonicClock
from companion.emulated.figures import Figure
from companion.emulated.hands import Carry, Reach, Throw
from companion.emulated.placing import (
    Block,
    Spot,
    beside,
    in_row,
    laid,
    landed,
    middle,
    place_of,
    roomy,
    slots,
    spread,
    takes,
)
from companion.emulated.poses import FLAT, Arm, DiePose, Key, Moment, PiecePose
from companion.games.layout import Face, Layout, Piece, Place, Point, TableMap


@dataclass
class World:
    """One table: sheet, pieces, dice and arms. Any thread may use it.

    `map` and `box` are those of the game that is set out, `games` counts how often one was;
    before, the table is bare. `thrown` counts the throws. The pieces of `unmarked` carry no markers,
    and `figures` are those of plain colour that stand for others.
    """

    seed: int
    clock: Clock = field(default_factory=MonotonicClock)
    map: TableMap | None = None
    box: Box | None = None
    games: int = 0
    thrown: int = 0
    unmarked: frozenset[Key] = frozenset()
    figures: Mapping[Key, Figure] = field(default_factory=dict)
    _lying: dict[Key, tuple[Piece, PiecePose]] = field(default_factory=dict)
    _piles: tuple[PiecePose, ...] = ()
    _dice: tuple[DiePose, ...] = ()
    _throw: Throw | None = None
    _carries: list[tuple[Carry, tuple[Piece, ...]]] = field(default_factory=list)
    _reaches: list[Reach] = field(default_factory=list)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        self._chance = Random(f"{self.seed}:hands")
        self._look = self._chance.randrange(3)

    # -- what people do -----------------------------------------------------------------------

    def set_out(self, map: TableMap, layout: Layout, box: Box) -> None:
        """Lay out the sheet, put each piece on its place, and lay into the tray what was thrown last."""
        with self._lock:
            box = with_figures(without_markers(box, self.unmarked), self.figures)
            self.map, self.box, self.games = map, box, self.games + 1
            self._dice, self._throw = self._land(layout.dice), None
            self._carries, self._reaches, self._lying = [], [], {}
            self._piles = tuple(
                PiecePose("back", "", *laid(Piece("back", "", place.name), place, self._chance))
                for place in map.places
                if place.holds == ("back",)
            )
            for change in changes((), self.told_apart(layout), map, self._side, self._chance):
                for piece, pose in zip(change.to, self._spots(change.to), strict=True):
                    self._lying[key_of(piece)] = (piece, pose)

    def bring(self, map: TableMap, layout: Layout, only: Collection[Key] | None = None) -> float:
        """Carry each piece that lies otherwise to where that layout has it, new ones from a hand, and
        take off what it does not have, one after the other; when the last hand is gone (seconds).

        Places may have changed since. Pieces that others hide stay where they are. With `only`, the
        other pieces are left where they lie, and of those a card deep in a pile is laid on top: it
        was shuffled back, and comes from its deck once more.
        """
        with self._lock:
            self.map = map
            self._pass(self.clock.now())
            pieces = [piece for piece, _ in self._to_be().values()]
            wanted = self.told_apart(layout)
            if only is not None:
                again = buried(pieces, map, self._side).intersection(only)
                pieces = [piece for piece in pieces if key_of(piece) not in again]
            for change in changes(pieces, wanted, map, self._side, self._chance, self._hand):
                if only is None or any(key in only for key in change.taken):
                    self._do(change)
            return self.rests

    def carry(self, name: str, place: str, turn: int = 0) -> float:
        """Carry a piece to a place, as exactly as people do; when the hand is gone (seconds)."""
        with self._lock:
            self._pass(self.clock.now())
            kind = self._known(name)
            return self._do(Change(((kind, name),), (Piece(kind, name, place, turn),)))

    def put(self, name: str, at: Point, turn: float | None = None) -> float:
        """Carry a piece to that very spot (mm), turned just so (degrees) or about as unturned things are;
        when the hand is gone (seconds).
        """
        with self._lock:
            self._pass(self.clock.now())
            kind = self._known(name)
            piece = Piece(kind, name, place_of(self._sheet(), at))
            turn = self._chance.uniform(-25, 25) if turn is None else turn
            return self._take(((kind, name),), (piece,), (PiecePose(kind, name, at, turn),))

    def throw(self, values: Iterable[Face]) -> float:
        """Take up all dice and throw so many, which will show these faces; when they lie still (seconds)."""
        with self._lock:
            self._pass(self.clock.now())
            start = max(self.clock.now(), self._throw.end if self._throw else 0.0)
            self._pass(start)
            self.thrown += 1
            dice = self._land(tuple(values))
            tray = middle(self._sheet().tray)
            hand = Arm(self._within(tray, 60.0), self._shoulder(tray))
            self._throw = Throw(start, dice, hand, self._chance.randrange(1 << 30))
            return self._throw.end

    def reach(self, at: Point, rest: float) -> float:
        """Hold an arm over that spot (mm) for so many seconds; when it is gone (seconds)."""
        with self._lock:
            reach = Reach(self.clock.now(), rest, Arm(at, self._shoulder(at)))
            self._reaches.append(reach)
            return reach.end

    # -- what there is ------------------------------------------------------------------------

    @property
    def values(self) -> tuple[Face, ...]:
        """The upper faces of the dice in the tray, once they lie still."""
        with self._lock:
            dice = self._throw.dice if self._throw else self._dice
            return tuple(die.value for die in dice)

    @property
    def spots(self) -> dict[str, Point]:
        """Where each piece lies, or will once it is put down (mm), by its name."""
        with self._lock:
            return {piece.name: pose.at for piece, pose in self._to_be().values()}

    @property
    def places(self) -> dict[str, str]:
        """The place in which each piece lies, or will once it is put down, by its name; "" for none."""
        with self._lock:
            return {piece.name: piece.place for piece, _ in self._to_be().values()}

    def told_apart(self, layout: Layout) -> Layout:
        """That layout with a name of its own for each piece: of those that are alike, the ones at hand.

        A card deep in a pile is not at hand: who turns up another copy lays that one on the pile. What
        is printed on the sheet is no piece.
        """
        with self._lock:
            sheet = self._sheet()
            printed = {(token.kind, token.name) for token in sheet.tokens if token.printed}
            wanted = tuple(piece for piece in layout.pieces if key_of(piece) not in printed)
            pieces = [piece for piece, _ in self._to_be().values()]
            deep = buried(pieces, sheet, self._side)
            lay = {key_of(piece): (piece.place, piece.turn) for piece in pieces if key_of(piece) not in deep}
            tokens = sorted(sheet.tokens, key=lambda token: (token.kind, token.name) in deep)
            return Layout(Alike(tokens).told_apart(wanted, lay), layout.dice)

    def fits(self, layout: Layout) -> bool:
        """Whether the pieces lie as that layout has them, or will once all are put down."""
        return self._differences(layout) == ([], [])

    def late(self, layout: Layout) -> tuple[Piece, ...]:
        """The pieces of that layout that lie otherwise, or not at all, and will not be carried there."""
        return tuple(self._differences(layout)[0])

    def taken_up(self, layout: Layout, *, drawn: bool) -> frozenset[Key]:
        """What lies there, is not in that layout, and goes with the act that leads to it: cards in a row,
        which whoever plays takes up, and those that lie face down, if any are `drawn`.
        """
        with self._lock:
            there = self._to_be()
            _, leaving = self._differences(layout)
            gone = [there[key][0] for keys in leaving for key in keys]
            return frozenset(
                key_of(piece) for piece in gone if self._in_row(piece) or (drawn and self._blank(piece))
            )

    def _differences(self, layout: Layout) -> tuple[list[Piece], list[tuple[Key, ...]]]:
        with self._lock:
            pieces = [piece for piece, _ in self._to_be().values()]
            return differences(pieces, self.told_apart(layout), self._sheet(), self._side)

    @property
    def rests(self) -> float:
        """When everything will have come to rest (seconds)."""
        with self._lock:
            ends = [carry.end for carry, _ in self._carries] + [reach.end for reach in self._reaches]
            return max([self.clock.now(), *ends, *([self._throw.end] if self._throw else [])])

    def moment(self, now: float) -> Moment:
        """What is where at that time, which must not go back."""
        with self._lock:
            self._pass(now)
            lying = {key: pose for key, (_, pose) in self._lying.items()}
            arms: list[Arm] = []
            held: list[PiecePose] = []
            for carry in [carry for carry, _ in self._carries if now >= carry.start]:
                pieces, arm = carry.at(now, lying)
                if any(piece != lying.get(piece.key) for piece in pieces):
                    held += pieces
                arms.append(arm)
            dice = self._dice
            if self._throw is not None:
                dice, hand = self._throw.at(now, self._dice)
                arms += hand
            arms += [reach.at(now) for reach in self._reaches]
            for piece in held:
                lying.pop(piece.key, None)
            return Moment((*self._piles, *lying.values(), *held), dice, tuple(arms))

    # -- how it goes on -----------------------------------------------------------------------

    def _pass(self, now: float) -> None:
        """What has come to its end by then is the state of things."""
        if self._throw is not None and now >= self._throw.end:
            self._dice, self._throw = self._throw.dice, None
        while self._carries and now >= self._carries[0][0].end:
            carry, pieces = self._carries.pop(0)
            _carried(self._lying, carry, pieces)
        self._reaches = [reach for reach in self._reaches if now < reach.end]

    def _to_be(self) -> dict[Key, tuple[Piece, PiecePose]]:
        """What will lie there when all is carried, what lies on others last."""
        lying = dict(self._lying)
        for carry, pieces in self._carries:
            _carried(lying, carry, pieces)
        return lying

    def _do(self, change: Change) -> float:
        return self._take(change.taken, change.to, self._spots(change.to))

    def _take(
        self, taken: tuple[Key, ...], pieces: tuple[Piece, ...], targets: tuple[PiecePose, ...]
    ) -> float:
        # One hand after the other: two that carry at once would meet.
        start = max([self.clock.now(), *(carry.end for carry, _ in self._carries)])
        there = self._to_be()
        at = targets[-1].at if targets else there[taken[-1]][1].at
        side = max(self._side(*key) for key in taken)
        along = bool(targets) and all(key in there for key in taken)
        carry = Carry(start, taken, targets, self._shoulder(at), side, along)
        self._carries.append((carry, pieces))
        return carry.end

    def _known(self, name: str) -> str:
        """The kind of the piece of that name on the table."""
        there = self._to_be()
        for kind, known in there:
            if known == name:
                return kind
        names = ", ".join(sorted(known for _, known in there))
        raise ValueError(f"There is no piece '{name}' here. Pieces: {names}.")

    # -- where things come to lie -------------------------------------------------------------

    def _place(self, name: str) -> Place:
        for place in self._sheet().places:
            if place.name == name:
                return place
        raise ValueError(f"This table has no place '{name}'.")

    def _sheet(self) -> TableMap:
        if self.map is None:
            raise ValueError("The table is bare: set a game out first.")
        return self.map

    def _size(self, kind: str, name: str) -> tuple[float, float]:
        if self.box is None:
            raise ValueError("The table is bare: set a game out first.")
        drawing = self.box.piece(kind, name)
        return (drawing.width, drawing.height)

    def _side(self, kind: str, name: str) -> float:
        return max(self._size(kind, name))

    def _within(self, middle: Point, radius: float) -> Point:
        way, far = self._chance.uniform(0, 360), self._chance.uniform(0, radius)
        return (middle[0] + far * cos(radians(way)), middle[1] + far * sin(radians(way)))

    def _shoulder(self, at: Point) -> Point:
        """Somebody sits there: at the near edge, or at the side that is nearer."""
        sheet = self._sheet()
        side = -250.0 if at[0] < sheet.width / 2 else sheet.width + 250.0
        if self._chance.random() < 0.4:
            return (side, at[1] + self._chance.uniform(0, 200))
        return (at[0] + self._chance.uniform(-180, 180), sheet.height + 350.0)

    def _land(self, faces: Iterable[Face]) -> tuple[DiePose, ...]:
        return landed(self._sheet().tray, tuple(faces), self._look, self._chance)

    def _spot(self, piece: Piece) -> PiecePose:
        """Where that piece comes to lie; others are moved up where its place is crowded."""
        place, size = self._place(piece.place), self._size(piece.kind, piece.name)
        others = [(other, pose) for key, (other, pose) in self._to_be().items() if key != key_of(piece)]
        alike = [(other, pose) for other, pose in others if other.kind == piece.kind]
        if not roomy(place, max(size)):
            spot = laid(piece, place, self._chance)
            if self._stands(piece):
                spot = self._between(
                    piece, spot, [(other, pose) for other, pose in alike if self._fixed(other)]
                )
            return PiecePose(piece.kind, piece.name, *spot)
        standing = [(other, pose) for other, pose in others if self._stands(other)]
        near = standing if self._stands(piece) else alike
        found = beside(place, size, [self._block(pose) for _, pose in near], self._chance)
        if found is not None:
            return PiecePose(piece.kind, piece.name, *found)
        there = [pose for other, pose in near if other.place == piece.place]
        rows = slots(place, max(size))
        for pose, slot in zip(there, rows, strict=False):
            self._move_up(replace(pose, at=slot, turn=self._chance.gauss(0, 0.5)))
        # Where there is no slot left, the piece is put on top of another one.
        at = rows[len(there)] if len(there) < len(rows) else self._chance.choice(rows)
        return PiecePose(piece.kind, piece.name, at, self._chance.gauss(0, 0.5))

    def _spots(self, pieces: tuple[Piece, ...]) -> tuple[PiecePose, ...]:
        """Where pieces come to lie that one hand brings, in their order."""
        if not pieces or not all(map(self._in_row, pieces)):
            return tuple(map(self._spot, pieces))
        place, coming = self._place(pieces[0].place), set(map(key_of, pieces))
        there = [
            pose.at[0]
            for key, (piece, pose) in self._to_be().items()
            if key not in coming and piece.place == place.name
        ]
        wide, _ = self._size(pieces[0].kind, pieces[0].name)
        row = in_row(place, wide, len(pieces), there, self._chance)
        return tuple(
            PiecePose(piece.kind, piece.name, *spot) for piece, spot in zip(pieces, row, strict=True)
        )

    def _hand(self, piece: Piece) -> str:
        """Cards of one row come in one hand, and those that are dealt face down."""
        if key_of(piece) in self._to_be():
            return ""
        if self._in_row(piece):
            return piece.place
        return piece.kind if self._blank(piece) else ""

    def _in_row(self, piece: Piece) -> bool:
        """Whether it is a card that lies beside others, in a place with room for several."""
        side = self._side(piece.kind, piece.name)
        card = any(token.flat and (token.kind, token.name) == key_of(piece) for token in self._sheet().tokens)
        return card and any(
            place.name == piece.place and roomy(place, side) for place in self._sheet().places
        )

    def _blank(self, piece: Piece) -> bool:
        """Whether it is of a kind that carries no markers."""
        return all(token.kind != piece.kind for token in self._sheet().tokens)

    def _stands(self, piece: Piece) -> bool:
        """Whether it is a block, and no card, on which others lie."""
        return any(
            token.height >= FLAT and (token.kind, token.name) == key_of(piece)
            for token in self._sheet().tokens
        )

    def _fixed(self, piece: Piece) -> bool:
        """Whether its place is for one piece alone, which cannot stand anywhere else in it."""
        side = self._side(piece.kind, piece.name)
        return any(place.name == piece.place and not roomy(place, side) for place in self._sheet().places)

    def _block(self, pose: PiecePose) -> Block:
        return (pose.at, self._size(pose.kind, pose.name), pose.turn)

    def _between(self, piece: Piece, spot: Spot, others: list[tuple[Piece, PiecePose]]) -> Spot:
        """That spot if no other piece takes it. Where it is tight all those are put as near as can be to
        where they belong.
        """
        size = self._size(piece.kind, piece.name)
        group, blocks = [piece], [(spot[0], size, spot[1])]
        while True:
            tight = [
                other for other, pose in others if other not in group and takes(self._block(pose), blocks)
            ]
            if not tight:
                break
            group += tight
            best = [(middle(self._place(one.place)), size, float(one.turn)) for one in group]
            blocks = spread(best)
        for other, (at, _, turn) in zip(group[1:], blocks[1:], strict=True):
            self._move_up(PiecePose(other.kind, other.name, at, turn))
        return blocks[0][0], blocks[0][2]

    def _move_up(self, moved: PiecePose) -> None:
        """A piece makes room: it lies there now, or will once it is put down."""
        for carry, _ in reversed(self._carries):
            if moved.key in carry.taken:
                carry.targets = tuple(moved if pose.key == moved.key else pose for pose in carry.targets)
                return
        self._lying[moved.key] = (self._lying[moved.key][0], moved)


def _carried(lying: dict[Key, tuple[Piece, PiecePose]], carry: Carry, pieces: tuple[Piece, ...]) -> None:
    """What lies there after that carry: what it put down lies on top."""
    for key in carry.taken:
        lying.pop(key, None)
    for piece, pose in zip(pieces, carry.targets, strict=True):
        lying[pose.key] = (piece, pose)
