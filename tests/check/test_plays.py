"""All plays at once: arrays of bits say what each play alone would."""

from __future__ import annotations

from random import Random

import pytest
from tests.qbf.gates import one_by_one, random_gates

from zermelo.check.plays import Gate, Plays
from zermelo.qbf.circuit import Kind


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
