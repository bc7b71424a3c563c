"""Packs on the disk: an edition's data, shipped with the game or written by an owner."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import Any

from companion import disk
from companion.games.game import Game


class PackError(ValueError):
    """A pack that cannot be used or kept; the text names the file, the fault and what is there instead."""


def names(game: Game[Any, Any]) -> list[str]:
    """The packs that come with the game."""
    folder = resources.files(f"companion.games.{game.name}") / "packs"
    return sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))


def load(game: Game[Any, Any], pack: str) -> Any:
    """A pack by its name, or by the path of a .toml file of one's own. PackError when it is no good."""
    try:
        if pack.endswith(".toml"):
            text = Path(pack).read_text(encoding="utf-8")
        elif pack in (known := names(game)):
            text = (resources.files(f"companion.games.{game.name}") / "packs" / f"{pack}.toml").read_text(
                "utf-8"
            )
        else:
            own = ", and owner for your own cards" if game.owned else ""
            raise PackError(
                f"{game.title} has no pack '{pack}'. It has: {', '.join(known)}{own}; or name a .toml file."
            )
    except (OSError, UnicodeDecodeError) as fault:
        raise PackError(f"The pack {pack} cannot be read: {fault}.") from fault
    try:
        return game.load_pack(text)
    except ValueError as fault:
        raise PackError(f"The pack {pack} is not in order: {fault}") from fault


def save(game: Game[Any, Any], folder: Path, name: str, text: str) -> Path:
    """An owner's pack in the folder, there whole or as it was before, for `load` by its path.

    `text` is the pack as TOML. PackError when the game would not take it, when a file cannot be
    named so, or when it cannot be written; nothing is written then.
    """
    if not re.fullmatch(r"[\w-][\w .-]*", name):
        raise PackError(f"A pack cannot be kept as '{name}'. Use letters, digits, spaces, - and _.")
    path = folder / f"{name}.toml"
    try:
        game.load_pack(text)
    except ValueError as fault:
        raise PackError(f"The pack {path} is not in order: {fault}") from fault
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        disk.write(path, text.encode())
    except OSError as fault:
        raise PackError(f"The pack {path} cannot be written: {fault}.") from fault
    return path
