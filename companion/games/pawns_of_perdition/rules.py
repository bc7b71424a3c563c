"""The course of a game: set-up, who may act, what is legal, what each action does, who wins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import combinations
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
from companion.games.layout import UNKNOWN, Piece
from companion.games.pawns_of_perdition.actions import (
    Accept,
    EndTurn,
    Give,
    Keep,
    Move,
    Pass,
    PawnsAction,
    PlayCard,
    Take,
)
from companion.games.pawns_of_perdition.cards import (
    ANSWER,
    carry_out_against,
    holds,
    join_hand,
    leave_hand,
    plays,
    put_down,
)
from companion.games.pawns_of_perdition.options import chosen, sins_in_order
from companion.games.pawns_of_perdition.pack import Pack
from companion.games.pawns_of_perdition.spaces import (
    after_effect,
    back,
    begin_turn,
    carry_out,
    draw,
    forward,
    next_speaker,
    open_window,
    reopen,
    settle,
)
from companion.games.pawns_of_perdition.state import (
    AFTER_EFFECT,
    AFTER_ROLL,
    BEACON,
    BEFORE_ROLL,
    CARDS,
    ESCAPE,
    FIRST_PLAYER,
    GREED,
    KEEP,
    LANDING,
    LUST,
    OVER,
    REROLL,
    SEATS,
    SETUP,
    TURN_END,
    WINDOWS,
    Roll,
    State,
    distance,
    layer_of,
)

PLAYERS = (3, 5)
HAND = 3


def setup(seats: tuple[str, ...], pack: Pack, options: Mapping[str, str]) -> State:
    """A new game with its cards still to be shuffled; ValueError naming what is wrong with the seats."""
    unknown = [seat for seat in seats if seat not in SEATS]
    if unknown:
        raise ValueError(f"There is no pawn '{unknown[0]}'. Known pawns: {', '.join(SEATS)}.")
    if len(set(seats)) != len(seats):
        raise ValueError(f"Each pawn sits once; these seats were given: {', '.join(seats)}.")
    if not PLAYERS[0] <= len(seats) <= PLAYERS[1]:
        raise ValueError(f"Pawns of Perdition is for 3 to 5 players, not {len(seats)}.")
    rulings = chosen(options)
    board = ["start"]
    for layer, sin in zip(pack.layers, sins_in_order(rulings), strict=True):
        board += [sin if space == "sin" else space for space in layer.spaces]
    copies = {card.kind: card.copies for card in pack.cards}
    nothing = (0,) * len(seats)
    return State(
        pack=pack.name,
        board=tuple(board),
        copies=tuple(copies[kind] for kind in CARDS),
        options=rulings,
        seats=tuple(seats),
        pawns=nothing,
        hands=((),) * len(seats),
        deck=(),
        discard=tuple(kind for kind in CARDS for _ in range(copies[kind])),
        buried=(),
        aside=(),
        skips=nothing,
        throws=nothing,
        turn=0,
        phase=SETUP,
        roll=Roll(),
    )


def awaiting(state: State) -> Awaiting:
    """Who holds the game up, and what chance is to say."""
    if state.phase == OVER:
        return Awaiting()
    if state.phase == SETUP or state.owed:
        why = "set-up" if state.phase == SETUP else "the draw pile has run out"
        return Awaiting(chance=AwaitedShuffle(tuple(sorted(state.discard + state.buried)), why))
    if state.played:
        return Awaiting((state.played.seat if state.played.accepted else state.played.target,))
    if state.speaker >= 0:
        return Awaiting((state.seats[state.speaker],))
    if state.phase in _THROWN:
        return Awaiting(chance=_dice_due(state))
    return Awaiting((state.seats[state.turn],))


_THROWN = frozenset((FIRST_PLAYER, BEFORE_ROLL, REROLL, BEACON, LANDING))


def _dice_due(state: State) -> AwaitedDice:
    seat = state.seats[state.turn]
    base = 3 if state.roll.cleansing else 2
    if state.phase == BEFORE_ROLL:
        return AwaitedDice(seat, base, "movement roll")
    if state.phase == REROLL:
        return AwaitedDice(seat, base, "movement roll again")
    if state.phase == BEACON:
        return AwaitedDice(seat, state.roll.beacons, "Beacon of Hope")
    if state.phase == FIRST_PLAYER:
        return AwaitedDice(state.seats[state.throws.index(0)], 2, "who goes first")
    if state.board[state.pawns[state.turn]] == "blessing":
        return AwaitedDice(seat, 1 + state.holy, "Blessing")
    return AwaitedDice(state.victim if state.options.bargain_die == "target" else seat, 1, "Torment")


def legal(state: State, seat: str, card: str = "") -> tuple[PawnsAction, ...]:
    """All that the seat may do now, sorted as their JSON sorts; chance is not among it.

    With a card, only the ways to play that one.
    """
    if card:
        own = (action for action in legal(state, seat) if isinstance(action, PlayCard))
        return tuple(action for action in own if action.card == card)
    if state.owed or state.phase == OVER or seat not in state.seats:
        return ()
    if state.played:
        return _legal_in_answer(state, seat)
    number = state.seats.index(seat)
    in_turn = number == state.turn
    if state.phase in WINDOWS:
        if state.speaker >= 0:
            return (_pass(seat), *plays(state, number)) if state.speaker == number else ()
        cards = plays(state, number) if state.options.windows == "open" else ()
        if in_turn and state.phase != BEFORE_ROLL:
            return (_move(seat) if state.phase == AFTER_ROLL else _end_turn(seat), *cards)
        return cards
    if not in_turn:
        return ()
    if state.phase == LANDING:
        return plays(state, number)
    if state.phase == KEEP:
        pairs = sorted(set(combinations(sorted(state.roll.base), 2)))
        return tuple(Keep(seat, (low, high)) for low, high in pairs)
    if state.phase == GREED:
        return _legal_thefts(state, number)
    if state.phase == LUST:
        others = [other for other in state.seats if other != seat]
        gifts = sorted(set(state.hands[number]))
        return tuple(Give(seat, other, card) for other in sorted(others) for card in gifts)
    return ()


def candidates(state: State, seat: str, pieces: tuple[Piece, ...]) -> tuple[PawnsAction, ...]:
    """What may have moved these pawns: few things may be done at a time, so all of them."""
    return legal(state, seat)


def meant(state: State, piece: Piece) -> PawnsAction | None:
    """What a pawn's place alone says of what was meant: nothing, since it may be any card."""
    return None


@cache
def _pass(seat: str) -> Pass:
    return Pass(seat)


@cache
def _move(seat: str) -> Move:
    return Move(seat)


@cache
def _end_turn(seat: str) -> EndTurn:
    return EndTurn(seat)


def _legal_in_answer(state: State, seat: str) -> tuple[PawnsAction, ...]:
    played = state.played
    assert played is not None
    if played.accepted and seat == played.seat:
        cards = sorted(set(state.hands[state.seats.index(played.target)]))
        return tuple(Take(seat, played.target, card) for card in cards)
    if played.accepted or seat != played.target:
        return ()
    answers: tuple[PawnsAction, ...] = (Accept(seat),)
    if holds(state, state.seats.index(seat), ANSWER):
        answers += (PlayCard(seat, ANSWER),)
    return answers


def _legal_thefts(state: State, number: int) -> tuple[PawnsAction, ...]:
    seat = state.seats[number]
    thefts: list[PawnsAction] = []
    for target, hand in sorted(zip(state.seats, state.hands, strict=True)):
        if target != seat:
            thefts += [Take(seat, target, card) for card in sorted(set(hand))]
            if not hand and state.options.empty_hands == "allowed":
                thefts.append(Take(seat, target, ""))
    return tuple(thefts)


def play(state: State, action: PawnsAction) -> State:
    """The state after a legal action; what needs nobody's choice and no chance happens at once."""
    return _PLAY[type(action)](state, action)


def _rolled(state: State, action: Rolled) -> State:
    values = tuple(int(value) for value in action.values)
    state = replace(state, dice=values)
    if state.phase == FIRST_PLAYER:
        return _thrown_for_first(state, sum(values))
    if state.phase == LANDING:
        return _thrown_on_landing(state, sum(values))
    roll = replace(state.roll, **{"extra" if state.phase == BEACON else "base": values})
    state = replace(state, roll=roll)
    if roll.beacons and not roll.extra:
        return replace(state, phase=BEACON)
    if len(set(combinations(sorted(roll.base), 2))) > 1:
        return replace(state, phase=KEEP)
    return settle(state, roll.base[:2])


def _thrown_for_first(state: State, total: int) -> State:
    seat = state.throws.index(0)
    throws = (*state.throws[:seat], total, *state.throws[seat + 1 :])
    if 0 in throws:
        return replace(state, throws=throws)
    best = max(throws)
    if throws.count(best) == 1:
        return begin_turn(replace(state, throws=throws), throws.index(best))
    return replace(state, throws=tuple(0 if throw == best else -1 for throw in throws))


def _thrown_on_landing(state: State, steps: int) -> State:
    if state.board[state.pawns[state.turn]] == "blessing":
        state = forward(state, state.turn, state.pawns[state.turn] + steps)
    else:
        state = back(state, state.seats.index(state.victim), steps)
    return state if state.phase == OVER else open_window(state, TURN_END)


def _shuffled(state: State, action: Shuffled) -> State:
    state = replace(state, deck=action.cards, discard=(), buried=())
    if state.phase != SETUP:
        return reopen(draw(state, state.owed))
    seats = len(state.seats)
    dealt = action.cards[: HAND * seats]
    hands = tuple(tuple(sorted(dealt[seat::seats])) for seat in range(seats))
    return replace(state, phase=FIRST_PLAYER, hands=hands, deck=action.cards[HAND * seats :])


def _kept(state: State, action: Keep) -> State:
    return settle(state, action.values)


def _moved(state: State, action: Move) -> State:
    return carry_out(state)


def _accepted(state: State, action: Accept) -> State:
    assert state.played is not None
    return carry_out_against(state, state.played)


def _taken(state: State, action: Take) -> State:
    if action.card:
        state = _handed(state, action.card, action.target, action.seat)
    return after_effect(state) if state.phase == GREED else reopen(replace(state, played=None))


def _given(state: State, action: Give) -> State:
    return after_effect(_handed(state, action.card, action.seat, action.target))


def _handed(state: State, card: str, giver: str, taker: str) -> State:
    state = leave_hand(state, state.seats.index(giver), card)
    return join_hand(state, state.seats.index(taker), card)


def _turn_ended(state: State, action: EndTurn) -> State:
    return begin_turn(state, (state.turn + 1) % len(state.seats))


def _passed(state: State, action: Pass) -> State:
    begin = (state.speaker - state.turn) % len(state.seats) + 1
    return replace(state, speaker=next_speaker(state, begin))


_PLAY: dict[type[Action], Callable[[State, Any], State]] = {
    Rolled: _rolled,
    Shuffled: _shuffled,
    Keep: _kept,
    Move: _moved,
    PlayCard: put_down,
    Accept: _accepted,
    Take: _taken,
    Give: _given,
    EndTurn: _turn_ended,
    Pass: _passed,
}


def over(state: State) -> bool:
    """Whether somebody has escaped."""
    return state.phase == OVER


def scores(state: State) -> tuple[Standing, ...]:
    """The seats by how far their pawns have come; pawns on one space share a place."""
    standings = []
    for seat, pawn, hand, skips in zip(state.seats, state.pawns, state.hands, state.skips, strict=True):
        place = 1 + sum(other > pawn for other in state.pawns)
        if pawn == ESCAPE:
            where = "escaped"
        elif pawn:
            where = f"space {pawn} of {ESCAPE}, layer {layer_of(state, pawn)}"
        else:
            where = "on Start"
        facts = [where, f"{len(hand)} card{'' if len(hand) == 1 else 's'}"]
        if skips:
            facts.append("misses a turn" if skips == 1 else f"misses {skips} turns")
        standings.append(Standing(seat, place, tuple(facts)))
    return tuple(sorted(standings, key=lambda standing: standing.place))


def hide(state: State) -> State:
    """The state as far as the table shows it: hands, draw pile and unshown discards are blank."""
    return view(state, "")


def hide_action(action: PawnsAction) -> PawnsAction:
    """The action as far as the table shows it: which card changed hands, or its order, is blank."""
    if isinstance(action, Take | Give) and action.card:
        return replace(action, card=UNKNOWN)
    if isinstance(action, Shuffled):
        return Shuffled(_blank(action.cards))
    return action


def view(state: State, seat: str) -> State:
    """The state as that seat may know it: its own hand, and one that Forced Exchange lets it look at."""
    known = {seat}
    if state.played and state.played.accepted and state.played.seat == seat:
        known.add(state.played.target)
    hands = zip(state.seats, state.hands, strict=True)
    return replace(
        state,
        hands=tuple(hand if owner in known else _blank(hand) for owner, hand in hands),
        deck=_blank(state.deck),
        buried=_blank(state.buried),
        aside=state.aside if state.seats[state.turn] == seat else _blank(state.aside),
    )


def closed(state: State, seat: str) -> dict[str, tuple[str, ...]]:
    """The hands and piles that are closed to that seat, by what they are called.

    Hands are their owners' alone, but for the look that Forced Exchange gives; piles are nobody's.
    """
    played = state.played
    looked_at = played.target if played and played.accepted and played.seat == seat else ""
    shut = {
        f"{owner}'s hand": hand
        for owner, hand in zip(state.seats, state.hands, strict=True)
        if owner not in (seat, looked_at)
    }
    shut |= {"the draw pile": state.deck, "the discards that nobody was shown": state.buried}
    if state.seats[state.turn] != seat:
        shut["the hand that Gluttony lets go"] = state.aside
    return shut


def ways(state: State, action: PawnsAction) -> tuple[PawnsAction, ...]:
    """What an action with a blank card may truly be: one for each card of the hand that it comes from."""
    if not isinstance(action, Take | Give) or action.card != UNKNOWN:
        return (action,)
    owner = action.target if isinstance(action, Take) else action.seat
    return tuple(replace(action, card=card) for card in state.hands[state.seats.index(owner)])


def _blank(cards: tuple[str, ...]) -> tuple[str, ...]:
    return (UNKNOWN,) * len(cards)


def implied(state: State) -> PawnsAction | None:
    """The end of the turn, where nothing but that is left to say: the next player just throws."""
    ready = not state.owed and not state.played and state.speaker < 0
    if ready and state.phase in (AFTER_EFFECT, TURN_END):
        return _end_turn(state.seats[state.turn])
    return None


def free(state: State, action: PawnsAction) -> bool:
    """Whether the action may simply be taken back: it shows nobody a card, and no chance is in it.

    So are a choice of dice, a pass, the end of a turn, and a move unless cards are drawn by it. A
    played card has been seen, a card that changed hands too, and an accepted card is another's.
    """
    if isinstance(action, Keep | Pass | EndTurn):
        return True
    if not isinstance(action, Move):
        return False
    space = state.pawns[state.turn] + distance(state)
    return space >= ESCAPE or state.board[space] not in ("draw", "gluttony")
