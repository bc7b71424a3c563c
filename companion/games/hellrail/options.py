"""The rulings HR-A01 to HR-A40: what the rulebook leaves open, as named options of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from companion.games.game import Option, chosen_of


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The switched rulings as one game plays them; a ruling with a single value needs no field."""

    circles: Literal["ring", "sacrilege", "devils_advocate", "own"] = "ring"
    adjacent: Literal["side", "side_or_corner"] = "side"
    rail_without_rail: Literal["derails", "blocked"] = "derails"
    derail_on_purpose: Literal["legal", "refused"] = "legal"
    same_rail: Literal["legal", "refused"] = "legal"
    rammed_into_circle: Literal["nothing", "decides"] = "nothing"
    hopeless_crossing: Literal["legal", "refused"] = "legal"


def _fixed(rule: str, name: str, value: str, words: str) -> Option:
    return Option(rule, name, (value,), words)


def _switch(rule: str, name: str, readings: dict[str, str], words: str) -> Option:
    return Option(rule, name, tuple(readings), words, tuple(readings.values()))


OPTIONS = (
    _switch(
        "HR-F17",
        "circles",
        {
            "ring": "The Circles lie in a ring, the Gate between 9 and 1, each diagonal to the next.",
            "sacrilege": "Sacrilege: the Circles lie in one diagonal line across the table.",
            "devils_advocate": "Devil's Advocate: the Circles are dealt out and laid by the players in turn.",
            "own": "The Circles lie as the players like; the camera reads it, or a phone says it.",
        },
        "How the Circles are laid out.",
    ),
    _fixed(
        "HR-A01", "players", "two_to_four", "Two to four play; the game is at its best with three or four."
    ),
    _fixed(
        "HR-A02",
        "who_starts",
        "highest_roll",
        "The highest roll goes first; who ties for it rolls again.",
    ),
    _switch(
        "HR-A03",
        "adjacent",
        {
            "side": "A blank square is adjacent to a card if they share a whole side.",
            "side_or_corner": "A blank square is adjacent to a card if they share a side or a corner.",
        },
        "What counts as adjacent when new rail is laid.",
    ),
    _fixed(
        "HR-A04",
        "fit",
        "any_turn",
        "New rail may be laid in any of its four turns, whether rails meet or not.",
    ),
    _switch(
        "HR-A05",
        "rail_without_rail",
        {
            "derails": "Rail that meets a card's side without rail ends there: who goes on derails.",
            "blocked": "Rail that meets a card's side without rail is blocked: nobody goes on there.",
        },
        "Rail that meets a card's side without rail.",
    ),
    _fixed("HR-A06", "board", "the_cards", "The game board is all cards that lie on the table."),
    _switch(
        "HR-A07",
        "derail_on_purpose",
        {
            "legal": "An engine may be moved off the end of its rail on purpose.",
            "refused": "An engine may not be moved off the end of its rail on purpose.",
        },
        "Derailing on purpose.",
    ),
    _fixed(
        "HR-A08",
        "less_than_the_car_value",
        "from_none",
        "A Move may use less than the Car Value, none included; the card is spent all the same.",
    ),
    _fixed("HR-A09", "facing", "remembered", "An engine on rail keeps its facing; in a Circle it has none."),
    _fixed(
        "HR-A10",
        "facing_when_pushed",
        "along_the_rail",
        "A pushed engine keeps facing towards or away from the one that pushes it, round curves too.",
    ),
    _fixed(
        "HR-A11",
        "head_on",
        "pushed_backwards",
        "An engine that is pushed backwards faces its rammer still, and its own next Move goes that way.",
    ),
    _fixed(
        "HR-A12",
        "chains",
        "the_whole_line_shifts",
        "One engine to a tie: a pushed engine pushes the next one.",
    ),
    _fixed(
        "HR-A13",
        "chain_at_a_fork",
        "the_rammer_decides",
        "The rammer decides for each engine at a fork; one that is left aside pushes what stood there.",
    ),
    _switch(
        "HR-A14",
        "rammed_into_circle",
        {
            "nothing": "Who is rammed into a Circle neither uses its Effect nor gains anything there.",
            "decides": "Who is rammed into a Circle decides on its Effect once the Move is over.",
        },
        "Being rammed into a Circle.",
    ),
    _fixed(
        "HR-A15",
        "contact",
        "on_the_tie",
        "An engine is rammed when the other comes onto its tie; ramming costs no movement of its own.",
    ),
    _fixed(
        "HR-A16",
        "rammed_off",
        "derails_at_once",
        "Who is rammed off the end derails at once; the Move goes on, and so does the game for the victim.",
    ),
    _fixed(
        "HR-A17",
        "derailing_takes",
        "hand_cars_place_turn",
        "Derailing costs the hand, the loaded cars, the place and one's turn; chips and tickets stay.",
    ),
    _fixed(
        "HR-A18",
        "gate_without_moving_there",
        "no_effect",
        "Starting at the Gate, or coming there by derailing, is no entering: the Gate does nothing.",
    ),
    _fixed(
        "HR-A19",
        "derailing_order",
        "hand_first",
        "A derailing player discards the hand first, then the loaded cars.",
    ),
    _switch(
        "HR-A20",
        "same_rail",
        {
            "legal": "A card with the very same rail is an upgrade too.",
            "refused": "An upgrade needs at least one segment more.",
        },
        "Upgrading to the same rail.",
    ),
    _fixed(
        "HR-A21",
        "counters_under_an_upgrade",
        "moved_up",
        "Counters do not hinder an upgrade; they go onto the new card.",
    ),
    _fixed(
        "HR-A22", "setout", "free", "Setting out a car costs no card; any number may be set out on one visit."
    ),
    _fixed("HR-A23", "brimstone", "when_played", "Brimstone counts when the Move is played, not later."),
    _fixed(
        "HR-A24",
        "piles_empty_in_a_fan",
        "ends_at_once",
        "The fanned card is discarded first and may be drawn again; when a draw fails the game ends at once.",
    ),
    _fixed(
        "HR-A25",
        "piles_empty_at_the_start",
        "ends_at_once",
        "When the draw at the start of a turn fails, the game ends before that player acts.",
    ),
    _fixed(
        "HR-A26",
        "tie_after_the_tie_break",
        "shared",
        "Who ties in delivered and in loaded cars wins together; coins are no points.",
    ),
    _fixed(
        "HR-A27",
        "heresy_order",
        "clockwise",
        "Opponents are asked for a Heresy Chip clockwise; the first one settles it, and none answers it.",
    ),
    _fixed(
        "HR-A28",
        "gaining",
        "is_the_effect",
        "Gaining a chip or ticket is the Circle's Effect; using one is not.",
    ),
    _fixed(
        "HR-A29",
        "entering",
        "by_ones_own_move",
        "Entering and visiting mean coming there by one's own Move.",
    ),
    _fixed(
        "HR-A30",
        "crossing",
        "inside_a_move",
        "A ticket is used inside a Move with a point left, straight on from the last tie or out of a Circle; "
        "it needs rail where it lands, ends the Move, and goes back whatever the roll.",
    ),
    _switch(
        "HR-A31",
        "hopeless_crossing",
        {
            "legal": "Six and more blank squares may be tried, and always derail.",
            "refused": "Six and more blank squares may not be tried.",
        },
        "Crossing six and more blank squares.",
    ),
    _fixed(
        "HR-A32",
        "ticket_when_rammed",
        "no",
        "Only the player who moves uses a ticket, never one who is rammed.",
    ),
    _fixed(
        "HR-A33", "effect", "once_per_entry", "A Circle's Effect is decided on once each time it is entered."
    ),
    _fixed(
        "HR-A34",
        "rails_meet",
        "at_the_side",
        "Track joins where both cards have a segment at the side they share; several make a fork.",
    ),
    _fixed(
        "HR-A35",
        "shared_ties",
        "as_on_the_card",
        "Whether branches share ties is printed on the card; where nothing is said they share none.",
    ),
    _fixed(
        "HR-A36",
        "leaving_a_circle",
        "first_tie",
        "The first tie out of a Circle is the first of the next card; leaving costs nothing by itself.",
    ),
    _fixed("HR-A37", "draw", "compulsory", "The draw is compulsory, and there is no limit to a hand."),
    _fixed(
        "HR-A38",
        "edition",
        "second",
        "These are the rules of Second Perdition, not those of later editions with tokens.",
    ),
    _fixed(
        "HR-A39",
        "forced_effect",
        "own_choices",
        "Who is forced to use an Effect still makes every choice in it.",
    ),
    _fixed(
        "HR-A40",
        "engines_on_the_card",
        "not_allowed",
        "A Rail Card with an engine on it is neither turned nor discarded by an Effect.",
    ),
)
"""Every ruling, in order: those with one value are listed all the same, so that people can read them."""


def chosen(options: Mapping[str, str]) -> Options:
    """The options of a game; ValueError naming the known ones for an unknown name or value."""
    return chosen_of(OPTIONS, options, Options)
