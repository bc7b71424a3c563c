"""Reads a whole table: frames in, a Reading out each time that it has come to rest and is new.

While something moves nothing is read. Once the picture rests, the sheet is placed by its corner
markers, pieces by the markers on top of them, dice in the tray by the dice reader; what an arm
covers is called a hole. A piece that was there and is missing is looked for in a few more frames
before it is given up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Piece, Reading, Sight, TableMap, Token
from vision.coverage import Coverage
from vision.markers import find_markers
from vision.pose import Pose, Registration
from vision.settling import MotionGate, RollTracker
from vision.source import Frame
from vision.tray import Box, Tray, picture

Image = NDArray[np.uint8]
Floats = NDArray[Any]

TOKEN_HEIGHT = 12.0
"""Height in mm of a piece's marker above the sheet."""

LOOKS = 4
"""Frames of one rest that are read when the first ones do not show everything, or do not agree."""

_SURE_INSIDE = 5.0  # mm from a place's border at which a piece is surely in it
_HIDES = 1.2  # how far around itself a piece may hide the sheet, in sides of its marker
_SHADOW = 8.0  # mm that its shadow adds
_TRAY_EDGE = 4.0  # mm of the tray's rim that are shown to the dice reader


@dataclass(frozen=True)
class _Sheet:
    """What one frame of a rest showed of the sheet; `tray` is where to look for dice.

    `missing` are tokens that should be there and were not seen.
    """

    pieces: tuple[Sight, ...]
    holes: frozenset[str]
    tray: Box | None
    missing: frozenset[int] = frozenset()


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
        places = map.places if map else ()
        self._tokens = {token.id: token for token in map.tokens} if map else {}
        self._outlines = [(place.name, np.array(place.outline, np.float32)) for place in places]
        self._every = frozenset(place.name for place in places)
        self._registration = Registration(map) if map else None
        self._coverage = Coverage(map) if map else None
        self._gate = MotionGate()
        self._tray = Tray(rolls or RollTracker())
        self._last_place: dict[int, str] = {}
        self._sheets: list[_Sheet] = []
        self._looks = 0
        self._told: object = None

    def see(self, frame: Frame) -> Reading | None:
        """The table's Reading, when this frame settles one that differs from the last; else None.

        `frame` is BGR, uint8, of any size; its time is in monotonic seconds and must not go back.
        """
        if not self._gate.still(frame.time, frame.image):
            self._sheets, self._looks = [], 0
            self._tray.stir()
            return None
        if self._looks >= LOOKS:
            return None
        self._looks += 1
        if not self._sheets or self._sheets[-1].missing:
            self._sheets.append(self._look(frame))
        sheet = self._sheets[-1]
        settled = sheet.tray is None or self._tray.look(frame.image, sheet.tray)
        if self._looks < LOOKS and (sheet.missing or not settled):
            return None
        self._looks = LOOKS
        return self._tell(frame, _together(self._sheets))

    def _tell(self, frame: Frame, sheet: _Sheet) -> Reading | None:
        dice = self._tray.settle(frame.time) if sheet.tray is not None else None
        ids = {(token.kind, token.name): token.id for token in self._tokens.values()}
        for sight in sheet.pieces:
            self._last_place[ids[sight.piece.kind, sight.piece.name]] = sight.piece.place
        # A piece that is nowhere to be seen may stand where it stood, under whatever hides it.
        lost = {place for id, place in self._last_place.items() if id in sheet.missing}
        holes = tuple(sorted(sheet.holes | (lost & self._every)))
        seen = tuple((sight.piece, round(sight.confidence, 1)) for sight in sheet.pieces)
        news = (seen, holes, (dice.values, dice.sure) if dice else None, self._tray.throw)
        if news == self._told:
            return None
        self._told = news
        shown = picture(frame.image, sheet.tray, dice) if sheet.tray is not None else b""
        return Reading(frame.time, sheet.pieces, holes, dice, self._tray.throw, shown)

    # -- one frame ----------------------------------------------------------------------------

    def _look(self, frame: Frame) -> _Sheet:
        image = frame.image
        size = (image.shape[1], image.shape[0])
        if self._registration is None or self._coverage is None:
            return _Sheet((), self._every, (0, 0, *size))
        markers = self._markers(image)
        corners = {id: quad for id, quad in markers if id not in self._tokens}
        pose = self._registration.find(corners, size)
        if pose is None:
            return _Sheet((), self._every, None if self._registration.seen else (0, 0, *size))
        found: dict[int, list[Floats]] = {}
        for id, quad in markers:
            if id in self._tokens:
                found.setdefault(id, []).append(quad)
        sights = {id: self._sight(self._tokens[id], quads, pose) for id, quads in sorted(found.items())}
        hidden = [(sight.at, self._tokens[id].side * _HIDES + _SHADOW) for id, sight in sights.items()]
        holes, reaching = self._coverage.look(frame.time, image, pose, hidden)
        tray = None if reaching else self._tray_box(pose, size)
        return _Sheet(tuple(sights.values()), holes, tray, frozenset(self._expected() - set(found)))

    def _expected(self) -> set[int]:
        """Tokens that are looked for twice: all of them at first, later those that were seen."""
        return set(self._last_place) or set(self._tokens)

    def _markers(self, image: Image) -> list[tuple[int, Floats]]:
        """A quick look, and a thorough one when it does not show every marker that should be there."""
        found: list[tuple[int, Floats]] = list(find_markers(image, quick=True))
        corners = {marker.id for marker in self._map.corners} if self._map else set()
        if corners | self._expected() <= {id for id, _ in found}:
            return found
        return list(find_markers(image))

    def _sight(self, token: Token, quads: list[Floats], pose: Pose) -> Sight:
        """Where a piece stands: the place in which its middle lies, less sure the nearer to a border."""
        x, y = pose.table(_crossing(quads[0])[None], self._height)[0]
        at = (float(x), float(y))
        depths = [(cv2.pointPolygonTest(outline, at, True), name) for name, outline in self._outlines]
        depth, place = max(depths, default=(-np.inf, ""))
        confidence = 0.5 + 0.5 * min(abs(depth) / _SURE_INSIDE, 1.0)
        if len(quads) > 1:
            # The same marker twice: one of them is no piece of this game.
            confidence = 0.5
        return Sight(Piece(token.kind, token.name, place if depth >= 0 else ""), at, float(confidence))

    def _tray_box(self, pose: Pose, size: tuple[int, int]) -> Box | None:
        if self._map is None:
            return None
        outline = np.array(self._map.tray.outline)
        corners = pose.picture(outline + np.sign(outline - outline.mean(axis=0)) * _TRAY_EDGE)
        left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
        right, below = np.minimum(np.ceil(corners.max(axis=0)).astype(int), size)
        # Of a tray outside the picture nothing can be seen.
        return (int(left), int(top), int(right), int(below)) if left < right and top < below else None


def _together(sheets: list[_Sheet]) -> _Sheet:
    """What the looks of one rest say together: each piece as it was seen best, holes by the best look."""
    if len(sheets) == 1:
        return sheets[0]
    best: dict[tuple[str, str], Sight] = {}
    for sight in (sight for sheet in sheets for sight in sheet.pieces):
        key = (sight.piece.kind, sight.piece.name)
        if key not in best or sight.confidence > best[key].confidence:
            best[key] = sight
    missing = frozenset.intersection(*(sheet.missing for sheet in sheets))
    fullest = min(sheets, key=lambda sheet: len(sheet.missing))
    pieces = tuple(best[key] for key in sorted(best))
    return _Sheet(pieces, fullest.holes, sheets[-1].tray, missing)


def _crossing(corners: Floats) -> Floats:
    """Where the diagonals of a marker cross: its middle, seen from a slant too."""
    a, b, c, d = (np.append(corner, 1.0) for corner in corners)
    cross = np.cross(np.cross(a, c), np.cross(b, d))
    middle: Floats = cross[:2] / cross[2]
    return middle
