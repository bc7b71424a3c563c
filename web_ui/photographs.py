"""Photographs of an owner's cards: as phones take them in, small and plain on the disk."""

from __future__ import annotations

import io
from pathlib import Path
from typing import IO

from PIL import Image, ImageOps, UnidentifiedImageError

from companion import disk

LARGEST = 16 * 1024 * 1024
"""Bytes of a request that brings one."""

FORMATS = ("JPEG", "PNG", "WEBP")

_PIXELS = 60_000_000
_SIDE = 1600  # pixels: ten of a card's side are enough to know it by
_SMALLEST = 100


class BadPhotograph(ValueError):
    """What is no photograph that can be kept; the text names the fault and the cure."""


def plain(file: IO[bytes]) -> bytes:
    """The photograph upright, no larger than need be, with nothing in it of when and where it was taken.

    A JPEG. BadPhotograph when the file is none, or too small or too large.
    """
    try:
        with Image.open(file, formats=FORMATS) as found:
            width, height = found.size
            if width * height > _PIXELS:
                raise BadPhotograph(
                    f"The photograph has {width} x {height} pixels, which is too many. Take a smaller one."
                )
            if min(width, height) < _SMALLEST:
                raise BadPhotograph(
                    f"The photograph has {width} x {height} pixels, which is too few. Take a larger one."
                )
            found.draft("RGB", (_SIDE, _SIDE))
            upright = ImageOps.exif_transpose(found).convert("RGB")
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as fault:
        if isinstance(fault, BadPhotograph):
            raise
        raise BadPhotograph("This is no photograph that can be read. Take one as JPEG or PNG.") from fault
    upright.thumbnail((_SIDE, _SIDE))
    whole = io.BytesIO()
    upright.save(whole, "JPEG", quality=88)
    return whole.getvalue()


def path(folder: Path, kind: str, name: str) -> Path:
    """Where a card's photograph lies: a Rail Card's under its name alone, as the camera's reader wants it."""
    # No Rail Card has a dot in its name.
    return folder / (f"{name}.jpg" if kind == "rail" else f"{kind}.{name}.jpg")


def keep(folder: Path, kind: str, name: str, photograph: bytes) -> None:
    """The photograph is on the disk, whole, when this returns. BadPhotograph when the disk refuses."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        disk.write(path(folder, kind, name), photograph)
    except OSError as fault:
        raise BadPhotograph(
            f"The photograph cannot be kept ({fault.strerror}). Make room on the disk, then take it again."
        ) from fault


def rename(folder: Path, kind: str, name: str, new: str) -> None:
    """The photograph of a card, if there is one, is that of another name from now on."""
    old = path(folder, kind, name)
    if old.exists():
        old.replace(path(folder, kind, new))
