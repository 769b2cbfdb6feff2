"""Scenario refinement: right values with proofs of both sides; refutations; limits."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from tests.qip.checking import check_derivation
from tests.qip.engines import accepted, fault
from tests.qip.mixedprograms import random_mixed_program, value_by_definition
from tests.qip.randomprograms import brute_force, random_program
from zermelo.limits import Limits
from zermelo.progress import Progress, no_watch
from zermelo.qip.exact_lp.mip import Column, Inequality, Meter, solve_mip
from zermelo.qip.formats.qlp import read_qlp
from zermelo.qip.programs.program import Objective, Program, Row, Variable, terms
from zermelo.qip.proofs.derivation import Derivation, FromSum
from zermelo.qip.proofs.exists_plan import frame
from zermelo.qip.solvers.cegar import solve_by_cegar
from zermelo.qip.solvers.refutation import Solved, refuted
from zermelo.qip.solvers.relaxation import least_cost

CORPUS = Path(os.environ.get("ZERMELO_CORPUS", "")) / "qip"


@pytest.mark.parametrize("chunk", range(10))
def test_random_programs_are_solved_with_proofs_of_both_sides(chunk: int) -> None:
    for seed in range(chunk * 50, chunk * 50 + 50):
        program = random_program(Random(f"cegar {seed}"))
        assert fault(solve_by_cegar, program, brute_force(program)) is None, seed


@pytest.mark.parametrize("chunk", range(4))
def test_continuous_variables_in_the_last_block(chunk: int) -> None:
    for seed in range(chunk * 25, chunk * 25 + 25):
        program = random_mixed_program(Random(f"mixed {seed}"))
        assert fault(solve_by_cegar, program, value_by_definition(program)) is None, seed


def test_wide_domains_and_rows_of_forall() -> None:
    for seed in range(60):
        program = random_program(Random(f"wide {seed}"), variables=5, widest=6)
        assert fault(solve_by_cegar, program, brute_force(program)) is None, seed


def pairs(count: int) -> Program:
    """``exists`` sets one of two switches for each of the universal bits: the other one is set for him."""
    variables, rows = [], []
    for number in range(count):
        variables += [Variable(f"u{number}", "forall"), Variable(f"x{number}")]
        rows.append(Row(terms({2 * number: 1, 2 * number + 1: 1}), "=", Fraction(1)))
    return Program(tuple(variables), tuple(rows), Objective("max", terms({2 * n + 1: 1 for n in range(count)})))


def test_a_plan_serves_for_all_lines_of_play_that_leave_it_room() -> None:
    answer = solve_by_cegar(pairs(9))
    assert answer.value == 0
    assert answer.exists is not None
    # 512 lines of play; what is left to do after some of them is the same.
    assert len(answer.exists.nodes) < 60
    assert accepted(pairs(9), answer.exists)


def test_many_blocks_do_not_exhaust_the_stack_of_python() -> None:
    variables = tuple(Variable(f"x{n}", "forall" if n % 2 else "exists") for n in range(600))
    program = Program(variables, (Row(terms({0: 1}), "<=", Fraction(1)),))
    assert solve_by_cegar(program).status == "optimal"


def test_limits_leave_bounds_that_hold() -> None:
    program = knapsack_like()
    answer = solve_by_cegar(program, Limits(nodes=12))
    assert answer.status == "unknown"
    assert answer.cause == "nodes"
    best = solve_by_cegar(program)
    assert best.value is not None
    lower, upper = answer.bounds
    assert lower is None or lower <= best.value
    assert upper is None or upper >= best.value


def knapsack_like() -> Program:
    chance = Random("limits")
    variables = []
    for stage in range(3):
        variables += [Variable(f"u{stage}_{n}", "forall") for n in range(4)]
        variables += [Variable(f"x{stage}_{n}", upper=Fraction(3)) for n in range(4)]
    numbers = range(len(variables))
    rows = [
        Row(terms({n: chance.randint(1, 9) for n in numbers if chance.random() < 0.5}), "<=", Fraction(48))
        for _ in range(6)
    ]
    gain = {n: chance.randint(3, 9) for n in numbers if variables[n].quantifier == "exists"}
    return Program(tuple(variables), tuple(rows), Objective("max", terms(gain)))


def test_progress_shows_bounds_around_the_value() -> None:
    seen: list[Progress] = []
    program = knapsack_like()
    value = solve_by_cegar(program, Limits(), seen.append).value
    assert value is not None
    assert all(progress.engine == "qip-cegar" for progress in seen)
    assert all(progress.bounds[0] <= value <= progress.bounds[1] for progress in seen)


def test_an_unbounded_objective_is_refused() -> None:
    from zermelo.errors import InputError

    free = Variable("y", upper=None, integer=False)
    with pytest.raises(InputError, match="unbounded"):
        solve_by_cegar(Program((free,), (), Objective("max", terms({0: 1}))))


def test_too_few_scenarios_are_not_refuted_but_solved() -> None:
    u, y = Variable("u", "forall"), Variable("y", upper=Fraction(3))
    program = Program((u, y), (Row(terms({0: 2, 1: -1}), "<=", Fraction(0)),), Objective("min", terms({1: 1})))
    found = refuted(frame(program), Fraction(2), [(0,)], Meter(Limits(), lambda calls: None))
    assert isinstance(found, Solved)
    assert found.copies[1, (0,)] < 2
    derivation = refuted(frame(program), Fraction(2), [(1,)], Meter(Limits(), lambda calls: None))
    assert isinstance(derivation, Derivation)
    assert check_derivation(program, derivation).status == "accepted"
    assert check_derivation(program, replace(derivation, value=Fraction(3))).status == "refuted"


def test_a_sum_of_rows_is_rounded_where_all_its_variables_are_integers() -> None:
    # x + y >= 1, x + z >= 1, y + z >= 1: half the sum is x + y + z >= 3/2, so at least 2.
    x, y, z = (Variable(name) for name in "xyz")
    rows = tuple(Row(terms({a: 1, b: 1}), ">=", Fraction(1)) for a, b in ((0, 1), (0, 2), (1, 2)))
    program = Program((x, y, z), rows, Objective("min", terms({0: 1, 1: 1, 2: 1})))
    answer = solve_by_cegar(program)
    assert answer.value == 2
    assert isinstance(answer.forall, Derivation)
    kinds = {type(antecedent) for clause in answer.forall.clauses for antecedent in clause.antecedents}
    assert accepted(program, answer.forall)
    assert FromSum in kinds or len(answer.forall.clauses) > 1


def test_a_negative_multiplier_is_no_proof() -> None:
    program = knapsack_like()
    derivation = solve_by_cegar(program).forall
    assert isinstance(derivation, Derivation)
    damaged = 0
    for number, clause in enumerate(derivation.clauses):
        for place, antecedent in enumerate(clause.antecedents):
            if isinstance(antecedent, FromSum):
                (row, multiplier), *others = antecedent.parts
                antecedents = list(clause.antecedents)
                antecedents[place] = FromSum(((row, -multiplier), *others))
                clauses = list(derivation.clauses)
                clauses[number] = replace(clause, antecedents=tuple(antecedents))
                verdict = check_derivation(program, replace(derivation, clauses=tuple(clauses)))
                assert "multiplier" in verdict.reason
                damaged += 1
    assert damaged


def test_a_better_value_cannot_be_derived() -> None:
    chance = Random("better")
    for _ in range(60):
        program = random_program(chance)
        value = brute_force(program)
        if isinstance(value, str):
            continue
        derivation = solve_by_cegar(program).forall
        assert isinstance(derivation, Derivation)
        worse = value + Fraction(1 if program.objective.sense == "min" else -1)
        verdict = check_derivation(program, replace(derivation, value=worse))
        assert verdict.status == "refuted"


def test_mixed_integer_programs_are_exact() -> None:
    meter = Meter(Limits(), lambda calls: None)
    columns = [Column(0, 10), Column(0, None, False)]
    rows = [Inequality(((0, -3), (1, -7)), -5)]
    outcome = solve_mip(columns, rows, ((0, 10), (1, 3)), meter)
    assert outcome.values == (0, Fraction(5, 7))
    assert least_cost(columns, rows, ((0, 10), (1, 3))) is not None


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus")
@pytest.mark.parametrize(
    "name",
    [
        *("Knapsack_2-2-0", "Knapsack_4-4-700", "rand_2_5_3_12_0", "toilet2_3", "toilet2_4", "wcdgr_22_3_0"),
        *("wcdgr_33_8_2", "yasol_assignment", "yasol_assignment_U", "yasol_selection", "yasol_scheduling"),
    ],
)
def test_public_programs(name: str) -> None:
    known = json.loads((CORPUS / "answers.json").read_text(encoding="utf-8"))[name]
    program = read_qlp(CORPUS / f"{name}.qlp")
    answer = solve_by_cegar(program, Limits(), no_watch)
    assert (answer.status == "infeasible") == (known["status"] == "infeasible")
    assert "value" not in known or answer.value == Fraction(known["value"])
    assert accepted(program, answer.forall)
    assert answer.status == "infeasible" or accepted(program, answer.exists)
