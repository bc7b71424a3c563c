"""The words of which card effects are made, and which fields mean something to which word.

A card has `steps`, done once when it is drawn, scored or used, and `effects`, which hold for as long
as the card is in force: a Raider's always, an item's while it is held, a weapon's in the fight that it
is used in, a Grit card's while it is on top of its stack, a timed card's until its time is over.
"""

from __future__ import annotations

from msgspec import Struct


class Effect(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One step or lasting effect. `do` is one of STEPS or EFFECTS; TAKES says which fields it takes.

    `when` it counts is one of MOMENTS, and `needs` one of NEEDS. `who` it is for: "self" is the card's
    owner or drawer, "left" the player on the left, "lawbots" all Lawbots that a card is about, and
    "all" everyone. `faces` are those of one die that make it happen; `breaks` those that cost the card.
    `what` is a kind of Lawbot, "lowest", "highest", "any" or "officers". `least` is a number of dollars,
    or a hand's rank. `spend` means that using it discards the card. `words` are the owner's own.
    """

    do: str
    count: int = 1
    when: str = ""
    needs: str = ""
    who: str = "self"
    what: str = ""
    faces: tuple[str, ...] = ()
    breaks: tuple[str, ...] = ()
    least: int = 0
    spend: bool = False
    words: str = ""


MOMENTS = ("fight", "showdown", "search", "boarding", "roll")
"""Fights of either kind, Showdowns, opposed Searches (RR-A27), boarding rolls, and every roll."""

NEEDS = (
    "raider_in",  # another Raider takes part
    "lawbots_in",  # Lawbots take part
    "officer_in",  # a Sheriff or a Marshal takes part
    "raider_here",  # another Raider is on the same car
    "weapon",  # the owner holds one
    "first_showdown",  # of the turn
    "behind",  # the hand is not the best before rerolls
    "won_fight",  # earlier in this turn
    "lawbots_won",  # it is Lawbots who beat the owner
)

WHO = ("self", "left", "lawbots", "all")

STEPS: dict[str, frozenset[str]] = {
    "dollars": frozenset({"count", "needs"}),  # the owner scores
    "lose_dollars": frozenset({"count", "what"}),  # for each of the "officers" on the car, or plainly
    "discard_high_noon": frozenset({"count"}),
    "return_high_noon": frozenset(),  # a discard is shuffled back
    "place": frozenset({"what", "count"}),  # Lawbots on the car
    "place_near_raider": frozenset({"what"}),  # a Lawbot on an adjacent car that holds a Raider
    "draw_long_arm": frozenset({"count"}),
    "bring_lawbot": frozenset({"what", "who"}),  # from an adjacent car
    "shift_lawbots": frozenset(),  # the lowest of every car, one car towards the locomotive
    "shift_any": frozenset({"count"}),  # up to so many, each to a car beside its own
    "may_move": frozenset(),  # to an adjacent car
    "may_jump": frozenset(),  # to any car, and no Move actions then
    "move_to_raider": frozenset(),  # to a car with another Raider
    "score_loot": frozenset({"count"}),  # draw so many Loot cards and score or equip them
    "put_token": frozenset({"count", "faces"}),  # on the owner's car, if a die shows one of the faces
    "extra_action": frozenset(),  # one more, which may be a third of its type
    "leave_bomb": frozenset(),  # the card stays on the car
    "table": frozenset({"words"}),  # what this vocabulary cannot say: the players do it and tell
}
"""What happens once, and the fields that each takes."""

EFFECTS: dict[str, frozenset[str]] = {
    # rolls
    "dice": frozenset({"count", "when", "needs", "who"}),
    "rerolls": frozenset({"count", "when", "needs", "who", "least"}),
    "must_reroll": frozenset({"faces", "when"}),
    "buy_die": frozenset({"count", "when"}),  # for so many dollars
    "buy_reroll": frozenset({"count", "when"}),
    "no_extra_dice": frozenset(),  # in its fight, for anybody
    "set_die": frozenset({"faces", "when", "spend"}),  # after rerolls, to one of the faces
    "rank": frozenset({"count", "when", "least"}),  # of hands of that rank or better
    # who fights, and with what
    "compel": frozenset(),
    "drag_target": frozenset(),  # both move one car before others join
    "partner": frozenset(),
    "sit_out": frozenset(),  # one Sheriff or Marshal takes no part
    "join_from_next": frozenset(),
    "weapons": frozenset({"count"}),  # so many in one fight; 0 = holds none
    "beside": frozenset(),  # this weapon does not count against that
    "double_showdown": frozenset(),
    "showdown_dollar": frozenset({"count"}),  # for starting one against the Lawbots
    # what a fight costs and brings
    "lowest_wins": frozenset(),
    "win_dollars": frozenset({"count", "needs"}),
    "destroy_more": frozenset({"count", "who"}),
    "lawbot_dollars": frozenset({"count"}),  # more for each that is destroyed
    "lawbot_token": frozenset(),
    "loot_for_lawbot": frozenset(),
    "shift_instead": frozenset(),  # Lawbots here are not destroyed, they go towards the locomotive
    "throw_off": frozenset(),  # one of the losers
    "losers_off": frozenset(),  # all of them, whoever wins
    "mercy": frozenset({"count"}),  # nothing happens to who is beaten by fewer ranks
    "hold_on": frozenset({"faces", "breaks"}),  # stays put when a die shows that
    "own_destination": frozenset({"needs"}),
    "catch_on": frozenset({"count"}),  # not thrown off but so many cars towards the caboose
    # turns
    "long_move": frozenset({"count"}),
    "no_moves": frozenset(),
    "hold_fast": frozenset(),  # nobody moves off while Lawbots are on the car
    "third_action": frozenset(),  # for an equipped card
    "move_after_showdown": frozenset(),
    "look_before_boarding": frozenset(),  # the car is flipped first, and counts one nearer
    "no_search": frozenset(),
    "search_among_lawbots": frozenset(),  # no more of them than Raiders
    "search_freely": frozenset(),  # despite Lawbots, and not opposed
    "peek": frozenset(),
    "look_more": frozenset({"count"}),  # for the first token of the turn
    "first_loot_dollar": frozenset({"count"}),
    "search_dollar": frozenset({"count", "faces"}),
    "bomb": frozenset({"faces"}),  # on a car: destroys and throws off when a die shows that
}
"""What holds for as long as its card does, and the fields that each takes."""

TAKES = {**STEPS, **EFFECTS}
