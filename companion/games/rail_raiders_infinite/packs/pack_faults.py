"""What is wrong with a pack: each fault in a sentence that says what would do, with the path to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from companion.games.rail_raiders_infinite.dice.hands import FACES, FIVE
from companion.games.rail_raiders_infinite.packs.vocabulary import (
    EFFECTS,
    MOMENTS,
    NEEDS,
    STEPS,
    TAKES,
    WHO,
    Effect,
)
from companion.games.rail_raiders_infinite.state import DECKS, KINDS, CarCard, Card, Edition

SIZE = 56
"""How many cards each deck has. Rulebook, Components."""

RAIDERS = 6
MIDDLE_CARS = 12
ENDS = ("caboose", "locomotive")

LOOT_KINDS = ("score", "equipment", "weapon", "item")
USES = ("", "turn", "opponent", "action")
LASTS = ("", "turn", "round", "kept")

_PLAIN = Effect("")
WHATS = {
    "place": KINDS,
    "place_near_raider": KINDS,
    "bring_lawbot": ("any", "lowest", "highest"),
    "lose_dollars": ("", "officers"),
}
"""What `what` may be of each step that takes it."""

_ROLLED = ("dice", "rerolls", "must_reroll", "buy_die", "buy_reroll", "set_die", "rank")
"""Effects that say in which rolls they count."""

_OF_FIGHTS = ("must_reroll", "buy_die", "set_die")
"""Those of them that have no place in a Raider's own rolls."""

_LIVELY = ("put_token", "hold_on", "search_dollar", "bomb", "must_reroll", "set_die")
"""What a die decides, or faces are said of; a token may be put without one."""

_ICONS = 9


@lru_cache(maxsize=16)
def faults(cards: Edition) -> tuple[str, ...]:
    """Every fault of the cards, with the path to it; none for good ones. What is left out is no fault."""
    found: list[str] = []
    for deck in ("raiders", *DECKS, "cars"):
        names = [card.name for card in getattr(cards, deck)]
        for at, name in enumerate(names):
            path = f"$.{deck}[{at}]"
            if not re.fullmatch("[a-z0-9_-]+", name):
                found.append(f"A name is of small letters, digits, - and _, not '{name}' - at `{path}.name`.")
            if name in names[:at]:
                found.append(f"The name '{name}' comes twice, give each its own - at `{path}.name`.")
    for deck in ("raiders", *DECKS):
        for at, card in enumerate(getattr(cards, deck)):
            found += card_faults(card, deck, f"$.{deck}[{at}]")
        count = sum(card.copies for card in getattr(cards, deck))
        if deck in DECKS and count > SIZE:
            found.append(f"A deck has {SIZE} cards, not {count}; count again - at `$.{deck}`.")
    for at, car in enumerate(cards.cars):
        found += car_faults(car, f"$.cars[{at}]")
    for end in ENDS:
        if sum(car.end == end for car in cards.cars) > 1:
            found.append(f"There is one {end} - at `$.cars`.")
    if sum(not car.end for car in cards.cars) > MIDDLE_CARS:
        found.append(f"Besides the ends there are {MIDDLE_CARS} train cars - at `$.cars`.")
    return tuple(found)


def card_faults(card: Card, deck: str, path: str) -> Iterator[str]:
    """What is wrong with one card of that deck, or Raider."""
    if not 0 <= card.copies <= SIZE:
        yield f"Copies are 1 to {SIZE}, or left out, not {card.copies} - at `{path}.copies`."
    if deck == "raiders" and card.copies:
        yield f"There is one card of each Raider, leave copies out - at `{path}.copies`."
    wanted = LOOT_KINDS if deck == "loot" else ("",)
    if card.kind not in wanted:
        yield f"A kind is {_list(wanted)}, not '{card.kind}' - at `{path}.kind`."
    if card.use not in (USES if deck == "loot" else ("",)):
        yield f"A use is one of {_list(USES)} and for Loot, not '{card.use}' - at `{path}.use`."
    if card.lasts not in (("",) if deck == "raiders" else LASTS):
        yield f"A card lasts for a {_list(LASTS[1:])}, not '{card.lasts}' - at `{path}.lasts`."
    if card.grit and (deck != "long_arm" or card.lasts):
        yield f"Grit is for Long Arm cards, and lasts until it is discarded - at `{path}.grit`."
    timed = deck in ("high_noon", "long_arm") and not card.grit
    if timed and bool(card.effects) != bool(card.lasts):
        yield f"What holds for a while says for how long it lasts - at `{path}.lasts`."
    if card.kind == "score" and (card.effects or card.use):
        yield f"What is scored does something at once: give it steps alone - at `{path}`."
    if card.use and not card.steps and not card.lasts:
        yield f"What is used up does something: give it steps, or say how long it lasts - at `{path}.use`."
    if (card.steps or card.effects) and not card.words:
        yield f"A card that does something has words for the players to read - at `{path}.words`."
    yield from _effects_faults(card.steps, STEPS, "step", f"{path}.steps")
    yield from _effects_faults(card.effects, EFFECTS, "effect", f"{path}.effects")
    for at, effect in enumerate(card.effects):
        yield from _owner_faults(card, deck, effect, f"{path}.effects[{at}]")


def _owner_faults(card: Card, deck: str, effect: Effect, path: str) -> Iterator[str]:
    """What an effect cannot mean on this card: for whom it holds, and that using it costs the card."""
    of_dice = effect.do in ("dice", "rerolls")
    if card.grit and of_dice:
        whom: tuple[str, ...] = ("lawbots",)
    elif card.lasts:
        whom = ("self", "all", "lawbots") if of_dice else ("self", "all")
    else:
        whom = ("self",)
    if effect.who not in whom:
        yield f"'{effect.do}' of this card is for {_list(whom)}, not '{effect.who}' - at `{path}.who`."
    if effect.spend and deck == "raiders":
        yield f"A Raider is not spent, leave 'spend' out - at `{path}.spend`."


def car_faults(car: CarCard, path: str) -> Iterator[str]:
    """What is wrong with one train car."""
    if car.end not in ("", *ENDS):
        yield f"An end is {_list(ENDS)}, not '{car.end}' - at `{path}.end`."
    for field in ("loot", "long_arm"):
        if not 0 <= getattr(car, field) <= _ICONS:
            yield f"An icon's number is 0 to {_ICONS} - at `{path}.{field}`."
    if car.steps and not car.words:
        yield f"A car that can be used has words for the players to read - at `{path}.words`."
    yield from _effects_faults(car.steps, STEPS, "step", f"{path}.steps")


def _effects_faults(
    found: tuple[Effect, ...], known: dict[str, frozenset[str]], word: str, path: str
) -> Iterator[str]:
    for at, effect in enumerate(found):
        there = f"{path}[{at}]"
        if effect.do not in known:
            yield f"There is no {word} '{effect.do}', known are {_list(tuple(known))} - at `{there}.do`."
        else:
            yield from _effect_faults(effect, there)


def _effect_faults(effect: Effect, path: str) -> Iterator[str]:
    takes = TAKES[effect.do]
    for field in Effect.__struct_fields__[1:]:
        if field not in takes and getattr(effect, field) != getattr(_PLAIN, field):
            yield f"'{effect.do}' has no '{field}', leave it out - at `{path}.{field}`."
    for field, known in (("when", ("", *MOMENTS)), ("needs", ("", *NEEDS)), ("who", WHO)):
        if getattr(effect, field) not in known:
            yield f"'{field}' is {_list(known)}, not '{getattr(effect, field)}' - at `{path}.{field}`."
    if effect.do in _ROLLED and not effect.when:
        yield f"Say when '{effect.do}' counts: {_list(MOMENTS)} - at `{path}.when`."
    if effect.do in _OF_FIGHTS and effect.when in ("boarding", "roll"):
        yield f"'{effect.do}' counts in fights alone, not when it is '{effect.when}' - at `{path}.when`."
    if effect.do in STEPS and effect.who not in ("self", "left"):
        yield f"'{effect.do}' is for self, left, not '{effect.who}' - at `{path}.who`."
    if effect.what not in WHATS.get(effect.do, ("",)):
        yield f"'what' is {_list(WHATS[effect.do])}, not '{effect.what}' - at `{path}.what`."
    if effect.count < (0 if effect.do == "weapons" else 1):
        yield f"A count is 1 or more, not {effect.count} - at `{path}.count`."
    if effect.do == "rank" and not 0 <= effect.least <= FIVE:
        yield f"A hand's rank is 1 to {FIVE}, not {effect.least} - at `{path}.least`."
    for field in ("faces", "breaks"):
        unknown = [face for face in getattr(effect, field) if face not in FACES]
        if unknown:
            yield f"A die shows {_list(FACES)}, not '{unknown[0]}' - at `{path}.{field}`."
    if effect.do in _LIVELY and not effect.faces and effect.do != "put_token":
        yield f"Say which faces '{effect.do}' is about - at `{path}.faces`."
    if not set(effect.breaks) <= set(effect.faces):
        yield f"What breaks it is among its faces - at `{path}.breaks`."
    if effect.do == "table" and not effect.words:
        yield f"Say in words what the table does - at `{path}.words`."


def _list(words: tuple[str, ...]) -> str:
    return ", ".join(word or "nothing" for word in words)
