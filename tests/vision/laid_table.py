"""A table on which cards and engines lie, drawn as a camera sees it: the truth for the reader's tests.

The sheet, the cards and the engines are drawn here, so that what is read does not depend on how
the emulated table draws them. Lengths are mm on the sheet, turns degrees clockwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.emulated.viewpoint import Viewpoint, over
from companion.games.hellrail.track import Track, along, face
from companion.games.layout import Marker, Point, TableMap, Token

DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)

Image = NDArray[np.uint8]
Floats = NDArray[Any]

PIXELS = 3.0  # of the flat drawing to a mm
AROUND = 120.0  # mm of bare table around the sheet
CARD = 60.0
ENGINE = (15.0, 20.0)  # an engine's foot: across and along
ENGINE_HEIGHT = 8.0
ARM_HEIGHT = 25.0
_SHIFT = 48
COLOURS = {"red": (44, 40, 190), "blue": (180, 90, 40), "green": (60, 140, 50), "yellow": (50, 200, 230)}


@dataclass(frozen=True)
class Laid:
    """A card or an engine as it truly lies: its middle and turn. Cards laid later cover those before."""

    kind: str
    name: str
    at: Point
    turn: float = 0.0


Arm = tuple[Point, Point]
"""Where on the table (mm) a shoulder and a hand are."""


@dataclass(frozen=True)
class View:
    """A camera: size of its picture, tilt, and what is wrong with its picture."""

    size: tuple[int, int] = (1280, 720)
    tilt: float = 0.0
    way: float = 90.0
    turn: float = 0.0
    noise: float = 2.5
    blur: float = 0.6
    lamp: float = 1.0


class LaidTable:
    """Draws one map's sheet with what lies on it. `tracks` is what is printed on the Rail Cards."""

    def __init__(self, map: TableMap, tracks: dict[str, Track], view: View, seed: int = 0) -> None:
        self.map = map
        self.view = view
        self.viewpoint: Viewpoint = over(
            map.width, map.height, view.size, tilt=view.tilt, way=view.way, turn=view.turn, margin=0.008
        )
        self._tracks = tracks
        self._chance = np.random.default_rng(seed)
        lines = tuple(place.outline for place in map.places if place.look in ("cell", "pile"))
        self._sheet = _sheet((map.width, map.height), map.corners, map.tray.outline, lines)
        self._noise = _noise(view.size)
        self._lying: tuple[tuple[Laid, ...], Image] = ((), self._sheet)
        self._marks: dict[tuple[str, str], list[Token]] = {}
        for token in map.tokens:
            self._marks.setdefault((token.kind, token.name), []).append(token)

    def draw(self, laid: Sequence[Laid], arms: Sequence[Arm] = ()) -> Image:
        """The picture (BGR) with fresh noise. Arms cover what lies on the table, engines too."""
        return self.film(laid, arms, 1)[0]

    def film(self, laid: Sequence[Laid], arms: Sequence[Arm] = (), frames: int = 8) -> list[Image]:
        """So many pictures of a table at rest, each with its own noise."""
        cards = tuple(piece for piece in laid if piece.kind != "engine")
        # Mostly the same cards lie there as in the film before, or one more.
        before, flat = self._lying
        if cards[: len(before)] != before:
            before, flat = (), self._sheet
        flat = flat.copy()
        for piece in cards[len(before) :]:
            self._lay(flat, piece)
        self._lying = (cards, flat)
        seen = self._photograph(flat, [piece for piece in laid if piece.kind == "engine"])
        for arm in arms:
            self._reach(seen, arm)
        seen = cv2.resize(seen, self.view.size, interpolation=cv2.INTER_AREA).astype(np.float32)
        if self.view.blur:
            seen = cv2.GaussianBlur(seen, (0, 0), self.view.blur)
        seen *= np.linspace(1.08, 0.85, self.view.size[0], dtype=np.float32)[None, :, None] * self.view.lamp
        return [self._noisy(seen) for _ in range(frames)]

    def _noisy(self, seen: Floats) -> Image:
        top, left = self._chance.integers(_SHIFT, size=2)
        high, wide = seen.shape[:2]
        noise = self._noise[top : top + high, left : left + wide] * np.float32(self.view.noise)
        return np.asarray(np.clip(seen + noise, 0, 255), np.uint8)

    def _photograph(self, flat: Image, engines: Sequence[Laid]) -> Any:
        """The flat drawing and the engines on it as this camera sees them, twice as large."""
        wide, high = self.view.size
        twice = np.diag([2.0, 2.0, 1.0])
        twice[:2, 2] = 0.5
        to_mm = np.array([[1 / PIXELS, 0, -AROUND], [0, 1 / PIXELS, -AROUND], [0, 0, 1.0]])
        seen: Any = cv2.warpPerspective(
            flat,
            twice @ self.viewpoint.homography() @ to_mm,
            (wide * 2, high * 2),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        stand = self.viewpoint.place[:2]
        for engine in sorted(engines, key=lambda engine: -float(np.hypot(*(stand - engine.at)))):
            self._stand(seen, twice, engine)
        return seen

    def _reach(self, seen: Image, arm: Arm) -> None:
        """An arm low over the table, from the shoulder to the hand, in the doubled picture."""
        shoulder, hand = (np.array(end, float) for end in arm)
        along = (hand - shoulder) / np.linalg.norm(hand - shoulder)
        side = np.array([-along[1], along[0]])
        for half, end, colour in ((38.0, hand, (92, 70, 60)), (42.0, hand + along * 25, (120, 150, 205))):
            start = shoulder if colour[0] == 92 else hand - along * 60
            near, far = side * half, -side * half
            outline = np.array([start + near, end + near, end + far, start + far])
            put = self.viewpoint.project(outline, ARM_HEIGHT) * 2 + 0.5
            cv2.fillConvexPoly(seen, _fine(put), colour, cv2.LINE_AA, 4)

    def _lay(self, flat: Image, piece: Laid) -> None:
        card = self._card(piece)
        side = len(card)
        c, s = np.cos(np.radians(piece.turn)), np.sin(np.radians(piece.turn))
        scale = PIXELS * CARD / side
        middle = (np.array(piece.at) + AROUND) * PIXELS
        half = (side - 1) / 2
        fit = np.array([[c, -s, 0], [s, c, 0]]) * scale
        fit[:, 2] = middle - fit[:, :2] @ (half, half)
        # Only the part around the card is worked on: it is a small thing on a large sheet.
        reach = round(CARD * PIXELS)
        left, top = (int(value) - reach for value in middle)
        if left < 0 or top < 0 or left + 2 * reach > flat.shape[1] or top + 2 * reach > flat.shape[0]:
            raise ValueError(f"{piece} lies off the drawing.")
        fit[:, 2] -= (left, top)
        patch = flat[top : top + 2 * reach, left : left + 2 * reach]
        cover = cv2.warpAffine(np.full((side, side), 255, np.uint8), fit, (2 * reach, 2 * reach))
        shadow = _thrice(cv2.GaussianBlur(np.roll(cover, (3, 2), (0, 1)), (0, 0), 3))
        paint = cv2.warpAffine(card, fit, (2 * reach, 2 * reach), flags=cv2.INTER_AREA)
        share = _thrice(cover)
        patch[:] = (patch * (1 - 0.35 * shadow) * (1 - share) + paint * share).astype(np.uint8)

    def _card(self, piece: Laid) -> Image:
        track = self._tracks[piece.name] if piece.kind == "rail" else None
        return _card(piece.name, track, tuple(self._marks[piece.kind, piece.name]))

    def _stand(self, seen: Image, larger: Floats, engine: Laid) -> None:
        """An engine: a block with its marker on top, in the doubled picture."""

        def shown(points: Floats, height: float) -> Floats:
            c, s = np.cos(np.radians(engine.turn)), np.sin(np.radians(engine.turn))
            flat = points @ np.array([(c, s), (-s, c)]) + np.array(engine.at)
            put: Floats = self.viewpoint.project(flat, height) @ larger[:2, :2].T + larger[:2, 2]
            return put

        wide, long = ENGINE
        foot = np.array([(-wide, -long), (wide, -long), (wide, long), (-wide, long)]) / 2
        body = np.concatenate([shown(foot, 0), shown(foot, ENGINE_HEIGHT)]).astype(np.float32)
        colour = COLOURS[engine.name]
        dark = tuple(0.6 * value for value in colour)
        shadow = shown(foot + np.array([2.0, 3.0]), 0)
        cv2.fillConvexPoly(seen, _fine(shadow), (40, 44, 46), cv2.LINE_AA, 4)
        cv2.fillConvexPoly(seen, _fine(cv2.convexHull(body)[:, 0]), dark, cv2.LINE_AA, 4)
        cv2.fillConvexPoly(seen, _fine(shown(foot, ENGINE_HEIGHT)), colour, cv2.LINE_AA, 4)
        (token,) = self._marks["engine", engine.name]
        rim = token.side / 2 + 1.2
        label = np.full((200, 200, 3), 244, np.uint8)
        _stamp(label, token.id, (rim, rim), token.side, 100 / rim)
        square = np.array([(-rim, -rim), (rim, -rim), (rim, rim), (-rim, rim)])
        corners = np.array([(0, 0), (200, 0), (200, 200), (0, 200)], np.float32) - np.float32(0.5)
        put = shown(square, ENGINE_HEIGHT).astype(np.float32)
        fit = cv2.getPerspectiveTransform(corners, put)
        size = (seen.shape[1], seen.shape[0])
        left, top = np.maximum(np.floor(put.min(axis=0)).astype(int) - 2, 0)
        right, below = np.minimum(np.ceil(put.max(axis=0)).astype(int) + 3, size)
        fit = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]]) @ fit
        shape = (int(right - left), int(below - top))
        # Made smaller in two steps, as a lens does: no bit of the code is left out.
        finer = np.diag([4.0, 4.0, 1.0])
        finer[:2, 2] = 1.5
        paint = cv2.warpPerspective(label, finer @ fit, (shape[0] * 4, shape[1] * 4), flags=cv2.INTER_LINEAR)
        cover = cv2.warpPerspective(
            np.full((200, 200), 255, np.uint8), finer @ fit, (shape[0] * 4, shape[1] * 4)
        )
        paint = cv2.resize(paint, shape, interpolation=cv2.INTER_AREA)
        share = cv2.resize(cover, shape, interpolation=cv2.INTER_AREA)[..., None] / np.float32(255)
        patch = seen[top:below, left:right]
        patch[:] = np.clip(patch * (1 - share) + paint * share, 0, 255).astype(np.uint8)


@lru_cache(maxsize=4)
def _noise(size: tuple[int, int]) -> Floats:
    """Noise that is a little larger than a picture, to be shifted about."""
    shape = (size[1] + _SHIFT, size[0] + _SHIFT, 3)
    return np.random.default_rng(1).standard_normal(shape, np.float32)


@lru_cache(maxsize=4)
def _sheet(
    size: Point, corners: tuple[Marker, ...], tray: tuple[Point, ...], lines: tuple[tuple[Point, ...], ...]
) -> Image:
    """The bare sheet, flat: a grid of cells, the piles, the tray and the corner markers on dull paper."""
    chance = np.random.default_rng(2)
    shape = (round((size[1] + 2 * AROUND) * PIXELS), round((size[0] + 2 * AROUND) * PIXELS))
    rough: Any = cv2.resize(chance.normal(0, 9, (shape[0] // 24, shape[1] // 24)), shape[::-1])
    flat: Any = np.array((86, 120, 158)) + rough[..., None]
    shift = np.array([AROUND, AROUND])

    def polygon(outline: Sequence[Point] | Floats) -> NDArray[np.int32]:
        return _fine((np.asarray(outline, float) + shift) * PIXELS - 0.5)

    edge = np.array([(0, 0), (size[0], 0), size, (0, size[1])])
    cv2.fillConvexPoly(flat, polygon(edge), (120, 132, 138), cv2.LINE_AA, 4)
    cv2.fillConvexPoly(flat, polygon(tray), (80, 104, 60), cv2.LINE_AA, 4)
    for outline in lines:
        cv2.polylines(flat, [polygon(outline)], True, (84, 92, 98), 3, cv2.LINE_AA, 4)
    drawn: Image = np.clip(flat + chance.normal(0, 3, (*shape, 1)), 0, 255).astype(np.uint8)
    for marker in corners:
        rim = marker.side / 2 + 5
        box = np.array([(-rim, -rim), (rim, -rim), (rim, rim), (-rim, rim)]) + marker.at
        cv2.fillConvexPoly(drawn, polygon(box), (238, 240, 240), cv2.LINE_AA, 4)
        _stamp(drawn, marker.id, (marker.at[0] + AROUND, marker.at[1] + AROUND), marker.side, PIXELS)
    return drawn


@lru_cache(maxsize=128)
def _card(name: str, track: Track | None, marks: tuple[Token, ...]) -> Image:
    """A card with its markers, 8 pixels to the mm: a Rail Card with that track, or a Circle."""
    drawn = _circle_card(name) if track is None else _rail_card(track)
    for token in marks:
        _stamp(drawn, token.id, (token.at[0] + CARD / 2, token.at[1] + CARD / 2), token.side, 8.0)
    return drawn


def _rail_card(track: Track) -> Image:
    """A Rail Card, 8 pixels to the mm: beige, with rails and black ties."""
    side = round(CARD * 8)
    card = np.full((side, side, 3), (206, 226, 232), np.uint8)
    segments = face(track, 0).segments
    for segment, ties in segments.items():
        for part in (np.arange(ties) + 0.5) / ties:
            x, y, heading = along(segment, float(part))
            across = np.array([np.cos(np.radians(heading)), np.sin(np.radians(heading))]) * 6 * 8
            ends = np.array([(x, y), (x, y)]) * side + np.array([across, -across])
            (a, b), (c, d) = np.round(ends).astype(int).tolist()
            cv2.line(card, (a, b), (c, d), (24, 26, 30), 20, cv2.LINE_AA)
    for segment in segments:
        points = np.array([along(segment, float(part)) for part in np.linspace(0, 1, 25)])
        for shift in (-3.5, 3.5):
            sides = np.column_stack([np.cos(np.radians(points[:, 2])), np.sin(np.radians(points[:, 2]))])
            rail = points[:, :2] * side + sides * shift * 8
            cv2.polylines(card, [np.round(rail).astype(np.int32)], False, (60, 66, 90), 9, cv2.LINE_AA)
    cv2.rectangle(card, (0, 0), (side - 1, side - 1), (150, 170, 180), 6)
    return card


def _circle_card(name: str) -> Image:
    side = round(CARD * 8)
    card = np.full((side, side, 3), (170, 180, 214), np.uint8)
    cv2.circle(card, (side // 2, side // 2), 14 * 8, (50, 50, 120), -1, cv2.LINE_AA)
    cv2.putText(
        card, name, (side // 2 - 36, side // 2 + 36), cv2.FONT_HERSHEY_DUPLEX, 3.6, (220, 230, 235), 6
    )
    cv2.rectangle(card, (0, 0), (side - 1, side - 1), (110, 120, 160), 6)
    return card


def _stamp(picture: Image, id: int, at: Point, side: float, pixels: float) -> None:
    """A marker with a white rim around it, upright, its middle at that point (mm)."""
    black = round(side * pixels)
    left, top = (round(value * pixels - black / 2) for value in at)
    rim = round(side / 7 * pixels)
    picture[max(top - rim, 0) : top + black + rim, max(left - rim, 0) : left + black + rim] = 244
    code = cv2.aruco.generateImageMarker(DICTIONARY, id, black)
    picture[top : top + black, left : left + black] = (20 + code * (220 / 255))[..., None].astype(np.uint8)


def _thrice(cover: Any) -> Floats:
    """Such a part (0 to 1) of each of three colours: numpy is slow to repeat one value for all three."""
    return np.asarray(cv2.merge([cover / np.float32(255)] * 3))


def _fine(points: Any) -> NDArray[np.int32]:
    return np.round(np.asarray(points, float) * 16).astype(np.int32)
