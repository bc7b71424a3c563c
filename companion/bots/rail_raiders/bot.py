"""Chooses for a Raider by what each action is worth one step on, in double-dollars."""

from __future__ import annotations

from typing import Any

from companion.bots.rail_raiders import worth
from companion.games.game import Game
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
    PickSeat,
    Reroll,
    Search,
    Send,
    SetDie,
    Showdown,
    StayOff,
    TradeCard,
    UseCar,
    UseCard,
)
from companion.games.rail_raiders_infinite.dice.hands import best
from companion.games.rail_raiders_infinite.jobs.doing import LAWBOT_TARGET, may_take
from companion.games.rail_raiders_infinite.jobs.fighting import a_side, present
from companion.games.rail_raiders_infinite.jobs.forces import effects_on
from companion.games.rail_raiders_infinite.jobs.train import card_of_car, lawbots_on, raiders_on
from companion.games.rail_raiders_infinite.machine import waiting
from companion.games.rail_raiders_infinite.state import KINDS, LAWBOTS, OFF, Job, State
from companion.games.rail_raiders_infinite.words.chances import after_each_reroll, in_own_roll, to_board


class RailRaidersBot:
    """Plays Rail Raiders Infinite: loots where nobody is, fights where the odds are good."""

    def choose(self, game: Game[Any, Any], view: State, seat: str, legal: tuple[Any, ...]) -> Any | None:
        """The action worth most; nothing, where nothing need be done and the leader is somebody else."""
        job, number = waiting(view), view.seats.index(seat)
        assert job is not None
        if seat not in game.awaiting(view).seats:
            return legal[0] if self._worth_hindering(view, number) else None
        if isinstance(legal[0], Reroll):
            return self._reroll(view, job, legal)
        return max(legal, key=lambda action: self._worth(view, job, number, action))

    def _worth_hindering(self, view: State, number: int) -> bool:
        """Whether the player in turn leads, with all actions left."""
        dollars = [rider.dollars for rider in view.riders]
        leads = dollars[view.turn] == max(dollars) and dollars[view.turn] > dollars[number]
        return leads and view.acts.left == 3

    def _reroll(self, view: State, job: Job, legal: tuple[Reroll, ...]) -> Reroll:
        if job.do == "reroll":
            chances = after_each_reroll(view, job.seat)
            return max(legal, key=lambda action: (chances[action.dice], -len(action.dice)))
        return max(legal, key=lambda action: (in_own_roll(view, job, action.dice), -len(action.dice)))

    # -- what an action is worth ----------------------------------------------------------------------

    def _worth(self, view: State, job: Job, number: int, action: Any) -> float:
        match action:
            case Board(_, car, look):
                chance = float(to_board(view, number, car, look))
                return chance * (0.8 + worth.car_worth(view, car)) + (1 - chance) * -0.5
            case StayOff() | Pass() | Done():
                return 0.0
            case Move(_, car):
                return self._moving(view, number, car)
            case Showdown(_, target):
                return self._showdown(view, number, target)
            case Search():
                return self._searching(view, number)
            case UseCar():
                return self._using(view, number)
            case UseCard() | TradeCard():
                return self._spending(view, number, action)
            case Keep(_, card):
                return worth.loot_card(view, card)
            case Join(_, join):
                return self._joining(view, number) if join else 0.0
        return self._answer(view, job, number, action)

    def _moving(self, view: State, number: int, car: int) -> float:
        here = view.riders[number].at
        crowd = 0.25 * len(raiders_on(view, car))
        left = 0.75 if view.acts.left > 1 else 0.35
        return left * (worth.car_worth(view, car) - crowd) - 0.35 * max(0.0, worth.car_worth(view, here))

    def _showdown(self, view: State, number: int, target: str) -> float:
        here = view.riders[number].at
        mine = worth.dice_of_raider(view, number, "showdown")
        if target == LAWBOT_TARGET:
            win = worth.chance_to_win(mine, [worth.dice_of_lawbots(view, here)])
            freed = 0.6 * worth.SEARCH * bool(view.cars[here].tokens) * (view.acts.left > 1)
            return win * (worth.salvage(view, here) + freed) - (1 - win) * worth.MOVED
        other = view.seats.index(target)
        win = worth.chance_to_win(mine, [worth.dice_of_raider(view, other, "showdown")])
        richer = view.riders[other].dollars > view.riders[number].dollars
        poorer = view.riders[other].dollars < view.riders[number].dollars
        return win * (0.35 + 1.5 * richer) - (1 - win) * (worth.MOVED + 1.0 * poorer)

    def _searching(self, view: State, number: int) -> float:
        here = view.riders[number].at
        others = [seat for seat in raiders_on(view, here) if seat != number]
        if not others or effects_on(view, number, "search_freely"):
            return worth.SEARCH
        mine = worth.dice_of_raider(view, number, "search")
        win = worth.chance_to_win(mine, [worth.dice_of_raider(view, seat, "search") for seat in others])
        return win * (worth.SEARCH + 0.3) - (1 - win) * worth.MOVED

    def _using(self, view: State, number: int) -> float:
        card = card_of_car(view, view.riders[number].at)
        worths = {"dollars": 1.0, "put_token": 0.8, "may_jump": 0.3, "shift_any": 0.1}
        return sum(worths.get(step.do, 0.0) for step in card.steps) if card else 0.0

    def _spending(self, view: State, number: int, action: UseCard | TradeCard) -> float:
        """Gear is used up when the actions run out, or where it lets one search."""
        here = view.riders[number].at
        if isinstance(action, TradeCard):
            again = view.acts.done.count("search") > 1 and bool(view.cars[here].tokens)
            return 0.4 if again and not may_take(view, "search") else -1.0
        blocked = bool(lawbots_on(view, here)) and len(view.cars[here].tokens) > 1
        return 1.2 if view.acts.left == 0 or (blocked and view.acts.left > 1) else -0.5

    def _joining(self, view: State, number: int) -> float:
        fight = present(view)
        mine = worth.dice_of_raider(view, number, fight.kind)
        others = [
            worth.dice_of_raider(view, side.who, fight.kind) for side in fight.sides if side.who != number
        ]
        gain = 0.4
        if fight.target == LAWBOTS:
            others.append(worth.dice_of_lawbots(view, fight.car))
            gain += worth.salvage(view, fight.car)
        if any(view.riders[side.who].dollars > view.riders[number].dollars for side in fight.sides):
            gain += 1.0
        win = worth.chance_to_win(mine, others)
        return win * gain - (1 - win) * worth.MOVED

    # -- answers --------------------------------------------------------------------------------------

    def _answer(self, view: State, job: Job, number: int, action: Any) -> float:
        match action:
            case Decide(_, yes):
                return float(yes) if self._agrees(view, job, number) else float(not yes)
            case Arm(_, weapons):
                return float(len(weapons))
            case SetDie():
                return self._set(view, job, action)
            case Send():
                return self._send(view, number, action)
            case PickCar(_, car):
                stay = view.riders[number].at if car == OFF else car
                return (
                    worth.car_worth(view, stay)
                    if job.do != "near_raider"
                    else -float(car == view.riders[number].at)
                )
            case PickLawbot(_, _, car, to):
                here = view.riders[number].at
                return float(car == here) - float(to == here)
            case PickSeat(_, target):
                return float(bool(target)) if job.do == "partner" else 0.5 * float(not target)
            case PickKind(_, kind):
                return float(KINDS.index(kind)) if kind else 0.0
        # Cards that are turned up are what they are, and what the table did it does not do here.
        return -1.0 if type(action).__name__.startswith("Tell") else 0.0

    def _agrees(self, view: State, job: Job, number: int) -> bool:
        match job.do:
            case "donation" | "agree" | "what_first":
                return True
            case "salvage":
                return worth.salvage(view, present(view).car) < 2
            case "peek":
                return view.cars[job.car].tokens[0] != "1"
        dollars = [rider.dollars for rider in view.riders]
        return job.do in ("buy_die", "buy_reroll") and dollars[number] > 2

    def _set(self, view: State, job: Job, action: SetDie) -> float:
        faces = list(a_side(view, job.seat).faces)
        if action.new:
            faces[faces.index(action.old)] = action.new
        hand = best(faces)
        quality = sum(number / float(6 ** (at + 1)) for at, number in enumerate(hand.quality))
        return hand.rank + quality

    def _send(self, view: State, number: int, action: Send) -> float:
        """Who has a little more than oneself goes first; onto a car that is worth little."""
        loser = view.riders[view.seats.index(action.loser)]
        mine = view.riders[number].dollars if present(view).winner == number else 99
        first = 3.0 - 0.1 * (loser.dollars - mine) if loser.dollars > mine else 0.0
        return first + (1.5 if action.car == OFF else -0.3 * worth.car_worth(view, action.car))
