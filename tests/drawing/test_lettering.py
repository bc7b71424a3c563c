"""The letters: widths as in the fonts' own files, lines that fit."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageFont

from companion import fonts
from companion.games.lettering import DIGIT, FONTS, fitted, width_of, wrapped


@pytest.fixture(scope="module", params=FONTS)
def font(request: pytest.FixtureRequest) -> tuple[str, ImageFont.FreeTypeFont]:
    size = 1000
    file = ImageFont.truetype(BytesIO(fonts.data(request.param)), size, layout_engine=ImageFont.Layout.BASIC)
    return request.param, file


def test_every_letter_is_as_wide_as_in_the_file(font: tuple[str, ImageFont.FreeTypeFont]) -> None:
    name, file = font
    letters = [*map(chr, range(0x20, 0x7F)), *map(chr, range(0xA0, 0x17F)), *"–—‘’‚“”„•…€"]
    for letter in letters:
        if letter != "¤":
            assert width_of(letter, name, 1000) == pytest.approx(file.getlength(letter), abs=1), letter


def test_digits_are_as_high_as_said() -> None:
    file = ImageFont.truetype(BytesIO(fonts.data("number")), 1000, layout_engine=ImageFont.Layout.BASIC)
    for digit in "0123456789":
        _, top, _, bottom = file.getbbox(digit, anchor="ls")
        assert bottom - top == pytest.approx(1000 * DIGIT, abs=30)


def test_a_letter_that_no_font_has_counts_as_the_widest() -> None:
    assert width_of("漢", "text", 10) == max(width_of(letter, "text", 10) for letter in "漢WM…—Œ")


@given(st.text(max_size=200), st.floats(5, 80), st.floats(5, 80))
def test_fitted_words_fit_and_none_is_lost(words: str, width: float, height: float) -> None:
    size, lines = fitted(words, "text", 6.0, width, height)
    assert " ".join(lines).split() == words.split()
    assert size <= 6.0
    if size > 0.4:
        assert all(width_of(line, "text", size) <= width for line in lines)
        assert len(lines) * 1.15 * size <= height


def test_lines_are_as_long_as_they_may_be() -> None:
    lines = wrapped("one two three four", "text", 10, width_of("one two", "text", 10))
    assert lines == ("one two", "three", "four")
