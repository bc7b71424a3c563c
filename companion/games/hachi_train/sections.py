"""Where the rulebook has the rule for what was done, for those who want to look it up."""

from __future__ import annotations

from companion.games.game import Action, Rolled, Shuffled
from companion.games.hachi_train.actions import (
    EnterCard,
    ForgetHand,
    HachiAction,
    KeepHand,
    Lead,
    Pass,
    Play,
    PutIn,
)
from companion.games.hachi_train.state import State

_SECTIONS: dict[type[Action], str] = {
    Rolled: "Setup",
    Lead: "Setup",
    Pass: "Pass the Turn (and Draw a Card from the Deck, if Any)",
    KeepHand: "Important Rules",
    ForgetHand: "Important Rules",
    EnterCard: "Important Rules",
    PutIn: "Exchange Card(s) of Hand and on the Field",
    Play: "Exchange Card(s) of Hand and on the Field",
}


def section(state: State, action: HachiAction) -> str:
    """The rulebook's section for a legal action."""
    if isinstance(action, Shuffled):
        return "Setup" if state.match == 1 else "Preparing the Next Match"
    return _SECTIONS[type(action)]
