"""The game in words for people: what the table waits for, and what each choice would do."""

from __future__ import annotations

from functools import partial

from companion.games.game import AwaitedDice, Countdown, Prompt
from companion.games.hellrail import effects, moves
from companion.games.hellrail.actions import (
    DiscardCard,
    HellRailAction,
    Move,
)
from companion.games.hellrail.choices import choice
from companion.games.hellrail.effect_words import waiting_for
from companion.games.hellrail.names import (
    circle_name,
    circle_not_entered,
    circle_title,
    counted,
    facing,
    listed,
    name,
    not_entered,
)
from companion.games.hellrail.piles import playable
from companion.games.hellrail.rules import awaiting, legal, scores, view, without_card
from companion.games.hellrail.state import (
    ACTIONS,
    CIRCLES,
    CROSSING,
    DECLARE,
    EFFECT,
    FIRST_PLAYER,
    GATE,
    HERESY,
    LANDING,
    OVER,
    SETUP,
    State,
    circle_cards,
    rail_cards,
)

_FEW = 8
"""Cards left in both piles from which on the end is worth a louder line."""


def prompt(state: State, seat: str, card: str = "") -> Prompt:
    """What the table waits for, as that seat is told; "" is the table's own page.

    Nothing in it rests on a card that the seat may not know.
    """
    state = view(state, seat)
    now = awaiting(state)
    thrower = now.chance.seat if isinstance(now.chance, AwaitedDice) else ""
    cards = _to_name(state, seat)
    if card:
        actions = legal(state, seat, card) if card in cards else ()
    else:
        actions = _without_card(state, seat, cards)
    return Prompt(
        words=_waiting(state, seat),
        choices=tuple(choice(state, action) for action in sorted(actions, key=partial(_is_idle, state))),
        reminders=tuple(_of_card(state, card) if card in cards else _reminders(state)),
        yours=bool(seat) and seat in (*now.seats, thrower),
        cards=cards,
        status="" if state.phase in _NO_STATUS else _piles(state),
    )


def _without_card(state: State, seat: str, cards: tuple[str, ...]) -> tuple[HellRailAction, ...]:
    """What the seat may do without one of those cards."""
    if state.phase == ACTIONS and cards:
        return without_card(state, state.turn)
    return tuple(action for action in legal(state, seat) if getattr(action, "card", "") not in cards)


def _is_idle(state: State, action: HellRailAction) -> bool:
    """Whether it is a Move of no tie at all, which nobody looks for first."""
    return isinstance(action, Move) and action.to == state.engines[state.turn]


def _to_name(state: State, seat: str) -> tuple[str, ...]:
    """The cards from the hand that the seat may play now."""
    if seat not in state.seats or state.owed:
        return ()
    number = state.seats.index(seat)
    if state.phase == ACTIONS and number == state.turn:
        return playable(state, number)
    if state.phase == EFFECT:
        found = (action.card for action in effects.choices(state, number) if isinstance(action, DiscardCard))
        return tuple(found)
    return ()


# -- what is waited for -------------------------------------------------------------------------------


def _waiting(state: State, seat: str) -> str:
    now = awaiting(state)
    if state.phase == OVER:
        winners = [name(standing.seat) for standing in scores(state) if standing.place == 1]
        wins = "win together" if len(winners) > 1 else "wins"
        return f"The line has come to its end: no card is left to draw. {listed(tuple(winners))} {wins}."
    if state.phase == SETUP:
        return f"Shuffle all {len(state.discard)} Rail Cards and deal 3 to each player."
    if state.owed:
        count = counted(len(state.discard) + len(state.buried), "card")
        drawer = state.seats[state.drawer]
        drawing = "You then draw" if drawer == seat else f"{name(drawer)} then draws"
        return (
            f"Hump the Draw Pile: shuffle the Discard Pile ({count}) and turn it face down. "
            f"{drawing} {counted(state.owed, 'more card')}."
        )
    if now.chance is not None and not isinstance(now.chance, AwaitedDice):
        return "Shuffle the Circles and deal them all out."
    acting = now.chance.seat if isinstance(now.chance, AwaitedDice) else now.seats[0]
    you = acting == seat
    who = "You are" if you else f"{name(acting)} is"
    match state.phase:
        case "circles" if state.options.circles == "own":
            return "Lay the ten Circles as you like, and say or show where each one lies."
        case "circles":
            return f"{who} to lay a Circle."
        case "first_player":
            return f"{who} to throw the die: who goes first?"
        case "crossing" if state.crossing:
            blanks = counted(state.crossing.blanks, "blank square")
            return f"{who} to throw the die: more than {state.crossing.blanks} crosses the {blanks}."
        case "landing":
            return f"{who} to say where the engine on the landing tie is pushed."
    if state.phase == ACTIONS:
        return (
            "Play as many cards as you like, then end the turn." if you else f"It is {name(acting)}'s turn."
        )
    return _waiting_in_circle(state, acting, you)


def _waiting_in_circle(state: State, acting: str, you: bool) -> str:
    who = "You are" if you else f"{name(acting)} is"
    effect = effects.present(state)
    circle = circle_title(state, effect.circle)
    if state.phase == DECLARE:
        there = f"{who} {'at' if effect.circle == GATE else 'in'} {circle}"
        return f"{there}: say whether you use its Effect." if you else f"{there}, to decide on its Effect."
    if state.phase == HERESY:
        owner = name(state.seats[effect.seat])
        declared = f"{owner} {'uses' if effect.use else 'does not use'} the Effect of {circle}."
        what = "prevent it" if effect.use else "force it"
        return f"{declared} {who} to say whether a Heresy Chip is spent to {what}."
    return waiting_for(state, acting, you=you)


# -- what tables forget -------------------------------------------------------------------------------


def _of_card(state: State, card: str) -> list[str]:
    """A card's numbers, and whether the train may move with it: movement and Brimstone kept apart."""
    if unknown := not_entered(state, card):
        return [unknown]
    rail = rail_cards(state.edition)[card]
    cars = len(state.loaded[state.turn])
    fits = ">=" if cars <= rail.brimstone else "<"
    verdict = "ok" if cars <= rail.brimstone else "no Move with it"
    return [
        f"Value {rail.value} = up to {counted(rail.value, 'tie')}; "
        f"Brimstone {rail.brimstone} {fits} {counted(cars, 'car')}: {verdict}.",
        f"Picked up at {circle_name(rail.pickup)}, set out at {circle_name(rail.setout)}.",
        *_unknown_circles(state, rail.value),
    ]


def _unknown_circles(state: State, points: int) -> list[str]:
    """The Circles that are not entered yet and that an engine with these points would leave or come to."""
    seat = state.turn
    found = {
        moves.unknown_to_move(state, seat, end.to, end.rammed)
        for end in moves.ends(state, seat)
        if end.cost <= points
    }
    return [circle_not_entered(circle) for circle in sorted(found - {""})]


def _reminders(state: State) -> list[str]:
    lines = list(_MOMENTS.get(state.phase, ()))
    if state.phase == CIRCLES and state.options.circles == "devils_advocate":
        lines.append("Each Circle is laid diagonal to one that lies; the first one anywhere.")
    if (
        state.phase != OVER
        and state.effect
        and (words := circle_cards(state.edition)[state.effect.circle].words)
    ):
        lines.insert(0, f"{circle_title(state, state.effect.circle)}: {words}")
    if state.turn_over and state.phase != OVER:
        lines.append(f"{name(state.seats[state.turn])} has derailed, and the turn ends with this.")
    if state.owed:
        lines = ["The Draw Pile is humped only now that a card is needed."]
    if state.phase == ACTIONS and not state.owed:
        lines += _of_turn(state)
    return lines


def _of_turn(state: State) -> list[str]:
    seat = state.turn
    lines = [f"{name(state.seats[seat])} has drawn a card for this turn: {_held(state, seat)}."]
    here = effects.circle_at(state, seat)
    if here:
        due = [car for car in state.loaded[seat] if rail_cards(state.edition)[car].setout == here]
        if due:
            lines.append(f"To be set out here, free of charge: {listed(tuple(due))}.")
        lines.append("An engine in a Circle may leave in any direction that has rail.")
    else:
        lines.append(
            f"The engine faces {facing(state.engines[seat])} and cannot turn back; white ties do not count."
        )
    lines.append("Car Value is how far; Brimstone is how many cars. Fan the Flames ends the turn.")
    return lines


def _held(state: State, seat: int) -> str:
    return f"{counted(len(state.hands[seat]), 'card')} in hand"


def countdown(state: State) -> Countdown | None:
    """How many cards are left until the end of the line; None before the first turn, and after the last."""
    if state.phase in _NO_STATUS:
        return None
    left = len(state.deck) + len(state.discard) + len(state.buried)
    return Countdown(left, "cards until the end of the line", left <= _FEW)


def _piles(state: State) -> str:
    deck, discards = len(state.deck), len(state.discard) + len(state.buried)
    left = f"Draw Pile {deck}, Discard Pile {discards}"
    if deck + discards == 0:
        return f"{left}: the next card that is needed ends the game!"
    if deck + discards <= _FEW:
        return f"{left}: the end of the line is near."
    return f"{left}: {deck + discards} cards until the end of the line."


_NO_STATUS = (CIRCLES, SETUP, FIRST_PLAYER, OVER)
"""Where the piles do not tell how much of the game is left."""

_MOMENTS = {
    SETUP: ("Hands are secret. All Engine Tokens start at the Gate.",),
    FIRST_PLAYER: ("The highest roll goes first; who ties for it rolls again.",),
    CROSSING: ("The ticket goes back whatever the die shows.",),
    LANDING: ("Crossing ends the Move.",),
    DECLARE: (
        "This is decided before any other card action. Entering has ended the Move.",
        "Who has a Heresy Chip may prevent the Effect, or force it.",
    ),
    HERESY: (
        "One chip settles it; there is no chip against a chip.",
        "Who is forced to use an Effect still makes every choice in it.",
    ),
}
