"""Phones that send photographs slowly, or take their answers slowly, keep nobody else out."""

from __future__ import annotations

import asyncio
import io
import secrets
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.web.house import HELLRAIL, House
from tests.web.test_serving import headers, send
from web_ui.bodies import ARRIVING, OPENED, Bodies

PATH = "/cards/rail/{}"
BOUNDARY = "edge" + secrets.token_hex(8)
KIND = f"multipart/form-data; boundary={BOUNDARY}"


@pytest.fixture
def own(tmp_path: Path) -> Iterator[House]:
    """A table that plays an owner's pack with nothing entered; Anna and Ben sit at it."""
    with House(tmp_path, game=HELLRAIL, pack="owner") as house:
        house.seat(red="Anna", blue="Ben")
        yield house


@pytest.fixture(scope="module")
def form() -> bytes:
    """The body of a form that brings a photograph and saves nothing else."""
    file = io.BytesIO()
    Image.effect_noise((900, 600), 80).save(file, "JPEG")
    parts = (
        b'Content-Disposition: form-data; name="act"\r\n\r\ndraw\r\n',
        b'Content-Disposition: form-data; name="photograph"; filename="a.jpg"\r\n'
        b"Content-Type: image/jpeg\r\n\r\n" + file.getvalue() + b"\r\n",
    )
    edge = f"--{BOUNDARY}".encode()
    return b"".join(edge + b"\r\n" + part for part in parts) + edge + b"--\r\n"


class Slow:
    """A phone that has sent half of a photograph, and stops there."""

    def __init__(self, house: House, card: str, form: bytes) -> None:
        self.rest = form[len(form) // 2 :]
        self.line = socket.create_connection(("127.0.0.1", house.port), timeout=15)
        sent = headers(house, "anna", Host="stationmaster", Content_Type=KIND)
        head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in sent.items())
        head = f"POST {PATH.format(card)} HTTP/1.1\r\n{head}Content-Length: {len(form)}\r\n\r\n"
        self.line.sendall(head.encode() + form[: len(form) // 2])

    def __enter__(self) -> Slow:
        return self

    def __exit__(self, *fault: object) -> None:
        self.line.close()

    def answer(self) -> bytes:
        """The first line of what the table says."""
        return self.line.recv(4096).split(b"\r\n")[0]


def quick(house: House, card: str, form: bytes) -> int:
    """Ben sends all of his photograph at once; what the table says to it within ten seconds."""
    sent = headers(house, "ben", **{"Content-Type": KIND})
    return send(house, "POST", PATH.format(card), form, sent).status


def kept(house: House, card: str) -> bool:
    return (house.folder / f"packs/hellrail/owner/{card}.jpg").exists()


def test_slow_photographs_keep_no_other_out(own: House, form: bytes) -> None:
    with ExitStack() as slow:
        for number in range(1, ARRIVING + 1):
            slow.enter_context(Slow(own, f"r{number:02}", form))
        assert quick(own, "r45", form) == 200
        assert kept(own, "r45")


def test_a_slow_photograph_comes_all_the_same(own: House, form: bytes) -> None:
    with Slow(own, "r01", form) as one, Slow(own, "r02", form) as other:
        assert quick(own, "r45", form) == 200
        for slow in (other, one):
            slow.line.sendall(slow.rest)
            assert slow.answer() == b"HTTP/1.1 200 OK"
        assert kept(own, "r01")
        assert kept(own, "r02")


def test_of_too_many_slow_photographs_the_oldest_is_given_up_and_told_so(own: House, form: bytes) -> None:
    with ExitStack() as opened:
        first = opened.enter_context(Slow(own, "r01", form))
        others = [opened.enter_context(Slow(own, f"r{n:02}", form)) for n in range(2, ARRIVING + 2)]
        assert first.answer().startswith(b"HTTP/1.1 408")
        for slow in others:
            slow.line.sendall(slow.rest)
            assert slow.answer() == b"HTTP/1.1 200 OK"


def test_a_few_photographs_are_opened_at_once_and_answers_taken_slowly_hold_none_up() -> None:
    """An application of the test's own shows when it is called, and phones of its own take no answer in."""
    # In a thread of its own: in this one a browser's loop runs, once another test has opened a browser.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(_opened_in_turn())).result()


async def _opened_in_turn() -> None:
    done, opened = asyncio.Event(), list[str]()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        assert (await receive())["body"] == b"photograph"
        opened.append(scope["path"])
        await done.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"kept"})

    async def receive() -> Any:
        return {"type": "http.request", "body": b"photograph", "more_body": False}

    async def take_nothing(message: Any) -> None:
        await asyncio.Event().wait()

    bodies = Bodies(application)
    async with asyncio.timeout(10):
        paths = [f"/cards/rail/r{number:02}" for number in range(3 * OPENED)]
        sent = [
            asyncio.create_task(bodies({"method": "POST", "path": path}, receive, take_nothing))
            for path in paths
        ]
        await asyncio.sleep(0.1)
        assert opened == paths[:OPENED]
        done.set()
        while len(opened) < len(paths):
            await asyncio.sleep(0.01)
        assert opened == paths
    for task in sent:
        task.cancel()
    await asyncio.gather(*sent, return_exceptions=True)
