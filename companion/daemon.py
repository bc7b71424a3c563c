"""`stationmaster run`: puts the rooms together, runs until told to stop, takes them apart again."""

from __future__ import annotations

import json
import secrets
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import segno
from msgspec import Struct

from companion import disk, games
from companion.games.game import Game
from companion.journal import Journal, JournalError
from companion.own_cards import open_pack
from companion.packs import PackError
from companion.table import Table
from firmware_bridge.device import Device, Fault
from firmware_bridge.press import Press

if TYPE_CHECKING:
    from vision.card_faces import CardFaces
    from vision.poker_faces import PokerFaces

_WHOLE = "the whole table: board, pieces, dice, hands and camera"
_BUTTONS = "the buttons"
_DISPLAY = "the number display"


class BadConfiguration(ValueError):
    """Something that starting again does not cure; the text names it and the cure."""


class Settings(Struct, frozen=True, kw_only=True):
    """What to run. `table` is "emulated", "camera" or "none"; port 0 takes a free one."""

    game: str
    pack: str
    table: str
    camera: str
    buttons: str
    display: str
    state: Path
    host: str
    port: int
    seed: int | None


def run(settings: Settings) -> int:
    """Run one table until SIGINT or SIGTERM. BadConfiguration when it cannot begin."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with ExitStack() as rooms:
        _open(settings, rooms)
        while not stop.wait(3600):
            pass
        print("\nStopping. The game is kept: start again and it goes on where it was.", flush=True)
    return 0


def _open(settings: Settings, rooms: ExitStack) -> None:
    """Open the rooms one after the other; leaving `rooms` takes them apart again in reverse."""
    from web_ui.serve import PortTaken, Server, listen

    game = games.load(settings.game)
    try:
        # First, so that a port that is taken is said before anything else is touched.
        listener = rooms.enter_context(listen(settings.host, settings.port))
    except PortTaken as fault:
        raise BadConfiguration(fault.strerror) from fault
    except OSError as fault:
        raise BadConfiguration(f"This machine cannot listen on {settings.host}: {fault.strerror}.") from fault
    table = _table(settings, game, rooms)
    controls = _eyes(settings, table, rooms)
    _buttons(settings, table, rooms)
    digits = _display(settings, table, rooms)
    with _kept_in(settings.state):
        server = Server(table, controls, listener, settings.state, digits=digits)
    rooms.callback(server.close)
    _greet(game.title, server.address, settings)


def _table(settings: Settings, game: Game[Any, Any], rooms: ExitStack) -> Table:
    parts = {
        _WHOLE: settings.table == "emulated",
        _BUTTONS: settings.buttons == "mock",
        _DISPLAY: settings.display == "emulated",
    }
    emulated = [part for part, is_so in parts.items() if is_so]
    try:
        journal = Journal(settings.state)
        rooms.callback(journal.close)
        pack, cards = open_pack(game, settings.pack, settings.state)
        table = Table(game, pack, journal, table=settings.table, emulated=tuple(emulated), cards=cards)
    except (JournalError, PackError) as fault:
        raise BadConfiguration(str(fault)) from fault
    table.start()
    rooms.callback(table.close)
    return table


def _eyes(settings: Settings, table: Table, rooms: ExitStack) -> Any:
    """Open the camera, if there is one; the emulated table's controls, or None."""
    if settings.table == "none":
        return None
    from companion.eyes import Eyes

    faces = _faces(settings, table, rooms)
    controls = None
    if settings.table == "emulated":
        from companion.emulated.controls import Controls

        with _kept_in(settings.state):
            seed = _seed(settings)
        controls = Controls(table, seed)
        rooms.callback(controls.close)
        eyes = Eyes(table, controls.camera, faces)
    else:
        from vision.source import SourceFault, open_source

        try:
            eyes = Eyes(table, open_source(settings.camera), faces, _dice(settings, table, rooms))
        except SourceFault as fault:
            raise BadConfiguration(f"{fault.words} {fault.cure}") from fault
    table.mend("camera", eyes.retry)
    eyes.start()
    rooms.callback(eyes.close)
    return controls


def _faces(settings: Settings, table: Table, rooms: ExitStack) -> Callable[[], CardFaces | None]:
    """The cards that an owner has photographed by now, as the camera's reader knows them."""
    game = table.game
    if table.cards is None and not game.photographed:
        return lambda: None
    from companion.enrolling import CARDS, Enrolling

    def tell(fault: Fault) -> None:
        table.submit(fault)

    own = settings.state / CARDS / game.name if table.cards is None else table.cards.photographs
    enrolling = Enrolling(own, tell, game.photographed)
    enrolling.start()
    rooms.callback(enrolling.close)
    return lambda: enrolling.faces


def _dice(settings: Settings, table: Table, rooms: ExitStack) -> Callable[[], PokerFaces | None] | None:
    """The faces of the owner's dice as the camera's reader knows them; None for a game of dice with pips."""
    if not table.game.faces:
        return None
    from companion.enrolling import DICE, EnrollingDice

    def tell(fault: Fault) -> None:
        table.submit(fault)

    enrolling = EnrollingDice(table.game, settings.state / DICE, tell)
    enrolling.start()
    rooms.callback(enrolling.close)
    return lambda: enrolling.faces


def _buttons(settings: Settings, table: Table, rooms: ExitStack) -> None:
    from firmware_bridge.buttons import buttons

    def put(entry: Press | Fault) -> None:
        table.submit(entry)

    _supervise(buttons(settings.buttons, put, put), table, rooms)


def _display(settings: Settings, table: Table, rooms: ExitStack) -> Callable[[], str] | None:
    """Open the number display; what the digits of an emulated one show, None for any other."""
    from companion.countdown import follow
    from firmware_bridge.display import display
    from firmware_bridge.emulated_display import EmulatedDisplay

    device = display(settings.display)
    rooms.callback(follow(table, device))
    _supervise(device, table, rooms)
    return device.digits if isinstance(device, EmulatedDisplay) else None


def _supervise(device: Device, table: Table, rooms: ExitStack) -> None:
    """Keep a device running; what becomes of it is told at the table, where it can be tried again."""
    from firmware_bridge.supervisor import Supervisor

    def report(name: str, fault: Fault | None) -> None:
        table.submit(fault or Fault(name, "", ""))

    supervisor = Supervisor(device, report)
    table.mend(device.name, supervisor.retry)
    supervisor.start()
    rooms.callback(supervisor.stop)


@contextmanager
def _kept_in(folder: Path) -> Iterator[None]:
    """What the state folder does not give or take, in words."""
    try:
        yield
    except OSError as fault:
        raise BadConfiguration(
            f"The state folder {folder} cannot be used ({fault}). "
            "Mend it or make room there, or name another folder with --state."
        ) from fault


def _seed(settings: Settings) -> int:
    """The emulated table's seed: the same after each restart, or its cards would change under the players."""
    path = settings.state / "emulated.json"
    if path.exists():
        try:
            kept = int(json.loads(path.read_text())["seed"])
            if kept < 0:
                raise ValueError(f"no seed is {kept}")
        except (ValueError, KeyError, TypeError) as fault:
            raise BadConfiguration(
                f"{path} is damaged ({fault}). Remove it for a new emulated table."
            ) from fault
        if settings.seed not in (None, kept):
            raise BadConfiguration(
                f"The table in {settings.state} was begun with --seed {kept}. "
                "Leave --seed out to go on with it, or name another folder with --state."
            )
        return kept
    seed = secrets.randbelow(2**31) if settings.seed is None else settings.seed
    disk.write(path, json.dumps({"seed": seed}).encode())
    return seed


def _greet(title: str, address: str, settings: Settings) -> None:
    print(f"\n{title} is on. Scan this with a phone, or open {address}\n", flush=True)
    segno.make(address).terminal(out=sys.stdout, compact=True)
    print(f"The table's own page, for a tablet or TV: {address}table")
    if settings.table == "emulated":
        print("This table is EMULATED: no camera, no real dice. For real ones: --camera auto")
    if settings.display == "emulated":
        print(f"The number display is EMULATED: {address}digits shows what it would show")
    print(f"The game is kept in {settings.state}. Ctrl-C stops.", flush=True)
