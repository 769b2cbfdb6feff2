"""Sums, boards and Go records are read twice, by code that shares nothing: both refuse a text, or read one game."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest
from tests.cgt.sumfiles import RULESETS, cases_of
from tests.fuzz import readers

from zermelo.cgt.game import BoardSum, WrittenSum
from zermelo.cgt.rulesets.impartial import Impartial
from zermelo.cgt.scores.scored import trees_of
from zermelo.check.inbrackets import shown
from zermelo.check.instance import digest_of
from zermelo.check.read.board import board_target
from zermelo.check.read.copied import boards, copied_trees, endgame, written_sum
from zermelo.check.read.sgf import record
from zermelo.check.read.sum import text_as_sum
from zermelo.check.trees import Trees
from zermelo.errors import InputError
from zermelo.solving.targets import game_from, game_of
from zermelo.source import Source

CORPUS = sorted(Path(os.environ.get("ZERMELO_CORPUS", "no-such-folder")).glob("cgt/*.test"))


@pytest.mark.parametrize("format", ["board", "cgt", "sgf"])
def test_both_readers_agree_on_damaged_texts(format: str) -> None:
    for number in range(1500):
        readers.check(readers.draw_of(format, random.Random(f"{format} {number}")))


@pytest.mark.parametrize("path", readers.shared_files("sgf"), ids=lambda path: path.name)
def test_both_readers_agree_on_shared_records(path: Path) -> None:
    readers.check(readers.Case("sgf", path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_both_readers_agree_on_shared_boards(path: Path) -> None:
    """Boards of games that are not here both refuse."""
    summands = [summand for case in cases_of(path) for summand in case.summands]
    assert summands
    for section, text in summands:
        name = RULESETS.get(section, section)
        readers.check(readers.Case("cgt", text) if name == "cgt" else readers.Case("board", f"{name}:{text}"))


@pytest.mark.parametrize(
    "text",
    [
        "3 +-5",
        "3 + +-5",
        "1/2^[3]*2 + v<2> - ^[0]",
        "Tiny({3|1}) + Miny(2) - *[4]",
        "{upstar|v[12]} + ^<0>",
        "^[1001]",
        "Tiny 2",
        "-3^*2",
        "+-+-5",
        "- - -5",
        "-+-(3,{4|1})",
        "+_-_2",
        "2*(^ + *)",
        "(3)*{1|-1}",
        "(-3)*{1|-1}",
        "-(-3)*{1|-1}",
        "3|2||1",
        "a|b",
        "{||}",
        "||",
        "| ||",
        "(|)",
        "5|",
        "3* {1|-1}",
        "3·{1|-1}",
        "*12{1|-1}",
        "^^3",
        "{1,|2}",
        "(1,2)",
        "+-((1,2))",
        "-(1,2)",
        "٣",
        "1.5",
        "1.",
        "1/0",
        "1/3",
        "#",
        "",
        "{1|-1}}",
        "5 # five\n + 3",
        "1000000*{1|-1}",
        "+-" * 3000 + "5",
        "{" * 3000 + "5|-5" + "|-5}" * 2999 + "}",
    ],
)
def test_both_readers_agree_on_odd_sums(text: str) -> None:
    readers.check(readers.Case("cgt", text))


@pytest.mark.parametrize(
    "text",
    [
        "dots",
        "dots:1x1",
        "dots :1x1",
        "dots:.|..|.+0x1",
        "hackenbush",
        "hackenbush:" + "b" * 30,
        "hackenbush:0-a:b , a-b:r\tb-0:g",
        "hackenbush:0-a:b,",
        "hackenbush:a-b:g",
        "domineering:",
        "domineering: 2 x 3",
        "domineering:2x3x4",
        "domineering:10000x10000",
        "clobber:3x3 + XO|.#",
        "dominoes:+xo#",
        "dominoes:1x3",
        "gentoads:01,2,1,1:x.o",
        "gentoads:2,1,1,1:x.o",
        "octal:.1370:3,0,4",
        "octal:5.1:3",
        "octal:4.:3",
        "kayles:3,,4",
        "kayles:" + "9" * 4001,
        "wytqueens:0,0",
        "wytqueens:1,2,3",
        "nogo:xo",
        "impartial-nogo:...",
        "impartial-impartial-nogo:...",
        "chess:e4",
    ],
)
def test_both_readers_agree_on_odd_boards(text: str) -> None:
    readers.check(readers.Case("board", text))


@pytest.mark.parametrize(
    "text",
    [
        "(;SZ[9]SZ[9])",
        "(;SZ[9]SZ[13];B[aa])",
        "(;SZ[9][9])",
        "(;KM[1]KM[2])",
        "(;PL[B]PL[W])",
        "(;SZ[3]AB[aa]AB[bb])",
        "(\u00a0;SZ[9])(;SZ[5];B[aa])",
        "(;SZ[\u00a09])",
        "(;SZ[00009])",
        "(;SZ[3]AddBlack[aa])",
        "(;SZ[3]black[aa])",
        "(;SZ[3]C[\\]];B[aa])",
        "(;SZ[3];B[ aa])",
        "(;SZ[3];B[tt];W[])",
        "(;SZ[3]AB[aa:bb]AE[bb:aa])",
        "(;SZ[3](;B[aa])(;W[zz]))",
        "(;SZ[3](;B[aa])",
        "(;SZ[3]B)",
        "(;SZ[3]TB[aa]TW[aa])",
        "(" * 3000 + ";",
        "(;" * 3000 + ")" * 3000,
    ],
)
def test_both_readers_agree_on_odd_records(text: str) -> None:
    readers.check(readers.Case("sgf", text))


def test_a_games_canonical_text_does_not_depend_on_how_it_is_written() -> None:
    assert text_as_sum("{5|-5} # a switch").canonical() == text_as_sum("+- 5").canonical()
    assert board_target("domineering:2x2").canonical() == board_target(" domineering : ..|.. ").canonical()
    one, other = "(;SZ[2]AB[aa])", "(;FF[4]C[remark]SZ[2];PL[B]AB[aa])"
    assert record(one).canonical() == record(other).canonical()


@pytest.mark.parametrize(
    ("one", "other"),
    [("", "area"), ("", "safe=A2"), ("move=0", "move=1"), ("", "move=1")],
)
def test_options_of_a_record_are_part_of_the_game(one: str, other: str) -> None:
    text = "(;SZ[2]AB[aa];W[bb];B[ba])"
    readings = [record(text, options=options).canonical() for options in (one, other)]
    engines = [game_from(Source("sgf", text, "r.sgf", options)) for options in (one, other)]
    assert readings[0] != readings[1]
    assert readings == [endgame(game).canonical() for game in engines]


@pytest.mark.parametrize("options", ["area=1", "move=x", "safe=Z9", "komaster=red", "what"])
def test_unknown_options_of_a_record_are_refused(options: str) -> None:
    with pytest.raises(InputError):
        record("(;SZ[2]AB[aa])", options=options)


def test_a_sum_made_in_python_is_the_one_that_is_written() -> None:
    assert digest_of(WrittenSum("{5|-5}")) == digest_of(game_of("+-5"))
    assert boards(game_of("kayles:3,4")) == board_target("kayles:4,3")


def test_ten_million_copies_are_read_at_once() -> None:
    assert text_as_sum("10000000*{1|-1}").nodes[-1].amount == 10_000_000


def test_boards_whose_rules_are_stated_elsewhere_are_not_copied() -> None:
    game: Any = game_of("kayles:3,4")
    mine = type("Mine", (type(game.ruleset),), {"__module__": "mine"})()
    assert boards(BoardSum(mine, game.positions)) is None  # another game by the same name
    assert boards(BoardSum(Impartial(mine), game.positions)) is None
    other = type("Other", (type(game.ruleset),), {"__module__": "zermelo.cgt.other", "name": "other"})()
    assert boards(BoardSum(other, game.positions)) is None
    wild = game_of("impartial-clobber:xo")
    assert boards(wild) == board_target("impartial-clobber:xo")


def test_a_sum_of_parts_that_nobody_knows_is_refused() -> None:
    game: Any = WrittenSum("{5|-5}")
    game.expression = object()
    with pytest.raises(InputError, match="which is no part of one"):
        written_sum(game)


def test_trees_that_were_made_elsewhere_are_copied_each_once() -> None:
    own = Trees()
    made = copied_trees(trees_of("2*{5|-5} + {3||2|-1} + 3"))(own)
    assert made[0] == made[1] and [shown(own, game) for game in made] == ["{5|-5}", "{5|-5}", "{3||2|-1}", "3"]
