"""The engine ``qip-learn``: its values, bounds and proofs on random programs, and how it stops."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from tests.qip.checking import check_derivation, check_proof
from tests.qip.randomprograms import INFEASIBLE, LAWLESS, brute_force, random_program
from zermelo import _native
from zermelo.errors import InputError, NotApplicableError
from zermelo.limits import Limits
from zermelo.progress import Progress
from zermelo.qip.programs.program import Objective, Program, Row, Variable, terms
from zermelo.qip.proofs.derivation import Derivation
from zermelo.qip.solvers.cegar import solve_by_cegar
from zermelo.qip.solvers.learning import solve_by_learning
from zermelo.qip.solvers.solver_answer import Answer


def assert_proved(program: Program, answer: Answer) -> None:
    if answer.status == "optimal":
        assert answer.exists is not None
        assert answer.exists.value == answer.value
        assert check_proof(program, answer.exists).status == "accepted"
    assert isinstance(answer.forall, Derivation)
    assert answer.forall.value == answer.value
    assert check_derivation(program, answer.forall).status == "accepted"


@pytest.mark.parametrize("chunk", range(8))
def test_random_programs_have_the_defined_value_and_accepted_proofs(chunk: int) -> None:
    for seed in range(chunk * 70, chunk * 70 + 70):
        program = random_program(Random(seed), 8, 7)
        wanted = brute_force(program)
        if wanted == LAWLESS:
            with pytest.raises(InputError, match="cannot keep his own rows"):
                solve_by_learning(program)
            continue
        answer = solve_by_learning(program)
        assert answer.status == ("infeasible" if wanted == INFEASIBLE else "optimal"), seed
        assert answer.value == (None if wanted == INFEASIBLE else wanted), seed
        assert_proved(program, answer)


def formula_in_disguise(chance: Random) -> Program:
    count = chance.randint(6, 9)
    role, variables = chance.choice(("exists", "forall")), []
    for number in range(count):
        if number and chance.random() < 0.6:
            role = "forall" if role == "exists" else "exists"
        variables.append(Variable(f"x{number}", "exists" if role == "exists" else "forall"))
    rows = []
    for _ in range(chance.randint(5, 16)):
        signs = {number: chance.choice((1, -1)) for number in chance.sample(range(count), chance.randint(1, 4))}
        rows.append(Row(terms(signs), ">=", Fraction(1 - sum(sign < 0 for sign in signs.values()))))
    return Program(tuple(variables), tuple(rows))


@pytest.mark.parametrize("chunk", range(4))
def test_formulas_in_disguise_have_the_defined_value_and_accepted_proofs(chunk: int) -> None:
    for seed in range(chunk * 45, chunk * 45 + 45):
        program = formula_in_disguise(Random(seed))
        wanted = brute_force(program)
        answer = solve_by_learning(program)
        assert answer.value == (None if wanted == INFEASIBLE else wanted), seed
        assert_proved(program, answer)


def knapsack(items: int) -> Program:
    """The weights are forall's; exists packs before he knows them and unpacks afterwards."""
    chance = Random(items)
    first = [Variable(f"x{i}") for i in range(items)]
    weight = [Variable(f"w{i}", "forall", Fraction(3), Fraction(9)) for i in range(items)]
    last = [Variable(f"y{i}") for i in range(items)]
    variables = (*first, *weight, *last)
    room = Row(
        terms({items + i: 1 for i in range(items)} | {2 * items + i: -6 for i in range(items)}),
        "<=",
        Fraction(6 * items),
    )
    profit = terms(
        {i: chance.randint(5, 20) for i in range(items)} | {2 * items + i: -chance.randint(1, 9) for i in range(items)}
    )
    own = [Row(terms({i: 1, 2 * items + i: -1}), "<=", Fraction(0)) for i in range(items)]
    return Program(variables, (room, *own), Objective("max", profit))


def test_a_limit_leaves_proved_bounds() -> None:
    program = knapsack(8)
    whole = solve_by_learning(program)
    assert whole.value is not None
    stopped = solve_by_learning(program, Limits(nodes=max(2, whole.nodes // 2)))
    assert stopped.status == "unknown"
    assert stopped.cause == "nodes"
    low, high = stopped.bounds
    assert low is None or low <= whole.value
    assert high is None or whole.value <= high


def test_continuous_variables_are_declined_where_whole_numbers_are_not_enough() -> None:
    variables = (Variable("x"), Variable("z", integer=False))
    with pytest.raises(NotApplicableError, match="takes z as a whole number"):
        solve_by_learning(Program(variables, (Row(terms({0: 1, 1: 2}), "<=", Fraction(1)),)))
    with pytest.raises(NotApplicableError, match="after all others"):
        solve_by_learning(Program(variables[::-1]))


def test_continuous_variables_are_whole_where_that_is_enough() -> None:
    for seed in range(40):
        chance = Random(seed)
        program = random_program(chance, 6, 4)
        last = [Variable(f"z{n}", "exists", Fraction(-4), Fraction(chance.randint(3, 9)), False) for n in range(2)]
        count, rows, goal = len(program.variables), [], dict(program.objective.terms)
        for number in range(count, count + 2):
            goal[number] = Fraction(chance.choice((-2, -1, 1, 3)), chance.choice((1, 2)))
            for _ in range(2):
                form = {n: chance.randint(-2, 2) for n in range(count)} | {number: chance.choice((1, -1))}
                rows.append(Row(terms(form), chance.choice(("<=", ">=")), Fraction(chance.randint(-1, 2))))
        objective = Objective(program.objective.sense, terms(goal), program.objective.constant)
        mixed = Program((*program.variables, *last), (*program.rows, *rows), objective, program.uncertainty)
        try:
            answer = solve_by_learning(mixed)
        except InputError:
            continue
        assert_proved(mixed, answer)
        assert solve_by_cegar(mixed).value == answer.value, seed


def test_a_wide_universal_variable_is_not_tried_value_by_value() -> None:
    x, y = Variable("x", "forall", Fraction(0), Fraction(10**6)), Variable("y", "exists", Fraction(0), Fraction(10**6))
    rows = (Row(terms({0: 1, 1: -1}), "<=", Fraction(0)),)
    answer = solve_by_learning(Program((x, y), rows, Objective("min", terms({1: 1}))))
    assert answer.value == 10**6
    assert answer.nodes < 1000


def test_rows_that_narrow_wide_bounds_by_one_forever_can_be_stopped() -> None:
    x, y = (Variable(name, "exists", Fraction(0), Fraction(10**12)) for name in "xy")
    rows = (Row(terms({0: 1, 1: -1}), "<=", Fraction(-1)), Row(terms({0: -1, 1: 1}), "<=", Fraction(-1)))
    answer = solve_by_learning(Program((x, y), rows), Limits(nodes=2000))
    assert answer.status == "unknown"
    assert answer.cause == "nodes"


def test_proofs_that_are_not_asked_for_are_not_written() -> None:
    parameters = _native.QipLearnParameters()
    parameters.exists_proof = parameters.forall_proof = False
    answer = solve_by_learning(knapsack(5), parameters=parameters)
    assert answer.value == solve_by_learning(knapsack(5)).value
    assert answer.exists is None
    assert answer.forall is None
    assert "not asked for" in str(answer.stats["forall"])


def test_progress_shows_bounds_of_the_own_objective() -> None:
    seen: list[Progress] = []
    answer = solve_by_learning(knapsack(14), Limits(seconds=1.5), seen.append)
    for progress in seen:
        low, high = progress.bounds
        assert low <= high
        if answer.value is not None:
            assert low <= answer.value <= high
