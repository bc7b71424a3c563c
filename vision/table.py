"""Reads a whole table: frames in, a Reading out each time that it has come to rest and is new.

While something moves nothing is read. Once the picture rests, the sheet is placed by its corner
markers, pieces by the markers on top of them, dice in the tray by the dice reader; what an arm
covers is called a hole. A piece that was there and is missing is looked for in a few more frames
before it is given up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Dice, Die, Piece, Point, Reading, Sight, TableMap, Token
from vision.coverage import Coverage
from vision.dice import read_dice
from vision.markers import find_markers
from vision.pose import Pose, Registration
from vision.settling import MotionGate, RollTracker
from vision.source import Frame

Image = NDArray[np.uint8]
Floats = NDArray[Any]

TOKEN_HEIGHT = 12.0
"""Height in mm of a piece's marker above the sheet."""

LOOKS = 4
"""Frames of one rest that are read when the first ones do not show everything, or do not agree."""

PICTURE_BYTES = 40_000
"""The most that the picture of the dice may take."""

_SURE_INSIDE = 5.0  # mm from a place's border at which a piece is surely in it
_HIDES = 1.2  # how far around itself a piece may hide the sheet, in sides of its marker
_SHADOW = 8.0  # mm that its shadow adds
_TRAY_EDGE = 4.0  # mm of the tray's rim that are shown to the dice reader
_PICTURE_SIDE = 640
_CHANGE = 20.0  # of 255: more than noise, less than a pip
_SAME_PLACE = 0.25  # of a die's side
_SAME_TURN = 10.0  # degrees
_FEW = 2  # pixels of the half-size tray that may differ so much by chance


@dataclass(frozen=True)
class _Look:
    """What one frame of a rest showed. `missing` are pieces that were there before and are not seen."""

    pieces: tuple[Sight, ...]
    holes: tuple[str, ...]
    dice: Dice | None
    picture: bytes
    missing: frozenset[str]


class TableReader:
    """Follows one table through the frames of one camera. One thread at a time.

    Without a map, and with a map as long as no corner of its sheet was ever seen, the whole
    picture is the tray and every place is a hole. `rolls` counts throws on from an earlier reader.
    """

    def __init__(
        self, map: TableMap | None, *, rolls: RollTracker | None = None, token_height: float = TOKEN_HEIGHT
    ) -> None:
        self._map = map
        self._height = token_height
        self._tokens = {token.id: token for token in map.tokens} if map else {}
        self._outlines = [
            (place.name, np.array(place.outline, np.float32)) for place in (map.places if map else ())
        ]
        self._registration = Registration(map) if map else None
        self._coverage = Coverage(map) if map else None
        self._gate = MotionGate()
        self._rolls = rolls or RollTracker()
        self._last_place: dict[int, str] = {}
        self._looks: list[_Look] = []
        self._read = False
        self._told: object = None
        self._lying: Dice | None = None
        # How the tray looked when it was last read, and what was read; how it looks now.
        self._tray_read: tuple[Floats | None, Dice | None] = (None, None)
        self._tray_look: Floats | None = None

    def see(self, frame: Frame) -> Reading | None:
        """The table's Reading, when this frame settles one that differs from the last; else None.

        `frame` is BGR, uint8, of any size; its time is in monotonic seconds and must not go back.
        """
        if not self._gate.still(frame.time, frame.image):
            self._looks, self._read = [], False
            return None
        if self._read:
            return None
        self._looks.append(self._look(frame))
        settled = self._agreed() and not self._looks[-1].missing
        if not settled and len(self._looks) < LOOKS:
            return None
        self._read = True
        look = _best(self._looks)
        if look.dice is not None and not self._agreed():
            look = replace(look, dice=Dice(look.dice.dice, sure=False))
        return self._tell(frame.time, look)

    def _agreed(self) -> bool:
        """Whether the dice are those read at an earlier rest, or two looks at them say the same."""
        dice = self._looks[-1].dice
        if dice is None or dice is self._tray_read[1]:
            return True
        return dice.sure and len(self._looks) > 1 and _alike(dice, self._looks[-2].dice)

    def _tell(self, time: float, look: _Look) -> Reading | None:
        if look.dice is not None:
            if self._lying is not None and _lie_alike(look.dice, self._lying):
                # A lying die is read once, however long it lies and whatever shadow falls on it.
                look = replace(look, dice=self._lying)
            else:
                self._rolls.see(time, look.dice)
                self._lying = look.dice
            self._tray_read = (self._tray_look, look.dice)
        throw = self._rolls.throw
        for sight in look.pieces:
            self._remember(sight)
        seen = tuple((sight.piece, round(sight.confidence, 1)) for sight in look.pieces)
        dice = (look.dice.values, look.dice.sure) if look.dice else None
        news = (seen, look.holes, dice, throw)
        if news == self._told:
            return None
        self._told = news
        return Reading(time, look.pieces, look.holes, look.dice, throw, look.picture)

    def _remember(self, sight: Sight) -> None:
        for token in self._tokens.values():
            if (token.kind, token.name) == (sight.piece.kind, sight.piece.name):
                self._last_place[token.id] = sight.piece.place

    # -- one frame ----------------------------------------------------------------------------

    def _look(self, frame: Frame) -> _Look:
        image = frame.image
        if self._map is None or self._registration is None or self._coverage is None:
            return self._tray_alone(image)
        size = (image.shape[1], image.shape[0])
        markers = self._markers(image)
        pose = self._registration.find(
            {id: corners for id, corners in markers if id not in self._tokens}, size
        )
        every = tuple(name for name, _ in self._outlines)
        if pose is None:
            if not self._registration.seen:
                return self._tray_alone(image)
            return _Look((), every, None, b"", frozenset())
        found: dict[int, list[Floats]] = {}
        for id, corners in markers:
            if id in self._tokens:
                found.setdefault(id, []).append(corners)
        pieces = tuple(
            self._sight(self._tokens[id], corners[0], pose, alone=len(corners) == 1)
            for id, corners in sorted(found.items())
        )
        hidden = [
            (sight.at, self._tokens[id].side * _HIDES + _SHADOW)
            for id, sight in zip(sorted(found), pieces, strict=True)
        ]
        holes, reaching = self._coverage.look(frame.time, image, pose, hidden)
        gone = {id: place for id, place in self._last_place.items() if id not in found}
        missing = frozenset(self._tokens[id].name for id in gone)
        covered = (holes | set(gone.values())) & set(every)
        dice, picture = (None, b"") if reaching else self._tray(image, pose)
        return _Look(pieces, tuple(sorted(covered)), dice, picture, missing)

    def _markers(self, image: Image) -> list[tuple[int, Floats]]:
        """A quick look, and a thorough one when it does not show every marker that was there before."""
        assert self._map is not None
        found: list[tuple[int, Floats]] = list(find_markers(image, quick=True))
        wanted = {marker.id for marker in self._map.corners} | set(self._last_place)
        if wanted <= {id for id, _ in found}:
            return found
        return list(find_markers(image))

    def _sight(self, token: Token, corners: Floats, pose: Pose, alone: bool) -> Sight:
        """Where a piece stands: the place in which its middle lies, less sure the nearer to a border."""
        x, y = pose.table(_crossing(corners)[None], self._height)[0]
        inside = [
            (cv2.pointPolygonTest(outline, (float(x), float(y)), True), name)
            for name, outline in self._outlines
        ]
        depth, place = max(inside, default=(-np.inf, ""))
        confidence = 0.5 + 0.5 * min(abs(depth) / _SURE_INSIDE, 1.0)
        if depth < 0:
            place = ""
        # The same marker twice: one of them is no piece of this game.
        confidence = confidence if alone else min(confidence, 0.5)
        return Sight(Piece(token.kind, token.name, place), (float(x), float(y)), float(confidence))

    def _tray(self, image: Image, pose: Pose) -> tuple[Dice, bytes]:
        assert self._map is not None
        outline = np.array(self._map.tray.outline)
        middle = outline.mean(axis=0)
        corners = pose.picture(outline + np.sign(outline - middle) * _TRAY_EDGE)
        left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
        right, below = np.ceil(corners.max(axis=0)).astype(int)
        crop = image[top:below, left:right]
        self._tray_look = np.asarray(
            cv2.resize(crop, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32
        )
        before, read = self._tray_read
        if before is not None and read is not None and _unchanged(before, self._tray_look):
            return read, _jpeg(crop)
        return _shifted(read_dice(crop), float(left), float(top)), _jpeg(crop)

    def _tray_alone(self, image: Image) -> _Look:
        dice = _shifted(read_dice(image), 0.0, 0.0)
        holes = tuple(sorted(name for name, _ in self._outlines))
        return _Look((), holes, dice, _jpeg(_around(image, dice.dice)), frozenset())


def _best(looks: list[_Look]) -> _Look:
    """What the looks of one rest say together: each piece as it was seen best, the dice if they agree."""
    last = looks[-1]
    if not last.missing:
        return last
    best: dict[tuple[str, str], Sight] = {}
    for sight in (sight for look in looks for sight in look.pieces):
        key = (sight.piece.kind, sight.piece.name)
        if key not in best or sight.confidence > best[key].confidence:
            best[key] = sight
    missing = frozenset.intersection(*(look.missing for look in looks))
    fewest = min(looks, key=lambda look: len(look.missing))
    return _Look(tuple(best[key] for key in sorted(best)), fewest.holes, last.dice, last.picture, missing)


def _alike(dice: Dice, other: Dice | None) -> bool:
    """Whether two readings of dice at rest say the same."""
    return other is not None and other.sure and sorted(dice.values, key=str) == sorted(other.values, key=str)


def _lie_alike(dice: Dice, before: Dice) -> bool:
    """Whether each die lies where one lay before, turned as that one was, whatever it seems to show."""
    if len(dice.dice) != len(before.dice):
        return False
    return all(any(_lies_as(die, other) for other in before.dice) for die in dice.dice)


def _lies_as(die: Die, other: Die) -> bool:
    now, then = np.array(die.corners), np.array(other.corners)
    side = float(np.linalg.norm(then[1] - then[0]))
    if np.hypot(*(now.mean(axis=0) - then.mean(axis=0))) > _SAME_PLACE * side:
        return False
    ways = [np.arctan2(*(corners[1] - corners[0])[::-1]) for corners in (now, then)]
    turn = np.degrees(ways[1] - ways[0]) % 90
    return bool(min(turn, 90 - turn) <= _SAME_TURN)


def _unchanged(before: Floats, now: Floats) -> bool:
    """Whether the tray looks as it did, whatever its light."""
    if before.shape != now.shape:
        return False
    gain = (now.mean(axis=(0, 1)) + 1) / (before.mean(axis=(0, 1)) + 1)
    return int((np.abs(now - before * gain).max(axis=2) > _CHANGE).sum()) <= _FEW


def _crossing(corners: Floats) -> Floats:
    """Where the diagonals of a marker cross: its middle, seen from a slant too."""
    a, b, c, d = (np.append(corner, 1.0) for corner in corners)
    cross = np.cross(np.cross(a, c), np.cross(b, d))
    middle: Floats = cross[:2] / cross[2]
    return middle


def _shifted(dice: Dice, left: float, top: float) -> Dice:
    def moved(die: Die) -> Die:
        a, b, c, d = ((x + left, y + top) for x, y in die.corners)
        return Die(die.value, (a, b, c, d), die.confidence, die.faces)

    return Dice(tuple(moved(die) for die in dice.dice), dice.sure)


def _around(image: Image, dice: Iterable[Die]) -> Image:
    """The part of the picture in which the dice lie, with some of what is around them."""
    corners: list[Point] = [corner for die in dice for corner in die.corners]
    if not corners:
        return image
    points = np.array(corners)
    reach = float(np.ptp(points, axis=0).max()) * 0.5 + 40
    left, top = np.maximum(points.min(axis=0) - reach, 0).astype(int)
    right, below = np.ceil(points.max(axis=0) + reach).astype(int)
    return image[top:below, left:right]


def _jpeg(image: Image) -> bytes:
    """At most PICTURE_BYTES of JPEG, smaller and coarser until it fits; nothing of an empty picture."""
    if not image.size:
        return b""
    shrink = min(1.0, _PICTURE_SIDE / max(image.shape[:2]))
    while True:
        small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        for quality in (85, 70, 50):
            done, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])
            if not done:
                raise ValueError(f"A picture of {small.shape} cannot be written as JPEG.")
            if len(data) <= PICTURE_BYTES:
                return bytes(data)
        shrink *= 0.7
