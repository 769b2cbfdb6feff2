"""What may be played in a program and what it is worth in the end, for claims that are tables of moves."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.check.quantified import Number, QuantifiedProgram, total
from zermelo.errors import NotApplicableError
from zermelo.game import Score
from zermelo.limits import Limits

MOST_VALUES = 1_000_000
"""An integer with more values than this has too many moves to be listed."""


class ProgramMoves:
    """The rules of a program, asked again and again in the course of a play.

    >>> from fractions import Fraction
    >>> from zermelo.check.quantified import Variable, at_most
    >>> u, v = (Variable(name, "forall", True, Fraction(0), Fraction(1)) for name in "uv")
    >>> rules = ProgramMoves(QuantifiedProgram((u, v), own=at_most([(0, 1), (1, 1)], "=", 1)))
    >>> rules.moves((1,)), rules.result((1, 0))
    ([(1, 0)], (Fraction(0, 1), Fraction(0, 1)))
    """

    def __init__(self, program: QuantifiedProgram) -> None:
        self.program, self.broken, self.own = program, program.score(None), None
        if program.own:
            from zermelo.check.ownrows import OwnRows  # where he has none nobody need trust it

            self.own = OwnRows(program)

    def moves(self, position: Sequence[Number], limits: Limits | None = None) -> Sequence[tuple[int, int]]:
        """The values of the next variable; ``forall`` must be able to keep his own rows afterwards."""
        number = len(position)
        if number == len(self.program.variables):
            return ()
        variable = self.program.variables[number]
        if not variable.integer or variable.lower is None or variable.upper is None:
            raise NotApplicableError(f"variable {variable.name} is continuous: its values cannot be listed as moves")
        if variable.upper - variable.lower >= MOST_VALUES:
            raise NotApplicableError(f"variable {variable.name} has too many values to list them as moves")
        values: Sequence[int] = range(int(variable.lower), int(variable.upper) + 1)
        if self.own is not None and variable.role == "forall":
            values = [value for value in values if self.own.left_by((*position, value), limits or Limits())]
        return [(number, value) for value in values]

    def result(self, position: Sequence[Number]) -> tuple[Score, Score]:
        """What both get once all variables are set."""
        program, score = self.program, self.broken
        if all(total(row.terms, position) <= row.right for row in program.rows):
            score = program.score(program.constant + total(program.goal, position))
        return score, -score
