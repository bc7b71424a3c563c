"""What the pages of an owner's cards need to know of a game's cards: its forms, and how they are read.

A form's fields are a mapping of texts, as browsers send them, so that what was typed is shown again
whatever it was. What a card does is a list of words of the game's vocabulary: the fields of the one
at number `at` end in a dot and that number, and its word is `do.{at}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from werkzeug.datastructures import MultiDict

from companion.games.drawing import Drawing
from companion.messages import View

if TYPE_CHECKING:
    from companion.table import Table

Fields = MultiDict[str, str]

MOST_STEPS = 12

_MODULES = {"hellrail": "web_ui.rail_forms", "rail_raiders_infinite": "web_ui.raider_forms"}


@dataclass(frozen=True)
class Forms:
    """One game's forms. A card is named by its kind and name, as `Owned.present` has them.

    `form` and `listing` are templates: of a form's own fields, and of the page that lists the cards, which
    gets what `listed(pack)` says. `choose` is what the form lets people choose from, `title(entry)` what a
    card is called. `fields_of(entry)` fills a form in and `read(kind, name, fields)` reads it, with all its
    faults; `faults(pack, entry)` are those, in sentences. `added(fields, word)` are the fields with one more
    word of what the card does. `drawing(entry)` is None while there is nothing to draw. `following(pack,
    kind, name)` is the next card to be entered, as (address, what it is called), or None when none is left.
    `has(pack, kind, name)` says whether there is such a card, and `beside(pack, kind, name)` what the form
    shows besides its fields. `held` is the kind of the cards that people hold in their hands, "" in a game
    without any. `draws` says whether the game draws cards of that kind.
    """

    form: str
    listing: str
    choose: Mapping[str, object]
    listed: Callable[[Any], Mapping[str, object]]
    title: Callable[[Any], str]
    fields_of: Callable[[Any], Fields]
    read: Callable[[str, str, Fields], Any]
    faults: Callable[[Any, Any], list[str]]
    has: Callable[[Any, str, str], bool]
    added: Callable[[Fields, str], Fields]
    drawing: Callable[[Any], Drawing | None]
    following: Callable[[Any, str, str], tuple[str, str] | None]
    beside: Callable[[Any, str, str], Mapping[str, object]]
    draws: Callable[[str], bool]
    held: str = ""


def forms_of(game: str) -> Forms | None:
    """The forms of the game; None where no cards are entered."""
    module = _MODULES.get(game)
    if module is None:
        return None
    forms: Forms = import_module(module).FORMS
    return forms


def new_card(table: Table, view: View, page: str) -> str:
    """Where a card is entered that turns up now and is none of those known; "" where that cannot be."""
    owned = table.game.owned
    if owned is None or table.cards is None or view.prompt is None or not view.prompt.yours:
        return ""
    kind = owned.unlisted(view.state)
    return f"/cards/{kind}/new?back={page}" if kind else ""


# -- what a card does, word by word -------------------------------------------------------------------


def steps_in(given: Fields) -> int:
    """How many words of what the card does the form has."""
    return next(at for at in range(MOST_STEPS + 1) if at == MOST_STEPS or f"do.{at}" not in given)


def without_step(given: Fields, at: int) -> Fields:
    """The fields with that word left out, and those after it one further up."""
    fewer: Fields = MultiDict()
    for name, value in given.items(multi=True):
        field, _, number = name.partition(".")
        if not number.isdecimal():
            fewer.add(name, value)
        elif int(number) != at:
            fewer.add(f"{field}.{int(number) - (int(number) > at)}", value)
    return fewer


def number(text: str) -> int:
    """The whole number that was typed; 0 where it is none."""
    return int(text) if text.isdecimal() and len(text) < 6 else 0


def text(given: Fields, name: str) -> str:
    """What was typed, with single spaces."""
    return " ".join(given.get(name, "").split())
