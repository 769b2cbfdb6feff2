"""The engine ``qip-table``: values against the definition, both proofs against the checker."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from tests.qip.checking import check_proof
from tests.qip.randomprograms import INFEASIBLE, LAWLESS, brute_force, random_program
from zermelo import _native
from zermelo.errors import InputError, NotApplicableError
from zermelo.limits import Limits
from zermelo.qip.formats.qlp import read_qlp
from zermelo.qip.programs.program import Objective, Program, Row, Variable, terms
from zermelo.qip.solvers.solver_answer import Answer
from zermelo.qip.solvers.table_search import solve_by_table

F = Fraction


def need_right(program: Program, answer: Answer) -> None:
    expected = brute_force(program)
    assert (INFEASIBLE if answer.status == "infeasible" else answer.value) == expected
    need_accepted(program, answer)


def need_accepted(program: Program, answer: Answer) -> None:
    assert answer.forall is not None
    assert (answer.exists is None) == (answer.status == "infeasible")
    for proof in (answer.exists, answer.forall):
        if proof is not None:
            verdict = check_proof(program, proof)
            assert verdict.accepted, verdict.reason


def lawful_program(chance: Random, **shape: int) -> Program:
    while brute_force(program := random_program(chance, **shape)) == LAWLESS:
        pass
    return program


@pytest.mark.parametrize("seed", range(12))
def test_values_are_those_of_the_definition_and_both_proofs_hold(seed: int) -> None:
    chance = Random(seed)
    for _ in range(120):
        program = lawful_program(chance)
        need_right(program, solve_by_table(program))


@pytest.mark.parametrize("seed", range(4))
def test_wide_intervals_are_cut_where_rows_allow_it(seed: int) -> None:
    chance = Random(f"wide {seed}")
    for _ in range(40):
        program = lawful_program(chance, variables=4, widest=20)
        need_right(program, solve_by_table(program))


@pytest.mark.parametrize("without", ["table", "dominance", "bisect"])
def test_each_technique_can_be_left_out(without: str) -> None:
    parameters = _native.QipTableParameters()
    setattr(parameters, without, False)
    chance = Random(without)
    for _ in range(120):
        program = lawful_program(chance)
        need_right(program, solve_by_table(program, parameters=parameters))


@pytest.mark.parametrize("seed", range(3))
def test_many_rows_of_uncertainty_with_opposite_signs(seed: int) -> None:
    """The universal player needs a search of his own to see what leaves him a way."""
    chance = Random(f"uncertain {seed}")
    tried = 0
    while tried < 60:
        program = random_program(chance, variables=8)
        universal = [number for number, variable in enumerate(program.variables) if variable.quantifier == "forall"]
        if len(universal) < 2:
            continue
        rows = [
            Row(
                terms((v, chance.choice((-2, -1, 1, 2))) for v in universal if chance.random() < 0.7),
                "<=",
                F(number % 2),
            )
            for number in range(chance.randint(2, 4))
        ]
        program = Program(program.variables, program.rows, program.objective, tuple(rows))
        if brute_force(program) == LAWLESS:
            continue
        tried += 1
        need_right(program, solve_by_table(program))


def test_a_universal_player_without_a_legal_choice_is_an_error() -> None:
    rows = (Row(terms({0: 1}), ">=", F(2)),)
    with pytest.raises(InputError, match="cannot keep his own rows"):
        solve_by_table(Program((Variable("x", "forall"), Variable("y")), uncertainty=rows))


def test_lawless_programs_are_recognised() -> None:
    chance, found = Random(5), 0
    for _ in range(400):
        program = random_program(chance)
        if brute_force(program) == LAWLESS:
            found += 1
            with pytest.raises(InputError):
                solve_by_table(program)
    assert found


def test_huge_domains_take_few_nodes() -> None:
    """y answers x from far away; only the row that binds says how."""
    wide = F(10**9)
    variables = (
        Variable("x", "forall", F(0), F(7)),
        Variable("y", "exists", F(0), wide),
        Variable("z", "exists", -wide, wide),
    )
    rows = (Row(terms({0: 100, 1: -1}), "<=", F(0)), Row(terms({1: 3, 2: -1}), "=", F(5)))
    program = Program(variables, rows, Objective("min", terms({1: 1, 2: 2})))
    answer = solve_by_table(program)
    assert answer.value == 700 + 2 * (2100 - 5)
    assert answer.nodes < 5000
    need_accepted(program, answer)


def test_twenty_thousand_levels_do_not_exhaust_the_stack() -> None:
    count = 20_000
    variables = tuple(Variable(f"x{n}", "exists" if n % 2 else "forall") for n in range(count))
    rows = tuple(Row(terms({n: 1, n + 1: -1}), "=", F(0)) for n in range(0, count, 2))
    program = Program(variables, rows, Objective("max", terms({1: 1})))
    answer = solve_by_table(program, Limits(seconds=60))
    assert answer.value == 0
    assert answer.exists is not None and answer.forall is not None


def hard_program(items: int = 26) -> Program:
    """A subset of large numbers with a sum just below a bound, which a universal variable moves."""
    chance = Random(1)
    weights = [chance.randint(10**6, 10**7) for _ in range(items)]
    variables = (*(Variable(f"x{n}") for n in range(items)), Variable("u", "forall"), Variable("y"))
    rows = (Row(terms([*enumerate(weights), (items, 12345), (items + 1, 7)]), "<=", F(sum(weights) // 2)),)
    return Program(variables, rows, Objective("max", terms(enumerate(weights))))


def test_a_limit_leaves_bounds_that_hold() -> None:
    program = hard_program()
    answer = solve_by_table(program, Limits(nodes=20_000))
    assert (answer.status, answer.cause) == ("unknown", "nodes")
    low, high = answer.bounds
    assert low is not None and high is not None
    assert 0 < low < high <= sum(coefficient for _, coefficient in program.objective.terms)


def test_memory_is_limited() -> None:
    answer = solve_by_table(hard_program(), Limits(nodes=300_000, memory=4 << 20))
    assert answer.status == "unknown"
    assert answer.stats["table"] == "full"


def test_proofs_that_grow_too_large_are_left_out_and_said_so() -> None:
    parameters = _native.QipTableParameters()
    parameters.proof_bytes = 2_000
    chance = Random(7)
    weights = [chance.randint(3, 30) for _ in range(14)]
    variables = tuple(Variable(f"x{n}", "forall" if n % 4 == 3 else "exists") for n in range(14))
    rows = (
        Row(terms(enumerate(weights)), "<=", F(sum(weights) // 2)),
        Row(terms(enumerate(reversed(weights))), ">=", F(40)),
    )
    program = Program(variables, rows, Objective("max", terms((n, chance.randint(1, 99)) for n in range(14))))
    whole, cut = solve_by_table(program), solve_by_table(program, parameters=parameters)
    assert whole.value == cut.value
    assert whole.forall is not None and cut.forall is None
    assert cut.stats["proofs"] == "too large to be written down"


def with_continuous(chance: Random) -> Program:
    """A random program and, at its end, continuous variables, one in a row at most, as they are."""
    program = lawful_program(chance, variables=5)
    count = len(program.variables)
    more = [Variable(f"z{n}", "exists", F(0), F(chance.randint(1, 3)), False) for n in range(chance.randint(1, 2))]
    rows = []
    for row in program.rows:
        whole = row.right.denominator == 1 and all(c.denominator == 1 for _, c in row.terms)
        added = {count + chance.randrange(len(more)): chance.choice((-1, 1))} if whole and chance.random() < 0.6 else {}
        rows.append(Row(terms([*row.terms, *added.items()]), row.relation, row.right))
    costs = [(count + n, F(chance.randint(-3, 3), chance.choice((1, 2)))) for n in range(len(more))]
    goal = Objective(program.objective.sense, terms([*program.objective.terms, *costs]), program.objective.constant)
    return Program((*program.variables, *more), tuple(rows), goal, program.uncertainty)


@pytest.mark.parametrize("seed", range(4))
def test_continuous_variables_at_the_end_take_whole_values(seed: int) -> None:
    chance = Random(f"continuous {seed}")
    for _ in range(60):
        program = with_continuous(chance)
        whole = tuple(Variable(v.name, v.quantifier, v.lower, v.upper) for v in program.variables)
        answer = solve_by_table(program)
        expected = brute_force(Program(whole, program.rows, program.objective, program.uncertainty))
        assert (INFEASIBLE if answer.status == "infeasible" else answer.value) == expected
        need_accepted(program, answer)


def test_other_continuous_variables_are_refused() -> None:
    z, x = Variable("z", integer=False), Variable("x")
    with pytest.raises(NotApplicableError, match="after all others, not z"):
        solve_by_table(Program((z, x)))
    with pytest.raises(NotApplicableError, match="takes z as a whole number, which row 0 does not let it be"):
        solve_by_table(Program((x, z), (Row(terms({0: 1, 1: 2}), "<=", F(2)),)))


def test_the_same_program_takes_the_same_nodes() -> None:
    program = random_program(Random(11), variables=9, rows=8)
    assert solve_by_table(program).nodes == solve_by_table(program).nodes


CORPUS = Path(os.environ.get("ZERMELO_CORPUS", "no-corpus")) / "qip"
QUICK = (
    *(
        "Knapsack_3-3-350",
        "Knapsack_4-4-700",
        "LotSizing_5-3-2-0",
        "LotSizing_6-3-2-200",
        "alloc_10x1_1",
        "alloc_1x10_5",
    ),
    *("krow_2_2_3", "krow_3_3_5", "rand_2_5_3_12_0", "rand_3_4_2_12_1", "toilet2_3", "toilet2_4", "wcdgr_33_8_2"),
    *("yasol_lia", "yasol_scheduling", "yasol_selection"),
)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="ZERMELO_CORPUS names no folder with programs")
@pytest.mark.parametrize("name", QUICK)
def test_public_programs_have_their_known_values(name: str) -> None:
    known = json.loads((CORPUS / "answers.json").read_text(encoding="utf-8"))[name]
    program = read_qlp(CORPUS / f"{name}.qlp")
    answer = solve_by_table(program)
    assert answer.status == ("infeasible" if known["status"] == "infeasible" else "optimal")
    if "value" in known:
        assert answer.value == F(known["value"])
    need_accepted(program, answer)
