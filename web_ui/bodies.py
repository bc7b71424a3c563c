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

PHOTOGRAPHS = 2
"""So many are read at once; others wait their turn."""

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


async def whole(scope: Scope, receive: Receive, photographing: asyncio.Semaphore) -> Receive | None:
    """What gives the request's body at once, cut off behind what its page reads; None when it did not
    come in time. `photographing` counts the photographs that are read.
    """
    try:
        if scope["method"] == "POST" and scope["path"].startswith("/cards/"):
            async with asyncio.timeout(PHOTOGRAPH_PATIENCE), photographing:
                body = await _read(receive, photographs.LARGEST)
        else:
            body = await asyncio.wait_for(_read(receive, asks.LARGEST), PATIENCE)
    except TimeoutError:
        return None
    given = False

    async def again() -> Any:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


async def late(send: Send) -> None:
    """Tell the sender that the body did not come in time."""
    words = b"This took too long to arrive. Load the page again, then try once more."
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 408, "headers": headers})
    await send({"type": "http.response.body", "body": words})


async def _read(receive: Receive, largest: int) -> bytes:
    body = bytearray()
    while len(body) <= largest:
        message = await receive()
        body += message.get("body", b"")
        if message["type"] == "http.disconnect" or not message.get("more_body"):
            break
    return bytes(body)
