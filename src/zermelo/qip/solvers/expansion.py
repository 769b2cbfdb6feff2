"""The rows of a program from some variable on, written out for some scenarios.

An existential variable has one copy for each list of choices that ``forall`` makes before it in one of the scenarios;
a row is there once for each scenario, but of rows with the same copies only the tightest is kept. The more scenarios,
the tighter: with all of them this is the deterministic equivalent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zermelo.qip.exact_lp.mip import Cells, Column, Inequality, Number
from zermelo.qip.proofs.exists_plan import Frame

Choices = tuple[Number, ...]
"""What ``forall`` sets, in the order of the prefix."""


class Expansion:
    """Columns and rows, growing with each scenario.

    ``slack`` is what the rows have left when the variables before ``begin`` are set. With ``optimised`` the worst case
    of the objective is column 0 and ``cost``, where ``slack[0]`` belongs to the demand 0; else row 0 is a row like the
    others.

    >>> from fractions import Fraction
    >>> from zermelo.qip.proofs.exists_plan import frame
    >>> from zermelo.qip.programs.program import Program, Row, Variable, terms
    >>> x, u, y = Variable("x"), Variable("u", "forall"), Variable("y")
    >>> made = frame(Program((x, u, y), (Row(terms({0: 1, 1: 2, 2: 1}), "<=", Fraction(3)),)))
    >>> expansion = Expansion(made, 0, made.right)
    >>> expansion.add((0,)), expansion.add((1,)), expansion.add((1,))
    (True, True, False)
    >>> [(row.cells, row.right) for row in expansion.rows]
    [(((0, 1), (1, 1)), 3), (((0, 1), (2, 1)), 1)]
    """

    def __init__(self, of: Frame, begin: int, slack: Sequence[Number], *, optimised: bool = False) -> None:
        self.of, self.begin, self.slack = of, begin, slack
        self.columns: list[Column] = []
        self.copies: dict[tuple[int, Choices], int] = {}
        self.scenarios: list[Choices] = []
        self.source: list[tuple[int, int]] = []
        """Of each row: the number of the scenario and the number of the row in the normal form."""
        self.rows: list[Inequality] = []
        self.cost: Cells = ()
        self._optimised = optimised and bool(of.rows[0])
        self._known: set[Choices] = set()
        self._place: dict[tuple[int, Cells], int] = {}
        if self._optimised:
            self.columns.append(_worst(of))
            self.cost = ((0, 1),)
        self._next_block = next((b.end for b in of.blocks if b.first == begin and b.quantifier == "exists"), begin)
        for variable in range(begin, self._next_block):
            self.copy(variable, ())

    def copy(self, variable: int, before: Choices) -> int:
        """The column of a variable after choices."""
        key = (variable, before)
        if key not in self.copies:
            self.copies[key] = len(self.columns)
            of = self.of
            self.columns.append(Column(of.lower[variable], of.upper[variable], of.integer(variable)))
        return self.copies[key]

    def add(self, scenario: Choices) -> bool:
        """Adds a line of play of ``forall`` from ``begin`` on; says whether it is new."""
        if scenario in self._known:
            return False
        self._known.add(scenario)
        self.scenarios.append(scenario)
        column_of: dict[int, int] = {}
        for number, shape in enumerate(self.of.shapes(self.begin)):
            right, cells = self.slack[number], list[tuple[int, Number]]()
            for variable, place, coefficient in shape.existential:
                column = column_of.get(variable)
                if column is None:
                    column = column_of[variable] = self.copy(variable, scenario[:place])
                cells.append((column, coefficient))
            for place, coefficient in shape.universal:
                right -= coefficient * scenario[place]
            if number == 0 and self._optimised:
                cells.append((0, -1))
            self._keep(number, tuple(cells), right)
        return True

    def _keep(self, number: int, cells: Cells, right: Number) -> None:
        if not cells and right >= 0:
            return
        place = self._place.setdefault((number, cells), len(self.rows))
        if place == len(self.rows):
            self.rows.append(Inequality(cells, right))
            self.source.append((len(self.scenarios) - 1, number))
        elif right < self.rows[place].right:
            self.rows[place] = Inequality(cells, right)
            self.source[place] = (len(self.scenarios) - 1, number)

    @property
    def is_whole(self) -> bool:
        """Whether the worst case of the objective can only be a whole number."""
        return self._optimised and self.columns[0].integer

    def ask_for_less_than(self, cost: Number) -> None:
        """The worst case of the objective must be smaller; where it need not be whole, no larger."""
        if not self._optimised:
            return
        self.columns[0] = Column(self.columns[0].lower, cost - self.is_whole, self.columns[0].integer)

    def cost_of(self, values: Sequence[Number]) -> Number:
        """The worst case of the objective that values of the columns stand for."""
        return values[0] if self._optimised else 0

    def stated(self) -> tuple[list[Inequality], Cells]:
        """Rows and cost for a solver. If one row alone says what the worst case is, it is the cost itself: solvers
        do much better with that."""
        if self._optimised and self._only is not None:
            row, most = self.rows[self._only], self.columns[0].upper
            cells = row.cells[:-1]
            rows = [*self.rows[: self._only], *self.rows[self._only + 1 :]]
            if most is not None:
                rows.append(Inequality(cells, row.right + most))
            return rows, cells
        return self.rows, self.cost

    def with_cost(self, values: Sequence[Number]) -> tuple[Number, ...]:
        """Values of the columns, with what the worst case is for them."""
        if not self._optimised:
            return tuple(values)
        costs = [row_value(row, [0, *values[1:]]) for row in self.rows if row.cells and row.cells[-1] == (0, -1)]
        return (max(costs), *values[1:])

    @property
    def _only(self) -> int | None:
        """The number of the row of the worst case, where there is but one."""
        found = [number for number, row in enumerate(self.rows) if row.cells and row.cells[-1] == (0, -1)]
        return found[0] if len(found) == 1 and len(self.rows[found[0]].cells) > 1 else None

    def values_of(self, copies: Mapping[tuple[int, Choices], Number]) -> tuple[Number, ...]:
        """The values of the columns, given those of all copies."""
        values: list[Number] = [0] * len(self.columns)
        for copy, column in self.copies.items():
            values[column] = copies[copy]
        return self.with_cost(values)

    def move(self, values: Sequence[Number]) -> Choices:
        """What values of the columns say for the first block."""
        return tuple(values[self.copies[variable, ()]] for variable in range(self.begin, self._next_block))


def row_value(row: Inequality, values: Sequence[Number]) -> Number:
    """By how much a row is exceeded; below zero is slack.

    >>> row_value(Inequality(((0, 2),), 3), [1])
    -1
    """
    return sum(coefficient * values[column] for column, coefficient in row.cells) - row.right


def _worst(of: Frame) -> Column:
    """The worst case of the objective; whole where the objective is."""
    bounded = all(of.lower[v] is not None and of.upper[v] is not None for v, _ in of.rows[0])
    if not bounded:
        return Column(None, None, False)
    least = sum(of.least(v, c) for v, c in of.rows[0])
    most = sum(of.most(v, c) for v, c in of.rows[0])
    return Column(least, most, all(of.integer(v) for v, _ in of.rows[0]))
