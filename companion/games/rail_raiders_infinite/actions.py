"""The Actions of Rail Raiders Infinite, one class each. Cars are named by their numbers from the caboose."""

from __future__ import annotations

from companion.games.game import Action, Rolled, Shuffled


class PickRaider(Action, frozen=True, tag="pick_raider"):
    """A player chooses a Raider card."""

    seat: str
    raider: str


class TurnUp(Action, frozen=True, tag="turn_up"):
    """The awaited card, train car or Loot token is turned up, and this is what it is."""

    seat: str
    card: str


class Board(Action, frozen=True, tag="board"):
    """A Raider boards a car: the caboose, or another one with a roll. `look` flips it first, where a
    Raider may do so.
    """

    seat: str
    car: int
    look: bool = False


class StayOff(Action, frozen=True, tag="stay_off"):
    """A Raider makes no attempt to board."""

    seat: str


class Move(Action, frozen=True, tag="move"):
    """Move: the Raider goes to an adjacent car."""

    seat: str
    car: int


class Showdown(Action, frozen=True, tag="showdown"):
    """Showdown: against a seat, or "lawbots"."""

    seat: str
    target: str


class Search(Action, frozen=True, tag="search"):
    """Search: for one Loot token on the car."""

    seat: str


class UseCar(Action, frozen=True, tag="use_car"):
    """An action for the ability of the train car."""

    seat: str


class UseCard(Action, frozen=True, tag="use_card"):
    """An equipped card is used up."""

    seat: str
    card: str


class TradeCard(Action, frozen=True, tag="trade_card"):
    """An equipped card is discarded, so that one action type may be taken a third time."""

    seat: str
    card: str


class Pass(Action, frozen=True, tag="pass"):
    """The turn ends, with the actions that are left."""

    seat: str


class Join(Action, frozen=True, tag="join"):
    """Whether a Raider takes part in a Showdown, or opposes a Search."""

    seat: str
    join: bool


class Arm(Action, frozen=True, tag="arm"):
    """The weapons used in a fight, sorted; none if empty."""

    seat: str
    weapons: tuple[str, ...]


class Decide(Action, frozen=True, tag="decide"):
    """Whether something that was asked is done."""

    seat: str
    yes: bool


class Reroll(Action, frozen=True, tag="reroll"):
    """The dice that are rolled again, lowest first; none if empty."""

    seat: str
    dice: tuple[str, ...]


class SetDie(Action, frozen=True, tag="set_die"):
    """A die is turned from one face to another; both "" where it is left."""

    seat: str
    old: str = ""
    new: str = ""


class PickSeat(Action, frozen=True, tag="pick_seat"):
    """A player is chosen; "" for nobody."""

    seat: str
    target: str


class PickKind(Action, frozen=True, tag="pick_kind"):
    """A kind of Lawbot is chosen; "" for none."""

    seat: str
    kind: str


class PickCar(Action, frozen=True, tag="pick_car"):
    """A car is chosen; -1 for none."""

    seat: str
    car: int


class PickLawbot(Action, frozen=True, tag="pick_lawbot"):
    """A Lawbot is moved from one car to another."""

    seat: str
    kind: str
    car: int
    to: int


class Send(Action, frozen=True, tag="send"):
    """A losing Raider is the next to be moved, to that car; -1 is Off the Train.

    `own` where the loser picks the car itself.
    """

    seat: str
    loser: str
    car: int = -1
    own: bool = False


class Keep(Action, frozen=True, tag="keep"):
    """Of the Loot cards looked at, the one that is scored or equipped."""

    seat: str
    card: str


class PutBack(Action, frozen=True, tag="put_back"):
    """The High Noon discard that is shuffled back; "?" for one that nobody was shown."""

    seat: str
    card: str


class TellDollars(Action, frozen=True, tag="tell_dollars"):
    """What the table has done: a player gets or loses a dollar."""

    seat: str
    target: str
    dollars: int


class TellRaider(Action, frozen=True, tag="tell_raider"):
    """What the table has done: a Raider is on that car; -1 is Off the Train."""

    seat: str
    target: str
    car: int


class TellLawbot(Action, frozen=True, tag="tell_lawbot"):
    """What the table has done: a Lawbot went from one car to another; -1 is the supply."""

    seat: str
    kind: str
    car: int
    to: int


class TellToken(Action, frozen=True, tag="tell_token"):
    """What the table has done: a Loot token was put on a car."""

    seat: str
    car: int


class TellHighNoon(Action, frozen=True, tag="tell_high_noon"):
    """What the table has done: the top High Noon card was discarded."""

    seat: str


class Done(Action, frozen=True, tag="done"):
    """That was all, or no more of it."""

    seat: str


Answer = (
    PickRaider
    | TurnUp
    | Board
    | StayOff
    | Move
    | Showdown
    | Search
    | UseCar
    | UseCard
    | TradeCard
    | Pass
    | Join
    | Arm
    | Decide
    | Reroll
    | SetDie
    | PickSeat
    | PickKind
    | PickCar
    | PickLawbot
    | Send
    | Keep
    | PutBack
    | TellDollars
    | TellRaider
    | TellLawbot
    | TellToken
    | TellHighNoon
    | Done
)
"""What a seat can do."""

RaidAction = Rolled | Shuffled | Answer
