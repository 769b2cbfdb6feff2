"""The components of a sum in brackets, as scored trees."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from zermelo.check.trees import Trees, folded
from zermelo.errors import LimitReachedError

if TYPE_CHECKING:
    from zermelo.check.read.sum import Node, WrittenSum

MOST_COMPONENTS = 1_000_000
"""Sums of more components are not played."""
LARGEST_HEAP = 1_000
"""Larger nim heaps are not written out as trees."""
MOST_POSITIONS = 100_000
"""Sums inside of brackets are played out as one tree up to this size."""


Parted = tuple[tuple[int, ...], Fraction]
"""The games of a sum that are no numbers, and what the others score."""


def components_of(trees: Trees, written: WrittenSum) -> list[int]:
    """The components of a sum as it was written; ``LimitReachedError`` where there are too many to play.

    >>> from zermelo.check.read.sum import text_as_sum
    >>> trees = Trees()
    >>> made = components_of(trees, text_as_sum("2*{3||2|-1} - 1/2"))
    >>> [str(trees.numbers[game]) for game in made], made[0] == made[1]
    (['None', 'None', '-1/2'], True)
    """
    made: list[list[int]] = []
    for node in written.nodes:
        trees.tick()
        made.append(_components(trees, node, made))
    return made[-1]


def _components(trees: Trees, node: Node, made: list[list[int]]) -> list[int]:
    match node.kind:
        case "number":
            return [trees.number(node.amount)]
        case "star":
            if node.amount > LARGEST_HEAP:
                raise LimitReachedError(f"*{node.amount} as a tree is too large, at most *{LARGEST_HEAP}")
            return [trees.nimber(int(node.amount))]
        case "up":
            up = trees.up()
            return [up if node.amount > 0 else trees.negate(up)] * _not_too_many(abs(node.amount))
        case "options":
            left, right = ([one_tree(trees, made[part]) for part in side] for side in (node.left, node.right))
            return [trees.node(left, right)]
        case "sum":
            _not_too_many(sum(len(made[part]) for part in node.left))
            return [game for part in node.left for game in made[part]]
        case "minus":
            return [trees.negate(game) for game in made[node.left[0]]]
        case "copies":
            copied = made[node.left[0]]
            _not_too_many(node.amount * len(copied))
            return copied * int(node.amount)


def _not_too_many(count: Fraction | int) -> int:
    if count > MOST_COMPONENTS:
        raise LimitReachedError(f"a sum of {int(count):,} games, at most {MOST_COMPONENTS:,} are played")
    return int(count)


def one_tree(trees: Trees, games: Sequence[int]) -> int:
    """A sum inside of brackets is one game: a move in any part of it leads to the sum of what is left."""
    if len(games) == 1:
        return games[0]
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
