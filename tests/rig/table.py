"""A table in the machine: its service, its configuration, its devices, and a phone at it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion import journal
from companion.acts import Acts
from companion.games.game import Game
from companion.session import Session
from rig.images import HERE
from rig.machine import Machine
from tests.rig.phone import Phone

CONFIG = "/etc/stationmaster.toml"
GAMES = "/var/lib/stationmaster"
HELD = 0.15
"""Seconds that a short press lasts."""

PYTHON = "/opt/stationmaster/.venv/bin/python"

_COPY = f"""import pathlib, sqlite3
copy = pathlib.Path("/run/copy.sqlite")
copy.unlink(missing_ok=True)
there, here = sqlite3.connect("file:{GAMES}/journal.sqlite?mode=ro", uri=True), sqlite3.connect(copy)
there.backup(here)
"""


class Table:
    """A machine in which Stationmaster is installed, and what is done with it."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def phone(self) -> Phone:
        """A new phone in its network."""
        phone = Phone(self.machine.port)
        phone.page()
        return phone

    # -- the service ------------------------------------------------------------------------------

    def configure(self, text: str) -> None:
        """Write the configuration, wherever its name leads."""
        self.machine.put("/run/configuration", text.encode())
        self.machine.run(f"cat /run/configuration >{CONFIG}")

    def start(self) -> float:
        """Start the service; the seconds until it is ready."""
        return self._timed("start")

    def stop(self) -> float:
        """Stop the service; the seconds that this took."""
        return self._timed("stop")

    def shown(self, *properties: str) -> dict[str, str]:
        """What systemd says of the service."""
        wanted = " ".join(f"--property {name}" for name in properties)
        said = self.machine.run(f"systemctl show stationmaster {wanted}")
        return dict(line.split("=", 1) for line in said.splitlines())

    def log(self) -> str:
        """What the service has said, and systemd of it."""
        return self.machine.run("journalctl --unit stationmaster --no-pager --output cat")

    def _timed(self, what: str) -> float:
        said = self.machine.run(
            f"date +%s.%N; systemctl {what} stationmaster || systemctl status stationmaster; date +%s.%N"
        )
        before, *words, after = said.split()
        assert not words, said
        return float(after) - float(before)

    # -- the game ---------------------------------------------------------------------------------

    def acts(self, folder: Path) -> list[Acts]:
        """What stands in the journal now; a copy of it is left in that folder."""
        self.machine.put("/run/copy.py", _COPY.encode())
        self.machine.run("python3 /run/copy.py")
        (folder / "journal.sqlite").write_bytes(self.machine.get("/run/copy.sqlite"))
        return journal.read(folder)

    def session(self, game: Game[Any, Any], folder: Path) -> Session:
        """What the journal comes to."""
        return Session.replay(self.acts(folder)).at(game)

    # -- the devices ------------------------------------------------------------------------------

    def solder(self) -> None:
        """Give the machine a chip of pins."""
        self.guest_script("pins.sh")

    def press(self, gpio: int) -> None:
        """Press the button at this line, shortly."""
        self._held(f"/run/pins/sim_gpio{gpio}/pull", "write_text('pull-down')", "write_text('pull-up')")

    def lit(self, *gpios: int) -> tuple[int, ...]:
        """Which of these lines are driven high."""
        said = self.machine.run(f"cat {' '.join(f'/run/pins/sim_gpio{gpio}/value' for gpio in gpios)}")
        return tuple(gpio for gpio, value in zip(gpios, said.split(), strict=True) if value == "1")

    def pico(self, what: str) -> None:
        """ "plug" or "unplug" a Pico with our firmware."""
        self.guest_script("pico.sh", what)

    def pico_shows(self) -> dict[str, Any]:
        """What hangs on the Pico shows: `lamps`, `digits`, and what was `heard`."""
        status, said = self.machine.try_to("cat /run/pico/shown")
        found: dict[str, Any] = {} if status else json.loads(said)
        return found

    def pico_press(self, gpio: int) -> None:
        """Press a button that hangs on the Pico, shortly."""
        self._held(f"/run/pico/low{gpio}", "touch()", "unlink()")

    def _held(self, path: str, press: str, let_go: str) -> None:
        """In one program, since a press that lasts because others have to start is a long one."""
        file = f"pathlib.Path('{path}')"
        self.machine.run(
            f'python3 -c "import pathlib, time; {file}.{press}; time.sleep({HELD}); {file}.{let_go}"'
        )

    def guest_script(self, name: str, *words: str) -> str:
        """Run one of the scripts in rig/guest."""
        return self.machine.run(f"{HERE}/rig/guest/{name} {' '.join(words)}")


def until(holds: Callable[[], bool], seconds: float = 120) -> float:
    """Wait until it holds; how many seconds it took."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < seconds, f"it did not come to that in {seconds:.0f} seconds"
        time.sleep(0.1)
    return time.monotonic() - began
