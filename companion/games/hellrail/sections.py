"""Where the rulebook has the rule for what was done, for those who want to look it up."""

from __future__ import annotations

from companion.games.game import Action, Rolled, Shuffled
from companion.games.hellrail.actions import (
    Cross,
    Declare,
    Derail,
    DiscardCard,
    Done,
    DrawCard,
    EndTurn,
    Fan,
    Gain,
    HellRailAction,
    KeepChip,
    Land,
    LayRail,
    Move,
    MoveEngine,
    Pickup,
    PlaceCircle,
    PutCounter,
    ScrapRail,
    Setout,
    SpendChip,
    TakeCounter,
    Target,
    TurnRail,
    UpgradeRail,
)
from companion.games.hellrail.state import CROSSING, SETUP, State

_ENTERING = "Movement - Entering a Circle"

_SECTIONS: dict[type[Action], str] = {
    Rolled: "Setup",
    Shuffled: "Humping the Draw Pile",
    PlaceCircle: "Alternate Circle Setups",
    LayRail: "Card Actions - Lay New Rail",
    UpgradeRail: "Card Actions - Upgrade Rail",
    Pickup: "Card Actions - Pickup a Car",
    Setout: "Card Actions - Setout a Car",
    Move: "Card Actions - Move; Movement",
    Cross: "Boatman Tickets",
    Land: "Boatman Tickets",
    Fan: "Card Actions - Fan the Flames",
    EndTurn: "Turn Sequence",
    Declare: _ENTERING,
    SpendChip: "Heresy Chips",
    KeepChip: "Heresy Chips",
    Target: _ENTERING,
    TurnRail: _ENTERING,
    ScrapRail: _ENTERING,
    PutCounter: _ENTERING,
    TakeCounter: _ENTERING,
    MoveEngine: _ENTERING,
    DiscardCard: _ENTERING,
    DrawCard: _ENTERING,
    Derail: "Derailing",
    Gain: _ENTERING,
    Done: _ENTERING,
}


def section(state: State, action: HellRailAction) -> str:
    """The rulebook's section for a legal action."""
    match action:
        case Rolled() if state.phase == CROSSING:
            return "Boatman Tickets"
        case Shuffled() if not state.owed:
            return "Setup" if state.phase == SETUP else "Alternate Circle Setups"
        case Move(to=None):
            return "Movement - End of Rail; Derailing"
        case Move(rammed=rammed) if rammed:
            return "Movement - Ramming"
    return _SECTIONS[type(action)]
