"""Changes in a configuration's text: the values come to be what they have to be, and all else stays."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.config import Config, Run, parse
from companion.config.amend import amended
from companion.config.check import Where
from companion.config.example import EXAMPLE
from companion.config.text import printed

MINE = """\
# Our table.
[run]
table = 'camera'    # over the sofa
port=8081

# Not yet:
# [pins]
# confirm = 4
# undo = 5

[controller]
line = "auto"
"""

ADDED: list[tuple[Where, Any]] = [
    (("run", "port"), 90),
    (("run", "camera"), "/dev/video0"),
    (("pins", "undo"), 7),
    (("pins", "confirm"), 6),
    (("pins", "seats", "2", "lamp"), 9),
    (("pins", "seats", "2", "button"), 8),
    (("controller", "line"), "none"),
]


def filled(values: Any) -> Any:
    """Without sections in which nothing is."""
    if not isinstance(values, dict):
        return values
    return {name: found for name, inside in values.items() if (found := filled(inside)) != {}}


def test_values_are_changed_where_they_stand_and_new_ones_come_below_their_marks() -> None:
    found = amended(MINE, {("run", "table"): "none", ("run", "port"): 80, ("pins", "undo"): 7})
    assert (
        found
        == """\
# Our table.
[run]
table = "none"    # over the sofa
port=80

# Not yet:
# [pins]
[pins]
# confirm = 4
# undo = 5
undo = 7

[controller]
line = "auto"
"""
    )


@pytest.mark.parametrize(
    "text",
    [
        MINE,
        "",
        "# nothing\n",
        printed(Config()),
        printed(EXAMPLE),
        printed(Config(run=Run(port=80))).replace("\n", "\r\n"),
        "run = { port = 80 } # short\npins.seats.2.lamp = 3\n",
        "pins = { seats = { 1 = { lamp = 2 } } }\n",
        "[pins]\n[run]\nport = 1\n[pins.seats.3]\nlamp = 1\n",
        '[run]\npack = """\n# port = 1\n[pins]\n# undo = 5\n"""\n',
        "[run] # port = 1\ntable = 'none'",
    ],
)
def test_whatever_way_it_is_written_each_value_comes_in_and_goes_again(text: str) -> None:
    values = tomllib.loads(text)
    marks = [line for line in text.splitlines() if line.startswith("#")]
    for where, value in ADDED:
        text = amended(text, {where: value})
        inside = values
        for name in where[:-1]:
            inside = inside.setdefault(name, {})
        inside[where[-1]] = value
        assert tomllib.loads(text) == values
    for where, _ in ADDED:
        text = amended(text, {where: None})
        inside = values
        for name in where[:-1]:
            inside = inside[name]
        del inside[where[-1]]
        assert filled(tomllib.loads(text)) == filled(values)
    assert [line for line in text.splitlines() if line.startswith("#")] == marks


def test_what_is_set_and_taken_out_again_leaves_a_printed_file_as_it_was_but_for_its_section() -> None:
    before = printed(Config())
    there = amended(before, {("run", "port"): 80, ("pins", "confirm"): 4})
    assert parse(there, "").run.port == 80
    assert "# port = 8080\nport = 80\n" in there
    assert "# confirm = 17\nconfirm = 4\n" in there
    again = amended(there, {("run", "port"): None, ("pins", "confirm"): None})
    assert again.replace("# [pins]\n[pins]\n", "# [pins]\n") == before


def test_a_key_that_later_comes_from_behind_its_mark_is_still_in_its_own_section() -> None:
    found = amended(printed(Config()), {where: value for where, value in ADDED if where[0] == "run"})
    taken = found.replace("# [pins]\n", "[pins]\n").replace("# buzzer =", "buzzer =", 1)
    config = parse(taken, "")
    assert (config.run.port, config.run.camera) == (90, "/dev/video0")
    assert config.pins is not None
    assert config.pins.buzzer is not None


def test_where_a_section_would_have_to_be_and_is_none_nothing_is_written() -> None:
    for text in ("run = 5\n", "[run\n"):
        with pytest.raises(ValueError, match=r"run|line 1"):
            amended(text, {("run", "port"): 80})


@settings(max_examples=25, deadline=None)
@given(
    st.dictionaries(st.sampled_from([where for where, _ in ADDED]), st.none() | st.integers(0, 30)),
    st.sampled_from([MINE, printed(Config()), printed(EXAMPLE)]),
)
def test_any_changes_together_do_what_each_says(changes: dict[Where, int | None], text: str) -> None:
    values: Any = tomllib.loads(amended(text, changes))
    before: Any = tomllib.loads(text)
    for where in (where for where, _ in ADDED):
        wanted: Any = changes[where] if where in changes else _at(before, where)
        assert _at(values, where) == wanted


def _at(values: Any, where: Where) -> Any:
    for name in where:
        values = values.get(name, {}) if isinstance(values, dict) else None
    return None if values == {} else values
