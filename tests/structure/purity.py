"""Plays every game in a Python whose clock, chance, files, threads, network and log are blocked.

Run in a process of its own: what it blocks stays blocked. `purity.py CODE` runs that code under
the same blockade instead, as if it stood in a game, so that the blockade itself can be tested.
"""

from __future__ import annotations

import builtins
import io
import logging
import os
import random
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

# What the rules may load is loaded before the doors close.
import msgspec
import msgspec.structs
import msgspec.toml

FORBIDDEN = {
    "_thread", "asyncio", "concurrent", "datetime", "glob", "io", "logging", "multiprocessing", "os",
    "pathlib", "queue", "random", "sched", "secrets", "select", "shutil", "signal", "socket",
    "sqlite3", "subprocess", "tempfile", "threading", "time", "uuid", "warnings",
}  # fmt: skip


def packs() -> dict[str, str]:
    """Each game's own pack as text, read while files can still be read."""
    games = Path(__file__).parents[2] / "companion" / "games"
    return {file.parent.parent.name: file.read_text("utf-8") for file in games.glob("*/packs/house.toml")}


def refuse(what: str) -> Callable[..., NoReturn]:
    def refusal(*args: object, **kwargs: object) -> NoReturn:
        raise PermissionError(f"the rules used {what}")

    return refusal


def block() -> None:
    """Close the doors: the imports of a game first, then the functions, whoever calls them."""
    real_import = builtins.__import__

    def guarded_import(
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        importer = str((globals or {}).get("__name__"))
        if level == 0 and importer.startswith("companion.games") and name.split(".")[0] in FORBIDDEN:
            raise PermissionError(f"{importer} imports {name}")
        return real_import(name, globals, locals, fromlist, level)

    def close(module: ModuleType | type, *names: str) -> None:
        for name in names:
            setattr(module, name, refuse(f"{module.__name__}.{name}"))

    builtins.__import__ = guarded_import
    close(builtins, "open", "print", "input")
    close(io, "open", "FileIO")
    close(os, "open", "read", "write", "stat", "listdir", "scandir", "mkdir", "remove", "rename", "system")
    close(os, "fork", "getenv", "urandom", "getrandom", "getpid")
    close(time, "time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "sleep")
    close(time, "process_time", "localtime", "gmtime")
    close(random, "random", "randint", "randrange", "choice", "choices", "shuffle", "sample", "uniform")
    close(random.Random, "random", "getrandbits", "seed")
    close(random.SystemRandom, "random", "getrandbits")
    close(secrets, "token_bytes", "token_hex", "choice", "randbelow")
    close(threading, "Thread", "Timer", "Lock", "RLock", "Event")
    close(threading.Thread, "start")
    close(socket, "socket", "create_connection", "getaddrinfo")
    close(logging.Logger, "_log", "handle")


def play_everything(texts: dict[str, str], steps: int) -> int:
    """Play each game with its fewest seats for so many actions; the number of actions played."""
    from companion import games
    from companion.games.game import AwaitedDice, AwaitedShuffle, Rolled, Shuffled

    played = 0
    for name in games.NAMES:
        game = games.load(name)
        pack = game.load_pack(texts[name])
        seats = game.seats[: game.players[0]]
        falls, picks = cycle((2, 0, 5, 1, 4, 3)), cycle((0, 3, 1, 7, 2))
        state = game.setup(seats, pack, {})
        for _ in range(steps):
            if game.over(state):
                state = game.setup(seats, pack, {})
            awaiting = game.awaiting(state)
            match awaiting.chance:
                case AwaitedDice(count=count, faces=faces):
                    action: Any = Rolled(tuple(faces[next(falls) % len(faces)] for _ in range(count)))
                case AwaitedShuffle(cards=cards):
                    action = Shuffled(cards)
                case None:
                    legal = game.legal(state, awaiting.seats[0])
                    action = legal[next(picks) % len(legal)]
            assert game.refusal(state, action) is None, action
            game.free(state, action), game.story(state, action), game.decided(state, action)
            game.play(game.hide(state), game.hide_action(action))
            state = game.play(state, action)
            game.implied(state), game.scores(state), game.layout(state), game.table_map(state)
            for seat in ("", *seats):
                game.prompt(state, seat), game.view(state, seat)
            msgspec.convert(msgspec.to_builtins(state), game.state_type)
            played += 1
    return played


def main(arguments: list[str]) -> None:
    tell, texts = sys.stdout.write, packs()
    block()
    if arguments:
        exec(arguments[0], {"__name__": "companion.games.probe", "__builtins__": builtins})
    else:
        tell(f"{play_everything(texts, steps=400)} actions\n")


if __name__ == "__main__":
    main(sys.argv[1:])
