"""The service's unit, as systemd's own tools judge it."""

from __future__ import annotations

import subprocess
from pathlib import Path

UNIT = Path(__file__).parents[2] / "systemd" / "stationmaster.service"


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
        ["systemd-analyze", "security", "--offline=true", "--threshold=40", "--no-pager", str(UNIT)],
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


def test_no_emulation_is_installed_in_silence() -> None:
    (options,) = [value for value in settings()["Environment"] if "OPTIONS" in value]
    assert "--table none" in options
    assert "emulated" not in UNIT.read_text("utf-8")
    assert "mock" not in UNIT.read_text("utf-8")
