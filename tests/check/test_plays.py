"""All plays at once: long integers say what each play alone would."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.qbf.gates import EVERY_KIND, one_by_one, random_gates

from zermelo.check import plays
from zermelo.check.circuit import Circuit
from zermelo.check.plays import Plays


@pytest.mark.parametrize("chunk", range(8))
@pytest.mark.parametrize("digits", [0, 1, 2, 4, 16])
def test_a_play_is_found_exactly_where_there_is_one(digits: int, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many variables are digits of a play, and however many are gone through one by one."""
    monkeypatch.setattr(plays, "DIGITS", digits)
    found = 0
    for seed in range(50 * chunk, 50 * chunk + 50):
        chance = Random(seed)
        circuit = random_gates(chance, chance.randrange(9), chance.randrange(12), EVERY_KIND)
        output = chance.randrange(2 * len(circuit.kinds))
        tried = Plays(circuit, output)
        variables = [n for n, kind in enumerate(circuit.kinds) if kind == "variable"]
        wanted = one_by_one(circuit, variables, output)
        chosen = tried.first()
        assert (chosen is None) == (not wanted)
        if chosen is not None:
            found += 1
            assert list(chosen) == tried.variables
            assert tuple(chosen.get(variable, 0) == 1 for variable in variables) in wanted
    assert 10 < found < 50


def test_the_first_play_is_found_where_the_first_variable_changes_fastest() -> None:
    circuit = Circuit()
    x = [circuit.variable() for _ in range(3)]
    two = circuit.gate("or", [circuit.gate("and", x[:2]), circuit.gate("and", x[1:])])
    assert Plays(circuit, two).first() == {1: 1, 2: 1, 3: 0}


def chain(variables: int, gates: int) -> tuple[Circuit, int]:
    """So many variables, and a chain of conjunctions that begins with the first and uses one after the other."""
    circuit = Circuit()
    literals = [circuit.variable() for _ in range(variables)]
    output = literals[0]
    for number in range(gates):
        output = circuit.gate("and", [output ^ 1, literals[(number + 1) % variables]])
    return circuit, output


def test_so_much_work_is_affordable_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three variables of five are digits: three settled ones and a gate once, two others and a gate four times."""
    monkeypatch.setattr(plays, "DIGITS", 3)
    monkeypatch.setattr(plays, "STEP", 10)
    circuit = Circuit()
    x = [circuit.variable() for _ in range(5)]
    early = circuit.gate("and", x[:3])
    tried = Plays(circuit, circuit.gate("and", [early, *x[3:]]))
    work = (4 + 3 * 4) * (8 + 10)
    monkeypatch.setattr(plays, "MOST_WORK", work)
    assert tried.affordable()
    monkeypatch.setattr(plays, "MOST_WORK", work - 1)
    assert not tried.affordable()


def test_so_many_bits_are_kept_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plays, "DIGITS", 3)
    monkeypatch.setattr(plays, "MOST_BITS", (5 + 4) * 8)
    assert Plays(*chain(5, 4)).affordable()
    monkeypatch.setattr(plays, "MOST_BITS", (5 + 4) * 8 - 1)
    assert not Plays(*chain(5, 4)).affordable()


def test_few_variables_and_gates_are_affordable_many_are_not() -> None:
    assert Plays(*chain(20, 1000)).affordable()
    assert not Plays(*chain(40, 40)).affordable()


def test_what_the_digits_settle_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three variables are gone through one by one; what depends on none of them is not computed again."""
    monkeypatch.setattr(plays, "DIGITS", 2)
    computed: list[int] = []
    original = plays.outcome

    def counted(kind: str, values: Any) -> int:
        computed.append(len(values))
        return original(kind, values)

    monkeypatch.setattr(plays, "outcome", counted)
    circuit = Circuit()
    x = [circuit.variable() for _ in range(5)]
    early = circuit.gate("and", x[:2])
    never = circuit.gate("and", [circuit.gate("and", [early, *x[2:]]), early ^ 1, x[4]])
    assert Plays(circuit, never).first() is None
    assert [computed.count(inputs) for inputs in (2, 3, 4)] == [1, 8, 8]


def test_the_clock_is_looked_at() -> None:
    def stop() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        Plays(*chain(2, 1)).first(stop)
