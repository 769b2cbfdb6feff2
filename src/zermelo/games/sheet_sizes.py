"""Library rulesheets in other sizes: the facts that depend on the arguments, section by section.

>>> print(MAKERS["tictactoe"]("2,2,2").sections["board"])
; Columns are letters from the left, rows are numbers from the top.
(column a) (column b)
(row 1) (row 2)
(right a b)
(below 1 2)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from zermelo.draw.shape import column_letters
from zermelo.errors import ArgumentError
from zermelo.games.entry import integers

LARGEST_SIDE: Final = 100
LARGEST_HEAP: Final = 500
WIDTH: Final = 118

_WORD = re.compile(r"[A-Za-z0-9_.+-]+")


@dataclass(frozen=True)
class Made:
    """What arguments make of a rulesheet: its variant in words, and the text of the sections to be replaced."""

    variant: str
    sections: Mapping[str, str]


def _numbers(name: str, form: str, arguments: str, *, count: int | None = None, least: int = 1, most: int) -> list[int]:
    """The whole numbers that the arguments of a target are; errors show the target and point into it."""
    usage, whole, offset = f"gdl:{name}:{form}", f"{name}:{arguments}", len(name) + 1
    return integers(arguments, usage, count=count, least=least, most=most, whole=whole, offset=offset)


def facts(*relation: Iterable[object]) -> str:
    """Facts side by side, each given by its words, broken into lines.

    >>> facts(("more", 0, 1), ("more", 1, 2))
    '(more 0 1) (more 1 2)'
    """
    lines = [""]
    for words in relation:
        fact = f"({' '.join(map(str, words))})"
        if lines[-1] and len(lines[-1]) + 1 + len(fact) > WIDTH:
            lines.append("")
        lines[-1] += f" {fact}" if lines[-1] else fact
    return "\n".join(lines)


def _joined(*blocks: str) -> str:
    return "\n".join(block for block in blocks if block)


def _columns(count: int) -> list[str]:
    return [column_letters(column) for column in range(count)]


def _chain(relation: str, members: Iterable[object]) -> str:
    return facts(*((relation, one, other) for one, other in pairwise(members)))


def _each(relation: str, members: Iterable[object]) -> str:
    return facts(*((relation, member) for member in members))


_FROM_TOP = "; Columns are letters from the left, rows are numbers from the top."
_FROM_BOTTOM = "; Columns are letters from the left, rows are numbers from the bottom."


def _grid(rows: int, columns: int, length: int = 1) -> str:
    """Columns and rows from the top; neighbours only in directions where lines of the length fit."""
    names, numbers = _columns(columns), range(1, rows + 1)
    right = _chain("right", names) if length <= columns else ""
    below = _chain("below", numbers) if length <= rows else ""
    return _joined(_FROM_TOP, _each("column", names), _each("row", numbers), right, below)


def _line(comment: str, cells: list[tuple[str, str]], across: str, down: str) -> str:
    """The rule of one kind of line: each cell is (column, row), joined to the next by the relations given."""
    parts = []
    for place, (column, row) in enumerate(cells):
        joints = []
        if place:
            before_column, before_row = cells[place - 1]
            if across:
                joints.append(f"({across.format(before_column, column)})")
            if down:
                joints.append(f"({down.format(before_row, row)})")
        parts.append("    " + " ".join([*joints, f"(true (cell {column} {row} ?p))"]))
    return f"(<= (line ?p)    ; {comment}\n" + "\n".join(parts) + ")"


def _lines(rows: int, columns: int, k: int, vertical: str) -> str:
    """The rules that find k in a row, as far as such lines fit; ``vertical`` relates one row to the next."""
    moving_c, moving_r = [f"?c{i}" for i in range(1, k + 1)], [f"?r{i}" for i in range(1, k + 1)]
    on, back = f"{vertical} {{0}} {{1}}", f"{vertical} {{1}} {{0}}"
    name = {"below": ("down", "falling", "rising"), "above": ("up", "rising", "falling")}[vertical]
    found = []
    if k <= columns:
        found.append(_line("across", [(c, "?r") for c in moving_c], "right {0} {1}", ""))
    if k <= rows:
        found.append(_line(name[0], [("?c", r) for r in moving_r], "", on))
    if k <= min(rows, columns):
        slant = list(zip(moving_c, moving_r, strict=True))
        found.append(_line(f"{name[1]} to the right", slant, "right {0} {1}", on))
        found.append(_line(f"{name[2]} to the right", slant, "right {0} {1}", back))
    return "\n".join(found)


def _check_fits(k: int, rows: int, columns: int, target: str) -> None:
    if not 2 <= k <= max(rows, columns):
        message = f"{k} in a row on {rows} x {columns}, expected 2..{max(rows, columns)}"
        raise ArgumentError(message, file=target, line=1, column=target.rindex(",") + 2)


def _mark(rows: int, columns: int, k: int) -> Made:
    variant = f"{k} in a row on {rows} rows and {columns} columns; x marks first; a full board without a line is a draw"
    return Made(variant, {"board": _grid(rows, columns, k), "lines": _lines(rows, columns, k, "below")})


def _tictactoe(arguments: str) -> Made:
    rows, columns, k = _numbers("tictactoe", "M,N,K", arguments, count=3, most=LARGEST_SIDE)
    _check_fits(k, rows, columns, f"gdl:tictactoe:{arguments}")
    return _mark(rows, columns, k)


def _polyomino(arguments: str) -> Made:
    from zermelo.games.sheet_polyominoes import POLYOMINOES, shape_rules

    sizes, _, animal = arguments.rpartition(",")
    cells = POLYOMINOES.get(animal)
    if cells is None:
        message = f"{animal!r} is no animal, expected gdl:polyomino:R,C,ANIMAL with one of {', '.join(POLYOMINOES)}"
        column = len("gdl:polyomino:") + len(sizes) + 2
        raise ArgumentError(message, file=f"gdl:polyomino:{arguments}", line=1, column=column)
    rows, columns = _numbers("polyomino", "R,C,ANIMAL", sizes, count=2, most=LARGEST_SIDE)
    shapes = shape_rules(cells, rows, columns)
    if not shapes:
        message = f"{animal} does not fit on {rows} x {columns}"
        raise ArgumentError(message, file=f"gdl:polyomino:{arguments}", line=1, column=len("gdl:polyomino:") + 1)
    variant = f"{animal} on {rows} rows and {columns} columns; x marks first; a full board without one is a draw"
    return Made(variant, {"board": _grid(rows, columns), "shapes": shapes})


def _gomoku(arguments: str) -> Made:
    (side,) = _numbers("gomoku", "N", arguments, count=1, least=5, most=LARGEST_SIDE)
    return _mark(side, side, 5)


def _connectfour(arguments: str) -> Made:
    rows, columns, k = _numbers("connectfour", "R,C,K", arguments, count=3, most=LARGEST_SIDE)
    _check_fits(k, rows, columns, f"gdl:connectfour:{arguments}")
    if rows < 2:
        message = "1 row, expected 2 or more: on one row it is gdl:tictactoe:1,N,K"
        raise ArgumentError(message, file=f"gdl:connectfour:{arguments}", line=1, column=len("gdl:connectfour:") + 1)
    names = _columns(columns)
    right = _chain("right", names) if k <= columns else ""
    above = _chain("above", range(1, rows + 1))
    board = _joined(_FROM_BOTTOM, _each("column", names), right, above, f"(top {rows})")
    variant = f"{rows} rows, {columns} columns, {k} in a line; x drops first; a full board without a line is a draw"
    return Made(variant, {"board": board, "lines": _lines(rows, columns, k, "above")})


def _breakthrough(arguments: str) -> Made:
    count = 3 if arguments.count(",") == 2 else 2
    given = _numbers("breakthrough", "R,C[,PAWNS]", arguments, count=count, most=LARGEST_SIDE)
    rows, columns = given[:2]
    if min(rows, columns) < 2:
        message = f"{rows} x {columns}, expected at least 2 x 2: gdl:breakthrough:R,C[,PAWNS]"
        raise ArgumentError(message, file=f"gdl:breakthrough:{arguments}", line=1, column=len("gdl:breakthrough:") + 1)
    pawns = given[2] if count == 3 else 2 if rows >= 6 else 1
    if 2 * pawns > rows:
        message = f"{pawns} rows of pawns a side on {rows} rows, expected 1..{rows // 2}"
        column = len("gdl:breakthrough:") + arguments.rindex(",") + 2
        raise ArgumentError(message, file=f"gdl:breakthrough:{arguments}", line=1, column=column)
    names = _columns(columns)
    board = _joined(
        _FROM_BOTTOM,
        _each("column", names),
        _chain("right", names),
        _chain("above", range(1, rows + 1)),
        facts(*(("home", "black", rows - i) for i in range(pawns))),
        facts(*(("home", "white", 1 + i) for i in range(pawns))),
        "(far black 1)",
        f"(far white {rows})",
    )
    kind = {1: "one row", 2: "two rows"}.get(pawns, f"{pawns} rows")
    return Made(f"{rows} rows, {columns} columns, {kind} of pawns a side; black moves first", {"board": board})


def _hex(arguments: str) -> Made:
    (side,) = _numbers("hex", "N", arguments, count=1, least=2, most=LARGEST_SIDE)
    board = _joined(_grid(side, side), f"(last_column {column_letters(side - 1)})", f"(last_row {side})")
    variant = f"{side} x {side} without the swap rule; first joins top and bottom, second joins left and right"
    return Made(variant, {"board": board})


def _dotsandboxes(arguments: str) -> Made:
    rows, columns = _numbers("dotsandboxes", "R,C", arguments, count=2, most=LARGEST_SIDE)
    boxes = [(name, row) for row in range(1, rows + 1) for name in _columns(columns)]
    board = _joined(
        _grid(rows + 1, columns + 1).replace(
            _FROM_TOP, "; Dots are named by a column letter from the left and a row number from the top."
        ),
        "; The boxes by their upper left dots, in an order that the count at the end follows.",
        facts(("first_box", *boxes[0])),
        facts(*(("after", *one, *other) for one, other in pairwise(boxes))) if len(boxes) > 1 else "",
        facts(("last_box", *boxes[-1])),
        _chain("more", range(len(boxes) + 1)),
    )
    return Made(f"{rows} x {columns} boxes; more boxes win", {"board": board})


def _nim(arguments: str) -> Made:
    heaps = _numbers("nim", "H,H,...", arguments, most=LARGEST_HEAP)
    names = _columns(len(heaps))
    sizes = facts(*(("heap", *heap) for heap in zip(names, heaps, strict=True)))
    return Made(f"heaps of {arguments}", {"heaps": _joined(sizes, _chain("more", range(max(heaps) + 1)))})


def _orchard(arguments: str) -> Made:
    trees, fruits, steps = _numbers("orchard", "T,F,R", arguments, count=3, most=LARGEST_SIDE)
    text = _joined(
        _each("tree", _columns(trees)),
        f"(full {fruits})",
        _chain("more", range(fruits + 1)),
        f"(arrival {steps})",
        _chain("closer", range(steps + 1)),
    )
    kind = "tree" if trees == 1 else "trees"
    return Made(f"{trees} {kind}, fruits on each: {fruits}, steps of the raven: {steps}", {"trees": text})


def _yahtzee(arguments: str) -> Made:
    [players] = _numbers("yahtzee", "P", arguments, count=1, most=2)
    if players == 2:
        return Made("two players", {})
    fifths = [("fifth", *divmod(place // 2, 10), place % 2, place) for place in range(100)]
    goals = _joined(
        "; (half o h): ones from five on make one fifth more. (fifth d t h v): so much are digits d and t with h.",
        facts(*(("half", ones, ones // 5) for ones in range(10))),
        facts(*fifths),
        """\
(<= (goal ?p ?v)
    (not playing)
    (true (ones ?p ?o))
    (half ?o ?h)
    (true (tens ?p ?t))
    (true (hundreds ?p ?d))
    (fifth ?d ?t ?h ?v))
(<= (goal ?p 100)
    (not playing)
    (true (hundreds ?p ?d))
    (less 4 ?d))""",
    )
    alone = "(role red)\n(role random)\n(player red)\n(after red red)"
    return Made(
        "one player; the goal is a fifth of the score, rounded down, and 100 from 500 on",
        {"players": alone, "goals": goals},
    )


def _geography(arguments: str) -> Made:
    from zermelo.games.geography import random_graph_of
    from zermelo.games.graphfile import read_graph
    from zermelo.source import GRAPH_SUFFIXES

    path = Path(arguments)
    graph = read_graph(path) if path.suffix.lower() in GRAPH_SUFFIXES else random_graph_of(arguments, "gdl:geography")
    plain = all(map(_WORD.fullmatch, graph.names)) and len({name.lower() for name in graph.names}) == len(graph.names)
    names = graph.names if plain else [f"n{node}" for node in range(len(graph.names))]
    text = [f"(start {names[graph.start]})"]
    for tail, heads in enumerate(graph.successors):
        text += [facts(*(("edge", names[tail], names[head]) for head in heads))] if heads else []
    sections = {"graph": "\n".join(text)}
    bound = graph.bound
    # No play is longer than the nodes are many, less one: a bound from there on changes nothing.
    if bound is not None and bound < len(names) - 1:
        sections["ways"] = _bounded_ways(bound)
        return Made(f"{arguments}, at most {bound} rounds", sections)
    return Made(arguments, sections)


def _bounded_ways(bound: int) -> str:
    count = "\n" + _chain("after", range(bound + 1)) if bound else ""
    # Without a round there is nothing to count: then play ends where it begins.
    clock = "\n(<= (next (round ?n))\n    (true (round ?m))\n    (after ?m ?n))" if bound else ""
    return f"""; After {bound} rounds there is no way on.{count}
(init (round 0)){clock}
(<= (way ?n)
    (true (token ?m))
    (edge ?m ?n)
    (not (true (visited ?n)))
    (not (true (round {bound}))))"""


def _chess(arguments: str) -> Made:
    from zermelo.games.sheet_chess import position_facts

    return Made(f"from the position {arguments}", {"position": position_facts(arguments)})


MAKERS: Final[Mapping[str, Callable[[str], Made]]] = {
    "breakthrough": _breakthrough,
    "chess": _chess,
    "connectfour": _connectfour,
    "dotsandboxes": _dotsandboxes,
    "geography": _geography,
    "gomoku": _gomoku,
    "hex": _hex,
    "nim": _nim,
    "orchard": _orchard,
    "polyomino": _polyomino,
    "tictactoe": _tictactoe,
    "yahtzee": _yahtzee,
}
"""For each rulesheet that takes arguments, what they make of it."""
