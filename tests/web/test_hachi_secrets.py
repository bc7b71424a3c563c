"""The hand that somebody keeps on the phone reaches no other page, stream, log, record or error: by bytes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec

from companion.games.game import Action, Shuffled
from companion.games.hachi_train import GAME
from companion.games.hachi_train.actions import EnterCard, Pass, Play, PutIn
from companion.games.hachi_train.cards import SPECIAL_CARS, train_cars
from companion.games.hachi_train.state import TRAINS, State
from companion.games.layout import UNKNOWN
from companion.messages import DoAll
from companion.record import of_session, write
from tests.rules.hachi_positions import position
from tests.web.hachi_players import PEOPLE
from tests.web.house import House
from tests.web.test_serving import Listener, ask, get

OWNER = PEOPLE["blue"]
"""Who keeps the own hand. Anna, at Red, is the host."""

ONE, OTHER = ("5", "5", "2", "8", "1"), ("7", "1", "3", "8", "6")
"""What the owner may hold. In both the fourth card is an 8, which is played."""

FEW = (PEOPLE["red"], PEOPLE["green"], "")
"""The host, another player and somebody without a name."""

STRANGERS = (PEOPLE["red"], PEOPLE["green"], PEOPLE["yellow"], "nobody", "")

PAGES = ("/", "/people", "/table", "/log", "/join", "/help", "/digits", "/cards", "/picture/x", "/nowhere")

PARTLY = ("/do/play-5s",)
"""The page that the owner's own leads to while some of the hand is entered."""

WHOLLY = ("/do/not-as-i-entered-it",)
"""The page that it leads to once all of it is."""

WAYS = (*PARTLY, *WHOLLY, "/do/enter-my-hand", "/cards", "/card/5", "/at/field:blue")
"""All of these, and some as other games have them, which lead back to the seat's own page here."""

TRIES: tuple[dict[str, Any], ...] = (
    {"do": "play", "seat": "blue", "rank": 3, "cards": ["3"], "places": [2]},
    {"do": "play", "seat": "blue", "rank": 2, "cards": ["2", "3"], "places": [2, 9]},
    {"do": "enter_card", "seat": "blue", "card": "5"},
    {"do": "put_in", "seat": "blue", "place": 0},
    {"do": "keep_hand", "seat": "blue"},
    {"do": "forget_hand", "seat": "blue"},
    {"do": "what_blue_holds"},
)
"""What somebody might ask for to learn something. None of it may be done."""


def start(**more: Any) -> State:
    """Four players; Blue is to beat a 4, and keeps a hand of which nothing is entered yet."""
    usual: dict[str, Any] = {
        "hands": {"blue": (UNKNOWN,) * 5},
        "kept": ["blue"],
        "players": 4,
        "field": ["4"],
        "deck": 3,
        "turn": "blue",
    }
    return position(**(usual | more))


def say(house: House, *actions: Action) -> None:
    """The owner says this on the own phone."""
    answer = house.ask(OWNER, DoAll(tuple(msgspec.Raw(msgspec.json.encode(action)) for action in actions)))
    assert answer.status == "done", answer


def plain(body: bytes) -> bytes:
    """What was sent, without the name of this run and how often phones came and went."""
    return re.sub(rb'data-(boot|revision)=(\\?")\w+', b"", body)


def addresses() -> list[str]:
    """All pages that somebody may ask for."""
    seats = [f"/play/{seat}{way}" for seat in PEOPLE for way in ("", *WAYS)]
    return [*PAGES, *seats, *(f"/for/{seat}{way}" for seat in PEOPLE for way in WAYS)]


def read(house: House, person: str) -> dict[str, bytes]:
    """Every byte of the pages that this person can get."""
    told = {}
    for address in addresses():
        reply = get(house, address, person)
        told[address] = plain(f"{reply.status} {reply.headers.get('Location')} ".encode() + reply.body)
    return told


def heard(house: House, person: str) -> dict[str, bytes]:
    """Every byte that this person can get: pages, and what refuses them."""
    told = read(house, person)
    asks: list[dict[str, Any]] = [{"ask": "do", "action": action} for action in TRIES]
    asks += [{"ask": "correct", "move": 0, "action": action} for action in TRIES]
    asks += [{"ask": "decide", "question": "1", "choice": "enter", "action": TRIES[0]}]
    asks += [{"ask": "do_all", "actions": list(TRIES)}, {"ask": "takeback", "move": 99}]
    for wanted in asks:
        status, answer = ask(house, person, wanted)
        assert status in (400, 409), wanted
        told[str(wanted)] = plain(json.dumps(answer).encode())
    return told


def streamed(house: House, person: str) -> dict[str, bytes]:
    """What a page hears that is kept live."""
    told = {}
    for page in ("table", "log", *(f"play/{seat}" for seat in PEOPLE)):
        listener = Listener(house, page, person)
        try:
            if listener.status() == 200:
                told[page] = plain(next(listener.events())[1].encode())
        finally:
            listener.close()
    return told


def game(folder: Path, cards: tuple[str, ...], port: int) -> tuple[dict[str, Any], int]:
    """All that is told in a game in which the owner holds these cards, by who is told it, and when."""
    folder.mkdir()
    told: dict[str, Any] = {}
    house = House(folder, game=GAME, position=start())
    house.port = port
    with house:
        say(house, *(EnterCard("blue", card) for card in cards[:3]))
        assert [get(house, f"/play/blue{way}", OWNER).status for way in PARTLY] == [200] * len(PARTLY)
        assert get(house, "/for/blue/do/play-5s", PEOPLE["red"]).status == 200, "the host may play for Blue"
        told |= {f"partly {who}": heard(house, who) for who in FEW}
        say(house, *(EnterCard("blue", card) for card in cards[3:]))
        assert [get(house, f"/play/blue{way}", OWNER).status for way in WHOLLY] == [200] * len(WHOLLY)
        told |= {f"entered {who}": heard(house, who) for who in STRANGERS}
        told["own"] = get(house, "/play/blue", OWNER).body
        say(house, Play("blue", 8, ("8",), (3,)))
        told |= {f"played {who}": heard(house, who) for who in STRANGERS}
        say(house, PutIn("blue", 1))
        told |= {f"put in {who}": heard(house, who) for who in STRANGERS}
        told |= {f"stream {who}": streamed(house, who) for who in STRANGERS}
        told["record"] = list(write(*of_session(house.table._session)))
        held = house.table.state.hands[1]
        assert held == (cards[0], "4", *cards[1:3], cards[4])
        return told, house.port


def test_other_cards_in_the_kept_hand_change_no_byte_for_anybody_else(tmp_path: Path) -> None:
    one, port = game(tmp_path / "one", ONE, 0)
    other, _ = game(tmp_path / "other", OTHER, port)
    assert one.pop("own") != other.pop("own"), "the owner is shown what was entered"
    assert one["record"] == other["record"]
    assert not any(f'"card":"{card}"' in line for line in one["record"] for card in ONE)
    assert one.keys() == other.keys()
    for when in one.keys() - {"record"}:
        assert one[when].keys() == other[when].keys()
        assert len(one[when]) >= 3
        for what in one[when]:
            assert one[when][what] == other[when][what], f"{when}: {what}"


def test_the_owners_page_has_the_hand_behind_its_cover_and_in_no_other_place(tmp_path: Path) -> None:
    with House(tmp_path, game=GAME, position=start()) as house:
        say(house, *(EnterCard("blue", card) for card in ONE))
        page = get(house, "/play/blue", OWNER).body.decode()
        before, covered = page.split('<details class="guard"', 1)
        covered, after = covered.split('<section class="lying', 1)
        assert [card for card in re.findall(r'class="face" data-card="([^"]+)"', covered)][:5] == list(ONE)
        assert "card 1 and card 2" in covered
        assert " open" not in covered.split(">", 1)[0], "it comes covered"
        for rest in (before, after):
            assert "card 1" not in rest
            assert "places" not in re.sub(r'"places":\[\]|&#34;places&#34;:\[\]', "", rest)


def kept_form(house: House) -> str:
    """What tells the form in which the owner types a hand from another one, whose cards it would lose."""
    found = re.search(r'data-keep="(enter-[^"]+)"', get(house, "/play/blue", OWNER).body.decode())
    assert found is not None
    return found[1]


def test_what_was_typed_of_a_hand_is_not_taken_over_into_the_next_match(tmp_path: Path) -> None:
    """Also by a phone that slept in between, and finds as many unknown cards as before."""
    told = []
    for match in (1, 2):
        state = start(match=match, hands={"blue": (UNKNOWN,) * 8})
        (tmp_path / str(match)).mkdir()
        with House(tmp_path / str(match), game=GAME, position=state) as house:
            told.append(kept_form(house))
    assert told[0] != told[1]


def test_what_was_typed_of_a_hand_stays_while_others_play(tmp_path: Path) -> None:
    state = start(hands={"blue": (UNKNOWN,) * 8}, turn="red", by="yellow")
    with House(tmp_path, game=GAME, position=state) as house:
        before = kept_form(house)
        assert house.do(PEOPLE["red"], Pass("red")).status == "done"
        assert kept_form(house) == before


def ended(folder: Path, entry: EnterCard, last: Play, port: int) -> tuple[dict[str, Any], int]:
    """All that is told when a match has ended in which the owner entered that card, and in the next one."""
    folder.mkdir()
    house = House(folder, game=GAME, position=last_cards())
    house.port = port
    with house:
        say(house, entry)
        assert house.table.state.hands[1] == (entry.card, UNKNOWN)
        assert b'id="guard"' in get(house, "/play/blue", OWNER).body
        assert house.do(PEOPLE["red"], last).status == "done"
        assert house.table.state.phase == TRAINS
        told: dict[str, Any] = {f"ended {who}": read(house, who) for who in (*FEW, OWNER)}
        page = get(house, "/play/blue", OWNER).body
        assert b'id="guard"' not in page
        assert f'data-card="{entry.card}"'.encode() not in page
        assert not any(house.table.state.hands)
        for count in (len(train_cars(4)), len(SPECIAL_CARS)):
            assert house.do(PEOPLE["red"], Shuffled((UNKNOWN,) * count)).status == "done"
        assert get(house, "/play/blue", OWNER).body.count(b'id="guard"') == 1, "it may be kept again"
        told |= {f"dealt {who}": read(house, who) for who in (*FEW, OWNER)}
        told["record"] = list(write(*of_session(house.table._session)))
        return told, house.port


def last_cards() -> State:
    """Red plays the last card of a match, in which Blue keeps a hand."""
    hands = {"blue": (UNKNOWN,) * 2, "red": (UNKNOWN,)}
    return start(hands=hands, gone=["green", "yellow"], turn="red", by="blue")


def test_the_hand_is_gone_with_the_match(tmp_path: Path) -> None:
    """Not even its owner gets another byte after it."""
    state = last_cards()
    last = next(action for action in GAME.legal(state, "red") if isinstance(action, Play))
    entries = [action for action in GAME.legal(state, "blue") if isinstance(action, EnterCard)]
    free = [entry for entry in entries if entry.card not in (*last.cards, *state.field)]
    one, port = ended(tmp_path / "one", free[0], last, 0)
    other, _ = ended(tmp_path / "other", free[1], last, port)
    assert one == other
