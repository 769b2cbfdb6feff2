"""Dice, coins, tiles, seeds, and lines of text beside a token: what stands next to boards."""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from typing import Final

from zermelo.draw.pieces import piece
from zermelo.draw.svg import box, label, number

DIE = 38.0
_PIPS: Final = {
    "1": ((0, 0),),
    "2": ((-1, -1), (1, 1)),
    "3": ((-1, -1), (0, 0), (1, 1)),
    "4": ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    "5": ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    "6": ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
SEEDS: Final = 12
"""Seeds that are drawn in a pit; the number stands there in any case."""


def rounded(x: float, y: float, width: float, height: float, kind: str, radius: float = 6, extra: str = "") -> str:
    """A rectangle with round corners.

    >>> rounded(0, 0, 2, 3, "cell")
    '<rect class="z-cell" x="0" y="0" width="2" height="3" rx="6"/>'
    """
    return box(x, y, width, height, kind).replace("/>", f' rx="{number(radius)}"{extra}/>')


def die_svg(x: float, y: float, face: str, *, kept: bool = False, size: float = DIE) -> str:
    """A die by its upper left corner; a face that has no pips is written, a loose die has no face.

    >>> die_svg(0, 0, "5").count("<circle"), ">worm<" in die_svg(0, 0, "worm")
    (5, True)
    """
    drawn = rounded(x, y, size, size, "mark" if kept else "open") + rounded(
        x, y, size, size, "rim", extra="" if face else ' stroke-dasharray="4 3"'
    )
    cx, cy = x + size / 2, y + size / 2
    for dx, dy in _PIPS.get(face, ()):
        place = f'cx="{number(cx + dx * size * 0.26)}" cy="{number(cy + dy * size * 0.26)}"'
        drawn += f'<circle class="z-ink" {place} r="{number(size * 0.09)}"/>'
    if face and face not in _PIPS:
        drawn += label(cx, cy, face, min(14.0, 1.5 * size / len(face)))
    return drawn


def coin_svg(x: float, y: float, side: str, radius: float = 26) -> str:
    """A coin: its side is written on it, and heads have a second rim; one that is not placed yet is dashed.

    >>> coin_svg(0, 0, "unset").count("stroke-dasharray")
    1
    """
    disc = f'cx="{number(x)}" cy="{number(y)}"'
    if side in ("", "unset", "none"):
        return f'<circle class="z-line" {disc} r="{number(radius)}" stroke-width="2" stroke-dasharray="5 4"/>'
    inner = f'<circle class="z-rim" {disc} r="{number(radius - 5)}"/>' if side == "heads" else ""
    return (
        f'<circle class="z-amber" {disc} r="{number(radius)}"/><circle class="z-rim" {disc} r="{number(radius)}"/>'
        f"{inner}{label(x, y, side, 12, kind='black')}"
    )


def seeds_svg(x: float, y: float, count: int, radius: float) -> str:
    """Seeds spread over a pit, as a sunflower spreads them.

    >>> seeds_svg(0, 0, 4, 20).count("<circle"), seeds_svg(0, 0, 40, 20).count("<circle")
    (4, 12)
    """
    shown = min(count, SEEDS)
    parts = []
    for seed in range(shown):
        away, turn = radius * 0.72 * sqrt((seed + 0.5) / max(shown, 1)), seed * pi * (3 - sqrt(5))
        place = f'cx="{number(x + away * cos(turn))}" cy="{number(y + away * sin(turn))}"'
        parts.append(f'<circle class="z-ink" {place} r="{number(max(2.4, radius * 0.13))}"/>')
    return "".join(parts)


def tile_svg(x: float, y: float, number_: str, below: str = "", *, kind: str = "open", faded: bool = False) -> str:
    """A tile of 34 by 52 with a number and something below it.

    >>> ">21<" in tile_svg(0, 0, "21", "~")
    True
    """
    fade = ' opacity="0.3"' if faded else ""
    drawn = rounded(x, y, 34, 52, kind, 5) + rounded(x, y, 34, 52, "rim", 5)
    ink = "ink" if kind in ("open", "cell", "mark") else "paper"
    fitting = min(11.0, 32 / max(len(below), 1))
    drawn += label(x + 17, y + 17, number_, 15, kind=ink) + label(x + 17, y + 39, below, fitting, kind=ink)
    return f"<g{fade}>{drawn}</g>"


def line_svg(x: float, y: float, text: str, token: str = "", *, size: float = 14, kind: str = "ink") -> str:
    """A line of text that begins at a point, after a piece if there is one.

    >>> "<circle" in line_svg(0, 0, "red to move", "token-first")
    True
    """
    drawn = piece(token, x + 9, y, 22) if token else ""
    left = x + 24 if token else x
    return drawn + label(left, y, text, size, kind=kind, extra=' text-anchor="start"')
