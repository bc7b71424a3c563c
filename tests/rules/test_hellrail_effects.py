"""Effects that wait for a shuffle."""

from __future__ import annotations

from companion.games.game import Shuffled
from companion.games.hellrail import GAME
from companion.games.hellrail.actions import Declare, ScrapRail
from companion.games.hellrail.state import ACTIONS, EFFECT, Step
from tests.rules.hellrail_positions import do, entered, hand, pack


def test_an_effect_that_ends_with_a_draw_waits_for_the_shuffle_and_is_over_then() -> None:
    made = pack({"9": (Step("scrap_rail"), Step("draw"))})
    state = entered("9", made=made, rails={(4, 1): "curve1"}, deck=[], discard=["spare1"])
    state = do(state, Declare("red", use=True), ScrapRail("red", (4, 1)))
    assert (state.phase, state.owed, state.effect and state.effect.steps) == (EFFECT, 1, ())
    assert GAME.faults(state) == ()
    state = do(state, Shuffled(("curve1", "spare1", "v1b1")))
    assert (state.phase, state.effect) == (ACTIONS, None)
    assert hand(state, "red") == ("curve1",)
