"""Random programs whose last block is continuous, and their value by the definition: lines of play end in an LP."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

from tests.qip.randomprograms import INFEASIBLE, LAWLESS, random_program
from zermelo.qip.exact_lp.lp import leaf_lp
from zermelo.qip.programs.program import Program, minimised


def random_mixed_program(chance: Random) -> Program:
    """Some of the last existential variables, or all of them, are continuous."""
    while True:
        program = random_program(chance, variables=6, blocks=4)
        last = program.blocks[-1]
        if last.quantifier == "exists":
            break
    first = chance.randint(last.first, last.end - 1)
    variables = tuple(
        replace(variable, integer=False) if number >= first else variable
        for number, variable in enumerate(program.variables)
    )
    return replace(program, variables=variables)


def value_by_definition(program: Program) -> Fraction | str:
    """As ``brute_force`` of the integer programs, with a linear program over the continuous variables at the end."""
    count = sum(variable.integer for variable in program.variables)
    values = [range(int(v.lower or 0), int(v.upper or 0) + 1) for v in program.variables[:count]]
    universal = [number for number, v in enumerate(program.variables) if v.quantifier == "forall"]
    legal = set[tuple[int, ...]]()
    for choice in product(*(values[number] for number in universal)):
        full = [0] * len(program.variables)
        for number, value in zip(universal, choice, strict=True):
            full[number] = value
        if all(row.holds(full) for row in program.uncertainty):
            legal.update(choice[:length] for length in range(len(choice) + 1))
    if () not in legal:
        return LAWLESS

    def best(played: tuple[int, ...]) -> Fraction | None:
        if len(played) == count:
            return leaf_lp(program, played).value
        if program.variables[len(played)].quantifier == "exists":
            return min((v for n in values[len(played)] if (v := best((*played, n))) is not None), default=None)
        before = tuple(played[number] for number in universal if number < len(played))
        after = [best((*played, n)) for n in values[len(played)] if (*before, n) in legal]
        return None if None in after else max(value for value in after if value is not None)

    found = best(())
    return INFEASIBLE if found is None else minimised(program) * found + program.objective.constant
