"""Debouncing with an injected clock: trains of edges in, changes and presses out."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.debounce import EDGE_LATE, Change, Debouncer, PressDetector, StormWatch
from firmware_bridge.press import Press

STABLE = 0.020

Train = list[tuple[float, bool]]

# Edges between a twentieth of a millisecond and a fifth of a second apart, in whole steps so that
# no sum of floats decides what is stable.
gaps = st.lists(st.one_of(st.integers(1, 500), st.integers(300, 4000)), max_size=40)


def train(steps: list[int], *, down: bool) -> Train:
    """Edges that alternate, `down` first, so many steps of 0.05 ms apart."""
    edges, at = [], 0
    for step in steps:
        at += step
        edges.append((at / 20000, down))
        down = not down
    return edges


def changes(edges: Train, end: float, *, down: bool = False) -> list[Change]:
    line = Debouncer(down, 0.0, STABLE)
    found = [line.edge(at, level) for at, level in edges]
    level = edges[-1][1] if edges else down
    found.append(line.sample(end, level))
    return [change for change in found if change]


@given(gaps, st.booleans())
def test_once_quiet_the_state_is_the_level(steps: list[int], down: bool) -> None:
    edges = train(steps, down=not down)
    line = Debouncer(down, 0.0, STABLE)
    for at, level in edges:
        line.edge(at, level)
    last_at, last_level = edges[-1] if edges else (0.0, down)
    line.sample(last_at + STABLE + 1e-9, last_level)
    assert line.down == last_level
    assert line.due is None


@given(gaps, st.sets(st.integers(0, 39)), st.booleans())
def test_once_quiet_the_state_is_the_level_though_edges_were_lost(
    steps: list[int], lost: set[int], down: bool
) -> None:
    edges = train(steps, down=not down)
    line = Debouncer(down, 0.0, STABLE)
    for index, (at, level) in enumerate(edges):
        if index not in lost:
            line.edge(at, level)
    last_at, last_level = edges[-1] if edges else (0.0, down)
    for later in (0.0, EDGE_LATE + 1e-6, EDGE_LATE + STABLE + 2e-6):
        line.sample(last_at + later, last_level)
    assert line.down == last_level
    assert line.due is None


@given(gaps, st.booleans())
def test_changes_are_exactly_the_stable_levels(steps: list[int], down: bool) -> None:
    edges = train(steps, down=not down)
    end = (edges[-1][0] if edges else 0.0) + 1.0
    stable = [down]
    for (at, level), (until, _) in pairwise([*edges, (end, down)]):
        if until - at >= STABLE and level != stable[-1]:
            stable.append(level)
    assert [change.down for change in changes(edges, end, down=down)] == stable[1:]


def test_a_spike_of_a_millisecond_is_nothing() -> None:
    assert changes([(1.000, True), (1.001, False)], 2.0) == []


def test_a_press_of_thirty_milliseconds_is_one() -> None:
    assert changes([(1.000, True), (1.030, False)], 2.0) == [Change(True, 1.000), Change(False, 1.030)]


def test_a_change_dates_from_when_the_bouncing_ended() -> None:
    bouncy = [(1.000, True), (1.002, False), (1.003, True), (1.004, False), (1.012, True)]
    assert changes(bouncy, 2.0) == [Change(True, 1.012)]


def test_an_edge_that_comes_later_than_it_is_seen_is_not_lost() -> None:
    line = Debouncer(False, 0.0, STABLE)
    line.edge(1.000, True)
    # A busy machine: the first look is so late that the line is up again, and its edge on the way.
    assert line.sample(1.060, False) is None
    assert line.edge(1.050, False) == Change(True, 1.000)
    assert line.sample(1.080, False) == Change(False, 1.050)


def test_an_edge_that_never_comes_is_made_good() -> None:
    line = Debouncer(False, 0.0, STABLE)
    assert line.sample(1.000, True) is None
    assert line.due == pytest.approx(1.000 + STABLE)
    assert line.sample(1.001 + STABLE, True) == Change(True, 1.000)
    assert line.lost_an_edge


def presses(edges: Train, end: float, *, look_every: float = 0.004, down: bool = False) -> list[Press]:
    """What a detector tells that hears each edge and looks at the line regularly until `end`."""
    detector = PressDetector("undo", down, 0.0, stable_for=STABLE, long_after=0.7)
    found: list[Press | None] = []
    pending = list(edges)
    for look in range(1, int(end / look_every) + 1):
        now = look * look_every
        while pending and pending[0][0] <= now:
            at, down = pending.pop(0)
            found.append(detector.edge(at, down))
        found.append(detector.sample(now, down))
    return [press for press in found if press]


def kinds(edges: Train, end: float = 5.0, *, down: bool = False) -> list[str]:
    return [press.kind for press in presses(edges, end, down=down)]


def test_four_falling_edges_in_twelve_milliseconds_are_one_press() -> None:
    edges = [(1 + ms / 1000, ms % 4 == 0) for ms in range(0, 14, 2)]
    assert sum(level for _, level in edges) == 4
    assert kinds([*edges, (1.1, False)]) == ["short"]


def test_a_bouncing_release_is_no_second_press() -> None:
    assert kinds(
        [(1.0, True), (1.2, False), (1.203, True), (1.206, False), (1.209, True), (1.21, False)]
    ) == ["short"]


def test_noise_of_three_kilohertz_is_no_press() -> None:
    assert kinds([(1 + n / 6000, n % 2 == 0) for n in range(6000)]) == []


def test_each_of_many_clean_presses_counts_once() -> None:
    edges = [(1 + n * 0.05, n % 2 == 0) for n in range(40)]
    assert kinds(edges) == ["short"] * 20


def test_a_long_press_is_told_while_the_button_is_held() -> None:
    (press,) = presses([(1.0, True), (3.0, False)], 5.0)
    assert press.kind == "long"
    assert press.time == pytest.approx(1.7, abs=0.005)


def test_a_press_that_ends_just_before_it_is_long_is_short() -> None:
    assert kinds([(1.0, True), (1.69, False)]) == ["short"]


def test_the_kind_is_right_though_nobody_looked_in_time() -> None:
    detector = PressDetector("undo", False, 0.0)
    detector.edge(1.0, True)
    detector.edge(2.0, False)
    held_long = detector.sample(9.0, False)
    assert held_long is not None
    assert held_long.kind == "long"
    detector.edge(10.0, True)
    detector.edge(10.2, False)
    held_briefly = detector.sample(19.0, False)
    assert held_briefly is not None
    assert held_briefly.kind == "short"


def test_a_button_that_was_down_from_the_start_is_no_press() -> None:
    assert kinds([(2.0, False), (3.0, True), (3.1, False)], down=True) == ["short"]


def test_a_press_counts_though_the_last_edge_of_its_bouncing_was_lost() -> None:
    detector = PressDetector("undo", False, 0.0, stable_for=STABLE, long_after=0.7)
    found = [detector.edge(1.000, True), detector.edge(1.001, False)]
    # It went down again for a tenth of a second, told by no edge; looked at only when that is due.
    for _ in range(2):
        assert detector.due is not None
        assert detector.due < 1.1
        found.append(detector.sample(detector.due + 1e-6, True))
    found += [detector.edge(1.100, False), detector.sample(1.121, False)]
    assert [press.kind for press in found if press] == ["short"]


def test_a_lost_release_does_not_hold_the_button_for_ever() -> None:
    detector = PressDetector("undo", False, 0.0)
    detector.edge(1.0, True)
    assert detector.sample(1.02, True) is None
    # The release tells no edge.
    looks = [detector.sample(1.25 + n / 100, False) for n in range(20)]
    assert [press.kind for press in looks if press] == ["short"]


def test_a_sample_is_wanted_just_while_something_is_going_on() -> None:
    detector = PressDetector("undo", False, 0.0, stable_for=STABLE, long_after=0.7)
    assert detector.due is None
    detector.edge(1.0, True)
    assert detector.due == pytest.approx(1.02)
    detector.sample(1.02, True)
    assert detector.due == pytest.approx(1.7)
    assert detector.sample(1.7, True) is not None
    assert detector.due is None


def test_a_polled_line_gives_the_same_presses() -> None:
    detector = PressDetector("undo", False, 0.0, stable_for=STABLE, long_after=0.7)
    downs = [(1.0, 1.1), (2.0, 2.003), (3.0, 3.03), (4.0, 5.0)]
    looks = [n * 0.004 for n in range(1500)]
    found = [detector.poll(now, any(a <= now < b for a, b in downs)) for now in looks]
    assert [press.kind for press in found if press] == ["short", "short", "long"]


def test_a_storm_is_told_from_eager_fingers() -> None:
    eager = StormWatch()
    # Ten presses a second, each bouncing eight times.
    assert not any(eager.edge(n / 80) for n in range(3000))
    motor = StormWatch()
    told = [motor.edge(n / 3000) for n in range(3000)]
    assert not any(told[:900])
    assert told[-1]
