"""Sums that are deep, or large, or stopped: they are answered, or bounded, in words that say so."""

from __future__ import annotations

import pytest

from zermelo.cgt.game import WrittenSum
from zermelo.cgt.scores.scored import leaf, negative, trees_of
from zermelo.cgt.scores.sums import best_move
from zermelo.errors import ArgumentError, LimitReachedError
from zermelo.limits import Limits
from zermelo.solving import solve, solve_game


def test_signs_inside_of_signs_turn_each_position_round_once() -> None:
    (game,) = trees_of("+_" * 3000 + "5")
    assert negative(negative(game)) is game


def test_a_nimber_too_large_for_a_tree_is_solved_by_its_value() -> None:
    solution = solve_game(WrittenSum("*1000000"), target="*1000000")
    assert (solution.status, solution.winner, solution.details.value) == ("solved", "left", "*1000000")
    assert "no certificate" in solution.note
    assert "*1000000" in str(solution)


def test_a_stopped_search_says_between_what_the_scores_lie() -> None:
    text = " + ".join(f"{{{{{3 * n + 90}|{n}}}|{-2 * n - n % 7}}}" for n in range(1, 41))
    solution = solve_game(WrittenSum(text), "sum", Limits(nodes=1))
    low, high = solution.details.left_first_bounds
    assert solution.status == "bounded"
    assert f"{low} .. {high} if left starts" in str(solution)


def test_a_best_move_is_refused_as_unknown_or_as_missing() -> None:
    with pytest.raises(ArgumentError, match="no move"):
        best_move([leaf(3)], "left")
    text = " + ".join(f"{{{{{3 * n + 90}|{n}}}|{-2 * n - n % 7}}}" for n in range(1, 41))
    with pytest.raises(LimitReachedError, match="limit"):
        best_move(trees_of(text), "left", Limits(nodes=1))


def test_a_switch_between_numbers_of_any_size_is_solved_by_its_value_and_checked() -> None:
    large = 2**200
    solution = solve_game(WrittenSum(f"{{{large}|-{large}}}"), "cgt", Limits(nodes=10_000))
    assert solution.verified and solution.details.value == f"+-{large}"


def test_a_tiny_game_is_a_target() -> None:
    assert solve("+_2").details.value == "+_2"
