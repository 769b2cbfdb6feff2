"""What stands on boards: stones, marks, chess men, draughtsmen, and words where nothing else is known.

Every drawing is made for a square of 100 by 100 around the middle of its place, in the colours of the style sheet.
"""

from __future__ import annotations

from typing import Final

from zermelo.draw.svg import clipped, label, number

_FOOT: Final = "M26 80h48l4 10H22z"
_PATHS: Final = {
    "pawn": "M50 16a14 14 0 0 1 8 25c7 2 9 7 6 11h-5c0 12 4 20 13 28H28c9-8 13-16 13-28h-5c-3-4-1-9 6-11a14 14 0 0 1 8-25z",
    "rook": "M27 16h11v8h7v-8h10v8h7v-8h11v20l-8 7 3 37H32l3-37-8-7z",
    "knight": (
        "M32 80c2-17 15-22 16-33-3 3-7 3-10 4-5 2-8 8-13 7-5-1-7-6-5-11 6-14 14-25 27-28l7-9 3 11c14 10 20 32 16 59z"
    ),
    "bishop": "M50 11a6 6 0 0 1 4 10c12 8 18 20 12 32l-6 8 6 19H34l6-19-6-8c-6-12 0-24 12-32a6 6 0 0 1 4-10z",
    "queen": "M20 30l13 20 3-28 14 25 14-25 3 28 13-20-12 50H32z",
    "king": "M46 8h8v7h8v8h-8v8c22-8 36 12 15 37l-2 12H33l-2-12C10 43 24 23 46 31v-8h-8v-8h8z",
}
_INNER: Final = {
    "knight": "M37 39h2",
    "bishop": "M50 32v18M42 41h16M39 61h22",
    "queen": "M35 68h30",
    "king": "M50 34v30M33 68h34",
    "rook": "M35 43h30",
}
_BALLS: Final = ((20, 27), (36, 19), (64, 19), (80, 27))

ROLE_COLOURS: Final = ("first", "second", "third", "fourth")
"""The colours of the roles, in their order."""


def piece(name: str, x: float, y: float, size: float) -> str:
    """What a word in a cell looks like; a word that is not known is written there.

    >>> piece("black", 5, 5, 10).count("<circle")
    2
    >>> "<path" in piece("white-knight", 50, 50, 100), ">7<" in piece("7", 5, 5, 10)
    (True, True)
    """
    drawn = drawing(name)
    if drawn is None:
        shown = clipped(name, 12)
        return label(x, y, shown, min(size * 0.42, 1.5 * size / max(len(shown), 1)))
    scale = size / 100
    place = f"translate({number(x - size / 2)} {number(y - size / 2)}) scale({scale:.3f})"
    return f'<g transform="{place}">{drawn}</g>' if drawn else ""


def drawing(name: str) -> str | None:
    """The drawing of a piece in its square of 100 by 100; ``None`` if there is none of that name."""
    if name == "":
        return ""
    if name in _PLAIN:
        return _PLAIN[name]
    colour, _, man = name.partition("-")
    if colour in ("white", "black"):
        if man in _PATHS:
            return _chess(man, colour)
        if man in ("man", "crown", "queens"):
            return _draughtsman(colour, man)
    return None


def _stone(kind: str) -> str:
    return f'<circle class="z-{kind}" cx="50" cy="50" r="38"/><circle class="z-rim" cx="50" cy="50" r="38" stroke-width="2.5"/>'


def _chess(man: str, colour: str) -> str:
    outline = f'class="z-{colour}" stroke-linejoin="round"'
    rim = 'class="z-rim" stroke-width="3.5" stroke-linejoin="round"'
    inner = "pale" if colour == "black" else "rim"
    drawn = f'<path {outline} d="{_PATHS[man]}{_FOOT}"/><path {rim} d="{_PATHS[man]}{_FOOT}"/>'
    if man == "queen":
        for bx, by in _BALLS:
            ball = f'cx="{bx}" cy="{by}" r="5.5"'
            drawn += f'<circle class="z-{colour}" {ball}/><circle {rim} {ball}/>'
    if man in _INNER:
        drawn += f'<path class="z-{inner}" stroke-width="3.5" stroke-linecap="round" d="{_INNER[man]}"/>'
    return drawn


def _draughtsman(colour: str, man: str) -> str:
    inner = "pale" if colour == "black" else "rim"
    ring = f'<circle class="z-{inner}" cx="50" cy="50" r="27" stroke-width="2.5"/>'
    crown = f'<path class="z-{inner}" stroke-width="4" stroke-linejoin="round" d="M33 62l-4-24 11 10 10-15 10 15 11-10-4 24z"/>'
    return _stone(colour) + (ring if man == "man" else crown)


_PLAIN: Final[dict[str, str]] = {
    "x": '<path class="z-first-line" stroke-width="10" stroke-linecap="round" d="M22 22L78 78M78 22L22 78"/>',
    "o": '<circle class="z-second-line" stroke-width="10" cx="50" cy="50" r="31"/>',
    "black": _stone("black"),
    "white": _stone("white"),
    "block": '<path class="z-shade" d="M2 2h96v96H2z"/><path class="z-line" stroke-width="4" d="M8 92L92 8M8 50L50 8M50 92L92 50"/>',
    "fire": (
        '<path class="z-first" d="M50 8c4 20 28 28 26 54a26 26 0 0 1-52 2c0-14 8-20 12-32 6 6 8 10 9 16 6-10 8-22 5-40z"/>'
        '<path class="z-amber" d="M50 52c3 9 12 13 11 24a11 11 0 0 1-22 0c0-8 6-14 11-24z"/>'
    ),
}
