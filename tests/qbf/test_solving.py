"""From a formula to a checked solution."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.qbf.bruteforce import brute_functions
from tests.qbf.randomformulas import random_clauses, random_formula
from zermelo import Limits, solve
from zermelo.errors import DisagreementError, InputError
from zermelo.kinds.formula import FORMULA
from zermelo.options import Options
from zermelo.progress import Watch
from zermelo.qbf import engines
from zermelo.qbf.circuit import FALSE, TRUE, Circuit, Kind
from zermelo.qbf.decisions import write_decisions
from zermelo.qbf.formula import Block, Formula, truth
from zermelo.qbf.functions import Functions
from zermelo.qbf.game import FormulaGame, FunctionsStrategy
from zermelo.qbf.qdimacs import parse_qdimacs, write_qdimacs
from zermelo.qbf.reading import read_formula
from zermelo.qbf.solver_answer import Answer, Solver
from zermelo.solving.tables import ENGINES

EXAMPLES = Path(__file__).parents[2] / "examples"


def answers() -> FormulaGame:
    return FormulaGame(read_formula(EXAMPLES / "answers.qcir"))


Put = Callable[[Solver], None]


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Put:
    """Puts a solver in the place of all others."""

    def put(solver: Solver) -> None:
        monkeypatch.setattr(engines, "formula_engines", lambda: {"qbf-cegar": solver})
        others = {name: engine for name, engine in ENGINES.items() if name != "qbf-search"}
        monkeypatch.setattr(ENGINES, "_things", others)

    return put


def test_the_example_formula_of_seed_2_has_the_strategy_it_prints() -> None:
    solution = solve(str(EXAMPLES / "choices.qcir"))
    assert (solution.winner, solution.value, solution.verified) == ("exists", 1, True)
    assert solution.details.assignment == {"x1": False, "x2": True}
    strategy = solution.strategy
    assert isinstance(strategy, FunctionsStrategy)
    game = strategy.game
    assert write_decisions(game.formula, strategy.functions) == "list(list(x1, false()), list(x2, true()))"


def test_random_formulas_are_solved_rightly_and_every_answer_is_checked() -> None:
    for seed in range(150):
        formula = (random_formula if seed % 2 else random_clauses)(Random(seed))
        solution = solve(FormulaGame(formula))
        assert solution.winner == ("exists" if truth(formula) else "forall")
        assert solution.verified, solution.note
        assert solution.details.assignment is not None
        first = formula.prefix[0]
        wanted = {formula.name(v) for v in first.variables} if first.quantifier == solution.winner else set()
        assert set(solution.details.assignment) == wanted


def test_gates_that_clauses_hide_are_found_and_functions_cover_them_all_the_same(only: Put) -> None:
    solved: list[Formula] = []

    def listening(formula: Formula, limits: Limits, watch: Watch) -> Answer:
        solved.append(formula)
        return brute_functions(formula)

    only(listening)
    for seed in range(60):
        formula = random_formula(Random(seed), variables=6, gates=10)
        clauses = parse_qdimacs(write_qdimacs(formula))
        game = FormulaGame(clauses)
        solution = solve(game)
        assert solution.winner == ("exists" if truth(formula) else "forall")
        assert solution.verified, solution.note
        claimed = [variable for variable in game.order if game.quantifiers[variable] == solution.winner]
        assert solution.stats["functions"] == len(claimed)
    assert any(Kind.XOR in formula.circuit.kind for formula in solved)


def test_all_engines_agree_on_small_formulas() -> None:
    for seed in range(15):
        solution = solve(FormulaGame(random_formula(Random(seed))), "all")
        assert solution.verified
        assert {"dp", "alphabeta", *engines.formula_engines()} <= set(solution.stats["engines"])


def test_formulas_that_are_constant_or_have_no_variables_are_solved() -> None:
    circuit = Circuit()
    x = circuit.variable() >> 1
    for output in (TRUE, FALSE):
        for prefix in ((), (Block("exists", (x,)),), (Block("forall", (x,)),)):
            solution = solve(FormulaGame(Formula(circuit, prefix, output)))
            assert solution.value == (1 if output else -1)
            assert solution.verified


def wrong(formula: Formula, limits: Limits, watch: Watch) -> Answer:
    right = brute_functions(formula)
    assert right.functions is not None
    owner = "forall" if right.value else "exists"
    return Answer(not right.value, Functions(owner, Circuit(), {}, {}))


def test_a_solver_that_is_wrong_is_found_out(only: Put) -> None:
    only(wrong)
    game = answers()
    with pytest.raises(DisagreementError, match="the checker refutes qbf-cegar"):
        solve(game)
    with pytest.raises(DisagreementError, match="disagree"):
        solve(game, "all")


def test_a_wrong_strategy_of_a_program_of_others_is_dropped_and_its_answer_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def careless(formula: Formula, limits: Limits, watch: Watch) -> Answer:
        return Answer(truth(formula), Functions("exists", Circuit(), {}, {}))

    monkeypatch.setattr(engines, "formula_engines", lambda: {"qbf-careless": careless})
    theirs = replace(ENGINES["qbf-cegar"], name="qbf-careless")
    monkeypatch.setattr(ENGINES, "_things", dict(ENGINES) | {theirs.name: theirs})
    solution = solve(answers(), "qbf-careless")
    assert (solution.winner, solution.verified, solution.certificate) == ("exists", False, None)
    assert solution.note == "not verified: the checker refutes the strategy that qbf-careless printed"


def test_an_answer_without_functions_is_not_called_verified(only: Put) -> None:
    only(lambda formula, limits, watch: Answer(truth(formula)))
    solution = solve(answers())
    assert solution.status == "solved"
    assert not solution.verified
    assert solution.note == "not verified: no functions by qbf-cegar: it writes none down"
    assert solution.strategy is None


def test_a_limit_is_reported_and_nothing_is_claimed(only: Put) -> None:
    only(lambda formula, limits, watch: Answer(None, cause="time"))
    solution = solve(answers())
    assert (solution.status, solution.note, solution.details) == (
        "unknown",
        "the time limit was reached",
        None,
    )


def test_ctrl_c_in_a_solver_is_reported(only: Put) -> None:
    def interrupted(formula: Formula, limits: Limits, watch: Watch) -> Answer:
        raise KeyboardInterrupt

    only(interrupted)
    solution = solve(answers())
    assert (solution.status, solution.note, solution.stopped_by) == ("unknown", "interrupted", "interrupt")


def test_a_formula_has_no_horizon() -> None:
    with pytest.raises(InputError, match="takes no depth"):
        solve(answers(), options=Options(depth=3))


def test_unknown_engines_are_named_with_those_that_there_are() -> None:
    game = answers()
    with pytest.raises(InputError, match=r"unknown engine 'qbf-abacus', expected one of auto, all, .*qbf"):
        solve(game, "qbf-abacus")
    with pytest.raises(InputError, match=r"unknown engine 'abacus', expected one of auto, all, .*qbf"):
        solve(game, "abacus")
    with pytest.raises(InputError, match="engines of different rooms"):
        solve(game, "qbf-cegar+dp")


def test_every_ending_of_a_formula_file_is_a_target(tmp_path: Path) -> None:
    suffixes = [suffix for form in FORMULA.formats for suffix in form.suffixes]
    assert len(suffixes) == 5
    for suffix in suffixes:
        path = tmp_path / f"f{suffix}"
        path.write_text("exists(x)\noutput(x)\n" if suffix == ".qcir" else "p cnf 1 1\ne 1 0\n1 0\n")
        assert solve(str(path)).winner == "exists"
