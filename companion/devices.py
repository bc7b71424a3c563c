"""The devices at a table besides its camera: joined to it, and kept running."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from companion.signals import follow, put
from companion.table import Table
from firmware_bridge.device import Device, Fault, InParts
from firmware_bridge.press import Press
from firmware_bridge.signals import Signalling
from firmware_bridge.supervisor import Supervisor

if TYPE_CHECKING:
    from firmware_bridge.controller_wiring import ControllerPins
    from firmware_bridge.pins import Pins


def open_devices(
    table: Table, rooms: ExitStack, backend: str, pins: Pins, board: ControllerPins
) -> Callable[[], str] | None:
    """Open what hangs on the Pi's own pins, reached by that back-end, and on a controller.

    Leaving `rooms` closes them. Returns what the digits of an emulated controller show, None for any other.
    ValueError when there is no such back-end or controller.
    """
    from firmware_bridge.buttons import buttons
    from firmware_bridge.controller import controller
    from firmware_bridge.emulated_controller import EmulatedController
    from firmware_bridge.lamps import lamps

    shows: list[Signalling] = []

    def press(press: Press) -> None:
        put(table, shows, press)

    def report(fault: Fault) -> None:
        table.submit(fault)

    on_board = controller(board, press, report)
    shining = lamps(backend, pins, report)
    shows += [on_board] if shining is None else [on_board, shining]
    rooms.callback(follow(table, shows))
    for device in (*shows, buttons(backend, pins, press, report)):
        if device is not None:
            _keep_running(device, table, rooms)
    return on_board.digits if isinstance(on_board, EmulatedController) else None


def _keep_running(device: Device, table: Table, rooms: ExitStack) -> None:
    """What becomes of a device is told at the table, where it and each of its parts can be tried again."""

    def report(name: str, fault: Fault | None) -> None:
        table.submit(fault or Fault(name, "", ""))

    supervisor = Supervisor(device, report)
    table.mend(device.name, supervisor.retry)
    if isinstance(device, InParts):
        for part in device.parts:
            table.mend(part, device.retry)
    supervisor.start()
    rooms.callback(supervisor.stop)
