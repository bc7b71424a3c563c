"""Makes up evenings over a dice tray, frame by frame, with the truth: what was thrown, and what was no throw.

Everything comes from a seed: dice, cloth, camera, lamp, and what people do. Hands take dice up, throw all
or some of them, reach over those that lie; dice bounce, pause on an edge and roll over once more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.render_dice import DieLook, Light, draw_die

Image = NDArray[np.uint8]
Floats = NDArray[Any]

STEP = 0.1
"""Seconds from one frame to the next."""

SIZE = (480, 360)
"""Pixels of a frame, across and down: about what the tray takes of a camera's picture."""

MOST = 6
"""Dice that lie there at most."""

_LOOKS = (
    DieLook(),
    DieLook(body=(40, 40, 190), pip=(240, 240, 240)),
    DieLook(body=(35, 35, 35), pip=(235, 235, 235), gloss=0.6),
    DieLook(body=(150, 90, 40), pip=(245, 245, 245), drilled=0.2),
    DieLook(body=(200, 225, 235), pip=(20, 20, 20), one=(30, 30, 200), roundness=0.16),
)
_APART = 1.5  # of a side: how near two dice come to lie
_RIM = 1.3  # of a side: how near to the picture's edge
_SKINS = ((120, 150, 200), (60, 90, 140), (150, 180, 225), (90, 60, 50))
_NOISE_SHIFT = 64
_REACH = 4  # frames in which an arm comes in, and goes
_LONGEST_PAUSE = 3  # frames for which a die stands on an edge, while the picture may not rest


class Lying(msgspec.Struct, frozen=True):
    """A die: the middle of its upper face in pixels, its turn in degrees, its value; `seed`: of its sides."""

    x: float
    y: float
    turn: float
    value: int
    seed: int


class Shot(msgspec.Struct, frozen=True):
    """What one frame shows: dice at rest, dice that roll, the fingertips of an arm, and the lamp."""

    lying: tuple[Lying, ...]
    rolling: tuple[Lying, ...] = ()
    tip: tuple[float, float] | None = None
    lamp: float = 1.0
    shift: tuple[float, float] = (0.0, 0.0)


class Act(msgspec.Struct, frozen=True):
    """What people did: whether it was a throw, the dice that lie then, and its frames; it ends at rest."""

    name: str
    throws: bool
    values: tuple[int, ...]
    shots: tuple[Shot, ...]


class Evening:
    """One table: a camera, dice of one look, and acts one after the other. Deterministic by `seed`."""

    def __init__(self, seed: int) -> None:
        self._rng = rng = np.random.default_rng(seed)
        self.side = float(rng.uniform(24, 44))
        self._look = _LOOKS[int(rng.integers(len(_LOOKS)))]
        self._light = Light(azimuth=float(rng.uniform(0, 360)), height=float(rng.uniform(45, 75)))
        self._tilt, self._towards = float(rng.uniform(0, 25)), float(rng.uniform(60, 120))
        noise, self._flicker = float(rng.uniform(1, 5)), float(rng.choice((0.0, 0.03, 0.08)))
        # One picture of noise, shifted about, is as good as a new one each time.
        shape = (SIZE[1] + _NOISE_SHIFT, SIZE[0] + _NOISE_SHIFT, 1)
        self._grain = rng.standard_normal(shape, np.float32) * np.float32(noise)
        self._skin = _SKINS[int(rng.integers(len(_SKINS)))]
        self._lamp, self._shift = 1.0, (0.0, 0.0)
        self._lying: tuple[Lying, ...] = ()
        self._ground = _cloth(rng, dark=max(self._look.body) < 60)
        self._base: tuple[Any, Image] | None = None
        self._frame = 0

    def acts(self, throws: int) -> Iterator[Act]:
        """Acts until so many throws are done. The dice of an earlier game may lie there already."""
        rng = self._rng
        if rng.random() < 0.5:
            self._lying = self._landed((), int(rng.integers(1, 6)))
        yield Act("lying from before", bool(self._lying), self._values(), self._rest())
        done = 0
        while done < throws:
            act = self._act(float(rng.random()))
            done += act.throws
            yield act

    def draw(self, shot: Shot) -> Image:
        """The frame (BGR, uint8, as large as SIZE) that shows it, with fresh noise."""
        self._frame += 1
        # Only what rests is kept: it is drawn once.
        if self._base is None or self._base[0] != (shot.lying, shot.shift):
            moved = np.array([[1, 0, shot.shift[0]], [0, 1, shot.shift[1]]], float)
            still = cv2.warpAffine(self._ground, moved, SIZE, borderMode=cv2.BORDER_REFLECT)
            self._base = ((shot.lying, shot.shift), self._with_dice(still, shot.lying, shot.shift))
        picture = self._base[1].copy()
        if shot.rolling:
            picture = self._with_dice(picture, shot.rolling, shot.shift, rays=1)
        if shot.tip is not None:
            _draw_arm(picture, shot.tip, self.side, self._skin)
        rows = np.arange(SIZE[1], dtype=np.float32)[:, None, None]
        bands = 1 + self._flicker * np.sin(rows / 60 + 1.7 * self._frame)
        left, top = self._rng.integers(_NOISE_SHIFT, size=2)
        noise = self._grain[top : top + SIZE[1], left : left + SIZE[0]]
        lit = picture * np.asarray(bands * shot.lamp, np.float32)
        return np.clip(lit + noise, 0, 255, out=lit).astype(np.uint8)

    # -- what people do -----------------------------------------------------------------------

    def _act(self, chance: float) -> Act:
        rng, lying = self._rng, self._lying
        if not lying or chance < 0.35:
            return self._throw("all thrown", lying, int(rng.integers(1, MOST)))
        if chance < 0.65 and len(lying) > 1:
            some = int(rng.integers(1, len(lying)))
            taken = tuple(lying[place] for place in rng.choice(len(lying), some, replace=False))
            return self._throw("some thrown again", taken, some)
        if chance < 0.72 and len(lying) < MOST:
            return self._throw("more thrown", (), int(rng.integers(1, MOST - len(lying) + 1)))
        if chance < 0.85:
            over = lying[int(rng.integers(len(lying)))]
            at = (over.x, over.y) if rng.random() < 0.6 else self._somewhere()
            return self._told(
                "hand over dice", False, [*self._arm(at, int(rng.integers(0, 30))), *self._rest()]
            )
        if chance < 0.9:
            shots = self._taken(lying)
            return self._told("taken away", False, [*shots, *self._rest()])
        if chance < 0.95:
            self._lamp = float(rng.uniform(0.5, 1.15))
            return self._told("lamp changed", False, self._rest())
        far, way = float(rng.uniform(2, 0.9 * self.side)), float(rng.uniform(0, 2 * np.pi))
        steps = [self._shot(shift=(float(rng.uniform(-6, 6)), float(rng.uniform(-6, 6)))) for _ in range(3)]
        # A camera that was bumped is pushed back later, so that no die is lost over the edge.
        back = self._shift != (0.0, 0.0)
        self._shift = (0.0, 0.0) if back else (far * float(np.cos(way)), far * float(np.sin(way)))
        return self._told("camera bumped", False, [*steps, *self._rest()])

    def _throw(self, name: str, taken: Sequence[Lying], count: int) -> Act:
        """Those dice are taken up, if any, held for a while, and so many thrown."""
        rng = self._rng
        shots = self._taken(taken) if taken else []
        shots += [self._shot() for _ in range(int(rng.integers(0, 20)))]
        others = self._lying
        landed = self._landed(others, count)
        hand = self._somewhere()
        # The arm stays near the rim: dice fly out of it.
        hand = (hand[0], SIZE[1] - self.side)
        paths = [list(self._path(hand, die)) for die in landed]
        longest = max(map(len, paths))
        arm: list[tuple[float, float] | None] = [*self._way_in(hand), *reversed(self._way_in(hand))]
        for tip in arm[:_REACH]:
            shots.append(self._shot(tip=tip))
        for frame in range(longest):
            here = arm[_REACH + frame] if _REACH + frame < len(arm) else None
            rolling = tuple(path[frame] for path in paths if frame < len(path))
            resting = tuple(die for die, path in zip(landed, paths, strict=True) if frame >= len(path))
            shots.append(Shot((*others, *resting), rolling, here, self._lamp, self._shift))
        self._lying = (*others, *landed)
        shots += [self._shot(tip=tip) for tip in arm[_REACH + longest :]]
        return self._told(name, True, [*shots, *self._rest()])

    def _path(self, hand: tuple[float, float], end: Lying) -> Iterator[Lying]:
        """A die on its way: it bounces less and less, and may pause on an edge before it rolls over."""
        rng = self._rng
        frames = int(rng.integers(4, 16))
        bounces, high = int(rng.integers(1, 5)), float(rng.uniform(0, 1.6)) * self.side
        across = np.array([-(end.y - hand[1]), end.x - hand[0]])
        across = across / max(float(np.hypot(*across)), 1.0)
        spin = float(rng.uniform(-900, 900))
        pause = int(rng.integers(0, _LONGEST_PAUSE + 1)) if rng.random() < 0.3 else 0
        for frame in range(frames):
            part = 1 - (1 - frame / frames) ** 2
            hop = across * high * (1 - part) * abs(np.sin(bounces * np.pi * part))
            x, y = np.array(hand) * (1 - part) + np.array((end.x, end.y)) * part + hop
            value = end.value if part > 0.95 else int(rng.integers(1, 7))
            die = Lying(float(x), float(y), end.turn + spin * (1 - part), value, int(rng.integers(8)))
            yield die
            if pause and frame == max(frames - 2, 0):
                for _ in range(pause):
                    yield die

    def _taken(self, dice: Sequence[Lying]) -> list[Shot]:
        """A hand comes, rests, and takes those dice away, perhaps in two grips."""
        rng = self._rng
        shots: list[Shot] = []
        split = int(rng.integers(len(dice))) if rng.random() < 0.4 else 0
        for grip in (dice[:split], dice[split:]):
            if not grip:
                continue
            at = (float(np.mean([die.x for die in grip])), float(np.mean([die.y for die in grip])))
            way = self._way_in(at)
            shots += [self._shot(tip=tip) for tip in way]
            shots += [self._shot(tip=at) for _ in range(int(rng.integers(0, 10)))]
            self._lying = tuple(die for die in self._lying if die not in grip)
            shots += [self._shot(tip=tip) for tip in reversed(way)]
        return shots

    def _arm(self, at: tuple[float, float], frames: int) -> list[Shot]:
        way = self._way_in(at)
        return [self._shot(tip=tip) for tip in (*way, *(at for _ in range(frames)), *reversed(way))]

    def _way_in(self, at: tuple[float, float]) -> list[tuple[float, float]]:
        out = (at[0] + (at[0] - SIZE[0] / 2) * 0.3, SIZE[1] + 2 * self.side)
        parts = [(step + 1) / _REACH for step in range(_REACH)]
        return [(out[0] + (at[0] - out[0]) * part, out[1] + (at[1] - out[1]) * part) for part in parts]

    def _landed(self, others: Sequence[Lying], count: int) -> tuple[Lying, ...]:
        """So many dice, none of them on another one."""
        rng, landed = self._rng, list[Lying]()
        while len(landed) < count:
            x, y = self._somewhere()
            if all(np.hypot(x - die.x, y - die.y) > _APART * self.side for die in (*others, *landed)):
                value, seed = int(rng.integers(1, 7)), int(rng.integers(8))
                landed.append(Lying(x, y, float(rng.uniform(0, 360)), value, seed))
        return tuple(landed)

    def _somewhere(self) -> tuple[float, float]:
        rim = (_RIM + 0.9) * self.side  # a bump must not push a die over the edge
        return (
            float(self._rng.uniform(rim, SIZE[0] - rim)),
            float(self._rng.uniform(rim, SIZE[1] - rim)),
        )

    def _rest(self) -> tuple[Shot, ...]:
        return tuple(self._shot() for _ in range(int(self._rng.integers(14, 28))))

    def _shot(self, tip: tuple[float, float] | None = None, shift: tuple[float, float] | None = None) -> Shot:
        return Shot(self._lying, (), tip, self._lamp, self._shift if shift is None else shift)

    def _told(self, name: str, throws: bool, shots: Sequence[Shot]) -> Act:
        return Act(name, throws, self._values(), tuple(shots))

    def _values(self) -> tuple[int, ...]:
        return tuple(sorted(die.value for die in self._lying))

    def _with_dice(
        self, under: Any, dice: Sequence[Lying], shift: tuple[float, float], rays: int = 2
    ) -> Image:
        picture: Image = np.asarray(under, np.uint8).copy()
        for die in sorted(dice, key=lambda die: die.y):
            draw_die(
                picture, (die.x + shift[0], die.y + shift[1]), self.side, die.turn, die.value, self._look,
                light=self._light, tilt=self._tilt, towards=self._towards, seed=die.seed, rays=rays,
            )  # fmt: skip
        return picture


def _cloth(rng: Generator, *, dark: bool) -> Image:
    """The tray's ground: cloth of one colour, grained. Dark dice lie on a light one, as people choose it."""
    colour = rng.uniform(90, 190, 3) if dark else rng.uniform(30, 110, 3)
    grain = cv2.GaussianBlur(rng.normal(0, 14, (SIZE[1], SIZE[0], 1)), (0, 0), float(rng.uniform(0.6, 2.5)))
    return np.clip(colour + grain[..., None], 0, 255).astype(np.uint8)


def _draw_arm(picture: Image, tip: tuple[float, float], side: float, skin: tuple[int, int, int]) -> None:
    """An arm from the lower edge, three fingers first; it darkens what is beside it."""
    shoulder = (tip[0] + (tip[0] - SIZE[0] / 2) * 0.3, SIZE[1] + 6 * side)
    # The shadow is soft: a quarter of the size will do.
    shade = np.zeros((SIZE[1] // 4, SIZE[0] // 4), np.float32)
    cv2.line(
        shade,
        _pixel((tip[0] / 4, tip[1] / 4), side / 8),
        _pixel((shoulder[0] / 4, shoulder[1] / 4), side / 8),
        1.0,
        int(0.65 * side),
    )
    dim = cv2.resize(1 - 0.35 * cv2.GaussianBlur(shade, (0, 0), side / 16), SIZE)
    picture[:] = cv2.blendLinear(picture, np.zeros_like(picture), dim, 1 - dim)
    palm = (tip[0], tip[1] + side)
    for finger in (-0.7, 0.0, 0.7):
        cv2.line(picture, _pixel((tip[0] + finger * side, tip[1]), 0), _pixel(palm, 0), skin, int(0.6 * side))
    cv2.line(picture, _pixel(palm, 0), _pixel(shoulder, 0), skin, int(2.2 * side), cv2.LINE_AA)


def _pixel(at: tuple[float, float], off: float) -> tuple[int, int]:
    return round(at[0] + off), round(at[1] + off)
