"""Clauses of a circuit: satisfied exactly where it comes out true."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from pysat.solvers import Solver
from tests.qbf.gates import EVERY_KIND, one_by_one, random_gates

from zermelo.check.circuit import Circuit
from zermelo.check.clauses import clauses_of


def assignments(clauses: Sequence[Sequence[int]], leaves: int) -> set[tuple[bool, ...]]:
    """What the circuit's own variables are where all clauses can be satisfied."""
    found = set()
    with Solver(name="minisat22", bootstrap_with=clauses) as solver:
        for number in range(1 << leaves):
            chosen = tuple(number >> k & 1 == 1 for k in range(leaves))
            if solver.solve(assumptions=[k if value else -k for k, value in enumerate(chosen, 2)]):
                found.add(chosen)
    return found


def test_the_clauses_hold_exactly_where_the_circuit_does() -> None:
    for seed in range(600):
        chance = Random(seed)
        leaves = chance.randint(1, 5)
        circuit = random_gates(chance, leaves, chance.randint(1, 14), EVERY_KIND)
        output = 2 * (len(circuit.kinds) - 1) + chance.randrange(2)
        clauses = list(clauses_of(circuit, output))
        assert all(len(set(map(abs, clause))) == len(clause) for clause in clauses)
        assert assignments(clauses, leaves) == one_by_one(circuit, list(range(1, leaves + 1)), output)


def test_constants_are_always_or_never_satisfied() -> None:
    assert list(clauses_of(Circuit(), 1)) == [[-1], [-1]]
    assert list(clauses_of(Circuit(), 0)) == [[-1], [1]]
