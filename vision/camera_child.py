"""A camera's own process: `python -m vision.camera_child CAMERA NAME BEFORE LINE MEMORY`.

It holds the camera, because the libraries and drivers of cameras may block for ever and then only
the end of the process helps. It ends when ours is gone, even in the middle of a blocking call.
"""

from __future__ import annotations

import importlib
import logging
import mmap
import os
import select
import signal
import socket
import sys
import threading
import time

import numpy as np

from vision.camera_wire import (
    GRACE,
    SMALL,
    WHOLE,
    Camera,
    Failed,
    Next,
    Opened,
    Taken,
    asked,
    tell,
)
from vision.source import Frame, Image, SourceFault

STUCK = 30
"""Seconds after which a library that lets no other thread run is taken for hanging."""

log = logging.getLogger(__name__)


def main(arguments: list[str]) -> None:
    """Serve one camera until nobody asks any more, or until it fails."""
    made_by, name, before, line_number, memory_number = arguments
    # Ctrl-C and a service that is stopped reach every process; this one ends when it is told to, or left.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    line = socket.socket(fileno=int(line_number))
    memory = mmap.mmap(int(memory_number), SMALL + WHOLE)
    threading.Thread(target=_mind, args=(line,), name="mind", daemon=True).start()
    module, _, kind = made_by.partition(":")
    camera: Camera = getattr(importlib.import_module(module), kind)(name, before)
    try:
        _serve(line, memory, camera)
    except SourceFault as fault:
        _say(line, Failed(fault.words, fault.cure, fault.permanent))
    except ConnectionError:
        log.info("Nobody asks for pictures of %s any more.", name)
    except Exception as error:
        log.exception("The camera %s failed in a way that nobody expected.", name)
        _say(
            line,
            Failed(
                f"The camera {name} failed ({type(error).__name__}: {error}).",
                "It is tried again by itself; the log has the details.",
                False,
            ),
        )
    camera.close()


def _serve(line: socket.socket, memory: mmap.mmap, camera: Camera) -> None:
    camera.open()
    tell(line, Opened(camera.name))
    frame: Frame | None = None
    while (question := asked(line)) is not None:
        if isinstance(question, Next):
            frame = camera.shoot(question.since)
            tell(line, _put(memory, frame, whole=frame.whole))
        elif frame is not None:
            tell(line, _put(memory, frame, whole=True))


def _put(memory: mmap.mmap, frame: Frame, *, whole: bool) -> Taken:
    """Write the picture where the other side reads it."""
    image: Image = frame.image if whole else frame.small
    if image.nbytes > (WHOLE if whole else SMALL):
        height, width = image.shape[:2]
        raise SourceFault(
            f"The camera gives pictures of {width} × {height} pixels, which are too many.",
            "Use a camera of at most twelve million pixels.",
            permanent=True,
        )
    room = np.frombuffer(memory, np.uint8, image.size, SMALL if whole else 0)
    np.copyto(room.reshape(image.shape), image)
    return Taken(frame.time, image.shape, whole)


def _say(line: socket.socket, failed: Failed) -> None:
    try:
        tell(line, failed)
    except OSError:
        log.warning("%s %s", failed.words, failed.cure)


def _mind(line: socket.socket) -> None:
    """End this process when the other is gone, whatever the camera is doing.

    A library that hangs without letting this thread run is ended by the alarm, which the system
    rings by itself unless it is put off again.
    """
    gone = select.poll()
    gone.register(line, select.POLLRDHUP)
    signal.alarm(STUCK)
    while not gone.poll(1000):
        signal.alarm(STUCK)
    time.sleep(GRACE)
    os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
