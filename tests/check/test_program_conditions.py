"""Proofs about programs at their edges: one bound of two, equality, scenarios that begin alike, ends of ranges."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from zermelo.check.program import check_proof
from zermelo.check.quantified import QuantifiedProgram, Role, Variable, at_most
from zermelo.check.steps import END, Branch, Case, Choose, Proof, Refute, Scenario

HALF = Fraction(1, 2)
X = Variable("x", "exists", True, Fraction(0), Fraction(1))
U = Variable("u", "forall", True, Fraction(0), Fraction(1))
FREE = Variable("z", "exists", False, None, None)


def reason(program: QuantifiedProgram, owner: Role, value: int | None, *nodes: Choose | Branch | Refute) -> str:
    """Why a proof is refuted; nothing if it is accepted."""
    return check_proof(program, Proof(owner, None if value is None else Fraction(value), nodes)).reason


@pytest.mark.parametrize("coefficient", [1, HALF, 2, -1, -HALF, -2])
def test_a_variable_may_be_left_open_where_it_has_the_bound_at_which_it_is_worst(coefficient: Fraction | int) -> None:
    row = at_most([(0, coefficient)], "<=", 5)
    above, below = replace(FREE, lower=Fraction(0)), replace(FREE, upper=Fraction(0))
    one, other = (above, below) if coefficient > 0 else (below, above)
    assert reason(QuantifiedProgram((one,), row), "exists", 0) == "node 0: z is left open and has no bounds"
    assert not reason(QuantifiedProgram((other,), row), "exists", 0)


def test_an_objective_times_nothing_does_not_make_equality_a_contradiction() -> None:
    """x is at least 1, which it can be; only if the objective is to be better than 1 as well it cannot."""
    one = QuantifiedProgram((X,), at_most([(0, 1)], ">=", 1), goal=((0, Fraction(1)),))
    assert "no contradiction" in reason(one, "forall", 1, Refute(0, (Scenario((), {0: 0, 1: 1}),)))
    assert not reason(one, "forall", 1, Refute(0, (Scenario((), {0: 1, 1: 1}),)))


def test_what_was_set_before_the_choices_is_one_and_the_same_in_all_scenarios() -> None:
    """x is what the second variable of forall is, which he sets later: he says that it is 0, and that it is 1."""
    rows = (*at_most([(1, 1), (2, -1)], "<=", 0), *at_most([(1, -1), (2, 1)], "<=", 0))
    one = QuantifiedProgram((U, X, replace(U, name="v")), rows)
    both = (Scenario((0,), {1: 1}), Scenario((1,), {2: 1}))
    assert not reason(one, "forall", None, Refute(1, both))
    assert not reason(one, "forall", None, Refute(2, both))


def test_a_variable_without_bounds_cancels_out_between_scenarios() -> None:
    rows = (*at_most([(0, 1), (2, -1)], "<=", 0), *at_most([(0, -1), (2, 1)], "<=", 0))
    one = QuantifiedProgram((FREE, U, replace(U, name="v"), replace(U, name="w")), rows)
    both = (Scenario((0, 0), {1: 1}), Scenario((1, 0), {2: 1}))
    assert not reason(one, "forall", None, Refute(2, both))
    assert "z has no bound to contradict" in reason(one, "forall", None, Refute(2, both[:1]))


def test_a_step_goes_on_behind_the_last_variable_that_it_sets() -> None:
    one = QuantifiedProgram((X, replace(X, name="y")), at_most([(0, 1), (1, 1)], "<=", 1))
    again = (Choose(1, (0,), END), Choose(0, (1, 1), 0))
    assert reason(one, "exists", 0, *again) == "node 1: it leads to node 0, which begins before it is done"
    assert not reason(one, "exists", 0, Choose(1, (0,), END), Choose(0, (1,), 0))


def test_where_lines_can_be_mixed_ranges_at_both_ends_are_enough() -> None:
    """y is to be u at least, for u from 0 to 2."""
    u, y = replace(U, integer=False, upper=Fraction(2)), replace(FREE, name="y", lower=Fraction(0), upper=Fraction(9))
    one = QuantifiedProgram((u, y), at_most([(0, 1), (1, -1)], "<=", 0))
    steps = (Choose(1, (1,), END), Choose(1, (2,), END))
    assert not reason(one, "exists", 0, *steps, Branch(0, (Case(0, HALF, 0), Case(3 * HALF, 2, 1))))
    assert not reason(one, "exists", 0, *steps, Branch(0, (Case(3 * HALF, 2, 1), Case(0, HALF, 0))))
    assert "no case" in reason(one, "exists", 0, *steps, Branch(0, (Case(0, HALF, 0), Case(1, 3 * HALF, 1))))


def test_contradictions_are_apart_where_one_of_them_has_the_objective() -> None:
    """The same terms: x is at least 1. As a row that is no contradiction, as an objective better than 1 it is one."""
    one = QuantifiedProgram((replace(X, name="w"), X), at_most([(1, -1)], "<=", -1), goal=((1, Fraction(-1)),))
    nodes = (Refute(1, (Scenario((), {0: 1}),)), Refute(1, (Scenario((), {1: 1}),)))
    assert not reason(one, "forall", -1, nodes[0])
    for both in (nodes, nodes[::-1]):
        assert "no contradiction" in reason(one, "forall", -1, *both, Branch(0, (Case(0, 0, 0), Case(1, 1, 1))))
