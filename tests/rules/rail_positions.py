"""Positions for the tests: a turn of Rail Raiders Infinite with Raiders, Lawbots and cards as needed.

Cards are those of the house edition, some of them exchanged for cards with the effects in question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.games.game import AwaitedDice, Rolled, Ruling
from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.actions import Reroll
from companion.games.rail_raiders_infinite.machine import advance, chance_of
from companion.games.rail_raiders_infinite.packs.pack import Pack
from companion.games.rail_raiders_infinite.packs.vocabulary import Effect
from companion.games.rail_raiders_infinite.state import (
    DECKS,
    HIGH_NOON,
    LONG_ARM,
    LOOT,
    Car,
    Card,
    Force,
    Job,
    Rider,
    State,
    Turn,
    all_copies,
)
from tests.rules.rail_games import house

TRIO = ("red", "blue", "green")
FOUR = ("red", "blue", "green", "yellow")

PLAIN = "nobody"
"""A Raider without any ability, in every seat unless a test gives it another one."""

MIDDLE = ("mail", "sleeper", "baggage", "cattle", "tender", "private")
"""Cars without abilities, which lie between the ends."""

LOW = "9 10 J Q A"
PAIR = "9 9 10 J Q"
KINGS = "K K 9 10 J"
TWO_PAIR = "9 9 10 10 J"
TRIPS = "9 9 9 10 J"
STRAIGHT = "9 10 J Q K"
FULL = "9 9 9 10 10"
FOURS = "9 9 9 9 10"
FIVES = "9 9 9 9 9"


def made(raider: Sequence[Effect] = (), **cards: Card) -> Pack:
    """The house pack with a Raider "nobody" who has these effects, and these cards exchanged."""
    own = Card(PLAIN, "Nobody", words="Nothing." if raider else "", effects=tuple(raider))
    others = (Card(f"{PLAIN}{number}", "Nobody") for number in range(1, 4))
    pack = replace(house(), raiders=(own, *others, *house().raiders))
    for deck in DECKS:
        old = getattr(pack, deck)
        new = tuple(replace(cards[c.name], copies=c.copies) if c.name in cards else c for c in old)
        pack = replace(pack, **{deck: new})
    return pack


def position(
    *,
    seats: Sequence[str] = TRIO,
    pack: Pack | None = None,
    options: Mapping[str, str] | None = None,
    at: Mapping[str, int] | None = None,
    dollars: Mapping[str, int] | None = None,
    gear: Mapping[str, Sequence[str]] | None = None,
    raiders: Mapping[str, str] | None = None,
    bots: Mapping[int, tuple[int, int, int]] | None = None,
    tokens: Mapping[int, Sequence[str]] | None = None,
    grit: Mapping[int, Sequence[str]] | None = None,
    train: Sequence[str] = MIDDLE,
    down: Sequence[int] = (),
    forces: Sequence[Force] = (),
    high_noon: Sequence[str] = (),
    left: int = 10,
    long_arm: Sequence[str] = (),
    loot: Sequence[str] = (),
    dealer: str = "",
    acts: Turn | None = None,
    agenda: Sequence[Job] | None = None,
    **fields: Any,
) -> State:
    """The first seat's Action Phase: everyone on car 1, no Lawbots, all cars faceup but those `down`.

    `high_noon`, `long_arm` and `loot` lie on top of their decks, and `left` High Noon cards in all.
    """
    state = GAME.setup(tuple(seats), pack or made(), options or {})
    count = len(state.cars) - 2
    names = (state.train[0], *train[:count], state.train[-1])
    spare = [token for token, copies in {"1": 10, "2": 7, "3": 3}.items() for _ in range(copies)]
    cars = []
    for number in range(len(names)):
        on = tuple((tokens or {}).get(number, ()))
        for token in on:
            spare.remove(token)
        cars.append(
            Car(
                number not in down,
                on,
                (bots or {}).get(number, (0, 0, 0)),
                tuple((grit or {}).get(number, ())),
            )
        )
    used: dict[str, list[str]] = {deck: [f.card for f in forces if f.deck == deck] for deck in DECKS}
    used[LOOT] += [card for held in (gear or {}).values() for card in held]
    used[LONG_ARM] += [card for stack in (grit or {}).values() for card in stack]
    decks = {}
    for deck, top in ((HIGH_NOON, high_noon), (LONG_ARM, long_arm), (LOOT, loot)):
        rest = list(all_copies(state.edition, deck))
        for card in (*used[deck], *top):
            rest.remove(card)
        decks[deck] = (*top, *rest)
    order = [(number + 1) % len(seats) for number in range(len(seats) - 1)]
    later = [Job("turn", number) for number in order]
    state = replace(
        state,
        riders=tuple(
            Rider(
                (raiders or {}).get(seat, PLAIN if not number else f"{PLAIN}{number}"),
                (at or {}).get(seat, 1),
                (dollars or {}).get(seat, 0),
                tuple(sorted((gear or {}).get(seat, ()))),
            )
            for number, seat in enumerate(seats)
        ),
        raiders=(),
        train=names,
        cars=tuple(cars),
        box=tuple(name for name in state.box if name not in names),
        high_noon=decks[HIGH_NOON][:left],
        unused=decks[HIGH_NOON][left:],
        long_arm=decks[LONG_ARM],
        loot=decks[LOOT],
        tokens=tuple(spare),
        forces=tuple(forces),
        agenda=tuple(agenda or (Job("act", 0), Job("cleanup", 0), *later, Job("round_end"))),
        turn=0,
        acts=acts or Turn(),
        dealer=seats.index(dealer) if dealer else 0,
        round=2,
        **fields,
    )
    assert GAME.faults(state) == ()
    return advance(state)


def do(state: State, *actions: Any) -> State:
    """The state after these; each has to be legal, to be told of, and the same when it is hidden."""
    for action in actions:
        ruling = GAME.refusal(state, action)
        assert ruling is None, f"{action}: {ruling}"
        assert GAME.story(state, action)
        after = GAME.play(state, action)
        hidden, blank = GAME.hide(state), GAME.hide_action(action)
        assert GAME.refusal(hidden, blank) is None
        assert GAME.play(hidden, blank) == GAME.hide(after)
        state = after
    return state


def refused(state: State, action: Any) -> Ruling:
    ruling = GAME.refusal(state, action)
    assert ruling is not None, action
    return ruling


def roll(*faces: str) -> tuple[Rolled, ...]:
    """Throws, each a text of faces."""
    return tuple(Rolled(tuple(each.split())) for each in faces)


def rolls(state: State, *faces: str) -> State:
    """The state after these throws, in which nobody rerolls or sets a die."""
    for each in faces:
        state = do(decline(state), *roll(each))
    return decline(state)


def decline(state: State) -> State:
    """Nothing is rerolled, where rerolls are asked about."""
    while (job := waits_for(state)) and job.do in ("reroll", "reroll_own"):
        state = do(state, Reroll(awaited(state), ()))
    return state


def may(state: State, kind: type[Any], seat: str = "red") -> list[Any]:
    """What the seat may do of that kind."""
    return [action for action in GAME.legal(state, seat) if isinstance(action, kind)]


def waits_for(state: State) -> Job | None:
    """The job that the game waits for."""
    return state.agenda[0] if state.agenda else None


def awaited(state: State) -> str:
    """The seat that is to decide or to throw."""
    now = GAME.awaiting(state)
    if isinstance(now.chance, AwaitedDice):
        return now.chance.seat
    return now.seats[0] if now.seats else ""


def dice_due(state: State) -> int:
    """How many dice are to be thrown."""
    chance = chance_of(state)
    return chance.count if isinstance(chance, AwaitedDice) else 0


def told(state: State, action: Any) -> str:
    return " ".join(GAME.story(state, action))


def named(state: State, action: Any) -> tuple[str, ...]:
    """The rulings on which the action rests."""
    return GAME.decided(state, action)


def where(state: State) -> list[int]:
    return [rider.at for rider in state.riders]


def money(state: State) -> list[int]:
    return [rider.dollars for rider in state.riders]


def in_force(*cards: str, deck: str = HIGH_NOON, seat: int = 0, lasts: str = "turn") -> list[Force]:
    return [Force(deck, card, seat, lasts) for card in cards]
