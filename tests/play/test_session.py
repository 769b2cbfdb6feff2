"""A game under way, without terminal or engine."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from zermelo.errors import IllegalMoveError
from zermelo.game import CHANCE, Game, win_for
from zermelo.games import make_game
from zermelo.play.session import Session, result_words


class Coin(Game):
    """A coin that falls heads once in four times; heads wins for first."""

    def start(self) -> str:
        return "throw"

    def turn(self, position: str) -> str:
        return CHANCE

    def moves(self, position: str) -> list[str]:
        return ["heads", "tails"]

    def chances(self, position: str) -> list[tuple[str, Fraction]]:
        return [("heads", Fraction(1, 4)), ("tails", Fraction(3, 4))]

    def play(self, position: str, move: str) -> str:
        return move

    def result(self, position: str) -> tuple[int, int] | None:
        return None if position == "throw" else win_for(0 if position == "heads" else 1)


class Circle(Game):
    """Goes round in circles for ever."""

    def start(self) -> int:
        return 0

    def turn(self, position: int) -> str:
        return self.roles[position]

    def moves(self, position: int) -> list[int]:
        return [1]

    def play(self, position: int, move: int) -> int:
        return 1 - position

    def result(self, position: int) -> None:
        return None


class Fingers(Game):
    """Both show one or two fingers at once; first wins an even sum."""

    def start(self) -> Any:
        return "show"

    def turn(self, position: Any) -> tuple[str, ...]:
        return self.roles

    def moves(self, position: Any) -> list[int]:
        return [1, 2]

    def play(self, position: Any, move: tuple[int, int]) -> int:
        return sum(move)

    def result(self, position: Any) -> tuple[int, int] | None:
        return None if position == "show" else win_for(position % 2)


def test_taking_back_returns_to_the_latest_turn_of_a_role() -> None:
    session = Session(make_game("nim:3,3"))
    session.play((0, 1))
    session.play((1, 1))
    session.play((0, 1))
    assert session.take_back(["second"])
    assert session.line == ((0, 1),)
    assert session.to_move == ("second",)


def test_before_the_first_move_there_is_nothing_to_take_back() -> None:
    assert not Session(make_game("nim:3,3")).take_back(["first", "second"])


def test_illegal_moves_and_moves_after_the_end_are_refused() -> None:
    session = Session(make_game("nim:1"))
    with pytest.raises(IllegalMoveError):
        session.play((0, 2))
    session.play((0, 1))
    assert session.to_move == ()
    with pytest.raises(IllegalMoveError):
        session.play((0, 1))


def test_whoever_resigns_one_of_two_roles_loses_and_can_think_again() -> None:
    session = Session(make_game("nim:2"))
    session.play((0, 1))
    session.resign("second")
    assert session.ending is not None
    assert session.ending.words == "second resigns: first wins."
    assert session.take_back(["first"])
    assert session.ending is None


def test_chance_falls_with_its_probability_and_the_same_way_for_the_same_seed() -> None:
    falls = Counter(Session(Coin(), seed).roll() for seed in range(2000))
    assert 400 < falls["heads"] < 600
    assert [Session(Coin(), 7).roll() for _ in range(3)] == [Session(Coin(), 7).roll()] * 3


def test_a_position_for_the_third_time_ends_the_game() -> None:
    session = Session(Circle())
    for _ in range(4):
        assert session.ending is None
        session.play(1)
    assert session.ending is not None
    assert session.ending.scores == (0, 0)
    assert session.ending.words.endswith("A draw.")


def test_roles_that_move_at_once_play_a_tuple_of_moves() -> None:
    session = Session(Fingers())
    assert session.to_move == ("first", "second")
    session.play((1, 2))
    assert session.ending is not None
    assert session.ending.words == "second wins."


def test_results_of_puzzles_and_of_many_roles_have_words() -> None:
    class Puzzle(Circle):
        roles = ("solver",)

    class Three(Circle):
        roles = ("a", "b", "c")

    assert result_words(Puzzle(), (1,)) == "Solved: the score is 1."
    assert result_words(Puzzle(), (0,)) == "Not solved: the score is 0."
    assert result_words(Three(), (2, 0, Fraction(1, 2))) == "a wins: a 2, b 0, c 1/2."
    assert result_words(Three(), (2, 0, 2)) == "a and c share the win: a 2, b 0, c 2."
