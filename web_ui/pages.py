"""Draws the pages: a View in, HTML out, once for all phones that show the same."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
import segno
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from msgspec import Struct

from companion.games.game import AwaitedDice, Choice, Option
from companion.messages import View
from web_ui.address import join_address
from web_ui.board import draw

if TYPE_CHECKING:
    from companion.table import Table

STATIC = Path(__file__).parent / "static"
PLAY = "play_card"
"""The action by which any game plays a card from a hand."""

FACES = (1, 2, 3, 4, 5, 6)
SIGNS = ("circle", "square", "triangle", "diamond", "hexagon", "star")
"""The shape that tells a seat besides its colour and letter, in the order of the game's seats."""


class Controls(Protocol):
    """What people at an emulated table can do that has no other way in."""

    def throw(self, seat: str) -> None:
        """Throw the dice that are awaited from this seat; ValueError when none are."""

    def hand(self, seat: str) -> tuple[str, ...]:
        """The cards that this seat holds."""


class Card(Struct, frozen=True):
    """A card that may be played, with all the ways to play it. `held` is None where hands are secret."""

    kind: str
    title: str
    words: str
    ways: tuple[Choice, ...]
    held: bool | None = None


FEW = 1
"""As many ways to play cards as stand beside the other choices, with no sheet to open: an answer, mostly."""


class Pages:
    """Draws each page once per state of the table. Any thread may ask.

    `changed` has to be called when the table has published something new.
    """

    def __init__(self, table: Table, controls: Controls | None, port: int) -> None:
        self.table, self.controls, self.port = table, controls, port
        self._boot = secrets.token_hex(4)
        self._assets = _assets()
        self._revision = 0
        self._drawn: dict[tuple[str, ...], str] = {}
        self._drawn_at = 0
        self._lock = threading.Lock()
        self._cards = {card.kind: card for card in table.pack.cards}
        self._templates = _environment()
        self._templates.filters["title_of"] = self._title
        self._templates.globals |= {
            "assets": self._assets,
            "game": table.game,
            "shape": {seat: SIGNS[n % len(SIGNS)] for n, seat in enumerate(table.game.seats)},
            "faces": FACES,
        }

    def changed(self, revision: int) -> None:
        """What was drawn before is out of date."""
        self._revision = revision

    def live(self, page: str, person: str) -> str | None:
        """The live part of a page for this person; None when there is no such page."""
        if page == "table":
            return self._once(("table",), "table.html", lambda: self._table())
        if page == "people":
            return self._once(("people", person), "people.html", lambda: self._people(person))
        kind, _, seat = page.partition("/")
        if kind != "play" or seat not in self.table.game.seats:
            return None
        view = self.table.view(person, seat)
        if view.seat != seat or view.phase == "seats":
            return self._once(("gone",), "gone.html", lambda: {})
        return self._once((page, person), "play.html", lambda: self._play(view))

    def whole(self, title: str, live: str, page: str = "") -> str:
        """A whole page around its live part."""
        return self._templates.get_template("page.html").render(title=title, live=Markup(live), page=page)

    def still(self, template: str, person: str, **fields: Any) -> str:
        """A page that does not change while it is looked at."""
        view = self.table.view(person)
        return self._templates.get_template(template).render(view=view, **self._common("", view), **fields)

    def _once(self, key: tuple[str, ...], template: str, fields: Callable[[], dict[str, Any]]) -> str:
        with self._lock:
            revision = self._revision
            if revision != self._drawn_at:
                self._drawn.clear()
                self._drawn_at = revision
            drawn = self._drawn.get(key)
            if drawn is not None:
                return drawn
            given = fields()
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
        }

    def _people(self, person: str) -> dict[str, Any]:
        view = self.table.view(person)
        host = next((seat for seat in view.seats if seat.host), None)
        taken = [seat for seat in view.seats if seat.person]
        open_options = [option for option in self.table.game.options if len(option.values) > 1]
        return {"view": view, "host": host, "taken": taken, "options": open_options}

    def _play(self, view: View) -> dict[str, Any]:
        hand = (
            self.controls.hand(view.seat) if self.controls is not None and view.phase == "playing" else None
        )
        chance = view.awaiting.chance if view.awaiting else None
        dice = chance if isinstance(chance, AwaitedDice) else None
        choices = view.prompt.choices if view.prompt else ()
        plain = [choice for choice in choices if not _card(choice)]
        cards = self._playable(choices, hand)
        likely = [way for card in cards if card.held is not False for way in card.ways]
        likely = likely if len(likely) <= FEW else []
        plain += likely
        if likely:
            cards = [card for card in cards if card.held is False]
        return _whose(view) | {
            "view": view,
            "dice": dice,
            "my_throw": dice is not None and dice.seat == view.seat,
            "plain": plain,
            "cards": cards,
            "likely": likely,
            "hand": hand,
            "moves": {move.move: move for move in view.moves},
            "throws": max((move.move for move in view.moves if move.dice), default=-1),
        }

    def _playable(self, choices: Iterable[Choice], hand: tuple[str, ...] | None) -> list[Card]:
        """The cards among these choices, each with its ways to be played; those held come first."""
        ways: dict[str, list[Choice]] = {}
        for choice in choices:
            if kind := _card(choice):
                ways.setdefault(kind, []).append(choice)
        found = [
            Card(
                kind,
                self._title(kind),
                self._cards[kind].words,
                tuple(all_ways),
                None if hand is None else kind in hand,
            )
            for kind, all_ways in ways.items()
        ]
        return sorted(found, key=lambda card: card.held is False)

    def _title(self, kind: str) -> str:
        return str(self._cards[kind].title)

    def _table(self) -> dict[str, Any]:
        view = self.table.view("")
        board = draw(view.map, view.layout) if view.map is not None and view.layout is not None else None
        address = join_address(self.port)
        return _whose(view) | {"view": view, "board": board, "address": address, "qr": qr(address)}


def _whose(view: View) -> dict[str, Any]:
    """What each seat is called, and the seats that the table waits for."""
    names = {seat.seat: seat.name or name_of(seat.seat) for seat in view.seats}
    awaiting = view.awaiting
    if awaiting is None:
        return {"names": names, "whose": ()}
    throws = (awaiting.chance.seat,) if isinstance(awaiting.chance, AwaitedDice) else ()
    return {"names": names, "whose": throws or awaiting.seats}


@lru_cache(4)
def qr(address: str) -> Markup:
    """A QR code of the address as SVG, dark on light in any theme: some cameras read no other."""
    code = segno.make_qr(address, error="m").svg_inline(border=2, dark="#000", light="#fff", omitsize=True)
    return Markup(code)


def _card(choice: Choice) -> str:
    """The kind of card that a choice plays, "" when it plays none."""
    return str(getattr(choice.action, "card", "")) if choice.action.__struct_config__.tag == PLAY else ""


def name_of(word: str) -> str:
    """A rule's word as people read it."""
    return word.replace("_", " ").capitalize()


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _options(option: Option) -> list[tuple[str, str]]:
    return [(value, option.reading(value)) for value in option.values]


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
    environment.filters |= {"json": _json, "words": name_of, "values": _options, "qr": qr}
    return environment
