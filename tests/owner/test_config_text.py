"""The printed configuration, and the pages of the docs that are made from the types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from companion.command import FAULT, OK, main
from companion.config import Config, Run, parse
from companion.config.check import bare, is_section
from companion.config.example import EXAMPLE
from companion.config.text import printed
from companion.config.wiring import PI, PICO, wiring
from firmware_bridge import controller_wiring, pins
from firmware_bridge.pins import Pins
from tools import owner_docs

ROOT = Path(__file__).parents[2]


def test_what_is_printed_says_what_it_was_made_from() -> None:
    for config in (Config(), EXAMPLE, Config(run=Run(port=80, pack='a "b" \\')), Config(pins=Pins(undo=3))):
        assert parse(printed(config), "printed") == config


def test_every_line_behind_a_mark_can_be_taken_in() -> None:
    taken = re.sub(r"(?m)^# (\[[a-z.0-9]+\]|[a-z]+ = .*)$", r"\1", printed(Config()))
    config = parse(taken, "printed")
    assert config.pins is not None
    assert config.controller is not None
    assert config.run.seed is not None


def keys(kind: type[msgspec.Struct]) -> Iterator[tuple[str, str]]:
    """Each key of a section and of those within it, with what is said of it."""
    for field in msgspec.structs.fields(kind):
        inner, said = bare(field.type)
        if is_section(field.type):
            yield from keys(inner if isinstance(inner, type) else bare(inner.__args__[1])[0])
        else:
            yield field.encode_name, said.description or ""


def test_every_key_is_explained() -> None:
    explained = dict(keys(Config))
    assert len(explained) > 10
    assert [name for name, words in explained.items() if not words] == []


@pytest.mark.parametrize("file", owner_docs.FILES, ids=lambda file: file.name)
def test_the_docs_are_up_to_date(file: Path) -> None:
    assert file.read_text("utf-8") == owner_docs.FILES[file](file), "Type: python -m tools.owner_docs"


def test_the_example_of_the_docs_is_in_order() -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "configuration.md").read_text("utf-8"), re.S)
    assert parse(block, "docs").pins == EXAMPLE.pins


def test_each_thing_is_drawn_at_its_pin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "x.toml", tmp_path / "x.svg"
    file.write_text("[pins]\nundo = 27\n[pins.seats.3]\nlamp = 12\n")
    assert main(["config", "--config", str(file), "--wiring", str(out)]) == OK
    texts = [
        (one.text, float(one.get("x", 0)), float(one.get("y", 0)))
        for one in ElementTree.parse(out).iter()
        if one.text
    ]
    heights = {words: y for words, _, y in texts}
    assert heights["the button undo"] == heights["GPIO 27"]
    assert heights["the lamp of place 3"] == heights["GPIO 12"]
    assert heights["GPIO 27"] != heights["GPIO 12"]
    assert "Raspberry Pi Pico" not in heights
    assert main(["config", "--config", "/dev/null", "--wiring", str(out)]) == FAULT
    assert "Nothing hangs on any pin" in capsys.readouterr().err
    assert main(["config", "--config", str(file), "--wiring", str(tmp_path)]) == FAULT


def test_every_pin_that_can_be_used_is_on_the_drawing() -> None:
    for header, usable in ((PI, pins.USABLE), (PICO, controller_wiring.USABLE)):
        names = [name for row in header.rows for name in row]
        assert {f"GPIO {gpio}" for gpio in usable} <= set(names)
        assert len(names) == 40
        assert sorted(header.number(row, right) for row in range(20) for right in (False, True)) == [
            *range(1, 41)
        ]
        assert max(names.count(name) for name in names if name.startswith("GPIO")) == 1


def test_nothing_is_drawn_where_nothing_hangs() -> None:
    assert wiring(Config()) is None
