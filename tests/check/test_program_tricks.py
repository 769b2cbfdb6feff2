"""Forged proofs about programs, one trick each: ranges, several scenarios, variables without bounds, mixed lines."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from zermelo.check.program import check_proof
from zermelo.check.quantified import AtMost, QuantifiedProgram, Role, Variable, at_most
from zermelo.check.steps import END, Branch, Case, Choose, Proof, Refute, Scenario

Node = Choose | Branch | Refute
HALF = Fraction(1, 2)


def integer(name: str, role: Role, low: int = 0, high: int = 1) -> Variable:
    return Variable(name, role, True, Fraction(low), Fraction(high))


def free(name: str) -> Variable:
    """A continuous variable of ``exists`` without bounds."""
    return Variable(name, "exists", False, None, None)


def program(*variables: Variable, rows: list[tuple[list[tuple[int, int]], Fraction | int]]) -> QuantifiedProgram:
    """Rows as terms and what these add up to at the most."""
    made: list[AtMost] = []
    for terms, right in rows:
        made += at_most(terms, "<=", right)
    return QuantifiedProgram(variables, tuple(made))


def reason(program: QuantifiedProgram, owner: Role, value: Fraction | int | None, *nodes: Node) -> str:
    """Why a proof is refuted; nothing if it is accepted."""
    verdict = check_proof(program, Proof(owner, None if value is None else Fraction(value), nodes))
    assert verdict.status == ("refuted" if verdict.reason else "accepted")
    return verdict.reason


X, U = integer("x", "exists"), integer("u", "forall")


@pytest.mark.parametrize(("coefficient", "right"), [(1, 0), (-1, -1), (2, 1), (-2, -1)])
def test_a_range_of_values_contradicts_a_row_only_if_each_of_them_does(coefficient: int, right: int) -> None:
    refute = Refute(1, (Scenario((), {1: 1}),))
    one = program(X, rows=[([(0, coefficient)], right)])
    assert "no contradiction" in reason(one, "forall", None, refute, Branch(0, (Case(0, 1, 0),)))
    worse = program(X, rows=[([(0, coefficient)], right - abs(coefficient))])
    assert not reason(worse, "forall", None, refute, Branch(0, (Case(0, 1, 0),)))


@pytest.mark.parametrize(("coefficient", "right"), [(1, 0), (-1, -1), (2, 1), (-2, -1)])
def test_a_range_of_values_keeps_a_row_only_if_each_of_them_does(coefficient: int, right: int) -> None:
    one = program(U, rows=[([(0, coefficient)], right)])
    assert "row 1 may come to" in reason(one, "exists", 0, Branch(0, (Case(0, 1),)))
    easier = program(U, rows=[([(0, coefficient)], right + abs(coefficient))])
    assert not reason(easier, "exists", 0, Branch(0, (Case(0, 1),)))


def test_copies_of_a_variable_in_two_scenarios_have_values_of_their_own() -> None:
    """x is to be u: at most 0 where u is 0, at least 1 where u is 1, and these contradict each other in one x only."""
    rows = [([(1, 1), (0, -1)], 0), ([(1, -1), (0, 1)], 0)]
    scenarios = (Scenario((0,), {1: 1}), Scenario((1,), {2: 1}))
    late = program(U, X, rows=rows)
    assert "no contradiction" in reason(late, "forall", None, Refute(0, scenarios))
    early = program(X, U, rows=[([(0, 1), (1, -1)], 0), ([(0, -1), (1, 1)], 0)])
    assert not reason(early, "forall", None, Refute(0, scenarios))
    halves = (Scenario((0,), {1: HALF}), Scenario((1,), {1: HALF}))
    assert "no contradiction" in reason(program(U, X, rows=[([(1, 1)], 0)]), "forall", None, Refute(0, halves))


@pytest.mark.parametrize(
    ("rows", "scenarios"),
    [
        ([([(0, -1), (1, -2)], -1), ([(0, 1), (1, 1)], 0)], (Scenario((), {1: 1}), Scenario((0,), {2: 2}))),
        ([([(0, 2), (1, -2)], -1), ([(1, 2)], -1)], (Scenario((), {2: 1}), Scenario((1,), {1: 1}))),
        ([([(0, 1), (1, -2)], -2), ([(1, 2)], 1)], (Scenario((), {2: 1}), Scenario((1,), {1: 2}))),
    ],
)
def test_a_scenario_without_choices_beside_one_with_some_is_another_line(
    rows: list[tuple[list[tuple[int, int]], Fraction | int]], scenarios: tuple[Scenario, ...]
) -> None:
    assert "no contradiction" in reason(program(X, U, rows=rows), "forall", None, Refute(0, scenarios))


# Variables without bounds


def test_a_variable_without_bounds_that_was_left_open_contradicts_nothing() -> None:
    one = program(free("z"), X, rows=[([(0, 1), (1, 1)], -1)])  # z may be -2
    left = "z has no bound to contradict"
    assert left in reason(one, "forall", None, Refute(1, (Scenario((), {1: 1}),)))
    assert left in reason(one, "forall", None, Refute(0, (Scenario((), {1: 1}),)))
    assert left in reason(one, "forall", None, Refute(2, (Scenario((), {1: 1}),)), Branch(1, (Case(0, 1, 0),)))


def test_a_variable_without_bounds_may_cancel_out() -> None:
    """z + x is at most 0 and z at least x + 1."""
    one = program(free("z"), X, rows=[([(0, 1), (1, 1)], 0), ([(0, -1), (1, 1)], -1)])
    for at in (0, 1):
        assert not reason(one, "forall", None, Refute(at, (Scenario((), {1: 1, 2: 1}),)))
    # z is at most u - 1 and at least 0.
    two = program(free("z"), U, rows=[([(0, 1), (1, -1)], -1), ([(0, -1)], 0)])
    assert not reason(two, "forall", None, Refute(0, (Scenario((0,), {1: 1, 2: 1}),)))
    assert "no contradiction" in reason(two, "forall", None, Refute(0, (Scenario((1,), {1: 1, 2: 1}),)))


@pytest.mark.parametrize("bounds", [(None, None), (None, Fraction(1)), (Fraction(0), None)])
def test_no_cases_cover_a_variable_without_bounds(bounds: tuple[Fraction | None, Fraction | None]) -> None:
    z = Variable("z", "exists", False, *bounds)
    one = program(z, X, rows=[([(1, 1)], -1)])
    branch = Branch(0, (Case(0, 1, 0),))
    assert "no cases cover z" in reason(one, "forall", None, Refute(1, (Scenario((), {1: 1}),)), branch)


def test_a_variable_without_bounds_gets_a_value_in_every_line() -> None:
    """z is to be three times u."""
    one = program(U, free("z"), rows=[([(1, 1), (0, -3)], 0), ([(1, -1), (0, 3)], 0)])
    two = (Choose(1, (0,), END), Choose(1, (3,), END), Branch(0, (Case(0, 0, 0), Case(1, 1, 1))))
    assert not reason(one, "exists", 0, *two)
    assert "row 2 may come to 3" in reason(one, "exists", 0, two[0], two[1], Branch(0, (Case(0, 0, 0), Case(1, 1, 0))))
    assert "row 1 may come to 3" in reason(one, "exists", 0, two[0], two[1], Branch(0, (Case(0, 0, 1), Case(1, 1, 1))))
    for branch in (Branch(0, (Case(0, 0), Case(1, 1, 1))), Branch(0, (Case(0, 1),))):
        assert "z is left open and has no bounds" in reason(one, "exists", 0, two[0], two[1], branch)
    assert "z is left open and has no bounds" in reason(one, "exists", 0)
    goal = replace(one, goal=((1, Fraction(1)),))
    assert not reason(goal, "exists", 3, *two)
    assert "row 0 may come to 3" in reason(goal, "exists", 2, *two)


@pytest.mark.parametrize(
    ("one", "other", "right"), [(3, 1, 2), (1, 3, 2), (0, 1, 0), (1, 0, 0), (-1, 0, -1), (0, -1, -1)]
)
def test_the_largest_of_the_values_counts(one: int, other: int, right: int) -> None:
    two = program(U, free("z"), rows=[([(1, 1)], right)])
    nodes = (Choose(1, (one,), END), Choose(1, (other,), END), Branch(0, (Case(0, 0, 0), Case(1, 1, 1))))
    assert f"row 1 may come to {max(one, other)}" in reason(two, "exists", 0, *nodes)
    assert not reason(program(U, free("z"), rows=[([(1, 1)], max(one, other))]), "exists", 0, *nodes)


@pytest.mark.parametrize("values", [(1, HALF), (HALF, 1)])
def test_the_largest_part_of_a_range_counts(values: tuple[Fraction | int, ...]) -> None:
    two = program(U, replace(X, integer=False), rows=[([(1, 1)], HALF)])
    nodes = (Choose(1, values[:1], END), Choose(1, values[1:], END), Branch(0, (Case(0, 0, 0), Case(1, 1, 1))))
    assert "row 1 may come to 1" in reason(two, "exists", 0, *nodes)


def test_a_variable_without_bounds_before_the_first_step_is_left_open() -> None:
    one = program(free("z"), X, rows=[([(0, 1), (1, 1)], 0)])
    assert "z is left open and has no bounds" in reason(one, "exists", 0, Choose(1, (0,), END))
    assert not reason(one, "exists", 0, Choose(0, (-1, 0), END))
    assert not reason(one, "exists", 0, Choose(1, (1,), END), Choose(0, (-1,), 0))
    assert "z is left open and has no bounds" in reason(one, "exists", 0, Choose(1, (1,), END), Choose(0, (), 0))


# Cases


def test_a_case_begins_and_ends_within_the_bounds_and_at_whole_numbers() -> None:
    one = program(U, rows=[])
    assert "u = -1 is not within its bounds" in reason(one, "exists", 0, Branch(0, (Case(-1, 1),)))
    assert "u = 2 is not within its bounds" in reason(one, "exists", 0, Branch(0, (Case(0, 2),)))
    assert "u = 1/2 is not a whole number" in reason(one, "exists", 0, Branch(0, (Case(0, 0), Case(HALF, 1))))
    assert "u = 1/2 is not a whole number" in reason(one, "exists", 0, Branch(0, (Case(0, HALF), Case(1, 1))))


def test_a_continuous_variable_of_one_value_needs_a_case_too() -> None:
    one = program(replace(U, integer=False, lower=Fraction(1)), rows=[([(0, 1)], 0)])
    assert "no case of u = 1 or just above" in reason(one, "exists", 0, Branch(0, ()))
    assert "row 1 may come to 1" in reason(one, "exists", 0, Branch(0, (Case(1, 1),)))


def test_cases_of_a_continuous_variable_meet() -> None:
    one = program(replace(U, integer=False), rows=[])
    integral = replace(one, variables=(*one.variables, X))  # so that lines cannot be mixed
    assert not reason(integral, "exists", 0, Branch(0, (Case(HALF, 1), Case(0, HALF))))
    apart = Branch(0, (Case(0, HALF), Case(Fraction(2, 3), 1)))
    assert "no case of u = 1/2 or just above" in reason(integral, "exists", 0, apart)
    assert "no case of u = 2/3 or just above" in reason(integral, "exists", 0, Branch(0, (Case(0, Fraction(2, 3)),)))


TWO = integer("u", "forall", 0, 2)
Y = Variable("y", "exists", False, Fraction(0), Fraction(9))


def ends(*cases: tuple[int, int]) -> tuple[Node, ...]:
    """y is what u is, in these cases."""
    steps = [Choose(2, (value,), END) for value, _ in cases]
    return (*steps, Branch(1, tuple(Case(u, u, step) for step, (_, u) in enumerate(cases))))


def mixed(*last: Variable) -> QuantifiedProgram:
    """The last variable is to be u at least, and as small as can be."""
    place = 1 + len(last)
    made = program(X, TWO, *last, rows=[([(1, 1), (place, -1)], 0)])
    return replace(made, goal=((place, Fraction(1)),))


def test_where_later_variables_are_continuous_the_two_ends_are_enough() -> None:
    assert not reason(mixed(Y), "exists", 2, *ends((0, 0), (2, 2)))
    assert "row 0 may come to 2" in reason(mixed(Y), "exists", 1, *ends((0, 0), (2, 2)))
    for some in (((0, 0),), ((2, 2),), ((0, 0), (1, 1)), ((1, 1), (2, 2)), ((1, 1),)):
        assert "no case of u =" in reason(mixed(Y), "exists", 2, *ends(*some))


def test_integers_behind_and_rows_of_forall_ask_for_all_values() -> None:
    both = ends((0, 0), (2, 2))
    assert "no case of u = 1" in reason(mixed(replace(Y, integer=True)), "exists", 2, *both)
    nodes = tuple(replace(n, values=(0, *n.values)) if isinstance(n, Choose) else n for n in both)
    assert "no case of u = 1" in reason(mixed(integer("i", "exists"), Y), "exists", 2, *nodes)
    own = replace(mixed(Y), own=at_most([(1, 1)], "<=", 9))
    assert "no case of u = 1" in reason(own, "exists", 2, *both)
    assert not reason(replace(own, own=at_most([(1, 1)], "<=", 9)[:0]), "exists", 2, *both)


# What is said


@pytest.mark.parametrize("maximise", [False, True])
def test_amounts_of_the_objective_are_told_in_the_normal_form(maximise: bool) -> None:
    """The objective is 5 + 5/2 x, or 5 - 5/2 x where more is better: row 0 says that 5/2 x is at most 2."""
    coefficient = Fraction(-5 if maximise else 5, 2)
    one = QuantifiedProgram((X,), goal=((0, coefficient),), constant=Fraction(5), maximise=maximise)
    said = "row 0 may come to 5/2, the limit is 2"
    assert said in reason(one, "exists", 3 if maximise else 7, Choose(0, (1,), END))


def test_rows_that_are_not_kept_are_told_by_number_and_owner() -> None:
    row = at_most([(0, Fraction(1, 3))], "<=", Fraction(1, 4))
    assert reason(QuantifiedProgram((X,), row), "exists", 0) == "node 0: row 1 may come to 1/3, the limit is 1/4"
    own = QuantifiedProgram(
        (U, X), at_most([(1, 1)], ">=", 2), own=at_most([(0, Fraction(1, 3))], "<=", Fraction(1, 4))
    )
    refute = Refute(0, (Scenario((1,), {1: 1}),))
    assert reason(own, "forall", None, refute) == "node 0: row 0 of forall may come to 1/3, the limit is 1/4"
    assert not reason(own, "forall", None, Refute(0, (Scenario((0,), {1: 1}),)))
    better = replace(own, maximise=True, constant=Fraction(5), goal=((1, Fraction(1)),))
    assert reason(better, "forall", None, refute) == "node 0: row 0 of forall may come to 1/3, the limit is 1/4"
    best = QuantifiedProgram((X,), row, goal=((0, Fraction(1)),), constant=Fraction(5), maximise=True)
    assert reason(best, "exists", 0) == "node 0: row 1 may come to 1/3, the limit is 1/4"
