"""The emulated camera: an ordinary source of frames, which can be told to misbehave."""

from __future__ import annotations

import math
import threading

import numpy as np

from companion.emulated.scene import Scene, bare_table
from companion.emulated.viewpoint import Viewpoint
from companion.emulated.world import World
from companion.games.layout import TableMap
from vision.source import Frame, Image, SourceFault

RATE = 10.0
"""Frames a second."""

_DRIFT = 0.02  # how far the lamp gets brighter and darker by itself
_SLOW = 40.0  # seconds that one such change takes


class EmulatedCamera:
    """Looks down on a World. Misbehaves on demand, from any thread.

    `lamp` multiplies the light (0.02 is the dark); `blocked` frames never come; `unplugged` raises
    as a pulled cable does; `shake` is how many pixels the picture jumps about.
    """

    def __init__(
        self,
        world: World,
        rate: float = RATE,
        size: tuple[int, int] = (1280, 720),
    ) -> None:
        self.name = "emulated"
        self.lamp = 1.0
        self.shake = 0.0
        self.blocked = threading.Event()
        self.unplugged = threading.Event()
        self._world = world
        self._clock = world.clock
        self._rate = rate
        self._size = size
        self._scene: tuple[TableMap, Scene] | None = None
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

    @property
    def viewpoint(self) -> Viewpoint:
        """Where the camera hangs over the sheet; ValueError while the table is bare."""
        sheet = self._world.map
        if sheet is None:
            raise ValueError("The table is bare: set a game out first.")
        return self._over(sheet).viewpoint

    def _over(self, sheet: TableMap) -> Scene:
        if self._scene is None or self._scene[0] != sheet:
            self._scene = (sheet, Scene(sheet, self._world.seed, self._size))
        return self._scene[1]

    def _connected(self) -> None:
        if self.unplugged.is_set():
            raise SourceFault("The emulated camera is unplugged.", "Plug it in again.", permanent=False)

    def _look(self, now: float) -> Image:
        moment = self._world.moment(now)
        sheet = self._world.map
        if sheet is None:
            if self._bare is None:
                self._bare = bare_table(self._size, self._world.seed)
            return self._bare
        jump = self._chance.uniform(-1, 1, 2) * self.shake
        light = self.lamp * (1 + _DRIFT * math.sin(now / _SLOW * 2 * math.pi))
        return self._over(sheet).draw(moment, light=light, shift=(float(jump[0]), float(jump[1])))
