"""The lamps follow a whole game at the emulated table, seen by its camera."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.signals import follow, signals
from firmware_bridge.lamps import MockLamps
from firmware_bridge.pins import Pins, SeatPins
from tests.emulated.house import House
from tests.hardware.virtual import VirtualTime, running, until

SEATS = ("red", "blue", "green")
PINS = Pins(buzzer=18, seats={place: SeatPins(lamp=place + 4) for place in range(1, 9)})


def awaited(house: House) -> set[int]:
    """The places of those whose own phones say that something is for them to do or to answer."""
    found = set()
    for place, seat in enumerate(SEATS, 1):
        view = house.view(seat)
        yours = view.prompt is not None and view.prompt.yours
        asked = view.proposal is not None and seat in house.table.published.waiting
        if yours or asked:
            found.add(place)
    return found


def follow_the_game(folder: Path, steps: int) -> bool:
    """Play so many steps, all of a game if it ends before; whether a lamp has blinked meanwhile."""
    house = House(folder, 4, SEATS)
    # Its clock stands still, so that a lamp that blinks is on.
    device = MockLamps(PINS, lambda fault: None, clock=VirtualTime())
    acts: list[tuple[set[int], set[int], bool]] = []

    def note(revision: int) -> None:
        shown = signals(house.table.published).lamps
        blinks = any(shine == "blink" for _, shine in shown)
        acts.append(({place for place, _ in shown}, awaited(house), blinks))

    stops = follow(house.table, [device]), house.table.listen(note)
    with running(device):
        house.people.begin()
        for _ in range(steps):
            if house.game.over(house.people.state):
                assert device.lit() == ()
                break
            house.people.step()
            until(lambda: set(device.lit()) == awaited(house))
    for stop in stops:
        stop()
    house.close()
    assert [act for act in acts if act[0] != act[1]] == []
    assert {frozenset(act[0]) for act in acts} >= {frozenset((place,)) for place in (1, 2, 3)}
    return any(blinks for *_, blinks in acts)


def test_after_every_act_the_lamps_are_on_of_exactly_those_who_are_awaited(tmp_path: Path) -> None:
    follow_the_game(tmp_path, steps=30)


@pytest.mark.deep
def test_so_they_are_through_a_whole_game(tmp_path: Path) -> None:
    assert follow_the_game(tmp_path, steps=2000)
