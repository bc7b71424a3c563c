"""A table, its server, and people who act without a browser."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import cv2
import msgspec
import numpy as np
from playwright.sync_api import Page
from werkzeug.http import parse_cookie

from companion import games
from companion.acts import Acts, Joined, Sat, Started
from companion.corners import Corners
from companion.emulated.controls import Controls
from companion.eyes import Eyes
from companion.games.game import AwaitedDice, AwaitedShuffle, Game, Rolled, Shuffled
from companion.games.layout import UNKNOWN, Dice, Die, Piece, Reading, Sight
from companion.journal import Journal
from companion.kept_dice import NAME as OWN_DICE
from companion.kept_dice import KeptDice
from companion.kit_dice import kit_dice
from companion.messages import Answer, Ask, Do, Join, Request, Sit, Start, View
from companion.own_cards import open_pack
from companion.table import Table
from companion.upkeep import Upkeep
from companion.viewfinder import Viewfinder
from firmware_bridge.device import Fault
from tests.web.players import live
from vision.render_dice import draw_die
from vision.source import Source
from web_ui.feed import LIMIT
from web_ui.person import COOKIE, People, secret
from web_ui.serve import listen, serve_on

T = TypeVar("T")

GAME = games.load("pawns_of_perdition")
HELLRAIL = games.load("hellrail")
NAMES = ("Anna", "Ben", "Clara", "Dai")


def picture(*values: int) -> bytes:
    """A JPEG of these dice on felt, as a camera would send it."""
    felt = np.full((120, 110 * len(values), 3), (58, 92, 40), np.uint8)
    for number, value in enumerate(values):
        draw_die(felt, (55 + 110 * number, 60), 58, 17 + 31 * number, value, tilt=8)
    done, jpeg = cv2.imencode(".jpg", felt)
    assert done
    return jpeg.tobytes()


def begun(game: Game[Any, Any], position: Any) -> list[Acts]:
    """What the journal holds once people have sat down and begun a game from that position."""
    acts: list[Acts] = []
    for seat, name in zip(position.seats, NAMES, strict=False):
        acts += [Joined(name.lower(), name), Sat(name.lower(), seat)]
    raw = msgspec.Raw(msgspec.json.encode(position))
    return [*acts, Started(game.name, "house", position.seats, {}, raw, NAMES[0].lower())]


class House:
    """One table served on a free port of this machine; `restart` is a power cut and a boot.

    With a `seed` the table is emulated, and with `eyes` its pixels are read. With a `position` its
    game is under way: Anna, Ben and so on hold its seats, in their order, and Anna is the host. `upkeep`
    gives what may be asked of the machine, for the table and the port of its pages. With a `source` a real
    table is seen by it. With `learn`, faces of dice that are put right are kept.
    """

    def __init__(
        self,
        folder: Path,
        *,
        game: Game[Any, Any] = GAME,
        position: Any = None,
        seed: int | None = None,
        eyes: bool = False,
        limit: int = LIMIT,
        pack: str = "house",
        upkeep: Callable[[Table, int], Upkeep] | None = None,
        source: Source | None = None,
        learn: bool = False,
    ) -> None:
        self.learn = learn
        self.pack, self.upkeep, self.source = pack, upkeep, source
        self.folder, self.seed, self.eyes, self.limit = folder, seed, eyes, limit
        self.game, self.port = game, 0
        if position is not None:
            journal = Journal(folder)
            journal.write(begun(game, position), "")
            journal.close()

    def __enter__(self) -> House:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def open(self) -> None:
        with ExitStack() as rooms:
            kind, emulated = (
                ("none", ())
                if self.seed is None
                else ("emulated", ("the whole table: board, pieces, dice, hands and camera",))
            )
            if self.source is not None:
                kind = "camera"
            pack, cards = open_pack(self.game, self.pack, self.folder)
            self.table = Table(
                self.game, pack, Journal(self.folder), table=kind, emulated=emulated, cards=cards
            )
            self.table.start()
            rooms.callback(self.table.close)
            self.controls = None if self.seed is None else Controls(self.table, self.seed)
            if self.controls is not None:
                rooms.callback(self.controls.close)
            seen: Source | None = self.source
            if self.controls is not None and self.eyes:
                seen = self.camera_of(self.controls)
            self.camera = None if seen is None else self._look_through(seen, rooms)
            listener = listen("127.0.0.1", self.port)
            self.port = listener.getsockname()[1]
            upkeep = None if self.upkeep is None else self.upkeep(self.table, self.port)
            self.server = serve_on(
                self.table, self.controls, listener, self.folder, self.limit, upkeep, self.camera
            )
            rooms.callback(self.server.close)
            self._rooms = rooms.pop_all()

    def camera_of(self, controls: Controls) -> Source:
        """What looks at an emulated table."""
        return controls.camera

    def _look_through(self, source: Source, rooms: ExitStack) -> Viewfinder:
        kit = kit_dice(self.game)
        own = None
        if self.learn:
            own = KeptDice(self.folder / OWN_DICE, self._told)
            own.start()
            rooms.callback(own.close)
            self.table.teach(own.learn)
        corners = Corners(self.folder, self.table.submit)
        camera = Viewfinder(self.table, lambda: kit, corners, own=own)
        camera.start()
        rooms.callback(camera.close)
        eyes = Eyes(
            self.table,
            source,
            viewfinder=camera,
            corners=lambda: corners.tapped,
            own=camera.own_faces,
        )
        self.table.mend("camera", eyes.retry)
        eyes.start()
        rooms.callback(eyes.close)
        return camera

    def _told(self, fault: Fault) -> None:
        self.table.submit(fault)

    def close(self) -> None:
        self._rooms.close()

    def restart(self) -> None:
        self.close()
        self.open()

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def let_in(self, page: Page, person: str) -> None:
        """Make this browser the one of that person, as if it had come back with its cookie."""
        signed = parse_cookie(People(secret(self.folder)).cookie(person))[COOKIE]
        page.context.add_cookies([{"name": COOKIE, "value": signed, "url": self.url()}])

    def visit(self, page: Page, path: str, person: str = "") -> None:
        """Open a page, as that person if one is named, and wait until it is live."""
        if person:
            self.let_in(page, person)
        page.goto(self.url(path), wait_until="domcontentloaded")
        if page.evaluate("() => root().dataset.page"):
            live(page, self)

    def all_here(self) -> int:
        """Wait until the table has heard of every page that is open; its revision then."""

        async def pause() -> None:
            """What was begun before is done: who has come is in the table's queue."""

        self._on_server(pause())
        late = Request(secrets.token_hex(8), -1, Do(msgspec.Raw(b"{}")))
        assert self.table.submit(late).result(10).status == "stale"  # behind all else in the queue
        return self.table._snapshot.revision

    def fall_silent(self) -> None:
        """The lines that are open stay open, and nothing ever comes out of them again."""

        async def forget() -> None:
            assert self.server.feed.streams
            self.server.feed.streams.clear()

        self._on_server(forget())

    def _on_server(self, act: Coroutine[Any, Any, T]) -> T:
        """Done by the server's own thread: there, what a page has heard is over and done with."""
        return asyncio.run_coroutine_threadsafe(act, self.server._loop).result(10)

    # -- people without a browser -----------------------------------------------------------------

    def ask(self, person: str, ask: Ask) -> Answer:
        """Ask on the present state, as this person."""
        request = Request(secrets.token_hex(8), self.table.number, ask, person)  # type: ignore[arg-type]
        return self.table.submit(request).result(10)

    def do(self, person: str, action: Any) -> Answer:
        return self.ask(person, Do(msgspec.Raw(msgspec.json.encode(action))))

    def view(self, person: str = "", seat: str = "") -> View:
        return self.table.view(person, seat)

    def seat(self, **people: str) -> None:
        """`seat(red="Anna")`: Anna joins (the first is the host) and sits; she is the person "anna"."""
        for seat, name in people.items():
            self.ask(name.lower(), Join(name))
            self.ask(name.lower(), Sit(seat))

    def join(self, name: str) -> None:
        self.ask(name.lower(), Join(name))

    def start(self, *seats: str, **options: str) -> Answer:
        return self.ask(
            self.host, Start(seats or tuple(s.seat for s in self.view().seats if s.person), options)
        )

    def shuffled(self) -> Answer:
        """Somebody says that the cards are shuffled and dealt."""
        view = self.view()
        assert view.awaiting is not None
        assert isinstance(view.awaiting.chance, AwaitedShuffle)
        count = len(view.awaiting.chance.cards)
        return self.do(self.host, Shuffled((UNKNOWN,) * count))

    def go_on(self) -> None:
        """The next step towards an early end of the game: high dice, main acts, else the first choice."""
        awaiting = self.view().awaiting
        assert awaiting is not None
        if isinstance(awaiting.chance, AwaitedDice):
            answer = self.roll(*(6, 5, 4)[: awaiting.chance.count])
        elif isinstance(awaiting.chance, AwaitedShuffle):
            answer = self.shuffled()
        else:
            seat = awaiting.seats[0]
            prompt = self.view(next(s.person for s in self.view().seats if s.seat == seat), seat).prompt
            assert prompt is not None
            choices = sorted(prompt.choices, key=lambda choice: not choice.main)
            answer = self.do(self.host, choices[0].action)
        assert answer.status == "done", answer

    @property
    def host(self) -> str:
        """The person who is the host."""
        return next(seat.person for seat in self.view().seats if seat.host)

    def see(
        self, *dice: int, sure: bool = True, throw: int = 1, picture: bytes = b"", **pawns: str
    ) -> Answer:
        """The camera sees these dice in the tray and these pawns where they are named to be."""
        corners = ((0.0, 0.0), (40.0, 0.0), (40.0, 40.0), (0.0, 40.0))
        lying = Dice(tuple(Die(value, corners, 0.6) for value in dice), sure)
        sights = tuple(Sight(Piece("pawn", name, place), (0.0, 0.0), 1.0) for name, place in pawns.items())
        reading = Reading(0.0, sights, (), lying, throw, picture)
        return self.table.submit(reading).result(10)

    def roll(self, *values: int) -> Answer:
        """The awaited throw, entered by the host."""
        return self.do(self.host, Rolled(values))
