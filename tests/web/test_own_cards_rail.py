"""Owners of Rail Raiders Infinite count and enter their cards on a small phone, before and in a game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion import games, packs
from companion.games.game import AwaitedDice, AwaitedShuffle
from companion.games.rail_raiders_infinite.actions import Board
from companion.games.rail_raiders_infinite.packs.pack import Pack
from companion.games.rail_raiders_infinite.packs.vocabulary import Effect
from companion.games.rail_raiders_infinite.state import CarCard, Card
from tests.web.conftest import Phone
from tests.web.house import House
from tests.web.players import tap
from tests.web.test_own_cards import alert, choose, jpeg, looks, photograph, send

RAIDERS = games.load("rail_raiders_infinite")


@pytest.fixture
def own(tmp_path: Path) -> Iterator[House]:
    """A table that plays an owner's pack in which nothing is counted; Anna and Ben sit at it."""
    with House(tmp_path, game=RAIDERS, pack="owner") as house:
        house.seat(red="Anna", blue="Ben")
        yield house


def kept(house: House) -> Pack:
    pack: Pack = packs.load(RAIDERS, str(house.folder / "packs/rail_raiders_infinite/owner.toml"))
    return pack


def count(page: Page, what: str, card: str, times: int) -> None:
    for _ in range(times):
        page.get_by_role("button", name=f"{what}: {card}", exact=True).tap()


def test_a_box_is_counted_and_entered_by_taps(own: House, phone: Phone, shots: Path) -> None:
    page = phone(small=True)
    found = []
    own.visit(page, "/cards", "anna")
    found += looks(page, shots / "raiders-box")

    # A deck is counted on one page.
    page.get_by_label("Loot", exact=True).get_by_role("link", name="Count them").tap()
    count(page, "One more", "Small Time", 4)
    count(page, "One more", "Haul", 1)
    count(page, "One fewer", "Haul", 1)
    count(page, "One more", "Score", 2)
    count(page, "One fewer", "Score", 3)
    expect(page.locator("[data-sum]")).to_have_text("4")
    found += looks(page, shots / "raiders-count")
    send(page, "Save")
    expect(page.get_by_role("heading", name="Saved")).to_be_visible()
    pack = kept(own)
    assert {card.name: card.copies for card in pack.loot if card.copies} == {"small_time": 4}
    assert pack.absent == {"loot": ("haul",)}

    # A card that is not known is entered with a photograph and words of what it does.
    own.visit(page, "/cards/loot/new")
    send(page, "Save")
    expect(alert(page)).to_contain_text("Still to be entered: the title.")
    page.locator("#title").fill("Brass Knuckles")
    page.locator("#words").fill("One more die in Showdowns, and an Ace costs them.")
    page.get_by_label("What it is").select_option(label="weapon")
    page.get_by_label("In your box").select_option("2")
    page.get_by_role("button", name="Remove: the table does what the words say").tap()
    page.wait_for_load_state()
    for do in ("dice", "hold_on"):
        page.get_by_label("One more").select_option(do)
        send(page, "Add this")
    page.get_by_label("In which rolls").select_option(label="Showdowns")
    choose(page, "faces.1", "K")
    choose(page, "faces.1", "A")
    choose(page, "breaks.1", "A")
    photograph(page, jpeg())
    found += looks(page, shots / "raiders-card")
    send(page, "Save")
    expect(page.get_by_role("heading", name="Saved")).to_be_visible()
    expect(page.get_by_label("Brass Knuckles as entered")).to_be_visible()
    found += looks(page, shots / "raiders-card-saved")
    card = kept(own).loot[-1]
    assert card == Card(
        "brass_knuckles",
        "Brass Knuckles",
        2,
        "One more die in Showdowns, and an Ace costs them.",
        "weapon",
        effects=(
            Effect("dice", when="showdown"),
            Effect("hold_on", faces=("K", "A"), breaks=("A",)),
        ),
    )
    folder = own.folder / "packs/rail_raiders_infinite/owner"
    assert [file.name for file in folder.iterdir()] == ["loot.brass_knuckles.jpg"]

    # There is no second one of that title.
    own.visit(page, "/cards/loot/new")
    page.locator("#title").fill("Brass knuckles")
    page.locator("#words").fill("Otherwise.")
    send(page, "Save")
    expect(alert(page)).to_contain_text("There is a card called “Brass knuckles” already.")
    assert kept(own).loot[-1] == card

    own.visit(page, "/cards/counts/raiders")
    page.get_by_label("Chuy").uncheck()
    found += looks(page, shots / "raiders-which")
    send(page, "Save")
    assert kept(own).absent["raiders"] == ("chuy",)
    assert not found, "\n".join(found)


def to_a_car(own: House) -> None:
    """Play until a train car is turned up, and nobody has entered any."""
    own.start("red", "blue")
    while True:
        view = own.view()
        assert view.awaiting is not None
        chance = view.awaiting.chance
        if isinstance(chance, AwaitedShuffle):
            answer = own.shuffled()
        elif isinstance(chance, AwaitedDice):
            faces = ("A",) * 5 if chance.seat == "red" else ("9", "9", "10", "J", "K")
            answer = own.do("anna", {"do": "rolled", "values": faces[: chance.count]})
        elif view.state.agenda[0].do == "turn_up" and view.state.agenda[0].card == "cars":
            return
        else:
            seat = view.awaiting.seats[0]
            legal = RAIDERS.legal(view.state, seat)
            boards = [action for action in legal if isinstance(action, Board) and action.car == 1]
            answer = own.do("anna", (boards or legal)[0])
        assert answer.status == "done", answer


def test_a_car_that_first_turns_up_in_a_game_is_entered_and_turned_up(own: House, phone: Phone) -> None:
    to_a_car(own)
    (seat,) = own.view().awaiting.seats  # type: ignore[union-attr]
    page = phone(small=True)
    own.visit(page, f"/play/{seat}", "anna" if seat == "red" else "ben")
    page.get_by_role("link", name="It is none of these: enter it").tap()
    expect(page.get_by_role("heading", name="New to the game")).to_be_visible()
    page.locator("#title").fill("Parlour Car")
    choose(page, "loot", "2")
    choose(page, "long_arm", "1")
    send(page, "Save")
    assert page.url == own.url(f"/play/{seat}")
    assert kept(own).cars[-1] == CarCard("parlour_car", "Parlour Car", 2, 1)
    button = page.get_by_role("button", name="Parlour Car")
    tap(page, button)
    expect(button).to_have_count(0)
    expect(page.get_by_text("Parlour Car").first).to_be_visible()
    assert "parlour_car" in own.view().state.train
