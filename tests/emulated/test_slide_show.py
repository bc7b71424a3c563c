"""A folder of photographs as the camera: each one lies still for a while, and is a throw."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from companion import games, packs
from companion.emulated.clock import VirtualClock
from companion.eyes import Looking
from companion.games.game import Rolled, Shuffled
from companion.games.layout import UNKNOWN
from companion.journal import Journal
from companion.messages import Asks, Do, Join, Request, Sit, Start
from companion.table import Table
from vision.recorded import Photographs
from vision.render_dice import DieLook, draw_die

SEATS = ("red", "blue", "green")
THROWS = ((6, 5), (1, 2), (1, 2), (4, 2))
LOOK = DieLook(body=(228, 236, 240), pip=(30, 26, 26), roundness=0.12)


def photograph(path: Path, values: tuple[int, ...], seed: int) -> None:
    """Dice of ivory on a green cloth, from straight above."""
    chance = np.random.default_rng(seed)
    cloth = (
        np.array((70, 96, 58)) + cv2.GaussianBlur(chance.normal(0, 24, (600, 900, 1)), (0, 0), 1.2)[..., None]
    )
    picture = np.clip(cloth, 0, 255).astype(np.uint8)
    for index, value in enumerate(values):
        at = (200 + 300 * index + chance.uniform(-60, 60), chance.uniform(180, 420))
        draw_die(picture, at, 84, chance.uniform(0, 360), value, LOOK, tilt=4.0, seed=seed)
    assert cv2.imwrite(str(path), picture)


class Show:
    def __init__(self, folder: Path, state: Path) -> None:
        self.clock = VirtualClock()
        self.game = games.load("pawns_of_perdition")
        pack = packs.load(self.game, "house")
        self.table = Table(self.game, pack, Journal(state), table="camera", clock=self.clock.now)
        self.table.start()
        photographs = Photographs(folder, clock=self.clock.now, sleep=self.clock.sleep)
        self.looking = Looking(self.table, photographs, clock=self.clock.now)
        self._asked = 0

    def ask(self, person: str, ask: Asks) -> None:
        self._asked += 1
        answer = self.table.submit(Request(str(self._asked), self.table.number, ask, person)).result(10)
        assert answer.status == "done", answer.words

    def do(self, person: str, action: object) -> None:
        self.ask(person, Do(msgspec.Raw(msgspec.json.encode(action))))

    def run(self, seconds: float) -> None:
        until = self.clock.now() + seconds
        while self.clock.now() < until:
            future = self.looking.look()
            if future is not None:
                future.result(10)


@pytest.fixture
def show(tmp_path: Path) -> Iterator[Show]:
    folder = tmp_path / "photographs"
    folder.mkdir()
    for number, values in enumerate(THROWS):
        photograph(folder / f"{number}.png", values, number)
    show = Show(folder, tmp_path / "state")
    for seat in SEATS:
        show.ask(seat, Join(seat))
        show.ask(seat, Sit(seat))
    show.ask("red", Start(SEATS))
    show.do("red", Shuffled((UNKNOWN,) * 30))
    yield show
    show.table.close()


def test_each_photograph_is_a_throw_that_is_read_or_asked_about(show: Show) -> None:
    show.looking.open()
    read = 0
    for seat, values in zip(("red", "blue", "green", "red"), THROWS, strict=True):
        show.run(3.0)
        view = show.table.view(seat, seat)
        if view.question is not None:
            assert show.table.picture(view.question.picture)
            show.do(seat, Rolled(values))
        else:
            read += 1
            assert show.table.picture(view.picture)
        assert sorted(show.table.state.dice) == sorted(values)
    # The same faces in another photograph were another throw.
    rolls = [move for move in show.table.moves() if isinstance(move, Rolled)]
    assert len(rolls) == 4
    assert read >= 3
    show.run(20.0)
    assert len(show.table.moves()) == 5
