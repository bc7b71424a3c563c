"""What all devices have in common: how they run, and how they say what is wrong."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from msgspec import Struct


class Fault(Struct, frozen=True):
    """What is wrong with a device, and what to do about it, each in a sentence for people.

    `device` names the device, or a part of it after a dot: "buttons", "buttons.undo". A permanent
    fault stays until somebody acts; after any other the device is tried again by itself.
    """

    device: str
    words: str
    cure: str
    permanent: bool = False


class BridgeError(Exception):
    """A device cannot be used: the words of a `Fault`."""

    def __init__(self, words: str, cure: str, *, permanent: bool) -> None:
        super().__init__(f"{words} {cure}")
        self.words = words
        self.cure = cure
        self.permanent = permanent


class Device(Protocol):
    """A back-end that a supervisor keeps running: opened, run and closed, then perhaps again.

    `name` is for faults and lists, such as "buttons". `emulates` is empty for a real device, and
    otherwise says in a few words what is not real, for the banner that every page carries.
    """

    @property
    def name(self) -> str:
        """The device's name."""

    @property
    def emulates(self) -> str:
        """What is emulated, "" when nothing is."""

    def open(self) -> None:
        """Take hold of the device; BridgeError when it cannot be had, with nothing left held."""

    def run(self) -> None:
        """Serve the device until it is closed; BridgeError when it fails."""

    def close(self) -> None:
        """Let go of the device and end `run`: from any thread, as often as you like, never blocking."""


@runtime_checkable
class MayHang(Device, Protocol):
    """A device whose `run` calls what may never come back: nothing but this tells of it then."""

    @property
    def held_up(self) -> float:
        """For how many seconds such a call has gone on, 0 while there is none: from any thread."""


@runtime_checkable
class InParts(Device, Protocol):
    """A device of which a part may be at fault by itself, while the others go on."""

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts, as their faults name them."""

    def retry(self) -> None:
        """Try each part again that is at fault: somebody has mended it. From any thread, never blocking."""
