"""Clauses of a circuit: satisfied exactly where it comes out true, whichever gates were written out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest
from pysat.solvers import Solver
from tests.qbf.gates import EVERY_KIND, one_by_one, random_gates

from zermelo.check import clauses as clauses_of_gates
from zermelo.check.circuit import Circuit
from zermelo.check.clauses import LONGEST, clauses_of, conjunctions_of


def assignments(clauses: Sequence[Sequence[int]], leaves: int) -> set[tuple[bool, ...]]:
    """What the circuit's own variables are where all clauses can be satisfied."""
    found = set()
    with Solver(name="minisat22", bootstrap_with=clauses) as solver:
        for number in range(1 << leaves):
            chosen = tuple(number >> k & 1 == 1 for k in range(leaves))
            if solver.solve(assumptions=[k if value else -k for k, value in enumerate(chosen, 1)]):
                found.add(chosen)
    return found


def gates_used_once(chance: Random, leaves: int, count: int) -> Circuit:
    """Conjunctions as functions have them, most of them used once."""
    circuit = Circuit()
    literals = [circuit.variable() for _ in range(leaves)]
    unused = literals.copy()
    for _ in range(count):
        width = chance.randint(2, 4)
        inputs = [unused.pop(chance.randrange(len(unused))) for _ in range(min(width, len(unused)))]
        inputs += [chance.choice(literals) for _ in range(chance.choice((0, 0, 1)))]
        made = circuit.gate("and", [literal ^ chance.randrange(2) for literal in inputs])
        literals.append(made)
        unused += [made, *(chance.choice(literals[:leaves]) for _ in range(2))]
    return circuit


@pytest.mark.parametrize("longest", [1, 3, LONGEST])
@pytest.mark.parametrize("make", [random_gates, gates_used_once])
def test_the_clauses_hold_exactly_where_the_circuit_does(
    make: Callable[[Random, int, int], Circuit], longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clauses_of_gates, "LONGEST", longest)
    for seed in range(300):
        chance = Random(seed)
        leaves = chance.randint(1, 5)
        circuit = make(chance, leaves, chance.randint(1, 14))
        output = 2 * (len(circuit.kinds) - 1) + chance.randrange(2)
        clauses = list(clauses_of(circuit, output))
        assert all(len(set(map(abs, clause))) == len(clause) for clause in clauses)
        assert assignments(clauses, leaves) == one_by_one(circuit, list(range(1, leaves + 1)), output)


def test_gates_of_every_kind_become_conjunctions_that_hold_where_they_do() -> None:
    for seed in range(200):
        chance = Random(seed)
        leaves = chance.randint(1, 5)
        circuit = random_gates(chance, leaves, chance.randint(1, 14), EVERY_KIND)
        output = 2 * (len(circuit.kinds) - 1) + chance.randrange(2)
        made, image = conjunctions_of(circuit, output)
        assert set(made.kinds) <= {"false", "variable", "and"}
        places = [n for n in range(1, leaves + 1) if n in image]
        held = one_by_one(made, [image[n] >> 1 for n in places], image[output >> 1] ^ (output & 1))
        assert held == {
            tuple(v[n - 1] for n in places) for v in one_by_one(circuit, list(range(1, leaves + 1)), output)
        }


def test_constants_are_always_or_never_satisfied() -> None:
    assert list(clauses_of(Circuit(), 1)) == []
    assert list(clauses_of(Circuit(), 0)) == [[]]


def test_long_chains_of_gates_do_not_make_long_clauses() -> None:
    # Alternating: not (x and not (y and not (x ...))), each gate used once.
    count = 20_000
    circuit = Circuit()
    x = [circuit.variable() for _ in range(3)]
    output = circuit.gate("and", x[:2])
    for number in range(count):
        output = circuit.gate("and", [x[number % 3], output ^ 1])
    assert sum(map(len, clauses_of(circuit, output))) < 4 * LONGEST * count


def test_a_gate_that_is_used_once_is_written_out() -> None:
    # not (not 1 and not (2 and 3)): 1 or 2, 1 or 3
    circuit = Circuit()
    one, two, three = (circuit.variable() for _ in range(3))
    either = circuit.gate("and", [one ^ 1, circuit.gate("and", [two, three]) ^ 1]) ^ 1
    assert sorted(clauses_of(circuit, either)) == [[1, 2], [1, 3]]


def test_gates_that_are_used_twice_are_not_written_out_again_and_again() -> None:
    circuit = Circuit()
    x = [circuit.variable() for _ in range(4)]
    below, gates = circuit.gate("and", x[:2]), 1
    for _ in range(14):
        one, other = circuit.gate("and", [below ^ 1, x[2]]), circuit.gate("and", [below ^ 1, x[3]])
        below, gates = circuit.gate("and", [one ^ 1, other ^ 1]), gates + 3
    assert len(list(clauses_of(circuit, below))) < 4 * gates
