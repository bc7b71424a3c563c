"""What is printed of a pack: all of its kit, or as much as its owner has entered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion import packs
from companion.games.game import Game
from companion.games.kit import Batch
from companion.own_cards import owners_file

_ENTER = (
    "Start `stationmaster run --game {game} --pack {pack}` and enter them on a phone under Menu, "
    "Your own cards; then print again."
)


class Nothing(ValueError):
    """A pack of which no card is entered; the text says how that is done."""


def batches(game: Game[Any, Any], pack: str, state: Path) -> tuple[tuple[Batch, ...], str]:
    """The kit of the pack that `--pack` names, and a line on the cards that it lacks, "" for none.

    `owner` is the pack in that state folder. PackError when the pack is no good, Nothing when no card
    of it is entered.
    """
    owned = game.owned
    file = owners_file(game, state)
    if owned is None or pack != "owner":
        found = packs.load(game, pack)
    elif file.exists():
        found = packs.load(game, str(file))
    else:
        raise Nothing(f"There are no cards of your own in {state}. {_cure(game, pack)}")
    try:
        kit = game.kit(found)
    except ValueError as fault:
        raise Nothing(f"The pack {pack} cannot be printed. {fault} {_cure(game, pack)}") from fault
    lacking = owned.to_enter(found) if owned is not None else ""
    return kit, f"Left out, since not entered yet: {lacking}. {_cure(game, pack)}" if lacking else ""


def _cure(game: Game[Any, Any], pack: str) -> str:
    return _ENTER.format(game=game.name, pack=pack)
