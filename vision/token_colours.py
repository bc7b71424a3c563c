"""The colours of pieces without markers, learned from one look at where they should stand.

A colour is told by its tint, which a piece's own shade leaves alone, and by its brightness, of which a wide
range is allowed. Two colours are apart when what was measured of the one can be none of the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.pieces import Key
from vision.sheet_light import CELL, Lit, is_print

Floats = NDArray[Any]
Mask = NDArray[np.bool_]
Tint = tuple[float, float]

_GREY = 0.08  # of white: so dark a colour has hardly a tint
_LEAST_SPREAD, _MOST_SPREAD = 0.03, 0.075  # of a tint: what noise does, and what is no one colour any more
_WIDE = 3.0  # spreads of a tint that are still this colour
_DARKER, _BRIGHTER = 0.55, 1.3  # than what was seen of a piece, in other shades
_AS_NAMED = 0.42  # of a tint: a piece of the colour that its name or picture says is so near to it
_CLEARLY = 0.5  # of the way from its said colour to the next piece's, at most, is that to its own
_AS_SAID = 0.15  # of a tint: and so near where two others look alike
_ROUNDS = 6
_STEADY = 0.22  # of a tint: what belongs to a colour while it is being found
_SMALLEST, _LARGEST = 40.0, 2400.0  # mm² that a piece takes up in the picture laid flat
_ALONE = 0.3  # of a piece: so much more of its colour is a second piece
_LIKE_PRINT = 0.12  # of the print: a piece that would be taken for so much of it is not seen


class Colour(Struct, frozen=True):
    """A piece's colour: its tint, how far that spreads, the range of its brightness (parts of white paper),
    and how wide (mm) what shows it is.
    """

    tint: Tint
    reach: float
    dark: float
    bright: float
    wide: float

    def off(self, tints: Floats, brightness: Floats) -> Floats:
        """How far off each tint (Nx2) is, as a part of the reach: infinite for a wrong brightness."""
        # What is darker of a piece is a little nearer to grey, as `tints` has it.
        level = (self.dark + self.bright) / 2
        part = brightness / (brightness + _GREY) / (level / (level + _GREY))
        off = np.linalg.norm(tints - np.array(self.tint) * part[..., None], axis=-1) / self.reach
        fits = (brightness >= self.dark * _DARKER) & (brightness <= self.bright * _BRIGHTER)
        away: Floats = np.where(fits, off, np.inf)
        return away


class Look(Struct, frozen=True):
    """What one look at the pieces where they should stand told: the colours that can be trusted, pairs that
    are too much alike, pieces that are like the sheet, and those of which nothing was found or not whose they
    are; of these `pale` are those that cannot be seen on the sheet if they are as their names say. `stranger`
    says that a piece stands among them which is none of them by its colour. `there` are all that were seen.
    """

    colours: Mapping[Key, Colour]
    alike: tuple[tuple[Key, Key], ...] = ()
    like_sheet: tuple[Key, ...] = ()
    unknown: tuple[Key, ...] = ()
    pale: tuple[Key, ...] = ()
    stranger: bool = False
    there: tuple[Key, ...] = ()


def tints(colours: Floats) -> tuple[Floats, Floats]:
    """The tint (...x2) and the brightness of colours (...x3, BGR, parts of white)."""
    bright = np.maximum(colours.mean(axis=-1), 0.0)
    both = np.stack([colours[..., 2] - bright, colours[..., 0] - bright], axis=-1)
    tint: Floats = both / (bright + _GREY)[..., None]
    return tint, bright


def apart(one: Colour, other: Colour) -> float:
    """How far two colours are apart: from 1 on nothing that is the one can be taken for the other."""
    tint = float(np.hypot(*np.subtract(one.tint, other.tint))) / (one.reach + other.reach)
    low, high = (one, other) if one.bright < other.bright else (other, one)
    shade = (high.dark * _DARKER) / max(low.bright * _BRIGHTER, 1e-3)
    return max(tint, shade)


def learned(
    lit: Lit,
    said: Mapping[Key, Floats],
    within: Mapping[Key, Mask],
    beside: Mask,
    print: Mask,
    before: Mapping[Key, Colour],
) -> Look:
    """The colours of pieces from one look: each stands `within` its place (HxW), unless it was seen `before`.

    `said` are their colours as their names or pictures have them (BGR, parts of white). `beside` are cells
    that something else takes up, and `print` those of the sheet on which pieces may stand.
    """
    there = ~lit.paper & ~beside & np.logical_or.reduce(list(within.values()))
    there = solid(there)
    tint, bright = tints(lit.colours)
    names = sorted(said)
    named = np.array([tints(said[key])[0] for key in names]).reshape(-1, 2)
    lights = np.array([float(said[key].mean()) for key in names])
    rows, columns = np.nonzero(there)
    own, shade = tint[rows, columns], bright[rows, columns]
    middles = named.copy()
    for turn in range(_ROUNDS):
        off = _off(own, shade, middles, lights)
        nearest = off.argmin(axis=1) if len(own) else np.zeros(0, int)
        for at in range(len(names)):
            mine = own[(nearest == at) & (off[:, at] <= (_STEADY if turn else _AS_NAMED))]
            if len(mine) >= _SMALLEST / CELL**2 / 2:
                middles[at] = np.median(mine, axis=0)
    off = _off(own, shade, middles, lights)
    claimed = off.min(axis=1, initial=np.inf) <= _STEADY
    label = np.full(there.shape, -1)
    label[rows[claimed], columns[claimed]] = off[claimed].argmin(axis=1)
    spare = blobs(solid(there & (label < 0)))
    mine = {key: (label == at) & within[key] for at, key in enumerate(names)}
    found = {key: _colour(mine[key], tint, bright) for key in names}
    fresh = [key for key in names if key not in before]
    if spare and spare[0].sum() * CELL**2 >= _SMALLEST:
        # A piece stands there that is nobody's: whose are the others then?
        shown = tuple(key for key in names if found[key] is not None)
        return Look(dict(before), unknown=tuple(fresh), stranger=bool(shown), there=shown)
    alike = _doubles(mine, fresh, named, middles)
    pale = [key for key in fresh if found[key] is None and _part_like(said[key], lit, print) > _LIKE_PRINT]
    excused = {*pale, *(key for pair in alike for key in pair)}
    lost = [key for key in fresh if found[key] is None and key not in excused]
    far = dict(zip(names, np.linalg.norm(named - middles, axis=1).tolist(), strict=True))
    most = dict(zip(names, np.maximum(_CLEARLY * _apart(named), _LEAST_SPREAD).tolist(), strict=True))
    far_most = _AS_SAID if alike else _AS_NAMED
    seen = {key: colour for key, colour in found.items() if colour is not None} | dict(before)
    # Where one is missing another piece may be it: then it is not clear whose any of them is.
    good = {
        key: colour
        for key, colour in seen.items()
        if key in before or (not lost and far[key] <= min(most[key], far_most))
    }
    unknown = lost or [key for key in fresh if key not in good and key not in excused]
    look = _trusted(good, seen, unknown, pale, lit, print)
    there = {*seen, *(key for pair in alike for key in pair)}
    return replace(look, alike=(*alike, *look.alike), there=tuple(sorted(there)))


def _doubles(
    mine: Mapping[Key, Mask], fresh: Sequence[Key], named: Floats, middles: Floats
) -> tuple[tuple[Key, Key], ...]:
    """Pairs of pieces of one colour: one under whose colour two are seen, and another that is not seen.

    That is the one whose said colour (`named`) comes nearest to it, of those of which nothing shows.
    """
    names = sorted(mine)
    spots = {key: blobs(mine[key]) for key in fresh}
    none = [key for key in fresh if not spots[key] or spots[key][0].sum() * CELL**2 < _SMALLEST]
    pairs = []
    for key in fresh:
        if none and _are_two(spots[key]) and spots[key][1].sum() * CELL**2 >= _SMALLEST:
            there = middles[names.index(key)]
            other = min(none, key=lambda one: float(np.linalg.norm(named[names.index(one)] - there)))
            none.remove(other)
            pairs.append((min(key, other), max(key, other)))
    return tuple(pairs)


def _apart(named: Floats) -> Floats:
    """How far each tint (Nx2) is from the nearest other one."""
    away = np.linalg.norm(named[:, None] - named[None], axis=2)
    np.fill_diagonal(away, np.inf)
    nearest: Floats = away.min(axis=1, initial=np.inf)
    return nearest


def _off(own: Floats, shade: Floats, middles: Floats, lights: Floats) -> Floats:
    """How far (NxK) each tint is from each of those in the middle; greys differ by their brightness alone."""
    off = np.linalg.norm(own[:, None] - middles[None], axis=2)
    grey = np.linalg.norm(middles, axis=1) < _STEADY / 2
    dark = np.abs(shade[:, None] - lights[None]) / 2
    total: Floats = np.where(grey[None], np.hypot(off, dark), off)
    return total


def _colour(mine: Mask, tint: Floats, bright: Floats) -> Colour | None:
    """The colour of the one piece that these cells show; None where they show none, or more than one."""
    spots = blobs(mine)
    if not spots or not _SMALLEST <= spots[0].sum() * CELL**2 <= _LARGEST:
        return None
    if _are_two(spots):
        return None
    cells = _inner(spots[0] & mine)
    return _measured(tint[cells], bright[cells], width(spots[0]))


def _are_two(spots: Sequence[Mask]) -> bool:
    """Whether the second blob is a piece as the first one is."""
    return len(spots) > 1 and bool(spots[1].sum() > _ALONE * spots[0].sum())


def measured(cells: Mask, wide: float, lit: Lit) -> Colour | None:
    """The colour of the piece that these cells (HxW) show, `wide` mm; None where it is no one colour."""
    return _measured(*tints(lit.colours[_inner(cells)]), wide)


def _inner(cells: Mask) -> Mask:
    """Without their edge, where there are enough of them."""
    inner: Mask = cv2.erode(cells.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    return inner if inner.sum() >= _SMALLEST / CELL**2 / 2 else cells


def _measured(own: Floats, shade: Floats, wide: float) -> Colour | None:
    if not len(own):
        return None
    middle = np.median(own, axis=0)
    spread = float(np.percentile(np.linalg.norm(own - middle, axis=1), 68))
    if spread > _MOST_SPREAD:
        return None
    reach = _WIDE * max(spread, _LEAST_SPREAD)
    dark, light = np.percentile(shade, (5, 85))
    return Colour((float(middle[0]), float(middle[1])), reach, float(dark), float(light), wide)


def _trusted(
    colours: Mapping[Key, Colour],
    seen: Mapping[Key, Colour],
    unknown: Sequence[Key],
    pale: Sequence[Key],
    lit: Lit,
    print: Mask,
) -> Look:
    """Those colours that are like no other that is `seen`, and not like the print."""
    like_print = {key for key, colour in seen.items() if _part_like(_whole(colour), lit, print) > _LIKE_PRINT}
    keys = sorted(seen.keys() - like_print)
    pairs = [(one, other) for at, one in enumerate(keys) for other in keys[at + 1 :]]
    alike = tuple(pair for pair in pairs if apart(seen[pair[0]], seen[pair[1]]) < 1.0)
    bad = {key for pair in alike for key in pair} | like_print
    good = {key: colour for key, colour in colours.items() if key not in bad}
    return Look(good, alike, tuple(sorted(like_print)), tuple(unknown), tuple(pale))


def _whole(colour: Colour) -> Floats:
    """The colour (BGR, parts of white) in its middle brightness."""
    level = (colour.dark + colour.bright) / 2
    red, blue = (part * (level + _GREY) + level for part in colour.tint)
    return np.array([blue, 3 * level - red - blue, red])


def _part_like(colour: Floats, lit: Lit, print: Mask) -> float:
    """Which part of the print a colour (BGR, parts of white) would be taken for."""
    whole = np.empty_like(lit.expected)
    whole[:] = colour
    return float(is_print(whole, lit.expected)[print].mean()) if print.any() else 0.0


def solid(mask: Mask) -> Mask:
    """Without what is thinner than a few mm: edges of print that lie a little beside those expected."""
    spot = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    solid: Mask = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, spot) > 0
    return solid


def blobs(mask: Mask) -> list[Mask]:
    """What hangs together (HxW each), the largest first; small gaps, as a highlight makes, are none."""
    spot = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, spot)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
    order = sorted(range(1, count), key=lambda at: -int(stats[at, cv2.CC_STAT_AREA]))
    return [labels == at for at in order]


def width(blob: Mask) -> float:
    """How wide (mm) a blob is across its longer axis."""
    rows, columns = np.nonzero(blob)
    (_, sides, _) = cv2.minAreaRect(np.column_stack([columns, rows]).astype(np.float32))
    return float((min(sides) + 1) * CELL)
