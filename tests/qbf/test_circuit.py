"""Circuits simplify without changing what they compute, whatever their depth."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from tests.qbf.randomformulas import random_formula
from zermelo.qbf.circuit import FALSE, TRUE, Circuit, holds, negate, substituted, values
from zermelo.qbf.formula import Block, Formula, truth
from zermelo.qbf.packed import packed


def test_every_gate_computes_what_its_name_says() -> None:
    for constants in product((False, True), repeat=3):
        circuit = Circuit()
        leaves = [circuit.variable() for _ in range(3)]
        for inputs in product([FALSE, TRUE, *leaves, *map(negate, leaves)], repeat=3):
            a, b, c = inputs
            gates = [
                circuit.conjunction(inputs),
                circuit.disjunction(inputs),
                circuit.exclusive(a, b),
                circuit.choice(a, b, c),
            ]
            value = values(circuit, {leaf >> 1: constant for leaf, constant in zip(leaves, constants, strict=True)})
            x, y, z = (holds(value, literal) for literal in inputs)
            assert [holds(value, gate) for gate in gates] == [x and y and z, x or y or z, x != y, y if x else z]


def test_equal_gates_are_stored_once() -> None:
    circuit = Circuit()
    x, y, z = (circuit.variable() for _ in range(3))
    for make in (
        lambda a, b: circuit.conjunction([a, b]),
        lambda a, b: circuit.disjunction([a, b]),
        circuit.exclusive,
    ):
        assert make(x, y) == make(y, x)
    assert circuit.exclusive(x ^ 1, y) == circuit.exclusive(x, y) ^ 1
    assert circuit.choice(x ^ 1, y, z) == circuit.choice(x, z, y)
    assert circuit.choice(x, y ^ 1, z ^ 1) == circuit.choice(x, y, z) ^ 1


def test_a_long_chain_of_gates_is_evaluated_and_copied() -> None:
    circuit = Circuit()
    x, y = circuit.variable(), circuit.variable()
    chain = x
    for number in range(300_000):
        chain = circuit.conjunction([chain, y]) ^ 1 if number % 2 else circuit.exclusive(chain, y)
    assert holds(values(circuit, {x >> 1: True, y >> 1: True}), chain) in (False, True)
    other = Circuit()
    (copy,) = substituted(circuit, [chain], other, {x >> 1: other.variable(), y >> 1: other.variable()})
    assert holds(values(other, {1: True, 2: True}), copy) == holds(values(circuit, {1: True, 2: True}), chain)


def test_a_copy_computes_the_same() -> None:
    chance = Random(5)
    for _ in range(200):
        formula = random_formula(chance)
        other = Circuit()
        variables = [variable for block in formula.prefix for variable in block.variables]
        leaves = {variable: other.variable() for variable in variables}
        (output,) = substituted(formula.circuit, [formula.output], other, leaves)
        prefix = tuple(Block(b.quantifier, tuple(leaves[v] >> 1 for v in b.variables)) for b in formula.prefix)
        assert truth(Formula(other, prefix, output)) == truth(formula)


def test_a_formula_with_two_like_blocks_side_by_side_is_not_normal() -> None:
    circuit = Circuit()
    x, y = circuit.variable(), circuit.variable()
    formula = Formula(circuit, (Block("exists", (x >> 1,)), Block("exists", (y >> 1,))), circuit.conjunction([x, y]))
    assert not formula.is_normal
    with pytest.raises(ValueError, match="normal form"):
        packed(formula)
