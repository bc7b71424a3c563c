"""Pieces that are the same to the rules: which one is meant is seen by where they lie."""

from __future__ import annotations

from companion.alike import Alike, Spots
from companion.games.layout import UNKNOWN, Piece, Token

NAMES = ("deputy 1", "deputy 2", "deputy 3")
ALIKE = Alike(
    [
        Token(1, 19.0, "raider", "red"),
        *(Token(10 + at, 19.0, "lawbot", name, alike="deputy") for at, name in enumerate(NAMES)),
    ]
)


def wanted(*places: str) -> list[Piece]:
    return [Piece("lawbot", "deputy", place) for place in places]


def lies(**places: str) -> dict[tuple[str, str], tuple[str, int]]:
    return {("lawbot", f"deputy {name[1:]}"): (place, 0) for name, place in places.items()}


def named(pieces: list[Piece], there: Spots | None = None, before: Spots | None = None) -> dict[str, str]:
    found = ALIKE.told_apart(pieces, there or {}, before or {})
    return {piece.name: piece.place for piece in found}


def test_whichever_lies_where_one_is_wanted_is_meant() -> None:
    assert named(wanted("a", "b"), lies(_3="a", _1="b")) == {"deputy 3": "a", "deputy 1": "b"}


def test_of_two_on_one_spot_the_one_is_meant_that_lay_there() -> None:
    there, before = lies(_1="a", _2="a"), lies(_1="b", _2="a")
    assert named(wanted("a", "b"), there, before) == {"deputy 2": "a", "deputy 1": "b"}


def test_one_that_cannot_be_seen_is_still_where_it_was() -> None:
    assert named(wanted("a", "b"), lies(_2="c"), lies(_3="a", _2="b")) == {"deputy 3": "a", "deputy 2": "b"}


def test_one_that_lies_where_none_is_wanted_belongs_to_the_place_that_lacks_one() -> None:
    assert named(wanted("a"), lies(_2="c")) == {"deputy 2": "a"}


def test_more_than_there_are_keep_their_common_name() -> None:
    assert named(wanted("a", "b", "c", "d")) == {
        "deputy 1": "a",
        "deputy 2": "b",
        "deputy 3": "c",
        "deputy": "d",
    }


def test_pieces_of_their_own_and_those_without_markers() -> None:
    pieces = [Piece("raider", "red", "a"), Piece("roof", UNKNOWN, "t"), Piece("raider", UNKNOWN, "b")]
    assert set(ALIKE.told_apart(pieces)) == {
        Piece("raider", "red", "a"),
        Piece("roof", "t", "t"),
        Piece("raider", UNKNOWN, "b"),
    }
    assert ALIKE.is_one_of_many(("lawbot", "deputy 2"))
    assert not ALIKE.is_one_of_many(("raider", "red"))
