"""What people are told: prompts, choices with their odds, reminders, the countdown, and refusals."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.game import Rolled, Shuffled
from companion.games.layout import Piece
from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.actions import (
    Arm,
    Board,
    Decide,
    Join,
    Keep,
    Move,
    Pass,
    PickRaider,
    Reroll,
    Search,
    Send,
    Showdown,
    TradeCard,
    TurnUp,
    UseCar,
    UseCard,
)
from companion.games.rail_raiders_infinite.state import OFF, Job, State, Turn
from tests.rules.rail_games import house
from tests.rules.rail_positions import (
    FOUR,
    LOW,
    PAIR,
    TRIO,
    TRIPS,
    do,
    in_force,
    may,
    position,
    refused,
    roll,
    rolls,
)

TURNS = (Job("turn", 0), Job("turn", 1), Job("turn", 2), Job("round_end"))


def choices(state: State, seat: str = "red") -> dict[str, str]:
    return {choice.words: choice.detail for choice in GAME.prompt(state, seat).choices}


# -- prompts ------------------------------------------------------------------------------------------


def test_whoever_is_to_decide_is_told_and_so_are_the_others() -> None:
    state = position()
    assert GAME.prompt(state, "red").words == "What do you do? 3 actions left."
    assert GAME.prompt(state, "blue").words == "Red takes an action; 3 actions left."
    assert (GAME.prompt(state, "red").yours, GAME.prompt(state, "blue").yours) == (True, False)


def test_boarding_shows_ranks_and_odds() -> None:
    found = choices(position(at={"red": OFF}, agenda=TURNS))
    assert found["Board the caboose"] == "no roll"
    assert found["Board car 1 (Mail Car)"] == "rank 3 or better: 48 %"
    assert found["Board car 2 (Sleeping Car)"] == "rank 4 or better: 24 %"
    assert found["Board the locomotive"] == "rank 8 or better: under 1 %"
    climbing = choices(position(at={"red": OFF}, agenda=TURNS, gear={"red": ["climbing_gear"]}))
    assert climbing["Board car 1 (Mail Car)"] == "rank 3 or better: 84 %"


def test_rerolls_show_the_chance_to_win_and_the_best_is_under_the_thumb() -> None:
    state = position(at={"green": 3}, forces=in_force("second_wind"))
    state = do(state, Showdown("red", "blue"), *roll("9 10 J Q A", PAIR))
    found = choices(state)
    assert found["Keep all dice"] == "0 % to win"
    assert found["Reroll 9"] == "83 % to win"
    main = [choice.words for choice in GAME.prompt(state, "red").choices if choice.main]
    assert main == ["Reroll 9"]
    assert [rival.odds for rival in GAME.prompt(state, "blue").rivals] == ["83 %", "17 %"]


def test_rerolls_are_chosen_among_the_dice_that_lie_there() -> None:
    state = position(at={"green": 3}, forces=in_force("second_wind"))
    state = do(state, Showdown("red", "blue"), *roll("9 10 J Q A", PAIR))
    prompt = GAME.prompt(state, "red")
    assert prompt.dice == ("9", "10", "J", "Q", "A")
    assert [choice.dice for choice in prompt.choices] == [action.dice for action in may(state, Reroll)]
    assert GAME.prompt(state, "blue").dice == ()
    assert GAME.prompt(position(), "red").dice == ()


def test_a_fight_shows_hands_and_chances_before_all_have_rolled() -> None:
    state = do(position(at={"green": 3}), Showdown("red", "blue"), *roll(TRIPS))
    red, blue = GAME.prompt(state, "").rivals
    assert (red.seat, red.dice, red.hand, red.odds, red.waits) == (
        "red",
        ("9", "9", "9", "10", "J"),
        "Three nines",
        "76 %",
        False,
    )
    assert (blue.seat, blue.dice, blue.hand, blue.odds, blue.waits, blue.note) == (
        "blue",
        (),
        "",
        "24 %",
        True,
        "5 dice",
    )


def test_a_fight_shows_weapons_rerolls_and_who_runs_the_lawbots() -> None:
    armed = position(at={"green": 3}, bots={1: (0, 1, 0)}, gear={"red": ["repeater"]})
    state = do(armed, Showdown("red", "lawbots"), Join("blue", join=True), Arm("red", ("repeater",)))
    assert [(r.name, r.by, r.note) for r in GAME.prompt(state, "").rivals] == [
        ("Red", "red", "Brass Repeater, 6 dice"),
        ("Blue", "blue", "5 dice"),
        ("Lawbots", "green", "5 dice"),
    ]
    state = do(state, *roll("9 9 9 10 J Q", LOW, PAIR))
    lawbots = GAME.prompt(state, "").rivals[2]
    assert (lawbots.seat, lawbots.hand, lawbots.note, lawbots.waits) == (
        "",
        "A pair of nines",
        "may reroll 1",
        True,
    )
    state = do(state, Reroll("green", ("10",)), *roll("K"))
    assert [rival.note for rival in GAME.prompt(state, "").rivals] == ["wins", "loses", "loses"]


def test_a_roll_off_shows_the_hands_so_far() -> None:
    state = do(GAME.setup(TRIO, house(), {}), *roll(TRIPS))
    red, blue, green = GAME.prompt(state, "").rivals
    assert (red.hand, blue.hand, green.hand) == ("Three nines", "", "")
    assert [rival.waits for rival in (red, blue, green)] == [False, True, False]


def test_the_countdown_is_on_every_page_and_loud_at_the_end() -> None:
    assert GAME.prompt(position(left=10), "").status == "This round and 3 more at most"
    last = position(left=0, last_round=True)
    assert GAME.prompt(last, "").status == "LAST ROUND"
    loud = GAME.prompt(last, "blue").reminders[0]
    assert loud == "LAST ROUND! The High Noon deck is empty. Finish this round, then the game is over."


def test_what_is_on_the_car_and_in_force_is_told() -> None:
    state = position(
        bots={1: (2, 1, 0)},
        tokens={1: ("1",)},
        grit={1: ["drilled"]},
        forces=in_force("hot_blood"),
        acts=Turn(left=1, done=("move", "move")),
    )
    reminders = GAME.prompt(state, "red").reminders
    assert "Car 1 (Mail Car): 2 Deputies and 1 Sheriff, 1 Loot token, Grit: Well Drilled." in reminders
    assert "Done twice, so not again this turn: Move." in reminders
    for seat in ("", "red", "green"):
        assert GAME.prompt(state, seat).in_force == ("Red, Hot Blood: One more die in Showdowns this turn.",)
    assert "No Search while Lawbots are on the car." in reminders


def test_ending_the_turn_early_is_warned_of() -> None:
    passing = next(c for c in GAME.prompt(position(), "red").choices if isinstance(c.action, Pass))
    assert passing.warning == "3 actions would be lost. End the turn all the same?"


def test_the_donation_is_told_where_losers_are_moved() -> None:
    state = rolls(do(position(dollars={"blue": 2}, at={"green": 3}), Showdown("red", "blue")), TRIPS, PAIR)
    assert choices(state)["Move Blue to the caboose"] == "has 2 double-dollars, you may take one"
    taking = do(state, Send("red", "blue", 0))
    assert choices(taking) == {"Take one double-dollar": "Blue has 2, you have 0", "Leave it": ""}


def test_the_likely_answer_is_under_the_thumb() -> None:
    def main(state: State, seat: str = "red") -> list[str]:
        return [choice.words for choice in GAME.prompt(state, seat).choices if choice.main]

    fight = do(
        position(gear={"red": ["lucky_coin", "repeater"]}, dollars={"red": 1}), Showdown("red", "blue")
    )
    assert main(fight, "green") == ["Stay out of it"]
    armed = do(fight, Join("green", join=False))
    assert main(armed) == ["Use Brass Repeater"]
    assert main(do(armed, Arm("red", ()))) == ["Buy no reroll"]
    lost = rolls(do(position(dollars={"blue": 2}, at={"green": 3}), Showdown("red", "blue")), TRIPS, PAIR)
    assert main(do(lost, Send("red", "blue", 0))) == ["Take one double-dollar"]
    assert main(position(at={"red": OFF}, agenda=TURNS)) == ["Board the caboose"]


def test_a_seat_sees_the_loot_that_it_looks_at_and_nobody_else_does() -> None:
    state = position(tokens={1: ("2",)}, at={"blue": 3, "green": 3}, loot=["repeater", "strongbox"])
    state = do(state, Search("red"), TurnUp("red", "2"))
    assert choices(state) == {
        "Keep Brass Repeater": "One more die in fights.",
        "Keep Strongbox": "Three dollars.",
    }
    assert GAME.view(state, "blue").agenda[0].cards == ("?", "?")
    assert len(GAME.legal(GAME.hide(state), "red")) > 20


def test_one_die_shows_its_chance() -> None:
    state = position(tokens={1: ("1",)}, at={"blue": 3, "green": 3}, loot=["false_floor"])
    state = do(state, Search("red"), TurnUp("red", "1"), Keep("red", "false_floor"))
    assert GAME.prompt(state, "red").words == "Throw one die: a Loot token."
    assert GAME.prompt(state, "red").reminders == ("Q, K or A does it: 50 %.",)


def test_every_choice_has_a_section_of_the_rulebook() -> None:
    assert GAME.section(position(), Move("red", 2)) == "Action Phase - Move"
    assert GAME.section(position(at={"red": OFF}, agenda=TURNS), Board("red", 0)).startswith(
        "Starting the Game"
    )
    state = do(position(at={"green": 3}), Showdown("red", "blue"))
    assert GAME.section(state, *roll(PAIR)) == "Showdown"
    start = GAME.setup(TRIO, house(), {})
    assert GAME.section(start, *roll(PAIR)) == "Setup"
    assert (
        GAME.section(position(left=0, last_round=True, agenda=[Job("act", 0)]), Pass("red"))
        == "Action Phase - Pass"
    )


# -- refusals -----------------------------------------------------------------------------------------

REFUSED: list[tuple[dict[str, Any], Any, str, str]] = [
    (
        {},
        Move("red", 4),
        "Action Phase - Move",
        "A Move goes to an adjacent car, from car 1 (Mail Car) to the caboose or car 2 (Sleeping Car).",
    ),
    ({}, Move("red", 9), "Action Phase - Move", "The train has cars 0 to 6; choose one of them."),
    ({}, Move("blue", 2), "Action Phase", "It is not for Blue to decide now: it is for Red to decide."),
    (
        {},
        Showdown("red", "lawbots"),
        "Action Phase - Showdown",
        "No Lawbots are on car 1 (Mail Car); choose another target.",
    ),
    (
        {},
        Showdown("red", "red"),
        "Action Phase - Showdown",
        "A Raider does not fight itself; choose another target.",
    ),
    (
        {},
        Showdown("red", "pink"),
        "Action Phase - Showdown",
        "Nobody plays 'pink'; choose a Raider on the car, or its Lawbots.",
    ),
    (
        {},
        Search("red"),
        "Action Phase - Search",
        "A Search needs a Loot token, and car 1 (Mail Car) has 0 Loot tokens.",
    ),
    ({}, UseCar("red"), "Action Phase", "Car 1 (Mail Car) has no ability to use; choose another action."),
    ({}, UseCard("red", "keg"), "Equipment and Weapons", "Red has no 'keg'; use a card that is equipped."),
    (
        {"gear": {"red": ["repeater"]}},
        UseCard("red", "repeater"),
        "Equipment and Weapons",
        "Brass Repeater works as long as it is held; it is not used up.",
    ),
    (
        {"gear": {"blue": ["keg"]}},
        UseCard("blue", "keg"),
        "Equipment and Weapons",
        "Powder Keg is used in Blue's own turn.",
    ),
    (
        {"gear": {"red": ["keg", "pocket_watch"]}, "acts": Turn(left=0, done=("move",) * 3)},
        UseCard("red", "keg"),
        "Action Phase",
        "Powder Keg takes an action, and none is left for it.",
    ),
    (
        {},
        TradeCard("red", "keg"),
        "Action Phase",
        "Red has nothing that lets cards be discarded for a third action.",
    ),
    ({}, Board("red", 0), "Off the Train", "Red is on the train already."),
    (
        {},
        Decide("red", yes=True),
        "Action Phase",
        "That is no answer to what is asked: it is for Red to decide; choose what is offered.",
    ),
    ({}, Reroll("red", ()), "Rerolls", "Nothing is rerolled now: it is for Red to decide."),
    ({}, Send("red", "blue", 0), "Showdown", "Nobody is moved now: it is for Red to decide."),
    ({}, Rolled(("9",)), "Rolling", "No dice are due now; it is for Red to decide."),
    ({}, Shuffled(()), "Setup", "Nothing is to be shuffled now; it is for Red to decide."),
    ({}, Pass("pink"), "Setup", "Nobody plays 'pink'; the seats are red, blue and green."),
    (
        {"acts": Turn(left=1, done=("move", "move"))},
        Move("red", 2),
        "Action Phase",
        "Move has been done 2 times this turn, which is the most; do something else.",
    ),
    (
        {"agenda": TURNS},
        TurnUp("red", "nonsense"),
        "High Noon Phase",
        "'nonsense' cannot lie there: all of its kind are seen already; look again.",
    ),
    (
        {"agenda": [Job("round_end")], "last_round": True},
        Pass("red"),
        "Ending the Game",
        "The game is over: the last round has been played. Start a new one.",
    ),
]


@pytest.mark.parametrize(("fields", "action", "section", "sentence"), REFUSED)
def test_a_refusal_says_what_is_wrong_and_where_the_rule_is(
    fields: dict[str, Any], action: Any, section: str, sentence: str
) -> None:
    ruling = refused(position(**fields), action)
    assert (ruling.section, ruling.sentence) == (section, sentence)
    instead: tuple[Any, ...] = ruling.instead
    assert all(GAME.refusal(position(**fields), other) is None for other in instead)


def test_dice_are_refused_that_are_too_few_or_show_no_face() -> None:
    state = do(position(at={"green": 3}), Showdown("red", "blue"))
    assert refused(state, Rolled(("9",) * 4)).sentence == "Red throws 5 dice (Showdown), not 4; throw again."
    assert (
        refused(state, Rolled(("9", "9", "9", "9", "joker"))).sentence
        == "A die shows 9, 10, J, Q, K or A, not 'joker'; read it again."
    )
    assert refused(state, Rolled((1, 2, 3, 4, 5))).rule == "form"


def test_rerolls_are_refused_that_are_too_many_or_lie_nowhere() -> None:
    state = position(at={"green": 3}, forces=in_force("second_wind"))
    state = do(state, Showdown("red", "blue"), *roll(LOW, PAIR))
    assert (
        refused(state, Reroll("red", ("9", "10"))).sentence
        == "No more than 1 die may be rerolled, not 2; choose fewer."
    )
    assert (
        refused(state, Reroll("red", ("K",))).sentence
        == "The dice are 9 10 J Q A; choose among them, lowest first."
    )


def test_losers_are_sent_to_cars_next_to_theirs() -> None:
    state = rolls(do(position(at={"green": 3}), Showdown("red", "blue")), TRIPS, PAIR)
    assert (
        refused(state, Send("red", "blue", 5)).sentence
        == "Blue is on car 1 (Mail Car); choose a car next to it that is offered."
    )
    assert (
        refused(state, Send("red", "green", 2)).sentence == "Those to be moved are Blue; choose one of them."
    )


def test_shuffles_are_counted_and_known() -> None:
    state = do(GAME.setup(TRIO, house(), {"raiders": "dealt"}))
    assert "6 cards are to be shuffled, not 1; count again" in refused(state, Shuffled(("ada",))).sentence
    assert "cards are not the ones that lay there" in refused(state, Shuffled(("ada",) * 6)).sentence


@pytest.mark.parametrize(("pile", "what"), [("tokens", "20 tokens"), ("cars", "12 train cars")])
def test_what_is_no_card_is_not_called_one_in_a_shuffle(pile: str, what: str) -> None:
    state = replace(GAME.setup(TRIO, house(), {}), agenda=(Job("shuffle", card=pile),))
    assert f"{what} are to be shuffled, not 1" in refused(state, Shuffled(("1",))).sentence


def test_who_may_not_choose_a_raider_is_told() -> None:
    state = do(GAME.setup(TRIO, house(), {}), *roll(TRIPS, PAIR, PAIR), PickRaider("red", "ada"))
    assert (
        refused(state, PickRaider("blue", "ada")).sentence
        == "'ada' is not there to be chosen; choose one that is left."
    )


@pytest.mark.parametrize(
    ("seats", "says"),
    [(("red",), "2 to 4 players"), ((*FOUR, "pink"), "Seats are"), (("red", "red"), "at most once")],
)
def test_seats_are_refused(seats: tuple[str, ...], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        GAME.setup(seats, house(), {})


# -- taking back --------------------------------------------------------------------------------------


def test_decisions_that_show_nothing_are_taken_back_with_one_tap() -> None:
    fight = do(position(gear={"red": ["repeater"]}), Showdown("red", "blue"))
    assert GAME.free(position(), Showdown("red", "blue"))
    assert GAME.free(fight, Join("green", join=False))
    armed = do(fight, Join("green", join=False))
    assert GAME.free(armed, Arm("red", ("repeater",)))
    assert not GAME.free(do(armed, Arm("red", ())), *roll(PAIR))
    assert GAME.free(position(), Move("red", 2))


def test_what_shows_something_is_not_taken_back_with_one_tap() -> None:
    assert not GAME.free(position(down=(2,)), Move("red", 2))
    assert not GAME.free(position(tokens={1: ("1",)}, at={"blue": 3, "green": 3}), Search("red"))
    assert not GAME.free(position(), Pass("red"))


# -- the train as a row -------------------------------------------------------------------------------


def test_the_train_is_a_row_of_cars_with_all_that_is_on_them() -> None:
    state = position(
        at={"green": 3},
        bots={1: (2, 0, 1)},
        tokens={1: ("1", "3")},
        grit={1: ["drilled", "steady_aim"]},
        down=(2,),
    )
    row = GAME.stops(state)
    assert [stop.label for stop in row] == ["Cab", "1", "2", "3", "4", "5", "Loco"]
    assert row[1].words == "Car 1: Mail Car"
    assert row[1].seats == ("red", "blue")
    assert row[1].signs == (("deputy", 2), ("marshal", 1), ("loot", 2), ("grit", 2))
    assert row[1].lies[0].title == "2 Deputies and 1 Marshal, 2 Loot tokens"
    assert row[1].lies[-1].title == "Grit: Well Drilled (1 card below)"
    assert (row[2].closed, row[2].words, row[2].lies[0].title) == (True, "Car 2", "Face down")
    assert GAME.stops(GAME.hide(state)) == row


# -- pieces, and positions that cannot be -------------------------------------------------------------


def test_a_raider_set_onto_another_car_is_a_move() -> None:
    state = position()
    assert GAME.meant(state, Piece("raider", "red", "car:2")) == Move("red", 2)
    assert GAME.meant(state, Piece("raider", "red", "car:1")) is None
    assert GAME.meant(state, Piece("raider", "blue", "car:2")) is None
    assert Move("red", 2) in GAME.candidates(state, "red", (Piece("raider", "red", "car:2"),))


def test_what_lies_on_the_cars_is_marked_and_drawn() -> None:
    state = position(tokens={1: ("1", "2")}, grit={2: ["drilled"]}, bots={1: (1, 0, 0)})
    assert [(mark.place, mark.words) for mark in GAME.marks(state)] == [("car:1", "$2"), ("car:2", "G1")]
    one_of = {(token.kind, token.alike or token.name): token.name for token in GAME.table_map(state).tokens}
    for piece in GAME.layout(state).pieces:
        assert GAME.drawing(state, piece.kind, one_of.get((piece.kind, piece.name), piece.name)).shapes
    assert GAME.about(state, house(), "car", "bullion").facts == (("Loot", "4"), ("Long Arm", "4"))
    assert GAME.about(state, house(), "card", "repeater").title == "Brass Repeater"
    assert sum(item.copies for batch in GAME.kit(house())[:3] for item in batch.items) == 3 * 56


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"seats": ("red",)}, "Two to four different seats"),
    ({"riders": ()}, "One Raider for each of the 3 seats, not 0"),
    ({"turn": 7}, "at `$.turn`"),
    ({"dealer": 7}, "at `$.dealer`"),
    ({"train": ("caboose",)}, "The train has 7 cars, not 1"),
    ({"agenda": (Job("dance"),)}, "There is no job 'dance'"),
    ({"agenda": (Job("act", 9),)}, "A job is for a seat and a car of the game"),
    ({"loot_discard": ("keg",)}, "The deck has 56 cards, not 57"),
    ({"shown": ("1",)}, "There are 20 Loot tokens, not 21"),
]


@pytest.mark.parametrize(("fields", "says"), FAULTS)
def test_a_position_that_cannot_be_is_told(fields: dict[str, Any], says: str) -> None:
    assert says in " ".join(GAME.faults(replace(position(), **fields)))


def test_raiders_and_lawbots_that_cannot_be_are_told() -> None:
    state = position()
    far = replace(state, riders=(replace(state.riders[0], at=9), *state.riders[1:]))
    assert "A Raider is on car 0 to 6, or -1" in " ".join(GAME.faults(far))
    owing = replace(state, riders=(replace(state.riders[0], dollars=-1), *state.riders[1:]))
    assert "Nobody has fewer than no double-dollars" in " ".join(GAME.faults(owing))
    crowd = replace(state, cars=(replace(state.cars[0], bots=(0, 0, 3)), *state.cars[1:]))
    assert "There are 2 of marshal, not 3" in " ".join(GAME.faults(crowd))


def test_joining_is_asked_by_what_the_fight_is() -> None:
    state = do(position(tokens={1: ("1",)}), Search("red"))
    assert set(choices(state, "blue")) == {"Oppose the Search", "Let it happen"}
    state = do(position(), Showdown("red", "blue"))
    assert GAME.prompt(state, "green").words == "Do you join the Showdown, Red against Blue?"
    assert set(choices(do(position(), Showdown("red", "green")), "blue")) == {
        "Join the fight",
        "Stay out of it",
    }
    assert GAME.story(state, Join("green", join=False)) == ("Green stays out of it.",)
