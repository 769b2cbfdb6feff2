"""Subtraction games: one pile, and a set of numbers that may be taken; whoever cannot move loses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.errors import ArgumentError
from zermelo.game import Game, win_for
from zermelo.games.entry import Entry, integers
from zermelo.games.ruled import Ruled

if TYPE_CHECKING:
    from zermelo import _native
    from zermelo.draw.scene import Scene

USAGE = "subtraction:N;S,S,..."


class Subtraction(Ruled):
    """A pile of ``size`` objects; a move takes as many as one of ``takes`` says. Who cannot move loses.

    >>> game = Subtraction(7, (1, 3, 4))
    >>> game.moves((3, 0)), game.result((0, 0))
    ([1, 3], (-1, 1))
    """

    def __init__(self, size: int, takes: tuple[int, ...]) -> None:
        self.size = size
        self.takes = tuple(sorted(set(takes)))
        self.longest = max(Game.longest, size)

    def start(self) -> tuple[int, int]:
        return (self.size, 0)

    def turn(self, position: tuple[int, int]) -> str:
        return self.roles[position[1]]

    def moves(self, position: tuple[int, int]) -> list[int]:
        return [take for take in self.takes if take <= position[0]]

    def play(self, position: tuple[int, int], move: int) -> tuple[int, int]:
        return (position[0] - move, 1 - position[1])

    def result(self, position: tuple[int, int]) -> tuple[int, int] | None:
        left, mover = position
        return None if left >= self.takes[0] else win_for(1 - mover)

    def text(self, position: tuple[int, int]) -> str:
        return f"{position[0]} left; take {', '.join(str(take) for take in self.takes)}"

    def scene(self, position: tuple[int, int]) -> Scene:
        """The pile: whoever points at a counter takes it and all above it, if so many may be taken."""
        from zermelo.draw.heaps import MOST_DRAWN, counter, heaps_scene

        size = position[0]
        ways = {take: (counter(1, take, size),) for take in self.moves(position) if take <= MOST_DRAWN}
        return heaps_scene([size], ways=ways, note=f"take {', '.join(map(str, self.takes))}")

    def native(self) -> _native.Game | None:
        from zermelo import _native

        return _native.game("subtraction", [self.size, *self.takes])


def _make(text: str) -> Subtraction:
    pile, semicolon, takes = text.partition(";")
    if not semicolon:
        column = len("subtraction:") + len(text) + 1
        raise ArgumentError(f"no ';', expected {USAGE}", file=f"subtraction:{text}", line=1, column=column)
    (size,) = integers(pile, USAGE, count=1, least=0, whole=text)
    return Subtraction(size, tuple(integers(takes, USAGE, whole=text, offset=len(pile) + 1)))


ENTRIES = (
    Entry(
        "subtraction",
        USAGE,
        "take one of the given numbers from a pile; whoever cannot move loses",
        "subtraction:21;1,2,3",
        _make,
    ),
)
