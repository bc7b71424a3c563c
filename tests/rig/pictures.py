"""What a camera over the emulated table would send: its pictures, drawn here and put into the machine."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Sequence
from typing import Any

import cv2

from companion.course import Course
from companion.emulated.box import box_of
from companion.emulated.camera import EmulatedCamera
from companion.emulated.clock import VirtualClock
from companion.emulated.truth import Truth
from companion.emulated.world import World
from companion.games.game import Game
from companion.games.layout import Face
from rig.guest.camera import RATE, SIZE
from rig.images import HERE
from rig.machine import Machine

FOLDER = "/run/pictures"
_CALM = 0.5  # seconds of rest that are drawn after each change; the last picture is given on and on


class Scenes:
    """A table whose pictures a camera of the machine shows, one scene after the other."""

    def __init__(self, machine: Machine, game: Game[Any, Any], seed: int = 1) -> None:
        self._machine = machine
        self._game = game
        self._clock = VirtualClock()
        self._world = World(seed, self._clock)
        self._camera = EmulatedCamera(self._world, RATE, SIZE)
        self._camera.open()
        self._truth = Truth(game, seed)
        self._scene = 0
        self._show(self._clock.now())

    def plug(self) -> None:
        """Plug in the camera: it shows what lies there now."""
        self._machine.run(
            "modprobe v4l2loopback video_nr=0 card_label=Camera exclusive_caps=1 max_buffers=4 && "
            "udevadm settle && "
            "systemd-run --quiet --unit=camera --collect "
            f"--property=WorkingDirectory={HERE} python3 -B -m rig.guest.camera /dev/video0 {FOLDER}"
        )

    def stall(self) -> None:
        """Have it send nothing more, though it is there."""
        self._machine.run("systemctl stop camera")

    def unplug(self) -> None:
        """Pull its cable: its device is gone, once nobody holds it any more."""
        self._machine.run("until rmmod v4l2loopback 2>/dev/null; do sleep 0.2; done; udevadm settle")

    def set_out(self, course: Course) -> None:
        """Lay out the game as it is."""
        state = self._follow(course)
        self._world.set_out(self._game.table_map(state), self._truth.layout(), box_of(self._game, state))
        self._show(self._clock.now())

    def throw(self, values: Sequence[Face]) -> None:
        """Throw the dice, which will show these values."""
        self._show(self._world.throw(values))

    def bring(self, course: Course) -> None:
        """Carry each piece to where it belongs by now."""
        state = self._follow(course)
        self._show(self._world.bring(self._game.table_map(state), self._truth.layout()))

    def _follow(self, course: Course) -> Any:
        return self._truth.follow(0, course.states[0], course.moves)

    def _show(self, rest: float) -> None:
        """Draw from now until a little after that time, and have the camera send it."""
        folder = f"{FOLDER}/{self._scene:03}"
        self._scene += 1
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w") as tar:
            number = 0
            while number == 0 or self._clock.now() < rest + _CALM:
                frame = self._camera.read(1.0)
                assert frame is not None
                _, data = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, 92])
                entry = tarfile.TarInfo(f"{number:04}.jpg")
                entry.size = len(data)
                tar.addfile(entry, io.BytesIO(data.tobytes()))
                number += 1
        self._machine.put("/run/scene.tar", packed.getvalue())
        self._machine.run(
            f"mkdir -p {folder} && tar -C {folder} -xf /run/scene.tar && "
            f"ln -sfn {folder} {FOLDER}/coming && mv -T {FOLDER}/coming {FOLDER}/now"
        )
