"""Taking hold of the Pi's pins through gpiozero, and saying why one cannot be had."""

from __future__ import annotations

import logging
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from typing import Any, Generic, Protocol, TypeVar

from firmware_bridge.device import BridgeError, Fault
from firmware_bridge.held_up import HeldUp
from firmware_bridge.line_users import told_users
from firmware_bridge.pins import Wire

_log = logging.getLogger(__name__)

_AGAIN = 10.0

# Each device is opened in a thread of its own, and gpiozero has one pin factory for all of them.
_choosing = threading.Lock()


def factory() -> Any:
    """gpiozero's pin factory; BridgeError when there is none, or the environment makes it an emulation."""
    try:
        with _choosing:
            found = _factory()
    except Exception as error:  # pin libraries raise nearly everything here
        _log.info("There are no pins to be had.", exc_info=True)
        trouble = _trouble(error)
    else:
        from gpiozero.pins.mock import MockFactory

        if not isinstance(found, MockFactory):
            return found
        trouble = BridgeError(
            "The environment says GPIOZERO_PIN_FACTORY=mock, so these pins would not be real.",
            "Take that out, or choose the pins called mock.",
            permanent=True,
        )
    raise trouble


def _factory() -> Any:
    from gpiozero import Device as GpioDevice

    chosen = os.environ.get("GPIOZERO_PIN_FACTORY")
    if chosen == "rpigpio" and find_spec("lgpio") is not None:
        _import_lgpio()  # it is what rpi-lgpio, which goes by the name of RPi.GPIO, is built on
    if GpioDevice.pin_factory is None and chosen in (None, "", "lgpio"):
        # The one that works on every Pi. Left to itself, gpiozero would go on to others that do
        # not, and never say why this one failed.
        _import_lgpio()
        from gpiozero.pins.lgpio import LGPIOFactory

        GpioDevice.pin_factory = LGPIOFactory()
    GpioDevice.ensure_pin_factory()
    return GpioDevice.pin_factory


def _import_lgpio() -> None:
    """Import lgpio wherever this was started.

    At its import it makes a pipe in the working folder, which need not be one that can be written, or
    in the folder LG_WD, where it takes the whole process. Once the pipe is open its name is not needed.
    """
    if "lgpio" in sys.modules:
        return
    here = os.open(".", os.O_PATH)
    try:
        if os.environ.get("LG_WD"):
            import_module("lgpio")
            return
        with TemporaryDirectory(prefix="lgpio-") as folder:
            os.environ["LG_WD"] = folder
            try:
                import_module("lgpio")
            finally:
                del os.environ["LG_WD"]
    finally:
        os.fchdir(here)
        os.close(here)


def mock_factory() -> Callable[[], Any]:
    """A factory of gpiozero's mock pins, made when it is first asked for."""

    @cache
    def made() -> Any:
        from gpiozero.pins.mock import MockFactory, MockPWMPin

        return MockFactory(pin_class=MockPWMPin)

    return made


def unless_in_use(holding: HeldUp, let_go: Callable[[], None]) -> None:
    """Let go now, unless the thread that serves the pins is at them: that one lets go when it is done.

    A pin library that hangs thus holds nobody up who wants to end the device.
    """
    if holding.acquire(blocking=False):
        try:
            let_go()
        finally:
            holding.release()


class _Closes(Protocol):
    def close(self) -> None: ...


T = TypeVar("T", bound=_Closes)


class Holding(Generic[T]):
    """The pins of one device, each of which is had or not by itself.

    `open_line(wire, factory)` takes one. `held` are those that are had, by name. `report` gets the Fault
    of a single pin, "buttons.undo", once however often it is tried, and one without words when that pin is
    well again. Not for several threads at once.
    """

    def __init__(
        self,
        device: str,
        wires: Iterable[Wire],
        open_line: Callable[[Wire, Any], T],
        report: Callable[[Fault], None],
        factory: Callable[[], Any],
        clock: Callable[[], float],
    ) -> None:
        self.held: dict[str, T] = {}
        self._device = device
        self._wires = tuple(wires)
        self._open_line = open_line
        self._report = report
        self._factory = factory
        self._clock = clock
        self._told: dict[str, Fault] = {}
        self._again: float | None = None

    @property
    def due(self) -> float | None:
        """When to try those again that cannot be had; None when there is nothing to try."""
        return self._again

    def take(self) -> None:
        """Take all pins that can be had; BridgeError when not one of them can."""
        found = self._factory()
        faults = {wire: self._take(wire, found) for wire in self._wires if wire.name not in self.held}
        missing = {wire: fault for wire, fault in faults.items() if fault is not None}
        if missing and not self.held:
            raise next(iter(missing.values()))
        for wire in faults:
            self.tell(wire, missing.get(wire))
        passing = any(not fault.permanent for fault in missing.values())
        self._again = self._clock() + _AGAIN if passing else None

    def tell(self, wire: Wire, error: BridgeError | None) -> None:
        """Report what is wrong with one pin, None for nothing any more."""
        part = self._part(wire)
        if error is None:
            if self._told.pop(part, None) is not None:
                self._report(Fault(part, "", ""))
        elif (fault := _fault(part, error)) != self._told.get(part):
            self._told[part] = fault
            self._report(fault)

    def let_go(self) -> None:
        """Close all pins that are held."""
        self._again = None
        while self.held:
            name, line = self.held.popitem()
            try:
                line.close()
            except Exception:  # the others have to be let go all the same
                _log.exception("The pin of %s.%s could not be closed.", self._device, name)

    def _take(self, wire: Wire, found: Any) -> BridgeError | None:
        # The fault is returned, not raised from its cause, and what is logged is text: either would keep the
        # half-made device alive, and with it gpiozero's claim on the pin, so that no later try could succeed.
        try:
            self.held[wire.name] = self._open_line(wire, found)
        except Exception as error:  # pin libraries raise nearly everything here
            fault = _diagnosis(wire, error, found)
            # It may be tried every few seconds for as long as the machine runs.
            if _fault(self._part(wire), fault) != self._told.get(self._part(wire)):
                trace = traceback.format_exc().rstrip()
                _log.info("GPIO %d (%s) cannot be had:\n%s", wire.gpio, wire.words, trace)
            return fault
        return None

    def _part(self, wire: Wire) -> str:
        return f"{self._device}.{wire.name}"


def _fault(part: str, error: BridgeError) -> Fault:
    return Fault(part, error.words, error.cure, error.permanent)


def _trouble(error: Exception) -> BridgeError:
    """Why there are no pins at all, whatever they are wanted for."""
    from gpiozero import BadPinFactory, PinUnknownPi

    said = str(error) or type(error).__name__
    text = said.lower()
    if _not_allowed(error):
        return _forbidden(said)
    if isinstance(error, FileNotFoundError) and (".lgd-nfy" in text or "temporary directory" in text):
        return BridgeError(
            f"The pin library lgpio finds no folder that it can write in ({said}).",
            "Set the environment variable LG_WD to a folder that can be written, then start again.",
            permanent=True,
        )
    if isinstance(error, BadPinFactory | PinUnknownPi | ImportError) or "raspberry pi" in text:
        return BridgeError(
            f"This machine has no pins to use ({said}).",
            "On a Raspberry Pi, start ./run again so that it brings lgpio. Elsewhere choose the pins "
            "called mock or none.",
            permanent=True,
        )
    return BridgeError(
        f"The pins cannot be used ({type(error).__name__}: {said}).",
        "This is tried again by itself; the log has the details.",
        permanent=False,
    )


def _diagnosis(wire: Wire, error: Exception, found: Any) -> BridgeError:
    """Why this one pin cannot be had."""
    from gpiozero import GPIOPinInUse, PinPWMUnsupported
    from gpiozero.exc import PinInvalidPin

    where = f"GPIO {wire.gpio} of {wire.words}"
    said = str(error) or type(error).__name__
    if isinstance(error, PinInvalidPin):
        return BridgeError(f"{where} is no pin of this Pi ({said}).", "Give it another pin.", permanent=True)
    if isinstance(error, PinPWMUnsupported):
        return BridgeError(
            f"{where} can make no tones with this pin library ({said}).",
            "Use lgpio: take GPIOZERO_PIN_FACTORY out of the environment.",
            permanent=True,
        )
    if _not_allowed(error):
        return _forbidden(said)
    if isinstance(error, GPIOPinInUse):
        return BridgeError(
            f"{where} is in use by another part of this program ({said}).",
            "Give one of them another pin. This is tried again by itself.",
            permanent=False,
        )
    if "busy" in said.lower():
        return BridgeError(
            " ".join(filter(None, [f"{where} is in use by another program ({said}).", _by(wire, found)])),
            "End that program; gpioinfo shows which lines are taken. What the system itself holds is "
            "freed in config.txt, or use another pin. This is tried again by itself.",
            permanent=False,
        )
    return BridgeError(
        f"{where} cannot be used ({type(error).__name__}: {said}).",
        "Check the wiring. This is tried again by itself.",
        permanent=False,
    )


def _not_allowed(error: Exception) -> bool:
    text = str(error).lower()
    return isinstance(error, PermissionError) or "permission" in text or "can not open gpiochip" in text


def _forbidden(said: str) -> BridgeError:
    return BridgeError(
        f"This user may not use the pins ({said}).",
        "Type: sudo usermod -aG gpio $USER, then log in again.",
        permanent=True,
    )


def _by(wire: Wire, found: Any) -> str:
    """Who has the pin, as far as the kernel tells."""
    label = ""
    lgpio = sys.modules.get("lgpio")
    # The chip as gpiozero has it open; by RPi.GPIO's name rpi-lgpio has it.
    chip = getattr(found, "_handle", getattr(sys.modules.get("RPi.GPIO"), "_chip", None))
    if lgpio is not None and chip is not None:
        try:
            *_, label = lgpio.gpio_get_line_info(chip, wire.gpio)
        except lgpio.error:
            _log.info("The kernel does not tell who has GPIO %d.", wire.gpio, exc_info=True)
    return told_users(wire.gpio, label)
