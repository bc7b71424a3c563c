"""What a camera over the train saw, and what the referee makes of it."""

from __future__ import annotations

from typing import Any

from companion.alike import Alike
from companion.findings import PATIENCE, Finding
from companion.games.layout import Piece, Reading, Sight
from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.actions import Board, Move, Pass, PickLawbot, Send, TurnUp
from companion.games.rail_raiders_infinite.state import HIGH_NOON, LONG_ARM, OFF, Fight, Job, Side, State
from companion.games.rail_raiders_infinite.table import OFF_PLACE, car_place, tile_place, turned_place
from companion.referee import Referee
from tests.rules.rail_positions import do, position

Key = tuple[str, str]


class Train:
    """A table on which all lies as the rules have it, and a camera over it."""

    def __init__(self, state: State) -> None:
        self.states = [state]
        self.now = 0.0
        self.referee = Referee(GAME)
        self.there: dict[Key, Piece] = {}
        self.alike = Alike(GAME.table_map(state).tokens)
        layout = self.alike.told_apart(GAME.layout(state).pieces)
        self.there = {(piece.kind, piece.name): piece for piece in layout if piece.kind != "roof"}
        self.look()

    @property
    def state(self) -> State:
        return self.states[-1]

    def put(self, kind: str, name: str, place: str) -> None:
        self.there[kind, name] = Piece(kind, name, place)

    def take(self, kind: str, name: str) -> None:
        del self.there[kind, name]

    def look(self, later: float = 0.5, holes: tuple[str, ...] = ()) -> Finding:
        """The camera looks; what it understands is played."""
        self.now += later
        sights = tuple(Sight(piece, (0.0, 0.0), 1.0) for piece in sorted(self.there.values()))
        found = self.referee.consider(self.states, Reading(self.now, sights, holes), self.now)
        for action in found.line:
            self.states.append(GAME.play(self.state, action))  # type: ignore[arg-type]
        return found

    def waited(self) -> Finding:
        """What is said of it once it has lain there for a while."""
        self.look()
        return self.look(PATIENCE + 0.1)

    def say(self, *actions: Any) -> None:
        for action in actions:
            self.states.append(do(self.state, action))


def deputies(train: Train) -> dict[str, str]:
    return {name: piece.place for (kind, name), piece in train.there.items() if kind == "lawbot"}


# -- Raiders ------------------------------------------------------------------------------------------


def test_a_raider_set_on_the_next_car_has_moved() -> None:
    train = Train(position())
    train.put("raider", "red", car_place(2))
    assert train.look().line == (Move("red", 2),)
    assert train.look() == Finding()


def test_a_raider_set_two_cars_on_is_explained_and_put_back() -> None:
    train = Train(position())
    train.put("raider", "red", car_place(3))
    found = train.look()
    assert not found.line
    assert found.fault.startswith("Red stands on car 3")
    assert "adjacent" in found.fault
    assert "Otherwise put it back on car 1" in found.fault
    assert found.todo == ("Put Red on car 1.",)
    train.put("raider", "red", car_place(1))
    assert train.look() == Finding()


def test_a_raider_of_somebody_else_is_put_back() -> None:
    train = Train(position())
    train.put("raider", "blue", car_place(2))
    found = train.look()
    assert not found.line
    assert found.fault.startswith("Blue stands on car 2")
    assert "put it back on car 1" in found.fault.lower()


def test_a_raider_that_was_knocked_over_is_no_act_and_is_asked_for() -> None:
    """It is nowhere to be seen: whoever sees it lying there puts it back."""
    train = Train(position())
    train.take("raider", "blue")
    found = train.waited()
    assert (found.line, found.doubt, found.fault) == ((), None, "")
    assert found.todo == ("Put Blue on car 1.",)


def test_a_raider_from_beside_the_train_boards() -> None:
    state = position(at={"red": OFF}, agenda=[Job("board", 0, card="opening"), Job("round_end")])
    train = Train(state)
    train.put("raider", "red", car_place(0))
    assert train.look().line == (Board("red", 0),)


def test_a_move_and_the_car_flipped_at_once_are_understood_one_after_the_other() -> None:
    train = Train(position(down=(2,)))
    name = train.state.train[2]
    train.put("raider", "red", car_place(2))
    train.look()
    train.put("car", name, tile_place(2))
    train.look()
    assert train.state.cars[2].up
    assert train.state.train[2] == name


def test_a_move_and_the_flip_in_one_look() -> None:
    train = Train(position(down=(2,)))
    train.put("raider", "red", car_place(2))
    train.put("car", train.state.train[2], tile_place(2))
    name = train.state.train[2]
    assert train.look().line == (Move("red", 2),)
    assert train.look().line == (TurnUp("red", name),)


# -- cards --------------------------------------------------------------------------------------------


def drawing(deck: str, top: str, **more: Any) -> State:
    """That card is to be turned up next, by red, for car 1."""
    job = Job("turn_up", 0, 1, card=deck)
    rest = (Job("act", 0), Job("cleanup", 0), Job("turn", 1), Job("round_end"))
    cards: dict[str, Any] = {deck: (top,)}
    return position(agenda=(job, *rest), **cards, **more)


def test_a_card_laid_on_its_discards_was_turned_up() -> None:
    train = Train(drawing(HIGH_NOON, "bad_blood"))
    train.put(HIGH_NOON, "bad_blood 2", turned_place(HIGH_NOON))
    assert train.look().line == (TurnUp("red", "bad_blood"),)
    assert train.look() == Finding()


def test_a_card_and_the_lawbot_that_it_brings_are_one_act() -> None:
    train = Train(drawing(LONG_ARM, "tin_star"))
    train.put(LONG_ARM, "tin_star 1", turned_place(LONG_ARM))
    train.put("lawbot", "deputy 5", car_place(1))
    assert train.look().line == (TurnUp("red", "tin_star"),)
    assert train.look() == Finding()


def test_a_card_whose_lawbot_comes_later_is_understood_at_once() -> None:
    train = Train(drawing(LONG_ARM, "tin_star", bots={3: (1, 0, 0)}))
    train.put(LONG_ARM, "tin_star 1", turned_place(LONG_ARM))
    found = train.look()
    assert found.line == (TurnUp("red", "tin_star"),)
    assert found.todo == ("Put a Deputy on car 1.",)
    train.put("lawbot", "deputy 7", car_place(1))
    assert train.look() == Finding()


def test_the_next_player_draws_without_a_word() -> None:
    """Red has actions left, and simply stops."""
    state = position(seats=("red", "blue"), high_noon=("bad_blood",))
    train = Train(state)
    train.put(HIGH_NOON, "bad_blood 1", turned_place(HIGH_NOON))
    assert train.look().line == (Pass("red"), TurnUp("blue", "bad_blood"))


def test_a_card_that_nobody_was_to_draw_is_explained() -> None:
    train = Train(drawing(HIGH_NOON, "bad_blood"))
    train.put(LONG_ARM, "tin_star 1", turned_place(LONG_ARM))
    found = train.look()
    assert not found.line
    assert found.fault.startswith("The Long Arm card Tin Star lies on the Long Arm discards")
    assert "take it away again" in found.fault.lower()


# -- Lawbots ------------------------------------------------------------------------------------------


def test_any_of_the_deputies_may_stand_where_one_is_wanted() -> None:
    train = Train(position(bots={2: (1, 0, 0), 3: (1, 0, 0)}))
    one, other = deputies(train)
    train.put("lawbot", one, car_place(3))
    train.put("lawbot", other, car_place(2))
    found = train.look()
    assert (found.line, found.doubt, found.todo) == ((), None, ())


def test_a_lawbot_too_many_is_to_be_taken_away_again() -> None:
    train = Train(position(bots={2: (1, 0, 0)}))
    train.put("lawbot", "deputy 6", car_place(2))
    found = train.look()
    assert not found.line
    assert found.fault == "A Deputy stands on car 2, but nothing moves it there now. Take it away again."
    assert found.todo == ("Take a Deputy off car 2.",)
    train.take("lawbot", "deputy 6")
    assert train.look() == Finding()


def test_a_lawbot_on_another_car_is_put_back() -> None:
    train = Train(position(bots={2: (1, 0, 0)}))
    (name,) = deputies(train)
    train.put("lawbot", name, car_place(3))
    found = train.look()
    assert "Put it back on car 2" in found.fault
    assert found.todo == ("Put a Deputy on car 2.",)


def test_a_lawbot_moved_to_another_car_is_the_one_that_was_chosen() -> None:
    """There is none left in the supply, and red picks which of the others comes."""
    bots = {2: (4, 0, 0), 3: (3, 0, 0)}
    state = position(bots=bots, agenda=[Job("put_lawbot", 0, 1, card="deputy"), Job("act", 0)])
    train = Train(state)
    name = next(name for name, place in deputies(train).items() if place == car_place(3))
    train.put("lawbot", name, car_place(1))
    # Another Deputy might still be on its way to where that one stood.
    assert train.look().wait
    assert train.look(PATIENCE + 0.1).line == (PickLawbot("red", "deputy", 3, 1),)


# -- fights -------------------------------------------------------------------------------------------


def beaten(**more: Any) -> State:
    """Red has beaten the Lawbots and blue on car 1: the Deputy is salvaged, and blue is sent on."""
    fight = Fight(
        "showdown",
        1,
        0,
        -1,
        sides=(
            Side(0, 0, faces=("A", "A", "A", "A", "A")),
            Side(1, 1, faces=("9", "10", "J", "K", "A")),
            Side(-1, 2, faces=("9", "10", "J", "Q", "A")),
        ),
        winner=0,
        losers=(1,),
    )
    jobs = (Job("salvage", 0), Job("losers", 0), Job("fight_over"), Job("act", 0), Job("cleanup", 0))
    return position(agenda=(*jobs, Job("round_end")), fight=fight, bots={1: (1, 0, 0)}, **more)


def test_salvage_and_a_loser_sent_on_are_done_together() -> None:
    """The rules have the Deputy salvaged already; it is still there until red takes it off."""
    state = beaten()
    assert not sum(state.cars[1].bots)
    train = Train(state)
    train.put("lawbot", "deputy 1", car_place(1))
    train.take("lawbot", "deputy 1")
    train.put("raider", "blue", car_place(2))
    assert train.look().line == (Send("red", "blue", 2),)


def test_a_salvaged_lawbot_that_still_stands_there_is_to_be_taken_off() -> None:
    before = position(bots={1: (1, 0, 0)})
    train = Train(before)
    train.states.append(beaten())
    found = train.look()
    assert not found.line
    assert found.fault == ""
    assert found.todo == ("Take a Deputy off car 1.",)


def test_a_loser_cannot_be_sent_two_cars_on() -> None:
    train = Train(beaten())
    train.put("raider", "blue", car_place(3))
    found = train.look()
    assert not found.line
    assert found.fault.startswith("Blue stands on car 3")
    assert "put it back on car 1" in found.fault.lower()


def test_off_the_train_is_a_place_beside_it() -> None:
    train = Train(position(at={"blue": OFF}))
    assert train.there["raider", "blue"].place == OFF_PLACE
    train.put("raider", "blue", car_place(1))
    found = train.look()
    assert not found.line
    assert "its Raider card" in found.fault
