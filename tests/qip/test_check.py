"""The checker of programs: what it accepts is true, whatever was done to the proof."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from tests.qip.bruteproofs import beats, brute_proofs, lawful
from tests.qip.checking import check_proof
from tests.qip.damage import damaged
from tests.qip.randomlinear import random_linear_program
from zermelo.certificate import Claim
from zermelo.check import program as proofs
from zermelo.check.program import check_program_claim
from zermelo.limits import Limits
from zermelo.qip.decomposition.linear_engine import solve_linear
from zermelo.qip.game import ProgramGame
from zermelo.qip.programs.program import Objective, Program, Row, Variable, terms
from zermelo.qip.proofs.proof import END, Branch, Case, Choose, Proof, Refute, Scenario

F = Fraction


@pytest.mark.parametrize("seed", range(6))
def test_proofs_by_the_definition_are_accepted(seed: int) -> None:
    chance = Random(seed)
    for _ in range(25):
        program = lawful(chance)
        _, *proofs = brute_proofs(program, chance)
        for proof in proofs:
            if proof is not None:
                verdict = check_proof(program, proof)
                assert verdict.accepted, verdict.reason


@pytest.mark.parametrize("seed", range(6))
def test_an_accepted_proof_is_true_whatever_was_changed_in_it(seed: int) -> None:
    chance = Random(1000 + seed)
    refused = 0
    for _ in range(25):
        program = lawful(chance)
        value, *proofs = brute_proofs(program, chance)
        for proof in proofs:
            for _ in range(20 if proof else 0):
                assert proof is not None
                changed = damaged(chance, program, proof)
                verdict = check_proof(program, changed)
                refused += not verdict.accepted
                if verdict.accepted:
                    assert not beats(program, changed, value), (program, changed)
    assert refused > 250


@pytest.mark.parametrize("seed", range(4))
def test_damaged_proofs_of_linear_programs_are_refused_unless_true(seed: int) -> None:
    chance = Random(2000 + seed)
    refused = 0
    for _ in range(12):
        program = random_linear_program(chance)
        answer = solve_linear(program, Limits())
        assert answer.status != "unknown"
        for proof in (answer.exists, answer.forall):
            if not isinstance(proof, Proof):
                continue
            assert check_proof(program, proof).accepted
            for _ in range(20):
                changed = damaged(chance, program, proof)
                verdict = check_proof(program, changed)
                refused += not verdict.accepted
                assert not (verdict.accepted and beats(program, changed, answer.value)), (program, changed)
    assert refused > 100


def as_large_as(u: Variable, y: Variable, *, uncertainty: tuple[Row, ...] = ()) -> Program:
    """``y`` has to be as large as ``u``, which is set before."""
    return Program((u, y), (Row(terms({0: 1, 1: -1}), "<=", F(0)),), Objective("min", terms({1: 1})), uncertainty)


ENDS = (Choose(1, (0,), END), Choose(1, (3,), END), Branch(0, (Case(0, 0, 0), Case(3, 3, 1))))


@pytest.mark.parametrize("integer", [True, False])
def test_two_ends_are_enough_where_what_follows_can_be_mixed(integer: bool) -> None:
    u = Variable("u", "forall", upper=F(3), integer=integer)
    assert check_proof(as_large_as(u, Variable("y", upper=F(3), integer=False)), Proof("exists", F(3), ENDS)).accepted


def test_two_ends_are_not_enough_before_an_integer_or_under_a_row_of_forall() -> None:
    u, y = Variable("u", "forall", upper=F(3)), Variable("y", upper=F(3))
    assert check_proof(as_large_as(u, y), Proof("exists", F(3), ENDS)).reason == "node 2: no case of u = 1"
    under_law = as_large_as(u, replace(y, integer=False), uncertainty=(Row(terms({0: 1}), "<=", F(9)),))
    assert check_proof(under_law, Proof("exists", F(3), ENDS)).reason == "node 2: no case of u = 1"


def test_two_ends_are_never_enough_for_forall() -> None:
    x = Variable("x", upper=F(2), integer=False)
    program = Program((x,), (Row(terms({0: 1}), "=", F(1)),))
    nodes = (Refute(1, (Scenario((), {2: 1}),)), Refute(1, (Scenario((), {1: 1}),)))
    proof = Proof("forall", None, (*nodes, Branch(0, (Case(0, 0, 0), Case(2, 2, 1)))))
    assert check_proof(program, proof).reason == "node 2: no case of x = 0 or just above"


def test_a_variable_without_bounds_must_not_be_left_open() -> None:
    u, y = Variable("u", "forall"), Variable("y", lower=None, upper=None, integer=False)
    program = Program((u, y), (Row(terms({0: 1, 1: -1}), "<=", F(0)),), Objective("min", terms({1: 1})))
    assert check_proof(program, Proof("exists", F(1), (Choose(1, (1,), END),))).accepted
    for nodes in ((), (Branch(0, (Case(0, 1),)),)):
        assert "y is left open and has no bounds" in check_proof(program, Proof("exists", F(1), nodes)).reason
    refute = Refute(1, (Scenario((), {0: 1, 1: 1}),))
    assert check_proof(program, Proof("forall", F(1), (refute, Choose(0, (1,), 0)))).accepted
    alone = Refute(1, (Scenario((), {1: 1}),))
    assert (
        "has no bound to contradict" in check_proof(program, Proof("forall", F(1), (alone, Choose(0, (1,), 0)))).reason
    )


def test_scenarios_share_what_exists_sets_before_they_part() -> None:
    """Set before ``u`` is known, ``x`` cannot be the same as ``u``; set after, it can."""
    u, x = Variable("u", "forall"), Variable("x")
    scenarios = (Scenario((0,), {1: 1}), Scenario((1,), {2: 1}))
    before = Program((x, u), (Row(terms({0: 1, 1: -1}), "=", F(0)),))
    assert check_proof(before, Proof("forall", None, (Refute(0, scenarios),))).accepted
    after = Program((u, x), (Row(terms({0: -1, 1: 1}), "=", F(0)),))
    assert not check_proof(after, Proof("forall", None, (Refute(0, scenarios),))).accepted


def test_lines_of_forall_must_keep_his_own_rows() -> None:
    u, v = Variable("u", "forall"), Variable("v", "forall")
    own = (Row(terms({0: 1, 1: 1}), "<=", F(1)),)
    program = Program((u, v), (Row(terms({0: 1}), "<=", F(0)),), uncertainty=own)
    refute = (Refute(0, (Scenario((1,), {1: 1}),)),)
    assert check_proof(program, Proof("forall", None, refute)).reason.startswith(
        "node 0: row 0 of forall may come to 2"
    )
    refute = (Refute(0, (Scenario((1, 0), {1: 1}),)),)
    assert check_proof(program, Proof("forall", None, refute)).accepted


def test_the_objective_contradicts_nothing_where_infeasibility_is_claimed() -> None:
    program = Program((Variable("x"),), (), Objective("min", terms({0: 1})))
    refute = (Refute(0, (Scenario((), {0: 1}),)),)
    assert check_proof(program, Proof("forall", F(0), refute)).accepted
    assert "the objective contradicts nothing" in check_proof(program, Proof("forall", None, refute)).reason


@pytest.mark.parametrize("wrong", [0.5, True, "1.0", "1/0", "1e2", None, [1]])
def test_only_exact_numbers_are_read(wrong: Any) -> None:
    claim = Claim("exists", 0, rule="program", data={"value": 0, "nodes": [["c", 0, [wrong], END]]})
    verdict = proofs.check_program_claim(ProgramGame(Program((Variable("x"),))), claim, Limits())
    assert (verdict.status, "is not as it should be" in verdict.reason) == ("refuted", True)


def test_a_check_stops_at_its_limit() -> None:
    proof = Proof("exists", F(0), tuple(Choose(0, (0,), END) for _ in range(5000)))
    assert check_proof(Program((Variable("x"),)), proof, Limits(seconds=0)).status == "limit"


def test_nobody_gets_more_than_a_broken_row_is_worth() -> None:
    """Where rows cannot be kept no objective can be beaten; forall gets the score of broken rows all the same."""
    x = Variable("x")
    program = Program((x,), (Row(terms({0: 1}), ">=", F(2)),), Objective("min", terms({0: 1})))
    game = ProgramGame(program)
    most = -game.score(None)
    for value, at_least, status in ((None, most, "accepted"), (7, most, "accepted"), (7, most + F(1, 9), "refuted")):
        data = {"value": value, "nodes": [["r", 0, [[[], [1, 1]]]]]}
        claim = Claim("forall", at_least, rule="program", data=data)
        assert check_program_claim(game, claim, Limits()).status == status
