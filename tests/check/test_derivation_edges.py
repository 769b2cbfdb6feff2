"""Derivations at their edges: bounds of scenarios, what may be dropped, clauses that contradict each other."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from zermelo.check.clause_steps import Clause, Derivation, FromClause, FromRow, FromSum, Literal
from zermelo.check.derivation import check_derivation
from zermelo.check.quantified import AtMost, QuantifiedProgram, Variable, at_most

X = Variable("x", "exists", True, Fraction(0), Fraction(1))
U = Variable("u", "forall", True, Fraction(0), Fraction(1))
W = replace(U, name="w")
AT_LEAST_1 = Literal(0, False, 1)


def reason(
    variables: tuple[Variable, ...],
    rows: tuple[AtMost, ...],
    *clauses: Clause,
    scenarios: tuple[tuple[int], ...] = (),
    own: tuple[AtMost, ...] = (),
) -> str:
    """Why a derivation is refuted; nothing if it is accepted."""
    return check_derivation(QuantifiedProgram(variables, rows, own), Derivation(None, scenarios, clauses)).reason


@pytest.mark.parametrize(("low", "high"), [(0, 1), (1, 2), (-2, -1), (-1, 0), (-1, 1), (2, 2)])
def test_a_scenario_takes_values_from_the_lower_bound_to_the_upper(low: int, high: int) -> None:
    """x is to be more than 1, whatever forall does."""
    u = replace(U, lower=Fraction(low), upper=Fraction(high))
    for value in range(-4, 5):
        said = reason((u, X), at_most([(1, 1)], ">=", 2), Clause((), (FromRow(1),)), scenarios=((value,),))
        assert said == ("" if low <= value <= high else f"scenario 0 sets u to {value}, which is not within its bounds")


def test_a_bound_is_dropped_though_a_later_variable_of_forall_is_kept() -> None:
    """x is 0, and x + u + w is to be 1 at least: first u is dropped, then w."""
    rows = (*at_most([(0, 1)], "<=", 0), *at_most([(0, 1), (1, 1), (2, 1)], ">=", 1))
    first = Clause((Literal(2, False, 1),), (FromRow(1), FromRow(2)), (Literal(1, False, 1),))
    assert not reason((X, U, W), rows, first, Clause((), (FromClause(0),), (Literal(2, False, 1),)))


def test_a_clause_that_always_holds_may_drop_a_bound() -> None:
    """x is at least 0 or u at least 1; that says nothing, and the rows contradict each other without it."""
    always = Clause((Literal(0, False, 0),), (), (Literal(1, False, 1),))
    assert not reason((X, U), at_most([(0, 2)], "=", 1), always, Clause((), (FromRow(1), FromRow(2))))


def test_clauses_contradict_each_other_without_a_row() -> None:
    at_least, at_most_0 = AT_LEAST_1, Literal(0, True, 0)
    rows = at_most([(0, 2)], "=", 1)
    clauses = Clause((at_least,), (FromRow(2),)), Clause((at_most_0,), (FromRow(1),))
    for order in ((0, 1), (1, 0)):
        assert not reason((X,), rows, *clauses, Clause((), tuple(map(FromClause, order))))
    assert "leave room" in reason((X,), rows, *clauses, Clause((), (FromClause(0), FromClause(0))))


def test_a_variable_without_bounds_cancels_out_in_a_sum() -> None:
    """x + z is at most 0, x - z at most -1; so x is less than 0."""
    z = Variable("z", "exists", False, None, None)
    rows = (*at_most([(0, 1), (1, 1)], "<=", 0), *at_most([(0, 1), (1, -1)], "<=", -1))
    both = FromSum(((FromRow(1), 1), (FromRow(2), 1)))
    assert not reason((X, z), rows, Clause((), (both,)))
    assert "leave room" in reason((X, z), rows, Clause((), (FromSum(((FromRow(1), 1), (FromRow(2), 2))),)))


# Rows of forall

W_AT_LEAST_1 = Literal(1, False, 1)
V = replace(U, name="v")
NOT_BOTH = at_most([(1, 1), (2, 1)], "<=", 1)
"""Of the second and the third variable, forall sets one to 1 at most."""


def test_what_his_rows_do_not_connect_to_a_bound_may_be_open_where_it_is_dropped() -> None:
    """w is to be 1 at least, and forall may set it to 0, whatever he does with u and v."""
    wide = replace(W, upper=Fraction(2))
    own = (*at_most([(0, 1)], "<=", 1), *NOT_BOTH)
    clause = Clause((), (FromRow(1),), (AT_LEAST_1,))
    assert not reason((wide, U, V), at_most([(0, 1)], ">=", 1), clause, own=own)
    joined = at_most([(0, 1), (1, 1)], "<=", 1)
    assert "not free to set variable 0" in reason((wide, U, V), at_most([(0, 1)], ">=", 1), clause, own=joined)


def test_a_clause_that_his_rows_imply_may_drop_a_bound_that_he_is_not_free_to_break() -> None:
    """u is 0 by his rows. So "u is at most 0, or w at least 1" holds, and says as much without w."""
    variables = (replace(U, name="u"), W, V, X)
    own = (*at_most([(0, 1)], "<=", 0), *NOT_BOTH)
    clause = Clause((Literal(0, True, 0),), (FromRow(3),), (W_AT_LEAST_1,))
    last = Clause((), (FromRow(1), FromRow(2)))
    rows = at_most([(3, 2)], "=", 1)
    assert not reason(variables, rows, clause, last, own=own)
    unbroken = Clause((Literal(0, False, 1),), (FromRow(3),), (W_AT_LEAST_1,))
    assert "not free to set variable 1" in reason(variables, rows, unbroken, last, own=own)


def test_a_clause_that_always_holds_may_drop_what_his_rows_connect() -> None:
    always = Clause((Literal(0, False, 0),), (), (W_AT_LEAST_1,))
    last = Clause((), (FromRow(1), FromRow(2)))
    assert not reason((X, W, V), at_most([(0, 2)], "=", 1), always, last, own=NOT_BOTH)


def test_his_rows_are_read_beside_variables_without_bounds() -> None:
    free = Variable("z", "exists", False, None, None)
    clause = Clause((), (FromRow(1),), (AT_LEAST_1,))
    assert not reason((U, free), at_most([(0, 1)], ">=", 1), clause, own=at_most([(0, 2)], "<=", 1))
