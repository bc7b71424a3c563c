"""Faces of this owner's dice that people put right, kept with consent as small pictures, each by itself.

Nothing else of a frame is ever written. A file's name says all there is to say of it: "6-as-0-....png" is a
six that was read as no pips at all.
"""

from __future__ import annotations

import logging
import queue
import re
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from companion import disk
from companion.games.layout import Cut, Face
from companion.upkeep.camera import Kept
from companion.watch import PutRight
from firmware_bridge.device import Fault
from vision.own_faces import KeptFace, OwnFaces, misread, opened

NAME = "own-dice"
"""What the device is called, and the folder in the state folder."""

MOST = 48
"""Faces that are kept; the oldest goes first."""

LARGEST = 40_000
"""Bytes of one face; what is larger was not kept by Stationmaster."""

_NAME = re.compile(r"([1-6])-as-([0-6])-([0-9a-f]{16})\.png")
_log = logging.getLogger(__name__)


class KeptDice:
    """One folder of kept faces, and the thread that reads and writes it. Any thread may ask.

    `tell` hears of what cannot be read or written there.
    """

    def __init__(self, folder: Path, tell: Callable[[Fault], None]) -> None:
        self._folder, self._tell = folder, tell
        self._faces = OwnFaces(())
        self._kept: tuple[Kept, ...] = ()
        self._of: dict[str, list[str]] = {}
        self._told = Fault(NAME, "", "")
        self._todo: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="own dice", daemon=True)

    def start(self) -> None:
        """Read what is kept, then do what is asked."""
        self._todo.put(lambda: None)
        self._thread.start()

    def close(self) -> None:
        """Do what was asked, and end."""
        self._todo.put(None)
        self._thread.join()

    @property
    def faces(self) -> OwnFaces:
        """What is known by now."""
        return self._faces

    @property
    def kept(self) -> tuple[Kept, ...]:
        """The kept faces, the newest first."""
        return self._kept

    def picture(self, name: str) -> bytes | None:
        """The picture (PNG) of a kept face; None where it is not kept any more."""
        if name not in {face.name for face in self._kept}:
            return None
        try:
            return (self._folder / name).read_bytes()
        except FileNotFoundError:
            return None

    def learn(self, said: PutRight) -> None:
        """Keep what was misread of a throw, in place of what was kept of that throw before."""
        self._todo.put(lambda: self._learn(*said))

    def forget(self, name: str) -> None:
        """Delete that face; every one for ""."""
        with self._lock:
            for face in self._kept:
                if name in ("", face.name):
                    (self._folder / face.name).unlink(missing_ok=True)
            self._read()

    def _run(self) -> None:
        while (todo := self._todo.get()) is not None:
            try:
                with self._lock:
                    todo()
                    fault = self._read()
            except OSError as error:
                _log.warning("The kept faces of dice in %s: %s", self._folder, error)
                words = f"The pictures of your dice cannot be kept or read ({error.strerror})."
                fault = Fault(
                    NAME, words, "See to the folder own-dice. Dice are read without them meanwhile."
                )
            if fault != self._told:
                self._told = fault
                self._tell(fault)

    def _learn(self, throw: str, cuts: Sequence[Cut], values: Sequence[Face]) -> None:
        for name in self._of.pop(throw, []):
            (self._folder / name).unlink(missing_ok=True)
        truth = [value for value in values if isinstance(value, int) and 1 <= value <= 6]
        found = misread(cuts, truth) if len(truth) == len(values) else {}
        wrong = {at: value for at, value in found.items() if cuts[at].value != value}
        if not wrong:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        names = []
        for at, value in wrong.items():
            name = f"{value}-as-{cuts[at].value}-{time.time_ns():016x}.png"
            disk.write(self._folder / name, cuts[at].picture)
            names.append(name)
        self._of = {throw: names}  # of an older throw nothing is put right any more
        for old in self._files()[MOST:]:
            old.unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        """Those that Stationmaster has kept, the newest first."""
        if not self._folder.is_dir():
            return []
        found = [file for file in self._folder.iterdir() if _NAME.fullmatch(file.name)]
        return sorted(found, key=lambda file: file.name.rpartition("-")[2], reverse=True)

    def _read(self) -> Fault:
        """Know what is kept; what is wrong with the first file that cannot be used."""
        faces, kept, bad = [], [], []
        for file in self._files()[:MOST]:
            named = _NAME.fullmatch(file.name)
            assert named is not None
            try:
                if file.stat().st_size > LARGEST:
                    raise ValueError(f"it has more than {LARGEST} bytes")
                face = KeptFace(int(named[1]), int(named[2]), opened(file.read_bytes()))
            except (ValueError, OSError) as wrong:
                bad.append(f"{file.name}, {wrong}")
                continue
            faces.append(face)
            kept.append(Kept(file.name, face.value, face.was))
        self._faces, self._kept = OwnFaces(faces), tuple(kept)
        if not bad:
            return Fault(NAME, "", "")
        words = f"A kept picture of a die cannot be used: {bad[0]}."
        return Fault(NAME, words, f"Delete it from {self._folder}. The others are used.")
