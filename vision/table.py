"""Reads a whole table: frames in, a Reading out each time that it has come to rest and is new.

While something moves nothing is read. Once the picture rests, the sheet and the pieces on it are
read by their markers, cards without one by their faces, dice in the tray by the dice reader. A piece
that was there and is missing is looked for in a few more frames before it is given up.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.layout import Piece, Reading, Sight, TableMap
from vision.card_faces import CardFaces
from vision.coloured_tokens import ColouredTokens, Print
from vision.own_faces import OwnFaces
from vision.poker_faces import PokerFaces
from vision.settling import MotionGate, RollTracker
from vision.sheet import Sheet, SheetReader
from vision.source import Frame, Image
from vision.tapped import Standing, Tapped, bounded
from vision.tray import Tray, picture

LOOKS = 4
"""Frames of one rest that are read when the first ones do not show everything, or do not agree."""

AGAIN = 1.5
"""Seconds of rest after which a card is looked at again that was read where something hid its place."""

_LATEST = 30.0  # and so on, twice as long each time, up to so many seconds
_SURE = 0.9  # confidence from which a piece is not waited for any more


class TableReader:
    """Follows one table through the frames of one camera. One thread at a time.

    Without a map, and with a map as long as no corner of its sheet was ever seen, the whole picture is
    the tray, or what people have tapped as such, and every place is a hole. `rolls` counts throws on from
    an earlier reader.
    """

    def __init__(
        self,
        map: TableMap | None,
        pieces: Iterable[Piece] = (),
        *,
        rolls: RollTracker | None = None,
        faces: CardFaces | None = None,
        dice: PokerFaces | None = None,
        print: Print | None = None,
        tapped: Tapped | None = None,
    ) -> None:
        """`pieces` are how the table should look, as far as a game says it; see `lay_out`.

        `faces` are those of cards that may lie there without a marker, `dice` those of poker dice, None
        where dice have pips; see `learn`. `tapped` are corners that people have tapped; see `take`. `print`
        draws the sheet of the map at hand: see `SheetReader`.
        """
        self._map = map
        self._pieces = tuple(pieces)
        self._faces = faces
        self._print = print
        self._tapped = tapped
        self._standing: Standing | None = None
        self._sheet = self._reader(map, self._pieces)
        self._gate = MotionGate()
        self._tray = Tray(rolls or RollTracker(), dice)
        self._looked: list[Sheet] = []
        self._looks = 0
        self._told: object = None
        self._pause = AGAIN
        self._again: float | None = None

    def learn(self, faces: CardFaces | None) -> None:
        """Read cards without a marker by these faces from now on; a table at rest is read anew."""
        self._faces = faces
        if self._sheet is not None:
            self._sheet.learn(faces)
        self._looked, self._looks = [], 0

    def learn_dice(self, dice: PokerFaces | None) -> None:
        """Read dice by these faces from now on; a tray at rest is read anew."""
        self._tray.learn(dice)
        self._looked, self._looks = [], 0

    def remember(self, own: OwnFaces | None) -> None:
        """Ask these kept faces of the owner's dice as well; None where no face may be kept, or used."""
        self._tray.remember(own)

    def take(self, tapped: Tapped | None) -> None:
        """Go by these corners from now on where the sheet's own are not seen. The table is read anew, as one
        that was never seen: what was learned of it holds for where the sheet was taken to lie.
        """
        self._tapped, self._standing = tapped, None
        self._sheet = self._reader(self._map, self._pieces)
        self._looked, self._looks, self._told = [], 0, None

    @property
    def standing(self) -> Standing | None:
        """What has become of tapped corners by the last look; None where it had no need of them."""
        return self._standing

    def lay_out(self, map: TableMap | None, pieces: Iterable[Piece] = ()) -> None:
        """Go on with another map, as a move gives one, and with how the table should look now.

        As long as it is the same sheet nothing is forgotten, and a table at rest is read anew if it
        may mean something else now. `pieces` are never reported because they should be there: cards
        that lie where they should tell where the grid is, and pieces are looked for there first.
        """
        self._pieces = tuple(pieces)
        if map is not None and self._map is not None and _same_sheet(map, self._map):
            assert self._sheet is not None
            anew = self._sheet.lay_out(map, self._pieces)
        else:
            anew = map != self._map
            if anew:
                self._sheet = self._reader(map, self._pieces)
                self._told = None
        self._map = map
        if anew:
            self._looked, self._looks = [], 0

    @property
    def coloured(self) -> ColouredTokens | None:
        """What is known of pieces without markers by their colours; None on a sheet for cards."""
        return None if self._sheet is None else self._sheet.coloured

    def see(self, frame: Frame) -> Reading | None:
        """The table's Reading, when this frame settles one that differs from the last; else None.

        `frame` is BGR, uint8, of any size; its time is in monotonic seconds and must not go back. Only
        one at rest that has to be read is asked for its whole picture, which may raise SourceFault.
        """
        if not self._gate.rests(frame.time, frame.small):
            self._looked, self._looks = [], 0
            self._pause, self._again = AGAIN, None
            self._tray.stir()
            return None
        if self._looks >= LOOKS:
            if self._again is None or frame.time < self._again:
                return None
            self._looked, self._looks, self._again = [], 0, None
        self._looks += 1
        if not self._looked or self._once_more():
            self._looked.append(self._look(frame))
        sheet = self._looked[-1]
        settled = sheet.tray is None or self._tray.look(_within(frame.image, sheet), sheet.tray, sheet.level)
        if self._looks < LOOKS and (self._once_more() or not settled):
            return None
        self._looks = LOOKS
        return self._tell(frame, _together(self._looked))

    def _reader(self, map: TableMap | None, pieces: Iterable[Piece]) -> SheetReader | None:
        return None if map is None else SheetReader(map, pieces, self._faces, self._print, self._tapped)

    def _once_more(self) -> bool:
        """Whether another look may show more: of what is missing, and once of what was not read."""
        last = self._looked[-1]
        return bool(last.missing) or (last.unread and len(self._looked) == 1)

    def _look(self, frame: Frame) -> Sheet:
        sheet = self._sheet.look(frame) if self._sheet is not None else None
        self._standing = self._sheet.standing if self._sheet is not None else None
        if sheet is not None:
            return sheet
        places = self._sheet.every_place if self._sheet is not None else frozenset()
        if self._sheet is not None and self._sheet.found_once:
            return Sheet((), places, None)
        if self._tapped is not None and self._tapped.bounds == "tray":
            self._standing = self._tapped.stands(frame.image)
            if self._standing != "fits":
                return Sheet((), places, None)
            return Sheet((), places, self._tapped.box, bounds=self._tapped.corners)
        return Sheet((), places, (0, 0, frame.image.shape[1], frame.image.shape[0]))

    def _tell(self, frame: Frame, sheet: Sheet) -> Reading | None:
        dice = self._tray.settle(frame.time) if sheet.tray is not None else None
        holes = tuple(sorted(self._sheet.remember(sheet) if self._sheet else sheet.holes))
        if self._pause <= _LATEST and any(
            sight.confidence >= _SURE and sight.piece.place in holes for sight in sheet.pieces
        ):
            self._again, self._pause = frame.time + self._pause, 2 * self._pause
        seen = tuple((sight.piece, round(sight.confidence, 1)) for sight in sheet.pieces)
        news = (seen, holes, (dice.values, dice.sure) if dice else None, self._tray.throw)
        if news == self._told:
            return None
        self._told = news
        cuts = self._tray.cuts(frame.image, sheet.tray, sheet.level) if sheet.tray is not None else ()
        shown = picture(frame.image, sheet.tray, dice) if sheet.tray is not None else b""
        return Reading(frame.time, sheet.pieces, holes, dice, self._tray.throw, shown, cuts)


def _within(image: Image, sheet: Sheet) -> Image:
    """The picture with nothing in it that lies outside of where dice count."""
    return bounded(image, sheet.bounds) if sheet.bounds else image


def _same_sheet(one: TableMap, other: TableMap) -> bool:
    """Whether two maps are of one sheet, so that what was learned of the one holds for the other."""
    return (one.width, one.height, one.corners, one.tray) == (
        other.width,
        other.height,
        other.corners,
        other.tray,
    )


def _together(sheets: list[Sheet]) -> Sheet:
    """What the looks of one rest say together: each piece as it was seen best, holes by the best look."""
    if len(sheets) == 1:
        return sheets[0]
    best: dict[tuple[str, str], Sight] = {}
    for sight in (sight for sheet in sheets for sight in sheet.pieces):
        key = (sight.piece.kind, sight.piece.name)
        if key not in best or sight.confidence > best[key].confidence:
            best[key] = sight
    missing = frozenset.intersection(*(sheet.missing for sheet in sheets))
    fullest = min(reversed(sheets), key=lambda sheet: len(sheet.missing))
    pieces = tuple(best[key] for key in sorted(best))
    last = sheets[-1]
    gone = fullest.gone - best.keys()
    return Sheet(pieces, fullest.holes, last.tray, missing, gone, bounds=last.bounds, level=last.level)
