"""Draws the pages: a View in, HTML out, once for all phones that show the same."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
import segno
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from companion.games.game import Option, are_lots
from companion.messages import View
from companion.upkeep import Health, Upkeep
from companion.upkeep.camera import Camera
from web_ui import fonts, net, playing, sketches, train, where
from web_ui.address import join_address
from web_ui.board import draw
from web_ui.own_forms import new_card
from web_ui.where import Where

if TYPE_CHECKING:
    from companion.table import Table

STATIC = Path(__file__).parent / "static"

FACES = (1, 2, 3, 4, 5, 6)
SIGNS = ("circle", "square", "triangle", "diamond", "hexagon", "star")
"""The shape that tells a seat besides its colour and letter, in the order of the game's seats."""


class Controls(Protocol):
    """What people at an emulated table can do that has no other way in."""

    def throw(self, seat: str) -> None:
        """Throw the dice that are awaited from this seat; ValueError when none are."""

    def hand(self, seat: str) -> tuple[str, ...]:
        """The cards that this seat holds."""


class Pages:
    """Draws each page once per state of the table. Any thread may ask.

    `changed` has to be called when the table has published something new. `upkeep` is what may be asked of
    the machine, `camera` what of the camera, None where there is none.
    """

    def __init__(
        self,
        table: Table,
        controls: Controls | None,
        port: int,
        upkeep: Upkeep | None = None,
        camera: Camera | None = None,
    ) -> None:
        self.table, self.controls, self.port, self.upkeep = table, controls, port, upkeep
        self.camera = camera
        self._boot = secrets.token_hex(4)
        self._assets = _assets()
        self._revision = 0
        self._drawn: dict[tuple[str, ...], str] = {}
        self._drawn_at = 0
        self._lock = threading.Lock()
        self._templates = _environment()
        self._templates.globals |= {
            "assets": self._assets,
            "game": table.game,
            "pack": table.pack,
            "shape": {seat: SIGNS[n % len(SIGNS)] for n, seat in enumerate(table.game.seats)},
            "faces": FACES,
            "own_cards": table.cards is not None,
            "new_card": partial(new_card, table),
            "fonts": fonts.style_sheet(),
            "upkeep": upkeep is not None,
        }
        self._sketches: tuple[Any, sketches.Sprite | None] = (None, None)

    def changed(self, revision: int) -> None:
        """What was drawn before is out of date."""
        self._revision = revision

    def live(self, page: str, person: str) -> str | None:
        """The live part of a page for this person; None when there is no such page."""
        if page == "table":
            return self._once(("table",), lambda: ("table.html", self._table()))
        if page == "people":
            return self._once(("people", person), lambda: ("people.html", self._people(person)))
        if page == "health":
            return None if self.upkeep is None else self._health(self.upkeep.health(), person)
        if page == "camera":
            return self._camera(person)
        at = where.read(page)
        if at is None or at.seat not in self.table.game.seats:
            return None
        return self._once((page, person), lambda: self._playing(at, person))

    def stands(self, at: Where, person: str) -> bool:
        """Whether there is such a page of a seat just now."""
        return self._of_seat(at, self._view(at, person))[1] is not None

    def whole(self, title: str, live: str, page: str = "") -> str:
        """A whole page around its live part."""
        return self._templates.get_template("page.html").render(title=title, live=Markup(live), page=page)

    def still(self, template: str, person: str, **fields: Any) -> str:
        """A page that does not change while it is looked at."""
        view = self.table.view(person)
        return self._templates.get_template(template).render(view=view, **self._common("", view), **fields)

    def sketches(self, name: str) -> bytes | None:
        """The running game's sketches, a packed SVG, by the name that pages give them; None for others."""
        sprite = self._sketches[1]
        return sprite.packed if sprite is not None and sprite.name == name else None

    def _once(self, key: tuple[str, ...], made: Callable[[], tuple[str, dict[str, Any]]]) -> str:
        with self._lock:
            revision = self._revision
            if revision != self._drawn_at:
                self._drawn.clear()
                self._drawn_at = revision
            drawn = self._drawn.get(key)
            if drawn is not None:
                return drawn
            template, given = made()
            given = self._common(key[0], given.get("view")) | given | {"revision": revision}
            html = self._templates.get_template(template).render(given)
            self._drawn[key] = html
            return html

    def _common(self, page: str, view: View | None) -> dict[str, Any]:
        return {
            "page": page,
            "boot": self._boot,
            "revision": self._revision,
            "number": view.number if view else 0,
            "emulated": view.emulated if view else (),
            "sketched": self._sketched(view),
        }

    def _sketched(self, view: View | None) -> str:
        """Where the running game's sketches are; they change with the cards that it is played with."""
        if view is None or view.state is None:
            return ""
        drawings = self.table.game.sketches(view.state)
        if drawings is not self._sketches[0]:
            self._sketches = (drawings, sketches.sprite(drawings))
        return self._sketches[1].address if self._sketches[1] is not None else ""

    def _health(self, health: Health, person: str) -> str:
        """Drawn each time: what it shows changes without the table."""
        view = self.table.view(person)
        given = self._common("health", view) | {"view": view, "health": health}
        return self._templates.get_template("health.html").render(given)

    def _camera(self, person: str) -> str:
        """Drawn each time: what it shows changes without the table."""
        view = self.table.view(person)
        if view.mine:
            view = self.table.view(person, view.mine[0])
        fault = next((fault for fault in self.table.faults if fault.id == "camera"), None)
        # Who has not said a name yet is shown nothing of the room.
        seen = self.camera.seen() if self.camera is not None and view.name else None
        last = next((move for move in view.moves if move.dice), None)
        given = self._common("camera", view) | {
            "view": view,
            "camera": self.camera is not None,
            "corners": self.camera.corners if self.camera is not None and view.name else None,
            "fault": fault,
            "seen": seen,
            "own": self.camera is not None and self.camera.own is not None,
            "last": last,
        }
        return self._templates.get_template("camera.html").render(given)

    def _people(self, person: str) -> dict[str, Any]:
        view = self.table.view(person)
        host = next((seat for seat in view.seats if seat.host), None)
        taken = [seat for seat in view.seats if seat.person]
        open_options = [option for option in self.table.game.options if len(option.values) > 1]
        return {"view": view, "host": host, "taken": taken, "options": open_options}

    def _playing(self, at: Where, person: str) -> tuple[str, dict[str, Any]]:
        view = self._view(at, person)
        if view.seat != at.seat or view.phase == "seats":
            return "gone.html", {}
        template, fields = self._of_seat(at, view)
        if fields is None:
            return "done.html", {"view": view, "where": at}
        return template, fields

    def _view(self, at: Where, person: str) -> View:
        return (self.table.stand_in if at.stand_in else self.table.view)(person, at.seat)

    def _of_seat(self, at: Where, view: View) -> tuple[str, playing.Fields | None]:
        game, pack = self.table.game, self.table.pack
        shown = self.controls is not None and view.phase == "playing" and not at.stand_in
        hand = self.controls.hand(view.seat) if self.controls is not None and shown else None
        if at.choosing:
            return "cards.html", playing.choosing(game, pack, view, at, hand)
        if at.card:
            return "ways.html", playing.of_card(game, pack, view, at, hand)
        return "ways.html" if at.group else "play.html", playing.own(game, pack, view, at, hand)

    def _table(self) -> dict[str, Any]:
        game, view = self.table.game, self.table.view("")
        board = picture = None
        stops = game.stops(view.state) if view.state is not None else ()
        lying = view.prompt.lying if view.prompt is not None else None
        if view.map is not None and view.layout is not None and not stops and lying is None:
            if game.sketches(view.state):
                picture = net.net(net.ground(game, view.state), (), view.fresh, game.marks(view.state))
            else:
                board = draw(view.map, view.layout)
        address = join_address(self.port)
        return playing.whose(view) | {
            "view": view,
            "board": board,
            "lying": lying,
            "net": picture,
            "stops": [(stop, None) for stop in stops],
            "countdown": train.countdown(game, view.state),
            "rows": playing.rows(game, self.table.pack, view),
            "address": address,
            "qr": qr(address),
            "signs": None if self.upkeep is None else self.upkeep.signs(),
        }


@lru_cache(4)
def qr(address: str) -> Markup:
    """A QR code of the address as SVG, dark on light in any theme: some cameras read no other."""
    code = segno.make_qr(address, error="m").svg_inline(border=2, dark="#000", light="#fff", omitsize=True)
    return Markup(code)


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _options(option: Option) -> list[tuple[str, str]]:
    return [(value, option.reading(value)) for value in option.values]


def _moment(seconds: float) -> str:
    """A time of the day for people, in this machine's zone; with its day where that is not today."""
    then = time.localtime(seconds)
    today = time.localtime()[:3] == then[:3]
    return time.strftime("%H:%M" if today else "%d %b %H:%M", then)


def _assets() -> str:
    """Changes when any static file does, so that browsers fetch it anew."""
    digest = sha256()
    for file in sorted(STATIC.rglob("*")):
        if file.is_file():
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("web_ui"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters |= {
        "json": _json,
        "words": playing.name_of,
        "values": _options,
        "qr": qr,
        "numbers": net.numbers,
        "lots": are_lots,
        "marked": train.marked,
        "moment": _moment,
    }
    return environment
