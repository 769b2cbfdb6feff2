"""The native search on quantified circuits, against the definition."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from tests.qbf.randomformulas import random_clauses, random_formula
from zermelo import _native
from zermelo.limits import Limits
from zermelo.qbf.circuit import Circuit, holds, values
from zermelo.qbf.circuit_search import solve_by_search
from zermelo.qbf.formula import OTHER, Block, Formula, Quantifier, truth
from zermelo.qbf.functions import Functions

PARTS = ("table", "components", "sat", "restructure")


def owner_wins(formula: Formula, functions: Functions) -> bool:
    """Whether the functions win against every choice of the other role, looking at outer choices only."""
    order = [(v, block.quantifier) for block in formula.prefix for v in block.variables]
    others = [v for v, quantifier in order if quantifier != functions.owner]
    for bits in product((False, True), repeat=len(others)):
        chosen = dict(zip(others, bits, strict=True))
        replies = functions.replies(chosen)
        if holds(values(formula.circuit, chosen | replies), formula.output) != (functions.owner == "exists"):
            return False
        outer: dict[int, bool] = dict.fromkeys(others, False)
        for variable, quantifier in order:
            if quantifier != functions.owner:
                outer[variable] = chosen[variable]
            elif functions.replies(outer)[variable] != replies[variable]:
                return False
    return True


def parameters(**given: bool | int) -> _native.QbfParameters:
    made = _native.QbfParameters()
    for name, value in given.items():
        setattr(made, name, value)
    return made


def assert_right(formula: Formula, settings: _native.QbfParameters) -> None:
    answer = solve_by_search(formula, parameters=settings)
    assert answer.value == truth(formula)
    assert answer.functions is not None
    assert answer.functions.owner == ("exists" if answer.value else "forall")
    assert owner_wins(formula, answer.functions)


@pytest.mark.parametrize("alone", ["all", "none", *PARTS, "expansion"])
def test_answers_and_functions_agree_with_the_definition(alone: str) -> None:
    settings = parameters(
        **{part: alone in ("all", part) for part in PARTS},
        sat_after=0 if alone == "sat" else 400,
        expansion_gates=100_000 if alone in ("all", "expansion") else 0,
    )
    for seed in range(60):
        chance = Random(seed)
        formula = random_clauses(chance) if seed % 3 == 0 else random_formula(chance, 7, 12, 5)
        assert_right(formula, settings)


@pytest.mark.parametrize("ordering", range(8))
def test_every_ordering_gives_the_same_answers(ordering: int) -> None:
    for seed in range(1000, 1030):
        assert_right(random_formula(Random(seed), 8, 16, 4), parameters(ordering=ordering))


def test_the_last_block_may_be_chosen_by_what_is_left_without_it() -> None:
    for seed in range(2000, 2080):
        chance = Random(seed)
        formula = random_clauses(chance) if seed % 3 == 0 else random_formula(chance, 7, 12, 5)
        assert_right(formula, parameters(case_inputs=0))


def test_constants_are_decided() -> None:
    for output, value in ((0, False), (1, True)):
        assert solve_by_search(Formula(Circuit(), (), output)).value is value


def chained(blocks: int, gates: int) -> Formula:
    """Alternating gates, each on a variable and the gate before."""
    circuit = Circuit()
    variables = [circuit.variable() for _ in range(blocks)]
    last = variables[-1]
    for gate in range(gates):
        literal = variables[-1 - gate % blocks] ^ (gate & 1)
        last = circuit.conjunction((literal, last)) if gate % 3 else circuit.exclusive(literal, last)
    quantifier: Quantifier = "exists"
    prefix = []
    for variable in variables:
        prefix.append(Block(quantifier, (variable >> 1,)))
        quantifier = OTHER[quantifier]
    return Formula(circuit, tuple(prefix), last)


def test_deep_formulas_do_not_crash() -> None:
    for formula in (chained(10_000, 20_000), chained(2, 100_000)):
        assert solve_by_search(formula, Limits(seconds=5)).cause in ("none", "time")


def test_limits_are_kept() -> None:
    formula = random_clauses(Random(3), variables=60, clauses=200, blocks=8)
    answer = solve_by_search(formula, Limits(nodes=1))
    assert answer.value is not None or answer.cause == "nodes"


def test_without_functions_the_answer_says_so() -> None:
    answer = solve_by_search(random_formula(Random(1)), parameters=parameters(functions=False))
    assert answer.functions is None
    assert answer.stats["functions"] == "not asked for"


def test_the_same_formula_takes_the_same_nodes() -> None:
    formula = random_clauses(Random(9), variables=14, clauses=50, blocks=5)
    assert solve_by_search(formula).nodes == solve_by_search(formula).nodes
