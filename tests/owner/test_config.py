"""The configuration file: everything wrong in it is told at once, each with its line and its cure."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import games
from companion.command import BAD_CONFIG, OK, USAGE, main
from companion.config import BadConfig, Config, ConfigFault, GameName, Run, load, parse
from companion.config.lines import MOST, read
from companion.config.options import add_options, config_of
from companion.daemon import settings
from firmware_bridge.pins import Pins, SeatPins


def faults(text: str) -> tuple[ConfigFault, ...]:
    with pytest.raises(BadConfig) as bad:
        parse(text, "x.toml")
    return bad.value.faults


def given_as(*words: str) -> Config:
    parser = argparse.ArgumentParser()
    add_options(parser)
    return config_of(parser.parse_args(words))


def test_every_fault_is_told_at_once_with_its_line() -> None:
    found = faults(
        """\
# ours
[run]
game = "hellrial"
prot = 80
port = "x"
table = none
confirm = 5

[pins]
confirm = 17
undo = 17
[pins.seats.1]
button = "5"
[pins.seats.9]
lamp = 3

[pin]
"""
    )
    assert [(fault.line, f"{fault.words} {fault.cure}".strip()) for fault in found] == [
        (
            3,
            'game in [run] is "hellrial". Write "pawns_of_perdition", "hellrail", "rail_raiders_infinite" or '
            '"hachi_train". Do you mean "hellrail"?',
        ),
        (4, "There is no key prot in [run]. Do you mean port?"),
        (5, 'port in [run] is "x". Write a whole number from 0 to 65535.'),
        (
            6,
            "'table = none' is no TOML (Invalid value). A line is KEY = VALUE, and a text stands in quotes: "
            'game = "hellrail".',
        ),
        (7, "There is no key confirm in [run]. It belongs in [pins]."),
        (
            11,
            "GPIO 17 cannot be both the button confirm and the button undo: a pin does one thing. "
            "Give one of them another pin.",
        ),
        (13, 'button in [pins.seats.1] is "5". Write a whole number.'),
        (14, "There is no [pins.seats.9]. What follows pins.seats has to be a whole number from 1 to 8."),
        (17, "There is no section pin. Do you mean pins?"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[run]\nport = [\n 1,\n", 2, "nowhere closed"),
        ('[run]\npack = """\nmine\n', 2, "nowhere closed"),
        ('[run]\npack = "mine\nport = 1\n', 2, "Close the quotes"),
        ("[run]\nport = 1\nport = 2\n", 3, "second time"),
        ("[run]\n[run]\n", 2, "second time"),
        ("[run\nport = 1\n", 1, "[SECTION]"),
        ("[run]\nport 1\n", 2, "KEY = VALUE"),
        ('[run]\nstate = "C:\\users"\n', 2, "for each"),
        ("[run]\n\nport = 70000\n", 3, "from 0 to 65535"),
        ("run = 5\n", 1, "[run]"),
        ("[pins]\nseats = 5\n", 2, "[pins.seats.…]"),
        ("[pins]\nundo = 1\n", 2, "identity chip"),
        ("[pins]\nundo = true\n", 2, "a whole number"),
        ("[controller.digits]\nclk = 3\n", 1, "says no dio"),
        ("[controller]\nbuzzer = 24\n", 2, "a Pico has no such pin"),
        ("[controller]\nundo = 3\nseats.2.lamp = 3\n", 3, "both the button undo and the lamp of place 2"),
        ("[run]\npin_s = 1979-05-27\n", 2, "Do you mean pins?"),
        ('[run]\nstate = "games"\n', 2, "whole path"),
        ('[run]\ncamera = ""\n', 2, "a folder of photographs"),
        ('run = { port = 80, pack = "" }\n', 1, "a pack's name"),
        ("[run]\r\nport = 80\r\nprot = 1\r\n", 3, "port"),
        ("\ufeff[run]\nprot = 1\n", 2, "port"),
        (f"[run]\nport = {'[' * 5000}\n", 2, "no TOML"),
    ],
)
def test_a_fault_is_found_on_its_line_however_it_is_written(text: str, line: int, words: str) -> None:
    (fault,) = faults(text)
    assert fault.line == line
    assert words in f"{fault.words} {fault.cure}"


def test_what_hangs_on_what_cannot_be_read_is_no_fault_of_its_own() -> None:
    (fault,) = faults("[controller.digits\nclk = 3\n[run]\nport = 80\n")
    assert fault.line == 1


def test_wiring_is_looked_at_beside_other_faults() -> None:
    assert [fault.line for fault in faults('[pins]\nconfirm = 5\nundo = "x"\nnext = 5\nnxt = 3\n')] == [
        3,
        4,
        5,
    ]


def test_what_a_file_leaves_out_has_its_default() -> None:
    config = parse("[run]\nport = 80\n[pins.seats.2]\nlamp = 12\n", "x.toml")
    assert config == Config(run=Run(port=80), pins=Pins(seats={2: SeatPins(lamp=12)}))
    assert parse("", "x.toml") == Config()


@given(st.text())
def test_any_text_is_a_configuration_or_a_fault(text: str) -> None:
    try:
        config = parse(text, "x.toml")
    except BadConfig as bad:
        lines = [fault.line for fault in bad.faults]
    else:
        assert isinstance(config, Config)
        return
    assert lines
    assert set(lines) <= set(range(1, len(text.split("\n")) + 1))


@given(
    st.lists(
        st.sampled_from(["[run]", "[pins]", "port = 1", "undo = 5", "x", '"""', "a = [", "]", "# x", ""])
    )
)
def test_reading_ends_and_leaves_only_what_is_toml(rows: list[str]) -> None:
    written = read("\n".join(rows))
    assert not read(written.text).misspelt
    assert all(1 <= one.line <= len(rows) for one in written.misspelt)


def test_a_file_that_is_not_there_or_no_text_is_said_in_words(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match=r"none\.toml: There is no such file\. Type: stationmaster config"):
        load(tmp_path / "none.toml")
    with pytest.raises(BadConfig, match="cannot be read"):
        load(tmp_path)
    bad = tmp_path / "latin.toml"
    bad.write_bytes("[run]\n# Grüße\n".encode("latin-1"))
    with pytest.raises(BadConfig, match="line 2: This line is no UTF-8 text"):
        load(bad)


def test_some_other_file_is_told_soon(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("Dec 01 00:00:01 table kernel: a line\n" * 1000)
    with pytest.raises(BadConfig) as bad:
        load(log)
    assert [fault.line for fault in bad.value.faults] == [*range(1, MOST + 1)]
    log.write_text("# a line\n" * 20_000)
    with pytest.raises(BadConfig, match="Name the right file"):
        load(log)


def test_every_game_can_be_named() -> None:
    assert GameName.__args__ == games.NAMES  # type: ignore[attr-defined]


def test_the_command_line_beats_the_file(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text(
        '[run]\nport = 80\ngame = "hellrail"\ntable = "none"\n[controller]\nline = "auto"\nundo = 3\n'
    )
    config = given_as("--config", str(file), "--port", "90", "--state", "games", "--controller", "none")
    assert (config.run.port, config.run.game, config.run.table) == (90, "hellrail", "none")
    assert config.run.state == str(Path.cwd() / "games")
    assert config.controller is not None
    assert (config.controller.line, config.controller.undo) == ("none", 3)
    # Who names a camera wants to be seen by it, whatever the file says of the table.
    assert settings(given_as("--config", str(file), "--camera", "auto")).table == "camera"


def test_what_is_left_open_is_decided() -> None:
    def decided(text: str) -> tuple[str, str, str]:
        found = settings(parse(text, "x.toml"))
        return found.table, found.camera, found.pins

    assert decided("") == ("emulated", "auto", "none")
    assert decided('[run]\ncamera = "/dev/video0"\n[pins]\nundo = 3\n') == (
        "camera",
        "/dev/video0",
        "gpiozero",
    )
    assert decided('[run]\ntable = "none"\npins = "mock"\n') == ("none", "auto", "mock")
    assert settings(parse('[run]\nstate = "~/g"\n', "x.toml")).state == Path.home() / "g"


def test_a_bad_file_ends_the_start_so_that_systemd_does_not_try_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.toml"
    file.write_text("[run]\nprot = 80\nport = -1\n")
    state = tmp_path / "state"
    assert main(["run", "--config", str(file), "--state", str(state)]) == BAD_CONFIG
    assert capsys.readouterr().err.splitlines() == [
        f"stationmaster: {file}, line 2: There is no key prot in [run]. Do you mean port?",
        f"stationmaster: {file}, line 3: port in [run] is -1. Write a whole number from 0 to 65535.",
    ]
    assert not state.exists()
    assert main(["config", "--check", str(file)]) == BAD_CONFIG
    file.write_text("[run]\nport = 80\n")
    assert main(["config", "--check", str(file)]) == OK


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_said(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.touch(0o000)
    with pytest.raises(BadConfig, match="may not read it"):
        load(file)


def test_options_that_cannot_be_are_all_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--config", "/dev/null", "--port", "99999", "--seed", "-1", "--camera", ""]) == USAGE
    told = capsys.readouterr().err
    assert all(option in told for option in ("--port", "--seed", "--camera"))
    assert main(["run", "--config", "/dev/null", "--camera", "auto", "--table", "none"]) == USAGE
