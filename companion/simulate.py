"""Whole games by bots, as fast as they go or with every law checked at every step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from companion import games, packs
from companion.bots import BOTS, Bot, RandomBot
from companion.chance import filled_in, outcome
from companion.games.game import Game
from companion.laws import Laws


@dataclass(frozen=True)
class Tally:
    """One game's numbers. `winner` is "" where the win is shared; `seconds` is all it took, laws included."""

    actions: int
    turns: int
    winner: str
    seconds: float


def simulate(
    game_name: str, count: int, seats: int, seed: int, jobs: int = 1, check: bool = False
) -> dict[str, Any]:
    """Plays `count` games of `seats` players; a summary ready for JSON. The seed decides all but time.

    Sensible bots play by the default options. With `check`, random bots play by random options, so
    that every corner is visited, and a broken law raises LawBroken.
    """
    tasks = [(game_name, seats, seed, number, check) for number in range(count)]
    begun = perf_counter()
    if jobs == 1:
        tallies = [_play_one(task) for task in tasks]
    else:
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            tallies = list(pool.map(_play_one, tasks, chunksize=max(1, count // (4 * jobs))))
    seconds = perf_counter() - begun
    actions = sum(tally.actions for tally in tallies)
    turns = [tally.turns for tally in tallies]
    wins = Counter(tally.winner for tally in tallies)
    return {
        "game": game_name,
        "games": count,
        "seats": seats,
        "seed": seed,
        "jobs": jobs,
        "checked": check,
        "actions": actions,
        "seconds": round(seconds, 3),
        "actions_per_second": round(actions / seconds),
        "turns": {"min": min(turns), "median": median(turns), "max": max(turns)},
        "wins": {seat: wins[seat] for seat in games.load(game_name).seats[:seats]},
        "shared": wins[""],
    }


def course(
    game: Game[Any, Any], state: Any, bots: Mapping[str, Bot], chance: Random
) -> Iterator[tuple[Any, Any]]:
    """Each state and the action played in it, from `state` on; the one that is over comes last, with None."""
    while not game.over(state):
        action = next_action(game, state, bots, chance)
        yield state, action
        state = game.play(state, action)
    yield state, None


def next_action(game: Game[Any, Any], state: Any, bots: Mapping[str, Bot], chance: Random) -> Any:
    """What happens next: a card thrown in by any seat, else chance, else the seat that is waited for.

    Whom the game waits for is asked last, or nobody else would ever come to play a card.
    """
    awaiting = game.awaiting(state)
    for seat in sorted(bots, key=lambda seat: seat in awaiting.seats):
        view = game.view(state, seat)
        legal = game.legal(view, seat)
        if legal:
            action = bots[seat].choose(game, view, seat, legal)
            if action is not None:
                return filled_in(game, state, action, chance)
    if awaiting.chance is None:
        raise RuntimeError(f"The bots let the game stand still: it waits for {', '.join(awaiting.seats)}.")
    return outcome(awaiting.chance, chance)


def _play_one(task: tuple[str, int, int, int, bool]) -> Tally:
    game_name, seats, seed, number, check = task
    game = games.load(game_name)
    chance = Random(f"{seed}/{number}")
    names = game.seats[:seats]
    options = {option.name: chance.choice(option.values) for option in game.options} if check else {}
    begin = game.setup(names, packs.load(game, "house"), options)
    bots: dict[str, Bot] = {seat: RandomBot(chance) if check else BOTS[game_name]() for seat in names}
    laws = Laws(game, chance) if check else None
    actions, turns, winner, acted = 0, int(begin.turn >= 0), "", False
    begun = perf_counter()
    turn, begins = begin.turn, False
    for state, action in course(game, begin, bots, chance):
        # A turn ends in many ways, and the next one may be the same player's; none has before anybody acts.
        # Between turns, where there is a time between them, it is nobody's: a number below 0.
        turns += acted and state.turn >= 0 and (begins or state.turn != turn)
        if action is None:
            first = [standing.seat for standing in game.scores(state) if standing.place == 1]
            winner = first[0] if len(first) == 1 else ""
            if laws:
                laws.end(state)
            continue
        if laws:
            laws.step(state, action)
        actions += 1
        turn, begins = state.turn, action.__struct_config__.tag == "end_turn"
        acted = acted or hasattr(action, "seat")
    return Tally(actions, turns, winner, perf_counter() - begun)
