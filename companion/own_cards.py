"""The cards that an owner enters: into the pack's file, and into a game that runs without them."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path
from typing import Any

import msgspec

from companion import packs
from companion.acts import Acts, Entered
from companion.clerk import Refused
from companion.course import Illegal
from companion.games.game import Game, Owned
from companion.messages import Enter
from companion.packs import PackError
from companion.session import Session


class OwnCards:
    """A pack that is entered card by card; `file` is where it is kept, whole after each card.

    Photographs of its cards lie in `photographs`, a folder beside it.
    """

    def __init__(self, game: Game[Any, Any], pack: Any, file: Path) -> None:
        if game.owned is None:
            raise ValueError(f"{game.title} has no cards to enter.")
        self.pack = pack
        self.file = file
        self.photographs = file.with_suffix("")
        self._game = game
        self._owned: Owned[Any] = game.owned
        self._content = _content(file)

    def outdated(self, ask: Enter) -> bool:
        """Whether the card has been entered otherwise since this person looked at it."""
        entry, was = self._read(ask.entry), self._read(ask.was)
        try:
            return bool(self._owned.present(self.pack, _kind(entry), entry.card.name) != was)
        except ValueError as fault:
            raise Refused(str(fault)) from fault

    def acts(self, session: Session, person: str, ask: Enter) -> list[Acts]:
        """What a running game gets to know by this; Refused when the card cannot be entered.

        A card that the game knows already stays as it is there, and is another one in the next game.
        """
        self._may(session, person)
        entry = self._read(ask.entry)
        try:
            self._owned.put(self.pack, entry)
            if session.course is None or self._owned.known(session.course.state, entry):
                return []
            session.course.entered(entry)
        except Illegal as fault:
            raise Refused(
                f"What was played already does not fit the card: {fault.ruling.sentence}"
            ) from fault
        except ValueError as fault:
            raise Refused(str(fault)) from fault
        return [Entered(ask.entry, person)]

    def keep(self, ask: Enter) -> None:
        """The card is in the pack's file when this returns.

        Refused when the disk does not take it, or when somebody has changed the file meanwhile.
        """
        pack = self._owned.put(self.pack, self._read(ask.entry))
        text = self._owned.text(pack)
        try:
            if _content(self.file) not in (self._content, None):
                raise Refused(
                    f"{self.file} has been changed outside this page since it was read. Nothing was saved, "
                    "so that no change is lost. Start the table again to have it read, then save once more."
                )
            packs.save(self._game, self.file.parent, self.file.stem, text)
        except PackError as fault:
            raise Refused(str(fault)) from fault
        self.pack, self._content = pack, text.encode()

    def _read(self, raw: msgspec.Raw) -> Any:
        try:
            return msgspec.json.decode(raw, type=self._owned.entry_type)
        except msgspec.DecodeError as fault:
            raise Refused(f"This is no card of {self._game.title}: {fault}.") from fault

    def _may(self, session: Session, person: str) -> None:
        sitting = {*session.seats.values(), session.host}
        if words := barred(person, session.people, sitting, session.course is not None):
            raise Refused(words)


def barred(person: str, people: Container[str], sitting: Container[str], running: bool) -> str:
    """Why that person may enter no card now, and what helps; "" for who may."""
    if person not in people:
        return "The table does not know you yet. Say your name first."
    if running and person not in sitting:
        return "Only those who sit at the table can enter a card while a game runs. Take a seat first."
    return ""


def _content(file: Path) -> bytes | None:
    """What is in the file; None where there is no such file. PackError when it cannot be read."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise PackError(f"The pack {file} cannot be read: {fault}.") from fault


def _kind(entry: Any) -> str:
    return str(entry.__struct_config__.tag)


def owners_file(game: Game[Any, Any], state: Path) -> Path:
    """Where the owner's pack of that state folder is kept, once a card of it is entered."""
    return state / "packs" / game.name / "owner.toml"


def open_pack(game: Game[Any, Any], pack: str, state: Path) -> tuple[Any, OwnCards | None]:
    """The pack that `--pack` names, and how its cards are entered where it is an owner's.

    `owner` is the one in the state folder, begun when it is not there yet; a `.toml` file is somebody's
    own too. PackError when the pack is no good or cannot be begun.
    """
    if game.owned is None or not (pack == "owner" or pack.endswith(".toml")):
        return packs.load(game, pack), None
    file = Path(pack) if pack.endswith(".toml") else owners_file(game, state)
    if pack == "owner" and not file.exists():
        begun = game.owned.begin(packs.load(game, game.owned.pattern))
        packs.save(game, file.parent, file.stem, game.owned.text(begun))
    try:
        found = packs.load(game, str(file))
    except PackError as fault:
        anew = ", or move it away to begin anew" if pack == "owner" else ""
        raise PackError(f"{str(fault).rstrip('.')}. Put it right in a text editor{anew}.") from fault
    return found, OwnCards(game, found, file)
