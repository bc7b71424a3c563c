"""Talking with QEMU and with the agent in its machine: JSON lines over UNIX sockets."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

LONG = 120.0
"""Seconds that an answer may take."""


class Refused(RuntimeError):
    """QEMU, or the agent in the machine, did not do as it was told; its own words."""


class Agent:
    """qemu-guest-agent, at its socket. One command at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._line: _Line | None = None

    def greet(self, patience: float) -> bool:
        """Whether the agent answers within so many seconds; until it does, nothing else may be asked."""
        number = int.from_bytes(os.urandom(4), "big")
        try:
            if self._line is None:
                self._line = _Line(self._path)
            # Earlier greetings may be answered first, so this one has a number of its own.
            self._line.say({"execute": "guest-sync", "arguments": {"id": number}}, patience)
            while self._line.hear().get("return") != number:
                pass
        except (TimeoutError, FileNotFoundError, ConnectionError):
            return False
        return True

    def ask(self, command: str, patience: float = LONG, **arguments: Any) -> Any:
        """What it says to that command. Refused with its words, TimeoutError when it says nothing."""
        assert self._line is not None
        self._line.say({"execute": command, "arguments": arguments}, patience)
        return _returned(self._line.hear())

    def close(self) -> None:
        """Hang up."""
        if self._line is not None:
            self._line.close()
        self._line = None


def tell_qemu(path: Path, command: str, **arguments: Any) -> Any:
    """What QEMU says to that command of its protocol QMP. Refused with its words."""
    with _qemu(path) as line:
        line.say({"execute": command, "arguments": arguments}, LONG)
        return _returned(_answer(line))


def tell_monitor(path: Path, command: str) -> str:
    """What QEMU's monitor for people says to that command."""
    return str(tell_qemu(path, "human-monitor-command", **{"command-line": command}))


@contextmanager
def _qemu(path: Path) -> Iterator[_Line]:
    line = _Line(path)
    try:
        line.hear()  # its greeting
        line.say({"execute": "qmp_capabilities"}, LONG)
        _returned(_answer(line))
        yield line
    finally:
        line.close()


def _answer(line: _Line) -> dict[str, Any]:
    """The next word that is an answer, and no event."""
    while True:
        heard = line.hear()
        if "event" not in heard:
            return heard


def _returned(answer: dict[str, Any]) -> Any:
    if "error" in answer:
        raise Refused(str(answer["error"].get("desc", answer["error"])))
    return answer["return"]


class _Line:
    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.connect(str(path))
        except OSError:
            self._socket.close()
            raise
        self._heard = b""

    def say(self, words: dict[str, Any], patience: float) -> None:
        self._socket.settimeout(patience)
        self._socket.sendall(json.dumps(words).encode() + b"\n")

    def hear(self) -> dict[str, Any]:
        while b"\n" not in self._heard:
            more = self._socket.recv(1 << 20)
            if not more:
                raise ConnectionResetError("the other side has hung up")
            self._heard += more
        one, self._heard = self._heard.split(b"\n", 1)
        heard = json.loads(one)
        assert isinstance(heard, dict)
        return heard

    def close(self) -> None:
        self._socket.close()
