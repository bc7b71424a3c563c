"""Bodies of requests, read whole before a worker is given to them.

A worker that waits for a body waits as long as the sender likes, and eight such senders would stop
every page. So the event loop waits instead, for a while, and keeps no more than the pages read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from web_ui import asks, photographs

PATIENCE = 10.0
"""Seconds that a body may take."""

PHOTOGRAPH_PATIENCE = 60.0
"""Seconds that a photograph may take: they are large, and a Wi-Fi may be far away."""

ARRIVING = 8
"""So many photographs may be on their way at once. One more, and the oldest of them is given up."""

OPENED = 2
"""So many photographs are opened at once, which takes memory; others that are here wait their turn."""

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Message], Awaitable[None]]


class Gone(Exception):
    """Whoever sent this has gone before all of it was here."""


class Bodies:
    """Calls an ASGI application once a request's body is here, cut off behind what its page reads.

    Whoever sends slowly keeps nobody out: a photograph's turn to be opened comes when all of it is here.
    """

    def __init__(self, application: Any) -> None:
        self._application = application
        self._arriving: list[asyncio.Timeout] = []
        self._opened = asyncio.Semaphore(OPENED)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; who does not send it in time is told so."""
        photograph = scope["method"] == "POST" and scope["path"].startswith("/cards/")
        try:
            if photograph:
                body = await self._photograph(receive)
            else:
                body = await asyncio.wait_for(_read(receive, asks.LARGEST), PATIENCE)
        except TimeoutError:
            return await _late(send)
        except Gone:
            return
        if photograph:
            send = _Opened(send, self._opened)
        try:
            await self._application(scope, _given(body, receive), send)
        finally:
            if isinstance(send, _Opened):
                send.close()

    async def _photograph(self, receive: Receive) -> bytes:
        """The body, when it is its turn to be opened; TimeoutError when it did not come in time, or Gone."""
        if len(self._arriving) >= ARRIVING and not (oldest := self._arriving.pop(0)).expired():
            oldest.reschedule(asyncio.get_running_loop().time())
        async with asyncio.timeout(PHOTOGRAPH_PATIENCE) as patience:
            self._arriving.append(patience)
            try:
                body = await _read(receive, photographs.LARGEST)
                await self._opened.acquire()
            finally:
                if patience in self._arriving:
                    self._arriving.remove(patience)
        return body


class _Opened:
    """Sends the answer to a photograph. With its first word the photograph is done with, however slowly
    the rest is taken in.
    """

    def __init__(self, send: Send, opened: asyncio.Semaphore) -> None:
        self._send, self._opened, self._done = send, opened, False

    async def __call__(self, message: Message) -> None:
        self.close()
        await self._send(message)

    def close(self) -> None:
        """Let the next one be opened."""
        if not self._done:
            self._done = True
            self._opened.release()


def _given(body: bytes, receive: Receive) -> Receive:
    """What gives the body at once, and after it what else the sender has to say."""
    given = False

    async def again() -> Any:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


async def _late(send: Send) -> None:
    """Tell the sender that the body did not come in time."""
    words = b"This took too long to arrive. Load the page again, then try once more."
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 408, "headers": headers})
    await send({"type": "http.response.body", "body": words})


async def _read(receive: Receive, largest: int) -> bytes:
    body = bytearray()
    while len(body) <= largest:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    return bytes(body)
