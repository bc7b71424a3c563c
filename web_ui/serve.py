"""Serves the pages: one daemon thread with uvicorn, on a socket of ours."""

from __future__ import annotations

import asyncio
import errno
import socket
import threading
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import uvicorn
from a2wsgi import WSGIMiddleware

from companion.table import Presence, Table
from companion.upkeep import Upkeep
from companion.upkeep.camera import Camera
from web_ui.address import join_address
from web_ui.app import Config, create_app
from web_ui.bodies import Bodies
from web_ui.feed import LIMIT, Feed, Line
from web_ui.pages import Controls, Pages
from web_ui.person import People, secret

WORKERS = 8
SILENCE = 10_000  # ms that a phone may leave what was sent to it unacknowledged
CLOSING = 3  # seconds that a request in progress gets at shutdown


class PortTaken(OSError):
    """Another program listens there already; the words say what to do."""


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; a phone that vanishes without a word is dropped after ten seconds of silence.

    Raises PortTaken when another program has the port, OSError when the address is not this machine's.
    """
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENCE)
    try:
        listener.bind(address)
        listener.listen(512)
    except OSError as fault:
        listener.close()
        if fault.errno == errno.EADDRINUSE:
            raise PortTaken(
                errno.EADDRINUSE,
                f"Port {port} is taken by another program. End that one, or name another port with --port.",
            ) from fault
        raise
    return listener


def await_page(listener: socket.socket, patience: float = 60.0) -> None:
    """Wait until the first page comes from this machine's own socket; OSError when it does not in time.

    Only then are the pages served: a socket listens long before anybody answers there.
    """
    host, port = listener.getsockname()[:2]
    own = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    connection = HTTPConnection(own, port, timeout=patience)
    try:
        connection.request("GET", "/")
        answer = connection.getresponse()
        answer.read()
    except HTTPException as fault:
        raise OSError(f"The pages are not served: {fault!r}") from fault
    finally:
        connection.close()
    if answer.status != 200:
        raise OSError(
            f"The pages are not served: the first one is answered by {answer.status} {answer.reason}."
        )


def http_server(application: Any) -> uvicorn.Server:
    """Uvicorn for this ASGI application, with nothing that a phone at a table has no use for."""
    return uvicorn.Server(
        uvicorn.Config(
            application,
            http=Line,
            loop="asyncio",
            ws="none",
            lifespan="off",
            interface="asgi3",
            proxy_headers=False,
            server_header=False,
            access_log=False,
            log_config=None,
            timeout_graceful_shutdown=CLOSING,
        )
    )


class Server:
    """The running server. `address` is what phones type or scan.

    `digits` is what an emulated number display shows now, None where there is none. `upkeep` is what may be
    asked of the machine, None where nothing may; `camera` what may be asked of the camera, None without one.
    """

    def __init__(
        self,
        table: Table,
        controls: Controls | None,
        listener: socket.socket,
        state: Path,
        limit: int = LIMIT,
        digits: Callable[[], str] | None = None,
        upkeep: Upkeep | None = None,
        camera: Camera | None = None,
    ) -> None:
        port = listener.getsockname()[1]
        people = People(secret(state))
        self.pages = Pages(table, controls, port, upkeep, camera)
        app: Any = create_app(table, controls, Config(people, self.pages, port, digits, upkeep, camera))
        self._wsgi = WSGIMiddleware(app, WORKERS)
        self._pages = Bodies(self._wsgi)
        self.address = join_address(port)
        self.feed = Feed(
            people, self.pages.live, lambda person, here: table.submit(Presence(person, here)), limit
        )
        self._uvicorn = http_server(self._route)
        self._listener = listener
        self._loop = asyncio.new_event_loop()
        self.feed.start(self._loop)
        self._stop_listening = table.listen(self._changed)
        if upkeep is not None:
            upkeep.listen(self.feed.publish)
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the streams, let requests in progress finish, stop."""
        self._stop_listening()
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._end)
            self._thread.join()
        self._wsgi.executor.shutdown()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._uvicorn.serve(sockets=[self._listener]))

    def _end(self) -> None:
        self.feed.close()
        self._uvicorn.should_exit = True

    def _changed(self, revision: int) -> None:
        self.pages.changed(revision)
        self.feed.publish()

    async def _route(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/events":
            return await self.feed(scope, receive, send)
        await self._pages(scope, receive, send)


def serve_on(
    table: Table,
    controls: Controls | None,
    listener: socket.socket,
    state: Path,
    limit: int = LIMIT,
    upkeep: Upkeep | None = None,
    camera: Camera | None = None,
) -> Server:
    """Serve this table's pages on a listening socket until the server is closed.

    `state` is the folder where the secret of the cookies lies, `limit` how many pages are kept live at once.
    """
    return Server(table, controls, listener, state, limit, upkeep=upkeep, camera=camera)
