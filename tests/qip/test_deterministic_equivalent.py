"""The deterministic equivalent says what the quantified program says."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import highspy
import pytest

from tests.qip.randomprograms import INFEASIBLE, LAWLESS, brute_force, random_program
from zermelo.errors import InputError, LimitReachedError
from zermelo.qip.programs.deterministic_equivalent import Equivalent, deterministic, size
from zermelo.qip.programs.program import Objective, Program, Row, Variable, minimised, terms
from zermelo.qip.programs.scenarios import scenario_tree

INFINITY = highspy.kHighsInf


def optimum(equivalent: Equivalent) -> float | None:
    """By HiGHS; the numbers are small, so that rounding does no harm."""
    if any(not line.terms for line in equivalent.rows):
        return None
    solver = highspy.Highs()
    solver.silent()
    for column in equivalent.columns:
        low = -INFINITY if column.lower is None else float(column.lower)
        solver.addVar(low, INFINITY if column.upper is None else float(column.upper))
        if column.integer:
            solver.changeColIntegrality(solver.getNumCol() - 1, highspy.HighsVarType.kInteger)
    for line in equivalent.rows:
        low = -INFINITY if line.relation == "<=" else float(line.right)
        high = INFINITY if line.relation == ">=" else float(line.right)
        solver.addRow(low, high, len(line.terms), [n for n, _ in line.terms], [float(c) for _, c in line.terms])
    for column_number, coefficient in equivalent.objective:
        solver.changeColCost(column_number, float(coefficient))
    if equivalent.sense == "max":
        solver.changeObjectiveSense(highspy.ObjSense.kMaximize)
    solver.run()
    if solver.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
        return None
    assert solver.getModelStatus() in (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kModelEmpty)
    return solver.getInfo().objective_function_value + float(equivalent.constant)


@pytest.mark.parametrize("seed", range(8))
def test_has_the_value_of_the_definition(seed: int) -> None:
    chance = Random(seed)
    for _ in range(30):
        program = random_program(chance)
        expected = brute_force(program)
        if expected == LAWLESS:
            with pytest.raises(InputError, match="cannot keep his own rows"):
                deterministic(program)
            continue
        equivalent = deterministic(program)
        assert size(program).columns == len(equivalent.columns)
        found = optimum(equivalent)
        if expected == INFEASIBLE:
            assert found is None, program
        else:
            assert found is not None and not isinstance(expected, str)
            assert found == pytest.approx(float(expected)), program


def test_some_scenarios_give_an_optimistic_bound() -> None:
    chance = Random(5)
    for _ in range(60):
        program = random_program(chance, uncertainty=False)
        expected = brute_force(program)
        tree = scenario_tree(program)
        every = tree.prefixes(len(tree.universals))
        some = chance.sample(every, chance.randint(1, len(every)))
        found = optimum(deterministic(program, some))
        if not isinstance(expected, str):
            sign = minimised(program)
            assert found is not None
            assert sign * found <= sign * float(expected) + 1e-9


def test_copies_are_shared_by_lines_that_are_the_same_so_far() -> None:
    x, u, y, w, z = (
        Variable("x"),
        Variable("u", "forall"),
        Variable("y"),
        Variable("w", "forall", upper=Fraction(2)),
        Variable("z"),
    )
    rows = (Row(terms({0: 1, 1: 1, 2: 1, 3: 1, 4: 1}), "<=", Fraction(4)),)
    equivalent = deterministic(Program((x, u, y, w, z), rows))
    assert [len([c for c in equivalent.columns if c.variable == n]) for n in (0, 2, 4)] == [1, 2, 6]
    assert len(equivalent.rows) == 6


def test_universals_that_nobody_reacts_to_cost_nothing() -> None:
    later = tuple(Variable(f"u{n}", "forall", Fraction(-1), Fraction(1)) for n in range(40))
    row = Row(terms({0: 1, **{n: (-1) ** n for n in range(1, 41)}}), "<=", Fraction(41))
    equivalent = deterministic(Program((Variable("x"), *later), (row,), Objective("max", terms({0: 1}))))
    assert len(equivalent.tree.prefixes(40)) == 1
    assert equivalent.rows[1].right == 1
    assert [int(value) for value in equivalent.rows[1].choices] == [-1, 1] * 20


def test_ends_are_enough_where_later_existential_variables_are_continuous() -> None:
    u = Variable("u", "forall", upper=Fraction(9))
    y = Variable("y", upper=Fraction(9), integer=False)
    row = Row(terms({0: 1, 1: -1}), "=", Fraction(0))
    assert len(deterministic(Program((u, y), (row,))).columns) == 2
    own = Row(terms({0: 1}), "<=", Fraction(7))
    assert len(deterministic(Program((u, y), (row,), uncertainty=(own,))).columns) == 8


def test_an_equation_that_a_later_universal_shifts_cannot_hold() -> None:
    row = Row(terms({0: 1, 1: 1}), "=", Fraction(1))
    equivalent = deterministic(Program((Variable("x"), Variable("u", "forall")), (row,)))
    assert [(line.relation, int(line.right)) for line in equivalent.rows] == [("<=", 0), (">=", 1)]


def test_a_row_without_existential_variables_stays_only_where_it_can_be_broken() -> None:
    u = Variable("u", "forall")
    for right, expected in ((1, 0), (0, 1)):
        assert len(deterministic(Program((u,), (Row(terms({0: 1}), "<=", Fraction(right)),))).rows) == expected


def test_too_large_is_said_with_its_size_before_anything_is_written() -> None:
    universal = tuple(Variable(f"u{n}", "forall") for n in range(64))
    rows = (Row(terms(dict.fromkeys(range(65), 1)), "<=", Fraction(60)),)
    with pytest.raises(LimitReachedError, match=str(2**64)):
        deterministic(Program((*universal, Variable("y")), rows))


def test_scenarios_that_are_no_play_are_refused() -> None:
    u, w, y = Variable("u", "forall"), Variable("w", "forall"), Variable("y")
    program = Program((u, w, y), (), Objective(), (Row(terms({0: 1, 1: 1}), "<=", Fraction(1)),))
    for scenario, said in (((0,), "1 choices"), ((0, 2), "not one of its values"), ((1, 1), "no way to keep")):
        with pytest.raises(InputError, match=said):
            deterministic(program, [scenario])
