"""A quantified program as the checker sees it: who sets which variable in which order, and rows that are upper bounds.

Rows have the numbers that proofs call them by: row 0 is the objective, then come those of the text in its order, an
equation as two rows, ``<=`` before ``>=``; the rows of ``forall`` are counted by themselves. Integer variables have
whole bounds. All numbers are exact.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, gcd, lcm
from typing import TYPE_CHECKING, Any, Literal

from zermelo.errors import InputError
from zermelo.limits import Limits

if TYPE_CHECKING:
    from zermelo.game import Game

Number = Fraction | int
Role = Literal["exists", "forall"]
ROLES: tuple[Role, ...] = ("exists", "forall")
Terms = tuple[tuple[int, Fraction], ...]
"""Numbers of variables with their coefficients, in the order of the prefix, none of them zero."""

DIGITS = 300
"""Numerators and denominators may be this long."""


@dataclass(frozen=True)
class Variable:
    """A variable, and within which bounds who sets it; ``None`` is no bound."""

    name: str
    role: Role
    integer: bool
    lower: Fraction | None
    upper: Fraction | None


@dataclass(frozen=True)
class AtMost:
    """A row: the terms add up to at most ``right``."""

    terms: Terms
    right: Fraction


@dataclass(frozen=True)
class QuantifiedProgram:
    """A program; ``own`` are the rows that ``forall`` must keep, which hold his variables only.

    >>> x = Variable("x", "forall", True, Fraction(0), Fraction(1))
    >>> y = Variable("y", "exists", True, Fraction(0), Fraction(2))
    >>> program = QuantifiedProgram((x, y), at_most([(0, 1), (1, -1)], "<=", -1), goal=((1, Fraction(1)),))
    >>> program.asked(2).right, program.score(Fraction(2)), program.score(None)
    (Fraction(2, 1), Fraction(-2, 1), Fraction(-3, 1))
    """

    variables: tuple[Variable, ...]
    rows: tuple[AtMost, ...] = ()
    own: tuple[AtMost, ...] = ()
    goal: Terms = ()
    constant: Fraction = Fraction(0)
    maximise: bool = False
    given: tuple[Number, ...] = ()  # the values of the first variables, where play is taken up later,
    free: tuple[Variable, ...] = ()  # and the variables as they were before

    def canonical(self) -> str:
        """A text that is the same for the same program, and only for it."""

        def terms(form: Terms) -> list[Any]:
            return [[variable, str(coefficient)] for variable, coefficient in form]

        variables = [[v.name, v.role, v.integer, str(v.lower), str(v.upper)] for v in self.variables]
        rows = [[[terms(row.terms), str(row.right)] for row in rows] for rows in (self.rows, self.own)]
        given = [str(value) for value in self.given]
        return json.dumps([variables, *rows, terms(self.goal), str(self.constant), self.maximise, given])

    def asked(self, value: Number) -> AtMost:
        """Row 0: the objective is as good as a value, or better."""
        sign = -1 if self.maximise else 1
        return AtMost(tuple((v, sign * c) for v, c in self.goal), sign * (value - self.constant))

    def score(self, value: Fraction | None) -> Fraction:
        """What ``exists`` gets for a value of the objective: more is better; ``None`` is a broken row.

        That is less than the objective comes to for any values within the bounds, whatever was given: moves change no
        scores. (A variable without bounds leaves no such number; then it is one that nobody takes for an objective.)
        """
        if value is not None:
            return value if self.maximise else -value
        held = zip(self.asked(0).terms, self._worst_ends(), strict=True)
        return Fraction(-floor(sum((c * (end or 0) for (_, c), end in held), -self.asked(0).right)) - 1)

    def most_for_exists(self, value: Fraction | None) -> Fraction:
        """What ``exists`` gets at the most where the objective is no better than a value, or a row is broken."""
        if value is not None and None in self._worst_ends():
            return self.score(value)  # nothing that can be compared with a broken row
        return max(self.score(value), self.score(None))

    def _worst_ends(self) -> list[Fraction | None]:
        """The bounds at which the variables of the objective make it as bad as it can be."""
        free = self.free or self.variables
        return [free[number].upper if c > 0 else free[number].lower for number, c in self.asked(0).terms]

    def after_moves(self, moves: Sequence[str]) -> QuantifiedProgram:
        """The program in which the first variables have the values that moves such as ``x=3`` give them."""
        from zermelo.check.resumed import after_moves  # who asks about it from its start need not trust it

        return after_moves(self, moves)

    def need_valid(self, limits: Limits) -> None:
        """Makes sure that ``forall`` can keep his own rows: ``InputError`` if not, ``LimitReachedError`` at a limit."""
        if self.own:
            from zermelo.check.ownrows import can_be_kept

            if not can_be_kept(self, limits):
                raise InputError("the universal player cannot keep his own rows")

    def game(self) -> Game:
        """The game, for claims that are tables."""
        from zermelo.check.programplay import ProgramPlay

        return ProgramPlay(self)


def at_most(terms: Sequence[tuple[int, Number]], relation: str, right: Number) -> tuple[AtMost, ...]:
    """A row as upper bounds; terms of one variable are added.

    >>> [str(row.right) for row in at_most([(0, 2)], "=", 3)]
    ['3', '-3']
    """
    total: dict[int, Fraction] = {}
    for variable, coefficient in terms:
        total[variable] = total.get(variable, Fraction(0)) + coefficient
    form = tuple((variable, total[variable]) for variable in sorted(total) if total[variable])
    below = AtMost(form, Fraction(right))
    above = AtMost(tuple((variable, -coefficient) for variable, coefficient in form), -below.right)
    return {"<=": (below,), ">=": (above,), "=": (below, above)}[relation]


def total(terms: Sequence[tuple[int, Number]], values: Mapping[int, Number] | Sequence[Number]) -> Number:
    """What terms come to for values of all their variables."""
    return sum((coefficient * values[variable] for variable, coefficient in terms), 0)


def plain(exact: Fraction) -> Number:
    """The same number; whole ones as ``int``, with which Python counts faster."""
    return exact.numerator if exact.denominator == 1 else exact


def whole_scale(terms: Sequence[tuple[int, Number]]) -> Number:
    """The number that makes all coefficients whole, without a common divisor.

    >>> whole_scale([(0, Fraction(4, 3)), (1, -2)])
    Fraction(3, 2)
    """
    return plain(Fraction(lcm(*(c.denominator for _, c in terms)), gcd(*(c.numerator for _, c in terms)) or 1))


def sound(program: QuantifiedProgram) -> QuantifiedProgram:
    """The program with whole bounds for its integers; ``InputError`` where it is none that can be solved.

    >>> y = Variable("y", "exists", True, Fraction(1, 2), Fraction(5, 2))
    >>> [str(v.upper) for v in sound(QuantifiedProgram((y,))).variables]
    ['2']
    >>> sound(QuantifiedProgram((replace(y, lower=None),)))
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: variable y has no lower bound, which only continuous ones of exists may lack
    """
    if len({variable.name for variable in program.variables}) < len(program.variables):
        raise InputError("two variables have the same name")
    variables = tuple(_with_whole_bounds(variable) for variable in program.variables)
    last = max((number for number, v in enumerate(variables) if v.role == "forall"), default=-1)
    mixed = any(v.integer and v.role == "exists" for v in variables)
    for number, variable in enumerate(variables):
        if mixed and not variable.integer and number <= last:
            raise InputError(f"{variable.name} is continuous and not in a last block of exists, beside her integers")
    for number in {number for row in program.own for number, _ in row.terms}:
        if variables[number].role == "exists" or not variables[number].integer:
            raise InputError(f"{variables[number].name} is in a row of forall, expected integers that he sets")
    if any(max(abs(x.numerator), x.denominator) >= 10**DIGITS for x in _numbers(program)):
        raise InputError(f"a number has more than {DIGITS} digits")
    return replace(program, variables=variables)


def _with_whole_bounds(variable: Variable) -> Variable:
    name, lower, upper = variable.name, variable.lower, variable.upper
    if not name:
        raise InputError("a variable has no name")
    if lower is None or upper is None:
        if variable.integer or variable.role == "forall":
            side = "lower" if lower is None else "upper"
            raise InputError(f"variable {name} has no {side} bound, which only continuous ones of exists may lack")
        return variable
    low, high = (Fraction(ceil(lower)), Fraction(floor(upper))) if variable.integer else (lower, upper)
    if low > high:
        raise InputError(f"variable {name} has no value from {lower} to {upper}")
    return replace(variable, lower=low, upper=high)


def _numbers(program: QuantifiedProgram) -> Iterator[Fraction]:
    """All numbers that a program states."""
    yield program.constant
    yield from (bound for v in program.variables for bound in (v.lower, v.upper) if bound is not None)
    yield from (coefficient for _, coefficient in program.goal)
    for row in (*program.rows, *program.own):
        yield from (row.right, *(coefficient for _, coefficient in row.terms))
