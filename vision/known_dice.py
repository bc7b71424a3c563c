"""The faces of an owner's poker dice, learned from photographs: one die alone in each, named by its face."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from vision.dice import Image, look, together
from vision.dice_faces import rectify
from vision.known_cards import Fault, NoCards, picture_files, read_picture
from vision.poker_faces import PATCH, WIDE, PokerFaces

FACES = ("9", "10", "J", "Q", "K", "A")
"""What the faces of poker dice are called."""

_PIXELS = 80  # along a face that is kept
_AFAR = 24  # pixels along a face as a camera over the table sees it
_SQUARE = 1.3  # times longer than wide: a picture that is no longer may show a face and nothing else
_LONG = 960  # pixels of a photograph's longer side in which a die is looked for
_POSSIBLE = 0.1  # a die lies there, since somebody has photographed it: where is the question
_ALONE = 0.6  # of the largest face: what is smaller lies beside it or is printed on it


class KnownDice:
    """The known faces, and what is wrong with each: made once, then only read.

    `named` are the faces that have a picture that can be used; `faces` is None when there is none.
    """

    def __init__(self, pictures: list[tuple[str, Image]], faults: list[Fault]) -> None:
        self.named = tuple(face for face in FACES if any(name == face for name, _ in pictures))
        self.faces = PokerFaces((name, _middle(picture)) for name, picture in pictures) if pictures else None
        self.faults = (*faults, *self._alike(pictures))

    @property
    def missing(self) -> tuple[str, ...]:
        """The faces of which there is no picture that can be used."""
        return tuple(face for face in FACES if face not in self.named)

    def _alike(self, pictures: list[tuple[str, Image]]) -> list[Fault]:
        """What a camera over the table would take for another face."""
        if self.faces is None or len(self.named) < 2:
            return []
        found: dict[str, str] = {}
        for name, picture in pictures:
            small = cv2.resize(picture, (round(_AFAR * WIDE),) * 2, interpolation=cv2.INTER_AREA)
            patch = cv2.resize(small, (PATCH, PATCH), interpolation=cv2.INTER_LINEAR)
            seen = self.faces.name(np.asarray(patch, np.uint8))
            if seen.name != name or seen.confidence < 0.8:
                found.setdefault(name, seen.next if seen.name == name else seen.name)
        return [
            Fault(
                name,
                f"From the camera over the table it looks almost like {other}.",
                "Take its picture again, sharp and without glare, or people will be asked which it is.",
            )
            for name, other in found.items()
        ]


class EnrolledDice:
    """One folder of photographs, named by their faces ("A.jpg", "A-2.jpg"). One thread at a time.

    `judge` answers with the picture of the one face in a photograph and what is wrong with it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._looked: dict[tuple[Path, int, int], tuple[Image | None, tuple[Fault, ...]]] = {}
        self._known: KnownDice | None = None

    def dice(self) -> KnownDice | None:
        """What is known by now: the same object as long as no file has changed; None without a picture.

        Raises OSError when a file cannot be read.
        """
        try:
            files = picture_files(self._folder)
        except NoCards:
            files = []
        keys = [(file, found.st_mtime_ns, found.st_size) for file in files for found in (file.stat(),)]
        if self._known is None or set(keys) != set(self._looked):
            self._looked = {key: self._looked.get(key) or _look(key[0]) for key in keys}
            pictures = [
                (face_of(file), picture)
                for (file, _, _), (picture, _) in self._looked.items()
                if picture is not None
            ]
            faults = [fault for _, found in self._looked.values() for fault in found]
            self._known = KnownDice(pictures, faults)
        return self._known if files else None


def face_of(file: Path) -> str:
    """The face that a photograph is named by: what stands before a hyphen, in capitals."""
    return file.stem.partition("-")[0].strip().upper()


def _look(file: Path) -> tuple[Image | None, tuple[Fault, ...]]:
    faults: list[Fault] = []
    name = face_of(file)
    if name not in FACES:
        known = ", ".join(FACES)
        words = f"{file.name} names no face of a poker die."
        return None, (Fault(file.stem, words, f"Name it by its face: {known}.", lost=True),)
    picture = read_picture(file, faults)
    cut = None if picture is None else cut_face(picture, name, faults.append)
    return cut, tuple(faults)


def cut_face(picture: Image, name: str, tell: Callable[[Fault], None]) -> Image | None:
    """The one upper face in a photograph (BGR, uint8), WIDE times as wide; None when there is not one."""
    scale = min(1.0, _LONG / max(picture.shape[:2]))
    small = (
        picture if scale == 1 else cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    )
    found = [
        (candidate.corners, face)
        for candidate, labels in look(np.asarray(small, np.uint8))
        for face in (1 - float(together(candidate, labels)[0]),)
        if face > _POSSIBLE
    ]
    pixels = round(_PIXELS * WIDE)
    if found:
        found.sort(key=lambda each: -each[1])
        corners = found[0][0]
        largest = max(cv2.contourArea(each) for each, _ in found) ** 0.5
        others = [
            each
            for each, face in found[1:]
            if face > 0.5
            and cv2.contourArea(each) ** 0.5 > _ALONE * largest
            and cv2.pointPolygonTest(corners, each.mean(axis=0).tolist(), False) < 0
        ]
        if others:
            words = f"{len(others) + 1} upper faces are seen on it."
            tell(Fault(name, words, "Photograph one die alone, from straight above.", lost=True))
            return None
        return rectify(np.asarray(small, np.uint8), corners, WIDE, pixels)
    height, width = picture.shape[:2]
    if max(height, width) > _SQUARE * min(height, width):
        words = "No die is seen on it."
        tell(Fault(name, words, "Photograph one die from straight above, on a plain table.", lost=True))
        return None
    # No die around it: the picture shows the face and nothing else.
    whole = cv2.resize(picture, (_PIXELS, _PIXELS), interpolation=cv2.INTER_AREA)
    rim = (pixels - _PIXELS) // 2
    edge = cv2.copyMakeBorder(whole, rim, rim, rim, rim, cv2.BORDER_REPLICATE)
    return np.asarray(edge, np.uint8)


def _middle(picture: Image) -> Image:
    """The face itself, of a picture that is WIDE times as wide."""
    rim = round(len(picture) * (1 - 1 / WIDE) / 2)
    return picture[rim : len(picture) - rim, rim : len(picture) - rim]
