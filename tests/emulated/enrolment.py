"""HellRail's cards without markers: which they are, and their faces, learned from photographs in a folder."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

from companion import games, packs
from companion.emulated.box import Box, box_of, without_markers
from companion.emulated.cutouts import Image
from companion.emulated.photographs import keep, photograph
from companion.emulated.poses import Key
from companion.games.hellrail.state import State
from vision.card_faces import CardFaces
from vision.enrolled import Enrolled

GAME: Any = games.load("hellrail")
STATE: State = GAME.setup(("red", "blue"), packs.load(GAME, "house"), {})
CARDS: frozenset[Key] = frozenset(
    [("rail", card.name) for card in STATE.edition.rails]
    + [("circle", circle.name) for circle in STATE.edition.circles]
)
"""All of its cards."""


@lru_cache(maxsize=1)
def box() -> Box:
    """What they look like."""
    return without_markers(box_of(GAME, STATE), CARDS)


def file_of(folder: Path, key: Key) -> Path:
    """Where the photograph of a card is kept."""
    kind, name = key
    return folder / (f"{name}.jpg" if kind == "rail" else f"{kind}.{name}.jpg")


@lru_cache(maxsize=16)
def _photographed(key: Key) -> Image:
    return photograph(box().piece(*key), sum(map(ord, "".join(key))))


def take(folder: Path, key: Key) -> None:
    """Photograph a card into the folder."""
    keep(_photographed(key), file_of(folder, key))


@lru_cache(maxsize=1)
def faces() -> CardFaces:
    """The faces of all cards."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for key in sorted(CARDS):
            take(folder, key)
        found = Enrolled(folder).faces()
    assert found is not None
    return found
