"""Programs as games, and the strategies that proofs are."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from tests.qip.bruteproofs import brute_derivation, brute_proofs, lawful
from tests.qip.checking import check_derivation, check_proof
from tests.qip.randomprograms import INFEASIBLE, brute_force, random_program
from zermelo.certificate import Certificate, Claim
from zermelo.check import check_certificate
from zermelo.engine import Task
from zermelo.errors import IllegalMoveError, InputError, NotApplicableError
from zermelo.options import Options
from zermelo.qip.game import ProgramGame, Values, restricted
from zermelo.qip.programs.program import Objective, Program, Row, Variable, terms
from zermelo.qip.proofs.derivation import Clause, Derivation, FromClause, FromRow, FromSum
from zermelo.qip.proofs.proof import END, Branch, Case, Choose, Proof, Refute, Scenario
from zermelo.qip.proofs.proof_json import ShapeError, derivation_data, derivation_from_data, proof_data, proof_from_data
from zermelo.qip.proofs.proof_strategy import ProgramStrategy, principal_line
from zermelo.solving.pipeline import solve
from zermelo.solving.tables import ENGINES

F = Fraction


def least(game: ProgramGame, strategy: ProgramStrategy, position: Values = ()) -> Fraction | int:
    """The least score of the strategy's role against all replies."""
    if (result := game.result(position)) is not None:
        return result[game.roles.index(strategy.role)]
    own = game.turn(position) == strategy.role
    moves = [strategy(position)] if own else game.moves(position)
    if own:
        assert moves[0] in game.moves(position)
    return min(least(game, strategy, game.play(position, move)) for move in moves)


def test_search_finds_the_value_of_small_programs() -> None:
    chance = Random(5)
    for _ in range(40):
        program = lawful(chance, 5)
        game = ProgramGame(program)
        value = brute_force(program)
        solution = ENGINES["dp"].run(["dp"], game, Task(options=Options(certify=False, move_values=False)))
        assert solution.value is not None
        assert game.value(solution.value) == (None if value == INFEASIBLE else value)


@pytest.mark.parametrize("seed", range(5))
def test_what_a_proof_plays_gets_what_it_promises_against_every_reply(seed: int) -> None:
    chance = Random(seed)
    for _ in range(25):
        program = lawful(chance, 5)
        game = ProgramGame(program)
        value, exists, forall = brute_proofs(program, chance)
        if exists is not None:
            assert least(game, ProgramStrategy(game, exists)) == game.score(value)
        assert least(game, ProgramStrategy(game, forall)) == -game.score(value)


def test_what_a_derivation_plays_keeps_what_it_promises_against_every_reply() -> None:
    chance = Random(21)
    for _ in range(60):
        program = random_program(chance, variables=5, uncertainty=False)
        found = brute_force(program)
        value = None if found == INFEASIBLE else Fraction(found)
        derivation = brute_derivation(program, value)
        assert check_derivation(program, derivation).accepted
        assert derivation_from_data(json.loads(json.dumps(derivation_data(derivation)))) == derivation
        game = ProgramGame(program)
        assert least(game, ProgramStrategy(game, derivation)) == -game.score(value)


def test_sums_of_rows_come_back_from_json_as_antecedents() -> None:
    whole = Clause((), (FromSum(((FromRow(1), F(1, 2)), (FromRow(2, 1), 3))), FromClause(4), FromRow(0, 2)))
    derivation = Derivation(F(1, 3), ((0, 1), (1, 1)), (whole,))
    assert derivation_from_data(json.loads(json.dumps(derivation_data(derivation)))) == derivation


@pytest.mark.parametrize(
    "data",
    [
        {"value": 1, "scenarios": []},
        {"value": 1, "scenarios": [1], "clauses": []},
        {"value": 1, "scenarios": [[0.5]], "clauses": []},
        {"value": 1, "scenarios": [], "clauses": [[]]},
        {"value": 1, "scenarios": [], "clauses": [[[[0, 2, 0, 0]], [], []]]},
        {"value": 1, "scenarios": [], "clauses": [[[], [[1, 2, 3]], []]]},
        {"value": 1, "scenarios": [], "clauses": [[[], [[[1, 2]]], []]]},
        {"value": 1, "scenarios": [], "clauses": [[[], ["1"], []]]},
    ],
)
def test_data_that_is_no_derivation_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(ShapeError):
        derivation_from_data(data)
    claim = Claim("forall", 0, rule="clauses", data=data)
    assert not check_certificate(ProgramGame(Program((Variable("x"),))), Certificate("", (claim,))).accepted


def test_forall_may_only_set_what_leaves_him_a_way_to_keep_his_rows() -> None:
    u = [Variable(f"u{n}", "forall", upper=F(3)) for n in range(3)]
    own = Row(terms({0: 2, 1: 2, 2: 2}), "=", F(6)), Row(terms({1: 1, 2: 1}), "<=", F(1))
    game = ProgramGame(Program(tuple(u), uncertainty=own))
    assert [value for _, value in game.moves(())] == [2, 3]
    assert [value for _, value in game.moves((2,))] == [0, 1]
    with pytest.raises(IllegalMoveError, match="could not keep his own rows"):
        game.parse_move((), "u0=1")


def test_a_play_can_be_taken_up_on_the_way() -> None:
    program = Program((Variable("x"), Variable("y", "forall")), (), Objective("max", terms({0: 3, 1: 1})))
    game = ProgramGame(program, (1,))
    assert game.start() == (1,) and [game.move_text(move) for move in game.moves((1,))] == ["y=0", "y=1"]
    assert brute_force(restricted(program, (0,))) == 0
    assert brute_force(game.remaining) == 3


def test_moves_are_read_with_and_without_the_name() -> None:
    game = ProgramGame(Program((Variable("x", lower=F(-2), upper=F(5)),)))
    assert game.parse_move((), "x=-2") == game.parse_move((), " -2 ") == (0, -2)
    for text, reason in (("y=1", "next variable is x"), ("x=6", "between -2 and 5"), ("1/2", "whole"), ("a", "number")):
        with pytest.raises(IllegalMoveError, match=reason):
            game.parse_move((), text)


def test_values_of_a_continuous_variable_are_no_list_of_moves() -> None:
    game = ProgramGame(Program((Variable("x", integer=False, upper=None),)))
    with pytest.raises(NotApplicableError, match="x is continuous"):
        game.moves(())
    assert game.parse_move((), "x=7/2") == (0, F(7, 2))


def test_a_program_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="lower bound first"):
        ProgramGame(Program((Variable("x", lower=F(1), upper=F(0)),)))


def test_a_position_shows_values_rows_and_how_it_ended() -> None:
    rows = (Row(terms({0: 1, 1: -2}), "<=", F(-1)),)
    game = ProgramGame(Program((Variable("u", "forall"), Variable("y")), rows, Objective("min", terms({1: F(1, 2)}))))
    assert game.text((1,)).splitlines() == [
        "forall  u=1",
        "exists  y=?",
        "minimize  0.5 y",
        "subject to  u - 2 y <= -1",
    ]
    assert game.text((1, 1)).splitlines()[-1] == "all rows hold, the objective is 1/2"
    assert game.text((1, 0)).splitlines()[-2:] == ["subject to  u - 2 y <= -1   (broken)", "a row is broken"]


def test_a_broken_row_is_worse_than_everything_else() -> None:
    chance = Random(11)
    for _ in range(50):
        program = lawful(chance, 4)
        game = ProgramGame(program)
        position: Values = ()
        while game.result(position) is None:
            position = game.play(position, chance.choice(game.moves(position)))
        assert game.worst < game.score(game.objective(position))


def between_the_ends() -> tuple[ProgramGame, ProgramStrategy]:
    """``y`` has to be as large as the continuous ``u``, and no larger than needed."""
    u, y = Variable("u", "forall", upper=F(3), integer=False), Variable("y", upper=None, integer=False)
    program = Program((u, y), (Row(terms({0: 1, 1: -1}), "<=", F(0)),), Objective("min", terms({1: 2})))
    nodes = (Choose(1, (0,), END), Choose(1, (3,), END), Branch(0, (Case(0, 0, 0), Case(3, 3, 1))))
    proof = Proof("exists", F(6), nodes)
    assert check_proof(program, proof).accepted
    game = ProgramGame(program)
    return game, ProgramStrategy(game, proof)


def test_between_the_ends_of_an_interval_two_lines_are_mixed() -> None:
    game, strategy = between_the_ends()
    for value in (F(0), F(1, 3), F(2), F(3)):
        assert strategy((value,)) == (1, value)
    assert principal_line(game, strategy, None) == ((0, 0), (1, 0))


def test_several_scenarios_refute_together_and_forall_follows_the_one_that_bites() -> None:
    """``x`` would have to be the same as ``u``, which is set later."""
    x, u = Variable("x", integer=False), Variable("u", "forall")
    rows = (Row(terms({0: 1, 1: -1}), "=", F(0)),)
    program = Program((x, u), rows)
    refute = Refute(0, (Scenario((0,), {1: 1}), Scenario((1,), {2: 1})))
    proof = Proof("forall", None, (refute,))
    assert check_proof(program, proof).accepted
    game = ProgramGame(program)
    strategy = ProgramStrategy(game, proof)
    for value in (F(0), F(1, 4), F(3, 4), F(1)):
        assert game.result((value, strategy((value,))[1])) == (game.worst, -game.worst)


def test_proofs_come_back_from_json_as_they_were() -> None:
    chance = Random(3)
    for _ in range(60):
        program = lawful(chance)
        for proof in brute_proofs(program, chance)[1:]:
            if proof is not None:
                data = json.loads(json.dumps(proof_data(proof)))
                assert proof_from_data(proof.owner, data) == proof


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"value": 1},
        {"value": 1.5, "nodes": []},
        {"value": "1/0", "nodes": []},
        {"value": 1, "nodes": {}},
        {"value": 1, "nodes": [], "more": 1},
        {"value": 1, "nodes": [["c", 0, [1]]]},
        {"value": 1, "nodes": [["c", True, [1], -1]]},
        {"value": 1, "nodes": [["c", 0, "1", -1]]},
        {"value": 1, "nodes": [["b", 0, [[0, 1]]]]},
        {"value": 1, "nodes": [["r", 0, [[[], [1]]]]]},
        {"value": 1, "nodes": [["r", 0, [[[], [1, 1, 1, 2]]]]]},
        {"value": 1, "nodes": [["x", 0]]},
        {"value": 1, "nodes": [None]},
    ],
)
def test_data_that_is_no_proof_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(ShapeError):
        proof_from_data("exists", data)
    game = ProgramGame(Program((Variable("x"),)))
    verdict = check_certificate(game, Certificate("", (Claim("exists", 0, rule="program", data=data),)))
    assert verdict.status == "refuted" and "not as it should be" in verdict.reason


def test_claims_of_both_roles_are_checked_by_their_scores() -> None:
    chance = Random(8)
    for _ in range(40):
        program = lawful(chance)
        game = ProgramGame(program)
        value, exists, forall = brute_proofs(program, chance)
        score = game.score(value)
        claims = [Claim("forall", -score, rule="program", data=proof_data(forall))]
        claims += [] if exists is None else [Claim("exists", score, rule="program", data=proof_data(exists))]
        assert check_certificate(game, Certificate("", tuple(claims))).accepted
        for claim in claims:
            more = Claim(claim.role, claim.at_least + F(1, 7), rule="program", data=claim.data)
            assert not check_certificate(game, Certificate("", (more,))).accepted


@pytest.mark.parametrize("engine", ["alphabeta", "dp", "pns", "minimax", "uct", "induction", "auto", "qip-table"])
@pytest.mark.parametrize("coefficients", [{1: 1}, {}], ids=["by a value", "by no value at all"])
def test_every_engine_refuses_a_program_whose_forall_cannot_keep_his_rows(
    engine: str, coefficients: dict[int, int]
) -> None:
    own = Row(terms(coefficients), ">=", F(2)), Row(terms({2: 1}), "<=", F(0))
    game = ProgramGame(Program((Variable("x"), Variable("u", "forall"), Variable("w", "forall")), uncertainty=own))
    with pytest.raises(InputError, match="cannot keep his own rows"):
        solve(game, engine=engine)
