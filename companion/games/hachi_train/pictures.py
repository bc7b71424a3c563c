"""Hachi Train's cards and sheet as drawings, all our own; its print kit; what phones tell of a card."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from companion.games.drawing import Circle, Drawing, Shape, Text, line, marked, paragraph, rectangle
from companion.games.game import About, Mark, Stop
from companion.games.hachi_train.cards import KINDS, is_special, ranks_of, special_of
from companion.games.hachi_train.pack import Assets, Pack, car
from companion.games.hachi_train.rules import setup
from companion.games.hachi_train.state import BACK, FRONT, SEATS, State
from companion.games.hachi_train.table import ASSET, CAR, CARD, table_map, tokens
from companion.games.kit import BACKS, CUT, TILES, Batch, Item, corner_markers
from companion.games.layout import Piece, TableMap, Token

INK = "#27303a"
_PAPER = "#fbf8f0"
_COLOURS = ("#5b6c8f", "#3f8f8a", "#5a9a3c", "#a9a02c", "#d99a1c", "#d2691e", "#c0392b", "#7d3c98")
"""The ranks' colours, from 1 to 8."""

_RIM = 2.0


def drawing(state: State, kind: str, name: str) -> Drawing:
    """A card of the layout from above, unturned, of those that are alike one by its own name.

    KeyError when there is none of that kind and name.
    """
    return card_face(_token(kind, name))


def _token(kind: str, name: str) -> Token:
    for token in tokens():
        if token.kind == kind and name in (token.name, token.alike):
            return token
    raise KeyError(f"{kind} {name}")


@lru_cache(maxsize=128)
def card_face(token: Token, title: str = "") -> Drawing:
    """A card: its ranks in the corners, a band in their colours, its marker, and its title if given."""
    wide, high = CARD
    shapes: list[Shape] = [rectangle(0, 0, wide, high, _PAPER), *_band(token)]
    sign = token.alike
    for x, y in ((10.0, 17.0), (wide - 10.0, 17.0)):
        shapes.append(Text(sign, (x, y), 13.0 if len(sign) == 1 else 8.0, INK, "number"))
    middle = (wide / 2 + token.at[0], high / 2 + token.at[1])
    shapes += marked(token.id, middle, token.side, _RIM)
    if title:
        shapes += paragraph(title, "title", 7.0, INK, (4.0, high - 20.0, wide - 8.0, 12.0))
    return Drawing(wide, high, tuple(shapes))


def _band(token: Token) -> list[Shape]:
    """A band across the card: one colour for each of its ranks, or coins for assets."""
    wide = CARD[0]
    if token.kind == ASSET:
        coins = int(token.alike) // BACK
        return [
            Circle((wide / 2 + 9.0 * (at - (coins - 1) / 2), 11.0), 4.0, "#e5b93c", INK, 0.4)
            for at in range(coins)
        ]
    ranks = ranks_of(token.alike)
    part = (wide - 40.0) / len(ranks)
    return [rectangle(20.0 + part * at, 6.0, part, 10.0, _COLOURS[rank - 1]) for at, rank in enumerate(ranks)]


def card_back() -> Drawing:
    """The reverse of every car: rails that lead away."""
    wide, high = CARD
    shapes: list[Shape] = [rectangle(0, 0, wide, high, "#34495e")]
    shapes += [line(((x, 4.0), (x, high - 4.0)), _PAPER, 1.2) for x in (wide / 2 - 9.0, wide / 2 + 9.0)]
    shapes += [
        line(((wide / 2 - 14.0, y), (wide / 2 + 14.0, y)), _PAPER, 1.6) for y in range(8, int(high) - 4, 8)
    ]
    return Drawing(wide, high, tuple(shapes))


def sheet(state: State) -> Drawing:
    """The printed sheet: where cards are played, piles and assets lie."""
    return _sheet(table_map(state))


@lru_cache(maxsize=8)
def _sheet(table: TableMap) -> Drawing:
    shapes: list[Shape] = [Text("Hachi Train", (table.width / 2, 118.0), 24.0, INK, "title")]
    for place in table.places:
        (left, top), (right, bottom) = place.outline[0], place.outline[2]
        shapes.append(
            rectangle(left - 3, top - 3, right - left + 6, bottom - top + 6, "", INK, 0.6, radius=5)
        )
        if place.label:
            shapes.append(Text(place.label, ((left + right) / 2, bottom + 13), 8.0, INK))
    for marker in table.corners:
        shapes += marked(marker.id, marker.at, marker.side, 5.5)
    return Drawing(table.width, table.height, tuple(shapes))


def kit(pack: Pack) -> tuple[Batch, ...]:
    """All that a table needs, in the words of the pack."""
    table = table_map(setup(SEATS, pack, {}))
    cars = tuple(
        Item(card_face(token, car(pack, token.alike).title)) for token in tokens() if token.kind == CAR
    )
    sides = [token for token in tokens() if token.kind == ASSET]
    assets = tuple(Item(card_face(token, _side(pack.assets, token.alike))) for token in sides)
    return (
        Batch("Train cars and special cars", BACKS, cars, back=card_back()),
        Batch(
            "Assets",
            f"{CUT} Glue a side of ${FRONT} million and one of ${BACK} million back to back.",
            assets,
        ),
        Batch("The table", TILES, (Item(_sheet(table)),), whole=True),
        corner_markers(table),
    )


def _side(assets: Assets, side: str) -> str:
    return assets.front if side == str(FRONT) else assets.back


def sketches(state: State) -> Mapping[str, Drawing]:
    """Each kind of car as a small screen shows it."""
    return {f"{CAR}:{kind}": card_face(_token(CAR, kind)) for kind in KINDS}


def counters(state: State) -> tuple[Piece, ...]:
    """None: all that lies there has a marker."""
    return ()


def marks(state: State) -> tuple[Mark, ...]:
    """How many cards are in the draw deck."""
    return (Mark("deck", str(len(state.deck))),) if state.deck else ()


def stops(state: State) -> tuple[Stop, ...]:
    """None: the places do not lie in one row."""
    return ()


def about(state: State, pack: Pack, kind: str, name: str) -> About:
    """A kind of car, or a side of the asset card; KeyError when there is none of that name."""
    if kind == ASSET and name in (str(FRONT), str(BACK)):
        return About(pack.assets.title, _side(pack.assets, name), (("Worth", f"${name} million"),))
    if kind != CAR:
        raise KeyError(f"{kind} {name}")
    found, ranks = car(pack, name), ranks_of(name)
    facts = [("Rank", " or ".join(map(str, ranks)))]
    if not is_special(name):
        facts.append(("Goes with", f"special car {special_of(ranks[0])}"))
    return About(found.title, found.words, tuple(facts), name, f"{CAR}:{name}")
