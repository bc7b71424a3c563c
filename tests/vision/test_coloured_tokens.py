"""Pieces without markers, told by their colours: those that can be, and above all those that cannot."""

from __future__ import annotations

import pytest

from companion.emulated.figures import Figure
from tests.vision.coloured_table import BLUE, FOUR, GREEN, RED, WHITE, YELLOW, ColouredTable

SHAPES = (
    Figure("pawn", RED, 18.0, 28.0),
    Figure("cone", RED, 14.0, 18.0, glossy=True),
    Figure("cylinder", RED, 20.0, 10.0),
    Figure("cube", RED, 13.0, 13.0, glossy=True),
)
LIGHTS = ((1.0, (1.0, 1.0, 1.0)), (0.45, (1.0, 1.0, 1.0)), (0.9, (0.6, 0.85, 1.0)), (1.0, (1.0, 0.9, 0.7)))


@pytest.mark.parametrize(("seed", "figure", "light"), list(zip(range(4), SHAPES, LIGHTS, strict=True)))
def test_pieces_are_told_by_their_colours_wherever_they_stand(
    seed: int, figure: Figure, light: tuple[float, tuple[float, float, float]]
) -> None:
    table = ColouredTable(seed, FOUR, figure=figure)
    table.camera.lamp, table.camera.cast = light
    table.look()
    assert table.known == FOUR.keys()
    assert table.told == dict.fromkeys(FOUR, "space:0")
    for places in (
        ("space:5", "space:9", "space:30", "space:17"),
        ("space:6", "space:48", "space:31", "space:1"),
    ):
        for name, place in zip(FOUR, places, strict=True):
            table.world.carry(name, place)
        table.look()
        assert table.told == table.world.places
        assert table.reading.holes == ()
        for sight in table.reading.pieces:
            assert sight.at == pytest.approx(table.world.spots[sight.piece.name], abs=5.0)
    assert table.coloured.advice is None


def test_colours_are_still_told_when_the_light_has_changed() -> None:
    table = ColouredTable(5, FOUR)
    table.look()
    table.camera.lamp, table.camera.cast = 0.5, (0.6, 0.85, 1.0)
    table.world.carry("red", "space:12")
    table.look()
    assert table.told == table.world.places


def test_of_two_pieces_of_one_colour_neither_is_told() -> None:
    table = ColouredTable(6, FOUR | {"yellow": "#d02c30"})
    table.look()
    assert not table.known & {"red", "yellow"}
    assert table.coloured.advice is not None
    assert table.coloured.advice.words == (
        "The red pawn and the yellow pawn look alike to the camera in this light."
    )
    assert "more light" in table.coloured.advice.cure
    assert "phone" in table.coloured.advice.cure


def test_a_piece_of_nobodys_colour_makes_it_unclear_whose_the_others_are() -> None:
    # Whoever has green took an olive piece, nearer to yellow than to green.
    table = ColouredTable(6, FOUR | {"green": "#6d662e"})
    table.look()
    assert table.known == set()
    assert table.coloured.advice is not None
    assert "whose the others are" in table.coloured.advice.words
    table.world.carry("green", "space:7")
    table.look()
    assert "green" not in table.known
    assert set(table.told.items()) <= set(table.world.places.items())


def test_orange_and_red_that_are_too_near_to_each_other_are_said_to_be() -> None:
    table = ColouredTable(7, {"red": "#d8502c", "blue": BLUE, "yellow": "#dc6a2c"})
    table.look()
    advice = table.coloured.advice
    assert advice is not None
    assert not {"red", "yellow"} <= table.known
    for place in ("space:4", "space:20"):
        table.world.carry("red", place)
        table.world.carry("yellow", "space:33")
        table.look()
        assert set(table.told.items()) <= set(table.world.places.items())


def test_a_white_piece_is_said_to_be_like_the_sheet() -> None:
    table = ColouredTable(8, {"red": RED, "blue": BLUE, "white": WHITE})
    table.look()
    assert table.known == {"red", "blue"}
    assert table.coloured.advice is not None
    assert table.coloured.advice.words == "The camera can hardly tell the white pawn from the sheet."
    assert "printed cap" in table.coloured.advice.cure


def test_a_cap_takes_its_piece_out_of_it() -> None:
    table = ColouredTable(9, {"red": RED, "blue": BLUE}, seats=("red", "blue", "white"))
    table.look()
    assert table.known == {"red", "blue"}
    assert table.told == dict.fromkeys(("red", "blue", "white"), "space:0")
    assert table.coloured.advice is None
    table.world.carry("white", "space:4")
    table.world.carry("red", "space:5")
    table.look()
    assert table.told == table.world.places


def test_the_sheet_is_not_drawn_where_every_piece_has_its_cap() -> None:
    table = ColouredTable(10, {}, seats=("red", "blue", "green"))
    table.look()
    assert table.told == dict.fromkeys(("red", "blue", "green"), "space:0")
    table.world.carry("blue", "space:9")
    table.look()
    assert table.drawn == 0


def test_nothing_is_said_where_no_pieces_stand() -> None:
    table = ColouredTable(11, FOUR)
    for name in FOUR:
        table.world.put(name, (-200.0, 900.0))
    table.clock.sleep(table.world.rests - table.clock.now())
    table.look()
    assert table.known == set()
    assert table.coloured.advice is None
    assert table.told == {}


def test_a_second_thing_of_the_same_colour_makes_a_piece_unsure() -> None:
    table = ColouredTable(12, {"red": RED, "blue": BLUE, "green": GREEN, "yellow": YELLOW})
    table.look()
    assert table.known == FOUR.keys()
    table.swap("blue", GREEN)
    for name, place in (("red", "space:3"), ("yellow", "space:9"), ("green", "space:20")):
        table.world.carry(name, place)
    table.look()
    assert table.told == {"red": "space:3", "yellow": "space:9"}


def test_pieces_that_stand_against_each_other_are_never_told_wrongly() -> None:
    for seed in range(13, 17):
        table = ColouredTable(seed, FOUR)
        table.look()
        for _ in range(3):
            table.world.put("red", (200.0 + 31 * seed, 150.0 + 7 * seed))
            x, y = table.world.spots["red"]
            for name, off in (("blue", (13.0, 13.0)), ("green", (-13.0, 13.0)), ("yellow", (1.0, -18.5))):
                table.world.put(name, (x + off[0], y + off[1]))
            table.look()
            assert set(table.told.items()) <= set(table.world.places.items())
