"""The rules of HellRail: setting up, whose turn it is, what may be done, what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from companion.games.game import (
    Action,
    AwaitedDice,
    AwaitedShuffle,
    Awaiting,
    Rolled,
    Shuffled,
    Standing,
)
from companion.games.hellrail import effects, moves, rails
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
    ScrapRail,
    Setout,
    SpendChip,
    TakeCounter,
    Target,
    TurnRail,
    UpgradeRail,
)
from companion.games.hellrail.entering import lacking
from companion.games.hellrail.names import counted
from companion.games.hellrail.options import chosen
from companion.games.hellrail.pack import Pack, edition
from companion.games.hellrail.piles import begin_turn, discard, draw, leave_hand, next_turn, playable, put
from companion.games.hellrail.state import (
    ACTIONS,
    CIRCLES,
    COLUMNS,
    CROSSING,
    DECLARE,
    EFFECT,
    FANNED,
    FIRST_PLAYER,
    GATE,
    HAND,
    HERESY,
    OVER,
    ROWS,
    SEATS,
    SETUP,
    Circle,
    State,
    rail_cards,
)
from companion.games.hellrail.track import Cell, Position
from companion.games.layout import UNKNOWN

PLAYERS = (2, 4)
"""The fewest and the most players (HR-A01)."""


def setup(seats: tuple[str, ...], pack: Pack, options: Mapping[str, str]) -> State:
    """The beginning: the Circles laid or still to be laid, all Rail Cards to be shuffled.

    Rulebook, Setup; Alternate Circle Setups. ValueError names what is wrong.
    """
    unknown = [seat for seat in seats if seat not in SEATS]
    if unknown or len(set(seats)) != len(seats):
        raise ValueError(f"Seats are {', '.join(SEATS)}, each at most once; given were: {', '.join(seats)}.")
    if not PLAYERS[0] <= len(seats) <= PLAYERS[1]:
        raise ValueError(f"HellRail is for 2 to 4 players, not {len(seats)}.")
    rulings = chosen(options)
    cards = edition(pack)
    cells = pack.setups.get(rulings.circles, {})
    circles = tuple(Circle(card.name, cells[card.name]) for card in cards.circles) if cells else ()
    nobody: tuple[tuple[str, ...], ...] = ((),) * len(seats)
    none = (0,) * len(seats)
    gate = [Position(circle.cell) for circle in circles if circle.name == GATE]
    return State(
        edition=cards,
        options=rulings,
        seats=tuple(seats),
        circles=circles,
        dealt=nobody,
        rails=(),
        engines=tuple(gate * len(seats)),
        hands=nobody,
        loaded=nobody,
        delivered=nobody,
        chips=none,
        tickets=none,
        deck=(),
        discard=tuple(card.name for card in cards.rails),
        buried=(),
        top="",
        throws=none,
        turn=0,
        phase=SETUP if circles else CIRCLES,
    )


@lru_cache(maxsize=64)
def awaiting(state: State) -> Awaiting:
    """Who holds the game up, and what chance is to say."""
    if state.phase == OVER:
        return Awaiting()
    if state.phase == SETUP or state.owed:
        why = "set-up" if state.phase == SETUP else "Humping the Draw Pile"
        return Awaiting(chance=AwaitedShuffle(tuple(sorted(state.discard + state.buried)), why))
    if state.phase == CIRCLES:
        if state.options.circles == "own":
            return Awaiting(state.seats)
        if not state.circles and not any(state.dealt):
            names = tuple(sorted(card.name for card in state.edition.circles))
            return Awaiting(chance=AwaitedShuffle(names, "dealing the Circles"))
        return Awaiting((state.seats[state.turn],))
    if state.phase == FIRST_PLAYER:
        return Awaiting(chance=AwaitedDice(state.seats[state.throws.index(0)], 1, "who goes first"))
    if state.phase == CROSSING:
        return Awaiting(chance=AwaitedDice(state.seats[state.turn], 1, "Boatman Ticket"))
    if state.phase in (DECLARE, HERESY, EFFECT):
        effect = effects.present(state)
        seat = {DECLARE: effect.seat, HERESY: effect.asked[0] if effect.asked else -1}.get(state.phase)
        return Awaiting((state.seats[effects.chooser(state) if seat is None else seat],))
    return Awaiting((state.seats[state.turn],))


@lru_cache(maxsize=32)
def legal(state: State, seat: str, card: str = "") -> tuple[HellRailAction, ...]:
    """All that the seat may do now; with a card, only what it may do with that one from its hand."""
    if state.phase == OVER or state.owed or seat not in state.seats:
        return ()
    number = state.seats.index(seat)
    if state.phase == CIRCLES:
        return () if card else _circles_to_lay(state, number)
    if state.phase == EFFECT:
        return effects.choices(state, number, card)
    if state.phase == ACTIONS and number == state.turn:
        return _actions(state, number, card)
    if card or seat not in awaiting(state).seats:
        return ()
    if state.phase == DECLARE:
        return (Declare(seat, use=True), Declare(seat, use=False))
    if state.phase == HERESY:
        return (SpendChip(seat), KeepChip(seat))
    return tuple(Land(seat, rammed) for rammed in moves.landings(state))


def _circles_to_lay(state: State, number: int) -> tuple[PlaceCircle, ...]:
    seat = state.seats[number]
    lying = {circle.name for circle in state.circles}
    names = tuple(card.name for card in state.edition.circles if card.name not in lying)
    if state.options.circles == "devils_advocate":
        hand = state.dealt[number]
        if number != state.turn or not hand:
            return ()
        names = tuple(name for name in names if name in hand or UNKNOWN in hand)
    cells = circle_cells(state)
    return tuple(PlaceCircle(seat, name, cell) for name in names for cell in cells)


def circle_cells(state: State) -> tuple[Cell, ...]:
    """Where the next Circle may be laid: after the first one, diagonal to another in Devil's Advocate.

    Rulebook, Alternate Circle Setups. A first Circle lies on the sheet, since there must be some limit.
    """
    taken = {circle.cell for circle in state.circles}
    if taken and state.options.circles == "devils_advocate":
        near = {(c + right, r + down) for c, r in taken for right in (-1, 1) for down in (-1, 1)}
        return tuple(sorted(near - taken))
    return tuple(
        (column, row) for column in range(COLUMNS) for row in range(ROWS) if (column, row) not in taken
    )


def _actions(state: State, number: int, card: str) -> tuple[HellRailAction, ...]:
    seat = state.seats[number]
    found: list[HellRailAction] = []
    cards, here = rail_cards(state.edition), effects.circle_at(state, number)
    unknown = lacking(state.edition)
    for name in playable(state, number):
        if card in ("", name) and name not in unknown:
            found.append(Fan(seat, name))
            if here and cards[name].pickup == here:
                found.append(Pickup(seat, name))
            found += moves.moves(state, seat, name)
            found += moves.crosses(state, seat, name)
            found += rails.lays(state, seat, name)
            found += rails.upgrades(state, seat, name)
    return tuple(found) if card else (*found, *without_card(state, number))


def without_card(state: State, number: int) -> tuple[Setout | EndTurn, ...]:
    """What the seat whose turn it is may do without playing a card from its hand."""
    seat, cards, here = state.seats[number], rail_cards(state.edition), effects.circle_at(state, number)
    due = tuple(Setout(seat, car) for car in state.loaded[number] if here and cards[car].setout == here)
    return (*due, EndTurn(seat))


def play(state: State, action: HellRailAction) -> State:
    """The state after a legal action; what needs nobody's choice and no chance happens at once."""
    return _PLAY[type(action)](state, action)


def _rolled(state: State, action: Rolled) -> State:
    value = int(action.values[0])
    state = replace(state, dice=(value,))
    if state.phase == CROSSING:
        return moves.crossed(state, value)
    throws = put(state.throws, state.throws.index(0), value)
    if 0 in throws:
        return replace(state, throws=throws)
    best = max(throws)
    if throws.count(best) == 1:
        return begin_turn(replace(state, throws=throws), throws.index(best))
    return replace(state, throws=tuple(0 if throw == best else -1 for throw in throws))


def _shuffled(state: State, action: Shuffled) -> State:
    seats = len(state.seats)
    if state.phase == CIRCLES:
        return replace(state, dealt=tuple(tuple(sorted(action.cards[seat::seats])) for seat in range(seats)))
    state = replace(state, deck=action.cards, discard=(), buried=(), top="")
    if state.phase == SETUP:
        dealt = action.cards[: HAND * seats]
        hands = tuple(tuple(sorted(dealt[seat::seats])) for seat in range(seats))
        return replace(state, phase=FIRST_PLAYER, hands=hands, deck=action.cards[HAND * seats :])
    state = draw(state)
    return effects.resolve(state) if state.phase == EFFECT and not state.owed else state


def _circle_placed(state: State, action: PlaceCircle) -> State:
    order = [card.name for card in state.edition.circles]
    circles = (*state.circles, Circle(action.circle, action.cell))
    state = replace(state, circles=tuple(sorted(circles, key=lambda circle: order.index(circle.name))))
    if state.options.circles == "devils_advocate":
        hand = list(state.dealt[state.turn])
        hand.remove(action.circle if action.circle in hand else UNKNOWN)
        state = replace(
            state,
            dealt=put(state.dealt, state.turn, tuple(hand)),
            turn=(state.turn + 1) % len(state.seats),
        )
    if len(circles) < len(order):
        return state
    gate = next(circle.cell for circle in circles if circle.name == GATE)
    return replace(state, phase=SETUP, turn=0, engines=(Position(gate),) * len(state.seats))


def _picked_up(state: State, action: Pickup) -> State:
    seat = state.seats.index(action.seat)
    state = leave_hand(state, seat, action.card)
    return replace(state, loaded=put(state.loaded, seat, (*state.loaded[seat], action.card)))


def _set_out(state: State, action: Setout) -> State:
    seat = state.seats.index(action.seat)
    train = tuple(car for car in state.loaded[seat] if car != action.card)
    delivered = tuple(sorted((*state.delivered[seat], action.card)))
    return replace(
        state, loaded=put(state.loaded, seat, train), delivered=put(state.delivered, seat, delivered)
    )


def _fanned(state: State, action: Fan) -> State:
    state = discard(state, state.turn, action.card)
    brimstone = rail_cards(state.edition)[action.card].brimstone
    return draw(replace(state, phase=FANNED, owed=brimstone, drawer=state.turn))


def _turn_ended(state: State, action: EndTurn) -> State:
    return next_turn(state)


_PLAY: dict[type[Action], Callable[[State, Any], State]] = {
    Rolled: _rolled,
    Shuffled: _shuffled,
    PlaceCircle: _circle_placed,
    LayRail: rails.lay,
    UpgradeRail: rails.upgrade,
    Pickup: _picked_up,
    Setout: _set_out,
    Move: moves.move,
    Cross: moves.cross,
    Land: moves.land,
    Fan: _fanned,
    EndTurn: _turn_ended,
    Declare: effects.declare,
    SpendChip: effects.spend_chip,
    KeepChip: effects.keep_chip,
    Target: effects.choose,
    TurnRail: effects.choose,
    ScrapRail: effects.choose,
    PutCounter: effects.choose,
    TakeCounter: effects.choose,
    MoveEngine: effects.choose,
    DiscardCard: effects.choose,
    DrawCard: effects.choose,
    Derail: effects.choose,
    Gain: effects.choose,
    Done: effects.choose,
}


def over(state: State) -> bool:
    """Whether a card was needed and both piles were empty. Rulebook, End of the Line."""
    return state.phase == OVER


def points(state: State, cards: tuple[str, ...]) -> int:
    """The Car Values of those cards, added up."""
    by_name = rail_cards(state.edition)
    return sum(by_name[card].value for card in cards)


def scores(state: State) -> tuple[Standing, ...]:
    """The seats by delivered cars, ties by loaded ones. Rulebook, End of the Line; HR-A26."""
    totals = [
        (points(state, delivered), points(state, loaded))
        for delivered, loaded in zip(state.delivered, state.loaded, strict=True)
    ]
    standings = []
    for seat, (delivered, loaded) in enumerate(totals):
        place = 1 + sum(other > totals[seat] for other in totals)
        facts = [f"{counted(delivered, 'point')} delivered", f"{counted(loaded, 'point')} loaded"]
        facts.append(counted(len(state.hands[seat]), "card"))
        facts += ["Heresy Chip"] * state.chips[seat] + ["Boatman Ticket"] * state.tickets[seat]
        standings.append(Standing(state.seats[seat], place, tuple(facts), state.loaded[seat]))
    return tuple(sorted(standings, key=lambda standing: standing.place))


def hide(state: State) -> State:
    """The state as far as the table shows it: hands, Draw Pile and unshown discards are blank."""
    return view(state, "")


def hide_action(action: HellRailAction) -> HellRailAction:
    """The action as far as the table shows it: the order of a shuffle is blank."""
    return Shuffled(_blank(action.cards)) if isinstance(action, Shuffled) else action


@lru_cache(maxsize=64)
def view(state: State, seat: str) -> State:
    """The state as that seat may know it: its own hand, and the Circles that it was dealt."""
    own = state.seats.index(seat) if seat in state.seats else -1
    return replace(
        state,
        hands=tuple(hand if at == own else _blank(hand) for at, hand in enumerate(state.hands)),
        dealt=tuple(hand if at == own else _blank(hand) for at, hand in enumerate(state.dealt)),
        deck=_blank(state.deck),
        buried=_blank(state.buried),
    )


def closed(state: State, seat: str) -> dict[str, tuple[str, ...]]:
    """The hands and piles that are closed to that seat, by what they are called."""
    hands = {
        f"{owner}'s {what}": cards
        for what, held in (("hand", state.hands), ("Circles", state.dealt))
        for owner, cards in zip(state.seats, held, strict=True)
        if owner != seat
    }
    return {**hands, "the Draw Pile": state.deck, "the discards that nobody was shown": state.buried}


def ways(state: State, action: HellRailAction) -> tuple[HellRailAction, ...]:
    """What a blanked action may truly be: players name every card that they play, so it is itself."""
    return (action,)


def _blank(cards: tuple[str, ...]) -> tuple[str, ...]:
    return (UNKNOWN,) * len(cards)


def implied(state: State) -> HellRailAction | None:
    """The end of the turn, which people skip saying when the next player simply goes on."""
    if state.phase == ACTIONS and not state.owed:
        return EndTurn(state.seats[state.turn])
    return None


def free(state: State, action: HellRailAction) -> bool:
    """Whether the action may simply be taken back: no card is drawn or shown by it, and no chance is in it.

    Laying rail, loading and setting out are; so is a Move unless somebody derails by it, whose hand
    is shown then. Passing the turn on draws a card.
    """
    if isinstance(action, Move):
        return action.to is not None and all(ram.to for ram in action.rammed)
    return isinstance(action, PlaceCircle | LayRail | UpgradeRail | Pickup | Setout)
