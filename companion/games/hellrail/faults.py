"""What makes a position impossible: for states that come from outside, as a record may begin with one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from companion.games.hellrail.course_faults import course_faults
from companion.games.hellrail.movement import net_of
from companion.games.hellrail.pack import edition, entries
from companion.games.hellrail.pack_faults import card_faults
from companion.games.hellrail.state import (
    CHIPS,
    CIRCLES,
    COUNTERS,
    DECLARE,
    EFFECT,
    FANNED,
    HERESY,
    OVER,
    PHASES,
    SEATS,
    TICKETS,
    Edition,
    State,
)
from companion.games.hellrail.track import TURNS
from companion.games.layout import UNKNOWN


def faults(state: State) -> tuple[str, ...]:
    """Each thing that no game can come to, with the path to it; empty for a position that may be.

    Cards come first, then shapes, then the table: while one is wrong, what rests on it is not looked at.
    """
    return (
        _edition(state.edition)
        or tuple(_shapes(state))
        or (*_cards(state), *_table(state))
        or tuple(course_faults(state))
    )


@lru_cache(maxsize=16)
def _edition(cards: Edition) -> tuple[str, ...]:
    pack = entries(cards)
    found = tuple(fault.replace("`$.", "`$.edition.") for fault in card_faults(pack))
    if not found and edition(pack) != cards:
        return ("Segments are in the order of their sides - at `$.edition.rails`.",)
    return found


def _shapes(state: State) -> Iterator[str]:
    seats = len(state.seats)
    if not 2 <= seats <= 4 or len(set(state.seats)) != seats or not set(state.seats) <= set(SEATS):
        yield f"Two to four different seats of {', '.join(SEATS)} - at `$.seats`."
    for part in ("dealt", "hands", "loaded", "delivered", "chips", "tickets", "throws"):
        count = len(getattr(state, part))
        if count != seats:
            yield f"One for each of the {seats} seats, not {count} - at `$.{part}`."
    if len(state.engines) != (0 if state.phase == CIRCLES else seats):
        yield "One engine for each seat, once the Circles lie - at `$.engines`."
    for part in ("turn", "drawer"):
        if not 0 <= getattr(state, part) < seats:
            yield f"A seat's number, 0 to {seats - 1}, not {getattr(state, part)} - at `$.{part}`."
    if state.phase not in PHASES or (state.phase == FANNED and not state.owed):
        yield f"There is no phase '{state.phase}' to stand in - at `$.phase`."
    names = [circle.name for circle in state.edition.circles]
    lying = [circle.name for circle in state.circles]
    if len(set(lying)) != len(lying) or not set(lying) <= set(names):
        yield "Each Circle of the edition lies at most once - at `$.circles`."
    elif (state.phase == CIRCLES) == (len(lying) == len(names)):
        yield f"All {len(names)} Circles lie on the table once the players have laid them - at `$.circles`."
    cards = {card.name for card in state.edition.rails}
    for at, rail in enumerate(state.rails):
        if rail.card not in cards or any(card not in cards for card, _ in rail.covered):
            yield f"There is no Rail Card '{rail.card}' or what it covers - at `$.rails[{at}]`."
        if rail.turn not in TURNS or any(turn not in TURNS for _, turn in rail.covered):
            yield f"A card lies turned by 0, 90, 180 or 270 degrees - at `$.rails[{at}].turn`."
    effect = state.effect
    if (state.phase in (DECLARE, HERESY, EFFECT)) != (effect is not None) and state.phase != OVER:
        yield "A Circle's Effect is decided or carried out in its phases, and in no other - at `$.effect`."
    if effect and not (0 <= effect.seat < seats and effect.circle in names):
        yield "A seat's number and a Circle of the edition - at `$.effect`."
    if effect and any(not 0 <= seat < seats for seat in (*effect.asked, *effect.chosen)):
        yield "Seats' numbers - at `$.effect`."
    if len(set(state.entries)) != len(state.entries) or any(not 0 <= seat < seats for seat in state.entries):
        yield "Seats' numbers, each once - at `$.entries`."


def _cards(state: State) -> Iterator[str]:
    names = {card.name for card in state.edition.rails}
    known = Counter(
        card
        for cards in (*state.hands, *state.loaded, *state.delivered, state.deck, state.discard, state.buried)
        for card in cards
    )
    known.update(rail.card for rail in state.rails)
    known.update(card for rail in state.rails for card, _ in rail.covered)
    unknown = known.pop(UNKNOWN, 0)
    for card in sorted(known):
        if card not in names:
            yield f"There is no Rail Card '{card}' - in the hands, trains and piles."
        elif known[card] > 1:
            yield f"The Rail Card {card} is in two places - in the hands, trains, piles and on the table."
    if known.total() + unknown != len(names):
        yield f"There are {known.total() + unknown} Rail Cards, not {len(names)} - in all places together."
    for part in ("hands", "delivered"):
        for at, cards in enumerate(getattr(state, part)):
            if cards != tuple(sorted(cards)):
                yield f"Cards are kept in the order of the alphabet here - at `$.{part}[{at}]`."
    if state.buried != tuple(sorted(state.buried)):
        yield "Cards are kept in the order of the alphabet here - at `$.buried`."
    if any(UNKNOWN in cards for cards in (*state.loaded, *state.delivered, state.discard)):
        yield "Cars and face-up discards are known - at `$.loaded`, `$.delivered` or `$.discard`."
    if state.top and state.top not in state.discard[-1:]:
        yield f"The card that shows is the last discard, not '{state.top}' - at `$.top`."
    if state.owed < 0 or (state.owed and (state.deck or not (state.discard or state.buried))):
        yield "Draws are owed only while the Draw Pile is empty and there are discards - at `$.owed`."
    for part, most in (("chips", CHIPS), ("tickets", TICKETS)):
        held = getattr(state, part)
        if any(count not in (0, 1) for count in held) or sum(held) > most:
            yield f"A player has none or one, and there are {most} - at `$.{part}`."


def _table(state: State) -> Iterator[str]:
    cells = [rail.cell for rail in state.rails] + [circle.cell for circle in state.circles]
    if len(set(cells)) != len(cells):
        yield "No two cards lie on one square but as an upgrade - at `$.rails` and `$.circles`."
        return
    if list(state.rails) != sorted(state.rails):
        yield "The rails are in the order of their cells - at `$.rails`."
    for at, rail in enumerate(state.rails):
        if any(counter not in COUNTERS for counter in rail.counters):
            yield f"Counters are {' and '.join(COUNTERS)} - at `$.rails[{at}].counters`."
        elif rail.counters != tuple(sorted(set(rail.counters))):
            yield f"One counter of a kind, in the order of the alphabet - at `$.rails[{at}].counters`."
    net, taken = net_of(state), set()
    for at, position in enumerate(state.engines):
        if position.in_circle:
            if position.cell not in net.sides or position.tie or position.facing:
                yield f"An engine without a segment is in a Circle - at `$.engines[{at}]`."
            continue
        lying = net.faces.get(position.cell)
        if lying is None or position.spot not in lying.ahead:
            yield f"An engine stands in a Circle or on a tie of rail that lies - at `$.engines[{at}]`."
        elif (position.cell, position.segment, position.tie) in taken:
            yield f"Two engines stand on one tie - at `$.engines[{at}]`."
        taken.add((position.cell, position.segment, position.tie))
