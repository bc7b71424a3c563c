"""Measures HellRail's house edition as a game, played by sensible bots; prints a JSON summary.

    python -m tools.measure_hellrail [--games 300] [--seats 3] [--seed 1] [--pack house] [--circles ring]

For each Circle: how often a game it is entered and its Effect used, and how many cars are picked up
and set out there. `wins_by_place` counts from who goes first; `fair` are the chances of wins as
uneven as these, or more so, if all seats are alike, and all places (chi-square).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from math import exp, lgamma, log
from random import Random
from statistics import mean, median, pstdev
from typing import Any

from companion import games, packs
from companion.bots import BOTS, Bot
from companion.games.game import Rolled, Shuffled
from companion.games.hellrail.actions import (
    Cross,
    Declare,
    Fan,
    Land,
    LayRail,
    Move,
    Pickup,
    Setout,
    SpendChip,
    UpgradeRail,
)
from companion.games.hellrail.rules import points
from companion.games.hellrail.state import ACTIONS, GATE, State, rail_cards
from companion.simulate import course

CIRCLES = (GATE, *"123456789")
PER_GAME = (Move, Fan, LayRail, UpgradeRail, Cross, SpendChip)


class Measures:
    """What is counted over all games."""

    def __init__(self, seats: tuple[str, ...]) -> None:
        self.seats = seats
        self.numbers: dict[str, list[float]] = {}
        self.counts: dict[str, Counter[str]] = {}

    def note(self, name: str, value: float) -> None:
        """One number of one game, or of one of its players."""
        self.numbers.setdefault(name, []).append(value)

    def count(self, name: str, what: str, more: int = 1) -> None:
        """One more of a kind."""
        self.counts.setdefault(name, Counter())[what] += more

    def act(self, state: State, action: Any) -> None:
        """One action of a game, before it is played."""
        cards = rail_cards(state.edition)
        if isinstance(action, PER_GAME):
            self.count("acts", type(action).__name__)
        if isinstance(action, Declare) and state.effect:
            self.count("entered", state.effect.circle)
            self.count("used", state.effect.circle, action.use)
        if isinstance(action, Pickup):
            self.count("picked_up", cards[action.card].pickup)
        if isinstance(action, Setout):
            self.count("set_out", cards[action.card].setout)
        if isinstance(action, Move | Cross | Land):
            for ram in action.rammed:
                self.count("acts", "Rammed" if ram.to else "RammedOff")
        if isinstance(action, Move) and action.to is None:
            self.count("acts", "OwnDerailment")

    def end(self, state: State, first: int, turns: int, last: str) -> None:
        """The end of a game: who went first, how many turns there were, and the last thing done."""
        scores = [points(state, cars) for cars in state.delivered]
        best = games.load("hellrail").scores(state)
        winners = [standing.seat for standing in best if standing.place == 1]
        if len(winners) == 1:
            self.count("wins", winners[0])
            self.count("wins_by_place", str((self.seats.index(winners[0]) - first) % len(self.seats)))
        else:
            self.count("wins", "shared")
        self.count("ended_by", last)
        self.note("turns", turns)
        self.note("winner's points", max(scores))
        self.note("margin", sorted(scores)[-1] - sorted(scores)[-2])
        self.note("cars delivered", sum(map(len, state.delivered)))
        self.note("rail cards lying", len(state.rails))
        self.note("cards in hands", sum(map(len, state.hands)))
        for score in scores:
            self.note("points", score)


def play(measures: Measures, pack: Any, options: dict[str, str], chance: Random) -> None:
    """One game by sensible bots."""
    game = games.load("hellrail")
    bots: dict[str, Bot] = {seat: BOTS[game.name]() for seat in measures.seats}
    first, turns, whose, last = -1, 0, -1, ""
    for state, action in course(game, game.setup(measures.seats, pack, options), bots, chance):
        if state.phase == ACTIONS and first < 0:
            first = state.turn
        if first >= 0 and state.turn != whose:
            whose, turns = state.turn, turns + 1
        if action is None:
            measures.end(state, first, turns, last)
        else:
            measures.act(state, action)
            if not isinstance(action, Rolled | Shuffled):
                last = type(action).__name__


def evenness(wins: list[int]) -> float:
    """The chance of counts as uneven as these, or more so, if all are alike: Pearson's chi-square."""
    expected = sum(wins) / len(wins)
    square = sum((count - expected) ** 2 for count in wins) / expected
    half, freedom = square / 2, (len(wins) - 1) / 2
    # The upper incomplete gamma function by its series, which is short for so few degrees of freedom.
    term = total = 1 / freedom
    for step in range(1, 400):
        term *= half / (freedom + step)
        total += term
    return 1 - exp(freedom * log(half) - half - lgamma(freedom)) * total if half else 1.0


def summary(measures: Measures, played: int) -> dict[str, Any]:
    """All that was counted, ready for JSON."""
    wins, places = measures.counts["wins"], measures.counts["wins_by_place"]
    order = [str(place) for place in range(len(measures.seats))]
    return {
        "games": played,
        "seats": len(measures.seats),
        **{
            name: {
                "min": min(each),
                "median": median(each),
                "mean": round(mean(each), 1),
                "max": max(each),
                "deviation": round(pstdev(each), 1),
            }
            for name, each in measures.numbers.items()
        },
        "wins": dict(wins),
        "wins_by_place": {place: places[place] for place in order},
        "fair": {
            "seats": round(evenness([wins[seat] for seat in measures.seats]), 3),
            "places": round(evenness([places[place] for place in order]), 3),
        },
        "ended_by": dict(measures.counts["ended_by"].most_common()),
        "acts_per_game": {
            name: round(count / played, 2) for name, count in measures.counts["acts"].most_common()
        },
        "circles_per_game": {
            name: {circle: round(measures.counts[name][circle] / played, 2) for circle in CIRCLES}
            for name in ("entered", "used", "picked_up", "set_out")
        },
    }


def main() -> None:
    """Plays the games and prints the summary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pack", default="house")
    parser.add_argument("--circles", default="ring", choices=("ring", "sacrilege", "devils_advocate"))
    given = parser.parse_args()
    game = games.load("hellrail")
    measures = Measures(game.seats[: given.seats])
    pack = packs.load(game, given.pack)
    for number in range(given.games):
        play(measures, pack, {"circles": given.circles}, Random(f"{given.seed}/{number}"))
    print(json.dumps(summary(measures, given.games), indent=1))


if __name__ == "__main__":
    main()
