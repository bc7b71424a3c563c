"""The State of Pawns of Perdition: plain data, complete, exact in JSON."""

from __future__ import annotations

from msgspec import Struct

from companion.games.pawns_of_perdition.options import Options

SEATS = ("red", "blue", "green", "yellow", "white")
"""The pawns' colours, which name the seats."""

LAYERS = 7
LAYER_LENGTH = 9
ESCAPE = LAYERS * LAYER_LENGTH

TITLES = {
    "angels_shortcut": "Angel's Shortcut",
    "beacon_of_hope": "Beacon of Hope",
    "cleansing_flame": "Cleansing Flame",
    "forced_exchange": "Forced Exchange",
    "gift_of_the_righteous": "Gift of the Righteous",
    "hellish_reckoning": "Hellish Reckoning",
    "hells_grasp": "Hell's Grasp",
    "holy_determination": "Holy Determination",
    "infernal_exchange": "Infernal Exchange",
    "omen_of_suffering": "Omen of Suffering",
    "on_the_wings_of_angels": "On the Wings of Angels",
    "sanctuarys_blessing": "Sanctuary's Blessing",
    "second_chance": "Second Chance",
    "soul_conviction": "Soul Conviction",
    "unholy_bargain": "Unholy Bargain",
}
"""The kinds of prayer card, in the order of the alphabet, and their titles in the rulebook."""

CARDS = tuple(TITLES)

# Where a game stands. Windows, in which cards may be played, are named by the moment.
SETUP = "setup"
FIRST_PLAYER = "first_player"
BEFORE_ROLL = "before_roll"
REROLL = "reroll"
BEACON = "beacon"
KEEP = "keep"
AFTER_ROLL = "after_roll"
LANDING = "landing"
GREED = "greed"
LUST = "lust"
AFTER_EFFECT = "after_effect"
TURN_END = "turn_end"
OVER = "over"

PHASES = (
    SETUP,
    FIRST_PLAYER,
    BEFORE_ROLL,
    REROLL,
    BEACON,
    KEEP,
    AFTER_ROLL,
    LANDING,
    GREED,
    LUST,
    AFTER_EFFECT,
    TURN_END,
    OVER,
)

WINDOWS = frozenset((BEFORE_ROLL, AFTER_ROLL, AFTER_EFFECT, TURN_END))
"""The phases in which everyone may play cards against others."""


class Roll(Struct, frozen=True, forbid_unknown_fields=True):
    """A movement roll in the making: the cards that change it, and the dice so far.

    `base` are the two dice, or the three of Cleansing Flame; `extra` the Beacons' dice; `kept`
    the base dice that count, empty until they are settled.
    """

    doubles: int = 0
    wings: int = 0
    beacons: int = 0
    cleansing: bool = False
    second_chance: bool = False
    base: tuple[int, ...] = ()
    extra: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()


class Played(Struct, frozen=True, forbid_unknown_fields=True):
    """A card played against `target` that is not carried out yet: unanswered, or its look goes on."""

    card: str
    seat: str
    target: str
    accepted: bool = False


class State(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """All that the rules need to know of one game.

    `board` holds the 64 spaces, Start (0) to Escape (63), a Sin by its own name; `copies` how many
    of each kind of CARDS there are. `seats` are in clockwise order; `pawns` (spaces), `hands`
    (sorted, so that their order tells nothing) and `skips` (turns owed) follow them. `deck` is top
    first; `discard` lies face up, `buried` are discards that nobody was shown, `aside` a hand that
    Gluttony lets go only after the draw. `turn` and `speaker` are seat numbers; `speaker` is who is
    asked for a card when players are asked in turn, -1 otherwise. `owed` draws wait for a shuffle.
    `throws` are the sums for the first player: 0 not thrown yet, -1 beaten. `victim` suffers the
    Torment landed on, `holy` counts Holy Determinations on this landing. `dice` were thrown last.
    """

    pack: str
    board: tuple[str, ...]
    copies: tuple[int, ...]
    options: Options
    seats: tuple[str, ...]
    pawns: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...]
    deck: tuple[str, ...]
    discard: tuple[str, ...]
    buried: tuple[str, ...]
    aside: tuple[str, ...]
    skips: tuple[int, ...]
    throws: tuple[int, ...]
    turn: int
    phase: str
    roll: Roll
    speaker: int = -1
    played: Played | None = None
    owed: int = 0
    victim: str = ""
    holy: int = 0
    dice: tuple[int, ...] = ()
    winner: str = ""


def layer_of(state: State, space: int) -> int:
    """The layer's number, 1 to 7, of a space; Start lies in the layer of space 1."""
    row = max(space - 1, 0) // LAYER_LENGTH
    return row + 1 if state.options.layers == "up" else LAYERS - row


def distance(state: State) -> int:
    """How far the movement roll moves the pawn, once the dice that count are settled."""
    roll = state.roll
    dice = sum(roll.kept) + sum(roll.extra)
    if state.options.modifiers == "double_then_add":
        return (dice << roll.doubles) + 6 * roll.wings
    return (dice + 6 * roll.wings) << roll.doubles
