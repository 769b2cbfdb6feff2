"""Texts of programs, read for the checker: what each place means, and where what is wrong with it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from zermelo.check.quantified import QuantifiedProgram
from zermelo.check.read import qlp
from zermelo.errors import InputError
from zermelo.source import Source


def read(text: str) -> QuantifiedProgram:
    return qlp.read(Source("qlp", text, "p.qlp"))


def text(
    rows: str = "", bounds: str = "", goal: str = "", order: str = "x y u", *, lists: str = "", own: str = ""
) -> str:
    """A program of x, y and u; x and y are between 0 and 9 unless bounds are stated."""
    bounds = bounds or "0 <= x <= 9\n0 <= y <= 9"
    return (
        f"MINIMIZE\n{goal}\nSUBJECT TO\n{rows}\nUNCERTAINTY SUBJECT TO\n{own}\nBOUNDS\n{bounds}\nGENERALS\nx y\n"
        f"BINARIES\nu\nEXISTS\nx y\nALL\nu\n{lists}ORDER\n{order}\nEND\n"
    )


def rows(stated: str) -> list[tuple[dict[int, Fraction], Fraction]]:
    return [(dict(row.terms), row.right) for row in read(text(stated)).rows]


ROWS = {
    "x + y <= 3": [({0: 1, 1: 1}, 3)],
    "a: x - y >= 3": [({0: -1, 1: 1}, -3)],
    " 1a : 2x=3 y": [({0: 2, 1: -3}, 0), ({0: -2, 1: 3}, 0)],
    "x + 1 <= 3 - y": [({0: 1, 1: 1}, 2)],
    "- - x + - 2*y <= - 1/2": [({0: 1, 1: -2}, Fraction(-1, 2))],
    "-x\n+ y\n\n- 3 <= 0": [({0: -1, 1: 1}, 3)],
    "a:\nx <= 1\nb: y\n<= 2": [({0: 1}, 1), ({1: 1}, 2)],
    "x + x - 3x <= 0.25": [({0: -1}, Fraction(1, 4))],
    "x - x <= 1": [({}, 1)],
    "2 * x + .5y + 3. <= 1e1": [({0: 2, 1: Fraction(1, 2)}, 7)],
    "1E-2x + 25e+1 y <= 2e0": [({0: Fraction(1, 100), 1: 250}, 2)],
    "x + 4 * y\t- 1.5 u <= +-+2": [({0: 1, 1: 4, 2: Fraction(-3, 2)}, -2)],
    "3 <= x": [({0: -1}, -3)],
    "x <= 007": [({0: 1}, 7)],
    "x <= 5 // y >= 2\n/* z\n */ y <= 1": [({0: 1}, 5), ({1: 1}, 1)],
}


@pytest.mark.parametrize("stated", ROWS)
def test_rows_say_what_they_say(stated: str) -> None:
    assert rows(stated) == ROWS[stated]


@pytest.mark.parametrize(
    ("goal", "terms", "constant"),
    [
        ("", {}, 0),
        ("x", {0: 1}, 0),
        ("cost: 2 x\n + 3", {0: 2}, 3),
        ("\n\ncost :\n- 1/2 y - 4 + 1", {1: Fraction(-1, 2)}, -3),
        ("cost:", {}, 0),
        ("5", {}, 5),
        ("x - 2 - x", {}, -2),
    ],
)
def test_the_objective_is_a_sum_over_any_number_of_lines(goal: str, terms: dict[int, int], constant: int) -> None:
    made = read(text(goal=goal))
    assert (dict(made.goal), made.constant, made.maximise) == (terms, constant, False)
    assert read(text(goal=goal).replace("MINIMIZE", " maximize ")).maximise


@pytest.mark.parametrize(
    ("bounds", "lower", "upper"),
    [
        ("0 <= x <= 4", 0, 4),
        ("4 >= x >= -2", -2, 4),
        ("x <= 4\nx >= 1", 1, 4),
        ("4 >= x\n\n1 <= x\n \t", 1, 4),
        ("- - -1 <= x <= 4", -1, 4),
        ("x = 3", 3, 3),
        ("3 = x", 3, 3),
        ("- - 1 <= x <= + 2e1", 1, 20),
        ("-3/2 <= x <= 5/2", -1, 2),
        ("-+3<=x<=--4.5", -3, 4),
    ],
)
def test_bounds_are_read_from_either_side(bounds: str, lower: int, upper: int) -> None:
    x, y, u = read(text(bounds=f"{bounds}\n0 <= y <= 9")).variables
    assert (x.lower, x.upper, y.lower, y.upper, u.lower, u.upper) == (lower, upper, 0, 9, 0, 1)
    assert (x.role, u.role, x.integer, u.integer, [v.name for v in (x, y, u)]) == (
        "exists", "forall", True, True, ["x", "y", "u"])  # fmt: skip


@pytest.mark.parametrize(
    ("bounds", "lower", "upper"),
    [
        ("-inf <= z <= inf", None, None),
        ("z <= Infinity\n-1 <= z", -1, None),
        ("z >= - INF\n2 >= z", None, 2),
        ("+inf >= z >= -3", -3, None),
        ("-5e-1 <= z <= 5e-1", Fraction(-1, 2), Fraction(1, 2)),
        ("z >= --1\nz <= - -inf", 1, None),
    ],
)
def test_a_continuous_variable_of_hers_may_have_no_bound(
    bounds: str, lower: Fraction | None, upper: Fraction | None
) -> None:
    (z,) = read(f"MINIMIZE\nBOUNDS\n{bounds}\nEXISTS\nz\nORDER\nz\nEND").variables
    assert (z.lower, z.upper, z.integer) == (lower, upper, False)


def test_a_binary_variable_may_have_bounds_within_0_and_1() -> None:
    for bounds, lower, upper in (("u <= 0", 0, 0), ("u >= 1", 1, 1), ("0 <= u <= 1", 0, 1), ("u = 1", 1, 1)):
        u = read(text(bounds=f"{bounds}\n0 <= x <= 9\n0 <= y <= 9")).variables[2]
        assert (u.lower, u.upper) == (lower, upper)


def test_rows_of_forall_are_those_named_for_him_and_those_of_his_section_in_this_order() -> None:
    made = read(text(" U_a: u <= 1\nu_b: u <= 2\nx <= 3\nU_: 2 u <= 4\nu <= 5", own="x1: u <= 6\nu <= 7"))
    assert [row.right for row in made.rows] == [2, 3, 5]
    assert [row.right for row in made.own] == [1, 4, 6, 7]


def test_keywords_are_read_in_capitals_or_not_and_sections_in_any_order() -> None:
    made = read("\n maximize \n x \nGeneral\ny\nbinary\nx\nall\n\nexists\nx y\norder\ny x\nbounds\n0<=y<=2\nend\n\n")
    assert [(v.name, v.upper) for v in made.variables] == [("y", 2), ("x", 1)]
    assert dict(made.goal) == {1: 1} and made.maximise
    assert read(text().replace("UNCERTAINTY SUBJECT TO", " uncertainty  Subject \t To ")) == read(text())


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_in_any_way(end: str) -> None:
    stated = "\ufeff" + text("a: x // no\n + y >= 1 /* two\nlines */\n").replace("\n", end)
    assert [dict(row.terms) for row in read(stated).rows] == [{0: -1, 1: -1}]


WRONG = {
    "nothing": ("", "1:1: expected MINIMIZE or MAXIMIZE alone on the first line"),
    "something first": ("\nx\nMINIMIZE\nORDER\nEND", "2:1: expected MINIMIZE or MAXIMIZE alone on the first line"),
    "another section first": ("\n\n ORDER\nMINIMIZE\nEND", "3:2: expected MINIMIZE or MAXIMIZE alone"),
    "no end": ("MINIMIZE\nORDER\nx", "2:6: expected END alone on the last line"),
    "no end behind a section": ("MINIMIZE\nORDER", "2:6: expected END alone on the last line"),
    "more behind the end": ("MINIMIZE\nORDER\nEND\n\nx", "3:4: expected END alone on the last line"),
    "two ends": ("MINIMIZE\nORDER\nEND\nEND", "3:1: END a second time"),
    "two objectives": ("MINIMIZE\nMAXIMIZE\nORDER\nEND", "2:1: MAXIMIZE a second time"),
    "two lists of integers": ("MINIMIZE\nGENERALS\nINTEGERS\nORDER\nEND", "3:1: INTEGERS a second time"),
    "no order": ("MINIMIZE\nEND", "1:1: there is no ORDER"),
    "a keyword of other letters": ("MİNIMIZE\nORDER\nEND", "1:1: expected MINIMIZE or MAXIMIZE"),
    "a keyword of letters without dots": ("mınımıze\nORDER\nEND", "1:1: expected MINIMIZE or MAXIMIZE"),
    "a long comment": ("MINIMIZE\r\n\rORDER\nEND /* x", "4: the comment is not closed, expected */"),
    "a short comment": ("/*/", "1: the comment is not closed, expected */"),
    "behind a comment": ("MINIMIZE\n/* a\nb */ z\nORDER\nEND", "3:6: expected a term"),
    "a control character": ("MINIMIZE\nORDER\nx\0\nEND", "3:2: control character '\\x00', expected a text file"),
    "a number as a name": (text(order="x y u 1"), "19:7: '1', expected the name of a variable"),
    "a point as a name": (text(order="x y u .a"), "19:7: '.a', expected the name of a variable"),
    "a sign in a name": (text(order="x y u a+b"), "19:7: 'a+b', expected the name of a variable"),
    "a keyword as a name": (text(order="x y u Subject"), "19:7: 'Subject', expected the name of a variable"),
    "infinity as a name": (text(order="x y u inFinity"), "19:7: 'inFinity', expected the name of a variable"),
    "an invisible name": (text(order="x y u a\u200b"), "19:7: 'a\\u200b', expected the name of a variable"),
    "a name twice": (text(order="x y u x"), "19:7: 'x', expected the name of a variable that is not there yet"),
    "two lists of integers beside others": (text(lists="GENERAL\n"), "18:1: GENERAL a second time"),
    "an integer that is not there": (text().replace("GENERALS\nx", "GENERALS\nz x"), "11:1: 'z' is not in ORDER"),
    "a variable of nobody": (text().replace("ALL\nu", "ALL\n"), "19:5: 'u' is not in one of EXISTS and ALL"),
    "a variable of both": (text().replace("ALL\nu", "ALL\nx u"), "19:1: 'x' is not in one of EXISTS and ALL"),
    "no upper bound": (text(bounds="x >= 0\n0 <= y <= 1"), "19:1: 'x' has not a lower and an upper bound"),
    "no lower bound": (text(bounds="x <= 0\n0 <= y <= 1"), "19:1: 'x' has not a lower and an upper bound"),
    "a binary above 1": (text(bounds="u <= 2\nx = 1\ny = 1"), "20:5: the binary variable 'u' has bounds beyond"),
    "a binary below 0": (text(bounds="u >= -1/2\nx = 1\ny = 1"), "20:5: the binary variable 'u' has bounds beyond"),
    "a boundless binary": (text(bounds="u >= -inf\nx = 1\ny = 1"), "20:5: the binary variable 'u' has bounds beyond"),
    "an endless binary": (text(bounds="u <= inf\nx = 1\ny = 1"), "20:5: the binary variable 'u' has bounds beyond"),
    "a bound of nothing": (text(bounds="0 <= 1"), "8:1: expected a bound: l <= x <= u"),
    "a bound of two": (text(bounds="x <= y"), "8:1: expected a bound: l <= x <= u"),
    "a bound of infinity": (text(bounds="inf <= 3"), "8:1: expected a bound: l <= x <= u"),
    "a bound at the end": (text(bounds="0 <= 1 <= x"), "8:1: expected a bound: l <= x <= u"),
    "a bound without relation": (text(bounds="x"), "8:1: expected a bound: l <= x <= u"),
    "four sides": (text(bounds="0 <= x <= 1 <= 2"), "8:1: expected a bound: l <= x <= u"),
    "an equation of three": (text(bounds="0 = x <= 1"), "8:1: expected a bound: l <= x <= u"),
    "a bound of a stranger": (text(bounds="0 <= z <= 1"), "8:1: 'z' has a bound but is not in ORDER"),
    "a lower bound twice": (text(bounds="0 <= x <= 1\nx >= 0"), "9:1: 'x' has that bound already"),
    "an upper bound twice": (text(bounds="0 <= x <= 1\nx = 1"), "9:1: 'x' has that bound already"),
    "two lower bounds": (text(bounds="0 <= x >= 1"), "8:1: 'x' has that bound already"),
    "nothing beyond": (text(bounds="x >= inf"), "8:1: expected a number for the bound of 'x', or inf above or -inf"),
    "nothing below": (text(bounds="-inf >= x"), "8:1: expected a number for the bound of 'x', or inf above or -inf"),
    "equal to infinity": (text(bounds="x = inf"), "8:1: expected a number for the bound of 'x', or inf above or -inf"),
    "a sum as a bound": (text(bounds="x <= 1 + 1"), "8:1: expected a number for the bound of 'x'"),
    "no number as a bound": (text(bounds="x <= 1e"), "8:1: expected a number for the bound of 'x'"),
    "only a sign as a bound": (text(bounds="x <= -"), "8:1: expected a number for the bound of 'x'"),
    "a row without relation": (text("x + y"), "4:1: the row has no relation"),
    "a named row without relation": (text("a: x\n\n"), "4:3: the row has no relation"),
    "a row within a row": (text("a: x\nb: y <= 1"), "5:1: a row begins, but the one before has no relation"),
    "two relations": (text("0 <= x <= 1"), "4:6: expected a term"),
    "no left side": (text("<= 1"), "4:1: expected a term"),
    "no right side": (text("x <= "), "4:5: expected a term"),
    "only a sign": (text("x + <= 1"), "4:4: expected a term"),
    "a stranger in a row": (text("x + z <= 1"), "4:5: expected a term"),
    "a stranger behind a number": (text("x + 2z <= 1"), "4:5: expected a term"),
    "two terms without a sign": (text("x y <= 1"), "4:1: expected a term"),
    "two stars": (text("2 ** x <= 1"), "4:1: expected a term"),
    "a star alone": (text("2 * <= 1"), "4:1: expected a term"),
    "a stranger in the objective": (text(goal="x\n- z"), "3:3: expected a term"),
    "a division by nothing": (text("1/0 x <= 1"), "4:1: the number '1/0' divides by 0"),
    "a long exponent": (text("x + 1e301 x <= 1"), "4:5: the number '1e301' is too long, expected at most 300 digits"),
    "an exponent of many digits": (text(f"1e{'9' * 5000} x <= 1"), f"4:1: the number '1e{'9' * 38}' is too long"),
    "a very long exponent": (text("1e-1000 x <= 1"), "4:1: the number '1e-1000' is too long"),
    "many digits": (text(f"x <= {'1' * 301}"), f"4:6: the number '{'1' * 40}' is too long"),
    "many decimals": (text(f"x <= 0.{'0' * 301}"), f"4:6: the number '0.{'0' * 38}' is too long"),
    "a long fraction": (text(f"x <= 1/{'2' * 301}"), f"4:6: the number '1/{'2' * 38}' is too long"),
    "a large number": (text("x <= 1e300"), "4:6: the number '1e300' has more than 300 digits"),
    "a small number": (text("x <= 0.1e-299"), "4:6: the number '0.1e-299' has more than 300 digits"),
    "a large sum": (text("9e299 x + 9e299 x <= 1"), " a number has more than 300 digits"),
    "no value": (text(bounds="2 <= x <= 1\ny = 0"), " variable x has no value from 2 to 1"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_told_with_its_place(what: str) -> None:
    stated, told = WRONG[what]
    with pytest.raises(InputError) as refused:
        read(stated)
    assert str(refused.value).startswith(f"p.qlp:{told}")


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("2e2 >= x + 1", "'2e2' is 2 times the variable e2, or the number 2e2"),
        ("2e2 >= 1 + x", "'2e2' is 2 times the variable e2, or the number 2e2"),
        ("2e+3 <= 1", "'2e' is 2 times the variable e, or the number 2e+3"),
    ],
)
def test_what_has_two_meanings_is_told_with_both(row: str, told: str) -> None:
    lists = "".join(f"{section}\nx e e2\n" for section in ("BINARIES", "EXISTS", "ORDER"))
    with pytest.raises(InputError) as refused:
        read(f"MINIMIZE\nSUBJECT TO\n{row}\n{lists}END")
    assert str(refused.value) == f"p.qlp:3:1: {told}"


@pytest.mark.parametrize(
    ("number", "value"),
    [
        ("9" * 300, Fraction(10**300 - 1)),
        ("1e299", Fraction(10**299)),
        ("1e-299", Fraction(1, 10**299)),
        ("0e300", Fraction(0)),
        ("1e0000300".replace("300", "299"), Fraction(10**299)),
        ("0." + "0" * 298 + "1", Fraction(1, 10**299)),
        ("1/" + "7" * 300, Fraction(1, int("7" * 300))),
    ],
)
def test_numbers_may_have_300_digits(number: str, value: Fraction) -> None:
    assert read(text(f"x <= {number}")).rows[0].right == value
