"""Random programs whose existential variables are all continuous."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from tests.qip.randomprograms import random_program
from zermelo.qip.programs.program import Program, Variable


def random_linear_program(
    chance: Random, variables: int = 7, rows: int = 6, blocks: int = 5, *, open_bounds: bool = False
) -> Program:
    """Continuous existential variables, some without bounds if asked for; universal ones of both kinds."""
    base = random_program(chance, variables, rows, blocks, uncertainty=chance.random() < 0.5)
    held = {number for row in base.uncertainty for number, _ in row.terms}
    made = []
    for number, variable in enumerate(base.variables):
        if variable.quantifier == "forall":
            made.append(replace(variable, integer=number in held or chance.random() < 0.5))
            continue
        lower, upper = variable.lower, variable.upper
        if chance.random() < 0.3:
            upper = (upper or Fraction(0)) + Fraction(chance.randint(0, 5), 2)
        if open_bounds and chance.random() < 0.4:
            lower, upper = chance.choice(((None, upper), (lower, None), (None, None)))
        made.append(Variable(variable.name, "exists", lower, upper, False))
    return replace(base, variables=tuple(made))
