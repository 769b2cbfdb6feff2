"""Records: what is read, and where a mistake is said to be."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from zermelo.cgt.go.ground import BLACK, WHITE
from zermelo.cgt.go.record import parse_record, point_name, point_named, read_record
from zermelo.errors import InputError


def test_moves_and_captures_of_the_main_line() -> None:
    position = parse_record("(;SZ[3]KM[5.5];B[aa];W[ba];B[cc](;W[ab];B[ca])(;W[cb]))")
    assert position.stones == ".oxo....x"
    assert position.prisoners == -1
    assert position.komi == Fraction(11, 2)
    assert position.to_move == WHITE


def test_a_number_of_moves() -> None:
    text = "(;SZ[5]AB[aa];B[bb];W[cc];B[dd])"
    assert parse_record(text, move=0).stones.count("x") == 1
    assert parse_record(text, move=2).to_move == BLACK
    assert parse_record(text, move=3) == parse_record(text)


def test_point_lists_may_be_rectangles() -> None:
    assert parse_record("(;SZ[5]AB[aa:cb])").stones == "xxx..xxx" + "." * 17


def test_setup_may_empty_points() -> None:
    assert parse_record("(;SZ[2]AB[aa][bb];AE[aa])").stones == "...x"


def test_white_begins_with_handicap_stones_and_PL_overrides() -> None:
    assert parse_record("(;SZ[9]HA[2]AB[cc][gg])").to_move == WHITE
    assert parse_record("(;SZ[9]HA[2]AB[cc][gg]PL[B])").to_move == BLACK


def test_passes_are_moves() -> None:
    position = parse_record("(;SZ[9];B[];W[tt])")
    assert position.to_move == BLACK and position.moves == 2


def test_a_ko_may_not_be_retaken_at_once() -> None:
    ko = "(;SZ[4]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb]"
    position = parse_record(ko + ")")
    assert position.banned is not None and point_name(position.banned, 4) == "B3"
    with pytest.raises(InputError, match="retakes the ko"):
        parse_record(ko + ";W[bb])")
    assert parse_record(ko + ";W[ad];B[dd];W[bb])").stones[5] == "o"


def test_marks_of_the_last_node_are_kept() -> None:
    position = parse_record("(;SZ[3]AB[ba][ab][bb]AW[cc]TB[aa]SQ[bb][cc])")
    assert position.territory == {0: BLACK}
    assert position.safe == {4, 8}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "r.sgf:1:1: no game record, expected (;"),
        ("(;SZ[9]\n;B[ee]\n;W[ee])", "r.sgf:3:3: White plays at E5, where a stone stands, expected an empty point"),
        ("(;SZ[2]AB[ba][ab];W[aa])", "r.sgf:1:20: White plays at A2, which is suicide, expected a move that leaves"),
        ("(;SZ[9]\n  ;B[jj])", "r.sgf:2:5: B[jj] is no point of this board, expected aa to ii or a pass"),
        ("(;SZ[9];B[e])", "r.sgf:1:10: B[e] is no point of this board"),
        ("(;SZ[9]AB[aa][zz])", "r.sgf:1:14: AB[zz] is no point of this board, expected aa to ii"),
        ("(;SZ[9];B[ee]", "r.sgf:1:1: this ( is never closed, expected )"),
        ("(;SZ[9];B[ee", "r.sgf:1:10: this [ is never closed, expected ]"),
        ("(;SZ[9];B)", "r.sgf:1:10: property B has no value, expected ["),
        ("(;[aa])", "r.sgf:1:3: a value without a property"),
        ("(;SZ[9]!)", "r.sgf:1:8: unexpected '!', expected a property, a value, ;, ( or )"),
        ("(;SZ[9](B[aa]))", "r.sgf:1:9: property B outside of a node, expected ;"),
        ("(;SZ[9]())", "r.sgf:1:9: unexpected ')', expected ; after ("),
        ("(;SZ[9](;B[aa]);W[bb])", "r.sgf:1:16: a node after a variation, expected ( or )"),
        ("(;SZ[20])", "r.sgf:1:5: board size '20', expected 2 to 19"),
        ("(;SZ[9]SZ[13];B[aa])", "r.sgf:1:10: SZ has a second value, expected one in a node"),
        ("(;SZ[9][13];B[aa])", "r.sgf:1:8: SZ has a second value, expected one in a node"),
        ("(;KM[1]KM[2])", "r.sgf:1:10: KM has a second value, expected one in a node"),
        ("(;SZ[5];PL[B]PL[W])", "r.sgf:1:16: PL has a second value, expected one in a node"),
        ("(;SZ[00099])", "r.sgf:1:5: board size '00099', expected 2 to 19"),
        ("(\u00a0;SZ[9])", "r.sgf:1:1: no game record, expected (;"),
        ("(;SZ[9:7])", "r.sgf:1:5: board size '9:7', expected 2 to 19"),
        ("(;GM[2])", "r.sgf:1:5: a record of game '2', expected Go, which is 1"),
        ("(;SZ[9]KM[six])", "r.sgf:1:10: komi 'six', expected a number such as 6.5"),
        ("(;SZ[9]KM[Infinity])", "r.sgf:1:10: komi 'Infinity', expected a number such as 6.5"),
        ("(;SZ[9]KM[1e999999])", "r.sgf:1:10: komi '1e999999', expected a number such as 6.5"),
        ("(;SZ[9]KM[1e999999999])", "r.sgf:1:10: komi '1e999999999', expected a number such as 6.5"),
        ("(;SZ[9]KM[1e-999999999])", "r.sgf:1:10: komi '1e-999999999', expected a number such as 6.5"),
        ("(;SZ[9]HA[-2])", "r.sgf:1:10: handicap '-2', expected a number of stones"),
        ("(;SZ[9]PL[x])", "r.sgf:1:10: player 'x', expected B or W"),
        ("(;SZ[9];B[aa]W[bb])", "r.sgf:1:15: a second move in one node, expected a new node"),
        ("(;SZ[9];B[aa][bb])", "r.sgf:1:14: B has a second value, expected one move in a node"),
        ("(;SZ[9]AB[aa]AW[aa])", "r.sgf:1:16: A9 is set up by AB and by AW, expected one of them"),
        ("(;SZ[2]AB[aa]AW[ab][ba])", "r.sgf:1:10: stones without a liberty are set up at A2"),
        ("(;SZ[3]SQ[aa])", "r.sgf:1:10: no stone at A3 to be marked as safe"),
        ("(;SZ[3]TB[aa])", "r.sgf:1:10: territory at A3 is open towards B3"),
        ("(;SZ[3]TB[aa]TW[aa])", "r.sgf:1:16: A3 is marked for both sides"),
        ("(;SZ[3]AB[aa]TB[aa])", "r.sgf:1:16: a stone of the owner's stands at A3"),
    ],
)
def test_a_mistake_is_located(text: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_record(text, "r.sgf")
    assert str(caught.value).startswith(complaint)


def test_a_move_beyond_the_end() -> None:
    with pytest.raises(InputError, match="move 7 is asked for, the line has 1"):
        parse_record("(;SZ[9];B[aa])", move=7)
    with pytest.raises(InputError, match="expected 0 or more"):
        parse_record("(;SZ[9];B[aa])", move=-1)


def test_deep_nesting_is_no_problem() -> None:
    deep = "(;SZ[9]" + "(;C[x]" * 20_000 + ")" * 20_001
    assert parse_record(deep).moves == 0


def test_binary_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.sgf"
    file.write_bytes(b"\0\xff")
    with pytest.raises(InputError, match="expected text"):
        read_record(file)


@pytest.mark.parametrize("size", [2, 9, 19])
def test_names_of_points(size: int) -> None:
    assert [point_named(point_name(point, size), size) for point in range(size**2)] == list(range(size**2))


def test_further_stones_give_the_position_that_the_record_would_with_them() -> None:
    whole = parse_record("(;SZ[5];B[bb];W[cb];B[cc];W[dd];B[db];W[];B[ca])")
    later = parse_record("(;SZ[5];B[bb];W[cb])").after("c3 D2 d4 pass C5")
    assert later.stones == whole.stones
    assert (later.to_move, later.prisoners, later.moves, later.last) == (
        whole.to_move,
        whole.prisoners,
        whole.moves,
        whole.last,
    )


@pytest.mark.parametrize(
    ("moves", "complaint"),
    [
        ("B4", "move 1 ('B4'): Black plays at B4, where a stone stands"),
        ("A5 Z9", "move 2 ('Z9'): no point 'Z9'"),
    ],
)
def test_further_stones_are_held_to_the_rules(moves: str, complaint: str) -> None:
    with pytest.raises(InputError) as error:
        parse_record("(;SZ[5];B[bb];W[cb])").after(moves)
    assert complaint in str(error.value)


def test_a_ko_may_not_be_retaken_at_once_by_further_stones() -> None:
    ko = parse_record("(;SZ[4]AB[ba][ab][bc]AW[ca][db][cc][bb])")
    after = ko.after("C3")
    assert after.prisoners == 1
    with pytest.raises(InputError, match="retakes the ko"):
        after.after("B3")
    assert after.after("A1 D1 B3").prisoners == 0
