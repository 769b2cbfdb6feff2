"""Finds the board of a rulesheet: facts with two coordinates and a content, such as ``(cell 1 3 x)``.

The first coordinate goes to the right and the second up, as most rulesheets have it and as on a chessboard.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.game import Board
from zermelo.gdl.join import Ground
from zermelo.gdl.kif import read_term
from zermelo.gdl.reasoner import Reasoner, State

LARGEST: Final = 32
"""Boards have at most so many rows and columns."""


@dataclass(frozen=True)
class Grid:
    """Where the facts of a relation stand on a board, and which content is an empty cell."""

    name: str
    arity: int
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    empty: str | None

    def covers(self, fact: str) -> bool:
        """Whether a fact is shown on the board."""
        return self.cell(fact) is not None

    def cell(self, fact: str) -> tuple[int, int, str] | None:
        """The row, the column and the content that a fact states."""
        if not fact.startswith(f"({self.name} "):
            return None
        term = read_term(fact)
        if len(term.args) != self.arity:
            return None
        first, second, *rest = map(str, term.args)
        if second not in self.rows or first not in self.columns:
            return None
        return self.rows.index(second), self.columns.index(first), "-".join(rest)

    def board(self, state: State, roles: Sequence[str]) -> Board | None:
        """The board of a state; ``None`` where a cell holds two things at once."""
        cells = [[""] * len(self.columns) for _ in self.rows]
        seen: set[tuple[int, int]] = set()
        for found in map(self.cell, state):
            if found is None:
                continue
            row, column, content = found
            if (row, column) in seen:
                return None
            seen.add((row, column))
            cells[row][column] = "" if content == self.empty else _stone(content, roles)
        return Board(tuple(map(tuple, cells)))


def _stone(content: str, roles: Sequence[str]) -> str:
    """A role's own name in a cell is its stone, unless it is drawn as one already."""
    drawn = ("black", "white", "x", "o")
    if content in drawn or content not in roles[:2] or len(roles) != 2:
        return content.replace("(", "").replace(")", "").replace(" ", "-")
    other = roles[1 - roles.index(content)]
    return {"black": "white", "white": "black", "x": "o", "o": "x"}.get(other, "xo"[roles.index(content)])


def find_grid(reasoner: Reasoner) -> Grid | None:
    """The largest grid among the facts of the start and of ``base``.

    >>> from zermelo.gdl.kif import read_kif
    >>> sheet = "(role x) (n 1) (n 2) (<= (init (cell ?i ?j b)) (n ?i) (n ?j))"
    >>> grid = find_grid(Reasoner(read_kif(sheet)))
    >>> grid.board(("(cell 1 1 x)", "(cell 1 2 b)", "(cell 2 1 o)"), ("x",)).cells
    (('', ''), ('x', 'o'))
    """
    start = [reasoner.ground(fact) for fact in reasoner.start()]
    stated = [reasoner.ground(atom) for atom in reasoner.holds("base", ())]
    known = start + [term[1] for term in stated if isinstance(term, tuple) and len(term) == 2]
    kinds = Counter((term[0], len(term) - 1) for term in known if isinstance(term, tuple) and len(term) >= 4)
    best: Grid | None = None
    for name, arity in kinds:
        facts = [term for term in known if isinstance(term, tuple) and (term[0], len(term) - 1) == (name, arity)]
        grid = _grid_of(str(name), arity, facts, [term for term in start if term in facts])
        if grid is not None and (best is None or _size(grid) > _size(best)):
            best = grid
    return best


def _size(grid: Grid) -> int:
    return len(grid.rows) * len(grid.columns)


def _grid_of(name: str, arity: int, facts: list[tuple[Ground, ...]], start: Sequence[Ground]) -> Grid | None:
    first = _axis({term[1] for term in facts})
    second = _axis({term[2] for term in facts})
    places = {term[1:3] for term in start if isinstance(term, tuple)}
    if first is None or second is None or len(places) < len(start):
        return None
    contents = Counter("-".join(map(_plain, term[3:])) for term in start if isinstance(term, tuple))
    common = [content for content, count in contents.items() if 2 * count > len(first) * len(second)]
    return Grid(name, arity, second[::-1], first, common[0] if common else None)


def _plain(term: Ground) -> str:
    return term if isinstance(term, str) else f"({' '.join(map(_plain, term))})"


def _axis(values: Collection[Ground]) -> tuple[str, ...] | None:
    """Coordinates in their order: whole numbers, or single letters."""
    names = [value for value in values if isinstance(value, str)]
    if len(names) < len(values) or not 2 <= len(names) <= LARGEST:
        return None
    if all(name.isascii() and name.isdigit() for name in names):
        return tuple(sorted(names, key=int))
    return tuple(sorted(names)) if all(len(name) == 1 and name.isalpha() for name in names) else None
