"""What the pages of a seat show: its own page, the cards to choose from, and the ways to go on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from companion.games.game import About, AwaitedDice, Choice, Prompt, are_lots
from companion.messages import View
from web_ui import hand as hands
from web_ui import net, train, ways
from web_ui.ways import Lit
from web_ui.where import Where

PLAY = "play_card"
"""The action by which any game plays a card from a hand."""

FEW = 1
"""As many ways to play cards as stand beside the other choices, with no sheet to open: an answer, mostly."""

MANY = 8
"""As many choices as stand under a thumb; more of them are a list to look through."""

Fields = dict[str, Any]


class Card(Struct, frozen=True):
    """A card that may be played, with all the ways to play it. `held` is None where hands are secret."""

    kind: str
    title: str
    words: str
    ways: tuple[Choice, ...]
    held: bool | None = None


class Named(Struct, frozen=True):
    """A card that may be named: what it is, and where its page is. `held` is None where hands are secret."""

    name: str
    about: About
    where: Where
    held: bool | None = None


def whose(view: View) -> Fields:
    """What each seat is called, and the seats that the table waits for."""
    names = {seat.seat: seat.name or name_of(seat.seat) for seat in view.seats}
    awaiting = view.awaiting
    if awaiting is None:
        return {"names": names, "whose": ()}
    throws = (awaiting.chance.seat,) if isinstance(awaiting.chance, AwaitedDice) else ()
    return {"names": names, "whose": throws or awaiting.seats}


def rows(game: Any, pack: Any, view: View) -> dict[str, list[About]]:
    """The cards that lie open before each seat, in their order."""
    return {
        standing.seat: [game.about(view.state, pack, "card", card) for card in standing.row]
        for standing in view.standings
    }


def own(game: Any, pack: Any, view: View, where: Where, hand: tuple[str, ...] | None) -> Fields | None:
    """A seat's own page, or one of its groups or places; None when there is no such group or place now."""
    prompt = view.prompt or Prompt("")
    chance = view.awaiting.chance if view.awaiting else None
    dice = chance if isinstance(chance, AwaitedDice) else None
    kept, others = hands.parted(game, view, prompt)
    crowded = prompt.lying is not None and len(others) > ways.FEW
    few = 0 if kept.whole or crowded else ways.FEW
    plain, groups = ways.grouped((c for c in others if not _card(c)), where, few)
    if where.group:
        return _grouped(game, pack, view, where, (), groups, prompt)
    cards = _playable(game, pack, view, others, hand)
    likely = [way for card in cards if card.held is not False for way in card.ways]
    likely = likely if len(likely) <= FEW else []
    if likely:
        cards = [card for card in cards if card.held is False]
    picture = _picture(game, pack, view, where, [c for c in others if c.place and not groups])
    if picture is None:
        return None
    shown = [*(choice for choice in plain if choice.dice is None), *likely]
    many = MANY + (prompt.lying is not None)  # in a game of hands one of them is the pass
    sought = sorted(shown, key=lambda choice: choice.words) if len(shown) > many else []
    return (
        whose(view)
        | picture
        | {
            "view": view,
            "where": where,
            "dice": dice,
            "my_throw": dice is not None and dice.seat == view.seat,
            "plain": [] if sought else shown,
            "sought": sought,
            "picks": [choice for choice in others if choice.dice is not None],
            "lots": dice is not None and are_lots(dice.faces, game.seats),
            "kept": kept,
            "countdown": train.countdown(game, view.state),
            "groups": groups,
            "cards": cards,
            "likely": likely,
            "hand": hand,
            "held": _held(game, pack, view, where, hand),
            "rows": rows(game, pack, view),
            "moves": {move.move: move for move in view.moves},
            "elsewhere": _elsewhere(view),
            "throws": max((move.move for move in view.moves if move.dice), default=-1),
        }
    )


def choosing(game: Any, pack: Any, view: View, where: Where, hand: tuple[str, ...] | None) -> Fields | None:
    """The page on which a card is named; None when there is none to name."""
    prompt = view.prompt or Prompt("")
    if not prompt.cards:
        return None
    found = [
        Named(
            name,
            game.about(view.state, pack, "card", name),
            where.of_card(name),
            None if hand is None else name in hand,
        )
        for name in prompt.cards
    ]
    found.sort(key=lambda card: card.about.facts)
    first = found[0].about.facts[0][0] if found[0].about.facts else ""
    by_first: dict[str, list[Named]] = {}
    for card in found:
        by_first.setdefault(card.about.facts[0][1] if card.about.facts else "", []).append(card)
    return {
        "view": view,
        "where": where,
        "first": first,
        "by_first": by_first,
        "held": [card for card in found if card.held],
        "words": prompt.words,
    }


def of_card(game: Any, pack: Any, view: View, where: Where, hand: tuple[str, ...] | None) -> Fields | None:
    """What a seat may do with a card; None when it may not play that one now."""
    if view.prompt is None or where.card not in view.prompt.cards:
        return None
    prompt = game.prompt(view.state, view.seat, where.card)
    plain, groups = ways.grouped(prompt.choices, where)
    held = None if hand is None else where.card in hand
    fields = _grouped(game, pack, view, where, plain, groups, prompt)
    return fields and fields | {"about": game.about(view.state, pack, "card", where.card), "held": held}


def _grouped(
    game: Any,
    pack: Any,
    view: View,
    where: Where,
    plain: tuple[Choice, ...],
    groups: tuple[ways.Group, ...],
    prompt: Prompt,
) -> Fields | None:
    """A page with one group of choices open; None when there is none of that name."""
    opened = next((group for group in groups if group.open), None)
    if where.group and opened is None:
        return None
    choices = opened.choices if opened else ()
    picture = _picture(game, pack, view, where, choices)
    if picture is None:
        return None
    return (
        whose(view)
        | picture
        | {
            "view": view,
            "where": where,
            "prompt": prompt,
            "plain": plain,
            "groups": groups,
            "opened": opened,
            "about": None,
            "held": None,
        }
    )


def _picture(game: Any, pack: Any, view: View, where: Where, choices: Iterable[Choice]) -> Fields | None:
    """The table's picture with the places of these choices lit; None when it lacks the one to be opened.

    A game of hands has no picture but its cards: its choices are all listed.
    """
    if view.prompt is not None and view.prompt.lying is not None:
        return None if where.place else train.NO_PICTURE | {"listed": tuple(choices)}
    if view.state and (stops := game.stops(view.state)):
        return train.picture(stops, where, tuple(choices), view.prompt.choices if view.prompt else ())
    if not view.state or not game.sketches(view.state) or view.map is None:
        return None if where.place else train.NO_PICTURE
    ground = net.ground(game, view.state)
    if where.place and where.place not in ground.places:
        return None
    choices = tuple(choices)
    lit = ways.lit(ground, choices, where)
    places = {each.spot.place for each in lit}
    marks = game.marks(view.state) if view.prompt and view.prompt.yours else ()
    if places:
        marks = [mark for mark in marks if mark.place in places]
    tell = () if places else _told(ground, where)
    picture = net.net(ground, places, view.fresh, marks, ways.focus(ground, lit or tell, view.seat))
    return train.NO_PICTURE | {
        "net": picture,
        "lit": lit,
        "listed": ways.listed(ground, choices),
        "tell": tell,
        "there": ways.there(game, pack, view.state, ground, where.place, choices) if where.place else None,
    }


def _told(ground: net.Ground, where: Where) -> tuple[Lit, ...]:
    """The pieces that tell of themselves when they are tapped."""
    places = dict.fromkeys(piece.place for piece in ground.pieces if piece.name not in ground.seats)
    return tuple(
        Lit(spot, where.at(name), f"What lies on {spot.words}")
        for name in places
        for spot in [net.spot(ground.places[name])]
    )


def _elsewhere(view: View) -> list[tuple[Where, str]]:
    """Where the host names cards and chooses places for others, and what is done there."""
    found = [(Where(seat, choosing=True, stand_in=True), "Play a card") for seat in view.others_cards]
    groups = dict.fromkeys(
        (str(getattr(choice.action, "seat", "")), choice.group) for choice in view.others if choice.group
    )
    return found + [(Where(seat, stand_in=True).to(group), group) for seat, group in groups]


def _held(game: Any, pack: Any, view: View, where: Where, hand: tuple[str, ...] | None) -> list[Named]:
    """The cards of a hand that is known because the table is emulated; `held` are those to be named now."""
    if hand is None:
        return []
    nameable = view.prompt.cards if view.prompt else ()
    return [
        Named(
            name,
            game.about(view.state, pack, "card", name),
            where.of_card(name) if name in nameable else Where(where.seat),
            name in nameable,
        )
        for name in hand
    ]


def _playable(
    game: Any, pack: Any, view: View, choices: Iterable[Choice], hand: tuple[str, ...] | None
) -> list[Card]:
    """The cards among these choices, each with its ways to be played; those held come first."""
    of_kind: dict[str, list[Choice]] = {}
    for choice in choices:
        if kind := _card(choice):
            of_kind.setdefault(kind, []).append(choice)
    found = []
    for kind, all_ways in of_kind.items():
        about = game.about(view.state, pack, "card", kind)
        held = None if hand is None else kind in hand
        found.append(Card(kind, about.title, about.words, tuple(all_ways), held))
    return sorted(found, key=lambda card: card.held is False)


def _card(choice: Choice) -> str:
    """The kind of card that a choice plays, "" when it plays none."""
    return str(getattr(choice.action, "card", "")) if choice.action.__struct_config__.tag == PLAY else ""


def name_of(word: str) -> str:
    """A rule's word as people read it."""
    return word.replace("_", " ").capitalize()
