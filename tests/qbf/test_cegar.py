"""Abstraction refinement finds the value by the definition, and functions that win against every reply."""

from __future__ import annotations

import json
import os
import signal
import threading
from itertools import product
from pathlib import Path
from random import Random

import pytest

from tests.qbf.randomformulas import random_clauses, random_formula
from zermelo.limits import Limits
from zermelo.progress import Progress
from zermelo.qbf.cegar import solve_by_cegar
from zermelo.qbf.cegar_layers import layers_of
from zermelo.qbf.circuit import FALSE, TRUE, Circuit, Kind, cone, holds, values
from zermelo.qbf.formula import Block, Formula, truth
from zermelo.qbf.functions import Functions
from zermelo.qbf.normal import normalized
from zermelo.qbf.reading import read_formula

CORPUS = Path(os.environ.get("ZERMELO_CORPUS", "no-corpus")) / "qbf"
LONG = {"D_4x4_8", "D_5x3_8", "D_3x6_6", "hex_browne", "hex_hein_07", "hex_hein_09", "hex_hein_14", "httt_3x3_9"}
"""Instances of the corpus that take this engine more than a second or two."""


def wins(formula: Formula, functions: Functions, replies: list[dict[int, bool]] | None = None) -> bool:
    """Whether functions win against all choices of the other role, or against some given ones."""
    others = [v for block in formula.prefix if block.quantifier != functions.owner for v in block.variables]
    tries = replies or [dict(zip(others, c, strict=True)) for c in product((False, True), repeat=len(others))]
    for chosen in tries:
        value = values(formula.circuit, {**functions.replies(chosen), **chosen})
        if holds(value, formula.output) != (functions.owner == "exists"):
            return False
    return True


def looks_back_only(formula: Formula, functions: Functions) -> bool:
    """Whether each function depends on variables of outer blocks alone."""
    known: set[int] = set()
    for block in formula.prefix:
        if block.quantifier != functions.owner:
            known.update(functions.inputs[variable] for variable in block.variables)
            continue
        for variable in block.variables:
            nodes = cone(functions.circuit, [functions.outputs.get(variable, FALSE)])
            if any(functions.circuit.kind[node] == Kind.VARIABLE and node not in known for node in nodes):
                return False
    return True


def test_random_circuits_are_solved_as_by_the_definition_with_functions_that_win() -> None:
    chance, seen = Random(1), set()
    for _ in range(1500):
        formula = random_formula(chance, variables=7, gates=14, blocks=5)
        answer = solve_by_cegar(formula)
        assert answer.value == truth(formula)
        assert answer.functions is not None
        assert answer.functions.owner == ("exists" if answer.value else "forall")
        assert wins(formula, answer.functions)
        assert looks_back_only(formula, answer.functions)
        seen.add((answer.value, len(formula.prefix)))
    assert len(seen) == 10


def test_random_clauses_are_solved_with_functions_that_win() -> None:
    chance = Random(2)
    for _ in range(1500):
        formula = random_clauses(chance, variables=9, clauses=20, blocks=6)
        answer = solve_by_cegar(formula)
        assert answer.functions is not None
        # Functions that win prove the value, whichever it is.
        assert wins(formula, answer.functions)
        assert looks_back_only(formula, answer.functions)


def test_larger_random_formulas_have_functions_that_win() -> None:
    chance = Random(3)
    for _ in range(40):
        formula = random_clauses(chance, variables=24, clauses=70, blocks=8)
        answer = solve_by_cegar(formula)
        assert answer.functions is not None
        others = [v for b in formula.prefix if b.quantifier != answer.functions.owner for v in b.variables]
        tries = [{variable: bool(chance.getrandbits(1)) for variable in others} for _ in range(30)]
        assert wins(formula, answer.functions, tries)
        assert looks_back_only(formula, answer.functions)


@pytest.mark.parametrize("output", [FALSE, TRUE])
def test_a_constant_needs_no_solver(output: int) -> None:
    circuit = Circuit()
    x, y = circuit.variable(), circuit.variable()
    formula = Formula(circuit, (Block("exists", (x >> 1,)), Block("forall", (y >> 1,))), output)
    answer = solve_by_cegar(formula)
    assert (answer.value, answer.nodes) == (output == TRUE, 0)
    assert answer.functions is not None
    assert wins(formula, answer.functions)


def test_variables_that_do_not_matter_may_stand_anywhere() -> None:
    circuit = Circuit()
    a, b, c, d = (circuit.variable() for _ in range(4))
    blocks = [("exists", a), ("forall", b), ("exists", c), ("forall", d)]
    prefix = tuple(Block(quantifier, (literal >> 1,)) for quantifier, literal in blocks)
    for output in (a, b ^ 1, c, d, circuit.exclusive(b, c), circuit.exclusive(a, b)):
        formula = Formula(circuit, prefix, output)
        answer = solve_by_cegar(formula)
        assert answer.value == truth(formula)
        assert answer.functions is not None
        assert wins(formula, answer.functions)


def test_a_clause_is_split_by_the_blocks_that_satisfy_it() -> None:
    circuit = Circuit()
    a, b, c, d = (circuit.variable() for _ in range(4))
    prefix = (Block("exists", (1, 2)), Block("forall", (3,)), Block("exists", (4,)))
    layers = layers_of(Formula(circuit, prefix, circuit.disjunction([d ^ 1, a, c, b ^ 1])))
    assert [layers.inputs[gate] for gate in range(5, len(layers.inputs))] == [(1, -2), (5, 3), (6, -4)]
    assert layers.handed[1] == (5,)
    assert layers.depth == 3


def test_a_formula_that_is_not_normal_is_refused() -> None:
    circuit = Circuit()
    x = circuit.variable()
    with pytest.raises(ValueError, match="normal form"):
        solve_by_cegar(Formula(circuit, (), x, free=(x >> 1,)))


def chain(gates: int) -> Formula:
    """A chain of gates; ``exists`` has the last word by ``y``."""
    circuit = Circuit()
    x, y, z = (circuit.variable() for _ in range(3))
    gate = x
    for number in range(gates):
        gate = circuit.disjunction([gate, z]) if number % 2 else circuit.conjunction([gate, z ^ 1])
    prefix = (Block("forall", (x >> 1, z >> 1)), Block("exists", (y >> 1,)))
    return Formula(circuit, prefix, circuit.exclusive(gate, y))


def test_a_long_chain_of_gates_is_no_problem() -> None:
    formula = chain(10_000)
    answer = solve_by_cegar(formula)
    assert answer.value is True
    assert answer.functions is not None
    assert wins(formula, answer.functions)


def test_ten_thousand_blocks_are_no_problem() -> None:
    circuit = Circuit()
    variables = [circuit.variable() for _ in range(10_000)]
    # Each ``exists`` may repeat what ``forall`` has just said.
    pairs = [circuit.disjunction([y ^ 1, x]) for y, x in zip(variables[::2], variables[1::2], strict=True)]
    prefix = tuple(Block("exists" if k % 2 else "forall", (v >> 1,)) for k, v in enumerate(variables))
    formula = Formula(circuit, prefix, circuit.conjunction(pairs))
    answer = solve_by_cegar(formula, Limits(nodes=40))
    assert answer.value in (True, None)
    assert answer.stats["deepest"] == 10_000


def hard_formula() -> Formula:
    """More pigeons than holes, for ``exists`` to place: too hard for resolution."""
    circuit, holes = Circuit(), 11
    seat = [[circuit.variable() for _ in range(holes)] for _ in range(holes + 1)]
    demands = [circuit.disjunction(row) for row in seat]
    for hole in range(holes):
        for one in range(holes + 1):
            demands += [circuit.disjunction([seat[one][hole] ^ 1, seat[two][hole] ^ 1]) for two in range(one)]
    prefix = (Block("exists", tuple(literal >> 1 for row in seat for literal in row)),)
    return Formula(circuit, prefix, circuit.conjunction(demands))


def test_limits_of_time_and_calls_are_kept() -> None:
    assert solve_by_cegar(hard_formula(), Limits(seconds=0.2)).cause == "time"
    answer = solve_by_cegar(chain(5), Limits(nodes=1))
    assert (answer.value, answer.cause, answer.nodes) == (None, "nodes", 1)


def test_a_limit_of_memory_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    # Whether the process grows depends on what earlier tests have left of its heap.
    monkeypatch.setattr("zermelo.qbf.cegar_abstraction.memory_watch", lambda limit: lambda: True)
    answer = solve_by_cegar(chain(20_000), Limits(memory=1))
    assert (answer.value, answer.cause) == (None, "memory")


def test_progress_is_shown_and_ctrl_c_is_heard_inside_a_sat_call() -> None:
    looks: list[Progress] = []

    def interrupt_once(progress: Progress) -> None:
        looks.append(progress)
        if len(looks) == 1:
            threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()

    answer = solve_by_cegar(hard_formula(), Limits(seconds=60), interrupt_once)
    assert (answer.value, answer.cause) == (None, "interrupt")
    assert looks[0].engine == "qbf-cegar"


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not here")
def test_public_game_formulas_have_their_known_answers() -> None:
    answers = json.loads((CORPUS / "answers.json").read_text(encoding="utf-8"))
    for name, known in answers.items():
        if any(name.startswith(long) for long in LONG):
            continue
        formula = normalized(read_formula(CORPUS / name))
        answer = solve_by_cegar(formula)
        assert answer.value is (known["answer"] == "true"), name
        assert answer.functions is not None
        assert looks_back_only(formula, answer.functions)
        chance = Random(name)
        others = list(answer.functions.inputs)
        tries = [{variable: bool(chance.getrandbits(1)) for variable in others} for _ in range(20)]
        assert wins(formula, answer.functions, tries), name
