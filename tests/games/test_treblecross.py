"""Treblecross: its rules, its twin, and who wins."""

from __future__ import annotations

import random

import pytest
from tests.games.twins import (
    BruteForce,
    assert_same_on_random_lines,
    assert_same_values_on_random_lines,
    native_of,
    native_perft,
    native_value,
    perft,
)

from zermelo.errors import ArgumentError
from zermelo.games import make_game
from zermelo.games.treblecross import Treblecross


def test_three_in_a_row_wins_for_whoever_made_them() -> None:
    game = Treblecross(5)
    assert game.result("xx...") is None
    assert game.result("xxx..") == (1, -1)
    assert game.result("xx.xx"[:4] + "x") is None
    assert game.result("x.xxx") == (-1, 1)


def test_the_last_to_move_wins_where_three_do_not_fit() -> None:
    assert Treblecross(1).result("x") == (1, -1)
    assert Treblecross(2).result("xx") == (-1, 1)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 9, 40, 63])
def test_the_native_twin_agrees_on_random_lines(size: int) -> None:
    assert_same_on_random_lines(Treblecross(size), 10)


@pytest.mark.parametrize(("size", "depth"), [(3, 3), (6, 5), (12, 4)])
def test_the_native_twin_counts_the_same_lines(size: int, depth: int) -> None:
    game = Treblecross(size)
    assert native_perft(game, depth) == perft(game, depth)


@pytest.mark.parametrize("size", range(1, 14))
def test_alpha_beta_agrees_with_brute_force(size: int) -> None:
    assert_same_values_on_random_lines(Treblecross(size), 8)


def octal_007(limit: int) -> list[int]:
    """Nim-values of the octal game 0.007: take three of a heap, leaving up to two heaps (Winning Ways)."""
    values: list[int] = []
    for heap in range(limit + 1):
        options = {values[left] ^ values[heap - 3 - left] for left in range(heap - 2)} if heap >= 3 else set()
        values.append(next(value for value in range(heap + 1) if value not in options))
    return values


def test_the_winner_is_that_of_the_octal_game_007() -> None:
    values = octal_007(40)
    for size in range(3, 39):
        # Each x closes two cells on either side of it; give every gap two cells more and an x takes three.
        row = {0: 0}
        for cells in range(1, size + 1):
            options = set()
            for at in range(cells):
                left, right = max(0, at - 2), max(0, cells - at - 3)
                options.add(row[left] ^ row[right])
            row[cells] = next(value for value in range(cells + 1) if value not in options)
        assert values[size + 2] == row[size]
        assert (native_value(native_of(Treblecross(size))) == 1) == (row[size] != 0)


@pytest.mark.parametrize("size", range(1, 18, 2))
def test_odd_treblecross_is_won_by_the_first_player(size: int) -> None:
    assert native_value(native_of(Treblecross(size))) == 1


def test_even_treblecross_goes_either_way() -> None:
    winners = {size: BruteForce(Treblecross(size)).value("." * size) for size in range(4, 15, 2)}
    assert winners == {size: native_value(native_of(Treblecross(size))) for size in winners}
    assert set(winners.values()) == {1, -1}


def test_any_line_of_best_play_ends_well_for_the_winner() -> None:
    game = Treblecross(16)
    exact, dice, position = BruteForce(game), random.Random(3), game.start()
    winner = exact.value(position)
    while game.result(position) is None:
        keeps = [move for move in game.moves(position) if exact.value(game.play(position, move)) == winner]
        position = game.play(position, dice.choice(keeps or game.moves(position)))
    assert game.result(position) == (winner, -winner)


def test_rows_beyond_63_cells_have_no_twin() -> None:
    assert Treblecross(64).native() is None


@pytest.mark.parametrize("target", ["treblecross:0", "treblecross:3,3", "treblecross:x"])
def test_wrong_arguments_are_refused(target: str) -> None:
    with pytest.raises(ArgumentError):
        make_game(target)
