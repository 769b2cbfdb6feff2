"""Quantified linear programs: exact values, policies for all lines of play, multipliers that rule out better ones."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from random import Random

import pytest

from tests.qip.checking import check_proof
from tests.qip.randomlinear import random_linear_program
from tests.qip.randomprograms import LAWLESS, brute_force, random_program
from zermelo.errors import InputError, NotApplicableError
from zermelo.limits import Limits
from zermelo.progress import Progress
from zermelo.qip.decomposition.cuts import Node
from zermelo.qip.decomposition.linear_engine import solve_linear
from zermelo.qip.decomposition.stage_program import FloatStage, StalledError
from zermelo.qip.exact_lp import mip
from zermelo.qip.exact_lp.lp import solve_exact
from zermelo.qip.programs.deterministic_equivalent import deterministic, size
from zermelo.qip.programs.program import Objective, Program, Row, Variable, minimised, terms
from zermelo.qip.solvers.solver_answer import Answer


def continuous(name: str, lower: int | None = 0, upper: int | None = 1, quantifier: str = "exists") -> Variable:
    low, high = (None if bound is None else Fraction(bound) for bound in (lower, upper))
    return Variable(name, "exists" if quantifier == "exists" else "forall", low, high, False)


def need_proofs(program: Program, answer: Answer) -> None:
    """Both sides of the answer are proved: nothing is left to compare."""
    assert answer.status in ("optimal", "infeasible")
    assert (answer.value is None) == (answer.exists is None) == (answer.status == "infeasible")
    assert answer.forall is not None and answer.forall.value == answer.value
    verdict = check_proof(program, answer.forall)
    assert verdict.status == "accepted", (program, verdict)
    if answer.exists is not None:
        assert answer.exists.value == answer.value
        verdict = check_proof(program, answer.exists)
        assert verdict.status == "accepted", (program, verdict)


@pytest.mark.parametrize("seed", range(10))
def test_random_programs_have_values_with_both_proofs(seed: int) -> None:
    chance = Random(seed)
    for _ in range(40):
        program = random_linear_program(chance)
        try:
            answer = solve_linear(program)
        except InputError as error:
            assert "cannot keep his own rows" in str(error)
            continue
        need_proofs(program, answer)


def test_random_programs_with_open_bounds_have_proofs_or_no_limit() -> None:
    chance, unbounded = Random(17), 0
    for _ in range(150):
        program = random_linear_program(chance, open_bounds=True)
        try:
            need_proofs(program, solve_linear(program))
        except InputError as error:
            unbounded += "the objective is unbounded" in str(error)
    assert unbounded > 3


def test_relaxing_integers_is_never_worse() -> None:
    chance, compared = Random(23), 0
    for _ in range(80):
        program = random_program(chance)
        expected = brute_force(program)
        if expected == LAWLESS:
            continue
        relaxed = Program(
            tuple(
                Variable(v.name, v.quantifier, v.lower, v.upper, v.quantifier == "forall") for v in program.variables
            ),
            program.rows,
            program.objective,
            program.uncertainty,
        )
        answer = solve_linear(relaxed)
        if not isinstance(expected, str):
            assert answer.value is not None
            assert minimised(program) * answer.value <= minimised(program) * expected
            compared += 1
    assert compared > 20


decomposed = partial(solve_linear, written_out=-1)
"""Nothing is small enough to be written out."""


@pytest.mark.parametrize("seed", range(8))
def test_decomposed_programs_have_values_with_both_proofs(seed: int) -> None:
    chance = Random(100 + seed)
    for _ in range(30):
        program = random_linear_program(chance, open_bounds=seed % 4 == 0)
        try:
            answer = decomposed(program)
        except InputError as error:
            assert "cannot keep his own rows" in str(error) or "unbounded" in str(error)
            continue
        need_proofs(program, answer)


@pytest.mark.parametrize("seed", range(4))
def test_both_ways_agree_on_larger_programs(seed: int) -> None:
    chance = Random(200 + seed)
    for _ in range(5):
        program = random_linear_program(chance, 14, 9, 7)
        if isinstance(answer := answer_or_error(program), str):
            continue
        other = decomposed(program)
        assert (other.status, other.value) == (answer.status, answer.value)
        need_proofs(program, other)


def answer_or_error(program: Program) -> Answer | str:
    try:
        return solve_linear(program, written_out=10**9)
    except InputError as error:
        return str(error)


def test_answers_do_not_depend_on_what_floating_point_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    def stalls(stage: FloatStage, node: Node) -> None:
        raise StalledError("nothing works today")

    programs = [random_linear_program(Random(seed), 9, 7) for seed in range(300, 340)]
    expected = [answer_or_error(program) for program in programs]
    monkeypatch.setattr(FloatStage, "solve", stalls)
    for program, answer in zip(programs, expected, strict=True):
        if isinstance(answer, Answer):
            other = decomposed(program)
            assert (other.status, other.value) == (answer.status, answer.value)
            need_proofs(program, other)


def supply(periods: int) -> Program:
    """Orders before demand is known, stock or shortage after: a choice of two for each period."""
    variables, rows, cost = list[Variable](), list[Row](), dict[int, int]()
    for period in range(periods):
        order, demand, stock, shortage = range(4 * period, 4 * period + 4)
        variables += [continuous(f"order{period}", 0, 20), continuous(f"demand{period}", period % 4, 9, "forall")]
        variables += [continuous(f"stock{period}", 0, 40), continuous(f"short{period}", 0, 40)]
        flow = {stock: 1, shortage: -1, order: -1, demand: 1}
        if period:
            flow.update({stock - 4: -1, shortage - 4: 1})
        rows.append(Row(terms(flow), "=", Fraction(0 if period else 5)))
        cost.update({order: 2 + period % 3, stock: 1 + period % 2, shortage: 7 + period % 5})
    return Program(tuple(variables), tuple(rows), Objective("min", terms(cost)))


def test_cuts_and_policies_are_shared_by_lines_of_play() -> None:
    program = supply(14)
    assert size(program).scenarios == 2**14
    answer = solve_linear(program)
    need_proofs(program, answer)
    assert answer.nodes < 2**13
    assert answer.exists is not None and len(answer.exists.nodes) < 2**11


def test_the_bounds_that_are_shown_enclose_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[Progress]()
    monkeypatch.setattr(mip, "_SHOW", 0.0)
    for sense in (1, -1):
        base = supply(8)
        goal = Objective("min" if sense > 0 else "max", terms((n, sense * c) for n, c in base.objective.terms))
        answer = decomposed(Program(base.variables, base.rows, goal), watch=seen.append)
        assert answer.value is not None
        near = Fraction(1, 100)
        assert all(show.bounds[0] - near <= answer.value <= show.bounds[1] + near for show in seen)
        seen.clear()


def test_a_limit_of_nodes_and_an_interrupt_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(progress: Progress) -> None:
        raise KeyboardInterrupt

    assert decomposed(supply(9), Limits(nodes=20)).cause == "nodes"
    monkeypatch.setattr(mip, "_SHOW", 0.0)
    assert decomposed(supply(9), watch=interrupt).cause == "interrupt"


def test_a_bound_that_was_proved_is_reported_at_a_limit() -> None:
    program = supply(9)
    whole = decomposed(program)
    assert whole.value is not None
    answer = decomposed(program, Limits(nodes=whole.nodes - 1))
    assert answer.status == "unknown"
    assert answer.bounds[0] is not None and answer.bounds[0] <= whole.value


def test_what_lies_between_the_ends_is_never_worse() -> None:
    chance, compared = Random(31), 0
    for _ in range(120):
        program = random_linear_program(chance)
        if program.uncertainty or isinstance(answer := answer_or_error(program), str) or answer.value is None:
            continue
        lines = [
            [
                chance.randint(int(v.lower or 0), int(v.upper or 0)) if v.integer else inner(chance, v)
                for v in program.variables
                if v.quantifier == "forall"
            ]
            for _ in range(3)
        ]
        some, sign = deterministic(program, lines), minimised(program)
        goal = tuple((column, sign * coefficient) for column, coefficient in some.objective)
        found = solve_exact(some.columns, some.rows, goal).value
        assert found is not None
        assert found + sign * some.constant <= sign * answer.value
        compared += 1
    assert compared > 30


def inner(chance: Random, variable: Variable) -> Fraction:
    low, high = variable.lower or Fraction(0), variable.upper or Fraction(0)
    return low + (high - low) * Fraction(chance.randint(0, 7), 7)


def three_variables(integer: bool) -> Program:
    """The example of Ederer, Lorenz, Opfer and Wolf, section 2.2."""
    variables = (
        Variable("x1", "forall", Fraction(-1), Fraction(0), integer),
        Variable("x2", "forall", Fraction(0), Fraction(1), integer),
        Variable("x3", "exists", Fraction(-2), Fraction(2), False),
    )
    matrix = ((10, -4, 2, 0), (10, 4, -2, 4), (-10, 4, 1, 12), (-10, -4, -1, 8))
    rows = tuple(Row(terms({0: a, 1: b, 2: c}), "<=", Fraction(right)) for a, b, c, right in matrix)
    return Program(variables, rows)


@pytest.mark.parametrize("integer", [True, False])
def test_the_example_with_three_variables_is_feasible(integer: bool) -> None:
    program = three_variables(integer)
    answer = solve_linear(program)
    assert answer.status == "optimal" and answer.value == 0
    need_proofs(program, answer)


def test_the_answer_to_minus_one_lies_on_a_segment() -> None:
    # The paper: where x1 = -1, exists must answer 2 to 0 and -2 to 1; with the objective x3 the worst is 2.
    program = three_variables(False)
    for sense, value in (("min", 2), ("max", -2)):
        answer = solve_linear(
            Program(program.variables, program.rows, Objective("min" if sense == "min" else "max", terms({2: 1})))
        )
        assert answer.value == value


def test_no_rows_and_no_variables() -> None:
    empty = Program((), (), Objective("max", (), Fraction(7)))
    answer = solve_linear(empty)
    assert answer.value == 7
    need_proofs(empty, answer)


def test_a_program_without_choices_of_exists_is_decided_by_the_worst_case() -> None:
    universal = tuple(Variable(f"u{n}", "forall", integer=n % 2 == 0) for n in range(30))
    row = Row(terms(dict.fromkeys(range(30), 1)), "<=", Fraction(29))
    assert solve_linear(Program(universal, (row,))).status == "infeasible"
    loose = Program(universal, (Row(row.terms, "<=", Fraction(30)),), Objective("min", row.terms))
    answer = solve_linear(loose)
    assert answer.value == 30
    need_proofs(loose, answer)


def test_an_objective_without_limit_is_wrong_input() -> None:
    y, z = continuous("y", 0, None), continuous("z", 0, None)
    rows = (Row(terms({0: 1, 1: -1}), "<=", Fraction(2)),)
    with pytest.raises(InputError, match="the objective is unbounded: it improves for ever with y, z"):
        solve_linear(Program((y, z), rows, Objective("max", terms({0: 1}))))


def test_programs_with_integers_of_exists_are_not_taken() -> None:
    with pytest.raises(NotApplicableError, match="continuous"):
        solve_linear(Program((Variable("x"),)))


def test_a_reached_limit_is_reported() -> None:
    program = random_linear_program(Random(2), 12, 12)
    answer = solve_linear(program, Limits(seconds=0))
    assert (answer.status, answer.cause) == ("unknown", "time")
