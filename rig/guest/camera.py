"""A USB camera: python -m rig.guest.camera DEVICE FOLDER. It gives the pictures of a folder, over and over.

They are JPEGs, which a USB camera sends too, and are given in the order of their names: those of the
subfolder that the link `now` leads to, the last of them again and again once it has come to it.
"""

from __future__ import annotations

import fcntl
import struct
import sys
import time
from pathlib import Path

RATE = 8.0
"""Pictures a second."""

SIZE = (800, 450)
"""Pixels, as few as dice and markers are read in: reading takes emulated processors some seconds."""

_S_FMT = 0xC0D05605  # VIDIOC_S_FMT of linux/videodev2.h, and its struct v4l2_format
_OUTPUT, _FORMAT_BYTES = 2, 208


def main(device: str, folder: Path) -> None:
    """Be a camera until killed."""
    with open(device, "wb", buffering=0) as out:
        asked = bytearray(_FORMAT_BYTES)
        struct.pack_into("I", asked, 0, _OUTPUT)
        # width, height, pixel format, field: none, bytes in a line, bytes in a picture, colour space: JPEG
        four = int.from_bytes(b"MJPG", "little")
        struct.pack_into("7I", asked, 8, *SIZE, four, 1, 0, SIZE[0] * SIZE[1] * 2, 7)
        fcntl.ioctl(out, _S_FMT, asked)
        due = time.monotonic()
        now, coming = Path(), [b""]
        while True:
            if (folder / "now").resolve() != now:
                now = (folder / "now").resolve()
                coming = [picture.read_bytes() for picture in sorted(now.iterdir())]
            out.write(coming[0])
            if len(coming) > 1:
                coming.pop(0)
            due = max(due + 1 / RATE, time.monotonic())
            time.sleep(max(0.0, due - time.monotonic()))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
