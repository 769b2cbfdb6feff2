"""Pictures of rulesets' positions: cells with stones, rows of dominoes, heaps, and hackenbush."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from zermelo.draw.board import column_letters
from zermelo.draw.svg import at, box, label, number, picture

CELL = 40.0
MARGIN = 26.0


def cells_svg(rows: Sequence[str], title: str = "") -> str:
    """A board: ``x`` are black stones, ``o`` white ones, ``#`` blocked cells.

    >>> svg = cells_svg(["x.", "#o"])
    >>> svg.count('class="z-black"'), svg.count('class="z-draw"')
    (1, 1)
    """
    columns = max((len(row) for row in rows), default=0)
    width, height = columns * CELL, len(rows) * CELL
    body = [box(MARGIN, MARGIN, width, height, "cell")]
    for r, row in enumerate(rows):
        blocked = (c for c, cell in enumerate(row) if cell == "#")
        body += [box(MARGIN + c * CELL, MARGIN + r * CELL, CELL, CELL, "draw") for c in blocked]
    across = (f"M{at(MARGIN, MARGIN + r * CELL)}H{number(MARGIN + width)}" for r in range(len(rows) + 1))
    down = (f"M{at(MARGIN + c * CELL, MARGIN)}V{number(MARGIN + height)}" for c in range(columns + 1))
    body.append(f'<path class="z-line" d="{"".join(across)}{"".join(down)}"/>')
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            if cell in "xo":
                body.append(_stone(MARGIN + (c + 0.5) * CELL, MARGIN + (r + 0.5) * CELL, cell == "x"))
    body += [label(MARGIN + (c + 0.5) * CELL, MARGIN / 2, column_letters(c), 12, kind="faint") for c in range(columns)]
    body += [label(MARGIN / 2, MARGIN + (r + 0.5) * CELL, str(r + 1), 12, kind="faint") for r in range(len(rows))]
    return picture(MARGIN + width + 10, MARGIN + height + 10, body, title)


def _stone(x: float, y: float, black: bool) -> str:
    disc = f'cx="{number(x)}" cy="{number(y)}" r="{number(CELL * 0.38)}"'
    return f'<circle class="z-{"black" if black else "white"}" {disc}/><circle class="z-rim" {disc}/>'


def dominoes_svg(row: str, title: str = "") -> str:
    """Dominoes on edge: black ones are Left's, white ones Right's, grey ones anybody's.

    >>> dominoes_svg("xo#").count("<rect")
    7
    """
    kinds = {"x": "black", "o": "white", "#": "draw"}
    body = []
    for place, domino in enumerate(row):
        x = 16 + place * 26
        body.append(box(x, 16, 12, 60, kinds[domino]) + box(x, 16, 12, 60, "rim"))
        body.append(label(x + 6, 90, str(place + 1), 10, kind="faint"))
    width = max(26 * len(row) + 22, 40)
    body.append(f'<path class="z-line" d="M8 76H{number(width - 8)}"/>')
    return picture(width, 102, body, title)


def heaps_svg(heaps: Sequence[int], title: str = "") -> str:
    """Heaps of counters side by side; a high one is cut and its size stands below in any case.

    >>> heaps_svg([3, 1]).count("<circle")
    8
    """
    tallest = 12
    body = []
    rows = min(max(heaps, default=0), tallest)
    floor = 20 + rows * 18.0
    for place, heap in enumerate(heaps):
        x = 26 + place * 36
        for level in range(min(heap, tallest)):
            disc = f'cx="{number(x)}" cy="{number(floor - 9 - level * 18)}" r="8"'
            body.append(f'<circle class="z-mark" {disc}/><circle class="z-rim" {disc}/>')
        body.append(label(x, floor + 12, str(heap), min(12.0, 50 / max(len(str(heap)), 1)), kind="ink"))
    return picture(max(36 * len(heaps) + 16, 40), floor + 26, body, title)


def dots_svg(rows: Sequence[str], title: str = "") -> str:
    """Dots and boxes: rows of edges across and down in turns, ``#`` is drawn, and boxes with four sides are filled.

    >>> dots_svg(["#", "##", "#"]).count('class="z-mark"')
    1
    """
    height, width = len(rows) // 2, len(rows[0])
    body = [
        box(MARGIN + c * CELL, MARGIN + r * CELL, CELL, CELL, "mark")
        for r in range(height)
        for c in range(width)
        if rows[2 * r][c] == rows[2 * r + 2][c] == rows[2 * r + 1][c] == rows[2 * r + 1][c + 1] == "#"
    ]
    for index, row in enumerate(rows):
        for c, edge in enumerate(row):
            x, y = MARGIN + c * CELL, MARGIN + index // 2 * CELL
            end = f"V{number(y + CELL)}" if index % 2 else f"H{number(x + CELL)}"
            look = 'class="z-rim" stroke-width="3.5"' if edge == "#" else 'class="z-line" stroke-dasharray="2 5"'
            body.append(f'<path {look} d="M{at(x, y)}{end}"/>')
    for r in range(height + 1):
        for c in range(width + 1):
            place = f'cx="{number(MARGIN + c * CELL)}" cy="{number(MARGIN + r * CELL)}"'
            body.append(f'<circle class="z-ink" {place} r="4"/>')
    body += [label(MARGIN + c * CELL, MARGIN / 2 - 2, column_letters(c), 12, kind="faint") for c in range(width + 1)]
    body += [label(MARGIN / 2 - 2, MARGIN + r * CELL, str(r + 1), 12, kind="faint") for r in range(height + 1)]
    return picture(MARGIN + width * CELL + 14, MARGIN + height * CELL + 14, body, title)


Edge = tuple[str, str, str]
"""Two ends and a colour, ``b``, ``r`` or ``g``; the ground is ``0``."""
Point = tuple[float, float]

STOREY = 60.0
_STROKES = {
    "b": ("first-line", ""),
    "r": ("second-line", ' stroke-dasharray="9 4"'),
    "g": ("rim", ' stroke-dasharray="2 3"'),
}


def hackenbush_svg(edges: Sequence[Edge], title: str = "") -> str:
    """Edges over the ground: Left's warm and whole, Right's cool and dashed, green ones dotted.

    >>> hackenbush_svg([("0", "1", "b"), ("1", "2", "r")]).count("<path")
    3
    """
    storeys = _storeys(edges)
    height = 56 + STOREY * max(len(storeys) - 1, 0)
    ground = height - 22
    points = {
        name: (34 + 64 * place + 18 * (level % 2), ground - STOREY * level)
        for level, names in enumerate(storeys)
        for place, name in enumerate(names)
    }
    width = 50 + max((x for x, _ in points.values()), default=0.0)
    body = []
    drawn: dict[frozenset[str], int] = {}
    for one, other, colour in edges:
        pair = frozenset((one, other))
        drawn[pair] = drawn.get(pair, 0) + 1
        feet = [
            points[end] if end != "0" else (points[inner][0], ground) for end, inner in ((one, other), (other, one))
        ]
        kind, dashes = _STROKES[colour]
        path = _curve(feet[0], feet[1], drawn[pair] - 1)
        body.append(f'<path class="z-{kind}" stroke-width="3.5"{dashes} d="{path}"/>')
    for name, (x, y) in points.items():
        body.append(f'<circle class="z-ink" cx="{number(x)}" cy="{number(y)}" r="4"/>')
        body.append(label(x + 11, y - 8, name, 10, kind="faint"))
    body.append(f'<path class="z-rim" stroke-width="3" d="M8 {number(ground)}H{number(width - 8)}"/>')
    return picture(width, height, body, title)


def _storeys(edges: Sequence[Edge]) -> list[list[str]]:
    """The vertices by their distance from the ground; the ground itself, and loops on it, stand at the bottom."""
    beside: dict[str, list[str]] = {}
    for one, other, _ in edges:
        beside.setdefault(one, []).append(other)
        beside.setdefault(other, []).append(one)
    loops = any(one == other == "0" for one, other, _ in edges)
    storeys: list[list[str]] = [["0"] if loops else []]
    seen, level = {"0"}, ["0"]
    while level:
        level = list(dict.fromkeys(n for name in level for n in beside.get(name, []) if n not in seen))
        seen.update(level)
        storeys.append(level)
    return storeys[:-1]


def _curve(start: Point, end: Point, nth: int) -> str:
    """A line that bends away from the lines drawn between the same two points before, or a loop."""
    if start == end:
        size = 22 + 14 * nth
        around = at(start[0] - size, start[1] - 2 * size), at(start[0] + size, start[1] - 2 * size)
        return f"M{at(*start)}C{around[0]} {around[1]} {at(*end)}"
    across, down = end[0] - start[0], end[1] - start[1]
    length = sqrt(across * across + down * down)
    bend = 30.0 * ((nth + 1) // 2) * (1 if nth % 2 else -1)
    middle = (start[0] + end[0]) / 2 - bend * down / length, (start[1] + end[1]) / 2 + bend * across / length
    return f"M{at(*start)}Q{at(*middle)} {at(*end)}"
