"""Reads back what a PDF of ours paints, from its page contents' own numbers, in mm."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

MM = 72 / 25.4

Matrix = tuple[float, float, float, float, float, float]
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Painted:
    """A painted path: its points from the page's upper left corner, its paint, and the window it shows in."""

    subpaths: tuple[tuple[tuple[float, float], ...], ...]
    fill: str
    stroke: str
    width: float
    window: Box

    @cached_property
    def box(self) -> Box:
        """Left, top, right and bottom of the path itself."""
        xs = [x for subpath in self.subpaths for x, _ in subpath]
        ys = [y for subpath in self.subpaths for _, y in subpath]
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the path itself."""
        left, top, right, bottom = self.box
        return right - left, bottom - top

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the path itself."""
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2

    @property
    def seen(self) -> Box | None:
        """What of it shows, its line's width included; None when nothing does."""
        left, top, right, bottom = self.box
        reach = self.width / 2 if self.stroke else 0.0
        seen = (
            max(left - reach, self.window[0]),
            max(top - reach, self.window[1]),
            min(right + reach, self.window[2]),
            min(bottom + reach, self.window[3]),
        )
        return seen if seen[0] < seen[2] and seen[1] < seen[3] else None

    @property
    def whole(self) -> bool:
        """Whether nothing of it is cut away."""
        left, top, right, bottom = self.box
        return (
            left >= self.window[0] - 1e-6
            and top >= self.window[1] - 1e-6
            and right <= self.window[2] + 1e-6
            and bottom <= self.window[3] + 1e-6
        )


@dataclass(frozen=True)
class PdfPage:
    """A page's size and what is painted on it, lowest first; `texts` are where lines of text begin."""

    width: float
    height: float
    painted: tuple[Painted, ...]
    texts: tuple[tuple[float, float], ...]


def read(pdf: bytes) -> tuple[PdfPage, ...]:
    """All pages, in their order."""
    objects = {int(n): body for n, body in re.findall(rb"(\d+) 0 obj\s(.*?)endobj", pdf, re.S)}
    (tree,) = (body for body in objects.values() if b"/Type /Pages" in body)
    (kids,) = re.findall(rb"/Kids \[(.*?)\]", tree, re.S)
    return tuple(_page(objects, objects[int(number)]) for number in re.findall(rb"(\d+) 0 R", kids))


def _page(objects: dict[int, bytes], page: bytes) -> PdfPage:
    (box,) = re.findall(rb"/MediaBox \[([^\]]*)\]", page)
    left, bottom, right, top = map(float, box.split())
    assert (left, bottom) == (0, 0)
    assert b"/UserUnit" not in page
    assert re.search(rb"/Rotate (\d+)", page) is None or b"/Rotate 0" in page
    (contents,) = re.findall(rb"/Contents (\d+) 0 R", page)
    (encoded,) = re.findall(rb"stream\r?\n(.*?)endstream", objects[int(contents)], re.S)
    text = zlib.decompress(_plain(encoded))
    painted, texts = _run(text.decode("latin-1"), right / MM, top / MM)
    return PdfPage(right / MM, top / MM, painted, texts)


def _plain(encoded: bytes) -> bytes:
    return base64.a85decode(encoded.strip().removesuffix(b"~>"))


def _words(text: str) -> Iterator[str]:
    """Operands and operators; a string of letters counts as one word."""
    for match in re.finditer(r"\((?:\\.|[^\\)])*\)|<[0-9A-Fa-f]*>|\[[^\]]*\]|[^\s\[\]()<>]+", text):
        yield match[0]


def _run(
    text: str, width: float, height: float
) -> tuple[tuple[Painted, ...], tuple[tuple[float, float], ...]]:
    """Follow the operators. Unknown ones are an error: nothing of a page may go unread."""
    page: Box = (0.0, 0.0, width, height)
    # The matrix leads from what the numbers mean to mm from the page's upper left corner.
    matrix: Matrix = (1 / MM, 0.0, 0.0, -1 / MM, 0.0, height)
    fill, stroke, line, window = "#000000", "#000000", 1.0, page
    kept: list[tuple[Matrix, str, str, float, Box]] = []
    painted: list[Painted] = []
    texts: list[tuple[float, float]] = []
    subpaths: list[list[tuple[float, float]]] = []
    operands: list[str] = []
    clips = False

    def at(x: float, y: float) -> tuple[float, float]:
        a, b, c, d, e, f = matrix
        return a * x + c * y + e, b * x + d * y + f

    def scale() -> float:
        a, b, c, d, _, _ = matrix
        return float(abs(a * d - b * c) ** 0.5)

    for word in _words(text):
        if re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)|/.*|\(.*\)|<.*>|\[.*\]", word, re.S):
            operands.append(word)
            continue
        numbers = [float(operand) for operand in operands if re.fullmatch(r"[-+.\d]+", operand)]
        match word:
            case "q":
                kept.append((matrix, fill, stroke, line, window))
            case "Q":
                matrix, fill, stroke, line, window = kept.pop()
            case "cm":
                matrix = _after(numbers, matrix)
            case "w":
                line = numbers[0]
            case "rg":
                fill = _colour(numbers)
            case "RG":
                stroke = _colour(numbers)
            case "m":
                subpaths.append([at(*numbers)])
            case "l":
                subpaths[-1].append(at(*numbers))
            case "c":
                subpaths[-1] += [at(*numbers[n : n + 2]) for n in (0, 2, 4)]
            case "re":
                x, y, w, h = numbers
                subpaths.append([at(x, y), at(x + w, y), at(x + w, y + h), at(x, y + h)])
            case "h":
                subpaths[-1].append(subpaths[-1][0])
            case "W" | "W*":
                clips = True
            case "n" | "f" | "f*" | "S" | "s" | "B" | "B*" | "b" | "b*":
                shape = Painted(
                    tuple(map(tuple, subpaths)),
                    fill if word in ("f", "f*", "B", "B*", "b", "b*") else "",
                    stroke if word in ("S", "s", "B", "B*", "b", "b*") else "",
                    line * scale(),
                    window,
                )
                if clips:
                    left, top, right, bottom = shape.box
                    window = (
                        max(left, window[0]),
                        max(top, window[1]),
                        min(right, window[2]),
                        min(bottom, window[3]),
                    )
                elif word != "n":
                    painted.append(shape)
                subpaths, clips = [], False
            case "Tm":
                texts.append(at(numbers[4], numbers[5]))
            case "BT" | "ET" | "Tf" | "TL" | "Tj" | "T*" | "j" | "J" | "d" | "M":
                pass
            case _:
                raise AssertionError(f"{word} is not known to this reader")
        operands = []
    assert not kept
    return tuple(painted), tuple(texts)


def _after(inner: list[float], outer: Matrix) -> Matrix:
    """What both do, the inner one first."""
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (
        a * p + b * r,
        a * q + b * s,
        c * p + d * r,
        c * q + d * s,
        e * p + f * r + t,
        e * q + f * s + u,
    )


def _colour(numbers: list[float]) -> str:
    return "#" + "".join(f"{round(255 * number):02x}" for number in numbers)
