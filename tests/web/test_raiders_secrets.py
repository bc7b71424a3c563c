"""Rail Raiders' pages tell no secret: looked-at Loot, facedown cars, tokens and decks are the table's own."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import pytest
from msgspec.structs import replace

from companion import packs
from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.actions import Search, TurnUp
from companion.messages import LogLine, View
from companion.table import Table
from companion.views import Snapshot, stand_in, view
from tests.rules.rail_positions import FOUR, do, position
from tests.web.raiders_players import PEOPLE
from web_ui.pages import Pages


class Desk:
    """Shows a state that is wholly known: harder than a real table, which knows no hidden card at all."""

    game = GAME
    pack = packs.load(GAME, "house")
    cards = None

    def __init__(self, state: Any) -> None:
        self.state = state

    def view(self, person: str, seat: str = "") -> View:
        return view(self._snapshot(person), person, seat)

    def stand_in(self, person: str, seat: str) -> View:
        return stand_in(self._snapshot(person), person, seat)

    def _snapshot(self, person: str) -> Snapshot:
        return Snapshot(
            game=GAME,
            people={person: person.capitalize() for person in PEOPLE.values()},
            host=PEOPLE["blue"],
            seats=PEOPLE,
            playing=FOUR,
            state=self.state,
            log=(LogLine(1, "A game begins."),),
        )


LOOKED_AT = ("repeater", "strongbox", "blunderbuss")


def looking() -> Any:
    """Red looks at three Loot cards."""
    alone = {"blue": 3, "green": 3, "yellow": 4}
    state = position(seats=FOUR, tokens={1: ("3",), 2: ("1", "2")}, at=alone, down=(4, 5), loot=LOOKED_AT)
    return do(state, Search("red"), TurnUp("red", "3"))


def dealt_anew(state: Any, chance: Random) -> Any:
    """The same with all that only Red or nobody knows laid out in another way."""
    hidden = [*state.agenda[0].cards, *state.loot]
    chance.shuffle(hidden)
    count = len(state.agenda[0].cards)
    down = [number for number, car in enumerate(state.cars) if not car.up]
    names = [state.train[number] for number in down] + list(state.box)
    chance.shuffle(names)
    train = tuple(
        names[down.index(number)] if number in down else name for number, name in enumerate(state.train)
    )
    cars = tuple(replace(car, tokens=car.tokens[::-1]) for car in state.cars)
    return replace(
        state,
        agenda=(replace(state.agenda[0], cards=tuple(sorted(hidden[:count]))), *state.agenda[1:]),
        loot=tuple(hidden[count:]),
        train=train,
        box=tuple(names[len(down) :]),
        cars=cars,
        high_noon=tuple(chance.sample(state.high_noon, len(state.high_noon))),
        long_arm=tuple(chance.sample(state.long_arm, len(state.long_arm))),
    )


def test_looked_at_cards_are_on_the_searchers_phone_alone() -> None:
    pages = Pages(cast(Table, Desk(looking())), None, 8080)
    own = pages.live("play/red", PEOPLE["red"])
    assert own is not None
    assert own.count("Keep ") == len(LOOKED_AT)
    assert "Keep Strongbox" in own
    for page, person in [(f"play/{seat}", PEOPLE[seat]) for seat in FOUR[2:]] + [("table", "")]:
        shown = pages.live(page, person)
        assert shown is not None
        assert "Keep" not in shown, page


@pytest.mark.parametrize("seed", range(6))
def test_no_page_changes_with_what_its_seat_may_not_know(seed: int) -> None:
    state = looking()
    other = dealt_anew(state, Random(seed))
    assert other != state
    assert GAME.hide(other) == GAME.hide(state)
    desk = Desk(state)
    pages = Pages(cast(Table, desk), None, 8080)
    shown = [(f"play/{seat}", PEOPLE[seat]) for seat in FOUR[1:]]
    shown += [("play/green/at/car:2", PEOPLE["green"]), ("play/green/at/car:4", PEOPLE["green"])]
    for page, person in [*shown, ("table", ""), ("people", "")]:
        desk.state = state
        pages.changed(1)
        before = pages.live(page, person)
        desk.state = other
        pages.changed(2)
        after = pages.live(page, person)
        assert before
        assert after
        assert after.replace('data-revision="2"', 'data-revision="1"') == before, page


def test_the_host_who_stands_in_is_offered_all_that_the_cards_may_be() -> None:
    """Blue is the host: Red's phone is away, and what Red looks at is Red's own secret."""
    pages = Pages(cast(Table, Desk(looking())), None, 8080)
    shown = pages.live("play/blue", PEOPLE["blue"])
    assert shown is not None
    assert shown.count("Red: Keep ") > 20


def test_who_does_not_sit_there_sees_no_page_of_a_seat() -> None:
    pages = Pages(cast(Table, Desk(looking())), None, 8080)
    for page in ("play/red", "play/red/at/car:1"):
        for person in ("", "nobody", *(PEOPLE[seat] for seat in FOUR[1:])):
            shown = pages.live(page, person)
            assert shown is not None
            assert "not yours" in shown
            assert "Strongbox" not in shown
