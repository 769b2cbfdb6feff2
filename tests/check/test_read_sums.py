"""Sums in brackets and Go records as the checker reads them: what they state, and where they state nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.fuzz import readers

from zermelo.check.games import Games
from zermelo.check.read import sgf
from zermelo.check.read.sgf import Endgame, record
from zermelo.check.read.sum import text_as_sum
from zermelo.check.sumvalues import value_of_sum, value_of_text
from zermelo.check.trees import Trees
from zermelo.errors import InputError
from zermelo.limits import Limits

SAME = [
    ("+-5", "{5|-5}"),
    ("±5", "{5|-5}"),
    ("+-(3,{4|1})", "{3,{4|1}|-3,-{4|1}}"),
    ("3||2|-1", "{3|{2|-1}}"),
    ("3|2||1", "{{3|2}|1}"),
    ("|0", "{|0}"),
    ("0|", "{0|}"),
    ("{||1|2}", "{|{1|2}}"),
    ("⇑", "^^"),
    ("⇓", "vv"),
    ("↑3", "^3"),
    ("↓", "v"),
    ("★2", "*2"),
    ("∗", "*"),
    ("⧾2", "+_2"),
    ("⧿2", "-_2"),
    ("3−1", "3-1"),
    ("1/2*", "(1/2 + *)"),
    ("2.5", "5/2"),
    ("0.25", "1/4"),
    ("3·{1|-1}", "3*{1|-1}"),
    ("3· {1|-1}", "3*{1|-1}"),
    ("3∗{1|-1}", "3*{1|-1}"),
    ("3 # three\n+ 1", "3 + 1"),
    ("- -3", "--3"),
    ("(3)", "3"),
    ("*1", "*"),
    ("^1", "^"),
    ("007", "7"),
    ("1,2|3", "{1,2|3}"),
    ("1|2,3", "{1|2,3}"),
    ("+3", "3"),
    ("3 - + 3", "3 - 3"),
    ("+-+3", "+-3"),
    ("+--3", "{-3|-(-3)}"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_two_ways_to_write_a_sum_are_one_game(one: str, other: str) -> None:
    assert text_as_sum(one).canonical() == text_as_sum(other).canonical()
    for text in (one, other):
        readers.check(readers.Case("cgt", text))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("3 - 1", "number 3,number 1,minus 0 1,sum 0 0 2"),
        ("-3^*2", "number 3,minus 0 0,up 1,sum 0 1 2,star 2,sum 0 3 4"),
        ("+_2", "number 0,number 2,minus 0 1,options 0 0|2,options 0 0|3"),
        ("-_2", "number 0,number 2,minus 0 1,options 0 0|2,options 0 0|3,minus 0 4"),
        ("vv", "up -2"),
        ("⇑⇑", "up 2,sum 0 0 0"),
        ("v12", "up -12"),
        ("-2*{1|}", "number 1,options 0 0|,copies 2 1,minus 0 2"),
        ("{1,2|}", "number 1,number 2,options 0 0 1|"),
        ("+--3", "number 3,minus 0 0,minus 0 1,options 0 1|2"),
        ("-+-3", "number 3,minus 0 0,options 0 0|1,minus 0 2"),
        ("3 +-5", "number 3,number 5,minus 0 1,sum 0 0 2"),
        ("3 + +-5", "number 3,number 5,minus 0 1,options 0 1|2,sum 0 0 3"),
        ("{5|-5} + {5|-5}", "number 5,minus 0 0,options 0 0|1,sum 0 2 2"),
    ],
)
def test_the_parts_of_a_sum(text: str, lines: str) -> None:
    assert text_as_sum(text).canonical().split("\n") == lines.split(",")


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("  # nothing", 1, 1),
        ("||", 1, 1),
        ("1, 2", 1, 1),
        ("{5|-5", 1, 1),
        ("3 +\n  (5", 2, 3),
        ("{5|-5}}", 1, 7),
        ("(5}", 1, 3),
        ("{5)", 1, 3),
        (")", 1, 1),
        ("3 + {5}", 1, 5),
        ("3 + {}", 1, 5),
        ("3 + ()", 1, 5),
        ("{1|2|3}", 1, 5),
        ("{1,|2}", 1, 3),
        ("{,1|2}", 1, 2),
        ("{1,,2|}", 1, 4),
        ("3 ± 5", 1, 3),
        ("3 5", 1, 3),
        ("3 {1|}", 1, 3),
        ("3 +", 1, 3),
        ("-", 1, 1),
        ("+_", 1, 1),
        ("3 + *{1|}", 1, 5),
        ("*{1|}", 1, 1),
        ("1/2*{1|}", 1, 4),
        ("*2{1|}", 1, 1),
        ("3*2{1|}", 1, 2),
        ("3★{1|}", 1, 2),
        ("3 ^", 1, 3),
        ("(3)^", 1, 4),
        ("{1|0}*", 1, 6),
        ("+-()", 1, 3),
        ("2*()", 1, 3),
        ("+--(1,2)", 1, 4),
        ("★{1|}", 1, 1),
        ("3·5", 1, 2),
        ("(1,2)", 1, 1),
        ("-(1,2)", 1, 2),
        ("2*(1,2)", 1, 3),
        ("^^3", 1, 1),
        ("⇑2", 1, 1),
        ("x", 1, 1),
        ("3 + \u0663", 1, 5),
        ("3 + 1/3", 1, 5),
        ("3 + 1/0", 1, 5),
        ("0.1", 1, 1),
        ("*1234567890", 1, 2),
        ("^1234567890", 1, 2),
        ("{1" + "|" * 101 + "2}", 1, 3),
        ("3 + " + "9" * 4001, 1, 5),
        ("+-((1,2))", 1, 4),
    ],
)
def test_a_text_that_is_no_sum_is_refused_with_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(InputError) as caught:
        text_as_sum(text, "here")
    error = caught.value
    assert (error.file, error.line, error.column) == ("here", line, column)
    readers.check(readers.Case("cgt", text))


@pytest.mark.parametrize(
    "text",
    ["{1" + "|" * 100 + "2}", "9" * 4000, "*123456789", "^123456789", f"1/{2**40}", "2*{1|} + 3*(^)", "3*(3*{1|})"],
)
def test_the_largest_of_everything_is_read(text: str) -> None:
    assert text_as_sum(text).canonical()
    readers.check(readers.Case("cgt", text))


def test_a_sum_can_be_played_added_up_and_valued() -> None:
    found = text_as_sum("{5|-5} + 2")
    game = found.game()
    assert game.key(game.start()) == "{5|-5} + 0 + 2 left"
    trees, games = Trees(), Games(Limits())
    assert [trees.numbers[part] for part in found.components(trees)] == [None, 2]
    value = value_of_sum(games, found.nodes)
    assert games.left[value] == (games.number(Fraction(7)),)
    assert value_of_text(games, "7|-3") == value


# Records

BOARD = "(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc]"


@pytest.mark.parametrize(
    ("text", "stones", "rest"),
    [
        ("(;SZ[2])", "....", "x to move, komi 0, prisoners 0, banned None, territory"),
        ("(;SZ[2]KM[6.5])", "....", "x to move, komi 13/2, prisoners 0, banned None, territory"),
        ("(;SZ[2]KM[-0.25])", "....", "x to move, komi -1/4, prisoners 0, banned None, territory"),
        ("(;SZ[2]KM[+7])", "....", "x to move, komi 7, prisoners 0, banned None, territory"),
        ("(;SZ[2]HA[2])", "....", "o to move, komi 0, prisoners 0, banned None, territory"),
        ("(;SZ[2]HA[1])", "....", "x to move, komi 0, prisoners 0, banned None, territory"),
        ("(;SZ[2]HA[0])", "....", "x to move, komi 0, prisoners 0, banned None, territory"),
        ("(;SZ[2]PL[white])", "....", "o to move, komi 0, prisoners 0, banned None, territory"),
        ("(;SZ[2]HA[2]PL[b])", "....", "x to move, komi 0, prisoners 0, banned None, territory"),
        ("(;SZ[2];B[aa])", "x...", "o to move, komi 0, prisoners 0, banned None, territory"),
        ("(;SZ[2];B[ba];W[ab])", ".xo.", "x to move, komi 0, prisoners 0, banned None, territory"),
        ("(;SZ[2];B[];W[tt])", "....", "x to move, komi 0, prisoners 0, banned None, territory"),
        ("(;SZ[2];W[aa])", "o...", "x to move, komi 0, prisoners 0, banned None, territory"),
        ("(;SZ[2]AW[aa]AB[ab];B[ba])", ".xx.", "o to move, komi 0, prisoners 1, banned None, territory"),
        ("(;SZ[2]AB[aa]AW[ab];W[ba])", ".oo.", "x to move, komi 0, prisoners -1, banned None, territory"),
        ("(;SZ[2]AB[aa:ab];AE[aa])", "..x.", "x to move, komi 0, prisoners 0, banned None, territory"),
        ("(;SZ[2]AB[aa:ba])", "xx..", "x to move, komi 0, prisoners 0, banned None, territory"),
        ("(;SZ[2](;B[aa])(;B[bb]))", "x...", "o to move, komi 0, prisoners 0, banned None, territory"),
        ("noise (;SZ[2];B[aa])(;SZ[9])", "x...", "o to move, komi 0, prisoners 0, banned None, territory"),
        ("(;SZ[2]C[a\\]b(;])", "....", "x to move, komi 0, prisoners 0, banned None, territory"),
        ("(;SZ[2] AB[aa])", "x...", "x to move, komi 0, prisoners 0, banned None, territory"),
        ("(;SzZ[2])", "....", "x to move, komi 0, prisoners 0, banned None, territory"),
        ("(;SZ[2]HA[2]PL[black])", "....", "x to move, komi 0, prisoners 0, banned None, territory"),
        ("(;SZ[2]" + "A" * 64 + "[])", "....", "x to move, komi 0, prisoners 0, banned None, territory"),
    ],
)
def test_what_a_record_states(text: str, stones: str, rest: str) -> None:
    found = record(text).canonical().split("\n")
    assert (found[0], found[2]) == (stones, rest)
    readers.check(readers.Case("sgf", text))


KO = "(;SZ[4]AB[ba][ab][bc]AW[ca][bb][db][cc]{})"
"""Black takes the stone on b3 from c3, where only that stone's point is free then; White may not retake at once."""


def test_a_ko_may_not_be_retaken_at_once() -> None:
    taken = record(KO.format(";B[cb]"))
    assert taken.prisoners == 1 and taken.banned == 5 and taken.stones == ".xo.x.xo.xo....."
    with pytest.raises(InputError, match="retakes the ko") as caught:
        record(KO.format(";B[cb];W[bb]"), "here")
    assert caught.value.column == KO.index("{}") + len(";B[cb];W") + 1
    assert record(KO.format(";B[cb];W[dd]")).banned is None
    assert record(KO.format(";B[cb];C[a word]")).banned == 5
    assert record(KO.format(";B[cb];AE[aa]")).banned is None
    later = record(KO.format(";B[cb];W[dd];B[];W[bb]"))
    assert later.banned == 6 and later.prisoners == 0


def test_who_took_a_ko_may_fill_it_where_a_record_has_him_move_twice() -> None:
    filled = record(KO.format(";B[cb];B[bb]"))
    assert filled.stones == ".xo.xxxo.xo....." and filled.prisoners == 1 and filled.banned is None
    readers.check(readers.Case("sgf", "(;SZ[13]B[bl];W[bm];W[al];B[ak];B[am];B[al])"))


@pytest.mark.parametrize(
    ("text", "prisoners"),
    [
        ("(;SZ[3]AW[aa][ca][bb]AB[ab][cb];B[ba])", 2),  # two single stones, one on either side
        ("(;SZ[3]AW[aa][ca]AB[ab][bb];B[ba])", 1),  # the stone that takes is not alone
    ],
)
def test_what_only_looks_like_a_ko_is_none(text: str, prisoners: int) -> None:
    taken = record(text)
    assert taken.prisoners == prisoners and taken.banned is None
    readers.check(readers.Case("sgf", text))


def test_taking_two_stones_or_more_is_no_ko() -> None:
    two = record("(;SZ[4]AB[ba][ca][ab][bc][cc]AW[bb][cb];B[db])")
    assert two.prisoners == 2 and two.banned is None
    for text in (KO.format(";B[cb]"), "(;SZ[4]AB[ba][ca][ab][bc][cc]AW[bb][cb];B[db])"):
        readers.check(readers.Case("sgf", text))


@pytest.mark.parametrize(
    ("options", "stones", "marked", "scoring"),
    [
        ("", "x..x", "x..x", "territory"),
        ("area", "x..x", "x..x", "area"),
        ("territory", "x..x", "x..x", "territory"),
        ("komaster=black", "x..x", "x..x", "territory"),
        ("komaster=white, area", "x..x", "x..x", "area"),
        ("move=0", "x...", "x...", "territory"),
        ("move=1", "x..x", "x..x", "territory"),
        ("safe=A2", "x..x", "X..x", "territory"),
        ("safe=a2/B1", "x..x", "X..X", "territory"),
        ("move=0,safe=A2", "x...", "X...", "territory"),
        ("safe=B1", "x..x", "x..X", "territory"),
    ],
)
def test_options_say_which_position_and_how_it_is_scored(options: str, stones: str, marked: str, scoring: str) -> None:
    found = record("(;SZ[2]AB[aa];B[bb])", options=options)
    assert (found.stones, found.marked, found.scoring) == (stones, marked, scoring)


@pytest.mark.parametrize(
    "options",
    ["move=2", "move=-1", "move=1234567890", "move", "area=1", "territory=0", "safe=", "safe=A1", "safe=C1", "safe=A3",
     "safe=A0", "safe=22", "safe=A12345", "komaster", "komaster=", "what", "safe=I1",
     "safe=I2", "safe=B3", "what=black"],
)  # fmt: skip
def test_options_that_say_nothing_are_refused(options: str) -> None:
    with pytest.raises(InputError):
        record("(;SZ[2]AB[aa];B[bb])", options=options)


@pytest.mark.parametrize(
    ("said", "marked"),
    [
        ("SQ[aa][ca]", "X.OX.OX.O"),
        ("SQ[ab]", "X.oX.oX.o"),
        ("SQ[aa:ac]", "X.oX.oX.o"),
        ("SQ[]", None),
        ("SQ[][ab]", "X.oX.oX.o"),
        ("SQ[ba]", None),
        ("TB[ba]", None),
        ("TB[ba:bc]", None),
    ],
)
def test_stones_are_marked_as_safe(said: str, marked: str | None) -> None:
    text = f"{BOARD}{said})"
    readers.check(readers.Case("sgf", text))
    if marked is not None:
        assert record(text).marked == marked


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("(;SZ[3]AB[ba][ab][bb]TB[aa])", "bX.XX...."),
        ("(;SZ[3]AW[ba][ab][bb]TW[aa])", "wO.OO...."),
        ("(;SZ[3]AB[ba][ab][bb]AW[aa]TB[aa])", None),
        ("(;SZ[3]AB[ca][cb][cc]AW[bb]TB[aa:bc])", "bbXbbXbbX"),
        ("(;SZ[3]AB[ba][ab]TB[aa][aa])", "bX.X....."),
    ],
)
def test_marked_territory_makes_the_stones_around_it_alive(text: str, marked: str | None) -> None:
    readers.check(readers.Case("sgf", text))
    if marked is not None:
        assert record(text).marked == marked


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("(SZ[2])", 1, 1),
        ("(;SZ[2]", 1, 8),
        ("(;SZ[2]\n\n", 3, 1),
        ("(;SZ[2)", 1, 5),
        ("(;SZ)", 1, 5),
        ("(;[2])", 1, 3),
        ("(;SZ[2]sz[2])", 1, 8),
        ("(;SZ[2]" + "A" * 65 + "[])", 1, 8),
        ("(;SZ[2]!)", 1, 8),
        ("(;SZ[2](B[aa]))", 1, 9),
        ("(;SZ[2]())", 1, 9),
        ("(;SZ[2]((;B[aa])))", 1, 9),
        ("(;SZ[2](;B[aa]);W[bb])", 1, 16),
        ("(;SZ[2](;B[aa])B[bb])", 1, 16),
        ("(;GM[2]SZ[2])", 1, 5),
        ("(;SZ[1])", 1, 5),
        ("(;SZ[20])", 1, 5),
        ("(;SZ[x])", 1, 5),
        ("(;SZ[2][2])", 1, 8),
        ("(;SZ[2]KM[])", 1, 10),
        ("(;SZ[2]KM[x])", 1, 10),
        ("(;SZ[2]KM[1.])", 1, 10),
        ("(;SZ[2]KM[12345])", 1, 10),
        ("(;SZ[2]HA[x])", 1, 10),
        ("(;SZ[2]PL[x])", 1, 10),
        ("(;SZ[2]PL[])", 1, 10),
        ("(;SZ[2]AB[aa]AW[aa])", 1, 16),
        ("(;SZ[2]AB[aa][ab][ba][bb])", 1, 10),
        ("(;SZ[2]AB[ca])", 1, 10),
        ("(;SZ[2]AB[ac])", 1, 10),
        ("(;SZ[2]AB[a])", 1, 10),
        ("(;SZ[2]AB[])", 1, 10),
        ("(;SZ[2]AB[bb:aa])", 1, 10),
        ("(;SZ[2]AB[ba:ab])", 1, 10),
        ("(;SZ[2]AB[ab:ba])", 1, 10),
        ("(;SZ[2]AB[aa:cc])", 1, 10),
        ("(;SZ[2];B[aa]W[bb])", 1, 15),
        ("(;SZ[2];B[aa][bb])", 1, 14),
        ("(;SZ[2];B[aa];W[aa])", 1, 16),
        ("(;SZ[2];B[zz])", 1, 10),
        ("(;SZ[2]AW[ab][ba];B[aa])", 1, 20),
        ("(;SZ[2]SQ[aa])", 1, 10),
        ("(;SZ[2]TB[aa]TW[aa])", 1, 16),
        ("(;SZ[2]AB[aa]TB[aa])", 1, 16),
        ("(;SZ[2]AB[aa]TB[ab])", 1, 16),
        ("(;SZ[2]AW[aa]TW[ab])", 1, 16),
        ("(;SZ[2]AB[aa][ab][ba]TB[aa])", 1, 24),
        ("(;SZ", 1, 5),
        ("(;SZ[2]AB[`b])", 1, 10),
        ("(;SZ[2]AB[b`])", 1, 10),
        ("(;SZ[2]AB[ca:bb])", 1, 10),
    ],
)
def test_a_record_that_states_no_position_is_refused_with_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(InputError) as caught:
        record(text, "here")
    error = caught.value
    assert (error.file, error.line, error.column) == ("here", line, column)
    readers.check(readers.Case("sgf", text))


def test_boards_of_every_size_are_read() -> None:
    for size in range(2, 20):
        assert len(record(f"(;SZ[{size}])").stones) == size * size
    assert len(record("(;)").stones) == 361


def test_marks_are_those_of_the_last_node_of_the_main_line() -> None:
    assert record("(;SZ[2](;AB[aa]SQ[aa])(;W[bb]))").marked == "X..."
    assert record("(;SZ[2];B[aa];AB[bb])", options="move=0").stones == "...."


@pytest.mark.parametrize(("scoring", "score"), [("territory", Fraction(3, 2)), ("area", Fraction(15, 2))])
def test_komi_counts_always_and_prisoners_by_territory(scoring: str, score: Fraction) -> None:
    end = Endgame("x.xxxxxxx", "XbXXXXXXX", "x", Fraction(3, 2), 2, None, scoring)
    trees = Trees()
    (settled,) = end.components(trees)
    assert trees.numbers[settled] == score


def test_regions_are_made_once_for_all_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    end, trees = record(f"{BOARD}SQ[aa][ca])"), Trees()
    made = end.components(trees)
    monkeypatch.setattr(sgf, "components", None)
    assert end.components(trees) == made and len(made) == 2


@pytest.mark.parametrize("text", ["+-+(3,{|})", "+--(3,1)", "+-+3", "+-+(3)", "+_+2", "+-(3,1)", "+-+-(3,1)"])
def test_both_readers_take_a_list_right_after_the_sign_of_a_switch_alone(text: str) -> None:
    readers.check(readers.Case("cgt", text))
