"""Random gates over a few variables, and what comes out of them one assignment after the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

from zermelo.check.circuit import Circuit

CONJUNCTIONS = ("and",)
EVERY_KIND = ("and", "or", "xor", "ite")


def one_by_one(circuit: Circuit, variables: list[int], output: int) -> set[tuple[bool, ...]]:
    """The assignments that make a literal true."""
    found = set()
    for chosen in product((False, True), repeat=len(variables)):
        value = {0: False} | dict(zip(variables, chosen, strict=True))
        for node, inputs in enumerate(circuit.inputs):
            values = [value[literal >> 1] != bool(literal & 1) for literal in inputs]
            match circuit.kinds[node]:
                case "and":
                    value[node] = all(values)
                case "or":
                    value[node] = any(values)
                case "xor":
                    value[node] = sum(values) == 1
                case "ite":
                    value[node] = values[1] if values[0] else values[2]
        if value[output >> 1] != bool(output & 1):
            found.add(chosen)
    return found


def random_gates(chance: Random, leaves: int, count: int, kinds: Sequence[str] = CONJUNCTIONS) -> Circuit:
    """So many variables, and gates over earlier literals; some of them are simplified away."""
    circuit = Circuit()
    literals = [0, *(circuit.variable() for _ in range(leaves))]
    for _ in range(count):
        kind = chance.choice(kinds)
        width = {"xor": 2, "ite": 3}.get(kind) or chance.randrange(5)
        literals.append(circuit.gate(kind, [chance.choice(literals) ^ chance.randrange(2) for _ in range(width)]))
    return circuit
