"""Photographs of dice that may be learned from, with the upper faces in them.

A folder of photographs has a truth.csv with the columns photo (SOURCE/NAME), kind, values (1-3-6), boxes
(VALUE:x,y,width,height;...) and licence. Only those whose licence allows it are taken. Nobody has drawn the
outlines of the faces: they are what the reader finds, where it reads what the truth says.
"""

from __future__ import annotations

import csv
import pathlib
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.random import Generator

from tools.dice_scenes import OTHER, Face, Scene, take
from vision.dice import Judged, judge
from vision.dice_finder import Floats, Image
from vision.see import load

FREE = ("Public Domain", "MIT", "Apache", "BSD", "CC BY 4.0")
"""How a licence begins that allows learning; those that name what they are asked for are credited."""

PIPS = {"pip", "empty"}
MARKS = {"digit", "letter"}  # dice that are to be known as such, and not to be read
_HIDDEN = 0.5  # how much is seen of a face whose outline nobody knows: nothing is learned there


class Photograph(msgspec.Struct, frozen=True):
    """A photograph (BGR) and the upper faces in it; what `seen` tells of them is as in a drawn scene."""

    name: str
    image: Image
    faces: tuple[Face, ...]


def free(row: dict[str, str]) -> bool:
    """Whether the licence of a photograph allows that it is learned from."""
    return row["licence"].startswith(FREE)


def photographs(
    folder: pathlib.Path, weights: pathlib.Path, without: Collection[str] = ()
) -> list[Photograph]:
    """The photographs in `folder` that may be learned from, as the networks in `weights` outline their faces.

    Those of the sources `without` are left out.
    """
    found = []
    with open(folder / "truth.csv", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if free(row) and row["kind"] in PIPS | MARKS]
    for row in rows:
        if row["photo"].split("/")[0] in without:
            continue
        image = load(folder / row["photo"])
        faces = framed(judge(image, weights), row["values"], row["boxes"], row["kind"])
        if faces is not None:
            found.append(Photograph(row["photo"], image, tuple(faces)))
    return found


def grounds(folders: Iterable[pathlib.Path]) -> list[Photograph]:
    """Photographs of things that are no dice, which may be learned from."""
    found = []
    for folder in folders:
        for path in sorted(folder.iterdir()):
            if path.suffix.lower() in {".jpg", ".jpeg", ".png"}:
                found.append(Photograph(path.name, load(path), ()))
    return found


def framed(judged: list[Judged], values: str, boxes: str, kind: str) -> list[Face] | None:
    """The upper faces in a photograph; None when something else is read and nothing tells where they lie."""
    if boxes:
        return [_in_box(box, judged, kind) for box in boxes.split(";")]
    likely = [each for each in judged if each.face > 0.5]
    if kind in PIPS and Counter(values.replace("-", "")) == Counter(str(_value(each)) for each in likely):
        return [Face(each.corners, _value(each), 1.0) for each in likely]
    return None


def _value(judged: Judged) -> int:
    return int(judged.labels[1:7].argmax()) + 1


def _in_box(box: str, judged: list[Judged], kind: str) -> Face:
    """The face in a box, as it was read; hidden when it was not read as what it is."""
    value, _, place = box.partition(":")
    x, y, width, height = (float(part) for part in place.split(","))
    label = int(value) if kind in PIPS else OTHER
    within = [each for each in judged if _holds(each, x + width / 2, y + height / 2, max(width, height))]
    for each in sorted(within, key=lambda each: -each.face):
        if kind in MARKS and each.face > 0.2:
            return Face(each.corners, OTHER, 1.0)
        if kind in PIPS and each.face > 0.3 and _value(each) == label:
            return Face(each.corners, label, 1.0)
    corners = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)
    return Face(corners, label, _HIDDEN)


def _holds(judged: Judged, x: float, y: float, size: float) -> bool:
    """Whether a face lies about the middle of a box and is of its size."""
    side = float(np.sqrt(cv2.contourArea(judged.corners)))
    inside = cv2.pointPolygonTest(judged.corners, (x, y), measureDist=True) > -0.15 * side
    return inside and 0.45 * size < side < 2.2 * size


def crop(photograph: Photograph, rng: Generator, side: int, sizes: tuple[float, float]) -> Scene:
    """A part of a photograph, `side` pixels square, turned; its dice have `sizes` (low, high) pixels."""
    unit = float(np.exp(rng.uniform(*np.log(sizes))))
    image = photograph.image
    height, width = image.shape[:2]
    middle = rng.uniform(0, 1, 2) * [width, height]
    zoom = float(np.exp(rng.uniform(np.log(0.25), 0)))
    if photograph.faces:
        face = photograph.faces[int(rng.integers(len(photograph.faces)))]
        zoom = min(2.0, unit / max(8.0, float(np.sqrt(abs(cv2.contourArea(face.corners))))))
        if rng.random() < 0.85:
            middle = face.corners.mean(axis=0) + rng.uniform(-0.45, 0.45, 2) * side / zoom
    turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.7 else rng.integers(4) * np.pi / 2
    flip = np.diag([-1.0 if rng.random() < 0.5 else 1.0, 1.0])
    linear = zoom * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ flip
    matrix = np.hstack([linear, (side / 2 - linear @ middle)[:, None]])
    # Shrinking by sampling would alias: what is to be shrunk by more than a half is shrunk by area first.
    source, before = image, 1.0
    while zoom < 0.6 * before:
        before /= 2
        source = np.asarray(cv2.resize(source, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    inner = np.hstack([matrix[:, :2] / before, matrix[:, 2:]])
    # Not mirrored: dice that nobody told of would lie there.
    edge = cv2.BORDER_REPLICATE
    part: Any = cv2.warpAffine(source, inner, (side, side), flags=cv2.INTER_LINEAR, borderMode=edge)
    faces = []
    for face in photograph.faces:
        corners = (face.corners @ matrix[:, :2].T + matrix[:, 2]).astype(np.float32)
        inside = cv2.intersectConvexConvex(corners, _square(side))[0] / max(
            abs(cv2.contourArea(corners)), 1.0
        )
        faces.append(Face(corners, face.label, min(face.seen, inside)))
    if rng.random() < 0.6:
        part = take(part, rng)
    elif rng.random() < 0.7:
        part = cv2.convertScaleAbs(part, alpha=rng.uniform(0.75, 1.25), beta=rng.uniform(-15, 15))
    return Scene(np.asarray(part, np.uint8), tuple(faces))


def _square(side: int) -> Floats:
    return np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
