"""What the refusals of every game share: how a fault is told, and what is wrong with chance itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.games.game import Action, AwaitedDice, AwaitedShuffle, Rolled, Ruling, Shuffled
from companion.games.layout import UNKNOWN, Face

FORM = "form"
"""Stands for a rule's id where the action itself is malformed: no such seat, card, die or face."""

BOOK = "rulebook"
"""Stands for a rule's id where the rulebook's own words forbid it."""

Fault = tuple[str, str, str] | None
"""Rule id, rulebook section, sentence; None when nothing forbids the action."""

INSTEAD = 5
"""How many legal actions a Ruling names at most."""


def ruling(fault: Fault, instead: Sequence[Action]) -> Ruling | None:
    """The Ruling of a fault, with a few of what is legal instead; None when there is no fault."""
    if fault is None:
        return None
    rule, section, sentence = fault
    return Ruling(rule, section, sentence[0].upper() + sentence[1:], tuple(instead[:INSTEAD]))


def roll_fault(
    awaited: AwaitedDice | AwaitedShuffle | None, action: Rolled, section: str, held_up: str
) -> Fault:
    """What is wrong with a throw of the dice awaited; `held_up` is what the game waits for instead."""
    if not isinstance(awaited, AwaitedDice):
        return BOOK, section, f"No dice are due now; {held_up}."
    if len(action.values) != awaited.count:
        count = "one die" if awaited.count == 1 else f"{awaited.count} dice"
        thrower = f"{awaited.seat.title()} throws {count} ({awaited.why})"
        return BOOK, section, f"{thrower}, not {len(action.values)}; throw again."
    # True is no face, though it equals 1.
    faces = {(type(face), face) for face in awaited.faces}
    for value in action.values:
        if (type(value), value) not in faces:
            shown = _in_words(awaited.faces)
            return FORM, "Components", f"A die shows {shown}, not {value!r}; read it again."
    return None


def _in_words(faces: Sequence[Face]) -> str:
    """What a die may show: numbers in their order as a range, symbols one by one."""
    if all(isinstance(face, int) for face in faces):
        return f"{faces[0]} to {faces[-1]}"
    return f"{', '.join(map(str, faces[:-1]))} or {faces[-1]}"


def shuffle_fault(
    awaited: AwaitedDice | AwaitedShuffle | None,
    action: Shuffled,
    section: str,
    held_up: str,
    what: str = "cards",
) -> Fault:
    """What is wrong with a shuffle; `held_up` is what the game waits for instead, `what` is shuffled."""
    if not isinstance(awaited, AwaitedShuffle):
        return BOOK, section, f"Nothing is to be shuffled now; {held_up}."
    if len(action.cards) != len(awaited.cards):
        count = f"{len(awaited.cards)} {what} are to be shuffled, not {len(action.cards)}"
        return BOOK, section, f"{count}; count again."
    if all(card == UNKNOWN for card in action.cards):
        return None
    if Counter(action.cards) != Counter(awaited.cards):
        sentence = f"The shuffled {what} are not the ones that lay there; name each of them, or none."
        return FORM, section, sentence
    return None
