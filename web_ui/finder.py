"""The page that shows what the camera sees, to those at the table, while they look."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from flask import Blueprint, Response
from werkzeug.wrappers import Response as AnyResponse

from companion.upkeep.camera import Camera
from web_ui.pages import Pages

if TYPE_CHECKING:
    from companion.table import Table

FRESH = {"Cache-Control": "no-store"}


class Finder:
    """The camera's pages. `person` is who asks, "" for nobody known, `whole` the page as it is opened."""

    def __init__(
        self,
        table: Table,
        pages: Pages,
        camera: Camera | None,
        person: Callable[[], str],
        whole: Callable[[], Response],
    ) -> None:
        self._table, self._pages, self._camera = table, pages, camera
        self._person, self._whole = person, whole

    def blueprint(self) -> Blueprint:
        """The routes."""
        pages = Blueprint("finder", __name__)
        pages.get("/camera")(self._page)
        pages.get("/camera/look")(self._look)
        pages.get("/camera/picture/<name>")(self._picture)
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

    def _looks(self) -> None:
        """Let a picture be taken, where somebody may see it."""
        if self._camera is not None and self._known():
            self._camera.look()

    def _known(self) -> bool:
        """Whether who asks has said a name at this table."""
        return bool(self._table.view(self._person()).name)
