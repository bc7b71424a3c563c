"""What things are called, for prompts, the log and Rulings."""

from __future__ import annotations

from companion.games.hachi_train.cards import is_special

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven")


def name(seat: str) -> str:
    """A seat as people call it: its colour, with a capital."""
    return seat.title()


def listed(words: tuple[str, ...], last: str = "and") -> str:
    """Words as a list in a sentence."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def counted(count: int, word: str) -> str:
    """A number with its noun."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def a_card(card: str) -> str:
    """A card with its article: "an 8", "a 3/4"."""
    return f"{'an' if card.startswith('8') else 'a'} {card}"


def cards(held: tuple[str, ...]) -> str:
    """Cards as people read them out: "5, 5 and 5/6"."""
    return listed(held)


def as_rank(count: int, rank: int) -> str:
    """How powerful cards are: "a 5", "two 5s"."""
    return a_card(str(rank)) if count == 1 else f"{_COUNTS[count]} {rank}s"


def played(held: tuple[str, ...], rank: int) -> str:
    """Cards as they were played: "5 and 5", and what they stand for where special cars are among them."""
    if any(map(is_special, held)):
        return f"{cards(held)} as {as_rank(len(held), rank)}"
    return as_rank(len(held), rank)


def place(at: int) -> str:
    """A card of a hand by its place from the left: "card 3"."""
    return f"card {at + 1}"


def money(millions: int) -> str:
    """Assets in words."""
    return f"${millions} million" if millions else "no assets"
