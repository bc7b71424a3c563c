"""The rulings PP-A01 to PP-A25: what the rulebook leaves open, as named options of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from companion.games.game import Option, chosen_of

SINS = ("greed", "lust", "pride", "wrath", "gluttony", "sloth", "envy")
"""The sins in the order of the rulebook's list, layer 1 first."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The switched rulings as one game plays them; a ruling with a single value needs no field."""

    sin_order: Literal["list", "faq"] = "list"
    layers: Literal["up", "down"] = "up"
    pride: Literal["nearest", "leader"] = "nearest"
    empty_hands: Literal["refused", "allowed"] = "refused"
    skips: Literal["add", "once"] = "add"
    modifiers: Literal["double_then_add", "add_then_double"] = "double_then_add"
    second_chance_scope: Literal["base_dice", "all_dice"] = "base_dice"
    escape: Literal["wins", "movement_roll_only"] = "wins"
    shortcut_in_layer_7: Literal["refused", "to_escape"] = "refused"
    windows: Literal["open", "clockwise"] = "open"
    after_draw_or_sin: Literal["self_cards", "ends"] = "self_cards"
    skipped_players: Literal["may", "may_not"] = "may"
    gluttony: Literal["discard_first", "draw_first"] = "discard_first"
    swap_with_start: Literal["legal", "refused"] = "legal"
    bargain_die: Literal["target", "lander"] = "target"
    second_holy_determination: Literal["no_add", "add"] = "no_add"


OPTIONS = (
    Option(
        "PP-A01", "start_space", ("is_the_64th",), "Start is the 64th space, beside the 63 that are listed."
    ),
    Option(
        "PP-A02",
        "sin_order",
        ("list", "faq"),
        "The sins lie in the order of the rulebook's list, or as its FAQ has it: Pride in layer 4, Wrath in "
        "layer 3.",
        (
            "The sins lie in the order of the rulebook's list: Pride in layer 3, Wrath in layer 4.",
            "The sins lie as the rulebook's FAQ has it: Wrath in layer 3, Pride in layer 4.",
        ),
    ),
    Option(
        "PP-A03",
        "layers",
        ("up", "down"),
        "Layers count up from Start (layer 1 holds Start), or down to Escape (layer 7 holds Start).",
        (
            "Layer 1 holds Start, layer 7 holds Escape.",
            "Layer 7 holds Start, layer 1 holds Escape.",
        ),
    ),
    Option(
        "PP-A04",
        "pride",
        ("nearest", "leader"),
        "Pride swaps with the nearest pawn ahead, or with the pawn that leads.",
        (
            "Pride swaps with the nearest pawn ahead.",
            "Pride swaps with the pawn that leads.",
        ),
    ),
    Option(
        "PP-A05",
        "empty_hands",
        ("refused", "allowed"),
        "Greed may not pick a player without cards while somebody has one, or it may.",
        (
            "Greed may not pick a player without cards while somebody has one.",
            "Greed may pick a player without cards; then nothing is stolen.",
        ),
    ),
    Option(
        "PP-A06",
        "skips",
        ("add", "once"),
        "Skipped turns add up, or a player owes one at most.",
        (
            "Skipped turns add up.",
            "A player owes one skipped turn at most.",
        ),
    ),
    Option(
        "PP-A07",
        "second_chance",
        ("after_the_roll",),
        "Second Chance is played after the roll, before the pawn moves.",
    ),
    Option(
        "PP-A08",
        "modifiers",
        ("double_then_add", "add_then_double"),
        "The dice are doubled and then 6 is added, or 6 is added and then all is doubled.",
        (
            "The dice are doubled first, then 6 is added.",
            "6 is added first, then all is doubled.",
        ),
    ),
    Option(
        "PP-A09",
        "second_chance_scope",
        ("base_dice", "all_dice"),
        "Second Chance throws the base dice again and leaves the Beacon's, or throws all of them.",
        (
            "Second Chance throws the base dice again and leaves the Beacon's.",
            "Second Chance throws all movement dice again.",
        ),
    ),
    Option(
        "PP-A10",
        "movement_roll",
        ("the_roll_alone",),
        "Spaces take effect after the movement roll, however it was changed, and after nothing else.",
    ),
    Option("PP-A11", "going_back", ("stops_on_start",), "A pawn that would go back past Start stops there."),
    Option(
        "PP-A12",
        "escape",
        ("wins", "movement_roll_only"),
        "Any forward move reaches Escape, or only a movement roll does (others stop just before it).",
        (
            "Any forward move reaches Escape.",
            "Only a movement roll reaches Escape; other moves stop just before it.",
        ),
    ),
    Option(
        "PP-A13",
        "shortcut_in_layer_7",
        ("refused", "to_escape"),
        "Angel's Shortcut may not be played in the last layer, or it leads to Escape from there.",
        (
            "Angel's Shortcut may not be played in the last layer.",
            "Angel's Shortcut leads to Escape from the last layer.",
        ),
    ),
    Option(
        "PP-A14",
        "soul_conviction",
        ("answers_cards",),
        "Soul Conviction answers a card played against its holder, never a Sin, and is not answered itself.",
    ),
    Option(
        "PP-A15",
        "windows",
        ("open", "clockwise"),
        "Everyone may play a card while a window is open, or each player is asked in turn, clockwise.",
        (
            "Everyone may play a card while a window is open.",
            "Each player is asked for a card in turn, clockwise.",
        ),
    ),
    Option(
        "PP-A16",
        "after_draw_or_sin",
        ("self_cards", "ends"),
        "After Draw or Sin the player in turn may still play self cards (Angel's Shortcut), or the turn "
        "ends outright.",
        (
            "After Draw or Sin the player in turn may still play self cards.",
            "Draw and Sin end the turn outright.",
        ),
    ),
    Option(
        "PP-A17",
        "skipped_players",
        ("may", "may_not"),
        "Who owes a skipped turn may still play cards against others out of turn, or may not.",
        (
            "Who owes a skipped turn may still play cards against others.",
            "Who owes a skipped turn may play no cards out of turn.",
        ),
    ),
    Option(
        "PP-A18",
        "gluttony",
        ("discard_first", "draw_first"),
        "Gluttony discards first and then draws, or draws first.",
        (
            "Gluttony discards first, then draws.",
            "Gluttony draws first, then discards.",
        ),
    ),
    Option(
        "PP-A19", "forced_exchange", ("gives_nothing_back",), "Forced Exchange takes a card and gives none."
    ),
    Option(
        "PP-A20",
        "swap_with_start",
        ("legal", "refused"),
        "Infernal Exchange may swap with a pawn on Start, or may not.",
        (
            "Infernal Exchange may swap with a pawn on Start.",
            "Infernal Exchange may not swap with a pawn on Start.",
        ),
    ),
    Option(
        "PP-A21",
        "first_player",
        ("ties_throw_again",),
        "Players tied for the highest throw throw again; turns go clockwise.",
    ),
    Option(
        "PP-A22",
        "hellish_reckoning",
        ("others_next_turn",),
        "Hellish Reckoning takes another player's next turn; of the player in turn, the one after this.",
    ),
    Option(
        "PP-A23",
        "bargain_die",
        ("target", "lander"),
        "After Unholy Bargain the player picked throws the die, or the one who landed does.",
        (
            "After Unholy Bargain the player who was picked throws the die.",
            "After Unholy Bargain the player who landed throws the die.",
        ),
    ),
    Option(
        "PP-A24",
        "second_holy_determination",
        ("no_add", "add"),
        "A second Holy Determination on one landing adds nothing, or adds a die.",
        (
            "A second Holy Determination on one landing adds nothing.",
            "A second Holy Determination on one landing adds a die.",
        ),
    ),
    Option("PP-A25", "privacy", ("hands_are_secret",), "Hands are counted, never shown and never read."),
)
"""Every ruling, in order: those with one value are listed all the same, so that people can read them."""


def sins_in_order(options: Options) -> tuple[str, ...]:
    """The sins along the path from Start to Escape, where the pack does not name them (PP-A02, PP-A03)."""
    first, second, third, fourth, *others = SINS
    if options.sin_order == "faq":
        third, fourth = fourth, third
    order = (first, second, third, fourth, *others)
    return order if options.layers == "up" else order[::-1]


def chosen(options: Mapping[str, str]) -> Options:
    """The options of a game; ValueError naming the known ones for an unknown name or value."""
    return chosen_of(OPTIONS, options, Options)
