"""Runs of plans: the same result in one go, in pieces, by many workers and by two processes."""

from __future__ import annotations

import json
import os
import random
import re
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.arena.kills import kill_and_compare
from zermelo.arena.plan import Plan, plan_of
from zermelo.arena.plan_runner import Front, round_result, run_plan, standings
from zermelo.arena.plan_runner import counted as counted_games
from zermelo.arena.pool import Here, Pool
from zermelo.arena.record import GameRecord
from zermelo.arena.statistics import sprt
from zermelo.arena.store import Played, Store
from zermelo.arena.work import Answer, Task, play
from zermelo.cli import main

PLAN = """
[defaults]
clock = "15sims"
[[pairing]]
game = ["gdl:tictactoe", "gdl:orchard:2,4,5"]
players = ["uct", "random"]
games = 10
[[pairing]]
game = "gdl:hex:3"
players = ["uct(exploration=0.4)", "random"]
sprt = {elo0 = 0, elo1 = 150, games = 60}
"""


def results(plan: Plan, store: Store) -> list[tuple[Any, list[GameRecord]]]:
    """What a plan came to, without times."""
    return [
        ((standing.end, standing.verdict), [replace(game.record, seconds=(), cpu_seconds=()) for game in games])
        for standing, games in counted_games(plan, store)
    ]


@pytest.fixture(scope="module")
def expected() -> list[tuple[Any, list[GameRecord]]]:
    """The result of the plan in one go, by one process."""
    with Store(":memory:") as store:
        run_plan(plan_of(PLAN), store, Here())
        return results(plan_of(PLAN), store)


class Stops:
    """A worker that is interrupted after so many games."""

    count = 1

    def __init__(self, games: int):
        self._left, self._here = games, Here()

    def submit(self, task: Task) -> None:
        self._here.submit(task)

    def wait(self, seconds: float) -> Sequence[Answer]:
        self._left -= 1
        if self._left < 0:
            raise KeyboardInterrupt
        return self._here.wait(seconds)

    def close(self) -> None:
        self._here.close()


class Shuffled:
    """Workers that answer in any order, as those of a cluster do."""

    count = 5

    def __init__(self, seed: int):
        self._random, self._tasks = random.Random(seed), list[Task]()

    def submit(self, task: Task) -> None:
        self._tasks.append(task)

    def wait(self, seconds: float) -> Sequence[Answer]:
        some = self._random.sample(self._tasks, self._random.randint(0, len(self._tasks)))
        self._tasks = [task for task in self._tasks if task not in some]
        return [play(task) for task in some]

    def close(self) -> None:
        self._tasks.clear()


def test_every_game_of_a_plan_is_played(expected: list[tuple[Any, list[GameRecord]]]) -> None:
    assert [len(games) for _, games in expected][:2] == [10, 10]
    (end, verdict), games = expected[2]
    assert verdict == "accepted" and end == len(games) < 60 and end % 2 == 0


def test_a_run_in_pieces_is_a_run_in_one_go(expected: list[tuple[Any, list[GameRecord]]], tmp_path: Path) -> None:
    plan, pieces = plan_of(PLAN), 0
    while True:
        with Store(tmp_path / "s.sqlite") as store:
            try:
                run_plan(plan, store, Stops(7))
            except KeyboardInterrupt:
                pieces += 1
                continue
            assert pieces > 3
            assert results(plan, store) == expected
            return


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_answers_does_not_matter(expected: list[tuple[Any, list[GameRecord]]], seed: int) -> None:
    with Store(":memory:") as store:
        run_plan(plan_of(PLAN), store, Shuffled(seed))
        assert results(plan_of(PLAN), store) == expected


def test_more_games_go_on_where_fewer_ended() -> None:
    text = '[[pairing]]\ngame = "gdl:nim"\nplayers = ["uct", "random"]\nclock = "9sims"\ngames = {}\n'
    with Store(":memory:") as store:
        run_plan(plan_of(text.format(4)), store, Here())
        before = store.games(plan_of(text.format(4)).pairings[0].key)
        run_plan(plan_of(text.format(8)), store, Here())
        after = store.games(plan_of(text.format(8)).pairings[0].key)
    assert len(before) == 4 and len(after) == 8 and after[:4] == before


def test_a_pool_comes_to_the_same_and_survives_its_workers(expected: list[tuple[Any, list[GameRecord]]]) -> None:
    class Deadly(Pool):
        killed = False

        def wait(self, seconds: float) -> Sequence[Answer]:
            answers = super().wait(seconds)
            if answers and not self.killed:
                Deadly.killed = True
                pid = self._workers[0].process.pid
                assert pid is not None
                os.kill(pid, signal.SIGKILL)
            return answers

    with Store(":memory:") as store:
        run_plan(plan_of(PLAN), store, Deadly(2))
        assert Deadly.killed
        assert results(plan_of(PLAN), store) == expected


def test_a_game_that_kills_every_worker_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Pool(1)
    [pairing] = plan_of('[[pairing]]\ngame = "gdl:nim"\nplayers = ["uct", "random"]\n').pairings
    pool.submit(Task(pairing, 0))
    answers: list[Answer] = []
    while not answers:
        for worker in pool._workers:
            worker.process.kill()
        answers = list(pool.wait(1.0))
    pool.close()
    assert answers == [Answer(Task(pairing, 0), failure="3 workers died in this game")]


def test_a_pairing_that_fails_does_not_stop_the_others() -> None:
    plan = plan_of("""
[defaults]
clock = "9sims"
games = 4
players = ["uct", "random"]
[[pairing]]
game = "gdl:nothing"
[[pairing]]
game = "gdl:nim"
""")
    with Store(":memory:") as store:
        first, second = run_plan(plan, store, Here())
        assert first.failure.startswith("unknown rulesheet 'nothing'") and not first.over
        assert second.over and not second.failure
        assert [bool(standing.failure) for standing in standings(plan, store)] == [True, False]


def a_round(chance: random.Random, number: int, alone: bool) -> list[Played]:
    """Two games of one seed with any results."""
    games = []
    for turn, players in enumerate([("a", "a"), ("b", "b")] if alone else [("a", "b"), ("b", "a")]):
        score = chance.choice(["1", "1", "1/2", "0"] if "a" in players[:1] else ["1", "0", "0", "1/2"])
        scores = (score, score) if alone else (score, {"1": "0", "0": "1", "1/2": "1/2"}[score])
        record = GameRecord("g", players, number + turn, number // 2, "1s", "", scores, 9, (1, 1), (1, 1), (1.0, 1.0))
        games.append(Played(record, 2, alone))
    return games


@pytest.mark.parametrize("least", [1, 200])
@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_the_test_of_a_run_is_that_of_the_statistics(seed: int, alone: bool, least: int) -> None:
    test = f"sprt = {{elo1 = 60, least = {least}}}"
    [pairing] = plan_of(f'[[pairing]]\ngame = "g"\nplayers = ["uct", "random"]\n{test}\n').pairings
    pairing = replace(pairing, players=("a", "b"))
    chance, front, played = random.Random(seed), Front(pairing), list[Played]()
    while front.finished >= front.end or len(played) < 300:
        for game in a_round(chance, len(played), alone):
            played.append(game)
            front.add(game)
        if len(played) >= 300:
            break
    told = sprt([game.record for game in played], "a", elo1=60)
    standing = front.standing()
    assert (standing.verdict, round(standing.llr, 9)) == (told.verdict, round(told.llr, 9))
    assert standing.verdict == "open" or standing.end == max(told.games, least)


def test_a_round_alone_compares_scores_on_the_same_dice() -> None:
    first, second = a_round(random.Random(1), 0, alone=True)
    better = replace(first, record=replace(first.record, scores=("1", "1")))
    worse = replace(second, record=replace(second.record, scores=("1/2", "1/2")))
    assert round_result([better, worse], "a")[0] > round_result([better, worse], "b")[0]


def test_neither_kills_nor_company_change_the_result(tmp_path: Path) -> None:
    """The smoke version of ``python -m tests.arena.kills``: killed twice, then finished by two processes at once."""
    outcome = kill_and_compare(tmp_path, kills=2, games=16, seed=2, workers=1, finishers=2)
    assert outcome.kills == 2


def test_run_resume_and_report_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = tmp_path / "cup.toml"
    plan.write_text('[[pairing]]\ngame = "gdl:nim"\nplayers = ["uct", "random"]\nclock = "9sims"\ngames = 4\n', "utf-8")
    assert main(["arena", "resume", str(plan)]) == 2
    assert "nothing to resume" in capsys.readouterr().err
    assert main(["arena", "run", str(plan), "--workers", "1", "--quiet", "--json"]) == 0
    ran = json.loads(capsys.readouterr().out)
    assert ran["pairings"][0]["finished"] == 4 and ran["pairings"][0]["over"]
    assert main(["arena", "resume", str(tmp_path / "cup.sqlite"), "--workers", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pairings"] == ran["pairings"]
    assert main(["arena", "report", str(plan), "-o", str(tmp_path / "report")]) == 0
    assert re.search(r"^nim .* uct : random +4 ", capsys.readouterr().out, re.MULTILINE)
    assert {"results.md", "results.csv", "games.svg"} <= {path.name for path in (tmp_path / "report").iterdir()}


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["run", "no.toml"], "no.toml: no such file"),
        (["report", "no.sqlite"], "no.sqlite: no such file"),
        (["run", "PLAN", "--workers", "0"], "zermelo: --workers 0 is not in 1..4096"),
        (["run", "PLAN", "--on", "moon"], "zermelo: --on moon: expected ray, ray://auto or ray://HOST:PORT"),
    ],
)
def test_mistakes_are_one_line(
    arguments: list[str], line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "p.toml"
    plan.write_text('[[pairing]]\ngame = "gdl:nim"\nplayers = ["uct", "random"]\n', "utf-8")
    assert main(["arena", *(str(plan) if word == "PLAN" else word for word in arguments)]) == 2
    assert capsys.readouterr().err.strip() == line
