"""Paper: what a browser shows, as PDF. The picture comes from outside: only shapes and words of it are let through."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from zermelo.errors import InputError, one_line
from zermelo.limits import Limits
from zermelo.render.paper import FIXED_WIDTH, FONTS, on_paper
from zermelo.web.tasks import Desk

if TYPE_CHECKING:
    from zermelo.web.worker import Emit

MOST_ELEMENTS: Final = 100_000
DEEPEST: Final = 60
"""Elements inside elements: the renderer recurses on them."""
SPACE: Final = "{http://www.w3.org/2000/svg}"
ELEMENTS: Final = "svg g path rect circle ellipse line polyline polygon text tspan"
ATTRIBUTES: Final = (
    "x y x1 y1 x2 y2 cx cy r rx ry d dx dy points width height viewBox preserveAspectRatio transform opacity fill "
    "fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-linecap stroke-linejoin "
    "font-family font-size font-weight font-style text-anchor textLength dominant-baseline letter-spacing "
    "paint-order {http://www.w3.org/XML/1998/namespace}space"
)
"""What pictures are made of. Nothing here can name a file, a font to be loaded or a place on the network."""


def pdf(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, str]:
    """A picture as PDF, in base 64."""
    del desk, limits, emit
    plain = harmless(asked.get("svg"))
    try:
        return {"pdf": b64encode(on_paper(plain, "pdf")).decode()}
    except RuntimeError as error:  # the renderer's own
        raise InputError(f"the picture cannot be drawn: {one_line(str(error))[:200]}") from None


def harmless(svg: Any) -> str:
    """The shapes and words of a picture, and nothing else of it.

    >>> kept = harmless('<svg xmlns="http://www.w3.org/2000/svg" width="2"><image href="x"/><g onclick="y"/></svg>')
    >>> "image" in kept, kept.endswith("<g /></svg>")
    (False, True)
    """
    if not isinstance(svg, str) or "<!" in svg:
        raise InputError('"svg" is not a picture, expected the text of one without declarations')
    try:
        root = ElementTree.fromstring(svg)
    except (ElementTree.ParseError, ValueError) as error:
        raise InputError(f'"svg" is not a picture: {error}') from None
    if root.tag != SPACE + "svg":
        raise InputError('"svg" is not a picture, expected an element svg')
    kept = _plain(root)
    todo, count = [(root, kept, 1)], 1
    while todo:
        element, copy, depth = todo.pop()
        for child in _known(element):
            count += 1
            if count > MOST_ELEMENTS or depth >= DEEPEST:
                raise InputError("the picture has too many shapes, or they are nested too deeply")
            made = _plain(child)
            made.tail = child.tail
            copy.append(made)
            todo.append((child, made, depth + 1))
    kept.set("xmlns", "http://www.w3.org/2000/svg")
    return ElementTree.tostring(kept, encoding="unicode")


def _known(element: Element) -> Iterator[Element]:
    for child in element:
        if isinstance(child.tag, str) and child.tag.removeprefix(SPACE) in ELEMENTS.split():
            yield child


def _plain(element: Element) -> Element:
    """A copy without children, with the attributes that only say what it looks like."""
    made = Element(element.tag.removeprefix(SPACE))
    for name, value in element.attrib.items():
        if name == "font-family":
            made.set(name, FIXED_WIDTH if "mono" in value.lower() else FONTS)
        elif name in ATTRIBUTES.split() and "url" not in value.lower():
            made.set(name, value)
    made.text = element.text
    return made
