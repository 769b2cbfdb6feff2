"""Play on boards of several games, move by move."""

from __future__ import annotations

from zermelo.check.mixed import MixedBoards, mixed_target
from zermelo.check.read.sum import WrittenSum, read
from zermelo.source import Source


def test_a_text_that_names_games_has_boards_in_it() -> None:
    assert isinstance(read(Source("cgt", "{1|-1} + clobber:xo", "literal")), MixedBoards)
    assert isinstance(read(Source("cgt", "{1|-1} + 2", "literal")), WrittenSum)


def test_moves_on_boards_of_several_games_are_numbered_by_the_board() -> None:
    game = mixed_target("clobber:xo + 1").game()
    start = game.start()
    assert [game.move_text(move) for move in game.moves(start)] == ["1:a1b1", "2:0"]
    assert game.key(game.play(start, game.moves(start)[1])) == "clobber:xo + short:0 right"
