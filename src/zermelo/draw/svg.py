"""What all pictures share: colours, text made safe, and the document around them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

# Characters that no XML document may hold, however they are escaped (XML 1.0, production 2).
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# name: (property, light, dark). The first role is warm and the second cool in every picture. The hues are those of
# Okabe and Ito (2008), which nearly everybody tells apart; white on the roles' colours has a contrast of at least 4.7.
_COLOURS: tuple[tuple[str, str, str, str], ...] = (
    ("paper", "fill", "#fffefa", "#1b1e23"),
    ("ink", "fill", "#23262b", "#eceae5"),
    ("faint", "fill", "#6b6860", "#a3a8b1"),
    ("line", "stroke", "#bdb7a8", "#545a65"),
    ("cell", "fill", "#f5f2ea", "#272b32"),
    ("shade", "fill", "#dcd3c1", "#3a404a"),
    ("mark", "fill", "#f3df86", "#6b5a17"),
    ("first", "fill", "#c24e00", "#f5925a"),
    ("second", "fill", "#0072b2", "#67b4ea"),
    ("third", "fill", "#00805d", "#3fc79f"),
    ("fourth", "fill", "#a8538a", "#de9cc4"),
    ("draw", "fill", "#6f6d68", "#a0a4ab"),
    ("open", "fill", "#ffffff", "#2f343c"),
    ("amber", "fill", "#e69f00", "#eeb23a"),
    ("first-line", "stroke", "#c24e00", "#f5925a"),
    ("second-line", "stroke", "#0072b2", "#67b4ea"),
    ("third-line", "stroke", "#00805d", "#3fc79f"),
    ("fourth-line", "stroke", "#a8538a", "#de9cc4"),
    ("amber-line", "stroke", "#e69f00", "#eeb23a"),
    ("draw-line", "stroke", "#6f6d68", "#a0a4ab"),
    ("ink-line", "stroke", "#23262b", "#eceae5"),
    ("black", "fill", "#24272c", "#08090a"),
    ("white", "fill", "#ffffff", "#f2f0ea"),
    ("rim", "stroke", "#24272c", "#969ba6"),
    ("pale", "stroke", "#ffffff", "#f2f0ea"),
)


def _rules(column: int) -> str:
    """Every colour is a variable that the page around the picture may set, with a default of its own."""
    return "".join(
        f".z-{name}{{{colour[0]}:var(--z-{name.removesuffix('-line')},{colour[column]})}}" for name, *colour in _COLOURS
    )


def _halo(column: int) -> str:
    """A rim of paper around letters, so that they can be read where lines pass behind them."""
    paper = next(colour[column] for name, *colour in _COLOURS if name == "paper")
    return f".z-halo{{paint-order:stroke;stroke:var(--z-paper,{paper});stroke-width:3px;stroke-linejoin:round}}"


_STROKES = ",".join(f".z-{name}" for name, kind, *_ in _COLOURS if kind == "stroke")
STYLE = (
    f"<style>{_STROKES},.z-hit{{fill:none}}.z-hit{{pointer-events:all}}{_rules(1)}{_halo(1)}"
    f"@media screen and (prefers-color-scheme:dark){{{_rules(2)}{_halo(2)}}}</style>"
)
"""Light unless the reader's screen is dark; paper is always light."""

_VARIABLE = re.compile(r"var\(--z-[a-z-]+,(#[0-9a-f]{6})\)")
_DARK = re.compile(r"@media screen[^{]*\{(?:[^{}]*\{[^{}]*\})*\}")


def printable(svg: str) -> str:
    """The same picture without variables and in its light colours alone, for programs that know little of CSS.

    >>> "var(" in printable(picture(10, 10, [])), "@media" in printable(picture(10, 10, []))
    (False, False)
    """
    return _VARIABLE.sub(r"\1", _DARK.sub("", svg))


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


def picture(
    width: float, height: float, body: Iterable[str], title: str = "", *, size: float | None = None, role: str = "img"
) -> str:
    """The SVG document of a body, on its own background; ``size`` is that of the longer side on the screen.

    >>> picture(10, 20, ["<path d='M0 0'/>"], "a < b")[:62]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 20" wi'
    >>> 'width="50" height="100"' in picture(10, 20, [], size=100)
    True
    """
    w, h = number(width), number(height)
    scale = size / max(width, height, 1.0) if size else 1.0
    named = f"<title>{text_of(title)}</title>" if title else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{number(width * scale)}" '
        f'height="{number(height * scale)}" role="{role}" '
        f'font-family="system-ui,sans-serif" text-anchor="middle">{named}{STYLE}'
        f'<rect class="z-paper" width="{w}" height="{h}" rx="6"/>{"".join(body)}</svg>'
    )


def label(x: float, y: float, text: str, size: float, *, kind: str = "ink", extra: str = "", halo: bool = False) -> str:
    """A line of text centred on a point, upwards too, without asking the renderer to align it that way.

    ``halo`` is for text over lines.

    >>> label(5, 5, "a", 10)
    '<text class="z-ink" x="5" y="8.5" font-size="10">a</text>'
    """
    place = f'x="{number(x)}" y="{number(y + size * 0.35)}"'
    rim = " z-halo" if halo else ""
    return f'<text class="z-{kind}{rim}" {place} font-size="{number(size)}"{extra}>{text_of(text)}</text>'
