"""The thread that learns an owner's cards from their photographs, also those taken while a game runs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from firmware_bridge.device import Fault
from vision.card_faces import CardFaces
from vision.enrolled import Enrolled

NAME = "photographs"

EVERY = 2.0
"""Seconds after which the folder is looked at again."""


class Enrolling:
    """Follows the folder in which the photographs are kept; `faces` is what is known by now (any thread).

    `tell` hears of photographs by which no card can be told, and of a folder that cannot be read.
    """

    def __init__(self, folder: Path, tell: Callable[[Fault], None]) -> None:
        self.faces: CardFaces | None = None
        self._enrolled = Enrolled(folder)
        self._tell = tell
        self._told = Fault(NAME, "", "")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="enrolling", daemon=True)

    def start(self) -> None:
        """Begin to learn."""
        self._thread.start()

    def close(self) -> None:
        """Learn no more."""
        self._stop.set()
        self._thread.join()

    def look(self) -> None:
        """Learn what has changed in the folder since."""
        try:
            self.faces = self._enrolled.faces()
            found = _fault(self.faces)
        except OSError as fault:
            words = f"The photographs of your cards cannot be read ({fault})."
            found = Fault(NAME, words, "See to the folder; meanwhile lay such cards by phone.")
        if found != self._told:
            self._told = found
            self._tell(found)

    def _run(self) -> None:
        self.look()
        while not self._stop.wait(EVERY):
            self.look()


def _fault(faces: CardFaces | None) -> Fault:
    """What is wrong with the first photograph that is of no use, and how many others are."""
    faults = faces.faults if faces is not None else ()
    if not faults:
        return Fault(NAME, "", "")
    first = faults[0]
    more = f" So it is with {len(faults) - 1} more." if len(faults) > 1 else ""
    return Fault(NAME, f"The photograph of {first.card}: {first.words}{more}", first.cure)
