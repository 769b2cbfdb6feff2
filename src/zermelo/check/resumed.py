"""A program taken up later: its first variables have values. Who checks one from its start need not read this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from zermelo.check.quantified import Number, QuantifiedProgram
from zermelo.errors import InputError


def after_values(program: QuantifiedProgram, values: Sequence[Number]) -> QuantifiedProgram:
    """The program in which the first variables have these values and no others.

    >>> from zermelo.check.quantified import Variable
    >>> y = Variable("y", "exists", True, Fraction(0), Fraction(2))
    >>> [str(v.lower) for v in after_values(QuantifiedProgram((y, y)), [1]).variables]
    ['1', '0']
    """
    variables = program.free or program.variables
    fixed = [replace(v, lower=Fraction(x), upper=Fraction(x)) for v, x in zip(variables, values, strict=False)]
    fixed += variables[len(fixed) :]
    return replace(program, variables=tuple(fixed), given=tuple(values), free=variables if values else ())


def after_moves(program: QuantifiedProgram, moves: Sequence[str]) -> QuantifiedProgram:
    """The same, as moves such as ``x=3`` set them."""
    values: list[Number] = []
    for place, move in enumerate(moves):
        name, _, value = move.rpartition("=")
        if place >= len(program.variables) or name != program.variables[place].name:
            raise InputError(f"the move {move!r} sets no value of the next variable")
        values.append(Fraction(value))
    return after_values(program, values)
