"""The game in words for people: what the table waits for, and what each choice would do."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.game import AwaitedDice, Choice, Prompt
from companion.games.layout import UNKNOWN
from companion.games.pawns_of_perdition.actions import (
    Accept,
    EndTurn,
    Give,
    Keep,
    Move,
    PawnsAction,
    PlayCard,
    Take,
)
from companion.games.pawns_of_perdition.cards import ANSWER
from companion.games.pawns_of_perdition.rules import awaiting, legal, view
from companion.games.pawns_of_perdition.spaces import begin_turn, forward, next_layer
from companion.games.pawns_of_perdition.state import (
    AFTER_EFFECT,
    AFTER_ROLL,
    BEFORE_ROLL,
    ESCAPE,
    FIRST_PLAYER,
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
    distance,
)

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
_FAR = 12
"""Two dice reach no further: from here on the reminder of how to win is worth its line."""


def prompt(state: State, seat: str, card: str = "") -> Prompt:
    """What the table waits for, as that seat is told; "" is the table's own page.

    With a card, the choices are the ways to play that one. Nothing in it rests on a card that the
    seat may not know.
    """
    state = view(state, seat)
    now = awaiting(state)
    thrower = now.chance.seat if isinstance(now.chance, AwaitedDice) else ""
    return Prompt(
        words=_waiting(state, seat),
        choices=tuple(_choice(state, action) for action in legal(state, seat, card)),
        reminders=tuple(_reminders(state)),
        yours=bool(seat) and seat in (*now.seats, thrower),
    )


def _waiting(state: State, seat: str) -> str:
    now = awaiting(state)
    if state.phase == OVER:
        return f"{name(state.winner)} has escaped from Hell and wins."
    if state.phase == SETUP:
        return f"Shuffle all {len(state.discard)} prayer cards and deal 3 to each player, one at a time."
    if state.owed:
        drawing = f"{name(state.seats[state.turn])} draws {state.owed} more"
        return f"The draw pile has run out: shuffle the discards into a new one. {drawing}."
    acting = now.chance.seat if isinstance(now.chance, AwaitedDice) else now.seats[0]
    who = "You are" if acting == seat else f"{name(acting)} is"
    if state.played:
        title, target = TITLES[state.played.card], state.played.target
        if state.played.accepted:
            return f"{who} to look at {name(target)}'s cards and take one (Forced Exchange)."
        against = "you" if target == seat else name(target)
        return (
            f"{name(state.played.seat)} plays {title} against {against}. {who} to answer it or let it happen."
        )
    if isinstance(now.chance, AwaitedDice):
        return f"{who} to throw {dice(now.chance.count)} ({now.chance.why})."
    if state.speaker >= 0:
        return f"{who} to play a card or none."
    what = {
        KEEP: f"to keep two of the three dice {_plus(state.roll.base, ', ')}",
        AFTER_ROLL: f"to move {_movement(state)}",
        GREED: "to steal a card from another player (Greed)",
        LUST: "to give a card to another player (Lust)",
    }
    return f"{who} {what.get(state.phase, 'to end the turn')}."


def _choice(state: State, action: PawnsAction) -> Choice:
    match action:
        case Move():
            return Choice(action, f"Move {_movement(state)}", counted(state), main=True)
        case EndTurn():
            return Choice(action, "End the turn", _whose_turn_next(state), main=True)
        case Accept() if state.played:
            words = f"Let {TITLES[state.played.card]} happen"
            return Choice(
                action, words, effect(state, state.played.card, state.played.seat, action.seat), main=True
            )
        case Keep(values=(low, high)):
            steps = distance(replace(state, roll=replace(state.roll, kept=action.values)))
            return Choice(action, f"Keep {low} and {high}", f"moves {steps}")
        case Take(target=target, card=card):
            return Choice(action, f"Take {card_name(card)} from {name(target)}")
        case Give(target=target, card=card):
            return Choice(action, f"Give {card_name(card)} to {name(target)}")
        case PlayCard(card=card, target=target):
            on = f" on {name(target)}" if target else ""
            words = f"Play {TITLES[card]}{on}: {effect(state, card, action.seat, target)}"
            return Choice(action, words)
    return Choice(action, "Play no card", "the next player is asked", main=True)


def _movement(state: State) -> str:
    space = min(ESCAPE, state.pawns[state.turn] + distance(state))
    return f"{distance(state)} to {place(state, space)}"


def _whose_turn_next(state: State) -> str:
    follower = (state.turn + 1) % len(state.seats)
    after = begin_turn(state, follower)
    words = "".join(f"{name(seat)} misses a turn, " for seat in missed(state))
    return f"{words}{name(after.seats[after.turn])} is next"


def missed(state: State) -> list[str]:
    """Who is passed over when the turn passes, once for each turn missed, in order."""
    missing, skips = [], list(state.skips)
    seat = (state.turn + 1) % len(skips)
    while skips[seat]:
        skips[seat] -= 1
        missing.append(state.seats[seat])
        seat = (seat + 1) % len(skips)
    return missing


def effect(state: State, card: str, seat: str, target: str) -> str:
    """What a card would do if nobody answers it, as part of a sentence."""
    pawns = dict(zip(state.seats, state.pawns, strict=True))
    match card:
        case "sanctuarys_blessing":
            times = 2 << state.roll.doubles
            return "the dice count twice" if times == 2 else f"the dice count {times} times"
        case "on_the_wings_of_angels":
            return "6 spaces further"
        case "beacon_of_hope":
            return "one die more"
        case "cleansing_flame":
            return "throw three dice, keep two"
        case "second_chance":
            return f"throw {dice(len(state.roll.base))} again, the new throw stands"
        case "holy_determination":
            return f"throw {dice(state.holy + 2)} for the Blessing"
        case "gift_of_the_righteous":
            return "the Torment does nothing"
        case "angels_shortcut":
            after = forward(state, state.seats.index(seat), next_layer(pawns[seat]))
            return f"up to {place(state, after.pawns[state.seats.index(seat)])}"
        case "hells_grasp":
            return f"back 6, to {place(state, max(0, pawns[target] - 6))}"
        case "infernal_exchange":
            there, here = place(state, pawns[target]), place(state, pawns[seat])
            return f"{name(seat)} to {there}, {name(target)} to {here}"
        case "hellish_reckoning":
            return _reckoning(state, target)
        case "forced_exchange":
            return f"look at {name(target)}'s cards and take one"
        case "omen_of_suffering":
            return f"{name(target)} throws all movement dice again"
        case "unholy_bargain":
            return f"{name(target)} suffers the Torment"
    return f"{TITLES[state.played.card]} has no effect" if state.played and card == ANSWER else ""


def _reckoning(state: State, target: str) -> str:
    owed = state.skips[state.seats.index(target)]
    if owed and state.options.skips == "once":
        return f"{name(target)} misses a turn already, and no more than that"
    if owed:
        return f"{name(target)} misses one turn more, {owed + 1} in all"
    after_this = ", after this one" if target == state.seats[state.turn] else ""
    return f"{name(target)} misses the next turn{after_this}"


def _reminders(state: State) -> list[str]:
    """What tables forget just here, and the turns that are owed."""
    lines: list[str] = []
    if state.played and not state.played.accepted:
        lines.append("Soul Conviction discards the card that it answers, and nothing happens.")
    elif state.played:
        lines.append("Only these two players see the cards. Nothing is given back.")
    elif not state.owed:
        lines += _moment(state)
        if state.phase == LANDING:
            lines += _LANDINGS[state.board[state.pawns[state.turn]]]
        if state.phase == BEFORE_ROLL and state.pawns[state.turn] >= ESCAPE - _FAR:
            lines.append("Escape need not be hit exactly: going past it wins too.")
    for seat, skips in zip(state.seats, state.skips, strict=True):
        if skips and state.phase != OVER:
            lines.append(
                f"{name(seat)} misses {'the next turn' if skips == 1 else f'the next {skips} turns'}."
            )
    return lines


def _moment(state: State) -> tuple[str, ...]:
    """What goes now, and who may play cards, as the windows are opened at this table (PP-A15)."""
    lines = _MOMENTS.get(state.phase, ())
    if state.options.windows == "open" or state.phase not in WINDOWS:
        return lines
    if state.speaker < 0:
        return ("Everyone was asked: no more cards are played before this goes on.",)
    asked = "Everyone who holds cards is asked for one in turn, clockwise."
    return tuple(asked if line == _ANY_TIME else line for line in lines)


_ANY_TIME = "Cards against others may be played by everyone now."
_USED = "A used card goes to the discard pile."

_MOMENTS = {
    SETUP: ("Hands are secret.",),
    FIRST_PLAYER: ("The highest total goes first; who ties for it throws again.",),
    BEFORE_ROLL: (
        "Sanctuary's Blessing, On the Wings of Angels, Beacon of Hope and Cleansing Flame must be played "
        "before the roll; as many as you like.",
        _ANY_TIME,
        _USED,
    ),
    AFTER_ROLL: (
        "Last chance for Second Chance and Omen of Suffering: they go before the pawn moves.",
        _ANY_TIME,
        "Spaces take effect after the movement roll alone, not after a card, a Blessing or a Torment.",
    ),
    AFTER_EFFECT: ("Angel's Shortcut may still be played by the player in turn.", _ANY_TIME, _USED),
    TURN_END: ("The space has ended the turn: no more cards for oneself.", _ANY_TIME),
    GREED: ("The cards are held out face down; the thief picks one unseen.",),
    LUST: ("Who gives the card chooses which one.",),
}

_LANDINGS = {
    "blessing": ("Holy Determination goes before the die.", "The space where the pawn ends does nothing."),
    "torment": (
        "Gift of the Righteous and Unholy Bargain go before the die.",
        "The space where the pawn ends does nothing.",
    ),
}


def counted(state: State) -> str:
    """How the distance of the movement roll comes about: "4 + 5 = 9, doubled 18 (...)"."""
    roll = state.roll
    parts = [_plus(roll.kept)]
    if len(roll.base) > len(roll.kept):
        parts.append("(kept by Cleansing Flame)")
    if roll.extra:
        parts.append(f"+ {_plus(roll.extra)} (Beacon of Hope)")
    total = sum(roll.kept) + sum(roll.extra)
    words = f"{' '.join(parts)} = {total}"
    doubled = [f", doubled {{}} ({TITLES['sanctuarys_blessing']})"] * roll.doubles
    added = [f", plus 6 is {{}} ({TITLES['on_the_wings_of_angels']})"] * roll.wings
    in_order = doubled + added if state.options.modifiers == "double_then_add" else added + doubled
    for step in in_order:
        total = total * 2 if "doubled" in step else total + 6
        words += step.format(total)
    return words


def place(state: State, space: int) -> str:
    """A space as people call it: its number and kind, or its name."""
    kind = state.board[space]
    return kind.title() if kind in ("start", "escape") else f"space {space} ({kind.title()})"


def dice(count: int) -> str:
    """A number of dice in words."""
    number = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    return f"{number} {'die' if count == 1 else 'dice'}"


def name(seat: str) -> str:
    """A seat as people call it: its colour, with a capital."""
    return seat.title()


def card_name(card: str) -> str:
    """A card as it may be told: its title, or just that it is a card."""
    if not card:
        return "nothing"
    return "a card" if card == UNKNOWN else TITLES[card]


def _plus(values: tuple[int, ...], sign: str = " + ") -> str:
    return sign.join(str(value) for value in values)
