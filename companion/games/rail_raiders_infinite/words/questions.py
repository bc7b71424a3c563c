"""Questions with a yes and a no, in words: what is asked, and what either answer does."""

from __future__ import annotations

from companion.games.rail_raiders_infinite.jobs.fighting import present
from companion.games.rail_raiders_infinite.jobs.forces import bots_in
from companion.games.rail_raiders_infinite.jobs.gathering import price_of_die
from companion.games.rail_raiders_infinite.jobs.rolling import CHECKS, price_of_reroll
from companion.games.rail_raiders_infinite.jobs.train import lowest
from companion.games.rail_raiders_infinite.state import Job, State
from companion.games.rail_raiders_infinite.words.names import dollars, lawbot, name, who

Answers = tuple[tuple[str, str], tuple[str, str]]
"""The words and the detail of yes, and of no."""


def asked(state: State, job: Job) -> str:
    """What is asked, as a clause that follows who is to say."""
    match job.do:
        case "offer":
            return f"whether to pay for a reroll in the roll for {CHECKS[job.card]}"
        case "buy_reroll":
            return "whether to pay for a reroll in this fight"
        case "buy_die":
            return "whether to pay for one more die"
        case "agree":
            return f"whether to team up with {who(state, job.seats[0])}"
        case "what_first":
            return "whether salvage or the moves come first"
        case "salvage":
            return f"what the {lawbot(lowest(bots_in(state, present(state))))} brings"
        case "peek":
            return "whether to take the Loot token that was peeked at"
    return f"whether to take a double-dollar from {who(state, job.seats[0])}"


_LIKELY = ("donation", "what_first", "peek")
"""Questions that most people answer with yes."""


def is_likely(job: Job, yes: bool) -> bool:
    """Whether most people would answer that."""
    return yes == (job.do in _LIKELY)


def answers_to(state: State, job: Job) -> Answers:
    """What either answer does."""
    match job.do:
        case "offer":
            kind = "boarding" if job.card == "boarding" else "check"
            return _buying(state, job, price_of_reroll(state, job.seat, kind), "reroll")
        case "buy_reroll":
            return _buying(state, job, price_of_reroll(state, job.seat, present(state).kind), "reroll")
        case "buy_die":
            return _buying(state, job, price_of_die(state, job.seat), "die")
        case "agree":
            return ("Team up", "one more die each, and neither moves the other"), ("Fight alone", "")
        case "what_first":
            return ("Salvage first", "you have more before dollars are taken"), ("Move the losers first", "")
        case "salvage":
            return ("Draw and score a Loot card", "in place of its worth"), ("Take its worth", "")
        case "peek":
            return ("Take the one you peeked at", ""), ("Take another one", "")
    loser = state.riders[job.seats[0]]
    takes = (
        f"{name(state.seats[job.seats[0]])} has {loser.dollars}, you have {state.riders[job.seat].dollars}"
    )
    return ("Take one double-dollar", takes), ("Leave it", "")


def _buying(state: State, job: Job, price: int, what: str) -> Answers:
    has = f"you have {dollars(state.riders[job.seat].dollars)}"
    return (f"Pay {dollars(price)} for one {what}", has), (f"Buy no {what}", "")
