"""All plays at once: long integers say what each play alone would."""

from __future__ import annotations

from random import Random

import pytest
from tests.qbf.gates import one_by_one, random_gates

from zermelo.check import plays
from zermelo.check.plays import MOST_VARIABLES, Gate, Plays


@pytest.mark.parametrize("chunk", range(8))
@pytest.mark.parametrize("digits", [0, 1, 2, 4, 20])
def test_a_play_is_found_exactly_where_there_is_one(digits: int, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many variables are digits of a play, and however many are gone through one by one."""
    monkeypatch.setattr(plays, "WIDEST", digits)
    found = 0
    for seed in range(50 * chunk, 50 * chunk + 50):
        chance = Random(seed)
        variables = list(range(1, 1 + chance.randrange(12)))
        gates = random_gates(chance, len(variables), chance.randrange(12))
        chance.shuffle(variables)
        output = chance.randrange(2 * (1 + len(variables) + len(gates)))
        wanted = one_by_one([variables], gates, output)
        chosen = Plays(variables, gates).first(output)
        assert (chosen is None) == (not wanted)
        if chosen is not None:
            found += 1
            assert tuple(chosen[variable] for variable in variables) in wanted
    assert 10 < found < 50


def test_integers_get_shorter_where_there_are_many_gates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plays, "MOST_BITS", 1 << 10)
    gates = [Gate(number, "xor", (2 * number - 2, 2 * (number % 20 + 1))) for number in range(21, 150)]
    few = Plays(range(1, 21), gates[:3])
    assert (few.width, Plays(range(1, 21), gates).width) == (8, 2)


def test_work_is_counted_by_what_gates_depend_on() -> None:
    variables = range(1, 27)
    early = [Gate(number, "and", (2, 2 * number - 2)) for number in range(100, 20_000)]
    early[0] = Gate(100, "and", (2, 4))
    assert Plays(variables, early).affordable()
    late = [Gate(number, "and", (14, 52)) for number in range(100, 200)]
    assert not Plays(variables, late).affordable()
    assert not Plays(range(1, MOST_VARIABLES + 2), []).affordable()


def test_what_early_variables_settle_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four variables are gone through one by one; a gate is computed again only if a variable below it changed."""
    monkeypatch.setattr(plays, "WIDEST", 2)
    computed: list[int] = []
    original = Plays._computed
    monkeypatch.setattr(
        Plays, "_computed", lambda self, gate, digits: computed.append(gate.number) or original(self, gate, digits)
    )
    gates = [Gate(10, "and", (2, 4)), Gate(11, "and", (20, 6)), Gate(12, "and", (22, 12, 0))]
    assert Plays(range(1, 7), gates).first(24) is None
    assert [computed.count(number) for number in (10, 11, 12)] == [1, 2, 16]


def test_the_clock_is_looked_at() -> None:
    def stop() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        Plays([1], [Gate(2, "and", (2,))]).first(4, stop)


def test_a_quantified_gate_is_no_gate_of_a_play() -> None:
    with pytest.raises(ValueError, match="quantifier"):
        Plays([1], [Gate(2, "exists", (2,))]).first(4)
