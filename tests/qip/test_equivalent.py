"""The deterministic equivalent as one mixed integer program."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from tests.qip.engines import fault
from tests.qip.mixedprograms import random_mixed_program, value_by_definition
from tests.qip.randomprograms import brute_force, random_program
from zermelo.errors import NotApplicableError
from zermelo.limits import Limits
from zermelo.qip.programs.program import Objective, Program, Row, Variable, terms
from zermelo.qip.solvers.equivalent import solve_by_equivalent


@pytest.mark.parametrize("chunk", range(6))
def test_random_programs_are_solved_with_proofs_of_both_sides(chunk: int) -> None:
    for seed in range(chunk * 40, chunk * 40 + 40):
        program = random_program(Random(f"dep {seed}"))
        assert fault(solve_by_equivalent, program, brute_force(program)) is None, seed


def test_continuous_variables_in_the_last_block() -> None:
    for seed in range(60):
        program = random_mixed_program(Random(f"mixed dep {seed}"))
        assert fault(solve_by_equivalent, program, value_by_definition(program)) is None, seed


def test_continuous_universal_variables_need_only_their_ends() -> None:
    u = Variable("u", "forall", Fraction(0), Fraction(5, 2), integer=False)
    y = Variable("y", upper=None, integer=False)
    program = Program((u, y), (Row(terms({0: 1, 1: -1}), "<=", Fraction(0)),), Objective("min", terms({1: 2})))
    assert fault(solve_by_equivalent, program, Fraction(5)) is None


def test_continuous_variables_before_universal_ones() -> None:
    x = Variable("x", upper=Fraction(4), integer=False)
    u, y = Variable("u", "forall"), Variable("y", upper=Fraction(4), integer=False)
    rows = (Row(terms({1: -1, 2: 1}), "<=", Fraction(1, 2)), Row(terms({0: 1, 2: 2}), ">=", Fraction(3, 2)))
    program = Program((x, u, y), rows, Objective("min", terms({0: 3, 2: 1})))
    assert fault(solve_by_equivalent, program, Fraction(2)) is None


def test_too_many_scenarios_are_refused_at_once() -> None:
    universal = tuple(Variable(f"u{n}", "forall") for n in range(60))
    rows = (Row(terms(dict.fromkeys(range(61), 1)), "<=", Fraction(70)),)
    with pytest.raises(NotApplicableError, match="scenarios"):
        solve_by_equivalent(Program((*universal, Variable("y")), rows))


def test_limits_leave_bounds_that_hold() -> None:
    x, u, y = Variable("x"), Variable("u", "forall"), Variable("y")
    program = Program(
        (x, u, y), (Row(terms({0: 1, 1: 1, 2: 1}), ">=", Fraction(2)),), Objective("min", terms({0: 3, 2: 1}))
    )
    answer = solve_by_equivalent(program, Limits(nodes=1))
    assert answer.status == "unknown", "the word of HiGHS is no answer"
    assert answer.bounds[1] == 4
    assert answer.cause == "nodes"
    assert "cut short" in str(answer.stats["why"])
