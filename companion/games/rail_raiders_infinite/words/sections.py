"""Where the rulebook has the rule for what was done, for those who want to look it up."""

from __future__ import annotations

from companion.games.rail_raiders_infinite.actions import Move, Pass, RaidAction, Search, Showdown
from companion.games.rail_raiders_infinite.machine import waiting
from companion.games.rail_raiders_infinite.state import HIGH_NOON, LONG_ARM, LOOT, Job, State

_SHOWDOWN = "Showdown"
_SEARCH = "Search"
_BOARDING = "Starting the Game: Boarding the Train"
_HIGH_NOON = "High Noon Phase"
_LONG_ARM = "Long Arm of the Law Cards"
_FLIPPING = "Facedown Train Cars"
_EQUIPMENT = "Equipment and Weapons"

_OF_JOBS = {
    "contest": "Beginning a New Round",
    "pick_raider": "Setup",
    "shuffle": "Setup",
    "shuffle_back": _HIGH_NOON,
    "put_back": _HIGH_NOON,
    "board": _BOARDING,
    "act": "Action Phase",
    "second_showdown": _SHOWDOWN,
    "free_move": "Moving",
    "look": _SEARCH,
    "peek": _SEARCH,
    "arm": _EQUIPMENT,
    "reroll": "Rerolls",
    "throw_again": "Rerolls",
    "reroll_own": "Rerolls",
    "roll_again": "Rerolls",
    "put_lawbot": _LONG_ARM,
    "near_raider": _LONG_ARM,
    "bring": _LONG_ARM,
    "shift": _LONG_ARM,
    "may_move": "Moving",
    "may_jump": "Moving",
    "move_to_raider": "Moving",
    "table": "Action Phase",
}

_OF_PILES = {
    "raiders": "Setup",
    "cars": _FLIPPING,
    "token": _SEARCH,
    HIGH_NOON: _HIGH_NOON,
    LONG_ARM: _LONG_ARM,
    LOOT: _SEARCH,
}

_OF_ROLLS = {
    "boarding": _BOARDING,
    "put_token": "Loot Cards",
    "search_dollar": _SEARCH,
    "bomb": "Loot Cards",
    "hold_on": _SHOWDOWN,
}

_OF_CONTESTS = {"raiders": "Setup", "dealer": "Beginning a New Round", "rolloff": "Hand Rank"}


def of_job(state: State, job: Job) -> str:
    """The rulebook's section for what the game waits for."""
    if job.do == "turn_up":
        return _OF_PILES[job.card]
    if job.do == "contest":
        return _OF_CONTESTS[job.card]
    if job.do in ("offer", "roll") and job.card in _OF_ROLLS:
        return _OF_ROLLS[job.card]
    if state.fight is not None and job.do in ("join", "gather") and state.fight.kind == "search":
        return _SEARCH
    return _OF_JOBS.get(job.do, _SHOWDOWN)


def section(state: State, action: RaidAction) -> str:
    """The rulebook's section for a legal action."""
    match action:
        case Move():
            return "Action Phase - Move"
        case Showdown():
            return "Action Phase - Showdown"
        case Search():
            return "Action Phase - Search"
        case Pass():
            return "Action Phase - Pass"
    job = waiting(state)
    return of_job(state, job) if job else "Ending the Game"
