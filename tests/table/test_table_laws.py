"""Whatever people, camera and buttons do, in whatever order: the table's own laws hold."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from companion.games.game import Action, AwaitedDice, AwaitedShuffle, Rolled, Shuffled
from companion.games.layout import UNKNOWN
from companion.games.pawns_of_perdition.actions import EndTurn, Move
from companion.journal import read
from companion.messages import Agree, Answer, Finish, Host, Leave, Sit, Start
from companion.session import Session
from companion.table import Presence
from firmware_bridge.press import Press
from tests.table.desk import Desk

SEATS = ("red", "blue", "green")
people = st.sampled_from(SEATS)
chances = st.integers(0, 2**32 - 1).map(random.Random)
faces = st.lists(st.integers(1, 6), min_size=0, max_size=4)


class TheTable(RuleBasedStateMachine):
    """Three people, a camera, buttons for all and for each, and a plug that is pulled."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.desk = Desk(Path(self.folder.name) / "state")
        self.number = 0
        self.answers: dict[str, tuple[Action, str, int, Answer]] = {}

    def teardown(self) -> None:
        self.desk.close()
        self.folder.cleanup()

    @initialize()
    def begin(self) -> None:
        self.desk.start(*SEATS)

    def legal(self) -> list[Action]:
        state, game = self.desk.state, self.desk.game
        if state is None:
            return []
        actions: list[Action] = [action for seat in SEATS for action in game.legal(state, seat)]
        chance = game.awaiting(state).chance
        if isinstance(chance, AwaitedShuffle):
            actions.append(Shuffled((UNKNOWN,) * len(chance.cards)))
        return actions

    @rule(chance=chances, name=st.text("ab", min_size=1, max_size=2))
    def act(self, chance: random.Random, name: str) -> None:
        """Somebody does something legal, now and then with the id of an earlier request."""
        state = self.desk.state
        if state is None:
            return
        awaited = self.desk.game.awaiting(state).chance
        if isinstance(awaited, AwaitedDice) and chance.random() < 0.8:
            action: Action = Rolled(tuple(chance.randint(1, 6) for _ in range(awaited.count)))
        elif actions := self.legal():
            action = chance.choice(actions)
        else:
            return
        seat = getattr(action, "seat", "") or getattr(awaited, "seat", "") or "red"
        seats = {taken.seat: taken for taken in self.desk.view("red").seats}
        person = seats[seat].person or next((t.person for t in seats.values() if t.host), "")
        if not person:
            return
        first = self.answers.get(name)
        moves = len(self.desk.table.moves())
        answer = self.desk.do(person, action, id=name)
        if first is not None:
            assert answer == first[3]
            assert len(self.desk.table.moves()) == moves
            return
        assert answer.status == "done", answer
        assert len(self.desk.table.moves()) == moves + 1
        self.answers[name] = (action, seat, moves, answer)

    @rule(person=people, seat=people, late=st.integers(1, 3))
    def act_late(self, person: str, seat: str, late: int) -> None:
        before = self.desk.state
        answer = self.desk.do(person, Move(seat), on=self.desk.table.number - late)
        assert answer.status == "stale"
        assert self.desk.state == before

    @rule(person=people, action=st.sampled_from([Rolled((7, 7)), Rolled(()), EndTurn("nobody"), Move("")]))
    def act_badly(self, person: str, action: Action) -> None:
        before, number = self.desk.state, self.desk.table.number
        assert self.desk.do(person, action).status == "refused"
        assert (self.desk.state, self.desk.table.number) == (before, number)

    @rule(person=people, back=st.integers(1, 6))
    def go_back(self, person: str, back: int) -> None:
        self.desk.takeback(person, len(self.desk.table.moves()) - back)

    @rule(person=people, back=st.integers(1, 6), values=st.tuples(st.integers(1, 6), st.integers(1, 6)))
    def correct(self, person: str, back: int, values: tuple[int, int]) -> None:
        self.desk.correct(person, len(self.desk.table.moves()) - back, Rolled(values))

    @rule(person=people, yes=st.booleans())
    def agree(self, person: str, yes: bool) -> None:
        self.desk.ask(person, Agree(yes))

    @rule(values=faces, sure=st.booleans(), pawn=people, space=st.integers(-1, 63))
    def look(self, values: list[int], sure: bool, pawn: str, space: int) -> None:
        self.desk.throw(*values, sure=sure, **{pawn: space})

    @rule(chance=chances, sure=st.booleans())
    def look_at_what_is_awaited(self, chance: random.Random, sure: bool) -> None:
        state = self.desk.state
        awaited = self.desk.game.awaiting(state).chance if state is not None else None
        if isinstance(awaited, AwaitedDice):
            before, values = state, tuple(chance.randint(1, 6) for _ in range(awaited.count))
            self.desk.throw(*values, sure=sure)
            if not sure:
                assert self.desk.state == before

    @rule(person=people, answer=st.integers(0, 4))
    def decide(self, person: str, answer: int) -> None:
        question = self.desk.view(person).question
        if question is not None and answer < len(question.choices):
            self.desk.decide(person, question.choices[answer].key)

    @rule(
        button=st.sampled_from(["confirm", "undo", "next", "seat"]),
        kind=st.sampled_from(["short", "long"]),
        place=st.integers(0, 4),
    )
    def press(self, button: str, kind: str, place: int) -> None:
        self.desk.put(msgspec.convert({"button": button, "kind": kind, "time": 0.0, "place": place}, Press))

    @rule(person=people, here=st.booleans())
    def come_and_go(self, person: str, here: bool) -> None:
        self.desk.put(Presence(person, here))

    @rule(
        person=people, ask=st.sampled_from([Host(), Leave("blue"), Sit("blue"), Finish(), Start(SEATS, {})])
    )
    def move_about(self, person: str, ask: Host | Leave | Sit | Finish | Start) -> None:
        if self.desk.ask(person, ask).status == "done" and isinstance(ask, Start):
            self.desk.shuffle(self.desk.table.view(person).seats[0].person or person)

    @rule()
    def pull_the_plug(self) -> None:
        number, state, log = self.desk.table.number, self.desk.state, self.desk.log()
        self.desk = self.desk.again()
        assert (self.desk.table.number, self.desk.state, self.desk.log()) == (number, state, log)

    @invariant()
    def what_is_shown_is_what_is_written(self) -> None:
        session = Session.replay(read(self.desk.folder))
        assert session.number == self.desk.table.number
        assert session.log == list(self.desk.table.story())
        assert (session.course.state if session.course else None) == self.desk.state

    @invariant()
    def the_number_only_rises(self) -> None:
        assert self.desk.table.number >= self.number
        self.number = self.desk.table.number

    @invariant()
    def nothing_went_wrong_inside(self) -> None:
        assert not [notice for notice in self.desk.table.view("red").notices if notice.id == "loop"]

    @invariant()
    def every_main_choice_is_legal(self) -> None:
        for seat in SEATS:
            view = self.desk.view(seat)
            if view.prompt is not None and view.seat:
                for choice in view.prompt.choices:
                    assert self.desk.game.refusal(self.desk.state, choice.action) is None


TestTheTable = TheTable.TestCase
TestTheTable.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
