"""Every line of play on a small board: can a side be kept from losing stones, or from seeing the other side live?

The whole board is played, by the rules alone: no suicide, no retaking of a ko at once, passing at will. The invader
moves first. He wins where a stone of a set is captured, or where he has stones that live whatever happens (by Benson's
theorem, in its plain form) at points that are said to be the holder's. All positions that can be met are worked out
backwards, so that circles count for the holder.
"""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.cgt.go.ground import EMPTY, OTHER, Ground, played

Position = tuple[str, str, int]
"""The stones, whose turn it is, and where a ko may not be retaken, or -1."""


class TooManyError(Exception):
    """More positions than the test has patience for."""


def followers(ground: Ground, position: Position) -> Iterable[Position]:
    """All positions after a move or a pass."""
    stones, colour, banned = position
    yield stones, OTHER[colour], -1
    for point, stone in enumerate(stones):
        if stone != EMPTY:
            continue
        made = played(ground, stones, point, colour)
        if made is None or (point == banned and len(made[1]) == 1):
            continue
        after, captured = made
        free = [near for near in ground.neighbours[point] if after[near] == EMPTY]
        ko = len(captured) == 1 and free == list(captured) and len(ground.chain(after, point)) == 1
        yield after, OTHER[colour], captured[0] if ko else -1


def benson(ground: Ground, stones: str, colour: str) -> set[int]:
    """Stones that live though their owner always passes, as Benson has it: no further conditions on eyes."""
    chains = ground.pieces(point for point, stone in enumerate(stones) if stone == colour)
    areas = ground.pieces(point for point, stone in enumerate(stones) if stone != colour)

    def touches(area: list[int], chain: list[int]) -> bool:
        return any(near in chain for point in area for near in ground.neighbours[point])

    def vital(area: list[int], chain: list[int]) -> bool:
        empty = [point for point in area if stones[point] == EMPTY]
        return all(any(near in chain for near in ground.neighbours[point]) for point in empty)

    while True:
        gone = [chain for chain in chains if sum(vital(area, chain) for area in areas) < 2]
        if not gone:
            return {point for chain in chains for point in chain}
        chains = [chain for chain in chains if chain not in gone]
        areas = [area for area in areas if not any(touches(area, chain) for chain in gone)]


def holds(ground: Ground, stones: str, holder: str, kept: set[int], owned: set[int], most: int = 30_000) -> bool:
    """Can the holder keep these stones, and keep the other side from living at these points, moving second?"""
    start = stones, OTHER[holder], -1
    after: dict[Position, list[Position]] = {}
    waiting = [start]
    lost: set[Position] = set()
    while waiting:
        position = waiting.pop()
        if position in after:
            continue
        if len(after) >= most:
            raise TooManyError
        board = position[0]
        if any(board[point] != holder for point in kept) or benson(ground, board, OTHER[holder]) & owned:
            lost.add(position)
            after[position] = []
            continue
        after[position] = list(followers(ground, position))
        waiting += after[position]
    before: dict[Position, list[Position]] = {}
    for position, reached in after.items():
        for other in reached:
            before.setdefault(other, []).append(position)
    left = {position: len(reached) for position, reached in after.items()}
    todo = list(lost)
    for position in todo:
        for earlier in before.get(position, ()):
            left[earlier] -= 1
            if earlier not in lost and (earlier[1] != holder or left[earlier] == 0):
                lost.add(earlier)
                todo.append(earlier)
    return start not in lost
