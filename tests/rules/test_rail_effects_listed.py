"""Every effect that is publicly known of a printed card has a test, and every such card is carried out."""

from __future__ import annotations

import ast
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.bots import Bot
from companion.games.game import Game
from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.actions import Keep, PickRaider, TurnUp
from companion.games.rail_raiders_infinite.packs.pack import Pack, load_pack
from companion.games.rail_raiders_infinite.packs.vocabulary import TAKES, Effect
from companion.games.rail_raiders_infinite.state import DECKS, Card
from companion.simulate import course
from tests.rules.rail_games import PACK, AnyKind, house
from tests.rules.test_rail_entering import own, with_cars

TESTS = sorted(Path(__file__).parent.glob("test_rail_effects_[dfst]*.py"))
PRINTED = load_pack((PACK.parent / "printed.toml").read_text("utf-8"))

Shape = tuple[Any, ...]


def cards(pack: Pack) -> list[tuple[str, Card]]:
    return [(deck, card) for deck in ("raiders", *DECKS) for card in getattr(pack, deck)]


def shape(effect: Effect) -> Shape:
    """What sort of effect it is: two of one shape differ in numbers and faces alone."""
    return (
        *(effect.do, effect.when, effect.needs, effect.who, effect.what),
        *(bool(effect.faces), bool(effect.breaks), bool(effect.least), effect.spend, effect.count == 0),
    )


@cache
def known_shapes() -> frozenset[Shape]:
    """The shapes that the tests of effects use: written out in them, or on a house card that they name."""
    texts = [file.read_text("utf-8") for file in TESTS if file != Path(__file__)]
    nodes = chain.from_iterable(ast.walk(ast.parse(text)) for text in texts)
    found = {shape(effect) for node in nodes if (effect := written_out(node)) is not None}
    named = [card for _, card in cards(house()) if any(f'"{card.name}"' in text for text in texts)]
    return frozenset(found | {shape(effect) for card in named for effect in (*card.steps, *card.effects)})


def written_out(node: ast.AST) -> Effect | None:
    """The effect that a test makes there; None where it is another call, or put together from names."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "Effect":
        return None
    try:
        return Effect(
            *map(ast.literal_eval, node.args),
            **{str(given.arg): ast.literal_eval(given.value) for given in node.keywords},
        )
    except ValueError:
        return None


@pytest.mark.parametrize("card", [card for _, card in cards(PRINTED)], ids=lambda card: str(card.name))
def test_each_effect_of_a_printed_card_is_of_a_shape_that_is_tested(card: Card) -> None:
    for effect in (*card.steps, *card.effects):
        assert shape(effect) in known_shapes(), effect


@pytest.mark.parametrize("card", [card for _, card in cards(house())], ids=lambda card: str(card.name))
def test_each_effect_of_a_house_card_is_of_a_shape_that_is_tested(card: Card) -> None:
    for effect in (*card.steps, *card.effects):
        assert shape(effect) in known_shapes(), effect


def test_an_effect_of_no_known_shape_is_found() -> None:
    assert shape(Effect("dice", when="boarding", needs="behind")) not in known_shapes()
    assert {do for do, *_ in known_shapes()} == set(TAKES)


class Curious(AnyKind):
    """Turns up and chooses what it has not seen yet."""

    def __init__(self, chance: Random, seen: set[tuple[str, str]]) -> None:
        super().__init__(chance)
        self._seen = seen

    def choose(self, game: Game[Any, Any], view: Any, seat: str, legal: tuple[Any, ...]) -> Any | None:
        kind = view.agenda[0].card or "loot"
        for action in legal:
            match action:
                case TurnUp(_, card) | Keep(_, card) if (kind, card) not in self._seen:
                    self._seen.add((kind, card))
                    return action
                case PickRaider(_, raider) if ("raiders", raider) not in self._seen:
                    self._seen.add(("raiders", raider))
                    return action
        return super().choose(game, view, seat, legal)


def test_every_printed_card_is_carried_out_in_some_game() -> None:
    pack, seen = with_cars(own(), 12), set[tuple[str, str]]()
    wanted = {(deck, card.name) for deck, card in cards(pack)}
    for number in range(20):
        chance = Random(f"printed {number}")
        seats = ("red", "blue", "green", "yellow")
        bots: dict[str, Bot] = {seat: Curious(chance, seen) for seat in seats}
        *_, (state, _) = course(GAME, GAME.setup(seats, pack, {}), bots, chance)
        assert GAME.faults(state) == ()
        if wanted <= seen:
            return
    raise AssertionError(f"Not carried out: {sorted(wanted - seen)}")
