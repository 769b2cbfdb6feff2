"""Programs that were made in Python, without a text: copied for the checker."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from zermelo.check.quantified import Number, QuantifiedProgram, Variable, at_most, sound
from zermelo.check.resumed import after_values


def of_game(game: Any) -> QuantifiedProgram:
    """The program of a game, from its position on."""
    return copy_of(game.program, game.given)


def copy_of(program: Any, given: Sequence[Number] = ()) -> QuantifiedProgram:
    """The checker's own copy of a program that was made in Python, with the values of its first variables if given.

    >>> from zermelo.qip import Model
    >>> m = Model()
    >>> y = m.exists("y", 0, 2)
    >>> m.add(y >= 1)
    >>> copy_of(m.program()).rows
    (AtMost(terms=((0, Fraction(-1, 1)),), right=Fraction(-1, 1)),)
    """
    variables = tuple(
        Variable(v.name, "exists" if v.quantifier == "exists" else "forall", v.integer, v.lower, v.upper)
        for v in program.variables
    )
    goal = program.objective
    (form,) = at_most(goal.terms, "<=", 0)
    rows, own = (
        tuple(one for row in part for one in at_most(row.terms, row.relation, row.right))
        for part in (program.rows, program.uncertainty)
    )
    maximise = goal.sense == "max"
    made = sound(QuantifiedProgram(variables, rows, own, form.terms, Fraction(goal.constant), maximise))
    return after_values(made, given)
