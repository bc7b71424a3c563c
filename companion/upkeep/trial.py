"""What would keep a table from starting, looked at before somebody starts it so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion import games, packs
from companion.config import ConfigFault
from companion.config.check import Where
from companion.daemon import BadConfiguration, Settings, listening
from companion.games.game import Game
from companion.own_cards import owners_file
from companion.packs import PackError
from vision.source import SourceFault, open_source


def trial(settings: Settings, running: Settings) -> tuple[ConfigFault, ...]:
    """All that can be known now of what a table with these settings would end with at its start.

    `running` are those of this process.
    """
    return tuple(ConfigFault(0, words, cure, where) for where, words, cure in _trials(settings, running))


def _trials(settings: Settings, running: Settings) -> Iterator[tuple[Where, str, str]]:
    try:
        _load_pack(games.load(settings.game), settings)
    except PackError as fault:
        yield ("run", "pack"), str(fault), ""
    if settings.port != running.port:
        try:
            listening(settings).close()
        except BadConfiguration as fault:
            yield ("run", "port"), str(fault), ""
    if settings.table == "camera":
        try:
            open_source(settings.camera)
        except SourceFault as fault:
            yield ("run", "camera"), fault.words, fault.cure


def _load_pack(game: Game[Any, Any], settings: Settings) -> None:
    """Load it, and begin none: an owner's that is not there yet is begun at the start."""
    if settings.pack != "owner" or game.owned is None:
        packs.load(game, settings.pack)
    elif (file := owners_file(game, settings.state)).exists():
        packs.load(game, str(file))
