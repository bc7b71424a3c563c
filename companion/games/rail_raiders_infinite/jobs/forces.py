"""What is in force: the lasting effects of cards on a Raider, on Lawbots, and on a roll.

Rulebook, Rolling; Rerolls; Equipment and Weapons; Grit; RR-A14, RR-A27.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from companion.games.rail_raiders_infinite.dice.hands import DICE, Hand, Raises, best, in_order
from companion.games.rail_raiders_infinite.packs.vocabulary import Effect
from companion.games.rail_raiders_infinite.state import (
    LAWBOTS,
    LONG_ARM,
    LOOT,
    OFF,
    Edition,
    Fight,
    Force,
    Side,
    State,
    cards_of,
)

_WHILE_HELD = ("join_from_next", "beside")
"""What a weapon does while it is only held."""


class Source(Struct, frozen=True):
    """Where an effect comes from: a deck ("raiders" too), a card, and the seat that has it."""

    deck: str
    card: str
    seat: int


def effects_from(state: State, seat: int) -> tuple[tuple[Effect, Source], ...]:
    """Every effect that is in force for a Raider now, but for those of weapons not in use."""
    rider = state.riders[seat]
    used = _weapons_in_use(state, seat)
    return _effects(state.edition, seat, rider.raider, rider.gear, used, state.forces)


@lru_cache(maxsize=1024)
def _effects(
    edition: Edition,
    seat: int,
    raider: str,
    gear: tuple[str, ...],
    used: tuple[str, ...],
    forces: tuple[Force, ...],
) -> tuple[tuple[Effect, Source], ...]:
    found: list[tuple[Effect, Source]] = []
    if raider:
        source = Source("raiders", raider, seat)
        found += [(effect, source) for effect in cards_of(edition, "raiders")[raider].effects]
    for name in gear:
        card = cards_of(edition, LOOT)[name]
        held = not card.use and (card.kind != "weapon" or name in used)
        source = Source(LOOT, name, seat)
        found += [(effect, source) for effect in card.effects if held or effect.do in _WHILE_HELD]
    for force in forces:
        source = Source(force.deck, force.card, force.seat)
        for effect in cards_of(edition, force.deck)[force.card].effects:
            if effect.who == "all" or (effect.who == "self" and force.seat == seat):
                found.append((effect, source))
    return tuple(found)


def _weapons_in_use(state: State, seat: int) -> tuple[str, ...]:
    if state.fight is None:
        return ()
    return next((side.weapons for side in state.fight.sides if side.who == seat), ())


def effects_on(state: State, seat: int, do: str) -> tuple[Effect, ...]:
    """The effects of that word in force for a Raider."""
    return tuple(effect for effect, _ in effects_from(state, seat) if effect.do == do)


def anywhere(state: State, do: str) -> tuple[Effect, ...]:
    """The effects of that word among timed cards, whoever has them."""
    found = (cards_of(state.edition, force.deck)[force.card] for force in state.forces)
    return tuple(effect for card in found for effect in card.effects if effect.do == do)


def on_car(state: State, car: int) -> tuple[Effect, ...]:
    """The effects of the Grit card on top beside a car."""
    if car == OFF or not state.cars[car].grit:
        return ()
    return cards_of(state.edition, LONG_ARM)[state.cars[car].grit[0]].effects


def on_lawbots(state: State, car: int, do: str) -> tuple[Effect, ...]:
    """The effects of that word in force for the Lawbots on a car."""
    timed = (cards_of(state.edition, force.deck)[force.card] for force in state.forces)
    found = [*on_car(state, car), *(effect for card in timed for effect in card.effects)]
    return tuple(effect for effect in found if effect.do == do and effect.who == "lawbots")


def counts_in(effect: Effect, kind: str) -> bool:
    """Whether it counts in rolls of that kind: "showdown", "search", "boarding" or "check" (RR-A27)."""
    if effect.when == "fight":
        return kind in ("showdown", "search")
    return effect.when in (kind, "roll")


# -- in a fight ---------------------------------------------------------------------------------------


def bots_in(state: State, fight: Fight) -> tuple[int, int, int]:
    """The Lawbots that take part in the fight by kind, without those that sit it out."""
    if all(side.who != LAWBOTS for side in fight.sides) and fight.target != LAWBOTS:
        return (0, 0, 0)
    deputies, sheriffs, marshals = state.cars[fight.car].bots
    # Who sat it out may be gone by the time that losers are dealt with.
    out = fight.out
    return (deputies, max(0, sheriffs - out.count("sheriff")), max(0, marshals - out.count("marshal")))


def side_of(fight: Fight, who: int) -> Side | None:
    """The side of a seat or of the Lawbots; None where they take no part."""
    return next((side for side in fight.sides if side.who == who), None)


def is_met(state: State, effect: Effect, seat: int) -> bool:
    """Whether what the effect needs is so, for a Raider in the present fight."""
    fight = state.fight
    others = [side.who for side in fight.sides if side.who != seat] if fight else []
    rider = state.riders[seat]
    if effect.do == "rerolls" and rider.dollars < effect.least:
        return False
    match effect.needs:
        case "":
            return True
        case "raider_in":
            return any(who != LAWBOTS for who in others)
        case "lawbots_in":
            return LAWBOTS in others
        case "officer_in":
            return fight is not None and LAWBOTS in others and any(bots_in(state, fight)[1:])
        case "raider_here":
            near = (other.at for number, other in enumerate(state.riders) if number != seat)
            return rider.at != OFF and rider.at in near
        case "weapon":
            return any(cards_of(state.edition, LOOT)[name].kind == "weapon" for name in rider.gear)
        case "first_showdown":
            return state.acts.fought <= 1
        case "won_fight":
            return seat == state.turn and state.acts.won > 0
        case "lawbots_won":
            return fight is not None and fight.winner == LAWBOTS
    return fight is not None and _is_behind(state, fight, seat)


def _is_behind(state: State, fight: Fight, seat: int) -> bool:
    hands = {side.who: final_hand(state, side) for side in fight.sides if side.faces}
    return seat in hands and hands[seat] < max(hands.values())


def final_hand(state: State, side: Side) -> Hand:
    """The best five of the dice that lie there, raised by what is in force (RR-A12, RR-A30)."""
    hand = best(side.faces)
    if side.who == LAWBOTS or state.fight is None:
        return hand
    return hand.raised_by(raises(state, side.who, state.fight.kind))


def raises(state: State, seat: int, kind: str) -> Raises:
    """What raises a Raider's hands in rolls of that kind."""
    found = effects_on(state, seat, "rank")
    return tuple((effect.least, effect.count) for effect in found if counts_in(effect, kind))


def extra_dice(state: State, fight: Fight, side: Side) -> int:
    """How many dice a side rolls beside its five."""
    if are_plain(state, fight):
        return 0
    if side.who == LAWBOTS:
        marshal = bool(bots_in(state, fight)[2])
        effects = on_lawbots(state, fight.car, "dice")
        return marshal + sum(effect.count for effect in effects if counts_in(effect, fight.kind))
    return more_dice(state, side.who, fight.kind) + side.dice + (side.who in fight.partners)


def are_plain(state: State, fight: Fight) -> bool:
    """Whether a weapon in use keeps everybody from rolling more than five dice."""
    loot = cards_of(state.edition, LOOT)
    armed = (weapon for side in fight.sides for weapon in side.weapons)
    return any(effect.do == "no_extra_dice" for weapon in armed for effect in loot[weapon].effects)


def more_dice(state: State, seat: int, kind: str) -> int:
    """How many dice cards add to a Raider's five in a roll of that kind."""
    return sum(
        effect.count
        for effect in effects_on(state, seat, "dice")
        if counts_in(effect, kind) and is_met(state, effect, seat)
    )


def dice_of(state: State, fight: Fight, side: Side) -> int:
    """How many dice a side rolls."""
    return DICE + extra_dice(state, fight, side)


def rerolls_of(state: State, fight: Fight, side: Side) -> int:
    """How many dice a side may reroll, no more than lie there."""
    if side.who == LAWBOTS:
        sheriff = bool(bots_in(state, fight)[1])
        effects = on_lawbots(state, fight.car, "rerolls")
        count = sheriff + sum(effect.count for effect in effects if counts_in(effect, fight.kind))
    else:
        count = side.rerolls + rerolls_for(state, side.who, fight.kind)
    return min(count, len(side.faces))


def rerolls_for(state: State, seat: int, kind: str) -> int:
    """How many dice a Raider may reroll in a roll of that kind."""
    return sum(
        effect.count
        for effect in effects_on(state, seat, "rerolls")
        if counts_in(effect, kind) and is_met(state, effect, seat)
    )


def forced_rerolls(state: State, fight: Fight, side: Side) -> tuple[str, ...]:
    """The dice that a side has to reroll."""
    if side.who == LAWBOTS:
        return ()
    forced = {
        face
        for effect in effects_on(state, side.who, "must_reroll")
        if counts_in(effect, fight.kind)
        for face in effect.faces
    }
    return in_order(face for face in side.faces if face in forced)
