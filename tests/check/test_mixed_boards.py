"""Sums of boards of several games as the checker reads and plays them, and mistakes in them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from zermelo.cgt.boards.ruleset import ruleset_named
from zermelo.cgt.mixed import MixedSum
from zermelo.check import mixed
from zermelo.check.mixed import is_mixed, mixed_sum, mixed_target, name_of, number_moves, terms
from zermelo.check.read import copied
from zermelo.errors import IllegalMoveError, InputError
from zermelo.source import Source


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("clobber:xo", [(0, "clobber:xo")]),
        ("  clobber:xo  +cram:.. ", [(2, "clobber:xo"), (15, "cram:..")]),
        ("{1+1|0} + 1", [(0, "{1+1|0}"), (10, "1")]),
        ("(1+{1|2}+3)+1", [(0, "(1+{1|2}+3)"), (12, "1")]),
        ("{1|{2|3}+4}+5", [(0, "{1|{2|3}+4}"), (12, "5")]),
        ("((1)+2)+3", [(0, "((1)+2)"), (8, "3")]),
        ("1} + {2 + 3", [(0, "1}"), (5, "{2"), (10, "3")]),
        ("1) + (2 + 3", [(0, "1)"), (5, "(2"), (10, "3")]),
        ("1}} + {2 + 3", [(0, "1}}"), (6, "{2"), (11, "3")]),
        ("+-1 + +-2", [(0, "+-1"), (6, "+-2")]),
        ("1 +", [(0, "1"), (3, "")]),
        ("", [(0, "")]),
    ],
)
def test_plus_signs_outside_of_brackets_part_the_terms(text: str, found: list[tuple[int, str]]) -> None:
    assert terms(text) == found


@pytest.mark.parametrize(
    ("term", "name"),
    [("clobber:xo", "clobber"), ("cram : ..", "cram"), ("impartial-clobber:xo", "impartial-clobber"),
     ("chess:xo", None), ("clobber", None), ("{1|2}", None)],
)  # fmt: skip
def test_a_term_names_a_game_that_there_is(term: str, name: str | None) -> None:
    assert name_of(term) == name


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("clobber:xo", False),
        ("clobber:{1|2}", False),
        ("{1|2} + {3|4}", False),
        ("1 + {3|4}", False),
        ("clobber:xo + xo", False),
        ("1 + clobber:xo", True),
        ("clobber:xo + cram:..", True),
        ("clobber:xo + clobber:xo", True),
        ("clobber:xo + {1|2}", True),
        ("clobber:xo + (1)", True),
        ("clobber:xo + ^", True),
        ("clobber:xo + *2", True),
    ],
)
def test_several_games_are_told_from_boards_of_one_and_from_games_in_brackets(text: str, several: bool) -> None:
    assert is_mixed(text) is several
    stated = mixed_sum(Source("board", f"# a comment +\n{text}", "f.board"))
    assert (stated is not None) is several


def test_numbers_are_left_for_their_canonical_options() -> None:
    half = Fraction(1, 2)
    assert [number_moves(Fraction(n), side) for n in (2, 0, -2) for side in (0, 1)] == [[1], [], [], [], [], [-1]]
    assert [number_moves(n, side) for n in (half, -half) for side in (0, 1)] == [[0], [1], [-1], [0]]
    assert [number_moves(Fraction(5, 8), side) for side in (0, 1)] == [[half], [Fraction(3, 4)]]


def test_sides_take_turns_until_one_cannot_move() -> None:
    game = mixed_target("clobber:xo + 1").game()
    position = game.start()
    assert (game.turn(position), game.result(position)) == ("left", None)
    position = game.play(position, (1, "0"))
    assert (game.turn(position), game.key(position)) == ("right", "clobber:xo + short:0 right")
    position = game.play(position, (0, "b1a1"))
    assert (game.turn(position), game.result(position)) == ("left", (-1, 1))
    with pytest.raises(IllegalMoveError, match="0 is not a legal move here"):
        game.play(position, (1, "0"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 + clobber:xo + domineering:.q|..", "f.board:1:31: "),
        ("clobber:xo + domineering:  .q", "f.board:1:29: "),
        ("clobber:q + cram:..", "f.board:1:9: "),
    ],
)
def test_a_mistake_in_a_board_is_told_at_its_place(text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        mixed_target(text, "f.board")
    assert str(refused.value).startswith(said)
    with pytest.raises(InputError) as named:
        mixed_target(text)
    assert str(named.value).startswith(text + said[len("f.board") :])


class Clobber(type(ruleset_named("clobber"))):  # type: ignore[misc]
    """Rules of somebody else's under a name of ours."""


def test_a_sum_made_in_python_is_copied_unless_somebody_else_states_its_rules() -> None:
    game = MixedSum.named("clobber:xo + {1|-1} + cram:..")
    assert copied.mixed(game).canonical() == "clobber:xo + short:{1|-1} + cram:.."
    summands = game.summands(game.start())
    theirs = [(Clobber(), summands[0][1]), *summands[1:]]
    assert copied.mixed(MixedSum(theirs)) is None
    assert copied.mixed(MixedSum(theirs[:1])) is None


def test_games_in_brackets_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mixed, "MOST_WRITTEN", 3)  # {1|-1} is one game of two numbers
    assert mixed_target("cram:.. + {1|-1}").canonical() == "cram:.. + short:{1|-1}"
    with pytest.raises(InputError) as refused:
        mixed_target("cram:.. + {1|-1} + {3|{2|-1}}").canonical()
    assert (refused.value.line, refused.value.column) == (1, 20)
