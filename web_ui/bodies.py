"""Bodies of requests, read whole before a worker is given to them.

A worker that waits for a body waits as long as the sender likes, and eight such senders would stop
every page. So the event loop waits instead, for a while, and keeps no more than the pages read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from web_ui.asks import LARGEST

PATIENCE = 10.0
"""Seconds that a body may take."""

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


async def whole(receive: Receive) -> Receive | None:
    """What gives the request's body at once, cut off behind LARGEST; None when it did not come in time."""
    try:
        body = await asyncio.wait_for(_read(receive), PATIENCE)
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


async def _read(receive: Receive) -> bytes:
    body = b""
    while len(body) <= LARGEST:
        message = await receive()
        body += message.get("body", b"")
        if message["type"] == "http.disconnect" or not message.get("more_body"):
            break
    return body
