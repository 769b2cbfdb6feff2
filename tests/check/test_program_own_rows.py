"""The rows of ``forall``: what is remembered of values that lead nowhere does not get in the way of others."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from zermelo.check.ownrows import OwnRows, can_be_kept, connected
from zermelo.check.quantified import QuantifiedProgram, Variable, at_most
from zermelo.limits import Limits

BIT = Variable("u", "forall", True, Fraction(0), Fraction(1))


@pytest.mark.parametrize("coefficients", list(product((-3, -2, 2, 3), repeat=3)))
def test_what_leads_nowhere_later_may_lead_somewhere_earlier(coefficients: tuple[int, ...]) -> None:
    """2v + 3w may be 2, and 3w alone may not: after u and v the same is left as after u alone."""
    bits = tuple(Variable(name, "forall", True, Fraction(0), Fraction(1)) for name in "uvw")
    for right in range(-8, 9):
        ways = [v for v in product((0, 1), repeat=3) if sum(map(int.__mul__, coefficients, v)) == right]
        program = QuantifiedProgram(bits, own=at_most(list(enumerate(coefficients)), "=", right))
        assert can_be_kept(program, Limits()) == bool(ways)
        for first in product((0, 1), repeat=2):
            assert OwnRows(program).left_by(first, Limits()) == any(v[:2] == first for v in ways)


def test_rows_without_a_common_variable_are_apart() -> None:
    rows = [at_most([(v, 1) for v in held], "<=", 1)[0] for held in ((0, 1), (2, 3), (4,), (1, 4), (5,), ())]
    assert [sorted(rows.index(row) for row in part) for part in connected(rows)] == [[1], [0, 2, 3], [4], [5]]


@pytest.mark.parametrize(("right", "kept"), [(0, True), (-1, False), (Fraction(-1, 2), False)])
def test_a_row_without_variables_is_kept_or_not(right: Fraction | int, kept: bool) -> None:
    assert can_be_kept(QuantifiedProgram((BIT,), own=at_most([], "<=", right)), Limits()) is kept
