"""A game's sketches as one SVG of symbols, which browsers fetch once and keep."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from companion.games.drawing import Drawing
from web_ui.net import symbol
from web_ui.svg import group


def symbols(sketches: Mapping[str, Drawing]) -> str:
    """The SVG: a symbol for each sketch, with its name as the id."""
    drawn = "".join(
        f'<symbol id="{symbol(name)}" viewBox="0 0 {drawing.width:g} {drawing.height:g}">'
        f"{group(drawing)}</symbol>"
        for name, drawing in sketches.items()
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg">{drawn}</svg>'


def name_of(svg: str) -> str:
    """A name that changes with the content."""
    return sha256(svg.encode()).hexdigest()[:12]
