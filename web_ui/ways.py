"""Choices as a page offers them: some as buttons, many in groups, those at a place in the picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from companion.games.game import About, Choice
from companion.games.layout import Piece
from web_ui import net
from web_ui.net import Focus, Ground, Net, Spot
from web_ui.where import Where, slug

FEW = 6
"""As many choices as stand side by side under a thumb."""

LISTED = 24
"""As many choices of a group as are listed below the picture, besides being lit in it, for small places."""

_SMALL = 30.0  # a place that is narrower is not easily hit in a picture of much (mm)

PICTURED = 12
"""As many choices at a place as are shown with a picture of what each would do."""

THUMB = 45.0
"""What a thumb hits, and a little (CSS pixels)."""

_ROOM = 60.0  # how far from the seat's own piece the middle of a picture may be that shows not all (mm)

_REACH = 95.0  # half of the side of what a small picture shows (mm)


class Group(Struct, frozen=True):
    """Choices of one kind: what they are called, where they are offered."""

    words: str
    where: Where
    choices: tuple[Choice, ...]
    open: bool = False


class Lit(Struct, frozen=True):
    """A place with choices: where a tap on it leads, and what to call it."""

    spot: Spot
    where: Where
    words: str


class Way(Struct, frozen=True):
    """A choice, with a small picture of the table after it where that helps."""

    choice: Choice
    picture: Net | None = None


class There(Struct, frozen=True):
    """A place that was opened: what it is called, what lies there, what may be done there."""

    words: str
    lies: tuple[About, ...]
    ways: tuple[Way, ...]


def grouped(
    choices: Iterable[Choice], where: Where, few: int = FEW
) -> tuple[tuple[Choice, ...], tuple[Group, ...]]:
    """The choices that stand as buttons, and the groups of the others, the one that is open marked.

    Few choices need no groups, and neither does a single one of its kind, unless `few` is 0. Without a
    group named in `where`, a card's first one is open.
    """
    choices = tuple(choices)
    sizes = Counter(choice.group for choice in choices if choice.group)
    names = tuple(name for name, size in sizes.items() if size > 1 or where.card or where.group or not few)
    if not where.card and not where.group and len(choices) <= few:
        return choices, ()
    wanted = where.group or (slug(names[0]) if where.card and names else "")
    groups = tuple(
        Group(
            name,
            where.to(name),
            tuple(choice for choice in choices if choice.group == name),
            slug(name) == wanted,
        )
        for name in names
    )
    return tuple(choice for choice in choices if choice.group not in names), groups


def lit(ground: Ground, choices: Iterable[Choice], where: Where) -> tuple[Lit, ...]:
    """The places of these choices, each once, in the order of the choices."""
    by_place: dict[str, list[Choice]] = {}
    for choice in choices:
        if choice.place in ground.places:
            by_place.setdefault(choice.place, []).append(choice)
    found = []
    for place, there in by_place.items():
        spot = net.spot(ground.places[place])
        words = there[0].words if len(there) == 1 else f"{spot.words}: {len(there)} ways"
        found.append(Lit(spot, where.at(place), words))
    return tuple(found)


def focus(ground: Ground, lit: Iterable[Lit], seat: str) -> Focus | None:
    """What to look at first so that a thumb hits each lit place: around the seat's piece, towards them."""
    places = [ground.places[each.spot.place] for each in lit]
    if not places:
        return None
    narrowest = min(min(box[2], box[3]) for box in (net.around([place]) for place in places))
    own = [ground.places[piece.place] for piece in ground.pieces if piece.name == seat]
    box = net.around([*places, *own], net.MARGIN)
    x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
    if own:
        here = net.middle_of(own[0])
        x, y = (min(max(far, near - _ROOM), near + _ROOM) for far, near in zip((x, y), here, strict=True))
    return Focus(box, (x, y), narrowest / THUMB)


def listed(ground: Ground, choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The choices that stand below the picture too: few with small places, and all that have none."""
    places = [ground.places[choice.place] for choice in choices if choice.place in ground.places]
    small = any(min(net.around([place])[2:]) < _SMALL for place in places)
    return choices if small and len(choices) <= LISTED else tuple(c for c in choices if not c.place)


def there(game: Any, pack: Any, state: Any, ground: Ground, place: str, choices: Iterable[Choice]) -> There:
    """What a place shows when it is opened; KeyError when the table has none of that name."""
    opened = ground.places[place]
    here = tuple(choice for choice in choices if choice.place == place)
    pictured = len(here) <= PICTURED
    return There(
        opened.words or opened.label,
        tuple(told for piece in _at(ground, place) if (told := _told(game, pack, state, piece))),
        tuple(Way(choice, _after(game, state, choice, ground) if pictured else None) for choice in here),
    )


def _at(ground: Ground, place: str) -> list[Piece]:
    """The pieces in a place, and those that lie under it."""
    x, y = net.middle_of(ground.places[place])
    found = []
    for piece in ground.pieces:
        left, top, width, height = net.around([ground.places[piece.place]])
        if piece.place == place or (left < x < left + width and top < y < top + height):
            found.append(piece)
    return found


def _told(game: Any, pack: Any, state: Any, piece: Piece) -> About | None:
    """What there is to tell of a piece; a seat's own says all by itself."""
    if piece.name in game.seats:
        return None
    told: About = game.about(state, pack, piece.kind, piece.name)
    return told


def _after(game: Any, state: Any, choice: Choice, ground: Ground) -> Net:
    """A small picture of the table as the choice would leave it, around its place."""
    after = net.ground(game, game.play(state, choice.action))
    return net.cropped(after, net.middle_of(ground.places[choice.place]), _REACH, choice.place)
