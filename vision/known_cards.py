"""The cards that are known: one picture of each, enrolled once, and what is wrong with them.

A picture may be a scan that the card fills, or a photograph of one card on a table, which is cut
out at its outline.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np

from vision import card_features as look
from vision.card_features import Features, Floats, Image
from vision.card_outlines import Corners, find_outlines, sides

PICTURES = frozenset((".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".jp2", ".ppm", ".pgm"))
"""Endings of the names of pictures; other files in a folder of cards are left alone."""

SMALLEST = 100
"""Pixels of the shorter side of a card's picture under which print is lost."""

PRINTED = 0.85
"""A card with less of its face printed is plain: told by its print alone, seen whole and sharp."""

_FACELESS = 4.0  # contrast of a picture on which nothing is printed
_TWINS = 0.93  # agreement from which two cards are too alike
_NEIGHBOURS = 0.85  # of two thumbnails: less alike cards are not compared
_HALF_TURN = 0.85  # agreement with itself, turned by 180 degrees, from which a turn cannot be told
_ON_TABLE = (0.15, 0.7)  # part of its picture that a card fills if it was photographed on a table
_SQUARE = 0.25  # how far from a right angle a cut card's corners may be: their cosine
_GLANCE = 0.8  # size of the picture in which a card on a table is looked for, of a card to be read
_LARGEST = 4.0  # size of a picture that is kept; more shows no more of a card
_BARE = 0.02  # part of the table around it that may be drawn with edges
_MIDDLE = 0.04  # of the picture: a frame so near to its middle is printed, no card lies so exactly
_STRAIGHT = 0.02  # radians


class NoCards(Exception):
    """No card is known; the text says why and what helps."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with a card's picture, and the cure. `lost`: the picture is of no use as it is."""

    card: str
    words: str
    cure: str
    lost: bool = False


class Reference:
    """One known card: its picture, upright, of a size that all cards of its shape share."""

    def __init__(self, name: str, picture: Image) -> None:
        height, width = picture.shape[:2]
        self.name = name
        self.given = (width, height)
        self.size = look.upright_size(width, height)
        shrinks = width > self.size[0]
        interpolation = cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
        self.picture: Image = np.asarray(
            cv2.resize(picture, self.size, interpolation=interpolation), np.uint8
        )
        self.thumbnail = look.thumbnail(self.picture)
        self.features: Features = look.find_features(self.picture)
        self.print: Floats = look.print_of(self.picture)
        turned = look.print_of(np.ascontiguousarray(self.picture[::-1, ::-1]))
        self.same_both_ways = look.agreement(*look.likeness(turned, self.print)) > _HALF_TURN

    @cached_property
    def plain(self) -> bool:
        """Whether much of its face is blank, so that it has no features of its own."""
        _, weight = look.likeness(self.print, self.print)
        return float((weight > 0).mean()) < PRINTED

    @property
    def faceless(self) -> bool:
        """Whether nothing is printed on it."""
        return float(self.print.std(axis=(0, 1)).max()) < _FACELESS

    @cached_property
    def cells(self) -> Floats:
        """How many features lie in each part of the card (rows of columns)."""
        return look.count_cells(self.features.points, self.size)


class KnownCards:
    """All cards that may lie there. Made once, then only read: any number of threads may share it."""

    def __init__(self, cards: Iterable[tuple[str, Image]], faults: Iterable[Fault] = ()) -> None:
        """`cards` are names and pictures (BGR, uint8). Raises NoCards when there is none to be read."""
        given = [Reference(name, picture) for name, picture in cards]
        self.cards = tuple(card for card in given if not card.faceless)
        self.faults = (*faults, *(_blank(card) for card in given if card.faceless), *self._weak())
        if not self.cards:
            said = " ".join(f"{fault.card}: {fault.words}" for fault in self.faults[:3])
            raise NoCards(f"There is no card to be known. {said}".strip())
        self.thumbnails = np.array([card.thumbnail for card in self.cards])
        self.shapes = np.array([card.size[0] / card.size[1] for card in self.cards])
        self.twins = self._find_twins()
        self.faults += tuple(self._alike())

    @classmethod
    def load(cls, folder: Path) -> KnownCards:
        """The cards in `folder`, one picture each, named by the file's stem. Raises NoCards."""
        faults: list[Fault] = []
        given: dict[str, Image] = {}
        for file in picture_files(folder):
            picture = read_picture(file, faults)
            if picture is not None and file.stem in given:
                faults.append(doubled(file))
            elif picture is not None:
                given[file.stem] = picture
        cut = cut_out(list(given.values()))
        return cls(zip(given, cut, strict=True), faults)

    def compare(self, thumbnails: Floats) -> Floats:
        """How alike each of the thumbnails (rows) is to each known card's (columns), -1..1."""
        # In place of numpy's product, which may wake a thread for each core.
        nothing = np.zeros((0, 0), np.float32)
        return np.asarray(cv2.gemm(thumbnails, self.thumbnails, 1, nothing, 0, flags=cv2.GEMM_2_T))

    # -- what is wrong ------------------------------------------------------------------------

    def _weak(self) -> Iterator[Fault]:
        for card in self.cards:
            if min(card.given) < SMALLEST:
                yield Fault(
                    card.name,
                    f"Its picture is only {card.given[0]} x {card.given[1]} pixels.",
                    f"Take it again with the card at least {SMALLEST} pixels wide; 250 are good.",
                )
            if card.plain:
                yield Fault(
                    card.name,
                    "There is little print on it.",
                    "It is read when it lies alone and whole; put a marker on it to read it anywhere.",
                )

    def _find_twins(self) -> dict[str, frozenset[str]]:
        """For each card those that cannot surely be told from it, whichever way up they lie."""
        twins: dict[str, set[str]] = {card.name: set() for card in self.cards}
        for half in (False, True):
            turned = [np.ascontiguousarray(card.picture[::-1, ::-1]) for card in self.cards] if half else []
            thumbnails = (
                np.array([look.thumbnail(picture) for picture in turned]) if half else self.thumbnails
            )
            alike = self.compare(thumbnails) > _NEIGHBOURS
            for one, other in np.argwhere(alike):
                first, second = self.cards[one], self.cards[other]
                if one >= other or first.print.shape != second.print.shape:
                    continue
                seen = look.print_of(turned[one]) if half else first.print
                if look.agreement(*look.likeness(seen, second.print)) > _TWINS:
                    twins[first.name].add(second.name)
                    twins[second.name].add(first.name)
        return {name: frozenset(others) for name, others in twins.items()}

    def _alike(self) -> Iterator[Fault]:
        for name, others in sorted(self.twins.items()):
            if others:
                few = ", ".join(sorted(others)[:3]) + (" and others" if len(others) > 3 else "")
                yield Fault(
                    name,
                    f"It looks almost like {few}.",
                    "People will be asked which of them it is; put a marker on each to have it read.",
                )


def file_name(card: str) -> str:
    """What the picture of that card is called, but for its ending: a - stands for a /."""
    return card.replace("/", "-")


def misnamed(file: Path, names: Iterable[str]) -> Fault:
    """What is wrong with a picture that is called like none of those cards."""
    cure = f"Name it like the card that it shows: {', '.join(map(file_name, names))}."
    return Fault(file.stem, "There is no such card.", cure, lost=True)


def picture_files(folder: Path) -> list[Path]:
    """The files in `folder` with one picture of each card. Raises NoCards when there is none."""
    try:
        files = sorted(
            path for path in folder.iterdir() if path.suffix.lower() in PICTURES and path.is_file()
        )
    except OSError as fault:
        raise NoCards(f"{folder}: {fault.strerror}. Name a folder with one picture of each card.") from fault
    if not files:
        raise NoCards(f"{folder} holds no picture. Put one picture of each card there, named like the card.")
    return files


def doubled(file: Path) -> Fault:
    """What is wrong with a second picture of one card."""
    cure = f"Rename or remove {file.name}: only the first is used."
    return Fault(file.stem, "Two pictures have its name.", cure, lost=True)


def read_picture(file: Path, faults: list[Fault]) -> Image | None:
    """The picture in `file` (BGR, uint8), no larger than shows all of a card; None with a fault of none."""
    try:
        data = np.frombuffer(file.read_bytes(), np.uint8)
    except OSError as fault:
        words = f"{file.name} cannot be opened: {fault.strerror}."
        faults.append(Fault(file.stem, words, "Let it be read, or take it away.", lost=True))
        return None
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if picture is None:
        words = f"{file.name} is no picture that can be read."
        faults.append(Fault(file.stem, words, "Save it as JPEG, PNG or WebP.", lost=True))
        return None
    return _reduced(np.asarray(picture, np.uint8), _LARGEST)


def cut_out(pictures: Sequence[Image]) -> list[Image]:
    """The cards in photographs of one card each on a bare table; a picture that a card fills stays whole.

    A frame that is printed on a card looks like a card on a table, but it lies straight and in the
    middle. A card may lie so by chance, though hardly in most of several photographs.
    """
    return cut(pictures, [lying(picture) for picture in pictures])


def cut(pictures: Sequence[Image], outlines: Sequence[tuple[Corners | None, bool]]) -> list[Image]:
    """The same, of pictures of which `lying` was asked already."""
    photographed = [outline for outline, printed in outlines if outline is not None and not printed]
    printed = [outline for outline, printed in outlines if outline is not None and printed]
    on_table = len(photographed) > len(printed)
    return [
        picture if outline is None or (printed and not on_table) else _cut(picture, outline)
        for picture, (outline, printed) in zip(pictures, outlines, strict=True)
    ]


def lying(picture: Image) -> tuple[Corners | None, bool]:
    """The outline of a card that lies in `picture`, if any; and whether it may as well be a printed frame."""
    small = _reduced(picture, _GLANCE)
    scale = small.shape[1] / picture.shape[1]
    for outline in find_outlines(small):
        part = cv2.contourArea(outline) / (small.shape[0] * small.shape[1])
        if part < _ON_TABLE[0]:
            break
        if part < _ON_TABLE[1] and _is_square(outline) and _lies_bare(small, outline):
            return np.asarray((outline + 0.5) / scale - 0.5, np.float32), _is_printed(small, outline)
    return None, False


def _cut(picture: Image, outline: Corners) -> Image:
    upright = _upright(outline)
    width, height = sides(upright)
    cut, _ = look.rectify(picture, upright, (max(1, round(width)), max(1, round(height))))
    return cut


def _reduced(picture: Image, times: float) -> Image:
    """The picture, made smaller if it is larger than `times` the size in which cards are read."""
    scale = times * float(np.sqrt(look.AREA / (picture.shape[0] * picture.shape[1])))
    if scale >= 1:
        return picture
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _upright(outline: Corners) -> Corners:
    """The corners beginning with the upper left one, for a card that lies about as the picture is held."""
    return np.roll(outline, -int(outline.sum(axis=1).argmin()), axis=0)


def _is_square(outline: Corners) -> bool:
    ways = np.roll(outline, -1, axis=0) - outline
    ways /= np.hypot(*ways.T)[:, None]
    return bool((np.abs((ways * np.roll(ways, 1, axis=0)).sum(axis=1)) < _SQUARE).all())


def _is_printed(picture: Image, outline: Corners) -> bool:
    """Whether the outline lies straight and in the middle, as a frame printed on a scanned card does."""
    ways = np.roll(outline, -1, axis=0) - outline
    turns = np.arctan2(*ways.T)
    off = np.abs(outline.mean(axis=0) / (picture.shape[1], picture.shape[0]) - 0.5)
    straight = np.abs(turns - np.rint(turns / (np.pi / 2)) * (np.pi / 2)) < _STRAIGHT
    return bool(straight.all() and off.min() < _MIDDLE)


def _lies_bare(picture: Image, outline: Corners) -> bool:
    """Whether nothing is drawn around the outline, out to the picture's edge."""
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), 2)
    lines = np.asarray(cv2.Canny(grey, 20, 50))
    table = np.full(grey.shape, 255, np.uint8)
    cv2.fillConvexPoly(table, np.rint(outline).astype(np.int32), 0)
    reach = 2 * round(0.06 * np.sqrt(cv2.contourArea(outline))) + 1
    table = np.asarray(cv2.erode(table, np.ones((reach, reach), np.uint8)), np.uint8)
    seen = int(np.count_nonzero(table))
    return seen > 0 and bool(np.count_nonzero(lines[table > 0]) < _BARE * seen)


def _blank(card: Reference) -> Fault:
    return Fault(card.name, "Nothing can be seen on its picture.", "Take it again, in good light.", lost=True)
