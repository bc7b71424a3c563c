"""Has lamps, number display and buzzer follow the table: who is awaited, what is left, what is new."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

from companion.awaited import awaited
from companion.games.game import Game
from companion.messages import Answer
from companion.presses import NOTICE
from companion.table import Table
from companion.views import Snapshot
from firmware_bridge.display import Count
from firmware_bridge.press import PLACES, Press
from firmware_bridge.signals import Showing, Signals, Tune


def follow(table: Table, devices: Sequence[Showing]) -> Callable[[], None]:
    """From now on the devices show how the table stands and play what is new; returns the way to stop.

    What was so before is not played, so that a restart is silent. They keep the latest alone, so that a
    slow one holds nobody up.
    """
    seen = table.published
    showing = threading.Lock()

    def tell(revision: int) -> None:
        nonlocal seen
        with showing:
            before, seen = seen, table.published
            shown, tune = signals(seen), news(before, seen)
            for device in devices:
                device.show(shown)
                if tune is not None:
                    device.play(tune)

    stop = table.listen(tell)
    tell(0)
    return stop


def put(table: Table, devices: Sequence[Showing], press: Press) -> Future[Answer]:
    """Put a press on the table's queue; one that may not be is heard to be refused."""

    def answered(future: Future[Answer]) -> None:
        if future.result().status == "refused":
            for device in devices:
                device.play("no")

    future = table.submit(press)
    future.add_done_callback(answered)
    return future


def signals(snap: Snapshot) -> Signals:
    """What lamps and number display show; nothing that not everybody may know.

    The lamp of each place that is waited for is on, and blinks where a question is to be answered: the
    companion's, or whether something may be taken back.
    """
    waits, answers = _waits(snap), _answers(snap)
    return Signals(
        tuple(
            (place, "blink" if seat in answers else "on")
            for place, seat in enumerate(snap.playing[:PLACES], 1)
            if seat in waits or seat in answers
        ),
        count(snap.game, snap.state),
    )


def news(before: Snapshot, after: Snapshot) -> Tune | None:
    """What is to be heard of what has come since; of several things the weightiest, None for nothing."""
    if before.state is not None and not _is_over(before) and _is_over(after):
        return "over"
    was, left = count(before.game, before.state), count(after.game, after.state)
    if was is not None and left is not None and left.last and not was.last:
        return "last_round"
    asked = after.question is not None and before.question != after.question
    if asked or after.waiting - before.waiting:
        return "ask"
    if set(_faults(after)) - set(_faults(before)):
        return "fault"
    return "turn" if set(_waits(after)) - set(_waits(before)) else None


def count(game: Game[Any, Any], state: Any) -> Count | None:
    """What a number display shows of this state; None when there is no game, or nothing to count down."""
    if state is None or game.countdown is None or game.over(state):
        return None
    found = game.countdown(state)
    return None if found is None else Count(found.left, found.last)


def _waits(snap: Snapshot) -> tuple[str, ...]:
    return () if snap.state is None else awaited(snap.game, snap.state, snap.playing)


def _answers(snap: Snapshot) -> set[str]:
    """The seats that are to answer something. The companion asks those that it waits for."""
    asked = set() if snap.question is None else set(_waits(snap))
    return asked | {seat for seat in snap.playing if snap.seats.get(seat) in snap.waiting}


def _is_over(snap: Snapshot) -> bool:
    return snap.state is not None and snap.game.over(snap.state)


def _faults(snap: Snapshot) -> list[tuple[str, str]]:
    return [(notice.id, notice.words) for notice in snap.notices if notice.id != NOTICE]
