"""The locks: complete, hashed, and without the address of any registry."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.lock"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
ENTRY = re.compile(r"([a-z0-9-]+)==(\S+)((?: \\\n    --hash=sha256:[0-9a-f]{64})+)\n")


def entries(lock: Path) -> dict[str, str]:
    """Each package's version; every character of the file belongs to a hashed entry."""
    text = lock.read_text("utf-8")
    assert ENTRY.sub("", text) == ""
    return {match[1]: match[2] for match in ENTRY.finditer(text)}


def named(requirements: list[str], lock: Path) -> set[str]:
    """The packages that are asked for where this lock is for."""
    python = lock.stem.rpartition("-")[2]
    machine = "aarch64" if lock.stem.startswith("pi-") else "x86_64"
    there = {"python_version": python, "platform_machine": machine}
    found = map(Requirement, requirements)
    return {one.name.lower() for one in found if one.marker is None or one.marker.evaluate(there)}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_a_lock_has_hashes_and_no_addresses(lock: Path) -> None:
    assert entries(lock)
    assert "://" not in lock.read_text("utf-8")


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_a_lock_has_all_that_the_project_asks_for(lock: Path) -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = named(
        [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["build"], *extras["vision"]],
        lock,
    )
    if "test-" in lock.stem:
        wanted |= named(extras["dev"], lock)
    if lock.stem.startswith("pi-"):
        # What numpy there is on a Pi, its camera's own packages are built on.
        wanted.remove("numpy")
        assert "numpy" not in entries(lock)
    assert wanted <= set(entries(lock))


def test_there_is_a_lock_for_each_python() -> None:
    pythons = ("3.11", "3.12", "3.13")
    assert PROJECT["project"]["requires-python"] == ">=3.11,<3.14"
    assert {lock.stem for lock in LOCKS} == {
        *(f"{part}-{python}" for part in ("run", "test") for python in pythons),
        *(f"pi-{part}-{python}" for part in ("run", "test") for python in ("3.11", "3.13")),
    }


def test_what_is_tested_is_what_runs() -> None:
    for python in ("3.11", "3.12", "3.13"):
        run, test = (entries(ROOT / "requirements" / f"{part}-{python}.lock") for part in ("run", "test"))
        assert run.items() <= test.items()
