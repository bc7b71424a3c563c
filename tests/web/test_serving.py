"""The server without a browser: streams, cookies, and bodies that nobody's page would send."""

from __future__ import annotations

import http.client
import json
import logging
import re
import secrets
import socket
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.http import parse_cookie

from tests.web.house import House, picture
from web_ui.person import COOKIE, People, secret
from web_ui.serve import PortTaken, listen


def headers(house: House, person: str, **more: str) -> dict[str, str]:
    return {"Cookie": People(secret(house.folder)).cookie(person).split(";")[0], **more}


class Reply(NamedTuple):
    status: int
    body: bytes
    headers: http.client.HTTPMessage


def get(house: House, path: str, person: str = "") -> Reply:
    return send(house, "GET", path, b"", headers(house, person) if person else {})


def post(house: House, path: str, body: bytes, person: str = "anna", **more: str) -> Reply:
    sent = {name.replace("_", "-"): value for name, value in more.items()}
    return send(house, "POST", path, body, headers(house, person, **sent) if person else sent)


def send(house: House, method: str, path: str, body: bytes, sent: dict[str, str]) -> Reply:
    with closing(http.client.HTTPConnection("127.0.0.1", house.port, timeout=10)) as line:
        line.request(method, path, body or None, sent)
        with line.getresponse() as response:
            return Reply(response.status, response.read(), response.headers)


def ask(
    house: House, person: str, ask: dict[str, Any], on: int | None = None, id: str = ""
) -> tuple[int, Any]:
    number = house.table.number if on is None else on
    body = json.dumps({"id": id or secrets.token_hex(8), "on": number, "ask": ask}).encode()
    reply = post(house, "/ask", body, person, Content_Type="application/json")
    return reply.status, json.loads(reply.body)


class Listener:
    """An open stream, read event by event; or not read, as on a frozen phone."""

    def __init__(self, house: House, page: str = "table", person: str = "") -> None:
        self.line = socket.create_connection(("127.0.0.1", house.port), timeout=10)
        cookie = f"Cookie: {headers(house, person)['Cookie']}\r\n" if person else ""
        self.line.sendall(f"GET /events?page={page} HTTP/1.1\r\nHost: 127.0.0.1\r\n{cookie}\r\n".encode())
        self.response = http.client.HTTPResponse(self.line)
        self.begun = False

    def status(self) -> int:
        """The status of the answer, once it is there."""
        if not self.begun:
            self.response.begin()
            self.begun = True
        return self.response.status

    def events(self) -> Iterator[tuple[str, str]]:
        """(name, data) of each event, until the server ends the stream."""
        name = data = ""
        assert self.status() == 200
        for raw in self.response:
            text = raw.decode().rstrip("\n")
            if text.startswith("event: "):
                name = text.removeprefix("event: ")
            elif text.startswith("data: "):
                data += text.removeprefix("data: ")
            elif not text and name:
                yield name, data
                name = data = ""

    def close(self) -> None:
        self.response.close()
        self.line.close()


Listen = Callable[..., Listener]


@pytest.fixture
def stream() -> Iterator[Listen]:
    """Opens streams, and closes those that a test left open."""
    with ExitStack() as opened:

        def open_one(house: House, page: str = "table", person: str = "") -> Listener:
            listener = Listener(house, page, person)
            opened.callback(listener.close)
            return listener

        yield open_one


def seen(house: House, person: str) -> bool:
    return any(seat.here for seat in house.view().seats if seat.person == person)


def eventually(house: House, what: Any) -> None:
    """Wait for what the server does on its own thread."""
    for _ in range(500):
        if what():
            return
        time.sleep(0.02)
    raise AssertionError("it never came true")


# -- streams ---------------------------------------------------------------------------------------


def test_a_stream_begins_with_the_whole_page_and_brings_each_change(house: House, stream: Listen) -> None:
    house.seat(red="Anna")
    events = stream(house, "people", "anna").events()
    name, data = next(events)
    assert name == "page"
    assert "Anna" in json.loads(data)
    house.seat(blue="Ben")
    while "Ben" not in data:
        name, data = next(events)
    assert json.loads(data).count('id="page"') == 1


def test_the_table_knows_at_once_whose_phone_is_here(house: House, stream: Listen) -> None:
    house.seat(red="Anna")
    assert not seen(house, "anna")
    one, two = stream(house, "people", "anna"), stream(house, "table", "anna")
    eventually(house, lambda: seen(house, "anna") and len(house.server.feed.streams) == 2)
    one.close()
    eventually(house, lambda: len(house.server.feed.streams) == 1)
    assert seen(house, "anna")
    two.close()
    eventually(house, lambda: not seen(house, "anna"))


def test_two_hundred_streams_opened_and_dropped_leave_room_for_requests(house: House, stream: Listen) -> None:
    house.seat(red="Anna")
    for _ in range(2):
        phones = [stream(house) for _ in range(200)]
        assert {phone.status() for phone in phones} == {200}
        assert ask(house, "anna", {"ask": "join", "name": "Anna B"})[0] == 200
        assert get(house, "/people", "anna").status == 200
        for phone in phones:
            phone.close()
        eventually(house, lambda: not house.server.feed.streams)


def test_a_phone_that_vanishes_without_a_word_is_given_up_after_ten_seconds(
    house: House, stream: Listen
) -> None:
    stream(house)
    eventually(house, lambda: len(house.server.feed.streams) == 1)
    (open_page,) = house.server.feed.streams
    line = open_page.line.transport.get_extra_info("socket")
    assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 10_000


def test_phones_that_show_the_same_share_one_drawing(house: House, stream: Listen) -> None:
    drawn: list[str] = []
    draw = house.server.pages._table

    def counted() -> dict[str, Any]:
        drawn.append("table")
        return draw()

    house.server.pages._table = counted  # type: ignore[method-assign]
    phones = [stream(house) for _ in range(20)]
    eventually(house, lambda: len(house.server.feed.streams) == 20)
    drawn.clear()
    house.join("Anna")
    for phone in phones:
        events = phone.events()
        while f'data-number="{house.table.number}"' not in json.loads(next(events)[1] or '""'):
            pass
    assert len(drawn) == 1


def test_one_stream_too_many_is_told_so_and_the_place_is_free_again(tmp_path: Path, stream: Listen) -> None:
    with House(tmp_path, limit=3) as house:
        phones = [stream(house) for _ in range(3)]
        assert [phone.status() for phone in phones] == [200] * 3
        refused = stream(house)
        assert refused.status() == 503
        assert refused.response.headers["Retry-After"] == "2"
        assert b"Close some" in refused.response.read()
        phones.pop().close()
        eventually(house, lambda: len(house.server.feed.streams) == 2)
        assert stream(house).status() == 200


def test_a_frozen_phone_is_owed_one_page_and_no_more(house: House, stream: Listen) -> None:
    house.seat(red="Anna")
    frozen = stream(house, "people", "anna")
    eventually(house, lambda: len(house.server.feed.streams) == 1)
    (open_page,) = house.server.feed.streams
    largest = 0
    for number in range(600):
        house.join(f"Guest {number}")
        largest = max(largest, open_page.line.transport.get_write_buffer_size())
    assert open_page.due
    page = len(house.server.feed.render("people", "anna") or "")
    assert largest < 2 * page + 4096
    # Once it reads again, the last thing it hears is the latest.
    last = house.table.number
    for name, data in frozen.events():
        if name == "page" and f'data-number="{last}"' in json.loads(data):
            break
    assert not open_page.due


def test_closing_ends_all_streams_without_a_word_of_complaint(
    tmp_path: Path,
    stream: Listen,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.INFO)
    with House(tmp_path) as house:
        phones = [stream(house) for _ in range(50)]
        eventually(house, lambda: len(house.server.feed.streams) == 50)
    for phone in phones:
        assert [name for name, _ in phone.events()] == ["page"]
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert "Traceback" not in "".join(capfd.readouterr())


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (b"GET /events?page=nowhere HTTP/1.1", 404),
        (b"GET /events HTTP/1.1", 404),
        (b"GET /events?page=play/mauve HTTP/1.1", 404),
        (b"POST /events?page=table HTTP/1.1", 405),
        (b"GET /events?page=table HTTP/1.0", 405),
    ],
)
def test_what_is_no_stream_is_refused(house: House, line: bytes, status: int) -> None:
    with socket.create_connection(("127.0.0.1", house.port), timeout=10) as raw:
        raw.sendall(line + b"\r\nHost: here\r\nContent-Length: 0\r\n\r\n")
        response = http.client.HTTPResponse(raw)
        response.begin()
        assert response.status == status
        assert response.read()
        response.close()


def test_a_page_that_cannot_be_drawn_does_not_silence_the_others(
    house: House, stream: Listen, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    house.seat(red="Anna")
    bad, good = stream(house, "people", "anna"), stream(house, "table")
    eventually(house, lambda: len(house.server.feed.streams) == 2)
    drawn = house.server.feed.render

    def render(page: str, person: str) -> str | None:
        if page == "people":
            raise RuntimeError("the ink has run out")
        return drawn(page, person)

    monkeypatch.setattr(house.server.feed, "render", render)
    house.seat(blue="Ben")
    assert any("Ben" in data for _, data in good.events())
    assert list(bad.events())
    assert "the ink has run out" in caplog.text


# -- who asks ---------------------------------------------------------------------------------------


def test_the_cookie_is_hidden_from_scripts_and_other_sites_and_holds_no_more_than_an_id(house: House) -> None:
    response = get(house, "/")
    cookie = response.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Max-Age" in cookie
    person = People(secret(house.folder)).read(cookie)
    assert len(bytes.fromhex(person)) == 16
    assert "Set-Cookie" not in get(house, "/", person).headers


def test_a_cookie_that_we_did_not_sign_is_nobodys(house: House) -> None:
    people = People(secret(house.folder))
    signed = parse_cookie(people.cookie("anna"))[COOKIE]
    for forged in ("anna", signed[:-1], "b" + signed, signed.replace(".", ".x"), ".", ""):
        assert people.read(f"{COOKIE}={forged}") == ""
    assert people.read(f"{COOKIE}=forged; {COOKIE}={signed}") == "anna"


def test_a_cookie_of_strange_bytes_is_nobodys(house: House) -> None:
    line = http.client.HTTPConnection("127.0.0.1", house.port, timeout=20)
    line.putrequest("GET", "/people")
    line.putheader("Cookie", b"other=\xff\xfe")
    line.endheaders()
    assert line.getresponse().status == 200
    line.close()


def test_the_secret_is_its_owners_alone_and_outlives_restarts(tmp_path: Path) -> None:
    made = secret(tmp_path)
    assert secret(tmp_path) == made
    (file,) = tmp_path.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_damaged_secret_is_set_aside_and_said_aloud(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    secret(tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(b"torn")
    assert len(secret(tmp_path)) == 32
    assert (tmp_path / f"{file.name}.damaged").read_bytes() == b"torn"
    assert "take their seats again" in caplog.text


@pytest.mark.parametrize(
    "more",
    [
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_another_sites_page_cannot_ask(house: House, more: dict[str, str]) -> None:
    house.seat(red="Anna")
    body = b'ask={"ask":"leave","seat":"red"}&on=2'
    kind = "application/x-www-form-urlencoded"
    status, read, _ = post(house, "/ask", body, Content_Type=kind, Accept="application/json", **more)
    assert status == 403
    assert "another site" in json.loads(read)["words"]
    assert house.view("anna").mine == ("red",)


def test_our_own_page_can_ask(house: House) -> None:
    house.seat(red="Anna")
    body = b'ask={"ask":"leave","seat":"red"}&on=2&page=people'
    kind, origin = "application/x-www-form-urlencoded", f"http://127.0.0.1:{house.port}"
    status, _, answer = post(
        house, "/ask", body, Content_Type=kind, Origin=origin, Sec_Fetch_Site="same-origin"
    )
    assert (status, answer["Location"]) == (303, "/people")
    assert house.view("anna").mine == ()


def test_who_keeps_no_cookies_is_told_what_to_do(house: House) -> None:
    status, read, _ = post(house, "/ask", b"{}", person="", Content_Type="application/json")
    assert status == 400
    assert "Allow cookies" in json.loads(read)["words"]


# -- what is asked ------------------------------------------------------------------------------------


def test_a_stale_request_gets_the_present_page(house: House) -> None:
    house.seat(red="Anna", blue="Ben", green="Clara")
    house.start()
    old = house.table.number
    house.shuffled()
    body = {"id": "a" * 16, "on": str(old), "ask": '{"ask":"do","action":{"do":"rolled","values":[1,2]}}'}
    form = "&".join(f"{k}={v}" for k, v in {**body, "page": "play/red"}.items()).encode()
    kind = "application/x-www-form-urlencoded"
    status, read, _ = post(house, "/ask", form, Content_Type=kind, Accept="application/json")
    answer = json.loads(read)
    assert (status, answer["status"]) == (409, "stale")
    assert f'data-number="{house.table.number}"' in answer["html"]


def test_a_repeated_request_gets_its_first_answer(house: House) -> None:
    house.seat(red="Anna", blue="Ben", green="Clara")
    house.start()
    house.shuffled()
    on = house.table.number
    do = {"ask": "do", "action": {"do": "rolled", "values": [1, 2]}}
    first = ask(house, "anna", do, on, "the-same-id")
    assert first[0] == 200
    assert ask(house, "anna", do, on, "the-same-id") == first
    assert house.table.number == on + 1


def test_a_seat_cannot_be_taken_twice(house: House) -> None:
    house.seat(red="Anna")
    house.join("Ben")
    status, answer = ask(house, "ben", {"ask": "sit", "seat": "red"})
    assert status == 409
    assert "Anna has Red" in answer["words"]


def test_a_form_without_scripts_works(house: House) -> None:
    kind = "application/x-www-form-urlencoded"
    status, _, answer = post(
        house, "/ask", b'ask={"ask":"join"}&name=Anna&on=0&page=people', Content_Type=kind
    )
    assert (status, answer["Location"]) == (303, "/people")
    assert house.view("anna").name == "Anna"
    status, read, _ = post(house, "/ask", b'ask={"ask":"join"}&name=&on=0&page=people', Content_Type=kind)
    assert status == 409
    assert b"A name needs at least one letter." in read


BODIES = [
    b"",
    b"null",
    b"[]",
    b"{}",
    b"\xff\xfe",
    b'{"id": 3, "on": 0, "ask": {"ask": "host"}}',
    b'{"id": "abcdefgh", "on": "0", "ask": {"ask": "host"}}',
    b'{"id": "abcdefgh", "on": 0, "ask": {"ask": "sing"}}',
    b'{"id": "abcdefgh", "on": 0, "ask": {"ask": "host", "to": 7}}',
    b'{"id": "abcdefgh", "on": 0, "ask": {"ask": "host"}, "person": "anna"}',
    b'{"id": "short", "on": 0, "ask": {"ask": "host"}}',
    b'{"id": "abcdefgh", "on": 99999999999999999999999, "ask": {"ask": "host"}}',
    b'{"id": "abcdefgh", "on": 0, "ask": {"ask": "join", "name": "\\ud800"}}',
    b'{"id": "abcdefgh", "on": 0, "ask": ' + b"[" * 5000,
    b'{"id": "abcdefgh", "on": 0, "ask": {"ask": "do", "action": ' + b"[" * 5000 + b"]" * 5000 + b"}}",
]


@pytest.mark.parametrize("body", BODIES)
def test_a_bad_body_is_told_what_is_wrong_and_what_to_do(house: House, body: bytes) -> None:
    house.seat(red="Anna")
    before = house.table.number
    status, read, _ = post(house, "/ask", body, Content_Type="application/json")
    answer = json.loads(read)
    assert 400 <= status < 500
    assert answer["words"].endswith(".")
    assert "Traceback" not in answer["words"]
    assert house.table.number == before


def test_bodies_that_never_come_stop_no_page(house: House) -> None:
    slow = [socket.create_connection(("127.0.0.1", house.port), timeout=20) for _ in range(12)]
    try:
        for line in slow:
            line.sendall(b"POST /ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n\r\nhalf")
        assert get(house, "/people").status == 200
        assert slow[0].recv(4096).startswith(b"HTTP/1.1 408")
    finally:
        for line in slow:
            line.close()


def test_a_field_that_lies_too_deep_is_refused(house: House) -> None:
    house.seat(red="Anna")
    fields = {"ask": '{"ask": "join"}', "on": "0", ".".join("a" * 9000): "x"}
    kind = "application/x-www-form-urlencoded"
    assert post(house, "/ask", urlencode(fields).encode(), Content_Type=kind)[0] == 400


def test_a_body_of_another_kind_or_size_is_refused(house: House) -> None:
    house.seat(red="Anna")
    assert post(house, "/ask", b"hello", Content_Type="text/plain", Accept="application/json")[0] == 415
    status, read, _ = post(house, "/ask", b"x" * 200_000, Content_Type="application/json")
    assert status == 413
    assert "more than the table reads" in json.loads(read)["words"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
NAMES = [
    "join",
    "sit",
    "leave",
    "host",
    "start",
    "finish",
    "do",
    "do_all",
    "draw",
    "takeback",
    "correct",
    "agree",
    "decide",
    "dismiss",
]
FIELDS = [
    "name",
    "seat",
    "to",
    "seats",
    "options",
    "action",
    "actions",
    "move",
    "yes",
    "question",
    "choice",
    "notice",
    "do",
]
ASKS = st.fixed_dictionaries({"ask": st.sampled_from(NAMES) | JSON}) | JSON
FUZZ = st.builds(
    lambda ask, more: {**ask, **more} if isinstance(ask, dict) else ask,
    ASKS,
    st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=3),
)


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("state")) as house:
        house.seat(red="Anna", blue="Ben", green="Clara")
        house.start()
        house.shuffled()
        yield house


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ask=FUZZ, on=st.just(-1) | JSON)
def test_whatever_is_sent_the_game_is_unharmed(fuzzed: House, ask: Any, on: Any) -> None:
    """Sent by a stranger, who may at most say a name."""
    state = fuzzed.table.state
    number = fuzzed.table.number if on == -1 else on
    body = json.dumps({"id": secrets.token_hex(8), "on": number, "ask": ask}).encode()
    status, read, _ = post(fuzzed, "/ask", body, "stranger", Content_Type="application/json")
    said = ask.get("ask") if isinstance(ask, dict) else None
    assert 400 <= status < 500 or (status == 200 and said == "join")
    assert json.loads(read)["status"] in ("refused", "stale") or status == 200
    assert fuzzed.table.state == state
    assert not fuzzed.view().notices


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    fields=st.dictionaries(
        st.sampled_from(["ask", "on", "id", "page"]) | st.text(st.characters(codec="ascii"), max_size=12),
        st.sampled_from(['{"ask":"join"}', '{"ask":"do","action":{"do":"rolled"}}', "4", "/"])
        | st.text(max_size=20),
        max_size=6,
    )
)
def test_whatever_a_form_holds_the_game_is_unharmed(fuzzed: House, fields: dict[str, str]) -> None:
    state = fuzzed.table.state
    body = urlencode(fields, errors="surrogatepass").encode()
    status, read, _ = post(fuzzed, "/ask", body, "stranger", Content_Type="application/x-www-form-urlencoded")
    assert 400 <= status < 500 or status == 303
    assert b"Traceback" not in read
    assert fuzzed.table.state == state


# -- pages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/nowhere", "/play/mauve", "/picture/none", "/static/none.css", "/throw/red", "/../etc"]
)
def test_an_unknown_page_has_a_way_back(house: House, path: str) -> None:
    response = get(house, path)
    assert response.status == 404 or (path == "/throw/red" and response.status == 405)
    assert b"Back to the table" in response.body


def test_no_page_lets_the_browser_ask_anybody_else(house: House) -> None:
    for path in ("/", "/table", "/join", "/help", "/log", "/nowhere", "/static/app.css"):
        response = get(house, path)
        assert response.headers["Content-Security-Policy"].startswith("default-src 'self';")
        assert not re.search(rb'(?:src|href|action)="(?:[a-z]+:|//)', response.body)


def test_pictures_of_rolls_are_served_while_they_are_kept(house: House) -> None:
    house.seat(red="Anna", blue="Ben", green="Clara")
    house.start()
    house.shuffled()
    jpeg = picture(3, 4)
    house.see(3, 4, sure=False, picture=jpeg)
    question = house.view("anna", "red").question
    assert question is not None
    response = get(house, f"/picture/{question.picture}")
    assert response.headers["Content-Type"] == "image/jpeg"
    assert response.body == jpeg


def test_a_port_that_is_taken_is_named_with_the_cure(house: House) -> None:
    with pytest.raises(PortTaken, match=f"Port {house.port} is taken.*--port"):
        listen("127.0.0.1", house.port)
