"""Games that were written down once, replayed: the rules of today end them as those of then did.

Where words were changed on purpose, `python -m tests.rules.test_golden` tells the records anew.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.games import load

GAMES = Path(__file__).parents[2] / "companion/games"
RECORDS = sorted((Path(__file__).parent / "golden").glob("*.jsonl"))


def retold(record: Path) -> list[str]:
    """The log of the record's game, line by line, and how everyone stood at its end."""
    first, *lines = record.read_text("utf-8").splitlines()
    header = msgspec.json.decode(first)
    game = load(header["game"])
    pack = (GAMES / header["game"] / "packs" / f"{header['pack']}.toml").read_text("utf-8")
    state = game.setup(tuple(header["seats"]), game.load_pack(pack), header["options"])
    told: list[str] = []
    for line in lines:
        action = msgspec.json.decode(line, type=game.action_type)
        assert msgspec.json.encode(action).decode() == line
        ruling = game.refusal(state, action)
        assert ruling is None, ruling
        told += game.story(state, action)
        state = game.play(state, action)
    assert game.over(state)
    return [*told, *(f"{seat.place}. {seat.seat}: {', '.join(seat.facts)}" for seat in game.scores(state))]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_a_record_is_legal_to_its_end_and_told_the_same(record: Path) -> None:
    assert retold(record) == record.with_suffix(".txt").read_text("utf-8").splitlines()


def test_there_are_records() -> None:
    assert {record.stem for record in RECORDS} >= {"pawns_three_seats", "pawns_five_seats"}


if __name__ == "__main__":
    for record in RECORDS:
        record.with_suffix(".txt").write_text("\n".join(retold(record)) + "\n", "utf-8")
