"""The lines that the bridge and a number display exchange: text that a small microcontroller can read.

A frame is `$`, a body, `*`, the XOR of the body's bytes as two digits of hexadecimal, and a line feed,
as NMEA 0183 has it. Bodies are `N,23` for a number, `L,4` for one near the end, `B` for nothing;
the display answers `K,` and the body that it shows now.
"""

from __future__ import annotations

from functools import reduce
from operator import xor

from firmware_bridge.display import MOST, Count

BAUD = 9600
BEAT = 1.0
"""Seconds after which the bridge sends what is to be shown once more."""

PATIENCE = 5.0
"""Seconds of silence after which either end counts the other as gone."""

LONGEST = 32
"""Bytes of a frame; what grows longer without an end is noise."""


def framed(body: bytes) -> bytes:
    """The frame of this body."""
    return b"$%b*%02X\n" % (body, reduce(xor, body, 0))


def body_of(line: bytes) -> bytes | None:
    """The body of a line that has just been ended; None where the line is no whole frame."""
    start = line.rfind(b"$")
    body, star, check = line[start + 1 :].rstrip(b"\r").rpartition(b"*")
    if start < 0 or not star or framed(body)[-3:-1] != check:
        return None
    return body


def shown(count: Count | None) -> bytes:
    """The body that asks for this to be shown."""
    if count is None:
        return b"B"
    return b"%b,%d" % (b"L" if count.last else b"N", min(max(count.left, 0), MOST))


def read(body: bytes) -> Count | None:
    """What a body asks for; ValueError when it is none of the known ones."""
    if body == b"B":
        return None
    kind, _, number = body.partition(b",")
    if kind not in (b"N", b"L") or not number.isdigit() or int(number) > MOST:
        raise ValueError(f"{body!r} asks for nothing that can be shown.")
    return Count(int(number), kind == b"L")


class Lines:
    """Cuts what comes over a line into the bodies of whole frames, whatever else comes between."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        """The bodies that are whole with this."""
        *whole, rest = (self._rest + data).split(b"\n")
        self._rest = rest[-LONGEST:]
        return [body for line in whole if (body := body_of(line)) is not None]
