"""Files of the state folder that are there whole or not at all, whenever the plug is pulled; and refusals."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

from companion.open_files import users


def write(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Either the whole file is on the disk under its name, readable by its owner alone, or none is.

    Another `mode` says who else may do what with it.
    """
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(file, "wb") as whole:
            whole.write(content)
            whole.flush()
            os.fchmod(whole.fileno(), mode)
            os.fsync(whole.fileno())
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    sync(path.parent)


def sync(folder: Path) -> None:
    """A new or renamed file is on the disk only when its folder is."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def passes(fault: OSError) -> bool:
    """Whether what the system refused may be had in a while: room is made, or somebody lets go."""
    return fault.errno in _PASSING


_PASSING = frozenset(
    (
        errno.EAGAIN,
        errno.EBUSY,
        errno.EDQUOT,
        errno.EIO,
        errno.EMFILE,
        errno.ENFILE,
        errno.ENOMEM,
        errno.ENOSPC,
    )
)


def refusal(fault: sqlite3.Error, file: Path) -> tuple[str, str]:
    """Why the disk did not take what was to be written to that file, and what to do, for people.

    The first is the beginning of a sentence, the second whole ones.
    """
    code = getattr(fault, "sqlite_errorcode", None)
    said = _REFUSALS.get(-1 if code is None else code & 0xFF)
    if said is not None:
        return said
    if code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        others = " and ".join(users(str(file)))
        return (
            f"Another program holds the games{f' ({others})' if others else ''}",
            "End that program, then do it again.",
        )
    return f"The disk did not take it ({fault})", _LOOK


_LOOK = (
    "Look at what the system says of the disk: sudo dmesg | tail -n 20. A memory card may be worn out. "
    "Then do it again."
)

_REFUSALS = {
    sqlite3.SQLITE_FULL: (
        "The disk is full",
        "Make room: sudo apt-get clean; sudo journalctl --vacuum-size=100M; remove what you do not need. "
        "Then do it again.",
    ),
    sqlite3.SQLITE_READONLY: (
        "The disk can only be read",
        "A damaged memory card ends so. Start the machine again; if it comes back, take a new card.",
    ),
    sqlite3.SQLITE_PERM: (
        "The games may not be written by this user",
        "Give this user the folder of the games back, then do it again.",
    ),
}
