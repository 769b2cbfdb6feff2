"""Yasol's format: what is read, what is refused and where, and that writing is the inverse of reading."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.qip.randomprograms import random_program
from zermelo.errors import InputError
from zermelo.qip.formats.qlp import number_text, parse_qlp, read_qlp, write_qlp
from zermelo.qip.game import ProgramGame
from zermelo.qip.programs.program import Objective, Program, Relation, Row, Sense, Variable, terms
from zermelo.solving import solve_game

TAIL = """BOUNDS
-1 <= x <= 3
GENERALS
x
BINARIES
u v y
EXISTS
x y
ALL
u v
ORDER
x u v y
END
"""


def small(rows: str = "", objective: str = "", uncertainty: str = "") -> Program:
    """A program over the variables x, u, v, y in this order."""
    more = f"UNCERTAINTY SUBJECT TO\n{uncertainty}\n" if uncertainty else ""
    return parse_qlp(f"MINIMIZE\n{objective}\nSUBJECT TO\n{rows}\n{more}{TAIL}", "small.qlp")


def only_row(text: str) -> Row:
    (row,) = small(text).rows
    return row


X, U, V, Y = range(4)


def test_a_program_has_its_variables_in_the_order_of_the_prefix() -> None:
    assert small().variables == (
        Variable("x", "exists", Fraction(-1), Fraction(3)),
        Variable("u", "forall"),
        Variable("v", "forall"),
        Variable("y", "exists"),
    )


def test_the_name_of_a_program_is_that_of_its_file() -> None:
    assert small().name == "small"


def test_an_objective_may_have_a_name_a_constant_and_several_lines() -> None:
    objective = small(objective="cost:\n 3 x + 2\n y\n - 4\n").objective
    assert objective == Objective("min", terms({X: 3, Y: 2}), Fraction(-4))


def test_no_objective_is_the_constant_zero() -> None:
    assert small().objective == Objective()


def test_a_row_ends_on_the_line_that_holds_its_relation() -> None:
    rows = small("x\n + y\n<= 1\nsecond: u + y >= 1\nthird:\nx = 2").rows
    assert [(row.name, str(row)) for row in rows] == [
        ("", "1*#0 + 1*#3 <= 1"),
        ("second", "1*#1 + 1*#3 >= 1"),
        ("third", "1*#0 = 2"),
    ]


@pytest.mark.parametrize(
    ("text", "form", "right"),
    [
        ("x - y <= - 1", {X: 1, Y: -1}, -1),
        ("+32x+100.000000y<=25", {X: 32, Y: 100}, 25),
        ("2 * x + 3*y <= 1", {X: 2, Y: 3}, 1),
        ("- -x <= + - 2", {X: 1}, -2),
        ("x + 1 <= y + 3", {X: 1, Y: -1}, 2),
        ("3 <= x", {X: -1}, -3),
        ("x + y + 2 x <= 0", {X: 3, Y: 1}, 0),
        ("x - x <= 4", {}, 4),
        ("0 x + y <= 1", {Y: 1}, 1),
        ("0 <= 1", {}, 1),
        ("1/3x + 2.5e-1 y <= .5", {X: Fraction(1, 3), Y: Fraction(1, 4)}, Fraction(1, 2)),
        ("1e+2x + 3e1 <= 5.", {X: 100}, -25),
        ("0.1 x <= 0.30000000000000000001", {X: Fraction(1, 10)}, Fraction(3 * 10**19 + 1, 10**20)),
    ],
)
def test_expressions_are_exact_sums(text: str, form: dict[int, Fraction | int], right: Fraction | int) -> None:
    assert only_row(text) == Row(terms(form), "<=", Fraction(right))


def test_names_may_begin_where_a_number_ends() -> None:
    text = "MINIMIZE\n60.00000C2. + 2e_1 + 3e1x + 4 e2\nBINARY\nC2. e_1 e1x e2\nEXISTS\nC2. e_1 e1x e2\n"
    program = parse_qlp(text + "ORDER\nC2. e_1 e1x e2\nEND")
    assert program.objective.terms == terms({0: 60, 1: 2, 2: 3, 3: 4})


def with_names(names: str, objective: str = "", rows: str = "", bounds: str = "") -> Program:
    """A program over binary variables with these names."""
    lists = "".join(f"{section}\n{names}\n" for section in ("BINARIES", "EXISTS", "ORDER"))
    return parse_qlp(f"MINIMIZE\n{objective}\nSUBJECT TO\n{rows}\nBOUNDS\n{bounds}\n{lists}END", "glued.qlp")


@pytest.mark.parametrize(
    ("names", "text", "form", "right"),
    [
        ("e1 e2", "1e1 + 2e2 <= 5", {0: 1, 1: 2}, 5),
        ("x", "2e2 <= 1", {}, -199),
        ("x", "x + 2e2 <= 5", {0: 1}, -195),
        ("x", "2e2x <= 5", {0: 200}, 5),
        ("x e2x", "2e2 x <= 5", {0: 200}, 5),
        ("x e2", "2e2*x <= 5", {0: 200}, 5),
        ("x e2", "2e2\n x <= 5", {0: 200}, 5),
        ("x e2", "2 e2 + x <= 5", {0: 1, 1: 2}, 5),
        ("e2x", "2e2x <= 5", {0: 2}, 5),
        ("e2e2", "2e2e2 <= 5", {0: 2}, 5),
        ("e2", "2e2e2 <= 5", {0: 200}, 5),
        ("E5", "1E5 <= 5", {0: 1}, 5),
        ("E5", "1e5 <= 5", {}, 5 - 10**5),
        ("e", "2e + 3 <= 5", {0: 2}, 2),
        ("e", "2e - 3 <= 5", {0: 2}, 8),
        ("e", "2e+.5 <= 5", {0: 2}, Fraction(9, 2)),
        ("e x", "2e+3/4x <= 5", {0: 2, 1: Fraction(3, 4)}, 5),
        ("e x", "2e+ 3x <= 5", {0: 2, 1: 3}, 5),
        ("x", "2e+3x <= 5", {0: 2000}, 5),
        ("x", "2e-3 x <= 5", {0: Fraction(2, 1000)}, 5),
        ("x1", "0x1 <= 5", {}, 5),
        ("e3", "1/2e3 <= 5", {0: Fraction(1, 2)}, 5),
        ("e2", "2.e2 + .5e2 <= 5", {0: Fraction(5, 2)}, 5),
        ("x", "x <= 2e2", {0: 1}, 200),
        ("e1 x", "x <= 2e2", {1: 1}, 200),
        ("e2 x", "x <= 2 e2", {0: -2, 1: 1}, 0),
    ],
)
def test_a_number_is_split_where_the_rest_is_a_variable(
    names: str, text: str, form: dict[int, Fraction | int], right: Fraction | int
) -> None:
    assert with_names(names, rows=text).rows == (Row(terms(form), "<=", Fraction(right)),)


def test_the_objective_is_a_sum_of_terms_too() -> None:
    objective = with_names("e1 e2 x", objective="1e1 + 2e2 - 3e3\n + 2e2 x").objective
    assert objective == Objective("min", terms({0: 1, 1: 2, 2: 200}), Fraction(-3000))


def test_a_bound_is_a_number_whatever_the_variables_are_called() -> None:
    assert with_names("e e2", bounds="0e2 <= e2 <= 1e0\ne <= 10e-1").variables == (Variable("e"), Variable("e2"))


@pytest.mark.parametrize(
    ("names", "row", "place", "message"),
    [
        ("x e2", "x <= 2e2", "4:6", "'2e2' is 2 times the variable 'e2', or the number 2e2"),
        ("x e2", "2e2 >= x", "4:1", "'2e2' is 2 times the variable 'e2', or the number 2e2"),
        ("x e5x", "1e5x <= 1", "4:1", "'1e5x' is 1 times the variable 'e5x', or 1e5 times the variable 'x'"),
        ("x e", "2e+3x <= 1", "4:1", "'2e+3x' is 2 times the variable 'e' and more, or 2e+3 times the variable 'x'"),
        ("x e", "2e-3 x <= 1", "4:1", "'2e-3' is 2 times the variable 'e' and more, or the number 2e-3"),
        ("x E", "x <= 2E-3", "4:6", "'2E-3' is 2 times the variable 'E' and more, or the number 2E-3"),
    ],
)
def test_what_can_be_read_in_two_ways_is_refused_with_both(names: str, row: str, place: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        with_names(names, rows=row)
    assert str(error.value) == f"glued.qlp:{place}: {message}, expected a blank or * after the number"


@pytest.mark.parametrize("row", ["0zz + x <= 1", "zz - zz + x <= 1", "x <= 2e2x3", "0x1F + x <= 1"])
def test_a_name_that_is_no_variable_is_refused_whatever_its_coefficient(row: str) -> None:
    with pytest.raises(InputError, match="is not declared, expected it in ORDER"):
        with_names("x", rows=row)


def test_only_letters_of_ascii_make_a_keyword() -> None:
    """The capital of the long s is an S, that of the dotless i an I."""
    with pytest.raises(InputError, match="expected MINIMIZE or MAXIMIZE alone on its line"):
        parse_qlp("m\u0131n\u0131m\u0131ze\nORDER\nEND")
    assert with_names("\u0131nf or\u017fer").variables[0].name == "\u0131nf"


def test_keywords_are_read_in_any_case_and_line_ends_of_any_kind() -> None:
    text = "maximize\r\n x\r\nSubject  To\r\n x <= 1\r\nbinary\r\nx\r\nexists\r\nx\r\norder\r\nx\r\nend"
    program = parse_qlp(text)
    assert (program.objective.sense, len(program.rows), program.variables[0].name) == ("max", 1, "x")


def test_comments_are_of_three_kinds() -> None:
    assert only_row("/* x <= 0\n y <= 0 */ x // + y\n \\ <= 7\n <= 2") == Row(terms({X: 1}), "<=", Fraction(2))


def test_a_keyword_may_have_a_long_comment_beside_it() -> None:
    assert parse_qlp(f"MINIMIZE // {'x' * 300}\nORDER\nEND \\ {'y' * 300}\r") == Program(())


def test_a_comment_ends_with_its_line_however_lines_end() -> None:
    assert parse_qlp("MINIMIZE // nothing\rORDER\rEND") == Program(())


def test_a_binary_variable_may_be_called_an_integer_as_well() -> None:
    text = "MINIMIZE\nINTEGERS\nb\nBINARIES\nb\nEXISTS\nb\nORDER\nb\nEND"
    assert parse_qlp(text).variables == (Variable("b"),)


def test_the_universal_player_has_rows_of_his_own() -> None:
    program = small("x <= 1", uncertainty="u + v <= 1")
    assert (len(program.rows), program.uncertainty) == (1, (Row(terms({U: 1, V: 1}), "<=", Fraction(1)),))


def test_the_old_spelling_of_his_rows_is_a_name() -> None:
    program = small("U_1: u + v <= 1\nx <= 1")
    assert [row.name for row in program.uncertainty] == ["U_1"]
    assert len(program.rows) == 1


def test_such_names_keep_their_meaning_beside_a_section_for_his_rows() -> None:
    program = small("U_1: u + v <= 1\nx <= 1\nU_2: v <= 1", uncertainty="u >= 0\nlast: v >= 0")
    assert [row.name for row in program.rows] == [""]
    assert [row.name for row in program.uncertainty] == ["U_1", "U_2", "", "last"]
    assert parse_qlp(write_qlp(program)) == program


def test_a_program_in_which_only_the_names_say_whose_rows_they_are_has_their_value() -> None:
    """The universal player may not set u and v both, so one of x and y is enough; else no value of x would do."""
    rows = "enough: x + y >= u + v\nU_1: u + v <= 1"
    for section in ("", "UNCERTAINTY SUBJECT TO\n", "UNCERTAINTY SUBJECT TO\nu >= 0\n"):
        text = f"MINIMIZE\n19 x + 50 y\nSUBJECT TO\n{rows}\n{section}{TAIL}"
        assert solve_game(ProgramGame(parse_qlp(text))).value == 19


def test_a_row_of_exists_is_not_written_under_a_name_that_makes_it_his() -> None:
    program = Program((Variable("u", "forall"),), (Row(terms({0: 1}), "<=", Fraction(1), "U_1"),))
    with pytest.raises(InputError, match="row 'U_1': expected another name"):
        write_qlp(program)


@pytest.mark.parametrize(
    ("bound", "lower", "upper"),
    [
        ("-inf <= z <= inf", None, None),
        ("z >= - INFINITY\nz <= 2.5", None, Fraction(5, 2)),
        ("3 >= z\n1 <= z", 1, 3),
        ("4 >= z >= -4", -4, 4),
        ("z = 2", 2, 2),
        ("-0.5<=z<=+inf", Fraction(-1, 2), None),
    ],
)
def test_bounds_come_in_many_forms(bound: str, lower: Fraction | None, upper: Fraction | None) -> None:
    variable = parse_qlp(f"MINIMIZE\nBOUNDS\n{bound}\nEXISTS\nz\nORDER\nz\nEND").variables[0]
    assert variable == Variable("z", "exists", lower, upper, integer=False)


def test_a_binary_variable_needs_no_bounds_and_may_be_fixed() -> None:
    text = "MINIMIZE\nBOUNDS\nb = 1\nBINARIES\na b\nEXISTS\na b\nORDER\na b\nEND"
    assert [(v.lower, v.upper) for v in parse_qlp(text).variables] == [(0, 1), (1, 1)]


ROWS = "MINIMIZE\nSUBJECT TO\n"


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", "1:1", "an empty file, expected MINIMIZE or MAXIMIZE"),
        ("hello", "1:1", "found 'hello', expected MINIMIZE or MAXIMIZE alone on its line"),
        ("MINIMIZE x\nEND", "1:1", "found 'MINIMIZE x', expected MINIMIZE or MAXIMIZE alone on its line"),
        ("MINIMIZE\nORDER\n", "2:1", "the file ends without END, expected it alone on the last line"),
        ("MINIMIZE\nMAXIMIZE\nEND", "2:1", "the objective a second time, first on line 1, expected it once"),
        ("MINIMIZE\nORDER\nEND\n x", "4:2", "found 'x' after END, expected nothing more"),
        ("MINIMIZE\nEND", "2:1", "there is no ORDER, expected it with all variables"),
        ("MINIMIZE\n/* x\nEND", "2:1", "the comment is not closed, expected */"),
        ("MINIMIZE\nx <= 1\nEND", "2:3", "found '<=', expected SUBJECT TO alone on a line before the rows"),
        (f"{ROWS}x + y\nBOUNDS\nEND", "3:1", "the row has no relation, expected <=, >= or = and a number"),
        (f"{ROWS}a:\nBOUNDS\nEND", "3:1", "the row has no relation, expected <=, >= or = and a number"),
        (
            f"{ROWS}x\nb: y <= 1\nEND",
            "4:1",
            "a row begins here, but the one before it, from line 3, has no <=, >= or =",
        ),
        (f"{ROWS}x <=\n1\nEND", "3:3", "nothing after <=, expected a number on the same line"),
        (f"{ROWS}<= 1\nEND", "3:1", "found '<=', expected an expression before it"),
        (f"{ROWS}0 <= x <= 1\nEND", "3:8", "found '<=', expected one relation in a row"),
        (f"{ROWS}x < 1 <= 2\nEND", "3:3", "found '<', expected + or - before the next term, or a relation"),
        (f"{ROWS}x y <= 1\nEND", "3:3", "found 'y', expected + or - before the next term, or a relation"),
        (f"{ROWS}2 3 x <= 1\nEND", "3:3", "found '3', expected + or - before the next term, or a relation"),
        (f"{ROWS}x - <= 1\nEND", "3:3", "nothing after -, expected a term"),
        (f"{ROWS}2 * <= 1\nEND", "3:3", "nothing after *, expected a term"),
        (f"{ROWS}x ^ 2 <= 1\nEND", "3:3", "found '^', expected + or - before the next term, or a relation"),
        (f"{ROWS}1e400 x <= 1\nEND", "3:1", "the number '1e400' is too long, expected at most 300 digits"),
        (
            f"{ROWS}x <= 1e99999999999\nEND",
            "3:6",
            "the number '1e99999999999' is too long, expected at most 300 digits",
        ),
        (f"{ROWS}x <= 1e-400\nEND", "3:6", "the number '1e-400' is too long, expected at most 300 digits"),
        (f"{ROWS}1/0 x <= 1\nEND", "3:1", "the number '1/0' divides by 0"),
        (f"{ROWS}x + zz <= 1\n{TAIL}", "3:5", "variable 'zz' is not declared, expected it in ORDER"),
        (f"MINIMIZE\n\n 2 q\n{TAIL}", "3:4", "variable 'q' is not declared, expected it in ORDER"),
        (
            f"{ROWS}UNCERTAINTY SUBJECT TO\nu + y <= 1\n{TAIL}",
            "4:5",
            "the existential variable y is in the uncertainty row number 1, expected universal variables only",
        ),
        (
            f"{ROWS}U_7: u + y <= 1\n{TAIL}",
            "3:10",
            "the existential variable y is in the uncertainty row U_7, expected universal variables only",
        ),
    ],
)
def test_what_is_wrong_with_a_text_is_said_with_its_place(text: str, place: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_qlp(text, "wrong.qlp")
    assert str(error.value) == f"wrong.qlp:{place}: {message}"


def declared(bounds: str = "", lists: str = "BINARIES\nx u\n", rest: str = "EXISTS\nx\nALL\nu\nORDER\nx u\n") -> str:
    return f"MINIMIZE\nBOUNDS\n{bounds}\n{lists}{rest}END"


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (declared(rest="EXISTS\nx\nALL\nu\nORDER\nu\n"), "7:1", "variable 'x' is in EXISTS but not in ORDER"),
        (declared(rest="EXISTS\nx\nORDER\nx\n"), "5:3", "variable 'u' is in BINARIES but not in ORDER"),
        (declared(rest="EXISTS\nx\nORDER\nx u\n"), "9:3", "variable 'u' is in no EXISTS and no ALL, expected one"),
        (
            declared(rest="EXISTS\nx u\nALL\nu\nORDER\nu x\n"),
            "9:1",
            "variable 'u' is in ALL and in EXISTS, on line 7, expected one",
        ),
        (declared(rest="EXISTS\nx\nALL\nu\nORDER\nx u x\n"), "11:5", "variable 'x' is in ORDER already, on line 11"),
        (declared("2 <= z <= 3"), "3:6", "variable 'z' has a bound but is not in ORDER"),
        (declared("x >= 0\nx >= 0"), "4:3", "variable 'x' has a lower bound already, expected one"),
        (declared("0 <= x <= 2"), "3:8", "the binary variable 'x' has bounds beyond 0 and 1"),
        (declared("x <= y <= 2"), "3:1", "found 'x <= y <= 2', expected a bound: l <= x <= u, x <= u, x >= l or x = v"),
        (declared("0 = x <= 2"), "3:3", "found '=', expected <= or >= between a variable and two bounds"),
        (declared("x <= 2 2"), "3:8", "found '2', expected one number on either side of the variable"),
        (declared("x <= -"), "3:3", "found '<=', expected a number on either side of it"),
        (declared("inf <= x <= 2"), "3:5", "the lower bound of 'x' is inf, expected less"),
        (declared(lists="BINARIES\nx\n"), "11:3", "variable 'u' has no bounds, expected LOWER <= u <= UPPER in BOUNDS"),
        (
            declared("u <= 3", lists="BINARIES\nx\n"),
            "3:3",
            "variable 'u' has no lower bound, expected LOWER <= u <= UPPER in BOUNDS",
        ),
        (
            declared("3 <= u <= 2", lists="BINARIES\nx\n"),
            "3:8",
            "variable u lies between 3 and 2, expected the lower bound first",
        ),
        (
            declared("0 <= u <= inf", lists="GENERALS\nu\nBINARIES\nx\n"),
            "3:8",
            "the universal variable u has no upper bound, expected a number; "
            "only existential continuous variables may be unbounded",
        ),
        (
            declared("0 <= u <= 1", lists="BINARIES\nx\n"),
            "11:3",
            "the universal variable u is continuous, "
            "expected an integer one beside integer existential variables such as x",
        ),
        (declared(lists="BINARIES\nx u 2z\n"), "5:5", "found '2z', expected the name of a variable"),
        (
            "MINIMIZE\nBINARIES\ninf\nEXISTS\ninf\nORDER\ninf\nEND",
            "7:1",
            "found 'inf', expected a name that is no keyword",
        ),
    ],
)
def test_what_is_wrong_with_the_declarations_is_said_with_its_place(text: str, place: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_qlp(text, "wrong.qlp")
    assert str(error.value) == f"wrong.qlp:{place}: {message}"


def test_a_huge_sum_is_refused_before_it_grows() -> None:
    primes = " + ".join(f"1/{10**40 + n} x" for n in range(1, 200, 2))
    with pytest.raises(InputError, match="the coefficients of 'x' add up to more than 300 digits"):
        small(f"{primes} <= 1")


def test_reading_what_was_written_gives_the_same_program() -> None:
    chance = Random(5)
    for _ in range(300):
        program = random_program(chance)
        text = write_qlp(program)
        assert parse_qlp(text) == program
        assert write_qlp(parse_qlp(text)) == text


NAMES = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=4)
NUMBERS = st.fractions() | st.integers(-9, 9).map(Fraction) | st.decimals(-99, 99, places=3).map(Fraction)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Linear programs: continuous and integer variables, missing bounds, odd names."""
    variables = []
    for number in range(draw(st.integers(0, 4))):
        lower, upper = sorted([draw(NUMBERS), draw(NUMBERS)])
        if draw(st.booleans()):
            variables.append(Variable(f"x{number}.[a]", "forall", lower, upper, integer=False))
        else:
            low = draw(st.sampled_from([lower, None]))
            variables.append(Variable(f"e{number}", "exists", low, draw(st.sampled_from([upper, None])), integer=False))
    forms = st.dictionaries(st.integers(0, len(variables) - 1), NUMBERS) if variables else st.just({})
    relations: st.SearchStrategy[Relation] = st.sampled_from(["<=", ">=", "="])
    rows = tuple(
        Row(terms(draw(forms)), draw(relations), draw(NUMBERS), draw(st.sampled_from(["", "row", "u_1", "7", "2e"])))
        for _ in range(draw(st.integers(0, 3)))
    )
    senses: st.SearchStrategy[Sense] = st.sampled_from(["min", "max"])
    return Program(tuple(variables), rows, Objective(draw(senses), terms(draw(forms)), draw(NUMBERS)))


@given(programs())
def test_reading_is_the_inverse_of_writing(program: Program) -> None:
    text = write_qlp(program)
    assert parse_qlp(text) == program
    assert write_qlp(parse_qlp(text)) == text


@given(NAMES)
def test_every_name_is_kept_or_refused(name: str) -> None:
    program = Program((Variable(name),), (Row(terms({0: 1}), "<=", Fraction(1)),))
    try:
        text = write_qlp(program)
    except InputError as error:
        assert "expected a name" in str(error)
    else:
        assert parse_qlp(text) == program


PIECES = st.sampled_from([*"x12.e/+-*<>=:\n \\", "SUBJECT TO\n", "BOUNDS\n", "ORDER\n", "END\n"])


@given(st.lists(PIECES).map("".join))
def test_no_text_makes_the_reader_fail_but_by_an_input_error(text: str) -> None:
    try:
        parse_qlp(f"MINIMIZE\n{text}")
    except InputError as error:
        assert error.line is not None
    else:
        assert text.rstrip().endswith("END")


@given(NUMBERS)
def test_numbers_are_written_exactly(number: Fraction) -> None:
    assert Fraction(number_text(number)) == number


def test_a_file_is_read_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "small.qlp"
    path.write_text(write_qlp(small("x + y <= 1")))
    assert read_qlp(path) == small("x + y <= 1")


def test_a_directory_is_no_program(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a directory, expected a file with a program"):
        read_qlp(tmp_path)


def corpus() -> list[Path]:
    return sorted((Path(os.environ.get("ZERMELO_CORPUS", "no corpus")) / "qip").glob("*.qlp"))


@pytest.mark.skipif(not corpus(), reason="needs the corpus")
def test_public_programs_are_read_and_kept_by_writing() -> None:
    for path in corpus():
        program = read_qlp(path)
        assert program.variables, path
        assert parse_qlp(write_qlp(program)) == program, path
