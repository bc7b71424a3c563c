"""Plays one running game in a child process that is killed at random moments, and checks what is left.

Usage: kill_player.py FOLDER KILLS SEED. The parent has no threads, so forking is safe, and the next
child begins within a millisecond or two. Exit status 1 with words at the first thing that is lost.
"""

from __future__ import annotations

import hashlib
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from companion import games, packs
from companion.chance import outcome
from companion.games.game import Action, AwaitedShuffle, Shuffled
from companion.games.layout import UNKNOWN
from companion.journal import Journal
from companion.messages import Asks, Do, Finish, Join, Request, Sit, Start
from companion.session import Session
from companion.table import Table

SEATS = ("red", "blue", "green")
GAME = games.load("pawns_of_perdition")
PACK = packs.load(GAME, "house")


def fingerprint(session_state: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(session_state)).hexdigest()


def choose(state: Any, chance: random.Random) -> Action:
    """Something legal, as the companion would hear of it."""
    awaiting = GAME.awaiting(state)
    if isinstance(awaiting.chance, AwaitedShuffle):
        return Shuffled((UNKNOWN,) * len(awaiting.chance.cards))
    actions: list[Action] = [action for seat in GAME.seats for action in GAME.legal(state, seat)]
    if awaiting.chance is not None and (not actions or chance.random() < 0.8):
        return outcome(awaiting.chance, chance)
    return chance.choice(actions)


def child(folder: Path, pipe: int, seed: str) -> None:
    """Play for ever; say on the pipe what is tried, and what was confirmed."""
    chance = random.Random(seed)
    table = Table(GAME, PACK, Journal(folder))
    table.start()

    def say(*words: object) -> None:
        os.write(pipe, (" ".join(map(str, words)) + "\n").encode())

    def ask(ask: Asks) -> None:
        say("try", msgspec.json.encode(ask).decode())
        answer = table.submit(Request(os.urandom(8).hex(), table.number, ask, "ann")).result(20)
        assert answer.status == "done", (ask, answer)
        say("done", answer.number, fingerprint(table.state))

    say("done", table.number, fingerprint(table.state))
    if not table.view("ann").name:
        ask(Join("Ann"))
    for seat in SEATS:
        if not any(taken.seat == seat and taken.person for taken in table.view("ann").seats):
            ask(Sit(seat))
    while True:
        state = table.state
        if state is None:
            ask(Start(SEATS))
        elif GAME.over(state):
            ask(Finish())
        else:
            ask(Do(msgspec.Raw(msgspec.json.encode(choose(state, chance)))))


def main(folder: Path, kills: int, seed: int) -> int:
    moments = random.Random(seed)
    in_flight = 0
    for n in range(kills):
        reads, writes = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                os.close(reads)
                child(folder, writes, f"{seed}:{n}")
            finally:
                os._exit(70)
        os.close(writes)
        time.sleep(moments.uniform(0.001, 0.06))
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        with os.fdopen(reads, "rb") as pipe:
            said = pipe.read().decode().splitlines()
        if not os.WIFSIGNALED(status):
            print(f"Kill {n}: the player had stopped by itself: {said[-1:]}")
            return 1
        confirmed = next((line.split() for line in reversed(said) if line.startswith("done")), None)
        journal = Journal(folder)
        session = Session.replay(journal.acts())
        damage, number = journal.damage, session.number
        journal.close()
        state = session.course.state if session.course else None
        if damage:
            print(f"Kill {n}: {damage}")
            return 1
        if confirmed is None:
            continue
        tried = bool(said) and said[-1].startswith("try")
        if number == int(confirmed[1]):
            if fingerprint(state) != confirmed[2]:
                print(f"Kill {n}: state {number} is not the one that was confirmed")
                return 1
        elif tried and number == int(confirmed[1]) + 1:
            # It was on the disk and its confirmation was cut off: the sender asks again and hears so.
            in_flight += 1
        else:
            print(f"Kill {n}: confirmed {confirmed[1]}, found {number}, last said {said[-1:]}")
            return 1
    print(f"{kills} kills, {number} acts, nothing confirmed was lost; {in_flight} answers were cut off")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
