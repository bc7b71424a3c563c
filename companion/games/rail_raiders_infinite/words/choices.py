"""Choices in words: what each legal action would do, how likely it is, and what to be warned of."""

from __future__ import annotations

from companion.games.game import Choice
from companion.games.layout import UNKNOWN
from companion.games.rail_raiders_infinite.actions import (
    Answer,
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
    Reroll,
    Search,
    Send,
    SetDie,
    Showdown,
    StayOff,
    TellDollars,
    TellHighNoon,
    TellLawbot,
    TellRaider,
    TellToken,
    TradeCard,
    TurnUp,
    UseCar,
    UseCard,
)
from companion.games.rail_raiders_infinite.jobs.doing import LAWBOT_TARGET
from companion.games.rail_raiders_infinite.jobs.gathering import armouries
from companion.games.rail_raiders_infinite.jobs.rounds import rank_to_board
from companion.games.rail_raiders_infinite.jobs.train import card_of_car
from companion.games.rail_raiders_infinite.machine import waiting
from companion.games.rail_raiders_infinite.state import (
    HIGH_NOON,
    LOOT,
    OFF,
    Job,
    State,
    car_cards,
    cards_of,
)
from companion.games.rail_raiders_infinite.table import car_place
from companion.games.rail_raiders_infinite.words.chances import after_each_reroll, in_own_roll, to_board
from companion.games.rail_raiders_infinite.words.names import (
    bots,
    car,
    counted,
    dice,
    dollars,
    lawbot,
    listed,
    name,
    percent,
    title,
)
from companion.games.rail_raiders_infinite.words.questions import answers_to, is_likely


def choices_in_words(state: State, actions: tuple[Answer, ...]) -> tuple[Choice, ...]:
    """The legal actions of one seat as people read them."""
    rerolls = [action for action in actions if isinstance(action, Reroll)]
    if rerolls:
        return _rerolls(state, tuple(rerolls))
    return tuple(choice(state, action) for action in actions)


def choice(state: State, action: Answer) -> Choice:
    """One legal action as people read it."""
    job = waiting(state)
    assert job is not None
    match action:
        case PickRaider(_, raider):
            card = cards_of(state.edition, "raiders")[raider]
            return Choice(action, card.title or raider, card.words)
        case TurnUp(_, card):
            return _turn_up(state, job, action, card)
        case Board():
            return _boarding(state, action)
        case StayOff():
            return Choice(action, "Stay Off the Train", _staying_off(state, job))
        case Decide(_, yes):
            words, detail = answers_to(state, job)[0 if yes else 1]
            return Choice(action, words, detail, main=is_likely(job, yes))
        case Join(_, join):
            kind = state.fight.kind if state.fight else ""
            joining = "Join the fight" if kind == "showdown" else "Oppose the Search"
            keeping_out = "Stay out of it" if kind == "showdown" else "Let it happen"
            if join:
                return Choice(action, joining, "who loses is moved")
            return Choice(action, keeping_out, main=True)
        case Arm(_, weapons):
            titles = tuple(title(state, LOOT, weapon) for weapon in weapons)
            words = "; ".join(cards_of(state.edition, LOOT)[weapon].words for weapon in weapons)
            main = weapons == armouries(state, job.seat)[0]
            return Choice(action, f"Use {listed(titles)}" if titles else "Use no weapon", words, main)
        case SetDie(_, old, new):
            return Choice(action, f"Turn a {old} to {new}" if new else "Leave the dice", main=not new)
        case Keep(_, card):
            found = cards_of(state.edition, LOOT)[card]
            return Choice(action, f"Keep {found.title or card}", found.words)
        case PutBack(_, card):
            shown = "One that nobody was shown" if card == UNKNOWN else title(state, HIGH_NOON, card)
            return Choice(action, f"Put back: {shown}")
    return _act(state, job, action)


def _staying_off(state: State, job: Job) -> str:
    """What a turn is without the Raider on the train, where it begins."""
    if job.do != "board":
        return ""
    if state.options.boarding == "an_action_too":
        return "boarding takes an action then"
    return "there is a High Noon card, and no action" if state.high_noon else "the turn has no action then"


def _turn_up(state: State, job: Job, action: TurnUp, card: str) -> Choice:
    if job.card == "token":
        return Choice(action, f"It is a {card}", f"look at {counted(int(card), 'Loot card')}")
    if job.card == "cars":
        found = car_cards(state.edition)[card]
        icons = f"{counted(found.loot, 'Loot token')}, {counted(found.long_arm, 'Long Arm card')}"
        return Choice(action, found.title or card, icons, place=car_place(job.car))
    of_deck = cards_of(state.edition, job.card)[card]
    return Choice(action, of_deck.title or card, of_deck.words)


def _boarding(state: State, action: Board) -> Choice:
    rank = rank_to_board(state, action.car, action.look)
    there = car(state, action.car)
    if not rank:
        return Choice(action, f"Board {there}", "no roll", main=True, place=car_place(action.car))
    chance = percent(to_board(state, state.seats.index(action.seat), action.car, action.look))
    look = "Look at and board" if action.look else "Board"
    detail = f"rank {rank} or better: {chance}"
    return Choice(action, f"{look} {there}", detail, place=car_place(action.car), group="Other cars")


def _rerolls(state: State, actions: tuple[Reroll, ...]) -> tuple[Choice, ...]:
    """The rerolls with the chance that each gives; the best one is under the thumb."""
    job = waiting(state)
    assert job is not None
    if job.do == "reroll":
        chances, to = after_each_reroll(state, job.seat), "win"
    else:
        chances, to = {action.dice: in_own_roll(state, job, action.dice) for action in actions}, "make it"
    best = max(actions, key=lambda action: (chances[action.dice], -len(action.dice)))
    return tuple(
        Choice(
            action,
            _reroll_words(action),
            f"{percent(chances[action.dice])} to {to}",
            main=action == best,
            dice=action.dice,
        )
        for action in actions
    )


def _reroll_words(action: Reroll) -> str:
    return f"Reroll {dice(action.dice)}" if action.dice else "Keep all dice"


def _act(state: State, job: Job, action: Answer) -> Choice:
    match action:
        case Move(_, to):
            unseen = "" if state.cars[to].up else "it is face down, and is flipped"
            return Choice(action, f"Move to {car(state, to)}", unseen, place=car_place(to), group="Move")
        case Showdown(_, target):
            here = state.riders[job.seat].at
            lawbots = target == LAWBOT_TARGET
            words = f"Showdown with {'the Lawbots' if lawbots else name(target)}"
            detail = bots(state.cars[here].bots) if lawbots else ""
            return Choice(action, words, detail, place=car_place(here), group="Showdown")
        case Search():
            here = state.riders[job.seat].at
            tokens = counted(len(state.cars[here].tokens), "Loot token")
            return Choice(action, "Search", f"{tokens} here", place=car_place(here))
        case UseCar():
            found = card_of_car(state, state.riders[job.seat].at)
            return Choice(
                action, f"Use {car(state, state.riders[job.seat].at)}", found.words if found else ""
            )
        case UseCard(_, card):
            return Choice(
                action, f"Use up {title(state, LOOT, card)}", cards_of(state.edition, LOOT)[card].words
            )
        case TradeCard(_, card):
            words = f"Discard {title(state, LOOT, card)} for a third action of one type"
            return Choice(action, words, group="Discard for a third action")
        case Pass():
            left = state.acts.left
            warning = f"{counted(left, 'action')} would be lost. End the turn all the same?" if left else ""
            return Choice(action, "End the turn", main=not left, warning=warning)
        case PickCar(_, to):
            return _picked_car(state, job, action, to)
        case PickSeat(_, target):
            return Choice(action, name(target) if target else "Nobody", main=not target)
        case PickKind(_, kind):
            words = f"A {lawbot(kind)} sits it out" if kind else "All Lawbots fight"
            return Choice(action, words, main=not kind)
        case Send():
            return _sending(state, action)
        case PickLawbot(_, kind, start, to):
            words = f"Move a {lawbot(kind)} from {car(state, start)} to {car(state, to)}"
            return Choice(action, words, place=car_place(to))
    return _telling(state, job, action)


def _picked_car(state: State, job: Job, action: PickCar, to: int) -> Choice:
    if to == OFF:
        return Choice(action, "Stay where it is", main=True)
    verb = {"near_raider": "Put it on", "own_way": "Go to", "drag": "Both go to"}.get(job.do, "Go to")
    detail = "no Move actions this turn then" if job.do == "may_jump" else ""
    return Choice(action, f"{verb} {car(state, to)}", detail, place=car_place(to))


def _sending(state: State, action: Send) -> Choice:
    loser = name(action.loser)
    if action.own:
        return Choice(action, f"{loser} goes, and picks the car", group=f"Move {loser}")
    if action.car == OFF:
        return Choice(action, f"Throw {loser} Off the Train", group=f"Move {loser}")
    words = f"Move {loser} to {car(state, action.car)}"
    return Choice(action, words, _donation(state, action), place=car_place(action.car), group=f"Move {loser}")


def _donation(state: State, action: Send) -> str:
    fight = state.fight
    if fight is None or fight.winner < 0:
        return ""
    loser, winner = state.riders[state.seats.index(action.loser)], state.riders[fight.winner]
    more = loser.dollars > winner.dollars
    return f"has {dollars(loser.dollars)}, " + ("you may take one" if more else "no more than you")


def _telling(state: State, job: Job, action: Answer) -> Choice:
    match action:
        case TellDollars(_, target, change):
            verb = "gets" if change > 0 else "loses"
            return Choice(action, f"{name(target)} {verb} a double-dollar", group="Double-dollars")
        case TellRaider(_, target, to):
            where = car(state, to)
            words = f"{name(target)} is {'' if to == OFF else 'on '}{where}"
            return Choice(action, words, place="" if to == OFF else car_place(to), group="Raiders")
        case TellLawbot(_, kind, start, to):
            origin = "the supply" if start == OFF else car(state, start)
            where = "the supply" if to == OFF else car(state, to)
            words = f"A {lawbot(kind)} went from {origin} to {where}"
            return Choice(action, words, group=f"{lawbot(kind)}s")
        case TellToken(_, to):
            return Choice(action, f"A Loot token was put on {car(state, to)}", group="Loot tokens")
        case TellHighNoon():
            return Choice(action, "The top High Noon card was discarded")
    assert isinstance(action, Done)
    no_more = {"shift": "Shift no more Lawbots", "second_showdown": "No second Showdown"}
    return Choice(action, no_more.get(job.do, "That is all"), main=True)
