"""A program as a game of moves: ``exists`` and ``forall`` set the variables one by one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from zermelo.check.quantified import ROLES, Number, QuantifiedProgram
from zermelo.game import Game, Role, Score

if TYPE_CHECKING:
    from zermelo.check.programmoves import ProgramMoves

Values = tuple[Number, ...]


class ProgramPlay(Game):
    """A position is the values set so far, a move the number of a variable and its value."""

    roles: tuple[Role, ...] = ROLES

    def __init__(self, program: QuantifiedProgram) -> None:
        self.program = program
        self.longest = max(Game.longest, len(program.variables) + 1)

    def start(self) -> Values:
        return self.program.given

    def turn(self, position: Values) -> Role:
        return self.program.variables[len(position)].role

    def moves(self, position: Values) -> Sequence[tuple[int, int]]:
        return self._table.moves(position, self.limits)

    def play(self, position: Values, move: tuple[int, int]) -> Values:
        return (*position, move[1])

    def result(self, position: Values) -> tuple[Score, Score] | None:
        return self._table.result(position) if len(position) == len(self.program.variables) else None

    @cached_property
    def _table(self) -> ProgramMoves:
        from zermelo.check.programmoves import ProgramMoves  # only claims that are tables ask for it

        return ProgramMoves(self.program)

    def move_text(self, move: tuple[int, int]) -> str:
        return f"{self.program.variables[move[0]].name}={move[1]}"

    def key(self, position: Values) -> str:
        return " ".join(map(str, position))
