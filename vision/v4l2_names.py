"""Which cameras the kernel knows: their devices and their names that stay."""

from __future__ import annotations

import fcntl
import os
import struct
from dataclasses import dataclass
from pathlib import Path

DEV = Path("/dev")

_QUERYCAP = 0x80685600  # VIDIOC_QUERYCAP of linux/videodev2.h, and its struct v4l2_capability
_CAPABILITY = struct.Struct("=16s32s32sIII12x")
_CAPTURES = 0x1 | 0x1000  # V4L2_CAP_VIDEO_CAPTURE, V4L2_CAP_VIDEO_CAPTURE_MPLANE
_CONVERTS = 0x4000 | 0x8000  # V4L2_CAP_VIDEO_M2M_MPLANE, V4L2_CAP_VIDEO_M2M: a codec or a scaler

# They hand out what a sensor says, before anything was made of it; picamera2 reads such cameras.
_RAW = frozenset(("unicam", "bcm2835-unicam", "rp1-cfe", "pispbe", "bcm2835-isp"))


@dataclass(frozen=True)
class Capability:
    """What the driver of a device says of it: its own name, the camera's, and whether it gives pictures."""

    driver: str
    card: str
    captures: bool


def capability(device: str) -> Capability:
    """Ask the driver; OSError when the device cannot be opened or is no V4L2 device. May block."""
    handle = os.open(device, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        answer = fcntl.ioctl(handle, _QUERYCAP, bytes(_CAPABILITY.size))
    finally:
        os.close(handle)
    driver, card, _, _, _, flags = _CAPABILITY.unpack(answer)
    name = _text(driver)
    captures = bool(flags & _CAPTURES) and not flags & _CONVERTS and name not in _RAW
    return Capability(name, _text(card), captures)


def cameras(dev: Path = DEV) -> tuple[str, ...]:
    """The devices that may be cameras: by names that stay first, then the others by number."""
    found: dict[str, str] = {}
    for link in _links(dev, "by-id"):
        found.setdefault(os.path.realpath(link), str(link))
    numbered = (path for path in dev.glob("video*") if path.name[5:].isdigit())
    for path in sorted(numbered, key=lambda path: int(path.name[5:])):
        found.setdefault(os.path.realpath(path), str(path))
    return tuple(name for device, name in found.items() if _may_be_camera(device))


def stable_name(device: str, dev: Path = DEV) -> str:
    """The name under which that device is found wherever it is plugged in; `device` where it has none."""
    true = os.path.realpath(device)
    for folder in ("by-id", "by-path"):
        for link in _links(dev, folder):
            if os.path.realpath(link) == true:
                return str(link)
    return device


def _links(dev: Path, folder: str) -> list[Path]:
    """Links to devices that are there, in the order of their names."""
    return sorted(link for link in (dev / "v4l" / folder).glob("*") if link.exists())


def _may_be_camera(device: str) -> bool:
    try:
        return capability(device).captures
    except OSError:
        return True  # what is wrong is found and said when it is opened


def _text(raw: bytes) -> str:
    return raw.split(b"\0", 1)[0].decode("utf-8", "replace")
