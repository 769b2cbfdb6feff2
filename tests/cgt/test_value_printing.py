"""Values in their shortest standard form."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from tests.cgt.randomgames import random_text
from zermelo.cgt.text.printing import latex, text
from zermelo.cgt.values.value import nimber, number, options, switch, ups, value_of
from zermelo.errors import LimitReachedError


@pytest.mark.parametrize(
    ("game", "written"),
    [
        ("{|}", "0"),
        ("{0|1}", "1/2"),
        ("{|0}", "-1"),
        ("{0|0}", "*"),
        ("{0,*|0,*}", "*2"),
        ("{0|*}", "^"),
        ("{0|^}", "^^*"),
        ("{0|^^*}", "^3"),
        ("v + v + v + *2", "v3*2"),
        ("3 + ^ + *", "3^*"),
        ("-1/2 + *", "-1/2*"),
        ("-3 + v", "-3v"),
        ("{5|-5}", "+-5"),
        ("{1/2|-1/2}", "+-1/2"),
        ("{1*|-1*}", "+-(1*)"),
        ("{{2|1}|{-1|-2}}", "+-{2|1}"),
        ("{1,{2|0}|-1,{0|-2}}", "+-(1,{2|0})"),
        ("{0||0|-2}", "+_2"),
        ("{2|0||0}", "-_2"),
        ("{0||0|-1/2}", "+_1/2"),
        ("+_{2|1}", "+_{2|1}"),
        ("1 + +_2", "1|+-1"),
        ("{3|{2|-1}}", "3||2|-1"),
        ("{{4|2}|{1|-1}}", "4|2||+-1"),
        ("{{4|2}|{1|0}}", "4|2||1|0"),
        ("{6|{{4|2}|{1|0}}}", "6|||4|2||1|0"),
        ("{{5|1},{4|2}|0}", "{4|2},{5|1}|0"),
        ("{1|*}", "1|*"),
        ("{1|^*}", "1|^*"),
    ],
)
def test_shortest_forms(game: str, written: str) -> None:
    assert text(value_of(game)) == written
    assert text(value_of(written)) == written


@pytest.mark.parametrize(
    ("game", "written"),
    [
        ("3/4", r"\frac{3}{4}"),
        ("-3/4*", r"-\frac{3}{4}{*}"),
        ("^", r"{\uparrow}"),
        ("vv*", r"{\Downarrow}{*}"),
        ("^4", r"4{\cdot}{\uparrow}"),
        ("2 + ^4", r"2+4{\cdot}{\uparrow}"),
        ("*3", r"{*3}"),
        ("+_2", "+_{2}"),
        ("-_{2|1}", r"-_{\left\{2 \mid 1\right\}}"),
        ("+-5", r"\pm 5"),
        ("+-(1*)", r"\pm\left(1{*}\right)"),
        ("+-(1,{2|0})", r"\pm\left(1, \left\{2 \mid 0\right\}\right)"),
        ("3||2|-1", r"\left\{3 \mid \left\{2 \mid -1\right\}\right\}"),
    ],
)
def test_latex(game: str, written: str) -> None:
    assert latex(value_of(game)) == written


def test_notebooks_show_latex() -> None:
    assert ups(1)._repr_latex_() == r"${\uparrow}$"


@pytest.mark.parametrize("seed", range(20))
def test_random_games_are_read_back(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(25):
        game = value_of(random_text(rng, 4))
        written = text(game)
        assert value_of(written) == game
        assert text(value_of(written)) == written


def test_brackets_stand_where_bars_would_be_longer() -> None:
    game = switch(1, 0)
    for outer in range(2, 12):
        game = options([outer], [game])
    assert text(game) == "11||10|{9|||8||7|{6|||5||4|{3|||2||1|0}}}"
    assert value_of(text(game)) == game


def test_games_that_would_fill_books_are_described() -> None:
    game = value_of("+-1 + {3|1}")
    for turn in range(1, 26):
        game = options([game + turn, 3 * turn], [game - turn])
    assert str(game).startswith("a game of ")
    assert repr(game).startswith("<Value a game of ")
    with pytest.raises(LimitReachedError, match="characters"):
        text(game)


def test_a_game_between_numbers_of_any_size_is_written_without_counting_down_from_them() -> None:
    large = 2**200
    assert text(value_of(f"{{{large}|-{large}}}")) == f"+-{large}"
    game = value_of(f"{{{large}||1|-{large}}}")
    assert str(game) == f"{large}||1|-{large}"
    assert game.form_count == 5


def test_numbers_of_any_size_are_written_in_full() -> None:
    large = Fraction(2**200 + 1, 2**100)
    assert text(number(large) + nimber(1)) == f"{large}*"
