"""Clauses of a circuit: satisfied exactly where it comes out true, whichever gates were written out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest
from pysat.solvers import Solver
from tests.qbf.gates import one_by_one, random_gates

from zermelo.check import clauses as clauses_of_gates
from zermelo.check.clauses import LONGEST, Clauses
from zermelo.check.plays import Gate


def assignments(clauses: Sequence[Sequence[int]], leaves: int) -> set[tuple[bool, ...]]:
    """What the circuit's own variables are where all clauses can be satisfied."""
    found = set()
    with Solver(name="minisat22", bootstrap_with=clauses) as solver:
        for number in range(1 << leaves):
            chosen = tuple(number >> k & 1 == 1 for k in range(leaves))
            if solver.solve(assumptions=[k if value else -k for k, value in enumerate(chosen, 1)]):
                found.add(chosen)
    return found


def and_gates(chance: Random, leaves: int, count: int) -> list[Gate]:
    """Gates as a checker makes them, most of them used once."""
    numbers = range(leaves + 1, leaves + 1 + count)
    gates, unused = [], list(range(1, leaves + 1))
    for number in numbers:
        width = chance.randint(2, 4)
        inputs = [unused.pop(chance.randrange(len(unused))) for _ in range(min(width, len(unused)))]
        inputs += [chance.randrange(1, number) for _ in range(chance.choice((0, 0, 1)))]
        gates.append(Gate(number, "and", [2 * node + chance.randrange(2) for node in inputs]))
        unused += [number, *(chance.randrange(1, leaves + 1) for _ in range(2))]
    return gates


@pytest.mark.parametrize("longest", [1, 3, LONGEST])
@pytest.mark.parametrize("make", [random_gates, and_gates])
def test_the_clauses_hold_exactly_where_the_circuit_does(
    make: Callable[[Random, int, int], list[Gate]], longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clauses_of_gates, "LONGEST", longest)
    for seed in range(300):
        chance = Random(seed)
        leaves = chance.randint(1, 5)
        gates = make(chance, leaves, chance.randint(1, 14))
        output = 2 * gates[-1].number + chance.randrange(2)
        clauses = list(Clauses(gates, output).all())
        assert all(len(set(map(abs, clause))) == len(clause) for clause in clauses)
        expected = one_by_one([list(range(1, leaves + 1))], gates, output)
        assert assignments(clauses, leaves) == expected


def test_long_chains_of_gates_do_not_make_long_clauses() -> None:
    # Alternating: not (x and not (x and not (...))), each gate used once.
    count = 20_000
    gates = [Gate(3, "and", (2, 4))]
    gates += [Gate(n, "and", (2 if n % 2 else 4, 2 * n - 1)) for n in range(4, 4 + count)]
    clauses = list(Clauses(gates, 2 * gates[-1].number).all())
    assert sum(map(len, clauses)) < 4 * LONGEST * count


def test_a_gate_that_is_used_once_is_written_out() -> None:
    # not (not 1 and not (2 and 3)): 1 or 2, 1 or 3
    gates = [Gate(4, "and", (4, 6)), Gate(5, "and", (3, 9))]
    assert sorted(Clauses(gates, 11).all()) == [[1, 2], [1, 3]]


def test_gates_that_are_used_twice_are_not_written_out_again_and_again() -> None:
    gates = [Gate(5, "and", (2, 4))]
    for _ in range(14):
        below = 2 * gates[-1].number + 1
        one, other = gates[-1].number + 1, gates[-1].number + 2
        gates += [Gate(one, "and", (below, 6)), Gate(other, "and", (below, 8))]
        gates.append(Gate(other + 1, "and", (2 * one + 1, 2 * other + 1)))
    assert len(list(Clauses(gates, 2 * gates[-1].number).all())) < 4 * len(gates)
