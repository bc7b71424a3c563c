"""Pages on which an owner enters cards: which are entered, a form for each, its photograph."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from concurrent.futures import TimeoutError as NoAnswer
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec
from flask import Blueprint, Response, abort, redirect, request
from markupsafe import Markup
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response as AnyResponse

from companion.games.hellrail.entering import Entry
from companion.games.hellrail.pack import missing
from companion.messages import Answer, Enter, Request, View
from web_ui import photographs, rail_forms, where
from web_ui.photographs import BadPhotograph
from web_ui.svg import svg

if TYPE_CHECKING:
    from companion.table import Table

Shown = Callable[..., Response]

# A file is read in pieces of 64 KiB. The last few bytes of each may be kept back until the next one is here,
# and count together with that one.
_PIECES = 2 * 64 * 1024


@dataclass
class Form:
    """A card's form as it is shown: `fields` as typed, `faults` to be put right, `was` as entered before."""

    kind: str
    name: str
    fields: rail_forms.Fields
    was: Entry
    faults: list[str] = field(default_factory=list)

    @property
    def title(self) -> str:
        """What the card is called."""
        if self.kind == "rail":
            return f"Rail Card {self.name}"
        return "The Gate" if self.name == "G" else f"Circle {self.name}"


class Cards:
    """The pages of one table. `known` is the person who asks, `still` makes a page that does not change."""

    def __init__(self, table: Table, known: Callable[[], str], still: Shown, patience: float) -> None:
        self._table, self._known, self._still, self._patience = table, known, still, patience

    def blueprint(self) -> Blueprint:
        """The routes."""
        pages = Blueprint("cards", __name__)
        pages.get("/cards")(self._list)
        pages.get("/cards/<kind>/<name>")(self._card)
        pages.post("/cards/<kind>/<name>")(self._enter)
        pages.get("/cards/<kind>/<name>/photograph")(self._photograph)
        return pages

    def lacking(self, view: View, at: where.Where) -> str:
        """The form for the card of a seat's page, where the game does not know the card; "" elsewhere."""
        owned, cards = self._table.game.owned, self._table.cards
        if owned is None or cards is None or not at.card or view.state is None:
            return ""
        if self._table.game.prompt(view.state, at.seat, at.card).choices:
            return ""
        try:
            entry = owned.present(cards.pack, "rail", at.card)
            return "" if owned.known(view.state, entry) else f"/cards/rail/{at.card}?back={at.page}"
        except ValueError:  # the running game is another edition than the pack
            return ""

    # -- pages --------------------------------------------------------------------------------

    def _list(self) -> AnyResponse:
        cards = self._table.cards
        if cards is None:
            return self._still("Your own cards", "own_cards.html", gaps=(), entered=(), own=False)
        gaps = [(gap.kind, gap.name) for gap in missing(cards.pack)]
        entered = [
            (kind, card.name, Markup(self._drawn(kind, card.name)))
            for kind, found in (("rail", cards.pack.rails), ("circle", cards.pack.circles))
            for card in found
            if (kind, card.name) not in gaps
        ]
        return self._still("Your own cards", "own_cards.html", gaps=gaps, entered=entered, own=True)

    def _card(self, kind: str, name: str) -> AnyResponse:
        was = self._present(kind, name)
        return self._shown(Form(kind, name, rail_forms.fields_of(was), was))

    def _photograph(self, kind: str, name: str) -> AnyResponse:
        self._present(kind, name)
        cards = self._table.cards
        assert cards is not None
        try:
            found = photographs.path(cards.photographs, kind, name).read_bytes()
        except FileNotFoundError:
            abort(404)
        return Response(found, content_type="image/jpeg", headers={"Cache-Control": "no-store"})

    # -- entering -----------------------------------------------------------------------------

    def _enter(self, kind: str, name: str) -> AnyResponse:
        request.max_content_length = photographs.LARGEST
        request.max_form_memory_size = _PIECES
        person = self._known()
        was = self._present(kind, name)
        try:
            form = Form(kind, name, request.form.copy(), was)
        except RequestEntityTooLarge:
            return self._too_large()
        act = form.fields.get("act", "save")
        self._take_photograph(form, person)
        if act == "add":
            form.fields = rail_forms.with_step(form.fields, form.fields.get("new", ""))
        elif act.startswith("drop."):
            form.fields = rail_forms.without_step(form.fields, int(act[5:]) if act[5:].isdecimal() else -1)
        elif act == "save" and not form.faults:
            return self._save(form, person)
        return self._shown(form, 409 if form.faults else 200)

    def _save(self, form: Form, person: str) -> AnyResponse:
        entry = rail_forms.read(form.kind, form.name, form.fields)
        form.faults = rail_forms.faults(entry)
        if not form.faults:
            answer = self._ask(form, entry, person)
            if answer.status == "done":
                back = self._back()
                return redirect(f"/{back}" if back else f"/cards/{form.kind}/{form.name}?saved=1", 303)
            form.faults = [answer.words]
            form.was = self._present(form.kind, form.name)
        return self._shown(form, 409)

    def _ask(self, form: Form, entry: Entry, person: str) -> Answer:
        # Made with the form, so that a second tap is the same request.
        id = form.fields.get("id", "")
        was = form.fields.get("was", "")
        ask = Enter(msgspec.Raw(msgspec.json.encode(entry)), msgspec.Raw(was.encode()))
        asked = Request(id if 8 <= len(id) <= 64 else secrets.token_hex(16), self._table.number, ask, person)
        try:
            return self._table.submit(asked).result(self._patience)
        except NoAnswer:
            words = "The table did not answer in time. It may still do it: save it once more to be sure."
            return Answer("refused", self._table.number, words)

    def _take_photograph(self, form: Form, person: str) -> None:
        """A photograph is kept at once, whatever else is wrong: no browser sends it again by itself."""
        file = request.files.get("photograph")
        cards = self._table.cards
        if file is None or not file.filename or cards is None:
            return
        try:
            if words := self._table.barred(person):
                raise BadPhotograph(words)
            photographs.keep(cards.photographs, form.kind, form.name, photographs.plain(file.stream))
        except BadPhotograph as fault:
            form.faults.append(str(fault))

    # -- showing ------------------------------------------------------------------------------

    def _shown(self, form: Form, status: int = 200) -> Response:
        cards = self._table.cards
        assert cards is not None
        entry = rail_forms.read(form.kind, form.name, form.fields)
        picture = rail_forms.drawing(entry)
        photograph = photographs.path(cards.photographs, form.kind, form.name)
        return self._still(
            form.title,
            "own_card.html",
            status,
            form=form,
            given=form.fields,
            steps_given=rail_forms.steps_in(form.fields),
            choose=rail_forms.CHOICES,
            drawing=Markup(svg(picture, f"{form.title} as entered")) if picture else "",
            pictures={pair.sides: Markup(svg(pair.drawing)) for pair in rail_forms.PAIRS},
            photograph=str(photograph.stat().st_mtime_ns) if photograph.exists() else "",
            id=secrets.token_hex(16),
            was=msgspec.json.encode(form.was).decode(),
            back=self._back(),
            saved="saved" in request.args and not form.faults,
            following=next((gap for gap in missing(cards.pack) if gap.name != form.name), None),
        )

    def _too_large(self) -> Response:
        words = f"The photograph is larger than {photographs.LARGEST >> 20} MB. Take a smaller one. "
        words += "Nothing of this form was read, so enter the rest once more too."
        back = request.full_path.removesuffix("?")
        heading, way = "That did not work", "Back to the card"
        return self._still(heading, "message.html", 413, heading=heading, words=words, back=back, way=way)

    def _drawn(self, kind: str, name: str) -> str:
        picture = rail_forms.drawing(self._present(kind, name))
        return svg(picture) if picture else ""

    def _present(self, kind: str, name: str) -> Any:
        """The card as it is entered now; the page is not there when the pack has no such card."""
        cards, owned = self._table.cards, self._table.game.owned
        if cards is None or owned is None:
            abort(404)
        try:
            return owned.present(cards.pack, kind, name)
        except ValueError:
            abort(404)

    def _back(self) -> str:
        """The seat's page from which somebody came here, "" for none."""
        back = str(request.values.get("back", ""))
        return back if where.read(back) else ""
