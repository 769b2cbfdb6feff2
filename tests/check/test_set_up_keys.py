"""Keys of positions that were set up: what the checker makes of them, with moves behind them or without."""

from __future__ import annotations

from typing import Any

import pytest

import zermelo
from zermelo.check.read.kif import rules_of_kif
from zermelo.check.set_up import placed, set_up, why_not_placed
from zermelo.check.sheets.play import SheetGame
from zermelo.check.sheets.rules import Sheet
from zermelo.check.taken_up import after_moves, followed
from zermelo.check.targets import game_to_check
from zermelo.continued import Placed
from zermelo.errors import InputError
from zermelo.games import make_game
from zermelo.source import Source

BOARD = "domineering:...|..."
KEY = "##.|... right"
ALONE = "the position was set up, and the checker reads moves alone"


def own(target: str) -> zermelo.Game:
    game = game_to_check(target)
    assert game is not None
    return game


def test_a_key_in_brackets_may_be_followed_by_moves() -> None:
    game = own(BOARD)
    for read in (set_up, after_moves):
        there: Any = read(game, f"[{KEY}]")
        assert (there.start(), there.line[0].key) == ((("##.|...",), 1), KEY)
        later: Any = read(game, f"[{KEY}] a2b2")
        assert (later.start(), list(map(later.move_text, later.line))) == ((("##.|##.",), 0), [f"[{KEY}]", "a2b2"])


@pytest.mark.parametrize("text", ["[##.|... right", "[##.|... right a2b2", "["])
def test_a_key_without_its_bracket_at_the_end_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is no position, expected ] at its end"):
        set_up(own(BOARD), text)


def test_the_checker_follows_a_position_that_was_set_up_and_the_moves_behind_it() -> None:
    game = zermelo.game_of(BOARD)
    position = game.play(game.start(), game.moves(game.start())[0])
    key = game.key(position)
    there = game.at([Placed(position, key)])
    start = followed(there, own(BOARD))
    assert (start.line, start.key(start.start())) == ((Placed(placed(own(BOARD), key), key),), key)
    move = there.moves(position)[0]
    rest = followed(there.at([move]), own(BOARD))
    assert list(map(rest.move_text, rest.line)) == [f"[{key}]", there.move_text(move)]
    assert rest.key(rest.start()) == game.key(game.play(position, move))


def test_why_a_position_cannot_be_read_is_told_before_it_is_asked_for() -> None:
    assert why_not_placed(make_game("nim:3,4")) is None
    assert why_not_placed(zermelo.game_of(BOARD)) is None
    assert why_not_placed(zermelo.game_of("{5|-5} + {3||2|-1}")) == ALONE
    other = make_game("nim:3,4")
    other.source = Source("somebody's own format", "3 4", "other")
    assert why_not_placed(other) == ALONE
    with pytest.raises(InputError, match=ALONE):
        placed(make_game("nim:3,4"), "3 4")


def test_a_position_may_be_the_end_of_the_game() -> None:
    sheet = own("gdl:nim:1")
    state = sheet.play(sheet.start(), sheet.moves(sheet.start())[0])
    assert sheet.result(state) is not None
    assert placed(sheet, sheet.key(state)) == state


def test_a_state_without_facts_is_one() -> None:
    rules = "(role you) (<= (legal you go) (not (true a))) (<= (next a) (does you go)) (goal you 1) "
    rules += "(<= terminal (true a))"
    game = SheetGame(Sheet(tuple(rules_of_kif(rules, "small.kif"))))
    assert placed(game, "") == () == game.start()
    with pytest.raises(InputError, match="which writes it ''"):
        placed(game, " ")


def test_a_bar_among_the_facts_is_refused() -> None:
    """With it a step is meant that chance has not ended yet."""
    sheet = own("gdl:tictactoe")
    with pytest.raises(InputError, match="expected facts in KIF"):
        placed(sheet, sheet.key(sheet.start()) + " |")


@pytest.mark.parametrize("key", ["##.|... nobody", "##.|...", "##.|...+... left"])
def test_a_key_of_other_boards_or_of_nobody_is_refused_with_what_was_expected(key: str) -> None:
    with pytest.raises(InputError, match="expected 1 boards and who moves, left or right"):
        placed(own(BOARD), key)
