"""Coins, Wythoff, nim and subtraction: rules, arguments, and the native twins."""

from __future__ import annotations

import random
from collections.abc import Hashable
from functools import reduce
from operator import xor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo import _native
from zermelo.errors import ArgumentError
from zermelo.game import Game
from zermelo.games import make_game
from zermelo.games.coins import Coins
from zermelo.games.nim import Nim
from zermelo.games.subtraction import Subtraction
from zermelo.games.wythoff import Wythoff


def first_score(game: Game) -> int:
    """The first role's score, by plain labelling: a position is won iff some move leads to a lost one."""
    known: dict[Hashable, int] = {}
    path = [game.start()]
    while path:
        position = path[-1]
        result = game.result(position)
        if result is not None:
            known[position] = int(result[0])
        else:
            after = [game.play(position, move) for move in game.moves(position)]
            missing = [child for child in after if child not in known]
            if missing:
                path.extend(missing)
                continue
            choose = max if game.turn(position) == game.roles[0] else min
            known[position] = choose(known[child] for child in after)
        path.pop()
    return known[game.start()]


def native_value(game: Game) -> int:
    kernel = game.native()
    assert kernel is not None
    outcome = kernel.search("alphabeta", _native.SearchParams()).solve(_native.Control())
    assert outcome.solved
    return int(outcome.lower)


def assert_same_rules(game: Game, seed: int) -> None:
    """Follows one random line in both languages."""
    choice = random.Random(seed)
    position, kernel = game.start(), game.native()
    assert kernel is not None
    while True:
        result = game.result(position)
        assert kernel.over == (result is not None)
        if result is not None:
            assert kernel.score == result[0]
            return
        moves = game.moves(position)
        assert kernel.turn == game.roles.index(str(game.turn(position)))
        assert kernel.move_count == len(moves)
        index = choice.randrange(len(moves))
        position, kernel = game.play(position, moves[index]), kernel.after(index)


def test_wythoff_labels_are_those_of_the_course_notes() -> None:
    lost = {(a, b) for a in range(6) for b in range(6) if first_score(Wythoff(a, b)) == -1}
    assert lost == {(0, 0), (1, 2), (2, 1), (3, 5), (5, 3)}


@pytest.mark.parametrize(
    ("values", "winner"),
    [((1,), 1), ((1, 2), -1), ((1, 1), 1), ((1, 2, 2, 1), -1), ((1, 1, 2, 1), 1), ((2, 1, 2), 1), ((), -1)],
)
def test_coins_examples(values: tuple[int, ...], winner: int) -> None:
    assert first_score(Coins(*values)) == winner


def test_only_coins_alike_at_the_top_can_be_taken_together() -> None:
    game = Coins(7, 7, -3, -3, -3, 7)
    assert [game.moves((left, 0)) for left in (6, 5, 4, 3, 1)] == [[1, 2], [1], [1, 2, 3], [1, 2], [1]]


@given(st.lists(st.integers(0, 4), min_size=1, max_size=3))
def test_nim_is_lost_iff_the_exclusive_or_of_the_heaps_is_zero(heaps: list[int]) -> None:
    game = Nim(*heaps)
    expected = 1 if reduce(xor, heaps) else -1
    assert first_score(game) == expected == native_value(game)


@given(st.integers(0, 40))
def test_subtraction_of_one_to_three_is_lost_on_multiples_of_four(size: int) -> None:
    assert first_score(Subtraction(size, (1, 2, 3))) == (1 if size % 4 else -1)


def test_subtraction_ends_when_the_pile_is_smaller_than_every_take() -> None:
    assert Subtraction(1, (2, 5)).result((1, 0)) == (-1, 1)


SMALL_GAMES = st.one_of(
    st.builds(Wythoff, st.integers(0, 9), st.integers(0, 9)),
    st.lists(st.integers(0, 3), min_size=1, max_size=4).map(lambda heaps: Nim(*heaps)),
    st.lists(st.integers(1, 2), min_size=0, max_size=20).map(lambda values: Coins(*values)),
    st.builds(Subtraction, st.integers(0, 40), st.sets(st.integers(1, 9), min_size=1).map(tuple)),
)


@given(SMALL_GAMES, st.integers(0, 2**32))
def test_native_rules_are_the_python_rules(game: Game, seed: int) -> None:
    assert_same_rules(game, seed)


@given(SMALL_GAMES)
def test_native_alphabeta_agrees_with_plain_labelling(game: Game) -> None:
    assert native_value(game) == first_score(game)


def test_eight_heaps_are_native_and_nine_are_left_to_interning() -> None:
    assert_same_rules(Nim(*range(8)), 1)
    assert Nim(*range(9)).native() is None


@pytest.mark.parametrize(
    ("target", "value"),
    [
        ("nim:100000", 1),
        ("nim:100000,3,2,1", 1),
        ("wythoff:100000,0", 1),
        ("subtraction:300000;1,2", -1),
        ("coins:" + ",".join(["1", "2"] * 50_000), -1),
    ],
)
def test_large_heaps_are_answered(target: str, value: int) -> None:
    assert native_value(make_game(target)) == value


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("wythoff:3", "wythoff:3:1:9: 1 number, expected 2: wythoff:A,B"),
        ("wythoff:3,-1", "wythoff:3,-1:1:11: -1 is not in 0..1000000, expected wythoff:A,B"),
        ("nim:3,,4", "nim:3,,4:1:7: a number is missing, expected nim:H,H,..."),
        ("nim:", "nim::1:5: a number is missing, expected nim:H,H,..."),
        ("nim:10000000", "nim:10000000:1:5: 10000000 is not in 0..1000000, expected nim:H,H,..."),
        ("coins:1,x", "coins:1,x:1:9: 'x' is not a whole number, expected coins:V,V,..."),
        ("subtraction:9", "subtraction:9:1:14: no ';', expected subtraction:N;S,S,..."),
        ("subtraction:9;", "subtraction:9;:1:15: a number is missing, expected subtraction:N;S,S,..."),
        (
            "subtraction:9;1,0",
            "subtraction:9;1,0:1:17: 0 is not in 1..1000000000, expected subtraction:N;S,S,...",
        ),
        ("subtraction:9,1;1", "subtraction:9,1;1:1:13: 2 numbers, expected 1: subtraction:N;S,S,..."),
    ],
)
def test_wrong_arguments_are_pointed_at(target: str, message: str) -> None:
    with pytest.raises(ArgumentError) as error:
        make_game(target)
    assert str(error.value) == message
