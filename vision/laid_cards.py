"""Cards without markers on a sheet: read by their faces where something has changed, and kept in mind.

What was read once holds as long as the picture there stays the same, and holds again when it is the
same again: after an arm has covered it, for instance. Nothing is read twice.

A card lies in a place of its size, or with others in a row: a place as high as a card and much longer, in
which they lie side by side, or one over a part of the next. Of cards that are alike one was photographed:
each that lies there gets the name of one of them, and keeps it in its row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Point, TableMap, Token
from vision.card_faces import RIM, CardFaces, Facing, faceless
from vision.ground import Ground, depth
from vision.known_cards import file_name
from vision.pieces import Found, Key
from vision.pose import Pose
from vision.seen_sheet import Crop, Disc, Image, Patch, SeenSheet

Floats = NDArray[Any]

_MOVED = 4.0  # mm by which a place has moved when what was seen of it says nothing of it any more
_KEPT = 3  # pictures of a place in which nothing was named
_SAME = 10.0  # mm between two findings of one card
_REACH = 50.0  # mm from a place's middle up to which a card may reach into it
_ROW = 1.5  # of a card's width: a place that is wider has room for several
_AS_HIGH = 0.12  # logarithm of a row's height to a card's
_BORDER = 6.0  # mm of a row on each side in which its own print, or a card beside it, may be seen
_LITTLE = 60  # mm² of print in a row that no card needs to explain


@dataclass(frozen=True)
class _Unnamed:
    """A patch in which no card was named; `doubtful` when one lies there all the same."""

    patch: Patch
    doubtful: bool


@dataclass(frozen=True)
class _Spot:
    """Where cards may lie: how large it is (mm), whether turns count there, how wide a card is.

    `row` says that several lie there.
    """

    size: tuple[float, float]
    turned: bool
    card: float
    row: bool


class LaidCards:
    """Reads one sheet's cards by their faces. One thread at a time, one frame after the other.

    For each frame first `see`, then `still`, then `look`.
    """

    def __init__(self, map: TableMap, faces: CardFaces) -> None:
        self._faces = faces
        self._sheet = SeenSheet()
        self._named: dict[Key, tuple[Patch, Found]] = {}
        self._unnamed: dict[str, list[_Unnamed]] = {}
        self.reads = 0
        """How often a face was looked for."""
        self.lay_out(map)

    def lay_out(self, map: TableMap) -> None:
        """Go on with another map of the same sheet."""
        self._keys = _keys(self._faces.cards, map.tokens)
        self._repeats = {(token.kind, token.name): token.repeats for token in map.tokens}
        known = {key for keys in self._keys.values() for key in keys}
        self._places = self._spots(map, {kind for kind, _ in known})
        self._sheet.lay_out(
            [at for place in map.places if place.name in self._places for at in place.outline]
        )
        self._named = {key: kept for key, kept in self._named.items() if key in known}
        self._unnamed = {name: kept for name, kept in self._unnamed.items() if name in self._places}

    def _spots(self, map: TableMap, kinds: set[str]) -> dict[str, _Spot]:
        """The places in which cards of these kinds are read."""
        cards = {token.kind for token in map.tokens if token.flat}
        sizes: dict[str, tuple[float, float]] = {}
        for place in map.places:
            if set(place.holds or cards) & kinds:
                xs, ys = zip(*place.outline, strict=True)
                sizes[place.name] = (max(xs) - min(xs), max(ys) - min(ys))
        turned = {place.name: bool(place.turns) for place in map.places}
        single = {name: size for name, size in sizes.items() if self._faces.fits(*size)}
        found = {name: _Spot(size, turned[name], size[0], row=False) for name, size in single.items()}
        if not single:
            return found
        card = next(iter(single.values()))
        for name, size in sizes.items():
            as_high = abs(np.log(size[1] / card[1])) < _AS_HIGH
            if not turned[name] and as_high and size[0] > _ROW * card[0]:
                found[name] = _Spot(size, False, card[0], row=True)
        return found

    def see(self, image: Image, pose: Pose, standing: Sequence[Disc]) -> None:
        """Look at this picture from now on; `standing` is what is seen to stand on the sheet."""
        self._sheet.see(image, pose, standing)

    def still(self, ground: Ground, marked: Sequence[Found]) -> list[Found]:
        """The cards that were read before and lie there as they did; a `marked` one has the last word."""
        keys = {piece.key for piece in marked}
        laid = _outlines(ground, marked)
        self._named = {
            key: kept
            for key, kept in self._named.items()
            if key not in keys and all(depth(outline, kept[1].at) < 0 for outline in laid)
        }
        found = []
        for key, (before, piece) in self._named.items():
            now = self._sheet.again(before)
            if now is not None:
                self._named[key] = (now, piece)
                found.append(piece)
        return found

    def look(self, ground: Ground, found: Iterable[Found]) -> tuple[list[Found], frozenset[str]]:
        """The cards that are read anew, and the places in which a card lies that cannot be told.

        Nothing is read where a card of `found` lies already, nor where nothing has changed.
        """
        found = list(found)
        taken = _outlines(ground, found)
        places = {name: _point(ground.middles[ground.number[name]]) for name in self._places}
        left = [
            name
            for name, at in places.items()
            if not self._places[name].row and all(depth(outline, at) < 0 for outline in taken)
        ]
        read: dict[str, list[tuple[str, Found]]] = {}
        doubtful = self._each(places, left, taken, read)
        if read and doubtful:
            # Once it is known how the others lie, it is known what they hide.
            taken += _outlines(ground, [piece for named in read.values() for _, piece in named])
            near = {name for name in doubtful if any(depth(other, places[name]) > -_REACH for other in taken)}
            for name in near:
                self._unnamed.pop(name, None)
            doubtful = doubtful - near | self._each(places, sorted(near), taken, read)
        for name in (name for name, spot in self._places.items() if spot.row):
            if not self._row(ground, name, places[name], taken, read):
                doubtful.add(name)
        fresh: list[Found] = []
        keys = {piece.key for piece in found}
        for card, pieces in read.items():
            for name, told in self._called(ground, card, pieces, keys):
                if told is None:
                    doubtful.add(name)
                    self._leave(name, _Unnamed(self._patch_of(name, places[name]), True))
                else:
                    fresh.append(told)
        for piece in fresh:
            self._keep(ground, piece)
        return fresh, frozenset(doubtful)

    # -- which of them --------------------------------------------------------------------------

    def _called(
        self, ground: Ground, card: str, pieces: Sequence[tuple[str, Found]], keys: set[Key]
    ) -> Iterator[tuple[str, Found | None]]:
        """Each of the cards with that face, which lie in these places, by the name of its own; None of
        one that can be none of them. `keys` are seen already.
        """
        free = [key for key in self._keys[card] if key not in keys]
        if len(self._keys[card]) == 1 and free:
            first = pieces[0][1]
            if all(_near(first, piece) for _, piece in pieces):
                yield pieces[0][0], replace(first, kind=free[0][0], name=free[0][1])
                return
            free = []  # One card cannot lie in two places: none of them is told.
        for name, piece in sorted(pieces, key=lambda each: each[1].at):
            if not free:
                yield name, None
                continue
            key = min(free, key=lambda key: self._likely(ground, key, name, piece))
            free.remove(key)
            yield name, replace(piece, kind=key[0], name=key[1])

    def _likely(self, ground: Ground, key: Key, name: str, piece: Found) -> tuple[int, float]:
        """How near at hand that name is for a card in that place: first that of one that lay there, which
        may have been pushed; then one that is nowhere; last that of one that may lie hidden elsewhere.
        """
        if key not in self._named:
            return (1, 0.0)
        lay = self._named[key][1].at
        if depth(ground.outline(ground.number[name]), lay) < 0:
            return (2, 0.0)
        return (0, float(np.hypot(*np.subtract(lay, piece.at))))

    # -- rows -----------------------------------------------------------------------------------

    def _row(
        self,
        ground: Ground,
        name: str,
        at: Point,
        taken: Sequence[Floats],
        read: dict[str, list[tuple[str, Found]]],
    ) -> bool:
        """Read what is new in a row, uppermost cards first; cards are added to `read`.

        Whether all that lies there is told then.
        """
        outline = ground.outline(ground.number[name])
        low, high = _point(outline.min(axis=0) + _BORDER), _point(outline.max(axis=0) - _BORDER)
        lying = list(taken)
        told: list[tuple[str, Found]] = []
        crop: Crop | None = None
        while self._sheet.print_left(low, high, lying) > _LITTLE:
            if crop is None and self._same(name, at) is not None:
                return False
            crop = crop or self._crop(name, at, lying)
            self.reads += 1
            facing = self._faces.name(crop.picture, crop.cover)
            piece = None if facing is None else self._piece(crop, facing, turned=False)
            if facing is None or piece is None:
                self._leave(name, _Unnamed(self._patch_of(name, at), True))
                return False
            told.append((facing.card, piece))
            for card in _outlines(ground, [piece]):
                lying.append(card)
                crop.hide(card)
        for file, piece in told:
            read.setdefault(file, []).append((name, piece))
        return True

    # -- one place ----------------------------------------------------------------------------

    def _each(
        self,
        places: Mapping[str, Point],
        names: Iterable[str],
        taken: Sequence[Floats],
        read: dict[str, list[tuple[str, Found]]],
    ) -> set[str]:
        """Look into each of these places; cards are added to `read`. Those that are doubtful."""
        doubtful: set[str] = set()
        for name in names:
            seen = self._same(name, places[name]) or self._read(name, places[name], taken, read)
            if seen is not None and seen.doubtful:
                doubtful.add(name)
        return doubtful

    def _read(
        self, name: str, at: Point, taken: Sequence[Floats], read: dict[str, list[tuple[str, Found]]]
    ) -> _Unnamed | None:
        """The card that lies there is added to `read` if it can be told; else what was seen, which is kept
        in mind.
        """
        facing: Facing | None = None
        crop = self._crop(name, at, taken)
        across, down = self._faces.around
        if not faceless(np.ascontiguousarray(crop.picture[down:-down, across:-across])):
            self.reads += 1
            facing = self._faces.name(crop.picture, crop.cover)
        piece = None if facing is None else self._piece(crop, facing, turned=self._places[name].turned)
        if facing is None or piece is None:
            return self._leave(name, _Unnamed(self._patch_of(name, at), facing is not None))
        read.setdefault(facing.card, []).append((name, piece))
        return None

    def _crop(self, name: str, at: Point, taken: Sequence[Floats]) -> Crop:
        """The picture of a place and what is around it, in the size in which faces are read."""
        spot = self._places[name]
        scale = self._faces.size[0] / spot.card
        across, down = self._faces.around
        wide = round(spot.size[0] * scale) if spot.row else self._faces.size[0]
        size = (wide + 2 * across, self._faces.size[1] + 2 * down)
        crop = self._sheet.crop(at[0] - size[0] / 2 / scale, at[1] - size[1] / 2 / scale, size, scale)
        for outline in taken:
            crop.hide(outline)
        return crop

    def _piece(self, crop: Crop, facing: Facing, *, turned: bool) -> Found | None:
        """The card, by the name of the first that has that face; None if it is not sure enough."""
        keys = self._keys.get(facing.card)
        if keys is None or not facing.sure:
            return None
        if turned and len({turn % self._repeats[keys[0]] for turn in facing.turns}) != 1:
            return None  # It is not told how the card is turned, which counts there.
        x, y = (crop.to_sheet @ (*facing.corners.mean(axis=0), 1.0))[:2].tolist()
        side = facing.corners[1] - facing.corners[0]
        angle = float(np.degrees(np.arctan2(side[1], side[0]))) + facing.turn
        return Found(*keys[0], (x, y), angle % 360, frozenset(), True, True, whole=True)

    # -- what is kept in mind --------------------------------------------------------------------

    def _leave(self, name: str, unnamed: _Unnamed) -> _Unnamed:
        """Keep in mind what no card could be named of."""
        kept = self._unnamed.setdefault(name, [])
        kept[:] = [unnamed, *kept][:_KEPT]
        return unnamed

    def _same(self, name: str, at: Point) -> _Unnamed | None:
        """What was seen in that place when it looked as it does now."""
        kept = self._unnamed.get(name, [])
        for number, one in enumerate(kept):
            if np.hypot(one.patch.at[0] - at[0], one.patch.at[1] - at[1]) <= _MOVED:
                now = self._sheet.again(one.patch)
                if now is not None:
                    kept[number] = _Unnamed(now, one.doubtful)
                    return kept[number]
        return None

    def _keep(self, ground: Ground, piece: Found) -> None:
        """Remember how the card looks; what lay there before lies there no more."""
        for outline in _outlines(ground, [piece]):
            self._named = {key: kept for key, kept in self._named.items() if depth(outline, kept[1].at) < 0}
            width, height = np.ptp(outline, axis=0).tolist()
            self._named[piece.key] = (self._sheet.patch(piece.at, _half(width, height)), piece)

    def _patch_of(self, name: str, at: Point) -> Patch:
        return self._sheet.patch(at, _half(*self._places[name].size))


def _half(width: float, height: float) -> tuple[int, int]:
    """Half of what is compared of a card of that size, in mm: its rim may lie under another one."""
    return round(width * (0.5 - RIM)), round(height * (0.5 - RIM))


def _outlines(ground: Ground, pieces: Iterable[Found]) -> list[Floats]:
    """The outlines (Nx2, mm) of the cards among them."""
    return [outline for piece in pieces if (outline := ground.card(piece)) is not None]


def _keys(names: Iterable[str], tokens: Iterable[Token]) -> dict[str, tuple[Key, ...]]:
    """The cards that have each known face: one, or all that are alike.

    A file says the name, or kind and name with a dot between; a - stands for a / in it.
    """
    called: dict[Key, dict[Key, None]] = {}
    for token in (token for token in tokens if not token.printed):
        name = file_name(token.alike or token.name)
        called.setdefault((token.kind, name), {})[token.kind, token.name] = None
    found: dict[str, tuple[Key, ...]] = {}
    for file in names:
        kind, _, rest = file.partition(".")
        alike = [(kind, rest)] if (kind, rest) in called else [key for key in called if key[1] == file]
        if len(alike) == 1:
            found[file] = tuple(called[alike[0]])
    return found


def _point(at: Floats) -> Point:
    return (float(at[0]), float(at[1]))


def _near(one: Found, other: Found) -> bool:
    return bool(np.hypot(one.at[0] - other.at[0], one.at[1] - other.at[1]) <= _SAME)
