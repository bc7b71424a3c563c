"""Names the upper face of a die by the faces that are known: drawn ones, or photographed once.

Nothing is trained. A face is brought over each known one in all four turns and compared with it,
brightness and contrast apart; what fits none of them well, or two of them, has no sure name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

PATCH = 64  # pixels along a patch
WIDE = 1.6  # a patch is so much wider than the face that was found: its frame may be off
LEVEL_PATCH, LEVEL_WIDE = 88, 2.2  # the same of a patch whose face may be turned in any way

_GRID = 20  # pixels along a face as it is compared
_PART = 0.86  # of a known picture's side that is compared: its edge is not the die's
_SIZES = (0.54, 0.6, 0.67, 0.74, 0.82, 0.91, 1.01, 1.12)  # of that part, to the face that was found
_STRAY = 0.16  # of the compared part, that its middle may lie beside the found one
_STEP = 2  # pixels of the grid from one place to the next that is compared
_BLURS = (0.5, 1.1, 1.8)  # pixels of the grid
_BEHIND = 0.25  # likeness by which a pose may be behind the best one and is laid over
_HOPELESS = 0.5  # likeness from which that may come to something
_FINE = 40  # pixels along a face once it is laid over
_CLOSE = 8  # known faces in one of their turns that are laid over
# Times its area that a face may get when it is laid over, at least and at most, and times longer than wide.
_LOOSE = (0.6, 1.35, 1.3)  # its size was a guess
_CLOSELY = (0.8, 1.25, 1.18)  # its size and slant are those of the dice beside it
_FAINT = 2.5  # grey levels of contrast under which nothing is to be seen
_STRANGE, _LIKE = 0.8, 0.9  # likeness of what is no known face at all, and of one that is known
_LEAD = 0.6
_TOO_FAR, _BEYOND = 1.25, 1.7  # leads of what is as in neither of two faces
_CLEAR = 0.75
_REST = 0.8  # what is unlike the face, to what is unlike the rival
_LEVEL_SIZES = (0.86,)  # and where the size of the face is known
_LEVEL_STRAY = 0.3
_VIEWS = 12  # turns in which a patch is compared that may be turned in any way
_MEAN = np.full((1, 3), 1 / 3)
_BLACK = 0.15  # of the brightest, that is added before light is measured: ink tells little of it
_STEPS = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 25, 1e-4)


class Named(msgspec.Struct, frozen=True):
    """Which known face a face looks like.

    `likeness` is from -1 to 1, and `rival` that of the known face that is `next`. `lead` looks where the
    two differ: 1 when all is as in this one, -1 when all is as in the other. `clear` is by how much more
    they differ than the face differs from this one. `outline` is where in the patch the whole face then
    lies (4x2, pixels); None where no known one came to lie over it.
    """

    name: str
    likeness: float
    next: str
    rival: float
    lead: float
    clear: float
    outline: Floats | None = None

    @property
    def confidence(self) -> float:
        """The name's, 0 to 1; from 0.8 on it is good enough to go on with, and each bound is kept."""
        weakest = min(
            (self.likeness - _STRANGE) / (_LIKE - _STRANGE),
            self.lead / _LEAD,
            (_BEYOND - self.lead) / (_BEYOND - _TOO_FAR),
            self.clear / _CLEAR,
            (1 - _rest(self.likeness) / _rest(self.rival)) / (1 - _REST),
        )
        return float(1 - 0.2 ** max(weakest, 0.0) if weakest < 1 else 1 - 0.2 * 0.05 ** (weakest - 1))


class _Pose(msgspec.Struct, frozen=True):
    """How a known picture lies in a patch: which, how blurred, and from its pixels to the patch's (2x3)."""

    score: float
    picture: int
    blur: int
    fit: Floats


class _Found(msgspec.Struct, frozen=True):
    """A pose as it was found: a window of the grid (left, top, and the patch's pixels to one of the grid).

    In that window the picture lies in one of four turns; `back` leads from the patch it was found in.
    """

    score: float
    picture: int
    blur: int
    window: tuple[int, int, float]
    turn: int
    back: Floats

    @property
    def pose(self) -> _Pose:
        """The pose, of which few are wanted."""
        fit = _after(self.back, _fit(*self.window, self.turn))
        return _Pose(self.score, self.picture, self.blur, fit)


class PokerFaces:
    """The known faces: square pictures (BGR, uint8), upright, any number of each name.

    Made once, then only read: any number of threads may share it. Raises ValueError without a picture.
    """

    def __init__(self, pictures: Iterable[tuple[str, Image]]) -> None:
        given = [(name, picture) for name, picture in pictures]
        if not given:
            raise ValueError("no face of a die is known: give a picture of each")
        self.names = tuple(name for name, _ in given)
        self._fine = [[_fine(picture, blur) for blur in _BLURS] for _, picture in given]
        rows = [
            _plain(np.rot90(cv2.resize(sharp, (_GRID, _GRID), interpolation=cv2.INTER_AREA), turn))
            for pictures in self._fine
            for sharp in pictures
            for turn in range(4)
        ]
        self._coarse = np.stack(rows)

    def name(self, patch: Image) -> Named:
        """What the face in the middle of a patch (PATCH x PATCH, BGR) is most like."""
        return self._named(
            patch, self._poses(patch, np.eye(2, 3, dtype=np.float32), WIDE, _SIZES, _STRAY), _LOOSE
        )

    def name_level(self, patch: Image) -> Named:
        """As `name`, of a patch (LEVEL_PATCH x LEVEL_PATCH, BGR) that shows the face straight from above.

        It may be turned in any way, and is LEVEL_PATCH / LEVEL_WIDE pixels along.
        """
        middle = (len(patch) / 2 - 0.5,) * 2
        best: dict[int, _Found] = {}
        for view in range(_VIEWS):
            back = np.asarray(cv2.getRotationMatrix2D(middle, 90 * view / _VIEWS, 1.0), np.float32)
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            turned = cv2.warpAffine(
                patch, back, patch.shape[:2], flags=flags, borderMode=cv2.BORDER_REPLICATE
            )
            found = self._poses(np.asarray(turned, np.uint8), back, LEVEL_WIDE, _LEVEL_SIZES, _LEVEL_STRAY)
            for at, each in enumerate(found):
                if at not in best or each.score > best[at].score:
                    best[at] = each
        return self._named(patch, list(best.values()), _CLOSELY)

    def _named(self, patch: Image, found: list[_Found], bounds: tuple[float, float, float]) -> Named:
        found = sorted(found, key=lambda each: -each.score)
        bound = max(found[0].score - _BEHIND, _HOPELESS)
        likeliest = [each.pose for each in found[:_CLOSE] if each.score > bound]
        if not likeliest:
            return Named(self.names[found[0].picture], found[0].score, "", 0.0, 0.0, 0.0)
        best: dict[str, _Pose] = {}
        for pose in (self._lay_over(patch, pose, bounds) for pose in likeliest):
            name = self.names[pose.picture]
            if name not in best or pose.score > best[name].score:
                best[name] = pose
        first, *others = sorted(best.values(), key=lambda pose: -pose.score)
        leads = [self._lead(patch, first, other) for other in others] or [(1.0, np.inf)]
        lead, clear = (min(values) for values in zip(*leads, strict=True))
        rival, beside = (others[0].score, self.names[others[0].picture]) if others else (0.0, "")
        return Named(self.names[first.picture], first.score, beside, rival, lead, clear, _outline(first.fit))

    def _poses(
        self, patch: Image, back: Floats, wide: float, sizes: tuple[float, ...], furthest: float
    ) -> list[_Found]:
        """The best pose of each picture in each turn, to a step of the grid or so.

        The patch is `wide` times as wide as the face; `back` leads from its pixels to those of the poses.
        """
        fits: list[tuple[int, int, float]] = []  # left, top and pixels of the patch to one of the grid
        found = []
        for size in sizes:
            whole = round(wide * _GRID / size)
            small = cv2.resize(patch, (whole, whole), interpolation=cv2.INTER_AREA).astype(np.float32)
            stray = round(furthest * _GRID)
            low = max((whole - _GRID) // 2 - stray, 0)
            high = min((whole - _GRID + 1) // 2 + stray, whole - _GRID) + 1
            fits += [
                (x, y, len(patch) / whole) for y in range(low, high, _STEP) for x in range(low, high, _STEP)
            ]
            windows = np.lib.stride_tricks.sliding_window_view(small, (_GRID, _GRID), axis=(0, 1))
            some = windows[low:high:_STEP, low:high:_STEP].transpose(0, 1, 3, 4, 2)
            # A product of matrices would start threads that wait for each other on a busy machine.
            found.append(np.einsum("wn,fn->fw", _rows(some.reshape(-1, _GRID * _GRID, 3)), self._coarse))
        scores = np.concatenate(found, axis=1).reshape(len(self.names), len(_BLURS), 4, len(fits))
        turned = scores.transpose(0, 2, 1, 3).reshape(len(self.names), 4, -1)
        best = turned.argmax(axis=2)
        return [
            _Found(
                float(turned[picture, turn, at]), picture, at // len(fits), fits[at % len(fits)], turn, back
            )
            for (picture, turn), at in zip(np.ndindex(best.shape), best.ravel().tolist(), strict=True)
        ]

    def _lay_over(self, patch: Image, pose: _Pose, bounds: tuple[float, float, float]) -> _Pose:
        """The pose in which the picture lies over the patch as well as can be."""
        picture = self._fine[pose.picture][pose.blur]
        start = pose.fit.copy()
        try:
            lit = picture * _light(_warped(patch, start), picture)
            found = cv2.findTransformECC(_grey(lit), _grey(patch), start, cv2.MOTION_AFFINE, _STEPS)
        except cv2.error:
            return pose  # nothing in the patch leads to a better place
        fit = np.asarray(found[1], np.float32)
        if not _keeps_shape(pose.fit, fit, bounds):
            return pose
        score = float((_plain(_evened(_warped(patch, fit), picture)) * _plain(picture)).sum())
        return _Pose(score, pose.picture, pose.blur, fit) if score > pose.score else pose

    def _lead(self, patch: Image, first: _Pose, other: _Pose) -> tuple[float, float]:
        """Where the two known faces differ as they lie: how far the patch is like the first, how clearly."""
        whole = cv2.invertAffineTransform(other.fit)
        across = np.vstack([whole, [0, 0, 1]]) @ np.vstack([first.fit, [0, 0, 1]])
        seen = _warped(np.full((_FINE, _FINE, 3), 255, np.uint8), across[:2], cv2.BORDER_CONSTANT) > 127
        mask = seen.astype(np.float32)
        mine = self._fine[first.picture][first.blur]
        here = _plain(_evened(_warped(patch, first.fit), mine), mask)
        one = _plain(mine, mask)
        two = _plain(_warped(self._fine[other.picture][first.blur], across[:2]), mask)
        apart = max(float(1 - (one * two).sum()), 1e-6)
        gap = float((here * (one - two)).sum())
        return gap / apart, gap / float(np.sqrt(2 * apart)) / _rest(float((here * one).sum()))


def _rest(likeness: float) -> float:
    """What is left of a row of length one when what it has of another is taken out."""
    return float(np.sqrt(max(1 - likeness**2, 1e-6)))


def _warped(picture: Image, fit: Any, border: int = cv2.BORDER_REPLICATE) -> Image:
    """A picture where `fit` leads to from a known face's pixels, _FINE x _FINE."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    laid = cv2.warpAffine(
        picture, np.asarray(fit, np.float64), (_FINE, _FINE), flags=flags, borderMode=border
    )
    return np.asarray(laid, np.uint8)


def _evened(seen: Image, picture: Image) -> Floats:
    """What is `seen` where a known picture lies over it, as if no shadow fell on a side of it."""
    evened: Floats = (seen / _light(seen, picture)).astype(np.float32)
    return evened


def _light(seen: Image, picture: Image) -> Floats:
    """How much light falls on each pixel (_FINE x _FINE x 1) of what is `seen`, if it is that picture.

    A die that touches this one shades a side of it. The light's logarithm is taken for a plane: what is
    no plane is print.
    """
    here, there = (cv2.transform(each, _MEAN).astype(np.float32) for each in (seen, picture))
    ratio = np.log((here + _BLACK * here.max()) / (there + _BLACK * there.max()))
    light: Floats = np.exp(_PLANES @ (_PLANES_OF @ ratio.reshape(-1))).reshape(_FINE, _FINE, 1)
    return light


def _planes() -> Floats:
    """What light may be made of: as it is everywhere, more to the right, more below."""
    way = (np.arange(_FINE) - (_FINE - 1) / 2) / (_FINE / 2)
    below, right = np.meshgrid(way, way, indexing="ij")
    return np.stack([np.ones(below.size), right.ravel(), below.ravel()], axis=1).astype(np.float32)


_PLANES = _planes()
_PLANES_OF = np.linalg.pinv(_PLANES)


def _keeps_shape(before: Floats, after: Floats, bounds: tuple[float, float, float]) -> bool:
    """Whether a face is still about what it was: laid over freely enough, any face looks like any other."""
    least, most, leans = bounds
    longest, shortest = np.linalg.svd(np.linalg.solve(before[:, :2], after[:, :2]))[1]
    return bool(least < longest * shortest < most and longest < leans * shortest)


def _after(second: Floats, first: Floats) -> Floats:
    """One step after the other, each a 2x3 matrix."""
    joined: Floats = (np.vstack([second, [0, 0, 1]]) @ np.vstack([first, [0, 0, 1]]))[:2].astype(np.float32)
    return joined


def _outline(fit: Floats) -> Floats:
    """Where the whole face lies of which a known picture's part is laid so."""
    half, middle = _FINE / _PART / 2, _FINE / 2 - 0.5
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) + middle
    return (square @ fit[:, :2].T + fit[:, 2]).astype(np.float32)


def _fine(picture: Image, blur: float) -> Image:
    """The part of a known picture that is compared, _FINE x _FINE."""
    side = min(picture.shape[:2])
    rim = round(side * (1 - _PART) / 2)
    part = picture[rim : side - rim, rim : side - rim]
    shrinks = len(part) > _FINE
    small = cv2.resize(part, (_FINE, _FINE), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), blur * _FINE / _GRID), np.uint8)


def _plain(picture: Any, mask: Any = None) -> Floats:
    """A picture (NxNx3) as a row of numbers of length one, without brightness and contrast.

    Only what the mask (NxNx3, 0 or 1) has counts.
    """
    flat = np.asarray(picture, np.float32).reshape(-1, 3)
    if mask is None:
        flat = flat - flat.mean(axis=0)
    else:
        share = mask.reshape(-1, 3)
        flat = (flat - (flat * share).sum(axis=0) / np.maximum(share.sum(axis=0), 1)) * share
    row: Floats = (flat / max(float(np.linalg.norm(flat)), _FAINT * np.sqrt(flat.size))).reshape(-1)
    return row


def _rows(pictures: Floats) -> Floats:
    """`_plain` of many pictures (MxNx3) at once."""
    flat = (pictures - pictures.mean(axis=1, keepdims=True)).reshape(len(pictures), -1)
    length = np.sqrt(np.einsum("wn,wn->w", flat, flat))
    rows: Floats = flat / np.maximum(length, _FAINT * np.sqrt(flat.shape[1]))[:, None].astype(np.float32)
    return rows


def _grey(picture: Any) -> Any:
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)


def _fit(x: int, y: int, zoom: float, turn: int) -> Floats:
    """From the pixels of a known picture (_FINE wide) to a patch's, of a window of the grid turned so."""
    c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[turn]
    step = _GRID / _FINE * zoom
    middle = (np.array([x, y]) + _GRID / 2) * zoom - 0.5
    # `rot90` turns the other way round: what was to the right lies above.
    linear = np.array([[c, s], [-s, c]]) * step
    half = np.array([_FINE / 2 - 0.5] * 2)
    return np.hstack([linear, (middle - linear @ half)[:, None]]).astype(np.float32)
