"""An engine that does not stand quite on its tie is never taken surely for one on another tie."""

from __future__ import annotations

from functools import cache
from itertools import product
from math import cos, dist, radians, sin
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from companion import games, packs
from companion.findings import CERTAIN
from companion.games.hellrail.pack import edition
from companion.games.hellrail.state import Rail, State
from companion.games.hellrail.track import Track
from companion.games.layout import Place, Point, Sight
from vision.ground import Ground
from vision.pieces import Found
from vision.places import Places

GAME: Any = games.load("hellrail")
PACK = packs.load(GAME, "house")

OWNERS = (("NE4", "NW4"), ("NS5", "NW4"), ("NS4", "EW3"), ("NE3", "NW3", "NS4", "EW4", "ES3", "SW3"))
"""Rail of owners' cards, with branches that share no tie: they lie nearer to each other than the house's."""

TRACKS: set[Track] = {Track(segments) for segments in OWNERS} | {card.track for card in edition(PACK).rails}


@cache
def table(track: Track) -> State:
    """Three cards with that rail around a corner, so that ties of neighbours come into it too."""
    state: State = GAME.setup(("red", "blue"), PACK, {})
    cards = tuple(replace(card, track=track) for card in state.edition.rails)
    cells = ((3, 4), (3, 5), (4, 4))
    rails = tuple(Rail(cell, card.name, 0) for cell, card in zip(cells, cards, strict=False))
    return replace(state, edition=replace(state.edition, rails=cards), rails=rails)


def middle(place: Place) -> Point:
    x, y = np.mean(place.outline, axis=0)
    return (float(x), float(y))


def seen(places: Places, at: Point, turn: float) -> Sight:
    engine = Found("engine", "red", at, turn % 360, frozenset({20}), sure=True, flat=False)
    return places.sights([engine])["engine", "red"]


@pytest.mark.parametrize("askew", [-20, 0, 10])
@pytest.mark.parametrize(
    "track", sorted(TRACKS, key=str), ids=lambda track: "-".join((*track.segments, *map(str, track.shared)))
)
def test_an_engine_is_surely_on_a_tie_only_less_than_half_the_way_to_the_next(
    track: Track, askew: int
) -> None:
    """The next is one on which it would stand turned as well as on this one, or better."""
    map = GAME.table_map(table(track))
    places = Places(map, Ground(map))
    ties = {place.name: place for place in map.places if place.look == "tie"}
    middles = {name: middle(tie) for name, tie in ties.items()}
    sure = 0
    for tie in (tie for name, tie in ties.items() if name.startswith("tie:3,4:")):
        for turn, way, off in product(tie.turns, range(0, 360, 60), (0.0, 2.0, 4.5, 6.5, 8.5)):
            x, y = middles[tie.name]
            at = (x + off * cos(radians(way)), y + off * sin(radians(way)))
            sight = seen(places, at, turn + askew)
            taken = sight.piece.place
            if sight.confidence < CERTAIN or taken not in ties:
                continue
            sure += 1
            for name, other in ties.items():
                if name != taken and crooked(other, turn + askew) <= crooked(ties[taken], turn + askew):
                    assert dist(at, middles[taken]) < dist(middles[taken], middles[name]) / 2, (at, name)
    assert sure > 0


def crooked(tie: Place, turn: int) -> int:
    """By how many degrees an engine turned so would stand askew on that tie."""
    return min(abs((turn - along + 180) % 360 - 180) for along in tie.turns)
