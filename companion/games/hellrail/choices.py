"""Choices in words: what each legal action would do, where in the picture, and what to be warned of."""

from __future__ import annotations

from functools import lru_cache

from companion.games.game import Choice
from companion.games.hellrail import effects, moves
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
    Rammed,
    ScrapRail,
    Setout,
    SpendChip,
    TakeCounter,
    Target,
    TurnRail,
    UpgradeRail,
)
from companion.games.hellrail.effect_words import itself
from companion.games.hellrail.names import (
    card_facts,
    circle_name,
    counted,
    facing,
    gained,
    listed,
    name,
    place,
    squares,
    where,
    whither,
)
from companion.games.hellrail.state import OPPONENTS, State, circle_cards, rail_cards
from companion.games.hellrail.table import cell_place, engine_place
from companion.games.hellrail.track import Position


def choice(state: State, action: HellRailAction) -> Choice:
    """A legal action as people read it."""
    match action:
        case LayRail():
            return _lay_choice(action)
        case UpgradeRail(_, card, cell, turn):
            old = next(rail.card for rail in state.rails if rail.cell == cell)
            words = f"Lay {card} over {old} on {squares(cell)}{_turned(turn)}"
            return Choice(action, words, "upgrade", place=cell_place(cell), group="Upgrade")
        case Pickup(_, card):
            return Choice(action, f"Pick up {card}", _cargo(state, card))
        case Setout(_, card):
            value = rail_cards(state.edition)[card].value
            return Choice(action, f"Set out {card}", f"{counted(value, 'point')}; it costs no card")
        case Move():
            return _move_choice(state, action)
        case Cross():
            return _cross_choice(state, action)
        case Fan(_, card):
            count = rail_cards(state.edition)[card].brimstone
            return Choice(action, f"Fan the Flames with {card}", f"draws {count}, and the turn ends")
        case EndTurn():
            follower = state.seats[(state.turn + 1) % len(state.seats)]
            return Choice(action, "End the turn", f"{name(follower)} is next, and draws a card", main=True)
    return _circle_choice(state, action)


@lru_cache(maxsize=16384)
def _lay_choice(action: LayRail) -> Choice:
    words = f"Lay {action.card} on {squares(action.cell)}{_turned(action.turn)}"
    return Choice(action, words, place=cell_place(action.cell), group="Lay")


def _turned(turn: int) -> str:
    return f", turned {turn}°" if turn else ", unturned"


def _cargo(state: State, card: str) -> str:
    rail = rail_cards(state.edition)[card]
    return (
        f"{counted(rail.value, 'point')} at {circle_name(rail.setout)}; it cannot be laid or moved with then"
    )


def _move_choice(state: State, action: Move) -> Choice:
    here = state.engines[state.turn]
    cost = min(
        end.cost
        for end in moves.ends(state, state.turn)
        if (end.to, end.rammed) == (action.to, action.rammed)
    )
    rams = _rams(state, action.rammed)
    if action.to is None:
        return Choice(
            action,
            f"Move off the end of the rail{rams}",
            f"{counted(cost, 'tie')}; derails",
            warning=_derails(state),
            group="Move",
        )
    if action.to == here:
        return Choice(
            action,
            "Move no tie at all",
            "the card is spent",
            place=engine_place(here, state.circles),
            group="Move",
        )
    detail = f"{counted(cost, 'tie')}{_heading(action.to)}{rams}"
    if action.to.in_circle:
        detail += "; enters the Circle"
    words = f"Move to {place(state, action.to)}"
    return Choice(action, words, detail, place=engine_place(action.to, state.circles), group="Move")


def _heading(to: Position) -> str:
    return "" if to.in_circle else f", facing {facing(to)}"


def _rams(state: State, rams: tuple[Rammed, ...]) -> str:
    told = [
        f"{name(ram.seat)} {whither(state, ram.to)}{_heading(ram.to)}"
        if ram.to
        else f"{name(ram.seat)} off the end"
        for ram in rams
    ]
    return f"; rams {listed(tuple(told))}" if told else ""


def _derails(state: State) -> str:
    seat = state.turn
    hand, cars = len(state.hands[seat]) - 1, len(state.loaded[seat])
    losses = [counted(hand, "more card")] * bool(hand) + [counted(cars, "loaded car")] * bool(cars)
    costs = f"costs {' and '.join(losses)} and " if losses else ""
    return f"Derailing {costs}ends the turn. Derail on purpose?"


def _cross_choice(state: State, action: Cross) -> Choice:
    way = next(
        way
        for way in moves.tickets(state, state.turn)
        if (way.at, way.side, way.to, way.rammed) == (action.at, action.side, action.to, action.rammed)
    )
    start = place(state, action.at)
    words = f"Cross {counted(way.blanks, 'blank square')} from {start} to {place(state, action.to)}"
    words += _heading(action.to) + _rams(state, action.rammed)
    detail = f"{way.blanks + 1} or more on the die crosses, else the engine derails"
    warning = "No die is that high: this always derails. Try it all the same?"
    return Choice(
        action,
        words,
        detail,
        place=engine_place(action.to, state.circles),
        warning=warning if way.blanks >= moves.HOPELESS else "",
        group="Cross",
    )


def _circle_choice(state: State, action: HellRailAction) -> Choice:
    match action:
        case PlaceCircle(_, circle, cell):
            words = f"Lay {circle_name(circle)} on {squares(cell)}"
            return Choice(action, words, place=cell_place(cell), group=f"Lay {circle_name(circle)}")
        case Declare(_, use):
            words = circle_cards(state.edition)[effects.present(state).circle].words
            return Choice(action, "Use the Effect" if use else "Leave it", words if use else "", main=use)
        case SpendChip():
            use = effects.present(state).use
            return Choice(action, "Spend the Heresy Chip", "prevents it" if use else "forces it")
        case KeepChip():
            return Choice(action, "Keep the Heresy Chip", main=True)
        case Land(_, rams):
            return Choice(action, f"Land{_rams(state, rams)}")
        case Target(_, target):
            step = effects.present(state).steps[0]
            own = itself(step)
            words = f"{own[0].upper()}{own[1:]}" if step.who == "self" else name(target)
            return Choice(action, "All opponents" if target == OPPONENTS else words)
        case TurnRail(_, cell, turn):
            words = f"Turn the card on {squares(cell)} to {turn}°"
            return Choice(action, words, place=cell_place(cell), group="Turn a card")
        case ScrapRail(_, cell):
            words = f"Discard the card on {squares(cell)}"
            return Choice(action, words, place=cell_place(cell), group="Discard a card")
        case PutCounter(_, cell, counter):
            words = f"Put a {counter} on {squares(cell)}"
            return Choice(action, words, place=cell_place(cell), group=f"Put a {counter}")
        case TakeCounter(_, cell, counter):
            words = f"Take the {counter} off {squares(cell)}"
            return Choice(action, words, place=cell_place(cell), group=f"Take a {counter}")
        case MoveEngine(_, target, to):
            words = f"Set {name(target)} {where(state, to)}{_heading(to)}"
            there = engine_place(to, state.circles)
            return Choice(action, words, place=there, group=f"Set {name(target)}")
    return _told_choice(state, action)


def _told_choice(state: State, action: HellRailAction) -> Choice:
    match action:
        case DiscardCard(_, card):
            return Choice(action, f"Discard {card}", card_facts(state, card))
        case DrawCard(_, target):
            return Choice(action, f"{name(target)} draws a card")
        case Derail(_, target):
            return Choice(action, f"{name(target)} derails")
        case Gain(_, target, what):
            return Choice(action, f"{name(target)} takes a {gained(what)}")
    assert isinstance(action, Done)
    table = effects.present(state).steps[0].do == "table"
    return Choice(action, "That is all" if table else "Leave that out", main=table)
