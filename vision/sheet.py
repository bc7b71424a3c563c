"""What one frame shows of the sheet: pieces in their places, and places that cannot be seen.

One quick pass finds nearly all markers. A piece that was there and is missing is then looked for
closely where it was, and wherever something new lies, unless an arm or the like covers it there.
Where a card lies without a marker it is read by its face, if that is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Piece, Point, Sight, TableMap, Token
from vision.card_faces import CardFaces
from vision.coloured_tokens import ColouredTokens, Print
from vision.coverage import Coverage, Footprint
from vision.dice_slant import Level
from vision.ground import Ground, depth
from vision.laid_cards import LaidCards
from vision.markers import Box, Corners, find_markers, find_near
from vision.pieces import Found, Key, find_pieces
from vision.places import Places
from vision.pose import Pose, Registration
from vision.seen_sheet import Disc
from vision.source import Frame
from vision.tapped import Standing, Tapped

Image = NDArray[np.uint8]
Floats = NDArray[Any]

_HIDES = 1.2  # how far around itself a piece may hide the sheet, in sides of its marker
_SHADOW = 8.0  # mm that its shadow adds
_EDGE = 3.0  # mm around it where it is not clear what one sees
_NEAR = 16.0  # mm around what is looked at closely
_TRAY_EDGE = 4.0  # mm of the tray's rim that are shown to the dice reader


@dataclass(frozen=True)
class Sheet:
    """What one frame of a rest showed; `tray` is where to look for dice (None: nowhere, or not now).

    `missing` are pieces that should be there and were not seen; `gone` are cards in whose place
    nothing lies any more, or another card. `unread` says that something lies there which may be a
    piece, and whose marker was not read. `bounds` is the outline in the picture (pixels) outside of which
    no die counts; none given: all of `tray`. `level` is how level things are seen, if
    it is known.
    """

    pieces: tuple[Sight, ...]
    holes: frozenset[str]
    tray: Box | None
    missing: frozenset[Key] = frozenset()
    gone: frozenset[Key] = frozenset()
    unread: bool = False
    bounds: tuple[Point, ...] = ()
    level: Level | None = field(default=None, compare=False)


@dataclass(frozen=True)
class _Known:
    """Where a piece was last: its place, and where in it."""

    place: str
    found: Found


class SheetReader:
    """Reads one sheet, frame after frame. It remembers what it saw. One thread at a time."""

    def __init__(
        self,
        map: TableMap,
        pieces: Iterable[Piece] = (),
        faces: CardFaces | None = None,
        print: Print | None = None,
        tapped: Tapped | None = None,
    ) -> None:
        """`pieces` are how the table should look; see `lay_out`. `faces`: see `learn`.

        `print` draws the sheet, so that pieces without markers are told by their colours; not where cards
        with markers lie on it. `tapped` are corners of the sheet by which it is placed where too few of its
        markers are seen.
        """
        self._map = map
        self._faces: LaidCards | None = None
        self._registration = Registration(map, tapped)
        self._coverage = Coverage(map)
        self._new = True
        self._known: dict[Key, _Known] = {}
        self._found: dict[Key, Found] = {}
        self._seen: set[Key] = set()
        self._expected: dict[Key, str] = {}
        self._take(map, pieces)
        self._ground = Ground(map)
        self._places = Places(map, self._ground)
        bare = not any(token.flat for token in map.tokens)
        self._coloured = ColouredTokens(map, print) if print is not None and bare else None
        self.learn(faces)

    def learn(self, faces: CardFaces | None) -> None:
        """Read cards without a marker by these faces from now on."""
        self._faces = LaidCards(self._map, faces) if faces is not None else None

    def lay_out(self, map: TableMap, pieces: Iterable[Piece]) -> bool:
        """Go on with another map of the same sheet, and with how the table should look now.

        Whether that may change what was seen. Cards of `pieces` tell where the grid of cells is;
        what is neither among them nor seen is no longer waited for. Where one of them is of a kind
        that carries no markers, whatever lies there is that, and no arm.
        """
        before = (self._map, self._cards_expected(), self._blank)
        self._take(map, pieces)
        if map != before[0]:
            self._ground = Ground(map, self._ground)
            self._places = Places(map, self._ground)
            if self._faces is not None:
                self._faces.lay_out(map)
        self._known = {
            key: known
            for key, known in self._known.items()
            if key in self._of and (key in self._seen or key in self._expected)
        }
        return (map, self._cards_expected(), self._blank) != before

    def _cards_expected(self) -> dict[Key, str]:
        return {key: place for key, place in self._expected.items() if key[0] in self._flat}

    def _take(self, map: TableMap, pieces: Iterable[Piece]) -> None:
        self._map = map
        self._tokens = {token.id: token for token in map.tokens}
        self._ids = tuple(sorted({*self._tokens, *(marker.id for marker in map.corners)}))
        self._of: dict[Key, list[Token]] = {}
        for token in map.tokens:
            self._of.setdefault((token.kind, token.name), []).append(token)
        self._flat = {token.kind for token in map.tokens if token.flat}
        self._every = frozenset(place.name for place in map.places)
        self._expected = {
            (piece.kind, piece.name): piece.place
            for piece in pieces
            if (piece.kind, piece.name) in self._of and piece.place in self._every
        }
        kinds = {token.kind for token in map.tokens}
        self._blank = {piece.place for piece in pieces if piece.kind not in kinds} & self._every
        printed = {token.kind for token in map.tokens if token.printed}
        self._over_print = {place.name for place in map.places if printed & set(place.holds)} & self._blank

    @property
    def found_once(self) -> bool:
        """Whether the sheet was ever found in the picture, or people have said where it lies."""
        return self._registration.seen

    @property
    def coloured(self) -> ColouredTokens | None:
        """What is known of pieces without markers by their colours; None on a sheet for cards."""
        return self._coloured

    @property
    def standing(self) -> Standing | None:
        """What has become of tapped corners by the last look; None where it had no need of them."""
        return self._registration.standing

    @property
    def every_place(self) -> frozenset[str]:
        """The names of all places."""
        return self._every

    def look(self, frame: Frame) -> Sheet | None:
        """What this frame shows; None when the sheet cannot be placed in it."""
        image = frame.image
        size = (image.shape[1], image.shape[0])
        markers = find_markers(image, quick=True, of=self._ids)
        pose = self._pose(markers, size) or self._registration.by_taps(dict(markers), image)
        if pose is None:
            markers = find_markers(image, of=self._ids)
            pose = self._pose(markers, size)
        if pose is None:
            return None
        self._coverage.compare(image, pose)
        found, doubtful = self._pieces(image, pose, markers)
        if self._coloured is not None:
            found += self._coloured.look(image, pose, found, self._expected, self._ground.outlines)
        sights = self._places.sights(found)
        self._coverage.lay_out(self._ground.outlines)
        self._found |= {piece.key: piece for piece in found}
        blank = self._lying_blank(found)
        self._coverage.explain([*(self._footprint(piece) for piece in found), *blank])
        unread = bool(self._coverage.strange())
        missing = self._looked_for() - sights.keys()
        upper = [outline for piece in found if (outline := self._ground.card(piece)) is not None]
        upper += [piece.outline for piece in blank if piece.outline is not None]
        gone = {key for key in missing if self._is_gone(key, upper)}
        holes, reaching = self._coverage.settle(frame.time)
        return Sheet(
            tuple(sights[key] for key in sorted(sights)),
            holes | doubtful | self._out_of(pose, size),
            None if reaching else tray_box(self._map, pose, size),
            frozenset(missing - gone),
            frozenset(gone),
            unread,
            level=level_of(pose),
        )

    def remember(self, sheet: Sheet) -> frozenset[str]:
        """Keep in mind where everything is; the places that could not be seen.

        A piece that is nowhere to be seen may stand where it stood, under whatever hides it.
        """
        seen = {(sight.piece.kind, sight.piece.name): sight.piece.place for sight in sheet.pieces}
        for key, place in seen.items():
            self._known[key] = _Known(place, self._found[key])
        for key in sheet.gone:
            self._known.pop(key, None)
        self._found.clear()
        self._seen, self._new = set(seen), False
        lost = {self._known[key].place for key in sheet.missing if key in self._known}
        return sheet.holes | (lost & self._every)

    # -- looking -------------------------------------------------------------------------------

    def _pose(self, markers: Sequence[tuple[int, Corners]], size: tuple[int, int]) -> Pose | None:
        corners = {id: quad for id, quad in markers if id not in self._tokens}
        return self._registration.find(corners, size)

    def _pieces(
        self, image: Image, pose: Pose, markers: Sequence[tuple[int, Corners]]
    ) -> tuple[list[Found], frozenset[str]]:
        """All pieces that are seen, and the places in which a card lies that cannot be told."""
        found = find_pieces(markers, self._tokens, pose)
        if self._faces is None:
            found = self._closely(image, pose, markers, found, [])
            self._ground.settle(found, self._where_expected())
            return found, frozenset()
        self._faces.see(image, pose, [self._disc(piece) for piece in found if not piece.flat])
        still = self._faces.still(self._ground, found)
        found = self._closely(image, pose, markers, found, still)
        self._ground.settle(found, self._where_expected())
        fresh, doubtful = self._faces.look(self._ground, found)
        found += fresh
        self._ground.settle(found, self._where_expected())
        return found, doubtful

    def _looked_for(self) -> set[Key]:
        """Pieces that should be there: at first all that are told of, later those that were seen."""
        return set(self._known) if not self._new else set(self._expected) or set(self._of)

    def _where_expected(self) -> dict[Key, str]:
        """In which place each card belongs, as it was told, or as it was seen."""
        return {key: known.place for key, known in self._known.items()} | self._expected

    def _closely(
        self,
        image: Image,
        pose: Pose,
        markers: Sequence[tuple[int, Corners]],
        marked: list[Found],
        read: list[Found],
    ) -> list[Found]:
        """The pieces that are there, with those whose markers show when one looks closely.

        That is done where a missing piece was, where something new lies, and where something printed may
        have come to light. Those `read` by their
        faces are there, unless a marker shows them elsewhere.
        """
        found = _with(marked, read)
        self._coverage.explain([self._footprint(piece) for piece in found])
        patches = self._coverage.strange()
        for key in sorted(self._looked_for() - {piece.key for piece in found}):
            outline = self._last_seen(key)
            if outline is not None and not self._coverage.covered(outline):
                patches.append(outline)
        # A mark under what carries none itself is new when it shows, though nothing of the sheet has changed.
        patches += [self._ground.outlines[name] for name in sorted(self._over_print)]
        # Of two cards of which one lies on the other both are looked at: the upper one shows all its markers.
        for piece in {piece for pair in self._places.on_each_other(found) for piece in pair}:
            patches += [np.array([mark]) for mark in self._places.marks_unseen(piece)]
        size = (image.shape[1], image.shape[0])
        boxes = [box for patch in patches if (box := _box(pose, patch, _NEAR, size)) is not None]
        if boxes:
            least = min(token.side for token in self._map.tokens)
            markers = _joined(markers, find_near(image, boxes, least * pose.scale(size), self._ids))
            found = _with(find_pieces(markers, self._tokens, pose), read)
        if self._new and self._looked_for() - {piece.key for piece in found}:
            # Nobody knows yet where it is: one thorough look all over the picture.
            more = find_markers(image, of=self._ids)
            found = _with(find_pieces(_joined(markers, more), self._tokens, pose), read)
        return found

    def _last_seen(self, key: Key) -> Floats | None:
        """The outline in which a piece is looked for closely; None when nothing is known of it."""
        known = self._known.get(key)
        if known is not None:
            outline = self._ground.card(known.found)
            reach = 2 * max(token.side for token in self._of[key])
            corners = np.array([(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)]) / 2
            return corners + known.found.at if outline is None else outline
        place = self._expected.get(key)
        return None if place is None else self._ground.outlines[place]

    def _is_gone(self, key: Key, upper: Sequence[Floats]) -> bool:
        """Whether a card is surely not where it was: one of those outlines lies over it, or nothing does."""
        known = self._known.get(key)
        if known is None or not known.found.flat:
            return False
        outline = self._ground.card(known.found)
        if outline is None:
            return False
        if any(depth(other, known.found.at) >= 0 for other in upper):
            return True
        return self._coverage.bare(outline)

    def _lying_blank(self, found: Sequence[Found]) -> list[Footprint]:
        """What the rules have lying without a marker, where something does lie that no piece explains."""
        footprints = []
        for name in sorted(self._blank):
            outline = self._ground.outlines[name]
            middle = (float(outline[:, 0].mean()), float(outline[:, 1].mean()))
            taken = any(depth(outline, piece.at) >= 0 for piece in found)
            if not taken and not self._coverage.bare(outline):
                footprints.append(Footprint(("", name), middle, 0.0, outline))
        return footprints

    def _footprint(self, piece: Found) -> Footprint:
        reach = max(token.side for token in self._of[piece.key]) * _HIDES + _SHADOW
        return Footprint(piece.key, piece.at, reach, self._ground.card(piece))

    def _disc(self, piece: Found) -> Disc:
        side = max(token.side for token in self._of[piece.key]) * _HIDES
        return (piece.at, side + _EDGE, side + _SHADOW)

    def _out_of(self, pose: Pose, size: tuple[int, int]) -> frozenset[str]:
        """The places whose middle is outside the picture."""
        seen = pose.picture(self._ground.middles)
        inside = np.all((seen >= 0) & (seen < size), axis=1).tolist()
        return frozenset(
            place.name for place, shows in zip(self._ground.places, inside, strict=True) if not shows
        )


def level_of(pose: Pose) -> Level:
    """How level things are seen in a picture of that pose."""
    return Level(np.linalg.inv(pose.matrix), pose.eye[:2])


def tray_box(map: TableMap, pose: Pose, size: tuple[int, int]) -> Box | None:
    """The part of a picture of that size (across, down) that shows the tray; None outside it."""
    outline = np.array(map.tray.outline)
    grown = outline + np.sign(outline - outline.mean(axis=0)) * _TRAY_EDGE
    # Of a tray outside the picture nothing can be seen.
    return _box(pose, grown, 0.0, size)


def _with(marked: list[Found], read: Sequence[Found]) -> list[Found]:
    """Those and, of the cards read by their faces, those of which no marker was seen."""
    keys = {piece.key for piece in marked}
    return [*marked, *(piece for piece in read if piece.key not in keys)]


def _joined(
    markers: Sequence[tuple[int, Corners]], more: Sequence[tuple[int, Corners]]
) -> list[tuple[int, Corners]]:
    """Those markers and, of the others, those with ids not seen yet."""
    seen = {id for id, _ in markers}
    return [*markers, *(marker for marker in more if marker[0] not in seen)]


def _box(pose: Pose, outline: Floats, around: float, size: tuple[int, int]) -> Box | None:
    """The part of the picture that shows an outline (mm) and so much around it; None outside it."""
    low, high = outline.min(axis=0) - around, outline.max(axis=0) + around
    corners = pose.picture(np.array([low, (high[0], low[1]), high, (low[0], high[1])]))
    left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
    right, below = np.minimum(np.ceil(corners.max(axis=0)).astype(int), size)
    return (int(left), int(top), int(right), int(below)) if left < right and top < below else None
