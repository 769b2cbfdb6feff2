"""Steps of a proof about a program to which several others lead."""

from __future__ import annotations

from fractions import Fraction

import pytest

from zermelo.check.program import check_proof
from zermelo.check.quantified import QuantifiedProgram, Variable, at_most
from zermelo.check.steps import END, Branch, Case, Choose, Proof, Refute

U = Variable("u", "forall", True, Fraction(0), Fraction(1))
X, Y, Z = (Variable(name, "exists", True, Fraction(0), Fraction(1)) for name in "xyz")
LAST = Choose(3, (1,), END)
BOTH = Branch(1, (Case(0, 1, 0),))
ONE = Choose(2, (0,), 0)


@pytest.mark.parametrize("between", [(BOTH, ONE), (ONE, BOTH)])
def test_cases_and_choices_lead_to_the_same_step_in_either_order(between: tuple[Branch | Choose, ...]) -> None:
    """z is to be 1, whatever x, u and y are; one step says so, and steps of both kinds lead to it."""
    program = QuantifiedProgram((X, U, Y, Z), at_most([(3, 1)], ">=", 1))
    nodes: tuple[Choose | Branch | Refute, ...] = (LAST, *between)
    assert check_proof(program, Proof("exists", Fraction(0), nodes)).accepted
    for last in (Choose(0, (0,), 1), Choose(0, (0,), 2)):
        assert check_proof(program, Proof("exists", Fraction(0), (*nodes, last))).accepted
