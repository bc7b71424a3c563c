"""What things are called, for prompts, the log and Rulings."""

from __future__ import annotations

from functools import lru_cache

from companion.games.hellrail.entering import FIELDS, lacking
from companion.games.hellrail.state import CHIP, GATE, State, circle_cards, rail_cards
from companion.games.hellrail.track import Cell, Position

WHERE = "enter it under Menu, Your own cards"
"""What to do about a card that is not entered yet, as part of a sentence."""

_SIDES = {"N": "up", "E": "right", "S": "down", "W": "left"}


def name(seat: str) -> str:
    """A seat as people call it: its colour, with a capital."""
    return seat.title()


def circle_name(circle: str) -> str:
    """A Circle as people call it: the Gate, or its number."""
    return "the Gate" if circle == GATE else f"Circle {circle}"


@lru_cache(maxsize=4096)
def squares(cell: Cell) -> str:
    """A square of the table: a letter for the column and a number for the row, as on a map."""
    return f"{column(cell[0])}{cell[1] + 1}"


def column(number: int) -> str:
    """A column's letter; columns left of the sheet count down from -A."""
    if number < 0:
        return "-" + column(-number - 1)
    letters = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        letters = chr(65 + letter) + letters
    return letters


def place(state: State, position: Position) -> str:
    """Where an engine stands, in words; also for a place that there is not, as an action may name it."""
    if position.in_circle:
        there = (circle_name(circle.name) for circle in state.circles if circle.cell == position.cell)
        return next(there, squares(position.cell))
    return f"tie {position.tie} of {'-'.join(position.segment)} on {squares(position.cell)}"


def where(state: State, position: Position) -> str:
    """Where an engine stands, with its preposition."""
    there = place(state, position)
    if not position.in_circle:
        return f"on {there}"
    return f"at {there}" if there == circle_name(GATE) else f"in {there}"


def whither(state: State, position: Position) -> str:
    """Where an engine comes to, with its preposition."""
    into = position.in_circle and place(state, position) != circle_name(GATE)
    return f"{'into' if into else 'to'} {place(state, position)}"


def gained(what: str) -> str:
    """What Circles give, in full."""
    return "Heresy Chip" if what == CHIP else "Boatman Ticket"


def facing(position: Position) -> str:
    """The way an engine faces, as seen on the table."""
    return _SIDES[position.facing]


def card_facts(state: State, card: str) -> str:
    """A Rail Card's numbers: "value 7, Brimstone 2, from 3 to 8"."""
    rail = rail_cards(state.edition)[card]
    if card in lacking(state.edition):
        return "not entered yet"
    return f"value {rail.value}, Brimstone {rail.brimstone}, {rail.pickup} to {rail.setout}"


def circle_title(state: State, circle: str) -> str:
    """A Circle with its title, where it has one."""
    title, called = circle_cards(state.edition)[circle].title, circle_name(circle)
    return f"{called} ({title})" if title and title.lower() != called.lower() else called


def not_entered(state: State, card: str) -> str:
    """That a Rail Card, or what of it, is not entered yet, and where to do so; "" when all of it is."""
    fields = lacking(state.edition).get(card, ())
    if not fields:
        return ""
    if "track" in fields and "value" in fields:
        return f"Card {card} is not entered yet; {WHERE}."
    what = listed(tuple(FIELDS[field] for field in fields))
    return f"The {what} of {card} {'is' if len(fields) == 1 else 'are'} not entered yet; {WHERE}."


def circle_not_entered(circle: str) -> str:
    """That a Circle's sides and Effect are not entered yet, what that means, and where to do so."""
    there = circle_name(circle)
    return f"{there[0].upper()}{there[1:]} is not entered yet, so no engine leaves or enters it; {WHERE}."


def listed(words: tuple[str, ...], last: str = "and") -> str:
    """Words as a list in a sentence."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def counted(count: int, word: str) -> str:
    """A number with its noun."""
    return f"{count} {word}{'' if count == 1 else 's'}"
