"""Forged derivations, one trick each; and the weakest step that is still allowed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from zermelo.check.clause_steps import Clause, Derivation, FromClause, FromRow, FromSum, Literal
from zermelo.check.derivation import check_derivation
from zermelo.check.quantified import AtMost, Number, QuantifiedProgram, Variable, at_most

X = Variable("x", "exists", True, Fraction(0), Fraction(1))
Y = replace(X, name="y")
U = Variable("u", "forall", True, Fraction(0), Fraction(1))
W = replace(U, name="w")
Z = Variable("z", "exists", False, Fraction(0), Fraction(1))
HALF = Fraction(1, 2)
ROOM = "the antecedents leave room"
Terms = list[tuple[int, int]]


def program(*variables: Variable, rows: list[tuple[Terms, str, Number]]) -> QuantifiedProgram:
    made: list[AtMost] = []
    for terms, relation, right in rows:
        made += at_most(terms, relation, right)
    return QuantifiedProgram(variables, tuple(made))


def reason(
    program: QuantifiedProgram,
    *clauses: Clause,
    scenarios: tuple[tuple[Number, ...], ...] = (),
    value: int | None = None,
) -> str:
    """Why a derivation is refuted; nothing if it is accepted."""
    stated = Derivation(None if value is None else Fraction(value), scenarios, clauses)
    verdict = check_derivation(program, stated)
    assert verdict.status == ("refuted" if verdict.reason else "accepted")
    return verdict.reason


def rows(*numbers: int) -> Clause:
    """The empty clause, from rows one after the other."""
    return Clause((), tuple(map(FromRow, numbers)))


def added(*parts: tuple[int, Number]) -> Clause:
    """The empty clause, from rows times multipliers."""
    return Clause((), (FromSum(tuple((FromRow(row), multiplier) for row, multiplier in parts)),))


# Scenarios


def test_what_is_chosen_after_the_lines_part_has_a_copy_for_each() -> None:
    """x is to be u: at most 0 in one line, at least 1 in the other."""
    clause = Clause((), (FromRow(1, 0), FromRow(2, 1)))
    late = program(U, X, rows=[([(0, -1), (1, 1)], "=", 0)])
    assert ROOM in reason(late, clause, scenarios=((0,), (1,)))
    early = program(X, U, rows=[([(0, 1), (1, -1)], "=", 0)])
    assert not reason(early, clause, scenarios=((0,), (1,)))
    between = program(U, X, W, rows=[([(1, 1), (2, -1)], "=", 0)])
    assert not reason(between, clause, scenarios=((0, 0), (0, 1)))
    assert ROOM in reason(between, clause, scenarios=((0, 0), (1, 1)))


def test_a_scenario_is_a_legal_line_of_forall() -> None:
    one = replace(program(U, X, rows=[([(1, 1)], ">=", 2)]), own=at_most([(0, 1)], "<=", 0))
    assert not reason(one, rows(1), scenarios=((0,),))
    assert reason(one, rows(1), scenarios=((1,),)) == "scenario 0 breaks a row of forall's own"
    tighter = replace(one, own=at_most([(0, 1)], "<=", HALF))
    assert reason(tighter, rows(1), scenarios=((1,),)) == "scenario 0 breaks a row of forall's own"


def test_a_continuous_variable_of_forall_may_be_anything_between_its_bounds() -> None:
    one = program(replace(U, integer=False), Z, rows=[([(0, 1), (1, 1)], ">=", 2)])
    assert not reason(one, rows(1), scenarios=((HALF,),))
    assert ROOM in reason(one, rows(1), scenarios=((1,),))
    assert "which is not within its bounds" in reason(one, rows(1), scenarios=((-HALF,),))


@pytest.mark.parametrize("own", [(), at_most([(0, 1)], "<=", 1)])
def test_rows_of_forall_are_no_antecedents_beside_scenarios(own: tuple[AtMost, ...]) -> None:
    one = replace(program(U, X, rows=[([(1, 1)], ">=", 0)]), own=own)
    assert reason(one, rows(2), scenarios=((0,),)) == "clause 0: there is no row 2 in scenario 0"
    assert (ROOM if own else "there is no row 2") in reason(one, rows(2))


# What may be dropped, and what bounds are


def test_nothing_is_dropped_before_the_last_variable_of_exists_in_the_clause() -> None:
    one = program(X, U, Y, rows=[([(0, 1), (1, 1), (2, 1)], "<=", 0)])
    clause = Clause((Literal(0, True, 0), Literal(2, True, 0)), (FromRow(1),), (Literal(1, True, 0),))
    assert reason(one, clause) == "clause 0: variable 1 cannot be dropped"
    swapped = replace(clause, literals=clause.literals[::-1])
    assert reason(one, swapped) == "clause 0: variable 1 cannot be dropped"
    assert reason(one, replace(clause, literals=clause.literals[:1])) == "the last clause is not empty"


@pytest.mark.parametrize("other", [(), (Literal(0, True, 1),)])
def test_only_integers_have_bounds_in_a_clause(other: tuple[Literal, ...]) -> None:
    """Two continuous variables in a row, so that whole numbers are not enough for them."""
    one = program(X, Z, replace(Z, name="v"), rows=[([(0, 1), (1, 1), (2, 1)], "<=", 0)])
    for number in (1, 2):
        clause = Clause((*other, Literal(number, True, 0)), (FromRow(1),))
        assert reason(one, clause) == f"clause 0: variable {number} is not an integer"


# Rows


BIG = replace(X, upper=Fraction(3))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (([(0, 2), (1, 3)], "<=", 5), ([(0, 1)], ">=", 3)),
        (([(0, -2), (1, 3)], "<=", -1), ([(0, 1)], "<=", 0)),
    ],
)
def test_a_row_bounds_its_variables(first: tuple[Terms, str, Number], second: tuple[Terms, str, Number]) -> None:
    """Twice x is at most 5, so that x is at most 2; and the same from above."""
    one = program(BIG, Y, rows=[first, second])
    assert not reason(one, rows(1, 2))
    assert ROOM in reason(one, rows(1))
    assert ROOM in reason(one, rows(2))


SMALL = replace(Z, upper=HALF)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (([(0, -1), (1, -1)], "<=", -3), ([(0, 1)], "<=", 2)),
        (([(0, 1), (1, 1)], "<=", 1), ([(0, 1)], ">=", 2)),
        (([(0, -2), (1, -1)], "<=", -5), ([(0, 1)], "<=", 2)),
        (([(0, 2), (1, 1)], "<=", 3), ([(0, 1)], ">=", 2)),
        (([(0, 1), (1, -1)], "<=", 1), ([(0, 1)], ">=", 2)),
    ],
)
def test_a_row_with_a_continuous_variable_bounds_the_others(
    first: tuple[Terms, str, Number], second: tuple[Terms, str, Number]
) -> None:
    """The continuous variable is between 0 and one half."""
    one = program(BIG, SMALL, rows=[first, second])
    assert not reason(one, rows(1, 2))
    assert ROOM in reason(one, rows(1))
    assert ROOM in reason(one, rows(2))


def test_a_row_with_a_continuous_variable_is_broken_by_any_amount() -> None:
    assert not reason(program(BIG, SMALL, rows=[([(0, 1), (1, 1)], "<=", Fraction(-1, 4))]), rows(1))
    assert ROOM in reason(program(BIG, SMALL, rows=[([(0, 1), (1, 1)], "<=", 0)]), rows(1))
    goal = replace(program(BIG, SMALL, rows=[]), goal=((0, Fraction(1)), (1, Fraction(1))))
    assert not reason(goal, rows(0), value=0)
    assert ROOM in reason(goal, rows(0), value=1)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (([(0, 1), (1, 1)], "<=", 1), ([(0, 1)], ">=", 1)),
        (([(0, -1), (1, -1)], "<=", -2), ([(0, 1)], "<=", 2)),
    ],
)
def test_a_row_with_a_continuous_variable_bounds_the_others_no_more_than_it_says(
    first: tuple[Terms, str, Number], second: tuple[Terms, str, Number]
) -> None:
    """x is 1, or 2."""
    assert ROOM in reason(program(BIG, SMALL, rows=[first, second]), rows(1, 2, 1, 2))


# Sums


def test_a_sum_contradicts_itself_only_if_it_does() -> None:
    one = program(X, rows=[([(0, 1)], ">=", 1), ([(0, 1)], "<=", 0), ([(0, 1)], "<=", 1)])
    assert not reason(one, added((1, 1), (2, 1)))
    assert not reason(one, added((1, HALF), (2, HALF)))
    assert ROOM in reason(one, added((1, 1), (3, 1)))
    assert ROOM in reason(one, added((1, 0), (2, 0)))


def test_a_sum_with_the_objective_is_less_than_its_right_side() -> None:
    """The objective x is to be less than 0; rows say that x is 0."""
    one = replace(program(X, rows=[([(0, 1)], ">=", 0), ([(0, 1)], "<=", 0)]), goal=((0, Fraction(1)),))
    assert not reason(one, added((0, 1), (1, 1)), value=0)
    assert not reason(one, added((1, 1), (0, 1)), value=0)
    assert not reason(one, added((0, HALF), (1, HALF)), value=0)
    assert ROOM in reason(one, added((0, 0), (1, 1), (2, 1)), value=0)
    assert ROOM in reason(one, added((1, 1), (2, 1)), value=0)


def test_a_sum_with_a_continuous_objective_is_less_than_its_right_side() -> None:
    """As before, of z; a sum of integers would be less by one."""
    one = replace(program(SMALL, rows=[([(0, 1)], ">=", 0), ([(0, 1)], "<=", 0)]), goal=((0, Fraction(1)),))
    assert not reason(one, added((0, 1), (1, 1)), value=0)
    assert not reason(one, added((1, 1), (0, 1)), value=0)
    assert not reason(one, added((0, HALF), (1, HALF)), value=0)
    assert ROOM in reason(one, added((0, 0), (1, 1), (2, 1)), value=0)
    assert ROOM in reason(one, added((1, 1), (2, 1), (0, 0)), value=0)


def test_right_sides_are_rounded_where_all_variables_are_integers() -> None:
    """Twice the sum of two variables is 3: not of integers, but of others."""
    parity: list[tuple[Terms, str, Number]] = [([(0, 2), (1, 2)], "=", 3)]
    assert not reason(program(BIG, BIG, rows=parity), added((1, 1), (2, 1)))
    assert ROOM in reason(program(BIG, replace(Z, upper=Fraction(5, 2)), rows=parity), added((1, 1), (2, 1)))


# Continuous variables for which whole numbers are enough


def test_whole_numbers_are_enough_for_continuous_variables_alone() -> None:
    for variables in ((Z,), (Z, replace(Z, name="v"))):
        last = len(variables) - 1
        one = program(*variables, rows=[([(last, 1)], ">=", 2)])
        zero = Clause((Literal(last, True, 0),), (FromRow(1),))
        assert reason(one, zero) == "the last clause is not empty"
        assert not reason(one, zero, Clause((), (FromClause(0), FromRow(1))))


def test_whole_numbers_are_not_enough_for_a_continuous_variable_before_integers() -> None:
    """Twice z is 1."""
    for variables in ((Z, X, replace(Z, name="v")), (Z, X, Y, replace(Z, name="v"))):
        one = program(*variables, rows=[([(0, 2)], "=", 1)])
        assert ROOM in reason(one, rows(1, 2))
        assert ROOM in reason(one, added((1, 1), (2, 1)))
