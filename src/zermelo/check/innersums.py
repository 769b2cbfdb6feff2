"""A sum inside of brackets as one game: a move in any part of it leads to the sum of what is left."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from zermelo.check.trees import Trees, folded
from zermelo.errors import LimitReachedError

MOST_POSITIONS = 100_000
"""Such sums are played out up to this size."""

Parted = tuple[tuple[int, ...], Fraction]
"""The games of a sum that are no numbers, and what the others score."""


def one_tree(trees: Trees, games: Sequence[int]) -> int:
    """The one game that a sum is.

    >>> trees = Trees()
    >>> one_tree(trees, [trees.number(Fraction(1)), trees.number(Fraction(2))]) == trees.number(Fraction(3))
    True
    """
    made: dict[Parted, int] = {}

    def after(position: Parted, options: Sequence[Sequence[int]]) -> list[Parted]:
        hot, score = position
        places = [(at, option) for at, game in enumerate(hot) for option in options[game]]
        return [_parted(trees, (*hot[:at], option, *hot[at + 1 :]), score) for at, option in places]

    def made_of(position: Parted) -> int:
        trees.tick()
        if len(made) >= MOST_POSITIONS:
            raise LimitReachedError(f"a sum inside of brackets with over {MOST_POSITIONS:,} positions")
        left, right = ([made[reached] for reached in after(position, side)] for side in (trees.left, trees.right))
        return trees.node(left, right) if position[0] else trees.number(position[1])

    return folded(
        _parted(trees, games, Fraction(0)),
        lambda position: after(position, trees.left) + after(position, trees.right),
        made,
        made_of,
    )


def _parted(trees: Trees, games: Sequence[int], score: Fraction) -> Parted:
    """The games that are no numbers, in one order, and what the numbers add to a score."""
    hot = tuple(sorted(game for game in games if trees.numbers[game] is None))
    return hot, sum((trees.numbers[game] or Fraction(0) for game in games), score)
