"""What is left open in a strategy can be worked out: the functions win, and never look ahead."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tests.qbf.bruteforce import brute_functions, winning
from tests.qbf.randomformulas import random_formula
from zermelo.certificate import Certificate, Claim
from zermelo.check import check_certificate
from zermelo.errors import InputError, LimitReachedError
from zermelo.limits import Limits
from zermelo.qbf.aiger import write_aag
from zermelo.qbf.circuit import Circuit, cone
from zermelo.qbf.circuit_search import solve_by_search_openly
from zermelo.qbf.completion import completed
from zermelo.qbf.formula import Block, Formula
from zermelo.qbf.functions import Functions
from zermelo.qbf.game import FormulaGame, function_move


def last_open(formula: Formula, functions: Functions) -> Functions:
    """The functions without those of the last block that matters."""
    below = set(cone(formula.circuit, [formula.output]))
    own = [b.variables for b in formula.prefix if b.quantifier == functions.owner and below & set(b.variables)]
    left = own[-1] if own else ()
    return replace(functions, outputs={v: f for v, f in functions.outputs.items() if v not in left}, open=tuple(left))


def test_functions_of_an_open_block_are_found_for_both_roles() -> None:
    roles = set()
    for seed in range(300):
        formula = random_formula(Random(seed), variables=7, gates=9, blocks=4)
        functions = brute_functions(formula).functions
        assert functions is not None
        partial = last_open(formula, functions)
        if not partial.open:
            continue
        roles.add(partial.owner)
        total = completed(formula, partial)
        assert not total.open
        assert winning(
            formula, total.owner, write_aag(formula, replace(total, outputs=functions.outputs | total.outputs))
        )
    assert roles == {"exists", "forall"}


def three_moves() -> tuple[FormulaGame, str]:
    """exists names x, forall answers y and has to hit it, then z does not help: forall wins with y equal to x."""
    circuit = Circuit()
    x, y, z = (circuit.variable() // 2 for _ in range(3))
    output = circuit.conjunction([circuit.exclusive(2 * x, 2 * y), 2 * z])
    prefix = (Block("exists", (x,)), Block("forall", (y,)), Block("exists", (z,)))
    return FormulaGame(Formula(circuit, prefix, output, {x: "x", y: "y", z: "z"})), "aag 2 2 0 0 0\n2\n4\ni0 x\ni1 z\n"


def test_a_strategy_with_an_open_block_is_played_all_the_same() -> None:
    game, text = three_moves()
    functions = game.functions("forall", text)
    for x in (0, 1):
        position = bytes([x])
        move = function_move(game, position, functions)
        assert game.move_text(move) == f"y={x}"


def test_play_that_is_taken_up_on_the_way_has_its_open_block_worked_out_from_there() -> None:
    game, _ = three_moves()
    later = FormulaGame(game.formula, b"\x01")
    text = "aag 1 1 0 0 0\n2\ni0 z\n"
    claim = Claim("forall", 1, rule="functions", data={"aag": text})
    assert check_certificate(later, Certificate("", (claim,))).accepted
    assert later.move_text(function_move(later, b"\x01", later.functions("forall", text))) == "y=1"


def test_the_first_of_two_blocks_cannot_be_left_open() -> None:
    circuit = Circuit()
    x, y, z = (circuit.variable() // 2 for _ in range(3))
    formula = Formula(
        circuit,
        (Block("forall", (x,)), Block("exists", (y,)), Block("forall", (z,))),
        circuit.conjunction([2 * x, 2 * z]),
    )
    with pytest.raises(InputError, match="no function"):
        completed(formula, Functions("forall", Circuit(), {}, {}, (x, z)))


def test_search_leaves_a_block_open_only_where_functions_are_many() -> None:
    for seed in range(100):
        answer = solve_by_search_openly(random_formula(Random(seed), variables=7, gates=9, blocks=4))
        assert answer.functions is not None
        assert not answer.functions.open


def dense(chance: Random) -> Formula:
    """Random clauses of three literals over exists, forall, exists: false, and not shortly said why."""
    circuit = Circuit()
    outer, middle, inner = ([circuit.variable() for _ in range(size)] for size in (9, 4, 12))
    clauses = []
    for _ in range(75):
        literals = [*chance.sample(outer + middle, 1), *chance.sample(outer + inner, 2)]
        clauses.append(circuit.disjunction([literal ^ chance.randrange(2) for literal in literals]))
    sides = (("exists", outer), ("forall", middle), ("exists", inner))
    prefix = tuple(Block("exists" if side == "exists" else "forall", tuple(v // 2 for v in own)) for side, own in sides)
    return Formula(circuit, prefix, circuit.conjunction(clauses))


def test_what_search_leaves_open_is_accepted_and_can_be_played() -> None:
    chance = Random(1)
    left_open = 0
    while left_open < 5:
        formula = dense(chance)
        functions = solve_by_search_openly(formula).functions
        if functions is None or not functions.open:
            continue
        left_open += 1
        game = FormulaGame(formula)
        text = write_aag(formula, functions)
        claim = Claim("forall", 1, rule="functions", data={"aag": text})
        assert check_certificate(game, Certificate("", (claim,))).accepted
        total = game.functions("forall", text)
        claim = Claim("forall", 1, rule="functions", data={"aag": write_aag(formula, total)})
        assert check_certificate(game, Certificate("", (claim,))).accepted
        for _ in range(10):
            position = game.start()
            while game.result(position) is None:
                own = game.turn(position) == "forall"
                move = function_move(game, position, total) if own else chance.choice(list(game.moves(position)))
                position = game.play(position, move)
            assert game.result(position) == (-1, 1)


def test_the_clock_stops_the_work() -> None:
    formula = dense(Random(3))
    functions = Functions("forall", Circuit(), {}, {}, formula.prefix[1].variables)
    with pytest.raises(LimitReachedError):
        completed(formula, functions, Limits(seconds=1e-9))
