"""What hangs together, on whatever board."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Point = TypeVar("Point", int, str)


def groups(points: Iterable[Point], near: Callable[[Point], Iterable[Point]]) -> list[set[Point]]:
    """What hangs together, the first points first.

    >>> groups({0, 1, 5}, lambda cell: [cell + 1, cell - 1])
    [{0, 1}, {5}]
    """
    left, found = set(points), list[set[Point]]()
    for seed in sorted(left):
        if seed in left:
            left.discard(seed)
            group = [seed]
            for point in group:
                new = left.intersection(near(point))
                left -= new
                group += new
            found.append(set(group))
    return found
