"""Writes a `Drawing` as SVG, in mm."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, tostring

from companion.games.aruco import MODULES, white_runs
from companion.games.drawing import BLACK, WHITE, Circle, Curve, Drawing, Part, Path, Placed, Shape, Text
from companion.games.layout import Marker, Point
from companion.games.lettering import width_of
from web_ui.fonts import FAMILIES


def svg(drawing: Drawing, label: str = "") -> str:
    """An `svg` element of the drawing's size; `label` says what it shows to those who cannot see it."""
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": _box((0, 0), drawing)})
    root.set("width", f"{_number(drawing.width)}mm")
    root.set("height", f"{_number(drawing.height)}mm")
    root.attrib |= {"role": "img", "aria-label": label} if label else {"aria-hidden": "true"}
    _draw(root, drawing.shapes)
    return tostring(root, "unicode")


def group(drawing: Drawing) -> str:
    """A `g` element with the drawing, from its upper left corner on, for an SVG of one's own in mm."""
    root = Element("g")
    _draw(root, drawing.shapes)
    return tostring(root, "unicode")


def _draw(parent: Element, shapes: tuple[Shape, ...]) -> None:
    for shape in shapes:
        match shape:
            case Path():
                SubElement(parent, "path", {"d": _outline(shape)} | _paint(shape))
            case Circle():
                x, y = map(_number, shape.at)
                SubElement(parent, "circle", {"cx": x, "cy": y, "r": _number(shape.radius)} | _paint(shape))
            case Text():
                _text(parent, shape)
            case Marker():
                _marker(parent, shape)
            case Placed():
                _placed(parent, shape)
            case Part():
                _part(parent, shape)


def _outline(path: Path) -> str:
    steps = [f"M{_pair(path.start)}"]
    for step in path.steps:
        if isinstance(step, Curve):
            steps.append(f"C{_pair(step.one)} {_pair(step.other)} {_pair(step.to)}")
        else:
            steps.append(f"L{_pair(step)}")
    return "".join(steps) + ("Z" if path.closed else "")


def _paint(shape: Path | Circle) -> dict[str, str]:
    paint = {"fill": shape.fill or "none"}
    if shape.stroke:
        paint |= {"stroke": shape.stroke, "stroke-width": _number(shape.width), "stroke-linejoin": "round"}
    return paint


def _text(parent: Element, text: Text) -> None:
    """Held to the width that the drawing reckons with, also while a phone has not fetched the font yet."""
    x, y = map(_number, text.at)
    wide = _number(width_of(text.words, text.font, text.size))
    element = SubElement(parent, "text", {"x": x, "y": y, "fill": text.colour, "text-anchor": text.anchor})
    element.attrib |= {"font-family": f"{FAMILIES[text.font]}, serif", "font-size": _number(text.size)}
    element.attrib |= {"textLength": wide, "lengthAdjust": "spacingAndGlyphs"}
    element.text = text.words


def _marker(parent: Element, marker: Marker) -> None:
    side = marker.side / MODULES
    left, top = marker.at[0] - marker.side / 2, marker.at[1] - marker.side / 2
    square = f"M{_pair((left, top))}h{_number(marker.side)}v{_number(marker.side)}h{_number(-marker.side)}Z"
    SubElement(parent, "path", {"d": square, "fill": BLACK})
    white = "".join(
        f"M{_pair((left + column * side, top + row * side))}"
        f"h{_number(count * side)}v{_number(side)}h{_number(-count * side)}Z"
        for row, column, count in white_runs(marker.id)
    )
    SubElement(parent, "path", {"d": white, "fill": WHITE})


def _placed(parent: Element, placed: Placed) -> None:
    half = (-placed.drawing.width / 2, -placed.drawing.height / 2)
    moves = f"translate({_pair(placed.at)}) rotate({_number(placed.turn)}) translate({_pair(half)})"
    _draw(SubElement(parent, "g", {"transform": moves}), placed.drawing.shapes)


def _part(parent: Element, part: Part) -> None:
    x, y = map(_number, part.at)
    size = {"width": _number(part.width), "height": _number(part.height)}
    window = SubElement(parent, "svg", {"x": x, "y": y, "viewBox": _box(part.corner, part)} | size)
    _draw(window, part.drawing.shapes)


def _box(corner: Point, sized: Drawing | Part) -> str:
    return f"{_pair(corner)} {_number(sized.width)} {_number(sized.height)}"


def _pair(point: Point) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


def _number(value: float) -> str:
    """To a hundredth of a mm, without idle zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
