"""Wythoff's game (1907), also Tzeansidzi: take from one of two heaps, or equally from both; the last wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.game import Game, win_for
from zermelo.games.entry import Entry, integers
from zermelo.games.ruled import Ruled

if TYPE_CHECKING:
    from zermelo import _native
    from zermelo.draw.scene import Scene

USAGE = "wythoff:A,B"
LARGEST = 10**6
"""The largest heap: a list of all legal moves has to fit into memory."""

Pair = tuple[int, int]


class Wythoff(Ruled):
    """Two heaps; a move ``(a, b)`` takes a from the first and b from the second, one of them 0 or both alike.

    >>> game = Wythoff(1, 2)
    >>> game.moves(game.start())
    [(1, 0), (0, 1), (0, 2), (1, 1)]
    """

    def __init__(self, left: int, right: int) -> None:
        self.heaps = (left, right)
        self.longest = max(Game.longest, left + right)

    def start(self) -> tuple[Pair, int]:
        return (self.heaps, 0)

    def turn(self, position: tuple[Pair, int]) -> str:
        return self.roles[position[1]]

    def moves(self, position: tuple[Pair, int]) -> list[Pair]:
        left, right = position[0]
        return [
            *((take, 0) for take in range(1, left + 1)),
            *((0, take) for take in range(1, right + 1)),
            *((take, take) for take in range(1, min(left, right) + 1)),
        ]

    def play(self, position: tuple[Pair, int], move: Pair) -> tuple[Pair, int]:
        (left, right), mover = position
        return ((left - move[0], right - move[1]), 1 - mover)

    def result(self, position: tuple[Pair, int]) -> tuple[int, int] | None:
        heaps, mover = position
        return None if any(heaps) else win_for(1 - mover)

    def text(self, position: tuple[Pair, int]) -> str:
        return "\n".join(f"heap {heap}: {size}" for heap, size in enumerate(position[0]))

    def scene(self, position: tuple[Pair, int]) -> Scene:
        """The two heaps; taking from both leads from a counter of the first to a counter of the second."""
        from zermelo.draw.heaps import MOST_DRAWN, counter, heaps_scene

        ways = {}
        for move in self.moves(position):
            if max(move) <= MOST_DRAWN:
                ways[move] = tuple(
                    counter(heap, take, size)
                    for heap, (take, size) in enumerate(zip(move, position[0], strict=True))
                    if take
                )
        return heaps_scene(position[0], (0, 1), ways)

    def native(self) -> _native.Game | None:
        from zermelo import _native

        return _native.game("wythoff", list(self.heaps))


def _make(text: str) -> Wythoff:
    left, right = integers(text, USAGE, count=2, least=0, most=LARGEST)
    return Wythoff(left, right)


ENTRIES = (
    Entry(
        "wythoff",
        USAGE,
        "take from one of two heaps, or equally from both; the last to take wins",
        "wythoff:3,5",
        _make,
    ),
)
