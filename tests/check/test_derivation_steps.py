"""Derived clauses, a step at a time: what is accepted follows, by trying all values."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from zermelo.check.clause_steps import Clause, Derivation, FromClause, FromRow, FromSum, Literal
from zermelo.check.derivation import check_derivation
from zermelo.check.quantified import AtMost, Number, QuantifiedProgram, Role, Variable, at_most
from zermelo.check.wholes import whole_where_enough
from zermelo.limits import Limits

NOT_EMPTY = "the last clause is not empty"
Values = tuple[int, ...]


def random_rows(chance: Random, count: int, variables: list[int]) -> tuple[AtMost, ...]:
    rows: list[AtMost] = []
    for _ in range(count):
        held = chance.sample(variables, chance.randint(1, len(variables)))
        terms = [(v, Fraction(chance.choice((-3, -2, -1, 1, 2, 3)), chance.choice((1, 1, 2)))) for v in held]
        rows += at_most(terms, "<=", Fraction(chance.randint(-7, 5), chance.choice((1, 2, 3))))
    return tuple(rows)


def random_program(chance: Random, roles: tuple[Role, ...]) -> QuantifiedProgram:
    variables = []
    for number, role in enumerate(roles):
        low = chance.randint(-1, 0)
        variables.append(Variable(f"v{number}", role, True, Fraction(low), Fraction(low + chance.randint(1, 2))))
    (goal,) = random_rows(chance, 1, list(range(len(roles))))
    rows = random_rows(chance, 3, list(range(len(roles))))
    return QuantifiedProgram(tuple(variables), rows, goal=goal.terms, maximise=chance.random() < 0.5)


def random_literals(chance: Random, variables: list[int], most: int) -> tuple[Literal, ...]:
    count = chance.randint(0, most)
    return tuple(Literal(chance.choice(variables), chance.random() < 0.5, chance.randint(-1, 2)) for _ in range(count))


def values_of(program: QuantifiedProgram) -> list[Values]:
    return list(product(*(range(int(v.lower or 0), int(v.upper or 0) + 1) for v in program.variables)))


def left(row: AtMost, values: Values) -> Fraction:
    return sum((c * values[v] for v, c in row.terms), Fraction(0))


def keeps(program: QuantifiedProgram, number: int, value: Fraction, values: Values) -> bool:
    """Row 0 says that the objective is better than the value."""
    if number:
        return left(program.rows[number - 1], values) <= program.rows[number - 1].right
    comes_to = left(AtMost(program.goal, Fraction(0)), values) + program.constant
    return comes_to > value if program.maximise else comes_to < value


def holds(literals: tuple[Literal, ...], values: Values) -> bool:
    return any(
        values[one.variable] <= one.bound if one.upper else values[one.variable] >= one.bound for one in literals
    )


def derived(program: QuantifiedProgram, value: Fraction | None, *clauses: Clause) -> bool:
    verdict = check_derivation(program, Derivation(value, (), clauses))
    assert verdict.accepted or verdict.reason == NOT_EMPTY or verdict.reason.endswith("the antecedents leave room")
    return verdict.accepted or verdict.reason == NOT_EMPTY


@pytest.mark.parametrize("chunk", range(4))
def test_a_clause_is_derived_from_a_row_exactly_where_it_follows(chunk: int) -> None:
    yes = no = 0
    for seed in range(150 * chunk, 150 * chunk + 150):
        chance = Random(seed)
        program = random_program(chance, ("exists",) * 3)
        value = Fraction(chance.randint(-8, 8), chance.choice((1, 2)))
        for number in range(4):
            literals = random_literals(chance, [0, 1, 2], 3)
            follows = all(holds(literals, v) for v in values_of(program) if keeps(program, number, value, v))
            assert derived(program, value, Clause(literals, (FromRow(number),))) == follows, (seed, number)
            yes, no = yes + follows, no + (not follows)
    assert yes > 40 and no > 40


@pytest.mark.parametrize("chunk", range(4))
def test_a_clause_that_is_derived_from_rows_sums_and_clauses_follows(chunk: int) -> None:
    yes = no = 0
    for seed in range(150 * chunk, 150 * chunk + 150):
        chance = Random(seed)
        program = random_program(chance, ("exists",) * 3)
        value = Fraction(chance.randint(-8, 8))
        used = chance.sample(range(4), 2)
        if chance.random() < 0.5:
            parts = tuple((FromRow(row), Fraction(chance.randint(0, 3), chance.choice((1, 2)))) for row in used)
            clauses = [Clause(random_literals(chance, [0, 1, 2], 2), (FromSum(parts),))]
        else:
            first = Clause(random_literals(chance, [0, 1, 2], 2), (FromRow(used[0]), FromRow(used[1])))
            second = Clause(random_literals(chance, [0, 1, 2], 2), (FromClause(0), FromRow(used[1])))
            clauses = [first, second]
        if derived(program, value, *clauses):
            for clause in clauses:
                for values in values_of(program):
                    if all(keeps(program, row, value, values) for row in used):
                        assert holds(clause.literals, values), (seed, values)
            yes += 1
        else:
            no += 1
    assert yes > 10 and no > 40


def test_a_clause_says_what_all_its_literals_leave() -> None:
    """x or y or z at least 1; where two of them are 0 the third is 1, and where all are 0 there is a contradiction."""
    x = Variable("x", "exists", True, Fraction(0), Fraction(1))
    program = QuantifiedProgram(
        (x, replace(x, name="y"), replace(x, name="z")), at_most([(0, 1), (1, 1), (2, 1)], ">=", 1)
    )
    some = Clause(tuple(Literal(number, False, 1) for number in range(3)), (FromRow(1),))
    rows = at_most([(2, 1)], "<=", 0)
    harder = replace(program, rows=(*program.rows, *rows))
    two = Clause((Literal(0, False, 1), Literal(1, False, 1)), (FromClause(0), FromRow(2)))
    assert derived(harder, None, some, two)
    assert not derived(harder, None, some, replace(two, literals=two.literals[:1]))
    assert not derived(harder, None, some, replace(two, antecedents=two.antecedents[:1]))
    assert not derived(program, None, some, Clause((Literal(0, False, 1),), (FromClause(0),)))


@pytest.mark.parametrize("strict", [False, True])
def test_continuous_variables_count_with_their_bounds_and_without_one_not_at_all(strict: bool) -> None:
    """Row 1 (or the objective): 2x + z is at most (or less than) 2, z being from 0 on."""
    x = Variable("x", "exists", True, Fraction(0), Fraction(2))
    z = Variable("z", "exists", False, Fraction(0), None)
    form = at_most([(0, 2), (1, 1)], "<=", 2)
    program = QuantifiedProgram((x, z), () if strict else form, goal=form[0].terms if strict else ())
    value, row = (Fraction(2), FromRow(0)) if strict else (None, FromRow(1))
    assert derived(program, value, Clause((Literal(0, True, 0),), (row,))) == strict
    assert derived(program, value, Clause((Literal(0, True, 1),), (row,)))
    for open_below in (replace(z, lower=None), replace(z, lower=Fraction(-1))):
        other = replace(program, variables=(x, open_below))
        assert not derived(other, value, Clause((Literal(0, True, 0),), (row,)))
    later = replace(program, rows=(*program.rows, *at_most([(0, -1)], "<=", Fraction(-3, 2))))
    assert derived(later, value, Clause((), (row, FromRow(len(later.rows)))))


def infeasible(program: QuantifiedProgram, values: Values = ()) -> bool:
    """Whether ``forall``, who keeps to his own rows, can have a row broken; by trying everything."""
    if len(values) == len(program.variables):
        return not all(left(row, values) <= row.right for row in program.rows)
    variable = program.variables[len(values)]
    nexts = [(*values, value) for value in range(int(variable.lower or 0), int(variable.upper or 0) + 1)]
    if variable.role == "exists":
        return all(infeasible(program, one) for one in nexts)
    return any(infeasible(program, one) for one in nexts if lawful(program, one))


def lawful(program: QuantifiedProgram, values: Values) -> bool:
    """Whether values of the first variables leave ``forall`` a way to keep his own rows."""
    return any(
        all(left(row, full) <= row.right for row in program.own)
        for full in values_of(program)
        if full[: len(values)] == values
    )


@pytest.mark.parametrize("chunk", range(6))
@pytest.mark.parametrize("own", [False, True])
def test_what_is_refuted_by_dropping_or_in_scenarios_cannot_be_kept(own: bool, chunk: int) -> None:
    accepted = 0
    for seed in range(300 * chunk, 300 * chunk + 300):
        chance = Random(seed)
        roles: tuple[Role, ...] = tuple(chance.choice(("exists", "forall")) for _ in range(3))
        program = random_program(chance, roles)
        universal = [number for number, role in enumerate(roles) if role == "forall"]
        if own and universal:
            program = replace(program, own=random_rows(chance, 1, universal))
        if not lawful(program, ()):
            continue
        scenarios: tuple[tuple[Number, ...], ...] = ()
        clause = Clause((), tuple(FromRow(row) for row in chance.choices(range(1, 4 + len(program.own)), k=6)))
        if chance.random() < 0.5:
            dropped = list[Literal]()
            for number in universal:
                value = chance.randint(
                    int(program.variables[number].lower or 0), int(program.variables[number].upper or 0)
                )
                dropped += [Literal(number, True, value - 1), Literal(number, False, value + 1)]
            chance.shuffle(dropped)
            clause = replace(clause, dropped=tuple(dropped[: chance.randint(0, len(dropped))]))
        else:
            scenarios = tuple(tuple(chance.randint(-1, 2) for _ in universal) for _ in range(chance.randint(1, 2)))
            rows = tuple(
                FromRow(chance.randint(1, 3), chance.randrange(len(scenarios))) for _ in range(chance.randint(1, 6))
            )
            clause = replace(clause, antecedents=rows)
        if check_derivation(program, Derivation(None, scenarios, (clause,))).accepted:
            accepted += 1
            assert infeasible(program), seed
    assert accepted > 10


X = Variable("x", "exists", True, Fraction(0), Fraction(1))
U = Variable("u", "forall", True, Fraction(0), Fraction(1))
ONE_ROW = QuantifiedProgram((X, U), at_most([(0, 1)], ">=", 2), goal=((0, Fraction(1)),))
FAULTS: dict[str, tuple[Derivation, str]] = {
    "a clause from itself": (Derivation(None, (), (Clause((), (FromClause(0),)),)), "clause 0 does not come before"),
    "a clause from the end": (Derivation(None, (), (Clause((), (FromClause(-1),)),)), "clause -1 does not come before"),
    "a row below": (Derivation(None, (), (Clause((), (FromRow(-1),)),)), "there is no row -1 in scenario 0"),
    "a row above": (Derivation(None, (), (Clause((), (FromRow(2),)),)), "there is no row 2 in scenario 0"),
    "a scenario below": (Derivation(None, (), (Clause((), (FromRow(1, -1),)),)), "there is no row 1 in scenario -1"),
    "a scenario above": (Derivation(None, (), (Clause((), (FromRow(1, 1),)),)), "there is no row 1 in scenario 1"),
    "the second scenario of one": (
        Derivation(None, ((0,),), (Clause((), (FromRow(1, 1),)),)),
        "there is no row 1 in scenario 1",
    ),
    "the objective": (
        Derivation(None, (), (Clause((), (FromRow(0),)),)),
        "what is said to be infeasible is to be refuted without the objective",
    ),
    "a multiplier below 0": (
        Derivation(None, (), (Clause((), (FromSum(((FromRow(1), -1),)),)),)),
        "-1 cannot be the multiplier of a row",
    ),
    "a variable above": (Derivation(None, (), (Clause((Literal(2, True, 0),), ()),)), "there is no variable 2"),
    "a variable below": (Derivation(None, (), (Clause((Literal(-1, True, 0),), ()),)), "there is no variable -1"),
    "a bound in another scenario": (
        Derivation(None, (), (Clause((Literal(0, True, 0, 1),), ()),)),
        "there is no variable 0 in scenario 1",
    ),
    "a variable of exists dropped": (
        Derivation(None, (), (Clause((), (), (Literal(0, True, 0),)),)),
        "variable 0 cannot be dropped",
    ),
    "a variable dropped beside scenarios": (
        Derivation(None, ((0,),), (Clause((), (), (Literal(1, True, 0),)),)),
        "there is no variable 1 in scenario 0",
    ),
    "a variable of exists dropped beside scenarios": (
        Derivation(None, ((0,),), (Clause((), (), (Literal(0, True, 0),)),)),
        "variable 0 cannot be dropped",
    ),
    "a short scenario": (Derivation(None, ((),), ()), "a scenario does not set all universal variables"),
    "a scenario out of bounds": (Derivation(None, ((0,), (2,)), ()), "scenario 1 sets u to 2, which is not within"),
    "a scenario below the bounds": (Derivation(None, ((-1,),), ()), "scenario 0 sets u to -1, which is not within"),
    "half a scenario": (Derivation(None, ((Fraction(1, 2),),), ()), "scenario 0 sets u to 1/2, which is not within"),
    "nothing": (Derivation(None, (), ()), NOT_EMPTY),
    "a last clause that is not empty": (
        Derivation(None, (), (Clause((Literal(0, True, 0),), (FromRow(1),)),)),
        NOT_EMPTY,
    ),
}


@pytest.mark.parametrize("what", FAULTS)
def test_what_is_no_derivation_is_refuted(what: str) -> None:
    derivation, reason = FAULTS[what]
    verdict = check_derivation(ONE_ROW, derivation)
    assert verdict.status == "refuted" and reason in verdict.reason


def test_a_variable_of_forall_is_dropped_only_after_all_of_exists_in_the_clause() -> None:
    """For all u there is x = u: not to be refuted, as u comes first."""
    program = QuantifiedProgram((U, X), at_most([(0, 1), (1, -1)], "=", 0))
    for bound in (Literal(1, True, 0), Literal(1, False, 1)):
        clause = Clause((bound,), (FromRow(1), FromRow(2)), (Literal(0, not bound.upper, 1 if bound.upper else 0),))
        assert "cannot be dropped" in check_derivation(program, Derivation(None, (), (clause,))).reason
    early = QuantifiedProgram((X, U), at_most([(0, -1), (1, 1)], "=", 0))
    low = Clause((Literal(0, True, 0),), (FromRow(1), FromRow(2)), (Literal(1, False, 1),))
    none = Clause((), (FromClause(0), FromRow(1), FromRow(2)), (Literal(1, True, 0),))
    assert check_derivation(early, Derivation(None, (), (low, none))).accepted


def test_steps_are_counted_and_the_clock_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = Clause((), (FromRow(1),))
    assert check_derivation(ONE_ROW, Derivation(None, (), (empty,))).how == "forall in 1 clause"
    assert check_derivation(ONE_ROW, Derivation(None, (), (empty,) * 2)).how == "forall in 2 clauses"
    assert check_derivation(ONE_ROW, Derivation(None, (), (empty,)), Limits(seconds=1e-9)).status == "limit"
    looks = list[int]()
    monkeypatch.setattr(Limits, "expired", lambda self: looks.append(1) or len(looks) > 2)
    assert check_derivation(ONE_ROW, Derivation(None, (), (empty,) * 128)).accepted
    looks.clear()
    assert check_derivation(ONE_ROW, Derivation(None, (), (empty,) * 129)).status == "limit"


WHOLE: dict[str, tuple[bool, QuantifiedProgram]] = {}
Z = Variable("z", "exists", False, Fraction(0), Fraction(2))
BASE = QuantifiedProgram((X, U, Z), at_most([(0, 2), (1, 4), (2, 2)], "<=", 2))
WHOLE["whole numbers are enough"] = (True, BASE)
WHOLE["all are integers"] = (False, replace(BASE, variables=(X, U)))
WHOLE["no upper bound"] = (False, replace(BASE, variables=(X, U, replace(Z, upper=None))))
WHOLE["half a bound"] = (False, replace(BASE, variables=(X, U, replace(Z, lower=Fraction(1, 2)))))
WHOLE["a variable of forall"] = (False, replace(BASE, variables=(X, U, replace(Z, role="forall"))))
WHOLE["not the last"] = (False, replace(BASE, variables=(X, Z, replace(U, name="w"))))
WHOLE["no multiples"] = (False, replace(BASE, rows=at_most([(0, 1), (2, 2)], "<=", 2)))
WHOLE["no multiple on the right"] = (False, replace(BASE, rows=at_most([(2, 2)], "<=", 3)))
WHOLE["rows without it may be as they like"] = (True, replace(BASE, rows=(*BASE.rows, *at_most([(0, 3)], "<=", 2))))
WHOLE["two in a row"] = (
    False,
    replace(BASE, variables=(X, Z, replace(Z, name="w")), rows=at_most([(1, 1), (2, 1)], "<=", 1)),
)


@pytest.mark.parametrize("what", WHOLE)
def test_continuous_variables_become_integers_only_where_whole_numbers_are_enough(what: str) -> None:
    enough, program = WHOLE[what]
    made = whole_where_enough(program)
    if enough:
        assert made == replace(program, variables=tuple(replace(v, integer=True) for v in program.variables))
    else:
        assert made == program


def test_clauses_speak_of_a_continuous_variable_beside_integers_where_whole_numbers_are_enough() -> None:
    rows = (*at_most([(0, 1), (1, 1)], "<=", 1), *at_most([(1, 1)], ">=", 2))
    steps = (Clause((Literal(1, True, 1),), (FromRow(1),)), Clause((), (FromClause(0), FromRow(2))))
    derivation = Derivation(None, (), steps)
    assert check_derivation(QuantifiedProgram((X, Z), rows), derivation).accepted
    halves = (*rows, *at_most([(1, 2)], "<=", 3))
    refused = check_derivation(QuantifiedProgram((X, Z), halves), derivation)
    assert refused.reason == "clause 0: variable 1 is not an integer"
