"""Nim: take any number from one heap; whoever takes the last object wins (Bouton 1901)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.game import Game, win_for
from zermelo.games.entry import Entry, integers
from zermelo.games.ruled import Ruled

if TYPE_CHECKING:
    from zermelo import _native
    from zermelo.draw.scene import Scene

Heaps = tuple[int, ...]

USAGE = "nim:H,H,..."
LARGEST = 10**6
"""The largest heap: a list of all legal moves has to fit into memory."""


class Nim(Ruled):
    """Nim on heaps of the given sizes. A move ``(heap, take)`` takes objects from one heap.

    >>> nim = Nim(1, 2)
    >>> nim.moves(nim.start())
    [(0, 1), (1, 1), (1, 2)]
    """

    def __init__(self, *heaps: int) -> None:
        self.heaps = heaps
        self.longest = max(Game.longest, sum(heaps))

    def start(self) -> tuple[Heaps, int]:
        return (self.heaps, 0)

    def turn(self, position: tuple[Heaps, int]) -> str:
        return self.roles[position[1]]

    def moves(self, position: tuple[Heaps, int]) -> list[tuple[int, int]]:
        return [(heap, take) for heap, size in enumerate(position[0]) for take in range(1, size + 1)]

    def play(self, position: tuple[Heaps, int], move: tuple[int, int]) -> tuple[Heaps, int]:
        (heaps, mover), (heap, take) = position, move
        return ((*heaps[:heap], heaps[heap] - take, *heaps[heap + 1 :]), 1 - mover)

    def result(self, position: tuple[Heaps, int]) -> tuple[int, int] | None:
        heaps, mover = position
        return None if any(heaps) else win_for(1 - mover)

    def text(self, position: tuple[Heaps, int]) -> str:
        return "\n".join(f"heap {heap}: {size}" for heap, size in enumerate(position[0]))

    def scene(self, position: tuple[Heaps, int]) -> Scene:
        """The heaps; the counters of a heap are places: whoever takes one takes all above it."""
        from zermelo.draw.heaps import MOST_DRAWN, counter, heaps_scene

        ways = {
            (heap, take): (counter(heap, take, size),)
            for heap, size in enumerate(position[0])
            for take in range(1, min(size, MOST_DRAWN) + 1)
        }
        return heaps_scene(position[0], range(len(position[0])), ways)

    def native(self) -> _native.Game | None:
        from zermelo import _native

        return _native.game("nim", list(self.heaps))


ENTRIES = (
    Entry(
        "nim",
        USAGE,
        "take any number from one heap; the last to take wins",
        "nim:3,4,5",
        lambda text: Nim(*integers(text, USAGE, least=0, most=LARGEST)),
    ),
)
