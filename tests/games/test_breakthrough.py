"""Breakthrough: its rules, its twin, and who wins on small boards."""

from __future__ import annotations

import pytest
from tests.games.twins import (
    assert_same_on_random_lines,
    assert_same_values_on_random_lines,
    native_of,
    native_perft,
    native_value,
    perft,
)

from zermelo import _native
from zermelo.errors import ArgumentError
from zermelo.game import Game
from zermelo.games import make_game
from zermelo.games.breakthrough import Breakthrough


def test_each_side_has_two_rows_of_pawns_from_six_rows_on() -> None:
    assert Breakthrough(5, 3).start() == ("bbb" + "." * 9 + "www", 0)
    assert Breakthrough(6, 3).start() == ("b" * 6 + "." * 6 + "w" * 6, 0)
    assert make_game("breakthrough:6,3,1").start() == ("bbb" + "." * 12 + "www", 0)


def test_pawns_step_forward_and_capture_only_diagonally() -> None:
    game = Breakthrough(3, 3)
    position = ("bbb" + ".w." + "w.w", 0)
    assert game.moves(position) == ["a3a2", "a3b2", "b3a2", "b3c2", "c3b2", "c3c2"]
    assert game.play(position, "a3b2") == (".bb" + ".b." + "w.w", 1)


def test_reaching_the_last_row_wins() -> None:
    game = Breakthrough(3, 2)
    assert game.result(("..b." + "bw", 1)) == (1, -1)
    assert game.result(("wb..w.", 0)) == (-1, 1)


def test_capturing_every_pawn_wins() -> None:
    game = Breakthrough(3, 2)
    assert game.result(("b.b...", 1)) == (1, -1)
    assert game.result(("...ww.", 0)) == (-1, 1)


@pytest.mark.parametrize("size", [(2, 2), (3, 2), (4, 4), (5, 3), (6, 5), (8, 8), (4, 16, 2), (16, 4)])
def test_the_native_twin_agrees_on_random_lines(size: tuple[int, ...]) -> None:
    assert_same_on_random_lines(Breakthrough(*size), 10)


@pytest.mark.parametrize(("size", "depth"), [((3, 3), 5), ((4, 4), 4), ((6, 4), 3), ((8, 8), 3)])
def test_the_native_twin_counts_the_same_lines(size: tuple[int, ...], depth: int) -> None:
    game = Breakthrough(*size)
    assert native_perft(game, depth) == perft(game, depth)


@pytest.mark.parametrize("size", [(2, 3), (3, 2), (3, 3), (4, 2), (5, 2), (4, 3), (4, 2, 2), (5, 3)])
def test_alpha_beta_agrees_with_brute_force(size: tuple[int, ...]) -> None:
    assert_same_values_on_random_lines(Breakthrough(*size), 12)


def test_black_wins_on_four_by_four() -> None:
    assert native_value(native_of(Breakthrough(4, 4))) == 1


def test_there_are_no_draws_and_playouts_are_fair_to_both() -> None:
    total = native_of(Breakthrough(8, 8)).playouts(2000, 1, _native.Control())
    assert total % 2 == 0
    assert abs(total) < 400


def test_boards_beyond_64_cells_have_no_twin() -> None:
    assert Breakthrough(9, 8).native() is None


@pytest.mark.parametrize("target", ["breakthrough:4", "breakthrough:4,1", "breakthrough:3,3,2", "breakthrough:4,4,1,1"])
def test_wrong_arguments_are_refused(target: str) -> None:
    with pytest.raises(ArgumentError):
        make_game(target)


def test_a_position_shows_its_pawns() -> None:
    game: Game = Breakthrough(3, 2)
    assert game.text(("b..bww", 1)) == "x .\n. x\no o"
