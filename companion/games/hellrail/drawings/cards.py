"""HellRail's cards and engines as drawings, all our own."""

from __future__ import annotations

from functools import lru_cache
from math import hypot

from companion.games.drawing import (
    Circle,
    Drawing,
    Shape,
    Text,
    line,
    marked,
    on_circle,
    paragraph,
    polygon,
    rectangle,
)
from companion.games.hellrail.drawings.rails import REACH, rail, stub
from companion.games.hellrail.drawings.signs import (
    CREAM,
    EMBER,
    GLOW,
    INK,
    WINE,
    car,
    fire,
    flame,
    number,
    pin,
    soul,
)
from companion.games.hellrail.state import CircleCard, Edition, RailCard, State, circle_cards, rail_cards
from companion.games.hellrail.table import CARD, bare_map
from companion.games.hellrail.track import Track, along
from companion.games.layout import Point, Token

ENGINES = {"red": "#c8202f", "blue": "#2356a8", "green": "#2c8c45", "yellow": "#f2c21a"}
"""The engines' colours, by seat."""

RIM = 3.0
"""White around the markers on cards (mm)."""

ENGINE = (18.0, 15.0)
"""An engine's top: across the rail and along it (mm). Engines stand on neighbouring ties, 15 mm apart."""

_GROUND, _HEAT = "#f6e3bd", "#efcb93"
_BACK = "#b8434f"
_FAINT, _MARK = "#e6ddcf", "#b9a68c"
_SIGNS = 24.0  # the signs keep within this of their card's corner, where no rail can be

# The Circles from the Gate down: dusk, then fire, then ice.
_CIRCLES = {
    "G": ("#6d6a75", "#e4e0dc"),
    "1": ("#46617a", "#d5e1e6"),
    "2": ("#8a5a83", "#ecdcec"),
    "3": ("#7d7a2c", "#ece9c4"),
    "4": ("#b8860b", "#fbeab5"),
    "5": ("#b5591c", "#fbdcbd"),
    "6": ("#c23a22", "#fbd3c4"),
    "7": ("#8c1c2c", "#f3c8c8"),
    "8": ("#4b2e63", "#dcd0ea"),
    "9": ("#2f7fa6", "#d2eef8"),
}


def rail_card(edition: Edition, name: str) -> Drawing:
    """The Rail Card of that name, unturned, 60 x 60 mm; KeyError when there is none."""
    return _rail_card(rail_cards(edition)[name], _tokens(edition, "rail", name))


def circle_card(edition: Edition, name: str) -> Drawing:
    """The Circle Card of that name, 60 x 60 mm; KeyError when there is none."""
    return _circle_card(circle_cards(edition)[name], _tokens(edition, "circle", name))


def engine_cap(edition: Edition, seat: str) -> Drawing:
    """An engine's top, 18 x 15 mm: it heads up, as its marker does."""
    (token,) = _tokens(edition, "engine", seat)
    return _engine_cap(token)


def drawing(state: State, kind: str, name: str) -> Drawing:
    """A piece of `layout` from above, unturned; KeyError when there is none of that kind and name."""
    if kind == "back":
        return card_back()
    return {"rail": rail_card, "circle": circle_card, "engine": engine_cap}[kind](state.edition, name)


def sheet(state: State) -> Drawing:
    """The printed sheet."""
    return table_sheet(state.edition)


@lru_cache(maxsize=16)
def _by_piece(edition: Edition) -> dict[tuple[str, str], tuple[Token, ...]]:
    found: dict[tuple[str, str], tuple[Token, ...]] = {}
    for token in bare_map(edition).tokens:
        key = (token.kind, token.name)
        found[key] = (*found.get(key, ()), token)
    return found


def _tokens(edition: Edition, kind: str, name: str) -> tuple[Token, ...]:
    return _by_piece(edition)[kind, name]


@lru_cache(maxsize=256)
def _rail_card(card: RailCard, tokens: tuple[Token, ...]) -> Drawing:
    taken = {_corner(token.at) for token in tokens}
    one, other = (corner for corner in ("NE", "NW", "SW", "SE") if corner not in taken)
    shapes: list[Shape] = [
        rectangle(0, 0, CARD, CARD, _GROUND),
        *(_ember(corner) for corner in (one, other)),
        *rail(card.track),
        *_markers(tokens),
    ]
    shapes += [
        *car(card.value, _from_corner(one, 9.2, 7.5)),
        *flame(card.brimstone, _from_corner(one, 6.4, 18.2)),
    ]
    # An arrow up has room above its Circle, an arrow down below: so they lie the other way in a lower corner.
    beside, along_edge = ((-1, card.pickup or "?"), (1, card.setout or "?"))[:: 1 if "N" in other else -1]
    shapes += pin(beside[1], _from_corner(other, 7.2, 14.6), beside[0])
    shapes += pin(along_edge[1], _from_corner(other, 15.6, 7.2), along_edge[0])
    shapes += _name(card.name, other)
    rims = tuple((_middle(token), token.side / 2 + RIM) for token in tokens)
    spot, room = _free_spot(card.track, rims, (one, other))
    if room > 3.0:
        # From its middle to the tips of an imp's horns is two thirds of its height.
        shapes += soul(spot, min(1.5 * room, 12.0), sum(map(ord, card.name)))
    return Drawing(CARD, CARD, tuple(shapes))


def _ember(corner: str) -> Shape:
    """A glow in a corner of the card."""
    at = _from_corner(corner, 0, 0)
    steps = [on_circle(at, _SIGNS - 1, turn) for turn in range(*_quarter(corner), 3)]
    return polygon((at, *steps), _HEAT)


def _quarter(corner: str) -> tuple[int, int]:
    start = {"NW": 90, "NE": 180, "SE": 270, "SW": 0}[corner]
    return start, start + 91


def _corner(at: Point) -> str:
    return ("S" if at[1] > 0 else "N") + ("E" if at[0] > 0 else "W")


def _from_corner(corner: str, across: float, down: float) -> Point:
    """The point so many mm from the corner's upright side and from its level one."""
    return (CARD - across if "E" in corner else across, CARD - down if "S" in corner else down)


def _markers(tokens: tuple[Token, ...]) -> list[Shape]:
    return [shape for token in tokens for shape in marked(token.id, _middle(token), token.side, RIM)]


def _middle(token: Token) -> Point:
    return (CARD / 2 + token.at[0], CARD / 2 + token.at[1])


def _name(name: str, corner: str) -> tuple[Shape, ...]:
    """The card's name, small, in the very corner that the pickup and setout are in."""
    x, y = _from_corner(corner, 1.8, 3.9 if "N" in corner else 1.8)
    return (Text(name, (x, y), 2.9, INK, anchor="end" if "E" in corner else "start"),)


@lru_cache(maxsize=64)
def _free_spot(
    track: Track, rims: tuple[tuple[Point, float], ...], signs: tuple[str, ...]
) -> tuple[Point, float]:
    """The spot of a Rail Card that is farthest from all that lies on it, and how far that is (mm).

    `rims` are the middles of the markers and half of what their white takes; `signs` are corners.
    """
    rails = [
        (x * CARD, y * CARD)
        for segment in track.segments
        for x, y, _ in (along(segment[:2], step / 40) for step in range(41))
    ]
    corners = [_from_corner(corner, 0, 0) for corner in signs]

    def room(spot: Point) -> float:
        x, y = spot
        return min(
            *(hypot(x - a, y - b) - REACH for a, b in rails),
            *(max(abs(x - a), abs(y - b)) - reach for (a, b), reach in rims),
            *(hypot(x - a, y - b) - _SIGNS for a, b in corners),
            *(x - 1, y - 1, CARD - 1 - x, CARD - 1 - y),
        )

    spots = [(float(x), float(y)) for x in range(4, 57) for y in range(4, 57)]
    best = max(spots, key=room)
    return best, room(best)


@lru_cache(maxsize=64)
def _circle_card(circle: CircleCard, tokens: tuple[Token, ...]) -> Drawing:
    dark, light = _CIRCLES.get(circle.name, _CIRCLES["G"])
    middle = (CARD / 2, CARD / 2)
    shapes: list[Shape] = [
        rectangle(0, 0, CARD, CARD, light),
        Circle(middle, 27.5, "", dark, 1.2),
        Circle(middle, 25.4, "", dark, 0.4),
    ]
    for side in circle.sides:
        shapes += stub(side, 5.0)
    shapes += _markers(tokens)
    shapes += [Circle((46.0, 12.6), 10.2, dark, CREAM, 0.8), *number(circle.name, (46.0, 12.6), 15.5, CREAM)]
    shapes.append(rectangle(5.0, 25.2, 50.0, 9.6, dark, CREAM, 0.5, radius=1.6))
    shapes += paragraph(circle.title, "title", 8.0, CREAM, (7.0, 25.2, 46.0, 9.6))
    shapes.append(rectangle(1.6, 36.6, 34.4, 18.0, CREAM, dark, 0.4, radius=1.6))
    shapes += paragraph(circle.words, "text", 4.2, INK, (2.6, 37.2, 32.4, 16.8))
    return Drawing(CARD, CARD, tuple(shapes))


@lru_cache(maxsize=16)
def _engine_cap(token: Token) -> Drawing:
    across, onward = ENGINE
    colour = ENGINES[token.name]
    return Drawing(
        across,
        onward,
        (
            rectangle(0, 0, across, onward, colour),
            *marked(token.id, (across / 2, onward / 2), token.side, (onward - token.side) / 2),
        ),
    )


@lru_cache(maxsize=1)
def card_back() -> Drawing:
    """The back of every Rail Card, 60 x 60 mm."""
    shapes: list[Shape] = [rectangle(0, 0, CARD, CARD, WINE)]
    middle = (CARD / 2, CARD / 2)
    shapes += [Circle(middle, radius, "", _BACK, 0.7) for radius in (21.4, 23.6)]
    shapes += [Circle(on_circle(middle, 22.5, turn), 3.8, WINE, _BACK, 0.8) for turn in range(0, 360, 36)]
    shapes += fire(middle, 26.0, EMBER, GLOW)
    return Drawing(CARD, CARD, tuple(shapes))


@lru_cache(maxsize=4)
def table_sheet(edition: Edition) -> Drawing:
    """The printed sheet that the game lies on: faint cells, the piles, the tray, the corner markers."""
    table = bare_map(edition)
    shapes: list[Shape] = []
    for place in table.places:
        if place.look == "cell":
            shapes += _cell(place.outline)
        elif place.look == "pile":
            shapes += _box(place.outline, place.label, 2.0, 6.4)
    shapes += _box(table.tray.outline, table.tray.label, 6.0, 12.0)
    shapes.append(Text("HellRail", (820.0, 49.0), 30.0, WINE, "title"))
    for marker in table.corners:
        shapes += marked(marker.id, marker.at, marker.side, 5.0)
    return Drawing(table.width, table.height, tuple(shapes))


def _cell(outline: tuple[Point, ...]) -> tuple[Shape, ...]:
    """A cell's faint edge, and marks in its corners to lay a card by."""
    (left, top), (right, bottom) = outline[0], outline[2]
    marks = tuple(
        line(((x + 5 * across, y), (x, y), (x, y + 5 * down)), _MARK, 0.5)
        for x, across in ((left, 1), (right, -1))
        for y, down in ((top, 1), (bottom, -1))
    )
    return (rectangle(left, top, right - left, bottom - top, "", _FAINT, 0.25), *marks)


def _box(outline: tuple[Point, ...], label: str, radius: float, size: float) -> tuple[Shape, ...]:
    """An edge around what lies there, and below it what that is."""
    (left, top), (right, bottom) = outline[0], outline[2]
    return (
        rectangle(left - 2, top - 2, right - left + 4, bottom - top + 4, "", _MARK, 0.8, radius=radius),
        Text(label, ((left + right) / 2, bottom + 3 + size), size, INK),
    )
