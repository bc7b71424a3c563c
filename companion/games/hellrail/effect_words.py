"""The steps of a Circle's Effect in words: what somebody does by it, and what is to be chosen."""

from __future__ import annotations

from companion.games.hellrail import effects
from companion.games.hellrail.names import circle_title, counted, gained, name
from companion.games.hellrail.state import OPPONENTS, State, Step


def who_does(step: Step) -> str:
    """What happens to the player for whom the step is, to follow the name: "who draws 2 cards"."""
    return {
        "gain": f"who takes a {gained(step.what)}",
        "derail": "who derails",
        "draw": f"who draws {counted(step.count, 'card')}",
        "discard": f"who discards {counted(step.count, 'card')}",
        "move_engine": "whose engine is moved",
    }[step.do]


def each_does(step: Step) -> str:
    """What players do if the step is for several: "draw 2 cards each"."""
    return {
        "gain": f"take a {gained(step.what)} each",
        "derail": "derail",
        "draw": f"draw {counted(step.count, 'card')} each",
        "discard": f"discard {counted(step.count, 'card')} each",
    }[step.do]


def itself(step: Step) -> str:
    """What a player does for whom the step is: "draw 2 cards"."""
    return {
        "gain": f"take a {gained(step.what)}",
        "derail": "derail",
        "draw": f"draw {counted(step.count, 'card')}",
        "discard": f"discard {counted(step.count, 'card')}",
        "move_engine": "move the own engine",
    }[step.do]


def waiting_for(state: State, seat: str, *, you: bool) -> str:
    """What the present step of an Effect waits for from that seat, as it is told itself or others are."""
    effect = effects.present(state)
    step = effect.steps[0]
    asked = "you are" if you else f"{name(seat)} is"
    words = f"By the Effect of {circle_title(state, effect.circle)} {asked} to {_to_do(state, seat, you)}"
    if step.do == "table":
        return f"{words}: {step.words}"
    leaving = step.optional and (effect.chosen or step.who == "self")
    return f"{words}{', or to leave that out' if leaving else ''}."


def _to_do(state: State, seat: str, you: bool) -> str:
    effect = effects.present(state)
    step = effect.steps[0]
    if not effect.chosen:
        if step.who == OPPONENTS:
            return f"say whether all opponents {each_does(step)}"
        if step.who == "self":
            return itself(step)
        return f"choose {who_does(step)}{', or nobody' if step.optional else ''}"
    chosen = state.seats[effect.chosen[0]]
    whose = f"{name(chosen)}'s" if chosen != seat else "your" if you else "the own"
    return {
        "table": "do this, and to tell what came of it",
        "discard": f"discard {counted(effect.count, 'card')} from the hand",
        "turn_rail": "choose an empty Rail Card and turn it",
        "scrap_rail": "choose an empty Rail Card to be discarded",
        "put_counter": f"choose a Rail Card to put a {step.what} on",
        "take_counter": f"choose a {step.what or 'counter'} to take away",
        "move_engine": f"choose the Circle for {whose} engine",
    }[step.do]
