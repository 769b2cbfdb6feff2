"""What every program must be, whoever made it: checked before an engine sees it, one clear line for each mistake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Final, Literal

from zermelo.errors import InputError
from zermelo.qip.programs.program import Program, Row, Terms, Variable

DIGITS: Final = 300
"""Numerators and denominators may be this long: more than any program needs, and nothing huge is computed with."""

_LIMIT: Final = 10**DIGITS


@dataclass(frozen=True)
class Fault:
    """What is wrong with a program, and where: a variable (by number), or a row of one kind (by number), or both."""

    message: str
    variable: int | None = None
    row: int | None = None
    about: Literal["bounds", "prefix", "rows", "uncertainty", "objective"] = "prefix"


def need_wellformed(program: Program) -> None:
    """Raises ``InputError`` where a program is not one that can be solved.

    >>> need_wellformed(Program((Variable("x", lower=Fraction(2), upper=Fraction(1)),)))
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: variable x lies between 2 and 1, expected the lower bound first
    """
    if (found := fault(program)) is not None:
        raise InputError(found.message)


def fault(program: Program) -> Fault | None:
    """The first thing that is wrong with a program; ``None`` if all is well.

    >>> universal = Variable("u", "forall", integer=False)
    >>> fault(Program((universal, Variable("x")))).message
    'the universal variable u is continuous, expected an integer one beside integer existential variables such as x'
    >>> fault(Program((Variable("x"),))) is None
    True
    """
    return next(_faults(program), None)


def too_long(number: Fraction | int) -> bool:
    """Whether a number has more digits than programs may have.

    >>> too_long(10**299), too_long(10**300)
    (False, True)
    """
    return not -_LIMIT < number.numerator < _LIMIT or number.denominator >= _LIMIT


def _inexact(number: object) -> str | None:
    """What is wrong with a number of a program that was made by hand."""
    if not isinstance(number, (int, Fraction)):
        return f"is the {type(number).__name__} {number!r}, expected an int or a Fraction"
    return f"has more than {DIGITS} digits" if too_long(number) else None


def _faults(program: Program) -> Iterator[Fault]:
    names: dict[str, int] = {}
    for number, variable in enumerate(program.variables):
        if not variable.name:
            yield Fault(f"variable number {number} has no name", number)
        if names.setdefault(variable.name, number) != number:
            yield Fault(f"two variables are called {variable.name}, expected a name for each", number)
        yield from _bound_faults(number, variable)
    yield from _continuous_faults(program)
    yield from _form_faults(program, program.objective.terms, 0, "objective")
    if wrong := _inexact(program.objective.constant):
        yield Fault(f"the constant of the objective {wrong}", None, 0, "objective")
    for number, row in enumerate(program.rows):
        yield from _row_faults(program, row, number, "rows")
    for number, row in enumerate(program.uncertainty):
        yield from _row_faults(program, row, number, "uncertainty")
        yield from _uncertainty_faults(program, row, number)


def _bound_faults(number: int, variable: Variable) -> Iterator[Fault]:
    name, lower, upper = variable.name, variable.lower, variable.upper
    for what, bound in (("lower", lower), ("upper", upper)):
        if bound is None and (variable.integer or variable.quantifier == "forall"):
            kind = "universal" if variable.quantifier == "forall" else "integer"
            expected = "a number; only existential continuous variables may be unbounded"
            yield Fault(f"the {kind} variable {name} has no {what} bound, expected {expected}", number, about="bounds")
        if bound is not None and (wrong := _inexact(bound)):
            yield Fault(f"the {what} bound of {name} {wrong}", number, about="bounds")
    if lower is None or upper is None:
        return
    if lower > upper:
        message = f"variable {name} lies between {lower} and {upper}, expected the lower bound first"
        yield Fault(message, number, about="bounds")
    elif variable.integer and ceil(lower) > floor(upper):
        message = f"there is no whole number between {lower} and {upper}, expected one for the integer variable {name}"
        yield Fault(message, number, about="bounds")


def _continuous_faults(program: Program) -> Iterator[Fault]:
    """Continuous variables are for linear programs; ``exists`` may also have some in the last block."""
    integers = (v.name for v in program.variables if v.quantifier == "exists" and v.integer)
    if (witness := next(integers, None)) is None:
        return
    last = program.blocks[-1]
    for number, variable in enumerate(program.variables):
        if variable.integer:
            continue
        if variable.quantifier == "forall":
            message = (
                f"the universal variable {variable.name} is continuous, "
                f"expected an integer one beside integer existential variables such as {witness}"
            )
            yield Fault(message, number)
        elif number < last.first or last.quantifier == "forall":
            message = (
                f"the continuous variable {variable.name} is not in the last block, "
                f"expected it there beside integer existential variables such as {witness}"
            )
            yield Fault(message, number)


def _form_faults(
    program: Program, form: Terms, number: int, about: Literal["rows", "uncertainty", "objective"]
) -> Iterator[Fault]:
    where = "the objective" if about == "objective" else _called(_rows(program, about)[number], number, about)
    previous = -1
    for variable, coefficient in form:
        if not 0 <= variable < len(program.variables):
            message = f"{where} has a term of variable number {variable}, expected 0 to {len(program.variables) - 1}"
            yield Fault(message, None, number, about)
        if variable <= previous:
            message = f"{where} has terms out of order or twice, expected each variable once, in the prefix's order"
            yield Fault(message, None, number, about)
        if not coefficient:
            yield Fault(f"{where} has a term with the coefficient 0, expected none", None, number, about)
        if wrong := _inexact(coefficient):
            yield Fault(f"a coefficient of {where} {wrong}", None, number, about)
        previous = variable


def _row_faults(program: Program, row: Row, number: int, about: Literal["rows", "uncertainty"]) -> Iterator[Fault]:
    yield from _form_faults(program, row.terms, number, about)
    if row.relation not in ("<=", ">=", "="):
        message = f"{_called(row, number, about)} has the relation {row.relation!r}, expected <=, >= or ="
        yield Fault(message, None, number, about)
    if wrong := _inexact(row.right):
        yield Fault(f"the right side of {_called(row, number, about)} {wrong}", None, number, about)


def _uncertainty_faults(program: Program, row: Row, number: int) -> Iterator[Fault]:
    where = _called(row, number, "uncertainty")
    for position, _ in row.terms:
        variable = program.variables[position]
        if variable.quantifier == "exists":
            message = f"the existential variable {variable.name} is in {where}, expected universal variables only"
            yield Fault(message, position, number, "uncertainty")
        elif not variable.integer:
            message = f"the continuous variable {variable.name} is in {where}, expected integer variables only"
            yield Fault(message, position, number, "uncertainty")


def _rows(program: Program, about: Literal["rows", "uncertainty"]) -> tuple[Row, ...]:
    return program.rows if about == "rows" else program.uncertainty


def _called(row: Row, number: int, about: Literal["rows", "uncertainty"]) -> str:
    name = row.name or f"number {number + 1}"
    return f"row {name}" if about == "rows" else f"the uncertainty row {name}"
