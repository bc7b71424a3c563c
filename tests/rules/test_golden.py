"""Games that were written down once, replayed: the rules of today end them as those of then did."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.games import load

RECORDS = sorted((Path(__file__).parent / "golden").glob("*.jsonl"))


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_a_record_is_legal_to_its_end(record: Path) -> None:
    header, *lines = record.read_text("utf-8").splitlines()
    head = msgspec.json.decode(header)
    game = load(head["game"])
    pack = Path(__file__).parents[2] / f"companion/games/{head['game']}/packs/{head['pack']}.toml"
    state = game.setup(tuple(head["seats"]), game.load_pack(pack.read_text("utf-8")), head["options"])
    told: list[str] = []
    for line in lines:
        action = msgspec.json.decode(line, type=game.action_type)
        assert msgspec.json.encode(action).decode() == line
        assert game.refusal(state, action) is None
        told += game.story(state, action)
        state = game.play(state, action)
    assert game.over(state)
    expected = record.with_suffix(".txt").read_text("utf-8").splitlines()
    last = f"{msgspec.json.encode([(seat.seat, seat.facts) for seat in game.scores(state)]).decode()}"
    assert [*told, last] == expected


def test_there_are_records() -> None:
    assert {record.stem for record in RECORDS} >= {"pawns_three_seats", "pawns_five_seats"}
