"""The laws that every game obeys, checked on the way through a game.

`Laws(game, chance).step(state, action)` checks the state and what the legal action does to it;
`end(state)` the state where the game ends, and the whole way again from its beginning. A broken
law raises `LawBroken`, which names the law and the state.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from random import Random
from typing import Any, NoReturn

import msgspec

from companion.games.game import (
    Action,
    AwaitedDice,
    AwaitedShuffle,
    Awaiting,
    Game,
    Prompt,
    Rolled,
    Ruling,
    Shuffled,
)
from companion.games.layout import UNKNOWN

HANDFUL = 5
"""A Ruling names no more legal actions than this."""

_MANY = 36
"""Where more actions than this are legal, a sample of them is looked at closely."""

_STRANGERS = 30
"""So many actions of other states are kept, to be tried where they may be illegal."""


Legal = dict[str, tuple[Any, ...]]
"""What each seat of the game may do."""


class LawBroken(AssertionError):
    """A game broke a law; the text names the law, what was found, and the state as JSON."""


class Laws:
    """The laws, watching one game from its beginning to its end."""

    def __init__(self, game: Game[Any, Any], chance: Random) -> None:
        self._game = game
        self._chance = chance
        self._way: list[tuple[Any, Any]] = []
        self._strangers: list[Any] = list(_MALFORMED)
        self._exact: dict[str, Any] = {}

    def step(self, state: Any, action: Any) -> None:
        """Every law of the state, and of the legal action that is played in it."""
        self.state(state)
        self.action(state, action)
        self._way.append((state, action))
        self._remember(state)

    def end(self, state: Any) -> None:
        """Every law of the last state; and the same way again leads to the same states."""
        self.state(state)
        self._that(state, self._game.over(state), "the last state is over")
        again = self._way[0][0]
        for before, action in self._way:
            self._that(before, again == before, "replaying the actions gives the same states")
            again = self._game.play(again, action)
        self._that(state, again == state, "replaying the actions gives the same end")
        self._same(state, _again(state, self._game.state_type), state, "the whole state is exact in JSON")

    def state(self, state: Any) -> None:
        """The laws of one state."""
        game = self._game
        awaiting = game.awaiting(state)
        legal: Legal = {seat: game.legal(state, seat) for seat in game.seats}
        self._json(state)
        self._same(state, game.faults(state), (), "a state that play comes to has no faults")
        self._same(state, game.faults(game.hide(state)), (), "a hidden state has no faults")
        if game.over(state):
            self._same(state, awaiting, Awaiting(), "a game that is over awaits nothing")
            self._that(state, not any(legal.values()), "nothing is legal any more")
        else:
            self._that(state, bool(awaiting.seats or awaiting.chance), "a game that goes on awaits something")
        for seat in awaiting.seats:
            self._that(state, bool(legal[seat]), f"{seat} is awaited and has a legal action")
        self._legal(state, legal)
        places = self._table(state)
        self._standings(state)
        self._hidden(state, legal)
        for seat in (*state.seats, ""):
            self._seen(state, seat, legal.get(seat, ()), places)

    def action(self, state: Any, action: Any) -> None:
        """The laws of a legal action."""
        game = self._game
        ruling = game.refusal(state, action)
        self._that(state, ruling is None, f"{action} is legal, yet it is refused: {ruling}")
        self._same(state, _again(action, game.action_type), action, "an action is exact in JSON")
        before = msgspec.json.encode(state)
        after = game.play(state, action)
        self._same(state, game.play(state, action), after, "an action does the same each time")
        self._same(state, game.faults(after), (), f"{action} leads to a state that has no faults")
        self._same(state, msgspec.json.encode(state), before, "an action changes no earlier state")
        hidden, hidden_action = game.hide(state), game.hide_action(action)
        self._same(state, game.hide_action(hidden_action), hidden_action, "what is hidden stays hidden")
        ruling = game.refusal(hidden, hidden_action)
        self._that(state, ruling is None, f"{action} is legal, yet refused when hidden: {ruling}")
        hidden_after = game.play(hidden, hidden_action)
        self._same(state, hidden_after, game.hide(after), f"hiding commutes with {action}")
        for name in ("story", "decided", "free"):
            of = getattr(game, name)
            self._same(state, of(state, action), of(hidden, hidden_action), f"{name} tells nothing hidden")
        self._that(state, bool(game.story(state, action)), f"{action} has a story")

    def _json(self, state: Any) -> None:
        """Every field comes back from JSON as it was; one that is the same object as before has done so."""
        whole: Any = self._game.state_type
        for name, type in _types(whole).items():
            value = getattr(state, name)
            if name not in self._exact or self._exact[name] is not value:
                self._same(state, _again(value, type), value, f"a state is exact in JSON, {name} too")
                self._exact[name] = value

    def _legal(self, state: Any, legal: Legal) -> None:
        game = self._game
        for seat, actions in legal.items():
            self._same(state, len(set(actions)), len(actions), f"{seat}'s legal actions are listed once each")
            self._same(
                state, _afresh(game.legal)(state, seat), actions, "what is legal is listed in one order"
            )
            for action in self._some(actions):
                self._same(state, action.seat, seat, "a seat's legal actions are its own")
                if (ruling := game.refusal(state, action)) is not None:
                    self._broken(state, f"{action} is legal, yet it is refused: {ruling}")
            cards = sorted({card for action in actions if (card := getattr(action, "card", ""))})
            if cards:
                card = self._chance.choice(cards)
                of_card = game.legal(state, seat, card)
                known = {action for action in actions if getattr(action, "card", "") == card}
                self._that(state, set(of_card) <= known, f"what {seat} may do with {card} is legal")
        self._same(state, game.legal(state, "nobody"), (), "nobody may do nothing")
        listed = {action for actions in legal.values() for action in actions}
        for stranger in self._strangers:
            ruling = game.refusal(state, stranger)
            if (ruling is None) != (stranger in listed or self._may_chance(state, stranger)):
                self._broken(state, f"{stranger} is legal exactly if it is not refused: {ruling}")
            if ruling is not None:
                self._ruling(state, stranger, ruling, listed)

    def _may_chance(self, state: Any, action: Any) -> bool:
        awaited = self._game.awaiting(state).chance
        match action:
            case Rolled(values) if isinstance(awaited, AwaitedDice):
                # True is no face, though it equals 1.
                faces = {(type(face), face) for face in awaited.faces}
                known = all((type(value), value) in faces for value in values)
                return known and len(values) == awaited.count
            case Shuffled(cards) if isinstance(awaited, AwaitedShuffle):
                blank = all(card == UNKNOWN for card in cards)
                known = sorted(cards) == sorted(awaited.cards)
                return known or (blank and len(cards) == len(awaited.cards))
        return False

    def _ruling(self, state: Any, action: Any, ruling: Ruling, listed: set[Any]) -> None:
        words = ruling.sentence
        said = bool(
            ruling.rule and ruling.section and words and not words[0].islower() and words.endswith(".")
        )
        if not said:
            self._broken(state, f"{ruling} says what is wrong with {action} in a sentence")
        seat = getattr(action, "seat", "")
        within = all(other in listed and getattr(other, "seat", "") == seat for other in ruling.instead)
        if not within or len(ruling.instead) > HANDFUL:
            self._broken(state, f"what {ruling} offers instead is legal")

    def _table(self, state: Any) -> set[str]:
        """The laws of how the table lies; returns its places."""
        layout, table = self._game.layout(state), self._game.table_map(state)
        places = {place.name for place in table.places}
        tokens = {(token.kind, token.alike or token.name) for token in table.tokens}
        self._same(state, layout.pieces, tuple(sorted(layout.pieces)), "the layout's pieces are sorted")
        for piece in layout.pieces:
            if piece.place not in places:
                self._broken(state, f"{piece} lies in a place of the table")
            if piece.name != UNKNOWN and (piece.kind, piece.name) not in tokens:
                self._broken(state, f"{piece} carries a marker of the table")
        return places

    def _standings(self, state: Any) -> None:
        standings = self._game.scores(state)
        self._same(
            state,
            sorted(standing.seat for standing in standings),
            sorted(state.seats),
            "every seat has one standing",
        )
        places = [standing.place for standing in standings]
        for at, place in enumerate(places):
            shared = place == places[at - 1] if at else False
            self._that(state, place == at + 1 or shared, "standings are in order, and ties share a place")
        self._that(state, places.count(1) >= 1, "somebody is ahead, or has won")

    def _hidden(self, state: Any, legal: Legal) -> None:
        game = self._game
        hidden = game.hide(state)
        self._same(state, game.hide(hidden), hidden, "what is hidden stays hidden")
        self._same(state, game.view(state, ""), hidden, "a bystander sees what is not hidden")
        for name in ("implied", "scores", "layout", "over"):
            of = getattr(game, name)
            self._same(state, of(hidden), of(state), f"{name} rests on nothing hidden")
        chance, blank = game.awaiting(state).chance, game.awaiting(hidden).chance
        if isinstance(chance, AwaitedShuffle) and isinstance(blank, AwaitedShuffle):
            self._same(
                state, len(blank.cards), len(chance.cards), "a shuffle is of as many cards when hidden"
            )
        else:
            self._same(state, game.awaiting(hidden), game.awaiting(state), "awaiting rests on nothing hidden")
        for seat in game.seats:
            for action in self._some(legal[seat]):
                if (ruling := game.refusal(hidden, game.hide_action(action))) is not None:
                    self._broken(state, f"{action} is legal when hidden, too, but: {ruling}")
            for action in self._some(game.legal(hidden, seat)):
                if (ruling := game.refusal(hidden, action)) is not None:
                    self._broken(state, f"{action} may be legal when hidden, but: {ruling}")

    def _seen(self, state: Any, seat: str, legal: tuple[Any, ...], places: set[str]) -> None:
        """What a seat is told does not change with what it may not know."""
        game = self._game
        view = game.view(state, seat)
        self._same(state, game.view(view, seat), view, f"{seat}'s view of its view is the same")
        self._same(state, game.hide(view), game.hide(state), f"{seat}'s view hides to the same")
        may = set(game.legal(view, seat))
        for action in legal:
            if action not in may and game.hide_action(action) not in may:
                self._broken(state, f"{seat} can choose {action} by what it may know")
        for name, cards in game.closed(view, seat).items():
            blank = all(card == UNKNOWN for card in cards)
            self._that(state, blank, f"{name} is closed to {seat or 'a bystander'}")
        prompt = game.prompt(state, seat)
        now = game.awaiting(state)
        thrower = now.chance.seat if isinstance(now.chance, AwaitedDice) else ""
        self._that(state, bool(prompt.words), "a prompt has words")
        self._same(
            state, prompt.yours, bool(seat) and seat in (*now.seats, thrower), f"the prompt is {seat}'s"
        )
        named = {action for action in may if getattr(action, "card", "") in prompt.cards}
        self._choices(state, seat, prompt, may - named, places)
        other = _otherwise(state, view, game.state_type, self._chance)
        told = f"what {seat or 'a bystander'} is told rests on nothing that it may not know"
        self._same(state, *_bytes_apart(game.view(other, seat), view), told)
        self._same(state, game.prompt(other, seat), prompt, told)
        if prompt.cards:
            card = self._chance.choice(prompt.cards)
            of_card = game.prompt(state, seat, card)
            of_card_may = {action for action in named if action.card == card}
            self._choices(state, seat, of_card, of_card_may, places)
            self._same(state, game.prompt(other, seat, card), of_card, told)

    def _choices(self, state: Any, seat: str, prompt: Prompt, may: set[Any], places: set[str]) -> None:
        self._same(
            state, {choice.action for choice in prompt.choices}, may, f"{seat} may choose what is legal"
        )
        words = [(choice.words, choice.detail) for choice in prompt.choices]
        self._same(state, len(set(words)), len(words), f"{seat}'s choices differ in words")
        for choice in prompt.choices:
            if choice.place and choice.place not in places:
                self._broken(state, f"{choice} is about a place of the table")
        self._that(
            state, sum(choice.main for choice in prompt.choices) <= 1, "one act at most is the main one"
        )

    def _some(self, actions: tuple[Any, ...]) -> tuple[Any, ...]:
        """All of a few actions, a sample of many: of each kind some."""
        if len(actions) <= _MANY:
            return actions
        kinds: defaultdict[type[Any], list[Any]] = defaultdict(list)
        for kind, run in groupby(actions, type):
            kinds[kind] += run
        share = max(3, _MANY // len(kinds))
        some: list[Any] = []
        for alike in kinds.values():
            some += alike if len(alike) <= share else self._chance.sample(alike, share)
        return tuple(some)

    def _remember(self, state: Any) -> None:
        for seat in self._game.seats:
            self._strangers += self._game.legal(state, seat)[:3]
        spare = len(self._strangers) - _STRANGERS
        if spare > 0:
            self._chance.shuffle(self._strangers)
            del self._strangers[:spare]
            self._strangers += self._chance.sample(_MALFORMED, 2)

    def _that(self, state: Any, holds: bool, law: str) -> None:
        if not holds:
            self._broken(state, law)

    def _same(self, state: Any, found: Any, expected: Any, law: str) -> None:
        if found != expected:
            self._broken(state, f"{law}: found {found!r}, expected {expected!r}")

    def _broken(self, state: Any, law: str) -> NoReturn:
        raise LawBroken(f"{law} - in {msgspec.json.encode(state).decode()}")


_MALFORMED: tuple[Action, ...] = (
    Rolled(()),
    Rolled((7, 1)),
    Rolled((0,)),
    Rolled(("devil", 2)),
    Rolled((1, 2)),
    Rolled((3,)),
    Rolled((1, 2, 3)),
    Rolled((True, 2)),
    Shuffled(()),
    Shuffled((UNKNOWN,)),
    Shuffled(("ace",)),
    Action(),
)


def _afresh(function: Any) -> Any:
    """The function without its memory of what it was asked before."""
    return getattr(function, "__wrapped__", function)


def _again(value: Any, type: Any) -> Any:
    encoded = msgspec.json.encode(value)
    decoded = _decoder(type).decode(encoded)
    if msgspec.json.encode(decoded) != encoded:
        raise LawBroken(f"JSON keeps its bytes - in {encoded.decode()}")
    return decoded


@cache
def _decoder(type: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(type)


@cache
def _types(type: Any) -> dict[str, Any]:
    return {field.name: field.type for field in msgspec.structs.fields(type)}


def _bytes_apart(one: Any, other: Any) -> tuple[bytes, bytes]:
    """The JSON of two states, without the fields whose value is the same object in both."""
    pairs = [(getattr(one, name), getattr(other, name)) for name in one.__struct_fields__]
    apart = [pair for pair in pairs if pair[0] is not pair[1]]
    return msgspec.json.encode([mine for mine, _ in apart]), msgspec.json.encode(
        [theirs for _, theirs in apart]
    )


def _otherwise(state: Any, view: Any, type: Any, chance: Random) -> Any:
    """Another state that looks the same in the view: what it hides is dealt anew, in place.

    Lists of which all is hidden and that were in order are so again, since order may be part of how a
    hand is kept. What is seen of a list stays where it is seen.
    """
    differ = [name for name in state.__struct_fields__ if getattr(state, name) != getattr(view, name)]
    whole, seen = ({name: _plain(getattr(known, name)) for name in differ} for known in (state, view))
    blanks = list(_blanks(whole, seen))
    cards = [cards[at] for cards, places in blanks for at in places]
    cards.sort(key=lambda card: chance.random())
    dealt = iter(cards)
    for held, places in blanks:
        in_order = len(places) == len(held) and held == sorted(held)
        for at in places:
            held[at] = next(dealt)
        if in_order:
            held.sort()
    types = _types(type)
    changed = {name: msgspec.convert(value, types[name]) for name, value in whole.items()}
    return msgspec.structs.replace(state, **changed)


def _plain(value: Any) -> Any:
    """The value in dicts and lists, which can be changed in place."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _blanks(whole: Any, seen: Any) -> Iterable[tuple[list[Any], list[int]]]:
    """Where the view says UNKNOWN and the state does not: (list, indices). No other difference may be."""
    if len(whole) != len(seen):
        raise LawBroken(f"a view only blanks: {seen!r} is not as long as {whole!r}")
    blank = []
    for key in whole if isinstance(whole, dict) else range(len(whole)):
        mine, theirs = whole[key], seen[key]
        if mine == theirs:
            continue
        if theirs == UNKNOWN and isinstance(whole, list):
            blank.append(key)
        elif isinstance(mine, dict | list) and isinstance(theirs, dict | list):
            yield from _blanks(mine, theirs)
        else:
            raise LawBroken(f"a view only blanks: {theirs!r} stands for {mine!r}")
    if blank:
        yield whole, blank
