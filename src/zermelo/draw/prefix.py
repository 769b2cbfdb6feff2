"""Scenes of prefixes: blocks of variables that roles set in turn, with the values they have so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.draw.scene import Place, Scene, square_place
from zermelo.draw.svg import clipped, label
from zermelo.draw.tokens import rounded

WIDEST: Final = 620.0
LONGEST: Final = 14
MOST_VALUES: Final = 12
"""A variable with more values is set by writing its value."""


@dataclass(frozen=True)
class PrefixBlock:
    """Variables that one role sets together: a sign and a colour for the role, and names with values.

    ``hidden`` is how many more variables there are that are not shown.
    """

    sign: str
    colour: str
    variables: Sequence[tuple[str, str | None]]
    hidden: int = 0


def prefix_scene(blocks: Sequence[PrefixBlock], choices: Sequence[str] = (), note: str = "") -> Scene:
    """Blocks one after the other, in as many lines as they need; the values to choose from stand below.

    ``choices`` are the texts of the moves, such as ``x=0``; each is a place of that name.

    >>> scene = prefix_scene([PrefixBlock("∃", "first", [("x", None)])], ["x=0", "x=1"])
    >>> [place.name for place in scene.places]
    ['x=0', 'x=1']
    """
    following = choices[0].rpartition("=")[0] if choices else ""
    body: list[str] = []
    x, y, widest = 12.0, 14.0, 0.0
    for block in blocks:
        cells = [(name, value, _shown(name, value)) for name, value in block.variables]
        if block.hidden:
            cells.append(("", None, f"… {block.hidden} more"))
        if x > 12 and x + 40 > WIDEST:
            x, y = 12.0, y + 42
        body += [rounded(x, y, 28, 30, block.colour, 6), label(x + 14, y + 15, block.sign, 17, kind="paper")]
        x += 30
        for name, value, text in cells:
            wide = 7.4 * len(text) + 14
            if x + wide > WIDEST and x > 60:
                x, y = 42.0, y + 36
            kind = "mark" if name == following and name else "cell" if value is None else "open"
            body.append(rounded(x, y, wide, 30, kind, 5))
            body.append(rounded(x, y, wide, 30, f"{block.colour}-line", 5, ' stroke-width="1.5"'))
            body.append(label(x + wide / 2, y + 15, text, 12))
            x += wide + 3
            widest = max(widest, x)
        x += 9
    y += 38
    places: list[Place] = []
    if choices and len(choices) <= MOST_VALUES:
        x = 42.0
        for choice in choices:
            text = clipped(choice, LONGEST + 4)
            wide = max(7.4 * len(text) + 36, 60)
            if x + wide > WIDEST:
                x, y = 42.0, y + 34
            body.append(rounded(x, y, wide, 28, "open", 8) + rounded(x, y, wide, 28, "rim", 8))
            body.append(label(x + (wide - 22) / 2, y + 14, text, 12))
            spot = square_place(choice, x, y, wide, 28)
            places.append(Place(choice, x + wide - 14, y + 14, spot.shape, 30))
            x += wide + 10
            widest = max(widest, x)
        y += 38
    if note:
        body.append(label(14, y + 10, note, 13, extra=' text-anchor="start"'))
        widest, y = max(widest, 7.6 * len(note) + 24), y + 26
    return Scene(widest + 12, y, (), tuple(places), tuple(body), title="prefix")


def _shown(name: str, value: str | None) -> str:
    short = clipped(name, LONGEST)
    return short if value is None else f"{short}={value}"


def window(sizes: Sequence[int], here: int, most: int) -> tuple[int, int]:
    """The first and the last but one of at most so many blocks around the one in which the next choice is.

    >>> window([1, 1, 1, 1], 3, 2)
    (2, 4)
    """
    begin = max(0, min(here - most // 2, len(sizes) - most))
    return begin, min(len(sizes), begin + most)
