"""Piles beside the tray: a card that lies across its pile nearly reaches the dice."""

from __future__ import annotations

from collections.abc import Iterable

from companion import games, packs
from companion.emulated.box import box_of
from companion.emulated.poses import Arm, DiePose, Moment, PiecePose
from companion.emulated.scene import Scene
from companion.emulated.viewpoint import over
from companion.games.layout import Reading
from vision.source import Frame
from vision.table import TableReader

GAME = games.load("rail_raiders_infinite")
STATE = GAME.setup(("red", "blue"), packs.load(GAME, "house"), {})
PLACE = "turned:high_noon"
RIM = 630.0  # the tray's right edge (mm)


class Watched:
    """The sheet of Rail Raiders under a camera, and its reader."""

    def __init__(self) -> None:
        self._map = GAME.table_map(STATE)
        view = over(self._map.width, self._map.height, (1280, 720), tilt=8.0, way=100.0, turn=1.0)
        self._scene = Scene(self._map, box_of(GAME, STATE), 1, viewpoint=view)
        self._reader = TableReader(self._map)
        self._time = 0.0

    def show(
        self, pieces: Iterable[PiecePose] = (), dice: Iterable[DiePose] = (), arms: Iterable[Arm] = ()
    ) -> Reading | None:
        """Let that lie there for two seconds; the last Reading of it."""
        image = self._scene.draw(Moment(tuple(pieces), tuple(dice), tuple(arms)))
        told = None
        for _ in range(8):
            told = self._reader.see(Frame(self._time, image)) or told
            self._time += 0.25
        return told


def across(card: str) -> PiecePose:
    """A card that lies across its pile, its edge 10 mm from the tray."""
    x, y = next(
        (outline[0][0] + 31.5, outline[0][1] + 44.0)
        for outline in (place.outline for place in GAME.table_map(STATE).places if place.name == PLACE)
    )
    return PiecePose("high_noon", card, (x, y), 90.0)


def test_a_die_by_the_rim_is_no_hand_that_holds_the_card_beside_it() -> None:
    table = Watched()
    assert table.show() is not None
    card = across("downhill 1")
    die = DiePose("9", (RIM - 9.0, card.at[1] + 20.0), 20.0)
    table.show(dice=[die])
    read = table.show([card], [die])
    assert read is not None
    assert read.holes == ()
    assert {sight.piece.name: sight.piece.place for sight in read.pieces} == {card.name: PLACE}


def test_a_hand_that_reaches_over_the_tray_holds_the_card() -> None:
    table = Watched()
    assert table.show() is not None
    card = across("downhill 1")
    read = table.show([card], arms=[Arm((card.at[0] - 38.0, card.at[1]), (300.0, 900.0))])
    assert read is not None
    assert PLACE in read.holes
