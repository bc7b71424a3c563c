"""The devices at a table besides its camera: joined to it, and kept running."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from companion.signals import follow, put
from companion.table import Table
from firmware_bridge.device import Device, Fault, InParts
from firmware_bridge.press import Press
from firmware_bridge.signals import Showing
from firmware_bridge.supervisor import Supervisor

if TYPE_CHECKING:
    from firmware_bridge.controller_wiring import ControllerPins
    from firmware_bridge.pins import Pins


Watch = Callable[[Supervisor, bool], None]
"""Hears of each device's supervisor before it starts, and whether the device is emulated."""


def open_devices(
    table: Table,
    rooms: ExitStack,
    backend: str,
    pins: Pins,
    board: ControllerPins,
    watch: Watch = lambda supervisor, emulated: None,
    also: Sequence[Showing] = (),
) -> Callable[[], str] | None:
    """Open what hangs on the Pi's own pins, reached by that back-end, and on a controller.

    `also` show what the table signals besides these. Leaving `rooms` closes them. Returns what the digits of
    an emulated controller show, None for any other. ValueError when there is no such back-end or controller.
    """
    from firmware_bridge.buttons import buttons
    from firmware_bridge.controller import NoController, controller
    from firmware_bridge.emulated_controller import EmulatedController
    from firmware_bridge.lamps import lamps

    shows: list[Showing] = []

    def press(press: Press) -> None:
        put(table, shows, press)

    def report(fault: Fault) -> None:
        table.submit(fault)

    on_board = controller(board, press, report)
    shining = lamps(backend, pins, report)
    devices: list[Device | None] = [on_board, shining, buttons(backend, pins, press, report)]
    shows += [*also, on_board, *([] if shining is None else [shining])]
    rooms.callback(follow(table, shows))
    for device in devices:
        if device is not None and not isinstance(device, NoController):
            keep_running(device, table, rooms, watch)
    return on_board.digits if isinstance(on_board, EmulatedController) else None


def keep_running(
    device: Device,
    table: Table,
    rooms: ExitStack,
    watch: Watch = lambda supervisor, emulated: None,
) -> None:
    """Run a device until `rooms` is left. What becomes of it is told at the table.

    There it can be tried again, and so can each of its parts that may be at fault by itself.
    """

    def report(name: str, fault: Fault | None) -> None:
        table.submit(fault or Fault(name, "", ""))

    supervisor = Supervisor(device, report)
    table.mend(device.name, supervisor.retry)
    if isinstance(device, InParts):
        for part in device.parts:
            table.mend(part, device.retry)
    watch(supervisor, bool(device.emulates))
    supervisor.start()
    rooms.callback(supervisor.stop)
