"""The camera's picture for people: only while somebody looks, seldom, and with what is read in it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion import games, packs
from companion.corners import Corners
from companion.eyes import Looking
from companion.games.layout import Piece, Reading, Sight
from companion.glances import LONGEST, Glances
from companion.journal import Journal
from companion.table import Table
from companion.tapping import Shot
from companion.upkeep.camera import Seen
from companion.viewfinder import EVERY, FRESH, Viewfinder
from firmware_bridge.device import BridgeError
from tests.emulated.rig import Rig, small_map
from tests.hardware.virtual import until
from tests.vision.test_advice import hidden
from tests.vision.test_advice import table as dice_table
from vision.advice import Image
from vision.markers import find_markers
from vision.pose import Registration
from vision.source import Frame, SourceFault

GAME = games.load("pawns_of_perdition")
MAP = small_map()


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(GAME, packs.load(GAME, "house"), Journal(tmp_path), table="camera")
    table.start()
    yield table
    table.close()


@pytest.fixture
def finder(table: Table, clock: Clock, tmp_path: Path) -> Iterator[Viewfinder]:
    finder = Viewfinder(table, lambda: None, Corners(tmp_path, table.submit), clock)
    finder.start()
    yield finder
    finder.close()


def whole(image: Image, taken: list[float], time: float) -> Callable[[], Image]:
    """The picture of a camera that hands it over only when it is asked for, which is written down."""

    def fetch() -> Image:
        taken.append(time)
        return image

    return fetch


def shows(finder: Viewfinder) -> Seen:
    """The look that comes."""
    until(lambda: finder.seen() is not None and finder._frame is None)
    seen = finder.seen()
    assert seen is not None
    return seen


def test_no_picture_is_taken_while_nobody_looks_and_one_a_second_however_many_do(
    finder: Viewfinder, clock: Clock
) -> None:
    image = dice_table(3, 5)
    taken: list[float] = []

    def second(looks: bool) -> None:
        """Ten frames, before each of which twenty phones look."""
        for _ in range(10):
            for _ in range(20 if looks else 0):
                finder.look()
            finder.offer(Frame(clock.now, whole(image, taken, clock.now), image[::8, ::8]))
            until(lambda: finder._frame is None)
            clock.now += 0.1

    for _ in range(5):
        second(looks=False)
    assert taken == []
    for _ in range(5):
        second(looks=True)
    # The clock stands still while a picture is read, so that nothing but the bound counts.
    assert len(taken) in (5, 6)
    assert all(later - earlier >= EVERY - 1e-6 for earlier, later in pairwise(taken))
    count = len(taken)
    clock.now += EVERY
    second(looks=False)
    second(looks=False)
    assert len(taken) <= count + 1


def test_a_look_that_takes_long_is_followed_by_a_longer_rest(
    finder: Viewfinder, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    see = Glances.see

    def slowly(self: Glances, *given: Any) -> tuple[Seen, Shot]:
        clock.now += 2.0
        return see(self, *given)

    monkeypatch.setattr(Glances, "see", slowly)
    taken: list[float] = []
    began = clock.now
    for _ in range(100):
        finder.look()
        finder.offer(Frame(clock.now, whole(dice_table(3), taken, clock.now), np.zeros((4, 4), np.uint8)))
        until(lambda: finder._frame is None)
        clock.now += 0.1
        if len(taken) == 2:
            break
    assert taken[1] - began >= 8.0


def test_a_look_grows_old_and_its_picture_is_not_kept_for_long(finder: Viewfinder, clock: Clock) -> None:
    names = []
    for _ in range(5):
        finder.look()
        finder.offer(Frame(clock.now, dice_table(3)))
        names.append(shows(finder).picture)
        clock.now += EVERY
    assert len(set(names)) == 5
    assert [finder.picture(name) is not None for name in names] == [False, False, True, True, True]
    clock.now += FRESH
    assert finder.seen() is None


def test_once_the_camera_is_away_nothing_is_shown(finder: Viewfinder, clock: Clock) -> None:
    finder.look()
    finder.offer(Frame(clock.now, dice_table(3)))
    name = shows(finder).picture
    finder.away()
    assert finder.seen() is None
    assert finder.picture(name) is None


def test_a_picture_that_comes_to_nothing_ends_no_later_look(
    finder: Viewfinder, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(self: Glances, *given: object) -> tuple[Seen, Shot]:
        raise ValueError("this picture cannot be read")

    with monkeypatch.context() as patch:
        patch.setattr(Glances, "see", fails)
        finder.look()
        finder.offer(Frame(clock.now, dice_table(3)))
        until(lambda: finder._frame is None)
    assert finder.seen() is None
    clock.now += EVERY
    finder.look()
    finder.offer(Frame(clock.now, dice_table(3)))
    assert shows(finder).told


class Failing:
    """A camera whose whole pictures come to nothing."""

    name = "failing"

    def __init__(self) -> None:
        self.closed = threading.Event()

    def open(self) -> None:
        """It opens."""

    def read(self, timeout: float) -> Frame:
        def fetch() -> Image:
            raise SourceFault("The cable is pulled.", "Put it in again.", permanent=False)

        return Frame(1.0, fetch, np.full((60, 80, 3), 90, np.uint8))

    def close(self) -> None:
        self.closed.set()

    def give_up(self) -> None:
        """It takes no time."""


def test_a_camera_that_fails_while_somebody_looks_is_an_ordinary_fault(
    table: Table, finder: Viewfinder
) -> None:
    looking = Looking(table, Failing(), viewfinder=finder)
    looking.open()
    finder.look()
    with pytest.raises(BridgeError, match="cable is pulled"):
        looking.run()
    assert finder.seen() is None


# -- what is shown ----------------------------------------------------------------------------------


@pytest.fixture
def glances() -> Glances:
    return Glances()


def test_dice_are_outlined_in_the_picture_that_phones_get(glances: Glances) -> None:
    image = dice_table(3, 5, 2, size=(1440, 810))
    seen, shot = glances.see("one", image, MAP, None, None)
    picture = cv2.imdecode(np.frombuffer(shot.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape[:2] == (seen.height, seen.width) == (405, LONGEST)
    dice = [mark for mark in seen.marks if mark.kind == "die"]
    assert sorted(mark.label for mark in dice) == ["2", "3", "5"]
    for mark in dice:
        x, y = np.mean(mark.corners, axis=0)
        assert picture[round(y) - 3 : round(y) + 3, round(x) - 3 : round(x) + 3].max() > 0
        # On felt green leads; an ivory die is nearly white.
        patch = picture[round(y) - 12 : round(y) + 12, round(x) - 12 : round(x) + 12].reshape(-1, 3)
        assert np.percentile(patch.min(axis=1), 80) > 120
    assert seen.asks == ()
    assert "3 dice are seen: 2, 3, 5. That is sure." in seen.told
    assert seen.hints == ()


def test_a_doubt_is_told_by_the_letter_that_stands_in_the_picture(glances: Glances) -> None:
    image = dice_table(3, 5, 2)
    image = np.ascontiguousarray(image[:, 155:])  # the first die is cut off by the picture's edge
    seen, _ = glances.see("one", image, MAP, None, None)
    doubts = [mark for mark in seen.marks if mark.kind == "doubt"]
    assert doubts
    assert seen.asks
    for mark in doubts:
        letter = mark.label.partition(":")[0]
        assert any(f" at {letter} " in f"{words[:-1]} " for words in seen.asks)
    assert not any(character.isdigit() for words in seen.asks for character in words.partition(" at ")[2][:2])
    assert any("Not surely." in words for words in seen.told)


def test_a_sheet_is_outlined_and_its_missing_corners_are_told(glances: Glances) -> None:
    rig = Rig(3)
    image = rig.frame().image
    seen, _ = glances.see("one", image, rig.map, None, None)
    kinds = [mark.kind for mark in seen.marks]
    assert kinds.count("sheet") == kinds.count("tray") == 1
    assert kinds.count("marker") >= 4
    assert "The sheet is found: 4 of its 4 corners are seen." in seen.told
    markers = dict(find_markers(image))
    pose = Registration(rig.map).find(markers, (image.shape[1], image.shape[0]))
    assert pose is not None
    seen, _ = glances.see("two", np.roll(hidden(rig, image, pose, 0, 1), 40, axis=1), rig.map, None, None)
    assert "The sheet is not found now." in seen.told
    assert "The tray is not in sight, so no dice are read." in seen.told
    assert any("has moved" in hint.words for hint in seen.hints)
    assert seen.waits


def test_what_the_eyes_have_told_is_shown_where_it_lies(glances: Glances) -> None:
    rig = Rig(3)
    readings = rig.run(3.0)
    assert readings[-1].pieces
    seen, _ = glances.see("one", rig.frame().image, rig.map, readings[-1], None)
    pieces = [mark for mark in seen.marks if mark.kind == "piece"]
    assert sorted(mark.label for mark in pieces) == ["blue", "green", "red"]
    assert "3 pieces are seen on the sheet." in seen.told
    assert not seen.waits


def test_pieces_that_stand_close_are_named_by_a_letter_and_those_in_doubt_are_told(glances: Glances) -> None:
    rig = Rig(3)
    place = rig.map.places[0]
    sights = tuple(
        Sight(Piece("pawn", name, place.name), (100.0 + 30 * number, 100.0), sure)
        for number, (name, sure) in enumerate((("red", 1.0), ("blue", 0.5)))
    )
    reading = Reading(0.0, sights, (rig.map.places[1].name,))
    seen, _ = glances.see("one", rig.frame().image, rig.map, reading, None)
    assert [mark.label for mark in seen.marks if mark.kind == "piece"] == ["R", "B"]
    assert f"Not sure yet: pawn blue on {place.name}." in seen.told
    assert f"Out of sight: {rig.map.places[1].name}." in seen.told
    assert seen.waits


@pytest.mark.parametrize("name", games.NAMES)
def test_before_every_game_its_sheet_is_looked_for_and_no_piece_is_told(name: str, tmp_path: Path) -> None:
    game = games.load(name)
    table = Table(game, packs.load(game, "house"), Journal(tmp_path), table="camera")
    finder = Viewfinder(table, lambda: None, Corners(tmp_path, table.submit))
    finder.start()
    place = game.table_map(game.setup(game.seats, table.pack, {})).places[0].name
    finder.told(Reading(0.0, holes=(place,)))
    finder.look()
    finder.offer(Frame(0.0, np.full((480, 640, 3), 90, np.uint8)))
    seen = shows(finder)
    finder.close()
    table.close()
    assert seen.told == (
        "No printed sheet is seen. Dice are read wherever they lie in the picture.",
        "No dice are seen.",
    )
