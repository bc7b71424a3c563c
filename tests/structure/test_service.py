"""The service's unit, as systemd's own tools judge it."""

from __future__ import annotations

import subprocess
from pathlib import Path

SYSTEMD = Path(__file__).parents[2] / "systemd"
UNIT = SYSTEMD / "stationmaster.service"
USERS = SYSTEMD / "stationmaster.sysusers"
RULES = SYSTEMD / "70-stationmaster.rules"


def settings() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in UNIT.read_text("utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    # What it starts is not installed where the tests run, and systemd wants to see the file.
    (start,) = settings()["ExecStart"]
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text("utf-8").replace(start.split()[0], "/bin/true"), "utf-8")
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    # It passes keys that it does not know with a mere remark.
    assert (done.returncode, done.stderr) == (0, "")


def test_the_unit_is_well_shut_in() -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", str(UNIT)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_the_pin_library_has_a_folder_to_write_in() -> None:
    unit = settings()
    (runtime,) = unit["RuntimeDirectory"]
    assert unit["WorkingDirectory"] == [f"%t/{runtime}"]
    assert f"LG_WD=%t/{runtime}" in unit["Environment"]


def test_what_starting_again_cannot_mend_is_not_started_again() -> None:
    from companion.command import BAD_CONFIG, USAGE

    (statuses,) = settings()["RestartPreventExitStatus"]
    assert {int(status) for status in statuses.split()} == {USAGE, BAD_CONFIG}
    assert settings()["Restart"] == ["on-failure"]


def test_a_start_that_a_page_asks_for_is_made_and_is_no_failure() -> None:
    unit = settings()
    (status,) = [
        word.partition("=")[2] for word in unit["Environment"] if word.startswith("RESTARTED_AFTER=")
    ]
    assert unit["RestartForceExitStatus"] == unit["SuccessExitStatus"] == [status]
    assert status not in unit["RestartPreventExitStatus"][0].split()


def test_no_emulation_is_installed_in_silence() -> None:
    # What the service uses stands in the file that ./install writes: tests/structure/test_install.py.
    (start,) = settings()["ExecStart"]
    assert start.endswith("stationmaster run --config /etc/stationmaster.toml $OPTIONS")
    assert settings()["Environment"][0] == "OPTIONS="


def test_systemd_waits_for_the_word_of_the_table_and_ends_it_when_none_comes() -> None:
    from companion.stopping import LONGEST

    unit = settings()
    assert unit["Type"] == ["notify"]
    assert 10 <= int(unit["WatchdogSec"][0]) <= 30
    assert int(unit["TimeoutStopSec"][0]) > LONGEST


def test_every_kind_of_device_that_is_used_may_be() -> None:
    allowed = {device.split()[0] for device in settings()["DeviceAllow"]}
    assert settings()["DevicePolicy"] == ["closed"]
    for kind in ("gpiochip", "video4linux", "media", "dma_heap", "ttyACM", "ttyUSB", "ttyAMA", "ttyS"):
        assert f"char-{kind}" in allowed


def test_the_service_is_in_the_groups_of_its_devices() -> None:
    members = [line.split() for line in USERS.read_text("utf-8").splitlines() if line.startswith("m ")]
    (user,) = settings()["User"]
    assert {group for _, name, group in members if name == user} == {"dialout", "gpio", "render", "video"}


def test_a_pico_is_the_group_s_and_no_modem() -> None:
    from firmware_bridge.controller_line import RASPBERRY_PI

    rules = [line for line in RULES.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    assert len(rules) == 2
    assert all(f'=="{RASPBERRY_PI:04x}"' in rule for rule in rules)
    (tty,) = [rule for rule in rules if 'SUBSYSTEM=="tty"' in rule]
    assert 'GROUP="dialout"' in tty
    assert all("ID_MM_" in rule for rule in rules)
