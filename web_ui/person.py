"""Who is asking: a person is a random id in a signed cookie, and nothing else is in it.

The cookie outlives reloads, closed browsers and restarts of the table, since the secret that
signs it lies in the state folder. No address ever carries a token.
"""

from __future__ import annotations

import logging
import secrets
from pathlib import Path

from itsdangerous import BadSignature, Signer
from werkzeug.http import dump_cookie, parse_cookie

from companion import disk

log = logging.getLogger(__name__)

COOKIE = "stationmaster"
YEARS = 10 * 365 * 24 * 3600  # seconds; browsers cut it down to what they allow
SECRET = "cookie-secret"
SECRET_SIZE = 32  # bytes


class People:
    """Reads and writes the cookies that the secret signs."""

    def __init__(self, secret: bytes) -> None:
        self._signer = Signer(secret, salt="person")

    def read(self, header: str) -> str:
        """The person in a Cookie header, or "" when there is none that we signed."""
        try:
            cookies = parse_cookie(header)
        except UnicodeError:  # another program of this machine may have set something strange
            return ""
        for signed in cookies.getlist(COOKIE):
            try:
                return self._signer.unsign(signed).decode()
            except BadSignature:
                continue
        return ""

    def new(self) -> str:
        """A person who was never here before."""
        return secrets.token_hex(16)

    def cookie(self, person: str) -> str:
        """The Set-Cookie header that makes a browser come back as this person."""
        signed = self._signer.sign(person.encode()).decode()
        return dump_cookie(COOKIE, signed, max_age=YEARS, httponly=True, samesite="Lax")


def secret(folder: Path) -> bytes:
    """The secret of this state folder, made on the first call.

    A damaged one is set aside and replaced: then every phone is a new person, and the log says so.
    """
    path = folder / SECRET
    if path.exists():
        found = path.read_bytes()
        if len(found) == SECRET_SIZE:
            return found
        aside = path.with_name(f"{SECRET}.damaged")
        path.replace(aside)
        log.warning("%s was damaged and lies in %s now. Phones have to take their seats again.", path, aside)
    made = secrets.token_bytes(SECRET_SIZE)
    disk.write(path, made)
    return made
