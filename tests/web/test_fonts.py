"""Drawings on phones have the kit's own letters, which come from the table itself and are fetched once."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from companion import fonts as kit
from companion.games.lettering import FONTS, width_of
from tests.web.conftest import Phone
from tests.web.house import HELLRAIL, House
from tests.web.players import until
from tests.web.rail_players import PEOPLE, reached
from tests.web.test_serving import get
from web_ui.fonts import FAMILIES, files, style_sheet

WORDS = "The Gate, 9 to 37: Ring & Barrier"

LOADED = "() => [...document.fonts].filter((font) => font.status === 'loaded').map((font) => font.family)"

WIDTH = """async ([family, words]) => {
  await document.fonts.load(`10px "${family}"`);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `100px "${family}", monospace`;
  pen.fontKerning = "none";
  return pen.measureText(words).width;
}"""

FETCHED = """() => performance.getEntriesByType("resource")
  .filter((fetched) => new URL(fetched.name).pathname.startsWith("/fonts/"))
  .map((fetched) => [new URL(fetched.name).pathname, fetched.transferSize])"""


def test_the_picture_has_the_letters_of_the_kit_and_they_are_fetched_once(
    tmp_path: Path, phone: Phone
) -> None:
    state = reached(lambda state: state.phase == "actions")
    with House(tmp_path, game=HELLRAIL, position=HELLRAIL.hide(state)) as house:
        page = phone()
        house.visit(page, "/play/red", PEOPLE["red"])
        # What no drawing of the page has words in is not fetched.
        until(page, f"() => ({LOADED})().length > 0")
        assert [family.strip('"') for family in page.evaluate(LOADED)] == [FAMILIES["number"]]
        first = dict(page.evaluate(FETCHED))
        assert sorted(first) == sorted([style_sheet(), *(f"/fonts/{n}" for n in files() if "number" in n)])
        assert all(first.values())
        house.visit(page, "/table")
        until(page, f"() => ({LOADED})().length > 0")
        assert dict(page.evaluate(FETCHED)) == dict.fromkeys(first, 0)


def test_each_font_is_as_wide_as_the_drawings_reckon(house: House, phone: Phone) -> None:
    page = phone()
    house.visit(page, "/")
    for font in FONTS:
        wide = page.evaluate(WIDTH, [FAMILIES[font], WORDS])
        assert wide == pytest.approx(width_of(WORDS, font, 100), rel=0.005)


def test_fonts_are_the_kits_and_may_be_kept_for_ever(house: House) -> None:
    by_font = {name.partition("-")[0]: name for name in files() if name.endswith(".ttf")}
    assert by_font.keys() == set(FONTS)
    for font, name in by_font.items():
        reply = get(house, f"/fonts/{name}")
        assert reply.headers["Content-Type"] == "font/ttf"
        assert "immutable" in reply.headers["Cache-Control"]
        assert gzip.decompress(reply.body) == kit.data(font)
    sheet = get(house, style_sheet())
    assert sheet.headers["Content-Type"] == "text/css; charset=utf-8"
    for name in by_font.values():
        assert f'url("/fonts/{name}")' in gzip.decompress(sheet.body).decode()


def test_there_is_no_other_font(house: House) -> None:
    for name in ("number.ttf", "..%2f__init__.py", "title-000000000000.ttf"):
        assert get(house, f"/fonts/{name}").status == 404
