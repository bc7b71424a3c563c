"""The State of Rail Raiders Infinite: plain data, complete, exact in JSON.

Cars are numbered from the caboose, which is 0, to the locomotive. Seats are numbered in clockwise
order; LAWBOTS stands where a number may mean them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from companion.games.rail_raiders_infinite.dice.hands import Hand
from companion.games.rail_raiders_infinite.options import Options
from companion.games.rail_raiders_infinite.packs.vocabulary import Effect

SEATS = ("red", "blue", "green", "yellow")
"""The players' colours, which name the seats."""

LAWBOTS = -1
NOBODY = -2

OFF = -1
"""Where a Raider is that is Off the Train."""

KINDS = ("deputy", "sheriff", "marshal")
"""The Lawbots, from the lowest rank to the highest; each is worth its rank in dollars."""

MODELS = (7, 5, 2)
"""How many of each kind there are. Rulebook, Components."""

ACTIONS = 3
"""How many actions a turn has, and no more than SAME of one type."""

SAME = 2

HIGH_NOON, LONG_ARM, LOOT = DECKS = ("high_noon", "long_arm", "loot")

TURNED_UP = (HIGH_NOON, LONG_ARM)
"""The decks whose cards are turned up for all to see."""

TOKENS = {"1": 10, "2": 7, "3": 3}
"""Loot tokens by their number. The numbers that go with the printed counts are a guess (RR-F7)."""


class Card(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A card of a deck, or a Raider: what it does at once (`steps`) and while in force (`effects`).

    `lasts` is "turn", "round" or "kept" for a card that stays in force; "" for one that does not.
    `kind` of a Loot card: "score", "equipment", "weapon" or "item". `use` of one that is used up:
    "turn" in the owner's turn, "opponent" in somebody else's, "action" for an action. `grit` cards
    stay beside their car. `copies` are in the deck; 0 where nobody has counted them.
    """

    name: str
    title: str = ""
    copies: int = 0
    words: str = ""
    kind: str = ""
    use: str = ""
    lasts: str = ""
    grit: bool = False
    steps: tuple[Effect, ...] = ()
    effects: tuple[Effect, ...] = ()


class CarCard(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A train car: its Loot and Long Arm icons, and what an action on it does.

    `end` is "caboose" or "locomotive" for the two that are always face up.
    """

    name: str
    title: str = ""
    loot: int = 0
    long_arm: int = 0
    end: str = ""
    words: str = ""
    steps: tuple[Effect, ...] = ()


class Edition(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """The cards that a game is played with, as its pack has them."""

    name: str
    raiders: tuple[Card, ...]
    high_noon: tuple[Card, ...]
    long_arm: tuple[Card, ...]
    loot: tuple[Card, ...]
    cars: tuple[CarCard, ...]


class Car(Struct, frozen=True, forbid_unknown_fields=True):
    """What is on a car: facedown Loot tokens, Lawbots by kind, Grit cards (top first), bombs."""

    up: bool = False
    tokens: tuple[str, ...] = ()
    bots: tuple[int, int, int] = (0, 0, 0)
    grit: tuple[str, ...] = ()
    bombs: tuple[str, ...] = ()


class Rider(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's Raider: which one ("" before the choice), where, its dollars and equipped cards."""

    raider: str = ""
    at: int = OFF
    dollars: int = 0
    gear: tuple[str, ...] = ()


class Force(Struct, frozen=True, forbid_unknown_fields=True):
    """A card of a deck that is in force for a seat until its time is over."""

    deck: str
    card: str
    seat: int
    lasts: str


class Turn(Struct, frozen=True, forbid_unknown_fields=True):
    """What has happened in the turn that is running.

    `left` actions are left, `done` are the types of those taken; `thirds` more of a type are allowed.
    `scored` dollars, `won` fights, tokens `searched`, Showdowns `fought`. `over` says that there are
    no actions any more. `moved_free` and `loot_scored` are said of effects that work once a turn.
    """

    left: int = ACTIONS
    done: tuple[str, ...] = ()
    thirds: int = 0
    scored: int = 0
    won: int = 0
    searched: int = 0
    fought: int = 0
    over: bool = False
    no_moves: bool = False
    moved_free: bool = False
    loot_scored: bool = False


class Side(Struct, frozen=True, forbid_unknown_fields=True):
    """One side of a fight: a seat's number or LAWBOTS, and the seat that rolls and decides for it.

    `weapons` it uses; `dice` and `rerolls` it paid for. `faces` lie there, lowest first. `again` are
    those it rolls again, None while it has not decided.
    """

    who: int
    runner: int
    weapons: tuple[str, ...] = ()
    dice: int = 0
    rerolls: int = 0
    faces: tuple[str, ...] = ()
    again: tuple[str, ...] | None = None


class Fight(Struct, frozen=True, forbid_unknown_fields=True):
    """A fight that is prepared, rolled, or has its consequences.

    `kind` is "showdown" or "search", `target` a seat, LAWBOTS, or NOBODY in an opposed Search.
    `sides` roll in their order. `partners` are two seats that have teamed up, `out` the kinds of
    Lawbot that sit it out. `best` are those who roll off. `losers` are Raiders still to be moved.
    """

    kind: str
    car: int
    active: int
    target: int
    sides: tuple[Side, ...] = ()
    partners: tuple[int, ...] = ()
    out: tuple[str, ...] = ()
    best: tuple[int, ...] = ()
    winner: int = NOBODY
    losers: tuple[int, ...] = ()
    thrown: bool = False


class Job(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something to be done before what is below it on the agenda; `do` is one of the machine's kinds.

    `seat` decides or is meant, `car` is where, `count` how often, `card` which card, pile or purpose.
    `cards` are Loot cards that the seat alone looks at. `faces` were rolled, and `again` of them are
    rolled again; `hands` are those of a contest so far. `effect` is a step of a card, `more` rerolls
    that were paid for. `moved` are Lawbots that were moved by it, by kind and by the car they came to.
    """

    do: str
    seat: int = 0
    car: int = OFF
    count: int = 1
    card: str = ""
    seats: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    faces: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    hands: tuple[Hand, ...] = ()
    effect: Effect | None = None
    more: int = 0
    moved: tuple[tuple[str, int], ...] = ()


class State(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """All that the rules need to know of one game.

    `train` are the cars' names from the caboose to the locomotive, those face down hidden; `box` the
    cars that are not used, and `unused` the High Noon cards. Decks are top first; `*_discard` were
    shown when they were discarded, `*_buried` were not. `tokens` is the supply of facedown Loot tokens,
    `shown` those that were turned up and lie aside. `raiders` are those not chosen.
    `agenda` is what is to be done, the next first; nothing is left when the game is over. `turn` is
    NOBODY between turns. `dice` were thrown last. `tops` are the cards that show on the discard piles of
    TURNED_UP: what is turned up is put there and stays, but for Grit. UNKNOWN is one that nobody named,
    "" where none lies.
    """

    edition: Edition
    options: Options
    seats: tuple[str, ...]
    riders: tuple[Rider, ...]
    raiders: tuple[str, ...]
    train: tuple[str, ...]
    cars: tuple[Car, ...]
    box: tuple[str, ...]
    high_noon: tuple[str, ...]
    high_noon_discard: tuple[str, ...]
    high_noon_buried: tuple[str, ...]
    unused: tuple[str, ...]
    long_arm: tuple[str, ...]
    long_arm_discard: tuple[str, ...]
    loot: tuple[str, ...]
    loot_discard: tuple[str, ...]
    loot_buried: tuple[str, ...]
    tokens: tuple[str, ...]
    shown: tuple[str, ...]
    forces: tuple[Force, ...] = ()
    agenda: tuple[Job, ...] = ()
    fight: Fight | None = None
    turn: int = NOBODY
    acts: Turn = Turn()
    dealer: int = 0
    round: int = 0
    last_round: bool = False
    dice: tuple[str, ...] = ()
    tops: tuple[str, str] = ("", "")


@lru_cache(maxsize=64)
def cards_of(edition: Edition, deck: str) -> Mapping[str, Card]:
    """A deck's cards by name; "raiders" is one too."""
    return {card.name: card for card in getattr(edition, deck)}


@lru_cache(maxsize=64)
def car_cards(edition: Edition) -> Mapping[str, CarCard]:
    """The train cars by name."""
    return {car.name: car for car in edition.cars}


@lru_cache(maxsize=64)
def all_copies(edition: Edition, deck: str) -> tuple[str, ...]:
    """The names of a whole deck, each as often as it has copies."""
    return tuple(card.name for card in getattr(edition, deck) for _ in range(card.copies))
