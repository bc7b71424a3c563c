"""The stream that keeps phones live: the whole page on connect, then again after each change.

A phone has a mailbox of size one. While it does not read, nothing queues up for it: it is marked
as due, and gets the latest page once its line is free again.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections import Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import msgspec
from uvicorn.protocols.http.h11_impl import H11Protocol

from web_ui.person import People

log = logging.getLogger(__name__)

LIMIT = 300  # streams at once
BEAT = 4.0  # seconds; a phone that hears nothing for ten knows that its line is dead
LINE = "stationmaster.line"
HELLO = b"retry: 2000\n\n"
BEAT_EVENT = b"event: beat\ndata:\n\n"
SEND_BUFFER = 65536  # bytes that the kernel may hold for a phone that does not read

Render = Callable[[str, str], str | None]
"""(page, person) -> the page's live part in HTML, None when there is no such page."""


class Line(H11Protocol):
    """A connection of uvicorn that lets a stream write past the request's coroutine.

    Waking 200 coroutines for one event takes several times as long as writing to 200 sockets.
    """

    full = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Hand this line to the application with each request."""
        super().connection_made(transport)
        app = self.app
        self.app = lambda scope, receive, send: app({**scope, "extensions": {LINE: self}}, receive, send)
        self.drained: Callable[[], None] = lambda: None

    def open_stream(self, drained: Callable[[], None]) -> None:
        """Call `drained` whenever the other side has taken everything after being behind."""
        self.drained = drained
        self.transport.set_write_buffer_limits(high=0)
        self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)

    def pause_writing(self) -> None:
        """The other side is behind."""
        self.full = True
        super().pause_writing()

    def resume_writing(self) -> None:
        """The other side has caught up."""
        self.full = False
        super().resume_writing()
        self.drained()


class Stream:
    """One open page: what it shows, for whom, and whether it is owed the latest state."""

    def __init__(self, line: Line, page: str, person: str) -> None:
        self.line, self.page, self.person = line, page, person
        self.due = False
        self.fresh = True


def chunk(data: bytes) -> bytes:
    """One chunk of an HTTP/1.1 body."""
    return b"%x\r\n%s\r\n" % (len(data), data)


class Feed:
    """All streams. Lives on the server's event loop; only `publish` and `close` may come from others.

    `presence(person, here)` hears when a person's first page opens and when the last one closes.
    """

    def __init__(
        self, people: People, render: Render, presence: Callable[[str, bool], object], limit: int = LIMIT
    ) -> None:
        self.people, self.render, self.presence, self.limit = people, render, presence, limit
        self.streams: set[Stream] = set()
        self._open: Counter[str] = Counter()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._beat: asyncio.TimerHandle | None = None
        self._coming = False
        self._closed = False

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Serve on this loop."""
        self._loop = loop
        self._beat = loop.call_later(BEAT, self._keep_alive)

    def publish(self) -> None:
        """Something has changed. From any thread, at the cost of one wake-up at most."""
        if not self._coming and self._loop is not None and not self._loop.is_closed():
            self._coming = True
            self._loop.call_soon_threadsafe(self._fan_out)

    def close(self) -> None:
        """End every stream; phones come back by themselves when there is a server again."""
        self._closed = True
        if self._beat is not None:
            self._beat.cancel()
        for stream in self.streams:
            stream.line.transport.write(b"0\r\n\r\n")
            stream.line.transport.close()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request for /events?page=…"""
        headers = dict(scope["headers"])
        page = parse_qs(scope["query_string"].decode("latin-1")).get("page", [""])[0]
        person = self.people.read(headers.get(b"cookie", b"").decode("latin-1"))
        if scope["method"] != "GET" or scope["http_version"] != "1.1":
            return await _refuse(send, 405, "A stream is asked for with GET over HTTP/1.1.")
        if self._closed:
            return await _refuse(send, 503, "The table is closing down.", retry=b"2")
        if len(self.streams) >= self.limit:
            words = "Too many pages are open. Close some, then this one goes on by itself."
            return await _refuse(send, 503, words, retry=b"2")
        if self.render(page, person) is None:
            return await _refuse(send, 404, "There is no such page to keep live.")
        await send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": [
                    (b"content-type", b"text/event-stream; charset=utf-8"),
                    (b"cache-control", b"no-store"),
                    (b"x-accel-buffering", b"no"),
                ],
            }
        )
        line: Line = scope["extensions"][LINE]
        stream = Stream(line, page, person)
        line.open_stream(lambda: self._catch_up(stream))
        self.streams.add(stream)
        self._count(person, 1)
        try:
            line.transport.write(chunk(HELLO))
            self._offer(stream, {})
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            self.streams.discard(stream)
            self._count(person, -1)

    def _count(self, person: str, change: int) -> None:
        before = self._open[person] > 0
        self._open[person] += change
        here = self._open[person] > 0
        if not here:
            del self._open[person]
        if person and here != before:
            self.presence(person, here)

    def _fan_out(self) -> None:
        self._coming = False
        frames: dict[str, bytes] = {}
        for stream in tuple(self.streams):
            self._offer(stream, frames)

    def _catch_up(self, stream: Stream) -> None:
        if stream.due:
            self._offer(stream, {})

    def _offer(self, stream: Stream, frames: dict[str, bytes]) -> None:
        """Write the latest page, or remember that it is owed. A page that cannot be drawn ends its stream.

        `frames` keeps what one round of writing has made, by its HTML: phones that show the same share it.
        """
        line = stream.line
        if line.full:
            stream.due = True
            return
        stream.due, stream.fresh = False, True
        try:
            html = self.render(stream.page, stream.person)
        except Exception:
            log.exception("The page %s could not be drawn.", stream.page)
            line.transport.close()
            return
        if html is None:
            line.transport.close()
            return
        frame = frames.get(html)
        if frame is None:
            frame = frames[html] = chunk(b"event: page\ndata: " + msgspec.json.encode(html) + b"\n\n")
        line.transport.write(frame)

    def _keep_alive(self) -> None:
        for stream in self.streams:
            if not stream.fresh and not stream.line.full:
                stream.line.transport.write(chunk(BEAT_EVENT))
            stream.fresh = False
        assert self._loop is not None
        self._beat = self._loop.call_later(BEAT, self._keep_alive)


async def _refuse(send: Any, status: int, words: str, retry: bytes = b"") -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    if retry:
        headers.append((b"retry-after", retry))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": words.encode()})
