"""What may be played from an ordered hand, against a slow search that is written in another way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice, permutations, product
from random import Random

import pytest

from companion.games.hachi_train import GAME
from companion.games.hachi_train.actions import Pass, Play
from companion.games.hachi_train.cards import KINDS, SPECIAL_CARS, SPECIALS, TRAINS, beats, copies, train_cars
from companion.games.hachi_train.hands import Hand, cards_of, playable, told, without
from companion.games.hachi_train.state import TURN
from companion.games.layout import UNKNOWN
from companion.simulate import course
from tests.rules.hachi_games import Truthful, begin

CHUNKS, SOME = 8, 1500
DEEP_CHUNKS, MANY = 20, 5000

Plays = set[tuple[int, tuple[str, ...]]]


def hand(*cards: str, loose: tuple[str, ...] = (), seen: tuple[str, ...] = (), specials: int = -1) -> Hand:
    """A hand of a game of five, with nothing lying open elsewhere."""
    whole = cards + loose
    known = sum("/" in card for card in whole)
    most = tuple(copies(5)[kind] for kind in KINDS)
    return Hand(cards, loose, seen, known if specials < 0 else specials, most)


def plays(of: Hand) -> Plays:
    return {
        (rank, cards_of(rank, trains, specials))
        for rank, counts in playable(of).items()
        for trains, specials in counts
    }


def test_hand_4_4_2_4_has_two_runs_of_fours() -> None:
    found = [places for rank, places in told(hand("4", "4", "2", "4")) if rank == 4]
    assert found == [(0,), (1,), (0, 1), (3,)]
    assert {cards for rank, cards in plays(hand("4", "4", "2", "4")) if rank == 4} == {("4",), ("4", "4")}


def test_a_special_car_has_either_rank_with_what_is_beside_it() -> None:
    found = plays(hand("3", "3/4", "4", "4"))
    assert {cards for rank, cards in found if rank == 3} == {("3",), ("3/4",), ("3", "3/4")}
    assert max(len(cards) for rank, cards in found if rank == 4) == 3
    assert (4, ("4", "3/4")) not in found, "cards of a play are named in one order"
    assert (4, ("3/4", "4")) in found
    assert (4, ("4", "4")) in found


def test_any_of_a_run_may_stay_behind() -> None:
    assert (0, 2) in {places for rank, places in told(hand("3", "3/4", "3")) if rank == 3}


def test_the_ends_of_a_hand_do_not_meet() -> None:
    assert (0, 2) not in {places for _, places in told(hand("6", "1", "6"))}


def test_unknown_cards_may_be_what_it_takes() -> None:
    assert (5, ("5", "5")) in plays(hand("5", UNKNOWN))
    assert (5, ("5", "5")) in plays(hand("5", UNKNOWN, "5")), "between them is another five, which stays"
    assert (5, ("5", "5/6")) not in plays(hand("5", UNKNOWN)), "the hand holds no special car"
    assert (5, ("5", "5/6")) in plays(hand("5", UNKNOWN, specials=1))
    assert (6, ("6",)) not in plays(hand("5", UNKNOWN, seen=("8",)))


def test_a_loose_card_may_be_anywhere() -> None:
    assert (7, ("7", "7")) in plays(hand("7", "2", loose=("7",)))
    assert (7, ("7", "7", "7")) not in plays(hand("7", "2", "7", loose=("7",)))


def test_copies_come_first_and_equal_cards_do_not_beat() -> None:
    assert beats((2, 1), (1, 8))
    assert beats((1, 5), (1, 4))
    assert beats((3, 2), (2, 8))
    assert not beats((1, 5), (1, 5))
    assert not beats((1, 8), (2, 1))
    assert beats((1, 1), (0, 0))


def test_what_is_known_of_a_hand_after_a_play() -> None:
    assert without(("4", "4", "2", "4"), ("4", "4"), 4) == ("2", "4")
    assert without(("4", "4", "2", "4"), ("4",), 4) == ("4", UNKNOWN, UNKNOWN)
    assert without(("4", "4", "2"), ("4",), 4) == ("4", "2")
    assert without(("4", "2"), ("8",), 8) == (UNKNOWN,), "the table is right"
    assert without((UNKNOWN, "2", "5"), ("5",), 5) == (UNKNOWN, UNKNOWN), "it may have been either end"
    assert without(("3", "3/4", "3"), ("3",), 3) == (UNKNOWN, UNKNOWN)
    assert without(("3", "3/4", "3"), ("3/4",), 4) == ("3", "3")


# -- the slow search ----------------------------------------------------------------------------------


def from_known(cards: tuple[str, ...]) -> Iterator[tuple[int, tuple[int, ...], tuple[str, ...]]]:
    """All that may be played of a hand of known cards, place set by place set: rank, places, cards."""
    for first in range(len(cards)):
        common = {1, 2, 3, 4, 5, 6, 7, 8}
        inner: list[tuple[int, ...]] = [()]
        for last in range(first, len(cards)):
            common &= set(map(int, cards[last].split("/")))
            if not common:
                break
            for between in inner:
                places = (first, *between, last) if last > first else (first,)
                named = tuple(sorted(cards[at] for at in places))
                yield from ((rank, places, named) for rank in common)
            inner += [(*between, last) for between in inner] if last > first else []


def worlds(of: Hand) -> Iterator[tuple[str, ...]]:
    """Each hand of known cards that this hand could be."""
    whole = of.cards + of.loose
    blanks = [at for at, card in enumerate(whole) if card == UNKNOWN]
    known = Counter(card for card in whole if card != UNKNOWN)
    left = [kind for kind, most in zip(KINDS, of.most, strict=True) if known[kind] < most]
    for filling in product(left, repeat=len(blanks)):
        cards = list(whole)
        for at, card in zip(blanks, filling, strict=True):
            cards[at] = card
        count = Counter(cards)
        if sum("/" in card for card in cards) != of.specials or Counter(of.seen) - count:
            continue
        if all(count[kind] <= most for kind, most in zip(KINDS, of.most, strict=True)):
            yield from inserted(tuple(cards[: len(of.cards)]), tuple(cards[len(of.cards) :]))


def inserted(cards: tuple[str, ...], loose: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The cards with the loose ones in any order in any places."""
    for order in set(permutations(loose)):
        for gaps in product(range(len(cards) + 1), repeat=len(order)):
            if list(gaps) == sorted(gaps):
                mixed: list[str] = []
                for gap in range(len(cards) + 1):
                    mixed += [card for card, at in zip(order, gaps, strict=True) if at == gap]
                    mixed += cards[gap : gap + 1]
                yield tuple(mixed)


def random_hand(chance: Random) -> Hand:
    """A hand as a game may deal it, of which some is unknown; few large ones, which take long."""
    players = chance.choice((3, 4, 5))
    trains = list(train_cars(players))
    if chance.random() < 0.5:  # few ranks, so that there are runs
        trains.sort(key=lambda card: (int(card) > 4) + chance.random())
        trains = trains[: len(trains) // 2]
    chance.shuffle(trains)
    specials = chance.sample(SPECIAL_CARS, len(SPECIAL_CARS))
    drawn = chance.choice((0, 0, 1, 2, 3))
    size = chance.choice((1, 2, 3, 4, 5, 6, 7, 8))
    cards = trains[: max(size - drawn, 0)] + specials[:drawn]
    chance.shuffle(cards)
    unknown = min(chance.choice((0, 0, 0, 0, 0, 1, 1, 2)), len(cards))
    lying = min(chance.choice((0, 0, 0, 1, 2)), len(cards)) if len(cards) < 7 else 0
    open_elsewhere = Counter(trains[size : size + chance.randint(0, 12)] + specials[drawn : drawn + 3])
    most = copies(players) - open_elsewhere
    seen = tuple(sorted(chance.sample(cards, min(chance.choice((0, 0, 1, 2)), len(cards)))))
    shown = list(cards)
    for at in chance.sample(range(len(cards)), unknown):
        shown[at] = UNKNOWN
    begin = len(shown) - lying
    held = sum("/" in card for card in cards)
    return Hand(tuple(shown[:begin]), tuple(shown[begin:]), seen, held, tuple(most[kind] for kind in KINDS))


def hidden_hand(chance: Random) -> Hand:
    """A hand of which most or all is unknown, as others see it, late in a match: few kinds are left."""
    players = chance.choice((3, 4, 5))
    kinds = chance.sample(TRAINS, chance.randint(1, 2)) + chance.sample(SPECIALS, chance.choice((0, 1, 1)))
    pool = [kind for kind in kinds for _ in range(copies(players)[kind])]
    chance.shuffle(pool)
    size = min(chance.randint(3, 7), len(pool))
    cards, elsewhere = pool[:size], pool[size:]
    most = Counter(cards) + Counter(chance.sample(elsewhere, chance.randint(0, len(elsewhere))))
    shown = [card if chance.random() < 0.2 else UNKNOWN for card in cards]
    lying = chance.choice((0, 0, 1, 2)) if size < 6 else 0
    seen = tuple(sorted(chance.sample(cards, chance.choice((0, 0, 1, 2, 3)))))
    held = sum("/" in card for card in cards)
    return Hand(
        tuple(shown[: size - lying]),
        tuple(shown[size - lying :]),
        seen,
        held,
        tuple(most[kind] for kind in KINDS),
    )


def agrees(of: Hand, chance: Random) -> None:
    """What is found of the hand is what the slow search finds, on an empty field and on a random one."""
    slow: Plays = set()
    by_places: set[tuple[int, tuple[int, ...]]] = set()
    for world in worlds(of):
        for rank, places, cards in from_known(world):
            slow.add((rank, cards))
            if not of.loose and all(of.cards[at] != UNKNOWN for at in places):
                by_places.add((rank, places))
    assert plays(of) == slow, of
    if not of.loose:
        assert set(told(of)) == by_places, of
    lying = (chance.randint(1, 4), chance.randint(1, 8))
    stronger = {
        (rank, cards)
        for rank, cards in slow
        if len(cards) > lying[0] or (len(cards) == lying[0] and rank > lying[1])
    }
    assert {(rank, cards) for rank, cards in plays(of) if beats((len(cards), rank), lying)} == stronger


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_twelve_thousand_hands_and_fields_agree_with_a_slow_search(chunk: int) -> None:
    chance = Random(f"hands {chunk}")
    for _ in range(SOME):
        agrees(random_hand(chance), chance)


@pytest.mark.parametrize("chunk", range(2))
def test_hands_of_which_next_to_nothing_is_known_agree_with_a_slow_search(chunk: int) -> None:
    chance = Random(f"hidden hands {chunk}")
    for _ in range(400):
        agrees(hidden_hand(chance), chance)


@pytest.mark.deep
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("chunk", range(DEEP_CHUNKS))
def test_a_hundred_thousand_hands_and_fields_agree_with_a_slow_search(chunk: int) -> None:
    chance = Random(f"many hands {chunk}")
    for _ in range(MANY):
        agrees(random_hand(chance), chance)


def test_what_a_seat_may_play_in_a_game_agrees_with_the_slow_search() -> None:
    looked_at = 0
    for number in range(30):
        chance = Random(f"legal {number}")
        state = begin(chance)
        bots = {seat: Truthful(chance) for seat in state.seats}
        for at, _ in islice(course(GAME, state, bots, chance), 150):
            seat = at.seats[at.turn]
            cards = at.hands[at.turn]
            if at.phase != TURN or at.loose[at.turn]:
                continue
            looked_at += 1
            lying = at.field
            stronger = {
                Play(seat, rank, named, places)
                for rank, places, named in from_known(cards)
                if len(named) > len(lying) or (len(named) == len(lying) and rank > at.rank)
            }
            legal = GAME.legal(at, seat)
            assert {action for action in legal if isinstance(action, Play) and action.places} == stronger
            untold = {action for action in legal if isinstance(action, Play) and not action.places}
            assert {Play(seat, action.rank, action.cards) for action in stronger} <= untold
            assert (Pass(seat) in legal) is bool(lying)
    assert looked_at > 1500
