"""A table, its server, and people who act without a browser."""

from __future__ import annotations

import secrets
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from companion import games, packs
from companion.games.game import AwaitedShuffle, Rolled, Shuffled
from companion.games.layout import UNKNOWN
from companion.journal import Journal
from companion.messages import Answer, Ask, Do, Join, Request, Sit, Start, View
from companion.table import Table
from web_ui.feed import LIMIT
from web_ui.pages import Controls
from web_ui.serve import listen, serve_on

GAME = games.load("pawns_of_perdition")


class House:
    """One table served on a free port of this machine; `restart` is a power cut and a boot."""

    def __init__(
        self, folder: Path, *, table: str = "none", emulated: tuple[str, ...] = (), limit: int = LIMIT
    ) -> None:
        self.folder, self.kind, self.emulated, self.limit = folder, table, emulated, limit
        self.port = 0

    def __enter__(self) -> House:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def open(self, controls: Controls | None = None) -> None:
        pack = packs.load(GAME, "house")
        self.table = Table(GAME, pack, Journal(self.folder), table=self.kind, emulated=self.emulated)
        self.table.start()
        listener = listen("127.0.0.1", self.port)
        self.port = listener.getsockname()[1]
        self.server = serve_on(self.table, controls, listener, self.folder, self.limit)

    def close(self) -> None:
        self.server.close()
        self.table.close()

    def restart(self) -> None:
        self.close()
        self.open()

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

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

    @property
    def host(self) -> str:
        """The person who is the host."""
        return next(seat.person for seat in self.view().seats if seat.host)

    def roll(self, *values: int) -> Answer:
        """The awaited throw, entered by the host."""
        return self.do(self.host, Rolled(values))
