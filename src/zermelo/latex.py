"""Names and numbers in LaTeX, for notebooks."""

from __future__ import annotations

import re
from fractions import Fraction

_INDEXED = re.compile(r"([A-Za-z]+)_?(\d+(?:_\d+)*)")
_SPECIAL = re.compile(r"([#$%&_{}])")


def latex_name(name: str) -> str:
    """A name: a number at its end is an index.

    >>> latex_name("x1"), latex_name("x_1_2"), latex_name("late"), latex_name("a_b")
    ('x_{1}', 'x_{1,2}', '\\\\mathit{late}', '\\\\mathit{a\\\\_b}')
    """
    found = _INDEXED.fullmatch(name)
    stem, index = (found[1], found[2].replace("_", ",")) if found else (name, "")
    escaped = _SPECIAL.sub(r"\\\1", stem.replace("\\", ""))
    shown = escaped if len(stem) == 1 else f"\\mathit{{{escaped}}}"
    return f"{shown}_{{{index}}}" if index else shown


def latex_number(number: Fraction | int) -> str:
    """A number; fractions are set as such.

    >>> latex_number(Fraction(-3, 2)), latex_number(4)
    ('-\\\\frac{3}{2}', '4')
    """
    exact = Fraction(number)
    if exact.denominator == 1:
        return str(exact.numerator)
    return f"{'-' if exact < 0 else ''}\\frac{{{abs(exact.numerator)}}}{{{exact.denominator}}}"
