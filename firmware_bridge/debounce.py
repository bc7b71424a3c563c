"""From the raw level of a line to presses, with no clock: every call is told the time.

Times are seconds on one clock that never goes back. A line is *down* while its button is pressed.
"""

from __future__ import annotations

from collections import deque

from msgspec import Struct

from firmware_bridge.press import Button, Press

STABLE_FOR = 0.02
EDGE_LATE = 0.1
LONG_AFTER = 0.7


class Change(Struct, frozen=True):
    """A debounced line has gone down or up; `since` is when its level became stable."""

    down: bool
    since: float


class Debouncer:
    """One line, whose level counts once it has been stable for a while.

    `edge` is for what the line reported, `sample` for a look at it. Edges may come later than their
    level can be seen, or get lost, above all the last one of a bouncing contact. So the line is to
    be looked at after each edge, and a level that goes on being seen without being reported is
    taken as it is seen. Once the line is quiet, the state is its level.
    """

    def __init__(
        self, down: bool, time: float, stable_for: float = STABLE_FOR, edge_late: float = EDGE_LATE
    ) -> None:
        self.down = down
        self.level = down  # as reported, before it counts
        self.lost_an_edge = False
        self._stable_for = stable_for
        self._edge_late = edge_late
        self._since = time
        self._confirmed = True
        self._doubted_at: float | None = None

    @property
    def due(self) -> float | None:
        """When a sample is wanted because it will decide something; None at rest."""
        if self._doubted_at is not None:
            return self._doubted_at + self._patience
        return None if self._confirmed else self._since + self._stable_for

    @property
    def _patience(self) -> float:
        # A level that is about to count is not given up before its end had time to be reported.
        return self._stable_for if self.level == self.down else self._edge_late

    def edge(self, time: float, down: bool) -> Change | None:
        """The line went down or up; the change, if any, that the level before it amounts to."""
        # Two edges to the same level mean that one between them was lost: nothing was stable.
        change = self._settle(time) if down != self.level else None
        self._begin(down, time)
        return change

    def sample(self, time: float, down: bool) -> Change | None:
        """The line was looked at; the change, if any, that has become certain."""
        if down != self.level:
            if self._doubted_at is None:
                self._doubted_at = time
            if time - self._doubted_at < self._patience:
                return None
            self.lost_an_edge = True
            self._begin(down, self._doubted_at)
        self._doubted_at = None
        return self._settle(time)

    def reported(self, time: float) -> Change | None:
        """Nothing was reported until then; the change, if any, that what was reported before amounts to."""
        return self._settle(time) if self._doubted_at is None else None

    def _begin(self, down: bool, time: float) -> None:
        self.level = down
        self._since = max(time, self._since)
        self._confirmed = False
        self._doubted_at = None

    def _settle(self, time: float) -> Change | None:
        if self._confirmed or time - self._since < self._stable_for:
            return None
        self._confirmed = True
        if self.level == self.down:
            return None
        self.down = self.level
        return Change(down=self.down, since=self._since)


class PressDetector:
    """The presses of one button, from its line's edges and samples.

    Held for `long_after` seconds it is a long press, told while the button is still down; let go
    before that, a short one. A button that is down from the start has to be let go first.
    """

    def __init__(
        self,
        button: Button,
        down: bool,
        time: float,
        *,
        place: int = 0,
        stable_for: float = STABLE_FOR,
        long_after: float = LONG_AFTER,
    ) -> None:
        self._button = button
        self._place = place
        self._line = Debouncer(down, time, stable_for)
        self._long_after = long_after
        self._down_since: float | None = None

    @property
    def due(self) -> float | None:
        """When a sample is wanted; None while nothing is going on."""
        if self._line.due is not None:
            return self._line.due
        return None if self._down_since is None else self._down_since + self._long_after

    @property
    def down(self) -> bool:
        """Whether the button is pressed, as far as that is certain."""
        return self._line.down

    @property
    def lost_an_edge(self) -> bool:
        """Whether the line has ever changed without telling."""
        return self._line.lost_an_edge

    def edge(self, time: float, down: bool) -> Press | None:
        """The line went down or up; the press, if any, that is certain with it."""
        return self._turn(self._line.edge(time, down), time)

    def reported(self, time: float) -> Press | None:
        """Nothing was reported until then; the press, if any, that had ended before."""
        return self._turn(self._line.reported(time), time)

    def sample(self, time: float, down: bool) -> Press | None:
        """The line was looked at; the press, if any, that is certain by now."""
        press = self._turn(self._line.sample(time, down), time)
        held_since = self._down_since
        if press is None and held_since is not None and down and time >= held_since + self._long_after:
            self._down_since = None
            press = Press(self._button, "long", time, self._place)
        return press

    def poll(self, time: float, down: bool) -> Press | None:
        """A look at a line that tells no edges: what has changed since the last look changed just now."""
        return self.edge(time, down) if down != self._line.level else self.sample(time, down)

    def _turn(self, change: Change | None, time: float) -> Press | None:
        if change is None:
            return None
        down_since, self._down_since = self._down_since, change.since if change.down else None
        if change.down or down_since is None:
            return None
        held_long = change.since - down_since >= self._long_after
        return Press(self._button, "long" if held_long else "short", time, self._place)


class StormWatch:
    """Tells a line that changes faster than any hand, and for longer than any contact bounces."""

    def __init__(self, edges: int = 1000, within: float = 3.0) -> None:
        self._times: deque[float] = deque(maxlen=edges)
        self._within = within

    def edge(self, time: float) -> bool:
        """The line changed; True when that makes too many changes in too short a time."""
        self._times.append(time)
        return len(self._times) == self._times.maxlen and time - self._times[0] < self._within
