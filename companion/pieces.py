"""Pieces that a camera saw: the act that brought them where they lie, a question, or an explanation.

Nothing here knows a game. An act is the legal action whose layout looks like what was seen. Only
news count: a piece that has not moved since it last agreed with the rules is waited for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.alike import Alike, Key, Spot
from companion.findings import PATIENCE, Doubt, Finding, Line, glimpsed, sighted, spots
from companion.games.game import Action, AwaitedDice, AwaitedShuffle, Game
from companion.games.layout import UNKNOWN, Piece, Reading
from companion.misplaced import Names, fault, sentence, told
from companion.throws import whose

_ANSWERS = 6
_DEEP = 12
"""So many acts may have been done between two looks: all Circles laid out at once, for instance."""

_BACK = 3
"""So many moves back people put pieces to take something back."""


@dataclass(frozen=True)
class _Explained:
    """A line that explains `news`, and what state it leads to; `lag` pieces do not show it yet."""

    line: Line
    state: Any
    news: dict[Key, Spot]
    lag: int = 0


@dataclass(frozen=True)
class _Step:
    """An act that explains the pieces `done`; `whole` if all of it shows, `plain` if it can go back, too."""

    action: Action
    state: Any
    done: frozenset[Key]
    whole: bool
    plain: bool


@dataclass(frozen=True)
class _Look:
    """What a Reading shows: what lies where, what of it is news, and which places could not be seen.

    `faint` are the places in which pieces were seen that are not surely there; `waited` is how long (s)
    the news have been the same.
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
    `came` is when each piece of the news came to lie there, `pending` what of the last look is asked
    about or waited for; `beside` are the pieces that were seen to lie beside others of their kind.
    """

    game: Game[Any, Any]
    seen: dict[Key, Spot] = field(default_factory=dict)
    doubtful: dict[Key, Spot] = field(default_factory=dict)
    left: dict[Key, Spot] = field(default_factory=dict)
    fresh: bool = False
    known: bool = False
    named: dict[tuple[str, str], Key] = field(default_factory=dict)
    since: tuple[dict[Key, Spot], float] | None = None
    came: dict[Key, tuple[Spot, float]] = field(default_factory=dict)
    pending: dict[Key, Spot] = field(default_factory=dict)
    beside: frozenset[Key] = frozenset()
    alike: Alike = field(default_factory=Alike)

    def consider(self, state: Any, states: Sequence[Any], reading: Reading, now: float) -> Finding:
        """What the pieces mean in this state; `states` are those of the game so far, oldest first."""
        map = self.game.table_map(state)
        there, self.alike = sighted(reading, map), Alike(map.tokens)
        expected = self._spots(state, there)
        news = self._news(there, expected)
        if self.since is None or self.since[0] != news:
            self.since = (news, now)
        self.came = {
            key: self.came[key] if key in self.came and self.came[key][0] == spot else (spot, now)
            for key, spot in news.items()
        }
        if news != self.left:
            self.left = {}
        self.doubtful = {}
        taken = Counter((kind, spot[0]) for (kind, _), spot in there.items())
        self.beside &= self.pending.keys()
        self.beside |= {key for key, spot in there.items() if taken[key[0], spot[0]] > 1}
        covered = self._covered(there, expected)
        self.pending = {}
        if self.left or not (news or covered):
            return Finding()
        faint = {key: place for key, place in glimpsed(reading).items() if key in expected}
        elsewhere = {key: place for key, place in faint.items() if place != expected[key][0]}
        look = _Look(there, news, elsewhere, frozenset(reading.holes), now - self.since[1])
        first = [replace(look, there=there | covered, news=covered, waited=PATIENCE)] if covered else []
        found = self._understood(state, states, look, [*first, *self._earlier(look, expected, now)])
        self.doubtful = news | covered if found.doubt is not None else {}
        self.pending = news | covered if found.doubt is not None or found.wait else {}
        return found

    def _spots(self, state: Any, there: dict[Key, Spot]) -> dict[Key, Spot]:
        """Where each piece lies by the rules, those that are alike told apart by what lies there."""
        return spots(self.alike.told_apart(self.game.layout(state).pieces, there, self.seen))

    def leave(self) -> None:
        """People say that nothing was done with what they were asked about."""
        self.left, self.doubtful, self.pending = self.doubtful, {}, {}

    def _covered(self, there: dict[Key, Spot], expected: dict[Key, Spot]) -> dict[Key, Spot]:
        """What was not understood yet when another piece of its kind came to lie on it, and not beside it."""
        places = {(kind, spot[0]) for (kind, _), spot in there.items()}
        return {
            key: spot
            for key, spot in self.pending.items()
            if key not in self.beside
            and key not in there
            and key not in expected
            and (key[0], spot[0]) in places
        }

    def _earlier(self, look: _Look, expected: dict[Key, Spot], now: float) -> Iterator[_Look]:
        """The look, and that at what came first alone, where all that came later is new to the rules.

        A piece that the rules know and that moved later belongs to it: an engine after its card.
        """
        if not look.news:
            return
        yield look
        first = min(at for _, at in self.came.values())
        news = {key: spot for key, (spot, at) in self.came.items() if at == first}
        later = look.news.keys() - news.keys()
        if later and not any(key in expected for key in later):
            yield replace(look, news=news, waited=now - first)

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

    def _understood(self, state: Any, states: Sequence[Any], look: _Look, parts: Sequence[_Look]) -> Finding:
        """What the look means. Of its parts that is understood, or asked about, which one act explains:
        what followed may depend on it.
        """
        for part in parts:
            found, chance = self._by_one_act(state, part)
            if found:
                look = part
                break
        else:
            found, chance = list(self._chain(state, look)), self.game.awaiting(state).chance
        whole = [way for way in found if not way.lag]
        if hinted := [way for way in found if self._hinted(way, look)]:
            # One of the acts brings a piece to where it seems to be: nothing is sure without it.
            found, whole = [*hinted, *whole, *(way for way in found if way.lag and way not in hinted)], []
        if len(whole) < len(found) and look.waited < PATIENCE:
            return Finding(wait=True)
        thrown = chance if isinstance(chance, AwaitedDice) else None
        if len(whole) == 1 and thrown is None:
            self.seen |= whole[0].news
            after = self._spots(whole[0].state, look.there)
            unnamed = {(kind, spot[0]) for (kind, name), spot in after.items() if name == UNKNOWN}
            self._name(unnamed, whole[0].news)
            return Finding(whole[0].line)
        if found:
            return Finding(doubt=self._which(state, whole or found, look.news, thrown))
        back = self._taken_back(states, look) if look.news else Finding()
        if back is not None:
            return back if look.waited >= PATIENCE else Finding(wait=True)
        return Finding(fault=fault(self.game, state, look.news, self._spots(state, look.there)))

    def _hinted(self, way: _Explained, look: _Look) -> bool:
        """Whether it brings a piece to where that was seen, if not surely."""
        after = self._spots(way.state, look.there) if look.faint else {}
        return any(key in after and after[key][0] == place for key, place in look.faint.items())

    def _by_one_act(
        self, state: Any, look: _Look
    ) -> tuple[list[_Explained], AwaitedDice | AwaitedShuffle | None]:
        """The acts that explain the news, or those after what is implied; what chance was awaited then."""
        found, implied = list(self._explanations(state, look)), self.game.implied(state)
        chance = self.game.awaiting(state).chance
        if not found and implied is not None:
            after = self.game.play(state, implied)
            further = self._explanations(after, look)
            covered = self._still_covered(state, after, look)
            found = [replace(way, line=(implied, *way.line), lag=way.lag + covered) for way in further]
            if found:
                chance = self.game.awaiting(after).chance
        return found, chance

    def _lag(self, before: dict[Key, Spot], after: dict[Key, Spot], look: _Look) -> int | None:
        """How many pieces do not show yet that they were moved; None where one contradicts it.

        Of a kind that is nowhere to be seen nothing is waited for: it may carry no markers. Nor is one of
        many from beside the table: whoever turned up a card has to look for it first. What is printed on
        the sheet shows once nothing lies on it, and may show wherever the rules have nothing to say of it.
        """
        lag = 0
        shown = {kind for kind, _ in look.there}
        for key in before.keys() | after.keys():
            now, was = after.get(key), before.get(key)
            if key in look.news or now == was or key[1] == UNKNOWN:
                continue
            lies = look.there.get(key)
            if lies is None:
                shows = key[0] in shown or self.alike.is_printed(key)
                coming = now is not None and now[0] not in look.holes and shows
                lag += coming and not (was is None and self.alike.is_one_of_many(key))
            elif lies != now:
                if lies != was:
                    return None
                lag += not self.alike.is_printed(key)
        return lag

    def _still_covered(self, state: Any, after: Any, look: _Look) -> int:
        """How much of what is printed on the sheet should show after what is implied, and does not."""
        before = self._spots(state, look.there)
        return sum(
            self.alike.is_printed(key)
            and key not in before
            and key not in look.there
            and spot[0] not in look.holes
            for key, spot in self._spots(after, look.there).items()
        )

    # -- what was done ------------------------------------------------------------------------

    def _explanations(self, state: Any, look: _Look) -> Iterator[_Explained]:
        """Legal actions whose result looks like what was seen, one for each result."""
        before = self._spots(state, look.there)
        results: list[Any] = []
        for action in self._candidates(state, look.news):
            result = self.game.play(state, action)
            after = self._spots(result, look.there)
            if any(not _lies(after, key, spot) for key, spot in look.news.items()):
                continue
            lag = self._lag(before, after, look)
            if lag is not None and result not in results:
                results.append(result)
                yield _Explained((action,), result, look.news, lag)

    def _chain(self, state: Any, look: _Look) -> Iterator[_Explained]:
        """Several acts since the last look, each of them plain, and none that could not be taken back.

        Plain is what alone explains some pieces. The chain may leave out pieces that another act
        explains, for that to be asked about or waited for. That other act bears out the one before it,
        as the car that was flipped does the move onto it: then it need not be one to be taken back.
        """
        line: Line = ()
        left = dict(look.news)
        while left and len(line) < _DEEP:
            possible = self._steps(state, replace(look, news=left))
            steps = [step for step in possible if step.plain]
            if not steps and not line:
                steps = [step for step in possible if step.whole and step.done < left.keys()]
            results: list[Any] = []
            for step in steps:
                if step.state not in results:
                    results.append(step.state)
            first = max(steps, key=lambda step: len(step.done), default=None)
            if first is None or (len(results) > 1 and not _apart(steps)):
                break
            line, state = (*line, first.action), first.state
            left = {key: spot for key, spot in left.items() if key not in first.done}
            if not first.plain:
                break
        if line and (not left or self._by_one_act(state, replace(look, news=left))[0]):
            yield _Explained(line, state, {key: spot for key, spot in look.news.items() if key not in left})

    def _steps(self, state: Any, look: _Look) -> list[_Step]:
        """The acts that explain some of the news and have nothing to do with the others."""
        before = self._spots(state, look.there)
        steps: list[_Step] = []
        for action in self._candidates(state, look.news):
            result = self.game.play(state, action)
            after = self._spots(result, look.there)
            done = frozenset(key for key, spot in look.news.items() if _lies(after, key, spot))
            still = all(after.get(key) == before.get(key) for key in look.news.keys() - done)
            lag = self._lag(before, after, look) if done and still else None
            if lag is not None:
                free = not lag and self.game.free(state, action)
                steps.append(_Step(action, result, done, not lag, free))
        open_to = [step.done for step in steps if not step.plain]
        return [replace(step, plain=step.plain and step.done not in open_to) for step in steps]

    def _candidates(self, state: Any, news: dict[Key, Spot]) -> Iterator[Action]:
        pieces = tuple(Piece(kind, name, *spot) for (kind, name), spot in sorted(news.items()))
        awaiting = self.game.awaiting(state).seats
        for seat in (*awaiting, *(seat for seat in self.game.seats if seat not in awaiting)):
            yield from self.game.candidates(state, seat, pieces)

    def _which(
        self, state: Any, found: list[_Explained], news: dict[Key, Spot], thrown: AwaitedDice | None
    ) -> Doubt:
        answers = tuple((self._told(state, way.line), way.line) for way in found[:_ANSWERS])
        words = f"{told(self.game, state, news)}. What was done?"
        if len(found) > _ANSWERS:
            words += " If it is none of these, leave it there and say it on the page of the player in turn."
        answers += (("Nothing, it will be put back", ()),)
        if thrown is None:
            return Doubt(words, answers)
        # It may have been moved by a throw that was not read; entered by hand, it goes before the move.
        now = thrown.count if isinstance(self.game.awaiting(state).chance, AwaitedDice) else 0
        return Doubt(f"{words} {whose(thrown)} throw has not been read.", answers, now)

    def _told(self, state: Any, line: Line) -> str:
        lines: list[str] = []
        for action in line:
            lines.extend(self.game.story(state, action))
            state = self.game.play(state, action)
        return " ".join(lines)

    def _taken_back(self, states: Sequence[Any], look: _Look) -> Finding | None:
        """Pieces that lie again where they lay a few moves ago: ask whether those are taken back.

        One that never came to where the rules have it now was not brought back from there.
        """
        news = look.news
        now = self._spots(states[-1], look.there) if states else {}
        if any(self.seen.get(key) != now[key] for key in news if key in now):
            return None
        for back, earlier in enumerate(reversed(states[-_BACK - 1 : -1]), 1):
            lay = self._spots(earlier, look.there)
            if all(lay.get(key) == spot for key, spot in news.items()):
                lie = "lies where it" if len(news) == 1 else "lie where they"
                names = Names(self.game, states[-1])
                pieces = sentence(" and ".join(names.piece(key) for key in sorted(news)))
                moves = "Is the last move" if back == 1 else f"Are the last {back} moves"
                words = f"{pieces} {lie} lay before. {moves} taken back?"
                no = ("No, it will be put right", ())
                return Finding(doubt=Doubt(words, (no,), back=len(states) - 1 - back))
        return None


def _lies(after: dict[Key, Spot], key: Key, spot: Spot) -> bool:
    """Whether the piece lies there by the rules, or may: where they know only that some piece does."""
    if key in after:
        return after[key] == spot
    unnamed = after.get((key[0], UNKNOWN))
    return unnamed is not None and unnamed[0] == spot[0]


def _apart(steps: list[_Step]) -> bool:
    """Whether the steps explain different pieces, so that it does not matter which goes first."""
    explained: dict[frozenset[Key], list[Any]] = {}
    for step in steps:
        results = explained.setdefault(step.done, [])
        if step.state not in results:
            results.append(step.state)
    keys = [key for done in explained for key in done]
    return len(keys) == len(set(keys)) and all(len(results) == 1 for results in explained.values())
