"""What a camera over a HellRail table saw, and what the companion makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.findings import PATIENCE
from companion.games.hellrail.actions import EndTurn, Fan, LayRail, Move, Pickup, PlaceCircle, UpgradeRail
from companion.games.hellrail.state import rail_cards
from companion.games.hellrail.track import Position, beside, face
from companion.games.layout import Piece, Reading, Sight
from companion.messages import Start
from companion.table import Pause
from companion.unread import LONG, Unread
from tests.table.desk import Desk

CURVE = "NE3"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "state", table="camera", game="hellrail")
    yield desk
    desk.close()


@pytest.fixture
def seen(desk: Desk) -> Desk:
    """Red, blue and green play; it is red's turn, and the camera sees the Circles and the engines."""
    desk.start("red", "blue", "green")
    desk.lie(*layout(desk))
    return desk


def layout(desk: Desk) -> list[Piece]:
    return list(desk.game.layout(desk.state).pieces)


def simple(desk: Desk, segments: tuple[str, ...], but: tuple[str, ...] = (), value: int = 0) -> str:
    """A card with just this rail and at least this Car Value."""
    names = (
        card.name
        for card in desk.state.edition.rails
        if card.track.segments == segments and card.name not in but and card.value >= value
    )
    return str(next(names))


def gate(desk: Desk) -> tuple[int, int]:
    column, row = next(circle.cell for circle in desk.state.circles if circle.name == "G")
    return (column, row)


def placed(card: str, cell: tuple[int, int], turn: int) -> Piece:
    return Piece("rail", card, f"cell:{cell[0]},{cell[1]}", turn)


def without(pieces: list[Piece], *names: str) -> list[Piece]:
    return [piece for piece in pieces if piece.name not in names]


def wait(desk: Desk) -> None:
    """Time passes, and the table looks again at what still lies there."""
    desk.clock.now += PATIENCE + 0.1
    desk.put(Pause())


def lay_from_gate(desk: Desk) -> tuple[str, Move]:
    """Lay a curve beside the Gate; the Move of another card onto its second tie."""
    card = simple(desk, (CURVE,))
    cell = beside(gate(desk), "E")
    turn = next(turn for turn in (0, 90, 180, 270) if face(track(desk, card), turn).entries["W"])
    desk.lie(*layout(desk), placed(card, cell, turn))
    assert desk.table.moves()[-1] == LayRail("red", card, cell, turn)
    by = simple(desk, (CURVE,), but=(card,), value=5)
    spot = face(track(desk, card), turn).entries["W"][0]
    two = face(track(desk, card), turn).ahead[spot][0]
    assert not isinstance(two, str)
    return card, Move("red", by, Position(cell, *two))


def track(desk: Desk, card: str) -> Any:
    return rail_cards(desk.state.edition)[card].track


def test_a_card_that_was_laid_is_new_rail(seen: Desk) -> None:
    card, cell = simple(seen, ("NS4",)), beside(gate(seen), "N")
    seen.lie(*layout(seen), placed(card, cell, 90))
    assert seen.table.moves()[-1] == LayRail("red", card, cell, 90)
    assert seen.view("red").todo == ()


def test_a_card_over_another_is_an_upgrade(seen: Desk) -> None:
    card, cell = simple(seen, (CURVE,)), beside(gate(seen), "N")
    before = layout(seen)
    seen.lie(*before, placed(card, cell, 0))
    over = simple(seen, ("NE3", "NS4"))
    seen.lie(*before, placed(over, cell, 0))
    assert seen.table.moves()[-1] == UpgradeRail("red", over, cell, 0)
    assert seen.state.rails[0].covered == ((card, 0),)


def test_a_wrong_lay_is_explained_by_its_rule(seen: Desk) -> None:
    card = simple(seen, (CURVE,))
    moves = len(seen.table.moves())
    seen.lie(*layout(seen), placed(card, (0, 7), 0))
    wait(seen)
    assert len(seen.table.moves()) == moves
    (notice,) = seen.view("red").notices
    assert "not adjacent" in notice.words
    assert "Card Actions - Lay New Rail" in notice.words
    seen.lie(*layout(seen))
    assert seen.view("red").notices == ()


def test_an_upgrade_that_lacks_rail_is_explained(seen: Desk) -> None:
    card, cell = simple(seen, ("NS4",)), beside(gate(seen), "N")
    before = layout(seen)
    seen.lie(*before, placed(card, cell, 0))
    seen.lie(*before, placed(simple(seen, (CURVE,)), cell, 0))
    wait(seen)
    (notice,) = seen.view("red").notices
    assert "lacks the old card's rail N-S" in notice.words


def test_a_move_with_its_card_is_played(seen: Desk) -> None:
    _, move = lay_from_gate(seen)
    after = layout_after(seen, move)
    seen.lie(*after)
    assert seen.table.moves()[-1] == move


def layout_after(desk: Desk, move: Move) -> list[Piece]:
    return list(desk.game.layout(desk.game.play(desk.state, move)).pieces)


def test_the_engine_first_and_the_card_after_it(seen: Desk) -> None:
    _, move = lay_from_gate(seen)
    after = layout_after(seen, move)
    seen.lie(*without(after, move.card))
    assert seen.view("red").question is None
    seen.lie(*after)
    assert seen.table.moves()[-1] == move


def test_the_card_first_and_the_engine_after_it(seen: Desk) -> None:
    _, move = lay_from_gate(seen)
    moves = len(seen.table.moves())
    seen.lie(*layout(seen), Piece("rail", move.card, "discard"))
    assert len(seen.table.moves()) == moves
    seen.lie(*layout_after(seen, move))
    assert seen.table.moves()[-1] == move


def test_a_card_that_stays_alone_on_the_pile_is_asked_about_in_plain_words(seen: Desk) -> None:
    """The flames are fanned, or nothing is moved with it: both are legal, and nothing else shows."""
    _, move = lay_from_gate(seen)
    brimstone = rail_cards(seen.state.edition)[move.card].brimstone
    seen.lie(*layout(seen), Piece("rail", move.card, "discard"))
    assert seen.view("red").question is None
    wait(seen)
    question = seen.view("red").question
    assert question is not None
    assert question.words == f"Rail {move.card} lies on the Discard Pile. What was done?"
    fan, stay, nothing = (choice.words for choice in question.choices)
    assert fan.startswith(
        f"Red fans the flames with {move.card}: {brimstone} card{'s' * (brimstone > 1)} to draw"
    )
    assert "the turn ends" in fan
    assert stay.endswith("and moves no tie; the turn goes on.")
    assert nothing == "Nothing, it will be put back"


def test_a_lay_does_not_settle_what_a_card_on_the_pile_meant(seen: Desk) -> None:
    """Whose lay it is hangs on that: the flames that red has fanned end red's turn."""
    _, move = lay_from_gate(seen)
    moves = len(seen.table.moves())
    discard = Piece("rail", move.card, "discard")
    seen.lie(*layout(seen), discard)
    wait(seen)
    question = seen.view("red").question
    assert question is not None
    card, cell = simple(seen, ("NS4",)), beside(gate(seen), "N")
    seen.lie(*layout(seen), discard, placed(card, cell, 90))
    wait(seen)
    assert len(seen.table.moves()) == moves
    assert seen.view("red").question == question
    assert seen.decide("red", "0").status == "done"
    assert seen.table.moves()[moves:] == (Fan("red", move.card), LayRail("blue", card, cell, 90))
    assert seen.view("red").question is None


@pytest.mark.parametrize("asked", [True, False])
def test_what_a_card_meant_is_asked_still_when_the_next_one_covers_it(seen: Desk, asked: bool) -> None:
    """Blue goes on before anybody has said that red fanned the flames."""
    _, move = lay_from_gate(seen)
    assert isinstance(move.to, Position)
    moves = len(seen.table.moves())
    seen.lie(*layout(seen), Piece("rail", move.card, "discard"))
    if asked:
        wait(seen)
    other = next(
        card.name
        for card in seen.state.edition.rails
        if card.value >= 5 and card.name not in {piece.name for piece in layout(seen)} | {move.card}
    )
    stands = next(piece for piece in layout_after(seen, move) if piece.name == "red")
    after = [*without(layout(seen), "blue"), replace(stands, name="blue"), Piece("rail", other, "discard")]
    seen.lie(*after)
    assert len(seen.table.moves()) == moves
    question = seen.view("red").question
    assert question is not None
    assert question.words == f"Rail {move.card} lies on the Discard Pile. What was done?"
    assert seen.decide("red", "0").status == "done"
    assert seen.table.moves()[moves:] == (Fan("red", move.card), Move("blue", other, move.to))
    assert seen.view("red").question is None


def test_a_card_that_was_covered_and_meant_nothing_is_not_asked_about_again(seen: Desk) -> None:
    _, move = lay_from_gate(seen)
    assert isinstance(move.to, Position)
    moves = len(seen.table.moves())
    seen.lie(*layout(seen), Piece("rail", simple(seen, ("NS4",)), "discard"))
    wait(seen)
    seen.lie(*layout_after(seen, move))
    question = seen.view("red").question
    assert question is not None
    nothing = next(choice.key for choice in question.choices if choice.words.startswith("Nothing"))
    assert seen.decide("red", nothing).status == "done"
    assert seen.table.moves()[moves:] == (move,)
    assert seen.view("red").question is None


def test_of_a_lay_and_a_card_on_the_pile_in_one_look_the_lay_alone_is_plain(seen: Desk) -> None:
    """The engine may follow the card yet."""
    _, move = lay_from_gate(seen)
    moves = len(seen.table.moves())
    card, cell = simple(seen, ("NS4",)), beside(gate(seen), "N")
    seen.lie(*layout(seen), Piece("rail", move.card, "discard"), placed(card, cell, 90))
    assert seen.table.moves()[moves:] == (LayRail("red", card, cell, 90),)
    assert seen.view("red").question is None
    seen.lie(*layout_after(seen, move))
    assert seen.table.moves()[moves + 1 :] == (move,)


def test_a_lay_and_a_card_that_stays_on_the_pile_in_one_look_are_a_lay_and_a_question(seen: Desk) -> None:
    _, move = lay_from_gate(seen)
    moves = len(seen.table.moves())
    card, cell = simple(seen, ("NS4",)), beside(gate(seen), "N")
    seen.lie(*layout(seen), Piece("rail", move.card, "discard"), placed(card, cell, 90))
    wait(seen)
    assert seen.table.moves()[moves:] == (LayRail("red", card, cell, 90),)
    question = seen.view("red").question
    assert question is not None
    assert question.words == f"Rail {move.card} lies on the Discard Pile. What was done?"
    seen.decide("red", "2")
    assert seen.view("red").question is None
    wait(seen)
    assert seen.view("red").question is None


def test_a_train_too_long_for_the_card_leaves_the_flames_alone(seen: Desk) -> None:
    """No engine goes anywhere with that card, so it is no Move: nobody is asked."""
    cards = seen.state.edition.rails
    cars = [card.name for card in cards if card.pickup == "G"][:2]
    weak = next(card for card in cards if card.brimstone < len(cars) and card.name not in cars)
    for car in cars:
        seen.done("red", Pickup("red", car))
    seen.lie(*layout(seen), Piece("rail", weak.name, "discard"))
    assert seen.table.moves()[-1] == Fan("red", weak.name)
    assert seen.view("red").question is None


def test_an_engine_that_may_stand_elsewhere_makes_its_moves_the_first_answers(seen: Desk) -> None:
    """It lies half way to the next tie: neither the Move nor the Fan is sure, and none is left out."""
    _, move = lay_from_gate(seen)
    moves = len(seen.table.moves())
    sights = tuple(
        Sight(piece, (0.0, 0.0), 0.6 if piece.name == "red" else 0.99) for piece in layout_after(seen, move)
    )
    seen.clock.now += 1
    seen.put(Reading(seen.clock.now, sights, dice=seen.reading.dice))
    assert seen.view("red").question is None
    wait(seen)
    assert len(seen.table.moves()) == moves
    question = seen.view("red").question
    assert question is not None
    assert question.choices[0].words == " ".join(seen.game.story(seen.state, move))
    assert any("fans the flames" in choice.words for choice in question.choices)
    assert seen.decide("red", "0").status == "done"
    assert seen.table.moves()[-1] == move


def test_an_engine_that_moved_without_a_card_is_asked_about_after_a_while(seen: Desk) -> None:
    _, move = lay_from_gate(seen)
    moves = len(seen.table.moves())
    seen.lie(*without(layout_after(seen, move), move.card))
    assert seen.view("red").question is None
    wait(seen)
    assert len(seen.table.moves()) == moves
    assert seen.view("red").question is not None


def test_a_move_that_was_taken_back_is_asked_about_and_taken_back(seen: Desk) -> None:
    _, move = lay_from_gate(seen)
    before = layout(seen)
    seen.lie(*layout_after(seen, move))
    seen.lie(*before)
    wait(seen)
    question = seen.view("red").question
    assert question is not None
    assert "taken back" in question.words
    assert seen.decide("red", "back").status == "done"
    assert seen.table.moves()[-1] != move
    assert seen.view("red").question is None
    assert seen.view("red").todo == ()


def test_turning_back_on_rail_is_explained(seen: Desk) -> None:
    _, move = lay_from_gate(seen)
    seen.lie(*layout_after(seen, move))
    stands = seen.state.engines[0]
    back = 1 if stands.facing == stands.segment[1] else 3
    red = next(piece for piece in layout(seen) if piece.name == "red")
    behind = f"{red.place[:-1]}{back}"
    turns = next(place.turns for place in seen.game.table_map(seen.state).places if place.name == behind)
    facing = min(turns, key=lambda turn: abs((turn - red.turn + 180) % 360 - 180))
    for seat in ("red", "blue", "green"):
        seen.done(seat, EndTurn(seat))
    seen.lie(*without(layout(seen), "red"), replace(red, place=behind, turn=facing))
    wait(seen)
    (notice,) = seen.view("red").notices
    assert "never reverses" in notice.words


def test_the_next_player_who_moves_ends_the_turn_but_is_asked(seen: Desk) -> None:
    _, move = lay_from_gate(seen)
    assert isinstance(move.to, Position)
    there = next(piece for piece in layout_after(seen, move) if piece.name == "red")
    pieces = without(layout(seen), "blue")
    seen.lie(*pieces, replace(there, name="blue"))
    wait(seen)
    question = seen.view("red").question
    assert question is not None
    assert "Red's turn ends." in question.choices[0].words


def test_a_lay_by_the_next_player_is_said_to_be_that_with_one_tap(seen: Desk) -> None:
    """Blue goes on without a word from red: the camera does not see whose hand it was."""
    card, cell = simple(seen, ("NS4",)), beside(gate(seen), "N")
    hands = [len(hand) for hand in seen.state.hands]
    seen.lie(*layout(seen), placed(card, cell, 90))
    laid = len(seen.table.moves()) - 1
    assert seen.table.moves()[laid] == LayRail("red", card, cell, 90)
    instead = seen.view("red").moves[0].instead
    assert instead is not None
    assert (instead.words, instead.action) == ("That was Blue", LayRail("blue", card, cell, 90))
    assert seen.correct("red", laid, instead.action).status == "done"
    assert seen.table.moves()[laid:] == (EndTurn("red"), LayRail("blue", card, cell, 90))
    assert [len(hand) for hand in seen.state.hands] == [hands[0], hands[1], hands[2]]
    assert f"Ann corrected: put 'Blue lays {card} on {squares(cell)}' in the place of" in " ".join(seen.log())
    assert seen.view("red").todo == ()
    assert seen.view("red").question is None
    assert seen.view("red").moves[0].instead is None
    seen.see()
    assert len(seen.table.moves()) == laid + 2


def test_the_next_player_who_claims_a_lay_waits_for_the_one_in_turn(seen: Desk) -> None:
    card, cell = simple(seen, ("NS4",)), beside(gate(seen), "N")
    seen.lie(*layout(seen), placed(card, cell, 90))
    laid = len(seen.table.moves()) - 1
    assert seen.correct("blue", laid, LayRail("blue", card, cell, 90)).status == "done"
    assert seen.table.moves()[laid] == LayRail("red", card, cell, 90)
    assert seen.agree("red").status == "done"
    assert seen.table.moves()[laid:] == (EndTurn("red"), LayRail("blue", card, cell, 90))


def test_a_lay_is_nobody_elses_and_no_other_lay(seen: Desk) -> None:
    card, cell = simple(seen, ("NS4",)), beside(gate(seen), "N")
    seen.lie(*layout(seen), placed(card, cell, 90))
    laid = len(seen.table.moves()) - 1
    for other in (LayRail("green", card, cell, 90), LayRail("blue", card, cell, 0), EndTurn("red")):
        assert seen.correct("red", laid, other).status == "refused"
    assert seen.table.moves()[laid] == LayRail("red", card, cell, 90)


def test_what_is_said_or_names_its_player_leaves_nothing_open(seen: Desk) -> None:
    _, move = lay_from_gate(seen)
    seen.lie(*layout_after(seen, move))
    assert seen.table.moves()[-1] == move
    assert seen.view("red").moves[0].instead is None
    card, cell = simple(seen, ("NS4",)), beside(gate(seen), "N")
    seen.done("red", LayRail("red", card, cell, 90))
    assert seen.view("red").moves[0].instead is None


def test_a_lay_that_the_player_in_turn_has_no_card_for_is_the_next_ones(seen: Desk) -> None:
    cells = [beside(gate(seen), side) for side in "NESW"]
    held = len(seen.state.hands[0])
    names = [card.name for card in seen.state.edition.rails[: held + 1]]
    for card, cell in zip(names[:held], cells, strict=False):
        seen.done("red", LayRail("red", card, cell, 0))
    seen.lie(*layout(seen))
    last = beside(cells[0], "N")
    seen.lie(*layout(seen), placed(names[held], last, 0))
    assert seen.table.moves()[-2:] == (EndTurn("red"), LayRail("blue", names[held], last, 0))


def test_the_engine_of_one_who_is_not_next_is_not_moved(seen: Desk) -> None:
    _, move = lay_from_gate(seen)
    there = next(piece for piece in layout_after(seen, move) if piece.name == "red")
    pieces = without(layout(seen), "green")
    seen.lie(*pieces, replace(there, name="green"))
    wait(seen)
    (notice,) = seen.view("red").notices
    assert "It is Red's turn" in notice.words


def test_a_card_under_a_hand_is_waited_for(seen: Desk) -> None:
    card, cell = simple(seen, ("NS4",)), beside(gate(seen), "N")
    moves = len(seen.table.moves())
    seen.lie(*layout(seen), placed(card, cell, 90), holes=(f"cell:{cell[0]},{cell[1]}",))
    wait(seen)
    assert len(seen.table.moves()) == moves
    assert seen.view("red").notices == ()


def test_a_lay_said_by_phone_with_another_turn_is_a_line_to_put_right(seen: Desk) -> None:
    card, cell = simple(seen, (CURVE,)), beside(gate(seen), "N")
    seen.done("red", LayRail("red", card, cell, 0))
    seen.lie(*without(layout(seen), card), placed(card, cell, 90))
    assert seen.view("red").todo == (f"Turn Rail {card} on {squares(cell)} to 0°.",)


@pytest.mark.parametrize(("said", "lies"), [(0, 180), (180, 0), (90, 270), (270, 90), (180, 180)])
def test_a_straight_that_lies_upside_down_lies_as_was_said(seen: Desk, said: int, lies: int) -> None:
    """A card that its rail repeats on is the same for the rules, whatever else is printed on it."""
    card, cell = simple(seen, ("NS4",)), beside(gate(seen), "N")
    seen.done("red", LayRail("red", card, cell, said))
    seen.lie(*without(layout(seen), card), placed(card, cell, lies))
    assert seen.view("red").todo == ()
    seen.lie(*without(layout(seen), card), placed(card, cell, (lies + 90) % 360))
    assert seen.view("red").todo == (f"Turn Rail {card} on {squares(cell)} to {said % 180}°.",)


@pytest.mark.parametrize("lies", [0, 90, 180, 270])
def test_a_straight_is_laid_either_way_without_a_question(seen: Desk, lies: int) -> None:
    card, cell = simple(seen, ("NS4",)), beside(gate(seen), "N")
    seen.lie(*layout(seen), placed(card, cell, lies))
    assert seen.table.moves()[-1] == LayRail("red", card, cell, lies % 180)
    assert seen.view("red").question is None
    assert seen.view("red").todo == ()


def squares(cell: tuple[int, int]) -> str:
    return f"{'ABCDEFGHIJK'[cell[0]]}{cell[1] + 1}"


def test_ones_own_layout_is_read_from_the_table(desk: Desk) -> None:
    desk.sit("red", "blue")
    assert desk.ask("red", Start(("red", "blue"), {"circles": "own"})).status == "done"
    cells = [(1, 1), (3, 1), (5, 1), (7, 1), (9, 1), (1, 5), (3, 5), (5, 5), (7, 5), (9, 5)]
    names = ["G", *map(str, range(1, 10))]
    desk.lie(*(Piece("circle", name, f"cell:{c},{r}") for name, (c, r) in zip(names, cells, strict=True)))
    placed = [action for action in desk.table.moves() if isinstance(action, PlaceCircle)]
    assert {(action.circle, action.cell) for action in placed} == set(zip(names, cells, strict=True))
    assert desk.state.phase == "setup"


def test_people_are_told_of_a_card_that_stays_unread(seen: Desk) -> None:
    cell = beside(gate(seen), "N")
    place = f"cell:{cell[0]},{cell[1]}"
    seen.lie(*layout(seen))
    seen.lie(*layout(seen), holes=(place,))
    wait(seen)
    assert seen.view("red").todo == ()  # an arm may be in the way
    seen.clock.now += LONG
    seen.put(Pause())
    assert seen.view("red").todo == (
        f"The camera cannot read what lies on {squares(cell)}: say on a phone what it is, or take it away.",
    )
    seen.lie(*layout(seen))
    assert seen.view("red").todo == ()


def test_people_are_not_told_of_what_is_out_of_sight_or_known_or_covered_by_much(seen: Desk) -> None:
    card, cell = simple(seen, (CURVE,)), beside(gate(seen), "N")
    north, west, south, east = (f"cell:{c},{r}" for c, r in (beside(gate(seen), side) for side in "NWSE"))
    seen.lie(*layout(seen), placed(card, cell, 0))
    unread = Unread(seen.table.game)

    def told(*holes: str, after: float) -> tuple[int, bool]:
        lines = unread.consider(seen.state, Reading(0.0, holes=holes), after)
        return len(lines), unread.waiting

    assert told(west, after=0.0) == (0, False)
    assert told(west, after=LONG) == (0, False)  # it was never in sight
    assert told(after=10.0) == (0, False)
    assert told(west, after=20.0) == (0, True)
    assert told(west, after=20.0 + LONG) == (1, False)
    assert told(north, after=40.0) == (0, False)
    assert told(north, after=40.0 + LONG) == (0, False)  # what lies there is known
    assert told(west, south, east, "discard", after=60.0) == (0, True)
    assert told(west, south, east, "discard", after=60.0 + LONG) == (0, False)  # no card is so large
