"""Draws decks of cards, and tables on which they lie as a camera sees them: for tests and measuring.

All cards of one deck share a frame, as printed decks do; picture, title and text differ. Cards are
laid on a flat table, which is then looked at from a slant, with the blur and noise of a camera.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[Any]

CARD = (252, 352)
"""Width and height in pixels of a drawn card."""

TABLES = ("cloth", "wood", "mat")

_ROUND = 0.045  # radius of a card's corners, as part of its width
_FINE = 1.5  # pixels of the table drawn for one of the camera's


class Lying(msgspec.Struct, frozen=True):
    """One card on the table: its name, its middle (parts of the table's width and height) and its turn.

    `turn` is in degrees clockwise, `width` the card's width as a part of the table's.
    """

    card: str
    at: tuple[float, float]
    turn: float = 0.0
    width: float = 0.1


class View(msgspec.Struct, frozen=True):
    """How the camera looks: `tilt` in degrees from straight above, `blur` in pixels, `noise` in grey steps.

    `light` is how much brighter one side of the table is than the other, `tint` what each channel
    (BGR) is multiplied by.
    """

    size: tuple[int, int] = (1280, 720)
    tilt: float = 0.0
    blur: float = 0.6
    noise: float = 3.0
    light: float = 0.2
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)


STRAIGHT = View()


def draw_card(seed: int, *, deck: int = 0, plain: bool = False) -> Image:
    """A card of CARD's size: `deck` decides its frame, `seed` what is on it. A plain one has few shapes."""
    return _plain(seed, deck) if plain else _printed(seed, deck)


def draw_deck(names: Sequence[str], *, deck: int = 0, plain: bool = False) -> dict[str, Image]:
    """A picture for each name, all different."""
    return {name: draw_card(seed, deck=deck, plain=plain) for seed, name in enumerate(names)}


def draw_table(kind: str, seed: int, size: tuple[int, int]) -> Image:
    """A bare table seen from above: "cloth" of one colour, "wood" with grain, a "mat" with a pattern."""
    rng = np.random.default_rng((seed, 7))
    width, height = size
    ground = np.full((height, width, 3), rng.uniform(50, 170, 3), np.float32)
    if kind == "cloth":
        ground += rng.normal(0, 4, (height, width, 1))
    elif kind == "wood":
        grain = cv2.GaussianBlur(
            rng.normal(0, 60, (height, width)).astype(np.float32), (0, 0), 40, sigmaY=1.5
        )
        ground = np.array([70, 120, 175], np.float32) + 4 * grain[..., None]
    elif kind == "mat":
        for _ in range(90):
            middle = rng.uniform((0, 0), (width, height))
            corners = middle + rng.normal(0, 0.03 * width, (int(rng.integers(3, 7)), 2))
            colour = (ground[0, 0] + rng.normal(0, 25, 3)).tolist()
            cv2.fillPoly(ground, [np.rint(corners).astype(np.int32)], colour, cv2.LINE_AA)
    else:
        raise ValueError(f"no table is called {kind!r}: choose one of {', '.join(TABLES)}")
    return np.clip(ground, 0, 255).astype(np.uint8)


def photograph(
    table: str, deck: Mapping[str, Image], lying: Sequence[Lying], *, view: View = STRAIGHT, seed: int = 0
) -> tuple[Image, list[Floats]]:
    """The table as the camera sees it, and each lying card's corners (4x2, pixels, its own upper left first).

    Later cards lie on earlier ones.
    """
    size = (round(view.size[0] * _FINE), round(view.size[1] * _FINE))
    top = draw_table(table, seed, size)
    outlines = [_lay(top, deck[each.card], each) for each in lying]
    seen, look = _look(top, view)
    return _expose(seen, view, seed), [
        cv2.perspectiveTransform(outline[None].astype(np.float64), look)[0] for outline in outlines
    ]


def _printed(seed: int, deck: int) -> Image:
    """A frame with a title, a picture and some lines of text."""
    frame, rng = np.random.default_rng((deck, 1)), np.random.default_rng((seed, deck, 2))
    width, height = CARD
    card = np.full((height, width, 3), 25 if frame.random() < 0.5 else 230, np.uint8)
    body = frame.uniform(60, 200, 3)
    cv2.rectangle(card, (12, 12), (width - 13, height - 13), body.tolist(), -1)
    cv2.rectangle(card, (20, 20), (width - 21, 42), np.minimum(body + 40, 255).tolist(), -1)
    cv2.rectangle(card, (20, 215), (width - 21, height - 22), np.minimum(body + 60, 255).tolist(), -1)
    card[52:205, 24 : width - 24] = _picture(rng, width - 48, 153)
    _write(card, rng, (26, 37), width - 60, 0.55, 2)
    for line in range(int(rng.integers(2, 6))):
        _write(card, rng, (28, 238 + 20 * line), int(width - 60 - rng.integers(0, 80)), 0.4, 1)
    return card


def _picture(rng: np.random.Generator, width: int, height: int) -> Image:
    """Hills, blobs and strokes in colours of their own."""
    coarse = rng.uniform(20, 235, (3, 4, 3)).astype(np.float32)
    hills = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    picture = np.clip(hills, 0, 255).astype(np.uint8)
    for _ in range(14):
        at = np.rint(rng.uniform((0, 0), (width, height))).astype(int).tolist()
        axes = np.rint(rng.uniform(4, 34, 2)).astype(int).tolist()
        colour = rng.uniform(0, 255, 3).tolist()
        cv2.ellipse(picture, at, axes, rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA)
    for _ in range(10):
        start, end = np.rint(rng.uniform((0, 0), (width, height), (2, 2))).astype(int).tolist()
        cv2.line(picture, start, end, rng.uniform(0, 255, 3).tolist(), int(rng.integers(1, 5)), cv2.LINE_AA)
    return picture


def _write(
    card: Image, rng: np.random.Generator, at: tuple[int, int], width: int, scale: float, thick: int
) -> None:
    letters = "".join(chr(97 + letter) if letter < 26 else " " for letter in rng.integers(0, 31, 40))
    while letters and cv2.getTextSize(letters, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)[0][0] > width:
        letters = letters[:-1]
    cv2.putText(card, letters, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (30, 30, 30), thick, cv2.LINE_AA)


def _plain(seed: int, deck: int) -> Image:
    """One to three equal shapes on white; the seed decides which, how many, their colour and filling."""
    width, height = CARD
    shift = np.random.default_rng((deck, 3)).uniform(-25, 25, 3)
    colours = [np.clip(np.array(colour) + shift, 0, 255).tolist() for colour in _INKS]
    count, rest = seed % 3 + 1, seed // 3
    colour, shape, filled = colours[rest % 3], rest // 3 % 3, rest // 9 % 2 == 0
    card = np.full((height, width, 3), 242, np.uint8)
    thick = -1 if filled else 6
    for place in range(count):
        x, y = width // 2, round(height * (place + 1) / (count + 1))
        if shape == 0:
            cv2.ellipse(card, (x, y), (70, 34), 0, 0, 360, colour, thick, cv2.LINE_AA)
        else:
            points = np.add(_DIAMOND if shape == 1 else _FLAG, (x, y))
            cv2.polylines(card, [points], True, colour, 6, cv2.LINE_AA)
            if filled:
                cv2.fillPoly(card, [points], colour, cv2.LINE_AA)
    return card


_INKS = ((60, 60, 200), (80, 150, 40), (140, 50, 110))
_DIAMOND = ((-76, 0), (0, -36), (76, 0), (0, 36))
_FLAG = ((-70, -34), (70, -34), (40, 0), (70, 34), (-70, 34))


def _lay(table: Image, card: Image, lying: Lying) -> Floats:
    """Draw the card on the table with its shadow; its corners (4x2, pixels of the table)."""
    height, width = table.shape[:2]
    scale = lying.width * width / card.shape[1]
    turn = np.deg2rad(lying.turn)
    across, down = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    half = np.array([card.shape[1], card.shape[0]]) * scale / 2
    middle = np.array(lying.at) * (width, height)
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    corners = middle + signs[:, :1] * half[0] * across + signs[:, 1:] * half[1] * down
    own = np.array(
        [[0, 0], [card.shape[1], 0], [card.shape[1], card.shape[0]], [0, card.shape[0]]], np.float32
    )
    place = cv2.getPerspectiveTransform(own, corners.astype(np.float32))
    size = (width, height)
    shape = cv2.warpPerspective(_outline(card), place, size, flags=cv2.INTER_AREA)[..., None]
    shadow = cv2.GaussianBlur(np.roll(shape, (4, 4), (0, 1)), (0, 0), 5)[..., None] * 0.35
    drawn = cv2.warpPerspective(card, place, size, flags=cv2.INTER_AREA)
    table[:] = np.rint((table * (1 - shadow)) * (1 - shape) + drawn * shape).astype(np.uint8)
    return np.asarray(corners)


def _outline(card: Image) -> Floats:
    """1 on the card, 0 beside its rounded corners."""
    height, width = card.shape[:2]
    radius = round(_ROUND * width)
    outline = np.zeros((height, width), np.float32)
    outline[radius : height - radius] = 1
    outline[:, radius : width - radius] = 1
    for x in (radius, width - radius - 1):
        for y in (radius, height - radius - 1):
            cv2.circle(outline, (x, y), radius, (1.0,), -1, cv2.LINE_AA)
    return outline


def _look(table: Image, view: View) -> tuple[Image, Floats]:
    """The table from the camera's place, and the transform (3x3) of its pixels to the camera's."""
    width, height = view.size
    tilt = np.deg2rad(view.tilt)
    rows, columns = table.shape[:2]
    away = 1.4 * columns  # of the camera from the middle of the table
    turn = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    lens = np.array([[away, 0, 0], [0, away, 0], [0, 0, 1]])
    middle = np.array([[1, 0, -columns / 2], [0, 1, -rows / 2], [0, 0, 1]])
    # A point (x, y, 0) of the table lies at turn @ (x, y, 0) + (0, 0, away) before the camera.
    before = np.column_stack([turn[:, 0], turn[:, 1], [0, 0, away]])
    seen = lens @ before @ middle
    border = cv2.perspectiveTransform(
        np.array([[[0, 0]], [[columns, 0]], [[columns, rows]], [[0, rows]]], np.float64), seen
    ).reshape(4, 2)
    low, high = border.min(axis=0), border.max(axis=0)
    fit = float(min(width / (high[0] - low[0]), height / (high[1] - low[1])))
    offset = (np.array([width, height]) - fit * (low + high)) / 2
    seen = np.array([[fit, 0, offset[0]], [0, fit, offset[1]], [0, 0, 1]]) @ seen
    picture = cv2.warpPerspective(
        table, seen, (width, height), flags=cv2.INTER_AREA, borderValue=(60, 60, 60)
    )
    return np.asarray(picture, np.uint8), seen


def _expose(picture: Image, view: View, seed: int) -> Image:
    rng = np.random.default_rng((seed, 9))
    light = np.linspace(1 - view.light, 1 + view.light, picture.shape[1])[None, :, None]
    exposed: Floats = picture * light * np.array(view.tint)
    if view.blur > 0:
        exposed = np.asarray(cv2.GaussianBlur(exposed, (0, 0), view.blur))
    exposed = exposed + rng.normal(0, view.noise, exposed.shape)
    return np.asarray(np.clip(exposed, 0, 255), np.uint8)
