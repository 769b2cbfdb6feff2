"""Circuits of the checker: every gate says what its kind says, and has the form that is laid down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import pytest

from zermelo.check.boolean import Block, QuantifiedFormula
from zermelo.check.circuit import Circuit, outcome
from zermelo.errors import InputError
from zermelo.game import Game

MEANING: dict[str, tuple[int, Callable[[Sequence[bool]], bool]]] = {
    "and": (2, all),
    "or": (2, any),
    "xor": (2, lambda values: values[0] != values[1]),
    "ite": (3, lambda values: values[1] if values[0] else values[2]),
}
X, Y, Z = 2, 4, 6


def three_variables() -> Circuit:
    circuit = Circuit()
    assert [circuit.variable() for _ in range(3)] == [X, Y, Z]
    return circuit


def comes_out(circuit: Circuit, literal: int, chosen: dict[int, int]) -> bool:
    return circuit.carried(circuit.below(literal), chosen, outcome)[literal >> 1] != literal & 1


@pytest.mark.parametrize("kind", MEANING)
def test_every_gate_on_constants_variables_and_negations_comes_out_as_its_kind_says(kind: str) -> None:
    count, meaning = MEANING[kind]
    for inputs in product(range(8), repeat=count):
        circuit = three_variables()
        gate = circuit.gate(kind, inputs)
        for chosen in product((False, True), repeat=3):
            value = [False, *chosen]
            expected = meaning([value[literal >> 1] != bool(literal & 1) for literal in inputs])
            assert comes_out(circuit, gate, dict(enumerate(chosen, 1))) == expected, inputs


@pytest.mark.parametrize("kind", ["and", "or", "xor"])
def test_gates_of_many_inputs_come_out_as_their_kind_says(kind: str) -> None:
    for inputs in product(range(8), repeat=3):
        circuit = three_variables()
        gate = circuit.gate(kind, inputs)
        for chosen in product((False, True), repeat=3):
            values = [[False, *chosen][literal >> 1] != bool(literal & 1) for literal in inputs]
            expected = sum(values) % 2 == 1 if kind == "xor" else MEANING[kind][1](values)
            assert comes_out(circuit, gate, dict(enumerate(chosen, 1))) == expected, inputs


FORMS: dict[str, tuple[tuple[str, list[int]], tuple[str, list[int]]]] = {
    "the order and the number of equal inputs do not count": (("and", [Y, X, Y]), ("and", [X, Y])),
    "a neutral constant is left out of a conjunction": (("and", [X, 1, Y]), ("and", [X, Y])),
    "a neutral constant is left out of a disjunction": (("or", [X, 0, Y]), ("or", [X, Y])),
    "negations leave an exclusive or": (("xor", [X ^ 1, Y ^ 1]), ("xor", [Y, X])),
    "if false": (("ite", [0, X, Y]), ("and", [Y])),
    "if true": (("ite", [1, X, Y]), ("and", [X])),
    "then true": (("ite", [X, 1, Y]), ("or", [X, Y])),
    "then false": (("ite", [X, 0, Y]), ("and", [X ^ 1, Y])),
    "else true": (("ite", [X, Y, 1]), ("or", [X ^ 1, Y])),
    "else false": (("ite", [X, Y, 0]), ("and", [X, Y])),
    "both the same": (("ite", [X, Y, Y]), ("and", [Y])),
    "opposite branches": (("ite", [X, Y, Y ^ 1]), ("xor", [X, Y ^ 1])),
    "opposite branches, negated": (("ite", [X, Y ^ 1, Y]), ("xor", [X, Y])),
    "then the condition": (("ite", [X, X, Y]), ("or", [X, Y])),
    "then not the condition": (("ite", [X, X ^ 1, Y]), ("and", [X ^ 1, Y])),
    "else the condition": (("ite", [X, Y, X]), ("and", [X, Y])),
    "else not the condition": (("ite", [X, Y, X ^ 1]), ("or", [X ^ 1, Y])),
    "a negated condition": (("ite", [X ^ 1, Y, Z]), ("ite", [X, Z, Y])),
    "a gate over no variables": (("exists", [Y]), ("and", [Y])),
    "variables that are named twice": (("forall", [X, X, Y]), ("forall", [X, Y])),
    "a gate over the constant true": (("exists", [X, 1]), ("and", [])),
    "a gate over the constant false": (("forall", [X, 0]), ("or", [])),
}


@pytest.mark.parametrize("form", FORMS)
def test_two_ways_to_say_a_gate_are_one_gate(form: str) -> None:
    circuit = three_variables()
    (kind, inputs), (other, others) = FORMS[form]
    assert circuit.gate(kind, inputs) == circuit.gate(other, others)


def test_the_second_input_of_a_choice_stands_plain() -> None:
    circuit = three_variables()
    assert circuit.gate("ite", [X, Y ^ 1, Z]) == circuit.gate("ite", [X, Y, Z ^ 1]) ^ 1
    assert circuit.gate("ite", [X, Y ^ 1, Z ^ 1]) == circuit.gate("ite", [X, Y, Z]) ^ 1
    assert circuit.kinds == ["false", *["variable"] * 3, "ite", "ite"]
    assert set(circuit.inputs[4:]) == {(X, Y, Z), (X, Y, Z ^ 1)}


@pytest.mark.parametrize(("kind", "constant"), [("and", 0), ("or", 1)])
def test_an_absorbing_constant_or_an_input_and_its_negation_is_all_there_is_to_say(kind: str, constant: int) -> None:
    circuit = three_variables()
    assert circuit.gate(kind, [X, constant, Y]) == circuit.gate(kind, [X, Y, X ^ 1, Z]) == constant
    assert circuit.gate("xor", [X, X]) == 0 and circuit.gate("xor", [X, X ^ 1]) == 1
    assert circuit.gate("xor", [0, X]) == X and circuit.gate("xor", [X, 1]) == X ^ 1
    assert circuit.kinds == ["false", *["variable"] * 3]


def test_variables_that_have_no_value_are_false() -> None:
    circuit = three_variables()
    assert comes_out(circuit, X ^ 1, {}) and not comes_out(circuit, X, {})


def formula_of(kind: str, inputs: Sequence[int], names: str = "xyz", given: bytes = b"") -> QuantifiedFormula:
    circuit = three_variables()
    blocks = (Block("exists", (1, 2)), Block("forall", (3,)))
    return QuantifiedFormula(circuit, blocks, circuit.gate(kind, inputs), dict(enumerate(names, 1)), given)


def test_formulas_that_differ_have_different_texts() -> None:
    texts = [
        formula_of("ite", [X, Y, Z]).canonical(),
        formula_of("ite", [X, Z, Y]).canonical(),
        formula_of("ite", [Y, X, Z]).canonical(),
        formula_of("ite", [X, Y, Z ^ 1]).canonical(),
        formula_of("ite", [X, Y ^ 1, Z ^ 1]).canonical(),
        formula_of("ite", [X, Y, Z], "yxz").canonical(),
        formula_of("ite", [X, Y, Z], given=b"\x01").canonical(),
        formula_of("and", [X, Y]).canonical(),
        formula_of("and", [X, Z]).canonical(),
        formula_of("or", [X, Y]).canonical(),
    ]
    assert len(set(texts)) == len(texts)


def test_the_text_of_a_formula_does_not_depend_on_the_order_in_which_gates_were_made() -> None:
    texts = set()
    for turned in (False, True):
        circuit = three_variables()
        pairs = [[X, Y], [Y, Z], [X, Z]]
        made = [circuit.gate("and", pair) for pair in (reversed(pairs) if turned else pairs)]
        formula = QuantifiedFormula(
            circuit, (Block("exists", (1, 2, 3)),), circuit.gate("or", made), dict(enumerate("xyz", 1))
        )
        texts.add(formula.canonical())
    assert len(texts) == 1
    assert not any(line.startswith("given") for line in texts.pop().splitlines())


def test_a_formula_is_played_to_its_end_and_won_by_one_role() -> None:
    game = formula_of("and", [X, Z]).game()
    assert [game.turn(bytes(count)) for count in range(3)] == ["exists", "exists", "forall"]
    assert list(game.moves(b"")) == [("x", 0), ("x", 1)] and list(game.moves(b"\1\1\1")) == []
    assert [game.result(position) for position in (b"\1\1", b"\1\0\1", b"\1\1\0")] == [None, (1, -1), (-1, 1)]
    assert game.play(b"\1", ("y", 1)) == b"\1\1" and game.key(b"\1\0") == "10"


def test_a_formula_is_taken_up_where_its_first_variables_have_values() -> None:
    formula = formula_of("and", [X, Z])
    assert formula.after_moves([]).given == b"" and formula.after_moves(["x=1", "y=0", "z=1"]).given == b"\1\0\1"
    assert formula.after_moves(["x=1"]).game().start() == b"\1"


@pytest.mark.parametrize("moves", [["y=1"], ["x=2"], ["x=1", "x=1"], ["x"], ["x=0", "y=0", "z=0", "z=0"]])
def test_other_moves_set_no_value_of_the_next_variable(moves: list[str]) -> None:
    with pytest.raises(InputError, match="sets no value of the next variable"):
        formula_of("and", [X, Z]).after_moves(moves)


def test_a_long_formula_may_be_played_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "longest", 2)
    assert formula_of("and", [X, Z]).game().longest == 4
    monkeypatch.setattr(Game, "longest", 9)
    assert formula_of("and", [X, Z]).game().longest == 9
