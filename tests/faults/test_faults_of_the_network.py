"""A network that has each of the faults while a game is played."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import closing
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.command import BAD_CONFIG, FAULT, main
from companion.games.hellrail.actions import EndTurn
from tests.faults.cases_of_the_house import NETWORK
from tests.faults.room import SEATS, Room, room
from tests.faults.vocabulary import Case, Fault
from web_ui import bodies, serve
from web_ui.person import People, secret
from web_ui.serve import Server, listen, serve_on


class Bench:
    """A room whose pages are served, and phones without a browser."""

    def __init__(self, room: Room, server: Server, port: int) -> None:
        self.room, self.port = room, port
        self._people = People(secret(room.desk.folder))

    def headers(self, person: str) -> dict[str, str]:
        return {
            "Cookie": self._people.cookie(person).split(";")[0],
            "Content-Type": "application/json",
            "Accept": "application/json",
        }

    def line(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def end_of_turn(self, seat: str) -> bytes:
        return msgspec.json.encode(
            {
                "id": f"end-of-turn-{self.room.desk.table.number}",
                "on": self.room.desk.table.number,
                "ask": {"ask": "do", "action": EndTurn(seat)},
            }
        )

    def post(self, person: str, body: bytes) -> tuple[int, Any]:
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)) as line:
            line.request("POST", "/ask", body, self.headers(person))
            with line.getresponse() as answer:
                return answer.status, json.loads(answer.read())

    def plays_on(self) -> None:
        """Somebody ends their turn on a phone, over the network; and sees the page."""
        seat, number = SEATS[self.room.awaited - 1], self.room.desk.table.number
        assert self.post(seat, self.end_of_turn(seat))[1]["status"] == "done"
        assert self.room.desk.table.number == number + 1
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)) as line:
            line.request("GET", f"/play/{seat}", headers={"Cookie": self.headers(seat)["Cookie"]})
            with line.getresponse() as answer:
                assert answer.status == 200
                assert "HellRail" in unescape(answer.read().decode())


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with room(tmp_path) as place:
        listener = listen("127.0.0.1", 0)
        server = serve_on(place.desk.table, None, listener, place.desk.folder)
        try:
            yield Bench(place, server, listener.getsockname()[1])
        finally:
            server.close()
            listener.close()


def case_of(fault: Fault) -> Case:
    case = NETWORK[fault]
    assert isinstance(case, Case)
    return case


def test_a_line_that_breaks_in_the_middle_of_a_request_does_nothing(bench: Bench) -> None:
    seat, before = SEATS[bench.room.awaited - 1], bench.room.desk.table.number
    body = bench.end_of_turn(seat)
    sent = "".join(f"{name}: {value}\r\n" for name, value in bench.headers(seat).items())
    request = f"POST /ask HTTP/1.1\r\nHost: table\r\n{sent}Content-Length: {len(body)}\r\n\r\n".encode()
    for cut in (10, len(request) - 3, len(request) + len(body) - 1):
        with bench.line() as line:
            line.sendall((request + body)[:cut])
    assert bench.post(seat, body)[1]["status"] == "done"
    assert bench.room.desk.table.number == before + 1
    bench.plays_on()


@pytest.mark.parametrize("noise", [b"\xff\x00 noise\r\n\r\n", b"POST /ask HTTP/1.1\r\nHost: x\r\nA\r\n\r\n"])
def test_noise_on_a_line_ends_that_line_alone(bench: Bench, noise: bytes) -> None:
    with bench.line() as line:
        line.sendall(noise)
        assert line.recv(4096).startswith(b"HTTP/1.1 400")
    bench.plays_on()


def test_a_request_that_makes_no_sense_is_told_what_to_do(bench: Bench) -> None:
    before = bench.room.desk.table.number
    status, answer = bench.post("red", b"\xff\xfe{")
    assert 400 <= status < 500
    assert case_of("garble").is_said_in(answer["words"])
    assert bench.room.desk.table.number == before
    bench.plays_on()


def test_a_request_that_does_not_come_to_its_end_keeps_nobody_waiting(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "PATIENCE", 0.5)
    lines = [bench.line() for _ in range(12)]
    try:
        for line in lines:
            line.sendall(b"POST /ask HTTP/1.1\r\nHost: table\r\nContent-Length: 50\r\n\r\nhalf")
        bench.plays_on()
        http_answer = lines[0].recv(4096)
        while b"try once more" not in http_answer:
            more = lines[0].recv(4096)
            assert more
            http_answer += more
        assert case_of("slow").is_said_in(http_answer.decode())
    finally:
        for line in lines:
            line.close()
    bench.plays_on()


def begins(tmp_path: Path, port: int, host: str = "127.0.0.1") -> int:
    options = ("--table", "none", "--host", host, "--port", str(port))
    return main(["run", *options, "--state", str(tmp_path / "another"), "--config", "/dev/null"])


def test_a_port_that_is_taken_is_said_and_the_table_there_plays_on(
    bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # The table may be the one before, which is not gone yet: the service tries it again.
    assert begins(tmp_path, bench.port) == FAULT
    assert case_of("busy").is_said_in(capsys.readouterr().err)
    assert not (tmp_path / "another").exists()
    bench.plays_on()


def test_a_port_without_the_right_to_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def bind(host: str, port: int) -> socket.socket:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(serve, "listen", bind)
    assert begins(tmp_path, 80) == BAD_CONFIG
    assert case_of("no permission").is_said_in(capsys.readouterr().err)
    assert not (tmp_path / "another").exists()


def test_an_address_that_is_not_there_yet_is_tried_again_by_the_service(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # As at a machine's start: its network gives it the configured address later. This one is for documents.
    assert begins(tmp_path, 0, "192.0.2.1") == FAULT
    assert "cannot listen on 192.0.2.1" in capsys.readouterr().err
    assert not (tmp_path / "another").exists()
