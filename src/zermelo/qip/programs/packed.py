"""Integer programs as arrays of whole numbers, the form in which the native kernels take them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import numpy as np
from numpy.typing import NDArray

from zermelo import _native
from zermelo.errors import NotApplicableError
from zermelo.qip.programs.program import Bound, Normal, Terms

MOST = 1 << 61
"""No sum of a row's terms may be larger: so the kernels' 64 bits never overflow."""


@dataclass(frozen=True)
class Packed:
    """The normal form of a program with whole coefficients.

    Row ``r`` has the terms ``first[r]`` up to ``first[r + 1] - 1``; the sum of ``coefficient`` times the value of
    ``variable`` over them is at most ``right[r]``. Row 0 is the objective; the last ``uncertainty`` rows are those of
    ``forall``. Each row is its original times ``scale[r]``.
    """

    exists: NDArray[np.uint8]
    integer: NDArray[np.uint8]
    lower: NDArray[np.int64]
    upper: NDArray[np.int64]
    first: NDArray[np.uint64]
    variable: NDArray[np.uint32]
    coefficient: NDArray[np.int64]
    right: NDArray[np.int64]
    uncertainty: int
    scale: tuple[Fraction, ...]

    def native(self) -> _native.QipProgram:
        """The arrays in the hands of the native kernels."""
        return _native.QipProgram(
            self.exists,
            self.integer,
            self.lower,
            self.upper,
            self.first,
            self.variable,
            self.coefficient,
            self.right,
            self.uncertainty,
        )


def packed(form: Normal) -> Packed:
    """The arrays of a normal form; ``NotApplicableError`` where bounds are missing or numbers are too large.

    >>> from zermelo.qip.programs.program import Objective, Program, Row, Variable, normal, terms
    >>> rows = (Row(terms({0: Fraction(1, 2), 1: Fraction(1, 3)}), "<=", Fraction(3, 4)),)
    >>> arrays = packed(normal(Program((Variable("x"), Variable("y")), rows, Objective("min", terms({0: 4})))))
    >>> arrays.coefficient.tolist(), arrays.right.tolist(), [str(scale) for scale in arrays.scale]
    ([1, 6, 4], [0, 9], ['1/4', '12'])
    """
    lower, upper = [], []
    for variable in form.variables:
        low, high = variable.lower, variable.upper
        if low is None or high is None or low.denominator != 1 or high.denominator != 1:
            raise NotApplicableError(f"variable {variable.name} has no whole bounds")
        lower.append(int(low))
        upper.append(int(high))
    firsts, variables, coefficients, rights, scales = [0], list[int](), list[int](), list[int](), list[Fraction]()
    for number, row in enumerate((*form.rows, *form.uncertainty)):
        scale = whole_factor(row, with_right=number > 0)
        scales.append(scale)
        largest = abs(right := _floor(row.right * scale))
        for variable_number, coefficient in row.terms:
            whole = int(coefficient * scale)
            variables.append(variable_number)
            coefficients.append(whole)
            largest += abs(whole) * max(abs(lower[variable_number]), abs(upper[variable_number]), 1)
        if largest > MOST:
            raise NotApplicableError(f"the numbers of row {number} are too large for the native kernel")
        rights.append(right)
        firsts.append(len(variables))
    if max((abs(bound) for bound in (*lower, *upper)), default=0) > MOST:
        raise NotApplicableError("the bounds of a variable are too large for the native kernel")
    return Packed(
        np.array([v.quantifier == "exists" for v in form.variables], np.uint8),
        np.array([v.integer for v in form.variables], np.uint8),
        np.array(lower, np.int64),
        np.array(upper, np.int64),
        np.array(firsts, np.uint64),
        np.array(variables, np.uint32),
        np.array(coefficients, np.int64),
        np.array(rights, np.int64),
        len(form.uncertainty),
        tuple(scales),
    )


def whole_factor(row: Bound, with_right: bool = True) -> Fraction:
    """What makes the coefficients (and the right side) whole numbers without a common divisor; 1 for an empty row.

    >>> whole_factor(Bound(((0, Fraction(2, 3)), (1, Fraction(4, 3))), Fraction(1, 2)))
    Fraction(6, 1)
    """
    numbers = [coefficient for _, coefficient in row.terms] + [row.right] * with_right
    return _factor([number for number in numbers if number])


def _factor(numbers: Sequence[Fraction]) -> Fraction:
    if not numbers:
        return Fraction(1)
    return Fraction(lcm(*(n.denominator for n in numbers)), gcd(*(n.numerator for n in numbers)))


def _floor(number: Fraction) -> int:
    return number.numerator // number.denominator


def scaled(form: Terms, scale: Fraction) -> Terms:
    """Terms times a number.

    >>> scaled(((0, Fraction(1, 2)),), Fraction(4))
    ((0, Fraction(2, 1)),)
    """
    return tuple((variable, coefficient * scale) for variable, coefficient in form)
