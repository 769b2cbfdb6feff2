"""Quantifiers inside of formulas moved to the front: the value stays what it is by the definition."""

from __future__ import annotations

from random import Random

import pytest
from tests.check.engines_formulas import of_engines
from tests.qbf.definition import random_nested, value_of

from zermelo.check.boolean import QuantifiedFormula
from zermelo.check.circuit import Circuit
from zermelo.check.prenex import free_in
from zermelo.check.read.formulas import of_game
from zermelo.qbf.game import FormulaGame
from zermelo.qbf.qcir import parse_qcir

MOST = 12
"""Variables of which all values are tried."""


def holds(formula: QuantifiedFormula, values: tuple[bool, ...] = ()) -> bool:
    """Whether a prenex formula is true, by trying all values."""
    if len(values) == len(formula.order):
        return formula.holds(dict(zip(formula.order, values, strict=True)))
    answers = (holds(formula, (*values, value)) for value in (False, True))
    return any(answers) if formula.owner[formula.order[len(values)]] == "exists" else all(answers)


@pytest.mark.parametrize("chunk", range(4))
def test_a_formula_is_true_in_front_exactly_where_it_is_by_the_definition(chunk: int) -> None:
    tried = [0, 0]
    for seed in range(60 * chunk, 60 * chunk + 60):
        stated = random_nested(Random(seed), 3, 7)
        game = FormulaGame(stated)
        formula = of_game(game)
        assert formula.canonical() == of_engines(game).canonical(), seed
        if len(formula.order) <= MOST:
            value = value_of(stated)
            assert holds(formula) == value, seed
            tried[value] += 1
    assert min(tried) > 5


COPIES: dict[str, tuple[str, list[tuple[str, ...]]]] = {
    "used as it is": (
        "exists(a)\noutput(o)\no = and(a, g)\ng = forall(x; u)\nu = or(a, x)",
        [("exists", "a"), ("forall", "x")],
    ),
    "negated": (
        "exists(a)\noutput(o)\no = and(a, -g)\ng = forall(x; u)\nu = or(-a, x)",
        [("exists", "a", "x")],
    ),
    "in an exclusive or": (
        "forall(a)\noutput(o)\no = xor(a, g)\ng = forall(x; u)\nu = or(a, x)",
        [("forall", "a", "x"), ("exists", "x_2")],
    ),
    "as a condition": (
        "exists(a, b)\noutput(o)\no = ite(g, a, b)\ng = exists(x; u)\nu = and(a, x)",
        [("exists", "a", "b", "x"), ("forall", "x_2")],
    ),
    "behind a condition": (
        "exists(a, b)\noutput(o)\no = ite(a, g, b)\ng = forall(x; u)\nu = or(b, x)",
        [("exists", "a", "b"), ("forall", "x")],
    ),
    "a variable of two gates": (
        "exists(a)\noutput(o)\no = and(g, h)\ng = exists(x; u)\nu = and(a, x)\nh = exists(x; v)\nv = or(a, -x)",
        [("exists", "a", "x", "x_2")],
    ),
    "a name that the text has": (
        "exists(x_2)\noutput(o)\no = xor(x_2, g)\ng = forall(x; u)\nu = or(x_2, x)",
        [("exists", "x_2", "x_3"), ("forall", "x")],
    ),
    "one gate inside of another that has two copies": (
        "exists(a)\noutput(o)\no = xor(a, g)\ng = exists(x; h)\nh = forall(y; u)\nu = or(a, x, y)",
        [("exists", "a", "x"), ("forall", "y", "x_2"), ("exists", "y_2")],
    ),
    "no prefix": ("output(g)\ng = forall(x; h)\nh = exists(y; u)\nu = xor(x, y)", [("forall", "x"), ("exists", "y")]),
}


@pytest.mark.parametrize("what", COPIES)
def test_copies_are_named_and_placed_as_is_laid_down(what: str) -> None:
    text, blocks = COPIES[what]
    game = FormulaGame(parse_qcir(text))
    formula = of_game(game)
    found = [(block.quantifier, *(formula.names[v] for v in block.variables)) for block in formula.blocks]
    assert found == blocks
    assert formula.canonical() == of_engines(game).canonical()
    assert holds(formula) == value_of(game.written)


def test_variables_that_are_not_asked_for_take_nothing_from_those_that_are() -> None:
    circuit = Circuit()
    x, y = circuit.variable(), circuit.variable()
    top = circuit.gate("exists", [y, circuit.gate("and", [x, y])])
    assert free_in(circuit, [1, 2, 3, top >> 1], {1: 1})[top >> 1] == 1
