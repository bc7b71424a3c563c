"""The Flask application: pages, pictures, and what phones ask of the table."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import TimeoutError as NoAnswer
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
from flask import Flask, Response, redirect, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from companion.messages import Answer, Request
from companion.upkeep import Upkeep
from companion.upkeep.camera import Camera
from web_ui import fonts, where
from web_ui.address import address_for
from web_ui.asks import LARGEST, BadBody, from_form, from_json
from web_ui.cards import Cards
from web_ui.finder import Finder
from web_ui.machine import Machine
from web_ui.pages import Controls, Pages
from web_ui.person import People

if TYPE_CHECKING:
    from companion.table import Table

PATIENCE = 10.0  # seconds that a request waits for the table's word
YEAR = 365 * 24 * 3600
POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"


@dataclass(frozen=True)
class Config:
    """What the pages need besides the table: `digits` is what an emulated number display shows now, `upkeep`
    what may be asked of the machine, `camera` what of the camera.
    """

    people: People
    pages: Pages
    port: int
    digits: Callable[[], str] | None
    upkeep: Upkeep | None = None
    camera: Camera | None = None


class Fault(Exception):
    """Something that a person has to be told instead of a page: status and words."""

    def __init__(self, status: int, words: str, heading: str = "That did not work") -> None:
        super().__init__(words)
        self.status, self.words, self.heading = status, words, heading


def create_app(table: Table, controls: Controls | None, config: Config) -> Flask:
    """The application for one table; `controls` are those of an emulated one."""
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = app.config["MAX_FORM_MEMORY_SIZE"] = LARGEST
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = YEAR  # addresses of static files change with their content
    people, pages = config.people, config.pages

    def person() -> str:
        return people.read(request.headers.get("Cookie", ""))

    def shown(html: str, status: int = 200) -> Response:
        """A page; whoever has no cookie yet gets one with it."""
        response = Response(html, status)
        response.headers["Cache-Control"] = "no-store"
        if not person():
            response.headers.add("Set-Cookie", people.cookie(people.new()))
        return response

    def alive(title: str, page: str) -> Response:
        live = pages.live(page, person())
        if live is None:
            raise Fault(404, "The table has no such seat.", "Nothing here")
        return shown(pages.whole(title, live))

    def still(title: str, template: str, status: int = 200, **fields: object) -> Response:
        return shown(pages.whole(title, pages.still(template, person(), **fields)), status)

    # -- pages --------------------------------------------------------------------------------

    @app.get("/")
    def home() -> AnyResponse:
        view = table.view(person())
        if view.mine and view.phase != "seats":
            return redirect(f"/play/{view.mine[0]}")
        return alive(table.game.title, "people")

    @app.get("/people")
    def seats() -> AnyResponse:
        return alive("People and seats", "people")

    @app.get("/play/<seat>")
    def play(seat: str) -> AnyResponse:
        if seat not in table.game.seats:
            raise Fault(404, f"The table has no seat “{seat}”.", "Nothing here")
        view = table.view(person(), seat)
        if view.seat != seat or view.phase == "seats":
            return redirect("/" if view.mine else "/people")
        return alive(f"{seat.capitalize()}", f"play/{seat}")

    @app.get("/play/<seat>/<path:rest>")
    def play_on(seat: str, rest: str) -> AnyResponse:
        at = where.read(f"play/{seat}/{rest}")
        if at is None or seat not in table.game.seats:
            raise Fault(404, "The table has no such page.", "Nothing here")
        view = table.view(person(), seat)
        if view.seat != seat or not pages.stands(at, person()):
            return redirect(f"/play/{seat}")
        if form := cards.lacking(view, at):
            return redirect(form)
        return alive(f"{seat.capitalize()}", at.page)

    @app.get("/for/<path:rest>")
    def stand_in(rest: str) -> AnyResponse:
        at = where.read(f"for/{rest}")
        if at is None or at.seat not in table.game.seats:
            raise Fault(404, "The table has no such page.", "Nothing here")
        view = table.stand_in(person(), at.seat)
        if view.seat != at.seat or not pages.stands(at, person()):
            return redirect("/")
        if form := cards.lacking(view, at):
            return redirect(form)
        return alive(f"For {at.seat.capitalize()}", at.page)

    @app.get("/sketches/<name>.svg")
    def sketched(name: str) -> AnyResponse:
        found = pages.sketches(name)
        if found is None:
            raise Fault(404, "Those pictures are not kept any more. Load the page again.", "Nothing here")
        kept = {"Cache-Control": f"public, max-age={YEAR}, immutable", "Content-Encoding": "gzip"}
        return Response(found, content_type="image/svg+xml", headers=kept)

    @app.get("/fonts/<name>")
    def font(name: str) -> AnyResponse:
        found = fonts.files().get(name)
        if found is None:
            raise Fault(404, "There is no such font any more. Load the page again.", "Nothing here")
        kind = fonts.TYPES[name.rpartition(".")[2]]
        kept = {"Cache-Control": f"public, max-age={YEAR}, immutable", "Content-Encoding": "gzip"}
        return Response(found, content_type=kind, headers=kept)

    @app.get("/table")
    def wall() -> AnyResponse:
        return alive("The table", "table")

    @app.get("/join")
    def join() -> AnyResponse:
        return still("Join", "join.html", address=address_for(request.host, config.port))

    @app.get("/help")
    def about() -> AnyResponse:
        return still("Help", "help.html")

    @app.get("/digits")
    def digits() -> AnyResponse:
        if config.digits is None:
            raise Fault(404, "This table has no emulated number display.", "Nothing here")
        response = still("Number display", "digits.html", digits=config.digits())
        response.headers["Refresh"] = "1"
        return response

    @app.get("/log")
    def log() -> AnyResponse:
        return still("Log", "log.html", lines=table.story())

    @app.get("/picture/<name>")
    def picture(name: str) -> AnyResponse:
        found = table.picture(name)
        if found is None:
            raise Fault(404, "That picture is not kept any more.", "Nothing here")
        return Response(
            found, content_type="image/jpeg", headers={"Cache-Control": f"private, max-age={YEAR}"}
        )

    # -- what phones ask ----------------------------------------------------------------------

    @app.post("/ask")
    def ask() -> AnyResponse:
        return answered(table_says(read(known())))

    @app.post("/throw/<seat>")
    def throw(seat: str) -> AnyResponse:
        who = known()
        if controls is None:
            raise Fault(404, "This table is not emulated: throw real dice.", "Nothing here")
        view = table.view(who, seat)
        if view.seat != seat and not view.host:
            raise Fault(403, "Only the player whose throw it is, or the host, can throw these dice.")
        try:
            controls.throw(seat)
        except ValueError as late:
            return answered(Answer("stale", view.number, str(late)))
        return answered(
            Answer("done", view.number, "The dice roll. The camera reads them once they lie still.")
        )

    def known() -> str:
        """The person who asks; Fault when the request was not made by one of our pages."""
        origin = request.headers.get("Origin")
        foreign = origin is not None and urlsplit(origin).netloc != request.host
        if foreign or request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
            raise Fault(403, "This was sent by another site's page. Use the table's own page.")
        who = person()
        if not who:
            raise Fault(
                400, "The browser did not send its cookie. Allow cookies for this page, then load it again."
            )
        return who

    def read(who: str) -> Request:
        if request.mimetype == "application/json":
            return from_json(request.get_data(), who)
        if request.mimetype in ("application/x-www-form-urlencoded", "multipart/form-data"):
            return from_form(request.form.items(multi=True), who)
        raise Fault(415, "The table reads JSON and forms. Load the page again, then try once more.")

    def table_says(asked: Request) -> Answer:
        try:
            return table.submit(asked).result(PATIENCE)
        except NoAnswer as late:
            raise Fault(
                503, "The table did not answer in time. It may still do it: look before you try again."
            ) from late

    def answered(answer: Answer) -> AnyResponse:
        """The table's answer with the fresh page, or for browsers without scripts the way back to it."""
        page = request.form.get("page", "") if request.mimetype != "application/json" else ""
        page = page if page in ("people", "table", "health", "camera") or where.read(page) else ""
        if not wants_json():
            if answer.status == "refused":
                raise Fault(409, answer.words)
            return redirect(f"/{page}", 303)
        body = {"status": answer.status, "words": answer.words, "number": answer.number}
        if page:
            body["html"] = pages.live(page, person())
        return Response(
            msgspec.json.encode(body),
            200 if answer.status == "done" else 409,
            content_type="application/json",
            headers={"Cache-Control": "no-store"},
        )

    cards = Cards(table, known, still, PATIENCE)
    app.register_blueprint(cards.blueprint())
    finder = Finder(table, pages, config.camera, person, known, still, lambda: alive("Camera", "camera"))
    app.register_blueprint(finder.blueprint())
    if config.upkeep is not None:
        machine = Machine(table, config.upkeep, known, still, lambda: alive("What works", "health"))
        app.register_blueprint(machine.blueprint())

    # -- what goes wrong ----------------------------------------------------------------------

    def wants_json() -> bool:
        return request.mimetype == "application/json" or request.accept_mimetypes.best == "application/json"

    def told(status: int, words: str, heading: str) -> AnyResponse:
        if wants_json():
            body = msgspec.json.encode({"status": "refused", "words": words})
            return Response(body, status, content_type="application/json")
        return still(
            heading, "message.html", status, heading=heading, words=words, back="/", way="Back to the table"
        )

    @app.errorhandler(Fault)
    def fault(fault: Fault) -> AnyResponse:
        return told(fault.status, fault.words, fault.heading)

    @app.errorhandler(BadBody)
    def bad_body(fault: BadBody) -> AnyResponse:
        return told(400, str(fault), "That did not work")

    @app.errorhandler(HTTPException)
    def http_fault(fault: HTTPException) -> AnyResponse:
        status = fault.code or 500
        if status < 400:
            return fault.get_response()
        words = {
            404: "There is no such page. It may have been typed wrongly.",
            405: "This page cannot be asked in that way.",
            413: "That is more than the table reads at once. Load the page again, then try once more.",
            500: "Something went wrong inside. The game is kept. Try again.",
        }.get(status, "The table cannot read this. Load the page again, then try once more.")
        return told(status, words, "Nothing here" if status == 404 else "That did not work")

    @app.after_request
    def guard(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "same-origin"
        return response

    return app
