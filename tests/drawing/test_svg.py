"""Drawings as SVG: well-formed, of true size, and the same picture as the pixels' one."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from companion.games.drawing import Circle, Drawing, Part, Placed, Text, marked, rectangle
from companion.games.hellrail.drawings.cards import circle_card, rail_card
from companion.games.lettering import width_of
from tests.drawing.house import hellrail_edition
from web_ui.svg import group, svg

SVG = "{http://www.w3.org/2000/svg}"
EDITION = hellrail_edition()


def parsed(drawing: Drawing, label: str = "") -> ElementTree.Element:
    return ElementTree.fromstring(svg(drawing, label))


@pytest.mark.parametrize(
    "drawing",
    [
        *(rail_card(EDITION, card.name) for card in EDITION.rails[::6]),
        *(circle_card(EDITION, circle.name) for circle in EDITION.circles),
    ],
)
def test_every_card_is_well_formed_and_of_true_size(drawing: Drawing) -> None:
    root = parsed(drawing, "A card")
    assert root.tag == f"{SVG}svg"
    assert (root.get("width"), root.get("height")) == ("60mm", "60mm")
    assert root.get("viewBox") == "0 0 60 60"
    assert root.get("aria-label") == "A card"
    texts = [shape for shape in drawing.shapes if isinstance(shape, Text)]
    written = root.findall(f"{SVG}text")
    assert [element.text for element in written] == [text.words for text in texts]
    for element, text in zip(written, texts, strict=True):
        wide = float(element.get("textLength", ""))
        assert wide == pytest.approx(width_of(text.words, text.font, text.size), abs=0.01)


def test_words_of_an_owner_are_words_and_no_markup() -> None:
    words = '</text><script>alert("&")</script>'
    drawing = Drawing(50, 20, (Text(words, (5, 10), 4.0),))
    assert "<script" not in svg(drawing, words)
    root = parsed(drawing, words)
    assert [element.text for element in root.iter(f"{SVG}text")] == [words]
    assert root.get("aria-label") == words


def test_a_drawing_without_a_label_is_for_the_eye_alone() -> None:
    assert parsed(Drawing(5, 5, ())).get("aria-hidden") == "true"


def test_markers_are_their_white_squares_on_black() -> None:
    _, black, white = parsed(Drawing(30, 30, marked(5, (15, 15), 14, 4))).findall(f"{SVG}path")
    assert black.get("fill") == "#000000"
    squares = np.zeros((7, 7), bool)
    for x, y, wide in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v2h-[\d.]+Z", white.get("d", "")):
        column, row, count = (round(float(a) / 2) for a in (float(x) - 8, float(y) - 8, wide))
        squares[row, column : column + count] = True
    import cv2

    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
    assert (squares == (np.asarray(cv2.aruco.generateImageMarker(dictionary, 5, 7)) > 0)).all()


def test_drawings_in_drawings_are_turned_about_their_middles_and_cut() -> None:
    inner = Drawing(10, 20, (rectangle(0, 0, 10, 20, "#112233"), Circle((5, 5), 2, "", "#445566", 0.5)))
    root = parsed(Drawing(60, 60, (Placed(inner, (30, 40), 90), Part(inner, (1, 2), (3, 4), 5, 6))))
    turned, window = root
    assert turned.get("transform") == "translate(30 40) rotate(90) translate(-5 -10)"
    assert [window.get(name) for name in ("x", "y", "width", "height", "viewBox")] == [
        "3", "4", "5", "6", "1 2 5 6",
    ]  # fmt: skip
    circle = window.find(f"{SVG}circle")
    assert circle is not None
    assert circle.get("fill") == "none"
    assert circle.get("stroke-width") == "0.5"


def test_a_group_is_the_same_without_a_frame() -> None:
    drawing = rail_card(EDITION, EDITION.rails[0].name)
    element = ElementTree.fromstring(group(drawing))
    assert element.tag == "g"
    assert len(element) == len(parsed(drawing))
