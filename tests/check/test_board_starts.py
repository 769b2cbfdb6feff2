"""Boards that are stated by their size alone."""

from __future__ import annotations

import pytest

from zermelo.check.read.board import board_target


@pytest.mark.parametrize(
    ("target", "board"),
    [
        ("clobber:4x3", "xox|oxo|xox|oxo"),
        ("clobber:3x2", "xo|ox|xo"),
        ("cannibal:1x4", "xoxo"),
        ("cannibal:5x1", "x|o|x|o|x"),
    ],
)
def test_a_board_of_clobber_begins_checkered(target: str, board: str) -> None:
    game = board_target(target).game()
    assert game.key(game.start()) == f"{board} left"
