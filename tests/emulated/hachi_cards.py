"""Hachi Train's cards without markers, and their faces: one photograph of each kind of car, in a folder."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from companion import games, packs
from companion.emulated.box import Box, box_of, without_markers
from companion.emulated.cutouts import Image
from companion.emulated.photographs import keep, photograph
from companion.emulated.poses import Key
from companion.games.hachi_train.cards import KINDS
from companion.games.hachi_train.state import SEATS, State
from companion.games.hachi_train.table import CAR, tokens
from vision.card_faces import CardFaces
from vision.enrolled import Enrolled

GAME: Any = games.load("hachi_train")
STATE: State = GAME.setup(SEATS, packs.load(GAME, "house"), {})
CARDS: frozenset[Key] = frozenset((token.kind, token.name) for token in tokens())
"""All of its cards, asset cards among them."""


@lru_cache(maxsize=1)
def box() -> Box:
    """What they look like."""
    return without_markers(box_of(GAME, STATE), CARDS)


def file_of(folder: Path, kind: str) -> Path:
    """Where the photograph of a card of that kind is kept."""
    return folder / f"{kind.replace('/', '-')}.jpg"


@lru_cache(maxsize=16)
def _photographed(kind: str) -> Image:
    # Of all copies, which are alike, any one.
    return photograph(box().piece(CAR, f"{kind} 2"), sum(map(ord, kind)))


def take(folder: Path, kind: str) -> None:
    """Photograph a card of that kind into the folder."""
    keep(_photographed(kind), file_of(folder, kind))


def learned(kinds: Iterable[str]) -> CardFaces:
    """The faces of those kinds of card."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind in kinds:
            take(folder, kind)
        found = Enrolled(folder).faces()
    assert found is not None
    assert found.faults == ()
    return found


@lru_cache(maxsize=1)
def faces() -> CardFaces:
    """The faces of all kinds."""
    return learned(KINDS)
