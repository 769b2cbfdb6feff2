"""Treblecross: both fill a row of cells with x; whoever makes three in a row wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.draw.shape import Board
from zermelo.errors import ArgumentError
from zermelo.game import win_for
from zermelo.games.entry import Entry, integers
from zermelo.games.ruled import Ruled

if TYPE_CHECKING:
    from zermelo import _native


class Treblecross(Ruled):
    """Treblecross on a row of ``size`` cells, numbered from 1; a position is the row as text.

    Whoever makes three consecutive x wins. A row of one or two cells can only be filled: there the last to
    move wins, as in normal play. With an odd number of cells the first player wins by taking the middle and
    mirroring.

    >>> game = Treblecross(5)
    >>> game.play(game.start(), 3)
    '..x..'
    >>> game.result("xxx..")
    (1, -1)
    """

    def __init__(self, size: int) -> None:
        if size < 1:
            raise ArgumentError(f"treblecross needs a row of at least one cell, not {size}")
        self.size = size

    def start(self) -> str:
        return "." * self.size

    def turn(self, position: str) -> str:
        return self.roles[position.count("x") % 2]

    def moves(self, position: str) -> list[int]:
        return [number for number, cell in enumerate(position, 1) if cell == "."]

    def play(self, position: str, move: int) -> str:
        return f"{position[: move - 1]}x{position[move:]}"

    def result(self, position: str) -> tuple[int, int] | None:
        if "xxx" in position or "." not in position:
            return win_for(1 - position.count("x") % 2)
        return None

    def board(self, position: str) -> Board:
        cells = tuple("x" if cell == "x" else "" for cell in position)
        return Board((cells,), rows=("",), columns=tuple(str(place + 1) for place in range(len(cells))))

    def native(self) -> _native.Game | None:
        from zermelo import _native

        return _native.game("treblecross", [self.size])


_USAGE = "treblecross:N"
LONGEST_ROW = 100_000

ENTRIES = (
    Entry(
        "treblecross",
        _USAGE,
        "both write x into a row of cells; whoever makes three in a row wins",
        "treblecross:7",
        lambda text: Treblecross(*integers(text, _USAGE, count=1, most=LONGEST_ROW)),
    ),
)
