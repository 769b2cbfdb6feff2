"""Rows of stones by the paper's model in its short form: one program of the whole game, with the first moves given.

x is black and ``exists``, o is white. The value says with which move x wins, so the program finds the shortest win.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo.encode.qbf.playback import Played
from zermelo.encode.qip.encoded import EncodedProgram
from zermelo.encode.qip.playback import played_by_program
from zermelo.game import Game, Score
from zermelo.games.mnk import MNK
from zermelo.limits import Limits
from zermelo.qip.models.gomoku import short_gomoku
from zermelo.qip.proofs.derivation import Derivation
from zermelo.qip.proofs.proof import Proof


@dataclass(frozen=True)
class Placed:
    """x's move: the numbers of the variables of all cells, of which one is 1."""

    places: tuple[int, ...]

    def move(self, game: Game, position: Any, values: Sequence[int]) -> Any:
        """The cell that gets the stone."""
        return next(
            (cell for cell, place in enumerate(self.places) if values[place] and cell in game.moves(position)), None
        )

    def values(self, game: Game, position: Any, move: Any) -> Mapping[int, int]:
        """One for the cell that gets the stone."""
        return {place: int(cell == move) for cell, place in enumerate(self.places)}


@dataclass(frozen=True)
class Named:
    """o's move: the variable that names a cell by its number, then those of the stone on all cells."""

    number: int
    stones: tuple[int, ...]

    @property
    def places(self) -> tuple[int, ...]:
        """The numbers of all variables."""
        return (self.number, *self.stones)

    def move(self, game: Game, position: Any, values: Sequence[int]) -> Any:
        """The cell that is named; if it is taken, x may choose, here the first that is free."""
        free = game.moves(position)
        named = values[self.number] - 1
        return named if named in free else free[0]

    def values(self, game: Game, position: Any, move: Any) -> Mapping[int, int]:
        """The number of the cell, and one for the cell that gets the stone."""
        return {self.number: move + 1} | {place: int(cell == move) for cell, place in enumerate(self.stones)}


@dataclass(frozen=True)
class WinningMove:
    """The value is the move with which x wins, one more than there are cells for a draw, more if o wins."""

    cells: int

    def __str__(self) -> str:
        return f"the value is the move with which exists wins, {self.cells + 1} for a draw, more if forall wins"

    def score(self, value: Fraction | None) -> Score | None:
        """1, 0 or -1."""
        assert value is not None
        return 1 if value <= self.cells else 0 if value == self.cells + 1 else -1


class StonesEncoder:
    """k in a row, from a position after some moves on.

    >>> encoder = StonesEncoder(MNK(2, 2, 2), MNK(2, 2, 2), ())
    >>> encoded = encoder.encode(encoder.length)
    >>> encoded.sizes["blocks"], encoded.meaning.score(Fraction(3))
    (5, 1)
    """

    encoding = "stones"
    exact, grows = True, False
    scores: tuple[Score, ...] = (-1, 0, 1)
    total: Score = 0

    def __init__(self, game: Game, whole: MNK, line: Sequence[int]) -> None:
        self.game = self.play = game
        self._whole, self._line = whole, tuple(line)
        self.length = whole.rows * whole.columns - len(line)

    def encode(self, plies: int, *, unfinished: bool = False) -> EncodedProgram:
        """The rest of the game, whatever the number of plies."""
        del plies, unfinished
        rows, columns = self._whole.rows, self._whole.columns
        cells = [(cell // columns + 1, cell % columns + 1) for cell in range(rows * columns)]
        program = short_gomoku(rows, columns, self._whole.k, [cells[move] for move in self._line])
        number = {variable.name: place for place, variable in enumerate(program.variables)}
        plies_of = []
        for t in range(len(self._line) + 1, len(cells) + 1):
            stones = tuple(number[f"x_{t}_{i}_{j}"] for i, j in cells)
            plies_of.append((Placed(stones), None) if t % 2 else (None, Named(number[f"y_{t}"], stones)))
        return EncodedProgram(program, tuple(plies_of), WinningMove(len(cells)))

    def played(self, encoded: EncodedProgram, proof: Proof | Derivation, limits: Limits) -> Played:
        """What the owner of a proof plays in every position that it can meet."""
        return played_by_program(self.play, encoded, proof, limits)
