"""Makes up photographs of dice, with the truth, to train the dice reader on.

Every picture comes from a seed: dice with many looks on many grounds in many lights, among
things that resemble dice or pips, taken by cameras of many qualities. No photograph is used.
"""

from __future__ import annotations

from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.render_dice import DieLook, Floats, Image, Light, draw_die

OTHER = 7  # the label of a face whose mark is no pips

SPRITE_SIDE = 72  # pixels along the side of a die in a sprite
FAMILY = 6  # sprites of one set of dice, one after the other


class Sprite(msgspec.Struct, frozen=True):
    """One die cut out: picture = paint + through * ground."""

    paint: Image
    through: Image
    corners: Floats  # of the upper face, in the sprite's pixels
    label: int  # 1..6, OTHER, or 0 for a cube with no marks


class Face(msgspec.Struct, frozen=True):
    """An upper face in a scene; `seen` is how much of it nothing covers, 0..1."""

    corners: Floats
    label: int
    seen: float


class Scene(msgspec.Struct, frozen=True):
    """A picture (BGR) and the upper faces in it."""

    image: Image
    faces: tuple[Face, ...]


def _colour(rng: Generator) -> tuple[float, float, float]:
    hsv = np.array([[[rng.integers(180), rng.integers(90, 256), rng.integers(40, 256)]]], np.uint8)
    b, g, r = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return float(b), float(g), float(r)


def _grey(rng: Generator, low: float, high: float, tinge: float = 12) -> tuple[float, float, float]:
    level = rng.uniform(low, high)
    b, g, r = np.clip(level + rng.normal(0, tinge, 3), 0, 255)
    return float(b), float(g), float(r)


def die_look(rng: Generator) -> DieLook:
    """A look as dice in shops and drawers have it."""
    kind = rng.random()
    if kind < 0.42:  # white, ivory, wood
        body = (235.0, 240.0, 242.0)
        if kind > 0.2:
            body = (rng.uniform(120, 235), rng.uniform(185, 240), rng.uniform(205, 250))
        pip = _grey(rng, 5, 60, 6) if rng.random() < 0.8 else _colour(rng)
    elif kind < 0.52:  # black, grey
        body = _grey(rng, 15, 110)
        pip = _grey(rng, 190, 250) if rng.random() < 0.8 else _colour(rng)
    else:
        body = _colour(rng)
        dark = sum(body) < 420
        light_pip = rng.random() < (0.9 if dark else 0.4)
        pip = _grey(rng, 190, 250) if light_pip else _grey(rng, 5, 60)
    # Pips stand out by brightness or, now and then, by colour alone.
    dull = abs(np.dot(body, (0.1, 0.6, 0.3)) - np.dot(pip, (0.1, 0.6, 0.3))) < 45
    if kind > 0.52 and rng.random() < 0.15:
        pip, dull = _colour(rng), False
    if dull or max(abs(np.subtract(body, pip))) < 70:
        pip = (10.0, 10.0, 10.0) if np.mean(body) > 110 else (245.0, 245.0, 245.0)
    swirl = None
    if kind > 0.52 and rng.random() < 0.22:
        b, g, r = np.clip(np.array(body) + rng.normal(0, 60, 3), 0, 255)
        swirl = (float(b), float(g), float(r))
    one = None
    if rng.random() < 0.1:
        one = (rng.uniform(0, 60), rng.uniform(0, 60), rng.uniform(150, 230))
    clear = rng.uniform(0.2, 0.85) if kind > 0.5 and rng.random() < 0.3 else 0.0
    glyphs: tuple[str, ...] = ()
    other = rng.random()
    if other < 0.05:
        glyphs = ("1", "2", "3", "4", "5", "6")
    elif other < 0.09:
        glyphs = tuple("ABCDEFGHIJKLMNOPRSTUVWXYZ*#@&%+?$"[rng.integers(33)] for _ in range(6))
    elif other < 0.12:  # one face with a symbol, the others with pips
        glyphs = tuple("*#@&%+"[rng.integers(6)] if i == 0 else "" for i in range(6))
    return DieLook(
        body=body,
        pip=pip,
        one=one,
        pip_size=rng.uniform(0.14, 0.26),
        one_size=rng.choice([1.0, 1.0, 1.0, 1.3, 1.7]),
        pitch=rng.uniform(0.225, 0.3),
        roundness=rng.uniform(0.01, 0.22),
        cut=rng.uniform(0.2, 1.0) if rng.random() < 0.4 else 0.0,
        drilled=rng.choice([0.0, rng.uniform(0, 1)]),
        gloss=rng.uniform(0, 0.9) ** 2,
        clear=clear,
        swirl=swirl,
        glyphs=glyphs,
    )


def make_sprite(seed: int) -> Sprite:
    """Draw one die over black and over white: what differs is what shines through.

    Each FAMILY of seeds in a row is one set of dice, seen from one side in one light.
    """
    family = np.random.default_rng([seed // FAMILY, 1])
    look = die_look(family)
    if family.random() < 0.05:
        look = msgspec.structs.replace(look, pip=look.body, one=None, drilled=0.0, glyphs=())
    tilts = [family.uniform(0, 14), family.uniform(10, 30), family.uniform(30, 56)]
    tilt = family.choice(tilts, p=[0.45, 0.25, 0.3])
    towards = family.uniform(0, 360)
    light = Light(
        azimuth=family.uniform(0, 360),
        height=family.uniform(25, 85),
        ambient=family.uniform(0.25, 0.9),
        shadow=family.uniform(0, 0.9),
        softness=family.uniform(0.02, 0.3),
        rim=family.choice([0.0, family.uniform(-0.8, 1.5)]),
    )
    rng = np.random.default_rng([seed, 2])
    value = int(rng.integers(1, 7))
    label = OTHER if look.glyphs and look.glyphs[value - 1] else value
    if look.pip == look.body:
        label = 0
    side = int(SPRITE_SIDE * 5)
    centre, angle = (side / 2, side / 2), rng.uniform(0, 90)
    layers = []
    for ground in (0, 255):
        canvas = np.full((side, side, 3), ground, np.uint8)
        corners = draw_die(
            canvas,
            centre,
            SPRITE_SIDE,
            angle,
            value,
            look,
            light=light,
            tilt=tilt,
            towards=towards,
            seed=seed,
            rays=1,
        )
        layers.append(canvas)
    through = np.asarray(cv2.subtract(layers[1], layers[0]), np.uint8)
    ys, xs = np.nonzero(through.min(axis=2) < 253)
    box = slice(ys.min(), ys.max() + 1), slice(xs.min(), xs.max() + 1)
    shifted = corners - np.array([xs.min(), ys.min()], np.float32)
    return Sprite(layers[0][box], through[box], shifted, label)


def ground(rng: Generator, side: int) -> Image:
    """A table, a cloth, a print or a carpet, `side` pixels square."""
    kind = rng.random()
    base = np.array(_grey(rng, 20, 245, 8) if rng.random() < 0.45 else _colour(rng), np.float32)
    canvas = np.empty((side, side, 3), np.float32)
    canvas[:] = base
    grid = np.mgrid[0:side, 0:side].astype(np.float32)
    turn = rng.uniform(0, np.pi)
    along = grid[1] * np.cos(turn) + grid[0] * np.sin(turn)
    across = -grid[1] * np.sin(turn) + grid[0] * np.cos(turn)

    def noise(scale: float) -> Floats:
        small = rng.normal(0, 1, (max(2, int(side / scale) + 2),) * 2).astype(np.float32)
        return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC), np.float32)

    if kind < 0.2:  # plain, a little uneven
        canvas += (noise(side / 3) * rng.uniform(0, 8))[..., None]
    elif kind < 0.42:  # wood
        base = np.array((rng.uniform(30, 150), rng.uniform(70, 190), rng.uniform(110, 230)), np.float32)
        canvas[:] = base
        warp = across + noise(side / 4) * rng.uniform(2, 14)
        grain = np.sin(warp / rng.uniform(0.8, 6)) + 0.6 * np.sin(warp / rng.uniform(2, 14))
        fine: Any = rng.normal(0, 1, (side, 6)).astype(np.float32)
        fine = cv2.resize(fine, (side, side), interpolation=cv2.INTER_LINEAR)
        canvas += ((grain * rng.uniform(0, 14) + fine * rng.uniform(0, 10)) * rng.uniform(0.2, 1.0))[
            ..., None
        ] * rng.uniform(0.6, 1.2, 3)
        for _ in range(rng.integers(0, 3)):
            at = tuple(int(v) for v in rng.integers(0, side, 2))
            axes = (int(rng.integers(2, 7)), int(rng.integers(2, 12)))
            knot = (base * rng.uniform(0.3, 0.8)).tolist()
            cv2.ellipse(canvas, at, axes, float(np.degrees(turn)), 0, 360, knot, -1, cv2.LINE_AA)
    elif kind < 0.56:  # weave, grating
        step = rng.uniform(1.2, 9)
        weave = np.sin(along / step) * np.sin(across / step * rng.uniform(0.6, 1.5))
        if rng.random() < 0.4:
            weave = np.sign(weave)
        canvas += (weave * rng.uniform(4, 60) + noise(2) * rng.uniform(0, 12))[..., None]
    elif kind < 0.72:  # carpet, leather, concrete
        rough = noise(rng.uniform(1.5, 8)) + 0.5 * noise(rng.uniform(1, 3))
        canvas += (rough * rng.uniform(4, 38))[..., None]
        canvas += (noise(side / 3) * rng.uniform(0, 15))[..., None]
    elif kind < 0.84:  # a print: shapes in colours, text, lines
        for _ in range(rng.integers(3, 14)):
            points = rng.integers(-20, side + 20, 2) + rng.integers(-50, 50, (int(rng.integers(3, 7)), 2))
            cv2.fillPoly(canvas, [cv2.convexHull(points.astype(np.int32))], _colour(rng), cv2.LINE_AA)
        for _ in range(rng.integers(0, 12)):
            a, b = rng.integers(0, side, (2, 2)).tolist()
            cv2.line(canvas, a, b, _colour(rng), int(rng.integers(1, 4)), cv2.LINE_AA)
    else:  # squared or ruled paper, tiles
        step = rng.uniform(5, 60)
        width = rng.uniform(0.5, 2.5)
        lines = (np.mod(along, step) < width) | ((np.mod(across, step) < width) & (rng.random() < 0.8))
        ink = np.array(_colour(rng), np.float32)
        canvas = np.where(lines[..., None], canvas * 0.4 + ink * 0.6, canvas)
        canvas += (noise(3) * rng.uniform(0, 6))[..., None]
    image = np.clip(canvas, 0, 255).astype(np.uint8)
    if rng.random() < 0.35:
        for _ in range(rng.integers(1, 6)):
            text = "".join(chr(rng.integers(33, 123)) for _ in range(rng.integers(1, 12)))
            at = tuple(int(v) for v in rng.integers(-10, side, 2))
            tone = _grey(rng, 0, 255)
            cv2.putText(
                image,
                text,
                at,
                int(rng.integers(0, 8)),
                rng.uniform(0.25, 1.4),
                tone,
                int(rng.integers(1, 4)),
                cv2.LINE_AA,
            )
    return image


def _print_on(image: Image, corners: Floats, rng: Generator) -> None:
    """A few small letters in the middle of a face, light or dark."""
    text = "".join(chr(rng.integers(48, 91)) for _ in range(rng.integers(1, 4)))
    size = float(np.sqrt(cv2.contourArea(corners))) * rng.uniform(0.007, 0.012)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    x, y = corners.mean(axis=0) + np.array([-width / 2, height / 2])
    tone = _grey(rng, 0, 70) if rng.random() < 0.5 else _grey(rng, 190, 255)
    cv2.putText(image, text, (int(x), int(y)), cv2.FONT_HERSHEY_SIMPLEX, size, tone, 1, cv2.LINE_AA)


def _keys(image: Image, rng: Generator, at: tuple[float, float], unit: float) -> None:
    """Some rows of keys, each with a letter."""
    step, turn = unit * rng.uniform(0.7, 1.4), rng.uniform(0, 90)
    dark = rng.random() < 0.7
    body = _grey(rng, 10, 70) if dark else _grey(rng, 150, 250)
    ink = _grey(rng, 160, 250) if dark else _grey(rng, 0, 80)
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    for row, column in np.ndindex(int(rng.integers(1, 5)), int(rng.integers(2, 7))):
        dx, dy = (column + 0.4 * row) * step, row * step
        x, y = at[0] + c * dx - s * dy, at[1] + s * dx + c * dy
        box = cv2.boxPoints(((x, y), (step * 0.86, step * 0.86), turn)).astype(np.int32)
        cv2.fillConvexPoly(image, box, body, cv2.LINE_AA)
        corner = int(x - step * 0.3), int(y + step * 0.1)
        letter = chr(rng.integers(46, 91))
        cv2.putText(image, letter, corner, cv2.FONT_HERSHEY_SIMPLEX, step * 0.016, ink, 1, cv2.LINE_AA)


def _clutter(image: Image, rng: Generator, unit: float) -> None:
    """Things that resemble pips or dice: dots, rings, screws, tokens, cables, edges of cards."""
    side = image.shape[0]
    for _ in range(rng.poisson(1.5)):
        kind = rng.random()
        x, y = (float(v) for v in rng.uniform(0, side, 2))
        tone = _grey(rng, 0, 255) if rng.random() < 0.6 else _colour(rng)
        at = (int(x), int(y))
        if kind < 0.07:
            _keys(image, rng, (x, y), unit)
        elif kind < 0.3:  # one dot or a heap of them
            radius = max(1, int(unit * rng.uniform(0.05, 0.3)))
            for _ in range(rng.choice([1, 1, 2, 3, 5, 8])):
                dx, dy = rng.normal(0, unit * 0.6, 2)
                cv2.circle(image, (int(x + dx), int(y + dy)), radius, tone, -1, cv2.LINE_AA)
        elif kind < 0.45:
            ring = int(unit * rng.uniform(0.15, 0.9))
            cv2.circle(image, at, ring, tone, int(rng.integers(1, 4)), cv2.LINE_AA)
        elif kind < 0.6:  # a token, a coin, a pawn from above
            radius = int(unit * rng.uniform(0.2, 0.8))
            cv2.circle(image, at, radius, tone, -1, cv2.LINE_AA)
            cv2.circle(image, at, max(1, radius // 3), _grey(rng, 0, 255), -1, cv2.LINE_AA)
        elif kind < 0.8:  # a card, a box, a square token
            size = unit * rng.uniform(0.5, 3.5), unit * rng.uniform(0.5, 3.5)
            box = cv2.boxPoints(((x, y), size, rng.uniform(0, 90))).astype(np.int32)
            cv2.fillConvexPoly(image, box, tone, cv2.LINE_AA)
        else:  # a cable, a pen
            points = np.cumsum(rng.normal(0, unit, (6, 2)), axis=0) + np.array([x, y])
            width = int(unit * rng.uniform(0.08, 0.5)) + 1
            cv2.polylines(image, [points.astype(np.int32)], False, tone, width, cv2.LINE_AA)


def take(image: Image, rng: Generator) -> Image:
    """What a camera makes of it: light, focus, motion, noise, colour, compression."""
    side = image.shape[0]
    picture: Any = image.astype(np.float32)
    if rng.random() < 0.6:  # uneven light, the edge of a shadow
        grid = np.mgrid[0:side, 0:side].astype(np.float32) / side - 0.5
        turn = rng.uniform(0, 2 * np.pi)
        ramp = grid[0] * np.sin(turn) + grid[1] * np.cos(turn) + rng.uniform(-0.3, 0.3)
        if rng.random() < 0.3:
            ramp = np.tanh(ramp * rng.uniform(5, 60)) * 0.4
        picture *= (1 + ramp * rng.uniform(0, 1.1))[..., None]
    picture *= rng.uniform(0.9, 1.1, 3) if rng.random() < 0.6 else rng.uniform(0.6, 1.15, 3)
    level = rng.uniform(0.75, 1.15) if rng.random() < 0.7 else rng.uniform(0.2, 1.5)
    picture = picture * level + rng.uniform(0, 30) * (rng.random() < 0.3)
    if rng.random() < 0.12:
        picture[:] = picture.mean(axis=2, keepdims=True)
    if rng.random() < 0.75:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.2, 1.0) + rng.exponential(0.35))
    if rng.random() < 0.1:
        length = int(rng.integers(2, 7))
        kernel = np.zeros((length, length), np.float32)
        ends = ((0, int(rng.integers(length))), (length - 1, int(rng.integers(length))))
        cv2.line(kernel, *ends, 1.0)
        picture = cv2.filter2D(picture, -1, kernel / kernel.sum())
    if rng.random() < 0.25:
        picture += (picture - cv2.GaussianBlur(picture, (0, 0), 1.2)) * rng.uniform(0.2, 1.2)
    picture = np.clip(picture, 0, 255)
    if rng.random() < 0.5:
        picture = 255 * (picture / 255) ** rng.uniform(0.6, 1.6)
    picture += rng.normal(0, rng.exponential(3.0), picture.shape)
    out: Any = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))]
        out = cv2.imdecode(cv2.imencode(".jpg", out, quality)[1], cv2.IMREAD_COLOR)
    return np.asarray(out, np.uint8)


def make_scene(
    sprites: list[Sprite], grounds: list[Image], rng: Generator, side: int, sizes: tuple[float, float]
) -> Scene:
    """One picture, `side` pixels square, of dice whose sides are `sizes` pixels (low, high)."""
    unit = float(np.exp(rng.uniform(*np.log(sizes))))
    image = _ground_crop(grounds, rng, side)
    _clutter(image, rng, unit)
    family = int(rng.integers(len(sprites) // FAMILY)) * FAMILY
    if rng.random() < 0.12:  # dice on a table of their own colour
        body = np.median(sprites[family].paint.reshape(-1, 3), axis=0)
        tint = rng.uniform(0.5, 0.95)
        image[:] = np.clip(image * (1 - tint) + body * rng.uniform(0.8, 1.15) * tint, 0, 255)
    owner = np.zeros((side, side), np.int32)  # which die is seen where; 0: none
    placed: list[tuple[Floats, int]] = []
    count = int(rng.choice([0, 1, 2, 3, 5, 8], p=[0.08, 0.14, 0.2, 0.23, 0.2, 0.15]))
    spots: list[NDArray[np.float64]] = []
    turn, flip = rng.uniform(0, 2 * np.pi), bool(rng.random() < 0.5)
    for number in range(1, count + 1):
        stranger = rng.random() < 0.25
        sprite = sprites[int(rng.integers(len(sprites))) if stranger else family + int(rng.integers(FAMILY))]
        size = unit * (1.0 if rng.random() < 0.7 else rng.uniform(0.6, 1.5))
        if spots and rng.random() < 0.45:  # touching another, or nearly
            way = rng.uniform(0, 2 * np.pi)
            near = spots[int(rng.integers(len(spots)))]
            spot = near + size * rng.uniform(1.0, 1.35) * np.array([np.cos(way), np.sin(way)])
        else:
            spot = rng.uniform(0, side, 2)
        if any(np.hypot(*(spot - other)) < 0.92 * size for other in spots):
            continue
        spots.append(spot)
        placed.append((_paste(image, owner, sprite, spot, size, turn, flip, number), sprite.label))
        if rng.random() < 0.04:  # a maker's name or a number between the pips
            _print_on(image, placed[-1][0], rng)
        owner_number = len(placed)
        if owner_number != number:
            owner[owner == number] = owner_number
    faces = []
    for number, (corners, label) in enumerate(placed, 1):
        faces.append(Face(corners, label, _seen(owner, corners, number)))
    return Scene(take(image, rng), tuple(faces))


def _ground_crop(grounds: list[Image], rng: Generator, side: int) -> Image:
    whole = grounds[int(rng.integers(len(grounds)))]
    part = int(rng.integers(side * 2 // 3, min(whole.shape[0], side * 2) + 1))
    x, y = rng.integers(0, whole.shape[0] - part + 1, 2)
    crop = cv2.resize(whole[y : y + part, x : x + part], (side, side), interpolation=cv2.INTER_AREA)
    gain = rng.uniform(0.6, 1.3) * rng.uniform(0.85, 1.15, 3)
    crop = np.clip(crop * gain, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(np.rot90(crop, int(rng.integers(4))))


def _paste(
    image: Image,
    owner: NDArray[np.int32],
    sprite: Sprite,
    spot: NDArray[np.float64],
    size: float,
    turn: float,
    flip: bool,
    number: int,
) -> Floats:
    side = image.shape[0]
    zoom = size / SPRITE_SIDE
    c, s = zoom * np.cos(turn), zoom * np.sin(turn)
    linear = np.array([[c, -s], [s, c]]) @ np.diag([-1.0 if flip else 1.0, 1.0])
    middle = sprite.corners.mean(axis=0)
    matrix = np.hstack([linear, (spot - linear @ middle)[:, None]])
    paint: Any = sprite.paint
    through: Any = sprite.through
    if zoom < 0.7:  # shrink without aliasing first
        step = max(zoom * 1.3, 0.05)
        shape = (max(1, round(paint.shape[1] * step)), max(1, round(paint.shape[0] * step)))
        paint = cv2.resize(paint, shape, interpolation=cv2.INTER_AREA)
        through = cv2.resize(through, shape, interpolation=cv2.INTER_AREA)
        scale = np.array([sprite.paint.shape[1] / shape[0], sprite.paint.shape[0] / shape[1]])
        shift = (scale - 1) / 2
        matrix = np.hstack([matrix[:, :2] * scale, (matrix[:, 2] + matrix[:, :2] @ shift)[:, None]])
    paint = cv2.warpAffine(paint, matrix, (side, side), flags=cv2.INTER_LINEAR)
    through = cv2.warpAffine(
        through, matrix, (side, side), flags=cv2.INTER_LINEAR, borderValue=(255, 255, 255)
    )
    image[:] = cv2.add(cv2.multiply(image, through, scale=1 / 255), paint)
    linear_full = np.hstack([linear, (spot - linear @ middle)[:, None]])
    corners: Floats = (sprite.corners @ linear_full[:, :2].T + linear_full[:, 2]).astype(np.float32)
    owner[paint.max(axis=2) > 12] = number
    cv2.fillConvexPoly(owner, np.round(corners).astype(np.int32), number)
    return corners


def _seen(owner: NDArray[np.int32], corners: Floats, number: int) -> float:
    mask = np.zeros(owner.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    area = float(cv2.contourArea(corners)) + 1
    return min(1.0, float(np.count_nonzero((owner == number) & (mask > 0))) / area)
