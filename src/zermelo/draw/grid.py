"""Scenes of rulesets' positions: cells with stones, rows of dominoes, dots and boxes, and hackenbush."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

from zermelo.draw.board import board_scene
from zermelo.draw.scene import Place, Scene, disc_place, line_place, square_place
from zermelo.draw.shape import Board, column_letters, edge_name
from zermelo.draw.svg import at, box, label, number

CELL = 44.0
MARGIN = 30.0
_STONES = {"x": "black", "o": "white", "#": "block", ".": ""}


def cells_scene(rows: Sequence[str], *, letters_only: bool = False, pieces: Mapping[str, str] | None = None) -> Scene:
    """A board: ``x`` are black stones, ``o`` white ones, ``#`` blocked, or what ``pieces`` says. Rows have numbers
    unless ``letters_only``.

    >>> [(place.name, place.content) for place in cells_scene(["x.", "#o"]).places]
    [('a1', 'black'), ('b1', ''), ('a2', 'block'), ('b2', 'white')]
    """
    drawn = {**_STONES, **(pieces or {})}
    cells = tuple(tuple(drawn.get(cell, cell) for cell in row) for row in rows)
    return board_scene(Board(cells, rows=("",) * len(rows) if letters_only else ()))


def dominoes_scene(row: str) -> Scene:
    """Dominoes on edge: black ones are Left's, white ones Right's, grey ones anybody's.

    The halves of a domino are places of their own: ``2<`` is where the second is pushed to topple to the left.

    >>> [place.name for place in dominoes_scene("xo").places]
    ['1<', '1>', '2<', '2>']
    """
    kinds = {"x": "black", "o": "white", "#": "draw"}
    body, places = [], []
    for place, domino in enumerate(row):
        x = 20 + place * 38
        body.append(box(x, 16, 20, 66, kinds[domino]) + box(x, 16, 20, 66, "rim"))
        body.append(f'<path class="z-line" d="M{at(x + 3, 49)}h14"/>')
        body.append(label(x + 10, 96, str(place + 1), 12, kind="faint"))
        for mark, left in (("<", x - 8), (">", x + 10)):
            half = square_place(f"{place + 1}{mark}", left, 16, 18, 66)
            places.append(Place(half.name, half.x, 32 if mark == "<" else 60, half.shape, 28))
    width = max(38 * len(row) + 26, 110)
    if not row:
        body.append(label(55, 60, "no dominoes", 13, kind="faint"))
    body.append(f'<path class="z-rim" stroke-width="2" d="M8 82H{number(width - 8)}"/>')
    return Scene(width, 108, (), tuple(places), tuple(body), title="dominoes")


def dots_scene(rows: Sequence[str], owners: Mapping[tuple[int, int], str] | None = None, note: str = "") -> Scene:
    """Dots and boxes: rows of edges across and down in turns, ``#`` is drawn, and boxes with four sides are filled.

    ``owners`` gives the colours of boxes by row and column, where it is known who closed them; ``note`` stands below.

    >>> [place.name for place in dots_scene([".", "#.", "."]).places]
    ['a1b1', 'a1a2', 'b1b2', 'a2b2']
    """
    height, width = len(rows) // 2, len(rows[0])
    under, places, edges = [], [], []
    for r in range(height):
        for c in range(width):
            if rows[2 * r][c] == rows[2 * r + 2][c] == rows[2 * r + 1][c] == rows[2 * r + 1][c + 1] == "#":
                colour = (owners or {}).get((r, c), "mark")
                shape = box(MARGIN + c * CELL, MARGIN + r * CELL, CELL, CELL, colour)
                under.append(shape.replace("/>", ' opacity="0.6"/>'))
    for index, row in enumerate(rows):
        for c, edge in enumerate(row):
            x, y = MARGIN + c * CELL, MARGIN + index // 2 * CELL
            end = (x, y + CELL) if index % 2 else (x + CELL, y)
            look = 'class="z-rim" stroke-width="4"' if edge == "#" else 'class="z-line" stroke-dasharray="2 5"'
            edges.append((edge == "#", f'<path {look} d="M{at(x, y)}L{at(*end)}"/>'))
            places.append(line_place(edge_name(index, c), (x, y), end, edge.strip("."), CELL * 0.5))
    dots = [drawn for _, drawn in sorted(edges)]
    dots += [
        f'<circle class="z-ink" cx="{number(MARGIN + c * CELL)}" cy="{number(MARGIN + r * CELL)}" r="4.5"/>'
        for r in range(height + 1)
        for c in range(width + 1)
    ]
    labels = [label(MARGIN + c * CELL, MARGIN / 2 - 2, column_letters(c), 13, kind="faint") for c in range(width + 1)]
    labels += [label(MARGIN / 2 - 2, MARGIN + r * CELL, str(r + 1), 13, kind="faint") for r in range(height + 1)]
    full = MARGIN + width * CELL + 18, MARGIN + height * CELL + 18
    if note:
        full = max(full[0], 7.0 * len(note) + 20), full[1] + 20
        dots.append(label(full[0] / 2, full[1] - 14, note, 13))
    return Scene(*full, tuple(under), tuple(places), tuple(dots), tuple(labels), "dots and boxes")


Edge = tuple[str, str, str]
"""Two ends and a colour, ``b``, ``r`` or ``g``; the ground is ``0``."""
Point = tuple[float, float]

STOREY = 60.0
_STROKES = {
    "b": ("first-line", ""),
    "r": ("second-line", ' stroke-dasharray="9 4"'),
    "g": ("third-line", ' stroke-dasharray="2 3"'),
}


def hackenbush_scene(edges: Sequence[Edge]) -> Scene:
    """Edges over the ground: Left's warm and whole, Right's cool and dashed, green ones dotted.

    >>> [place.name for place in hackenbush_scene([("0", "1", "b"), ("1", "2", "r")]).places]
    ['0-1:b', '1-2:r']
    """
    storeys = _storeys(edges)
    height = 60 + STOREY * max(len(storeys) - 1, 0)
    ground = height - 22
    points = {
        name: (40 + 64 * place + 18 * (level % 2), ground - STOREY * level)
        for level, names in enumerate(storeys)
        for place, name in enumerate(names)
    }
    width = 60 + max((x for x, _ in points.values()), default=20.0)
    body, places = [], []
    drawn: dict[frozenset[str], int] = {}
    for one, other, colour in edges:
        pair = frozenset((one, other))
        drawn[pair] = drawn.get(pair, 0) + 1
        feet = [
            points[end] if end != "0" else (points[inner][0], ground) for end, inner in ((one, other), (other, one))
        ]
        kind, dashes = _STROKES[colour]
        body.append(
            f'<path class="z-{kind}" stroke-width="4"{dashes} d="{_curve(feet[0], feet[1], drawn[pair] - 1)}"/>'
        )
        if drawn[pair] == 1 or (one, other, colour) not in edges[: edges.index((one, other, colour))]:
            places.append(_edge_place(f"{one}-{other}:{colour}", feet[0], feet[1], drawn[pair] - 1))
    over = [f'<path class="z-rim" stroke-width="3" d="M8 {number(ground)}H{number(width - 8)}"/>']
    for x, y in points.values():
        over.append(f'<circle class="z-ink" cx="{number(x)}" cy="{number(y)}" r="4"/>')
    labels = [label(x + 11, y - 8, name, 11, kind="faint") for name, (x, y) in points.items()]
    unique = tuple({place.name: place for place in places}.values())
    return Scene(width, height, tuple(body), unique, tuple(over), tuple(labels), "hackenbush")


def _edge_place(name: str, start: Point, end: Point, nth: int) -> Place:
    """Where an edge is pointed at: along it where it is straight, else in the middle of its bow."""
    if start == end:
        size = 22 + 14 * nth
        return disc_place(name, start[0], start[1] - 1.5 * size, 12, "edge")
    if nth == 0:
        return line_place(name, start, end, "edge", 20)
    across, down = end[0] - start[0], end[1] - start[1]
    length, bend = sqrt(across * across + down * down), _bend(nth) / 2
    middle = (start[0] + end[0]) / 2 - bend * down / length, (start[1] + end[1]) / 2 + bend * across / length
    return disc_place(name, *middle, 9, "edge")


def _bend(nth: int) -> float:
    """How far the nth line between the same two points is bent, in turns to both sides."""
    return 30.0 * ((nth + 1) // 2) * (1 if nth % 2 else -1)


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
    bend = _bend(nth)
    middle = (start[0] + end[0]) / 2 - bend * down / length, (start[1] + end[1]) / 2 + bend * across / length
    return f"M{at(*start)}Q{at(*middle)} {at(*end)}"
