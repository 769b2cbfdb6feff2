"""Linear programs have exact answers, each with what proves it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest

from tests.qip.randomprograms import random_program
from zermelo.errors import InputError, LimitReachedError
from zermelo.exact.simplex import Start
from zermelo.limits import Limits
from zermelo.qip.exact_lp import lp
from zermelo.qip.exact_lp.lp import Exact, leaf_lp, solve_exact
from zermelo.qip.programs.program import Objective, Program, Relation, Row, Terms, Variable, normal, terms, value_of


def column(lower: int | None, upper: int | None) -> Variable:
    low, high = (None if bound is None else Fraction(bound) for bound in (lower, upper))
    return Variable("x", lower=low, upper=high, integer=False)


def least(form: Terms, columns: Sequence[Variable]) -> Fraction | None:
    """The least value of a linear form within the bounds of the columns; ``None`` where there is none."""
    total = Fraction(0)
    for number, coefficient in form:
        bound = columns[number].lower if coefficient > 0 else columns[number].upper
        if bound is None:
            return None
        total += coefficient * bound
    return total


def check(exact: Exact, columns: Sequence[Variable], rows: Sequence[Row], objective: Terms) -> None:
    """What :class:`Exact` promises, by its definition."""
    if exact.status != "infeasible":
        assert all(row.holds(exact.primal) for row in rows)
        for value, variable in zip(exact.primal, columns, strict=True):
            assert variable.lower is None or variable.lower <= value
            assert variable.upper is None or value <= variable.upper
    if exact.status == "unbounded":
        assert value_of(objective, exact.ray) < 0
        for row in rows:
            assert Row(row.terms, row.relation, Fraction(0)).holds(exact.ray)
        for value, variable in zip(exact.ray, columns, strict=True):
            assert (variable.lower is None or value >= 0) and (variable.upper is None or value <= 0)
        return
    assert len(exact.multipliers) == len(rows)
    combined = list(objective) if exact.status == "optimal" else []
    constant = Fraction(0)
    for multiplier, row in zip(exact.multipliers, rows, strict=True):
        assert row.relation == "=" or (multiplier >= 0 if row.relation == "<=" else multiplier <= 0)
        combined += [(number, multiplier * coefficient) for number, coefficient in row.terms]
        constant -= multiplier * row.right
    bound = least(terms(combined), columns)
    assert bound is not None
    if exact.status == "infeasible":
        assert bound + constant > 0
    else:
        assert exact.value == value_of(objective, exact.primal) == bound + constant


def random_lp(chance: Random, most: int = 7) -> tuple[list[Variable], list[Row], Terms]:
    columns = []
    for _ in range(chance.randint(1, most)):
        low = chance.choice((None, 0, 0, 0, -2))
        columns.append(column(low, chance.choice((None, (low or 0) + chance.randint(0, 3)))))

    def form() -> Terms:
        return terms(
            (number, Fraction(chance.randint(-4, 4), chance.choice((1, 1, 1, 2, 3, 7))))
            for number in range(len(columns))
            if chance.random() < 0.6
        )

    rows = []
    for _ in range(chance.randint(0, most)):
        relation: Relation = chance.choice(("<=", ">=", "="))
        rows.append(Row(form(), relation, Fraction(chance.randint(-4, 6), chance.choice((1, 1, 3)))))
    return columns, rows, form()


@pytest.mark.parametrize("seed", range(6))
def test_random_programs_have_answers_with_proofs(seed: int) -> None:
    chance = Random(seed)
    for _ in range(60):
        columns, rows, objective = random_lp(chance)
        check(solve_exact(columns, rows, objective), columns, rows, objective)


def test_larger_programs_have_answers_with_proofs() -> None:
    chance, met = Random(77), set[str]()
    for _ in range(4):
        columns, rows, objective = random_lp(chance, 60)
        exact = solve_exact(columns, rows, objective)
        met.add(exact.status)
        check(exact, columns, rows, objective)
    assert "infeasible" in met


def test_all_three_kinds_of_answers_come_up() -> None:
    chance, met = Random(3), dict.fromkeys(("optimal", "infeasible", "unbounded"), 0)
    for _ in range(80):
        met[solve_exact(*random_lp(chance)).status] += 1
    assert min(met.values()) >= 5


@pytest.mark.parametrize("start", ["none", "random", "lies"])
def test_answers_do_not_depend_on_what_floating_point_says(monkeypatch: pytest.MonkeyPatch, start: str) -> None:
    chance = Random(11)

    def other(problem: lp._Problem, limits: Limits) -> tuple[str, Start | None]:
        if start == "none":
            return "other", None
        tableau = problem.tableau
        numbers = range(len(tableau.bounds))
        basic = frozenset(chance.sample(numbers, tableau.rows))
        upper = frozenset(number for number in numbers if chance.random() < 0.5)
        return "optimal" if start == "lies" else "other", Start(basic, upper)

    cases = [random_lp(chance) for _ in range(80)]
    expected = [solve_exact(*case) for case in cases]
    monkeypatch.setattr(lp, "_floating", other)
    for (columns, rows, objective), wanted in zip(cases, expected, strict=True):
        exact = solve_exact(columns, rows, objective)
        check(exact, columns, rows, objective)
        assert (exact.status, exact.value) == (wanted.status, wanted.value)


def test_differences_below_every_tolerance_count() -> None:
    tiny = Fraction(1, 10**30)
    columns = [column(0, 1)]
    above, below = Row(terms({0: 1}), ">=", Fraction(1, 3) + tiny), Row(terms({0: 1}), "<=", Fraction(1, 3))
    exact = solve_exact(columns, [above, below], terms({0: 1}))
    assert exact.status == "infeasible"
    check(exact, columns, [above, below], terms({0: 1}))
    assert solve_exact(columns, [above], terms({0: 1})).value == Fraction(1, 3) + tiny


def test_numbers_beyond_floating_point_are_taken() -> None:
    large = Fraction(10**400)
    columns = [column(0, None), column(0, 1)]
    rows = [Row(terms({0: 1, 1: large}), ">=", large)]
    exact = solve_exact(columns, rows, terms({0: 1, 1: 2 * large}))
    assert exact.value == large
    check(exact, columns, rows, terms({0: 1, 1: 2 * large}))


def test_a_cycle_of_the_steepest_rule_is_left() -> None:
    # Beale's example, on which the simplex method with the steepest rule runs in circles.
    columns = [column(0, None)] * 4
    rows = [
        Row(terms({0: Fraction(1, 4), 1: -60, 2: Fraction(-1, 25), 3: 9}), "<=", Fraction(0)),
        Row(terms({0: Fraction(1, 2), 1: -90, 2: Fraction(-1, 50), 3: 3}), "<=", Fraction(0)),
        Row(terms({2: 1}), "<=", Fraction(1)),
    ]
    goal = terms({0: Fraction(-3, 4), 1: 150, 2: Fraction(-1, 50), 3: 6})
    assert solve_exact(columns, rows, goal).value == Fraction(-1, 20)
    problem = lp._Problem.of(columns, rows, goal)
    assert problem.value(lp._finished(problem, None, Limits())) == Fraction(-1, 20)


def test_a_column_without_a_value_is_wrong_input() -> None:
    with pytest.raises(InputError, match="no value between 2 and 1"):
        solve_exact([column(2, 1)], [], ())


def test_the_time_limit_is_obeyed() -> None:
    columns, rows, objective = random_lp(Random(1), 40)
    with pytest.raises(LimitReachedError):
        solve_exact(columns, [*rows, Row(terms({0: 1}), "<=", Fraction(5))], objective, Limits(seconds=0))


def test_what_is_left_of_a_program_is_proved_by_the_rows_of_its_normal_form() -> None:
    chance = Random(9)
    for _ in range(150):
        base = random_program(chance, uncertainty=False)
        cut = chance.randint(0, len(base.variables))
        later = [Variable(v.name, "exists", v.lower, v.upper, False) for v in base.variables[cut:]]
        variables = (*base.variables[:cut], *later)
        program = Program(variables, base.rows, base.objective)
        prefix = [Fraction(chance.randint(int(v.lower or 0), int(v.upper or 0))) for v in variables[:cut]]
        exact, form = leaf_lp(program, prefix), normal(program)
        assert exact.status != "unbounded"
        assert len(exact.multipliers) == len(form.rows) and min(exact.multipliers) >= 0
        combined = terms((n, m * c) for m, row in zip(exact.multipliers, form.rows, strict=True) for n, c in row.terms)
        right = sum(m * row.right for m, row in zip(exact.multipliers[1:], form.rows[1:], strict=True))
        fixed = [Variable(v.name, "exists", p, p) for v, p in zip(variables[:cut], prefix, strict=True)]
        bound = least(combined, [*fixed, *later])
        assert bound is not None
        if exact.status == "optimal":
            played = [*prefix, *exact.primal]
            assert all(row.holds(played) for row in program.rows)
            assert exact.value == value_of(form.rows[0].terms, played) == bound - right
        else:
            assert exact.multipliers[0] == 0 and bound > right


def test_integers_cannot_be_left_for_a_linear_program() -> None:
    with pytest.raises(InputError, match="continuous"):
        leaf_lp(Program((Variable("x"),), (), Objective()), [])
