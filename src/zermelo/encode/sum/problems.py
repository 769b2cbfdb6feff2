"""The problems between formulas and sums of games, for two persons (Yedwab 1985, section 4.2, after Morris 1981).

All have one form. Pairs of objects are *choices*: Left takes one object of the first pair, Right one of the second,
and so on in turn. Then Left selects any of the *extras*. Left wins if what was taken meets the condition of the
problem. The problem for one person (section 4.1: ALT, SUBSET SWITCH, and PARTITION's general form) has no choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

Taken_co = TypeVar("Taken_co", covariant=True)


class Problem(Protocol[Taken_co]):
    """Choices, extras, and what has to come out."""

    @property
    def choices(self) -> tuple[tuple[Taken_co, Taken_co], ...]:
        """The pairs; Left chooses from the first, third, ..., Right from the others."""
        ...

    @property
    def extras(self) -> tuple[Taken_co, ...]:
        """What Left may select at the end."""
        ...

    def is_won(self, sides: Sequence[int], selected: Sequence[int]) -> bool:
        """Does Left win with this side (0 or 1) of every choice and these extras (by place)?"""
        ...


@dataclass(frozen=True)
class ExactCover:
    """2P-EXACT-COVER: objects are sets of points; each of the points 0, 1, ... must be covered exactly once.

    >>> cover = ExactCover(2, ((frozenset({0}), frozenset()), (frozenset(), frozenset())), (frozenset({1}),))
    >>> cover.is_won([0, 0], [0]), cover.is_won([1, 0], [0])
    (True, False)
    """

    points: int
    choices: tuple[tuple[frozenset[int], frozenset[int]], ...]
    extras: tuple[frozenset[int], ...]

    def is_won(self, sides: Sequence[int], selected: Sequence[int]) -> bool:
        """Is every point covered once?"""
        covered = sorted(point for part in taken(self, sides, selected) for point in part)
        return covered == list(range(self.points))


@dataclass(frozen=True)
class GenPartition:
    """2P-GEN-PARTITION: objects are numbers, and what is taken must add up to the target.

    >>> GenPartition((), (3, 1, 2), 3).is_won([], [1, 2])
    True
    """

    choices: tuple[tuple[int, int], ...]
    extras: tuple[int, ...]
    target: int

    def is_won(self, sides: Sequence[int], selected: Sequence[int]) -> bool:
        """Do the numbers add up to the target?"""
        return sum(taken(self, sides, selected)) == self.target


@dataclass(frozen=True)
class Alt:
    """2P-ALT: the alternating sum of what is taken, in descending order, must be the target.

    The same numbers as switches ``{x|-x}`` are 2P-SUBSET-SWITCH: V_L of a sum of such switches is the alternating
    sum (section 3.1), so the two problems are one (corollaries 4.1 and 4.2).

    >>> Alt((), (9, 4, 3, 2), 6).is_won([], [0, 1, 2, 3])
    True
    """

    choices: tuple[tuple[int, int], ...]
    extras: tuple[int, ...]
    target: int

    def is_won(self, sides: Sequence[int], selected: Sequence[int]) -> bool:
        """Is the alternating sum the target?"""
        numbers = sorted(taken(self, sides, selected), reverse=True)
        return sum(numbers[0::2]) - sum(numbers[1::2]) == self.target


def taken(problem: Problem[Taken_co], sides: Sequence[int], selected: Sequence[int]) -> list[Taken_co]:
    """The objects that were chosen and selected.

    >>> taken(GenPartition(((1, 2), (3, 4)), (5, 6), 0), [0, 1], [1])
    [1, 4, 6]
    """
    chosen = [pair[side] for pair, side in zip(problem.choices, sides, strict=True)]
    return chosen + [problem.extras[place] for place in selected]
