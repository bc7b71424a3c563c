"""The small parts behind the pages: addresses, forms, the drawing of the board."""

from __future__ import annotations

import ipaddress
from itertools import combinations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import packs
from companion.games.layout import Layout, Piece, Place, TableMap
from companion.messages import Correct, Do, Join, Start
from tests.web.house import GAME
from web_ui import address
from web_ui.asks import BadBody, from_form
from web_ui.board import draw
from web_ui.pages import qr

# -- addresses -------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "127.8.0.1", ":8080", ""])
def test_who_sits_at_the_machine_is_shown_its_address_in_the_network(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address, "lan_address", lambda: "192.168.4.1")
    assert address.address_for(host, 8080) == "http://192.168.4.1:8080/"
    assert address.address_for(host, 80) == "http://192.168.4.1/"


@pytest.mark.parametrize(
    "host", ["192.168.1.20:8080", "table.local:8080", "table", "[fd00::7]:8080", "10.0.0.4"]
)
def test_what_worked_for_one_phone_is_shown_to_the_next(host: str) -> None:
    assert address.address_for(host, 8080) == f"http://{host}/"


def test_the_address_is_a_number_that_this_machine_has() -> None:
    found = ipaddress.ip_address(address.lan_address())
    assert found.version == 4
    assert not found.is_unspecified


def test_the_code_is_drawn_and_asks_nobody() -> None:
    svg = str(qr("http://192.168.4.1:8080/"))
    assert svg.startswith("<svg")
    assert "viewBox" in svg
    assert "href" not in svg


# -- forms -----------------------------------------------------------------------------------------


def test_fields_add_to_what_the_button_asks() -> None:
    asked = from_form([("name", "Anna"), ("ask", '{"ask":"join"}'), ("on", "7"), ("page", "people")], "anna")
    assert (asked.ask, asked.on, asked.person) == (Join("Anna"), 7, "anna")
    assert len(asked.id) >= 16


def test_faces_come_in_the_order_of_the_rows() -> None:
    fields = [
        ("on", "7"),
        ("action.values[0]", "4"),
        ("action.values[1]", "2"),
        ("ask", '{"ask":"do","action":{"do":"rolled"}}'),
        ("id", "12345678"),
    ]
    asked = from_form(fields, "anna")
    assert isinstance(asked.ask, Do)
    assert msgspec.json.decode(asked.ask.action) == {"do": "rolled", "values": [4, 2]}
    assert asked.id == "12345678"


def test_symbols_stay_words() -> None:
    fields = [("on", "7"), ("action.values[0]", "circle"), ("ask", '{"ask":"correct","move":3,"action":{}}')]
    asked = from_form(fields, "anna")
    assert isinstance(asked.ask, Correct)
    assert msgspec.json.decode(asked.ask.action) == {"values": ["circle"]}


def test_options_and_seats_are_gathered() -> None:
    fields = [
        ("seats[]", "red"),
        ("seats[]", "blue"),
        ("options.windows", "open"),
        ("options.pride", "leader"),
        ("on", "1"),
        ("ask", '{"ask":"start"}'),
    ]
    asked = from_form(fields, "anna")
    assert asked.ask == Start(("red", "blue"), {"windows": "open", "pride": "leader"})


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ([], "cannot read"),
        ([("on", "1"), ("ask", "7")], "asks for nothing"),
        ([("on", "one"), ("ask", '{"ask":"host"}')], r"Expected `int`, got `str` - at `\$\.on`"),
        ([("on", "1"), ("ask", '{"ask":"host"}'), ("a.b", "1"), ("a[]", "2")], "added at `a\\[\\]`"),
        ([("on", "1"), ("ask", '{"ask":"host","to":"x"}'), ("to.deep", "1")], "put at `to.deep`"),
        ([("on", "1"), ("ask", '{"ask":"host"}'), ("id", "x")], "8 to 64"),
    ],
)
def test_a_form_that_says_nothing_clear_is_told_what_is_wrong(
    fields: list[tuple[str, str]], fault: str
) -> None:
    with pytest.raises(BadBody, match=fault):
        from_form(fields, "anna")


# -- the board -------------------------------------------------------------------------------------


@given(
    crowd=st.lists(st.integers(0, 3), min_size=1, max_size=8),
    sizes=st.lists(st.tuples(st.floats(20, 600), st.floats(20, 600)), min_size=4, max_size=4),
)
def test_pieces_lie_inside_their_place_and_beside_each_other(
    crowd: list[int], sizes: list[tuple[float, float]]
) -> None:
    places = tuple(
        Place(f"p{n}", ((n * 700, 0), (n * 700 + wide, 0), (n * 700 + wide, high), (n * 700, high)))
        for n, (wide, high) in enumerate(sizes)
    )
    table = TableMap(3000, 700, (), places, places[0])
    pieces = tuple(Piece("pawn", f"c{n}", f"p{place}") for n, place in enumerate(crowd))
    board = draw(table, Layout(pieces))
    assert sorted(counter.name for counter in board.counters) == sorted(piece.name for piece in pieces)
    for counter in board.counters:
        place = crowd[int(counter.name[1:])]
        wide, high = sizes[place]
        assert place * 700 <= counter.x - counter.radius
        assert counter.x + counter.radius <= place * 700 + wide
        assert counter.y - counter.radius >= 0
        assert counter.y + counter.radius <= high
    for one, other in combinations(board.counters, 2):
        assert max(abs(one.x - other.x), abs(one.y - other.y)) >= one.radius + other.radius


def test_the_board_of_a_game_shows_every_space_and_pawn() -> None:
    state = GAME.setup(("red", "blue", "green"), packs.load(GAME, "house"), {})
    board = draw(GAME.table_map(state), GAME.layout(state))
    assert len(board.spots) == 64
    assert {counter.name for counter in board.counters} == {"red", "blue", "green"}
    assert {spot.label for spot in board.spots} >= {"Start", "Escape", "Greed", "1", "62"}
