"""What things are called, for prompts, the log and Rulings."""

from __future__ import annotations

from fractions import Fraction

from companion.games.rail_raiders_infinite.dice.hands import FACES
from companion.games.rail_raiders_infinite.state import KINDS, LAWBOTS, OFF, State, car_cards, cards_of


def name(seat: str) -> str:
    """A seat as people call it: its colour, with a capital."""
    return seat.title()


def who(state: State, number: int) -> str:
    """A side of a fight: a seat, or the Lawbots."""
    return "the Lawbots" if number == LAWBOTS else name(state.seats[number])


def car(state: State, number: int) -> str:
    """A car as people call it: the caboose, the locomotive, or its number with its title once seen."""
    if number == OFF:
        return "Off the Train"
    if number == 0:
        return "the caboose"
    if number == len(state.cars) - 1:
        return "the locomotive"
    title = car_cards(state.edition)[state.train[number]].title if state.cars[number].up else ""
    return f"car {number} ({title})" if title else f"car {number}"


def place(state: State, number: int) -> str:
    """Where a Raider is, as short as can be."""
    ends = {OFF: "Off the Train", 0: "on the caboose", len(state.cars) - 1: "on the locomotive"}
    return ends.get(number, f"on car {number}")


def title(state: State, deck: str, card: str) -> str:
    """A card's title; its name where it has none."""
    return cards_of(state.edition, deck)[card].title or card


def lawbot(kind: str) -> str:
    """A Lawbot as people call it."""
    return kind.title()


def bots(counts: tuple[int, int, int]) -> str:
    """Lawbots in words: "2 Deputies and 1 Sheriff"."""
    plural = ("Deputies", "Sheriffs", "Marshals")
    found = [
        f"{count} {lawbot(kind) if count == 1 else many}"
        for kind, many, count in zip(KINDS, plural, counts, strict=True)
        if count
    ]
    return listed(tuple(found))


def dollars(count: int) -> str:
    """Double-dollars, counted plainly."""
    return counted(count, "double-dollar")


def dice(faces: tuple[str, ...]) -> str:
    """Dice as they lie."""
    return " ".join(faces) if faces else "none"


def percent(chance: Fraction) -> str:
    """A chance for people: whole percents, but never 0 or 100 for what may still turn out otherwise."""
    if chance in (0, 1):
        return f"{int(chance) * 100} %"
    if chance < Fraction(1, 100):
        return "under 1 %"
    if chance > Fraction(99, 100):
        return "over 99 %"
    return f"{round(chance * 100)} %"


def faces_in_words(faces: tuple[str, ...]) -> str:
    """Faces of one die, as alternatives."""
    ordered = tuple(face for face in FACES if face in faces)
    return listed(ordered, "or")


def listed(words: tuple[str, ...], last: str = "and") -> str:
    """Words as a list in a sentence."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def counted(count: int, word: str) -> str:
    """A number with its noun."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def sentence(words: str) -> str:
    """Words that begin a sentence."""
    return words[:1].upper() + words[1:]
