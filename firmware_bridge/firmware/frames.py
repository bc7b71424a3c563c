"""The frames that the bridge and a controller exchange: lines of text with a checksum, the same at both ends.

A frame is `$`, the CRC-32 of the body as eight digits of hexadecimal, a space, the body and a line feed.
The body is a JSON object whose `t` says what kind of message it is. No body has a `$` in it.
"""

import binascii

VERSION = 1
"""Of the messages: it rises when what was there before means something else."""

RELEASE = "1.0"
"""Of the firmware: it rises with each change of it."""

LONGEST = 512
"""Bytes of a frame between its `$` and its line feed; what grows longer is noise."""

PATIENCE = 5000
"""Milliseconds of silence after which either end counts the other as gone."""

_BEGIN, _END = 0x24, 0x0A  # "$" and the line feed


def framed(body: bytes) -> bytes:
    """The frame of this body."""
    return b"$%08x %s\n" % (binascii.crc32(body), body)


def body_of(line: bytes) -> bytes | None:
    """The body of what stood between `$` and line feed; None when that was no whole frame."""
    body = line[9:].rstrip(b"\r")
    return body if line[:9] == b"%08x " % binascii.crc32(body) else None


class Lines:
    """Cuts what comes over a line into the bodies of whole frames, whatever else comes between."""

    def __init__(self) -> None:
        self._line: bytearray | None = None  # since the last "$"; None while there is none

    def feed(self, data: bytes) -> list[bytes]:
        """The bodies that are whole with this."""
        found = []
        for byte in data:
            if byte == _BEGIN:
                self._line = bytearray()
            elif self._line is None:
                continue
            elif byte == _END:
                body = body_of(bytes(self._line))
                self._line = None
                if body is not None:
                    found.append(body)
            elif len(self._line) < LONGEST:
                self._line.append(byte)
            else:
                self._line = None
        return found
