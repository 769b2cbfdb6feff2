"""From a program to a checked solution: the portfolio, missing proofs, agreement, limits."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from tests.qip.bruteproofs import brute_proofs, lawful
from tests.qip.checking import check_proof
from tests.qip.mixedprograms import random_mixed_program, value_by_definition
from tests.qip.randomlinear import random_linear_program
from tests.qip.randomprograms import INFEASIBLE, LAWLESS, brute_force
from zermelo import portfolio as together
from zermelo.certificate import parse_certificate
from zermelo.check import check_certificate
from zermelo.errors import DisagreementError, InputError, NotApplicableError
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.progress import Watch, no_watch
from zermelo.qbf.game import FormulaGame
from zermelo.qbf.qdimacs import parse_qdimacs
from zermelo.qip import engines
from zermelo.qip.game import ProgramGame
from zermelo.qip.programs.program import Objective, Program, Row, Variable, terms
from zermelo.qip.proofs.obvious import obvious_refutation
from zermelo.qip.proofs.proof import Proof
from zermelo.qip.solvers.program_portfolio import portfolio, shares_of
from zermelo.qip.solvers.solver_answer import Answer, Solver
from zermelo.solving import solve, solve_game

F = Fraction
SMALL = Program(
    (Variable("x"), Variable("u", "forall"), Variable("y", upper=F(3))),
    (Row(terms({0: 1, 1: 1, 2: 1}), ">=", F(2)),),
    Objective("min", terms({0: 3, 2: 2})),
)
"""Worth 4: the best answer to u=0 is y=2."""


def says(answer: Answer) -> Solver:
    def solver(program: Program, limits: Limits, watch: Watch, parameters: object = None) -> Answer:
        return answer

    return solver


def with_proofs(program: Program, *, exists: bool = True, forall: bool = True) -> Answer:
    value, first, second = brute_proofs(program)
    status = "infeasible" if value is None else "optimal"
    return Answer(status, value, (value, value), first if exists else None, second if forall else None)


def take(monkeypatch: pytest.MonkeyPatch, **solvers: Solver) -> None:
    """Puts solvers in the place of the real ones."""
    named = {name.replace("_", "-"): solver for name, solver in solvers.items()}
    monkeypatch.setattr(engines, "PARTS", dict.fromkeys(named, ("zermelo", "")))
    known = {"qip": named} | {name: {name: solver} for name, solver in named.items()}
    monkeypatch.setattr(engines, "program_solvers", known.__getitem__)


@pytest.mark.parametrize("seed", range(6))
def test_solutions_are_those_of_the_definition_and_checked(seed: int) -> None:
    chance = Random(100 + seed)
    for _ in range(15):
        program = lawful(chance)
        value = brute_force(program)
        solution = solve_game(ProgramGame(program))
        assert solution.status == "solved" and solution.verified, solution.note
        assert solution.value == (None if value == INFEASIBLE else value)
        assert solution.details.feasible == (value != INFEASIBLE)
        assert solution.winner == ("forall" if value == INFEASIBLE else "exists")
        if solution.details.feasible:
            end = tuple(setting[1] for setting in solution.line)
            assert all(row.holds(end) for row in program.rows)


def test_all_engines_agree_on_small_programs() -> None:
    chance = Random(77)
    for _ in range(6):
        program = lawful(chance, 4)
        solution = solve_game(ProgramGame(program), "all")
        value = brute_force(program)
        assert solution.value == (None if value == INFEASIBLE else value)
        assert len([e for e in solution.stats["engines"].values() if e["status"] == "solved"]) > 5


def test_json_says_whether_it_is_feasible_and_what_exists_sets_first() -> None:
    data = json.loads(json.dumps(solve_game(ProgramGame(SMALL)).to_json()))
    assert (data["feasible"], data["value"], data["winner"], data["assignment"]) == (True, "4", "exists", {"x": "0"})
    hopeless = replace(SMALL, rows=(Row(terms({0: 1, 1: 1}), "=", F(1)),))
    data = solve_game(ProgramGame(hopeless)).to_json()
    assert (data["feasible"], data["value"], data["winner"], data["status"]) == (False, None, "forall", "solved")


def test_the_certificate_is_read_back_and_accepted() -> None:
    game = ProgramGame(SMALL)
    solution = solve_game(game)
    assert solution.certificate is not None and len(solution.certificate.claims) == 2
    again = parse_certificate(json.dumps(solution.certificate.to_json()))
    assert check_certificate(game, again).accepted


def test_a_play_taken_up_on_the_way_is_solved_from_there() -> None:
    solution = solve_game(ProgramGame(SMALL, (1, 0)))
    assert solution.value == 5 and solution.verified and solution.line == ((2, 1),)


def test_one_proof_alone_is_reported_as_not_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    take(monkeypatch, qip_table=says(with_proofs(SMALL, forall=False)))
    solution = solve_game(ProgramGame(SMALL), "qip")
    assert solution.value == 4 and not solution.verified
    assert solution.note == "not verified: no proof that it cannot be beaten"
    take(monkeypatch, qip_table=says(with_proofs(SMALL, exists=False)))
    assert "no proof that the value can be reached" in solve_game(ProgramGame(SMALL), "qip").note


def test_a_missing_proof_is_asked_of_another_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    half, whole = says(with_proofs(SMALL, forall=False)), says(with_proofs(SMALL))
    take(monkeypatch, qip_cegar=half, qip_table=whole)
    solution = solve_game(ProgramGame(SMALL), "qip-cegar")
    assert solution.verified and solution.engine == "qip-cegar"


def test_solvers_that_disagree_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = says(Answer("infeasible"))
    take(monkeypatch, qip_cegar=says(with_proofs(SMALL, forall=False)), qip_table=wrong)
    with pytest.raises(DisagreementError, match="optimal 4 against infeasible"):
        solve_game(ProgramGame(SMALL), "qip-cegar")
    with pytest.raises(DisagreementError, match="disagree"):
        solve_game(ProgramGame(SMALL), "all")


def test_a_wrong_proof_is_a_fault_of_its_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    right = with_proofs(SMALL)
    assert right.exists is not None and right.forall is not None
    low = F(3)
    answer = Answer("optimal", low, (low, low), replace(right.exists, value=low), replace(right.forall, value=low))
    take(monkeypatch, qip_table=says(answer))
    with pytest.raises(DisagreementError, match="the checker refutes"):
        solve_game(ProgramGame(SMALL), "qip")


def test_what_no_values_within_the_bounds_can_beat_needs_no_search() -> None:
    chance = Random(31)
    shown = 0
    for _ in range(60):
        program = lawful(chance, 5)
        value = brute_force(program)
        if isinstance(value, Fraction):
            proof = obvious_refutation(ProgramGame(program), value)
            assert proof is None or check_proof(program, proof).accepted
            assert proof is not None or program.objective.terms
            shown += proof is not None
    assert shown > 10


def test_limits_leave_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    take(monkeypatch, qip_table=says(Answer("unknown", bounds=(F(1), None), cause="time")))
    solution = solve_game(ProgramGame(SMALL), "qip")
    assert (solution.status, solution.bounds, solution.stopped_by) == ("bounded", (1, None), "time")
    data = solution.to_json()
    assert data["feasible"] is None and data["bounds"] == ["1", None]


def test_who_gives_up_or_does_not_apply_leaves_the_turn_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(program: Program, limits: Limits, watch: Watch) -> Answer:
        raise NotApplicableError("not mine")

    idle, good = says(Answer("unknown", cause="time")), says(with_proofs(SMALL))
    for cores in (1, 2):
        monkeypatch.setattr(together, "cores", lambda cores=cores: cores)
        for solvers in (
            {"qip-table": refuses, "qip-learn": refuses, "qip-cegar": refuses, "qip-dep": good},
            {"qip-table": idle, "qip-learn": refuses, "qip-cegar": good},
            {"qip-table": says(Answer("unknown", cause="memory")), "qip-cegar": idle, "qip-dep": good},
        ):
            name, answer = portfolio(solvers, SMALL, Limits(seconds=20))
            assert answer.status == "optimal" and solvers[name] is good
    with pytest.raises(NotApplicableError):
        portfolio({"qip-table": refuses, "qip-cegar": refuses}, SMALL, Limits())


def test_forall_who_cannot_keep_his_own_rows_is_wrong_input() -> None:
    own = (Row(terms({1: 1}), ">=", F(2)),)
    with pytest.raises(InputError, match="the universal player cannot keep his own rows"):
        solve_game(ProgramGame(replace(SMALL, uncertainty=own)))


def test_engines_for_games_speak_of_the_objective_too() -> None:
    solution = solve_game(ProgramGame(SMALL), "alphabeta")
    assert (solution.value, solution.details.feasible, solution.winner, solution.verified) == (4, True, "exists", True)


def test_engine_names_and_options_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="unknown engine 'qip-abacus'"):
        solve(ProgramGame(SMALL), "qip-abacus")
    with pytest.raises(InputError, match="takes no depth"):
        solve_game(ProgramGame(SMALL), options=Options(depth=3))


def test_formulas_are_programs_and_proofs_of_the_program_prove_them() -> None:
    true = "p cnf 3 3\na 1 0\ne 2 3 0\n1 2 0\n-1 -2 0\n-2 3 0\n"
    for text, winner in ((true, "exists"), (true.replace("a 1 0\ne 2 3 0", "e 2 3 0\na 1 0"), "forall")):
        game = FormulaGame(parse_qdimacs(text))
        solution = solve_game(game, "qip")
        assert (solution.winner, solution.value, solution.verified) == (winner, 1 if winner == "exists" else -1, True)
        assert solution.certificate is not None
        (claim,) = solution.certificate.claims
        other = replace(claim, role="exists" if winner == "forall" else "forall")
        assert not check_certificate(game, replace(solution.certificate, claims=(other,))).accepted
        more = replace(claim, at_least=2)
        assert not check_certificate(game, replace(solution.certificate, claims=(more,))).accepted


@pytest.mark.parametrize("seed", range(3))
def test_programs_with_continuous_variables_are_solved_and_checked(seed: int) -> None:
    chance = Random(400 + seed)
    for _ in range(6):
        mixed, linear = random_mixed_program(chance), random_linear_program(chance)
        value = value_by_definition(mixed)
        for program in (linear, mixed) if value != LAWLESS else (linear,):
            solution = solve_game(ProgramGame(program), limits=Limits(seconds=60))
            assert solution.status == "solved" and solution.verified, (solution.note, program)
            assert program is linear or solution.value == (None if value == INFEASIBLE else value)
            if solution.details.feasible:
                end = tuple(setting[1] for setting in solution.line)
                assert all(row.holds(end) for row in program.rows)


def test_bounds_of_all_solvers_count_where_none_has_an_answer() -> None:
    proof = Proof("exists", F(6), ())
    solvers = {
        "qip-table": says(Answer("unknown", bounds=(F(1), F(9)), cause="time")),
        "qip-learn": says(Answer("unknown", bounds=(F(3), None), cause="time")),
        "qip-cegar": says(Answer("unknown", bounds=(None, F(6)), exists=proof, cause="time")),
    }
    _, answer = portfolio(solvers, SMALL, Limits())
    assert (answer.bounds, answer.exists) == ((3, 6), proof)


def test_bounds_that_meet_are_the_answer() -> None:
    solvers = {
        "qip-table": says(Answer("unknown", bounds=(F(4), F(9)), cause="time")),
        "qip-cegar": says(Answer("unknown", bounds=(F(1), F(4)), cause="time")),
    }
    assert portfolio(solvers, SMALL, Limits())[1].value == 4


def test_the_best_plan_so_far_is_told_with_the_bound_that_it_proves(monkeypatch: pytest.MonkeyPatch) -> None:
    exists = with_proofs(SMALL).exists
    take(monkeypatch, qip_table=says(Answer("unknown", bounds=(F(1), F(4)), exists=exists, cause="time")))
    solution = solve_game(ProgramGame(SMALL), "qip")
    assert (solution.status, solution.bounds) == ("bounded", (1, 4))
    assert solution.details.assignment == {"x": 0} and solution.move == (0, 0)
    assert "exists sets x=0" in str(solution) and "1 .. 4, proved" in str(solution)


def test_learning_has_the_largest_share_where_there_is_no_objective() -> None:
    shares = shares_of(replace(SMALL, objective=Objective()))
    assert max(shares, key=lambda name: shares[name].size) == "qip-learn"


def test_a_free_variable_on_a_way_that_is_not_legal_is_left_open_in_the_proof() -> None:
    variables = (
        Variable("x0", "forall"),
        Variable("x1", "forall"),
        Variable("x2", "forall", lower=Fraction(-2), upper=Fraction(-1)),
    )
    own = (Row(terms({0: 1, 2: 4}), "=", Fraction(-7)),)
    program = Program(variables, (), Objective("min", terms({0: 1, 1: 5, 2: -1})), own)
    answer = engines.program_solvers("qlp")["qlp"](program, Limits(), no_watch)
    assert answer.value == 8
    assert answer.exists is not None
    assert check_proof(program, answer.exists).status == "accepted"
