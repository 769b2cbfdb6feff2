"""Othello: its rules, its twin, and known counts."""

from __future__ import annotations

import random

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
from zermelo.games import make_game
from zermelo.games.othello import PASS, Othello


def test_a_disc_turns_over_every_run_it_outflanks() -> None:
    game = Othello(4, 4)
    position = ("b.b." + ".ww." + "bw.." + "....", 0)
    cells, mover = game.play(position, "c3")
    assert (cells, mover) == ("b.b." + ".bb." + "bbb." + "....", 1)


def test_a_player_without_a_placement_passes_if_the_other_has_one() -> None:
    game = Othello(4, 4)
    position = ("bw.." + "...." * 3, 1)
    assert game.result(position) is None
    assert game.moves(position) == [PASS]
    assert game.play(position, PASS) == (position[0], 0)


def test_the_game_is_over_when_neither_has_a_placement() -> None:
    game = Othello(4, 4)
    assert game.result(("bbb." + "...." * 3, 1)) == (1, -1)
    assert game.result(("b..w" + "...." * 3, 0)) == (0, 0)
    assert game.moves(("b..w" + "...." * 3, 0)) == []


def test_the_lines_of_play_are_those_published() -> None:
    # perft(1..7) of Othello, as computed independently by several authors.
    counts = [native_perft(Othello(), depth) for depth in range(1, 8)]
    assert counts == [4, 12, 56, 244, 1396, 8200, 55092]


@pytest.mark.parametrize(("size", "depth"), [((8, 8), 3), ((4, 4), 6), ((4, 6), 4), ((6, 4), 4), ((4, 16), 3)])
def test_the_native_twin_counts_the_same_lines(size: tuple[int, int], depth: int) -> None:
    game = Othello(*size)
    assert native_perft(game, depth) == perft(game, depth)


@pytest.mark.parametrize("size", [(4, 4), (4, 6), (6, 6), (8, 8), (4, 16), (16, 4), (6, 10)])
def test_the_native_twin_agrees_on_random_lines(size: tuple[int, int]) -> None:
    assert_same_on_random_lines(Othello(*size), 6)


def test_random_lines_meet_passes() -> None:
    game = Othello(4, 4)
    dice, passes = random.Random(1), 0
    for _ in range(40):
        position = game.start()
        while game.result(position) is None:
            move = dice.choice(game.moves(position))
            passes += move == PASS
            position = game.play(position, move)
    assert passes > 0
    assert_same_on_random_lines(game, 60)


def test_white_wins_on_four_by_four() -> None:
    assert native_value(native_of(Othello(4, 4))) == -1


def test_alpha_beta_agrees_with_brute_force() -> None:
    assert_same_values_on_random_lines(Othello(4, 4), 3)


def test_playouts_stay_within_the_scores() -> None:
    assert abs(native_of(Othello()).playouts(500, 1, _native.Control())) < 200


def test_boards_beyond_64_cells_have_no_twin() -> None:
    assert Othello(8, 10).native() is None


@pytest.mark.parametrize("target", ["othello:8", "othello:3,4", "othello:2,2", "othello:4,4,4"])
def test_wrong_arguments_are_refused(target: str) -> None:
    with pytest.raises(ArgumentError):
        make_game(target)


def test_without_arguments_the_board_is_eight_by_eight() -> None:
    assert len(make_game("othello").start()[0]) == 64
