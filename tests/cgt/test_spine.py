"""Notation, scored trees and the plain twin agree with each other and with the books."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from tests.cgt import plain
from tests.cgt.randomgames import brute_force, random_sum, random_text, random_tree
from zermelo.cgt.scores.scored import Tree, leaf, negative, sum_tree, trees_of, written
from zermelo.cgt.text.notation import parse
from zermelo.errors import InputError


def test_there_are_1_4_22_games_born_by_days_0_1_2() -> None:
    assert [len(plain.games_born_by(day)) for day in range(3)] == [1, 4, 22]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("3||2|-1", "{3|{2|-1}}"),
        ("1,2|3||4", "{{1,2|3}|4}"),
        ("+-5", "{5|-5}"),
        ("^^*", "{0|^}"),
        ("+_2", "{0||0|-2}"),
        ("-_2", "{2|0||0}"),
        ("1/2*", "1/2 + *"),
        ("-3^", "^ - 3"),
        ("3*{2|-1}", "{2|-1} + {2|-1} + {2|-1}"),
        ("3 +-5", "-2"),
        ("+-(3,{4|1})", "{3,{4|1} | -3,{-1|-4}}"),
        ("v3*2", "v + v + v + *2"),
        ("{|}", "0"),
        ("{2.5|}", "3"),
    ],
)
def test_two_ways_to_write_one_game(text: str, same: str) -> None:
    assert plain.game_of(text) is plain.game_of(same)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{5|-5", "literal:1:1: this { is never closed"),
        ("{5}", "literal:1:3: no bar"),
        ("{1|2)", "literal:1:5: unexpected ')'"),
        ("1/3", "literal:1:1: 1/3 is no dyadic rational"),
        ("3|4|5", "literal:1:4: a second |"),
        ("{1,|2}", "literal:1:3: a comma without a game after it"),
        ("{5|\n -x}", "literal:2:3: unexpected 'x'"),
        ("3 4", "literal:1:3: two games side by side"),
        ("{1|2} +", "literal:1:8: a sign with nothing after it"),
        ("", "literal:1:1: nothing is written here"),
    ],
)
def test_malformed_brackets_are_refused_with_their_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(text)
    assert str(caught.value).startswith(message)


def test_printed_trees_read_back_as_themselves() -> None:
    rng = random.Random(1)
    for _ in range(300):
        game = random_tree(rng, depth=4, options=3)
        assert trees_of(written(game)) == [game]


def test_a_number_that_fits_between_the_options_is_the_game() -> None:
    rng = random.Random(2)
    numbers = 0
    for _ in range(2000):
        text = random_text(rng, depth=2)
        game, value = sum_tree(trees_of(text)), plain.game_of(text)
        if game.number is not None:
            numbers += 1
            assert plain.number(game.number) is value, text
    assert numbers > 500


def test_stops_of_a_written_out_sum_are_what_trying_everything_gives() -> None:
    rng = random.Random(3)
    for _ in range(300):
        games = random_sum(rng)
        whole = sum_tree(games)
        assert brute_force(games, True)[0] == whole.left_stop
        assert brute_force(games, False)[0] == whole.right_stop


def test_a_game_and_its_negative_cancel() -> None:
    rng = random.Random(4)
    for _ in range(200):
        game = random_tree(rng)
        assert sum_tree([game, negative(game)]) is leaf(0)


def test_deep_brackets_neither_overflow_the_stack_nor_take_for_ever() -> None:
    deep = "{" * 20_000 + "0|0}" + "|0}" * 19_999
    [game] = trees_of(deep)
    assert isinstance(game, Tree) and game.left_stop == Fraction(0)
