"""The modelling language: it reads like the algebra, its devices mean what they say, its mistakes are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.qip.randomprograms import INFEASIBLE, LAWLESS, brute_force, random_program
from zermelo.errors import InputError
from zermelo.qip import EXISTS, FORALL, Model, total
from zermelo.qip.modelling.forall_rules import with_rules
from zermelo.qip.programs.program import Objective, Program, Row, Variable, minimised, terms, value_of


def test_a_model_is_a_program() -> None:
    m = Model("stock")
    x = m.exists("x", 0, 3)
    u = m.forall.binary("u")
    c = m.exists.continuous("c", None, 7)
    m.add(2 * x - u >= c + 1, name="cover")
    m.uncertainty(u <= 1)
    m.maximize(x - "0.5" * c + 2)
    assert m.program() == Program(
        (
            Variable("x", "exists", Fraction(0), Fraction(3)),
            Variable("u", "forall"),
            Variable("c", "exists", None, Fraction(7), integer=False),
        ),
        (Row(terms({0: 2, 1: -1, 2: -1}), ">=", Fraction(1), "cover"),),
        Objective("max", terms({0: 1, 2: Fraction(-1, 2)}), Fraction(2)),
        (Row(terms({1: 1}), "<=", Fraction(1)),),
    )
    assert m.program().name == "stock"


def test_variables_stand_in_the_order_of_their_making_or_of_their_stages() -> None:
    m = Model()
    m.exists.binary("a", stage=1)
    m.exists.binary("c", stage=3)
    m.forall.binary("b", stage=2)
    m.forall.binary("d")
    m.exists.binary("z", stage=-1)
    assert [v.name for v in m.program().variables] == ["z", "a", "b", "c", "d"]


def test_arrays_are_indexed_from_zero_or_by_what_was_given() -> None:
    m = Model()
    x = m.exists.binaries("x", 2, 3)
    y = m.forall.integers("y", ["a", "b"], lower=1, upper=4)
    assert list(x) == list(product(range(2), range(3)))
    assert (x[1, 2].name, y["b"].name, y["b"].lower, y["b"].quantifier) == ("x_1_2", "y_b", 1, "forall")


@given(*[st.fractions(-9, 9, max_denominator=4)] * 6)
def test_expressions_are_a_vector_space(
    a: Fraction, b: Fraction, c: Fraction, d: Fraction, p: Fraction, q: Fraction
) -> None:
    m = Model()
    x, y = m.exists("x", -9, 9), m.exists("y", -9, 9)
    form = a * (x + b) - (c * y - d) * 2 + sum([x, -y, 3]) - (-x) / 2
    expected = a * (p + b) - (c * q - d) * 2 + p - q + 3 + p / 2
    values = {x: p, y: q}
    assert sum((k * values[v] for v, k in form.coefficients.items()), form.constant) == expected
    assert all(form.coefficients.values())


def test_numbers_are_taken_if_they_are_exact() -> None:
    m = Model()
    x = m.exists("x", "0.5", Decimal("7.25"))
    assert (x.lower, x.upper) == (Fraction(1, 2), Fraction(29, 4))
    assert str("1/3" * x + Decimal("0.1") + True) == "1/3 x + 11/10"


def test_total_and_sum_agree() -> None:
    x = Model().exists.binaries("x", 5)
    assert str(total(x.values())) == str(sum(x.values())) == "x_0 + x_1 + x_2 + x_3 + x_4"
    assert str(total(i * v - 1 for i, v in x.items())) == "x_1 + 2 x_2 + 3 x_3 + 4 x_4 - 5"


def test_many_rows_may_be_stated_at_once() -> None:
    m = Model()
    x = m.exists.binaries("x", 3)
    m.add((x[i] + x[i + 1] <= 1 for i in range(2)), name="apart")
    assert [row.name for row in m.program().rows] == ["apart_1", "apart_2"]


def mistakes() -> list[tuple[Callable[[], object], str]]:
    m: Any = Model()
    other: Any = Model()
    x, y, b = m.exists("x", 0, 3), m.exists("y", 0, 3), m.exists.binary("b")
    stranger = other.exists.binary("stranger")
    return [
        (lambda: x * 0.5, "0.5 is a float, expected an exact number: an int, a Fraction or text such as '0.5'"),
        (lambda: x <= 2.0, "2.0 is a float, expected an exact number: an int, a Fraction or text such as '2.0'"),
        (lambda: x + "a", "'a' is no number, expected one such as '0.25' or '1/3'"),
        (lambda: x + "1e99999", "'1e99999' is no number, expected one such as '0.25' or '1/3'"),
        (lambda: x + None, "None is no number, expected an int, a Fraction or text such as '0.25'"),
        (lambda: x * y, "(x) * (y) is not linear, expected a number times an expression"),
        (lambda: x / 0, "(x) / 0 has no value"),
        (lambda: x < 3, "< and > are no relations of linear programs, expected <=, >= or =="),
        (lambda: x > 3, "< and > are no relations of linear programs, expected <=, >= or =="),
        (lambda: bool(x), "x has no truth value before the program is solved"),
        (lambda: 0 <= x <= 3, "x >= 0 has no truth value: expected one comparison at a time, without and, or and not"),
        (lambda: x != 3, "x = 3 has no truth value: expected one comparison at a time, without and, or and not"),
        (lambda: ~x, "~x means 1 - x, expected a binary variable"),
        (lambda: m.add(x >= 1, when=y), "y is no condition, expected a binary variable b, ~b, b == 0 or b == 1"),
        (
            lambda: m.add(x >= 1, when=b <= 1),
            "b <= 1 is no condition, expected a binary variable b, ~b, b == 0 or b == 1",
        ),
        (lambda: m.add(x >= 1, when=2 * b), "2 b is no condition, expected a binary variable b, ~b, b == 0 or b == 1"),
        (
            lambda: m.add(sum([]) <= 1),
            "True is no row, expected a comparison of expressions (total([]) is one, sum([]) is not)",
        ),
        (
            lambda: m.add([x <= 1, x]),
            "x is no row, expected a comparison of expressions (total([]) is one, sum([]) is not)",
        ),
        (lambda: m.add(x + stranger <= 1), "variable stranger belongs to another model, expected one of this model"),
        (lambda: m.minimize(stranger), "variable stranger belongs to another model, expected one of this model"),
        (
            lambda: m.add(x <= 1, when=stranger),
            "variable stranger belongs to another model, expected one of this model",
        ),
        (lambda: m.exists.binary("x"), "there is a variable x already, expected another name"),
        (
            lambda: m.add(x <= 1, name="a b"),
            "row 'a b': expected a name without blanks and without + - * / < > = : ^ and backslashes",
        ),
        (lambda: m.exists.binary("end"), "variable 'end': expected a name that is no keyword"),
        (lambda: m.of("nobody"), "'nobody' is no player, expected 'exists' or 'forall'"),
    ]


@pytest.mark.parametrize(("mistake", "message"), mistakes())
def test_mistakes_are_told(mistake: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        mistake()
    assert str(error.value) == message


def assignments(program: Program) -> list[tuple[int, ...]]:
    return list(product(*(range(int(v.lower or 0), int(v.upper or 0) + 1) for v in program.variables)))


@pytest.mark.parametrize("relation", ["<=", ">=", "="])
@pytest.mark.parametrize("negated", [False, True])
def test_a_row_with_a_condition_counts_exactly_where_it_holds(relation: str, negated: bool) -> None:
    m = Model()
    b, x, y = m.forall.binary("b"), m.exists("x", -2, 3), m.exists("y", 0, 2)
    left = 2 * x - "1.5" * y
    row = left <= 1 if relation == "<=" else left >= 1 if relation == ">=" else left == 1
    m.add(row, when=b == 0 if negated else b)
    program = m.program()
    for values in assignments(program):
        plain = Row(terms({1: 2, 2: Fraction(-3, 2)}), row.relation, Fraction(1))
        wanted = values[0] == int(negated) or plain.holds(values)
        assert all(made.holds(values) for made in program.rows) == wanted


def test_a_row_with_several_conditions_counts_where_all_hold() -> None:
    m = Model()
    a, b, x = m.forall.binary("a"), m.forall.binary("b"), m.exists("x", 0, 5)
    m.add(x >= 4, when=[a, ~b])
    program = m.program()
    for values in assignments(program):
        assert program.rows[0].holds(values) == (values[2] >= 4 or values[:2] != (1, 0))


def test_big_m_is_no_larger_than_needed() -> None:
    m = Model()
    b, x = m.exists.binary("b"), m.exists("x", 0, 9)
    m.add(x <= 4, when=b)
    assert str(m.program().rows[0]) == "5*#0 + 1*#1 <= 9"


def test_the_rule_of_the_paper_is_its_indicator() -> None:
    """2 x_Delta <= y_24 + y_25 + y_34 + y_35 says that at most one of the edges may fail."""
    m = Model()
    y = m.forall.binaries("y", 4)
    m.rule(total(y.values()) <= 1)
    m.add(total(y.values()) <= 1)
    relaxed, indicator = m.program().rows
    assert str(indicator) == "1*#0 + 1*#1 + 1*#2 + 1*#3 - 2*#4 >= 0"
    assert str(relaxed) == "1*#0 + 1*#1 + 1*#2 + 1*#3 - 3*#4 <= 1"


def test_a_rule_of_exists_is_a_row() -> None:
    m = Model()
    x = m.exists.binary("x")
    m.rule(x >= 1, player=EXISTS)
    assert [str(row) for row in m.program().rows] == ["1*#0 >= 1"]


def test_forall_has_nothing_from_breaking_a_rule() -> None:
    """Where he can keep his rules, it is as if he had to: the same values as with rows of the uncertainty."""
    chance = Random(11)
    seen = {"infeasible": 0, "value": 0, "lawless": 0}
    for _ in range(250):
        program = random_program(chance, variables=5, rows=3, blocks=4)
        plain = Program(program.variables, program.rows, program.objective)
        try:
            ruled = with_rules(plain, program.uncertainty)
        except InputError as error:
            assert "is broken by all values" in str(error)
            continue
        if len(ruled.variables) > 8:
            continue
        expected, found = brute_force(program), brute_force(ruled)
        if expected == LAWLESS:
            seen["lawless"] += 1
            assert found == INFEASIBLE or beyond(program, found)
            continue
        seen["infeasible" if expected == INFEASIBLE else "value"] += program.uncertainty != ()
        assert found == expected
    assert min(seen.values()) > 0


def beyond(program: Program, found: Fraction | str) -> bool:
    """Whether a value is no worse than the best of the objective within the bounds."""
    goal = program.objective
    values = [value_of(goal.terms, choice) + goal.constant for choice in assignments(program)]
    return not isinstance(found, str) and (found <= min(values) if goal.sense == "min" else found >= max(values))


def test_who_breaks_the_rules_first_loses() -> None:
    """Exists takes both places at once, against her row, so that forall has none left: she must not win by that."""
    m = Model()
    a, b = m.exists.binaries("x", 2).values()
    u, v = m.forall.binaries("u", 2).values()
    m.add(a + b <= 1, name="one")
    m.rule(u + v == 1)
    m.rule([u + a <= 1, v + b <= 1])
    last = m.exists.binary("last")
    m.add(last >= 1)
    m.add(last <= 0)
    assert brute_force(m.program()) == INFEASIBLE


def broken_rules_by_definition(program: Program, rules: Sequence[Row]) -> Fraction | str:
    """The value where rules may be broken: rows count that were settled before the first block in which one was."""
    blocks = [number for number, block in enumerate(program.blocks) for _ in range(block.first, block.end)]
    goal = program.objective
    sign = minimised(program)
    outcomes = [sign * value_of(goal.terms, choice) for choice in assignments(program)]
    span = max(outcomes) - min(outcomes)

    def value(played: tuple[int, ...]) -> Fraction | None:
        if len(played) < len(program.variables):
            variable = program.variables[len(played)]
            after = [value((*played, v)) for v in range(int(variable.lower or 0), int(variable.upper or 0) + 1)]
            if variable.quantifier == "exists":
                return min((v for v in after if v is not None), default=None)
            return None if None in after else max(v for v in after if v is not None)
        first = min((blocks[r.terms[-1][0]] for r in rules if r.terms and not r.holds(played)), default=len(blocks))
        counting = [r for r in program.rows if not r.terms or blocks[r.terms[-1][0]] < first]
        if not all(row.holds(played) for row in counting):
            return None
        return sign * (value_of(goal.terms, played) + goal.constant) - (span if first < len(blocks) else 0)

    found = value(())
    return INFEASIBLE if found is None else sign * found


def test_rules_mean_what_they_say() -> None:
    """Rules over variables of both players, the last of them universal, against the definition."""
    chance = Random(21)
    checked = 0
    while checked < 60:
        program = random_program(chance, variables=5, rows=5, blocks=4, uncertainty=False)
        universal = {n for n, v in enumerate(program.variables) if v.quantifier == "forall"}
        rules = [row for row in program.rows if row.terms and row.terms[-1][0] in universal][:2]
        rows = tuple(row for row in program.rows if row not in rules)
        plain = Program(program.variables, rows, program.objective)
        try:
            ruled = with_rules(plain, rules)
        except InputError as error:
            assert "is broken by all values" in str(error)
            continue
        if plain.variables != ruled.variables and len(ruled.variables) <= 9:
            checked += 1
            assert brute_force(ruled) == broken_rules_by_definition(plain, rules)


def test_a_rule_may_speak_of_what_exists_did_before() -> None:
    """Forall may not take the place that exists took; if he does, she wins with the best objective."""
    m = Model()
    x = m.exists("x", 0, 2)
    u = m.forall("u", 0, 2)
    m.rule(u <= x)
    m.add(u <= x)
    m.minimize(u - x)
    assert brute_force(m.program()) == 0


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (
            lambda m: m.rule(m.forall.binary("u") + m.exists.binary("x") <= 1),
            "rule 1 ends with the existential variable x, "
            "expected a universal one to be the last of its variables in the prefix",
        ),
        (
            lambda m: m.rule(m.forall.binary("u") >= 2, name="two"),
            "rule two is broken by all values of its variables, expected one that can be kept",
        ),
        (lambda m: m.rule(total([]) >= 1), "rule 1 holds no variable and is broken, expected one that can be kept"),
        (
            lambda m: m.rule(m.forall.continuous("c", 0, 1) <= 0),
            "rule 1 holds the continuous variable c, expected integer variables only",
        ),
        (
            lambda m: (m.rule(m.forall.binary("u") <= 0), m.minimize(m.exists.continuous("c", 0, None))),
            "the objective has a variable without bounds, expected bounds for all beside rules",
        ),
        (
            lambda m: (m.rule(m.forall.binary("u") <= 0), m.add(m.exists.continuous("c", 0, None) <= 0, name="r")),
            "row r with a condition holds c, expected a variable with bounds",
        ),
    ],
)
def test_rules_that_cannot_be_said_are_refused(state: Callable[[Model], object], message: str) -> None:
    m = Model()
    state(m)
    with pytest.raises(InputError) as error:
        m.program()
    assert str(error.value) == message


def test_a_rule_that_cannot_be_broken_needs_no_indicator() -> None:
    m = Model()
    m.rule(m.forall.binary("u") <= 1)
    assert [v.name for v in m.program().variables] == ["u"]


def test_the_indicator_has_a_name_of_its_own() -> None:
    m = Model()
    u = m.forall.binary("x_Delta")
    m.rule(u <= 0)
    assert [v.name for v in m.program().variables] == ["x_Delta", "x_Delta_"]


def test_players_are_words() -> None:
    assert (EXISTS, FORALL) == ("exists", "forall")
