"""The page that shows what the camera sees, to those at the table, while they look."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from companion.upkeep.camera import Camera, OwnDice
from web_ui.pages import Pages

if TYPE_CHECKING:
    from companion.table import Table

FRESH = {"Cache-Control": "no-store"}


class Finder:
    """The camera's pages. `person` is who asks, "" for nobody known, `whole` the page as it is opened.

    `known` is the person of a request that changes something, `still` makes a page that does not change.
    """

    def __init__(
        self,
        table: Table,
        pages: Pages,
        camera: Camera | None,
        person: Callable[[], str],
        whole: Callable[[], Response],
        known: Callable[[], str],
        still: Callable[..., Response],
    ) -> None:
        self._asks, self._still = known, still
        self._table, self._pages, self._camera = table, pages, camera
        self._person, self._whole = person, whole

    def blueprint(self) -> Blueprint:
        """The routes."""
        pages = Blueprint("finder", __name__)
        pages.get("/camera")(self._page)
        pages.get("/camera/look")(self._look)
        pages.get("/camera/picture/<name>")(self._picture)
        pages.get("/camera/dice")(self._dice)
        pages.post("/camera/dice")(self._forget)
        pages.get("/camera/dice/<name>")(self._face)
        return pages

    def _page(self) -> AnyResponse:
        self._looks()
        return self._whole()

    def _look(self) -> AnyResponse:
        """The live part of the page again: whoever has it open asks for it now and then."""
        self._looks()
        return Response(self._pages.live("camera", self._person()), headers=FRESH)

    def _picture(self, name: str) -> AnyResponse:
        found = self._camera.picture(name) if self._camera is not None and self._known() else None
        if found is None:
            return Response(
                "That picture is not kept any more.", 404, content_type="text/plain", headers=FRESH
            )
        return Response(found, content_type="image/jpeg", headers=FRESH)

    def _dice(self) -> AnyResponse:
        return self._shown()

    def _shown(self, fault: str = "", status: int = 200) -> Response:
        """The page of the owner's dice that were put right, for those at the table."""
        own = self._own()
        view = self._table.view(self._person())
        kept = own.kept if own is not None and view.name else ()
        return self._still(
            "Your dice", "own_dice.html", status, kept=kept, keeps=own is not None, fault=fault
        )

    def _face(self, name: str) -> AnyResponse:
        own = self._own() if self._known() else None
        found = None if own is None else own.picture(name)
        if found is None:
            words = "That picture is not kept any more."
            return Response(words, 404, content_type="text/plain", headers=FRESH)
        return Response(found, content_type="image/png", headers=FRESH)

    def _forget(self) -> AnyResponse:
        own = self._own()
        if not self._table.view(self._asks()).host:
            return self._shown("Only the host deletes these. “People and seats” says who that is.", 403)
        name = request.form.get("name")
        if own is None or name is None:
            return self._shown("Nothing was deleted. Load the page again, then try once more.", 409)
        try:
            own.forget("" if name == "all" else name)
        except OSError as fault:
            words = f"It cannot be deleted ({fault.strerror}). “What works” says more of the disk."
            return self._shown(words, 409)
        return redirect("/camera/dice", 303)

    def _own(self) -> OwnDice | None:
        return None if self._camera is None else self._camera.own

    def _looks(self) -> None:
        """Let a picture be taken, where somebody may see it."""
        if self._camera is not None and self._known():
            self._camera.look()

    def _known(self) -> bool:
        """Whether who asks has said a name at this table."""
        return bool(self._table.view(self._person()).name)
