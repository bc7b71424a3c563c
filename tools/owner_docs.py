"""Writes what the docs for owners have from the program itself: python -m tools.owner_docs

Tests hold that it is up to date.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.config_example import EXAMPLE
from companion.config_text import reference
from companion.config_wiring import wiring
from web_ui.svg import svg

DOCS = Path(__file__).parents[1] / "docs"
BEGIN, END = "<!-- made by tools/owner_docs.py -->", "<!-- until here -->"


def filled(file: Path, words: str) -> str:
    """The file, with these words in its part that is made."""
    before, _, rest = file.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{words.strip()}\n\n{END}{after}"


def _reference(file: Path) -> str:
    return filled(file, reference())


def _wiring(file: Path) -> str:
    drawing = wiring(EXAMPLE)
    assert drawing is not None
    return svg(drawing, "What hangs on which pin") + "\n"


FILES: dict[Path, Callable[[Path], str]] = {
    DOCS / "configuration.md": _reference,
    DOCS / "images" / "wiring.svg": _wiring,
}
"""Each file with what makes it."""


if __name__ == "__main__":
    for path, make in FILES.items():
        path.write_text(make(path), "utf-8")
