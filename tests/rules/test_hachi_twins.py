"""The same game twice, in which owners hold other cards: nobody else gets another byte, whatever is done.

Games go on over takebacks, corrected turns, people who leave and the ends of matches, as at a table.
"""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.acts import Acts, Joined, Played, Sat, Started, TookBack
from companion.clerk import Clerk
from companion.games.game import AwaitedDice, AwaitedShuffle, Rolled, Shuffled
from companion.games.hachi_train import GAME
from companion.games.hachi_train.actions import EnterCard, ForgetHand, KeepHand, Pass, PutIn
from companion.games.hachi_train.state import FRONT, State
from companion.games.layout import UNKNOWN
from companion.messages import Leave, Takeback
from companion.record import of_session, write
from companion.session import Session
from companion.snapshots import snapshot
from companion.views import stand_in, view
from companion.watch import Watch
from tests.rules.hachi_games import begin, house, late

CHUNKS, STATES = 8, 125

Pair = tuple[Any, Any]

OFTEN: dict[type[Any], float] = {KeepHand: 1.0, EnterCard: 1.0, PutIn: 3.0, ForgetHand: 0.02}
"""What owners say of their hands, and how often of all that they may say."""

CLERK = Clerk(GAME, house(), "house")


def person(seat: str) -> str:
    """Who holds that seat at first."""
    return f"person {seat}"


def sat(start: State) -> list[Acts]:
    """People sit down and begin from there; the first is the host."""
    acts: list[Acts] = []
    for seat in start.seats:
        acts += [Joined(person(seat), seat.title()), Sat(person(seat), seat)]
    raw = msgspec.Raw(msgspec.json.encode(start))
    return [*acts, Started(GAME.name, "house", start.seats, {}, raw, person(start.seats[0]))]


class Twins:
    """Two tables at which the same is seen and other things are said of hands."""

    def __init__(self, start: State, chance: Random) -> None:
        self.chance = chance
        self.tables = (Session(), Session())
        for act in sat(start):
            self.both(act, act)
        self.hidden = 0

    def both(self, *acts: Acts) -> None:
        for table, act in zip(self.tables, acts, strict=True):
            table.apply(act)

    @property
    def states(self) -> tuple[State, State]:
        one, other = (table.course.state for table in self.tables if table.course is not None)
        return one, other

    def step(self) -> None:
        """Something that people may do, alike for all who see it."""
        said = self.chance.random()
        if said < 0.04 and self._went_back():
            return
        if said < 0.05:
            self._somebody_else_sits_down()
            return
        if said < 0.75 and self._said():
            return
        self._played()

    def _play(self, actions: Pair) -> None:
        played = (Played(msgspec.Raw(msgspec.json.encode(action)), "phone") for action in actions)
        self.both(*played)

    def _said(self) -> bool:
        """An owner says something of the own hand; False when nobody may say the same in both."""
        seat = self.chance.choice(self.states[0].seats)
        kinds = [
            {kind for action in GAME.legal(state, seat) if (kind := type(action)) in OFTEN}
            for state in self.states
        ]
        both = sorted(kinds[0] & kinds[1], key=lambda kind: kind.__name__)
        if not both:
            return False
        kind = self.chance.choices(both, [OFTEN[kind] for kind in both])[0]
        found = [
            [action for action in GAME.legal(state, seat) if type(action) is kind] for state in self.states
        ]
        self._play((self.chance.choice(found[0]), self.chance.choice(found[1])))
        return True

    def _played(self) -> None:
        state = self.states[0]
        awaited = GAME.awaiting(state)
        if isinstance(awaited.chance, AwaitedShuffle):
            self._play((Shuffled((UNKNOWN,) * len(awaited.chance.cards)),) * 2)
        elif isinstance(awaited.chance, AwaitedDice):
            self._play((Rolled((self.chance.choice(awaited.chance.faces),)),) * 2)
        else:
            self._turn(awaited.seats[0])

    def _turn(self, seat: str) -> None:
        """A play that all see, of cards whose places the owner tells where that can be."""
        may = [GAME.legal(state, seat) for state in self.states]
        seen = [action for action in may[0] if GAME.hide_action(action) == action]
        seen = [action for action in seen if not isinstance(action, KeepHand | ForgetHand)]
        told = [GAME.hide_action(each) for some in may for each in some if getattr(each, "places", ())]
        plays = told if told and self.chance.random() < 0.7 else seen
        passes = [action for action in seen if isinstance(action, Pass)]
        if passes and self.chance.random() < 0.4:
            plays = [*passes]
        action = self.chance.choice(plays)
        ways = [[each for each in some if GAME.hide_action(each) == action] for some in may]
        assert all(action in some for some in ways), "what is seen may be done whatever a kept hand holds"
        self._play((self.chance.choice(ways[0]), self.chance.choice(ways[1])))

    def _went_back(self) -> bool:
        """Somebody goes back a few moves, alike for all; with all who have to agree."""
        course = self.tables[0].course
        assert course is not None
        if not course.moves:
            return False
        move = self.chance.randrange(max(0, len(course.moves) - 12), len(course.moves))
        by = person(self.states[0].seats[0])
        asked = [CLERK.acts(table, by, Takeback(move), {by}) for table in self.tables]
        assert asked[0] == asked[1], "the same people are asked"
        self.both(*(TookBack(move, by),) * 2)
        return True

    def _somebody_else_sits_down(self) -> None:
        """The host frees a seat and sits there, which is not theirs to look into."""
        host, seat = self.tables[0].host, self.chance.choice(self.states[0].seats[1:])
        left = [CLERK.acts(table, host, Leave(seat), {host}) for table in self.tables]
        assert left[0] == left[1]
        for act in left[0]:
            self.both(act, act)
        assert all(set(state.hands[state.seats.index(seat)]) <= {UNKNOWN} for state in self.states)
        if self.chance.random() < 0.5:
            self.both(*(Sat(host, seat),) * 2)
        else:
            self.both(*(Sat(person(seat), seat),) * 2)

    def compare(self) -> None:
        """Nobody who may not know it gets another byte."""
        self.hidden += self.states[0].hands != self.states[1].hands
        one, other = (told_by(table) for table in self.tables)
        assert one.keys() == other.keys()
        for who in one:
            assert one[who] == other[who], (who, self.tables[0].course and self.tables[0].course.moves)


def told_by(table: Session) -> dict[str, bytes]:
    """All that leaves: what others are shown of each seat, the whole log, the record.

    Whoever keeps a hand at any seat may know of that one alone, so only pages that are not its own are here.
    """
    course = table.course
    assert course is not None
    people = {*map(person, course.state.seats), "somebody", ""}
    watch = Watch(GAME, lambda: 0.0)
    snap = snapshot(GAME, table, watch, revision=1, table="none", emulated=(), live=people, notices=())
    told: dict[str, Any] = {"log": table.log, "record": list(write(*of_session(table)))}
    for number, who in enumerate(sorted(people)):
        # The host tries all seats. What others get of seats that are not theirs is one and the same view.
        other = course.state.seats[number % len(course.state.seats)]
        for seat in (*course.state.seats, "") if who == table.host else (other, ""):
            if not seat or table.holder(seat) != who:
                told[f"{who} at {seat}"] = view(snap, who, seat)
            told[f"{who} for {seat}"] = stand_in(snap, who, seat)
    state = course.state
    told["presses"] = (
        GAME.implied(state),
        GAME.countdown and GAME.countdown(state),
        GAME.layout(state),
        GAME.closed(GAME.hide(state), ""),
    )
    told["camera"] = [list(GAME.candidates(state, seat, ())) for seat in state.seats]
    return {who: msgspec.json.encode(what) for who, what in told.items()}


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_of_a_thousand_states_with_their_past_other_hands_change_no_byte(chunk: int) -> None:
    chance = Random(f"twins {chunk}")
    done = hidden = 0
    while done < STATES:
        start = GAME.hide(begin(chance) if chance.random() < 0.2 else late(chance))
        if start.match == 4 and chance.random() < 0.5:  # so that there is a match after it
            start = replace(start, match=1, assets=(FRONT,) * len(start.seats))
        twins = Twins(start, chance)
        for _ in range(100):
            if GAME.over(twins.states[0]) and chance.random() < 0.8:
                break
            if not (GAME.over(twins.states[0]) and not twins._went_back()):
                twins.step()
            if chance.random() < 0.2:
                twins.compare()
                done += 1
        twins.compare()
        done += 1
        hidden += twins.hidden
    assert hidden > STATES // 4, "in many of the states there was something to hide"
