"""The faces of the cards that were photographed into a folder, learned anew when a photograph comes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.card_faces import CardFaces, Image
from vision.card_outlines import Corners, sides
from vision.known_cards import (
    Fault,
    NoCards,
    cut,
    doubled,
    file_name,
    lying,
    misnamed,
    picture_files,
    read_picture,
)

Stamp = tuple[int, int]

_ALIKE = 0.12  # logarithm of width to height by which a printed frame may differ from its card


@dataclass(frozen=True)
class _Looked:
    """A file that was looked at: its picture and where a card lies in it, or what is wrong with it."""

    stamp: Stamp
    picture: Image | None
    outline: tuple[Corners | None, bool]
    faults: tuple[Fault, ...]


class Enrolled:
    """One folder with one picture of each card, named like it. One thread at a time.

    A file is looked at once, and again when it has changed.
    """

    def __init__(self, folder: Path, cards: Collection[str] = ()) -> None:
        """`cards` are those of which there may be a picture; none given: any."""
        self._folder = folder
        self._cards = tuple(cards)
        self._names = frozenset(map(file_name, cards))
        self._looked: dict[Path, _Looked] = {}
        self._stamps: dict[Path, Stamp] | None = None
        self._faces: CardFaces | None = None

    def faces(self) -> CardFaces | None:
        """The faces of all cards in the folder: the same object as long as no file has changed.

        None when there is no picture, or no folder yet. Raises OSError when a file cannot be read.
        """
        try:
            files = picture_files(self._folder)
        except NoCards:
            files = []
        stamps = {file: (found.st_mtime_ns, found.st_size) for file in files for found in (file.stat(),)}
        if stamps != self._stamps:
            self._looked = {file: self._look(file, stamp) for file, stamp in stamps.items()}
            self._faces = self._learn() if files else None
            self._stamps = stamps
        return self._faces

    @property
    def missing(self) -> tuple[str, ...]:
        """Those of the cards given of which there is no picture that can be used, by their files' names."""
        known = self._faces.cards if self._faces is not None else ()
        return tuple(name for name in map(file_name, self._cards) if name not in known)

    def _look(self, file: Path, stamp: Stamp) -> _Looked:
        known = self._looked.get(file)
        if known is not None and known.stamp == stamp:
            return known
        if self._names and file.stem not in self._names:
            return _Looked(stamp, None, (None, False), (misnamed(file, self._cards),))
        faults: list[Fault] = []
        picture = read_picture(file, faults)
        outline = (None, False) if picture is None else _lying(picture)
        return _Looked(stamp, picture, outline, tuple(faults))

    def _learn(self) -> CardFaces:
        faults: list[Fault] = []
        given: dict[str, _Looked] = {}
        pictures: list[Image] = []
        for file, looked in self._looked.items():
            faults += looked.faults
            if looked.picture is not None and file.stem in given:
                faults.append(doubled(file))
            elif looked.picture is not None:
                given[file.stem] = looked
                pictures.append(looked.picture)
        whole = cut(pictures, [looked.outline for looked in given.values()])
        return CardFaces(zip(given, whole, strict=True), faults)


def _lying(picture: Image) -> tuple[Corners | None, bool]:
    """As `lying`: what is not of the picture's shape is no frame that is printed on a card that fills it."""
    outline, printed = lying(picture)
    if outline is None:
        return outline, printed
    across, down = sides(outline)
    off = abs(np.log(across * picture.shape[0] / down / picture.shape[1]))
    return outline, bool(printed and off < _ALIKE)
