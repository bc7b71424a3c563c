"""The pages that show people at the table what the camera sees, and on which they tap corners."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from companion.upkeep.camera import Camera, Corners, Laid, OwnDice, Taps
from web_ui.pages import Pages

if TYPE_CHECKING:
    from companion.table import Table

FRESH = {"Cache-Control": "no-store"}

STRANGER = "Say your name under “People and seats”, then come back."


class Finder:
    """The camera's pages. `person` is who asks, "" for nobody known, `known` the same of who changes things.

    `still` makes a page that does not change, and `whole` is the camera's page as it is opened.
    """

    def __init__(
        self,
        table: Table,
        pages: Pages,
        camera: Camera | None,
        person: Callable[[], str],
        known: Callable[[], str],
        still: Callable[..., Response],
        whole: Callable[[], Response],
    ) -> None:
        self._table, self._pages, self._camera = table, pages, camera
        self._person, self._whoever, self._still, self._whole = person, known, still, whole

    def blueprint(self) -> Blueprint:
        """The routes."""
        pages = Blueprint("finder", __name__)
        pages.get("/camera")(self._page)
        pages.get("/camera/look")(self._look)
        pages.get("/camera/picture/<name>")(self._picture)
        pages.get("/camera/dice")(self._dice)
        pages.post("/camera/dice")(self._forget)
        pages.get("/camera/dice/<name>")(self._face)
        pages.get("/camera/corners")(self._tapping)
        pages.get("/camera/corners/picture")(self._tapped_on)
        pages.post("/camera/corners/lay")(self._lay)
        pages.post("/camera/corners")(self._keep)
        pages.post("/camera/corners/clear")(self._clear)
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
        if not self._table.view(self._whoever()).host:
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

    # -- corners --------------------------------------------------------------------------------

    def _tapping(self) -> AnyResponse:
        if self._camera is None or self._corners() is None or not self._known():
            return redirect("/camera")
        self._looks()
        # What was seen before the page was opened may not be what lies there now.
        seen = self._camera.seen()
        return self._still("Set the corners", "corners.html", before=seen.picture if seen else "")

    def _tapped_on(self) -> AnyResponse:
        """A picture to tap on, other than the one that is there already; nothing as long as there is none."""
        self._looks()
        seen = self._camera.seen() if self._camera is not None and self._known() else None
        if self._camera is None or seen is None or seen.picture == request.args.get("not"):
            return Response(status=204, headers=FRESH)
        self._camera.hold(seen.picture)
        return _json({"picture": seen.picture, "width": seen.width, "height": seen.height})

    def _lay(self) -> AnyResponse:
        return self._answered(lambda corners, taps: corners.lay(taps))

    def _keep(self) -> AnyResponse:
        return self._answered(lambda corners, taps: corners.keep(taps))

    def _answered(self, asked: Callable[[Corners, Taps], Laid]) -> AnyResponse:
        if (corners := self._changing()) is None:
            return _json(Laid(False, STRANGER), 403)
        try:
            typed: dict[str, object] = dict(request.form.to_dict())
            typed["points"] = msgspec.json.decode(request.form.get("points", ""))
            taps = msgspec.convert(typed, type=Taps, strict=False)
        except msgspec.MsgspecError:
            words = "The table cannot read this. Load the page again, then try once more."
            return _json(Laid(False, words), 400)
        return _json(asked(corners, taps))

    def _clear(self) -> AnyResponse:
        if (corners := self._changing()) is None:
            return redirect("/camera", 303)
        gone = corners.clear()
        if not gone.done:
            heading = {"heading": "That did not work", "words": gone.words}
            return self._still(
                "That did not work", "message.html", 409, back="/camera", way="Back", **heading
            )
        return redirect("/camera", 303)

    def _corners(self) -> Corners | None:
        return None if self._camera is None else self._camera.corners

    def _changing(self) -> Corners | None:
        """What can be asked about corners by whoever asks now, from one of our pages; None for strangers."""
        self._whoever()
        return self._corners() if self._known() else None


def _json(body: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(body), status, content_type="application/json", headers=FRESH)
