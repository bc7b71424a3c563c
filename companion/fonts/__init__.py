"""The fonts of all drawings, as files. Their widths are in `companion.games.lettering`."""

from __future__ import annotations

from importlib import resources

_FILES = {
    "text": "BreeSerif-Regular.ttf",
    "number": "AlfaSlabOne-Regular.ttf",
    "title": "GrenzeGotisch-Bold.ttf",
}


def data(font: str) -> bytes:
    """The TrueType file of that font of `companion.games.lettering`."""
    return (resources.files("companion.fonts") / _FILES[font]).read_bytes()
