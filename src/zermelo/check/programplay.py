"""A program as a game of moves, for claims that are tables: ``exists`` and ``forall`` set the variables one by one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from zermelo.check.quantified import AtMost, QuantifiedProgram
from zermelo.errors import NotApplicableError
from zermelo.game import Game, Role, Score
from zermelo.limits import Limits

if TYPE_CHECKING:
    from zermelo.check.ownrows import OwnRows

MOST_VALUES = 1_000_000
"""An integer with more values than this has too many moves to be listed."""

Values = tuple[int, ...]


class ProgramPlay(Game):
    """A position is the values set so far, a move the number of a variable and its value.

    >>> from zermelo.check.quantified import Variable, at_most
    >>> u, v = (Variable(name, "forall", True, Fraction(0), Fraction(1)) for name in "uv")
    >>> game = ProgramPlay(QuantifiedProgram((u, v), own=at_most([(0, 1), (1, 1)], "=", 1)))
    >>> [game.move_text(move) for move in game.moves((1,))]
    ['v=0']
    """

    roles: tuple[Role, ...] = ("exists", "forall")

    def __init__(self, program: QuantifiedProgram) -> None:
        self.program = program
        self.longest = max(Game.longest, len(program.variables) + 1)
        self.broken = program.score(None)

    def start(self) -> Values:
        return tuple(int(value) for value in self.program.given)

    def turn(self, position: Values) -> Role:
        return self.program.variables[len(position)].role

    def moves(self, position: Values) -> Sequence[tuple[int, int]]:
        number = len(position)
        if number == len(self.program.variables):
            return ()
        variable = self.program.variables[number]
        if not variable.integer or variable.lower is None or variable.upper is None:
            raise NotApplicableError(f"variable {variable.name} is continuous: its values cannot be listed as moves")
        if variable.upper - variable.lower >= MOST_VALUES:
            raise NotApplicableError(f"variable {variable.name} has too many values to list them as moves")
        values = range(int(variable.lower), int(variable.upper) + 1)
        if variable.role == "exists":
            return [(number, value) for value in values]
        return [(number, value) for value in values if self._is_allowed((*position, value))]

    def _is_allowed(self, position: Values) -> bool:
        """Whether ``forall`` can still keep his own rows."""
        return not self.program.own or self._own_rows.left_by(position, self.limits or Limits())

    @cached_property
    def _own_rows(self) -> OwnRows:
        from zermelo.check.ownrows import OwnRows  # where he has none nobody need trust it

        return OwnRows(self.program)

    def play(self, position: Values, move: tuple[int, int]) -> Values:
        return (*position, move[1])

    def result(self, position: Values) -> tuple[Score, Score] | None:
        if len(position) < len(self.program.variables):
            return None
        score = self.broken
        if all(_left(row, position) <= row.right for row in self.program.rows):
            program = self.program
            score = program.score(program.constant + _left(AtMost(program.goal, Fraction(0)), position))
        return score, -score

    def move_text(self, move: tuple[int, int]) -> str:
        return f"{self.program.variables[move[0]].name}={move[1]}"

    def key(self, position: Values) -> str:
        return " ".join(str(value) for value in position)


def _left(row: AtMost, values: Values) -> Fraction:
    return sum((coefficient * values[variable] for variable, coefficient in row.terms), Fraction(0))
