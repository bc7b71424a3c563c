"""Bots as people at an emulated table: for tests, and for watching the whole of it at work.

They know the rules and what truly lies on the table. They throw, move pieces, lay cards and leave it
to the camera to see that; what no camera can see they say on their phones. They answer the
companion's questions truthfully and correct what it believed wrongly, and keep count of both.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import reduce
from itertools import count
from random import Random
from typing import Any

import msgspec
from msgspec.structs import asdict

from companion.bots import BOTS
from companion.chance import filled_in, outcome
from companion.emulated.box import box_of
from companion.emulated.changes import key_of
from companion.emulated.placing import inside, middle
from companion.emulated.showing import shown
from companion.emulated.truth import Truth
from companion.emulated.world import World
from companion.games.game import Action, AwaitedDice, AwaitedShuffle, Rolled, Shuffled, are_lots
from companion.games.layout import UNKNOWN, Piece, TableMap
from companion.messages import (
    Agree,
    Answer,
    Asks,
    Correct,
    Decide,
    Do,
    Join,
    Question,
    Request,
    Sit,
    Start,
    Takeback,
)
from companion.table import Pause, Table

PATIENCE = 4.5
"""Seconds after the table has come to rest that people wait for the companion to understand."""

_LAZY = 0.15  # how often pieces are left where they lie for a while, though they belong elsewhere
_REACHING = 0.08  # how often somebody reaches over the table

_PAUSE = 0.5  # seconds of silence after which the table looks again at what was half done

_NOTHING = ("Nothing", "That was no throw", "No,")

Line = tuple[Action, ...]


@dataclass
class Tally:
    """What happened in a game: how much the camera saw, and how often people had to help.

    `questions` were asked by the companion; `unseen` is what it did not notice until it was told;
    `silent` is what it believed wrongly without asking, each in a sentence.
    """

    throws: int = 0
    moves: int = 0
    told: int = 0
    questions: int = 0
    unseen: int = 0
    silent: list[str] = field(default_factory=list)


class People:
    """Everybody at one table. `look` reads the next frame and gives the table's answer to what it settled.

    One thread. `phone_only` is how often a thing that a camera can see is said by phone instead.
    """

    def __init__(
        self,
        table: Table,
        world: World,
        look: Callable[[], Future[Answer] | None],
        seats: tuple[str, ...],
        *,
        phone_only: float = 0.1,
    ) -> None:
        self.tally = Tally()
        self.truth = Truth(table.game, world.seed)
        self._table = table
        self._game = table.game
        self._world = world
        self._look = look
        self._seats = seats
        self._phone_only = phone_only
        self._chance = Random(f"{world.seed}:people")
        self._bots = {seat: BOTS[table.game.name]() for seat in seats}
        self._chosen: Action | None = None
        self._asked = 0
        self._heard = 0.0

    # -- the game -----------------------------------------------------------------------------

    def begin(self) -> None:
        """Everybody joins and sits down; the first one starts the game and lays out the table."""
        for seat in self._seats:
            self.ask(seat, Join(f"Player {seat}"))
            self.ask(seat, Sit(seat))
        self.ask(self._seats[0], Start(self._seats))
        state = self.state
        self._world.set_out(self._game.table_map(state), self.truth.layout(), box_of(self._game, state))
        self.wait(2.0)

    def play(self, steps: int = 2000) -> Tally:
        """Play until the game is over; RuntimeError when that takes more than `steps` steps."""
        for _ in range(steps):
            if self._game.over(self.state):
                self.tidy()
                return self.tally
            self.step()
        raise RuntimeError(f"The game was not over after {steps} steps.")

    @property
    def state(self) -> Any:
        """The true state, which follows the line that the companion believes."""
        line = self._table.line()
        if line is None:
            raise RuntimeError("No game is running.")
        state = self.truth.follow(*line, self._chosen)
        return state

    def step(self) -> None:
        """One act of one player, seen or said; now or later the pieces are brought where they belong."""
        if self._chance.random() < _REACHING:
            self._reach()
        state = self.state
        line = self._choose(state)
        self._chosen = line[-1]
        before = len(self._table.moves())
        seen = self._act(state, line)
        self._understood(before, line, seen)
        # Who shuffles a pile has it in hand; anything else may wait.
        if isinstance(line[-1], Shuffled) or self._chance.random() >= _LAZY:
            self.tidy()

    def _choose(self, state: Any) -> Line:
        """What happens next in truth: a card thrown in, what is awaited, or chance."""
        awaiting = self._game.awaiting(state)
        for seat in self._chance.sample(self._seats, len(self._seats)):
            view = self._game.view(state, seat)
            legal = self._game.legal(view, seat)
            if legal and (action := self._bots[seat].choose(self._game, view, seat, legal)) is not None:
                known: Action = filled_in(self._game, state, action, self._chance)
                return self._going_on(state, known)
        if awaiting.chance is None:
            raise RuntimeError(f"Nobody does anything, and the table waits for {awaiting.seats}.")
        return (outcome(awaiting.chance, self._chance),)

    def _going_on(self, state: Any, action: Action) -> Line:
        """Now and then people just throw, where only the end of the turn is left to say."""
        if action == self._game.implied(state) and self._chance.random() < 0.5:
            chance = self._game.awaiting(self._game.play(state, action)).chance
            if isinstance(chance, AwaitedDice):
                return (action, outcome(chance, self._chance))
        return (action,)

    def _act(self, state: Any, line: Line) -> bool:
        """Do it on the table, where a camera can see it (True), or say it."""
        last = line[-1]
        if isinstance(last, Rolled) and not are_lots(last.values, self._game.seats):
            self.tally.throws += 1
            self._world.throw(last.values)
            return True
        if self._chance.random() >= self._phone_only and shown(
            self._game, self._game.hide(state), self._game.hide_action(last), self._chance
        ):
            self.tally.moves += 1
            before = self._world.told_apart(self.truth.layout())
            after = self._world.told_apart(self.truth.layout(last))
            pieces = tuple(piece for piece in after.pieces if piece not in before.pieces)
            map = self._game.table_map(self._game.play(state, last))
            self._make_way(map, pieces)
            hands = [frozenset(key_of(piece) for piece in pieces)]
            if taken := self._world.taken_up(after, drawn=not pieces):
                # Some lay first what they play, others take up first what they get for it.
                hands.insert(self._chance.randrange(2), taken)
            for keys in hands:
                self._world.bring(map, after, keys)
            return True
        self._say(state, last)
        return False

    def _make_way(self, map: TableMap, pieces: tuple[Piece, ...]) -> None:
        """What lies about where these pieces go, or is still to come there, is put right first."""
        places = {place.name: place for place in map.places}
        spots, late = self._world.spots, self._world.late(self.truth.layout())
        there = [spots[piece.name] for piece in late if piece.name in spots]
        there += [middle(places[piece.place]) for piece in late if piece.place in places]
        goals = [places[piece.place] for piece in pieces]
        if any(inside(goal, at) for goal in goals for at in there) or any(
            inside(places[piece.place], middle(goal))
            for goal in goals
            for piece in late
            if piece.place in places
        ):
            self.tidy()

    # -- seen, asked, corrected ---------------------------------------------------------------

    def _understood(self, before: int, line: Line, seen: bool) -> None:
        """Wait until the companion believes what was done; help it where it does not, and keep count."""
        expected = tuple(map(self._game.hide_action, line))
        if seen:
            deadline = self._world.rests + PATIENCE
            while self._world.clock.now() < deadline and len(self._table.moves()) < before + len(line):
                if (question := self.question) is not None:
                    self._answer(question, line)
                    break
                self._frame()
        for index, action in enumerate(expected):
            moves = self._table.moves()
            if len(moves) <= before + index:
                self.tally.unseen += 1
                self._say(self.state, line[index])
            elif not self._same(before + index, action):
                self._correct(before + index, moves[before + index], action)
        moves = self._table.moves()[before:]
        if len(moves) != len(expected) or not all(map(self._same, count(before), expected)):
            raise RuntimeError(f"After all was said the table believes {moves}, not {expected}.")

    def _same(self, move: int, action: Action) -> bool:
        """Whether the table believes that this was move `move`, or an act that comes to the same.

        The order in which dice lie is nothing, nor how a card is turned that lies alike either way.
        """
        line = self._table.line()
        if line is None:
            raise RuntimeError("No game is running.")
        _, state, moves = line
        believed = moves[move]
        if isinstance(believed, Rolled) and isinstance(action, Rolled):
            return sorted(believed.values, key=str) == sorted(action.values, key=str)
        if believed == action or type(believed) is not type(action) or not hasattr(action, "turn"):
            return believed == action
        before = reduce(self._game.play, moves[:move], state)
        one, other = (self._game.layout(self._game.play(before, act)) for act in (believed, action))
        return bool(one == other and asdict(believed) | {"turn": 0} == asdict(action) | {"turn": 0})

    @property
    def question(self) -> Question | None:
        """The question that is open."""
        return self._table.view(self._seats[0]).question

    def _answer(self, question: Question, line: Line) -> None:
        """Say what was done: that line, or nothing that the companion has not heard of."""
        self.tally.questions += 1
        state = self._table.state
        wanted: list[str] = []
        for action in line:
            wanted.extend(self._game.story(state, self._game.hide_action(action)))
            state = self._game.play(state, self._game.hide_action(action))
        told = " ".join(wanted)
        last = line[-1] if line else None
        for choice in question.choices:
            if (isinstance(last, Rolled) and _says(choice.words, last)) or (told and choice.words == told):
                self.ask(self._seats[0], Decide(question.id, choice.key))
                return
        if question.dice and isinstance(last, Rolled) and len(line) == 1:
            self.ask(self._seats[0], Decide(question.id, "enter", _raw(last)))
            return
        none = next(choice for choice in question.choices if choice.words.startswith(_NOTHING))
        self.ask(self._seats[0], Decide(question.id, none.key))

    def _correct(self, move: int, believed: Action, action: Action) -> None:
        """Put right what the companion believed wrongly; whoever it touches agrees."""
        self.tally.silent.append(f"move {move}: believed {believed}, and it was {action}")
        roll = isinstance(believed, Rolled) and isinstance(action, Rolled)
        self.ask(self._seats[0], Correct(move, _raw(action)) if roll else Takeback(move))
        for seat in self._seats:
            proposal = self._table.view(seat, seat).proposal
            if proposal is not None and proposal.yours:
                self.ask(seat, Agree(True))
        if not roll:
            self._say(self.state, action)

    def _say(self, state: Any, action: Action) -> None:
        """Tell the companion by phone."""
        self.tally.told += 1
        said = self._game.hide_action(action)
        chance = self._game.awaiting(state).chance
        if isinstance(said, Shuffled) and isinstance(chance, AwaitedShuffle):
            said = Shuffled((UNKNOWN,) * len(chance.cards))
        seat = getattr(action, "seat", "") or getattr(chance, "seat", "") or self._seats[0]
        self.ask(seat, Do(_raw(said)))

    def ask(self, person: str, ask: Asks) -> Answer:
        """One request of a person, who is called as the seat that they hold; it must be granted."""
        self._asked += 1
        request = Request(f"{self._world.seed}-{self._asked}", self._table.number, ask, person)
        answer = self._table.submit(request).result(30)
        if answer.status != "done":
            raise RuntimeError(f"{person} asked {ask} and was told: {answer.words}")
        return answer

    # -- hands and time -----------------------------------------------------------------------

    def tidy(self) -> None:
        """Bring every piece to where the truth has it, and let the companion see that."""
        state, layout = self.state, self.truth.layout()
        if self._world.fits(layout):
            return
        self._world.bring(self._game.table_map(state), layout)
        self.wait(self._world.rests - self._world.clock.now() + 1.0)
        if (question := self.question) is not None:
            self._answer(question, ())

    def wait(self, seconds: float) -> None:
        """Let time pass, with the camera looking on."""
        until = self._world.clock.now() + seconds
        while self._world.clock.now() < until:
            self._frame()

    def _frame(self) -> None:
        answer, now = self._look(), self._world.clock.now()
        if answer is None and now - self._heard >= _PAUSE:
            # The table's own sense of time is that of the machine, and not of this clock.
            answer = self._table.submit(Pause())
        if answer is not None:
            self._heard = now
            answer.result(30)

    def _reach(self) -> None:
        """Somebody reaches over the table, or over the dice."""
        sheet = self._world.map
        if sheet is None:
            return
        spots = (sheet.tray.outline, ((0.0, 0.0), (sheet.width, sheet.height)))
        outline = self._chance.choice(spots)
        xs, ys = zip(*outline, strict=True)
        at = (self._chance.uniform(min(xs), max(xs)), self._chance.uniform(min(ys), max(ys)))
        self.wait(self._world.reach(at, self._chance.uniform(0.3, 1.2)) - self._world.clock.now())


def _says(words: str, roll: Rolled) -> bool:
    """Whether a choice in words names these faces, in whatever order."""
    faces = words.rpartition(":")[2].strip(" .").split(" + ")
    return sorted(faces) == sorted(map(str, roll.values))


def _raw(action: Action) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(action))
