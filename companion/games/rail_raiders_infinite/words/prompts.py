"""The game in words for people: what the table waits for, and what tables forget just then."""

from __future__ import annotations

from companion.games.game import AwaitedDice, Prompt
from companion.games.rail_raiders_infinite.dice import odds
from companion.games.rail_raiders_infinite.dice.hands import RANK_NAMES, called
from companion.games.rail_raiders_infinite.jobs.fighting import present
from companion.games.rail_raiders_infinite.jobs.forces import final_hand, raises, rerolls_of
from companion.games.rail_raiders_infinite.jobs.rolling import dice_in, own_rerolls
from companion.games.rail_raiders_infinite.machine import awaiting, legal, waiting
from companion.games.rail_raiders_infinite.rules import scores, view
from companion.games.rail_raiders_infinite.state import (
    HIGH_NOON,
    LAWBOTS,
    LONG_ARM,
    LOOT,
    NOBODY,
    OFF,
    Job,
    State,
    cards_of,
)
from companion.games.rail_raiders_infinite.words.chances import standing
from companion.games.rail_raiders_infinite.words.choices import choices_in_words
from companion.games.rail_raiders_infinite.words.names import (
    bots,
    car,
    counted,
    dice,
    faces_in_words,
    listed,
    name,
    percent,
    sentence,
    title,
    who,
)
from companion.games.rail_raiders_infinite.words.questions import asked


def prompt(state: State, seat: str, card: str = "") -> Prompt:
    """What the table waits for, as that seat is told; "" is the table's own page.

    Nothing in it rests on a card that the seat may not know.
    """
    state = view(state, seat)
    now = awaiting(state)
    thrower = now.chance.seat if isinstance(now.chance, AwaitedDice) else ""
    return Prompt(
        words=_waiting(state, seat),
        choices=choices_in_words(state, legal(state, seat, card)),
        reminders=_reminders(state, seat),
        yours=bool(seat) and seat in (*now.seats, thrower),
        status=_status(state),
    )


# -- what is waited for -------------------------------------------------------------------------------


def _waiting(state: State, seat: str) -> str:
    job, now = waiting(state), awaiting(state)
    if job is None:
        first = [name(standing.seat) for standing in scores(state) if standing.place == 1]
        wins = "win together" if len(first) > 1 else "wins"
        return f"The train pulls into the station. {listed(tuple(first))} {wins}."
    if now.chance is not None and not isinstance(now.chance, AwaitedDice):
        return f"Shuffle {now.chance.why} ({len(now.chance.cards)}) and lay them face down."
    acting = now.chance.seat if now.chance is not None else now.seats[0]
    you = acting == seat
    subject = "You are" if you else f"{name(acting)} is"
    if isinstance(now.chance, AwaitedDice):
        return f"{subject} to throw {_dice_to_throw(now.chance)}: {now.chance.why}."
    return f"{subject} {_to_do(state, job, you)}."


def _dice_to_throw(awaited: AwaitedDice) -> str:
    return "one die" if awaited.count == 1 else f"{awaited.count} dice"


def _to_do(state: State, job: Job, you: bool) -> str:
    match job.do:
        case "pick_raider":
            return "to choose a Raider"
        case "turn_up":
            return f"to turn up {_what_is_turned(state, job)} and say what it is"
        case "board":
            return "to board the train" if job.card == "opening" else "to board the train, or stay off"
        case "act":
            return f"to act: {counted(state.acts.left, 'action')} left"
        case "second_showdown":
            return "to say whether a second Showdown follows"
        case "free_move" if state.riders[job.seat].at == OFF:
            return "to make a free attempt to board, or none"
        case "free_move" | "may_move":
            return "to say whether the Raider moves, free of charge"
        case "may_jump":
            return "to say whether the Raider goes to another car"
        case "move_to_raider":
            return "to pick a car with another Raider"
        case "look":
            return f"to keep one of the {counted(len(job.cards), 'Loot card')} looked at"
        case "join":
            fight = present(state)
            what = "join the Showdown" if fight.kind == "showdown" else "oppose the Search"
            return f"to say whether to {what} of {who(state, fight.active)}"
        case "drag":
            return "to say whether both move one car before the Showdown"
        case "compel":
            return "to say who has to take part"
        case "partner":
            return "to say with whom to team up"
        case "sit_out":
            return "to say which Lawbot sits it out"
        case "arm":
            return "to choose a weapon"
        case "reroll":
            lawbots = " for the Lawbots" if job.seat == LAWBOTS else ""
            return f"to say which dice are rerolled{lawbots}"
        case "reroll_own":
            return "to say which dice are rerolled"
        case "set_die":
            return "to say whether a die is turned to another face"
    return _to_do_after(state, job)


def _to_do_after(state: State, job: Job) -> str:
    match job.do:
        case "losers":
            return f"to move {listed(tuple(who(state, loser) for loser in present(state).losers), 'or')}"
        case "own_way":
            return "to pick the car to go to"
        case "put_back":
            return "to pick the High Noon card that goes back"
        case "put_lawbot":
            return f"to pick the {job.card.title()} that is moved here: none is left in the supply"
        case "near_raider":
            return "to pick the car for a Lawbot"
        case "bring":
            return f"to pick the Lawbot that comes to {car(state, job.car)}"
        case "shift":
            return f"to shift up to {counted(job.count, 'Lawbot')}"
        case "table" if job.effect is not None:
            return f"to tell what came of it: {job.effect.words.rstrip('.')}"
    return f"to say {asked(state, job)}"


def _what_is_turned(state: State, job: Job) -> str:
    return {
        "raiders": "a Raider card",
        "cars": car(state, job.car),
        HIGH_NOON: "the top High Noon card",
        LONG_ARM: f"the top Long Arm card for {car(state, job.car)}",
        LOOT: "the top Loot card",
        "token": "a Loot token",
    }[job.card]


# -- what tables forget -------------------------------------------------------------------------------


def _reminders(state: State, seat: str) -> tuple[str, ...]:
    job = waiting(state)
    if job is None:
        return ()
    lines = []
    if state.last_round and state.round:
        why = "The last High Noon card has been drawn" if state.high_noon else "The High Noon deck is empty"
        lines.append(f"LAST ROUND! {why}.")
    lines += _of_job(state, job)
    if state.fight is not None and state.fight.sides:
        lines += _of_fight(state, job)
    if job.do == "act":
        lines += _of_turn(state, seat)
    return tuple(lines)


def _of_job(state: State, job: Job) -> tuple[str, ...]:
    match job.do:
        case "contest":
            return ("Five plain dice each; who ties for the best rolls again.",)
        case "board" if job.card == "turn":
            if not state.high_noon:
                return ("One attempt, before anything else.",)
            return ("One attempt; the High Noon card is drawn whether it succeeds or not.",)
        case "join":
            order = "clockwise from the active player"
            return (f"Asked {order}. Who joins is a side of its own, and may lose.",)
        case "arm":
            return ("Weapons are chosen from the Dealer clockwise, one for a fight.",)
        case "reroll" | "reroll_own":
            return ("No die is rerolled twice; the second result stands.",)
        case "losers" if present(state).winner != LAWBOTS and len(present(state).losers) > 1:
            return ("The order is yours, and decides what may be taken from whom.",)
        case "look":
            return ("The others are discarded.",)
        case "roll" | "roll_again" if job.card != "boarding":
            return _of_check(state, job)
        case "roll" | "roll_again":
            rank, count = job.count, dice_in(state, job)
            chance = percent(odds.boarding(rank, count, raises=raises(state, job.seat, "boarding")))
            return (f"Rank {rank}, {RANK_NAMES[rank - 1]}, or better: {chance} as rolled.",)
    return ()


def _of_check(state: State, job: Job) -> tuple[str, ...]:
    more = f"; {counted(own_rerolls(state, job), 'reroll')}" if own_rerolls(state, job) else ""
    assert job.effect is not None
    chance = percent(odds.die_shows(job.effect.faces))
    return (f"{faces_in_words(job.effect.faces)} does it: {chance}{more}.",)


def _of_fight(state: State, job: Job) -> list[str]:
    fight = present(state)
    if fight.winner != NOBODY:
        return [f"{sentence(who(state, fight.winner))} won with {_hand(state, fight.winner)}."]
    lines = [
        f"{sentence(who(state, side.who))}: {dice(side.faces)}, {called(final_hand(state, side))}"
        f"{_rerolling(state, job, side.who)}."
        for side in fight.sides
        if side.faces
    ]
    if job.do in ("throw", "reroll", "throw_again") and len(fight.sides) > 1:
        chances = standing(state)
        told = [f"{who(state, side)} {percent(chance)}" for side, chance in chances.items()]
        lines.append(f"To win: {', '.join(told)}.")
    if fight.target == LAWBOTS and job.do in ("join", "throw"):
        lines.append("A Sheriff rerolls one die, a Marshal adds one; several do no more.")
    return lines


def _rerolling(state: State, job: Job, number: int) -> str:
    side = next(side for side in present(state).sides if side.who == number)
    if side.again:
        return f", rerolls {dice(side.again)}"
    count = rerolls_of(state, present(state), side) if side.again is None and job.do == "reroll" else 0
    return f", may reroll {count}" if count else ""


def _hand(state: State, number: int) -> str:
    side = next(side for side in present(state).sides if side.who == number)
    return called(final_hand(state, side))


def _of_turn(state: State, seat: str) -> list[str]:
    job = waiting(state)
    assert job is not None
    here = state.riders[job.seat].at
    lines = []
    if here != OFF:
        on = state.cars[here]
        what = [bots(on.bots)] * bool(sum(on.bots))
        what += [counted(len(on.tokens), "Loot token")] * bool(on.tokens)
        what += [f"Grit: {title(state, LONG_ARM, card)}" for card in on.grit[:1]]
        what += [counted(len(on.bombs), "bomb")] * bool(on.bombs)
        lines.append(f"{sentence(car(state, here))}: {', '.join(what) or 'empty'}.")
        if on.grit:
            lines.append(cards_of(state.edition, LONG_ARM)[on.grit[0]].words)
    twice = [kind for kind in dict.fromkeys(state.acts.done) if state.acts.done.count(kind) > 1]
    if twice:
        lines.append(f"Taken twice already: {listed(tuple(kind.split(':')[0] for kind in twice))}.")
    for force in state.forces:
        if force.seat == job.seat or force.lasts == "round" or force.deck == LONG_ARM:
            lines.append(f"In force: {cards_of(state.edition, force.deck)[force.card].words}")
    if here != OFF and any(state.cars[here].bots) and state.cars[here].tokens:
        lines.append("No Search while Lawbots are on the car.")
    return lines


def _status(state: State) -> str:
    if not state.round or waiting(state) is None:
        return ""
    left = len(state.high_noon)
    deck = f"High Noon {left}"
    if state.last_round:
        return f"{deck}: LAST ROUND"
    more = -(-max(0, left - _draws_to_come(state)) // len(state.seats))
    return f"{deck}: {counted(more, 'more round') if more else 'this round'} at most"


def _draws_to_come(state: State) -> int:
    """How many High Noon cards are still to be drawn in this round."""
    first = state.agenda[0]
    if (first.do, first.card) == ("contest", "dealer"):
        return len(state.seats)
    draws = sum(job.do in ("turn", HIGH_NOON) for job in state.agenda)
    return draws + ((first.do, first.card) == ("turn_up", HIGH_NOON))
