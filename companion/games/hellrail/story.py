"""The log in words: what was done, what came of it and why."""

from __future__ import annotations

from companion.games.game import Rolled, Shuffled
from companion.games.hellrail import effects
from companion.games.hellrail.actions import (
    Cross,
    Declare,
    Derail,
    DiscardCard,
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
from companion.games.hellrail.names import (
    circle_name,
    circle_title,
    counted,
    listed,
    name,
    place,
    squares,
)
from companion.games.hellrail.rules import hide, hide_action, play, scores
from companion.games.hellrail.state import (
    CIRCLES,
    CROSSING,
    DECLARE,
    EFFECT,
    OVER,
    SETUP,
    State,
    circle_cards,
    rail_cards,
)


def story(state: State, action: HellRailAction) -> tuple[str, ...]:
    """The log's lines for a legal action; no card that the table did not show is named in them."""
    before, action = hide(state), hide_action(action)
    after = play(before, action)
    return (*_done(before, action, after), *_came_of_it(before, action, after))


def _done(before: State, action: HellRailAction, after: State) -> list[str]:
    match action:
        case Rolled():
            return _rolled(before, after)
        case Shuffled():
            return _shuffled(before)
        case PlaceCircle(seat, circle, cell):
            return [f"{name(seat)} lays {circle_name(circle)} on {squares(cell)}."]
        case LayRail(seat, card, cell):
            return [f"{name(seat)} lays {card} on {squares(cell)}."]
        case UpgradeRail(seat, card, cell):
            old = next(rail.card for rail in before.rails if rail.cell == cell)
            return [f"{name(seat)} lays {card} over {old} on {squares(cell)}."]
        case Pickup(seat, card):
            cars = len(after.loaded[before.seats.index(seat)])
            return [f"{name(seat)} picks up {card}: {counted(cars, 'loaded car')}."]
        case Setout(seat, card):
            value = rail_cards(before.edition)[card].value
            return [f"{name(seat)} sets out {card} for {counted(value, 'point')}."]
        case Move(seat, card, to, rams):
            return _moved(
                before, seat, card, f"goes to {place(before, to)}" if to else "derails", to is None, rams
            )
        case Cross(seat, card, at, _, to, rams):
            does = (
                f"goes to {place(before, at)} and crosses towards {place(before, to)} with a Boatman Ticket"
            )
            return _moved(before, seat, card, does, False, rams)
        case Fan(seat, card):
            count = rail_cards(before.edition)[card].brimstone
            return [f"{name(seat)} fans the flames with {card} and draws {count}. The turn ends."]
        case EndTurn(seat):
            return [f"{name(seat)}'s turn ends."]
    return _in_circle(before, action)


def _moved(
    before: State, seat: str, card: str, does: str, derails: bool, rams: tuple[Rammed, ...]
) -> list[str]:
    value = rail_cards(before.edition)[card].value
    here = before.engines[before.turn]
    stays = does == f"goes to {place(before, here)}" and here.in_circle
    lines = [f"{name(seat)} plays {card} (up to {value}) and {'stays' if stays else does}."]
    if derails:
        lines += _derailed(before, seat)
    for ram in rams:
        if ram.to:
            lines.append(f"{name(ram.seat)} is rammed to {place(before, ram.to)}.")
        else:
            lines += [f"{name(ram.seat)} is rammed off the end of the rail.", *_derailed(before, ram.seat)]
    return lines


def _derailed(before: State, seat: str) -> list[str]:
    number = before.seats.index(seat)
    held = len(before.hands[number])
    lost = f"discards the hand, then {counted(len(before.loaded[number]), 'loaded car')}"
    hand = "" if held else " (which is empty)"
    return [f"{name(seat)} {lost}{hand}, and goes to the Gate."]


def _in_circle(before: State, action: HellRailAction) -> list[str]:
    who = name(getattr(action, "seat", ""))
    match action:
        case Land(_, rams):
            return [
                f"{who} lands.",
                *(f"{name(ram.seat)} is pushed to {place(before, ram.to)}." for ram in rams if ram.to),
                *(f"{name(ram.seat)} is pushed off the end." for ram in rams if not ram.to),
            ]
        case Declare(_, use):
            circle = effects.present(before).circle
            what = "uses" if use else "does not use"
            return [f"{who} {what} the Effect of {circle_title(before, circle)}."]
        case SpendChip():
            use = effects.present(before).use
            return [f"{who} spends a Heresy Chip: the Effect is {'prevented' if use else 'forced'}."]
        case KeepChip():
            return [f"{who} keeps the Heresy Chip."]
        case Target(_, target):
            return [f"{who} chooses {name(target)}."]
        case TurnRail(_, cell, turn):
            return [f"{who} turns the card on {squares(cell)} to {turn}°."]
        case ScrapRail(_, cell):
            return [f"{who} discards the card on {squares(cell)}."]
        case PutCounter(_, cell, counter):
            return [f"{who} puts a {counter} on {squares(cell)}."]
        case TakeCounter(_, cell, counter):
            return [f"{who} takes the {counter} off {squares(cell)}."]
        case MoveEngine(_, target, to):
            return [f"{who} sets {name(target)} on {place(before, to)}."]
        case DiscardCard(_, card):
            return [f"{who} discards {card}."]
        case DrawCard(_, target):
            return [f"{name(target)} draws a card."]
        case Derail(_, target):
            return [f"{name(target)} derails.", *_derailed(before, target)]
        case Gain(_, target, what):
            return [f"{name(target)} takes a {what}."]
    return [f"{who} is done with the Circle's Effect."]


def _rolled(before: State, after: State) -> list[str]:
    value = after.dice[0]
    who = name(before.seats[before.turn])
    if before.phase == CROSSING and before.crossing:
        blanks = before.crossing.blanks
        if value > blanks:
            return [
                f"{who} rolls {value}, more than {blanks}: across, to {place(before, before.crossing.to)}."
            ]
        return [
            f"{who} rolls {value}, not more than {blanks}, and derails.",
            *_derailed(before, before.seats[before.turn]),
        ]
    thrower = name(before.seats[before.throws.index(0)])
    lines = [f"{thrower} rolls {value} for the first turn."]
    if after.phase != before.phase:
        return [*lines, f"{name(after.seats[after.turn])} has the highest roll and goes first."]
    again = [name(seat) for seat, throw in zip(after.seats, after.throws, strict=True) if not throw]
    if not any(throw > 0 for throw in after.throws):
        lines.append(f"{listed(tuple(again))} tie for the highest roll and roll again.")
    return lines


def _shuffled(before: State) -> list[str]:
    if before.phase == CIRCLES:
        return ["The Circles are shuffled and dealt out."]
    if before.phase == SETUP:
        return ["The Rail Cards are shuffled, and 3 are dealt to each player."]
    count = len(before.discard) + len(before.buried)
    return [f"The Draw Pile is humped: {counted(count, 'discard')} are shuffled and turned face down."]


def _came_of_it(before: State, action: HellRailAction, after: State) -> list[str]:
    """What happened by itself: entering, gaining, drawing, the next turn, the end."""
    lines: list[str] = []
    if after.phase == DECLARE and after.effect and before.effect != after.effect:
        owner = name(after.seats[after.effect.seat])
        lines.append(f"{owner} is in {circle_title(after, after.effect.circle)} and decides on its Effect.")
    if isinstance(action, Declare | SpendChip | KeepChip) and before.effect:
        used = before.phase != DECLARE or (isinstance(action, Declare) and action.use)
        carried = used and after.phase not in (DECLARE,) and not (after.effect and after.phase == "heresy")
        lines += _effect_words(before, after) if carried else []
    for seat, (had, has) in enumerate(zip(before.chips, after.chips, strict=True)):
        if has > had and not isinstance(action, Gain):
            lines.append(f"{name(after.seats[seat])} takes a Heresy Chip.")
    for seat, (had, has) in enumerate(zip(before.tickets, after.tickets, strict=True)):
        if has > had and not isinstance(action, Gain):
            lines.append(f"{name(after.seats[seat])} takes a Boatman Ticket.")
    if after.phase == OVER:
        winners = [name(standing.seat) for standing in scores(after) if standing.place == 1]
        wins = "win together" if len(winners) > 1 else "wins"
        lines.append(
            "A card is needed and both piles are empty: the end of the line. "
            f"{listed(tuple(winners))} {wins}."
        )
    elif after.owed:
        lines.append("The Draw Pile has run out: it is humped from the Discard Pile.")
    elif after.turn != before.turn and after.phase not in (CIRCLES, SETUP):
        lines.append(f"It is {name(after.seats[after.turn])}'s turn: a card is drawn.")
    return lines


def _effect_words(before: State, after: State) -> list[str]:
    effect = before.effect
    if effect is None or (after.effect and after.effect.use is False and after.phase != EFFECT):
        return []
    words = circle_cards(before.edition)[effect.circle].words
    return [words] if words and (after.phase == EFFECT or after != before) else []
