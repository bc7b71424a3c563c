"""The emulated camera: an ordinary source of frames, which can be told to misbehave."""

from __future__ import annotations

import math
import threading

import cv2
import numpy as np

from companion.emulated.scene import Scene, bare_table
from companion.emulated.viewpoint import Viewpoint
from companion.emulated.world import World
from companion.games.layout import TableMap
from vision.source import Frame, Image, SourceFault

RATE = 10.0
"""Frames a second."""

SIZES = ((1280, 720), (1920, 1080), (2304, 1296))
"""Pixels of a camera's pictures, across and down."""

MARKER = 25.0
"""Pixels that the side of a marker takes in a picture that is as wide as the sheet, so that it is read."""

_DRIFT = 0.02  # how far the lamp gets brighter and darker by itself
_SLOW = 40.0  # seconds that one such change takes


class EmulatedCamera:
    """Looks down on a World. Misbehaves on demand, from any thread.

    `lamp` multiplies the light (0.02 is the dark), `cast` its blue, green and red; `blocked` frames never
    come; `unplugged` raises as a pulled cable does; `shake` is how many pixels the picture jumps about.
    Without a `size` the pictures are the smallest of SIZES that the game's markers can be read in. `aside`
    are the degrees that it leans more than one that hangs over the middle of the table.
    """

    def __init__(
        self,
        world: World,
        rate: float = RATE,
        size: tuple[int, int] | None = None,
        aside: float = 0.0,
    ) -> None:
        self.name = "emulated"
        self.lamp = 1.0
        self.cast = (1.0, 1.0, 1.0)
        self.shake = 0.0
        self.blocked = threading.Event()
        self.unplugged = threading.Event()
        self._world = world
        self._clock = world.clock
        self._rate = rate
        self._size = size
        self._aside = aside
        self._scene: tuple[int, Scene] | None = None
        self._bare: Image | None = None
        self._chance = np.random.default_rng(world.seed)
        self._due = self._clock.now()
        self._open = False

    def open(self) -> None:
        """Plug it in, unless its cable is pulled."""
        self._connected()
        self._due = self._clock.now()
        self._open = True

    def read(self, timeout: float) -> Frame | None:
        """The next frame; None when it is blocked or none is due within `timeout` seconds."""
        if not self._open:
            raise SourceFault("The emulated camera is not open.", "Open it before reading.", False)
        self._connected()
        wait = self._due - self._clock.now()
        if self.blocked.is_set() or wait > timeout:
            self._clock.sleep(timeout)
            return None
        self._clock.sleep(wait)
        now = self._clock.now()
        self._due = max(self._due + 1 / self._rate, now)
        return Frame(now, self._look(now))

    def close(self) -> None:
        """Let it go."""
        self._open = False

    def give_up(self) -> None:
        """Opening takes no time."""

    @property
    def viewpoint(self) -> Viewpoint:
        """Where the camera hangs over the sheet; ValueError while the table is bare."""
        scene = self._over_table()
        if scene is None:
            raise ValueError("The table is bare: set a game out first.")
        return scene.viewpoint

    def _over_table(self) -> Scene | None:
        """The scene of the game that is set out; None while the table is bare."""
        game, map, box = self._world.games, self._world.map, self._world.box
        if map is None or box is None:
            return None
        if self._scene is None or self._scene[0] != game:
            self._scene = (
                game,
                Scene(map, box, self._world.seed, self._size or size_for(map), aside=self._aside),
            )
        return self._scene[1]

    def _connected(self) -> None:
        if self.unplugged.is_set():
            raise SourceFault("The emulated camera is unplugged.", "Plug it in again.", permanent=False)

    def _look(self, now: float) -> Image:
        moment = self._world.moment(now)
        scene = self._over_table()
        if scene is None:
            if self._bare is None:
                self._bare = bare_table(self._size or SIZES[0], self._world.seed)
            return self._bare
        jump = self._chance.uniform(-1, 1, 2) * self.shake
        light = self.lamp * (1 + _DRIFT * math.sin(now / _SLOW * 2 * math.pi))
        picture = scene.draw(moment, light=light, shift=(float(jump[0]), float(jump[1])))
        if self.cast == (1.0, 1.0, 1.0):
            return picture
        return np.asarray(cv2.transform(picture, np.diag(self.cast)), np.uint8)


def size_for(map: TableMap) -> tuple[int, int]:
    """The smallest of SIZES in which the smallest marker of that table is MARKER pixels wide."""
    sides = [marker.side for marker in map.corners] + [token.side for token in map.tokens]
    needed = MARKER / min(sides) * map.width
    return next((size for size in SIZES if size[0] >= needed), SIZES[-1])
