"""A piece of a board: which points touch, what stands on them, and what a move does.

A position is a string with a letter for each point: ``.`` empty, ``x`` and ``o`` black and white stones that may still
be captured, ``X`` and ``O`` stones that are safe for good, ``#`` points with which the piece has nothing to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

EMPTY, BLACK, WHITE, SAFE_BLACK, SAFE_WHITE, ELSEWHERE = ".", "x", "o", "X", "O", "#"
COLOURS = (BLACK, WHITE)
OTHER = {BLACK: WHITE, WHITE: BLACK}
SAFE = {BLACK: SAFE_BLACK, WHITE: SAFE_WHITE}
SIGN = {BLACK: 1, WHITE: -1, SAFE_BLACK: 1, SAFE_WHITE: -1}
COLOUR_NAMES = {BLACK: "Black", WHITE: "White"}


@dataclass(frozen=True)
class Ground:
    """The points of a piece of a board, by number, and their neighbours.

    >>> square(2).neighbours
    ((1, 2), (0, 3), (0, 3), (1, 2))
    """

    neighbours: tuple[tuple[int, ...], ...]

    def connected(self, start: int, belongs: Callable[[int], bool]) -> list[int]:
        """The points that are linked to one by points of a kind.

        >>> square(2).connected(0, lambda point: point != 1)
        [0, 2, 3]
        """
        found, seen = [start], {start}
        for point in found:
            for near in self.neighbours[point]:
                if near not in seen and belongs(near):
                    seen.add(near)
                    found.append(near)
        return found

    def pieces(self, points: Iterable[int]) -> list[list[int]]:
        """The connected parts of a set of points.

        >>> square(2).pieces([0, 3])
        [[0], [3]]
        """
        left = set(points)
        found = []
        while left:
            piece = [left.pop()]
            for point in piece:
                for near in self.neighbours[point]:
                    if near in left:
                        left.remove(near)
                        piece.append(near)
            piece.sort()
            found.append(piece)
        found.sort()
        return found

    def chain(self, stones: str, point: int) -> list[int]:
        """The stones connected to the one on a point.

        >>> square(2).chain("xx.o", 0)
        [0, 1]
        """
        own = stones[point].lower()
        return self.connected(point, lambda near: stones[near].lower() == own)

    def breathes(self, stones: str, chain: Iterable[int]) -> bool:
        """Does a chain have a liberty, or a stone that is safe anyway?

        >>> square(2).breathes("xo.x", [0]), square(2).breathes("xoox", [0])
        (True, False)
        """
        return any(stones[p].isupper() or any(stones[n] == EMPTY for n in self.neighbours[p]) for p in chain)


def square(size: int) -> Ground:
    """A whole board; point ``row * size + column``, rows from the top.

    >>> len(square(9).neighbours)
    81
    """
    neighbours = []
    for row in range(size):
        for column in range(size):
            near = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
            neighbours.append(tuple(r * size + c for r, c in near if 0 <= r < size and 0 <= c < size))
    return Ground(tuple(neighbours))


def played(ground: Ground, stones: str, point: int, colour: str) -> tuple[str, tuple[int, ...]] | None:
    """The stones after a move and where stones were captured; None where the move is suicide.

    >>> played(square(2), "o.xx", 1, "x")
    ('.xxx', (0,))
    >>> played(square(2), ".xxx", 0, "o")
    ('o...', (1, 2, 3))
    >>> played(square(2), ".xx.", 0, "o") is None
    True
    """
    board = list(stones)
    board[point] = colour
    placed = "".join(board)
    captured: list[int] = []
    for near in ground.neighbours[point]:
        if placed[near] == OTHER[colour] and near not in captured:
            chain = ground.chain(placed, near)
            if not ground.breathes(placed, chain):
                captured += chain
    for dead in captured:
        board[dead] = EMPTY
    after = "".join(board)
    if not captured and not ground.breathes(after, ground.chain(after, point)):
        return None
    return after, tuple(sorted(captured))


def standing_score(ground: Ground, stones: str) -> int:
    """Black's area less White's as the stones stand, none taken for dead (Tromp and Taylor's logical rules).

    >>> standing_score(square(2), "x.x."), standing_score(square(2), "x..o")
    (4, 0)
    """
    score = sum(SIGN[stone] for stone in stones if stone in COLOURS)
    for area in ground.pieces(point for point, stone in enumerate(stones) if stone == EMPTY):
        reached = {stones[near].lower() for point in area for near in ground.neighbours[point]} & set(COLOURS)
        if len(reached) == 1:
            score += len(area) * SIGN[reached.pop()]
    return score
