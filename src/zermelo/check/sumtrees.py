"""The components of a sum in brackets, as scored trees."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from zermelo.check.trees import Trees
from zermelo.errors import LimitReachedError

if TYPE_CHECKING:
    from zermelo.check.read.sum import Node, WrittenSum

MOST_COMPONENTS = 1_000_000
"""Sums of more components are not played."""
LARGEST_HEAP = 1_000
"""Larger nim heaps are not written out as trees."""


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
            left, right = ([_one_tree(trees, made[part]) for part in side] for side in (node.left, node.right))
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


def _one_tree(trees: Trees, games: Sequence[int]) -> int:
    if len(games) == 1:
        return games[0]
    from zermelo.check.innersums import one_tree  # who meets no sum inside of brackets need not read it

    return one_tree(trees, games)


def _not_too_many(count: Fraction | int) -> int:
    if count > MOST_COMPONENTS:
        raise LimitReachedError(f"a sum of {int(count):,} games, at most {MOST_COMPONENTS:,} are played")
    return int(count)
