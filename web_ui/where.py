"""Addresses of a seat's pages: its own, the cards to choose from, one card, one way, one place.

The host, who may act for others, has all but the first for their seats too.
"""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

_FORM = re.compile(
    r"(?P<whose>play|for)/(?P<seat>[a-z]+)"
    r"(?P<choosing>/cards)?"
    r"(?:/card/(?P<card>[a-z0-9_-]+))?"
    r"(?:/do/(?P<group>[a-z0-9-]+))?"
    r"(?:/at/(?P<place>[A-Za-z0-9_:,-]+))?"
)


class Where(Struct, frozen=True):
    """A page of a seat. `group` is a group of choices by its `slug`, `place` one on the table.

    With `choosing` it is the page on which a card is named; with none of all these the seat's own.
    With `stand_in` it is for the host, who does that for whoever sits there.
    """

    seat: str
    choosing: bool = False
    card: str = ""
    group: str = ""
    place: str = ""
    stand_in: bool = False

    @property
    def page(self) -> str:
        """The page's name, which after a slash is its address."""
        parts = [f"{'for' if self.stand_in else 'play'}/{self.seat}"]
        parts += ["cards"] if self.choosing else []
        parts += [f"card/{self.card}"] if self.card else []
        parts += [f"do/{self.group}"] if self.group else []
        parts += [f"at/{self.place}"] if self.place else []
        return "/".join(parts)

    @property
    def address(self) -> str:
        """Where a browser finds it."""
        return f"/{self.page}"

    @property
    def home(self) -> str:
        """The address of the page from which people came to this one."""
        return "/" if self.stand_in else Where(self.seat).address

    @property
    def cards(self) -> str:
        """The address of the page on which a card is named."""
        return Where(self.seat, choosing=True, stand_in=self.stand_in).address

    def at(self, place: str) -> Where:
        """The same page with that place opened; "" closes it."""
        return replace(self, place=place)

    def to(self, group: str) -> Where:
        """The same page with that group of choices, nothing opened."""
        return replace(self, group=slug(group), place="")

    def of_card(self, card: str) -> Where:
        """The page of a card."""
        return Where(self.seat, card=card, stand_in=self.stand_in)


def read(page: str) -> Where | None:
    """The page of that name; None when no seat has such a page."""
    found = _FORM.fullmatch(page)
    if found is None or (found["choosing"] and (found["card"] or found["group"] or found["place"])):
        return None
    given = {name: found[name] or "" for name in ("seat", "card", "group", "place")}
    at = Where(choosing=bool(found["choosing"]), stand_in=found["whose"] == "for", **given)
    return None if at.stand_in and not (at.choosing or at.card or at.group) else at


def slug(words: str) -> str:
    """Words as a part of an address."""
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")
