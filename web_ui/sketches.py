"""A game's sketches as one SVG of symbols, which browsers fetch once and keep."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Sprite:
    """That SVG, packed for the way to a phone, and a name that changes with its content."""

    name: str
    packed: bytes

    @property
    def address(self) -> str:
        """Where a browser finds it."""
        return f"/sketches/{self.name}.svg"


def sprite(sketches: Mapping[str, Drawing]) -> Sprite:
    """The sketches as browsers get them."""
    svg = symbols(sketches).encode()
    return Sprite(sha256(svg).hexdigest()[:12], gzip.compress(svg, mtime=0))
