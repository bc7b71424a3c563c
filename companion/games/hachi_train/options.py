"""The rulings HT-A01 to HT-A20: what the rulebook leaves open, as named options of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from companion.games.game import Option, chosen_of


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The switched rulings as one game plays them; a ruling with a single value needs no field."""

    all_equal: Literal["all_lose", "nobody_loses"] = "all_lose"
    first_player: Literal["drawn", "told"] = "drawn"


def _fixed(rule: str, name: str, value: str, words: str) -> Option:
    return Option(rule, name, (value,), words)


def _switch(rule: str, name: str, readings: dict[str, str], words: str) -> Option:
    return Option(rule, name, tuple(readings), words, tuple(readings.values()))


OPTIONS = (
    _fixed(
        "HT-A01", "strength", "copies_then_rank", "More copies beat fewer; of as many, the higher rank beats."
    ),
    _fixed("HT-A02", "equal_strength", "refused", "Cards that are just as powerful do not beat the field."),
    _fixed(
        "HT-A03",
        "some_of_those",
        "any",
        "Any of the cards in one unbroken run of a rank may be played, and the others stay.",
    ),
    _fixed(
        "HT-A04",
        "special_cars",
        "declared",
        "A special car's rank is said when it is played; all cards of a play have one rank, and keep it on "
        "the field. In a hand it has both again.",
    ),
    _fixed("HT-A05", "lone_special", "legal", "A special car may be played alone, as either of its ranks."),
    _fixed(
        "HT-A06",
        "taking",
        "played_cards_leave_first",
        "Played cards leave the hand first; then each card taken goes in anywhere, into gaps and ends too.",
    ),
    _fixed(
        "HT-A07",
        "passing",
        "free_with_a_draw",
        "Anybody may pass who does not lead; a card is drawn with it as long as there are any.",
    ),
    _fixed(
        "HT-A08",
        "clearing",
        "after_the_last_pass",
        "When all others in the match have passed, the field is discarded, and its owner leads; if the owner "
        "has gone out, the next player clockwise leads.",
    ),
    _fixed(
        "HT-A09", "match_end", "at_once", "A match is over when one player is left, who gets no answer to it."
    ),
    _fixed(
        "HT-A10",
        "going_out",
        "old_field_discarded",
        "Who goes out discards the old field; the last cards played stay as the new one.",
    ),
    _switch(
        "HT-A11",
        "all_equal",
        {
            "all_lose": "If all have the same assets at the end, all lose together.",
            "nobody_loses": "If all have the same assets at the end, nobody loses.",
        },
        "All have the same assets at the end.",
    ),
    _fixed(
        "HT-A12", "game_end", "nothing_left_or_four", "The game ends when assets are gone, or after match 4."
    ),
    _switch(
        "HT-A13",
        "first_player",
        {
            "drawn": "Lots are drawn for who leads the first match.",
            "told": "The players settle who leads the first match, and anybody says so.",
        },
        "Who leads the first match.",
    ),
    _fixed(
        "HT-A14",
        "cards_left_out",
        "whole_game",
        "The cards left out for the number of players stay out for all matches.",
    ),
    _fixed(
        "HT-A15", "special_deck", "not_refilled", "The deck of special cars is not refilled inside a match."
    ),
    _fixed(
        "HT-A16", "empty_field", "a_plain_play", "On an empty field, cards are just played; none is taken."
    ),
    _fixed(
        "HT-A17",
        "left_and_right",
        "as_the_holder_sees",
        "A hand's order is its holder's view of it; turning the whole hand round is not allowed.",
    ),
    _fixed(
        "HT-A18", "two_runs", "separate", "Two runs of one rank with another card between are not adjacent."
    ),
    _fixed(
        "HT-A19", "ends_of_a_hand", "do_not_meet", "The first and the last card of a hand are not adjacent."
    ),
    _fixed(
        "HT-A20",
        "leader_going_out",
        "legal",
        "A leader may go out; the next player in the match then faces those cards.",
    ),
)
"""Every ruling, in order: those with one value are listed all the same, so that people can read them."""


def chosen(options: Mapping[str, str]) -> Options:
    """The options of a game; ValueError naming the known ones for an unknown name or value."""
    return chosen_of(OPTIONS, options, Options)
