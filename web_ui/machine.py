"""Pages for whoever looks after the machine: what works, and the configuration, which the host may change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from flask import Blueprint, Response, redirect, request
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

from companion.upkeep import Form, Upkeep
from web_ui.address import moved

if TYPE_CHECKING:
    from companion.table import Table

Shown = Callable[..., Response]

GUEST = "Only the host changes the set-up. “People and seats” says who that is."


class Machine:
    """The pages of one machine. `known` is the person who asks, `still` makes a page that does not change,
    `health` is the page of what works.
    """

    def __init__(
        self,
        table: Table,
        upkeep: Upkeep,
        known: Callable[[], str],
        still: Shown,
        health: Callable[[], Response],
    ) -> None:
        self._table, self._upkeep = table, upkeep
        self._known, self._still, self._whole = known, still, health

    def blueprint(self) -> Blueprint:
        """The routes."""
        pages = Blueprint("machine", __name__)
        pages.get("/health")(self._health)
        pages.post("/health")(self._look)
        pages.get("/configuration")(self._configuration)
        pages.post("/configuration")(self._change)
        pages.post("/configuration/restart")(self._restart)
        return pages

    def _health(self) -> AnyResponse:
        if self._upkeep.health().looked is None:
            self._upkeep.look()
        return self._whole()

    def _look(self) -> AnyResponse:
        self._known()
        self._upkeep.look()
        return redirect("/health", 303)

    def _configuration(self) -> AnyResponse:
        return self._shown(self._upkeep.form())

    def _change(self) -> AnyResponse:
        typed = request.form.to_dict()
        if not self._hosts():
            return self._shown(_refused(self._upkeep.form(), typed, GUEST), 403)
        form = self._upkeep.change(typed, typed.get("was", ""))
        return redirect("/configuration?saved=1", 303) if form.saved else self._shown(form, 409)

    def _restart(self) -> AnyResponse:
        form = self._upkeep.form()
        if not self._hosts():
            return self._shown(_refused(form, {}, GUEST), 403)
        if words := self._upkeep.restart():
            return self._shown(_refused(form, {}, words), 409)
        return redirect("/health", 303)

    def _hosts(self) -> bool:
        return self._table.view(self._known()).host

    def _shown(self, form: Form, status: int = 200) -> Response:
        return self._still(
            "Set-up",
            "configuration.html",
            status,
            form=form,
            restarts=self._upkeep.restarts,
            address=moved(request.host, form.port) if form.port else "",
            saved="saved" in request.args and status == 200,
            places=sorted({name.split(".")[2] for name in form.fields if name.startswith("pins.seats.")}),
            refused=status != 200,
            wrong=[field for field in form.fields.values() if field.fault],
        )


def _refused(form: Form, typed: Mapping[str, str], words: str) -> Form:
    """The form with what was typed, and why nothing came of it."""
    fields = {name: replace(field, value=typed.get(name, field.value)) for name, field in form.fields.items()}
    return replace(form, fields=fields, faults=(words,))
