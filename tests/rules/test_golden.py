"""Games that were written down once, replayed: the rules of today end them as those of then did.

Where words were changed on purpose, `python -m tests.rules.test_golden` tells the records anew.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import msgspec
import pytest

GAMES = Path(__file__).parents[2] / "companion/games"
RECORDS = sorted((Path(__file__).parent / "golden").glob("*.jsonl"))


def retold(record: Path) -> list[str]:
    """The log of the record's game, line by line, and how everyone stood at its end."""
    first, *lines = record.read_text("utf-8").splitlines()
    header = msgspec.json.decode(first)
    # By its package, so that a game is held that is not offered at the table yet.
    game = import_module(f"companion.games.{header['game']}").GAME
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
    wanted = {"pawns_three_seats", "pawns_five_seats", "rail_three_seats", "rail_four_seats"}
    assert {record.stem for record in RECORDS} >= wanted


if __name__ == "__main__":
    for record in RECORDS:
        record.with_suffix(".txt").write_text("\n".join(retold(record)) + "\n", "utf-8")
