"""A table that changes while it is watched: lays, upgrades, arms, maps that follow the moves."""

from __future__ import annotations

import msgspec
import pytest

from companion.games.hellrail.state import Rail
from companion.games.hellrail.table import layout
from companion.games.hellrail.track import Position
from companion.games.layout import Piece
from tests.emulated.rig import Rig, places
from tests.vision.hellrail_table import SURE, Lie, Table, full_state, middle, sights, state, sure, truth
from tests.vision.laid_table import View
from vision.coverage import _STAYS

FIRST = Rail((2, 6), "R1", 0)
SECOND = Rail((3, 6), "R9", 0)
NEW = Rail((2, 6), "R3", 0)
VIEW = View((1280, 720), 6.0)


def test_cards_that_are_laid_make_no_holes() -> None:
    table = Table(full_state(11, rails=12), VIEW, Lie(11))
    assert table.read().holes == ()
    taken = {rail.cell for rail in table.state.rails} | {circle.cell for circle in table.state.circles}
    lying = {piece.name for piece in layout(table.state).pieces}
    cells = [(column, row) for column in range(4, 8) for row in (1, 4) if (column, row) not in taken][:4]
    names = [f"R{number}" for number in range(1, 45) if f"R{number}" not in lying][:4]
    rails = table.state.rails
    for cell, name in zip(cells, names, strict=True):
        rail = Rail(cell, name, 90)
        table.lay(rail)
        reading = table.read()
        assert reading.holes == ()
        rails = (*rails, rail)
        after = msgspec.structs.replace(table.state, rails=tuple(sorted(rails)))
        assert sure(reading) == truth(after)
        table.become(after)
        assert table.rest() == []


def test_an_upgraded_card_is_not_seen_any_more_and_leaves_no_hole() -> None:
    table = Table(state((FIRST,)), VIEW, Lie(1))
    assert sure(table.read())["rail", "R1"] == ("cell:2,6", 0)
    table.lay(NEW, (1.5, -1.0), 2.0)
    reading = table.read()
    assert sure(reading)["rail", "R3"] == ("cell:2,6", 0)
    assert "R1" not in sights(reading)
    assert reading.holes == ()
    upgraded = msgspec.structs.replace(NEW, covered=(("R1", 0),))
    table.become(state((upgraded,)))
    assert table.rest() == []
    # The upper card is taken off again: what it covered is seen as before.
    table.take("R3")
    reading = table.read()
    assert sure(reading)["rail", "R1"] == ("cell:2,6", 0)
    assert "R3" not in sights(reading)


def test_a_card_that_is_taken_away_is_gone_where_the_sheet_is_known() -> None:
    table = Table(state(), VIEW, Lie(2))
    table.read()
    table.lay(FIRST)
    table.read()
    table.become(state((FIRST,)))
    table.read()
    table.take("R1")
    reading = table.read()
    assert "R1" not in sights(reading)
    assert reading.holes == ()


def test_a_card_that_is_missing_where_the_sheet_was_never_seen_leaves_a_hole() -> None:
    table = Table(state((FIRST,)), VIEW, Lie(2))
    table.read()
    table.take("R1")
    reading = table.read()
    assert "R1" not in sights(reading)
    assert "cell:2,6" in reading.holes
    # Once the rules have it nowhere either, nobody waits for it any more.
    table.become(state())
    table.wait(_STAYS)
    table.lay(SECOND)
    assert table.read().holes == ()


def test_a_card_with_both_markers_hidden_may_lie_there_still() -> None:
    of = state((FIRST,), (Position((2, 6), "NS", 2, "N"), Position((2, 6), "NS", 4, "N")))
    table = Table(of, VIEW, Lie(3, slack=0, askew=0))
    table.read()
    x, y = middle(of, "cell:2,6")
    table.put("engine", "red", (x - 18, y - 18))
    table.put("engine", "blue", (x + 18, y + 18))
    reading = table.read()
    assert "R1" not in sights(reading)
    assert "cell:2,6" in reading.holes
    for _ in range(2):
        table.wait(60.0)
        table.put("engine", "green", middle(of, "circle:2"))
        assert "cell:2,6" in table.read().holes
        table.put("engine", "green", middle(of, "circle:3"))
        assert "cell:2,6" in table.read().holes
    table.put("engine", "red", middle(of, "tie:2,6:NS:2"))
    reading = table.read()
    assert sure(reading)["rail", "R1"] == ("cell:2,6", 0)
    assert "cell:2,6" not in reading.holes


def test_an_arm_hides_places_and_what_is_under_it_is_not_gone() -> None:
    of = full_state(12, rails=30)
    table = Table(of, View((1920, 1080), 6.0), Lie(12))
    before = table.read()
    assert before.holes == ()
    hand = middle(of, "cell:4,4")
    during = table.read([((hand[0] - 20, 640.0), hand)])
    assert "cell:4,4" in during.holes
    assert "cell:4,6" in during.holes
    assert "circle:9" in during.holes
    under = {place for place in during.holes if place.startswith("tie:")}
    assert {place.split(":")[1] for place in under} <= {f"{c},{r}" for c in (3, 4, 5) for r in range(3, 8)}
    assert not set(during.holes) & {"cell:0,0", "cell:9,2", "discard", "draw"}
    gone = [key for key, (place, _) in sure(before).items() if key not in sure(during)]
    assert gone
    assert all(sure(before)[key][0] in during.holes for key in gone)
    for key, spot in sure(during).items():
        assert spot == sure(before)[key]
    after = table.read()
    assert after.holes == ()
    assert sure(after) == sure(before)


def test_a_card_that_a_hand_still_holds_is_a_hole_until_it_lets_go() -> None:
    table = Table(state(), VIEW, Lie(4))
    table.read()
    x, y = middle(table.state, "cell:2,6")
    table.lay(FIRST)
    held = table.read([((x + 60.0, 640.0), (x + 34.0, y + 10.0))])
    assert "cell:2,6" in held.holes
    free = table.read()
    assert free.holes == ()
    assert sure(free)["rail", "R1"] == ("cell:2,6", 0)
    # What the hand hid is not remembered as the card: an arm over it later is seen as one.
    later = table.read([((x, 640.0), (x, y))])
    assert "cell:2,6" in later.holes
    assert table.read().holes == ()


def test_the_places_of_a_new_map_are_read_without_forgetting_the_table() -> None:
    of = state((FIRST,), (Position((2, 6), "NS", 2, "N"),))
    table = Table(of, VIEW, Lie(5))
    table.read()
    table.lay(SECOND)
    table.read()
    after = state((FIRST, SECOND), (Position((2, 6), "NS", 2, "N"),))
    table.become(after)
    assert table.rest() == []  # nothing has changed but the rules
    x, y = middle(after, "tie:3,6:NS:4")
    arms = [((x, 640.0), (x, y))]
    assert {"tie:3,6:NS:3", "tie:3,6:NS:4"} <= set(table.read(arms).holes)
    table.put("engine", "red", (x, y), 0.0)
    reading = table.read()
    assert reading.holes == ()
    assert reading.throw == 0
    engine = sights(reading)["red"].piece
    assert engine.place == "tie:3,6:NS:4" or sights(reading)["red"].confidence < SURE


def test_the_top_of_the_discard_pile_is_read() -> None:
    table = Table(state(top="R45"), VIEW, Lie(6))
    assert sure(table.read())["rail", "R45"] == ("discard", 0)
    x, y = middle(table.state, "discard")
    for name, off, turn in (("R2", (4.0, -3.0), 12.0), ("R8", (-12.0, 9.0), 75.0), ("R5", (0.0, 2.0), 181.0)):
        table.put("rail", name, (x + off[0], y + off[1]), turn)
        reading = table.read()
        (top,) = [sight.piece for sight in reading.pieces if sight.piece.place == "discard"]
        assert sure(reading)["rail", name] == ("discard", 0)
        assert top == Piece("rail", name, "discard")
        assert reading.holes == ()


def test_of_cards_that_lie_on_each_other_only_the_uppermost_is_sure() -> None:
    table = Table(state(), VIEW, Lie(7))
    table.read()
    x, y = middle(table.state, "discard")
    table.put("rail", "R2", (x - 14.0, y), 0.0)
    table.put("rail", "R8", (x + 9.0, y), 0.0)  # leaves the other's left marker free
    read = sights(table.read())
    assert read["R8"].piece.place == "discard"
    assert read["R8"].confidence >= SURE
    assert "R2" not in read or read["R2"].confidence < SURE


def test_an_engine_that_is_lifted_leaves_a_hole() -> None:
    of = state((FIRST,), (Position((2, 6), "NS", 2, "N"),))
    table = Table(of, VIEW, Lie(8))
    table.read()
    table.take("red")
    reading = table.read()
    assert "red" not in sights(reading)
    assert "tie:2,6:NS:2" in reading.holes


def test_another_sheet_is_read_afresh_and_no_sheet_at_all_too() -> None:
    rig = Rig(3)
    table = Table(state(), VIEW, Lie(9))
    table.read()
    table.reader.lay_out(rig.map, ())
    assert table.rest() != []
    readings = [reading for _ in range(9) if (reading := table.reader.see(rig.frame())) is not None]
    assert readings == [] or "R1" not in sights(readings[-1])
    table.reader.lay_out(None)
    assert all(reading.pieces == () and reading.holes == () for reading in table.rest())


@pytest.mark.parametrize("seed", [3, 4])
def test_a_map_that_changes_is_no_throw(seed: int) -> None:
    rig = Rig(seed, dice=(4, 2))
    (before,) = rig.run(1.5)
    for number in range(3):
        moved = [msgspec.structs.replace(place, label=str(number)) for place in rig.map.places]
        rig.reader.lay_out(msgspec.structs.replace(rig.map, places=tuple(moved)))
        assert rig.run(1.5) == []
    rig.world.carry("red", "p:9")
    reading = rig.rest()[-1]
    assert reading.throw == before.throw
    assert places(reading) == rig.world.places
    rig.world.throw((4, 2))
    assert rig.rest()[-1].throw == before.throw + 1


def test_a_card_whose_place_was_hidden_when_it_was_read_is_looked_at_again_by_itself() -> None:
    table = Table(state((FIRST,)), VIEW, Lie(1))
    table.rest()
    x, y = middle(table.state, "cell:6,6")
    sleeve = ((x + 200.0, y + 40.0), (x + 63.0, y + 10.0))
    table.rest([sleeve])
    table.lay(Rail((6, 6), "R7", 90))
    reading = table.read([sleeve])
    assert sights(reading)["R7"].confidence >= SURE
    assert "cell:6,6" in reading.holes
    # Nothing moves any more; what lies there for so long counts as part of the table.
    for _ in range(25):
        table.wait(2.0)
        reading = table.read([sleeve])
    assert sure(reading)["rail", "R7"][0] == "cell:6,6"
    assert "cell:6,6" not in reading.holes
