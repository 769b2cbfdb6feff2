"""A taste of ``zermelo fuzz``, and what it has found."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import zermelo
from tests.randomgames import TableGame as Plain
from tests.randomgames import oracle
from tests.search.rolegames import iterated, plain_induction, random_role_game
from zermelo.answer import Answer
from zermelo.cli import main
from zermelo.engine import Engine, Task
from zermelo.errors import DisagreementError, ZermeloError
from zermelo.fuzzing import running
from zermelo.fuzzing.cases import Case, broken_law, drawn
from zermelo.fuzzing.drawing import DRAWN, Statement, random_role_table, table_from, table_text
from zermelo.fuzzing.running import fuzz
from zermelo.fuzzing.truth import TooLargeError, mixed_value, truth, truths
from zermelo.game import Game
from zermelo.options import TIES
from zermelo.solving import ENGINES, game_of
from zermelo.solving.routes import route_to
from zermelo.solving.verifying import need_agreement
from zermelo.tablegame import TableGame


def test_random_games_of_every_kind_are_answered_alike_by_all_that_are_asked(tmp_path: Path) -> None:
    report = fuzz(20_000, 40, tmp_path, print)
    assert not report.failures, report
    assert len(report.kinds) > 8 and report.answers > 60


def test_workers_share_the_games_of_one_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "SLICE", 5)
    told: list[str] = []
    alone, together = fuzz(600, 17, tmp_path, print), fuzz(600, 17, tmp_path, told.append, workers=2)
    assert (together.seed, together.cases, together.kinds) == (600, 17, alone.kinds)
    assert not together.failures and together.answers > 17 and set(together.routes) == set(alone.routes)
    assert len(told) == 4, "a line for each slice"
    late = fuzz(600, 17, tmp_path, told.append, 0.0, workers=2)
    assert (late.cases, len(told)) == (0, 4), "the time is up before any game"


def test_every_kind_is_drawn_and_read() -> None:
    read: set[str] = set()
    for seed in range(400):
        case = drawn(seed)
        if case.kind not in read:
            with suppress(ZermeloError):  # a network of edges may have a circle
                assert case.statement.game().roles
                read.add(case.kind)
    assert read == set(DRAWN)


def test_the_truth_is_that_of_another_oracle() -> None:
    for seed in range(200):
        case = drawn(seed)
        if case.kind in ("table", "table with cycles"):
            game = table_from(case.statement.text)
            plain = Plain(game.turns, game.successors, game.scores, game.weights, game.roles, game.total, game.endless)
            assert truth(game) == oracle(plain), seed


def test_the_truth_about_several_roles_is_that_of_another_oracle() -> None:
    for seed in range(120):
        game = random_role_game(seed, roles=1 + seed % 4)
        for ties in TIES:
            assert truths(game, ties) == plain_induction(game, ties), (seed, ties)


def test_the_truth_where_positions_repeat_under_chance_is_that_of_value_iteration() -> None:
    tried = 0
    for seed in range(60):
        game = random_role_game(seed, roles=2, nodes=6, cyclic=True, total=3, chance=0.5)
        with suppress(TooLargeError):
            assert abs(float(truth(game)) - iterated(game)[0]) < 1e-6, seed
            tried += 1
    assert tried > 20


def test_the_truth_of_a_matrix_is_what_both_sides_can_secure() -> None:
    rng = Random(1)
    for _ in range(60):
        rows = [[rng.randint(-2, 3) for _ in range(rng.randint(1, 1) + 2)] for _ in range(rng.randint(1, 3))]
        turned = [[-entry for entry in column] for column in zip(*rows, strict=True)]
        assert mixed_value(rows) == -mixed_value(turned)


def test_a_table_of_several_roles_is_read_as_it_was_written() -> None:
    for seed in range(30):
        for at_once in (False, True):
            game = random_role_table(Random(seed), roles=2 + seed % 2, at_once=at_once)
            assert table_from(table_text(game)) == game


def test_engines_that_differ_about_another_role_disagree() -> None:
    one, other = (
        Answer(name, "solved", 1, (1, 1), values={"ann": 1, "bob": got}) for name, got in (("a", 0), ("b", 2))
    )
    with pytest.raises(DisagreementError, match="ann gets 1, bob 0 against ann gets 1, bob 2"):
        need_agreement("it", [one, other])


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


def test_a_case_that_nobody_answers_any_more_is_not_called_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "case.json"
    file.write_text(json.dumps(replace(drawn(7), routes=("maxn",), statement=Statement("cgt", "{1|0}")).to_json()))
    assert main(["fuzz", "replay", str(file)]) == 3
    assert "nobody answers it any more" in capsys.readouterr().out


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
    rng = Random(460)
    rng.choice(range(14))
    sheet = DRAWN["rulesheet"](rng)
    game = game_of(sheet.text, "rulesheet")
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


@pytest.mark.parametrize("plies", [0, 1])
def test_a_game_of_three_that_is_over_is_no_problem_for_uct(plies: int) -> None:
    text = 'EFG 2 R "over" { "ann" "bob" "cem" }\n\np "" 2 1 "" { "only" } 0\nt "" 1 "" { 2, -1, 0 }\n'
    assert broken_law(Case("tree file", Statement("efg", text), 1, plies, ("auto", "uct", "induction"))) is None
