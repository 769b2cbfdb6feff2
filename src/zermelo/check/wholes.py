"""Programs whose continuous variables may as well be integers, which clauses can then speak of.

Who checks a program of integers need not read this.
"""

from __future__ import annotations

from dataclasses import replace

from zermelo.check.quantified import QuantifiedProgram


def whole_where_enough(program: QuantifiedProgram) -> QuantifiedProgram:
    """The program with integers in the place of continuous variables for which whole numbers are enough.

    That is so where they come last, between whole bounds, each row but the objective holds one of them at most, and the
    other numbers of the row are multiples of its coefficient: then the others leave it an interval with whole ends, one
    of which is as good as any value.
    """
    variables = program.variables
    first = max((number + 1 for number, v in enumerate(variables) if v.integer), default=0)
    enough = all(v.integer for v in variables[:first])
    for v in variables[first:]:
        enough &= v.role == "exists" and all(end is not None and end.denominator == 1 for end in (v.lower, v.upper))
    for row in program.rows:
        held = [coefficient for number, coefficient in row.terms if number >= first]
        numbers = (row.right, *(coefficient for _, coefficient in row.terms))
        enough &= not held or (len(held) == 1 and all((number / held[0]).denominator == 1 for number in numbers))
    return replace(program, variables=tuple(replace(v, integer=True) for v in variables)) if enough else program
