"""`stationmaster run`: puts the rooms together, runs until told to stop, takes them apart again."""

from __future__ import annotations

import json
import secrets
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import segno
from msgspec import Struct
from msgspec.structs import replace

from companion import disk, games, packs
from companion.config import Config
from companion.journal import Journal, JournalError, NotYet
from companion.journald import begin_log, in_journal
from companion.notify import Watchdog, notify, patience
from companion.own_cards import open_pack
from companion.packs import PackError
from companion.paths import state_folder
from companion.session import under_way
from companion.stopping import Stopping, leave, stopping
from companion.table import Beat, Table
from firmware_bridge.controller_wiring import ControllerPins, wired
from firmware_bridge.device import Fault
from firmware_bridge.pins import USUAL, Pins

if TYPE_CHECKING:
    from companion.devices import Watch
    from companion.kept_dice import KeptDice
    from companion.viewfinder import Viewfinder
    from firmware_bridge.supervisor import Supervisor
    from vision.card_faces import CardFaces
    from vision.poker_faces import PokerFaces
    from vision.source import Source as FrameSource

_WHOLE = "the whole table: board, pieces, dice, hands and camera"
_PINS = "the buttons, lamps and buzzer"
_BOARD = "the controller, with its buttons, lamps, buzzer and number display"


class BadConfiguration(ValueError):
    """Something that starting again does not cure; the text names it and the cure."""


class NotNow(BadConfiguration):
    """Something that may be over by the next start: a port, a folder or an address that is not to be had now.

    After a failure the process before may not have let go yet, and a machine's network may come late.
    """


class Settings(Struct, frozen=True, kw_only=True):
    """What to run. `table` is "emulated", "camera" or "none"; port 0 takes a free one.

    `pins` is the back-end of the Pi's pins: "gpiozero", "mock" or "none", and `wiring` what hangs on them.
    """

    game: str
    pack: str
    table: str
    camera: str
    pins: str
    learn: bool
    wiring: Pins
    controller: ControllerPins
    state: Path
    host: str
    port: int
    seed: int | None


class Source(Struct, frozen=True):
    """Where the settings of a run come from: a file, and options of the command line that win over it.

    `options` are what those say, by the names of the keys: "run.port". `settings` is what a configuration
    comes to with them.
    """

    file: Path | None
    options: Mapping[str, str]
    settings: Callable[[Config], Settings]


def settings(config: Config) -> Settings:
    """What a configuration comes to, with what it leaves open decided."""
    run = config.run
    return Settings(
        game=run.game,
        pack=run.pack,
        table=run.table or ("camera" if run.camera else "emulated"),
        camera=run.camera or "auto",
        pins=run.pins or ("gpiozero" if config.pins else "none"),
        learn=run.learn == "yes",
        wiring=config.pins or USUAL,
        controller=wired(config.controller or ControllerPins()),
        state=Path(run.state).expanduser() if run.state else state_folder(),
        host=run.host,
        port=run.port,
        seed=run.seed,
    )


def run(settings: Settings, source: Source) -> NoReturn:
    """Run one table until SIGINT or SIGTERM, and end this process; `source` is where the settings come from.

    Its status is 0, or that after which the table is started again. BadConfiguration when it cannot begin,
    NotNow when it may later.
    """
    begin_log()
    with stopping() as stop, ExitStack() as rooms:
        address = _open(settings, source, stop, rooms)
        notify("READY=1", f"STATUS=Phones open {address}")
        stop.wait()
        if not stop.status:
            # What a page has asked for is no stop: systemd would end it after two seconds, as a failed one.
            notify("STOPPING=1")
        print("\nStopping. The game is kept: start again and it goes on where it was.", flush=True)
    leave(stop.status)


def _open(settings: Settings, source: Source, stop: Stopping, rooms: ExitStack) -> str:
    """Open the rooms one after the other; leaving `rooms` takes them apart again in reverse.

    Returns the address of the pages, once they are served.
    """
    from companion.devices import open_devices
    from companion.upkeep.housekeeping import Housekeeping
    from web_ui.serve import Server, await_page

    # First, so that a port that is taken is said before anything else is touched.
    listener = rooms.enter_context(listening(settings))
    journal = _journal(settings, rooms)
    wanted, settings = settings.game, going_on(settings, journal)
    table = _table(settings, journal, rooms)
    keeping = Housekeeping(table, settings, source, listener.getsockname()[1], stop)

    def watch(supervisor: Supervisor, emulated: bool) -> None:
        keeping.watch(supervisor, emulated)
        stop.at_once(supervisor.let_go)

    controls, camera = _eyes(settings, table, rooms, watch)
    digits = open_devices(
        table,
        rooms,
        settings.pins,
        settings.wiring,
        settings.controller,
        watch,
        () if keeping.shown is None else (keeping.shown,),
    )
    with _kept_in(settings.state):
        server = Server(
            table, controls, listener, settings.state, digits=digits, upkeep=keeping, camera=camera
        )
    rooms.callback(server.close)
    await_page(listener)
    _watch_over(table, rooms)
    _greet(table.game.title, server.address, settings)
    if wanted != settings.game:
        print(
            f"A game of {table.game.title} is on the table and goes on. {games.load(wanted).title} is for "
            "the next one: put this one away, then start again.",
            flush=True,
        )
    return server.address


def listening(settings: Settings) -> socket.socket:
    """The socket of the pages. BadConfiguration when it cannot be had, NotNow when it may be later."""
    from web_ui.serve import PortTaken, listen

    try:
        return listen(settings.host, settings.port)
    except PortTaken as fault:
        raise NotNow(fault.strerror) from fault
    except PermissionError as fault:
        raise BadConfiguration(
            f"Port {settings.port} is for root and the service alone. Name one from 1024 on, as --port 8080."
        ) from fault
    except OSError as fault:
        raise NotNow(f"This machine cannot listen on {settings.host}: {fault.strerror}.") from fault


def _watch_over(table: Table, rooms: ExitStack) -> None:
    """Tell systemd, where it asks, that the table's loop turns: by beats that go through it."""
    if (seconds := patience()) is not None:
        watchdog = Watchdog(lambda: table.submit(Beat()), seconds / 4)
        watchdog.start()
        rooms.callback(watchdog.stop)


def _journal(settings: Settings, rooms: ExitStack) -> Journal:
    try:
        journal = Journal(settings.state)
    except NotYet as fault:
        raise NotNow(str(fault)) from fault
    except JournalError as fault:
        raise BadConfiguration(str(fault)) from fault
    rooms.callback(journal.close)
    return journal


def going_on(settings: Settings, journal: Journal) -> Settings:
    """The settings, with the game that lies on the table in the place of theirs, which is for the next one.

    The configuration may have been changed since that one began. All its cards are in its own first position;
    the pack is that which it began with, where it has a name, and else the game's own. BadConfiguration
    when the journal cannot be read.
    """
    try:
        last = under_way(journal.acts())
    except JournalError as fault:
        raise BadConfiguration(str(fault)) from fault
    if last is None or last.game == settings.game or last.game not in games.NAMES:
        return settings
    named = ("owner", *packs.names(games.load(last.game)))
    return replace(settings, game=last.game, pack=last.pack if last.pack in named else "house")


def _table(settings: Settings, journal: Journal, rooms: ExitStack) -> Table:
    game = games.load(settings.game)
    parts = {
        _WHOLE: settings.table == "emulated",
        _PINS: settings.pins == "mock",
        _BOARD: settings.controller.line == "emulated",
    }
    emulated = [part for part, is_so in parts.items() if is_so]
    try:
        pack, cards = open_pack(game, settings.pack, settings.state)
        table = Table(game, pack, journal, table=settings.table, emulated=tuple(emulated), cards=cards)
    except (JournalError, PackError) as fault:
        raise BadConfiguration(str(fault)) from fault
    table.start()
    rooms.callback(table.close)
    return table


def _eyes(settings: Settings, table: Table, rooms: ExitStack, watch: Watch) -> tuple[Any, Viewfinder | None]:
    """Open the camera, if there is one; the emulated table's controls, or None, and what shows the camera."""
    if settings.table == "none":
        return None, None
    from companion.corners import Corners
    from companion.eyes import Eyes
    from companion.viewfinder import Viewfinder

    faces = _faces(settings, table, rooms)
    controls = None
    source: FrameSource
    if settings.table == "emulated":
        from companion.emulated.controls import Controls

        with _kept_in(settings.state):
            seed = _seed(settings)
        controls = Controls(table, seed)
        rooms.callback(controls.close)
        source = controls.camera
    else:
        from vision.source import SourceFault, open_source

        try:
            source = open_source(settings.camera)
        except SourceFault as fault:
            raise BadConfiguration(f"{fault.words} {fault.cure}") from fault
    dice = _dice(settings, table, rooms)
    own = _own_dice(settings, table, rooms)
    with _kept_in(settings.state):
        corners = Corners(settings.state, table.submit)
    viewfinder = Viewfinder(table, dice, corners, own=own)
    viewfinder.start()
    rooms.callback(viewfinder.close)
    eyes = Eyes(table, source, faces, dice, viewfinder, lambda: corners.tapped, viewfinder.own_faces)
    table.mend("camera", eyes.retry)
    watch(eyes.supervisor, settings.table == "emulated")
    eyes.start()
    rooms.callback(eyes.close)
    return controls, viewfinder


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


def _dice(settings: Settings, table: Table, rooms: ExitStack) -> Callable[[], PokerFaces | None]:
    """The faces of the dice as the camera's reader knows them: none for a game of dice with pips, the owner's
    as they are photographed, and on an emulated table those of the print kit.
    """
    if not table.game.faces:
        return lambda: None
    if settings.table == "emulated":
        from companion.kit_dice import kit_dice

        kit = kit_dice(table.game)
        return lambda: kit
    from companion.enrolling import DICE, EnrollingDice

    def tell(fault: Fault) -> None:
        table.submit(fault)

    enrolling = EnrollingDice(table.game, settings.state / DICE, tell)
    enrolling.start()
    rooms.callback(enrolling.close)
    return lambda: enrolling.faces


def _own_dice(settings: Settings, table: Table, rooms: ExitStack) -> KeptDice | None:
    """The owner's dice that were misread, where those may be kept; poker dice are photographed instead."""
    if not settings.learn or table.game.faces:
        return None
    from companion.kept_dice import NAME, KeptDice

    def tell(fault: Fault) -> None:
        table.submit(fault)

    kept = KeptDice(settings.state / NAME, tell)
    kept.start()
    rooms.callback(kept.close)
    table.teach(kept.learn)
    return kept


@contextmanager
def _kept_in(folder: Path) -> Iterator[None]:
    """What the state folder does not give or take, in words."""
    try:
        yield
    except OSError as fault:
        kind = NotNow if disk.passes(fault) else BadConfiguration
        raise kind(
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
    if not in_journal(sys.stdout):
        segno.make(address).terminal(out=sys.stdout, compact=True)
    print(f"The table's own page, for a tablet or TV: {address}table")
    if settings.table == "emulated":
        print("This table is EMULATED: no camera, no real dice. For real ones: --camera auto")
    if settings.controller.line == "emulated":
        print(f"The controller is EMULATED: {address}digits shows what its number display would show")
    print(f"The game is kept in {settings.state}. Ctrl-C stops.", flush=True)
