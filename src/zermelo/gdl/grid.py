"""Finds the board of a rulesheet: facts with two coordinates and a content, such as ``(cell 1 3 x)``.

A rulesheet does not say where its first row is. Three readings are tried, in this order:

- Letters with numbers are a chessboard: letters go to the right and numbers up, whichever comes first.
- Where the rules call the two places what a matrix calls them (``?row ?col``, ``?r ?c``, ``?m ?n``, ``?i ?j``) more
  often than anything else, the first is a row, counted from the top, and the second a column.
- Otherwise they are ``x`` and ``y``: the first goes to the right and the second up.

A comment that says so has the last word: after ``; Rows are numbers from the top.`` they are counted down.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from zermelo.draw.shape import Board
from zermelo.gdl.join import Ground
from zermelo.gdl.kif import read_term
from zermelo.gdl.reasoner import Reasoner, State
from zermelo.gdl.syntax import Function, Rulesheet, Variable, atoms_of, subterms

MATRIX: Final = frozenset({("row", "col"), ("row", "column"), ("r", "c"), ("m", "n"), ("i", "j")})
"""What the rows and columns of a matrix are called, up to numbers at the end."""
FROM_THE_TOP: Final = re.compile(r"\brows?\b[^.;]*\bfrom (the )?top\b", re.IGNORECASE)
"""A comment of this kind says that rows are counted down."""
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
    row_first: bool = False

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
        row, column = (first, second) if self.row_first else (second, first)
        if row not in self.rows or column not in self.columns:
            return None
        return self.rows.index(row), self.columns.index(column), "-".join(rest)

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
        return Board(tuple(map(tuple, cells)), rows=self.rows, columns=self.columns)


def _stone(content: str, roles: Sequence[str]) -> str:
    """A role's own name in a cell is its stone, unless it is drawn as one already."""
    drawn = ("black", "white", "x", "o")
    if content in drawn or content not in roles[:2] or len(roles) != 2:
        return content.replace("(", "").replace(")", "").replace(" ", "-")
    other = roles[1 - roles.index(content)]
    return {"black": "white", "white": "black", "x": "o", "o": "x"}.get(other, "xo"[roles.index(content)])


def find_grid(reasoner: Reasoner, possible: Callable[[], Sequence[str]] = tuple) -> Grid | None:
    """The largest grid among the facts of the start and of ``base``; without ``base``, among all ``possible`` facts.

    >>> from zermelo.gdl.kif import read_kif
    >>> sheet = "(role x) (n 1) (n 2) (<= (init (cell ?x ?y b)) (n ?x) (n ?y))"
    >>> grid = find_grid(Reasoner(read_kif(sheet)))
    >>> grid.board(("(cell 1 1 x)", "(cell 1 2 b)", "(cell 2 1 o)"), ("x",)).cells
    (('', ''), ('x', 'o'))
    """
    start = [reasoner.ground(fact) for fact in reasoner.start()]
    stated = [reasoner.ground(atom) for atom in reasoner.holds("base", ())]
    known = start + [term[1] for term in stated if isinstance(term, tuple) and len(term) == 2]
    if not stated:
        known += [reasoner.ground(fact) for fact in possible()]
    kinds = Counter((term[0], len(term) - 1) for term in known if isinstance(term, tuple) and len(term) >= 4)
    down = any(FROM_THE_TOP.search(comment.text) for comment in reasoner.sheet.comments)
    best: Grid | None = None
    for name, arity in kinds:
        facts = [term for term in known if isinstance(term, tuple) and (term[0], len(term) - 1) == (name, arity)]
        matrix = _is_matrix(reasoner.sheet, str(name), arity)
        grid = _grid_of(str(name), arity, facts, [term for term in start if term in facts], matrix)
        if grid is not None and down:
            grid = replace(grid, rows=axis(grid.rows) or grid.rows)
        if grid is not None and (best is None or _size(grid) > _size(best)):
            best = grid
    return best


def _size(grid: Grid) -> int:
    return len(grid.rows) * len(grid.columns)


def _is_matrix(sheet: Rulesheet, name: str, arity: int) -> bool:
    """Whether the rules call the two places row and column, in so many words, more often than anything else."""
    called: Counter[bool] = Counter()
    for rule in sheet.rules:
        for atom in (rule.head, *(atom for formula in rule.body for atom, _ in atoms_of(formula))):
            for term in subterms(atom):
                if isinstance(term, Function) and (term.name, len(term.args)) == (name, arity):
                    places = term.args[:2]
                    if all(isinstance(place, Variable) for place in places):
                        first, second = (str(place).lstrip("?").rstrip("0123456789_").lower() for place in places)
                        called[(first, second) in MATRIX] += 1
    return called[True] > called[False]


def _grid_of(
    name: str, arity: int, facts: list[tuple[Ground, ...]], start: Sequence[Ground], matrix: bool
) -> Grid | None:
    first = axis({term[1] for term in facts})
    second = axis({term[2] for term in facts})
    places = {term[1:3] for term in start if isinstance(term, tuple)}
    if first is None or second is None or len(places) < len(start):
        return None
    contents = Counter("-".join(map(_plain, term[3:])) for term in start if isinstance(term, tuple))
    common = [content for content, count in contents.items() if 2 * count > len(first) * len(second)]
    empty = common[0] if common else None
    if first[0].isdigit() != second[0].isdigit():
        letters_first = second[0].isdigit()
        rows, columns = (second, first) if letters_first else (first, second)
        return Grid(name, arity, rows[::-1], columns, empty, not letters_first)
    return Grid(name, arity, first, second, empty, True) if matrix else Grid(name, arity, second[::-1], first, empty)


def _plain(term: Ground) -> str:
    return term if isinstance(term, str) else f"({' '.join(map(_plain, term))})"


def axis(values: Collection[Ground]) -> tuple[str, ...] | None:
    """Coordinates in their order: whole numbers, or single letters; ``None`` where they are something else.

    >>> axis({"10", "9"}), axis({"b", "a"}), axis({"a", "1"})
    (('9', '10'), ('a', 'b'), None)
    """
    names = [value for value in values if isinstance(value, str)]
    if len(names) < len(values) or not 2 <= len(names) <= LARGEST:
        return None
    if all(name.isascii() and name.isdigit() for name in names):
        return tuple(sorted(names, key=int))
    return tuple(sorted(names)) if all(len(name) == 1 and name.isalpha() for name in names) else None
