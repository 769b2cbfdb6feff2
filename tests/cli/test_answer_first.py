"""The answer first: what is proved is told before it is explained, certified and checked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from zermelo.cli.answer_first import AnswerFirst
from zermelo.options import Options
from zermelo.solution import Solution
from zermelo.solving import solve_game
from zermelo.solving.targets import game_of
from zermelo.words import first_rows, rest_of

TARGETS = ("connect:4,4,4", "nim:3,4,5", "gdl:tictactoe", "mnk:3,3,3", "{5|-5} + *", "examples/bakery.qlp", "hex:3")


@pytest.fixture(scope="module", params=TARGETS)
def heard(request: pytest.FixtureRequest) -> tuple[list[Solution], Solution]:
    """What was told first, and the whole solution."""
    told: list[Solution] = []
    game = game_of(request.param, None)
    return told, solve_game(game, options=Options(), target=request.param, proved=told.append)


def test_what_is_told_first_is_what_is_said_in_the_end(heard: tuple[list[Solution], Solution]) -> None:
    told, solution = heard
    assert {(each.value, each.winner, each.status) for each in told} == {
        (solution.value, solution.winner, solution.status)
    }


def test_it_is_told_before_it_is_checked(heard: tuple[list[Solution], Solution]) -> None:
    told, solution = heard
    assert solution.verified and not any(each.verified for each in told)


def test_a_search_tells_its_answer_before_it_writes_its_proof() -> None:
    told: list[Solution] = []
    solution = solve_game(game_of("connect:4,4,4", None), proved=told.append)
    assert told[0].certificate is None and not told[0].move_values
    assert solution.certificate is not None and solution.move_values


def test_who_wins_a_board_is_told_before_its_proof_is_written() -> None:
    told: list[Solution] = []
    solution = solve_game(game_of("clobber:3x4", None), options=Options(ask="outcome"), proved=told.append)
    assert told[0].certificate is None and told[0].details.outcome == "P"
    assert solution.certificate is not None and solution.verified


def test_what_was_told_is_not_told_again(heard: tuple[list[Solution], Solution]) -> None:
    told, solution = heard
    first, report = first_rows(told[0]), str(solution)
    rest = rest_of(first, report)
    assert set(rest.splitlines()).isdisjoint(first.splitlines())
    known = {*first.splitlines(), *rest.splitlines()}
    assert all(row in known or row.startswith("  move ") for row in report.splitlines()[1:])


def test_a_report_that_comes_at_once_comes_whole() -> None:
    shown: list[str] = []
    solution = solve_game(game_of("nim:1,2", None))
    first = AnswerFirst(shown.append, patience=1000)
    first.hear(solution)
    assert first.rest("whole") == "whole" and not shown


def test_an_answer_that_has_to_wait_is_shown_once() -> None:
    shown: list[str] = []
    solution = solve_game(game_of("nim:1,2", None))
    first = AnswerFirst(shown.append, patience=0)
    first.hear(solution)
    first.hear(solution)
    assert first._timer is not None
    first._timer.join()
    assert shown == [first_rows(solution)]
    assert first.rest(str(solution)).startswith("  why ")


def test_whoever_reads_the_first_line_only_has_the_certificate_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "hex.json"
    command = f"{sys.executable} -m zermelo solve connect:4,5,4 --quiet --certificate {file} | head -1"
    found = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, timeout=100)
    assert found.stdout.startswith("connect:4,5,4: ") and file.stat().st_size > 0


def test_without_a_check_nothing_is_explained() -> None:
    command = [sys.executable, "-m", "zermelo", "solve", "connect:4,4,4", "--quiet", "--no-check"]
    report = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100).stdout
    assert "others" not in report and "\n  move " in report
