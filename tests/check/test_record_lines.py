"""Which line of a record of Go the checker reads, and records that are no tree."""

from __future__ import annotations

import pytest

from zermelo.check.read.sgf import record
from zermelo.errors import InputError

BRANCHED = "(;SZ[3];B[aa](;W[ba];B[ca])(;W[bb](;B[cb])(;B[cc](;W[ac])(;W[bc])))(;W[ab]))"


@pytest.mark.parametrize(
    ("options", "stones"),
    [
        ("", "xox......"),
        ("2", "xo......."),
        ("line=1", "xox......"),
        ("line=2", "x...ox..."),
        ("line=2/1", "x...ox..."),
        ("line=2/2", "x...o.o.x"),
        ("line=2/2/1", "x...o.o.x"),
        ("line=2/2/2", "x...o..ox"),
        ("line=3", "x..o....."),
        ("line=2/2/2,move=2", "x...o...."),
        ("line=2/2,move=3", "x...o...x"),
    ],
)
def test_a_line_is_chosen_bracket_by_bracket(options: str, stones: str) -> None:
    assert record(BRANCHED, "g.sgf", options).stones == stones


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("line=4", "there is no variation 4 at branching 1"),
        ("line=1/1", "there is no variation 1 at branching 2"),
        ("line=2/3", "there is no variation 3 at branching 2"),
        ("line=2/3/1", "there is no variation 3 at branching 2"),
        ("line=2/2/3", "there is no variation 3 at branching 3"),
        ("line=2/2/2/1", "there is no variation 1 at branching 4"),
    ],
)
def test_a_variation_that_is_not_there_is_named(options: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        record(BRANCHED, "g.sgf", options)
    assert str(refused.value) == f"g.sgf: {said}"


@pytest.mark.parametrize(
    "option", ["line=0", "line=", "line=2/", "line=2/0", "line=12345", "line=1/12345", "lines=2", "line=x"]
)
def test_a_line_is_numbers_from_one_on(option: str) -> None:
    with pytest.raises(InputError, match=rf"^g\.sgf:{option}: unknown option '{option}', expected move=30, line=2/1"):
        record(BRANCHED, "g.sgf", option)


def test_long_numbers_and_many_branchings_are_read() -> None:
    with pytest.raises(InputError, match="there is no variation 1234 at branching 1"):
        record(BRANCHED, "g.sgf", "line=1234/1234")


def test_a_record_without_branchings_has_no_variations() -> None:
    assert record("(;SZ[2];B[aa];W[bb])").stones == "x..o"
    assert record("(;SZ[2];B[aa](;W[bb]))", options="line=1").stones == "x..o"
    with pytest.raises(InputError, match="there is no variation 1 at branching 1"):
        record("(;SZ[2];B[aa];W[bb])", options="line=1")


def test_only_the_first_game_is_read_and_all_of_it_must_be_well_formed() -> None:
    assert record("(;SZ[2];B[aa])(;SZ[99").stones == "x..."
    assert record("(;SZ[2];B[aa](;W[ba])(;W[zz]))").stones == "xo.."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(;SZ[2]", "1:8: the record ends before its last bracket is closed, expected )"),
        ("(;SZ[2](;B[aa])(;W[bb])", "1:24: the record ends before its last bracket is closed, expected )"),
        ("(;SZ[2](B[aa]))", "1:9: property B outside of a node, expected ;"),
        ("(;SZ[2](()))", "1:9: unexpected '(' after '('"),
        ("(;SZ[2]())", "1:9: unexpected ')' after '('"),
        ("(;SZ[2](;B[aa]);W[bb])", "1:16: unexpected ';' after ')'"),
        ("(;SZ[2];[aa])", "1:9: a value without a property, expected a name such as B before it"),
        ("(;SZ[2];B;W[aa])", "1:10: a property without a value, expected ["),
        ("(;SZ[2](;B[aa])(;W[bb]X))", "1:24: a property without a value, expected ["),
        ("(;SZ[2](;B[aa])([bb]))", "1:17: a value without a property, expected a name such as B before it"),
    ],
)
def test_a_record_that_is_no_tree_is_refused_at_its_place(text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        record(text, "g.sgf")
    assert str(refused.value) == f"g.sgf:{said}"


def test_of_several_rules_the_first_counts() -> None:
    assert record("(;SZ[2]RU[Chinese][Japanese])").scoring == "area"
    assert record("(;SZ[2]RU[Japanese][Chinese])").scoring == "territory"


def test_a_record_may_say_that_it_is_one_of_go() -> None:
    assert record("(;GM[1]SZ[3];B[aa])", "g.sgf", "").stones == "x........"
    with pytest.raises(InputError, match="a record of game '2', expected Go, which is 1"):
        record("(;GM[2]SZ[3];B[aa])", "g.sgf", "")
