"""Parts of a picture that are boards: grids, stars, backgammon points, graphs, dots and boxes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from math import sqrt
from typing import Any, Final, Literal

from zermelo.draw.board import HEXAGON, board_scene, hexagon
from zermelo.draw.grid import dots_scene
from zermelo.draw.pieces import piece
from zermelo.draw.scene import Place, Scene, polygon_place, square_place
from zermelo.draw.shape import Board
from zermelo.draw.svg import at, box, label, number
from zermelo.gdl.view.sight import Match, Sight, in_order, words_of

Settings = Mapping[str, Any]
SHARE: Final = 0.86
"""The part of a cell that a piece takes up."""


def _names(sight: Sight, said: Any, variable: str) -> list[str]:
    """Names that a stylesheet lists, or those that facts give which always hold."""
    if isinstance(said, list):
        return [str(name) for name in said]
    return in_order([found[variable] for found in sight.static(said)])


def _axes(sight: Sight, settings: Settings) -> tuple[list[str], list[str]]:
    """The columns from the left and the rows from the top."""
    grid = sight.game.grid
    if "columns" in settings and "rows" in settings:
        columns, rows = _names(sight, settings["columns"], "C"), _names(sight, settings["rows"], "R")
    elif grid is not None:
        columns, rows = list(grid.columns), list(grid.rows)
        return columns, rows
    else:
        return [], []
    if settings.get("rows_from") == "bottom":
        rows.reverse()
    return columns, rows


def grid(sight: Sight, settings: Settings) -> Scene | None:
    """Cells with what stands in them, one thing above the other in the order of the stylesheet."""
    columns, rows = _axes(sight, settings)
    if not columns or not rows:
        return None
    contents: dict[tuple[str, str], list[str]] = {}
    for entry in settings["cells"]:
        pattern = entry["facts"] if isinstance(entry, dict) else entry
        form = entry.get("piece") if isinstance(entry, dict) else None
        always = isinstance(entry, dict) and bool(entry.get("always"))
        for found in sight.static(pattern) if always else sight.facts(pattern):
            name = _piece_name(sight, found, form, settings.get("pieces", {}))
            if isinstance(entry, dict) and name == entry.get("empty"):
                continue
            contents.setdefault((found["C"], found["R"]), []).append(name)
    top = tuple(tuple((contents.get((c, r)) or [""])[-1] for c in columns) for r in rows)
    sides = tuple(settings.get("sides", ("first", "second")))
    shape: Literal["square", "hex"] = "hex" if settings.get("shape") == "hex" else "square"
    checkered = bool(settings.get("checkered", False))
    scene = board_scene(Board(top, shape, tuple(rows), tuple(columns), checkered, (str(sides[0]), str(sides[1]))))
    named = {c + r: contents.get((c, r), []) for c in columns for r in rows}
    places = tuple(replace(place, content="+".join(named[place.name])) for place in scene.places)
    over = [
        piece(name, place.x, place.y, place.size * (1.0 if name == "block" else SHARE))
        for place in places
        for name in named[place.name]
    ]
    return replace(scene, places=places, over=tuple(over))


def _piece_name(sight: Sight, found: Match, form: str | None, pieces: Mapping[str, str]) -> str:
    """The name of the piece that a fact states: its words but the coordinates, or as the stylesheet puts it."""
    rest = [value for variable, value in found.items() if variable not in ("C", "R")]
    name = "-".join(rest) if form is None else form
    for variable, value in found.items():
        name = name.replace(f"{{{variable}}}", value)
    return pieces[name] if name in pieces else sight.tokens.get(name, name)


def star(sight: Sight, settings: Settings) -> Scene:
    """Cells in rows of different length, each row in the middle: a star of hexagons."""
    on = {found["P"]: found["WHO"] for found in sight.facts(settings["facts"])}
    rows = [words_of(str(row)) for row in settings["rows"]]
    step, side = sqrt(3) * HEXAGON, HEXAGON
    widest = max(len(row) for row in rows)
    width, height = widest * step + 40, (len(rows) - 1) * 1.5 * side + 2 * side + 30
    under, places, over, labels = [], [], [], []
    for r, row in enumerate(rows):
        for c, name in enumerate(row):
            x, y = width / 2 + (c - (len(row) - 1) / 2) * step, 15 + side + 1.5 * side * r
            who = on.get(name, "")
            place = polygon_place(name, hexagon(x, y), 1.5 * side, who)
            places.append(place)
            under += [place.outline("cell"), place.outline("line")]
            labels.append(label(x, y + side * 0.66, name, 9, kind="faint"))
            if who:
                over.append(piece(sight.tokens.get(who, who), x, y, 1.25 * side))
    return Scene(width, height, tuple(under), tuple(places), tuple(over), tuple(labels), "star")


def points(sight: Sight, settings: Settings) -> Scene:
    """The points of backgammon, numbered as whoever moves counts them; checkers on the bar and off the board."""
    mirror, bar, off = (str(settings[key]) for key in ("mirror", "bar", "off"))
    far = int(bar) - 1
    mover = sight.mover if sight.mover in sight.colours else None
    turned = mover == mirror
    stacks: dict[str, tuple[str, int]] = {}
    aside: dict[tuple[str, str], int] = {}
    for found in sight.facts(settings["facts"]):
        who, point, count = found["WHO"], found["P"], int(found["N"])
        if point in (bar, off):
            aside[who, point] = count
        elif count:
            own = int(point) if (who == mirror) == turned else far + 1 - int(point)
            stacks[str(own)] = (who, count)
    wide, tall, left, half = 38.0, 150.0, 20.0, far // 2
    middle = left + half / 2 * wide
    width = left + half * wide + wide + 100
    body: list[str] = [box(left, 26, half * wide + wide, 2 * tall + 40, "cell")]
    body.append(box(middle, 26, wide, 2 * tall + 40, "shade"))
    places: list[Place] = []
    over: list[str] = []
    for spot in range(1, far + 1):
        low = spot <= half
        # The lower half goes from right to left, the upper one from left to right.
        column = half - spot if low else spot - half - 1
        x = left + column * wide + (wide if column >= half / 2 else 0)
        foot, tip = (26 + 2 * tall + 40, 26 + tall + 60) if low else (26, 26 + tall - 20)
        kind = "shade" if spot % 2 else "draw"
        opacity = "" if spot % 2 else ' opacity="0.35"'
        body.append(
            f'<path class="z-{kind}"{opacity} d="M{at(x + 2, foot)}H{number(x + wide - 2)}L{at(x + wide / 2, tip)}z"/>'
        )
        over.append(label(x + wide / 2, foot + 13 if low else foot - 12, str(spot), 12, kind="faint"))
        who, count = stacks.get(str(spot), ("", 0))
        area = (tip, foot - tip) if low else (foot, tip - foot)
        places.append(square_place(str(spot), x, area[0], wide, area[1], f"{who} {count}" if who else ""))
        over += _checkers(sight, who, count, x + wide / 2, foot, -1 if low else 1)
    for index, who in enumerate(sight.game.roles):
        y = 26 + tall + 20 + (42 if index else -42)
        over += _checkers(sight, who, min(aside.get((who, bar), 0), 15), middle + wide / 2, y - 16, 1)
        x = left + half * wide + wide + 12
        token = piece(sight.tokens.get(who, who), x + 12, y, 26)
        borne = f"off {aside.get((who, off), 0)}"
        over += [token, label(x + 30, y, borne, 13, extra=' text-anchor="start"')]
    places.append(square_place("bar", middle, 26, wide, 2 * tall + 40, ""))
    places.append(square_place("off", left + half * wide + wide + 4, 26, 84, 2 * tall + 40, ""))
    ways = {}
    for move, found in sight.moves(settings["move"]) if "move" in settings else ():
        start = "bar" if found["P"] == bar else found["P"]
        end = int(found["P"]) - int(found["D"])
        ways[move] = (start, str(end) if end > 0 else "off")
    return Scene(width, 26 + 2 * tall + 70, tuple(body), tuple(places), tuple(over), title="backgammon", ways=ways)


def _checkers(sight: Sight, who: str, count: int, x: float, foot: float, way: int) -> list[str]:
    """Checkers on a point: at most five are drawn, and then their number."""
    drawn = [piece(sight.tokens.get(who, who), x, foot + way * (16 + 27 * i), 32) for i in range(min(count, 5))]
    if count > 5:
        y = foot + way * (16 + 27 * 4)
        kind = "paper" if sight.colours.get(who) != "white" else "black"
        drawn.append(label(x, y, str(count), 13, kind=kind))
    return drawn


def graph(sight: Sight, settings: Settings) -> Scene:
    """Nodes and edges that always hold, with a token and visited nodes."""
    from zermelo.render.graph import graph_scene

    edges = [(found["A"], found["B"]) for found in sight.static(settings["edges"])]
    names = in_order([name for edge in edges for name in edge])
    spot = {name: index for index, name in enumerate(names)}
    rows: list[list[int]] = [[] for _ in names]
    for tail, head in edges:
        rows[spot[tail]].append(spot[head])
    token = [spot[found["A"]] for found in sight.facts(settings["token"]) if found["A"] in spot]
    visited = [spot[found["A"]] for found in sight.facts(settings.get("visited", "")) if found["A"] in spot]
    start = token[0] if token else 0
    return graph_scene(names, rows, start=start, token=start if token else None, visited=visited)


def dots(sight: Sight, settings: Settings) -> Scene:
    """Dots and boxes, with the owners of boxes."""
    columns, rows = _names(sight, settings["columns"], "C"), _names(sight, settings["rows"], "R")
    drawn = {(found["A"], found["B"], found["C"], found["D"]) for found in sight.facts(settings["drawn"])}
    lines = []
    for r, row in enumerate(rows):
        lines.append("".join("#" if (c, row, d, row) in drawn else "." for c, d in pairwise(columns)))
        if r + 1 < len(rows):
            lines.append("".join("#" if (c, row, c, rows[r + 1]) in drawn else "." for c in columns))
    owners = {
        (rows.index(found["R"]), columns.index(found["C"])): sight.colour(found["WHO"])
        for found in (sight.facts(settings["boxes"]) if "boxes" in settings else ())
    }
    return dots_scene(lines, owners)


BOARDS: Final[Mapping[str, Callable[[Sight, Settings], Scene | None]]] = {
    "grid": grid,
    "star": star,
    "points": points,
    "graph": graph,
    "dots": dots,
}
"""The parts that are boards."""
