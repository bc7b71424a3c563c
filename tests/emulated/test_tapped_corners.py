"""An emulated table whose sheet shows no markers in its corners: it is read once its corners are tapped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.games.game import AwaitedDice
from companion.games.layout import Reading
from tests.emulated.covered import CoveredCamera
from tests.emulated.house import House
from tests.emulated.rig import NAMES, Rig, places
from vision.source import Frame
from vision.table import TableReader
from vision.tapped import Tapped

BEGUN = {"red": "p:0", "blue": "p:1", "green": "p:2"}


class Cups(Rig):
    """A rig with a cup on each corner of its sheet."""

    def __init__(self, seed: int, dice: tuple[int, ...] = ()) -> None:
        super().__init__(seed, dice)
        self.covered = CoveredCamera(self.camera, self.world)

    def frame(self) -> Frame:
        frame = self.covered.read(1.0)
        assert frame is not None
        return frame

    def told(self) -> Reading:
        """What the table comes to at rest."""
        readings = self.rest()
        assert readings
        return readings[-1]


def where(reading: Reading) -> dict[str, str]:
    return {name: place for name, place in places(reading).items() if name in NAMES}


def test_covered_corners_that_are_tapped_let_the_game_be_read() -> None:
    rig = Cups(3, dice=(3, 5))
    blind = rig.told()
    assert not blind.pieces
    assert len(blind.holes) == len(rig.map.places)
    rig.reader.take(rig.covered.tap())
    seen = rig.told()
    assert where(seen) == BEGUN
    assert not seen.holes
    assert seen.dice is not None
    assert seen.dice.sure
    assert sorted(map(int, seen.dice.values)) == [3, 5]
    assert rig.reader.standing == "fits"
    rig.world.carry("red", "p:6")
    assert where(rig.told())["red"] == "p:6"


def test_a_camera_that_moved_is_told_and_nothing_is_read_by_the_old_corners() -> None:
    rig = Cups(4, dice=(2, 6))
    rig.told()
    kept = rig.covered.tap()
    rig.covered.shift = (26, 12)
    rig.reader = TableReader(rig.map, tapped=kept)
    seen = rig.told()
    assert rig.reader.standing == "moved"
    assert not seen.pieces
    assert seen.dice is None
    assert len(seen.holes) == len(rig.map.places)
    # Set anew, it reads again.
    rig.covered.shift = (0, 0)
    rig.reader.take(rig.covered.tap())
    assert where(rig.told()) == BEGUN


def test_the_markers_win_over_what_was_tapped_as_soon_as_they_are_seen() -> None:
    rig = Cups(5)
    rig.told()
    wrong = rig.covered.tap(half_turn=True)
    rig.covered.free = frozenset(marker.id for marker in rig.map.corners)
    rig.reader.take(wrong)
    assert where(rig.told()) == BEGUN
    assert rig.reader.standing is None


def test_one_marker_that_lies_elsewhere_is_believed_more_than_taps() -> None:
    rig = Cups(6)
    rig.told()
    rig.reader.take(rig.covered.tap(half_turn=True))
    # One of the cups is taken away: its marker says that the sheet lies the other way round.
    rig.covered.free = frozenset({rig.map.corners[1].id})
    seen = rig.told()
    assert not seen.pieces
    assert rig.reader.standing == "moved"


class CupHouse(House):
    """A whole companion whose camera sees no corner marker.

    `tapped` is what was tapped by now: people do it as soon as the sheet lies there.
    """

    tapped: Tapped | None = None

    def looked_at_by(self) -> CoveredCamera:
        self.covered = CoveredCamera(self.camera, self.world)
        return self.covered

    def corners(self) -> Tapped | None:
        if self.tapped is None and self.world.map is not None:
            self.tapped = self.covered.tap()
        return self.tapped

    def faults(self) -> list[str]:
        return [f"{fault.words} {fault.cure}" for fault in self.table.faults if fault.id == "corners"]

    def look_on(self, seconds: float) -> None:
        """Let so much time pass, and nobody does anything."""
        until = self.clock.now() + seconds
        while self.clock.now() < until:
            if (answer := self.looking.look()) is not None:
                answer.result(10)


@pytest.mark.parametrize(
    ("game", "seats"), [("pawns_of_perdition", 3), ("rail_raiders_infinite", 3)], ids=lambda it: str(it)
)
def test_a_whole_game_is_seen_by_corners_that_were_tapped(
    tmp_path: Path, record_property: Callable[[str, object], None], game: str, seats: int
) -> None:
    house = CupHouse(tmp_path, 2, ("red", "blue", "green", "yellow")[:seats], game=game)
    try:
        people = house.people
        people.begin()
        tally = people.play()
        assert house.game.over(people.state)
        assert house.game.hide(people.state) == house.table.state
        told = f"{tally.throws} throws, {tally.moves} moves, {tally.questions} asked, {tally.unseen} unseen"
        record_property("told", f"{game}: {told}, {len(tally.silent)} silent errors")
        assert tally.silent == []
        assert tally.questions + tally.unseen < (tally.throws + tally.moves) / 4
        assert not house.faults()
    finally:
        house.close()


def test_a_camera_that_moves_in_a_game_is_told_on_the_phones_until_the_corners_are_set_again(
    tmp_path: Path,
) -> None:
    house = CupHouse(tmp_path, 4, ("red", "blue", "green"))
    try:
        house.people.begin()
        house.look_on(6)
        assert not house.faults()
        before = house.table.state
        house.covered.shift = (30, 14)
        house.look_on(6)
        (told,) = house.faults()
        assert "has moved since the corners were set. Set the corners again: Menu, Camera" in told
        assert house.table.state == before
        house.covered.shift = (0, 0)
        house.tapped = house.covered.tap()
        house.look_on(6)
        assert not house.faults()
    finally:
        house.close()


def test_dice_thrown_while_the_corners_did_not_fit_are_asked_about(tmp_path: Path) -> None:
    house = CupHouse(tmp_path, 4, ("red", "blue", "green"))
    try:
        house.people.begin()
        while not isinstance(awaited := house.game.awaiting(house.table.state).chance, AwaitedDice):
            house.people.step()
        house.look_on(3)
        house.covered.shift = (30, 14)
        house.look_on(6)
        assert house.faults()
        moves = len(house.table.moves())
        house.world.throw((6, 2, 3)[: awaited.count])
        house.look_on(6)
        house.covered.shift = (0, 0)
        house.tapped = house.covered.tap()
        house.look_on(6)
        # They may be the throw that is waited for, or one that was entered on a phone: people know.
        assert len(house.table.moves()) == moves
        question = house.view().question
        assert question is not None
        assert question.dice
    finally:
        house.close()


def test_what_hides_the_corners_is_told_once_it_stays(tmp_path: Path) -> None:
    house = CupHouse(tmp_path, 4, ("red", "blue", "green"))
    try:
        house.people.begin()
        house.look_on(3)
        house.covered.cloth = True
        house.look_on(2)
        assert not house.faults()
        house.look_on(4)
        (told,) = house.faults()
        assert "Take away what covers them." in told
        house.covered.cloth = False
        house.look_on(3)
        assert not house.faults()
    finally:
        house.close()
