"""A short game of HellRail in which all comes up that may come up, thought out beforehand by its rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from companion import packs
from companion.chance import outcome
from companion.games.game import Rolled, Shuffled
from companion.games.hellrail.pack import Pack
from companion.games.hellrail.pack_faults import GIVERS
from companion.games.hellrail.track import Position
from tests.web.house import HELLRAIL

BRIMSTONE = 9
"""Of every card in `short_pack`: so many are drawn in a fan, and the piles are empty after a few."""

SAMPLE = 30
"""Of so many ways to lay a card people look where each would take them."""


def short_pack() -> Pack:
    """The house edition's cards, but for their Brimstone, and due where people go anyway."""
    house: Pack = packs.load(HELLRAIL, "house")
    rails = tuple(
        replace(card, brimstone=BRIMSTONE, setout=next(giver for giver in GIVERS if giver != card.pickup))
        for card in house.rails
    )
    return replace(house, name="short", title="HellRail, a short evening", rails=rails)


class Eager:
    """Does what has been done least often; goes where a Circle gives something or a car is due."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.done: Counter[str] = Counter()

    def choose(self, state: Any, seat: str) -> Any:
        """One of the seat's legal actions, from its own hand."""
        kinds: dict[str, list[Any]] = {}
        for action in HELLRAIL.legal(HELLRAIL.view(state, seat), seat):
            kinds.setdefault(_kind(action), []).append(action)
        # To derail costs the hand, and the turn.
        if len(kinds) > 1 and self.done["EndTurn"] + self.done["Fan"] < 5:
            kinds.pop("Derail", None)
        rare = [kind for kind in ("Cross", "Setout", "Derail") if kind in kinds and not self.done[kind]]
        least = min(self.done[kind] for kind in kinds)
        usual = [kind for kind in sorted(kinds) if self.done[kind] == least or self.chance.random() < 0.2]
        kind = self.chance.choice(rare or usual)
        self.done[kind] += 1
        found = kinds[kind]
        if kind in ("LayRail", "UpgradeRail"):
            found = self.chance.sample(found, min(len(found), SAMPLE))
        best = max(self.worth(state, seat, action) for action in found)
        return self.chance.choice([a for a in found if self.worth(state, seat, a) == best])

    def worth(self, state: Any, seat: str, action: Any) -> float:
        """How much the seat wants to do this rather than another action of its kind."""
        match _kind(action):
            case "PlaceCircle":  # close together, around those that give something
                far = abs(action.cell[0] - 5) + abs(action.cell[1] - 3.5)
                return float(-far if action.circle in ("G", *GIVERS) else -abs(far - 3))
            case "Pickup":  # what is due nearby
                return -_far(state, seat, action.card)
            case "LayRail" | "UpgradeRail":
                after = HELLRAIL.view(HELLRAIL.play(state, action), seat)
                moves = [move for move in HELLRAIL.legal(after, seat) if _kind(move) == "Move"]
                return max((_worth_going(state, seat, move.to) for move in moves), default=0)
            case "Move":
                return _worth_going(state, seat, action.to)
            case "Declare":
                return float(action.use)
        return 0


def _kind(action: Any) -> str:
    name = type(action).__name__
    return "Derail" if name == "Move" and action.to is None else name


def _far(state: Any, seat: str, card: str) -> float:
    due = next(rail.setout for rail in state.edition.rails if rail.name == card)
    cell = next(circle.cell for circle in state.circles if circle.name == due)
    here = state.engines[state.seats.index(seat)].cell
    return float(abs(cell[0] - here[0]) + abs(cell[1] - here[1]))


def _worth_going(state: Any, seat: str, to: Position) -> float:
    number = state.seats.index(seat)
    if not to.in_circle or to.cell == state.engines[number].cell:
        return 0
    circle = next(circle.name for circle in state.circles if circle.cell == to.cell)
    cards = {card.name: card for card in state.edition.rails}
    due = any(cards[car].setout == circle for car in state.loaded[number])
    has = {"1": state.tickets[number], "6": state.chips[number]}
    gives = circle in GIVERS and not has[circle]
    return 1 + 2 * gives + 3 * due


def course(seats: tuple[str, ...], seed: int, longest: int, **options: str) -> list[tuple[Any, Any]]:
    """The game that these seats play with the short pack: each state and what is done in it, to the end.

    It is broken off when it comes to be longer than that.
    """
    chance = random.Random(seed)
    eager = Eager(chance)
    state = HELLRAIL.setup(seats, short_pack(), options)
    played: list[tuple[Any, Any]] = []
    while not HELLRAIL.over(state) and len(played) <= longest:
        awaiting = HELLRAIL.awaiting(state)
        if awaiting.chance is None:
            action = eager.choose(state, awaiting.seats[0])
        else:
            action = outcome(awaiting.chance, chance)
        played.append((state, action))
        state = HELLRAIL.play(state, action)
    return played


def happenings(state: Any, action: Any) -> Iterator[str]:
    """What people would tell of this: the action's kind, and what else comes of it."""
    yield _kind(action)
    after = HELLRAIL.play(state, action)
    if isinstance(action, Shuffled) and state.owed:
        yield "Humping"
    if state.phase == "heresy":
        yield "Heresy"
    if isinstance(action, Rolled):
        yield f"Throw in {state.phase}"
    if HELLRAIL.over(after):
        yield "Over"
    gate = next((circle.cell for circle in state.circles if circle.name == "G"), None)
    for before, now in zip(state.engines, after.engines, strict=False):
        entered = _kind(action) in ("Move", "MoveEngine") and action.to == now
        if now.cell == gate != before.cell and not entered:
            yield "Derailed"
