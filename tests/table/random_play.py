"""Games played at random, as a session that believes what a table can see, and what it publishes."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import msgspec

from companion import games, packs
from companion.acts import Joined, Played, Sat, Started
from companion.bots import RandomBot
from companion.clerk import Clerk
from companion.session import Session
from companion.simulate import course
from companion.views import Snapshot


def random_play(game_name: str, seed: int, steps: int) -> Iterator[tuple[Clerk, Session, Snapshot]]:
    """The session after each act of a random game by random options, of the first `steps` of them.

    Everybody is called as the own seat is.
    """
    game, chance = games.load(game_name), Random(seed)
    seats = game.seats[: game.players[1]]
    pack = packs.load(game, "house")
    clerk, session = Clerk(game, pack, pack.name), Session()
    for seat in seats:
        session.apply(Joined(seat, f"Player {seat}"))
        session.apply(Sat(seat, seat))
    options = {option.name: chance.choice(option.values) for option in game.options}
    start = game.setup(seats, pack, options)
    position = msgspec.Raw(msgspec.json.encode(game.hide(start)))
    session.apply(Started(game.name, pack.name, seats, options, position))
    bots = {seat: RandomBot(chance) for seat in seats}
    for step, (_, action) in enumerate(course(game, start, bots, chance)):
        assert session.course is not None
        yield clerk, session, snapshot(session)
        if action is None or step == steps:
            return
        session.apply(Played(msgspec.Raw(msgspec.json.encode(game.hide_action(action))), "phone"))


def snapshot(session: Session) -> Snapshot:
    """What a table without a camera publishes of this session, but for its words."""
    assert session.course is not None
    assert session.started is not None
    return Snapshot(
        game=session.course.game,
        number=session.number,
        people=dict(session.people),
        host=session.host,
        seats=dict(session.seats),
        playing=session.started.seats,
        live=frozenset(session.seats.values()),
        state=session.course.state,
    )
