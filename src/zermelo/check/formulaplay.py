"""A formula as a game of moves, for claims that are tables: ``exists`` and ``forall`` choose values one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.check.boolean import QuantifiedFormula
from zermelo.game import Game, Role, win_for


class FormulaPlay(Game):
    """A position is the values chosen so far, a byte each; a move is the name of the next variable and its value."""

    roles: tuple[Role, ...] = ("exists", "forall")

    def __init__(self, formula: QuantifiedFormula) -> None:
        self.formula = formula
        self.longest = max(Game.longest, len(formula.order) + 1)

    def start(self) -> bytes:
        return self.formula.given

    def turn(self, position: bytes) -> Role:
        return self.formula.owner[self.formula.order[len(position)]]

    def moves(self, position: bytes) -> Sequence[tuple[str, int]]:
        if len(position) == len(self.formula.order):
            return ()
        name = self.formula.names[self.formula.order[len(position)]]
        return ((name, 0), (name, 1))

    def play(self, position: bytes, move: tuple[str, int]) -> bytes:
        return position + bytes([move[1]])

    def result(self, position: bytes) -> tuple[int, int] | None:
        if len(position) < len(self.formula.order):
            return None
        chosen = {variable: value == 1 for variable, value in zip(self.formula.order, position, strict=True)}
        return win_for(0 if self.formula.holds(chosen) else 1)

    def move_text(self, move: Any) -> str:
        return f"{move[0]}={move[1]}"

    def key(self, position: bytes) -> str:
        return "".join(map(str, position))
