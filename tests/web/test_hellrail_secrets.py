"""HellRail's pages tell no secret, and are light and quick however full the table is."""

from __future__ import annotations

import time
from random import Random
from typing import Any, cast

import pytest
from msgspec.structs import replace

from companion import packs
from companion.games.hellrail.state import Rail
from companion.messages import LogLine, View
from companion.table import Table
from companion.views import Snapshot, stand_in, view
from tests.web.house import HELLRAIL
from tests.web.rail_players import PEOPLE, SEATS, reached
from tests.web.test_hellrail_looks import position, several
from web_ui.pages import Pages
from web_ui.where import Where


class Desk:
    """Shows a state that is wholly known: harder than a real table, which knows no hidden card at all."""

    game = HELLRAIL
    pack = packs.load(HELLRAIL, "house")
    cards = None

    def __init__(self, state: Any, host: str = "anna") -> None:
        self.state, self.host = state, host

    def view(self, person: str, seat: str = "") -> View:
        return view(self._snapshot(person), person, seat)

    def _snapshot(self, person: str) -> Snapshot:
        return Snapshot(
            game=HELLRAIL,
            people={person: person.capitalize() for person in PEOPLE.values()},
            host=self.host,
            seats=PEOPLE,
            playing=SEATS,
            state=self.state,
            log=(LogLine(1, "A game begins."),),
        )

    def stand_in(self, person: str, seat: str) -> View:
        return stand_in(self._snapshot(person), person, seat)


def played(seed: int) -> Any:
    """A turn in the middle of a game, every card known."""

    def true(state: Any) -> bool:
        turn = state.phase == "actions" and not state.owed and len(state.rails) > 3
        return bool(turn and state.hands[state.turn])

    return reached(true, seed)


def dealt_anew(state: Any, seat: str, chance: Random) -> Any:
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
        buried=tuple(sorted(deal(len(state.buried)))),
        hands=tuple(
            hand if number == own else tuple(sorted(deal(len(hand))))
            for number, hand in enumerate(state.hands)
        ),
    )


@pytest.mark.parametrize("seed", range(12))
def test_no_page_changes_with_what_its_seat_may_not_know(seed: int) -> None:
    state = played(seed)
    desk = Desk(state)
    pages = Pages(cast(Table, desk), None, 8080)
    seat = state.seats[state.turn]
    own = Where(seat)
    cards = HELLRAIL.prompt(state, seat).cards
    shown = [(own, seat), (replace(own, choosing=True), seat)]
    shown += [(own.of_card(cards[0]), seat), (own.of_card(cards[0]).to("Lay"), seat)]
    shown += [(Where(other), other) for other in SEATS if other != seat]
    for page, who in [*((at.page, who) for at, who in shown), ("table", "")]:
        desk.state = state
        pages.changed(1)
        before = pages.live(page, PEOPLE.get(who, ""))
        desk.state = dealt_anew(state, who, Random(seed))
        assert desk.state != state
        pages.changed(2)
        after = pages.live(page, PEOPLE.get(who, ""))
        assert before
        assert after
        assert after.replace('data-revision="2"', 'data-revision="1"') == before, page


@pytest.mark.parametrize("seed", range(12))
def test_the_hosts_pages_for_another_seat_tell_no_more_than_the_table_shows(seed: int) -> None:
    state = played(seed)
    seat = state.seats[state.turn]
    desk = Desk(state, host=PEOPLE[next(other for other in SEATS if other != seat)])
    pages = Pages(cast(Table, desk), None, 8080)
    own = Where(seat, stand_in=True)
    card = HELLRAIL.prompt(HELLRAIL.hide(state), seat).cards[seed]
    for at in (replace(own, choosing=True), own.of_card(card), own.of_card(card).to("Lay")):
        desk.state = state
        pages.changed(1)
        before = pages.live(at.page, desk.host)
        desk.state = dealt_anew(state, "", Random(seed))
        assert desk.state.hands != state.hands
        pages.changed(2)
        after = pages.live(at.page, desk.host)
        assert before
        assert after
        assert "did it" in before
        assert after.replace('data-revision="2"', 'data-revision="1"') == before, at.page
        for person in ("", "nobody", *(who for who in PEOPLE.values() if who != desk.host)):
            shown = pages.live(at.page, person)
            assert shown is not None
            assert "not yours" in shown
            assert card not in shown


def test_the_pages_of_a_seat_are_its_own() -> None:
    state = played(3)
    seat = state.seats[state.turn]
    pages = Pages(cast(Table, Desk(state)), None, 8080)
    card = HELLRAIL.prompt(state, seat).cards[0]
    for page in (f"play/{seat}", f"play/{seat}/cards", f"play/{seat}/card/{card}"):
        for person in ("", "nobody", *(who for other, who in PEOPLE.items() if other != seat)):
            shown = pages.live(page, person)
            assert shown is not None
            assert "not yours" in shown
            assert card not in shown


# -- light and quick -------------------------------------------------------------------------------


def full() -> Any:
    """A board with as many Rail Cards as can be, as a table knows it."""
    state = position("busy")
    chance = Random(5)
    names = [card.name for card in state.edition.rails]
    chance.shuffle(names)
    taken = {circle.cell for circle in state.circles}
    cells = [(column, row) for column in range(11) for row in range(8) if (column, row) not in taken][:42]
    rails = [
        Rail(cell, name, chance.choice((0, 90, 180, 270))) for cell, name in zip(cells, names, strict=False)
    ]
    nothing: tuple[tuple[str, ...], ...] = ((),) * 3
    return replace(
        state,
        rails=tuple(sorted(rails)),
        engines=tuple(
            replace(state.engines[0], cell=circle.cell, segment="", tie=0, facing="")
            for circle in state.circles[1:4]
        ),
        hands=(("?",), ("?",), ("?",)),
        loaded=nothing,
        delivered=nothing,
        deck=(),
        discard=(),
        buried=(),
        top="",
    )


def test_pages_are_light_and_quick_on_a_full_board() -> None:
    state = full()
    seat = state.seats[state.turn]
    pages = Pages(cast(Table, Desk(state)), None, 8080)
    own = Where(seat)
    card = own.of_card(HELLRAIL.prompt(state, seat).cards[0])
    lay = HELLRAIL.prompt(state, seat, card.card).choices
    place = several(lay, "Lay")
    addresses = [
        own,
        replace(own, choosing=True),
        card,
        card.to("Lay"),
        card.to("Upgrade"),
        card.to("Lay").at(place),
    ]
    revision = 0
    for page in [*(at.page for at in addresses), "table"]:
        took = []
        for _ in range(5):
            revision += 1
            pages.changed(revision)
            began = time.process_time()
            html = pages.live(page, PEOPLE[seat])
            took.append(time.process_time() - began)
            assert html is not None
            assert 1000 < len(html.encode()) < 60_000, page
        assert min(took) < 0.05, page
