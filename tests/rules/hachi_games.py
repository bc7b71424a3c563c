"""Games of Hachi Train at random, for the laws: every number of seats, every option, hands kept or not."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.bots import Bot
from companion.games import hachi_train
from companion.games.game import AwaitedShuffle, Game, Shuffled
from companion.games.hachi_train import GAME
from companion.games.hachi_train.actions import EnterCard, ForgetHand, KeepHand, Play, PutIn
from companion.games.hachi_train.cards import RANKS, SPECIAL_CARS, specials_among, train_cars, train_of
from companion.games.hachi_train.pack import Pack
from companion.games.hachi_train.state import BACK, FRONT, NOBODY, SEATS, TURN, State
from companion.games.layout import UNKNOWN
from companion.simulate import next_action


@cache
def house() -> Pack:
    """The house edition."""
    text = (Path(hachi_train.__file__).parent / "packs" / "house.toml").read_text("utf-8")
    pack: Pack = GAME.load_pack(text)
    return pack


class AnyKind:
    """Plays any kind of action that it may, then any of that kind; `tidy` about what it keeps of its hand.

    One kind as likely as another, or passes and entries would be lost among many plays.
    """

    def __init__(self, chance: Random, keeps: float, tidy: float) -> None:
        self._chance = chance
        self._keeps = keeps
        self._tidy = tidy

    def choose(self, game: Game[Any, Any], view: State, seat: str, legal: tuple[Any, ...]) -> Any | None:
        """One of the legal actions; None where nothing need be done."""
        chance = self._chance
        private = [action for action in legal if isinstance(action, KeepHand | EnterCard | PutIn)]
        if private and chance.random() < (self._keeps if isinstance(private[0], KeepHand) else self._tidy):
            return chance.choice(private)
        if seat not in game.awaiting(view).seats:
            forget = [action for action in legal if isinstance(action, ForgetHand)]
            return forget[0] if forget and chance.random() < 0.01 else None
        public = [action for action in legal if not isinstance(action, _OF_OWN_HAND)]
        plays = [action for action in public if isinstance(action, Play)]
        if not plays or len(plays) == len(public) or chance.random() < 0.3:
            plays = public
        told = [action for action in plays if isinstance(action, Play) and action.places]
        longest = max(len(getattr(action, "cards", ())) for action in plays)
        if told and chance.random() < 0.9:
            plays = told
        elif chance.random() < 0.5:
            plays = [action for action in plays if len(getattr(action, "cards", ())) == longest]
        return chance.choice(plays)


_OF_OWN_HAND = KeepHand | ForgetHand | EnterCard | PutIn


class Truthful(AnyKind):
    """Plays what it truly holds, keeps its hand, and says at once where its cards go."""

    def __init__(self, chance: Random) -> None:
        super().__init__(chance, keeps=1.0, tidy=1.0)

    def choose(self, game: Game[Any, Any], view: State, seat: str, legal: tuple[Any, ...]) -> Any | None:
        """Any action that gives no false play away, of any kind."""
        legal = tuple(
            action
            for action in legal
            if not isinstance(action, ForgetHand) and not (isinstance(action, Play) and not action.places)
        )
        return super().choose(game, view, seat, legal) if legal else None


def begin(chance: Random) -> State:
    """A game of random seats and options, from its beginning or from a later match.

    What went out last in the match before lies there until the cars are shuffled.
    """
    state = _a_match(chance)
    if state.match == 1:
        return state
    owner = chance.choice([seat for seat in range(len(state.seats)) if seat != state.turn])
    rank = chance.choice(RANKS)
    return replace(state, field=(train_of(rank),) * chance.randint(1, 3), rank=rank, owner=owner)


def _a_match(chance: Random) -> State:
    seats = tuple(chance.sample(SEATS, chance.randint(3, 5)))
    options = {option.name: chance.choice(option.values) for option in GAME.options}
    state = GAME.setup(seats, house(), options)
    match = chance.choice((1, 2, 3, 4))
    lost = chance.sample(range(len(seats)), min(match - 1, len(seats)))
    assets = tuple(BACK if seat in lost else FRONT for seat in range(len(seats)))
    return replace(state, match=match, assets=assets, turn=lost[-1] if lost else 0)


def late(chance: Random) -> State:
    """A match as it may stand when few cards are left in the hands: short to play to its end."""
    state = _a_match(chance)
    seats = len(state.seats)
    if chance.random() < 0.95:  # the game ends with this match
        state = replace(state, match=4, assets=(*(BACK,) * 3, *(FRONT,) * (seats - 3)))
    trains = chance.sample(train_cars(seats), len(train_cars(seats)))
    specials = chance.sample(SPECIAL_CARS, len(SPECIAL_CARS))
    gone = tuple(chance.sample(range(seats), chance.choice((0, 0, 1, seats - 2))))
    hands, drawn = [], []
    for seat in range(seats):
        some = 0 if seat in gone else chance.randint(1, 4)
        others = 0 if seat in gone else chance.choice((0, 0, 0, 1, 2))
        hand = [trains.pop() for _ in range(some)] + [
            specials.pop() for _ in range(min(others, len(specials)))
        ]
        chance.shuffle(hand)
        hands.append(tuple(hand))
        drawn.append(specials_among(tuple(hand)))
    turn = chance.choice([seat for seat in range(seats) if seat not in gone])
    out, deck = trains, [specials.pop() for _ in range(chance.randint(0, min(2, len(specials))))]
    owner = chance.choice([seat for seat in range(seats) if seat != turn])
    lies = chance.random() < 0.7
    rank = int(out[-1])
    since = [seat % seats for seat in range(owner + 1, owner + seats)]
    field = (out.pop(),) if lies else ()
    return replace(
        state,
        phase=TURN,
        hands=tuple(hands),
        specials=tuple(drawn),
        kept=tuple(bool(hand) and chance.random() < 0.5 for hand in hands),
        seen=tuple(tuple(sorted(chance.sample(hand, chance.randint(0, len(hand))))) for hand in hands),
        deck=tuple(deck),
        out=tuple(sorted((*out, *specials))),
        field=field,
        rank=rank if lies else 0,
        owner=owner if lies else NOBODY,
        passed=tuple(seat for seat in since[: since.index(turn)] if seat not in gone) if lies else (),
        gone=gone,
        turn=turn,
    )


def game_at_random(chance: Random, whole: float = 0.01) -> Iterator[tuple[State, Any]]:
    """Each state and the action played in it; the state in which the game is over comes last, with None.

    In some games every shuffle is known, as in the world itself, in others none is, as at a table. So
    many are from a beginning, a `whole` part of them; the others begin where few cards are left.
    """
    blank = chance.random() < 0.5
    state = begin(chance) if chance.random() < whole else late(chance)
    if blank:
        state = GAME.hide(state)
    keeps, tidy = chance.choice((0.0, 0.1, 0.6)), chance.choice((0.3, 0.9))
    bots: dict[str, Bot] = {seat: AnyKind(chance, keeps, tidy) for seat in state.seats}
    while not GAME.over(state):
        awaited = GAME.awaiting(state).chance
        if blank and isinstance(awaited, AwaitedShuffle):
            action: Any = Shuffled((UNKNOWN,) * len(awaited.cards))
        else:
            action = next_action(GAME, state, bots, chance)
        yield state, action
        state = GAME.play(state, action)
    yield state, None
