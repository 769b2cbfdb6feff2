"""Exact solutions of sparse systems of linear equations: LU factors with rational numbers.

Pivots are chosen for sparsity alone (Markowitz, The elimination form of the inverse, 1957), since nothing is rounded.
Each row is kept as coprime integers with a rational factor, so that the inner loops work on integers. Bases of linear
programs are nearly triangular: most pivots need no elimination at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import gcd, lcm

Sparse = dict[int, Fraction]
"""A vector by its entries."""


class Factors:
    """LU factors of the square matrix with these columns and rows; both are numbered as the caller likes.

    Where it is singular, ``spare_rows`` and ``spare_columns`` are what is left without a pivot, and the factors are
    those of the rest.

    >>> half, one, two = Fraction(1, 2), Fraction(1), Fraction(2)
    >>> factors = Factors({0: {5: two, 6: one}, 1: {5: one, 6: one}}, (5, 6))
    >>> {column: str(value) for column, value in sorted(factors.solve({5: one, 6: half}).items())}
    {0: '1/2'}
    >>> {row: str(value) for row, value in sorted(factors.solve_transposed({0: one, 1: half}).items())}
    {5: '1/2', 6: '0'}
    """

    def __init__(
        self,
        columns: Mapping[int, Mapping[int, Fraction]],
        rows: Iterable[int],
        check: Callable[[], None] | None = None,
    ) -> None:
        self._steps: list[tuple[int, int, Fraction]] = []
        """In the order of the elimination: from this row, that one was subtracted so many times."""
        self._pivots: list[tuple[int, int, int, dict[int, int], Fraction]] = []
        """Row, column, pivot, the other entries of the row, the row's factor."""
        self._rows, self._scale = _whole_rows(columns, rows)
        self._where: dict[int, set[int]] = {column: set() for column in columns}
        for row, entries in self._rows.items():
            for column in entries:
                self._where[column].add(row)
        self._eliminate(check)
        self.spare_rows = sorted(self._rows)
        self.spare_columns = sorted(self._where)

    def _eliminate(self, check: Callable[[], None] | None) -> None:
        rows, where = self._rows, self._where
        queue = [(len(within), column) for column, within in where.items()]
        heapify(queue)
        singles = [row for row, entries in rows.items() if len(entries) == 1]
        while queue:
            if check is not None and len(self._pivots) % 64 == 0:
                check()
            row = -1
            while singles and row not in rows:
                row = singles.pop()
            if row in rows and len(rows[row]) == 1:
                (column,) = rows[row]
            else:
                count, column = heappop(queue)
                if column not in where or count != len(where[column]):
                    if where.get(column):
                        heappush(queue, (len(where[column]), column))
                    continue
                if not count:
                    continue
                row = min(where[column], key=lambda r: (len(rows[r]), abs(rows[r][column]), r))
            for changed in self._pivot(row, column):
                heappush(queue, (len(where[changed]), changed))
            singles.extend(r for r in self._touched if r in rows and len(rows[r]) == 1)

    def _pivot(self, row: int, column: int) -> set[int]:
        """Eliminates a column by a row; returns the columns whose counts have changed."""
        rows, where, scale = self._rows, self._where, self._scale
        entries = rows.pop(row)
        pivot = entries.pop(column)
        others = where.pop(column)
        others.discard(row)
        for other in entries:
            where[other].discard(row)
        self._touched = sorted(others)
        for target in self._touched:
            line = rows[target]
            factor = line.pop(column)
            self._steps.append((target, row, scale[target] * factor / (scale[row] * pivot)))
            if not entries:
                continue
            common = gcd(factor, pivot)
            keep, take = pivot // common, factor // common
            if keep != 1:
                for other in line:
                    line[other] *= keep
                scale[target] /= keep
            for other, entry in entries.items():
                before = line.get(other, 0)
                after = before - take * entry
                if after:
                    line[other] = after
                    if not before:
                        where[other].add(target)
                elif before:
                    del line[other]
                    where[other].discard(target)
            if keep not in (1, -1) and line and (divisor := gcd(*line.values())) > 1:
                for other in line:
                    line[other] //= divisor
                scale[target] *= divisor
        self._pivots.append((row, column, pivot, entries, scale[row]))
        return set(entries)

    def solve(self, right: Mapping[int, Fraction]) -> Sparse:
        """The combination of the columns that gives ``right``, by column; takes and returns sparse vectors."""
        left = {row: value for row, value in right.items() if value}
        for target, source, times in self._steps:
            if source in left:
                left[target] = left.get(target, _ZERO) - times * left[source]
        solution: Sparse = {}
        for row, column, pivot, entries, scale in reversed(self._pivots):
            value = left.get(row, _ZERO)
            if value:
                value /= scale
            for other, entry in entries.items():
                if other in solution:
                    value -= entry * solution[other]
            if value:
                solution[column] = value / pivot
        return solution

    def solve_transposed(self, right: Mapping[int, Fraction]) -> Sparse:
        """The combination of the rows that gives ``right`` (by column), by row."""
        left = dict(right)
        solution: Sparse = {}
        for row, column, pivot, entries, scale in self._pivots:
            value = left.get(column)
            if not value:
                continue
            value /= pivot
            for other, entry in entries.items():
                left[other] = left.get(other, _ZERO) - entry * value
            solution[row] = value / scale
        for target, source, times in reversed(self._steps):
            if target in solution:
                solution[source] = solution.get(source, _ZERO) - times * solution[target]
        return solution


_ZERO = Fraction(0)


def _whole_rows(
    columns: Mapping[int, Mapping[int, Fraction]], numbers: Iterable[int]
) -> tuple[dict[int, dict[int, int]], dict[int, Fraction]]:
    gathered: dict[int, dict[int, Fraction]] = {number: {} for number in numbers}
    for column, entries in columns.items():
        for row, value in entries.items():
            if row in gathered:
                gathered[row][column] = value
    rows, scale = dict[int, dict[int, int]](), dict[int, Fraction]()
    for row, values in gathered.items():
        factor = _common(list(values.values()))
        rows[row] = {column: int(value / factor) for column, value in values.items()}
        scale[row] = factor
    return rows, scale


def _common(values: Sequence[Fraction]) -> Fraction:
    if not values:
        return Fraction(1)
    return Fraction(gcd(*(v.numerator for v in values)), lcm(*(v.denominator for v in values)))
