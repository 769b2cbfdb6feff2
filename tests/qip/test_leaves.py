"""Search over the integers with a linear program at the end of each line of play."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from tests.qip.engines import fault
from tests.qip.mixedprograms import random_mixed_program, value_by_definition
from zermelo.errors import InputError, NotApplicableError
from zermelo.limits import Limits
from zermelo.qip.programs.program import Objective, Program, Row, Variable, terms
from zermelo.qip.solvers.leaves import solve_by_leaves


@pytest.mark.parametrize("chunk", range(4))
def test_random_programs_with_a_continuous_last_block_are_solved_with_proofs_of_both_sides(chunk: int) -> None:
    for seed in range(chunk * 100, chunk * 100 + 100):
        program = random_mixed_program(Random(f"leaf {seed}"))
        assert fault(solve_by_leaves, program, value_by_definition(program)) is None, seed


def test_programs_of_integers_alone_are_left_to_others() -> None:
    with pytest.raises(NotApplicableError, match="all are integers"):
        solve_by_leaves(Program((Variable("x"),)))


def test_a_limit_leaves_bounds() -> None:
    variables = [Variable(f"{'xu'[n % 2]}{n}", "forall" if n % 2 else "exists") for n in range(24)]
    z = Variable("z", upper=Fraction(1000), integer=False)
    rows = [Row(terms({**{n: (n * 7) % 11 + 1 for n in range(24)}, 24: -3}), "<=", Fraction(0))]
    program = Program((*variables, z), tuple(rows), Objective("min", terms({24: 1, 2: -1})))
    answer = solve_by_leaves(program, Limits(nodes=300))
    assert answer.status == "unknown" and answer.cause == "nodes"


def test_an_objective_without_end_is_refused() -> None:
    z = Variable("z", upper=None, integer=False)
    with pytest.raises(InputError, match="unbounded"):
        solve_by_leaves(Program((Variable("x"), z), (), Objective("max", terms({1: 1}))))
