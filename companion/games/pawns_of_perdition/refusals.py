"""Why an action may not be done now: each rule that forbids one, in a sentence, and what would do.

Nothing here asks `legal`; that both agree is tested at every step of random games.
"""

from __future__ import annotations

from itertools import combinations

from companion.games.game import Action, AwaitedDice, Rolled, Ruling, Shuffled
from companion.games.layout import UNKNOWN
from companion.games.pawns_of_perdition.actions import (
    Accept,
    EndTurn,
    Give,
    Keep,
    Move,
    Pass,
    PawnsAction,
    PlayCard,
    Take,
)
from companion.games.pawns_of_perdition.cards import AGAINST_OTHERS, ANSWER, BEFORE_THE_ROLL, holds
from companion.games.pawns_of_perdition.rules import awaiting, legal
from companion.games.pawns_of_perdition.spaces import may_speak_out_of_turn, next_layer
from companion.games.pawns_of_perdition.state import (
    AFTER_EFFECT,
    AFTER_ROLL,
    BEFORE_ROLL,
    ESCAPE,
    GREED,
    KEEP,
    LANDING,
    LUST,
    OVER,
    SETUP,
    TITLES,
    TURN_END,
    WINDOWS,
    State,
)
from companion.games.refusing import BOOK, FORM, Fault, roll_fault, ruling, shuffle_fault

_LOOP = "Gameplay Loop"
_SETUP = "Setting Up Play"
_SPACES = "Space Type"
_SINS = "Sin Spaces"
_CARDS = "Prayer Cards"
_EFFECTS = "Prayer Card Effects"
_FAQ = "FAQs"


def refusal(state: State, action: PawnsAction) -> Ruling | None:
    """None when the action is legal, otherwise the Ruling that says why it is not."""
    fault = _fault(state, action)
    if fault is None:
        return None
    chance = isinstance(action, Rolled | Shuffled)
    return ruling(fault, () if chance else legal(state, getattr(action, "seat", "")))


def _fault(state: State, action: Action) -> Fault:
    if not isinstance(action, PawnsAction):
        return FORM, _LOOP, "Pawns of Perdition has no such action; choose one of its own."
    if state.phase == OVER:
        return (
            BOOK,
            "Win Condition",
            f"The game is over: {state.winner.title()} has escaped. Start a new one.",
        )
    if isinstance(action, Rolled):
        return roll_fault(awaiting(state).chance, action, _LOOP, _holding_up(state))
    if isinstance(action, Shuffled):
        return shuffle_fault(awaiting(state).chance, action, _CARDS, _holding_up(state))
    if action.seat not in state.seats:
        return FORM, _SETUP, f"Nobody plays '{action.seat}'; the seats are {_listed(state.seats)}."
    if state.phase == SETUP or state.owed:
        return BOOK, _CARDS, "The cards are being shuffled; shuffle and draw first."
    if isinstance(action, PlayCard):
        return _card_fault(state, action)
    if isinstance(action, Accept):
        return _accept_fault(state, action.seat)
    if isinstance(action, Take):
        return _take_fault(state, action)
    if isinstance(action, Pass):
        return _pass_fault(state, action.seat)
    return _turn_fault(state, action)


def _accept_fault(state: State, seat: str) -> Fault:
    played = state.played
    if not played or played.accepted:
        return BOOK, _EFFECTS, f"No card waits for {_name(seat)}'s answer; go on with the game."
    if played.target != seat:
        return (
            BOOK,
            _EFFECTS,
            f"{TITLES[played.card]} was played against {_name(played.target)}, who answers it.",
        )
    return None


def _take_fault(state: State, action: Take) -> Fault:
    played = state.played
    if played and played.accepted:
        if action.seat != played.seat:
            return BOOK, _EFFECTS, f"{_name(played.seat)} played Forced Exchange, and takes the card."
        if action.target != played.target:
            return BOOK, _EFFECTS, f"The card comes from {_name(played.target)}, whose hand is looked at."
        return _card_in(state, action.target, action.card)
    if played or state.phase != GREED:
        return BOOK, _SINS, f"No card is to be taken now; {_holding_up(state)}."
    if action.seat != state.seats[state.turn]:
        return BOOK, _SINS, f"{_name(state.seats[state.turn])} landed on Greed, and takes the card."
    if action.target not in state.seats or action.target == action.seat:
        return BOOK, _SINS, "The card is stolen from another player; pick one."
    if not state.hands[state.seats.index(action.target)]:
        if state.options.empty_hands == "refused":
            return "PP-A05", _SINS, f"{_name(action.target)} has no cards; pick a player who has one."
        if action.card:
            return FORM, _SINS, f"{_name(action.target)} has no cards to take; name none."
        return None
    return _card_in(state, action.target, action.card)


def _card_in(state: State, owner: str, card: str) -> Fault:
    hand = state.hands[state.seats.index(owner)]
    if card in hand:
        return None
    if UNKNOWN in hand:
        return (
            "PP-A25",
            _CARDS,
            f"{_name(owner)}'s cards are not known here; hand over one without naming it.",
        )
    return FORM, _CARDS, f"{_name(owner)}'s hand holds no such card; name one that is there."


def _pass_fault(state: State, seat: str) -> Fault:
    if state.played or state.speaker < 0:
        return "PP-A15", _CARDS, f"Nobody is asked for a card now; {_holding_up(state)}."
    if state.seats[state.speaker] != seat:
        return (
            "PP-A15",
            _CARDS,
            f"{_name(state.seats[state.speaker])} is asked for a card first; wait for that.",
        )
    return None


def _turn_fault(state: State, action: Keep | Move | Give | EndTurn) -> Fault:
    seat = state.seats[state.turn]
    if action.seat != seat:
        return BOOK, _LOOP, f"It is {_name(seat)}'s turn; wait for yours."
    phase = {Keep: (KEEP,), Move: (AFTER_ROLL,), Give: (LUST,), EndTurn: (AFTER_EFFECT, TURN_END)}
    if state.played or state.speaker >= 0 or state.phase not in phase[type(action)]:
        return BOOK, _LOOP, f"Not now: {_holding_up(state)}."
    if isinstance(action, Keep):
        pairs = set(combinations(sorted(state.roll.base), 2))
        if action.values not in pairs:
            dice = _listed(tuple(str(value) for value in state.roll.base))
            return BOOK, _FAQ, f"Keep two of the three dice {dice}, the lower first."
    if isinstance(action, Give):
        if action.target not in state.seats or action.target == seat:
            return BOOK, _SINS, "Lust gives the card to another player; pick one."
        return _card_in(state, seat, action.card)
    return None


def _card_fault(state: State, action: PlayCard) -> Fault:
    card, target, seat = action.card, action.target, state.seats.index(action.seat)
    if card not in TITLES:
        return FORM, _CARDS, f"There is no prayer card '{card}'; the titles are on the cards."
    if card == ANSWER:
        return _answer_fault(state, action, seat)
    if state.played:
        return "PP-A15", _CARDS, f"One card at a time: {_holding_up(state)}."
    if 0 <= state.speaker != seat:
        return "PP-A15", _CARDS, f"{_name(state.seats[state.speaker])} is asked first; wait to be asked."
    if state.phase in WINDOWS and state.options.windows == "clockwise" and state.speaker < 0:
        return "PP-A15", _CARDS, f"Everyone was asked and played no more cards; {_holding_up(state)}."
    fault = _moment_fault(state, card, seat)
    if fault:
        return fault
    if not holds(state, seat, card):
        return BOOK, _CARDS, f"{_name(action.seat)} does not hold {TITLES[card]}; play a card from the hand."
    if card in AGAINST_OTHERS:
        return _target_fault(state, action)
    if target:
        return FORM, _EFFECTS, f"{TITLES[card]} is for its player alone; name no target."
    return _useless_fault(state, card, seat)


def _answer_fault(state: State, action: PlayCard, seat: int) -> Fault:
    played = state.played
    if not played or played.accepted or played.target != action.seat:
        return (
            "PP-A14",
            _EFFECTS,
            "Soul Conviction answers a card that was just played against its holder; keep it until then.",
        )
    if not holds(state, seat, ANSWER):
        return BOOK, _CARDS, f"{_name(action.seat)} does not hold Soul Conviction; let the card happen."
    if action.target:
        return FORM, _EFFECTS, "Soul Conviction answers the card just played; name no target."
    return None


def _moment_fault(state: State, card: str, seat: int) -> Fault:
    title, in_turn = TITLES[card], seat == state.turn
    owner = _name(state.seats[state.turn])
    landing_on = state.board[state.pawns[state.turn]] if state.phase == LANDING else ""
    wanted = {
        "holy_determination": "blessing",
        "gift_of_the_righteous": "torment",
        "unholy_bargain": "torment",
    }.get(card)
    if wanted:
        if not in_turn or landing_on != wanted:
            return (
                "PP-A24" if card != "unholy_bargain" else BOOK,
                _EFFECTS,
                f"{title} is played when you land on {wanted.title()} by your movement roll, "
                "before the die; keep it until then.",
            )
        if state.victim != state.seats[seat]:
            return BOOK, _EFFECTS, f"The Torment has gone to {_name(state.victim)}; throw the die."
        return None
    if state.phase not in WINDOWS:
        return "PP-A15", _CARDS, f"What has begun is finished first: {_holding_up(state)}."
    if card == "omen_of_suffering":
        if in_turn:
            return BOOK, _EFFECTS, "Omen of Suffering is for another player's dice; play it in their turn."
        if state.phase != AFTER_ROLL:
            return "PP-A09", _EFFECTS, f"{title} is played after a movement roll, before the pawn moves."
    elif card not in AGAINST_OTHERS:
        if not in_turn:
            return (
                BOOK,
                _CARDS,
                f"{title} affects its player alone: play it in your own turn; this is {owner}'s.",
            )
        if card in BEFORE_THE_ROLL and state.phase != BEFORE_ROLL:
            return BOOK, _FAQ, f"{title} is played before the movement roll; keep it for your next one."
        if card == "second_chance" and state.phase != AFTER_ROLL:
            return "PP-A07", _EFFECTS, f"{title} is played after the movement roll, before the pawn moves."
        if state.phase == TURN_END:
            return (
                "PP-A16",
                _SPACES,
                f"{owner}'s turn has ended with the space; keep {title} for the next turn.",
            )
    if not in_turn and not may_speak_out_of_turn(state, seat):
        return (
            "PP-A17",
            _CARDS,
            "Who owes a skipped turn plays no cards against others; wait until it is paid.",
        )
    return None


def _target_fault(state: State, action: PlayCard) -> Fault:
    title, seats = TITLES[action.card], state.seats
    if action.target == action.seat:
        rule = "PP-A22" if action.card == "hellish_reckoning" else BOOK
        return rule, _EFFECTS, f"{title} is played against another player; pick one."
    if action.target not in seats:
        others = _listed(tuple(seat for seat in seats if seat != action.seat))
        return FORM, _EFFECTS, f"{title} needs another player as its target: {others}."
    target = seats.index(action.target)
    if action.card == "omen_of_suffering" and target != state.turn:
        return BOOK, _EFFECTS, f"Only {_name(seats[state.turn])} has movement dice to throw again."
    if action.card == "forced_exchange" and not state.hands[target]:
        return "PP-A19", _EFFECTS, f"{_name(action.target)} has no cards; pick a player who has one."
    if action.card == "infernal_exchange" and state.options.swap_with_start == "refused":
        for seat in (action.seat, action.target):
            if not state.pawns[seats.index(seat)]:
                return "PP-A20", _EFFECTS, f"{_name(seat)} stands on Start, where pawns are not swapped."
    return None


def _useless_fault(state: State, card: str, seat: int) -> Fault:
    if card == "cleansing_flame" and state.roll.cleansing:
        return "PP-A09", _EFFECTS, "Three dice are thrown already; keep the second Cleansing Flame."
    if card == "second_chance" and state.roll.second_chance:
        return BOOK, _EFFECTS, "This throw is a Second Chance already, and must be taken; move on."
    if card == "holy_determination" and state.holy and state.options.second_holy_determination == "no_add":
        return "PP-A24", _EFFECTS, "Two dice are thrown already; a second Holy Determination adds nothing."
    refused = state.options.shortcut_in_layer_7 == "refused"
    if card == "angels_shortcut" and refused and next_layer(state.pawns[seat]) == ESCAPE:
        return (
            "PP-A13",
            _EFFECTS,
            "There is no layer after this one; Angel's Shortcut leads nowhere from here.",
        )
    return None


def _holding_up(state: State) -> str:
    """What the game waits for, as the end of a sentence."""
    now = awaiting(state)
    if isinstance(now.chance, AwaitedDice):
        return f"{_name(now.chance.seat)} throws the dice ({now.chance.why})"
    if now.chance:
        return "the cards are shuffled first"
    seat = _name(now.seats[0])
    if state.played:
        title = TITLES[state.played.card]
        return f"{seat} takes a card for {title}" if state.played.accepted else f"{seat} answers {title}"
    if state.speaker >= 0:
        return f"{seat} is asked for a card"
    return {
        KEEP: f"{seat} chooses two of three dice",
        AFTER_ROLL: f"{seat} moves the pawn",
        GREED: f"{seat} steals a card (Greed)",
        LUST: f"{seat} gives a card away (Lust)",
    }.get(state.phase, f"{seat} ends the turn")


def _name(seat: str) -> str:
    return seat.title()


def _listed(names: tuple[str, ...]) -> str:
    *others, last = (name.title() for name in names)
    return f"{', '.join(others)} and {last}" if others else last
