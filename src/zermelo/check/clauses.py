"""Clauses that can be satisfied exactly if a circuit can come out true.

Each node has a variable, and clauses say that it is what its inputs make of it (Tseitin, "On the complexity of
derivation in propositional calculus", 1968). So to values of the circuit's own variables belong values of all others,
one way only, and the last clause, which says that the output holds, is satisfied where the circuit comes out true.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zermelo.check.circuit import Circuit


def clauses_of(circuit: Circuit, output: int) -> Iterator[list[int]]:
    """The clauses of a literal that is to hold. The variable of a node is its number and one, negative where negated.

    >>> circuit = Circuit()
    >>> one, two = circuit.variable(), circuit.variable()
    >>> list(clauses_of(circuit, circuit.gate("or", [one, two ^ 1]) ^ 1))
    [[4, -2], [4, 3], [-4, 2, -3], [-4]]
    """
    for node in circuit.below(output):
        for clause in _definition(2 * node, circuit.kinds[node], circuit.inputs[node]):
            yield [_signed(literal) for literal in clause]
    yield [_signed(output)]


def _definition(gate: int, kind: str, inputs: Sequence[int]) -> Iterator[list[int]]:
    """Literals of which one holds, for each clause that says what a gate is."""
    if kind == "false":
        yield [gate ^ 1]
    elif kind in ("and", "or"):
        flip = int(kind == "or")  # a disjunction is false where all inputs are
        yield from ([gate ^ flip ^ 1, literal ^ flip] for literal in inputs)
        yield [gate ^ flip, *(literal ^ flip ^ 1 for literal in inputs)]
    elif kind != "variable":
        condition, then, otherwise = inputs if kind == "ite" else (inputs[0], inputs[1] ^ 1, inputs[1])
        for flip in (0, 1):
            yield [gate ^ flip ^ 1, condition ^ 1, then ^ flip]
            yield [gate ^ flip ^ 1, condition, otherwise ^ flip]


def _signed(literal: int) -> int:
    number = (literal >> 1) + 1
    return -number if literal & 1 else number
