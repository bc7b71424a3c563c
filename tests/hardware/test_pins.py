"""Wirings: what hangs where, and what is wrong with them, in words that name both users of a pin."""

from __future__ import annotations

import msgspec
import pytest

from firmware_bridge.pins import USUAL, Pins, SeatPins, wires, wiring_faults


def read(**section: object) -> Pins:
    """The section `[pins]` with these keys, as TOML gives them."""
    return msgspec.convert(section, Pins, str_keys=True)


def test_a_wiring_is_read_as_it_is_written() -> None:
    pins = read(confirm=17, buzzer=18, seats={"1": {"button": 5, "lamp": 6}, "3": {"lamp": 13}})
    assert pins == Pins(confirm=17, buzzer=18, seats={1: SeatPins(5, 6), 3: SeatPins(lamp=13)})
    assert [(wire.gpio, wire.use, wire.name, wire.place) for wire in wires(pins)] == [
        (17, "button", "confirm", 0),
        (18, "buzzer", "buzzer", 0),
        (5, "button", "seat1", 1),
        (6, "lamp", "seat1", 1),
        (13, "lamp", "seat3", 3),
    ]
    assert wires(pins)[-1].path == ("seats", "3", "lamp")
    assert [wire.button for wire in wires(pins) if wire.use == "button"] == ["confirm", "seat"]


@pytest.mark.parametrize(
    "section", [{"confrim": 17}, {"confirm": "17"}, {"seats": {"0": {}}}, {"seats": {"9": {"button": 5}}}]
)
def test_what_no_wiring_says_is_refused(section: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        read(**section)


def test_what_is_in_order_has_no_faults() -> None:
    assert wiring_faults(USUAL) == wiring_faults(Pins()) == ()
    every = Pins(2, 3, 4, 5, {place: SeatPins(4 + 2 * place, 5 + 2 * place) for place in range(1, 9)})
    assert len(wires(every)) == 20
    assert wiring_faults(every) == ()


@pytest.mark.parametrize(
    ("pins", "path", "words"),
    [
        (
            Pins(confirm=17, seats={2: SeatPins(lamp=17)}),
            ("seats", "2", "lamp"),
            "GPIO 17 cannot be both the button confirm and the lamp of place 2",
        ),
        (Pins(undo=27, next=27), ("next",), "both the button undo and the button next"),
        (Pins(buzzer=0), ("buzzer",), "GPIO 0 cannot be the buzzer: with it a Pi reads the identity chip"),
        (Pins(seats={1: SeatPins(1)}), ("seats", "1", "button"), "GPIO 1 cannot be the button of place 1"),
        (Pins(next=28), ("next",), "GPIO 28 cannot be the button next: the header has no such pin"),
        (Pins(next=-1), ("next",), "GPIO -1 cannot be the button next"),
    ],
)
def test_a_fault_names_the_pin_its_users_and_where_it_stands(
    pins: Pins, path: tuple[str, ...], words: str
) -> None:
    (fault,) = wiring_faults(pins)
    assert fault.path == path
    assert words in fault.words


def test_all_faults_are_told_at_once() -> None:
    faults = wiring_faults(Pins(confirm=5, undo=5, next=5, buzzer=99))
    assert [fault.path for fault in faults] == [("undo",), ("next",), ("buzzer",)]
    assert all("the button confirm" in fault.words for fault in faults[:2])
