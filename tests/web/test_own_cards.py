"""Owners enter their own cards on a small phone: before a game, and when a card first turns up in one."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from companion import packs
from companion.games.game import Shuffled
from companion.games.hellrail.entering import EnterCircle, EnterRail, put
from companion.games.hellrail.pack import Pack, to_toml
from companion.games.hellrail.state import Step
from companion.games.layout import UNKNOWN
from companion.messages import Enter
from tests.table.test_own_cards import raw
from tests.web.conftest import Phone
from tests.web.house import HELLRAIL, House
from tests.web.players import settle, shoot, shows, tap
from tests.web.test_looks import PHONES, faults
from web_ui import photographs

R17 = ("value", "7"), ("brimstone", "2"), ("pickup", "3"), ("setout", "G")


@pytest.fixture
def own(tmp_path: Path) -> Iterator[House]:
    """A table that plays an owner's pack with nothing entered; Anna and Ben sit at it."""
    with House(tmp_path, game=HELLRAIL, pack="owner") as house:
        house.seat(red="Anna", blue="Ben")
        yield house


def kept(house: House) -> Pack:
    pack: Pack = packs.load(HELLRAIL, str(house.folder / "packs/hellrail/owner.toml"))
    return pack


def rail(house: House, name: str) -> Any:
    return next(card for card in kept(house).rails if card.name == name)


def circle(house: House, name: str) -> Any:
    return next(card for card in kept(house).circles if card.name == name)


def choose(page: Page, name: str, value: str) -> None:
    page.locator(f"label:has(input[name='{name}'][value='{value}'])").tap()


def send(page: Page, button: str) -> None:
    """Tap a button of the form, and see the page that comes of it."""
    page.evaluate("() => (window.old = true)")
    page.get_by_role("button", name=button, exact=True).tap()
    page.wait_for_function("() => !window.old && document.readyState === 'complete'")


def fill_in_r17(page: Page) -> None:
    for name, value in R17:
        choose(page, name, value)
    choose(page, "track", "NE")
    choose(page, "track", "NS")


def alert(page: Page) -> Locator:
    return page.locator("#faults")


def looks(page: Page, shot: Path) -> list[str]:
    found = []
    for number, (width, height, light) in enumerate(PHONES):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=light)
        page.wait_for_timeout(100)
        shoot(page, f"{shot}-{number}.png", whole=True)
        found += [f"{width} x {height}, {light}: {fault}" for fault in faults(page)]
    return found


# Rail Cards


def test_a_rail_card_is_entered_by_taps_and_drawn(own: House, phone: Phone) -> None:
    page = phone(small=True)
    own.visit(page, "/cards", "anna")
    assert "0 of 55 entered" in page.locator("h1").inner_text()
    page.get_by_role("link", name="r17", exact=True).tap()
    fill_in_r17(page)
    page.get_by_text("More: ties that two rails share").tap()
    page.locator("select[name='shared.N']").select_option("1")
    send(page, "Save")
    card = rail(own, "r17")
    assert (card.value, card.brimstone, card.pickup, card.setout) == (7, 2, "3", "G")
    assert (card.track, card.shared) == (("NE3", "NS4"), {"N": 1})
    expect(page.get_by_role("heading", name="Saved")).to_be_visible()
    expect(page.get_by_label("Rail Card r17 as entered")).to_be_in_viewport()
    page.get_by_role("link", name="Next: r01").tap()
    expect(page.locator("h1")).to_have_text("Rail Card r01")
    own.visit(page, "/cards")
    assert "1 of 55 entered" in page.locator("h1").inner_text()


def test_what_is_wrong_is_told_and_nothing_that_was_typed_is_lost(own: House, phone: Phone) -> None:
    page = phone(small=True)
    own.visit(page, "/cards/rail/r17", "anna")
    choose(page, "value", "7")
    choose(page, "track", "EW")
    page.locator("select[name='ties.EW']").select_option("6")
    send(page, "Save")
    expect(alert(page)).to_contain_text("Still to be entered: Pickup Circle, Setout Circle, Brimstone Value.")
    expect(page.locator("input[name='value'][value='7']")).to_be_checked()
    expect(page.locator("input[name='track'][value='EW']")).to_be_checked()
    expect(page.locator("select[name='ties.EW']")).to_have_value("6")
    expect(page.get_by_label("Rail Card r17 as entered")).to_be_visible()
    assert rail(own, "r17").value == 0
    for name, value in R17[1:]:
        choose(page, name, value)
    send(page, "Save")
    assert (rail(own, "r17").value, rail(own, "r17").track) == (7, ("EW6",))


def test_a_card_that_somebody_else_has_entered_meanwhile_is_not_overwritten_unseen(
    own: House, phone: Phone
) -> None:
    page = phone(small=True)
    own.visit(page, "/cards/rail/r17", "anna")
    fill_in_r17(page)
    now = HELLRAIL.owned.present(own.table.pack, "rail", "r17")  # type: ignore[union-attr]
    theirs = EnterRail(next(card for card in house_pack().rails if card.name == "r17"))
    assert own.ask("ben", Enter(raw(theirs), raw(now))).status == "done"
    send(page, "Save")
    expect(alert(page)).to_contain_text("Somebody has entered this card meanwhile")
    assert rail(own, "r17") == theirs.card
    expect(page.locator("input[name='value'][value='7']")).to_be_checked()
    send(page, "Save")
    assert rail(own, "r17").value == 7


def test_who_has_not_said_a_name_is_told_so_and_keeps_what_was_typed(own: House, phone: Phone) -> None:
    page = phone(small=True)
    own.visit(page, "/cards/rail/r17")
    fill_in_r17(page)
    send(page, "Save")
    expect(alert(page)).to_contain_text("Say your name first")
    expect(page.locator("input[name='setout'][value='G']")).to_be_checked()


# Circles


def test_a_circle_is_entered_in_ones_own_words_and_the_table_does_it(own: House, phone: Phone) -> None:
    page = phone(small=True)
    own.visit(page, "/cards/circle/5", "anna")
    page.get_by_label("Title, if it has one").fill("Wrath")
    page.get_by_label("Its Effect, in your own words").fill("Turn the\nnearest card.")
    choose(page, "sides", "W")
    send(page, "Save")
    card = circle(own, "5")
    assert (card.title, card.sides, card.words) == ("Wrath", "NES", "Turn the nearest card.")
    assert card.steps == (Step("table", words="Turn the nearest card."),)


def test_an_effect_is_put_together_from_steps_and_a_form_without_scripts_does_it(
    own: House, phone: Phone
) -> None:
    page = phone(small=True, java_script_enabled=False)
    own.let_in(page, "anna")
    page.goto(own.url("/cards/circle/6"))
    words = page.get_by_label("Its Effect, in your own words")
    words.fill("Take a chip. An opponent discards two.")
    page.get_by_role("button", name="Remove step 2").tap()
    expect(page.get_by_role("button", name="Remove step 2")).to_have_count(0)
    page.get_by_label("One more").select_option("discard")
    page.get_by_role("button", name="Add this step").tap()
    page.locator("select[name='who.1']").select_option("opponent")
    page.locator("select[name='count.1']").select_option("2")
    page.locator("input[name='optional.1']").check()
    expect(words).to_have_value("Take a chip. An opponent discards two.")
    page.get_by_role("button", name="Save").tap()
    expect(page.get_by_role("heading", name="Saved")).to_be_visible()
    assert circle(own, "6").steps == (
        Step("gain", what="chip"),
        Step("discard", "opponent", 2, optional=True),
    )


def test_what_the_rulebook_gives_at_a_circle_is_not_left_out(own: House, phone: Phone) -> None:
    page = phone(small=True)
    own.visit(page, "/cards/circle/1", "anna")
    page.get_by_label("Its Effect, in your own words").fill("Take a ticket.")
    send(page, "Remove step 1")
    send(page, "Save")
    expect(alert(page)).to_contain_text("By the rulebook Circle 1 gives a ticket")
    expect(page.get_by_label("Its Effect, in your own words")).to_have_value("Take a ticket.")


# Photographs


def jpeg(width: int = 900, height: int = 600, **more: Any) -> bytes:
    whole = io.BytesIO()
    Image.linear_gradient("L").resize((width, height)).convert("RGB").save(whole, "JPEG", **more)
    return whole.getvalue()


def photograph(page: Page, content: bytes) -> None:
    page.set_input_files(
        "input[type=file]", {"name": "card.jpg", "mimeType": "image/jpeg", "buffer": content}
    )


def test_a_photograph_is_kept_and_shown_even_where_the_card_is_not_yet_complete(
    own: House, phone: Phone
) -> None:
    page = phone(small=True)
    own.visit(page, "/cards/rail/r17", "anna")
    choose(page, "value", "7")
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned by a quarter
    exif[0x010F] = "maker of the phone"
    photograph(page, jpeg(3000, 2000, exif=exif.tobytes(), quality=95))
    send(page, "Save")
    expect(alert(page)).to_contain_text("Still to be entered")
    expect(page.locator("input[name='value'][value='7']")).to_be_checked()
    shown = page.get_by_alt_text("Rail Card r17 as it was photographed")
    expect(shown).to_be_visible()
    assert shown.evaluate("(img) => img.complete && img.naturalHeight > img.naturalWidth")
    file = own.folder / "packs/hellrail/owner/r17.jpg"
    with Image.open(file) as found:
        assert (found.format, found.size) == ("JPEG", (1067, 1600))
        assert len(found.getexif()) == 0
    assert [path.name for path in file.parent.iterdir()] == ["r17.jpg"]


def test_a_circles_photograph_has_a_name_that_no_rail_card_has(own: House, phone: Phone) -> None:
    page = phone(small=True)
    own.visit(page, "/cards/circle/5", "anna")
    photograph(page, jpeg())
    send(page, "See it drawn")
    assert [path.name for path in (own.folder / "packs/hellrail/owner").iterdir()] == ["circle.5.jpg"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff\xd8 no picture at all", "This is no photograph that can be read"),
        (jpeg()[:4000], "This is no photograph that can be read"),
        (jpeg(90, 60), "90 x 60 pixels, which is too few"),
    ],
)
def test_what_is_no_photograph_is_refused_and_nothing_that_was_typed_is_lost(
    own: House, phone: Phone, content: bytes, words: str
) -> None:
    page = phone(small=True)
    own.visit(page, "/cards/rail/r17", "anna")
    fill_in_r17(page)
    photograph(page, content)
    send(page, "Save")
    expect(alert(page)).to_contain_text(words)
    expect(page.locator("input[name='pickup'][value='3']")).to_be_checked()
    assert not (own.folder / "packs/hellrail/owner").exists()
    send(page, "Save")
    assert rail(own, "r17").value == 7


def test_a_picture_of_more_pixels_than_fit_into_memory_is_refused_before_it_is_read() -> None:
    whole = io.BytesIO()
    Image.new("1", (8000, 8000)).save(whole, "PNG")
    with pytest.raises(photographs.BadPhotograph, match="8000 x 8000 pixels, which is too many"):
        photographs.plain(io.BytesIO(whole.getvalue()))


def test_a_body_larger_than_a_photograph_is_refused(own: House, phone: Phone) -> None:
    page = phone(small=True)
    own.let_in(page, "anna")
    page.goto(own.url("/cards/rail/r17"))
    content = b"\xff\xd8" + bytes(photographs.LARGEST)
    response = page.request.post(
        own.url("/cards/rail/r17"),
        multipart={"photograph": {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": content}},
    )
    assert response.status == 413
    assert "The photograph is larger than 16 MB" in response.text()
    assert not (own.folder / "packs/hellrail/owner").exists()


def test_a_photograph_is_taken_in_whatever_lies_at_the_ends_of_its_pieces(own: House, phone: Phone) -> None:
    # The reader of forms keeps back a line's end at the end of a piece: it may be that of the file.
    page = phone(small=True)
    own.visit(page, "/cards/rail/r17", "anna")
    photograph(page, jpeg() + b"\n" * 500_000)
    send(page, "See it drawn")
    assert (own.folder / "packs/hellrail/owner/r17.jpg").exists()


def test_another_sites_page_enters_nothing(own: House, phone: Phone) -> None:
    page = phone(small=True)
    own.let_in(page, "anna")
    response = page.request.post(
        own.url("/cards/rail/r17"), form={"value": "7"}, headers={"Origin": "http://elsewhere.example"}
    )
    assert response.status == 403


@pytest.mark.parametrize("path", ["rail/r99", "rail/..", "circle/r17", "engine/red", "rail/r99/photograph"])
def test_there_is_no_form_for_what_is_no_card(own: House, phone: Phone, path: str) -> None:
    page = phone(small=True)
    assert page.request.get(own.url(f"/cards/{path}")).status == 404


# In a game


def house_pack() -> Pack:
    pack: Pack = packs.load(HELLRAIL, "house")
    return pack


def begin(house: House) -> None:
    """Anna's first turn, in a game of which only the Gate is known."""
    gate = EnterCircle(next(card for card in house_pack().circles if card.name == "G"))
    now = HELLRAIL.owned.present(house.table.pack, "circle", "G")  # type: ignore[union-attr]
    assert house.ask("anna", Enter(raw(gate), raw(now))).status == "done"
    assert house.start("red", "blue").status == "done"
    assert house.do("anna", Shuffled((UNKNOWN,) * 45)).status == "done"
    for value in (6, 1):
        house.roll(value)


def test_a_card_that_first_turns_up_in_a_game_is_asked_for_and_then_played(own: House, phone: Phone) -> None:
    begin(own)
    page, ben = phone(small=True), phone(small=True)
    own.visit(page, "/play/red", "anna")
    own.visit(ben, "/play/blue", "ben")
    page.locator("footer a[href$='/play/red/cards']").tap()
    page.wait_for_url("**/play/red/cards")
    page.locator(".tiles a[href$='/card/r17']").first.tap()
    page.wait_for_url("**/cards/rail/r17?back=play/red/card/r17")
    expect(page.locator("h1")).to_have_text("New to the game")
    choose(page, "value", "7")
    send(page, "Save")
    expect(alert(page)).to_contain_text("Still to be entered")
    for name, value in R17[1:]:
        choose(page, name, value)
    choose(page, "track", "NS")
    page.get_by_role("button", name="Save", exact=True).tap()
    page.wait_for_url("**/play/red/card/r17")
    settle(page)
    assert "Value 7 = up to 7 ties" in page.locator(".of-card").inner_text()
    shows(ben, own)
    assert "Anna entered a card: rail r17." in ben.locator(".log").inner_text()
    fan = page.get_by_role("button", name="Fan the Flames with r17")
    tap(page, fan)
    assert own.table.state.top == "r17"
    own.restart()
    assert own.table.state.top == "r17"
    assert rail(own, "r17").value == 7


def test_who_only_looks_on_changes_no_photograph_while_a_game_runs(own: House, phone: Phone) -> None:
    begin(own)
    own.join("Clara")
    page = phone(small=True)
    own.visit(page, "/cards/rail/r17", "clara")
    photograph(page, jpeg())
    send(page, "See it drawn")
    expect(alert(page)).to_contain_text("Only those who sit at the table")
    assert not (own.folder / "packs/hellrail/owner").exists()


def test_a_card_that_is_known_is_not_asked_for(own: House, phone: Phone) -> None:
    begin(own)
    page = phone(small=True)
    own.visit(page, "/cards/rail/r17", "anna")
    fill_in_r17(page)
    send(page, "Save")
    own.visit(page, "/play/red/card/r17")
    assert page.url == own.url("/play/red/card/r17")


# How it looks


def test_each_page_is_fit_for_a_small_phone(own: House, phone: Phone, shots: Path) -> None:
    page = phone(small=True)
    found = []
    own.visit(page, "/cards", "anna")
    found += looks(page, shots / "own-cards")
    own.visit(page, "/cards/rail/r17")
    found += looks(page, shots / "own-rail")
    fill_in_r17(page)
    photograph(page, jpeg())
    send(page, "Save")
    found += looks(page, shots / "own-rail-saved")
    own.visit(page, "/cards/rail/r18")
    choose(page, "track", "NE")
    send(page, "Save")
    found += looks(page, shots / "own-rail-faulty")
    own.visit(page, "/cards/circle/6")
    for do in ("move_engine", "put_counter"):
        page.get_by_label("One more").select_option(do)
        send(page, "Add this step")
    found += looks(page, shots / "own-circle")
    own.visit(page, "/cards")
    found += looks(page, shots / "own-cards-some")
    assert not found, "\n".join(found)


def test_a_complete_pack_has_nothing_left_and_the_house_edition_nothing_to_enter(
    tmp_path: Path, phone: Phone, shots: Path
) -> None:
    file = tmp_path / "mine.toml"
    whole = put(house_pack(), EnterRail(house_pack().rails[0]))
    file.write_text(to_toml(whole), "utf-8")
    page = phone(small=True)
    with House(tmp_path / "one", game=HELLRAIL, pack=str(file)) as house:
        house.visit(page, "/cards")
        assert "55 of 55 entered" in page.locator("h1").inner_text()
        assert not looks(page, shots / "own-cards-all")
    with House(tmp_path / "two", game=HELLRAIL) as house:
        house.visit(page, "/cards")
        assert "--pack owner" in page.locator(".turn").inner_text()
        assert not faults(page)
        assert page.request.get(house.url("/cards/rail/r01")).status == 404
        house.visit(page, "/people")
        assert page.get_by_role("link", name="Your own cards").count() == 0
