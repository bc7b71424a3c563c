"""The controller's firmware in virtual time: presses, lamps, digits, tunes, and what nonsense does to it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge import controller_messages as messages
from firmware_bridge.controller_messages import Hello, Played, Pressed, Shown
from firmware_bridge.controller_wiring import ControllerPins, ControllerSeatPins, DigitsPins
from firmware_bridge.display import Count
from firmware_bridge.firmware.frames import RELEASE, VERSION, framed
from firmware_bridge.signals import Signals
from firmware_bridge.tunes import TUNES
from tests.hardware.boards import PINS, Bench


def presses(said: list[messages.Heard]) -> list[tuple[int, str, int, str]]:
    return [(one.n, one.button, one.place, one.kind) for one in said if isinstance(one, Pressed)]


# -- presses ------------------------------------------------------------------------------------------


def test_a_bouncing_press_is_one_press_of_its_place() -> None:
    bench = Bench().wired()
    said = []
    for held in (True, False):
        for _ in range(4):
            bench.hold(4, held)
            said += bench.step()
            bench.hold(4, not held)
            said += bench.step()
        bench.hold(4, held)
        said += bench.go_on(100)
    assert presses(said) == [(1, "seat", 3, "short")]


def test_a_long_press_is_told_while_it_is_held_and_only_then() -> None:
    bench = Bench().wired()
    bench.hold(10)
    assert presses(bench.go_on(690)) == []
    assert presses(bench.go_on(60)) == [(1, "confirm", 0, "long")]
    bench.step(framed(b'{"t":"ack","n":1,"boot":"626f6f74"}'))
    bench.hold(10, False)
    assert presses(bench.go_on(1000)) == []


def test_a_spike_is_no_press_and_what_is_held_from_the_start_has_to_be_let_go() -> None:
    bench = Bench()
    bench.hold(2)
    bench.wired()
    said = bench.go_on(1500)
    bench.hold(2, False)
    said += bench.go_on(100)
    for _ in range(20):
        bench.hold(10)
        said += bench.step()
        bench.hold(10, False)
        said += bench.go_on(20)
    assert presses(said) == []
    bench.hold(2)
    bench.go_on(100)
    bench.hold(2, False)
    assert presses(bench.go_on(100)) == [(1, "seat", 1, "short")]


@pytest.mark.parametrize(("held_up", "counted"), [(80, 1), (500, 0)])
def test_a_board_that_is_held_up_for_long_does_not_guess_what_was_between(held_up: int, counted: int) -> None:
    bench = Bench().wired()
    bench.hold(10)
    said = bench.step()
    said += bench.step(milliseconds=held_up)
    bench.hold(10, False)
    said += bench.go_on(100)
    assert len(presses(said)) == counted


def test_a_storming_button_is_switched_off_and_told_until_it_is_wired_anew() -> None:
    bench = Bench().wired()
    for _ in range(500):
        bench.hold(2)
        bench.step()
        bench.hold(2, False)
        bench.step()
    (status,) = bench.step(messages.show(Signals()))
    assert isinstance(status, Shown)
    assert (status.off, status.bad) == (("seat1",), ())
    bench.hold(10)
    bench.go_on(100)
    bench.hold(10, False)
    assert presses(bench.go_on(100)) == [(1, "confirm", 0, "short")]  # the others work
    for attempt, off in (("", ("seat1",)), ("again", ())):
        (status,) = bench.step(messages.wire(PINS, attempt)[1])
        assert isinstance(status, Shown)
        assert status.off == off


def test_a_press_is_sent_until_it_is_acknowledged_and_the_next_one_waits() -> None:
    bench = Bench().wired()
    said = []
    for gpio in (10, 11):
        bench.hold(gpio)
        said += bench.go_on(60)
        bench.hold(gpio, False)
        said += bench.go_on(60)
    said += bench.go_on(1000)
    assert set(presses(said)) == {(1, "confirm", 0, "short")}
    assert 5 <= len(presses(said)) <= 9
    told = [one for one in said if isinstance(one, Pressed)]
    assert [one.age for one in told] == sorted(one.age for one in told)
    # The word for another press, or for one of before this start, is none for this one.
    for wrong in (b'{"t":"ack","n":2,"boot":"626f6f74"}', b'{"t":"ack","n":1,"boot":"00"}'):
        assert set(presses(bench.go_on(400, framed(wrong)))) == {(1, "confirm", 0, "short")}
    said = bench.go_on(400, messages.acknowledge(told[0]))
    assert set(presses(said)) == {(2, "undo", 0, "short")}


def test_presses_for_another_program_or_of_long_ago_are_forgotten() -> None:
    def pressed() -> Bench:
        bench = Bench().wired()
        bench.hold(10)
        bench.go_on(60)
        bench.hold(10, False)
        assert presses(bench.go_on(60))
        return bench

    again = pressed()
    assert presses(again.go_on(400, messages.hello("host"))) != []
    other = pressed()
    assert presses(other.go_on(400, messages.hello("another"))) == []
    alone = pressed()
    alone.go_on(5000)
    assert presses(alone.go_on(400)) == []
    # While the bridge is gone presses are not even collected.
    alone.hold(10)
    alone.go_on(60)
    alone.hold(10, False)
    alone.go_on(60)
    assert presses(alone.go_on(400, messages.hello("host"))) == []


# -- what is shown ------------------------------------------------------------------------------------


def test_lamps_light_and_blink_on_pins_and_strip_alike() -> None:
    bench = Bench().wired()
    bench.step(messages.show(Signals(((1, "on"), (2, "blink"), (8, "on")))))
    seen = set()
    for _ in range(600):
        bench.step()
        seen.add((bench.level(6), bench.level(7), bench.strip()))
        bench.step(messages.show(Signals(((1, "on"), (2, "blink"), (8, "on")))))
    assert seen == {(1, 0, (1, 8)), (1, 1, (1, 2, 8))}
    bench.step(messages.show(Signals()))
    assert (bench.level(6), bench.level(7), bench.strip()) == (0, 0, ())


def test_the_digits_show_a_number_and_blink_near_the_end() -> None:
    bench = Bench()
    assert bench.chip.text() == "    "
    bench.wired()
    for number in (0, 5, 23, 1234, 9999, 678):
        bench.step(messages.show(Signals(count=Count(number))))
        assert bench.chip.text() == f"{number:4}"
    seen = set()
    for _ in range(600):
        bench.step(messages.show(Signals(count=Count(4, last=True))))
        seen.add(bench.chip.text())
    assert seen == {"LASt", "   4"}
    bench.step(messages.show(Signals()))
    assert bench.chip.text() == "    "


def test_what_nobody_stands_by_goes_dark_and_comes_back() -> None:
    bench = Bench().wired()
    signals = Signals(((1, "on"),), Count(17))
    bench.step(messages.show(signals))
    bench.go_on(4900)
    assert (bench.chip.text(), bench.level(6), bench.strip()) == ("  17", 1, (1,))
    bench.go_on(200, messages.show(signals).replace(b"17", b"18"))  # a frame that is none
    assert (bench.chip.text(), bench.level(6), bench.strip()) == ("----", 0, ())
    bench.step(messages.show(signals))
    assert (bench.chip.text(), bench.level(6), bench.strip()) == ("  17", 1, (1,))


def test_a_tune_sounds_once_for_each_number_and_the_latest_alone() -> None:
    bench = Bench().wired()
    heard = bench.pico.tones[15].heard
    for _ in range(3):
        assert Played(1) in bench.step(messages.play(1, "ask"))
    bench.go_on(1000)
    assert heard == [note.hertz for note in TUNES["ask"] if note.hertz]
    heard.clear()
    bench.go_on(30, messages.play(2, "over"))
    bench.go_on(1000, messages.play(3, "turn"))
    assert heard == [TUNES["over"][0].hertz, TUNES["turn"][0].hertz]
    assert bench.pico.tones[15].tone == 0


def test_a_disturbed_display_is_written_anew_and_one_that_is_gone_is_told() -> None:
    bench = Bench().wired()
    bench.step(messages.show(Signals(count=Count(17))))
    bench.chip._segments = [0, 0, 0, 0]
    bench.go_on(1100)
    assert bench.chip.text() == "  17"
    for gpio in (18, 19):
        bench.pico.Pin.known[gpio].watchers.clear()  # its wires are off
    bench.go_on(1100)
    (status,) = bench.step(messages.show(Signals(count=Count(17))))
    assert isinstance(status, Shown)
    assert status.bad == ("digits",)


# -- the wiring ---------------------------------------------------------------------------------------


def test_before_it_is_wired_no_pin_is_touched() -> None:
    bench = Bench()
    before = {number: vars(pin).copy() for number, pin in bench.pico.Pin.known.items()}
    said = bench.go_on(100, messages.hello("host") + messages.show(Signals(((1, "on"),), Count(3))))
    assert said[0] == Hello("host", "626f6f74", VERSION, RELEASE)
    assert isinstance(said[1], Shown)
    assert said[1].wiring == ""
    assert {number: vars(pin) for number, pin in bench.pico.Pin.known.items()} == before


def test_a_pin_that_cannot_be_had_is_told_and_takes_nothing_else_away() -> None:
    pins = ControllerPins(
        confirm=77, undo=11, strip=99, seats={1: ControllerSeatPins(lamp=6), 2: ControllerSeatPins(lamp=-1)}
    )
    bench = Bench(pins).wired()
    (status,) = bench.step(messages.show(Signals(((1, "on"), (2, "on")))))
    assert status == Shown(messages.wire(pins)[0], "626f6f74", ("confirm", "lamp2", "strip"))
    assert bench.level(6) == 1
    bench.hold(11)
    bench.go_on(60)
    bench.hold(11, False)
    assert presses(bench.go_on(60)) == [(1, "undo", 0, "short")]


def test_a_wiring_that_is_said_again_disturbs_no_press() -> None:
    bench = Bench().wired()
    bench.hold(10)
    bench.go_on(100, messages.wire(PINS)[1])
    bench.hold(10, False)
    assert presses(bench.go_on(100)) == [(1, "confirm", 0, "short")]


def test_wiring_anew_leaves_nothing_lit_that_hangs_there_no_more() -> None:
    bench = Bench().wired()
    bench.step(messages.show(Signals(((1, "on"),), Count(17))))
    bench.step(messages.play(1, "over"))
    bench.step(messages.wire(ControllerPins(confirm=10))[1])
    assert (bench.level(6), bench.strip(), bench.chip.text()) == (0, (), "    ")
    assert bench.pico.tones[15].tone == 0


def test_the_largest_wiring_goes_into_a_frame() -> None:
    pins = ControllerPins(
        confirm=26,
        undo=27,
        next=28,
        buzzer=19,
        strip=20,
        digits=DigitsPins(clk=21, dio=22),
        seats={place: ControllerSeatPins(button=place + 9, lamp=place - 1) for place in range(1, 9)},
    )
    bench = Bench(pins).wired()
    (status,) = bench.step(messages.show(Signals()))
    assert isinstance(status, Shown)
    assert status.wiring == messages.wire(pins)[0]


# -- nonsense -----------------------------------------------------------------------------------------

garbage = st.lists(
    st.one_of(
        st.binary(max_size=600),
        st.binary(max_size=40).map(lambda noise: b"$" + noise + b"\n"),
        st.binary(max_size=200).map(lambda body: framed(body)),
    ),
    max_size=5,
).map(b"".join)

values: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)
keys = st.sampled_from(
    ("id", "n", "boot", "session", "buttons", "lamps", "count", "notes", "strip", "digits", "buzzer")
)
messages_of_no_host = st.builds(
    lambda kind, rest: framed(json.dumps({**rest, "t": kind}).encode()),
    st.sampled_from(("hello", "wire", "show", "play", "ack")) | values,
    st.dictionaries(keys, values, max_size=6),
)


@settings(deadline=None)
@given(garbage | messages_of_no_host)
def test_no_garbage_ends_the_firmware_or_keeps_it_from_the_next_frame(noise: bytes) -> None:
    bench = Bench().wired()
    for _ in range(3):
        bench.board.step(bench.now, noise)
    bench.board.step(bench.now, b"\n")
    bench.step(messages.wire(PINS)[1])
    said = bench.step(messages.show(Signals(((2, "on"),), Count(17))))
    assert any(isinstance(one, Shown) for one in said)
    assert (bench.chip.text(), bench.level(7)) == ("  17", 1)


@pytest.mark.parametrize("body", [b"[" * 500, b'{"t":' * 100, b"9" * 500, b"NaN", b"\xff\xfe", b"", b"{}"])
def test_no_strange_json_ends_the_firmware(body: bytes) -> None:
    bench = Bench().wired()
    assert bench.step(framed(body)) == []
    assert bench.step(messages.show(Signals())) != []
