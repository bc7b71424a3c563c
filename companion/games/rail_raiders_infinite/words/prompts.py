"""The game in words for people: what the table waits for, and what tables forget just then."""

from __future__ import annotations

from companion.games.game import AwaitedDice, Prompt
from companion.games.rail_raiders_infinite.dice import odds
from companion.games.rail_raiders_infinite.dice.hands import RANK_NAMES
from companion.games.rail_raiders_infinite.jobs.fighting import a_side, present
from companion.games.rail_raiders_infinite.jobs.forces import raises
from companion.games.rail_raiders_infinite.jobs.rolling import dice_in, own_rerolls
from companion.games.rail_raiders_infinite.machine import awaiting, legal, waiting
from companion.games.rail_raiders_infinite.rules import scores, view
from companion.games.rail_raiders_infinite.state import (
    HIGH_NOON,
    LAWBOTS,
    LONG_ARM,
    LOOT,
    OFF,
    Force,
    Job,
    State,
    cards_of,
)
from companion.games.rail_raiders_infinite.words.choices import choices_in_words
from companion.games.rail_raiders_infinite.words.names import (
    bots,
    car,
    counted,
    faces_in_words,
    listed,
    name,
    percent,
    sentence,
    title,
    who,
)
from companion.games.rail_raiders_infinite.words.questions import asked
from companion.games.rail_raiders_infinite.words.rivals import rivals


def prompt(state: State, seat: str, card: str = "") -> Prompt:
    """What the table waits for, as that seat is told; "" is the table's own page.

    Nothing in it rests on a card that the seat may not know.
    """
    state = view(state, seat)
    now = awaiting(state)
    thrower = now.chance.seat if isinstance(now.chance, AwaitedDice) else ""
    choices = choices_in_words(state, legal(state, seat, card))
    return Prompt(
        words=_waiting(state, seat),
        choices=choices,
        reminders=_reminders(state),
        yours=bool(seat) and seat in (*now.seats, thrower),
        status=_status(state),
        dice=_to_choose_among(state) if any(choice.dice is not None for choice in choices) else (),
        rivals=rivals(state),
        in_force=_in_force(state),
    )


def _to_choose_among(state: State) -> tuple[str, ...]:
    """The dice that may be rerolled."""
    job = waiting(state)
    assert job is not None
    return a_side(state, job.seat).faces if job.do == "reroll" else job.faces


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
    if isinstance(now.chance, AwaitedDice):
        throws = "Throw" if acting == seat else f"{name(acting)} throws"
        return f"{throws} {_dice_to_throw(now.chance)}: {now.chance.why}."
    yours, others = _to_do(state, job)
    return yours if acting == seat else f"{name(acting)} {others}."


def _dice_to_throw(awaited: AwaitedDice) -> str:
    return "one die" if awaited.count == 1 else f"{awaited.count} dice"


def _to_do(state: State, job: Job) -> tuple[str, str]:
    """What is to be decided: as whoever decides is asked, and what the others are told of them."""
    match job.do:
        case "pick_raider":
            return "Choose your Raider.", "chooses a Raider"
        case "turn_up":
            what = _what_is_turned(state, job)
            return f"Turn up {what}. What is it?", f"turns up {what}"
        case "board" if job.card == "opening":
            return "Where do you board the train?", "boards the train"
        case "board":
            return "Do you board the train, and where?", "boards the train, or stays off"
        case "act":
            left = counted(state.acts.left, "action")
            return f"What do you do? {sentence(left)} left.", f"takes an action; {left} left"
        case "second_showdown":
            return "Do you start a second Showdown?", "decides on a second Showdown"
        case "free_move" if state.riders[job.seat].at == OFF:
            return "Do you try to board once more? It is free.", "may try to board once more"
        case "free_move" | "may_move":
            return "Do you move? It costs no action.", "may move for free"
        case "may_jump":
            return "Do you go to another car?", "may go to another car"
        case "move_to_raider":
            return "Which car with another Raider do you go to?", "picks a car with another Raider"
        case "look":
            cards = counted(len(job.cards), "Loot card")
            return f"Look at {cards} in secret. Which one do you keep?", f"looks at {cards} and keeps one"
        case "losers":
            return _losers(state)
        case "own_way":
            return "You lost. Which car do you go to?", "picks the car to go to"
        case "table" if job.effect is not None:
            words = job.effect.words.rstrip(".")
            return f"Do what the card says, then tell what came of it: {words}.", f"does this: {words}"
    return _to_do_in_fight(state, job)


def _losers(state: State) -> tuple[str, str]:
    losers = tuple(who(state, loser) for loser in present(state).losers)
    if len(losers) > 1:
        return f"Who is moved first, {listed(losers, 'or')}, and where?", f"moves {listed(losers)}"
    return f"Where is {losers[0]} moved?", f"moves {losers[0]}"


def _to_do_in_fight(state: State, job: Job) -> tuple[str, str]:
    match job.do:
        case "join":
            fight = present(state)
            active = who(state, fight.active)
            if fight.kind == "search":
                return f"Do you oppose {active}'s Search?", f"decides whether to oppose {active}'s Search"
            against = f"{active} against {who(state, fight.target)}"
            return f"Do you join the Showdown, {against}?", f"decides whether to join {active}'s Showdown"
        case "drag":
            return "Do you both move one car before the Showdown?", "decides whether both move one car first"
        case "compel":
            return "Whom do you make take part?", "decides who has to take part"
        case "partner":
            return "Whom do you ask to team up?", "decides whom to team up with"
        case "sit_out":
            return "Which Lawbot sits this fight out?", "decides which Lawbot sits out"
        case "arm":
            return "Which weapon do you use?", "chooses a weapon"
        case "reroll" if job.seat == LAWBOTS:
            return "Which dice do you reroll for the Lawbots?", "decides on the Lawbots' rerolls"
        case "reroll" | "reroll_own":
            return "Which dice do you reroll?", "decides which dice to reroll"
        case "set_die":
            return "Do you turn one of your dice?", "decides whether to turn a die"
    return _to_do_for_card(state, job)


def _to_do_for_card(state: State, job: Job) -> tuple[str, str]:
    match job.do:
        case "put_back":
            return "Which High Noon card goes back into the deck?", "picks the High Noon card that goes back"
        case "put_lawbot":
            kind = job.card.title()
            asks = f"No {kind} is left in the supply. Which one is moved here?"
            return asks, f"picks the {kind} that is moved here"
        case "near_raider":
            return "Which car gets the Lawbot?", "picks the car for a Lawbot"
        case "bring":
            here = car(state, job.car)
            return f"Which Lawbot comes to {here}?", f"picks the Lawbot that comes to {here}"
        case "shift":
            up_to = f"up to {counted(job.count, 'Lawbot')}"
            return f"You may shift {up_to}. Which one, and where?", f"may shift {up_to}"
    whether = asked(state, job)
    if whether.startswith("whether to "):
        return f"Do you {whether.removeprefix('whether to ')}?", f"decides {whether}"
    return f"Say {whether}.", f"decides {whether}"


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


def _reminders(state: State) -> tuple[str, ...]:
    job = waiting(state)
    if job is None:
        return ()
    lines = []
    if state.last_round and state.round:
        why = "The last High Noon card has been drawn" if state.high_noon else "The High Noon deck is empty"
        lines.append(f"LAST ROUND! {why}. Finish this round, then the game is over.")
    lines += _of_job(state, job)
    fight = state.fight
    if fight is not None and fight.target == LAWBOTS and job.do in ("join", "throw"):
        lines.append("A Sheriff lets the Lawbots reroll one die, a Marshal gives them one die more.")
    if job.do == "act":
        lines += _of_turn(state)
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


def _of_turn(state: State) -> list[str]:
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
        lines.append(f"Done twice, so not again this turn: {listed(tuple(map(_type_of_action, twice)))}.")
    if here != OFF and any(state.cars[here].bots) and state.cars[here].tokens:
        lines.append("No Search while Lawbots are on the car.")
    return lines


def _type_of_action(kind: str) -> str:
    return kind.split(":")[0].title()


def _in_force(state: State) -> tuple[str, ...]:
    """What holds just now: cards of the turn, of the round, or kept by a player."""
    return tuple(_force(state, force) for force in state.forces)


def _force(state: State, force: Force) -> str:
    card = cards_of(state.edition, force.deck)[force.card]
    whose = "" if force.lasts == "round" or force.deck == LONG_ARM else f"{name(state.seats[force.seat])}, "
    return f"{whose}{card.title or card.name}: {card.words}"


def _status(state: State) -> str:
    if not state.round or waiting(state) is None:
        return ""
    if state.last_round:
        return "LAST ROUND"
    more = -(-max(0, len(state.high_noon) - _draws_to_come(state)) // len(state.seats))
    return f"This round and {more} more at most" if more else "This looks like the last round"


def _draws_to_come(state: State) -> int:
    """How many High Noon cards are still to be drawn in this round."""
    first = state.agenda[0]
    if (first.do, first.card) == ("contest", "dealer"):
        return len(state.seats)
    draws = sum(job.do in ("turn", HIGH_NOON) for job in state.agenda)
    return draws + ((first.do, first.card) == ("turn_up", HIGH_NOON))
