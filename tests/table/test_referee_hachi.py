"""What a camera over the rows of Hachi Train saw, and what the referee makes of it."""

from __future__ import annotations

from typing import Any

from companion.alike import Alike
from companion.findings import PATIENCE, Finding
from companion.games.hachi_train import GAME
from companion.games.hachi_train.actions import Pass, Play
from companion.games.hachi_train.state import TRAINS, State
from companion.games.hachi_train.table import ASSET, BACK_SIDE, assets_place, deck_place, field_place
from companion.games.layout import Piece, Reading, Sight
from companion.referee import Referee
from tests.rules.hachi_positions import play, position


class Rows:
    """A table on which all lies as the rules have it, and a camera over it."""

    def __init__(self, state: State) -> None:
        self.states = [state]
        self.now = 0.0
        self.referee = Referee(GAME)
        layout = Alike(GAME.table_map(state).tokens).told_apart(GAME.layout(state).pieces)
        self.there = {(piece.kind, piece.name): piece for piece in layout if piece.kind != BACK_SIDE}
        self.look()

    @property
    def state(self) -> State:
        return self.states[-1]

    def lay(self, seat: str, *names: str) -> None:
        for name in names:
            self.there["car", name] = Piece("car", name, field_place(seat))

    def take_up(self, seat: str) -> None:
        self.there = {key: piece for key, piece in self.there.items() if piece.place != field_place(seat)}

    def draw(self, number: int) -> None:
        self.there["mark", str(number)] = Piece("mark", str(number), deck_place(number))

    def flip(self, seat: str) -> None:
        self.there = {key: piece for key, piece in self.there.items() if piece.place != assets_place(seat)}
        self.there["asset", "100 5"] = Piece("asset", "100 5", assets_place(seat))

    def look(self, later: float = 0.5) -> Finding:
        """The camera looks; what it understands is played."""
        self.now += later
        sights = tuple(Sight(piece, (0.0, 0.0), 1.0) for piece in sorted(self.there.values()))
        found = self.referee.consider(self.states, Reading(self.now, sights), self.now)
        for action in found.line:
            self.states.append(GAME.play(self.state, action))  # type: ignore[arg-type]
        return found

    def waited(self) -> Finding:
        """What is said of it once it has lain there for a while."""
        self.look()
        return self.look(PATIENCE + 0.1)


def answers(found: Finding) -> list[Any]:
    assert found.doubt is not None
    return [line for _, line in found.doubt.answers if line]


def test_cards_are_played_once_those_of_the_field_are_taken_up() -> None:
    rows = Rows(position(field=["5"], by="green"))
    rows.lay("red", "6 2")
    assert rows.look() == Finding(wait=True)
    rows.take_up("green")
    assert rows.waited().line == (play("red", "6"),)
    assert rows.look() == Finding()


def test_cards_that_are_laid_one_after_the_other_are_one_play() -> None:
    rows = Rows(position(players=5))
    rows.lay("red", "6 1")
    assert rows.look() == Finding(wait=True), "more of them may follow"
    rows.lay("red", "6 4")
    assert rows.look() == Finding(wait=True)
    assert rows.waited().line == (play("red", "6", "6"),)


def test_of_a_hand_of_one_card_nothing_more_follows() -> None:
    rows = Rows(position(hands={"red": ["7"]}, field=["5"], by="green"))
    rows.lay("red", "7 1")
    rows.take_up("green")
    assert rows.look().line == (play("red", "7"),)


def test_a_field_that_stays_is_asked_about() -> None:
    rows = Rows(position(field=["5"], by="green"))
    rows.lay("red", "6 1")
    assert (play("red", "6"),) in answers(rows.waited())


def test_what_a_special_car_stands_for_is_asked() -> None:
    rows = Rows(position(field=["5"], by="green", hands={"red": ["7/8", "1"]}))
    rows.lay("red", "7/8 1")
    rows.take_up("green")
    assert answers(rows.waited()) == [(Play("red", 7, ("7/8",)),), (Play("red", 8, ("7/8",)),)]


def test_a_card_drawn_is_a_pass() -> None:
    rows = Rows(position(field=["5"], by="green", deck=4))
    rows.draw(4)
    assert rows.look().line == (Pass("red"),)
    rows.draw(3)
    # All have passed: the field is to be discarded.
    assert rows.look() == Finding(wait=True)
    rows.take_up("green")
    assert rows.look().line == (Pass("blue"),)
    assert not rows.state.field


def test_who_leads_may_not_draw() -> None:
    rows = Rows(position(deck=4))
    rows.draw(4)
    found = rows.look()
    assert not found.line
    assert found.fault.startswith(
        "The mark under card 4 shows on the draw deck. There are no cards on the field"
    )
    assert "Otherwise cover it again." in found.fault


def test_who_plays_after_a_pass_says_it_with_the_card() -> None:
    rows = Rows(position(field=["5"], by="green", deck=4))
    rows.draw(4)
    rows.lay("blue", "6 1")
    rows.take_up("green")
    assert rows.waited().line == (Pass("red"), play("blue", "6"))


def test_a_pass_for_which_nothing_was_drawn_is_asked_about() -> None:
    rows = Rows(position(field=["5"], by="green", deck=4))
    rows.lay("blue", "6 1")
    rows.take_up("green")
    assert (Pass("red"), play("blue", "6")) in answers(rows.waited())
    without = Rows(position(field=["5"], by="green"))
    without.lay("blue", "6 1")
    without.take_up("green")
    assert without.waited().line == (Pass("red"), play("blue", "6")), "the draw deck is empty"


def test_two_passes_and_a_play_seen_at_once_are_understood() -> None:
    rows = Rows(position(field=["5"], by="yellow", deck=4, players=4))
    rows.draw(4)
    rows.draw(3)
    rows.lay("green", "6 1")
    rows.take_up("yellow")
    assert rows.look().line == (Pass("red"),)
    assert rows.waited().line == (Pass("blue"), play("green", "6"))


def test_who_is_not_in_turn_is_told_whose_turn_it_is() -> None:
    rows = Rows(position(field=["5"], by="blue", players=4))
    rows.lay("yellow", "6 1")
    found = rows.look()
    assert not found.line
    assert found.fault.startswith("A train car 6 lies on Yellow's row. It is Red's turn")
    assert "Otherwise take it away again." in found.fault


def test_a_card_too_weak_is_explained() -> None:
    rows = Rows(position(field=["5"], by="green"))
    rows.lay("red", "4 1")
    found = rows.look()
    assert found.fault.startswith("A train car 4 lies on Red's row.")
    assert "5" in found.fault.split(".")[1]


def test_the_last_play_of_a_match_waits_for_the_asset_card() -> None:
    rows = Rows(position(hands={"red": ["8"]}, gone=["green"]))
    rows.lay("red", "8 1")
    assert rows.look() == Finding(wait=True)
    rows.flip("blue")
    assert rows.look().line == (play("red", "8"),)
    assert rows.state.phase == TRAINS
    assert rows.look() == Finding(), "the last cards lie there until they are collected"
    rows.take_up("red")
    assert rows.look() == Finding()


def test_an_asset_card_that_is_not_flipped_is_asked_about() -> None:
    rows = Rows(position(hands={"red": ["8"]}, gone=["green"]))
    rows.lay("red", "8 1")
    assert answers(rows.waited()) == [(play("red", "8"),)]


def test_nothing_is_waited_for_where_asset_cards_carry_no_markers() -> None:
    rows = Rows(position(hands={"red": ["8"]}, gone=["green"]))
    rows.there = {key: piece for key, piece in rows.there.items() if piece.kind != ASSET}
    rows.look()
    rows.lay("red", "8 1")
    assert rows.look().line == (play("red", "8"),)
    assert rows.waited() == Finding()
