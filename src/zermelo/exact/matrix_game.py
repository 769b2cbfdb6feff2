"""Matrix games in rational numbers: the value, and an optimal mixture of each side (von Neumann 1928).

The side of the columns maximises the sum of ``q`` under ``A q <= 1``, ``q >= 0``, for a matrix of positive numbers; the
prices of the rows are the other side's mixture (Dantzig 1951). The tableau holds whole numbers over one denominator:
a pivot divides without remainder (Edmonds 1967), so that no fraction is ever reduced. Bland's rule (1977) ends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

Number = int | Fraction


class MatrixValue(NamedTuple):
    """What the side of the rows gets, and how often each side plays each of its lines."""

    value: Fraction
    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]


def matrix_game(gain: Sequence[Sequence[Number]]) -> MatrixValue:
    """The value of a matrix game for the side of the rows, which maximises, with a mixture of either side.

    Rock, paper and scissors, where a win with rock counts double:

    >>> found = matrix_game([[0, -1, 2], [1, 0, -1], [-2, 1, 0]])
    >>> str(found.value), [str(chance) for chance in found.rows]
    ('0', ['1/4', '1/2', '1/4'])
    >>> str(matrix_game([[1, 0], [0, 2]]).value)
    '2/3'
    """
    if (pure := _saddle(gain)) is not None:
        return pure
    scale = lcm(*[Fraction(entry).denominator for row in gain for entry in row])
    whole = [[int(entry * scale) for entry in row] for row in gain]
    shift = 1 - min(min(row) for row in whole)
    tableau = [[entry + shift for entry in row] + [1] for row in whole]
    tableau.append([-1] * len(whole[0]) + [0])
    basic, others, denominator = _pivoted(tableau)
    total, last = tableau[-1][-1], len(whole[0])
    rows, columns = [Fraction(0)] * len(whole), [Fraction(0)] * last
    for place, name in enumerate(basic):
        if name < last:
            columns[name] = Fraction(tableau[place][-1], total)
    for place, name in enumerate(others):
        if name >= last:
            rows[name - last] = Fraction(tableau[-1][place], total)
    return MatrixValue((Fraction(denominator, total) - shift) / scale, tuple(rows), tuple(columns))


def _saddle(gain: Sequence[Sequence[Number]]) -> MatrixValue | None:
    """A pair of lines that are best against each other; ``None`` if there is none."""
    worst = [min(row) for row in gain]
    best = [max(column) for column in zip(*gain, strict=True)]
    value = max(worst)
    if value != min(best):
        return None
    row, column = worst.index(value), best.index(value)
    return MatrixValue(Fraction(value), _one(len(worst), row), _one(len(best), column))


def _one(count: int, place: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(number == place) for number in range(count))


def _pivoted(tableau: list[list[int]]) -> tuple[list[int], list[int], int]:
    """Pivots until no column gains; the names of the rows and of the columns then, and the denominator of all entries.

    Columns are named from 0 on, and the slack of each row after them.
    """
    lines, last = len(tableau) - 1, len(tableau[0]) - 1
    basic, others, denominator = list(range(last, last + lines)), list(range(last)), 1
    while True:
        entering = [place for place in range(last) if tableau[-1][place] < 0]
        if not entering:
            return basic, others, denominator
        column = min(entering, key=lambda place: others[place])
        bounding = [place for place in range(lines) if tableau[place][column] > 0]
        row = min(bounding, key=lambda place: (Fraction(tableau[place][-1], tableau[place][column]), basic[place]))
        pivot, pivot_row = tableau[row][column], tableau[row]
        for place, line in enumerate(tableau):
            if place != row:
                factor = line[column]
                line[:] = [
                    (entry * pivot - factor * over) // denominator for entry, over in zip(line, pivot_row, strict=True)
                ]
                line[column] = -factor
        pivot_row[column], denominator = denominator, pivot
        basic[row], others[column] = others[column], basic[row]
