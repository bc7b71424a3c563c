"""Rules beside python-chess, in one process and in turn: random play, and what listing legal moves costs.

python-chess is asked for only here (`pip install chess`); without it our own figures are printed alone.
Prints of each game actions a second, microseconds a listed action, a State through JSON, and growth
with length; of HellRail besides what listing costs on a full board.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from random import Random
from statistics import median
from typing import Any

import msgspec
from msgspec.structs import replace

from companion import games, packs
from companion.chance import outcome
from companion.games.game import Game
from companion.games.hellrail.actions import LayRail, Move
from companion.games.hellrail.movement import _net, net_of
from companion.games.hellrail.moves import _reached
from companion.games.hellrail.rails import _lays, _open_cells
from companion.games.hellrail.rules import legal
from companion.games.hellrail.track import Position

ROUNDS = 7


def main() -> None:
    chess = _chess()
    for name in games.NAMES:
        print(f"-- {name}")
        _measure(games.load(name), chess)
    _full_board()


def _measure(game: Game[Any, Any], chess: Callable[[Random, int], tuple[list[Any], float]] | None) -> None:
    pack = packs.load(game, "house")
    ours, theirs, listing, their_listing = [], [], [], []
    for number in range(ROUNDS):
        states, seconds = _play(game, pack, Random(number), 4000)
        ours.append(len(states) / seconds)
        listing.append(_listing(lambda state: [game.legal(state, seat) for seat in state.seats], states, sum))
        if chess is not None:
            boards, seconds = chess(Random(number), 800)
            theirs.append(len(boards) / seconds)
            their_listing.append(_listing(lambda board: [list(board.legal_moves)], boards, sum))
    print(f"random play: {median(ours):,.0f} actions/s")
    print(f"listing: {median(listing) * 1e6:.2f} us per legal action, seats with none charged too")
    if theirs:
        print(f"random play, python-chess: {median(theirs):,.0f}, ratio {median(ours) / median(theirs):.1f}")
        ratio = median(listing) / median(their_listing)
        print(f"listing, python-chess: {median(their_listing) * 1e6:.2f} us, ratio {ratio:.2f}")
    _through_json(game, states[-1])
    _growth(game, pack)


def _play(game: Game[Any, Any], pack: Any, chance: Random, count: int) -> tuple[list[Any], float]:
    """So many random actions, games one after the other; the states, and the seconds that it took."""
    states: list[Any] = []
    begun = time.process_time()
    while len(states) < count:
        state = game.setup(game.seats[:4], pack, {})
        while not game.over(state) and len(states) < count:
            awaited = game.awaiting(state).chance
            legal = [action for seat in state.seats for action in game.legal(state, seat)]
            if awaited is not None and (not legal or chance.random() < 0.7):
                state = game.play(state, outcome(awaited, chance))
            else:
                state = game.play(state, chance.choice(legal))
            states.append(state)
    return states, time.process_time() - begun


def _listing(legal: Callable[[Any], list[Any]], states: list[Any], add: Callable[[Any], int]) -> float:
    begun = time.process_time()
    listed = add(len(actions) for state in states for actions in legal(state))
    return (time.process_time() - begun) / max(listed, 1)


def _chess() -> Callable[[Random, int], tuple[list[Any], float]] | None:
    try:
        chess = import_module("chess")
    except ImportError:
        print("python-chess is not installed; no comparison")
        return None

    def play(chance: Random, count: int) -> tuple[list[Any], float]:
        boards: list[Any] = []
        begun = time.process_time()
        board = chess.Board()
        while len(boards) < count:
            moves = list(board.legal_moves)
            if not moves:
                board = chess.Board()
                continue
            board.push(chance.choice(moves))
            boards.append(board.copy(stack=False))
        return boards, time.process_time() - begun

    return play


def _through_json(game: Game[Any, Any], state: Any) -> None:
    begun = time.process_time()
    for _ in range(2000):
        msgspec.json.decode(msgspec.json.encode(state), type=game.state_type)
    each = (time.process_time() - begun) / 2000 * 1e6
    print(f"a State to JSON and back: {each:.1f} us, {len(msgspec.json.encode(state))} bytes")


def _growth(game: Game[Any, Any], pack: Any) -> None:
    """What a state carries does not grow with the game, so neither may the cost of an action."""
    chance = Random(0)
    _, first = _play(game, pack, chance, 500)
    _play(game, pack, chance, 9000)
    _, last = _play(game, pack, chance, 500)
    print(f"the 10,000th action beside the first ones: {last / first:.2f}")


def _full_board() -> None:
    """HellRail with 45 cards laid, 4 engines on rail, and 8 more cards of the same rail in hand.

    So many cards no real game has; the listing has new rail, upgrades, and Moves to every reachable
    stop. Caches are emptied before each listing and the state is a new one, as when something was just laid.
    """
    chance = Random(1)
    game = games.load("hellrail")
    state = game.setup(game.seats, packs.load(game, "house"), {})
    more = tuple(replace(card, name=f"x{card.name}") for card in state.edition.rails[:8])
    edition = replace(state.edition, rails=(*state.edition.rails, *more))
    names = [card.name for card in state.edition.rails]
    hand = tuple(sorted(names))
    hands = (hand, *state.hands[1:])
    state = replace(state, edition=edition, discard=(), hands=hands, phase="actions", throws=(6, 1, 1, 1))
    for card in names:
        lays = [lay for lay in game.legal(state, state.seats[0], card) if isinstance(lay, LayRail)]
        near = [lay for lay in lays if 1 <= lay.cell[0] <= 9 and 0 <= lay.cell[1] <= 7]
        state = game.play(state, chance.choice(near))
    spots = [Position(cell, *spot) for cell, lying in net_of(state).faces.items() for spot in lying.ahead]
    engines = tuple(chance.sample(spots, 4))
    state = replace(state, engines=engines, hands=(tuple(sorted(card.name for card in more)), *hands[1:]))
    seconds, count = [], 0
    for _ in range(ROUNDS):
        for cached in (legal, _reached, _net, _open_cells, _lays):
            cached.cache_clear()
        state = msgspec.json.decode(msgspec.json.encode(state), type=game.state_type)
        begun = time.process_time()
        count = len(game.legal(state, state.seats[0]))
        seconds.append(time.process_time() - begun)
    moves = sum(isinstance(action, Move) for action in game.legal(state, state.seats[0]))
    print(
        f"a full board: {median(seconds) * 1000:.1f} ms to list {count} actions of 8 cards, "
        f"{moves} of them Moves (target 20 ms)"
    )
    hidden = game.hide(game.setup(game.seats, packs.load(game, "house"), {}))
    shuffle = game.awaiting(hidden).chance
    assert shuffle is not None
    dealt = game.play(hidden, outcome(shuffle, chance))
    turn = game.hide(replace(dealt, phase="actions", throws=(6, 1, 1, 1)))
    begun = time.process_time()
    count = len(game.legal(turn, turn.seats[0]))
    print(
        f"a first turn with unknown hands: {(time.process_time() - begun) * 1000:.1f} ms for {count} actions"
    )


if __name__ == "__main__":
    main()
