"""Dots and boxes: its rules, its twin, and known values."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.twins import (
    assert_same_on_random_lines,
    assert_same_values_on_random_lines,
    native_of,
    native_perft,
    native_value,
    perft,
)

from zermelo.errors import ArgumentError, IllegalMoveError
from zermelo.games import make_game
from zermelo.games.dotsandboxes import DotsAndBoxes


def after(game: DotsAndBoxes, line: list[str]) -> tuple[int, int, int]:
    """The position after a line of legal moves."""
    position = game.start()
    for move in line:
        assert move in game.moves(position)
        position = game.play(position, move)
    return position


def test_completing_a_box_scores_and_moves_again() -> None:
    game = DotsAndBoxes(1, 2)
    position = after(game, ["a1b1", "a2b2", "a1a2"])
    assert game.turn(position) == "second"
    edges, lead, role = game.play(position, "b1b2")
    assert (lead, game.roles[role]) == (-1, "second")
    assert edges.bit_count() == 4


def test_one_edge_may_complete_two_boxes() -> None:
    game = DotsAndBoxes(1, 2)
    position = after(game, ["a1b1", "b1c1", "a2b2", "b2c2", "a1a2", "c1c2", "b1b2"])
    assert game.result(position) == (2, -2)


def test_an_edge_may_be_named_from_either_end() -> None:
    game = DotsAndBoxes(10, 2)
    start = game.start()
    assert game.parse_move(start, "a10a11") == game.parse_move(start, "A11A10") == "a10a11"
    with pytest.raises(IllegalMoveError):
        game.parse_move(start, "a1c1")


@pytest.mark.parametrize("size", [(1, 1), (1, 2), (2, 1), (3, 3), (4, 4), (5, 5), (2, 12), (21, 1)])
def test_the_native_twin_agrees_on_random_lines(size: tuple[int, int]) -> None:
    assert_same_on_random_lines(DotsAndBoxes(*size), 5)


@pytest.mark.parametrize(("size", "depth"), [((1, 1), 4), ((1, 2), 5), ((2, 2), 4), ((3, 3), 3)])
def test_the_native_twin_counts_the_same_lines(size: tuple[int, int], depth: int) -> None:
    game = DotsAndBoxes(*size)
    assert native_perft(game, depth) == perft(game, depth)


@pytest.mark.parametrize("size", [(1, 1), (1, 2), (2, 1), (1, 3), (1, 4), (2, 2)])
def test_alpha_beta_agrees_with_brute_force(size: tuple[int, int]) -> None:
    assert_same_values_on_random_lines(DotsAndBoxes(*size), 12)


class Remaining:
    """What the player to move wins from the edges still to be drawn: brute force without the score so far."""

    def __init__(self, game: DotsAndBoxes) -> None:
        self.game = game
        self.known: dict[int, int] = {}

    def value(self, edges: int) -> int:
        if edges not in self.known:
            values = [0] if self.game.result((edges, 0, 0)) else []
            for move in self.game.moves((edges, 0, 0)):
                after, boxes, _ = self.game.play((edges, 0, 0), move)
                values.append(boxes + self.value(after) if boxes else -self.value(after))
            self.known[edges] = max(values)
        return self.known[edges]


REMAINING_2_3 = Remaining(DotsAndBoxes(2, 3))


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(3, 16))
def test_narrowing_to_chains_keeps_the_value_on_two_by_three(dice: random.Random, plies: int) -> None:
    game = REMAINING_2_3.game
    position, twin = game.start(), native_of(game)
    for _ in range(plies):
        index = dice.randrange(len(game.moves(position)))
        position, twin = game.play(position, game.moves(position)[index]), twin.after(index)
    edges, lead, role = position
    rest = REMAINING_2_3.value(edges)
    assert native_value(twin) == lead + (rest if role == 0 else -rest)


@pytest.mark.parametrize("size", [(1, 1), (1, 2), (1, 5), (2, 2)])
def test_the_value_is_that_of_brute_force_without_the_score(size: tuple[int, int]) -> None:
    game = DotsAndBoxes(*size)
    assert native_value(native_of(game)) == Remaining(game).value(0)


def test_the_second_player_wins_two_by_three_by_two_boxes() -> None:
    assert native_value(native_of(DotsAndBoxes(2, 3))) == REMAINING_2_3.value(0) == -2


def test_the_second_player_wins_three_by_three_by_three_boxes() -> None:
    assert native_value(native_of(DotsAndBoxes(3, 3))) == -3


def test_the_picture_shows_edges_and_owned_boxes() -> None:
    game = DotsAndBoxes(1, 1)
    scene = game.scene((0b1111, -1, 1))
    assert [place.content for place in scene.places] == ["#"] * 4
    assert sum('class="z-mark"' in shape for shape in scene.under) == 1
    assert "lead -1" in game.svg((0b1111, -1, 1))


def test_boards_beyond_64_edges_have_no_twin() -> None:
    assert DotsAndBoxes(5, 6).native() is None


@pytest.mark.parametrize("target", ["dotsandboxes:2", "dotsandboxes:0,2", "dotsandboxes:2,26", "dotsandboxes:2,2,2"])
def test_wrong_arguments_are_refused(target: str) -> None:
    with pytest.raises(ArgumentError):
        make_game(target)
