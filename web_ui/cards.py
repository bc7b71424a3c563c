"""Pages on which an owner enters cards: which are entered, a form for each, its photograph."""

from __future__ import annotations

import re
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

from companion.games.game import Owned
from companion.messages import Answer, Enter, Request, View
from web_ui import photographs, where
from web_ui.own_forms import Fields, Forms, forms_of, steps_in, without_step
from web_ui.photographs import BadPhotograph
from web_ui.svg import svg

if TYPE_CHECKING:
    from companion.table import Table

Shown = Callable[..., Response]

_DRAFT = re.compile("new-[0-9a-f]{8}")

# A file is read in pieces of 64 KiB. The last few bytes of each may be kept back until the next one is here,
# and count together with that one.
_PIECES = 2 * 64 * 1024


@dataclass
class Form:
    """A card's form as it is shown: `fields` as typed, `faults` to be put right, `was` as entered before.

    A card that is new to the pack is named once it is saved, and has the name of a draft until then.
    """

    kind: str
    name: str
    fields: Fields
    was: Any
    faults: list[str] = field(default_factory=list)

    @property
    def is_draft(self) -> bool:
        """Whether the card is not in the pack yet."""
        return _DRAFT.fullmatch(self.name) is not None


class Cards:
    """The pages of one table. `known` is the person who asks, `still` makes a page that does not change."""

    def __init__(self, table: Table, known: Callable[[], str], still: Shown, patience: float) -> None:
        self._table, self._known, self._still, self._patience = table, known, still, patience
        self._forms_of_game = forms_of(table.game.name)

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
        forms = self._forms_of_game
        if owned is None or cards is None or forms is None or not at.card or view.state is None:
            return ""
        if self._table.game.prompt(view.state, at.seat, at.card).choices:
            return ""
        try:
            entry = owned.present(cards.pack, forms.held, at.card)
            return "" if owned.known(view.state, entry) else f"/cards/{forms.held}/{at.card}?back={at.page}"
        except ValueError:  # the running game is another edition than the pack
            return ""

    # -- pages --------------------------------------------------------------------------------

    def _list(self) -> AnyResponse:
        cards = self._table.cards
        if cards is None:
            return self._still("Your own cards", "own_cards.html", listing="")
        forms = self._own()[2]
        return self._still(
            "Your own cards", "own_cards.html", listing=forms.listing, **forms.listed(cards.pack)
        )

    def _card(self, kind: str, name: str) -> AnyResponse:
        if name == "new":
            self._present(kind, f"new-{secrets.token_hex(4)}")
            back = f"?back={self._back()}" if self._back() else ""
            return redirect(f"/cards/{kind}/new-{secrets.token_hex(4)}{back}", 303)
        was = self._present(kind, name)
        return self._shown(Form(kind, name, self._own()[2].fields_of(was), was))

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
            form.fields = self._own()[2].added(form.fields, form.fields.get("new", ""))
        elif act.startswith("drop."):
            form.fields = without_step(form.fields, int(act[5:]) if act[5:].isdecimal() else -1)
        elif act == "save" and not form.faults:
            return self._save(form, person)
        return self._shown(form, 409 if form.faults else 200)

    def _save(self, form: Form, person: str) -> AnyResponse:
        cards, _, forms = self._own()
        entry = forms.read(form.kind, form.name, form.fields)
        form.faults = forms.faults(cards.pack, entry)
        if form.is_draft and forms.has(cards.pack, form.kind, entry.card.name):
            form.faults.append(
                f"There is a card called “{entry.card.title}” already. "
                "Put that one right, or give this one another title."
            )
        if not form.faults:
            answer = self._ask(form, entry, person)
            if answer.status == "done":
                name = entry.card.name
                if form.is_draft:
                    photographs.rename(cards.photographs, form.kind, form.name, name)
                back = self._back()
                return redirect(f"/{back}" if back else f"/cards/{form.kind}/{name}?saved=1", 303)
            form.faults = [answer.words]
            form.was = self._present(form.kind, form.name)
        return self._shown(form, 409)

    def _ask(self, form: Form, entry: Any, person: str) -> Answer:
        # Made with the form, so that a second tap is the same request.
        id = form.fields.get("id", "")
        was = form.fields.get("was", "")
        if form.is_draft:  # no card of that name is there yet, and none must come meanwhile
            was = msgspec.json.encode(self._present(form.kind, entry.card.name)).decode()
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
        cards, _, forms = self._own()
        entry = forms.read(form.kind, form.name, form.fields)
        picture, title = forms.drawing(entry), forms.title(form.was)
        photograph = photographs.path(cards.photographs, form.kind, form.name)
        return self._still(
            title,
            "own_card.html",
            status,
            form=form,
            fields_of_form=forms.form,
            called=title,
            given=form.fields,
            steps_given=steps_in(form.fields),
            choose=forms.choose,
            drawing=Markup(svg(picture, f"{title} as entered")) if picture else "",
            photograph=str(photograph.stat().st_mtime_ns) if photograph.exists() else "",
            id=secrets.token_hex(16),
            was=msgspec.json.encode(form.was).decode(),
            back=self._back(),
            saved="saved" in request.args and not form.faults,
            draws=forms.draws(form.kind),
            following=forms.following(cards.pack, form.kind, form.name),
            **forms.beside(cards.pack, form.kind, form.name),
        )

    def _too_large(self) -> Response:
        words = f"The photograph is larger than {photographs.LARGEST >> 20} MB. Take a smaller one. "
        words += "Nothing of this form was read, so enter the rest once more too."
        back = request.full_path.removesuffix("?")
        heading, way = "That did not work", "Back to the card"
        return self._still(heading, "message.html", 413, heading=heading, words=words, back=back, way=way)

    def _present(self, kind: str, name: str) -> Any:
        """The card as it is entered now; the page is not there when the pack can have no such card."""
        cards, owned, _ = self._own()
        try:
            return owned.present(cards.pack, kind, name)
        except ValueError:
            abort(404)

    def _own(self) -> tuple[Any, Owned[Any], Forms]:
        """The owner's cards, how the game has them, and its forms; no page is there without."""
        cards, owned, forms = self._table.cards, self._table.game.owned, self._forms_of_game
        if cards is None or owned is None or forms is None:
            abort(404)
        return cards, owned, forms

    def _back(self) -> str:
        """The seat's page from which somebody came here, "" for none."""
        back = str(request.values.get("back", ""))
        return back if where.read(back) else ""
