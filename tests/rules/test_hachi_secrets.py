"""What a hand holds is its owner's alone, true as long as what was entered is, and gone with the match."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion import games
from companion.acts import Acts, Joined, Played, Sat, Started
from companion.games.game import Shuffled
from companion.games.hachi_train import GAME
from companion.games.hachi_train.actions import EnterCard, ForgetHand, KeepHand, Pass, Play, PutIn
from companion.games.hachi_train.cards import SPECIAL_CARS, SPECIALS, TRAINS, is_special
from companion.games.hachi_train.state import OVER, TURN, State
from companion.games.hachi_train.turns import put
from companion.games.layout import UNKNOWN
from companion.record import of_session, write
from companion.session import Session
from companion.simulate import next_action
from tests.rules.hachi_games import Truthful, begin, game_at_random
from tests.rules.hachi_positions import do, hand, may, play, position, refused

CHUNKS, STATES = 8, 125


def at_a_table(state: State) -> State:
    """The state as a table has it: of hands that nobody keeps there, and of the deck, nothing is known."""
    blank = GAME.hide(state)
    hands = zip(state.kept, state.hands, blank.hands, strict=True)
    return replace(blank, hands=tuple(own if kept else unknown for kept, own, unknown in hands))


def with_other_secrets(state: State, viewer: str, chance: Random) -> State:
    """The same to the viewer: in the kept hands of others, other cards are entered, or none."""
    for seat, name in enumerate(state.seats):
        if name != viewer and state.kept[seat]:
            specials = state.specials[seat]
            count = len(state.hands[seat])
            cards = [chance.choice(SPECIALS) for _ in range(specials)]
            cards += [chance.choice(TRAINS) for _ in range(count - specials)]
            chance.shuffle(cards)
            entered = set(chance.sample(range(count), chance.choice((0, count // 2, count))))
            held = tuple(card if at in entered else UNKNOWN for at, card in enumerate(cards))
            state = replace(state, hands=put(state.hands, seat, held))
    return state


def told_to(state: State, viewer: str, strangers: list[Any]) -> bytes:
    """All that the viewer's phone, or the table's page for "", gets of a state and of what is tried in it."""
    own = [action for action in strangers if getattr(action, "seat", "") == viewer]
    public = list(map(GAME.hide_action, strangers))
    refusals = [GAME.refusal(state, action) for action in own + public]
    lines = [
        (GAME.story(state, action), GAME.decided(state, action), GAME.free(state, action))
        for action, ruling in zip(own + public, refusals, strict=True)
        if ruling is None
    ]
    of_seats = [each for each in own + public if getattr(each, "seat", "")]
    everything = (
        [list(GAME.candidates(state, each.seat, ())) for each in of_seats],
        [GAME.meant(state, piece) for piece in GAME.layout(state).pieces],
        GAME.countdown(state) if GAME.countdown is not None else None,
        GAME.table_map(state),
        GAME.over(state),
        GAME.view(state, viewer),
        GAME.prompt(state, viewer),
        GAME.legal(state, viewer),
        GAME.awaiting(state),
        GAME.implied(state),
        GAME.scores(state),
        GAME.layout(state),
        GAME.marks(state),
        refusals,
        lines,
    )
    return msgspec.json.encode(everything)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_of_a_thousand_states_other_hands_change_no_byte(chunk: int) -> None:
    chance = Random(f"secrets {chunk}")
    strangers: list[Any] = []
    done = hidden = 0
    while done < STATES:
        for state, action in game_at_random(chance, whole=0.0):
            strangers = [*strangers[-12:], action] if action is not None else strangers
            if action is None or state.phase != TURN or chance.random() < 0.7:
                continue
            table = at_a_table(state)
            viewer = chance.choice((*table.seats, ""))
            other = with_other_secrets(table, viewer, chance)
            hidden += other != table
            assert told_to(other, viewer, strangers) == told_to(table, viewer, strangers), (table, other)
            done += 1
            if done == STATES:
                break
    assert hidden > STATES // 4, "in many of the states there was something to hide"


def acted(start: State, actions: list[Any]) -> Session:
    """A session in which these actions were played from that position."""
    session = Session()
    acts: list[Acts] = []
    for seat in start.seats:
        acts += [Joined(f"person {seat}", seat.title()), Sat(f"person {seat}", seat)]
    position = msgspec.Raw(msgspec.json.encode(start))
    acts.append(Started(GAME.name, "house", start.seats, {}, position, f"person {start.seats[0]}"))
    acts += [Played(msgspec.Raw(msgspec.json.encode(action)), "phone") for action in actions]
    for act in acts:
        session.apply(act)
    return session


def test_log_and_record_have_nothing_of_what_owners_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "NAMES", (*games.NAMES, GAME.name))
    entered = 0
    for number in range(60):
        steps = list(game_at_random(Random(f"records {number}")))
        start, actions = steps[0][0], [action for _, action in steps[:-1]]
        entered += sum(isinstance(action, EnterCard) for action in actions)
        session = acted(start, actions)
        blank = acted(GAME.hide(start), list(map(GAME.hide_action, actions)))
        assert session.log == blank.log
        lines = list(write(*of_session(session)))
        assert lines == list(write(*of_session(blank)))
        assert not any('"places":[' in line and '"places":[]' not in line for line in lines)
    assert entered > 100


def test_the_kept_hand_is_wiped_with_the_match() -> None:
    state = position(
        hands={"red": ["8"], "blue": ["1", "7", "7"]}, gone=["green"], kept=["red", "blue"], match=1
    )
    state = do(state, play("red", "8", places=(0,)))
    assert (state.hands, state.seen, state.loose) == (((), (), ()),) * 2 + ((0, 0, 0),)
    assert state.kept == (True, True, False), "who kept it may go on with the next hand"
    state = do(state, Shuffled((UNKNOWN,) * 24))
    assert set(hand(state, "blue")) == {UNKNOWN}


def test_a_kept_hand_bears_on_no_refusal_that_others_get() -> None:
    """Whoever says for Red what was seen on the table gets the same answer, whatever Red keeps."""
    cards = ("1", "2", "3", "4")
    kept = position(hands={"red": cards}, kept=["red"], field=["6"], by="green")
    blank = GAME.hide(kept)
    for action in (play("red", "7", "7"), play("red", "8"), play("red", "5"), Pass("red")):
        assert GAME.refusal(kept, action) == GAME.refusal(blank, action)
    assert hand(do(kept, play("red", "7", "7")), "red") == (UNKNOWN, UNKNOWN, UNKNOWN), "the table is right"


def test_a_play_that_contradicts_what_the_owner_entered_is_explained_to_the_owner() -> None:
    state = position(hands={"red": ("5", "2", "5", UNKNOWN)}, kept=["red"], players=5)
    assert refused(state, play("red", "5", "5", places=(0, 2))).sentence == (
        "A 2 lies between them (card 2), so they are not adjacent; play cards that are."
    )
    assert "In those places are 5, not 7" in refused(state, play("red", "7", places=(0,))).sentence
    assert "Card 4 of the hand is not entered" in refused(state, play("red", "7", places=(3,))).sentence
    assert "has cards 1 to 4, and no card 9" in refused(state, play("red", "7", places=(8,))).sentence


def test_a_play_that_contradicts_what_everybody_saw_is_explained_to_all() -> None:
    state = position(hands={"red": (UNKNOWN,) * 3}, seen={"red": ("8", "8")}, players=5)
    assert refused(state, play("red", "5", "5")).sentence == (
        "Red holds 3 train cars, and 8 and 8 of them still, as everybody saw; look at the cards again."
    )
    assert "Red holds no special car" in refused(state, play("red", "5/6", rank=5)).sentence
    assert "Red holds 3 cards" in refused(state, play("red", "8", "8", "8", "8")).sentence
    assert "Of the 3 cars" in refused(position(field=["6", "6"]), play("red", "6", "6", "6")).sentence


# -- what is kept is true -----------------------------------------------------------------------------


class Mirror:
    """A table that is told what happens in a world in which all is known, some of it and only the truth."""

    def __init__(self, table: State, chance: Random) -> None:
        self.table = table
        self.chance = chance
        self.lost: set[str] = set()
        """Seats that did not say where all cards went: until they play again they say no more."""
        self.kept = self.told = 0

    def see(self, world: State, action: Any) -> None:
        """What the table is told of an action in the world."""
        seat = getattr(action, "seat", "")
        match action:
            case Shuffled():
                self.lost.clear()
                self.table = do(self.table, GAME.hide_action(action))
            case Play():
                self._play(action)
            case PutIn():
                if seat not in self.lost and self.chance.random() < 0.9:
                    self.table = do(self.table, action)
                else:
                    self.lost.add(seat)
            case EnterCard() | ForgetHand():
                raise AssertionError("all is known in the world")
            case _:
                self.table = do(self.table, action)

    def _play(self, action: Play) -> None:
        seat = self.table.seats.index(action.seat)
        cards = self.table.hands[seat]
        known = not self.table.loose[seat] and all(cards[at] != UNKNOWN for at in action.places)
        if known and self.chance.random() < 0.5:
            self.told += 1
            self.table = do(self.table, action)
        else:
            self.table = do(self.table, GAME.hide_action(action))
        self.lost.discard(action.seat)

    def enter(self, world: State) -> None:
        """Some owners enter what they hold, always the truth, and it is always taken."""
        for seat, name in enumerate(world.seats):
            while (
                self.table.kept[seat]
                and name not in self.lost
                and UNKNOWN in self.table.hands[seat]
                and self.chance.random() < 0.7
            ):
                at = self.table.hands[seat].index(UNKNOWN)
                self.table = do(self.table, EnterCard(name, world.hands[seat][at]))

    def compare(self, world: State) -> None:
        """What the table has of each hand is so in the world, and so is what everybody can count."""
        table, same = GAME.hide(self.table), GAME.hide(world)
        assert replace(table, loose=same.loose) == same
        for seat, name in enumerate(world.seats):
            if name in self.lost:
                continue
            known = [at for at, card in enumerate(self.table.hands[seat]) if card != UNKNOWN]
            self.kept += len(known)
            assert [self.table.hands[seat][at] for at in known] == [world.hands[seat][at] for at in known]


@pytest.mark.parametrize("chunk", range(3))
def test_what_is_kept_of_a_hand_is_true(chunk: int) -> None:
    kept = told = 0
    for number in range(4):
        chance = Random(f"truth {chunk}/{number}")
        world = begin(chance)
        mirror = Mirror(world, chance)
        bots = {seat: Truthful(chance) for seat in world.seats}
        while world.phase != OVER:
            action = next_action(GAME, world, bots, chance)
            mirror.see(world, action)
            world = GAME.play(world, action)
            if world.phase == TURN:
                mirror.enter(world)
            mirror.compare(world)
        kept, told = kept + mirror.kept, told + mirror.told
    assert kept > 1000, "much was kept"
    assert told > 20


def test_a_card_that_is_drawn_is_seen_by_its_owner_alone() -> None:
    state = position(field=["8"], hands={"red": ["2", "1"]}, deck=["3/4", "7/8"], kept=["red"], players=4)
    state = do(state, Pass("red"))
    assert hand(GAME.view(state, "red"), "red") == ("2", "1", "3/4")
    for viewer in ("blue", ""):
        assert hand(GAME.view(state, viewer), "red") == (UNKNOWN,) * 3
    assert state.specials == (1, 0, 0, 0), "that it is a special car all can tell"
    assert may(state, PutIn, "red") == [PutIn("red", place) for place in range(3)]
    assert all(map(is_special, SPECIAL_CARS))


def test_a_card_that_is_drawn_is_entered_and_then_put_in_its_place() -> None:
    state = position(field=["8"], hands={"red": ["2", "1"]}, deck=1, kept=["red"], players=4)
    state = do(state, Pass("red"))
    assert hand(state, "red") == ("2", "1", UNKNOWN)
    assert {action.card for action in may(state, EnterCard, "red")} <= set(SPECIALS)
    state = do(state, EnterCard("red", "7/8"), PutIn("red", 1))
    assert hand(state, "red") == ("2", "7/8", "1")


def test_the_owner_alone_is_told_that_what_was_entered_cannot_be() -> None:
    state = position(hands={"red": ["7", "7", "7", "1"]}, kept=["red"], by="green", turn="blue")
    assert not any("at most" in line for line in GAME.prompt(state, "red").reminders)
    state = do(state, play("blue", "7"))
    told = "By what lies open, your hand holds 2 cars 7 at most, not 3"
    assert any(line.startswith(told) for line in GAME.prompt(state, "red").reminders)
    for other in ("blue", "green", ""):
        assert not any("at most" in line for line in GAME.prompt(state, other).reminders)
    taken = position(hands={"red": ["7", "7", "1"]}, kept=["red"], field=["5"])
    taken = replace(taken, seen=(("3",), (), ()))
    told = "Everybody saw you take 3, which is not in your hand as it is entered"
    assert any(line.startswith(told) for line in GAME.prompt(taken, "red").reminders)


def test_entering_asks_for_the_first_card_that_is_not_known() -> None:
    state = do(position(hands={"red": (UNKNOWN,) * 3}, field=["4"], by="green"), KeepHand("red"))
    state = do(state, EnterCard("red", "7"), EnterCard("red", "2"))
    assert hand(state, "red") == ("7", "2", UNKNOWN)
    assert "cannot be in the hand as well" in refused(state, EnterCard("red", "3/4")).sentence
    state = do(state, EnterCard("red", "7"))
    assert refused(state, EnterCard("red", "1")).sentence.startswith("All of Red's cards are entered")
    assert refused(state, KeepHand("red")).sentence.startswith("Red keeps the hand here already")
    assert refused(state, PutIn("red", 0)).sentence.startswith("All of Red's cards are in their places")
    state = do(state, ForgetHand("red"))
    assert hand(state, "red") == (UNKNOWN,) * 3
    assert "does not keep the hand here" in refused(state, EnterCard("red", "1")).sentence
