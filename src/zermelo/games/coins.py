"""A stack of coins: take any number of one value from the top; whoever takes the last coin wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.game import Game, win_for
from zermelo.games.entry import Entry, integers
from zermelo.games.ruled import Ruled

if TYPE_CHECKING:
    from zermelo import _native
    from zermelo.draw.scene import Scene

USAGE = "coins:V,V,..."
LARGEST = 10**9
"""The largest value of a coin, either side of zero."""


class Coins(Ruled):
    """A stack of coins, the top one first. A move is how many coins, all of one value, leave the top.

    A position is how many coins are left, and whose turn it is.

    >>> game = Coins(2, 2, 1)
    >>> game.moves(game.start()), game.moves((1, 0))
    ([1, 2], [1])
    """

    def __init__(self, *values: int) -> None:
        self.values = values
        self.longest = max(Game.longest, len(values))
        # _alike[left] is how many of the topmost coins have the same value when `left` coins are left.
        self._alike = [0]
        below: int | None = None
        for value in reversed(values):
            self._alike.append(self._alike[-1] + 1 if value == below else 1)
            below = value

    def start(self) -> tuple[int, int]:
        return (len(self.values), 0)

    def turn(self, position: tuple[int, int]) -> str:
        return self.roles[position[1]]

    def moves(self, position: tuple[int, int]) -> list[int]:
        return list(range(1, self._alike[position[0]] + 1))

    def play(self, position: tuple[int, int], move: int) -> tuple[int, int]:
        return (position[0] - move, 1 - position[1])

    def result(self, position: tuple[int, int]) -> tuple[int, int] | None:
        left, mover = position
        return None if left else win_for(1 - mover)

    def text(self, position: tuple[int, int]) -> str:
        left = position[0]
        return " ".join(str(value) for value in self.values[len(self.values) - left :]) or "no coins"

    def scene(self, position: tuple[int, int]) -> Scene:
        """The stack from the top: whoever points at a coin takes it and all above it."""
        from zermelo.draw.heaps import coins_scene

        return coins_scene(self.values[len(self.values) - position[0] :])

    def native(self) -> _native.Game | None:
        from zermelo import _native

        return _native.game("coins", list(self.values))


ENTRIES = (
    Entry(
        "coins",
        USAGE,
        "take coins of one value from the top of a stack; the last to take wins",
        "coins:1,2,2,1",
        lambda text: Coins(*integers(text, USAGE, least=-LARGEST, most=LARGEST)),
    ),
)
