"""Who has a pin, read off what the kernel shows of other programs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_bridge.line_users import told_users


def program(proc: Path, number: int, name: str, *files: tuple[str, str]) -> None:
    """A program as the kernel shows it, with these open files: what each is, and what is said of it."""
    home = proc / str(number)
    for part in ("fd", "fdinfo"):
        (home / part).mkdir(parents=True)
    (home / "comm").write_text(name + "\n")
    for at, (file, info) in enumerate(files):
        (home / "fd" / str(at)).symlink_to(file)
        (home / "fdinfo" / str(at)).write_text(info)


def line(number: int) -> tuple[str, str]:
    return "anon_inode:gpio-line", f"pos:\t0\ngpio-chip:\tgpiochip0\ngpio-line:\t{number}\n"


def test_the_program_that_holds_the_line_is_named(tmp_path: Path) -> None:
    program(tmp_path, 812, "python3", ("/dev/null", "pos:\t0\n"), line(17))
    program(tmp_path, 900, "pump", line(22))
    program(tmp_path, 901, "bash", ("/dev/gpiochip0", "pos:\t0\n"))
    assert told_users(17, "lg", tmp_path) == (
        "The kernel knows its user as 'lg'. Programs that hold it, or other pins: python3 (process 812)."
    )
    assert "pump (process 900)" in told_users(22, proc=tmp_path)
    assert told_users(4, proc=tmp_path) == ""


def test_an_older_kernel_does_not_say_which_line(tmp_path: Path) -> None:
    program(tmp_path, 812, "python3", ("anon_inode:gpio-linehandle", "pos:\t0\n"))
    program(tmp_path, 813, "knob", ("anon_inode:gpio-event", "pos:\t0\n"))
    told = told_users(17, proc=tmp_path)
    assert "knob (process 813), python3 (process 812)" in told


def test_oneself_and_what_may_not_be_looked_at_are_left_out(tmp_path: Path) -> None:
    program(tmp_path, os.getpid(), "stationmaster", line(17))
    (tmp_path / "77").mkdir()
    (tmp_path / "version").write_text("Linux")
    program(tmp_path, 78, "gone", line(17))
    (tmp_path / "78" / "fdinfo" / "0").unlink()
    assert told_users(17, proc=tmp_path) == ""


def test_a_driver_of_the_kernel_is_named_as_it_names_itself(tmp_path: Path) -> None:
    assert told_users(8, "spi0 CS0", tmp_path) == "The kernel knows its user as 'spi0 CS0'."


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no /proc here")
def test_the_real_kernel_is_read_without_fail() -> None:
    assert isinstance(told_users(17), str)
