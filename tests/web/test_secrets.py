"""Hidden means hidden: what a seat may not know changes no byte of its page."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import pytest
from msgspec.structs import replace

from companion import packs
from companion.chance import outcome
from companion.games.pawns_of_perdition.state import State
from companion.messages import LogLine, View
from companion.table import Table
from companion.views import Snapshot, view
from tests.web.house import GAME
from web_ui.pages import Pages

SEATS = ("red", "blue", "green")
PEOPLE = {"anna": "Anna", "ben": "Ben", "clara": "Clara"}


class Desk:
    """Shows a state that is wholly known: harder than a real table, which knows no hidden card at all."""

    game = GAME
    pack = packs.load(GAME, "house")
    cards = None

    def __init__(self, state: State) -> None:
        self.state = state

    def view(self, person: str, seat: str = "") -> View:
        snap = Snapshot(
            game=GAME,
            people=PEOPLE,
            host="anna",
            seats=dict(zip(SEATS, PEOPLE, strict=True)),
            playing=SEATS,
            state=self.state,
            log=(LogLine(1, "A game begins."),),
        )
        return view(snap, person, seat)


def some_state(seed: int) -> State:
    """A state in the middle of a game, every card known."""
    chance = Random(seed)
    state = GAME.setup(SEATS, Desk.pack, {})
    for _ in range(chance.randrange(5, 80)):
        if GAME.over(state):
            break
        awaited = GAME.awaiting(state)
        if awaited.chance is not None and (not awaited.seats or chance.random() < 0.7):
            action: Any = outcome(awaited.chance, chance)
        else:
            action = chance.choice([action for seat in SEATS for action in GAME.legal(state, seat)] or [None])
        if action is not None and GAME.refusal(state, action) is None:
            state = GAME.play(state, action)
    return cast(State, state)


def shuffled_but_for(state: State, seat: str, chance: Random) -> State:
    """The same state, with the cards that this seat cannot know dealt anew among their places."""
    own = state.seats.index(seat) if seat else -1
    hidden = [*state.deck, *state.buried]
    hidden += [card for number, hand in enumerate(state.hands) if number != own for card in hand]
    chance.shuffle(hidden)

    def deal(count: int) -> tuple[str, ...]:
        dealt = tuple(hidden[:count])
        del hidden[:count]
        return dealt

    return replace(
        state,
        deck=deal(len(state.deck)),
        buried=deal(len(state.buried)),
        hands=tuple(
            hand if number == own else tuple(sorted(deal(len(hand))))
            for number, hand in enumerate(state.hands)
        ),
    )


@pytest.mark.parametrize("seed", range(40))
def test_a_page_does_not_change_with_what_its_seat_may_not_know(seed: int) -> None:
    state = some_state(seed)
    desk = Desk(state)
    pages = Pages(cast(Table, desk), None, 8080)
    for page, person, seat in (
        ("play/red", "anna", "red"),
        ("play/green", "clara", "green"),
        ("table", "", ""),
        ("people", "ben", ""),
    ):
        desk.state = state
        pages.changed(1)
        before = pages.live(page, person)
        other = shuffled_but_for(state, seat, Random(seed))
        assert other != state
        desk.state = other
        pages.changed(2)
        after = pages.live(page, person)
        assert before is not None
        assert after is not None
        assert after.replace('data-revision="2"', 'data-revision="1"') == before


def test_a_seat_that_is_somebody_elses_is_not_shown() -> None:
    pages = Pages(cast(Table, Desk(some_state(3))), None, 8080)
    for person in ("ben", "", "nobody"):
        live = pages.live("play/red", person)
        assert live is not None
        assert "not yours" in live
        assert "Play a card" not in live
