"""The machine in which the tests of the rig run, with Stationmaster installed by its own ./install."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import pytest

from rig.images import HERE, bare, put_checkout
from rig.machine import Machine, folder
from tests.rig.table import Table


@dataclass(frozen=True)
class Installed:
    """The image of a machine after two runs of ./install; what each said, and how long it took (s)."""

    image: Path
    said: tuple[str, str]
    seconds: tuple[float, float]
    files: tuple[frozenset[str], frozenset[str]]


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder of rig/build."""
    found = folder()
    if not (found / "root.stamp").exists():
        pytest.fail(f"There is no machine in {found}. ./test --rig builds it, and so does rig/build.")
    return found


@pytest.fixture(scope="session")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    image = tmp_path_factory.mktemp("rig") / "installed.qcow2"
    said, seconds, files = [], [], []
    with Machine(built, bare(built)) as machine:
        put_checkout(machine)
        before = _files(machine)
        for _ in range(2):
            began = monotonic()
            said.append(machine.run(f"cd {HERE} && ./install", patience=1800))
            seconds.append(monotonic() - began)
            files.append(_files(machine) - before)
        # On a Pi lgpio is one of the system's packages, and the environment sees those.
        pip = "/opt/stationmaster/.venv/bin/pip --quiet install --no-deps --require-hashes -r /opt/lgpio.lock"
        machine.run(pip)
        machine.run("systemctl stop stationmaster")
        machine.save(image)
    return Installed(image, (said[0], said[1]), (seconds[0], seconds[1]), (files[0], files[1]))


@pytest.fixture
def table(built: Path, installed: Installed) -> Iterator[Table]:
    """A machine for one test, with the service stopped. What it said is shown should the test fail."""
    with Machine(built, installed.image) as machine:
        try:
            yield Table(machine)
        finally:
            print(machine.try_to("journalctl --unit stationmaster --no-pager --output short-monotonic")[1])


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    """The file of an empty disk with a file system."""
    file = tmp_path / "disk"
    with open(file, "wb") as empty:
        empty.truncate(64 << 20)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", str(file)], check=True)
    return file


def _files(machine: Machine) -> frozenset[str]:
    """All files of the machine that are on its disk, but for those that it writes by itself."""
    found = machine.run("find / -xdev -not -type d -not -path '/var/log/*' -not -path '/tmp/*'")
    return frozenset(found.splitlines())
