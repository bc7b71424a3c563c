"""How Hachi Train's pages look on phones and on the wall: nothing cut off, too small or unreadable."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from companion.games.game import Shuffled
from companion.games.hachi_train import GAME
from companion.games.hachi_train.actions import KeepHand, Play
from companion.games.hachi_train.cards import SPECIAL_CARS, train_cars
from companion.games.hachi_train.state import SEATS, State
from companion.games.layout import UNKNOWN
from companion.messages import Draw
from tests.rules.hachi_games import house as pack
from tests.rules.hachi_positions import do, position
from tests.web.conftest import Phone
from tests.web.hachi_players import PEOPLE, choose_cards, enter, put_in, uncover
from tests.web.house import House
from tests.web.players import let_pass, settle, shows, stop_clock, tap
from tests.web.test_hellrail_looks import looked_at
from tests.web.test_looks import PHONES, WALL, WALLS
from tests.web.test_serving import get

FOUR = SEATS[:4]


def dealing() -> State:
    return GAME.setup(FOUR, pack(), {})


def lots() -> State:
    return do(dealing(), Shuffled(train_cars(4)), Shuffled(SPECIAL_CARS))


def turn(**more: Any) -> State:
    """Red is to beat two 5s, holds a long hand, and the others have done this and that."""
    usual: dict[str, Any] = {
        "hands": {"red": ("7", "7", "3", "5/6", "6", "6", "1", "3/4", "4", "2", "8")},
        "field": ["5", "5/6"],
        "rank": 5,
        "by": "green",
        "passed": ["yellow"],
        "gone": ["blue"],
        "players": 4,
        "deck": 3,
        "match": 2,
    }
    return position(**(usual | more))


def bare() -> State:
    """Red has just begun to keep the hand, as it was dealt."""
    return position(hands={"red": (UNKNOWN,) * 8}, kept=["red"], players=4, deck=8)


def taken() -> State:
    return do(turn(kept=["red"]), Play("red", 6, ("5/6", "6", "6"), (3, 4, 5)))


def over() -> State:
    last = position(
        hands={"red": ("8",)}, gone=["blue", "green"], players=4, match=4, assets=(200, 100, 100, 100)
    )
    return do(last, Play("red", 8, ("8",)))


def chosen(page: Page) -> None:
    choose_cards(page, (3, 4, 5))


Do = Callable[[Page], Any]

SCENES: dict[str, tuple[Callable[[], State], str, Do | None]] = {
    "dealing": (dealing, "", None),
    "lots": (lots, "", None),
    "turn": (turn, "", None),
    "group": (turn, "do/play-7s", None),
    "covered": (lambda: turn(kept=["red"]), "", None),
    "hand": (lambda: turn(kept=["red"]), "", uncover),
    "chosen": (lambda: turn(kept=["red"]), "", chosen),
    "entering": (bare, "", uncover),
    "where": (taken, "", uncover),
    "over": (over, "", None),
}


@pytest.mark.parametrize("name", SCENES)
def test_each_page_is_fit_for_a_small_phone(name: str, tmp_path: Path, phone: Phone, shots: Path) -> None:
    of, path, prepare = SCENES[name]
    state = at_a_table(of())
    with House(tmp_path, game=GAME, position=state) as house:
        page = phone(small=True)
        address = f"/play/red/{path}".rstrip("/")
        house.visit(page, address, PEOPLE["red"])
        settle(page)
        assert page.url == house.url(address)
        if prepare is not None:
            prepare(page)
        found = looked_at(page, PHONES, shots / f"hachi-{name}")
        page.set_viewport_size({"width": 360, "height": 640})
        expect(page.locator(".turn .prompt")).to_be_in_viewport(ratio=1)
        if name == "hand":
            expect(page.locator(".held li").last).to_be_in_viewport(ratio=1)
        if name == "chosen":
            play = page.get_by_role("button", name="Play 5/6, 6 and 6 as three 6s")
            expect(play).to_be_in_viewport(ratio=1)
    assert not found, "\n".join(found)


def at_a_table(state: State) -> State:
    """The state as a table has it: nothing is known of hands that nobody keeps, nor of the deck."""
    blank = GAME.hide(state)
    hands = zip(state.kept, state.hands, blank.hands, strict=True)
    return replace(blank, hands=tuple(own if kept else unknown for kept, own, unknown in hands))


@pytest.mark.parametrize("name", ["turn", "over"])
def test_the_wall_tells_from_afar(name: str, tmp_path: Path, phone: Phone, shots: Path) -> None:
    with House(tmp_path, game=GAME, position=at_a_table(SCENES[name][0]())) as house:
        page = phone(**WALL)
        house.visit(page, "/table")
        settle(page)
        found = looked_at(page, WALLS, shots / f"hachi-wall-{name}")
        page.set_viewport_size({"width": 1920, "height": 1080})
        for part in (".turn .prompt", ".lying-words", ".around li >> nth=-1", ".corner .qr"):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
        if name == "turn":
            assert page.locator(".lying .face").count() == 2
            told = page.locator(".around li").all_inner_texts()
            assert "out first" in told[1]
            assert "played last" in told[2]
            assert "passed" in told[3]
            beaten = "Beaten by two 6s or higher or three 1s or more."
            expect(page.locator(".lying-words")).to_contain_text(beaten)
    assert not found, "\n".join(found)


# -- the hand on the phone ---------------------------------------------------------------------------


def test_a_hand_is_entered_in_nine_taps_and_played_from(tmp_path: Path, phone: Phone) -> None:
    cards = ("5", "5", "2", "8", "1", "3", "7", "7")
    with House(tmp_path, game=GAME, position=bare()) as house:
        page = phone(small=True)
        house.visit(page, "/play/red", PEOPLE["red"])
        hand = uncover(page)
        for card in ("5", "5", "6"):
            hand.locator(f"[data-key='{card}']").tap()
        hand.locator("[data-free='6']").tap()  # a slip
        expect(hand.locator("[data-enter]")).to_have_text("Enter these 2, 6 later")
        # What others do meanwhile takes nothing away.
        assert house.do(PEOPLE["blue"], KeepHand("blue")).status == "done"
        shows(page, house)
        enter(page, cards[2:])
        assert house.table.state.hands[0] == cards
        shows(page, house)
        choose_cards(page, (6, 7))
        expect(hand.get_by_role("button", name="Play two 7s")).to_be_visible()
        expect(hand.locator(".hand-plays button:visible")).to_have_count(1)
        choose_cards(page, (0,))  # does not go with them: a new choice
        expect(hand.get_by_role("button", name="Play a 5")).to_be_visible()
        choose_cards(page, (1,))
        tap(page, hand.get_by_role("button", name="Play two 5s"))
        assert house.table.state.field == ("5", "5")
        assert house.table.state.hands[0] == cards[2:]


def test_a_special_car_is_declared_and_a_drawn_one_put_in_by_a_tap_each(tmp_path: Path, phone: Phone) -> None:
    state = at_a_table(turn(hands={"red": ("7/8", "3")}, kept=["red"], field=["5"], rank=5))
    with House(tmp_path, game=GAME, position=state) as house:
        page = phone(small=True)
        house.visit(page, "/play/red", PEOPLE["red"])
        choose_cards(page, (0,))
        plays = page.locator(".hand-plays button:visible")
        expect(plays).to_have_count(2)
        assert "as a 7" in plays.nth(0).inner_text()
        assert "as an 8" in plays.nth(1).inner_text()
        tap(page, page.locator("footer").get_by_role("button", name="Pass"))
        settle(page)
        enter(page, ("1/2",))
        put_in(page, 1)
        assert house.table.state.hands[0] == ("7/8", "1/2", "3")
        tap(page, uncover(page).get_by_role("button", name="Undo what you said last of your hand"))
        assert house.table.state.loose[0] == 1


def test_the_hand_is_covered_until_it_is_wanted_and_covers_itself(tmp_path: Path, phone: Phone) -> None:
    state = at_a_table(turn(kept=["red"]))
    with House(tmp_path, game=GAME, position=state) as house:
        page = phone(small=True)
        stop_clock(page)
        house.visit(page, "/play/red", PEOPLE["red"])
        card = page.locator(".held .face").first
        expect(card).to_be_hidden()
        uncover(page)
        expect(card).to_be_visible()
        # Nobody touches it for a while.
        let_pass(page, 31_000)
        expect(card).to_be_hidden()
        # A finger that stays on it sees it, and no longer than that.
        box = page.locator("#guard > summary").bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 40, box["y"] + 20)
        page.mouse.down()
        let_pass(page, 300)
        expect(card).to_be_visible()
        page.mouse.up()
        expect(card).to_be_hidden()


def test_without_scripts_a_hand_is_entered_card_by_card_and_every_play_is_a_button(
    tmp_path: Path, phone: Phone
) -> None:
    with House(tmp_path, game=GAME, position=bare()) as house:
        page = phone(small=True, java_script_enabled=False)
        house.let_in(page, PEOPLE["red"])
        page.goto(house.url("/play/red"))
        page.locator("#guard > summary").click()
        page.locator("[data-key='5']").click()
        page.wait_for_load_state()
        assert house.table.state.hands[0] == ("5", *(UNKNOWN,) * 7)
        page.locator("#guard > summary").click()
        page.locator(".hand-plays").get_by_role("button", name="Play a 5").click()
        page.wait_for_load_state()
        assert house.table.state.field == ("5",)


def test_lots_are_drawn_by_the_table_or_told(tmp_path: Path, phone: Phone) -> None:
    with House(tmp_path, game=GAME, position=at_a_table(lots())) as house:
        page = phone(small=True)
        house.visit(page, "/play/red", PEOPLE["red"])
        tap(page, page.get_by_role("button", name="Draw lots"))
        assert house.table.state.phase == "turn"
        assert house.table.state.turn in range(4)


def test_an_emulated_table_shows_ones_cards_and_throws_no_lots(tmp_path: Path) -> None:
    with House(tmp_path, game=GAME, seed=3) as house:
        house.seat(red="Anna", blue="Ben", green="Clara")
        house.start()
        house.shuffled()
        house.shuffled()
        page = get(house, "/play/red", "anna").body.decode()
        assert "Draw lots" in page
        assert "Throw the" not in page
        assert house.ask("anna", Draw()).status == "done"
        page = get(house, "/play/red", "anna").body.decode()
        assert "Your cards" in page
        assert page.count('class="tile"') == 8
