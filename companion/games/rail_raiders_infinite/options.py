"""The rulings RR-A01 to RR-A35: what the rulebook leaves open, as named options of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from companion.games.game import Option, chosen_of


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The switched rulings as one game plays them; a ruling with a single value needs no field."""

    raiders: Literal["chosen", "dealt"] = "chosen"
    shuffled_back: Literal["goes_on", "last_round"] = "goes_on"
    boarding: Literal["turn_start", "an_action_too"] = "turn_start"
    opposed_search: Literal["must_win", "still_there"] = "must_win"
    consequences: Literal["salvage_first", "winner_decides"] = "salvage_first"


def _fixed(rule: str, name: str, value: str, words: str) -> Option:
    return Option(rule, name, (value,), words)


def _switch(rule: str, name: str, readings: dict[str, str], words: str) -> Option:
    return Option(rule, name, tuple(readings), words, tuple(readings.values()))


OPTIONS = (
    _switch(
        "RR-F06",
        "raiders",
        {
            "chosen": "The best hand chooses a Raider first, and the others follow clockwise.",
            "dealt": "The Raider cards are shuffled, and one is dealt to each player.",
        },
        "How the Raiders are given out.",
    ),
    _fixed(
        "RR-A01",
        "deck_emptied_by_a_discard",
        "last_round",
        "An empty High Noon deck, by draw or discard, makes this the last round; who comes after skips the "
        "draw and still takes the turn.",
    ),
    _switch(
        "RR-A02",
        "shuffled_back",
        {
            "goes_on": "A last card that puts one back is resolved first: the deck is not empty then.",
            "last_round": "Drawing the last card makes this the last round, whatever the card puts back.",
        },
        "The last High Noon card puts one back.",
    ),
    _fixed(
        "RR-A03",
        "boarding_beyond_rank_8",
        "not_offered",
        "A car that would need more than rank 8 cannot be boarded; the locomotive counts as a car.",
    ),
    _fixed(
        "RR-A04",
        "boarding_a_facedown_car",
        "flips_in_ones_turn",
        "A facedown car boarded at the opening is flipped when a Raider begins its turn there; boarded in "
        "one's own turn it is flipped at once.",
    ),
    _switch(
        "RR-A05",
        "boarding",
        {
            "turn_start": "One attempt to board, at the start of the turn, before the High Noon card; who is "
            "Off the Train after that has no actions.",
            "an_action_too": "Besides the attempt at the start of the turn each further one costs an action.",
        },
        "When a Raider may board.",
    ),
    _switch(
        "RR-A06",
        "opposed_search",
        {
            "must_win": "An opposed Search happens only if the searching Raider wins the fight.",
            "still_there": "An opposed Search happens if the searching Raider is still on the car.",
        },
        "What an opposed Search needs.",
    ),
    _fixed(
        "RR-A07",
        "sides",
        "each_alone",
        "Every participant is a side of its own, joiners too; the winner deals with all losers, and scores "
        "for the Lawbots.",
    ),
    _switch(
        "RR-A08",
        "consequences",
        {
            "salvage_first": "The winner salvages first and moves the losing Raiders then.",
            "winner_decides": "The winner says whether salvage or the moves come first.",
        },
        "In which order a fight's consequences come.",
    ),
    _fixed(
        "RR-A09",
        "ties",
        "the_best_roll_off",
        "All who tie for the best hand roll off with five plain dice until one is ahead; the rest have lost.",
    ),
    _fixed(
        "RR-A10",
        "lawbots_win",
        "controller_moves_the_losers",
        "When Lawbots win, who runs them picks each loser's adjacent car; nobody takes a dollar.",
    ),
    _fixed(
        "RR-A11",
        "quality",
        "all_five_dice",
        "Hands of one rank compare the larger group first, then the other dice from high to low.",
    ),
    _fixed(
        "RR-A12",
        "best_five",
        "forced",
        "Of more than five dice the best five count; nobody may choose a worse hand.",
    ),
    _fixed(
        "RR-A13",
        "reroll_order",
        "decide_then_roll",
        "All first results are seen, rerolls are decided clockwise from the active player, and all reroll "
        "together; each die once.",
    ),
    _fixed(
        "RR-A14",
        "several_officers",
        "count_once",
        "Several Sheriffs give one reroll and several Marshals one die; one of each gives both.",
    ),
    _fixed("RR-A15", "end_cars", "one_neighbour", "From an end car all losers go to the one car beside it."),
    _fixed(
        "RR-A16",
        "moved_onto_a_facedown_car",
        "flips_in_ones_turn",
        "A loser moved onto a facedown car flips it at once in the own turn, else when its turn begins.",
    ),
    _fixed(
        "RR-A17",
        "donation",
        "one_from_who_has_more",
        "The winner may take one dollar from each moved loser who has more at that moment.",
    ),
    _fixed(
        "RR-A18",
        "no_lawbot_left",
        "drawer_moves_one",
        "When no Lawbot of a kind is left, who drew the card picks the one that is moved; none if all are "
        "there already.",
    ),
    _fixed(
        "RR-A19",
        "used_loot_tokens",
        "aside_until_needed",
        "A Loot token that was turned up lies aside, and is mixed in again when tokens run out.",
    ),
    _fixed(
        "RR-A20",
        "empty_decks",
        "reshuffled",
        "An empty Loot or Long Arm deck is made of its shuffled discards; cards in play stay out.",
    ),
    _fixed(
        "RR-A21",
        "end_car_icons",
        "only_what_they_show",
        "The caboose and the locomotive are never flipped, so they get no tokens and draw no Long Arm cards.",
    ),
    _fixed(
        "RR-A22",
        "car_abilities",
        "a_type_each",
        "Each car's ability is an action type of its own, used at most twice a turn.",
    ),
    _fixed("RR-A23", "passing", "ends_the_turn", "Passing ends the turn, with the actions that are left."),
    _fixed(
        "RR-A24",
        "high_noon_off_the_train",
        "drawn_and_resolved",
        "Who is Off the Train draws and resolves too; what touches the train does nothing.",
    ),
    _fixed(
        "RR-A25",
        "lawbots_run_from_off_the_train",
        "yes",
        "A player whose Raider is Off the Train runs Lawbots all the same.",
    ),
    _fixed(
        "RR-A26",
        "dealer_ties",
        "the_tied_roll_again",
        "The Dealer is rolled for with five plain dice; who ties for the best rolls again.",
    ),
    _fixed(
        "RR-A27",
        "showdown_words",
        "meant_exactly",
        "What works in Showdowns does not in opposed Searches, nor the other way round; in fights is both.",
    ),
    _fixed(
        "RR-A28",
        "too_few_dice",
        "roll_in_turn",
        "The sides roll one after the other, so that twenty dice are enough; the results are noted.",
    ),
    _fixed(
        "RR-A29",
        "dealer_with_two_hands",
        "kept_apart",
        "A Dealer who runs the own Raider and the Lawbots keeps the two hands apart; either may win.",
    ),
    _fixed(
        "RR-A30",
        "rank_above_8",
        "beats_rank_8",
        "A hand that a card raises above rank 8 beats five of a kind.",
    ),
    _fixed(
        "RR-A31",
        "adjacent_car",
        "from_the_losers_own",
        "A loser is moved to a car adjacent to its own, also when it fought from next door.",
    ),
    _fixed("RR-A32", "searching_without_tokens", "not_offered", "A Search needs a Loot token on the car."),
    _fixed(
        "RR-A33",
        "grit_discard",
        "after_any_fight",
        "The top Grit card goes after any fight that the Lawbots there took part in, won or lost.",
    ),
    _fixed(
        "RR-A34",
        "the_winner",
        "stays_put",
        "Winning moves losers alone; who opposes a Search and wins stops it and does not Search.",
    ),
    _fixed(
        "RR-A35",
        "arriving_lawbots",
        "start_no_fight",
        "Lawbots that arrive start no fight; they keep Raiders there from Searching.",
    ),
)
"""Every ruling, in order: those with one value are listed all the same, so that people can read them."""


def chosen(options: Mapping[str, str]) -> Options:
    """The options of a game; ValueError naming the known ones for an unknown name or value."""
    return chosen_of(OPTIONS, options, Options)
