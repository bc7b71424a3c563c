"""What makes a moment of the game impossible, in a position whose cards and table are in order."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.hellrail import effects, moves
from companion.games.hellrail.movement import net_of
from companion.games.hellrail.state import (
    ACTIONS,
    CIRCLES,
    CROSSING,
    DECLARE,
    EFFECT,
    FANNED,
    FIRST_PLAYER,
    HERESY,
    LANDING,
    OVER,
    SETUP,
    Effect,
    State,
    circle_cards,
)
from companion.games.layout import UNKNOWN


def course_faults(state: State) -> Iterator[str]:
    """Each thing about whose turn it is and what is waited for that no game comes to."""
    if len(state.dice) > 1 or any(not 1 <= die <= 6 for die in state.dice):
        yield "The one die shows 1 to 6 - at `$.dice`."
    if any(not -1 <= throw <= 6 for throw in state.throws):
        yield "A throw is 1 to 6, 0 before it, -1 when it was beaten - at `$.throws`."
    elif state.phase == FIRST_PLAYER and 0 not in state.throws:
        yield "Somebody is still to throw for the first turn - at `$.throws`."
    elif state.phase in (CIRCLES, SETUP) and any(state.throws):
        yield "Nobody throws for the first turn before cards are dealt - at `$.throws`."
    if state.phase in (CIRCLES, SETUP) and len(state.discard) != len(state.edition.rails):
        yield "All Rail Cards lie on the discard pile before they are first shuffled - at `$.discard`."
    if state.owed and state.phase not in (ACTIONS, FANNED, EFFECT):
        yield f"Nobody draws in the phase '{state.phase}' - at `$.owed`."
    if state.phase == OVER and (state.deck or state.discard or state.buried):
        yield "A game is over when both piles are empty - at `$.phase`."
    yield from _circles(state)
    if (state.phase in (CROSSING, LANDING)) != (state.crossing is not None) and state.phase != OVER:
        yield "A ticket is used while crossing and landing, and at no other time - at `$.crossing`."
    elif state.phase in (CROSSING, LANDING):
        yield from _crossing(state)
    if state.turn_over and state.phase not in (DECLARE, HERESY, EFFECT, OVER):
        yield "A turn that is over goes on only for a Circle's Effect - at `$.turn_over`."
    if state.entries and state.phase not in (CROSSING, LANDING, DECLARE, HERESY, EFFECT, OVER):
        yield "Who was rammed into a Circle decides once the Move is over, not now - at `$.entries`."
    elif any(not state.engines[seat].in_circle for seat in state.entries):
        yield "Who is to decide on a Circle's Effect is in a Circle - at `$.entries`."
    if state.effect and state.phase != OVER:
        yield from _effect(state, state.effect)


def _circles(state: State) -> Iterator[str]:
    laid_by_players = ("devils_advocate", "own")
    if state.phase == CIRCLES and state.options.circles not in laid_by_players:
        yield f"The players lay Circles where the option is {' or '.join(laid_by_players)} - at `$.phase`."
    dealt = [name for hand in state.dealt for name in hand]
    if dealt and (state.phase != CIRCLES or state.options.circles != "devils_advocate"):
        yield "Circles are dealt in Devil's Advocate, until they all lie - at `$.dealt`."
        return
    lying = [circle.name for circle in state.circles]
    names = [card.name for card in state.edition.circles]
    known = [name for name in dealt if name != UNKNOWN]
    if len(set(known)) != len(known) or not set(known) <= set(names) - set(lying):
        yield "The Circles that are dealt are others than those that lie - at `$.dealt`."
    if any(hand != tuple(sorted(hand)) for hand in state.dealt):
        yield "Circles are kept in the order of the alphabet - at `$.dealt`."
    if state.phase != CIRCLES or state.options.circles != "devils_advocate":
        return
    sizes = [len(hand) for hand in (*state.dealt[state.turn :], *state.dealt[: state.turn])]
    if (lying or dealt) and (
        len(dealt) + len(lying) != len(names)
        or sizes != sorted(sizes, reverse=True)
        or sizes[0] - sizes[-1] > 1
    ):
        yield "All Circles are dealt, and laid in turn, so that nobody has two more - at `$.dealt`."


def _crossing(state: State) -> Iterator[str]:
    crossing, net = state.crossing, net_of(state)
    assert crossing is not None
    ways = net.crossings(state.engines[state.turn])
    if not any(blanks == crossing.blanks and crossing.to in there for _, blanks, there in ways):
        yield "The blank squares that a ticket crosses, and where one lands behind them - at `$.crossing`."
    elif not (landings := moves.landings(state)) or (state.phase == LANDING and len(landings) == 1):
        yield "One lands where there is room, and is asked only if there are two ways - at `$.crossing`."


def _effect(state: State, effect: Effect) -> Iterator[str]:
    steps = circle_cards(state.edition)[effect.circle].steps
    if state.phase in (DECLARE, HERESY) and effects.circle_at(state, effect.seat) != effect.circle:
        yield f"Who decides on the Effect of {effect.circle} is in that Circle - at `$.effect`."
    if state.phase == EFFECT:
        step = effect.steps[0] if effect.steps else None
        if effect.steps != steps[len(steps) - len(effect.steps) :] or (step is None and not state.owed):
            yield "An Effect that is carried out has the last steps of its Circle left - at `$.effect.steps`."
        elif step is None:
            if steps[-1].do != "draw" or effect.chosen or effect.count:
                yield "What waits for a shuffle after its last step was a draw - at `$.effect.steps`."
        elif effect.count != 0 if not effect.chosen else not 1 <= effect.count <= step.count:
            yield "How much is left of the step, once it is said for whom it is - at `$.effect.count`."
        elif not set(effect.chosen) <= set(effects.targets_of(state, step)) and not state.owed:
            yield "The step can be for those for whom it is - at `$.effect.chosen`."
        elif not state.owed and effects.resolve(state) != state:
            yield "An Effect stops only where somebody is to choose - at `$.effect`."
    elif not steps or effect.steps or effect.chosen or effect.count:
        yield "An Effect is carried out once it is decided on, and has steps - at `$.effect.steps`."
    if (state.phase == HERESY) != bool(effect.asked):
        yield "Opponents are asked for a Heresy Chip when the player has declared - at `$.effect.asked`."
    count = len(state.seats)
    order = [(effect.seat + step) % count for step in range(1, count)]
    if list(effect.asked) != [seat for seat in order if seat in effect.asked] or not all(
        state.chips[seat] for seat in effect.asked
    ):
        yield "Only who has a Heresy Chip is asked for it, clockwise - at `$.effect.asked`."
