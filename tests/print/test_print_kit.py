"""The print kit as a printer gets it: measured in the PDF's own numbers."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion import games, packs
from companion.command import main
from companion.games.drawing import Drawing, Part, Placed, Text
from companion.games.game import Game
from companion.games.kit import Batch
from companion.games.layout import Marker, TableMap
from companion.print_kit.pages import Page, pages
from companion.print_kit.paper import EDGE, PAPERS
from companion.print_kit.pdf import pdf
from tests.drawing.house import box_of
from tests.print.content import Painted, PdfPage, read

NEAR = 0.1
"""How exact the print must be (mm)."""

KITS = [(name, paper) for name in games.NAMES for paper in PAPERS]

# The black side of each kind of marker, and the cut side of each kind of card (mm), as the rules and
# the reader of the table have them.
MARKERS = {
    "hachi_train": {"every": 19.0, "corner": 36.0},
    "hellrail": {"card": 16.0, "engine": 12.5, "corner": 30.0},
    "pawns_of_perdition": {"pawn": 24.0, "corner": 36.0},
    "rail_raiders_infinite": {"every": 19.0, "corner": 36.0},
}
CARDS = {
    "hachi_train": (63.0, 88.0),
    "hellrail": (60.0, 60.0),
    "pawns_of_perdition": (63.0, 88.0),
    "rail_raiders_infinite": (63.0, 88.0),
}


def game(name: str) -> Game[Any, Any]:
    return games.load(name)


@cache
def batches(name: str) -> tuple[Batch, ...]:
    return game(name).kit(packs.load(game(name), "house"))


@cache
def laid_out(name: str, paper: str) -> tuple[Page, ...]:
    return pages(game(name).title, batches(name), paper)


@cache
def file_of(name: str, paper: str) -> bytes:
    return pdf(game(name).title, [page.drawing for page in laid_out(name, paper)])


@cache
def printed(name: str, paper: str) -> tuple[PdfPage, ...]:
    return read(file_of(name, paper))


def whole_sheet(name: str) -> Drawing:
    """The sheet that the game lies on."""
    (batch,) = (batch for batch in batches(name) if batch.whole)
    return batch.items[0].drawing


def table(name: str) -> TableMap:
    of = game(name)
    return of.table_map(of.setup(of.seats, packs.load(of, "house"), {}))


def of_batch(name: str, paper: str, title: str) -> list[PdfPage]:
    return [
        page
        for page, laid in zip(printed(name, paper), laid_out(name, paper), strict=True)
        if f": {title}" in laid.name
    ]


def marker_squares(page: PdfPage) -> list[Painted]:
    """The black squares of markers that show whole."""
    return [
        shape
        for shape in page.painted
        if shape.fill == "#000000" and not shape.stroke and shape.whole and len(shape.subpaths[0]) == 4
    ]


def marker_id(page: PdfPage, square: Painted) -> int:
    """Read off the white that is painted right after the black."""
    white = page.painted[page.painted.index(square) + 1]
    assert white.fill == "#ffffff"
    corners = np.array(square.subpaths[0])
    # From the marker's own upper left corner, whichever way the page turns it.
    across, down = (corners[1] - corners[0]) / 7, (corners[3] - corners[0]) / 7
    into = np.linalg.inv(np.column_stack([across, down]))
    bits = np.zeros((7, 7), np.uint8)
    for subpath in white.subpaths:
        places = (np.array(subpath) - corners[0]) @ into.T
        assert np.abs(places - places.round()).max() < 0.01
        (left, top), (right, bottom) = places.min(axis=0).round(), places.max(axis=0).round()
        bits[int(top) : int(bottom), int(left) : int(right)] = 1
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
    known, id, turn = dictionary.identify(bits[1:-1, 1:-1], 0.0)
    assert known
    assert turn == 0
    return int(id)


def drawn_markers(drawing: Drawing) -> list[Marker]:
    """All markers of a drawing and of those placed in it."""
    found = []
    for shape in drawing.shapes:
        if isinstance(shape, Marker):
            found.append(shape)
        elif isinstance(shape, Placed):
            found += drawn_markers(shape.drawing)
    return found


@pytest.mark.parametrize(("name", "paper"), KITS)
def test_pages_have_the_paper_s_size_and_leave_its_edge_free(name: str, paper: str) -> None:
    upright = PAPERS[paper]
    for page, laid in zip(printed(name, paper), laid_out(name, paper), strict=True):
        assert (page.width, page.height) == pytest.approx(
            upright if page.height > page.width else upright[::-1], abs=0.01
        )
        assert page.painted
        for shape in page.painted:
            seen = shape.seen
            if seen is not None:
                assert seen[0] >= EDGE, laid.name
                assert seen[1] >= EDGE, laid.name
                assert seen[2] <= page.width - EDGE, laid.name
                assert seen[3] <= page.height - EDGE, laid.name


def text_boxes(drawing: Drawing, placed: Any = None) -> Any:
    """The boxes of all texts of a page, and of the drawings `placed` (3x3) on it; those of tiles are cut."""
    placed = np.eye(3) if placed is None else placed
    for shape in drawing.shapes:
        if isinstance(shape, Text):
            left, top, right, bottom = box_of(shape)
            corners = np.array([(x, y, 1.0) for x in (left, right) for y in (top, bottom)]) @ placed.T
            yield shape.words, (*corners[:, :2].min(axis=0), *corners[:, :2].max(axis=0))
        elif isinstance(shape, Placed):
            c, s = np.cos(np.radians(shape.turn)), np.sin(np.radians(shape.turn))
            turned = np.array([(c, -s, shape.at[0]), (s, c, shape.at[1]), (0, 0, 1)])
            half = (shape.drawing.width / 2, shape.drawing.height / 2)
            middle = np.array([(1, 0, -half[0]), (0, 1, -half[1]), (0, 0, 1)])
            yield from text_boxes(shape.drawing, placed @ turned @ middle)


@pytest.mark.parametrize(("name", "paper"), KITS)
def test_all_words_stand_inside_the_edge(name: str, paper: str) -> None:
    for laid in laid_out(name, paper):
        page = laid.drawing
        for words, (left, top, right, bottom) in text_boxes(page):
            assert left >= EDGE, (laid.name, words)
            assert top >= EDGE, (laid.name, words)
            assert right <= page.width - EDGE, (laid.name, words)
            assert bottom <= page.height - EDGE, (laid.name, words)


@pytest.mark.parametrize(("name", "paper"), KITS)
def test_the_first_page_has_lines_of_100_mm_each_way(name: str, paper: str) -> None:
    sizes = [shape.size for shape in printed(name, paper)[0].painted if shape.stroke and not shape.fill]
    assert any(abs(wide - 100) < NEAR and high < NEAR for wide, high in sizes)
    assert any(wide < NEAR and abs(high - 100) < NEAR for wide, high in sizes)
    strokes = Counter(round(max(size), 1) for size in sizes)
    assert strokes[2.5] == 2 * 9
    assert strokes[4.0] == 2 * 2


@pytest.mark.parametrize(("name", "paper"), KITS)
def test_every_marker_is_a_true_square_of_its_side_and_reads_as_its_number(name: str, paper: str) -> None:
    asked = Counter(
        marker.id
        for batch in batches(name)
        if not batch.whole
        for item in batch.items
        for marker in drawn_markers(item.drawing) * item.copies
    )
    sides = {token.id: token.side for token in table(name).tokens}
    on_sheet = {marker.id: marker.side for marker in drawn_markers(whole_sheet(name))}
    found: Counter[int] = Counter()
    seen: set[int] = set()
    for page, laid in zip(printed(name, paper), laid_out(name, paper), strict=True):
        tile = isinstance(laid.drawing.shapes[0], Part)
        for square in marker_squares(page):
            id = marker_id(page, square)
            wide, high = square.size
            assert wide == pytest.approx(high, abs=NEAR / 10)
            if id in sides:
                assert wide == pytest.approx(sides[id], abs=NEAR)
            else:
                seen.add(id)
                assert wide == pytest.approx(on_sheet[id], abs=NEAR)
            if not tile:
                found[id] += 1
    assert found == asked
    assert seen == set(on_sheet)
    assert all(on_sheet[marker.id] == MARKERS[name]["corner"] for marker in table(name).corners)
    assert set(sides) <= set(found)
    assert {*sides.values(), *(marker.side for marker in table(name).corners)} == set(MARKERS[name].values())


@pytest.mark.parametrize(("name", "paper"), KITS)
def test_cards_are_as_large_as_they_should_be_and_cut_marks_meet_their_edges(name: str, paper: str) -> None:
    wide, high = CARDS[name]
    batch = batches(name)[0]
    cards = 0
    for page in of_batch(name, paper, batch.title)[:-1]:
        grounds = [
            shape
            for shape in page.painted
            if shape.fill and not shape.stroke and shape.size == pytest.approx((wide, high), abs=NEAR)
        ]
        cards += len(grounds)
        marks = [shape for shape in page.painted if shape.stroke == "#000000" and max(shape.size) < 2.5]
        for edge in (0, 1):
            cuts = sorted({round(shape.box[edge + end], 2) for shape in grounds for end in (0, 2)})
            along = [mark.middle[edge] for mark in marks if mark.size[edge] < 0.01]
            assert all(min(abs(cut - mark) for mark in along) < NEAR / 5 for cut in cuts)
            assert all(min(abs(cut - mark) for cut in cuts) < NEAR / 5 for mark in along)
    assert cards == sum(item.copies for item in batch.items)


@pytest.mark.parametrize(("name", "paper"), KITS)
def test_backs_lie_behind_their_fronts_when_the_paper_is_turned_over(name: str, paper: str) -> None:
    wide, high = CARDS[name]
    title = batches(name)[0].title
    *fronts, backs = of_batch(name, paper, title)

    def middles(page: PdfPage) -> list[tuple[float, float]]:
        return [
            shape.middle
            for shape in page.painted
            if shape.fill and shape.whole and shape.size == pytest.approx((wide, high), abs=NEAR)
        ]

    behind = middles(backs)
    assert len(behind) > 5
    for page in fronts:
        for x, y in middles(page):
            assert min(max(abs(page.width - x - a), abs(y - b)) for a, b in behind) < NEAR / 5


@pytest.mark.parametrize(("name", "paper"), KITS)
def test_the_tiles_join_to_the_whole_sheet(name: str, paper: str) -> None:
    (batch,) = (batch for batch in batches(name) if batch.whole)
    whole = whole_sheet(name)
    tiles = of_batch(name, paper, batch.title)
    laid = [page for page in laid_out(name, paper) if f": {batch.title}" in page.name]
    names = [page.name[-2:] for page in laid]
    across, down = len({name[0] for name in names}), len({name[1] for name in names})
    assert sorted(names) == [f"{'ABCDEFGH'[x]}{y + 1}" for x in range(across) for y in range(down)]
    wide, high = whole.width / across, whole.height / down
    middles: dict[int, tuple[float, float]] = {}
    for tile, name_of in zip(tiles, names, strict=True):
        column, row = "ABCDEFGH".index(name_of[0]), int(name_of[1]) - 1
        marks = [shape for shape in tile.painted if shape.stroke == "#000000" and max(shape.size) < 2.5]
        xs = sorted({round(mark.middle[0], 2) for mark in marks if mark.size[0] < 0.01})
        ys = sorted({round(mark.middle[1], 2) for mark in marks if mark.size[1] < 0.01})
        assert xs[-1] - xs[0] == pytest.approx(wide, abs=NEAR)
        assert ys[-1] - ys[0] == pytest.approx(high, abs=NEAR)
        # The grey lines for the next tiles lie where those are cut, and show what those begin with.
        window = max(
            (shape.window for shape in tile.painted if shape.window != (0, 0, tile.width, tile.height)),
            key=lambda box: box[2] - box[0],
        )
        assert window[:2] == pytest.approx((xs[0], ys[0]), abs=NEAR)
        assert window[2] - xs[-1] == pytest.approx(8 if column + 1 < across else 0, abs=NEAR)
        assert window[3] - ys[-1] == pytest.approx(8 if row + 1 < down else 0, abs=NEAR)
        for square in marker_squares(tile):
            x, y = square.middle
            place = (x - xs[0] + column * wide, y - ys[0] + row * high)
            id = marker_id(tile, square)
            assert middles.setdefault(id, place) == pytest.approx(place, abs=NEAR)
    assert middles == {marker.id: pytest.approx(marker.at, abs=NEAR) for marker in drawn_markers(whole)}
    assert {marker.id: marker.at for marker in table(name).corners}.items() <= {
        (marker.id, marker.at) for marker in drawn_markers(whole)
    }


def test_corner_markers_say_how_far_apart_they_lie() -> None:
    corners = {marker.id: np.array(marker.at) for marker in table("hellrail").corners}
    (batch,) = (batch for batch in batches("hellrail") if batch.title == "Corner markers")
    across, down, diagonal = map(float, re.findall(r"(\d+) mm", batch.advice))
    assert across == pytest.approx(np.linalg.norm(corners[0] - corners[1]))
    assert down == pytest.approx(np.linalg.norm(corners[1] - corners[2]))
    assert diagonal == pytest.approx(np.linalg.norm(corners[0] - corners[2]), abs=0.5)
    assert len(batch.items) == 4


def test_the_kits_are_complete() -> None:
    hellrail = [item for batch in batches("hellrail") for item in batch.items]
    cards = [item for item in hellrail if (item.drawing.width, item.drawing.height) == (60, 60)]
    assert sum(item.copies for item in cards) == 45 + 10 + 4
    copies = Counter((item.drawing.width, item.drawing.height, item.copies) for item in hellrail)
    assert copies[25, 25, 4] == 1
    assert copies[50, 25, 2] == 1
    pawns = {batch.title: batch for batch in batches("pawns_of_perdition")}
    assert sum(item.copies for item in pawns["Prayer cards"].items) == 30
    assert len(pawns["Pawns"].items) == 5
    raiders = {batch.title: batch for batch in batches("rail_raiders_infinite")}
    counts = {title: sum(item.copies for item in batch.items) for title, batch in raiders.items()}
    assert [counts[deck] for deck in ("High Noon", "Long Arm", "Loot")] == [56, 56, 56]
    assert (counts["Raiders"], counts["Train cars"]) == (6, 14)
    assert counts["Raiders and Lawbots to fold up"] == 4 + 7 + 5 + 2
    assert counts["Loot tokens, double-dollars, the Dealer token"] == 20 + 42 + 1
    assert counts["Stickers for dice"] == 3 * 6 * 20
    trains = {batch.title: batch for batch in batches("hachi_train")}
    assert sum(item.copies for item in trains["Train cars and special cars"].items) == 48
    assert len(trains["Assets"].items) == 5


def test_fonts_are_in_the_file_and_the_same_kit_gives_the_same_bytes() -> None:
    file = file_of("hellrail", "a4")
    assert file == pdf("HellRail", [page.drawing for page in laid_out("hellrail", "a4")])
    embedded = set(re.findall(rb"/BaseFont /[A-Z]{6}\+(\S+)", file))
    assert embedded == {b"BreeSerif-Regular", b"AlfaSlabOne-Regular", b"GrenzeGotisch-Bold"}
    assert len(re.findall(rb"/FontFile2", file)) == 3


@pytest.mark.parametrize(("name", "paper"), KITS)
def test_the_command_writes_the_file_and_says_so(
    name: str, paper: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "kit.pdf"
    assert main(["print", name, "--paper", paper, "--out", str(file)]) == 0
    assert file.read_bytes() == file_of(name, paper)
    assert f"{file}: {len(printed(name, paper))} pages" in capsys.readouterr().out


def test_without_a_name_the_file_is_called_after_game_and_paper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["print", "hellrail", "--paper", "letter"]) == 0
    assert [file.name for file in tmp_path.iterdir()] == ["hellrail-letter.pdf"]


def test_a_file_that_cannot_be_written_is_a_fault_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "missing" / "kit.pdf"
    assert main(["print", "hellrail", "--out", str(file)]) == 1
    assert "cannot be written" in capsys.readouterr().err
    assert main(["print", "hellrail", "--pack", "nobody's"]) == 78
    assert "has no pack" in capsys.readouterr().err
