"""Pieces that a camera saw: the act that brought them where they lie, a question, or an explanation.

Nothing here knows a game. An act is the legal action whose layout looks like what was seen. Only
news count: a piece that has not moved since it last agreed with the rules is waited for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.findings import PATIENCE, Doubt, Finding, Key, Line, Spot, glimpsed, sighted
from companion.games.game import Action, AwaitedDice, Game
from companion.games.layout import UNKNOWN, Layout, Piece, Place, Reading
from companion.throws import whose

_ANSWERS = 6
_DEEP = 12
"""So many acts may have been done between two looks: all Circles laid out at once, for instance."""

_BACK = 3
"""So many moves back people put pieces to take something back."""


@dataclass(frozen=True)
class _Explained:
    """A line that explains the news, and what state it leads to; `lag` pieces do not show it yet."""

    line: Line
    state: Any
    lag: int


@dataclass(frozen=True)
class _Look:
    """What a Reading shows: what lies where, what of it is news, and which places could not be seen.

    `faint` are the places in which pieces were seen that are not surely there; `waited` is how long
    (s) the news have been the same.
    """

    there: dict[Key, Spot]
    news: dict[Key, Spot]
    faint: dict[Key, str]
    holes: frozenset[str]
    waited: float


@dataclass
class Pieces:
    """Follows the pieces of one table. `seen` is where each piece last lay when it agreed with the rules.

    `doubtful` are the pieces that the last question was about, `left` those of which people said
    that nothing was done. `known` is False until the first look: what lies there then is nobody's
    act, unless a game has just begun (`fresh`) and it is something that no rule knows yet. `named`
    are the pieces that lie where the rules expect one without knowing which, by kind and place.
    """

    game: Game[Any, Any]
    seen: dict[Key, Spot] = field(default_factory=dict)
    doubtful: dict[Key, Spot] = field(default_factory=dict)
    left: dict[Key, Spot] = field(default_factory=dict)
    fresh: bool = False
    known: bool = False
    named: dict[tuple[str, str], Key] = field(default_factory=dict)
    since: tuple[dict[Key, Spot], float] | None = None

    def consider(self, state: Any, states: Sequence[Any], reading: Reading, now: float) -> Finding:
        """What the pieces mean in this state; `states` are those of the game so far, oldest first."""
        there = sighted(reading, self.game.table_map(state))
        expected = _spots(self.game.layout(state))
        news = self._news(there, expected)
        if self.since is None or self.since[0] != news:
            self.since = (news, now)
        if news != self.left:
            self.left = {}
        self.doubtful = {}
        if not news or self.left:
            return Finding()
        faint = {key: place for key, place in glimpsed(reading).items() if key in expected}
        elsewhere = {key: place for key, place in faint.items() if place != expected[key][0]}
        look = _Look(there, news, elsewhere, frozenset(reading.holes), now - self.since[1])
        return self._understood(state, states, look)

    def _news(self, there: dict[Key, Spot], expected: dict[Key, Spot]) -> dict[Key, Spot]:
        """What lies elsewhere than it should, and than it did."""
        unnamed = {(kind, spot[0]) for (kind, name), spot in expected.items() if name == UNKNOWN}
        self.named = {slot: key for slot, key in self.named.items() if slot in unnamed}
        if not self.known and there:
            self._name(unnamed, there)
            self.seen = {key: spot for key, spot in there.items() if key in expected or not self.fresh}
            self.known = True
        # The first one that comes to lie there is the one that was expected; after it, it is news.
        came = {
            key: spot for key, spot in there.items() if key not in expected and self.seen.get(key) != spot
        }
        self._name(unnamed - self.named.keys(), came)
        for key, spot in there.items():
            if expected.get(key) == spot:
                self.seen[key] = spot
        for key in [key for key in self.seen if key not in expected and key not in there]:
            del self.seen[key]  # out of play and out of sight: when it shows again, that is news
        return {
            key: spot
            for key, spot in there.items()
            if spot not in (expected.get(key), self.seen.get(key)) and (key in expected or spot[0])
        }

    def _name(self, slots: set[tuple[str, str]], there: dict[Key, Spot]) -> None:
        """The pieces among these that lie where the rules know only that some piece does."""
        for key, spot in there.items():
            if (key[0], spot[0]) in slots:
                self.named[key[0], spot[0]] = key
                self.seen[key] = spot

    def _understood(self, state: Any, states: Sequence[Any], look: _Look) -> Finding:
        found = list(self._explanations(state, look))
        implied = self.game.implied(state)
        chance = self.game.awaiting(state).chance
        if not found and implied is not None:
            after = self.game.play(state, implied)
            found = [
                _Explained((implied, *way.line), way.state, way.lag)
                for way in self._explanations(after, look)
            ]
            if found:
                chance = self.game.awaiting(after).chance
        if not found:
            found = list(self._chain(state, look))
        whole = [way for way in found if not way.lag]
        if hinted := [way for way in found if self._hinted(way, look)]:
            # One of the acts brings a piece to where it seems to be: nothing is sure without it.
            found, whole = [*hinted, *whole, *(way for way in found if way.lag and way not in hinted)], []
        if len(whole) < len(found) and look.waited < PATIENCE:
            return Finding(wait=True)
        thrown = chance if isinstance(chance, AwaitedDice) else None
        if len(whole) == 1 and thrown is None:
            self.seen |= look.news
            after = _spots(self.game.layout(whole[0].state))
            unnamed = {(kind, spot[0]) for (kind, name), spot in after.items() if name == UNKNOWN}
            self._name(unnamed, look.news)
            return Finding(whole[0].line)
        if found:
            return Finding(doubt=self._which(state, whole or found, look.news, thrown))
        back = self._taken_back(states, look.news)
        if back is not None:
            return back if look.waited >= PATIENCE else Finding(wait=True)
        return Finding(fault=self._fault(state, look.news))

    def _hinted(self, way: _Explained, look: _Look) -> bool:
        """Whether it brings a piece to where that was seen, if not surely."""
        after = _spots(self.game.layout(way.state)) if look.faint else {}
        return any(key in after and after[key][0] == place for key, place in look.faint.items())

    # -- what was done ------------------------------------------------------------------------

    def _explanations(self, state: Any, look: _Look) -> Iterator[_Explained]:
        """Legal actions whose result looks like what was seen, one for each result."""
        before = _spots(self.game.layout(state))
        results: list[Any] = []
        for action in self._candidates(state, look.news):
            result = self.game.play(state, action)
            after = _spots(self.game.layout(result))
            if any(not _lies(after, key, spot) for key, spot in look.news.items()):
                continue
            lag = _lag(before, after, look)
            if lag is not None and result not in results:
                results.append(result)
                yield _Explained((action,), result, lag)

    def _chain(self, state: Any, look: _Look) -> Iterator[_Explained]:
        """Several acts since the last look, each of them plain, and none that could not be taken back."""
        line: Line = ()
        left = dict(look.news)
        while left and len(line) < _DEEP:
            before = _spots(self.game.layout(state))
            steps: list[tuple[Action, Any, dict[Key, Spot]]] = []
            for action in self._candidates(state, left):
                if not self.game.free(state, action):
                    continue
                result = self.game.play(state, action)
                after = _spots(self.game.layout(result))
                done = {key: spot for key, spot in left.items() if _lies(after, key, spot)}
                others = {key for key in left if key not in done}
                still = all(after.get(key) == before.get(key) for key in others)
                if done and still and _lag(before, after, look) == 0:
                    steps.append((action, result, done))
            results: list[Any] = []
            for _, result, _ in steps:
                if result not in results:
                    results.append(result)
            first = _largest(steps)
            if first is None or (len(results) > 1 and not _apart(steps)):
                return
            action, state, done = first
            line = (*line, action)
            left = {key: spot for key, spot in left.items() if key not in done}
        if line and not left:
            yield _Explained(line, state, 0)

    def _candidates(self, state: Any, news: dict[Key, Spot]) -> Iterator[Action]:
        pieces = tuple(Piece(kind, name, *spot) for (kind, name), spot in sorted(news.items()))
        awaiting = self.game.awaiting(state).seats
        for seat in (*awaiting, *(seat for seat in self.game.seats if seat not in awaiting)):
            yield from self.game.candidates(state, seat, pieces)

    def _which(
        self, state: Any, found: list[_Explained], news: dict[Key, Spot], thrown: AwaitedDice | None
    ) -> Doubt:
        self.doubtful = news
        answers = tuple((self._told(state, way.line), way.line) for way in found[:_ANSWERS])
        places = {place.name: place for place in self.game.table_map(state).places}
        lie = " and ".join(_lies_on(self.game, places, key, spot) for key, spot in sorted(news.items()))
        words = f"{lie}. What was done?"
        if len(found) > _ANSWERS:
            words += " If it is none of these, leave it there and say it on the page of the player in turn."
        answers += (("Nothing, it will be put back", ()),)
        if thrown is None:
            return Doubt(words, answers)
        # It may have been moved by a throw that was not read; entered by hand, it goes before the move.
        now = thrown.count if isinstance(self.game.awaiting(state).chance, AwaitedDice) else 0
        return Doubt(f"{words} {whose(thrown)} throw has not been read.", answers, now)

    def _told(self, state: Any, line: Line) -> str:
        told: list[str] = []
        for action in line:
            told.extend(self.game.story(state, action))
            state = self.game.play(state, action)
        return " ".join(told)

    def _taken_back(self, states: Sequence[Any], news: dict[Key, Spot]) -> Finding | None:
        """Pieces that lie again where they lay a few moves ago: ask whether those are taken back.

        One that never came to where the rules have it now was not brought back from there.
        """
        now = _spots(self.game.layout(states[-1])) if states else {}
        if any(self.seen.get(key) != now[key] for key in news if key in now):
            return None
        for back, earlier in enumerate(reversed(states[-_BACK - 1 : -1]), 1):
            lay = _spots(self.game.layout(earlier))
            if all(lay.get(key) == spot for key, spot in news.items()):
                self.doubtful = news
                lie = "lies where it" if len(news) == 1 else "lie where they"
                pieces = " and ".join(_called(self.game, key) for key in sorted(news))
                moves = "Is the last move" if back == 1 else f"Are the last {back} moves"
                words = f"{pieces} {lie} lay before. {moves} taken back?"
                no = ("No, it will be put right", ())
                return Finding(doubt=Doubt(words, (no,), back=len(states) - 1 - back))
        return None

    # -- what is wrong ------------------------------------------------------------------------

    def _fault(self, state: Any, news: dict[Key, Spot]) -> str:
        """Which rule the act breaks, as far as one can say, and where the piece may lie."""
        expected = _spots(self.game.layout(state))
        places = {place.name: place for place in self.game.table_map(state).places}
        told: list[str] = []
        for key, spot in sorted(news.items()):
            where = f"{_lies_on(self.game, places, key, spot)}."
            home = expected.get(key)
            back = f"put it back on {_on(places, home)}" if home else "take it away again"
            broken = self._broken(state, Piece(*key, *spot))
            may = {
                at[0]: words
                for layout, words in self._main_results(state)
                if (at := _spots(layout).get(key)) is not None and at != home
            }
            if broken:
                told.append(f"{where} {broken} Otherwise {back}.")
            elif may:
                goes = " or ".join(f"on {_on(places, (at, 0))} ({words})" for at, words in may.items())
                told.append(f"{where} It may now go {goes}; or {back}.")
            else:
                told.append(f"{where[:-1]}, but nothing moves it there now. {back[0].upper()}{back[1:]}.")
        return " ".join(told)

    def _broken(self, state: Any, piece: Piece) -> str:
        """The sentence of the Ruling against what putting the piece there would be."""
        action = self.game.meant(state, piece)
        ruling = None if action is None else self.game.refusal(state, action)
        return "" if ruling is None else f"{ruling.sentence} [{ruling.section}]"

    def _main_results(self, state: Any) -> Iterator[tuple[Layout, str]]:
        for seat in self.game.awaiting(state).seats:
            for choice in self.game.prompt(state, seat).choices:
                if choice.main:
                    yield self.game.layout(self.game.play(state, choice.action)), choice.words

    def todo(self, state: Any, reading: Reading) -> tuple[str, ...]:
        """What to put where, so that the table is as the rules have it."""
        map = self.game.table_map(state)
        places = {place.name: place for place in map.places}
        expected, there = _spots(self.game.layout(state)), sighted(reading, map)
        lines: list[str] = []
        for key, home in sorted(expected.items()):
            if key[1] == UNKNOWN or home[0] in reading.holes:
                continue
            lies = there.get(key)
            if lies is not None and lies[0] == home[0] and lies != home:
                lines.append(f"Turn {_called(self.game, key)} on {_on(places, home)} to {home[1]}°.")
            elif lies is not None and lies != home:
                lines.append(f"Put {_called(self.game, key)} on {_on(places, home)}.")
        return tuple(lines)


def _spots(layout: Layout) -> dict[Key, Spot]:
    return {(piece.kind, piece.name): (piece.place, piece.turn) for piece in layout.pieces}


def _lies(after: dict[Key, Spot], key: Key, spot: Spot) -> bool:
    """Whether the piece lies there by the rules, or may: where they know only that some piece does."""
    if key in after:
        return after[key] == spot
    unnamed = after.get((key[0], UNKNOWN))
    return unnamed is not None and unnamed[0] == spot[0]


def _lag(before: dict[Key, Spot], after: dict[Key, Spot], look: _Look) -> int | None:
    """How many pieces do not show yet that they were moved; None where one contradicts it.

    Of a kind that is nowhere to be seen nothing is waited for: it may carry no markers.
    """
    lag = 0
    shown = {kind for kind, _ in look.there}
    for key in before.keys() | after.keys():
        now = after.get(key)
        if key in look.news or now == before.get(key) or key[1] == UNKNOWN:
            continue
        lies = look.there.get(key)
        if lies is None:
            lag += now is not None and now[0] not in look.holes and key[0] in shown
        elif lies != now:
            if lies != before.get(key):
                return None
            lag += 1
    return lag


def _largest(
    steps: list[tuple[Action, Any, dict[Key, Spot]]],
) -> tuple[Action, Any, dict[Key, Spot]] | None:
    return max(steps, key=lambda step: len(step[2]), default=None)


def _apart(steps: list[tuple[Action, Any, dict[Key, Spot]]]) -> bool:
    """Whether the steps explain different pieces, so that it does not matter which goes first."""
    explained: dict[frozenset[Key], list[Any]] = {}
    for _, result, done in steps:
        results = explained.setdefault(frozenset(done), [])
        if result not in results:
            results.append(result)
    keys = [key for done in explained for key in done]
    return len(keys) == len(set(keys)) and all(len(results) == 1 for results in explained.values())


def _called(game: Game[Any, Any], key: Key) -> str:
    kind, name = key
    return name.capitalize() if name in game.seats else f"{kind.capitalize()} {name}"


def _lies_on(game: Game[Any, Any], places: dict[str, Place], key: Key, spot: Spot) -> str:
    """Where a piece lies, in words: "Red stands on tie 2"."""
    stands = "stands" if key[1] in game.seats else "lies"
    where = f"{stands} on {_on(places, spot)}" if spot[0] else "is off the board"
    return f"{_called(game, key)} {where}"


def _on(places: dict[str, Place], spot: Spot) -> str:
    """What people call the place of a piece."""
    place = places.get(spot[0])
    return (place.words or place.name) if place else spot[0] or "no place"
