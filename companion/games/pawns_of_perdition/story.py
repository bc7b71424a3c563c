"""The log in words: what was done, what came of it and why."""

from __future__ import annotations

from companion.games.game import Rolled, Shuffled
from companion.games.pawns_of_perdition.actions import (
    Accept,
    EndTurn,
    Give,
    Keep,
    Move,
    PawnsAction,
    PlayCard,
    Take,
)
from companion.games.pawns_of_perdition.cards import AGAINST_OTHERS, ANSWER
from companion.games.pawns_of_perdition.rules import hide, hide_action, play
from companion.games.pawns_of_perdition.state import (
    AFTER_ROLL,
    BEACON,
    BEFORE_ROLL,
    ESCAPE,
    FIRST_PLAYER,
    KEEP,
    LANDING,
    OVER,
    SETUP,
    TITLES,
    State,
    distance,
)
from companion.games.pawns_of_perdition.words import card_name, counted, dice, effect, missed, name, place


def story(state: State, action: PawnsAction) -> tuple[str, ...]:
    """The log's lines for a legal action; no card that the table did not show is named in them."""
    before, action = hide(state), hide_action(action)
    after = play(before, action)
    return tuple(_lines(before, action, after))


def _lines(before: State, action: PawnsAction, after: State) -> list[str]:
    match action:
        case Rolled():
            return _rolled(before, after)
        case Shuffled():
            return _shuffled(before, after)
        case Move(seat):
            return _moved(before, after, name(seat))
        case Keep(seat, (low, high)):
            return [f"{name(seat)} keeps {low} and {high}.", _total(after)]
        case PlayCard():
            return _played(before, action, after)
        case Accept(seat):
            return [f"{name(seat)} lets it happen.", *_worked(before)]
        case Take(seat, target, card):
            return [f"{name(seat)} takes {card_name(card)} from {name(target)}."]
        case Give(seat, target):
            return [f"{name(seat)} gives a card to {name(target)}."]
        case EndTurn(seat):
            return [f"{name(seat)}'s turn ends.", *_turn(before, after)]
    return [f"{name(action.seat)} plays no card."]


def _turn(before: State, after: State) -> list[str]:
    lines = [f"{name(seat)} misses this turn." for seat in missed(before)]
    return [*lines, f"It is {name(after.seats[after.turn])}'s turn."]


def _rolled(before: State, after: State) -> list[str]:
    thrown = " + ".join(str(value) for value in after.dice)
    total = f"{thrown} = {sum(after.dice)}" if len(after.dice) > 1 else thrown
    who = name(before.seats[before.turn])
    if before.phase == FIRST_PLAYER:
        return [
            f"{name(before.seats[before.throws.index(0)])} throws {total} for the first turn.",
            *_first(after),
        ]
    if before.phase == LANDING:
        return _thrown_on_landing(before, after, total)
    if after.phase == AFTER_ROLL:
        return [
            *([f"{who} throws {total} for Beacon of Hope."] if before.phase == BEACON else []),
            _total(after),
        ]
    if before.phase == BEACON:
        return [f"{who} throws {total} for Beacon of Hope."]
    rest = "chooses which two count" if after.phase == KEEP else f"throws {dice(after.roll.beacons)} more"
    return [f"{who} rolled {thrown}, and {rest}."]


def _total(after: State) -> str:
    who = name(after.seats[after.turn])
    return f"{who} rolled {counted(after)}."


def _first(after: State) -> list[str]:
    if after.phase == BEFORE_ROLL:
        return [f"{name(after.seats[after.turn])} has the highest throw and goes first."]
    again = [name(seat) for seat, throw in zip(after.seats, after.throws, strict=True) if throw == 0]
    if any(throw > 0 for throw in after.throws):
        return []
    return [f"{' and '.join(again)} tie for the highest throw and throw again."]


def _thrown_on_landing(before: State, after: State, total: str) -> list[str]:
    if before.board[before.pawns[before.turn]] == "blessing":
        who = before.seats[before.turn]
        moved = f"{name(who)} throws {total} for the Blessing and goes forward"
    else:
        who = before.victim
        thrower = who if before.options.bargain_die == "target" else before.seats[before.turn]
        moved = f"{name(thrower)} throws {total} for the Torment: {name(who)} goes back"
    space = after.pawns[after.seats.index(who)]
    if after.phase == OVER:
        return [f"{moved} to Escape.", _won(after)]
    if space == ESCAPE - 1 and before.board[before.pawns[before.turn]] == "blessing":
        overshot = before.pawns[before.turn] + sum(after.dice) >= ESCAPE
        stop = ", since only a movement roll reaches Escape" if overshot else ""
        return [f"{moved} to {place(after, space)}{stop}. The space does nothing now."]
    if after.board[space] in ("safe", "start"):
        return [f"{moved} to {place(after, space)}."]
    return [f"{moved} to {place(after, space)}, which does nothing now: it was not the movement roll."]


def _shuffled(before: State, after: State) -> list[str]:
    if before.phase == SETUP:
        return ["The prayer cards are shuffled and each player is dealt 3, one at a time."]
    who = name(after.seats[after.turn])
    drawn = before.owed - after.owed
    cards = f"{len(before.discard) + len(before.buried)} discards are"
    if len(before.discard) + len(before.buried) == 1:
        cards = "1 discard is"
    return [
        f"{cards} shuffled into a new draw pile; {who} draws {drawn}.",
        *_short(after, before.owed, drawn),
    ]


def _short(after: State, wanted: int, drawn: int) -> list[str]:
    if after.owed:
        return ["The draw pile has run out: the discards are shuffled before the draw goes on."]
    return ["No cards are left to draw."] if drawn < wanted else []


def _moved(before: State, after: State, who: str) -> list[str]:
    space = before.pawns[before.turn] + distance(before)
    if after.phase == OVER:
        past = " and past it" if space > ESCAPE else ""
        return [f"{who} moves {distance(before)} to Escape{past}.", _won(after)]
    return [f"{who} moves {distance(before)} to {place(before, space)}.", *_landed(before, after, who, space)]


def _landed(before: State, after: State, who: str, space: int) -> list[str]:
    kind = before.board[space]
    lands = f"{who} lands on {kind.title()} by the movement roll"
    number = before.turn
    others = [hand for seat, hand in enumerate(before.hands) if seat != number]
    match kind:
        case "safe":
            return ["The space is safe: nothing happens and the turn ends."]
        case "blessing":
            return [f"{lands}: throws one die and moves forward."]
        case "torment":
            return [f"{lands}: throws one die and moves back."]
        case "draw":
            drawn = len(after.hands[number]) - len(before.hands[number])
            drew = f"{lands} and draws a prayer card." if drawn else f"{lands}."
            return [drew, *_short(after, 1, drawn)]
        case "greed":
            return [
                f"{lands}: " + ("steals a card unseen." if any(others) else "nobody has a card to steal.")
            ]
        case "lust":
            has = before.hands[number]
            return [
                f"{lands}: " + ("must give a card to another player." if has else "there is no card to give.")
            ]
        case "pride":
            return [f"{lands}: {_swapped(before, after, space)}"]
        case "wrath":
            follower = name(before.seats[(number + 1) % len(before.seats)])
            return [f"{lands}: {follower}, the next player, misses a turn."]
        case "gluttony":
            held, holds = len(before.hands[number]), len(after.hands[number])
            cards = {0: "no cards", 1: "1 card"}.get(held, f"all {held} cards")
            return [f"{lands}: discards {cards} and draws {holds}.", *_short(after, held, holds)]
        case "sloth":
            return [f"{lands}: misses the next turn."]
    return [
        f"{lands}: back to {place(after, after.pawns[number])}, the beginning of the layer. It does nothing."
    ]


def _swapped(before: State, after: State, space: int) -> str:
    pawns = (*before.pawns[: before.turn], space, *before.pawns[before.turn + 1 :])
    changed = [seat for seat, pawn in enumerate(after.pawns) if pawn != pawns[seat] and seat != before.turn]
    if not changed:
        return "nobody is ahead, and nothing happens."
    other = name(before.seats[changed[0]])
    return f"swaps with {other}, to {place(after, after.pawns[before.turn])}. Neither space does anything."


def _played(before: State, action: PlayCard, after: State) -> list[str]:
    who, title = name(action.seat), TITLES[action.card]
    if action.card == ANSWER and before.played:
        return [f"{who} answers with Soul Conviction: {TITLES[before.played.card]} has no effect."]
    does = effect(before, action.card, action.seat, action.target)
    if action.card not in AGAINST_OTHERS:
        line = f"{who} plays {title}: {does}."
        if action.card == "angels_shortcut" and after.phase != OVER:
            to = place(after, after.pawns[after.seats.index(action.seat)])
            line = f"{who} plays {title} and goes to {to}, which does nothing now."
        return [line, _won(after)] if after.phase == OVER else [line]
    line = f"{who} plays {title} on {name(action.target)}: {does}."
    if after.played and not after.played.accepted:
        return [line, f"{name(action.target)} may answer with Soul Conviction."]
    return [line]


def _worked(before: State) -> list[str]:
    played = before.played
    if not played:
        return []
    does = effect(before, played.card, played.seat, played.target)
    return [f"{TITLES[played.card]}: {does}."]


def _won(after: State) -> str:
    return f"{name(after.winner)} has escaped from Hell and wins."
