"""The linear programs of a branch and bound: HiGHS for the way, rational numbers where it matters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import highspy
import numpy as np

from zermelo.errors import LimitReachedError
from zermelo.qip.exact_lp.lp import solve_exact
from zermelo.qip.exact_lp.mip import Cells, Column, Inequality, Meter, Number, OutOfLimitError, linear_model
from zermelo.qip.programs.program import Row, Variable
from zermelo.qip.proofs.derivation import FromRow
from zermelo.qip.solvers.expansion import Choices

SCALES = (1, 2, 3, 4, 6, 12, 60, 1 << 10, 1 << 20, 1 << 34)
"""Multipliers are tried with these denominators: small ones first, for short proofs."""
NEARLY = 1e-7
"""What HiGHS takes for zero."""

_FINE = 1 << 24

Weights = list[tuple[int, int]]
"""Rows and whole multipliers."""


@dataclass(frozen=True)
class System:
    """Rows with whole coefficients without a common divisor, over columns; ``strict`` rows must be less."""

    columns: tuple[Column, ...]
    rows: tuple[Inequality, ...]
    strict: tuple[bool, ...]
    source: tuple[FromRow, ...]
    copies: tuple[tuple[tuple[int, Choices], int], ...]
    """Of each column: the variable, the choices before it, and the number of a scenario that begins with them."""


class Relaxation:
    """A system without the demand for whole numbers, under changing bounds.

    Where rows are strict, a column more is how much they have to be exceeded at the least: below zero if they hold.
    """

    def __init__(self, system: System, meter: Meter) -> None:
        self.system, self.meter = system, meter
        self.low: list[Number | None] = [column.lower for column in system.columns]
        self.high: list[Number | None] = [column.upper for column in system.columns]
        self.programs = 0
        self._excess = len(system.columns) if any(system.strict) else None
        self._highs = self._built()
        self._changed: set[int] = set()

    def _built(self) -> Any:
        highs = highspy.Highs()
        for option, value in (("output_flag", False), ("presolve", "off"), ("threads", 1), ("solver", "simplex")):
            highs.setOptionValue(option, value)
        columns, rows = self._with_excess()
        cost = () if self._excess is None else ((self._excess, 1),)
        highs.passModel(linear_model(columns, rows, cost, whole=False))
        return highs

    def _with_excess(self) -> tuple[Sequence[Column], Sequence[Inequality]]:
        system, excess = self.system, self._excess
        if excess is None:
            return system.columns, system.rows
        rows = [
            Inequality((*row.cells, (excess, -1)), row.right) if strict else row
            for row, strict in zip(system.rows, system.strict, strict=True)
        ]
        return [*system.columns, Column(None, None, False)], rows

    def change(self, column: int, low: Number | None, high: Number | None) -> None:
        """Other bounds for a column."""
        self.low[column], self.high[column] = low, high
        self._changed.add(column)

    def solve(self) -> tuple[Iterator[Weights], Sequence[float] | None]:
        """Multipliers that may show a contradiction, from rough to exact; and a point, where there seems to be one."""
        self.meter.call()
        self.programs += 1
        self._pass_bounds()
        self._highs.run()
        status, kinds = self._highs.getModelStatus(), highspy.HighsModelStatus
        if status == kinds.kInfeasible:
            _, known, ray = self._highs.getDualRay()
            return self._near(ray if known else ()), None
        if status != kinds.kOptimal:
            return iter(()), None
        solution = self._highs.getSolution()
        if self._excess is not None and solution.col_value[self._excess] > -NEARLY:
            return self._near(solution.row_dual), solution.col_value
        return iter(()), solution.col_value

    def _pass_bounds(self) -> None:
        if not self._changed:
            return
        numbers = sorted(self._changed)
        infinity = highspy.kHighsInf
        low = [-infinity if (bound := self.low[n]) is None else float(bound) for n in numbers]
        high = [infinity if (bound := self.high[n]) is None else float(bound) for n in numbers]
        self._highs.changeColsBounds(len(numbers), np.array(numbers, np.int32), np.array(low), np.array(high))
        self._changed.clear()

    def _near(self, prices: Iterable[float]) -> Iterator[Weights]:
        """Whole numbers near prices of the rows; at last those of an exact solution."""
        sizes = np.abs(np.array(prices))
        largest = float(sizes.max(initial=0.0))
        if largest:
            sizes /= largest
            for scale in SCALES:
                rounded = np.rint(sizes * scale)
                yield [(int(number), int(rounded[number])) for number in np.flatnonzero(rounded)]
        exact = self.exact()
        if isinstance(exact, list):
            yield exact

    def exact(self) -> Weights | tuple[Fraction, ...]:
        """Multipliers that show a contradiction, or a point that keeps all rows."""
        columns, rows = self._with_excess()
        variables = [
            Variable("", "exists", _fraction(low), _fraction(high), False)
            for low, high in zip([*self.low, None], [*self.high, None], strict=True)
        ][: len(columns)]
        goal = () if self._excess is None else ((self._excess, Fraction(1)),)
        stated = [Row(tuple((n, Fraction(c)) for n, c in row.cells), "<=", Fraction(row.right)) for row in rows]
        try:
            answer = solve_exact(variables, stated, goal, self.meter.limits)
        except LimitReachedError as limit:
            raise OutOfLimitError("time") from limit
        if answer.status == "infeasible" or (answer.value is not None and answer.value >= 0 and goal):
            scale = lcm(*(multiplier.denominator for multiplier in answer.multipliers))
            return [(number, int(m * scale)) for number, m in enumerate(answer.multipliers) if m]
        return answer.primal[: len(self.system.columns)]


def _fraction(number: Number | None) -> Fraction | None:
    return None if number is None else Fraction(number)


def least_cost(columns: Sequence[Column], rows: Sequence[Inequality], cost: Cells) -> Number | None:
    """A number that no cost is below: by weak duality, from prices that HiGHS finds, with exact arithmetic.

    ``None`` where nothing can be said.

    >>> least_cost([Column(), Column()], [Inequality(((0, -2), (1, -2)), -3)], ((0, 1), (1, 1)))
    Fraction(3, 2)
    """
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.passModel(linear_model(columns, rows, cost, whole=False))
    highs.run()
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    total: dict[int, Number] = dict(cost)
    least = Fraction(0)
    for row, price in zip(rows, highs.getSolution().row_dual, strict=True):
        multiplier = Fraction(round(abs(price) * _FINE), _FINE)
        if multiplier:
            least -= multiplier * row.right
            for column, coefficient in row.cells:
                total[column] = total.get(column, 0) + multiplier * coefficient
    for column, coefficient in total.items():
        bound = columns[column].lower if coefficient > 0 else columns[column].upper
        if coefficient and bound is None:
            return None
        least += coefficient * (bound or 0)
    return least
