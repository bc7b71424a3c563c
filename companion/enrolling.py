"""The threads that learn an owner's cards and dice from photographs, also those taken while a game runs."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from companion.games.game import Game
from companion.kit_dice import kit_dice
from firmware_bridge.device import Fault
from vision import known_cards
from vision.card_faces import CardFaces
from vision.enrolled import Enrolled
from vision.known_dice import FACES, EnrolledDice

NAME = "photographs"
CARDS = "cards"
"""The folder in the state folder for photographs of cards that nobody enters; in it one folder a game."""

DICE = "dice"
"""What the device is called that learns dice, and the folder of their photographs in the state folder."""

EVERY = 2.0
"""Seconds after which the folder is looked at again."""


class _Following(ABC):
    """Looks at a folder again and again, in a thread of its own; `tell` hears what is wrong with it."""

    name = NAME

    def __init__(self, tell: Callable[[Fault], None]) -> None:
        self._tell = tell
        self._told = Fault(self.name, "", "")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"enrolling {self.name}", daemon=True)

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
            found = self._learn()
        except OSError as fault:
            found = self._unread(fault)
        if found != self._told:
            self._told = found
            self._tell(found)

    def _run(self) -> None:
        self.look()
        while not self._stop.wait(EVERY):
            self.look()

    @abstractmethod
    def _learn(self) -> Fault:
        """Learn what has changed, and say what is wrong; OSError when a file cannot be read."""

    @abstractmethod
    def _unread(self, fault: OSError) -> Fault:
        """What to tell people of a folder that cannot be read."""

    def _first(self, faults: Sequence[known_cards.Fault]) -> Fault:
        """What is wrong with the first photograph that is of no use, and how many others are."""
        if not faults:
            return Fault(self.name, "", "")
        first = faults[0]
        more = f" So it is with {len(faults) - 1} more." if len(faults) > 1 else ""
        return Fault(self.name, f"The photograph of {first.card}: {first.words}{more}", first.cure)


class Enrolling(_Following):
    """Follows the folder in which the photographs of cards are kept; `faces` is what is known by now (any
    thread).

    `cards` are those of which there may be a photograph; none given: any. `tell` hears of photographs by
    which no card can be told, and of a folder that cannot be read.
    """

    def __init__(self, folder: Path, tell: Callable[[Fault], None], cards: Sequence[str] = ()) -> None:
        super().__init__(tell)
        self.faces: CardFaces | None = None
        self._enrolled = Enrolled(folder, cards)

    def _learn(self) -> Fault:
        self.faces = self._enrolled.faces()
        return self._first(self.faces.faults if self.faces is not None else ())

    def _unread(self, fault: OSError) -> Fault:
        words = f"The photographs of your cards cannot be read ({fault})."
        return Fault(self.name, words, "See to the folder; meanwhile lay such cards by phone.")


class EnrollingDice(_Following):
    """Follows the folder in which the photographs of dice are kept; `faces` is what is known by now (any
    thread): the game's printed faces until each face has been photographed.

    `tell` hears of photographs by which no face can be told, and of faces that are missing.
    """

    name = DICE

    def __init__(self, game: Game[Any, Any], folder: Path, tell: Callable[[Fault], None]) -> None:
        super().__init__(tell)
        self._kit = kit_dice(game)
        self.faces = self._kit
        self._enrolled = EnrolledDice(folder)

    def _learn(self) -> Fault:
        known = self._enrolled.dice()
        if known is None or known.missing:
            self.faces = self._kit
        else:
            self.faces = known.faces
        if known is None or known.faults or not known.missing:
            return self._first(known.faults if known is not None else ())
        have = f"{len(known.named)} of {len(FACES)} faces of your dice are photographed."
        return Fault(self.name, have, f"Photograph {', '.join(known.missing)} as well.")

    def _unread(self, fault: OSError) -> Fault:
        words = f"The photographs of your dice cannot be read ({fault})."
        return Fault(self.name, words, "See to the folder; meanwhile enter dice on a phone.")
