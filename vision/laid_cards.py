"""Cards without markers on a sheet: read by their faces where something has changed, and kept in mind.

What was read once holds as long as the picture there stays the same, and holds again when it is the
same again: after an arm has covered it, for instance. Nothing is read twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Point, TableMap
from vision.card_faces import RIM, CardFaces, Facing, faceless
from vision.coverage import most
from vision.ground import Ground, depth
from vision.pieces import Found, Key
from vision.pose import Pose

Image = NDArray[np.uint8]
Floats = NDArray[Any]
Mask = NDArray[np.bool_]

_BEYOND = 40  # mm around all places that the flat picture shows
_OTHER = 0.09  # a pixel that differs so much, brightness apart, is another one (of a patch's brightness)
_NOISE = 5.0  # differences up to this are none (of 255)
_FEW = 3  # pixels so many differ by noise alone
_MOVED = 4.0  # mm by which a place has moved when what was seen of it says nothing of it any more
_KEPT = 3  # pictures of a place in which nothing was named
_SAME = 10.0  # mm between two findings of one card
_REACH = 50.0  # mm from a place's middle up to which a card may reach into it
_OVER = 1.5  # mm around a card that its edge and its shadow hide of others

Disc = tuple[Point, float, float]
"""What stands on the sheet: its middle, how far around it hides cards, and how far it changes them (mm)."""


@dataclass(frozen=True)
class _Patch:
    """A part of the flat picture: where its middle is (mm), its colours, and where they can be trusted."""

    at: Point
    colours: Floats
    shows: Mask


@dataclass(frozen=True)
class _Unnamed:
    """A patch in which no card was named; `doubtful` when one lies there all the same."""

    patch: _Patch
    doubtful: bool


class LaidCards:
    """Reads one sheet's cards by their faces. One thread at a time, one frame after the other.

    For each frame first `see`, then `still`, then `look`.
    """

    def __init__(self, map: TableMap, faces: CardFaces) -> None:
        self._faces = faces
        self._named: dict[Key, tuple[_Patch, Found]] = {}
        self._unnamed: dict[str, list[_Unnamed]] = {}
        self.reads = 0
        """How often a face was looked for."""
        self.lay_out(map)

    def lay_out(self, map: TableMap) -> None:
        """Go on with another map of the same sheet."""
        cards = {token.kind for token in map.tokens if token.flat}
        self._keys = _keys(self._faces.cards, {(token.kind, token.name) for token in map.tokens})
        self._repeats = {(token.kind, token.name): token.repeats for token in map.tokens}
        kinds = {kind for kind, _ in self._keys.values()}
        self._places: dict[str, tuple[float, float, bool]] = {}
        corners: list[Point] = []
        for place in map.places:
            xs, ys = zip(*place.outline, strict=True)
            size = (max(xs) - min(xs), max(ys) - min(ys))
            holds = set(place.holds or cards)
            if holds & kinds and self._faces.fits(*size):
                self._places[place.name] = (*size, bool(place.turns))
                corners += place.outline
        self._named = {key: kept for key, kept in self._named.items() if key in self._keys.values()}
        self._unnamed = {name: kept for name, kept in self._unnamed.items() if name in self._places}
        ends = np.array(corners).reshape(-1, 2)
        self._low = np.floor(ends.min(axis=0, initial=0.0)) - _BEYOND
        high = np.ceil(ends.max(axis=0, initial=0.0)) + _BEYOND
        self._size = (int(high[0] - self._low[0]), int(high[1] - self._low[1]))

    def see(self, image: Image, pose: Pose, standing: Sequence[Disc]) -> None:
        """Look at this picture from now on; `standing` is what is seen to stand on the sheet."""
        self._image, self._pose, self._standing = image, pose, standing
        to_flat = np.array([[1, 0, self._low[0] + 0.5], [0, 1, self._low[1] + 0.5], [0, 0, 1.0]])
        flat = cv2.warpPerspective(image, pose.matrix @ to_flat, self._size, flags=_BACK)
        self._flat = np.asarray(cv2.blur(flat, (3, 3)), np.float32)
        shows = np.full(self._flat.shape[:2], 1, np.uint8)
        for (x, y), _, reach in standing:
            middle = (round(x - self._low[0]), round(y - self._low[1]))
            cv2.circle(shows, middle, round(reach), (0,), -1)
        self._shows = shows > 0

    def still(self, ground: Ground, marked: Sequence[Found]) -> list[Found]:
        """The cards that were read before and lie there as they did; a `marked` one has the last word."""
        keys = {piece.key for piece in marked}
        laid = [outline for piece in marked if (outline := ground.card(piece)) is not None]
        self._named = {
            key: kept
            for key, kept in self._named.items()
            if key not in keys and all(depth(outline, kept[1].at) < 0 for outline in laid)
        }
        found = []
        for key, (before, piece) in self._named.items():
            now = self._again(before)
            if now is not None:
                self._named[key] = (now, piece)
                found.append(piece)
        return found

    def look(self, ground: Ground, found: Iterable[Found]) -> tuple[list[Found], frozenset[str]]:
        """The cards that are read anew, and the places in which a card lies that cannot be told.

        Nothing is read where a card of `found` lies already, nor where nothing has changed.
        """
        taken = [outline for piece in found if (outline := ground.card(piece)) is not None]
        keys = {piece.key for piece in found}
        places = {name: _point(ground.middles[ground.number[name]]) for name in self._places}
        left = [name for name, at in places.items() if all(depth(outline, at) < 0 for outline in taken)]
        read: dict[Key, list[tuple[str, Found]]] = {}
        doubtful = self._each(places, left, taken, read)
        if read and doubtful:
            # Once it is known how the others lie, it is known what they hide.
            others = [piece for named in read.values() for _, piece in named]
            taken += [outline for piece in others if (outline := ground.card(piece)) is not None]
            near = {name for name in doubtful if any(depth(other, places[name]) > -_REACH for other in taken)}
            for name in near:
                self._unnamed.pop(name, None)
            doubtful = doubtful - near | self._each(places, sorted(near), taken, read)
        fresh: list[Found] = []
        for key, pieces in read.items():
            first = pieces[0][1]
            if key not in keys and all(_near(first, piece) for _, piece in pieces):
                fresh.append(first)
                self._keep(ground, first)
                continue
            # One card cannot lie in two places: none of them is told.
            for name, _ in pieces:
                doubtful.add(name)
                self._leave(name, _Unnamed(self._patch_of(name, places[name]), True))
        return fresh, frozenset(doubtful)

    def _each(
        self,
        places: Mapping[str, Point],
        names: Iterable[str],
        taken: Sequence[Floats],
        read: dict[Key, list[tuple[str, Found]]],
    ) -> set[str]:
        """Look into each of these places; cards are added to `read`. Those that are doubtful."""
        doubtful: set[str] = set()
        for name in names:
            seen = self._same(name, places[name]) or self._read(name, places[name], taken)
            if isinstance(seen, Found):
                read.setdefault(seen.key, []).append((name, seen))
            elif seen.doubtful:
                doubtful.add(name)
        return doubtful

    # -- one place ----------------------------------------------------------------------------

    def _read(self, name: str, at: Point, taken: Sequence[Floats]) -> Found | _Unnamed:
        """The card that lies there if it can be told; else what was seen, which is kept in mind."""
        width, _, turned = self._places[name]
        facing: Facing | None = None
        scale = self._faces.size[0] / width
        across, down = self._faces.around
        size = (self._faces.size[0] + 2 * across, self._faces.size[1] + 2 * down)
        left, top = at[0] - size[0] / 2 / scale, at[1] - size[1] / 2 / scale
        to_sheet = np.array(
            [[1 / scale, 0, left + 0.5 / scale], [0, 1 / scale, top + 0.5 / scale], [0, 0, 1]]
        )
        picture = np.asarray(
            cv2.warpPerspective(self._image, self._pose.matrix @ to_sheet, size, flags=_BACK)
        )
        inner = np.ascontiguousarray(picture[down:-down, across:-across], np.uint8)
        if not faceless(inner):
            cover = np.full(size[::-1], 255, np.uint8)
            for (x, y), reach, _ in self._standing:
                middle = (round((x - left) * scale), round((y - top) * scale))
                cv2.circle(cover, middle, round(reach * scale), (0,), -1)
            for outline in taken:
                corners = np.rint((_grown(outline, _OVER) - (left, top)) * scale).astype(np.int32)
                cv2.fillConvexPoly(cover, corners, (0,))
            self.reads += 1
            facing = self._faces.name(np.asarray(picture, np.uint8), cover)
        key = self._keys.get(facing.card) if facing is not None else None
        if facing is not None and key is not None and facing.sure and self._turned(key, facing, turned):
            middles = facing.corners.mean(axis=0)
            x, y = (to_sheet @ (*middles, 1.0))[:2].tolist()
            side = facing.corners[1] - facing.corners[0]
            angle = float(np.degrees(np.arctan2(side[1], side[0]))) + facing.turn
            return Found(*key, (x, y), angle % 360, frozenset(), True, True, whole=True)
        return self._leave(name, _Unnamed(self._patch_of(name, at), facing is not None))

    def _leave(self, name: str, unnamed: _Unnamed) -> _Unnamed:
        """Keep in mind what no card could be named of."""
        kept = self._unnamed.setdefault(name, [])
        kept[:] = [unnamed, *kept][:_KEPT]
        return unnamed

    def _turned(self, key: Key, facing: Facing, counts: bool) -> bool:
        """Whether it is told how the card is turned, as far as that counts there."""
        repeats = self._repeats[key]
        return not counts or len({turn % repeats for turn in facing.turns}) == 1

    def _same(self, name: str, at: Point) -> _Unnamed | None:
        """What was seen in that place when it looked as it does now."""
        kept = self._unnamed.get(name, [])
        for number, one in enumerate(kept):
            if np.hypot(one.patch.at[0] - at[0], one.patch.at[1] - at[1]) <= _MOVED:
                now = self._again(one.patch)
                if now is not None:
                    kept[number] = _Unnamed(now, one.doubtful)
                    return kept[number]
        return None

    def _keep(self, ground: Ground, piece: Found) -> None:
        """Remember how the card looks; what lay there before lies there no more."""
        outline = ground.card(piece)
        if outline is not None:
            self._named = {key: kept for key, kept in self._named.items() if depth(outline, kept[1].at) < 0}
            width, height = np.ptp(outline, axis=0).tolist()
            self._named[piece.key] = (self._patch(piece.at, self._half(width, height)), piece)

    # -- the flat picture -----------------------------------------------------------------------

    @staticmethod
    def _half(width: float, height: float) -> tuple[int, int]:
        """Half of what is compared of a card of that size, in mm: its rim may lie under another one."""
        return round(width * (0.5 - RIM)), round(height * (0.5 - RIM))

    def _patch_of(self, name: str, at: Point) -> _Patch:
        width, height, _ = self._places[name]
        return self._patch(at, self._half(width, height))

    def _patch(self, at: Point, half: tuple[int, int]) -> _Patch:
        x, y = (round(value) for value in np.subtract(at, self._low))
        size = (2 * half[0] + 1, 2 * half[1] + 1)
        colours = cv2.getRectSubPix(self._flat, size, (float(x), float(y)))
        rows = np.clip(np.arange(y - half[1], y + half[1] + 1), 0, self._size[1] - 1)
        columns = np.clip(np.arange(x - half[0], x + half[0] + 1), 0, self._size[0] - 1)
        return _Patch(at, np.asarray(colours), self._shows[np.ix_(rows, columns)])

    def _again(self, before: _Patch) -> _Patch | None:
        """How that part looks now, if it looks as it did, brightness apart, as far as it is seen."""
        high, wide = before.shows.shape
        now = self._patch(before.at, (wide // 2, high // 2))
        both = now.shows & before.shows
        one, other = now.colours[both], before.colours[both]
        level = _mean(one) if both.any() else np.ones(3, np.float32)
        light = (level + 1) / (_mean(other) + 1) if both.any() else level
        differ = most(np.abs(one - other * light)) > max(_OTHER * float(level.mean()), _NOISE)
        if np.count_nonzero(differ) > _FEW:
            return None
        # Where something stands now it is kept in mind how it looked.
        colours = np.where(now.shows[..., None], now.colours, before.colours * light)
        return _Patch(before.at, colours, now.shows | before.shows)


_BACK = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP


def _mean(colours: Floats) -> Floats:
    """The mean colour of a list of them; numpy goes slowly through what is so long and narrow."""
    return np.array(cv2.mean(colours[:, None])[:3], np.float32)


def _keys(names: Iterable[str], pieces: set[Key]) -> dict[str, Key]:
    """The piece that each known card is: its file says its name, or kind and name with a dot between."""
    return {name: key for name in names for key in _pieces_of(name, pieces)}


def _pieces_of(name: str, pieces: set[Key]) -> Iterator[Key]:
    kind, _, rest = name.partition(".")
    if (kind, rest) in pieces:
        yield (kind, rest)
        return
    alike = [key for key in pieces if key[1] == name]
    if len(alike) == 1:
        yield alike[0]


def _grown(outline: Floats, by: float) -> Floats:
    middle = outline.mean(axis=0)
    away = outline - middle
    return np.asarray(outline + away * by * np.sqrt(2) / np.linalg.norm(away, axis=1, keepdims=True))


def _point(at: Floats) -> Point:
    return (float(at[0]), float(at[1]))


def _near(one: Found, other: Found) -> bool:
    return bool(np.hypot(one.at[0] - other.at[0], one.at[1] - other.at[1]) <= _SAME)
