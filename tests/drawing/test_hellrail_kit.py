"""What lies around HellRail's cards: engines that fold up, counters, cards that are not entered yet."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion import games, packs
from companion.emulated.raster import raster
from companion.games.drawing import Circle, Drawing, Placed, Text, flattened
from companion.games.drawing import Path as Outline
from companion.games.hellrail.drawings.cards import ENGINE, engine_cap, rail_card
from companion.games.hellrail.drawings.pieces import engine_faces
from companion.games.hellrail.state import SEATS, RailCard
from companion.games.hellrail.table import bare_map
from companion.games.hellrail.track import Track
from companion.games.kit import folded
from tests.drawing.house import box_of, found_markers, hellrail_edition, inside

EDITION = hellrail_edition()


@pytest.mark.parametrize("name", games.NAMES)
def test_nothing_of_what_is_printed_reaches_over_its_edge(name: str) -> None:
    """Neighbours on a page would show it."""
    game = games.load(name)
    for batch in game.kit(packs.load(game, "house")):
        for drawing in (*(item.drawing for item in batch.items), *((batch.back,) if batch.back else ())):
            assert_inside(drawing)


def assert_inside(drawing: Drawing) -> None:
    for shape in drawing.shapes:
        if isinstance(shape, Text):
            assert inside(box_of(shape), (0.3, 0.3, drawing.width - 0.3, drawing.height - 0.3)), shape
        elif isinstance(shape, Placed):
            assert_inside(shape.drawing)
        elif isinstance(shape, Outline | Circle):
            reach = shape.width / 2 if shape.stroke and isinstance(shape, Circle) else 0.0
            if isinstance(shape, Circle):
                reach += shape.radius
            for x, y in flattened(shape) if isinstance(shape, Outline) else (shape.at,):
                assert -0.001 <= x - reach <= x + reach <= drawing.width + 0.001, shape
                assert -0.001 <= y - reach <= y + reach <= drawing.height + 0.001, shape


@pytest.mark.parametrize("seat", SEATS)
def test_an_engine_folds_up_as_high_as_the_camera_takes_it_to_be(seat: str) -> None:
    (token,) = (token for token in bare_map(EDITION).tokens if token.name == seat)
    net = folded(engine_cap(EDITION, seat), engine_faces(seat, token.height))
    assert (net.width, net.height) == (ENGINE[0] + 2 * token.height, ENGINE[1] + 2 * token.height)
    found = found_markers(net, 4.0, around=4)
    assert set(found) == {token.id}
    assert found[token.id].mean(axis=0) == pytest.approx((net.width / 2, net.height / 2), abs=0.3)
    sides = [shape.drawing for shape in net.shapes if isinstance(shape, Placed)][1:]
    assert all(side.height == token.height for side in sides)
    # Seen from either side the engine heads the way that the marker does: one is the other's mirror image.
    right, left = (raster(sides[index], 10).astype(float) for index in (2, 3))
    assert abs(right[:, ::-1] - left).mean() < 5
    assert abs(right - left).mean() > 20
    assert right[15, 112].max() < 60  # the chimney, in front
    assert left[15, 112].max() > 60


def test_engines_on_neighbouring_ties_do_not_touch() -> None:
    """Along the rail an engine is no longer than from tie to tie of a straight with four."""
    assert ENGINE[1] <= 60 / 4


@pytest.mark.parametrize(
    "card",
    [
        RailCard("new", 0, "", "", 0, Track(())),
        RailCard("new", 0, "3", "", 2, Track(("NE3",))),
        RailCard("busy", 9, "9", "6", 5, Track(("NE3", "NS4", "NW3", "ES3", "EW4", "SW3"), (1, 1, 1, 1))),
        RailCard("a rather long name", 5, "G", "1", 3, Track(("NS9",))),
    ],
    ids=lambda card: f"{card.name}-{len(card.track.segments)}",
)
def test_cards_of_owners_are_drawn_whatever_is_entered(card: RailCard) -> None:
    edition = replace(EDITION, rails=(*EDITION.rails[1:], card))
    drawing = rail_card(edition, card.name)
    said = [shape.words for shape in drawing.shapes if isinstance(shape, Text)]
    wanted = [str(card.value or "?"), str(card.brimstone or "?"), card.pickup or "?", card.setout or "?"]
    assert sorted(said) == sorted([*wanted, card.name])
    assert raster(drawing, 4).shape == (240, 240, 3)
    assert len(found_markers(drawing, 4, around=6)) == 2


def test_the_game_draws_each_kind_of_piece_and_refuses_others() -> None:
    from types import SimpleNamespace

    state = SimpleNamespace(edition=EDITION)
    game = games.load("hellrail")
    assert game.drawing(state, "rail", EDITION.rails[3].name) == rail_card(EDITION, EDITION.rails[3].name)
    assert game.drawing(state, "engine", "blue") == engine_cap(EDITION, "blue")
    assert game.drawing(state, "circle", "G").width == 60
    assert found_markers(game.drawing(state, "back", ""), 4) == {}
    for kind, name in (("rail", "nothing"), ("circle", "17"), ("engine", "pink"), ("pawn", "red")):
        with pytest.raises(KeyError):
            game.drawing(state, kind, name)
