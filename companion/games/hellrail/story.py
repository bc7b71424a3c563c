"""The log in words: what was done, what came of it and why."""

from __future__ import annotations

from companion.games.game import Rolled, Shuffled
from companion.games.hellrail import effects, moves
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
from companion.games.hellrail.effect_words import each_does, itself, who_does
from companion.games.hellrail.names import (
    circle_name,
    circle_title,
    counted,
    gained,
    listed,
    name,
    place,
    squares,
    where,
    whither,
)
from companion.games.hellrail.rules import hide, hide_action, play, scores
from companion.games.hellrail.state import (
    ACTIONS,
    CIRCLES,
    CROSSING,
    DECLARE,
    EFFECT,
    FIRST_PLAYER,
    GATE,
    HERESY,
    OPPONENTS,
    OVER,
    SETUP,
    Effect,
    State,
    Step,
    circle_cards,
    rail_cards,
)
from companion.games.hellrail.track import Position


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
        case Move():
            return _moved(before, action)
        case Cross():
            return _crosses(before, action, after)
        case Fan(seat, card):
            count = counted(rail_cards(before.edition)[card].brimstone, "card")
            return [f"{name(seat)} fans the flames with {card}: {count} to draw, and the turn ends."]
        case EndTurn(seat):
            return [f"{name(seat)}'s turn ends."]
    return _in_circle(before, action)


def _moved(before: State, action: Move) -> list[str]:
    value, here = rail_cards(before.edition)[action.card].value, before.engines[before.turn]
    if action.to is None:
        does = "goes off the end of the rail"
    elif action.to == here:
        does = "moves no tie; the turn goes on"
    else:
        does = f"goes {whither(before, action.to)}"
    lines = [f"{name(action.seat)} plays {action.card} (up to {value}) and {does}."]
    lines += _rammed(before, action.rammed)
    return lines if action.to else [*lines, _derails(before, before.turn, spent=1)]


def _crosses(before: State, action: Cross, after: State) -> list[str]:
    value = rail_cards(before.edition)[action.card].value
    blanks = counted(after.crossing.blanks if after.crossing else 0, "blank square")
    way = f"to cross {blanks} from {place(before, action.at)} to {place(before, action.to)}"
    plays = f"{name(action.seat)} plays {action.card} (up to {value}) and a Boatman Ticket"
    return [f"{plays}, {way}.", *_rammed(before, action.rammed)]


def _rammed(before: State, rams: tuple[Rammed, ...]) -> list[str]:
    lines: list[str] = []
    for ram in rams:
        if ram.to:
            lines.append(f"{name(ram.seat)} is rammed {whither(before, ram.to)}.")
        else:
            lines.append(f"{name(ram.seat)} is rammed off the end of the rail.")
            lines.append(_derails(before, before.seats.index(ram.seat)))
    return lines


def _derails(before: State, seat: int, spent: int = 0) -> str:
    """What a derail costs; `spent` cards of the hand have been played before it."""
    hand, cars = len(before.hands[seat]) - spent, len(before.loaded[seat])
    lost = [f"the hand ({counted(hand, 'card')})"] * bool(hand) + [counted(cars, "loaded car")] * bool(cars)
    costs = f"discards {', then '.join(lost)}" if lost else "has nothing to discard"
    return f"{name(before.seats[seat])} derails, {costs}, and goes to the Gate."


def _in_circle(before: State, action: HellRailAction) -> list[str]:
    who = name(getattr(action, "seat", ""))
    match action:
        case Land(_, rams):
            return [f"{who} lands.", *_rammed(before, rams)]
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
            step = effects.present(before).steps[0]
            if target == OPPONENTS:
                return [f"{who} chooses that all opponents {each_does(step)}."]
            if target == action.seat:
                return [f"{who} chooses to {itself(step)}."]
            return [f"{who} chooses {name(target)}, {who_does(step)}."]
        case TurnRail(_, cell, turn):
            return [f"{who} turns the card on {squares(cell)} to {turn}°."]
        case ScrapRail(_, cell):
            card = next(rail.card for rail in before.rails if rail.cell == cell)
            return [f"{who} discards {card} from {squares(cell)}."]
        case PutCounter(_, cell, counter):
            return [f"{who} puts a {counter} on {squares(cell)}."]
        case TakeCounter(_, cell, counter):
            return [f"{who} takes the {counter} off {squares(cell)}."]
        case MoveEngine(_, target, to):
            return [f"{who} sets {name(target)} {where(before, to)}."]
        case DiscardCard(_, card):
            return [f"{who} discards {card}."]
        case Derail(_, target):
            return [_derails(before, before.seats.index(target))]
    return _told(action, who)


def _told(action: HellRailAction, who: str) -> list[str]:
    match action:
        case DrawCard(_, target):
            return [f"{name(target)} is to draw a card."]
        case Gain(_, target, what):
            return [f"{name(target)} takes a {gained(what)}."]
    return [f"{who} is done with that."]


def _rolled(before: State, after: State) -> list[str]:
    value = after.dice[0]
    who = name(before.seats[before.turn])
    if before.phase == CROSSING and before.crossing:
        blanks = before.crossing.blanks
        if value > blanks:
            over = f"{who} rolls {value}, more than {blanks}, and is across."
            rams = moves.landings(before)
            return [over, *(_rammed(before, rams[0]) if len(rams) == 1 else [])]
        return [f"{who} rolls {value}, not more than {blanks}.", _derails(before, before.turn)]
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
    count = counted(len(before.discard) + len(before.buried), "card")
    return [f"The Draw Pile is humped: the Discard Pile ({count}) is shuffled and turned face down."]


def _came_of_it(before: State, action: HellRailAction, after: State) -> list[str]:
    """What happened by itself: what an Effect does, entering, drawing, the next turn, the end."""
    lines = _by_the_effect(before, action, after)
    if after.phase == DECLARE and after.effect and before.effect != after.effect:
        owner, circle = name(after.seats[after.effect.seat]), after.effect.circle
        there = f"{'at' if circle == GATE else 'in'} {circle_title(after, circle)}"
        lines.append(f"{owner} is {there} and decides on its Effect.")
    passed = after.turn != before.turn or before.phase == FIRST_PLAYER
    if after.phase == OVER:
        winners = [name(standing.seat) for standing in scores(after) if standing.place == 1]
        wins = "win together" if len(winners) > 1 else "wins"
        lines.append(
            "A card is needed and both piles are empty: the end of the line. "
            f"{listed(tuple(winners))} {wins}."
        )
        return lines
    if passed and after.phase == ACTIONS:
        drawn = "" if after.owed else ": a card is drawn"
        lines.append(f"It is {name(after.seats[after.turn])}'s turn{drawn}.")
    if after.owed:
        lines.append("The Draw Pile has run out: it is humped from the Discard Pile.")
    return lines


def _by_the_effect(before: State, action: HellRailAction, after: State) -> list[str]:
    """What the Circle says, and what comes of it without anybody's choice."""
    lines = []
    if before.effect and _settled_on_use(before.effect, action, after):
        words = circle_cards(before.edition)[before.effect.circle].words
        lines += [words] if words else []
    moved = _set_by_the_effect(before, action, after)
    derailed = _derailed(before, after) if any(step.do == "derail" for step in moved) else ()
    lines += [_derails(before, seat) for seat in derailed]
    for seat, who in enumerate(map(name, after.seats)):
        if moved and seat not in derailed and before.engines[seat] != after.engines[seat]:
            lines.append(f"{who} is set {where(after, after.engines[seat])}.")
        if not isinstance(action, Gain):
            lines += [f"{who} takes a Heresy Chip."] * (after.chips[seat] > before.chips[seat])
            lines += [f"{who} takes a Boatman Ticket."] * (after.tickets[seat] > before.tickets[seat])
        held = 0 if seat in derailed else len(before.hands[seat])
        drawn = _drawn(before, action, after, seat, held)
        lines += [f"{who} draws {counted(drawn, 'card')}."] * (drawn > 0)
    return lines


def _settled_on_use(effect: Effect, action: HellRailAction, after: State) -> bool:
    """Whether this settles that the Effect is used."""
    match action:
        case Declare(_, use):
            return use and after.phase != HERESY
        case SpendChip():
            return not effect.use
        case KeepChip():
            return effect.use and len(effect.asked) == 1
    return False


def _set_by_the_effect(before: State, action: HellRailAction, after: State) -> tuple[Step, ...]:
    """The steps that were done with the action and may have moved engines without more being said."""
    effect = before.effect
    if effect is None or isinstance(action, MoveEngine | Derail):
        return ()
    steps = circle_cards(before.edition)[effect.circle].steps
    left = effect.steps if before.phase == EFFECT else steps
    goes_on = after.effect and after.effect.seat == effect.seat and after.phase == EFFECT
    remaining = len(after.effect.steps) if goes_on and after.effect else 0
    done = left[: len(left) - remaining]
    return tuple(step for step in done if step.do in ("derail", "move_engine"))


def _derailed(before: State, after: State) -> tuple[int, ...]:
    """The seats that derail by steps of an Effect: they lose cards, or are at the Gate all at once."""
    shown = len(after.buried) > len(before.buried)
    gate = next(Position(circle.cell) for circle in after.circles if circle.name == GATE)
    return tuple(
        seat
        for seat in range(len(after.seats))
        if before.engines[seat] != after.engines[seat] == gate
        or (before.loaded[seat] and not after.loaded[seat])
        or (shown and before.hands[seat] and not after.hands[seat])
    )


def _drawn(before: State, action: HellRailAction, after: State, seat: int, held: int) -> int:
    """How many cards the seat, which held so many, draws by an Effect or after a shuffle."""
    shuffled = isinstance(action, Shuffled) and before.phase not in (CIRCLES, SETUP)
    if not shuffled and before.phase not in (DECLARE, HERESY, EFFECT):
        return 0
    begins = seat == after.turn != before.turn and after.phase == ACTIONS and not after.owed
    dropped = isinstance(action, DiscardCard) and after.seats[seat] == action.seat
    return len(after.hands[seat]) - held + dropped - begins
