"""Random conjunctions over a few variables, and what comes out of them one assignment after the other."""

from __future__ import annotations

from itertools import product
from random import Random

from zermelo.check.circuit import Circuit


def one_by_one(circuit: Circuit, variables: list[int], output: int) -> set[tuple[bool, ...]]:
    """The assignments that make a literal true."""
    found = set()
    for chosen in product((False, True), repeat=len(variables)):
        value = {0: False} | dict(zip(variables, chosen, strict=True))
        for node, inputs in enumerate(circuit.inputs):
            if inputs:
                value[node] = all(value[literal >> 1] != bool(literal & 1) for literal in inputs)
        if value[output >> 1] != bool(output & 1):
            found.add(chosen)
    return found


def random_gates(chance: Random, leaves: int, count: int) -> Circuit:
    """So many variables, and conjunctions over earlier literals; some of them are simplified away."""
    circuit = Circuit()
    literals = [0, *(circuit.variable() for _ in range(leaves))]
    for _ in range(count):
        inputs = [chance.choice(literals) ^ chance.randrange(2) for _ in range(chance.randrange(5))]
        literals.append(circuit.gate("and", inputs))
    return circuit
