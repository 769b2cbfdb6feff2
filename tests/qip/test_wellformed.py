"""What a program must be, said of programs that were made in Python."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from tests.qip.randomprograms import random_program
from zermelo.errors import InputError
from zermelo.qip.programs.program import Objective, Program, Row, Variable, terms
from zermelo.qip.programs.wellformed import fault, need_wellformed

X, U = Variable("x"), Variable("u", "forall")
REAL = Variable("c", integer=False)
HUGE = Fraction(10**300)


def test_random_programs_are_well_formed() -> None:
    chance = Random(4)
    assert all(fault(random_program(chance)) is None for _ in range(300))


def anything(value: Any) -> Any:
    """A value of a type that a program does not have, which only a caller without a type checker can pass."""
    return value


WRONG: list[tuple[Program, str]] = [
    (Program((X, X)), "two variables are called x, expected a name for each"),
    (Program((Variable(""),)), "variable number 0 has no name"),
    (
        Program((Variable("x", lower=Fraction(2), upper=Fraction(1)),)),
        "variable x lies between 2 and 1, expected the lower bound first",
    ),
    (
        Program((Variable("x", lower=Fraction(1, 3), upper=Fraction(1, 2)),)),
        "there is no whole number between 1/3 and 1/2, expected one for the integer variable x",
    ),
    (
        Program((Variable("x", upper=None),)),
        "the integer variable x has no upper bound, expected a number; "
        "only existential continuous variables may be unbounded",
    ),
    (
        Program((Variable("u", "forall", None, integer=False),)),
        "the universal variable u has no lower bound, expected a number; "
        "only existential continuous variables may be unbounded",
    ),
    (Program((Variable("x", upper=HUGE),)), "the upper bound of x has more than 300 digits"),
    (
        Program((Variable("x", upper=anything(0.5)),)),
        "the upper bound of x is the float 0.5, expected an int or a Fraction",
    ),
    (
        Program((Variable("u", "forall", integer=False), X)),
        "the universal variable u is continuous, "
        "expected an integer one beside integer existential variables such as x",
    ),
    (
        Program((REAL, U, X)),
        "the continuous variable c is not in the last block, "
        "expected it there beside integer existential variables such as x",
    ),
    (
        Program((X, REAL, U)),
        "the continuous variable c is not in the last block, "
        "expected it there beside integer existential variables such as x",
    ),
    (
        Program((X,), (Row(((1, Fraction(1)),), "<=", Fraction(0)),)),
        "row number 1 has a term of variable number 1, expected 0 to 0",
    ),
    (
        Program((X, U), (Row(((1, Fraction(1)), (0, Fraction(1))), "<=", Fraction(0), "r"),)),
        "row r has terms out of order or twice, expected each variable once, in the prefix's order",
    ),
    (
        Program((X,), (), Objective("min", ((0, Fraction(0)),))),
        "the objective has a term with the coefficient 0, expected none",
    ),
    (
        Program((X,), (Row(((0, anything(0.5)),), "<=", Fraction(0)),)),
        "a coefficient of row number 1 is the float 0.5, expected an int or a Fraction",
    ),
    (Program((X,), (Row((), "<=", HUGE),)), "the right side of row number 1 has more than 300 digits"),
    (
        Program((X,), (Row((), anything("<"), Fraction(0)),)),
        "row number 1 has the relation '<', expected <=, >= or =",
    ),
    (Program((X,), (), Objective(constant=HUGE)), "the constant of the objective has more than 300 digits"),
    (
        Program((X, U), (), Objective(), (Row(terms({0: 1, 1: 1}), "<=", Fraction(1)),)),
        "the existential variable x is in the uncertainty row number 1, expected universal variables only",
    ),
    (
        Program((Variable("u", "forall", integer=False),), (), Objective(), (Row(terms({0: 1}), "<=", Fraction(1)),)),
        "the continuous variable u is in the uncertainty row number 1, expected integer variables only",
    ),
]


@pytest.mark.parametrize(("program", "message"), WRONG)
def test_what_is_wrong_is_said_in_one_line(program: Program, message: str) -> None:
    with pytest.raises(InputError) as error:
        need_wellformed(program)
    assert str(error.value) == message


def test_continuous_variables_may_stand_in_the_last_block_of_integer_programs() -> None:
    assert fault(Program((X, U, Variable("y"), REAL))) is None


def test_linear_programs_may_have_continuous_variables_anywhere() -> None:
    free = Variable("f", lower=None, upper=None, integer=False)
    assert fault(Program((REAL, Variable("v", "forall", integer=False), free, U))) is None
