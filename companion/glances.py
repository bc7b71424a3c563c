"""What one picture of the camera shows, for people to look at: read as the table's own eyes read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.findings import CERTAIN
from companion.games.layout import Face, Reading, Sight, TableMap
from companion.tapping import Shot
from companion.upkeep.camera import Hint, Kind, Mark, Seen
from vision import advice, dice, poker_dice
from vision.dice_slant import Level
from vision.landmarks import SIDE
from vision.markers import find_markers
from vision.own_faces import OwnFaces
from vision.poker_faces import PokerFaces
from vision.pose import Pose, Registration
from vision.sheet import level_of, tray_box
from vision.tapped import Standing, Tapped, bounded
from vision.tray import enlarged
from vision.tray_pixels import Box

Image = NDArray[np.uint8]
Floats = NDArray[Any]
Values = tuple[Face, ...]

LONGEST = SIDE
"""Pixels along the longer side of the picture that phones get."""

_FEW = 12  # pieces that have room for their names in the picture
_ROOM = 0.12  # of the sheet's width that a name takes: where pieces stand closer, its first letter has to do
_NAMED = 4  # places or pieces that are told by name


class _Tray(msgspec.Struct, frozen=True):
    """What may be dice: corners in the whole picture, what each is taken for, which are in doubt, and why.

    What is not taken for a die, and may be one, has the value "".
    """

    corners: tuple[Floats, ...] = ()
    values: tuple[str, ...] = ()
    doubted: tuple[bool, ...] = ()
    why: tuple[str, ...] = ()

    @property
    def dice(self) -> list[Floats]:
        """The corners of those that are taken for dice."""
        return [corners for corners, value in zip(self.corners, self.values, strict=True) if value]


class Glances:
    """Looks at single pictures of one table. It remembers where the sheet lay. One thread at a time."""

    def __init__(self) -> None:
        self._map: TableMap | None = None
        self._tapped: Tapped | None = None
        self._registration: Registration | None = None

    def see(
        self,
        name: str,
        image: Image,
        map: TableMap,
        reading: Reading | None,
        faces: PokerFaces | None,
        tapped: Tapped | None = None,
        own: OwnFaces | None = None,
    ) -> tuple[Seen, Shot]:
        """What that picture (BGR, uint8, HxWx3) shows, and the picture under that name as phones get it.

        `map` is where everything lies on the table's sheet; `reading` what the table's eyes told last of the
        running game; `faces` those of poker dice, None where dice have pips; `tapped` are corners that
        people have tapped, `own` kept faces of dice with pips.
        """
        size = (image.shape[1], image.shape[0])
        markers = dict(find_markers(image))
        registration = self._following(map, tapped)
        seen_before = registration.seen
        pose = registration.find(markers, size) or registration.by_taps(markers, image)
        standing = registration.standing
        box: Box | None = (0, 0, *size)
        read_in = image
        if registration.seen:
            box = None if pose is None else tray_box(map, pose, size)
        elif tapped is not None and tapped.bounds == "tray":
            standing = tapped.stands(image)
            box = tapped.box if standing == "fits" else None
            read_in = image if box is None else bounded(image, tapped.corners)
        bounds = tapped.corners if tapped is not None and box is not None and read_in is not image else ()
        level = level_of(pose) if registration.seen and pose is not None else None
        tray = _Tray() if box is None else _read(read_in, box, level, faces, own)
        sights = reading.pieces if reading is not None and pose is not None else ()
        holes = reading.holes if reading is not None else ()
        shrink = min(1.0, LONGEST / max(size))
        astray = advice.of_taps(standing)
        found = [
            *advice.of_light(image, tray.dice),
            *advice.of_focus(image, tray.dice),
            *advice.of_dice(tray.dice),
            *(astray or advice.of_sheet(map, markers, pose, size, seen_before)),
        ]
        marks = [*_sheet_marks(map, markers, pose), *_piece_marks(map, pose, sights), *_dice_marks(tray)]
        if bounds:
            marks.insert(0, ("tray", np.array(bounds), ""))
        anywhere = box == (0, 0, *size)
        told = [
            _sheet_told(map, markers, pose, seen_before, standing, anywhere),
            *_pieces_told(map, sights, holes),
        ]
        if box is None:
            told.append("The tray is not in sight, so no dice are read.")
        else:
            told.append(_dice_told(tray, pose is not None or bool(bounds)))
        if bounds:
            told.append("Only dice inside the frame that was tapped count.")
        if tapped is not None and tapped.bounds == "sheet" and not tapped.of_sheet(map.width, map.height):
            told.append("The corners that were tapped are those of another game's sheet.")
        shown = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        done, jpeg = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, 75])
        if not done:
            raise ValueError(f"A picture of {shown.shape} cannot be written as JPEG.")
        high, wide = shown.shape[:2]
        smaller = {id: np.asarray(corners, float) * shrink for id, corners in markers.items()}
        return (
            Seen(
                name,
                wide,
                high,
                tuple(_mark(kind, corners * shrink, label) for kind, corners, label in marks),
                tuple(told),
                tray.why,
                tuple(Hint(each.words, each.cure) for each in found),
                bool(astray) or _waits(map, markers, pose, seen_before, sights),
            ),
            Shot(jpeg.tobytes(), (wide, high), size, smaller),
        )

    def _following(self, map: TableMap, tapped: Tapped | None) -> Registration:
        """What follows the sheet of that map; it begins anew with another sheet, and with other corners."""
        same = self._map is not None and self._map.corners == map.corners and self._tapped is tapped
        if self._registration is None or not same:
            self._registration = Registration(map, tapped)
        self._map, self._tapped = map, tapped
        return self._registration


# -- dice -----------------------------------------------------------------------------------------


def _read(
    image: Image, box: Box, level: Level | None, faces: PokerFaces | None, own: OwnFaces | None
) -> _Tray:
    """What lies in that part of the picture, with the reader's doubts, which name each die by a letter."""
    left, top, right, below = box
    picture, zoom = enlarged(image[top:below, left:right])
    if not dice.check(picture):
        return _Tray()
    found: list[tuple[Floats, Values]]
    if faces is None:
        by_pips = dice.judge(picture, level=level and level.part(left, top, zoom))
        by_pips = by_pips if own is None else own.heard(picture, by_pips)
        why = dice.doubts(by_pips, picture.shape[:2])
        found = [(each.corners, dice.decide([each], picture.shape[:2]).values) for each in by_pips]
    else:
        by_faces = poker_dice.judge(picture, faces)
        why = poker_dice.doubts(by_faces, picture.shape[:2])
        found = [(each.corners, poker_dice.decide([each], picture.shape[:2]).values) for each in by_faces]
    doubted = {doubt.which for doubt in why}
    shown = [which for which, (_, value) in enumerate(found) if value or which in doubted]
    letters = {which: _letter(number) for number, which in enumerate(shown)}
    return _Tray(
        tuple((found[which][0] + 0.5) / zoom - 0.5 + (left, top) for which in shown),
        tuple("".join(str(value) for value in found[which][1]) for which in shown),
        tuple(which in doubted for which in shown),
        tuple(doubt.told("" if doubt.which is None else letters[doubt.which]) for doubt in why),
    )


def _letter(number: int) -> str:
    """A, B … Z, then A2, B2 …"""
    again, letter = divmod(number, 26)
    return f"{chr(ord('A') + letter)}{again + 1 if again else ''}"


def _dice_marks(tray: _Tray) -> list[tuple[Kind, Floats, str]]:
    marks: list[tuple[Kind, Floats, str]] = []
    for number, (corners, value, doubted) in enumerate(
        zip(tray.corners, tray.values, tray.doubted, strict=True)
    ):
        if doubted:
            marks.append(("doubt", corners, f"{_letter(number)}: {value or '?'}"))
        else:
            marks.append(("die", corners, value))
    return marks


def _dice_told(tray: _Tray, in_tray: bool) -> str:
    values = sorted(value for value in tray.values if value)
    if not values:
        return "No dice are seen in the tray." if in_tray else "No dice are seen."
    one = "One die is seen" if len(values) == 1 else f"{len(values)} dice are seen"
    return f"{one}: {', '.join(values)}. {'Not surely.' if tray.why else 'That is sure.'}"


# -- sheet and pieces -----------------------------------------------------------------------------


def _sheet_marks(
    map: TableMap, markers: Mapping[int, Floats], pose: Pose | None
) -> list[tuple[Kind, Floats, str]]:
    marks: list[tuple[Kind, Floats, str]] = [
        ("marker", np.asarray(corners, float), "") for corners in markers.values()
    ]
    if pose is not None:
        sheet = [(0.0, 0.0), (map.width, 0.0), (map.width, map.height), (0.0, map.height)]
        marks = [("sheet", pose.picture(sheet), ""), ("tray", pose.picture(map.tray.outline), ""), *marks]
    return marks


def _sheet_told(
    map: TableMap,
    markers: Mapping[int, Floats],
    pose: Pose | None,
    seen_before: bool,
    standing: Standing | None,
    anywhere: bool,
) -> str:
    seen = sum(corner.id in markers for corner in map.corners)
    if pose is not None and standing == "fits":
        return "The sheet lies where its corners were tapped."
    if pose is not None:
        return f"The sheet is found: {seen} of its {len(map.corners)} corners are seen."
    if seen or seen_before:
        return "The sheet is not found now."
    where = " Dice are read wherever they lie in the picture." if anywhere else ""
    return f"No printed sheet is seen.{where}"


def _piece_marks(map: TableMap, pose: Pose | None, sights: Sequence[Sight]) -> list[tuple[Kind, Floats, str]]:
    if pose is None:
        return []
    sides = {(token.kind, token.name): token.side for token in map.tokens}
    middles = np.array([sight.at for sight in sights]).reshape(-1, 2)
    marks: list[tuple[Kind, Floats, str]] = []
    for sight in sights:
        half = sides.get((sight.piece.kind, sight.piece.name), 10.0) / 2
        square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) + sight.at
        label = "" if len(sights) > _FEW else sight.piece.name.replace("_", " ")
        if label and int((np.linalg.norm(middles - sight.at, axis=1) < _ROOM * map.width).sum()) > 1:
            label = label[:1].upper()
        marks.append(("piece", pose.picture(square), label))
    return marks


def _pieces_told(map: TableMap, sights: Sequence[Sight], holes: Sequence[str]) -> list[str]:
    told: list[str] = []
    if sights:
        told.append(f"{len(sights)} {'piece is' if len(sights) == 1 else 'pieces are'} seen on the sheet.")
    places = {place.name: place.words or place.name for place in map.places}
    unsure = [
        f"{_name(map, sight)} on {places.get(sight.piece.place, 'no place')}"
        for sight in sights
        if sight.confidence < CERTAIN
    ]
    if unsure:
        told.append(f"Not sure yet: {_some(unsure)}.")
    hidden = [places[name] for name in holes if name in places]
    if hidden and len(hidden) < len(places):
        told.append(f"Out of sight: {_some(hidden)}.")
    return told


def _waits(
    map: TableMap,
    markers: Mapping[int, Floats],
    pose: Pose | None,
    seen_before: bool,
    sights: Sequence[Sight],
) -> bool:
    """Whether the sheet is there and not found, or a piece on it is not read surely: nobody is asked yet."""
    if pose is None:
        return seen_before or any(corner.id in markers for corner in map.corners)
    return any(sight.confidence < CERTAIN for sight in sights)


def _name(map: TableMap, sight: Sight) -> str:
    words = next(
        (
            token.words
            for token in map.tokens
            if (token.kind, token.name) == (sight.piece.kind, sight.piece.name)
        ),
        "",
    )
    return words or f"{sight.piece.kind} {sight.piece.name}".replace("_", " ")


def _some(words: Sequence[str]) -> str:
    more = len(words) - _NAMED
    return ", ".join(words[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _mark(kind: Kind, corners: Floats, label: str) -> Mark:
    return Mark(kind, tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners), label)
