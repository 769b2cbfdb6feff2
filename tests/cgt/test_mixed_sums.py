"""Boards of different rules side by side: the page plays them, the engines value them, the checker reads them anew."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from zermelo import solve
from zermelo.cgt.boards.board_value import value_of_board
from zermelo.cgt.boards.ruleset import SIDES, positions_of
from zermelo.cgt.game import BoardSum
from zermelo.cgt.rulesets.mixed import Brackets, in_full, terms_of
from zermelo.cgt.values.value import value_of
from zermelo.check.games import Games
from zermelo.check.read.board import read
from zermelo.check.read.mixed import in_full as checkers_in_full
from zermelo.check.read.mixed import mixed_target, terms
from zermelo.check.sumvalues import value_of_text
from zermelo.errors import InputError, UnknownGameError
from zermelo.limits import Limits
from zermelo.picturing import PictureOptions, picture
from zermelo.source import Source

TERMS = [
    "domineering:..|.#",
    "clobber:xo",
    "toads:x.o",
    "{1|-1}",
    "(^)",
    "(1/2)",
    "(*2)",
    "kayles:2",
    "hackenbush:br",
    "(-1)",
]
MIXED = "domineering:..|.. + clobber:xo + {1|-1}"


def sums() -> list[str]:
    chance = random.Random(7)
    boards = [term for term in TERMS if term[0] not in "{("]
    return [" + ".join([chance.choice(boards), *chance.sample(TERMS, 2)]) for _ in range(12)]


def wins(game: Any, position: Any) -> bool:
    """Whether who is to move wins, by trying everything."""
    known: dict[Any, bool] = {}

    def found(here: Any) -> bool:
        if here not in known:
            known[here] = any(not found(game.play(here, move)) for move in game.moves(here))
        return known[here]

    return found(position)


@pytest.mark.parametrize("target", sums())
def test_the_answer_is_that_of_brute_force_and_verified(target: str) -> None:
    game = BoardSum.named(target)
    boards, _ = game.start()
    first, second = wins(game, (boards, 0)), wins(game, (boards, 1))
    value = game.value(Limits())
    assert (
        value.outcome == {(True, True): "N", (False, False): "P", (True, False): "L", (False, True): "R"}[first, second]
    )
    solution = solve(target)
    assert solution.verified and (solution.winner == "left") == first
    if first:
        assert not wins(game, game.play(game.start(), solution.move))


@pytest.mark.parametrize("target", sums())
def test_the_checker_plays_the_same_game(target: str) -> None:
    game, checkers = BoardSum.named(target), mixed_target(target).game()
    chance = random.Random(target)
    for _ in range(5):
        mine, its = game.start(), checkers.start()
        while True:
            assert game.key(mine) == checkers.key(its)
            names = {game.move_text(move): move for move in game.moves(mine)}
            others = {checkers.move_text(move): move for move in checkers.moves(its)}
            assert names.keys() == others.keys()
            if not names:
                break
            name = chance.choice(sorted(names))
            mine, its = game.play(mine, names[name]), checkers.play(its, others[name])


def test_values_of_terms_add_up() -> None:
    rules, positions = positions_of(MIXED)
    parts = [value_of_board(*positions_of(term)) for term in ("domineering:..|..", "clobber:xo")]
    assert value_of_board(rules, positions) == parts[0] + parts[1] + value_of("+-1")


@pytest.mark.parametrize("text", ["0", "-3/4", "*3", "^^*", "+_2", "{3||2|-1} + *", "3*{1|0}"])
def test_both_write_a_game_in_the_same_letters(text: str) -> None:
    games = Games(Limits())
    assert in_full(value_of(text)) == checkers_in_full(games, value_of_text(games, text))


def test_both_find_the_same_terms() -> None:
    for target in [
        *sums(),
        "toads:x.o+ o.x",
        " toads :x.o+{1|0 + 2}+o.x + impartial-clobber: xo",
        "hackenbush:b+a-b:r,a-0:b",
    ]:
        assert [term for *term, _ in map(list, terms_of(target))] == [term for *term, _ in map(list, terms(target))]
        assert [column - 1 for *_, column in terms_of(target)] == [begin for *_, begin in terms(target)]


def test_edges_of_hackenbush_are_not_taken_for_names() -> None:
    rules, positions = positions_of("hackenbush:b+a-b:r,a-0:b")
    assert rules.name == "hackenbush" and len(positions) == 2


@pytest.mark.parametrize(
    ("target", "column"),
    [
        ("domineering:.. + clobber:x?", 27),
        ("toads:x.o + {1|0", 13),
        ("toads:x.o + {1|0} + (1 |", 21),
        ("toads:x.o + {q|0}", 14),
    ],
)
def test_a_mistake_is_shown_where_it_is(target: str, column: int) -> None:
    for reading in (BoardSum.named, lambda text: read(Source("board", text, text))):
        with pytest.raises(InputError) as caught:
            reading(target)
        assert (caught.value.line, caught.value.column) == (1, column), target


def test_rules_that_nobody_knows_are_named() -> None:
    with pytest.raises((UnknownGameError, InputError)):
        BoardSum.named("domineering:.. + chess:e4")


def test_every_move_of_a_tree_can_be_pointed_at() -> None:
    game = BoardSum.named(MIXED)
    for position in (game.start(), game.play(game.start(), (1, "a1b1"))):
        drawn = picture(game, position, PictureOptions(legal=True)).svg
        for move in game.moves(position):
            assert f'data-move="{game.move_text(move)}"' in drawn


@cache
def rules() -> Brackets:
    return Brackets()


def test_numbers_in_brackets_are_played_as_conway_defines_them() -> None:
    assert [[option.position for option in rules().options("3/4", side)] for side in SIDES] == [["1/2"], ["1"]]
    assert [[option.position for option in rules().options("-2", side)] for side in SIDES] == [[], ["-1"]]
    with pytest.raises(InputError, match="too many beside boards"):
        rules().parse("*9", "x")
