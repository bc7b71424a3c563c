"""The log in words: what was done, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.game import AwaitedDice, Rolled, Shuffled
from companion.games.layout import UNKNOWN
from companion.games.rail_raiders_infinite.actions import (
    Arm,
    Board,
    Decide,
    Done,
    Join,
    Keep,
    Move,
    Pass,
    PickCar,
    PickKind,
    PickLawbot,
    PickRaider,
    PickSeat,
    PutBack,
    RaidAction,
    Reroll,
    Search,
    Send,
    SetDie,
    Showdown,
    StayOff,
    TradeCard,
    TurnUp,
    UseCar,
    UseCard,
)
from companion.games.rail_raiders_infinite.dice.hands import DICE, best, called
from companion.games.rail_raiders_infinite.jobs.doing import LAWBOT_TARGET
from companion.games.rail_raiders_infinite.jobs.fighting import a_side, present
from companion.games.rail_raiders_infinite.jobs.forces import final_hand
from companion.games.rail_raiders_infinite.jobs.rolling import runner_of
from companion.games.rail_raiders_infinite.machine import chance_of, passing, waiting
from companion.games.rail_raiders_infinite.rules import hide, hide_action, over, scores
from companion.games.rail_raiders_infinite.state import (
    HIGH_NOON,
    LAWBOTS,
    LOOT,
    NOBODY,
    OFF,
    Job,
    State,
    car_cards,
)
from companion.games.rail_raiders_infinite.words.names import (
    bots,
    car,
    counted,
    dice,
    dollars,
    lawbot,
    listed,
    name,
    sentence,
    title,
    who,
)
from companion.games.rail_raiders_infinite.words.questions import answers_to


def story(state: State, action: RaidAction) -> tuple[str, ...]:
    """The log's lines for a legal action; no card that the table did not show is named in them."""
    before, action = hide(state), hide_action(action)
    states = passing(before, action)
    told = _told(before, action)
    return (_done(before, action), *_contests(before, states[-1]), *_came_of_it(before, states, told))


def _done(before: State, action: RaidAction) -> str:
    job = waiting(before)
    assert job is not None
    if isinstance(action, Rolled):
        return _rolled(before, job, action)
    if isinstance(action, Shuffled):
        pile = chance_of(before)
        return f"{sentence(pile.why)} are shuffled." if pile else ""
    subject = name(action.seat)
    match action:
        case PickRaider(_, raider):
            return f"{subject} plays {title(before, 'raiders', raider)}."
        case TurnUp(_, card):
            return _turned_up(before, job, subject, card)
        case Board(_, to, look):
            verb = "looks at and tries to board" if look else "tries to board" if to else "boards"
            return f"{subject} {verb} {car(before, to)}."
        case StayOff():
            return f"{subject} stays Off the Train."
        case Move(_, to):
            return f"{subject} moves to {car(before, to)}."
        case Showdown(_, target):
            whom = "the Lawbots" if target == LAWBOT_TARGET else name(target)
            return f"{subject} starts a Showdown with {whom}."
        case Search():
            return f"{subject} searches {car(before, before.riders[job.seat].at)}."
        case UseCar():
            return f"{subject} uses {car(before, before.riders[job.seat].at)}."
        case UseCard(_, card):
            return f"{subject} uses up {title(before, LOOT, card)}."
        case TradeCard(_, card):
            return f"{subject} discards {title(before, LOOT, card)} for a third action of one type."
        case Pass():
            return f"{subject} ends the turn."
    return _answered(before, job, subject, action)


def _rolled(before: State, job: Job, action: Rolled) -> str:
    awaited = chance_of(before)
    assert isinstance(awaited, AwaitedDice)
    faces = tuple(str(value) for value in action.values)
    number = before.seats.index(awaited.seat)
    subject = name(awaited.seat)
    if job.do == "contest" and runner_of(before, job.seats[len(job.hands)]) == number:
        lawbots = " for the Lawbots" if job.seats[len(job.hands)] == LAWBOTS else ""
        subject += lawbots
    elif job.seat == LAWBOTS:
        subject += " for the Lawbots"
    hand = f": {called(best(faces))}" if len(faces) >= DICE else ""
    again = " again" if job.do in ("throw_again", "roll_again") else ""
    return f"{subject} rolls{again} {dice(faces)}{hand}."


def _turned_up(before: State, job: Job, subject: str, card: str) -> str:
    match job.card:
        case "cars":
            found = car_cards(before.edition)[card].title or card
            return f"{sentence(car(before, job.car))} is flipped: {found}."
        case "token":
            return f"{subject} turns up a {card}."
    what = {"raiders": "Raider", HIGH_NOON: "High Noon", LOOT: "Loot"}.get(job.card, "Long Arm of the Law")
    return f"{what} for {subject}: {title(before, job.card, card)}."


def _answered(before: State, job: Job, subject: str, action: RaidAction) -> str:
    match action:
        case Join(_, join):
            kind = present(before).kind
            if kind == "showdown":
                return f"{subject} {'joins the fight' if join else 'stays out of it'}."
            return f"{subject} {'opposes the Search' if join else 'lets it happen'}."
        case Arm(_, weapons):
            titles = listed(tuple(title(before, LOOT, weapon) for weapon in weapons))
            return f"{subject} uses {titles or 'no weapon'}."
        case Decide(_, yes):
            return f"{subject}: {answers_to(before, job)[0 if yes else 1][0].lower()}."
        case Reroll(_, again):
            lawbots = " for the Lawbots" if job.seat == LAWBOTS else ""
            return f"{subject} {'rerolls ' + dice(again) if again else 'keeps all dice'}{lawbots}."
        case SetDie(_, old, new):
            return f"{subject} turns a {old} to {new}." if new else f"{subject} leaves the dice."
        case PickSeat(_, target):
            return f"{subject} picks {name(target) if target else 'nobody'}."
        case PickKind(_, kind):
            return f"{subject}: {'a ' + lawbot(kind) + ' sits it out' if kind else 'all Lawbots fight'}."
        case PickCar(_, to):
            if to == OFF:
                return f"{subject} stays."
            return f"{subject} {'picks' if job.do == 'near_raider' else 'goes to'} {car(before, to)}."
        case PickLawbot(_, kind, start, to):
            return f"{subject} moves a {lawbot(kind)} from {car(before, start)} to {car(before, to)}."
        case Send():
            return _sent(before, subject, action)
        case Keep(_, card):
            return f"{subject} keeps {title(before, LOOT, card)}."
        case PutBack(_, card):
            what = "a High Noon card" if card == UNKNOWN else title(before, HIGH_NOON, card)
            return f"{subject} puts {what} back."
        case Done():
            said = {"shift": "shifts no more Lawbots", "second_showdown": "starts no second Showdown"}
            return f"{subject} {said.get(job.do, 'says that this was all')}."
    return f"{subject} tells what the table has done."


def _sent(before: State, subject: str, action: Send) -> str:
    loser = name(action.loser)
    if action.own:
        return f"{subject} sends {loser} off, who picks the car."
    if action.car == OFF:
        return f"{subject} throws {loser} off the train."
    return f"{subject} sends {loser} to {car(before, action.car)}."


# -- what came of it ----------------------------------------------------------------------------------


def _contests(before: State, after: State) -> Iterator[str]:
    """Who has won a roll for the first choice, or for the Dealer."""
    job, then = before.agenda[0], waiting(after)
    if job.do != "contest" or job.card == "rolloff" or (then and (then.do, then.card) == (job.do, job.card)):
        return
    if job.card == "dealer":
        yield f"{name(after.seats[after.dealer])} is the Dealer."
    elif then is not None:
        yield f"{name(after.seats[then.seat])} chooses a Raider first."


def _told(before: State, action: RaidAction) -> tuple[str, int] | None:
    """Who goes where, where the action's own line says it."""
    match action:
        case Move(seat, to) | PickCar(seat, to):
            return seat, to
        case Board(seat, to) if not to:
            return seat, to
        case Send(_, loser, to) if not action.own:
            return loser, to
    return None


def _came_of_it(before: State, states: tuple[State, ...], told: tuple[str, int] | None) -> Iterator[str]:
    after = states[-1]
    yield from _fight_news(before, states)
    for seat, old, new in zip(before.seats, before.riders, after.riders, strict=True):
        if old.at != new.at and (seat, new.at) != told:
            where = "is Off the Train" if new.at == OFF else f"is on {car(after, new.at)}"
            yield f"{name(seat)} {where}."
        gained = new.dollars - old.dollars
        if gained:
            verb = "gets" if gained > 0 else "loses"
            yield f"{name(seat)} {verb} {dollars(abs(gained))} and has {new.dollars} now."
        for card in (card for card in new.gear if new.gear.count(card) > old.gear.count(card)):
            yield f"{name(seat)} is equipped with {title(after, LOOT, card)}."
    yield from _train_news(before, after)
    gone = len(before.high_noon) - len(after.high_noon) if before.round else 0
    if gone > 1 or (gone == 1 and len(after.high_noon_buried) > len(before.high_noon_buried)):
        yield f"High Noon cards left: {len(after.high_noon)}."
    if after.last_round and not before.last_round:
        why = "The last High Noon card is drawn" if after.high_noon else "The High Noon deck is empty"
        yield f"{why}: this is the last round!"
    if after.turn != before.turn and after.turn != NOBODY:
        yield f"{name(after.seats[after.turn])}'s turn begins."
    if over(after):
        first = tuple(name(standing.seat) for standing in scores(after) if standing.place == 1)
        yield f"The game is over: {listed(first)} {'win together' if len(first) > 1 else 'wins'}."


def _fight_news(before: State, states: tuple[State, ...]) -> Iterator[str]:
    """Who has won, also where nothing was left to decide after it, or who ties."""
    old = before.fight
    if old is None or old.winner != NOBODY:
        return
    for state in states:
        fight = state.fight
        if fight is not None and fight.winner != NOBODY:
            hand = called(final_hand(state, a_side(state, fight.winner)))
            wins = "win" if fight.winner == LAWBOTS else "wins"
            yield f"{sentence(who(before, fight.winner))} {wins} the fight with {hand}."
            return
    new = states[-1].fight
    if new is not None and new.best and not old.best:
        tied = listed(tuple(who(before, number) for number in new.best))
        yield f"{sentence(tied)} tie and roll off."


def _train_news(before: State, after: State) -> Iterator[str]:
    for number, (old, new) in enumerate(zip(before.cars, after.cars, strict=True)):
        here = car(after, number)
        come = tuple(max(0, n - o) for o, n in zip(old.bots, new.bots, strict=True))
        left = tuple(max(0, o - n) for o, n in zip(old.bots, new.bots, strict=True))
        if any(come):
            yield f"{bots((come[0], come[1], come[2]))} {'comes' if sum(come) == 1 else 'come'} to {here}."
        if any(left):
            yield f"{bots((left[0], left[1], left[2]))} {'is' if sum(left) == 1 else 'are'} gone from {here}."
        tokens = len(new.tokens) - len(old.tokens)
        if tokens > 0:
            yield f"{counted(tokens, 'Loot token')} on {here}."
        if len(new.bombs) > len(old.bombs):
            yield f"A bomb lies on {here}."
        elif len(new.bombs) < len(old.bombs):
            yield f"The bomb on {here} goes off!"
