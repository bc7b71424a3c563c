"""The serial line of a controller: which one it is, opening it, and what is wrong with it in words."""

from __future__ import annotations

import errno
import os
import termios
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from companion.open_files import users
from firmware_bridge.device import BridgeError

BY_ID = Path("/dev/serial/by-id")
"""Names of lines that stay the same when cables change places."""

FIRMWARE = Path(__file__).parent / "firmware"

RASPBERRY_PI = 0x2E8A  # its number as a vendor of USB devices

FAULTS = (OSError, termios.error)
"""What pyserial raises when a line is gone; its own SerialException is an OSError."""

_TICK = 0.1
_WRITE = 0.2


def copying(path: str) -> str:
    """What to type to copy the firmware to the board at that line."""
    return f"mpremote connect {path} cp -r {FIRMWARE} : + cp {FIRMWARE / 'main.py'} : + reset"


def vendors() -> Mapping[str, int | None]:
    """The USB vendor of each serial line of this machine, by its path below /dev."""
    from serial.tools.list_ports import comports

    return {port.device: port.vid for port in comports()}


def lines(
    wanted: str, by_id: Path = BY_ID, vendors: Callable[[], Mapping[str, int | None]] = vendors
) -> list[str]:
    """The lines where a controller may be: the one that is named, or for auto those of all Picos.

    BridgeError when there is none. Nothing is ever written to a line that is neither.
    """
    if wanted != "auto":
        return [wanted]
    vendor = vendors()
    links = sorted(by_id.iterdir()) if by_id.is_dir() else []
    found = [str(link) for link in links if vendor.get(os.path.realpath(link)) == RASPBERRY_PI]
    if not found:
        raise BridgeError(
            "No controller is plugged in: none of the serial lines is that of a Raspberry Pi Pico.",
            "Plug it in, with a cable that carries data. It is tried again by itself.",
            permanent=False,
        )
    return found


def open_line(path: str) -> Any:
    """The line, a `serial.Serial` that waits nowhere for long; one of FAULTS when it cannot be had.

    Opening it throws away what came before.
    """
    from serial import Serial

    return Serial(path, 115200, timeout=_TICK, write_timeout=_WRITE, exclusive=True)


def diagnosis(path: str, fault: OSError | termios.error) -> BridgeError:
    """What became of the line, in words."""
    number = _number(fault)
    if number == errno.ENOENT:
        return BridgeError(
            f"There is no serial line {path}.",
            "Plug the controller in; ls /dev/serial/by-id names the lines that are there. "
            "It is tried again by itself.",
            permanent=False,
        )
    if number in (errno.EACCES, errno.EPERM):
        return BridgeError(
            f"This user may not use the serial line {path}.",
            "Type: sudo usermod -aG dialout $USER, then log in again.",
            permanent=True,
        )
    if number in (errno.EBUSY, errno.EAGAIN):
        others = " and ".join(users(path))
        return BridgeError(
            f"The serial line {path} is in use by {others or 'another program'}.",
            f"End that program{'' if others else '; fuser shows which it is'}. It is tried again by itself.",
            permanent=False,
        )
    if number in (errno.ENOTTY, errno.EISDIR):
        return BridgeError(
            f"{path} is no serial line.",
            "Name the line of the controller, as ls /dev/serial/by-id shows it, or auto.",
            permanent=True,
        )
    if number in (errno.EIO, errno.ENXIO, errno.ENODEV, None):
        return BridgeError(
            f"The controller on {path} was unplugged.",
            "Plug it in again. It is tried again by itself; the phones do its part meanwhile.",
            permanent=False,
        )
    return BridgeError(
        f"The serial line {path} cannot be used ({fault}).",
        "Look at its cable. It is tried again by itself.",
        permanent=False,
    )


def _number(fault: BaseException) -> int | None:
    """The system's number of what went wrong; pyserial keeps some of them a cause deeper."""
    number = getattr(fault, "errno", None)
    if number is None and isinstance(fault, termios.error) and fault.args:
        number = fault.args[0]
    if number is None and fault.__context__ is not None:
        return _number(fault.__context__)
    return number
