"""An owner's pack of Rail Raiders Infinite: begun, counted, entered card by card, also while a game runs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from msgspec import json
from msgspec.structs import replace

from companion.bots import Bot
from companion.games.game import Rolled, Shuffled
from companion.games.layout import UNKNOWN
from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.actions import TurnUp
from companion.games.rail_raiders_infinite.entering import (
    Counts,
    EnterCar,
    EnterCounts,
    EnterHighNoon,
    EnterLoot,
    EnterRaider,
    Entry,
    begin,
    enter,
    known,
    present,
    put,
    to_enter,
    unlisted,
)
from companion.games.rail_raiders_infinite.packs.pack import Pack, edition, load_pack, missing, to_toml
from companion.games.rail_raiders_infinite.packs.vocabulary import Effect
from companion.games.rail_raiders_infinite.state import CarCard, Card, State
from companion.laws import Laws
from companion.simulate import course
from tests.rules.rail_games import PACK, AnyKind, house

RIFLE = EnterLoot(Card("fog_horn", "Fog Horn", 2, "Scores two.", "score", steps=(Effect("dollars", 2),)))
CAR = EnterCar(CarCard("parlour", "Parlour Car", 2, 1))


@cache
def own() -> Pack:
    """An owner's pack with nothing counted and no train car but the ends."""
    return begin(load_pack((PACK.parent / "printed.toml").read_text("utf-8")))


def begun(pack: Pack) -> State:
    return GAME.setup(("red", "blue"), pack, {})


def with_cars(pack: Pack, count: int) -> Pack:
    for number in range(count):
        pack = put(pack, EnterCar(CarCard(f"car{number}", f"Car {number}", number % 4, number % 3)))
    return pack


def counted(pack: Pack, name: str, **copies: int) -> Pack:
    return put(pack, EnterCounts(Counts(name, copies)))


# -- the pack -----------------------------------------------------------------------------------------


def test_an_owners_pack_begins_with_what_is_publicly_known() -> None:
    pack = own()
    assert (pack.name, len(pack.high_noon), len(pack.cars)) == ("owner", 25, 2)
    assert to_enter(pack) == "56 High Noon cards, 56 Long Arm cards, 56 Loot cards, 12 train cars"
    assert "Enter 12 more train cars." in missing(pack)
    assert to_enter(house()) == ""


@pytest.mark.parametrize("pack", [own(), house(), counted(with_cars(own(), 3), "loot", score=5, haul=0)])
def test_a_pack_is_written_as_it_is_read(pack: Pack) -> None:
    assert load_pack(to_toml(pack)) == pack


def test_the_house_pack_written_anew_reads_as_the_file_does() -> None:
    assert load_pack(to_toml(house())) == load_pack(Path(PACK).read_text("utf-8"))


def test_a_card_is_entered_and_put_right() -> None:
    pack = put(own(), RIFLE)
    assert pack.loot[-1] == RIFLE.card
    other = EnterLoot(replace(RIFLE.card, copies=3))
    assert put(pack, other).loot == (*own().loot, other.card)
    assert present(pack, "loot", "fog_horn") == RIFLE
    assert present(pack, "loot", "something") == EnterLoot(Card("something", kind="score"))


def test_counts_are_kept_and_absent_cards_left_out_of_the_game() -> None:
    pack = counted(own(), "loot", score=5, haul=0)
    assert present(pack, "counts", "loot") == EnterCounts(Counts("loot", {"score": 5, "haul": 0}))
    assert pack.absent == {"loot": ("haul",)}
    names = {card.name for card in edition(pack).loot}
    assert "haul" not in names
    assert "score" in names
    assert counted(pack, "loot", score=5).absent == {}
    # What is entered again is in the box after all.
    haul = next(card for card in pack.loot if card.name == "haul")
    assert put(pack, EnterLoot(haul)).absent == {}


def test_a_raider_that_is_not_in_the_box_is_left_out_and_none_is_counted_twice() -> None:
    pack = counted(own(), "raiders", chuy=0, thorne=1)
    assert "chuy" not in {raider.name for raider in edition(pack).raiders}
    assert not any(raider.copies for raider in pack.raiders)


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (EnterLoot(Card("fog_horn", kind="score")), "Still to be entered: the title."),
        (EnterLoot(replace(RIFLE.card, words="")), "has words for the players to read."),
        (EnterLoot(replace(RIFLE.card, copies=57)), "Copies are 1 to 56"),
        (EnterCounts(Counts("loot", {"score": 57})), "Copies are 0 to 56, not 57 of score."),
        (EnterCounts(Counts("loot", {"score": 50, "jackpot": 7})), "A deck has 56 cards, not 57"),
        (EnterCounts(Counts("loot", {"nothing": 1})), "no card 'nothing' to be counted"),
        (EnterCar(CarCard("last", "Last", end="caboose")), "There is one caboose."),
        (EnterHighNoon(replace(RIFLE.card, kind="")), ""),
    ],
)
def test_what_is_wrong_is_said_without_paths(entry: Entry, says: str) -> None:
    if not says:
        assert put(own(), entry).high_noon[-1] == entry.card
        return
    with pytest.raises(ValueError) as fault:  # noqa: PT011 - what it says is looked at below
        put(own(), entry)
    assert says in str(fault.value)
    assert "`" not in str(fault.value)


@pytest.mark.parametrize(
    ("kind", "name"), [("tokens", "one"), ("counts", "cars"), ("loot", "No Name"), ("loot", "")]
)
def test_there_is_no_other_card(kind: str, name: str) -> None:
    with pytest.raises(ValueError, match="has no card"):
        present(own(), kind, name)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('absent = { loot = ["nobody"] }', "There is no card 'nobody' that could be absent"),
        ('absent = { cars = ["caboose"] }', "There is no card 'caboose' that could be absent"),
    ],
)
def test_a_file_that_names_no_card_as_absent_is_refused(line: str, says: str) -> None:
    text = to_toml(own()).replace('name = "owner"\n', f'name = "owner"\n{line}\n', 1)
    with pytest.raises(ValueError, match=says):
        load_pack(text)


# -- a game with cards that nobody knows --------------------------------------------------------------


def test_a_game_begins_before_anything_is_counted() -> None:
    state = begun(own())
    assert set(state.loot) == set(state.box) == {UNKNOWN}
    assert GAME.faults(state) == ()


def test_games_with_cards_that_are_not_counted_obey_the_laws() -> None:
    pack = counted(with_cars(own(), 9), "loot", score=5, haul=0, small_time=9)
    for number in range(2):
        chance = Random(f"not counted {number}")
        state = GAME.setup(("red", "blue", "green")[: 2 + number], pack, {})
        bots: dict[str, Bot] = {seat: AnyKind(chance) for seat in state.seats}
        laws = Laws(GAME, chance)
        for at, (now, action) in enumerate(course(GAME, state, bots, chance)):
            if at % 10 == 0 and action is not None:
                laws.state(now)
                laws.action(now, action)
        assert GAME.over(now)


def waiting_for(state: State, do: str, pile: str = "") -> State:
    """The first state of a game at random in which that is to be done, with that pile."""
    return next(
        now for now in any_course(state, 1) if now.agenda[0].do == do and pile in ("", now.agenda[0].card)
    )


@pytest.mark.parametrize(
    ("pile", "entry"),
    [
        ("high_noon", EnterHighNoon(Card("snow", "Snow", words="Nothing happens."))),
        ("cars", CAR),
    ],
)
def test_a_card_that_turns_up_for_the_first_time_is_entered_and_turned_up(pile: str, entry: Entry) -> None:
    start = begun(with_cars(own(), 4))
    state = waiting_for(start, "turn_up", pile)
    seat = state.seats[state.agenda[0].seat]
    assert unlisted(state) == pile
    up = TurnUp(seat, entry.card.name)
    refused = GAME.refusal(state, up)
    assert refused is not None
    after = enter(state, entry)
    assert GAME.faults(after) == ()
    assert GAME.refusal(after, up) is None
    # All that was known stays as it was.
    assert json.encode(replace(after, edition=state.edition)) == json.encode(state)


def test_what_is_known_already_stays_as_it_is() -> None:
    state = begun(with_cars(own(), 2))
    score = next(card for card in own().loot if card.name == "score")
    assert known(state, EnterLoot(replace(score, words="Otherwise.")))
    assert not known(state, RIFLE)
    with pytest.raises(ValueError, match="is known already"):
        enter(enter(state, RIFLE), RIFLE)


def test_a_game_that_knows_every_card_takes_no_other() -> None:
    state = begun(house())
    for entry in (RIFLE, CAR, EnterRaider(Card("x", "X")), EnterCounts(Counts("loot", {"score": 3}))):
        assert known(state, entry)
    for now, _ in zip(any_course(state, 2), range(40), strict=False):
        assert unlisted(now) == ""


def any_course(state: State, seed: int) -> Iterator[State]:
    """The states of a game at random."""
    chance = Random(seed)
    bots: dict[str, Bot] = {seat: AnyKind(chance) for seat in state.seats}
    return (now for now, _ in course(GAME, state, bots, chance))


def test_counts_reach_the_running_game_and_the_last_one_that_is_counted_makes_the_deck_known() -> None:
    state = begun(own())
    after = enter(state, EnterCounts(Counts("loot", {"score": 5})))
    assert next(card.copies for card in after.edition.loot if card.name == "score") == 5
    assert set(after.loot) == {UNKNOWN}
    rest = Counts("loot", {"score": 26, "jackpot": 30})
    assert sorted(enter(after, EnterCounts(rest)).loot) == ["jackpot"] * 30 + ["score"] * 26


def test_a_raider_is_entered_while_one_is_chosen() -> None:
    state = begun(own())
    state = GAME.play(state, Rolled(("A",) * 5))
    state = GAME.play(state, Rolled(("9", "9", "10", "J", "K")))
    assert unlisted(state) == "raiders"
    after = enter(state, EnterRaider(Card("nobody", "Nobody")))
    assert "nobody" in {getattr(action, "raider", "") for action in GAME.legal(after, "red")}


def test_a_deck_that_is_shuffled_unseen_may_hold_what_is_not_entered() -> None:
    state = waiting_for(begun(own()), "shuffle")
    cards = GAME.awaiting(state).chance.cards  # type: ignore[union-attr]
    assert GAME.refusal(state, Shuffled(cards)) is None
