"""Published and well-known values, by every engine that can answer in a moment."""

from __future__ import annotations

import json
from typing import Any

import pytest

import zermelo
from zermelo.cli import main
from zermelo.game import Game
from zermelo.options import Options
from zermelo.search.kernels import KERNELS

COMPLETE = [name for name, engine in KERNELS.items() if engine.complete]
QUICK = Options(move_values=False)


def test_wythoff_3_5_is_lost_for_the_first_player(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "wythoff:3,5", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["winner"], answer["verified"]) == ("second", True)


@pytest.mark.parametrize("engine", ["auto", "dp", "alphabeta", "pns"])
def test_tzeansidzi_table_of_the_seed_is_reproduced(engine: str) -> None:
    lost = {(0, 0), (1, 2), (2, 1), (3, 5), (5, 3)}
    for a in range(6):
        for b in range(6):
            solution = zermelo.solve(f"wythoff:{a},{b}", engine, options=QUICK)
            assert solution.winner == ("second" if (a, b) in lost else "first"), (a, b)
            assert solution.verified


@pytest.mark.parametrize(
    ("target", "winner"),
    [
        ("coins:1,2,2,1", "second"),
        ("coins:1,1", "first"),
        ("coins:1,2", "second"),
        ("nim:1,2,3", "second"),
        ("nim:3,4,5", "first"),
        ("subtraction:21;1,2,3", "first"),
        ("subtraction:20;1,2,3", "second"),
        ("treblecross:7", "first"),
        ("treblecross:8", "first"),
        ("mnk:3,3,3", "draw"),
        ("tictactoe", "draw"),
        ("mnk:4,3,3", "x"),
        ("connect:4,4,3", "x"),
        ("hex:3", "first"),
        ("othello:4,4", "white"),
    ],
)
def test_every_engine_gives_the_known_winner(target: str, winner: str) -> None:
    for engine in ("auto", *COMPLETE):
        solution = zermelo.solve(target, engine, options=QUICK)
        assert (solution.winner, solution.verified) == (winner, True), engine


def plain_minimax(game: Game, position: Any, memory: dict[Any, Any]) -> Any:
    """The first role's score by the definition, over the plain Python rules."""
    if position not in memory:
        result = game.result(position)
        if result is None:
            values = [plain_minimax(game, game.play(position, move), memory) for move in game.moves(position)]
            memory[position] = max(values) if game.turn(position) == game.roles[0] else min(values)
        else:
            memory[position] = result[0]
    return memory[position]


@pytest.mark.parametrize(
    "target",
    [
        "breakthrough:4,3",
        "breakthrough:5,2",
        "dotsandboxes:1,2",
        "dotsandboxes:1,3",
        "dotsandboxes:2,2",
        "connect:3,4,3",
        "mnk:2,5,3",
        "hex:2",
        "treblecross:12",
        "coins:1,1,2,1,2,2,2,1",
        *(f"geography:random:12,2,{seed}" for seed in range(10)),
        *(f"geography:random:9,3,{seed}" for seed in range(10)),
    ],
)
def test_every_engine_agrees_with_plain_minimax_over_the_python_rules(target: str) -> None:
    game = zermelo.game_of(target)
    expected = plain_minimax(game, game.start(), {})
    for engine in ("auto", *COMPLETE):
        solution = zermelo.solve(target, engine, options=QUICK)
        assert (solution.value, solution.verified) == (expected, True), engine


@pytest.mark.parametrize(
    ("target", "winner"),
    [("connect:4,4,4", "draw"), ("hex:4", "first"), ("connect:4,5,4", "draw")],
)
def test_portfolio_solves_larger_boards_and_the_checker_accepts(target: str, winner: str) -> None:
    solution = zermelo.solve(target, options=QUICK)
    assert solution.winner == winner
    assert solution.verified


@pytest.mark.parametrize("cells", range(1, 16))
def test_odd_treblecross_is_won_by_mirror_symmetry_and_even_ones_are_searched(cells: int) -> None:
    solution = zermelo.solve(f"treblecross:{cells}", options=QUICK)
    searched = zermelo.solve(f"treblecross:{cells}", "dp", options=QUICK)
    assert solution.winner == searched.winner
    assert solution.verified
    if cells % 2 and cells >= 3:
        assert (solution.engine, solution.winner) == ("symmetry", "first")


def test_distance_is_exact_by_dynamic_programming() -> None:
    solution = zermelo.solve("nim:1,1", "dp")
    assert (solution.winner, solution.distance) == ("second", 2)
