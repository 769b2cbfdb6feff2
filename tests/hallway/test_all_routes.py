"""Every route at once: agreement, the table, what happens where routes disagree."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import zermelo
from tests.randomgames import random_game
from zermelo.answer import Answer
from zermelo.cli import main
from zermelo.engine import Engine, Task
from zermelo.errors import DisagreementError, NotApplicableError
from zermelo.game import Game
from zermelo.graph import graph_of
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.solving import ENGINES, game_of, solve_game
from zermelo.solving.lanes import Lanes
from zermelo.solving.reproducing import disagree_on, smallest
from zermelo.solving.routes import every_way, route_to
from zermelo.stop import Stop
from zermelo.tablegame import table_of

QUICK = Options(move_values=False, simulations=200)


def test_formulas_programs_and_boards_are_asked_about_a_game_of_the_library() -> None:
    solution = zermelo.solve("nim:1,2", "all", options=QUICK)
    said = {row["route"]: row for row in solution.stats["routes"]}
    asked = ("dp", "parity", "formula > qbf-cegar", "program > qip-table", "board > cgt")
    assert all(said[route]["value"] == "1" and said[route]["checked"] for route in asked)
    assert said["formula > formula-program > qip-table"]["value"] == "1"
    assert said["pairing"]["status"] == "refused"
    assert solution.verified and json.dumps(solution.to_json())


def test_an_answer_is_told_though_its_game_cannot_leave_the_process() -> None:
    said = {row["route"]: row for row in zermelo.solve("wythoff:1,2", "all", options=QUICK).stats["routes"]}
    assert (said["board > cgt"]["value"], said["board > cgt"]["winner"]) == ("-1", "second")


def test_the_report_ends_with_the_table_of_routes() -> None:
    report = str(zermelo.solve("{5|-5} + {3||2|-1}", "all", options=QUICK))
    head = next(line for line in report.splitlines() if line.startswith("  routes"))
    assert head.split() == ["routes", "route", "value", "move", "CPU", "s", "nodes", "checked"]
    assert "do not take it" in report.splitlines()[-1]


def test_a_formula_is_asked_about_as_a_sum() -> None:
    text = "p cnf 1 1\na 1 0\n1 0\n"
    solution = zermelo.solve(text, "formula-sum > sum", kind="qdimacs")
    assert (solution.winner, solution.value, solution.verified) == ("forall", -1, False)
    assert zermelo.solve("p cnf 1 1\ne 1 0\n1 0\n", "formula-sum > sum", kind="qdimacs").winner == "exists"


def test_a_program_is_answered_in_its_own_terms_by_engines_for_formulas() -> None:
    text = "MINIMIZE\nx\nSUBJECT TO\nc: x - y >= 0\nBINARIES\nx y\nALL\ny\nEXISTS\nx\nORDER\ny x\nEND\n"
    by_formula = zermelo.solve(text, "formula > qbf-cegar", kind="qlp")
    assert (by_formula.value, by_formula.winner) == (1, "exists")


def test_a_board_is_not_asked_about_a_game_after_moves() -> None:
    reasons = {way.route.name: way.why_not for way in every_way(game_of("nim:3,4").at([(0, 3)]))}
    assert "moves have been made" in (reasons["board > cgt"] or "")


def test_every_way_has_an_end_or_a_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engines", "gdl:orchard", "--json"]) == 0
    rows = {row["route"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["dp"]["why_not"] is None
    assert "role" in rows["formula > qbf-cegar"]["why_not"]
    assert set(ENGINES) <= {row["engine"] for row in rows.values()}


@pytest.fixture
def liar() -> Iterator[str]:
    """An engine that takes a game for lost where it is won by a single move."""

    def lie(names: Sequence[str], game: Game, task: Task) -> Answer:
        found = route_to("dp", game).answer(game, Task(task.limits, QUICK))
        value = Fraction(-(found.value or 0)) if len(game.moves(game.start()) or ()) == 1 else found.value
        return Answer("liar", "solved", value=value, bounds=(value, value), winner=found.winner)

    ENGINES.register(Engine("liar", "lies now and then", "liars", lie))
    yield "liar"
    ENGINES.remove("liar")


def test_a_disagreement_is_an_error_with_its_own_status_and_a_file(
    liar: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("large.graph").write_text("a b\nb c\nc d\nd e\nd f\nf g\nx y\ny z\n")
    assert main(["solve", "large.graph", "--engine", "all", "--quiet"]) == 5
    err = capsys.readouterr().err
    assert "disagree on large.graph" in err and err.count("\n") == 1
    (file,) = Path().glob("disagreement_*.graph")
    assert str(file) in err
    assert len(file.read_text().split()) == 2, "one edge is enough"
    assert main(["solve", str(file), "--engine", "all", "--quiet"]) == 5


def test_the_smallest_disagreement_on_a_class_is_a_table_in_a_python_file(liar: str, tmp_path: Path) -> None:
    game = next(game for seed in range(99) if disagree_on(("dp", liar))(game := random_game(seed, nodes=9)))
    found = smallest(game, disagree_on(("dp", liar)))
    assert found is not None
    target = found.write(tmp_path)
    assert target.endswith(".py:Shrunk")
    with pytest.raises(DisagreementError, match="disagree"):
        zermelo.solve(target, "all", options=QUICK)


def test_the_smallest_disagreement_on_a_game_of_several_roles_is_a_table(tmp_path: Path) -> None:
    def lie(names: Sequence[str], game: Game, task: Task) -> Answer:
        found = route_to("induction", game).answer(game, Task(task.limits, QUICK))
        return replace(found, engine="false", claims=(), values=dict.fromkeys(game.roles, 7))

    ENGINES.register(Engine("false", "says that everybody gets 7", "liars", lie))
    try:
        game = Crowd()
        found = smallest(game, disagree_on(("induction", "false")))
        assert found is not None
        target = found.write(tmp_path)
        with pytest.raises(DisagreementError, match="disagree"):
            zermelo.solve(target, "all", options=QUICK)
        assert len(zermelo.game_of(target).roles) == 3
    finally:
        ENGINES.remove("false")


class Crowd(Game):
    """Each in turn takes one or two."""

    roles = ("ann", "bob", "cem")

    def start(self) -> tuple[int, ...]:
        return ()

    def turn(self, position: tuple[int, ...]) -> str:
        return self.roles[len(position)]

    def moves(self, position: tuple[int, ...]) -> list[int]:
        return [1, 2]

    def play(self, position: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*position, move)

    def result(self, position: tuple[int, ...]) -> tuple[int, ...] | None:
        return None if len(position) < 3 else position


def test_routes_that_refuse_several_roles_are_listed_with_the_reason() -> None:
    for way in every_way(Crowd()):
        if way.why_not is None and way.route.name != "uct":
            assert way.route.name in ("induction", "maxn")
        if way.route.name in ("dp", "alphabeta", "mtdf", "pns", "andor", "minimax"):
            assert str(way.why_not).endswith("it has 3 roles: only induction, maxn and uct take it")
            with pytest.raises(NotApplicableError, match="it has 3 roles"):
                zermelo.solve(Crowd(), way.route.name, options=QUICK)


def test_the_table_of_routes_has_what_every_role_gets() -> None:
    solution = zermelo.solve(Crowd(), "all", options=QUICK)
    rows = {row["route"]: row for row in solution.stats["routes"]}
    assert rows["induction"]["values"] == rows["maxn"]["values"] == {"ann": "2", "bob": "2", "cem": "2"}
    assert any(line.split()[:4] == ["maxn", "2", "2", "2"] for line in str(solution).splitlines())


def test_a_game_as_a_table_has_its_value() -> None:
    for target in ("nim:2,3", "coins:1,3,2", "wythoff:2,3"):
        game = game_of(target)
        table = table_of(game, graph_of(game, Limits()))
        assert solve_game(table).value == solve_game(game).value
    for target in ("goofspiel:3", "examples/ultimatum.efg", "examples/pennies.nfg"):
        game = game_of(target)
        table = table_of(game, graph_of(game, Limits(), at_once=True))
        assert solve_game(table).values == solve_game(game).values


def test_a_job_that_hangs_ends_with_its_share_and_the_others_go_on() -> None:
    def hang(stop: Stop, seconds: float | None) -> int:
        while True:
            pass

    def crash(stop: Stop, seconds: float | None) -> int:
        os._exit(3)

    lanes = Lanes([hang, crash, lambda stop, seconds: 7], 1)
    ended = {}
    for number in range(3):
        lanes.begin(number, 0.05, 0.05)
        while number not in ended:
            ended |= {each.number: each for each in lanes.hear()}
    lanes.close()
    assert "did not come back" in ended[0].why_not
    assert "status 3" in ended[1].why_not
    assert ended[2].result == 7


def test_a_job_hears_that_its_share_of_processor_time_is_used_up() -> None:
    def work(stop: Stop, seconds: float | None) -> str:
        while not stop.asked:
            time.sleep(0)
        return stop.reason

    lanes = Lanes([work], 1)
    lanes.begin(0, 0.05)
    (ended,) = [each for _ in range(200) for each in lanes.hear()]
    lanes.close()
    assert ended.result == "share"
