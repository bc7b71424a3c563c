"""Draws dice as a camera sees them: for the emulated table, for training and for tests.

A die is a cube with rounded edges, looked at from straight above or from a slant, whose
surface is found ray by ray. That gives what a flat drawing lacks: side faces, edges that
catch the light, drilled pips with their own shade, and a shadow on the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

Colour = tuple[float, float, float]

# Which pips of the 3x3 lattice are set; the lattice has one step between its marks.
PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}

_TEXTURE = 96  # pixels along one face of the texture
_STEPS = 40  # steps of a ray before it counts as a miss
_NEAR = 0.004  # a ray this near to the surface has hit it; the die's half side is 1


class DieLook(msgspec.Struct, frozen=True):
    """What one die looks like. Lengths are parts of the die's side; colours are BGR, 0..255."""

    body: Colour = (235.0, 240.0, 240.0)
    pip: Colour = (25.0, 25.0, 25.0)
    one: Colour | None = None  # colour of the mark on face 1, where it differs
    pip_size: float = 0.2  # diameter
    one_size: float = 1.0  # diameter of the pip of face 1, as a multiple of `pip_size`
    pitch: float = 0.27  # from one column of pips to the next
    roundness: float = 0.1  # radius of the edges
    cut: float = 0.0  # 0: a cube; towards 1: corners turned off as by a sphere
    drilled: float = 0.5  # 0: printed pips; 1: deep ones
    gloss: float = 0.4
    clear: float = 0.0  # 0: opaque; towards 1: the table shines through
    swirl: Colour | None = None  # second colour of a marbled body
    glyphs: tuple[str, ...] = ()  # six texts in place of the pips of 1..6; "" keeps the pips
    sticker: float = 0.86  # side of the pictures stuck on its faces, where `draw_die` is given some


class Light(msgspec.Struct, frozen=True):
    """Where the light comes from and how hard it is."""

    azimuth: float = 225.0  # degrees, 0 = from the right, 90 = from below in the picture
    height: float = 55.0  # degrees over the table
    ambient: float = 0.55  # share of the light that has no direction
    shadow: float = 0.5  # 0: none; 1: black
    softness: float = 0.12  # blur of the shadow, as part of the die's side
    rim: float = 0.0  # how much brighter (or darker, below 0) what turns away from the camera is


IVORY = DieLook()
DAYLIGHT = Light()


def face_corners(
    centre: Sequence[float],
    size: float,
    angle: float,
    tilt: float = 0.0,
    towards: float = 90.0,
) -> Floats:
    """Corners (4x2, pixels, clockwise) of the upper face that `draw_die` draws."""
    right, down, _ = _view(tilt, towards)
    turned = _turn(angle)
    square = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], np.float32) @ turned.T
    flat = np.stack([square @ right, square @ down], axis=1) * (size / 2)
    corners: Floats = (flat + np.asarray(centre, np.float32)).astype(np.float32)
    return corners


@dataclass(frozen=True)
class DieCut:
    """A die as it is laid on a canvas at `box` (left, top, right, below; the last two are outside it).

    `paint` is its colour, premultiplied (HxWx3), `cover` how much of each pixel it covers (HxWx1, 0 to 1).
    """

    box: tuple[int, int, int, int]
    paint: Floats
    cover: Floats


def draw_die(
    canvas: Image,
    centre: Sequence[float],
    size: float,
    angle: float,
    value: int,
    look: DieLook = IVORY,
    *,
    light: Light = DAYLIGHT,
    tilt: float = 0.0,
    towards: float = 90.0,
    seed: int = 0,
    rays: int | None = None,
    stickers: Sequence[Image] = (),
) -> Floats:
    """Draw one die into `canvas` (BGR, uint8, HxWx3), in place, with its shadow.

    `centre` is the middle of the upper face in pixels, `size` the side of the die in pixels,
    `angle` its turn in degrees clockwise. `tilt` is the slant of the view in degrees (0: from
    straight above) and `towards` the direction in the picture in which the side faces appear
    (90: below, as for a viewer at the lower edge). `seed` chooses the marbling and which
    neighbours the upper face has; `rays` along one pixel, else as many as smooth edges need.
    `stickers` are six square pictures (BGR, uint8) in place of the pips of 1..6, upright.
    Returns the corners of the upper face (4x2, pixels).
    Raises ValueError when `value` is not 1..6, `size` is under 4 pixels or `stickers` are not six.
    """
    if value not in PIPS:
        raise ValueError(f"a die shows 1 to 6, not {value}: give one of these as value")
    if size < 4:
        raise ValueError(f"a die of {size} pixels cannot be drawn: give a size of at least 4")
    if stickers and len(stickers) != len(PIPS):
        raise ValueError(f"a die has six faces, not {len(stickers)}: give a picture for each as stickers")
    _draw_shadow(canvas, centre, size, angle, look, light, _view(tilt, towards))
    cut = cut_die(
        canvas.shape[:2],
        centre,
        size,
        angle,
        value,
        look,
        light=light,
        tilt=tilt,
        towards=towards,
        seed=seed,
        rays=rays,
        stickers=stickers,
    )
    lay_die(canvas, cut, look)
    return face_corners(centre, size, angle, tilt, towards)


def cut_die(
    shape: tuple[int, ...],
    centre: Sequence[float],
    size: float,
    angle: float,
    value: int,
    look: DieLook = IVORY,
    *,
    light: Light = DAYLIGHT,
    tilt: float = 0.0,
    towards: float = 90.0,
    seed: int = 0,
    rays: int | None = None,
    stickers: Sequence[Image] = (),
) -> DieCut:
    """One die as it looks in a canvas of that shape (H, W), without its shadow; `lay_die` lays it there.

    The other arguments are those of `draw_die`, which raises for what cannot be drawn.
    """
    # The die's outline lies within this many half sides of the upper face's centre.
    reach = 1.5 + 2.1 * float(np.sin(np.radians(tilt)))
    half = reach * size / 2
    left, top = int(np.floor(centre[0] - half)), int(np.floor(centre[1] - half))
    right, bottom = int(np.ceil(centre[0] + half)), int(np.ceil(centre[1] + half))
    left, top = max(left, 0), max(top, 0)
    right, bottom = min(right, shape[1]), min(bottom, shape[0])
    if left >= right or top >= bottom:
        return DieCut((0, 0, 0, 0), np.zeros((0, 0, 3), np.float32), np.zeros((0, 0, 1), np.float32))
    fine = rays or (3 if size < 60 else 2 if size < 160 else 1)
    xs = (np.arange(left * fine, right * fine, dtype=np.float32) + 0.5) / fine - 0.5
    ys = (np.arange(top * fine, bottom * fine, dtype=np.float32) + 0.5) / fine - 0.5
    paint, cover = _trace(
        ((xs - centre[0]) / (size / 2)).astype(np.float32),
        ((ys - centre[1]) / (size / 2)).astype(np.float32),
        (angle, value, look, light, seed),
        _view(tilt, towards),
        stickers,
    )
    part = (right - left, bottom - top)
    paint = _floats(cv2.resize(paint, part, interpolation=cv2.INTER_AREA))
    cover = _floats(cv2.resize(cover, part, interpolation=cv2.INTER_AREA))[..., None]
    return DieCut((left, top, right, bottom), paint, cover)


def lay_die(canvas: Image, cut: DieCut, look: DieLook) -> None:
    """Lay a die of that look on the canvas (BGR, uint8) for whose shape it was cut, in place."""
    left, top, right, bottom = cut.box
    patch = canvas[top:bottom, left:right]
    # A clear die lets through the table in its own colour.
    tint = 1 - look.clear * cut.cover * (1 - np.asarray(look.body, np.float32) / 255)
    under = patch * tint * (1 - cut.cover * (1 - 0.8 * look.clear))
    patch[:] = np.clip(under + cut.paint * (1 - 0.6 * look.clear), 0, 255).astype(np.uint8)


def _floats(array: NDArray[Any]) -> Floats:
    floats: Floats = array.astype(np.float32, copy=False)
    return floats


def _view(tilt: float, towards: float) -> tuple[Floats, Floats, Floats]:
    """The picture's right and down, and the way to the camera, in the table's axes."""
    lean, way = np.radians(tilt), np.radians(towards)
    axis = np.array([np.cos(way), np.sin(way), 0])  # towards the viewer, along the table
    across = np.array([-np.sin(way), np.cos(way), 0])
    camera = np.array([*(axis[:2] * np.sin(lean)), np.cos(lean)])
    along = axis * np.cos(lean) - np.array([0, 0, np.sin(lean)])  # in the picture, towards
    right = along * np.cos(way) + across * -np.sin(way)
    down = along * np.sin(way) + across * np.cos(way)
    return right.astype(np.float32), down.astype(np.float32), camera.astype(np.float32)


def _turn(angle: float) -> Floats:
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], np.float32)


def _lamp(light: Light) -> Floats:
    way, height = np.radians(light.azimuth), np.radians(light.height)
    flat = np.cos(height)
    return np.array([np.cos(way) * flat, np.sin(way) * flat, np.sin(height)], np.float32)


def _draw_shadow(
    canvas: Image,
    centre: Sequence[float],
    size: float,
    angle: float,
    look: DieLook,
    light: Light,
    look_from: tuple[Floats, Floats, Floats],
) -> None:
    if light.shadow <= 0:
        return
    right, down, _ = look_from
    lamp = _lamp(light)
    shrink = 1 - 0.6 * look.roundness - 0.25 * look.cut
    cube = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32) * np.array(
        [shrink, shrink, 1], np.float32
    )
    cube = cube @ _turn(angle).T
    # Each corner falls along the light onto the table, which lies one half side below the middle.
    fallen = cube - lamp * ((cube[:, 2:] + 1) / max(float(lamp[2]), 0.2))
    fallen[:, 2] = -2.0  # the upper face's centre is the origin of the picture
    at = np.stack([fallen @ right, fallen @ down], axis=1) * (size / 2) + np.asarray(centre)
    blur = max(light.softness * size, 0.7)
    margin = int(3 * blur) + 2
    low = np.maximum(np.floor(at.min(axis=0)).astype(int) - margin, 0)
    high = np.minimum(np.ceil(at.max(axis=0)).astype(int) + margin, [canvas.shape[1], canvas.shape[0]])
    if (low >= high).any():
        return
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
    hull = cv2.convexHull(((at - low) * 16).astype(np.int32))
    cv2.fillConvexPoly(mask, hull, 1.0, cv2.LINE_AA, 4)
    mask = cv2.GaussianBlur(mask, (0, 0), blur)
    patch = canvas[low[1] : high[1], low[0] : high[0]]
    darker = 1 - light.shadow * (1 - 0.5 * look.clear) * mask[..., None]
    patch[:] = (patch * darker).astype(np.uint8)


def _distance(points: Floats, look: DieLook) -> Floats:
    """Distance from each point (Nx3) to the die's surface."""
    radius = min(2 * look.roundness, 0.95)
    # Axis by axis: to add up or compare rows of three is what numpy is slowest at.
    axes = points.T
    x, y, z = (np.abs(axis) - (1 - radius) for axis in axes)
    outside = np.sqrt(_squares(np.maximum(x, 0), np.maximum(y, 0), np.maximum(z, 0)))
    box = outside + np.minimum(np.maximum(np.maximum(x, y), z), 0) - radius
    if look.cut > 0:
        ball = np.sqrt(_squares(*axes)) - (1.74 - 0.5 * look.cut)
        box = np.maximum(box, ball)
    distance: Floats = box
    return distance


def _squares(x: Floats, y: Floats, z: Floats) -> Floats:
    squares: Floats = x**2 + y**2 + z**2
    return squares


def _trace(
    xs: Floats,
    ys: Floats,
    die: tuple[float, int, DieLook, Light, int],
    look_from: tuple[Floats, Floats, Floats],
    stickers: Sequence[Image],
) -> tuple[Floats, Floats]:
    """Colour (premultiplied) and cover of each ray through the picture."""
    angle, value, look, light, seed = die
    unturn = _turn(-angle)
    right, down, camera = (unturn @ axis for axis in look_from)
    lamp = unturn @ _lamp(light)
    top = np.array([0, 0, 1], np.float32)
    starts = (top + xs[None, :, None] * right + ys[:, None, None] * down + camera * np.float32(1.5)).reshape(
        -1, 3
    )
    paint = np.zeros_like(starts)
    cover = np.zeros(len(starts), np.float32)

    points = starts
    index = np.arange(len(starts))
    hits: list[Any] = []
    for _ in range(_STEPS):
        distance = _distance(points, look)
        near = distance < _NEAR
        if near.any():
            hits.append((index[near], points[near]))
        going = ~near & (points @ camera > -2.0)
        if not going.any():
            break
        index = index[going]
        points = points[going] - camera * distance[going, None]
    if hits:
        which = np.concatenate([at for at, _ in hits])
        where = np.concatenate([point for _, point in hits])
        paint[which] = _shade(where, camera, lamp, (value, look, light, seed), stickers)
        cover[which] = 1
    shape = (len(ys), len(xs))
    return paint.reshape(*shape, 3), cover.reshape(shape)


def _shade(
    points: Floats,
    camera: Floats,
    lamp: Floats,
    die: tuple[int, DieLook, Light, int],
    stickers: Sequence[Image],
) -> Floats:
    value, look, light, seed = die
    step = 0.01
    offsets = np.eye(3, dtype=np.float32) * np.float32(step)
    slopes = [_distance(points + by, look) - _distance(points - by, look) for by in offsets]
    normals = _floats(np.stack(slopes, axis=1))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-6

    axis = np.abs(points).argmax(axis=1)
    sign = np.take_along_axis(points, axis[:, None], 1)[:, 0] > 0
    u = np.where(axis == 0, points[:, 1], points[:, 0])
    v = np.where(axis == 2, points[:, 1], points[:, 2])
    slot = axis * 2 + sign
    order = _faces(value, seed)
    atlas = np.concatenate([_patch(look) if stickers else _mark(face, look) for face in order])
    at_x = ((u + 1) / 2 * _TEXTURE - 0.5).astype(np.float32)
    at_y = ((v + 1) / 2 * _TEXTURE - 0.5).clip(0, _TEXTURE - 1) + slot * _TEXTURE
    mark = _sample(atlas, at_x, at_y)
    if stickers:
        ink = _sample(np.concatenate([_stuck(stickers[face - 1], look) for face in order]), at_x, at_y)
    else:
        ink = _inks(order, look)[slot]

    body = np.broadcast_to(np.asarray(look.body, np.float32), points.shape)
    if look.swirl is not None:
        phase = np.random.default_rng(seed).uniform(0, 6.28, 6)
        wave = np.zeros(len(points))
        for i in range(3):
            turned = points[:, (i + 1) % 3] * 2.4 + np.sin(points[:, i] * 3.1 + phase[i]) * 1.3
            wave += np.sin(turned * 1.7 + phase[i + 3])
        share = (1 / (1 + np.exp(-3 * wave)))[:, None]
        body = _floats(body * (1 - share) + np.asarray(look.swirl, np.float32) * share)
    colour = body * (1 - mark[:, None]) + ink * mark[:, None]

    if look.drilled > 0 and not stickers:
        # The wall of a drilled pip leans inward: its normal follows the slope of the mark.
        slope_u = _sample(atlas, at_x + 2, at_y) - _sample(atlas, at_x - 2, at_y)
        slope_v = _sample(atlas, at_x, at_y + 2) - _sample(atlas, at_x, at_y - 2)
        lean = np.zeros_like(points)
        rows = np.arange(len(points))
        lean[rows, np.where(axis == 0, 1, 0)] = slope_u
        lean[rows, np.where(axis == 2, 1, 2)] = slope_v
        normals = _floats(normals + 1.2 * look.drilled * lean)
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)

    direct = np.maximum(normals @ lamp, 0)
    sky = 0.75 + 0.25 * normals[:, 2]
    bright = light.ambient * sky + (1 - light.ambient) * direct / max(float(lamp[2]), 0.3)
    bright = bright * np.maximum(1 + light.rim * (1 - normals @ camera), 0.1)
    half = lamp + camera
    half = half / np.linalg.norm(half)
    shine = look.gloss * np.maximum(normals @ half, 0) ** 40 * 255
    shaded: Floats = (colour * bright[:, None] + 0.6 * shine[:, None]).astype(np.float32)
    return shaded


def _sample(atlas: Floats, x: NDArray[Any], y: NDArray[Any]) -> Floats:
    """What the atlas (HxW or HxWx3) shows at each point: N values, or N colours."""
    rows = -(-len(x) // 1024)  # the library samples no row of more than 32,767 points
    at = np.zeros((2, rows * 1024), np.float32)
    at[0, : len(x)], at[1, : len(y)] = x, y
    at_x, at_y = at.reshape(2, rows, 1024)
    sampled = cv2.remap(atlas, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    flat: Floats = np.asarray(sampled, np.float32).reshape(-1, *atlas.shape[2:])[: len(x)]
    return flat


def _faces(value: int, seed: int) -> tuple[int, ...]:
    """Which face each slot has: -x, +x, -y, +y, -z (on the table), +z (up)."""
    others = [face for face in range(1, 7) if face not in (value, 7 - value)]
    first = others[seed % 4]
    second = [face for face in others if face not in (first, 7 - first)][seed // 4 % 2]
    # Opposite faces add up to seven.
    return (7 - first, first, 7 - second, second, 7 - value, value)


def _inks(order: Sequence[int], look: DieLook) -> Floats:
    """The colour (6x3) in which each slot's face is marked."""
    one = look.pip if look.one is None else look.one
    return np.array([one if face == 1 else look.pip for face in order], np.float32)


def _patch(look: DieLook) -> Floats:
    """The part of a face that a sticker covers (0..1)."""
    cover = np.zeros((_TEXTURE, _TEXTURE), np.float32)
    rim = round(_TEXTURE * (1 - look.sticker) / 2)
    cover[rim : _TEXTURE - rim, rim : _TEXTURE - rim] = 1
    return cover


def _stuck(picture: Image, look: DieLook) -> Floats:
    """A sticker's colours where it covers its face; its edge goes on around it."""
    rim = round(_TEXTURE * (1 - look.sticker) / 2)
    side = _TEXTURE - 2 * rim
    small = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    return _floats(np.asarray(cv2.copyMakeBorder(small, rim, rim, rim, rim, cv2.BORDER_REPLICATE)))


def _mark(face: int, look: DieLook) -> Floats:
    mark = np.zeros((_TEXTURE, _TEXTURE), np.uint8)
    glyph = look.glyphs[face - 1] if look.glyphs else ""
    if glyph:
        font, weight = cv2.FONT_HERSHEY_SIMPLEX, 9
        (width, height), _ = cv2.getTextSize(glyph, font, 1.0, weight)
        scale = 0.62 * _TEXTURE / max(width, height)
        (width, height), _ = cv2.getTextSize(glyph, font, scale, weight)
        at = ((_TEXTURE - width) // 2, (_TEXTURE + height) // 2)
        cv2.putText(mark, glyph, at, font, scale, 255, weight, cv2.LINE_AA)
        return _floats(mark / 255)
    middle = _TEXTURE / 2 - 0.5
    radius = look.pip_size * (look.one_size if face == 1 else 1.0) * _TEXTURE / 2
    for column, row in PIPS[face]:
        x, y = middle + column * look.pitch * _TEXTURE, middle + row * look.pitch * _TEXTURE
        at = (round(x * 256), round(y * 256))
        cv2.circle(mark, at, round(radius * 256), 255, -1, cv2.LINE_AA, 8)
    return _floats(mark / 255)
