"""All plays at once: long integers say what each play alone would."""

from __future__ import annotations

from random import Random

import pytest
from tests.qbf.gates import one_by_one, random_gates

from zermelo.check import plays
from zermelo.check.circuit import Circuit
from zermelo.check.plays import MOST_VARIABLES, Plays


@pytest.mark.parametrize("chunk", range(8))
@pytest.mark.parametrize("digits", [0, 1, 2, 4, 20])
def test_a_play_is_found_exactly_where_there_is_one(digits: int, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many variables are digits of a play, and however many are gone through one by one."""
    monkeypatch.setattr(plays, "WIDEST", digits)
    found = 0
    for seed in range(50 * chunk, 50 * chunk + 50):
        chance = Random(seed)
        circuit = random_gates(chance, chance.randrange(12), chance.randrange(12))
        output = chance.randrange(2 * len(circuit.kinds))
        tried = Plays(circuit, output)
        wanted = one_by_one(circuit, [n for n, kind in enumerate(circuit.kinds) if kind == "variable"], output)
        chosen = tried.first()
        assert (chosen is None) == (not wanted)
        if chosen is not None:
            found += 1
            assert list(chosen) == tried.variables
            assert circuit.holds(output, circuit.below(output), chosen)
    assert 10 < found < 50


def chain(variables: int, gates: int) -> tuple[Circuit, int]:
    """So many variables, and a chain of conjunctions that begins with the first and uses one after the other."""
    circuit = Circuit()
    literals = [circuit.variable() for _ in range(variables)]
    output = literals[0]
    for number in range(gates):
        output = circuit.gate("and", [output ^ 1, literals[(number + 1) % variables]])
    return circuit, output


def test_integers_get_shorter_where_there_are_many_gates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plays, "MOST_BITS", 1 << 10)
    assert (Plays(*chain(20, 19)).width, Plays(*chain(20, 129)).width) == (5, 2)


def test_work_is_counted_by_what_gates_depend_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plays, "WIDEST", 3)
    monkeypatch.setattr(plays, "STEP", 10)
    circuit = Circuit()
    v = [circuit.variable() for _ in range(5)]
    early = circuit.gate("and", [v[0], v[1] ^ 1])  # 4 plays at once
    middle = circuit.gate("and", [early ^ 1, v[2], v[1]])  # 8
    late = circuit.gate("and", [middle, v[3], v[4]])  # 8, four times
    assert Plays(circuit, late).work() == 3 * (4 + 10) + 4 * (8 + 10) + 4 * (8 + 10) * 4


def test_so_much_work_and_so_many_variables_are_affordable_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    few = Plays(*chain(8, 20))
    monkeypatch.setattr(plays, "MOST_WORK", few.work())
    assert few.affordable()
    monkeypatch.setattr(plays, "MOST_WORK", few.work() - 1)
    assert not few.affordable()
    monkeypatch.setattr(plays, "MOST_WORK", 1 << 80)
    assert Plays(*chain(MOST_VARIABLES, MOST_VARIABLES)).affordable()
    assert not Plays(*chain(MOST_VARIABLES + 1, MOST_VARIABLES + 1)).affordable()


def test_what_early_variables_settle_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four variables are gone through one by one; a gate is computed again only if a variable below it changed."""
    monkeypatch.setattr(plays, "WIDEST", 2)
    computed: list[tuple[int, ...]] = []
    original = Plays._conjunction

    def counted(self: Plays, literals: tuple[int, ...], digits: int) -> int:
        computed.append(tuple(literals))
        return original(self, literals, digits)

    monkeypatch.setattr(Plays, "_conjunction", counted)
    circuit = Circuit()
    x = [circuit.variable() for _ in range(6)]
    one = circuit.gate("and", [x[0], x[1]])
    other = circuit.gate("and", [one, x[2]])
    last = circuit.gate("and", [other, *x[3:]])
    never = circuit.gate("and", [last, circuit.gate("and", [one ^ 1, x[5]])])
    assert Plays(circuit, never).first() is None
    assert [computed.count(circuit.inputs[gate >> 1]) for gate in (one, other, last)] == [1, 2, 16]


def test_the_clock_is_looked_at() -> None:
    def stop() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        Plays(*chain(2, 1)).first(stop)
