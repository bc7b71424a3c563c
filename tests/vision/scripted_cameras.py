"""Cameras that do and misdo what their names say, each in a process of its own by the real host."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
import time

import msgspec
import numpy as np

from vision import camera_child
from vision.camera_wire import Taken
from vision.source import Frame, Image, SourceFault

SHAPE = (90, 160, 3)


def picture(taken: float, shape: tuple[int, ...] = SHAPE) -> Image:
    """A picture in which the time when it was taken is written."""
    image = np.zeros(shape, np.uint8)
    image.reshape(-1)[:8] = np.frombuffer(np.float64(taken).tobytes(), np.uint8)
    return image


def written(image: Image) -> float:
    """The time that is written in a picture."""
    return float(np.frombuffer(image.reshape(-1)[:8].tobytes(), np.float64)[0])


class Good:
    """Gives a picture every 20 ms."""

    def __init__(self, name: str, before: str) -> None:
        self.name = name

    def open(self) -> None:
        pass

    def shoot(self, since: float) -> Frame:
        time.sleep(max(0.02, since - time.monotonic()))
        taken = time.monotonic()
        return Frame(taken, picture(taken))

    def close(self) -> None:
        pass


class TellsWhatItKnew(Good):
    """Is found as something else each time, and says what it was told of the time before."""

    def __init__(self, name: str, before: str) -> None:
        super().__init__(f"{before}+" if before else "first", before)


class OnDemand(Good):
    """Gives a small grey picture, and the whole one of the same moment when it is asked for."""

    def shoot(self, since: float) -> Frame:
        taken = super().shoot(since).time
        return Frame(taken, lambda: picture(taken, (900, 1600, 3)), picture(taken, (90, 160)))


class NeverWhole(OnDemand):
    """Sees a table at rest, and hangs when the whole picture is asked for."""

    def shoot(self, since: float) -> Frame:
        return Frame(super().shoot(since).time, _never, np.full((90, 160), 100, np.uint8))


class Slow(Good):
    """Takes its time over each picture."""

    def shoot(self, since: float) -> Frame:
        taken = time.monotonic()
        time.sleep(0.8)
        return Frame(taken, picture(taken))


class HangsInOpen(Good):
    def open(self) -> None:
        _never()


class HangsInShoot(Good):
    """Hangs at the third picture."""

    shot = 0

    def shoot(self, since: float) -> Frame:
        self.shot += 1
        if self.shot == 3:
            _never()
        return super().shoot(since)


class HangsInClose(Good):
    def close(self) -> None:
        _never()


class HoldsTheInterpreter(Good):
    """Hangs in a library that lets no other thread of the process run."""

    def shoot(self, since: float) -> Frame:
        sys.modules["__main__"].__dict__["STUCK"] = 2
        time.sleep(1.5)  # for that to be heard
        ctypes.PyDLL(None).sleep(600)
        return super().shoot(since)


class Unplugged(Good):
    def shoot(self, since: float) -> Frame:
        raise SourceFault("The cable is pulled.", "Put it in again.", permanent=False)


class Forbidden(Good):
    def open(self) -> None:
        raise SourceFault("This user may not.", "Ask somebody who may.", permanent=True)


class Bursts(Good):
    """Fails in a way that nobody thought of, and at length."""

    def shoot(self, since: float) -> Frame:
        raise ZeroDivisionError("x" * 100_000)


class Killed(Good):
    def shoot(self, since: float) -> Frame:
        os.kill(os.getpid(), signal.SIGKILL)
        return super().shoot(since)


class Leaves(Good):
    def shoot(self, since: float) -> Frame:
        os._exit(7)


class TooLarge(Good):
    def shoot(self, since: float) -> Frame:
        return Frame(time.monotonic(), np.zeros((6000, 8000, 3), np.uint8))


class Garbles(Good):
    """Says its name instead of an answer, or an answer of that shape."""

    def shoot(self, since: float) -> Frame:
        line = socket.socket(fileno=os.dup(int(sys.argv[4])))
        now = time.monotonic()
        shapes: dict[str, bytes] = {
            "noise": b"\xff\x00\x17",
            "nothing known": b'{"type":"Else"}',
            "no shape": msgspec.json.encode(Taken(now, (), True)),
            "too long": msgspec.json.encode(Taken(now, (5000, 5000, 3), True)),
            "one too many": msgspec.json.encode(Taken(now, (2592, 4608, 4), True)),
            "grey": msgspec.json.encode(Taken(now, (90, 160), True)),
            "below nothing": msgspec.json.encode(Taken(now, (-90, -160, 3), True)),
            "small but large": msgspec.json.encode(Taken(now, (2592, 4608), False)),
            "of tomorrow": msgspec.json.encode(Taken(now + 86400, SHAPE, True)),
        }
        line.send(shapes[self.name])
        return super().shoot(since)


def _never() -> Image:
    time.sleep(600)
    raise AssertionError(f"nobody ended process {os.getpid()} ({camera_child.STUCK} s)")
