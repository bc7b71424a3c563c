"""The vocabulary of Rail Raiders Infinite's cards in plain words, as owners choose from it."""

from __future__ import annotations

from companion.games.rail_raiders_infinite.dice.hands import RANK_NAMES
from companion.games.rail_raiders_infinite.packs.pack_faults import LASTS, LOOT_KINDS, USES
from companion.games.rail_raiders_infinite.packs.vocabulary import MOMENTS, NEEDS, WHO

GROUPS: dict[str, dict[str, str]] = {
    "Done at once": {
        "table": "the table does what the words say",
        "dollars": "scores dollars",
        "lose_dollars": "loses dollars",
        "score_loot": "draws Loot cards and scores them",
        "put_token": "puts Loot tokens on the own car",
        "may_move": "may go to the next car",
        "may_jump": "may go to any car, and has no Moves then",
        "move_to_raider": "goes to a car with another Raider",
        "extra_action": "has one more action, also a third of its type",
        "leave_bomb": "leaves the card on the own car",
    },
    "Done at once, to the High Noon deck": {
        "discard_high_noon": "discards High Noon cards",
        "return_high_noon": "shuffles a High Noon card back",
    },
    "Done at once, by Lawbots": {
        "place": "Lawbots come onto the car",
        "place_near_raider": "a Lawbot comes onto the next car with a Raider",
        "draw_long_arm": "more Long Arm cards are drawn",
        "bring_lawbot": "a Lawbot comes here from the next car",
        "shift_lawbots": "the lowest of every car goes to the locomotive's side",
        "shift_any": "Lawbots may be shifted to the next car",
    },
    "While it counts: dice": {
        "dice": "rolls more dice",
        "rerolls": "may reroll dice",
        "must_reroll": "has to reroll some faces",
        "buy_die": "may buy one more die",
        "buy_reroll": "may buy one reroll",
        "set_die": "may turn a die to a face",
        "rank": "has a hand of a higher rank",
        "no_extra_dice": "nobody rolls more than five dice",
    },
    "While it counts: who fights": {
        "compel": "can have a Raider here take part",
        "drag_target": "may move both before a Showdown",
        "partner": "may team up with one Raider",
        "sit_out": "a Sheriff or Marshal sits it out",
        "join_from_next": "may join fights on the next car",
        "weapons": "so many weapons in one fight, or none at all",
        "beside": "may be used beside another weapon",
        "double_showdown": "two Showdowns in one action",
    },
    "While it counts: what fights bring": {
        "lowest_wins": "wins with the lowest hand",
        "win_dollars": "scores dollars for winning",
        "showdown_dollar": "scores dollars for starting on the Lawbots here",
        "destroy_more": "destroys more Lawbots",
        "lawbot_dollars": "more dollars for each Lawbot",
        "lawbot_token": "a Loot token for each Lawbot",
        "loot_for_lawbot": "may take Loot in place of a Lawbot's worth",
        "shift_instead": "Lawbots here go on in place of being destroyed",
        "throw_off": "may throw one loser off the train",
        "losers_off": "all losers are thrown off the train",
        "mercy": "nothing happens to who is beaten narrowly",
        "hold_on": "stays where it is when a die says so",
        "own_destination": "picks the own car after losing",
        "catch_on": "goes towards the caboose in place of being thrown off",
    },
    "While it counts: turns": {
        "long_move": "a Move goes more cars",
        "no_moves": "has no Moves",
        "hold_fast": "nobody moves off while Lawbots are here",
        "third_action": "may discard equipment for a third action of a type",
        "move_after_showdown": "has a free move after a Showdown",
        "look_before_boarding": "may flip a car before boarding",
        "no_search": "cannot Search",
        "search_among_lawbots": "may Search beside as many Lawbots as Raiders",
        "search_freely": "may Search despite Lawbots, unopposed",
        "peek": "may look at one Loot token first",
        "look_more": "looks at more cards for the first token",
        "first_loot_dollar": "more dollars from the first Loot of a turn",
        "search_dollar": "dollars after a Search when a die says so",
        "bomb": "goes off before the Dealer's turn when a die says so",
    },
}
"""The words of the vocabulary, under headings."""

WORDS = {do: words for group in GROUPS.values() for do, words in group.items()}

COUNTS = {
    "dice": "How many dice",
    "buy_die": "For how many dollars",
    "buy_reroll": "For how many dollars",
    "rank": "How many ranks higher",
    "mercy": "By fewer ranks than",
    "catch_on": "How many cars",
    "long_move": "How many cars",
    "weapons": "How many (0 = holds none)",
    "put_token": "How many tokens",
    "score_loot": "How many cards",
    "draw_long_arm": "How many cards",
    "discard_high_noon": "How many cards",
    "look_more": "How many cards more",
} | dict.fromkeys(
    (
        "dollars",
        "lose_dollars",
        "win_dollars",
        "showdown_dollar",
        "lawbot_dollars",
        "first_loot_dollar",
        "search_dollar",
    ),
    "How many dollars",
)
"""What the number of a word is, where it is not plainly how many."""

MOMENT_WORDS = dict(
    zip(
        MOMENTS,
        ("fights of either kind", "Showdowns", "opposed Searches", "boarding", "every roll"),
        strict=True,
    )
)

NEED_WORDS = {"": "nothing more"} | dict(
    zip(
        NEEDS,
        (
            "another Raider takes part",
            "Lawbots take part",
            "a Sheriff or Marshal takes part",
            "another Raider is on the car",
            "a weapon is held",
            "it is the first Showdown of the turn",
            "the hand is behind before rerolls",
            "a fight was won this turn",
            "the Lawbots have won",
        ),
        strict=True,
    )
)

WHO_WORDS = dict(
    zip(WHO, ("the card's owner", "the player on the left", "the Lawbots", "everybody"), strict=True)
)

WHAT_WORDS = {"": "plainly", "officers": "for each Sheriff and Marshal here"}

RANK_WORDS = {"0": "any hand"} | {str(at): f"{name} or better" for at, name in enumerate(RANK_NAMES, 1)}

KIND_WORDS = dict(zip(LOOT_KINDS, ("scored at once", "equipment", "weapon", "other item"), strict=True))

USE_WORDS = dict(
    zip(
        USES,
        ("not used up", "in one's own turn", "in another's turn", "as an action"),
        strict=True,
    )
)

LASTS_WORDS = dict(
    zip(
        LASTS,
        (
            "as usual",
            "this turn",
            "this round",
            "kept while it pays",
        ),
        strict=True,
    )
)

DECK_WORDS = {
    "raiders": "Raiders",
    "high_noon": "High Noon",
    "long_arm": "Long Arm",
    "loot": "Loot",
    "cars": "Train cars",
}
"""What the lists of a pack are called."""

ONE_WORDS = {
    "raiders": "A new Raider",
    "high_noon": "A new High Noon card",
    "long_arm": "A new Long Arm card",
    "loot": "A new Loot card",
    "cars": "A new train car",
}
