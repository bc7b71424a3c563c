"""What the board does: turns and windows, draws, moves, and the effects of the spaces."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.pawns_of_perdition.options import SINS
from companion.games.pawns_of_perdition.state import (
    AFTER_EFFECT,
    AFTER_ROLL,
    BEFORE_ROLL,
    ESCAPE,
    GREED,
    LANDING,
    LAYER_LENGTH,
    LUST,
    OVER,
    TURN_END,
    WINDOWS,
    Roll,
    State,
    distance,
)


def open_window(state: State, phase: str) -> State:
    """The window opens; asked in turn, the player in turn speaks first."""
    state = replace(state, phase=phase)
    return replace(state, speaker=next_speaker(state, 0))


def reopen(state: State) -> State:
    """After a card the interrupted window goes on, and asks everyone anew."""
    return replace(state, speaker=next_speaker(state, 0)) if state.phase in WINDOWS else state


def next_speaker(state: State, begin: int) -> int:
    """Of the seats from `begin` places clockwise of the player in turn, the first to be asked; or -1."""
    if state.options.windows == "open":
        return -1
    seats = len(state.seats)
    for step in range(begin, seats):
        seat = (state.turn + step) % seats
        if state.hands[seat] and (step == 0 or may_speak_out_of_turn(state, seat)):
            return seat
    return -1


def may_speak_out_of_turn(state: State, seat: int) -> bool:
    """False for who owes a skipped turn, where such players may play no cards (PP-A17)."""
    return state.options.skipped_players == "may" or not state.skips[seat]


def begin_turn(state: State, seat: int) -> State:
    """The turn passes to that seat, or on past those who owe a skipped turn, each paying one."""
    skips = list(state.skips)
    while skips[seat]:
        skips[seat] -= 1
        seat = (seat + 1) % len(skips)
    state = replace(state, turn=seat, skips=tuple(skips), roll=Roll(), victim="", holy=0)
    return open_window(state, BEFORE_ROLL)


def owe_skip(state: State, seat: int) -> State:
    """That seat owes one more turn; at most one where skips do not add up (PP-A06)."""
    owed = state.skips[seat] + 1 if state.options.skips == "add" else 1
    return replace(state, skips=(*state.skips[:seat], owed, *state.skips[seat + 1 :]))


def stand(state: State, seat: int, space: int) -> State:
    """That seat's pawn stands on that space."""
    return replace(state, pawns=(*state.pawns[:seat], space, *state.pawns[seat + 1 :]))


def swap(state: State, one: int, other: int) -> State:
    """Two pawns change places."""
    pawns = list(state.pawns)
    pawns[one], pawns[other] = pawns[other], pawns[one]
    return replace(state, pawns=tuple(pawns))


def back(state: State, seat: int, steps: int) -> State:
    """That seat's pawn goes back, to Start at most (PP-A11)."""
    return stand(state, seat, max(0, state.pawns[seat] - steps))


def forward(state: State, seat: int, space: int, movement_roll: bool = False) -> State:
    """That seat's pawn goes forward to the space; on Escape or past it the game is won (PP-A12)."""
    if space < ESCAPE:
        return stand(state, seat, space)
    if not movement_roll and state.options.escape == "movement_roll_only":
        return stand(state, seat, ESCAPE - 1)
    state = replace(state, phase=OVER, winner=state.seats[seat], speaker=-1)
    return stand(state, seat, ESCAPE)


def next_layer(space: int) -> int:
    """The first space of the layer after that of a space, along the path; Escape after the last."""
    first = (max(space - 1, 0) // LAYER_LENGTH + 1) * LAYER_LENGTH + 1
    return min(first, ESCAPE)


def draw(state: State, count: int) -> State:
    """The player in turn draws, as far as the deck goes; what it lacks is owed until a shuffle.

    With nothing to shuffle either, no more is drawn (PP-A18).
    """
    seat = state.turn
    drawn, deck = state.deck[:count], state.deck[count:]
    hand = tuple(sorted(state.hands[seat] + drawn))
    hands = (*state.hands[:seat], hand, *state.hands[seat + 1 :])
    owed = count - len(drawn) if state.discard or state.buried else 0
    state = replace(state, hands=hands, deck=deck, owed=owed)
    if owed or not state.aside:
        return state
    return replace(state, buried=state.buried + state.aside, aside=())


def land(state: State) -> State:
    """The space that the player in turn reached by the movement roll takes effect."""
    kind = state.board[state.pawns[state.turn]]
    if kind == "safe":
        return open_window(state, TURN_END)
    if kind in ("blessing", "torment"):
        return replace(state, phase=LANDING, victim=state.seats[state.turn])
    return _EFFECTS[kind](state)


def carry_out(state: State) -> State:
    """The movement roll moves the pawn, and the space takes effect."""
    space = state.pawns[state.turn] + distance(state)
    state = forward(state, state.turn, space, movement_roll=True)
    return state if state.phase == OVER else land(state)


def settle(state: State, kept: tuple[int, ...]) -> State:
    """The dice that count are known; the pawn has still to move."""
    return open_window(replace(state, roll=replace(state.roll, kept=kept)), AFTER_ROLL)


def after_effect(state: State) -> State:
    """A Draw or a Sin is done; whether cards for oneself may follow is PP-A16."""
    ends = state.options.after_draw_or_sin == "ends"
    return open_window(state, TURN_END if ends else AFTER_EFFECT)


def ahead(state: State) -> int:
    """The seat that Pride swaps with: nearest ahead or leading (PP-A04), then next in turn; or -1."""
    seats, own = len(state.seats), state.pawns[state.turn]
    clockwise = [(state.turn + step) % seats for step in range(1, seats)]
    before = [seat for seat in clockwise if state.pawns[seat] > own]
    if not before:
        return -1
    choose = min if state.options.pride == "nearest" else max
    return choose(before, key=lambda seat: state.pawns[seat])


def _draw(state: State) -> State:
    return after_effect(draw(state, 1))


def _greed(state: State) -> State:
    others = any(hand for seat, hand in enumerate(state.hands) if seat != state.turn)
    return replace(state, phase=GREED) if others else after_effect(state)


def _lust(state: State) -> State:
    return replace(state, phase=LUST) if state.hands[state.turn] else after_effect(state)


def _pride(state: State) -> State:
    other = ahead(state)
    return after_effect(state if other < 0 else swap(state, state.turn, other))


def _wrath(state: State) -> State:
    return after_effect(owe_skip(state, (state.turn + 1) % len(state.seats)))


def _gluttony(state: State) -> State:
    seat = state.turn
    hand = state.hands[seat]
    hands = (*state.hands[:seat], (), *state.hands[seat + 1 :])
    if state.options.gluttony == "discard_first":
        state = replace(state, hands=hands, buried=state.buried + hand)
    else:
        state = replace(state, hands=hands, aside=hand)
    return after_effect(draw(state, len(hand)))


def _sloth(state: State) -> State:
    return after_effect(owe_skip(state, state.turn))


def _envy(state: State) -> State:
    layer = state.board.index("envy") - 1
    return after_effect(stand(state, state.turn, layer - layer % LAYER_LENGTH + 1))


_EFFECTS = dict(zip(SINS, (_greed, _lust, _pride, _wrath, _gluttony, _sloth, _envy), strict=True)) | {
    "draw": _draw
}
