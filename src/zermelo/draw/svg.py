"""What all pictures share: colours, text made safe, and the document around them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

# Characters that no XML document may hold, however they are escaped (XML 1.0, production 2).
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# name: (property, light, dark). The first role is warm and the second cool in every picture.
_COLOURS: tuple[tuple[str, str, str, str], ...] = (
    ("paper", "fill", "#fbfaf7", "#1d2025"),
    ("ink", "fill", "#23262b", "#e8e6e1"),
    ("faint", "fill", "#85806f", "#9aa0ab"),
    ("line", "stroke", "#bdb7a8", "#515762"),
    ("cell", "fill", "#f3f0e8", "#282c33"),
    ("mark", "fill", "#f3d98a", "#6d5a1c"),
    ("first", "fill", "#d0614a", "#e07b62"),
    ("second", "fill", "#3f7fb0", "#66a5d6"),
    ("draw", "fill", "#a9a394", "#8a8f99"),
    ("open", "fill", "#ffffff", "#33383f"),
    ("first-line", "stroke", "#c8553d", "#e8826b"),
    ("second-line", "stroke", "#2f6f9f", "#6fb1e0"),
    ("black", "fill", "#24272c", "#08090a"),
    ("white", "fill", "#ffffff", "#f2f0ea"),
    ("rim", "stroke", "#24272c", "#8f95a1"),
    ("pale", "stroke", "#ffffff", "#f2f0ea"),
)


def _rules(column: int) -> str:
    return "".join(f".z-{name}{{{colour[0]}:{colour[column]}}}" for name, *colour in _COLOURS)


STYLE = (
    f"<style>.z-line,.z-rim,.z-pale,.z-first-line,.z-second-line{{fill:none}}{_rules(1)}"
    f"@media (prefers-color-scheme:dark){{{_rules(2)}}}</style>"
)


def text_of(text: str) -> str:
    """Text that is safe inside an SVG element or attribute, whatever it holds.

    >>> text_of("a<b & \\x00")
    'a&lt;b &amp; �'
    """
    return escape(_FORBIDDEN.sub("\ufffd", text))


def number(value: float) -> str:
    """A coordinate, as short as a tenth of a pixel allows.

    >>> number(12.0), number(3.14159), number(-0.01)
    ('12', '3.1', '0')
    """
    shown = f"{value:.1f}".removesuffix(".0")
    return "0" if shown == "-0" else shown


def at(x: float, y: float) -> str:
    """A point of a path.

    >>> at(1.25, 3)
    '1.2 3'
    """
    return f"{number(x)} {number(y)}"


def box(x: float, y: float, width: float, height: float, kind: str) -> str:
    """A filled rectangle.

    >>> box(0, 0, 2, 3, "cell")
    '<rect class="z-cell" x="0" y="0" width="2" height="3"/>'
    """
    place = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    return f'<rect class="z-{kind}" {place}/>'


def clipped(text: str, longest: int) -> str:
    """Text of at most so many characters.

    >>> clipped("geography", 5)
    'geog…'
    """
    return text if len(text) <= longest else text[: longest - 1] + "…"


def picture(width: float, height: float, body: Iterable[str], title: str = "") -> str:
    """The SVG document of a body, on its own background.

    >>> picture(10, 20, ["<path d='M0 0'/>"], "a < b")[:62]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 20" wi'
    """
    w, h = number(width), number(height)
    named = f"<title>{text_of(title)}</title>" if title else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" '
        f'font-family="system-ui,sans-serif" text-anchor="middle">{named}{STYLE}'
        f'<rect class="z-paper" width="{w}" height="{h}" rx="6"/>{"".join(body)}</svg>'
    )


def label(x: float, y: float, text: str, size: float, *, kind: str = "ink", extra: str = "") -> str:
    """A line of text centred on a point, upwards too, without asking the renderer to align it that way.

    >>> label(5, 5, "a", 10)
    '<text class="z-ink" x="5" y="8.5" font-size="10">a</text>'
    """
    place = f'x="{number(x)}" y="{number(y + size * 0.35)}"'
    return f'<text class="z-{kind}" {place} font-size="{number(size)}"{extra}>{text_of(text)}</text>'


_SIZE = re.compile(r'<svg [^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"')


def side_by_side(pictures: Sequence[str], gap: float = 12) -> str:
    """Several pictures in one, a plus sign between them.

    >>> side_by_side([picture(10, 20, [])]) == picture(10, 20, [])
    True
    """
    if len(pictures) == 1:
        return pictures[0]
    sizes = [(float(found[1]), float(found[2])) if (found := _SIZE.match(p)) else (0.0, 0.0) for p in pictures]
    height = max(tall for _, tall in sizes)
    body, x = [], 0.0
    for index, (drawn, (wide, tall)) in enumerate(zip(pictures, sizes, strict=True)):
        if index:
            body.append(label(x + gap, height / 2, "+", 16))
            x += 2 * gap
        body.append(f'<svg x="{number(x)}" y="{number((height - tall) / 2)}"{drawn.removeprefix("<svg")}')
        x += wide
    return picture(x, height, body)
