"""What a camera's process and ours say to each other, and the memory that the pictures go through.

Messages are JSON, one a packet, over a socket pair. We ask and it tells, one answer for each
question, so that neither writes into the memory while the other reads it. The memory has no name
and no file: the system takes it back when the last of the two processes is gone, however it went.
"""

from __future__ import annotations

import socket
from typing import Protocol

import msgspec

from vision.source import Frame

SMALL = 2 * 1024 * 1024
"""Bytes for a small picture, at the beginning of the memory."""

WHOLE = 4608 * 2592 * 3
"""Bytes for a whole picture, after it: twelve million pixels. Only what is used takes up memory."""

PACKET = 8192
"""Bytes of one message at most."""

GRACE = 0.7
"""Seconds that a camera has for being closed before its process is ended."""

_WORDS = 600  # letters of one sentence of a fault: more is a library's whole log


class Camera(Protocol):
    """A camera as its own process knows it: any call may block for ever, or raise SourceFault.

    It is made with the name that people gave, and with the name of what was found last under that
    name, "" at first. `name` says once it is open what was found.
    """

    name: str

    def open(self) -> None:
        """Take hold of the device, and see that it gives pictures."""

    def shoot(self, since: float) -> Frame:
        """The first frame that was exposed at that time or later, in monotonic seconds."""

    def close(self) -> None:
        """Let go of the device; also of one that was never opened."""


class Next(msgspec.Struct, frozen=True, tag=True):
    """Asks for a frame exposed at that time or later."""

    since: float


class Whole(msgspec.Struct, frozen=True, tag=True):
    """Asks for the whole picture of the frame that was told last."""


class Opened(msgspec.Struct, frozen=True, tag=True):
    """The camera gives pictures; what was found under the name."""

    name: str


class Taken(msgspec.Struct, frozen=True, tag=True):
    """A picture is in the memory, of the shape that numpy would say; `whole`, or else a small one."""

    time: float
    shape: tuple[int, ...]
    whole: bool


class Failed(msgspec.Struct, frozen=True, tag=True):
    """The words of a SourceFault; the process ends after them."""

    words: str
    cure: str
    permanent: bool


Question = Next | Whole
Answer = Opened | Taken | Failed

_questions = msgspec.json.Decoder(Question)
_answers = msgspec.json.Decoder(Answer)


def ask(line: socket.socket, question: Question) -> None:
    """Send a question; OSError when nobody is there."""
    line.sendall(msgspec.json.encode(question))


def tell(line: socket.socket, answer: Answer) -> None:
    """Send an answer; OSError when nobody is there."""
    if isinstance(answer, Failed):
        answer = msgspec.structs.replace(answer, words=answer.words[:_WORDS], cure=answer.cure[:_WORDS])
    line.sendall(msgspec.json.encode(answer))


def asked(line: socket.socket) -> Question | None:
    """The next question, waiting for it without end; None when nobody is there any more."""
    packet = line.recv(PACKET)
    return _questions.decode(packet) if packet else None


def told(packet: bytes) -> Answer:
    """What an answer says; msgspec.DecodeError when it is none."""
    return _answers.decode(packet)
