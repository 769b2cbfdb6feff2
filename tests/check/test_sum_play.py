"""Sums, boards and dots played by the checker's own rules: the same as by the engines', line by line."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from tests.cgt.randomgames import random_text

from zermelo.check import innersums
from zermelo.check.inbrackets import shown
from zermelo.check.read.board import board_target
from zermelo.check.read.sgf import record
from zermelo.check.read.sum import text_as_sum
from zermelo.check.sumgame import SumGame
from zermelo.check.sumtrees import components_of
from zermelo.check.trees import Trees
from zermelo.errors import IllegalMoveError, LimitReachedError
from zermelo.game import Game
from zermelo.solving.targets import game_from, game_of
from zermelo.source import Source


def play_alike(theirs: Game, ours: Game, rng: random.Random, lines: int) -> None:
    """Keys, turns, moves and scores along random lines."""
    for _ in range(lines):
        one, other = theirs.start(), ours.start()
        while True:
            assert theirs.key(one) == ours.key(other) and theirs.result(one) == ours.result(other)
            if theirs.result(one) is not None:
                break
            texts = sorted(theirs.move_text(move) for move in theirs.moves(one))
            assert texts == sorted(ours.move_text(move) for move in ours.moves(other))
            assert theirs.turn(one) == ours.turn(other)
            text = rng.choice(texts)
            one = theirs.play(one, theirs.parse_move(one, text))
            other = ours.play(other, ours.parse_move(other, text))


SUMS = [
    "{5|-5} + {3||2|-1}",
    "2*{5|-5} + {5|-5} + 7",
    "{1,{9|7}|{0|-3},-2}",
    "{{9|7},{8|2}|-4,{3|-9}}",
    "{4|||3||2|-1} + {1|-1}",
    "{{5|-5} + {3|1}|-9}",
    "{9|{2|-2} + {1|-1} - 4}",
    "{*|v} + ^ + *3",
    "-{4||1|0} - +-3",
    "+_2 + -_3 + 2*(^ + *)",
    "{" + ",".join(f"{{{n}|{-n}}}" for n in range(11, 30)) + "|-50} + {99|0}",
    "{{{12345678901234567890|1234567890123456789}|{123456789012345678|12345678901234567}}|-5}",
    "3 + 1/2",
    "{{"
    + ",".join(f"{10**30 + n}" for n in (3, 1, 2))
    + "|0},{"
    + ",".join(f"{10**30 + n}" for n in (6, 5, 4))
    + "|0}|-5}",
    "{5|-5} - {5|-5}",
    "*40",
    "*31 + *17 + {3|1}",
    "{*20,*19|-*18} + {5|*15,{*21|3},*16}",
    "{{3|*15},{1|*15},{0|*15},{2|*15}|-50}",
    "{{1/128,7|*15},{*,7|*15},{-1/64,7|*15}|-50}",
]


@pytest.mark.parametrize("text", SUMS)
def test_sums_are_played_as_by_the_engines(text: str) -> None:
    play_alike(game_of(text), text_as_sum(text).game(), random.Random(text), 4)


def test_the_length_of_a_text_is_reckoned_without_writing_it() -> None:
    rng = random.Random("lengths")
    deep = "{9|||||{8||||{7|||{6||5|4}|3}|2}|1}"
    for text in [deep, "{{{{{9|1}|0}|-1}|-2}|-3}", "*7 + ^", *(random_text(rng) for _ in range(60))]:
        game = SumGame(text_as_sum(text).components)
        for component in game.start()[0]:
            for each in (component, *game.trees.left[component], *game.trees.right[component]):
                assert game._length(each) == len(shown(game.trees, each))


def test_random_sums_are_played_as_by_the_engines() -> None:
    rng = random.Random("sums")
    for _ in range(40):
        text = f"({random_text(rng)}) + ({random_text(rng, 2)})"
        play_alike(game_of(text), text_as_sum(text).game(), rng, 2)


@pytest.mark.parametrize(
    "target",
    [
        "dots:1x1",
        "dots:1x2",
        "dots:2x2",
        "dots:3x1",
        "dots:.|##|#+1x1",
        "dots:#|..|.+#|#.|#",
        "dots:..|#.#|.#|...|..",
        "dots:##|#.#|##",
        "domineering:..|..+...",
        "domineering:...|.#.|...",
        "kayles:3,2+1",
        "impartial-domineering:..|..",
        "hackenbush:brg+bb",
    ],
)
def test_boards_are_played_as_by_the_engines(target: str) -> None:
    play_alike(game_of(target), board_target(target).game(), random.Random(target), 6)


def test_whoever_completes_boxes_has_them_and_moves_again() -> None:
    game = board_target("dots:..|#.#|##").game()
    at: Any = game.start()
    assert game.moves(at) == ["a1b1", "b1c1", "b1b2"]
    at = game.play(at, "b1b2")
    assert (game.turn(at), game.result(at)) == ("right", None)
    at = game.play(at, "a1b1")
    assert game.turn(at) == "right"
    at = game.play(at, "b1c1")
    assert game.result(at) == (-2, 2) and game.turn(at) == "right"


def test_a_move_that_is_not_there_is_illegal() -> None:
    game = board_target("domineering:..|..").game()
    assert game.turn(game.start()) == "left"
    with pytest.raises(IllegalMoveError):
        game.play(game.start(), (0, "a1b1"))


def test_black_or_white_begins_as_the_record_says() -> None:
    text = "(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc]SQ[aa][ca]{})"
    for player, turn in (("", "black"), ("PL[W]", "white")):
        theirs = game_from(Source("sgf", text.format(player), "r.sgf"))
        ours = record(text.format(player)).game()
        assert ours.turn(ours.start()) == turn
        play_alike(theirs, ours, random.Random(1), 2)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("0*{5|-5}", []),
        ("3*{5|-5}", ["{5|-5}"] * 3),
        ("2*({5|-5} + 3)", ["{5|-5}", "3", "{5|-5}", "3"]),
        ("-({5|-4} + 3)", ["{4|-5}", "-3"]),
        ("^^", ["{0||0|0}", "{0||0|0}"]),
        ("v", ["{0|0||0}"]),
        ("*2", ["{0,{0|0}|0,{0|0}}"]),
        ("^0", []),
        ("{({5|-5} + 1)|-9}", ["{6|-4||-9}"]),
        ("{1 + 2|}", ["4"]),
    ],
)
def test_a_sum_falls_into_its_components(text: str, parts: list[str]) -> None:
    trees = Trees()
    made = [shown(trees, game) for game in components_of(trees, text_as_sum(text))]
    assert made == parts


@pytest.mark.parametrize(
    "text",
    [
        "1000001*{5|-5}",
        "1000*(1001*{5|-5})",
        "600000*{5|-5} + 600000*{4|-4}",
        "^1000001",
        "*1001",
        "*2000",
    ],
)
def test_sums_that_are_too_large_to_be_played_are_given_up(text: str) -> None:
    with pytest.raises(LimitReachedError):
        components_of(Trees(), text_as_sum(text))


def test_large_sums_inside_of_brackets_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "{{2|1} + {3|-1} + {7|-2}|-9}"
    for most, enough in ((100, True), (10, False)):
        monkeypatch.setattr(innersums, "MOST_POSITIONS", most)
        if enough:
            assert components_of(Trees(), text_as_sum(text))
        else:
            with pytest.raises(LimitReachedError):
                components_of(Trees(), text_as_sum(text))


def test_the_largest_sums_are_played() -> None:
    trees = Trees()
    assert len(components_of(trees, text_as_sum("1000000*{5|-5}"))) == 1_000_000
    assert len(components_of(trees, text_as_sum("^1000000"))) == 1_000_000


def test_scores_of_what_is_over_are_added_up() -> None:
    game = SumGame(lambda trees: [trees.number(Fraction(3)), trees.number(Fraction(-1, 2))])
    assert game.result(game.start()) == (Fraction(5, 2), Fraction(-5, 2))
    assert game.key(game.start()) == "0 + 0 + 5/2 left"
