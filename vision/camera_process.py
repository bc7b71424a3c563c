"""A camera in a process of its own, as a source: what hangs there is killed, and waits here are bounded."""

from __future__ import annotations

import fcntl
import logging
import mmap
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from math import prod
from pathlib import Path

import msgspec
import numpy as np

from vision.camera_wire import (
    GRACE,
    PACKET,
    SMALL,
    WHOLE,
    Answer,
    Camera,
    Failed,
    Next,
    Opened,
    Question,
    Taken,
    Whole,
    ask,
    told,
)
from vision.source import RATE, Frame, Image, SourceFault, not_open

OPEN = 20.0
"""Seconds for loading the libraries, finding the camera and getting its light right."""

FETCH = 3.0
"""Seconds for handing over the whole picture of a frame."""

FRESH = 0.5
"""A frame that lay about for so many seconds before it was asked for is old, and passed over."""

_KILLED = 0.5  # seconds after which a killed process must be gone, unless the system itself hangs
_ROOT = str(Path(__file__).parents[1])

log = logging.getLogger(__name__)


class CameraProcess:
    """Runs a camera in a process and gives its frames; any number of times, one process at a time.

    `camera` is what the process makes the camera with: a class or function at the top of a module.
    What was found under the name is looked for first when it is opened again, so that a camera
    that was plugged in elsewhere is found by its own name.
    """

    def __init__(self, name: str, camera: Callable[[str, str], Camera]) -> None:
        self.name = name
        self._asked_for = name
        self._camera = f"{camera.__module__}:{camera.__qualname__}"
        self._found = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._opening: subprocess.Popen[bytes] | None = None
        self._unkillable: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._memory: mmap.mmap | None = None
        self._waiting = False
        self._frames = 0
        self._last = 0.0

    def open(self) -> None:
        """Start the process and wait until the camera gives pictures."""
        self.close()
        if self._unkillable is not None and self._unkillable.poll() is None:
            raise SourceFault(
                f"The camera {self._asked_for} hangs so deep in the system that it cannot be let go.",
                "Pull the camera's plug for a moment. If that does not help, start the Raspberry Pi again.",
                permanent=False,
            )
        self._unkillable = None
        try:
            self._start()
        except OSError as error:
            self.close()
            raise SourceFault(
                f"The camera's own process cannot be started ({error.strerror}).",
                "End other programs if memory is short. It is tried again by itself.",
                permanent=False,
            ) from error
        try:
            self._opening = self._process
            answer = self._answer(OPEN)
            if answer is None:
                raise SourceFault(
                    f"The camera {self._asked_for} does not open: nothing came of it in {OPEN:.0f} seconds.",
                    "Pull its plug and put it in again, or name another camera. It is tried again by itself.",
                    permanent=False,
                )
            if not isinstance(answer, Opened):
                raise self._garbled()
        except SourceFault:
            self.close()
            raise
        finally:
            self._opening = None
        self._found = answer.name
        same = answer.name == self._asked_for
        self.name = self._asked_for if same else f"{self._asked_for}: {answer.name}"

    def read(self, timeout: float) -> Frame | None:
        """A frame exposed after it was asked for; None when none came within `timeout` seconds."""
        now = time.monotonic()
        while True:
            if not self._waiting:
                self._ask(Next(max(now, self._last + 1 / RATE)))
                self._waiting = True
            taken = self._answer(now + timeout - time.monotonic())
            if taken is None:
                return None
            self._waiting = False
            if not isinstance(taken, Taken):
                raise self._garbled()
            # An answer to an earlier call may have lain here for as long as the caller was away.
            if taken.time >= now - FRESH:
                self._last = taken.time
                return self._frame(taken)

    def close(self) -> None:
        """End the process: it may close the camera, and is killed if it does not do that in time."""
        process, self._process = self._process, None
        if self._line is not None:
            self._line.close()
        if self._memory is not None:
            self._memory.close()
        self._line = self._memory = None
        self._waiting, self._last = False, 0.0
        self._frames += 1
        self.name = self._asked_for
        if process is None or _ended(process, GRACE):
            return
        log.warning("The camera %s does not close, and its process is killed.", self._asked_for)
        process.kill()
        if not _ended(process, _KILLED):
            self._unkillable = process

    def give_up(self) -> None:
        """From any thread: kill a process in which the camera is still being opened, hang up on any other.

        That one has begun to let go of the camera then, whatever the thread that reads is doing.
        """
        process, line = self._opening, self._line
        if process is not None:
            process.kill()
        elif line is not None:
            with suppress(OSError):  # it may have been closed meanwhile
                line.shutdown(socket.SHUT_RDWR)

    def _start(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._line = ours
            memory = os.memfd_create("frames", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
            try:
                os.ftruncate(memory, SMALL + WHOLE)
                # Were it made smaller over there, reading it here would end this process.
                fcntl.fcntl(memory, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW)
                self._memory = mmap.mmap(memory, SMALL + WHOLE, prot=mmap.PROT_READ)
                numbers = (theirs.fileno(), memory)
                # -P: a folder named vision where somebody starts us is not ours.
                python = [sys.executable, "-P", "-m", "vision.camera_child"]
                self._process = subprocess.Popen(
                    [*python, self._camera, self._asked_for, self._found, *map(str, numbers)],
                    pass_fds=numbers,
                    stdin=subprocess.DEVNULL,
                    env=_environment(),
                )
            finally:
                os.close(memory)

    def _ask(self, question: Question) -> None:
        if self._line is None:
            raise not_open(self._asked_for)
        try:
            ask(self._line, question)
        except ConnectionError:
            # Its last words may lie here still; reading them says why it went.
            log.debug("The process of the camera %s is not there any more.", self._asked_for)

    def _answer(self, timeout: float) -> Answer | None:
        """What the process says within that time; its fault is raised, and so is its end."""
        if self._line is None:
            raise not_open(self._asked_for)
        ready = select.poll()
        ready.register(self._line, select.POLLIN)
        if not ready.poll(max(timeout, 0.0) * 1000):
            return None
        try:
            packet = self._line.recv(PACKET)
        except ConnectionError:
            packet = b""
        if not packet:
            raise self._gone()
        try:
            answer = told(packet)
        except msgspec.DecodeError as error:
            raise self._garbled() from error
        if isinstance(answer, Failed):
            raise SourceFault(answer.words, answer.cure, answer.permanent)
        return answer

    def _frame(self, taken: Taken) -> Frame:
        image = self._picture(taken)
        self._frames += 1
        number = self._frames
        return (
            Frame(taken.time, image) if taken.whole else Frame(taken.time, lambda: self._whole(number), image)
        )

    def _whole(self, number: int) -> Image:
        """The whole picture of that frame, as long as it is the last one."""
        if number != self._frames or self._waiting:
            raise SourceFault(
                "The whole picture is gone.", "The next one is taken by itself.", permanent=False
            )
        self._ask(Whole())
        taken = self._answer(FETCH)
        if taken is None:
            # Its answer may come yet, and nobody would know what it is an answer to.
            self.close()
            raise SourceFault(
                f"The camera {self._asked_for} did not hand over its picture in {FETCH:.0f} seconds.",
                "It is tried again by itself.",
                permanent=False,
            )
        if not isinstance(taken, Taken) or not taken.whole:
            raise self._garbled()
        return self._picture(taken)

    def _picture(self, taken: Taken) -> Image:
        """The pixels that were told of, copied before the next ones are written there."""
        shape, size = taken.shape, prod(taken.shape)
        coloured = len(shape) == 3 and shape[2] == 3
        grey = len(shape) == 2 and not taken.whole
        if not (coloured or grey) or min(shape) <= 0 or size > (WHOLE if taken.whole else SMALL):
            raise self._garbled()
        if self._memory is None or taken.time > time.monotonic():
            raise self._garbled()
        there = np.frombuffer(self._memory, np.uint8, size, SMALL if taken.whole else 0)
        return there.reshape(shape).copy()

    def _garbled(self) -> SourceFault:
        return SourceFault(
            f"The process of the camera {self._asked_for} says what makes no sense.",
            "It is tried again by itself.",
            permanent=False,
        )

    def _gone(self) -> SourceFault:
        assert self._process is not None
        how = "without a word"
        if _ended(self._process, _KILLED) and (code := self._process.returncode):
            how = f"by a signal ({signal.strsignal(-code)})" if code < 0 else f"with the status {code}"
        return SourceFault(
            f"The process of the camera {self._asked_for} ended {how}.",
            "It is started again by itself; the log has the details.",
            permanent=False,
        )


def _ended(process: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def _environment() -> dict[str, str]:
    """The process finds the same code as this one, wherever it was started from."""
    before = os.environ.get("PYTHONPATH", "")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([_ROOT, before] if before else [_ROOT])}
