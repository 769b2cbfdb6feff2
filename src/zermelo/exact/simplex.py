"""The simplex method in rational arithmetic, for bounded variables, from any basis.

Meant to finish what a floating-point solver has begun: it starts at that solver's last basis, which is nearly always
optimal, and says exactly what it stands for. Every row gets a logical variable that equals its left side, so that the
system is ``A x - z = 0`` with bounds on ``x`` and ``z``.

The variable to enter is the steepest one (Dantzig), or, after a step that gains nothing, the first (Bland, New finite
pivoting rules for the simplex method, 1977), which rules out cycles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from zermelo.exact.factors import Factors, Sparse

Interval = tuple[Fraction | None, Fraction | None]
"""From, to; ``None`` is no bound."""

Status = Literal["optimal", "infeasible", "unbounded"]

_ZERO = Fraction(0)
_REFACTOR = 40
"""Pivots after which the basis is factored anew: until then each is one more elimination in every solve."""


@dataclass(frozen=True)
class Tableau:
    """Minimise ``cost`` over ``A x - z = 0``: columns of ``A`` by their entries, bounds of ``x``, then of ``z``."""

    columns: Sequence[Sparse]
    bounds: Sequence[Interval]
    cost: Sequence[Fraction]

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.bounds) - len(self.columns)


@dataclass(frozen=True)
class Start:
    """A basis to start at: which variables are basic, which of the others are at their upper bound."""

    basic: frozenset[int]
    upper: frozenset[int]


@dataclass(frozen=True)
class Finish:
    """Where the simplex method ended.

    ``prices`` are the duals of the rows: of the cost where ``optimal``, of the sum of violations where ``infeasible``.
    ``ray`` is a direction without end where ``unbounded``. ``basis`` is where to start at for the next program that
    differs in its bounds only.
    """

    status: Status
    values: tuple[Fraction, ...]
    prices: tuple[Fraction, ...]
    ray: tuple[Fraction, ...]
    pivots: int
    basis: Start


def slack_basis(tableau: Tableau) -> Start:
    """The basis of the logical variables.

    >>> sorted(slack_basis(Tableau([{0: Fraction(1)}], [(None, None), (None, Fraction(1))], [Fraction(1)])).basic)
    [1]
    """
    return Start(frozenset(range(len(tableau.columns), len(tableau.bounds))), frozenset())


def simplex(tableau: Tableau, start: Start, check: Callable[[], None] | None = None) -> Finish:
    """Solves exactly. ``check`` is called now and then and may raise. No interval may be empty.

    >>> one = Fraction(1)
    >>> tableau = Tableau([{0: one}, {0: one}], [(0 * one, 3 * one), (0 * one, None), (4 * one, None)], [one, 2 * one])
    >>> finish = simplex(tableau, slack_basis(tableau))
    >>> finish.status, [str(value) for value in finish.values], [str(price) for price in finish.prices]
    ('optimal', ['3', '1'], ['2'])
    """
    return _Simplex(tableau, start, check).run()


class _Simplex:
    """The state of a run: the basis, its factors and the values of all variables."""

    def __init__(self, tableau: Tableau, start: Start, check: Callable[[], None] | None) -> None:
        self.tableau, self.check = tableau, check
        self.structural = len(tableau.columns)
        self.basic = set(start.basic)
        self.pivots = 0
        self.values = [
            self._resting(number, number in start.upper) if number not in self.basic else _ZERO
            for number in range(len(tableau.bounds))
        ]
        self._factor()

    def _resting(self, number: int, upper: bool) -> Fraction:
        low, high = self.tableau.bounds[number]
        return (low if high is None or (low is not None and not upper) else high) or _ZERO

    def _column(self, number: int) -> Sparse:
        if number < self.structural:
            return self.tableau.columns[number]
        return {number - self.structural: Fraction(-1)}

    def _factor(self) -> None:
        """Factors the basis; a singular one is mended with logical variables.

        Basic logical variables need no factors: what is left are the other rows and the structural columns.
        """
        while True:
            rows = [row for row in range(self.tableau.rows) if row + self.structural not in self.basic]
            inner = {number: self.tableau.columns[number] for number in self.basic if number < self.structural}
            self.factors = Factors(inner, rows, self.check)
            if not self.factors.spare_rows and not self.factors.spare_columns:
                break
            for number in self.factors.spare_columns:
                self.basic.remove(number)
                self.values[number] = self._resting(number, False)
            self.basic.update(row + self.structural for row in self.factors.spare_rows)
        self.etas: list[tuple[int, int, Sparse]] = []
        """Since the last factoring: who entered, who left, the entering column in terms of the basis of then."""
        self.factored = frozenset(self.basic)
        right: Sparse = {}
        for number, value in enumerate(self.values):
            if value and number not in self.basic:
                for row, entry in self._column(number).items():
                    right[row] = right.get(row, _ZERO) - entry * value
        for number in self.basic:
            self.values[number] = _ZERO
        for number, value in self.in_basis(right).items():
            self.values[number] = value

    def in_basis(self, right: Sparse) -> Sparse:
        """A vector over rows as a combination of the basic columns."""
        structural = self.structural
        left = {row: value for row, value in right.items() if row + structural not in self.factored}
        solution = self.factors.solve(left)
        logical = {row + structural: -value for row, value in right.items() if row + structural in self.factored}
        for number, value in solution.items():
            for row, entry in self.tableau.columns[number].items():
                if row + structural in self.factored:
                    logical[row + structural] = logical.get(row + structural, _ZERO) + entry * value
        solution.update(logical)
        for entered, leaving, eta in self.etas:
            step = solution.pop(leaving, _ZERO)
            if not step:
                continue
            step /= eta[leaving]
            for number, entry in eta.items():
                if number != leaving:
                    solution[number] = solution.get(number, _ZERO) - entry * step
            solution[entered] = step
        return solution

    def prices(self, cost: Sparse) -> Sparse:
        """Prices of the rows at which the basic columns cost what they do."""
        structural, left = self.structural, dict(cost)
        for entered, leaving, eta in reversed(self.etas):
            value = left.pop(entered, _ZERO)
            for number, entry in eta.items():
                if number != leaving and number in left:
                    value -= entry * left[number]
            left[leaving] = value / eta[leaving]
        found = {number - structural: -value for number, value in left.items() if number >= structural and value}
        inner = {number: value for number, value in left.items() if number < structural}
        if found:
            for number in self.factored:
                if number < structural:
                    spent = sum(
                        (entry * found[row] for row, entry in self.tableau.columns[number].items() if row in found),
                        _ZERO,
                    )
                    if spent:
                        inner[number] = inner.get(number, _ZERO) - spent
        found.update(self.factors.solve_transposed(inner))
        return found

    def run(self) -> Finish:
        if self._violations():
            prices = self._cost_prices()
            if self._entering(prices, first_phase=False, bland=True) is None:
                return self._dual(prices)
        return self._primal()

    def _cost_prices(self) -> Sparse:
        return self.prices({number: self.tableau.cost[number] for number in self.basic if number < self.structural})

    def _reduced(self, number: int, prices: Sparse, first_phase: bool) -> Fraction:
        """What a step of a variable costs, less what it saves; in the first phase, in violations."""
        if number >= self.structural:
            return prices.get(number - self.structural, _ZERO)
        reduced = _ZERO if first_phase else self.tableau.cost[number]
        for row, entry in self.tableau.columns[number].items():
            if row in prices:
                reduced -= entry * prices[row]
        return reduced

    def _dual(self, prices: Sparse) -> Finish:
        """The dual method (Lemke 1954), for a basis that is optimal but for violated bounds: after a change of right
        sides or one more row. Ties go to the first variable, and after a step that gains nothing the first violated
        one leaves, which rules out cycles."""
        bland = False
        while True:
            if self.check is not None:
                self.check()
            violated = self._violations()
            if not violated:
                return self._finish("optimal", prices, {})
            leaving = min(violated) if bland else max(violated, key=lambda number: (self._violation(number), -number))
            ray = self.prices({leaving: violated[leaving]})
            best: Fraction | None = None
            entering = -1
            for number, (low, high) in enumerate(self.tableau.bounds):
                if number in self.basic or (low is not None and low == high):
                    continue
                slope = self._reduced(number, ray, first_phase=True)
                rising = high is None or self.values[number] != high
                falling = low is None or self.values[number] != low
                if (slope < 0 and rising) or (slope > 0 and falling):
                    ratio = abs(self._reduced(number, prices, first_phase=False) / slope)
                    if best is None or ratio < best:
                        best, entering = ratio, number
            if best is None:
                return self._finish("infeasible", ray, {})
            bland = best == 0
            column = self.in_basis(self._column(entering))
            low, high = self.tableau.bounds[leaving]
            goal = low if violated[leaving] < 0 else high
            assert goal is not None
            step = (self.values[leaving] - goal) / column[leaving]
            self._step(entering, 1 if step >= 0 else -1, column, abs(step), leaving)
            prices = self._cost_prices()

    def _violation(self, number: int) -> Fraction:
        low, high = self.tableau.bounds[number]
        value = self.values[number]
        return low - value if low is not None and value < low else value - high if high is not None else _ZERO

    def _primal(self) -> Finish:
        bland = False
        while True:
            if self.check is not None:
                self.check()
            violated = self._violations()
            prices = self.prices(violated) if violated else self._cost_prices()
            chosen = self._entering(prices, bool(violated), bland)
            if chosen is None:
                return self._finish("infeasible" if violated else "optimal", prices, {})
            entering, direction = chosen
            column = self.in_basis(self._column(entering))
            step, leaving = self._ratio(entering, direction, column, violated)
            if step is None:
                ray = {number: -direction * entry for number, entry in column.items()}
                return self._finish("unbounded", prices, {**ray, entering: Fraction(direction)})
            bland = step == 0
            self._step(entering, direction, column, step, leaving)

    def _violations(self) -> Sparse:
        """The slope of the sum of violations in the basic variables."""
        slope: Sparse = {}
        for number in self.basic:
            low, high = self.tableau.bounds[number]
            if low is not None and self.values[number] < low:
                slope[number] = Fraction(-1)
            elif high is not None and self.values[number] > high:
                slope[number] = Fraction(1)
        return slope

    def _entering(self, prices: Sparse, first_phase: bool, bland: bool) -> tuple[int, int] | None:
        """The variable that enters the basis and in which direction it moves."""
        best, chosen = _ZERO, None
        for number, (low, high) in enumerate(self.tableau.bounds):
            if number in self.basic or (low is not None and low == high):
                continue
            reduced = self._reduced(number, prices, first_phase)
            rising = high is None or self.values[number] != high
            falling = low is None or self.values[number] != low
            if (reduced < -best and rising) or (reduced > best and falling):
                best, chosen = abs(reduced), (number, 1 if reduced < 0 else -1)
                if bland:
                    break
        return chosen

    def _ratio(
        self, entering: int, direction: int, column: Sparse, violated: Sparse
    ) -> tuple[Fraction | None, int | None]:
        """How far the entering variable can go, and who stops it: ``None`` where that is its own other bound."""
        low, high = self.tableau.bounds[entering]
        step = high - low if low is not None and high is not None else None
        stops: int | None = None
        for number in sorted(column):
            speed = -direction * column[number]
            if not speed:
                continue
            low, high = self.tableau.bounds[number]
            if number in violated:
                # A violated bound stops nobody who moves away from it, and lets him pass only up to it.
                goal = low if violated[number] < 0 else high
                if (speed > 0) != (violated[number] < 0):
                    continue
            else:
                goal = high if speed > 0 else low
            if goal is None:
                continue
            limit = (goal - self.values[number]) / speed
            if step is None or limit < step:
                step, stops = limit, number
        return step, stops

    def _step(self, entering: int, direction: int, column: Sparse, step: Fraction, leaving: int | None) -> None:
        for number, entry in column.items():
            self.values[number] -= direction * entry * step
        self.values[entering] += direction * step
        if leaving is None:
            return
        self.pivots += 1
        self.basic.remove(leaving)
        self.basic.add(entering)
        self.etas.append((entering, leaving, column))
        if len(self.etas) >= _REFACTOR:
            self._factor()

    def _finish(self, status: Status, prices: Sparse, ray: Sparse) -> Finish:
        return Finish(
            status,
            tuple(self.values[: self.structural]),
            tuple(prices.get(row, _ZERO) for row in range(self.tableau.rows)),
            tuple(ray.get(number, _ZERO) for number in range(self.structural)) if ray else (),
            self.pivots,
            self._basis(),
        )

    def _basis(self) -> Start:
        upper = (
            number
            for number, (_, high) in enumerate(self.tableau.bounds)
            if number not in self.basic and high is not None and self.values[number] == high
        )
        return Start(frozenset(self.basic), frozenset(upper))
