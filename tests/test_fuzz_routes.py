"""A taste of ``zermelo fuzz``, and what it has found."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import pytest

import zermelo
from tests.randomgames import TableGame as Plain
from tests.randomgames import oracle
from zermelo.answer import Answer
from zermelo.cli import main
from zermelo.engine import Engine, Task
from zermelo.fuzzing.cases import Case, broken_law, drawn
from zermelo.fuzzing.drawing import DRAWN, Statement, table_from
from zermelo.fuzzing.running import fuzz
from zermelo.fuzzing.truth import truth
from zermelo.game import Game
from zermelo.solving import ENGINES, game_stated_by
from zermelo.solving.routes import route_to
from zermelo.tablegame import TableGame


def test_random_games_of_every_kind_are_answered_alike_by_all_that_are_asked(tmp_path: Path) -> None:
    report = fuzz(20_000, 40, tmp_path, print)
    assert not report.failures, report
    assert len(report.kinds) > 8 and report.answers > 60


def test_every_kind_is_drawn_and_read() -> None:
    seen: dict[str, int] = {}
    for seed in range(400):
        case = drawn(seed)
        if not seen.get(case.kind):
            assert case.statement.game().roles
            seen[case.kind] = 1
    assert set(seen) == set(DRAWN)


def test_the_truth_is_that_of_another_oracle() -> None:
    for seed in range(200):
        case = drawn(seed)
        if case.kind in ("table", "table with cycles"):
            game = table_from(case.statement.text)
            plain = Plain(game.turns, game.successors, game.scores, game.weights, game.roles, game.total, game.endless)
            assert truth(game) == oracle(plain), seed


@pytest.fixture
def liar() -> Iterator[str]:
    """An engine that is wrong about games of chance and never says so."""

    def lie(names: Sequence[str], game: Game, task: Task) -> Answer:
        found = route_to("dp", game).answer(game, Task(task.limits, task.options))
        lied = (found.value or 0) + (1 if isinstance(found.value, Fraction) else 0)
        return Answer("liar", "solved", value=lied, bounds=(lied, lied), winner=found.winner)

    ENGINES.register(Engine("liar", "lies now and then", "liars", lie))
    yield "liar"
    ENGINES.remove("liar")


def test_a_failure_is_made_small_and_tried_again_by_replay(
    liar: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("zermelo.fuzzing.cases.routes_drawn", lambda game, seed: ("dp", liar))
    seed = next(seed for seed in range(500) if drawn(seed).kind == "table with chance" and broken_law(drawn(seed)))
    assert main(["fuzz", "--seed", str(seed), "--cases", "1", "--folder", str(tmp_path)]) == 5
    (file,) = tmp_path.glob("*.json")
    kept = json.loads(file.read_text())
    small = table_from(kept["statement"]["text"])
    assert kept["routes"] == [liar] and len(small.turns) < len(table_from(drawn(seed).statement.text).turns) + 1
    capsys.readouterr()
    assert main(["fuzz", "replay", str(file)]) == 5
    assert "DisagreementError" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "[]", '{"format": "zermelo-fuzz-case"}', '{"format": "else"}'])
def test_a_file_that_is_no_case_is_one_line(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "case.json"
    file.write_text(text)
    assert main(["fuzz", "replay", str(file)]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"{file}: not a case of zermelo fuzz") and err.count("\n") == 1


def test_fuzz_takes_no_other_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", "again"]) == 2
    assert "expected nothing, or replay and files" in capsys.readouterr().err


# What it has found

ENDLESS = TableGame(("first", "second"), ((1,), (0,)), (None, None))


@pytest.mark.parametrize("route", ["formula > qbf-cegar", "program > qip-table", "formula > formula-program > qip-dep"])
def test_a_game_that_never_ends_is_worth_what_endless_play_scores(route: str) -> None:
    assert zermelo.solve(ENDLESS, route).value in (0, None)


def test_formulas_do_not_take_endless_play_for_the_score_of_an_end() -> None:
    """Second can go round for ever, which is worth less to first than any end."""
    game = TableGame(("second", "second", "first"), ((1, 2), (0,), ()), (None, None, 2), (), total=2, endless=(0, 2))
    assert truth(game) == 0
    for route in ("dp", "formula > qbf-search", "program > qip-table", "formula > formula-program > qip-learn"):
        assert zermelo.solve(game, route).value in (0, None), route


def test_both_roles_may_have_a_move_of_one_name_in_a_ply() -> None:
    sheet = next(case.statement for seed in range(3000) if (case := drawn(seed)).kind == "rulesheet" and seed == 460)
    game = game_stated_by(sheet.text, "rulesheet")
    found = zermelo.solve(game, "formula > formula-program > qip-table")
    assert found.status == "unknown" or found.value == truth(game)


def test_a_broken_row_is_worth_the_same_after_moves() -> None:
    rows = [
        "MAXIMIZE",
        "goal: - 2 x1 + 1 x0",
        "SUBJECT TO",
        "r0: + 2 x1 >= 3",
        "BOUNDS",
        "0 <= x0 <= 1",
        "0 <= x1 <= 1",
    ]
    text = "\n".join([*rows, "GENERALS", "x0 x1", "ALL", "x0 x1", "ORDER", "x0 x1", "END"])
    for plies in (0, 1, 2):
        case = Case("program", Statement("qlp", text), 1, plies, ("auto", "qip-table", "qip-learn", "dp"))
        assert broken_law(case) is None


@pytest.mark.parametrize(("erased", "value"), [("e4", 1), ("e4 e0 e1", -1)])
def test_an_edge_that_was_taken_is_erased_in_vain(erased: str, value: int) -> None:
    text = f"travel s t\nedge e0 v1 v2\nedge e1 v2 t\nedge e4 s v2\nerase v2 {erased}\n"
    for route in ("dp", "program > qip-table", "program > qip-dep"):
        solution = zermelo.solve(text, route, kind="dgr")
        assert (solution.value, solution.verified) == (value, True), route
