"""Where the rulebook has the rule for what was done, for those who want to look it up."""

from __future__ import annotations

from companion.games.game import Action, Rolled, Shuffled
from companion.games.pawns_of_perdition.actions import (
    Accept,
    EndTurn,
    Give,
    Keep,
    Move,
    Pass,
    PawnsAction,
    PlayCard,
    Take,
)
from companion.games.pawns_of_perdition.state import State

_SECTIONS: dict[type[Action], str] = {
    Rolled: "Gameplay Loop",
    Shuffled: "Prayer Cards",
    Keep: "FAQs",
    Move: "Space Type",
    PlayCard: "Prayer Card Effects",
    Accept: "Prayer Card Effects",
    Take: "Sin Spaces",
    Give: "Sin Spaces",
    Pass: "Prayer Cards",
    EndTurn: "Gameplay Loop",
}


def section(state: State, action: PawnsAction) -> str:
    """The rulebook's section for the action."""
    return _SECTIONS[type(action)]
