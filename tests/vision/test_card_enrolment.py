import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.command import main
from vision.card_reader import CardReader
from vision.enrolled import Enrolled
from vision.known_cards import KnownCards, NoCards
from vision.render_cards import Lying, draw_card, draw_deck, draw_table, photograph

NAMES = ["ada", "ben", "cid", "dot"]
DECK = draw_deck(NAMES, deck=6)


def enrol(folder: Path, names: list[str] = NAMES) -> Path:
    folder.mkdir(exist_ok=True)
    for name in names:
        cv2.imwrite(str(folder / f"{name}.png"), DECK[name])
    return folder


def words(known: KnownCards, card: str) -> str:
    return " ".join(fault.words for fault in known.faults if fault.card == card)


def test_a_card_is_named_by_its_files_stem(tmp_path: Path) -> None:
    known = KnownCards.load(enrol(tmp_path))
    assert [card.name for card in known.cards] == NAMES
    assert known.faults == ()


@pytest.mark.parametrize("turn", [0.0, 8.0])
def test_photographed_cards_are_cut_out_of_their_table(tmp_path: Path, turn: float) -> None:
    for place, name in enumerate(NAMES):
        lying = Lying(name, (0.5, 0.5), turn + 3 * place, 0.3)
        image, _ = photograph("cloth", DECK, [lying], seed=place)
        cv2.imwrite(str(tmp_path / f"{name}.png"), image)
    known = KnownCards.load(tmp_path)
    for card in known.cards:
        true = cv2.resize(DECK[card.name], card.size, interpolation=cv2.INTER_CUBIC)
        assert np.abs(card.picture.astype(int) - true).mean() < 25


def test_a_frame_printed_on_a_card_is_not_cut_out(tmp_path: Path) -> None:
    known = KnownCards.load(enrol(tmp_path))
    assert {card.given for card in known.cards} == {(252, 352)}


def test_what_is_wrong_is_said_of_each_card(tmp_path: Path) -> None:
    enrol(tmp_path)
    cv2.imwrite(str(tmp_path / "ada.webp"), DECK["ben"])
    cv2.imwrite(str(tmp_path / "again.png"), DECK["dot"])
    cv2.imwrite(str(tmp_path / "blank.png"), np.full((352, 252, 3), 200, np.uint8))
    cv2.imwrite(str(tmp_path / "plain.png"), draw_card(0, plain=True))
    cv2.imwrite(str(tmp_path / "small.png"), cv2.resize(draw_card(77, deck=6), (63, 88)))
    (tmp_path / "broken.jpg").write_text("no picture")
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "notes.txt").write_text("left alone")
    (tmp_path / "folder.jpg").mkdir()
    known = KnownCards.load(tmp_path)
    assert "Two pictures" in words(known, "ada")
    assert "almost like dot" in words(known, "again")
    assert "almost like again" in words(known, "dot")
    assert "Nothing" in words(known, "blank")
    assert "little print" in words(known, "plain")
    assert "63 x 88" in words(known, "small")
    assert "no picture" in words(known, "broken")
    assert "no picture" in words(known, "empty")
    assert {fault.card for fault in known.faults if fault.lost} == {"ada", "blank", "broken", "empty"}
    assert {card.name for card in known.cards} == {*NAMES, "again", "plain", "small"}
    assert words(known, "ben") == ""
    assert np.array_equal(known.cards[0].picture, KnownCards([("ada", DECK["ada"])]).cards[0].picture)


@pytest.mark.parametrize("kind", ["none", "empty", "blank"])
def test_a_folder_without_a_card_is_said_in_words(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "cards"
    if kind != "none":
        folder.mkdir()
    if kind == "blank":
        cv2.imwrite(str(folder / "white.png"), np.full((352, 252, 3), 255, np.uint8))
    with pytest.raises(NoCards):
        KnownCards.load(folder)


def test_the_command_tells_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["enrol", "cards", str(enrol(tmp_path / "cards"))]) == 0
    told = capsys.readouterr().out
    assert "ada: good" in told
    assert "4 cards are known" in told
    (tmp_path / "cards" / "ada.jpg").touch()
    assert main(["enrol", "cards", str(tmp_path / "cards")]) == 1
    assert "ada: ada.jpg is no picture" in capsys.readouterr().out
    assert main(["enrol", "cards", str(tmp_path / "nowhere")]) == 1
    assert "nowhere" in capsys.readouterr().err


def test_pictures_of_other_cards_than_the_game_has_are_refused(tmp_path: Path) -> None:
    folder = enrol(tmp_path, ["ada", "ben"])
    (folder / "ben.png").rename(folder / "ben-bob.png")
    enrolled = Enrolled(folder, ("ada", "ben/bob", "cid"))
    known = enrolled.faces()
    assert known is not None
    assert known.cards == ("ada", "ben-bob")
    assert known.faults == ()
    assert enrolled.missing == ("cid",)
    enrol(folder, ["dot"])
    known = enrolled.faces()
    assert known is not None
    assert known.cards == ("ada", "ben-bob")
    (fault,) = known.faults
    assert (fault.card, fault.lost) == ("dot", True)
    assert "ada, ben-bob, cid" in fault.cure


def test_the_command_tells_which_cards_of_a_game_are_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = enrol(tmp_path, ["ada"])
    (folder / "ada.png").rename(folder / "3-4.png")
    assert main(["enrol", "cards", str(folder), "--game", "hachi_train"]) == 1
    told = capsys.readouterr().out
    assert "3-4: good" in told
    assert "5-6: There is no picture of it" in told
    assert "1 cards are known, 0 need a look, 0 pictures are of no use" in told
    enrol(folder, ["ben"])
    assert main(["enrol", "cards", str(folder), "--game", "hachi_train"]) == 1
    assert "ben: There is no such card. Name it like the card that it shows: 1, 2," in capsys.readouterr().out
    assert main(["enrol", "cards", str(tmp_path / "nowhere"), "--game", "hachi_train"]) == 1
    assert "nowhere" in capsys.readouterr().err


def test_photographs_are_read_a_line_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = enrol(tmp_path / "cards")
    image, corners = photograph("cloth", DECK, [Lying("ben", (0.5, 0.5), 90, 0.15)], seed=1)
    cv2.imwrite(str(tmp_path / "a.png"), image)
    cv2.imwrite(str(tmp_path / "bare.png"), draw_table("cloth", 1, (640, 480)))
    (tmp_path / "text.jpg").write_text("no picture")
    photos = [str(tmp_path / name) for name in ("a.png", "text.jpg", "none.jpg", "bare.png")]
    seen = tmp_path / "seen"
    assert main(["see", "cards", "--known", str(known), "--annotate", str(seen), *photos]) == 1
    first, text, none, bare = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (first["photo"], first["sure"]) == (photos[0], True)
    (card,) = first["cards"]
    assert card["card"] == "ben"
    assert abs(card["rotation"] - 90) < 2
    assert np.abs(np.array(card["corners"]) - corners[0]).max() < 4
    assert 0.95 < card["confidence"] <= 1
    assert "JPEG" in text["error"]
    assert "error" in none
    assert (bare["sure"], bare["cards"]) == (True, [])
    assert len(list(seen.iterdir())) == 2


def test_photographs_are_not_begun_without_known_cards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["see", "cards", "--known", str(tmp_path), "a.jpg"])
    assert end.value.code == 2
    assert "--known" in capsys.readouterr().err


def test_a_reader_of_plain_cards_alone_has_nothing_to_search_for() -> None:
    reader = CardReader(KnownCards([("plain", draw_card(0, plain=True))]))
    assert reader.read(draw_table("mat", 1, (640, 480))).cards == ()
