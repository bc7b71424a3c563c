"""Writes drawings as the pages of a PDF, of true size and with their fonts in it."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from companion import fonts
from companion.games.aruco import MODULES, white_runs
from companion.games.drawing import BLACK, WHITE, Circle, Curve, Drawing, Part, Path, Placed, Shape, Text
from companion.games.layout import Marker
from companion.games.lettering import FONTS


def pdf(title: str, pages: Sequence[Drawing]) -> bytes:
    """A page for each drawing, exactly as large. The same drawings give the same bytes."""
    for font in FONTS:
        pdfmetrics.registerFont(TTFont(_font(font), BytesIO(fonts.data(font))))
    file = BytesIO()
    canvas = Canvas(file, invariant=True, pageCompression=True)
    canvas.setTitle(title)
    canvas.setCreator("Stationmaster")
    for page in pages:
        canvas.setPageSize((page.width * mm, page.height * mm))
        # From here on mm, from the upper left corner down.
        canvas.transform(mm, 0, 0, -mm, 0, page.height * mm)
        canvas.setLineJoin(1)
        _draw(canvas, page.shapes)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _draw(canvas: Canvas, shapes: tuple[Shape, ...]) -> None:
    for shape in shapes:
        match shape:
            case Path():
                _path(canvas, shape)
            case Circle():
                _paint(canvas, shape)
                x, y = shape.at
                canvas.circle(x, y, shape.radius, stroke=bool(shape.stroke), fill=bool(shape.fill))
            case Text():
                _text(canvas, shape)
            case Marker():
                _marker(canvas, shape)
            case Placed():
                canvas.saveState()
                canvas.translate(*shape.at)
                canvas.rotate(shape.turn)
                canvas.translate(-shape.drawing.width / 2, -shape.drawing.height / 2)
                _draw(canvas, shape.drawing.shapes)
                canvas.restoreState()
            case Part():
                canvas.saveState()
                window = canvas.beginPath()
                window.rect(*shape.at, shape.width, shape.height)
                canvas.clipPath(window, stroke=0, fill=0)
                canvas.translate(shape.at[0] - shape.corner[0], shape.at[1] - shape.corner[1])
                _draw(canvas, shape.drawing.shapes)
                canvas.restoreState()


def _path(canvas: Canvas, path: Path) -> None:
    outline = canvas.beginPath()
    outline.moveTo(*path.start)
    for step in path.steps:
        if isinstance(step, Curve):
            outline.curveTo(*step.one, *step.other, *step.to)
        else:
            outline.lineTo(*step)
    if path.closed:
        outline.close()
    _paint(canvas, path)
    canvas.drawPath(outline, stroke=bool(path.stroke), fill=bool(path.fill))


def _paint(canvas: Canvas, shape: Path | Circle) -> None:
    if shape.fill:
        canvas.setFillColor(HexColor(shape.fill))
    if shape.stroke:
        canvas.setStrokeColor(HexColor(shape.stroke))
        canvas.setLineWidth(shape.width)


def _marker(canvas: Canvas, marker: Marker) -> None:
    left, top = marker.at[0] - marker.side / 2, marker.at[1] - marker.side / 2
    module = marker.side / MODULES
    canvas.setFillColor(HexColor(BLACK))
    canvas.rect(left, top, marker.side, marker.side, stroke=0, fill=1)
    canvas.setFillColor(HexColor(WHITE))
    white = canvas.beginPath()
    for row, column, count in white_runs(marker.id):
        white.rect(left + column * module, top + row * module, count * module, module)
    canvas.drawPath(white, stroke=0, fill=1)


def _text(canvas: Canvas, text: Text) -> None:
    canvas.saveState()
    canvas.translate(*text.at)
    canvas.scale(1, -1)
    canvas.setFillColor(HexColor(text.colour))
    canvas.setFont(_font(text.font), text.size)
    draw = {"start": canvas.drawString, "middle": canvas.drawCentredString, "end": canvas.drawRightString}
    draw[text.anchor](0, 0, text.words)
    canvas.restoreState()


def _font(font: str) -> str:
    return f"stationmaster-{font}"
