"""The laws can be broken: games with one fault each, and the law that finds it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace as with_fault
from itertools import count
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.game import Awaiting, Game, Prompt, Ruling
from companion.games.layout import Layout
from companion.games.pawns_of_perdition import GAME
from companion.games.pawns_of_perdition.actions import EndTurn, Give, PlayCard, Take
from companion.games.pawns_of_perdition.state import OVER, State
from companion.laws import LawBroken, Laws
from tests.rules.positions import begin, put
from tests.rules.strategies import game_at_random

numbers = count()


def view_with_neighbour(state: State, seat: str) -> State:
    return replace(GAME.view(state, seat), hands=state.hands) if seat else GAME.view(state, seat)


def view_of_deck(state: State, seat: str) -> State:
    return replace(GAME.view(state, seat), deck=state.deck) if seat else GAME.view(state, seat)


def view_too_short(state: State, seat: str) -> State:
    return replace(GAME.view(state, seat), deck=())


def hide_but_deck(state: State) -> State:
    return replace(GAME.hide(state), deck=state.deck)


def play_and_lose_a_card(state: State, action: Any) -> State:
    after = GAME.play(state, action)
    return replace(after, discard=after.discard[1:]) if isinstance(action, EndTurn) else after


def play_another_way_each_time(state: State, action: Any) -> State:
    return replace(GAME.play(state, action), holy=next(numbers))


def play_by_the_hidden_card(state: State, action: Any) -> State:
    after = GAME.play(state, action)
    lucky = isinstance(action, EndTurn) and "soul_conviction" in state.hands[state.turn]
    return replace(after, pawns=tuple(min(pawn + 1, 62) for pawn in after.pawns)) if lucky else after


def prompt_that_tells(state: State, seat: str, card: str = "") -> Prompt:
    prompt = GAME.prompt(state, seat)
    return replace(prompt, words=f"{prompt.words} {state.deck[:1]}")


def prompt_without_choices(state: State, seat: str, card: str = "") -> Prompt:
    return replace(GAME.prompt(state, seat), choices=())


def prompt_of_two_minds(state: State, seat: str, card: str = "") -> Prompt:
    prompt = GAME.prompt(state, seat)
    return replace(prompt, choices=tuple(replace(choice, main=True) for choice in prompt.choices))


def story_that_tells(state: State, action: Any) -> tuple[str, ...]:
    hands = str(state.hands) if isinstance(action, EndTurn) else ""
    return (*GAME.story(state, action), hands)


def repeated(state: State, seat: str, card: str = "") -> tuple[Any, ...]:
    legal = GAME.legal(state, seat)
    return (*legal, *legal[:1])


def in_any_order(state: State, seat: str, card: str = "") -> tuple[Any, ...]:
    legal = GAME.legal(state, seat, card)
    return legal[::-1] if next(numbers) % 2 else legal


def legal_when_over(state: State, seat: str, card: str = "") -> tuple[Any, ...]:
    return (EndTurn(seat),) if state.phase == OVER else GAME.legal(state, seat, card)


def any_card_of_all(state: State, seat: str, card: str = "") -> tuple[Any, ...]:
    return GAME.legal(state, seat)


def refuse_one_card(state: State, action: Any) -> Ruling | None:
    if isinstance(action, PlayCard) and action.card == "hells_grasp":
        return Ruling("PP-A15", "Prayer Cards", "Not this one.")
    return GAME.refusal(state, action)


def refuse_nothing(state: State, action: Any) -> Ruling | None:
    return None


def refuse_without_words(state: State, action: Any) -> Ruling | None:
    ruling = GAME.refusal(state, action)
    return replace(ruling, sentence="no") if ruling else None


def refuse_with_bad_advice(state: State, action: Any) -> Ruling | None:
    ruling = GAME.refusal(state, action)
    return replace(ruling, instead=(EndTurn("nobody"),)) if ruling else None


def hide_no_action(action: Any) -> Any:
    return action


def await_nobody(state: State) -> Awaiting:
    return replace(GAME.awaiting(state), chance=None)


def await_the_wrong_seat(state: State) -> Awaiting:
    return replace(GAME.awaiting(state), seats=state.seats)


def layout_upside_down(state: State) -> Layout:
    layout = GAME.layout(state)
    return replace(layout, pieces=layout.pieces[::-1])


FAULTS: list[tuple[str, Callable[..., Any], str]] = [
    ("view", view_with_neighbour, "hand is closed to"),
    ("view", view_of_deck, "the draw pile is closed to"),
    ("view", view_too_short, "a bystander sees|hides to the same"),
    ("hide", hide_but_deck, "sees what is not hidden|hides to the same|hiding commutes"),
    ("hide_action", hide_no_action, "legal when hidden|refused when hidden|hiding commutes"),
    ("play", play_and_lose_a_card, "has no faults"),
    ("play", play_another_way_each_time, "same each time"),
    ("play", play_by_the_hidden_card, "hiding commutes"),
    ("prompt", prompt_that_tells, "rests on nothing that it may not know"),
    ("prompt", prompt_without_choices, "may choose what is legal"),
    ("prompt", prompt_of_two_minds, "one act at most"),
    ("story", story_that_tells, "story tells nothing hidden"),
    ("story", lambda state, action: (), "has a story"),
    ("legal", repeated, "listed once each"),
    ("legal", any_card_of_all, "what .* may do with .* is legal"),
    ("legal", in_any_order, "listed in one order"),
    ("legal", legal_when_over, "nothing is legal any more"),
    ("refusal", refuse_one_card, "it is refused|when hidden, but"),
    ("refusal", refuse_nothing, "legal exactly if it is not refused"),
    ("refusal", refuse_without_words, "in a sentence"),
    ("refusal", refuse_with_bad_advice, "offers instead is legal"),
    ("awaiting", await_nobody, "awaits something"),
    ("awaiting", await_the_wrong_seat, "awaited and has a legal action"),
    ("layout", layout_upside_down, "are sorted"),
    ("table_map", lambda state: replace(GAME.table_map(state), places=()), "lies in a place of the table"),
    ("table_map", lambda state: replace(GAME.table_map(state), tokens=()), "carries a marker"),
    ("scores", lambda state: GAME.scores(state)[1:], "every seat has one standing"),
    ("scores", lambda state: GAME.scores(state)[::-1], "in order"),
    ("over", lambda state: False, "awaits something|is over"),
    ("implied", lambda state: state.deck[:1], "implied rests on nothing hidden"),
    ("free", lambda state, action: "hells_grasp" in state.deck, "free tells nothing hidden"),
    ("decided", lambda state, action: state.deck[:1], "decided tells nothing hidden"),
]


@pytest.mark.parametrize(("name", "fault", "law"), FAULTS)
def test_a_fault_breaks_its_law(name: str, fault: Callable[..., Any], law: str) -> None:
    game = with_fault(GAME, **{name: fault})  # type: ignore[arg-type]
    with pytest.raises(LawBroken, match=law):
        watch_five_games(game)


def watch_five_games(game: Game[Any, Any]) -> None:
    for number in range(5):
        laws = Laws(game, Random(1))
        for state, action in game_at_random(Random(f"bite {number}")):
            if action is None:
                laws.end(state)
            else:
                laws.step(state, action)


def test_a_lost_card_is_noticed() -> None:
    laws = Laws(GAME, Random(1))
    for state, _ in game_at_random(Random("lost")):
        if state.deck:
            with pytest.raises(LawBroken, match="There are 29 cards, not 30"):
                laws.state(replace(state, deck=state.deck[1:]))
            break


@pytest.mark.parametrize(
    ("fields", "law"),
    [
        ({"pawns": (64, 0, 0)}, "not on 64"),
        ({"skips": (-1, 0, 0)}, "fewer turns than none"),
        ({"discard": ("hells_grasp",) * 30, "deck": ()}, "There are 30 cards 'hells_grasp', not 2"),
    ],
)
def test_an_impossible_state_is_noticed(fields: dict[str, Any], law: str) -> None:
    state = replace(put(begin(), hands={}), **fields)
    with pytest.raises(LawBroken, match=law):
        Laws(GAME, Random(1)).state(state)


def test_a_replay_that_goes_elsewhere_is_noticed() -> None:
    laws = Laws(GAME, Random(1))
    steps = list(game_at_random(Random("replay")))
    for state, action in steps[:3]:
        laws.step(state, action)
    for state, action in steps[4:-1]:
        laws.step(state, action)
    with pytest.raises(LawBroken, match="replaying"):
        laws.end(steps[-1][0])


def test_giving_and_taking_are_hidden() -> None:
    assert GAME.hide_action(Take("red", "blue", "hells_grasp")) == Take("red", "blue", "?")
    assert GAME.hide_action(Give("red", "blue", "hells_grasp")) == Give("red", "blue", "?")
