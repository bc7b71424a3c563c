"""Why an action may not be done now: each rule that forbids one, in a sentence, and what would do.

Nothing here asks `legal`, but for what would do instead; that both agree is tested at every step of
random games.
"""

from __future__ import annotations

from companion.games.game import Action, AwaitedDice, AwaitedShuffle, Rolled, Ruling, Shuffled
from companion.games.hellrail import effects
from companion.games.hellrail.actions import (
    Cross,
    Declare,
    EndTurn,
    Fan,
    HellRailAction,
    KeepChip,
    Land,
    LayRail,
    Move,
    Pickup,
    PlaceCircle,
    Setout,
    SpendChip,
    UpgradeRail,
)
from companion.games.hellrail.effect_refusals import effect_fault
from companion.games.hellrail.move_refusals import cross_fault, land_fault, move_fault
from companion.games.hellrail.names import circle_name, listed, name, not_entered, squares
from companion.games.hellrail.piles import holds
from companion.games.hellrail.rails import fitting, occupied, open_cells
from companion.games.hellrail.rules import awaiting, circle_cells, legal
from companion.games.hellrail.state import (
    ACTIONS,
    CIRCLES,
    COLUMNS,
    DECLARE,
    EFFECT,
    FIRST_PLAYER,
    HERESY,
    LANDING,
    OVER,
    ROWS,
    SETUP,
    State,
    rail_cards,
)
from companion.games.hellrail.track import TURNS, Cell, face
from companion.games.layout import UNKNOWN
from companion.games.refusing import BOOK, FORM, Fault, roll_fault, ruling, shuffle_fault

_TURN = "Turn Sequence"
_CARDS = "Card Actions"
_SETUP = "Setup"
_HUMPING = "Humping the Draw Pile"
_HERESY = "Heresy Chips"
_ADVOCATE = "Alternate Circle Setups"
_ENTERING = "Movement - Entering a Circle"


def refusal(state: State, action: HellRailAction) -> Ruling | None:
    """None when the action is legal, otherwise the Ruling that says why it is not."""
    fault = _fault(state, action)
    return None if fault is None else ruling(fault, _instead(state, action))


def _instead(state: State, action: Action) -> tuple[HellRailAction, ...]:
    """A few legal actions of the same kind, or with the same card, or any."""
    if isinstance(action, Rolled | Shuffled):
        return ()
    seat = str(getattr(action, "seat", ""))
    card = str(getattr(action, "card", ""))
    found = legal(state, seat, card) or legal(state, seat)
    alike = [other for other in found if type(other) is type(action)]
    return tuple(alike or found)


def _fault(state: State, action: Action) -> Fault:
    if not isinstance(action, HellRailAction):
        return FORM, _TURN, "HellRail has no such action; choose one of its own."
    if state.phase == OVER:
        return BOOK, "End of the Line", "The game is over: both piles ran out. Start a new one."
    if isinstance(action, Rolled):
        return roll_fault(awaiting(state).chance, action, _TURN, holding_up(state))
    if isinstance(action, Shuffled):
        return shuffle_fault(awaiting(state).chance, action, _HUMPING, holding_up(state))
    if action.seat not in state.seats:
        return FORM, _SETUP, f"Nobody plays '{action.seat}'; the seats are {listed(state.seats)}."
    if state.phase == SETUP or state.owed:
        return BOOK, _HUMPING, "Cards are being shuffled; shuffle and draw first."
    if isinstance(action, PlaceCircle):
        return _circle_fault(state, action)
    if isinstance(action, Declare | SpendChip | KeepChip):
        return _heresy_fault(state, action)
    if isinstance(action, Land):
        if state.phase != LANDING or action.seat != state.seats[state.turn]:
            return BOOK, "Boatman Tickets", f"Nobody lands now; {holding_up(state)}."
        return land_fault(state, action)
    if isinstance(action, _CARD_ACTIONS):
        return _card_action_fault(state, action)
    if state.phase != EFFECT:
        return BOOK, _ENTERING, f"No Circle Effect is being carried out; {holding_up(state)}."
    return effect_fault(state, action)


def holding_up(state: State) -> str:
    """What the game waits for, as part of a sentence."""
    now = awaiting(state)
    if isinstance(now.chance, AwaitedDice):
        return f"{name(now.chance.seat)} throws the die first ({now.chance.why})"
    if isinstance(now.chance, AwaitedShuffle):
        return "cards are shuffled first"
    who = listed(tuple(name(seat) for seat in now.seats))
    what = {
        CIRCLES: "to lay a Circle",
        ACTIONS: "to act",
        LANDING: "to say where the engine that stood there goes",
        DECLARE: "to say whether the Circle's Effect is used",
        HERESY: "to say whether a Heresy Chip is spent",
        EFFECT: "to carry out the Circle's Effect",
    }
    return f"it is for {who} {what[state.phase]}"


def _circle_fault(state: State, action: PlaceCircle) -> Fault:
    if state.phase != CIRCLES:
        return BOOK, _ADVOCATE, f"The Circles lie already; {holding_up(state)}."
    if isinstance(awaiting(state).chance, AwaitedShuffle):
        return BOOK, _ADVOCATE, "The Circles are shuffled and dealt first."
    lying = {circle.name for circle in state.circles}
    names = [card.name for card in state.edition.circles]
    if action.circle not in names:
        return FORM, _SETUP, f"There is no Circle '{action.circle}'; the Circles are {listed(tuple(names))}."
    if action.circle in lying:
        return BOOK, _SETUP, f"{circle_name(action.circle)} lies on the table already; lay another one."
    if state.options.circles == "devils_advocate":
        if action.seat != state.seats[state.turn]:
            return BOOK, _ADVOCATE, f"{name(state.seats[state.turn])} lays the next Circle; take turns."
        hand = state.dealt[state.turn]
        if action.circle not in hand and UNKNOWN not in hand:
            return BOOK, _ADVOCATE, f"{circle_name(action.circle)} was dealt to another player; lay your own."
    if action.cell not in circle_cells(state):
        if any(circle.cell == action.cell for circle in state.circles):
            return BOOK, _ADVOCATE, f"A Circle lies on {squares(action.cell)} already; choose another square."
        if state.circles and state.options.circles == "devils_advocate":
            return BOOK, _ADVOCATE, "A Circle is laid diagonal to a Circle that is already on the table."
        return (
            FORM,
            _SETUP,
            f"The sheet has {COLUMNS} columns and {ROWS} rows; lay the Circle on one of them.",
        )
    return None


def _heresy_fault(state: State, action: Declare | SpendChip | KeepChip) -> Fault:
    if isinstance(action, Declare):
        if state.phase != DECLARE:
            return "HR-A33", _ENTERING, f"No Circle was just entered; {holding_up(state)}."
        owner = state.seats[effects.present(state).seat]
        if action.seat != owner:
            return BOOK, _ENTERING, f"{name(owner)} entered the Circle, and decides on its Effect."
        return None
    if state.phase != HERESY:
        return BOOK, _HERESY, f"Nothing waits for a Heresy Chip; {holding_up(state)}."
    asked = state.seats[effects.present(state).asked[0]]
    if action.seat != asked:
        return "HR-A27", _HERESY, f"{name(asked)} is asked for a Heresy Chip first; wait to be asked."
    return None


_CARD_ACTIONS = LayRail | UpgradeRail | Pickup | Setout | Move | Cross | Fan | EndTurn


def _card_action_fault(state: State, action: HellRailAction) -> Fault:
    assert isinstance(action, _CARD_ACTIONS)
    seat = state.seats[state.turn]
    if state.phase in (CIRCLES, FIRST_PLAYER):
        return BOOK, _SETUP, f"The first turn has not begun: {holding_up(state)}."
    if action.seat != seat:
        return BOOK, _TURN, f"It is {name(seat)}'s turn; wait for yours."
    if state.phase in (DECLARE, HERESY, EFFECT):
        return BOOK, _ENTERING, f"The Circle's Effect comes before any card action: {holding_up(state)}."
    if state.phase != ACTIONS:
        return BOOK, _TURN, f"Not now: {holding_up(state)}."
    if isinstance(action, EndTurn):
        return None
    if action.card not in rail_cards(state.edition):
        return FORM, "Components", f"There is no Rail Card '{action.card}'; its name is on the card."
    if isinstance(action, Setout):
        return _setout_fault(state, action)
    if not holds(state, state.turn, action.card):
        return BOOK, _TURN, f"{name(seat)} does not hold {action.card}; play a card from the hand."
    if unknown := not_entered(state, action.card):
        return FORM, "Components", unknown
    match action:
        case LayRail():
            return _lay_fault(state, action)
        case UpgradeRail():
            return _upgrade_fault(state, action)
        case Pickup():
            return _pickup_fault(state, action)
        case Move():
            return move_fault(state, action)
        case Cross():
            return cross_fault(state, action)
    return None


def _lay_fault(state: State, action: LayRail) -> Fault:
    section = f"{_CARDS} - Lay New Rail"
    if action.turn not in TURNS:
        return FORM, section, f"A card lies turned by 0, 90, 180 or 270 degrees, not {action.turn}."
    if _rail_on(state, action.cell):
        return BOOK, section, f"A Rail Card lies on {squares(action.cell)}: lay it over that as an upgrade."
    if any(circle.cell == action.cell for circle in state.circles):
        return BOOK, section, f"A Circle lies on {squares(action.cell)}; lay rail on a blank square."
    if action.cell not in open_cells(state):
        if state.options.adjacent == "side_or_corner":
            near = "a card with which it shares a side or a corner"
        else:
            near = "a card with which it shares a whole side"
        return (
            "HR-A03",
            section,
            f"{squares(action.cell)} is not adjacent to any card; lay it next to {near}.",
        )
    return None


def _rail_on(state: State, cell: Cell) -> bool:
    return any(rail.cell == cell for rail in state.rails)


def _upgrade_fault(state: State, action: UpgradeRail) -> Fault:
    section = f"{_CARDS} - Upgrade Rail"
    if action.turn not in TURNS:
        return FORM, section, f"A card lies turned by 0, 90, 180 or 270 degrees, not {action.turn}."
    old = next((rail for rail in state.rails if rail.cell == action.cell), None)
    if any(circle.cell == action.cell for circle in state.circles):
        return BOOK, section, f"A Circle lies on {squares(action.cell)}; only a Rail Card is upgraded."
    if old is None:
        return BOOK, section, f"No Rail Card lies on {squares(action.cell)}; lay it there as new rail."
    standing = [
        seat for seat, there in zip(state.seats, state.engines, strict=True) if there.cell == old.cell
    ]
    if old.cell in occupied(state):
        who = listed(tuple(name(seat) for seat in standing))
        return (
            BOOK,
            section,
            f"{squares(old.cell)} is occupied by {who}; only a non-occupied card is upgraded.",
        )
    cards = rail_cards(state.edition)
    new, lying = cards[action.card].track, cards[old.card].track
    if action.turn in fitting(new, lying, old.turn, state.options.same_rail == "refused"):
        return None
    wanted = set(face(lying, old.turn).segments) - set(face(new, action.turn).segments)
    if not wanted:
        return "HR-A20", section, "The new card has no more rail than the old one, as this table plays it."
    other = fitting(new, lying, old.turn, False)
    lacking = listed(tuple(f"{segment[0]}-{segment[1]}" for segment in sorted(wanted)))
    cure = f"turn it to {listed(tuple(str(turn) for turn in other))} degrees" if other else "lay another card"
    return BOOK, section, f"Card {action.card} turned so lacks the old card's rail {lacking}; {cure}."


def _pickup_fault(state: State, action: Pickup) -> Fault:
    here, wanted = effects.circle_at(state, state.turn), rail_cards(state.edition)[action.card].pickup
    section = f"{_CARDS} - Pickup a Car"
    if here == wanted:
        return None
    return BOOK, section, f"Card {action.card} is picked up at {circle_name(wanted)}; {_where(state, here)}."


def _setout_fault(state: State, action: Setout) -> Fault:
    section = f"{_CARDS} - Setout a Car"
    if action.card not in state.loaded[state.turn]:
        return BOOK, section, f"Card {action.card} is no loaded car of this train; set out one that is."
    here, wanted = effects.circle_at(state, state.turn), rail_cards(state.edition)[action.card].setout
    if not wanted:
        return (
            FORM,
            section,
            f"The Setout Circle of {action.card} is not entered yet; enter it as it is printed.",
        )
    if here == wanted:
        return None
    return BOOK, section, f"Card {action.card} is set out at {circle_name(wanted)}; {_where(state, here)}."


def _where(state: State, here: str) -> str:
    seat = name(state.seats[state.turn])
    return (
        f"{seat}'s engine is at {circle_name(here)}" if here else f"{seat}'s engine is on rail, in no Circle"
    )
