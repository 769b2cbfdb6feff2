"""Rows of stones as a program: the model of the paper, its short form, and search say the same."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest

import zermelo
from zermelo.cli import main
from zermelo.continued import Continued
from zermelo.errors import ArgumentError
from zermelo.game import play_line
from zermelo.games.mnk import MNK
from zermelo.qip.models.gomoku import Cell, cells, gomoku, lines, short_gomoku
from zermelo.qip.models.library import board_of
from zermelo.qip.programs.program import Program
from zermelo.qip.solvers.table_search import solve_by_table

Model = Callable[[int, int, int, Sequence[Cell]], Program]
MODELS = pytest.mark.parametrize("model", [gomoku, short_gomoku], ids=["printed", "short"])


def by_search(game: MNK, line: Sequence[int] = ()) -> int:
    """What the program's value should be, from the value and the distance of the rest of the game."""
    last = game.rows * game.columns
    position = play_line(game, line)
    if (result := game.result(position)) is not None:
        move = next(n for n in range(len(line) + 1) if game.result(play_line(game, line[:n])) is not None)
        return {1: move, 0: last + 1, -1: 2 * last + 2 - move}[result[0]]
    solution = zermelo.solve(Continued(game, line), "dp")
    assert solution.distance is not None or solution.value == 0
    move = len(line) + (solution.distance or 0)
    return {1: move, 0: last + 1, -1: 2 * last + 2 - move}[int(solution.value or 0)]


def value_of(program: Program) -> Fraction | None:
    """The program's value."""
    answer = solve_by_table(program)
    assert answer.status == "optimal"
    return answer.value


@MODELS
@pytest.mark.parametrize(
    ("rows", "columns", "k"), [(1, 1, 1), (1, 2, 2), (1, 3, 2), (2, 2, 2), (1, 4, 3), (2, 3, 2), (2, 3, 3)]
)
def test_the_value_is_the_winning_move_or_one_more_than_there_are_cells(
    model: Model, rows: int, columns: int, k: int
) -> None:
    assert value_of(model(rows, columns, k, ())) == by_search(MNK(rows, columns, k))


def test_three_in_a_row_is_a_draw_on_three_by_three() -> None:
    assert value_of(short_gomoku(3, 3, 3)) == 10 == by_search(MNK(3, 3, 3))


def test_the_printed_model_is_not_searched_behind_broken_rules() -> None:
    answer = solve_by_table(gomoku(3, 3, 3))
    assert answer.value == 10
    assert answer.exists is not None
    assert answer.forall is not None
    assert answer.nodes < 200_000  # two million, if all that white can do after he broke a rule is tried


def test_black_wins_with_the_seventh_move_on_three_by_four() -> None:
    solution = zermelo.solve("gomoku-qip:short:3,4,3", "qip-table")
    assert (solution.value, solution.verified) == (7, True)
    assert by_search(MNK(3, 4, 3)) == 7


@pytest.mark.parametrize("seed", range(4))
def test_any_position_on_the_way_has_its_own_value(seed: int) -> None:
    chance = random.Random(seed)
    game, board = MNK(3, 3, 3), cells(3, 3)
    line: list[int] = []
    position = game.start()
    while game.result(position) is None:
        line.append(chance.choice(game.moves(position)))
        position = game.play(position, line[-1])
    for length in range(3, len(line) + 1):
        played = [board[move] for move in line[:length]]
        assert value_of(short_gomoku(3, 3, 3, played)) == by_search(game, line[:length])
        if length >= 5:
            assert value_of(gomoku(3, 3, 3, played)) == by_search(game, line[:length])


def test_white_loses_nothing_but_the_game_by_breaking_the_rules() -> None:
    # Without his rules white would take all cells at once.
    program = gomoku(1, 3, 2)
    assert [v.name for v in program.variables if v.quantifier == "forall"] == ["xw_2_1_1", "xw_2_1_2", "xw_2_1_3"]
    assert any(v.name.startswith("x_Delta") for v in program.variables)
    assert value_of(program) == 3


def test_the_printed_model_has_all_constraints_of_the_paper() -> None:
    program = gomoku(3, 3, 3)
    names = {row.name.split("_")[0] for row in program.rows}
    assert names >= {"free", "begin", "occupation", "causality", "alternation", "history", "reached", "reason"}
    assert names >= {"critical", "victory", "retaliation", "hb", "vb", "db", "ub", "hw", "vw", "dw", "uw"}
    stones = [v for v in program.variables if v.name.startswith(("xb_", "xw_"))]
    assert len(stones) == 2 * 10 * 9
    assert len([block for block in program.blocks if block.quantifier == "forall"]) == 4


def test_rows_are_counted_as_in_the_paper() -> None:
    ways = lines(5, 5, 5)
    assert len(ways) == 5 + 5 + 1 + 1
    assert ways["u", 1, 1] == [(1, 5), (2, 4), (3, 3), (4, 2), (5, 1)]
    assert len(lines(15, 15, 5)) == 2 * 15 * 11 + 2 * 11 * 11


def test_a_whole_game_is_played_by_solving_after_each_move() -> None:
    game = MNK(3, 3, 3)
    line: list[int] = []
    while game.result(play_line(game, line)) is None:
        solution = zermelo.solve(Continued(game, line), "qip-table")
        assert (solution.value, solution.verified) == (0, True)
        line.append(solution.move)
    assert len(line) == 9


def test_the_target_is_the_program_and_is_played_on_the_board(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    solution = zermelo.solve("gomoku-qip:2,2", "qip-table")
    assert (solution.value, solution.details.feasible, solution.verified) == (3, True, True)
    board = board_of("gomoku-qip:3,4,3")
    assert board is not None
    assert (board.rows, board.columns, board.k) == (3, 4, 3)
    assert main(["play", "gomoku-qip:2,2", "--as", "none", "--engine", "qip-table"]) == 0
    assert "x wins" in capsys.readouterr().out


@pytest.mark.parametrize("target", ["gomoku-qip:3", "gomoku-qip:0,2", "gomoku-qip:1,2,3,4", "gomoku-qip:short:x,2"])
def test_wrong_sizes_get_one_line(target: str) -> None:
    with pytest.raises(ArgumentError, match=f"^{target}:1:"):
        zermelo.game_of(target)
