"""Why an action may not be done now: the rule that forbids it, in a sentence, and what would do."""

from __future__ import annotations

from collections import Counter

from companion.games.game import Action, AwaitedDice, AwaitedShuffle, Rolled, Ruling, Shuffled
from companion.games.rail_raiders_infinite.actions import (
    Answer,
    Board,
    Keep,
    PickRaider,
    RaidAction,
    Reroll,
    Send,
    TurnUp,
    UseCard,
)
from companion.games.rail_raiders_infinite.dice.hands import FIVE
from companion.games.rail_raiders_infinite.jobs.fighting import a_side, present
from companion.games.rail_raiders_infinite.jobs.forces import forced_rerolls, rerolls_of
from companion.games.rail_raiders_infinite.jobs.rolling import own_rerolls
from companion.games.rail_raiders_infinite.jobs.rounds import rank_to_board
from companion.games.rail_raiders_infinite.machine import awaiting, chance_of, legal, waiting
from companion.games.rail_raiders_infinite.state import LOOT, OFF, Job, State, cards_of
from companion.games.rail_raiders_infinite.words.act_refusals import ACT_FAULTS, act_fault
from companion.games.rail_raiders_infinite.words.names import car, dice, listed, name, who
from companion.games.rail_raiders_infinite.words.sections import of_job
from companion.games.refusing import BOOK, FORM, Fault, roll_fault, ruling, shuffle_fault

_NO_CARDS = {"tokens": "tokens", "cars": "train cars"}
"""What is shuffled where it is no cards."""


def refusal(state: State, action: RaidAction) -> Ruling | None:
    """None when the action is legal, otherwise the Ruling that says why it is not."""
    fault = _fault(state, action)
    return None if fault is None else ruling(fault, _instead(state, action))


def _instead(state: State, action: Action) -> tuple[Answer, ...]:
    """The legal actions of the same kind, or all."""
    if isinstance(action, Rolled | Shuffled):
        return ()
    found = legal(state, str(getattr(action, "seat", "")))
    alike = tuple(other for other in found if type(other) is type(action))
    return alike or found


def _fault(state: State, action: Action) -> Fault:
    if not isinstance(action, RaidAction):
        return FORM, "Action Phase", "Rail Raiders Infinite has no such action; choose one of its own."
    job = waiting(state)
    if job is None:
        return BOOK, "Ending the Game", "The game is over: the last round has been played. Start a new one."
    if isinstance(action, Rolled):
        return roll_fault(chance_of(state), action, "Rolling", holding_up(state))
    if isinstance(action, Shuffled):
        return _shuffle_fault(state, job, action)
    if action.seat not in state.seats:
        return FORM, "Setup", f"Nobody plays '{action.seat}'; the seats are {listed(state.seats)}."
    if action in legal(state, action.seat):
        return None
    return _answer_fault(state, job, action)


def _shuffle_fault(state: State, job: Job, action: Shuffled) -> Fault:
    awaited = chance_of(state)
    section = of_job(state, job) if isinstance(awaited, AwaitedShuffle) else "Setup"
    return shuffle_fault(awaited, action, section, holding_up(state), _NO_CARDS.get(job.card, "cards"))


def holding_up(state: State) -> str:
    """What the game waits for, as a sentence's end."""
    now = awaiting(state)
    if isinstance(now.chance, AwaitedDice):
        return f"{name(now.chance.seat)} throws the dice first ({now.chance.why})"
    if isinstance(now.chance, AwaitedShuffle):
        return f"{now.chance.why} are shuffled first"
    return f"it is for {listed(tuple(name(seat) for seat in now.seats))} to decide"


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"


def _answer_fault(state: State, job: Job, action: Answer) -> Fault:
    now, section = awaiting(state), of_job(state, job)
    if isinstance(action, ACT_FAULTS) and job.do in ("act", "second_showdown") and action.seat in now.seats:
        return act_fault(state, job, action)
    if isinstance(action, UseCard):
        return _use_fault(state, job, action)
    if action.seat not in now.seats:
        return BOOK, section, f"It is not for {name(action.seat)} to decide now: {holding_up(state)}."
    match action:
        case Board():
            return _board_fault(state, job, action)
        case TurnUp(_, card):
            return FORM, section, f"'{card}' cannot lie there: all of its kind are seen already; look again."
        case Keep(_, card):
            return FORM, section, f"'{card}' is not among the Loot cards looked at; keep one of those."
        case PickRaider(_, raider):
            return BOOK, section, f"'{raider}' is not there to be chosen; choose one that is left."
        case Reroll():
            return _reroll_fault(state, job, action)
        case Send():
            return _send_fault(state, job, action)
    words = f"That is no answer to what is asked: {holding_up(state)}; choose what is offered."
    return BOOK, section, words


def _use_fault(state: State, job: Job, action: UseCard) -> Fault:
    section = "Equipment and Weapons"
    rider = state.riders[state.seats.index(action.seat)]
    if action.card not in rider.gear:
        return BOOK, section, f"{name(action.seat)} has no '{action.card}'; use a card that is equipped."
    card = cards_of(state.edition, LOOT)[action.card]
    if not card.use:
        return BOOK, section, f"{card.title} works as long as it is held; it is not used up."
    if job.do != "act":
        return BOOK, section, f"{card.title} waits until an action is chosen: {holding_up(state)}."
    if card.use == "opponent" and action.seat not in awaiting(state).seats:
        return _reach_fault(state, action)
    if card.use == "opponent":
        return BOOK, section, f"{card.title} is used in the turn of another player."
    if action.seat not in awaiting(state).seats:
        return BOOK, section, f"{card.title} is used in {name(action.seat)}'s own turn."
    return BOOK, "Action Phase", f"{card.title} takes an action, and none is left for it."


def _reach_fault(state: State, action: UseCard) -> Fault:
    """Why the card reaches nobody: one of both is Off the Train."""
    section, user = "Off the Train", name(action.seat)
    if state.riders[state.seats.index(action.seat)].at == OFF:
        return BOOK, section, f"{user} is Off the Train, and affects nobody on it."
    turn = name(state.seats[state.turn])
    return BOOK, section, f"{turn} is Off the Train; nobody on it affects {turn}."


def _board_fault(state: State, job: Job, action: Board) -> Fault:
    section = "Starting the Game: Boarding the Train"
    if job.do not in ("board", "free_move", "act"):
        return BOOK, section, f"No Raider boards now: {holding_up(state)}."
    if not 0 <= action.car < len(state.cars):
        return FORM, section, f"The train has cars 0 to {len(state.cars) - 1}; choose one of them."
    rank = rank_to_board(state, action.car, action.look)
    if rank > FIVE:
        return "RR-A03", section, f"{car(state, action.car)} needs rank {rank}, and {FIVE} is the highest."
    return BOOK, section, f"{name(action.seat)} cannot look at that car before boarding; board without."


def _reroll_fault(state: State, job: Job, action: Reroll) -> Fault:
    section = "Rerolls"
    if job.do not in ("reroll", "reroll_own"):
        return BOOK, section, f"Nothing is rerolled now: {holding_up(state)}."
    if job.do == "reroll":
        side = a_side(state, job.seat)
        lying, allowed = side.faces, rerolls_of(state, present(state), side)
        forced = forced_rerolls(state, present(state), side)
    else:
        lying, allowed, forced = job.faces, own_rerolls(state, job), ()
    if Counter(action.dice) - Counter(lying):
        return FORM, section, f"The dice are {dice(lying)}; choose among them, lowest first."
    if Counter(forced) - Counter(action.dice):
        return BOOK, section, f"These have to be rerolled: {dice(forced)}."
    if len(action.dice) - len(forced) > allowed:
        words = f"No more than {_dice(allowed)} may be rerolled, not {len(action.dice)}; choose fewer."
        return BOOK, section, words
    return FORM, section, "Name the dice lowest first."


def _send_fault(state: State, job: Job, action: Send) -> Fault:
    section = "Showdown"
    if state.fight is None or job.do != "losers":
        return BOOK, section, f"Nobody is moved now: {holding_up(state)}."
    losers = tuple(who(state, loser) for loser in present(state).losers)
    if action.loser not in state.seats or name(action.loser) not in losers:
        return BOOK, section, f"Those to be moved are {listed(losers)}; choose one of them."
    here = state.riders[state.seats.index(action.loser)].at
    words = f"{name(action.loser)} is on {car(state, here)}; choose a car next to it that is offered."
    return "RR-A31", section, words
