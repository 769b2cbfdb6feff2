"""Random gates over a few variables, and what comes out of them one assignment after the other."""

from __future__ import annotations

from itertools import product
from random import Random

from zermelo.check.plays import Gate


def one_by_one(blocks: list[list[int]], gates: list[Gate], output: int) -> set[tuple[bool, ...]]:
    """The assignments that make a literal true."""
    variables = [variable for block in blocks for variable in block]
    found = set()
    for chosen in product((False, True), repeat=len(variables)):
        value = {0: False} | dict(zip(variables, chosen, strict=True))
        for gate in gates:
            parts = [value[literal >> 1] != bool(literal & 1) for literal in gate.inputs]
            match gate.kind:
                case "and":
                    value[gate.number] = all(parts)
                case "or":
                    value[gate.number] = any(parts)
                case "xor":
                    value[gate.number] = parts[0] != parts[1]
                case _:
                    value[gate.number] = parts[1] if parts[0] else parts[2]
        if value[output >> 1] != bool(output & 1):
            found.add(chosen)
    return found


def random_gates(chance: Random, leaves: int, count: int) -> list[Gate]:
    """Gates of all kinds, each over earlier numbers."""
    gates = []
    for number in range(leaves + 1, leaves + 1 + count):
        kind = chance.choice(("and", "or", "xor", "ite"))
        width = {"xor": 2, "ite": 3}.get(kind, chance.randrange(5))
        gates.append(Gate(number, kind, [chance.randrange(2 * number) for _ in range(width)]))
    return gates
