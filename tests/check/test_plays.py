"""All plays at once: arrays of bits say what each play alone would."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from zermelo.check.plays import Gate, Plays
from zermelo.qbf.circuit import Kind


def one_by_one(blocks: list[list[int]], gates: list[Gate], output: int) -> set[tuple[bool, ...]]:
    """The assignments that make a literal true."""
    variables = [variable for block in blocks for variable in block]
    found = set()
    for chosen in product((False, True), repeat=len(variables)):
        value = {0: False} | dict(zip(variables, chosen, strict=True))
        for gate in gates:
            parts = [value[literal >> 1] != bool(literal & 1) for literal in gate.inputs]
            match gate.kind:
                case Kind.AND:
                    value[gate.number] = all(parts)
                case Kind.OR:
                    value[gate.number] = any(parts)
                case Kind.XOR:
                    value[gate.number] = parts[0] != parts[1]
                case _:
                    value[gate.number] = parts[1] if parts[0] else parts[2]
        if value[output >> 1] != bool(output & 1):
            found.add(chosen)
    return found


def random_gates(chance: Random, leaves: int, count: int) -> list[Gate]:
    gates = []
    for number in range(leaves + 1, leaves + 1 + count):
        kind = chance.choice((Kind.AND, Kind.OR, Kind.XOR, Kind.ITE))
        width = {Kind.XOR: 2, Kind.ITE: 3}.get(kind, chance.randrange(5))
        gates.append(Gate(number, kind, [chance.randrange(2 * number) for _ in range(width)]))
    return gates


def test_a_play_is_found_exactly_where_there_is_one() -> None:
    found = 0
    for seed in range(400):
        chance = Random(seed)
        sizes = [chance.randrange(1, 4) for _ in range(chance.randrange(5))]
        numbers = iter(range(1, 1 + sum(sizes)))
        blocks = [[next(numbers) for _ in range(size)] for size in sizes]
        gates = random_gates(chance, sum(sizes), chance.randrange(12))
        output = chance.randrange(2 * (1 + sum(sizes) + len(gates)))
        wanted = one_by_one(blocks, gates, output)
        chosen = Plays(blocks).first(gates, output)
        assert (chosen is None) == (not wanted)
        if chosen is not None:
            found += 1
            assert tuple(chosen[variable] for block in blocks for variable in block) in wanted
    assert 100 < found < 400


def test_work_is_counted_by_what_gates_depend_on() -> None:
    blocks = [list(range(1, 7)), list(range(7, 17)), list(range(17, 27))]
    early = [Gate(number, Kind.AND, (2, 2 * number - 2)) for number in range(100, 200_000)]
    early[0] = Gate(100, Kind.AND, (2, 4))
    assert Plays(blocks).affordable(early)
    late = [Gate(number, Kind.AND, (14, 34)) for number in range(100, 200)]
    assert not Plays(blocks).affordable(late)
    assert not Plays([*blocks, [27]]).affordable([])


def test_a_quantified_gate_is_no_gate_of_a_play() -> None:
    with pytest.raises(ValueError, match="quantifier"):
        Plays([[1]]).first([Gate(2, Kind.EXISTS, (2,))], 4)
