"""The fonts of all drawings for browsers, so that a card on a phone has the letters of a printed one."""

from __future__ import annotations

import gzip
from functools import cache
from hashlib import sha256

from companion import fonts
from companion.games.lettering import FONTS

FAMILIES = {"text": "Bree Serif", "number": "Alfa Slab One", "title": "Grenze Gotisch"}
"""What the fonts of `companion.games.lettering` are called in a style sheet."""

TYPES = {"css": "text/css; charset=utf-8", "ttf": "font/ttf"}


@cache
def files() -> dict[str, bytes]:
    """What a browser fetches once, packed, by names that change with the content."""
    found: dict[str, bytes] = {}
    faces = []
    for font in FONTS:
        data = fonts.data(font)
        name = f"{font}-{_digest(data)}.ttf"
        found[name] = gzip.compress(data, mtime=0)
        # The drawings hold each line to its width, so the letters may come a little later than the page.
        faces.append(
            f'@font-face {{ font-family: "{FAMILIES[font]}"; src: url("/fonts/{name}") format("truetype"); '
            "font-display: swap; }\n"
        )
    css = "".join(faces).encode()
    found[f"kit-{_digest(css)}.css"] = gzip.compress(css, mtime=0)
    return found


def style_sheet() -> str:
    """The address of the style sheet that tells browsers of the fonts."""
    return f"/fonts/{next(name for name in files() if name.endswith('.css'))}"


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:12]
