"""Sums that were made in Python, copied into the checker's nouns. No check of a text needs this."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from zermelo.check.read.sum import Nodes, WrittenSum
from zermelo.check.trees import Trees
from zermelo.errors import InputError


def copied_sum(game: Any) -> WrittenSum:
    """What the engines have read, copied from their expression."""
    made: dict[int, int] = {}
    list_ = Nodes()
    stack = [game.expression]
    while stack:
        part = stack[-1]
        inner = [*getattr(part, "parts", ()), *getattr(part, "left", ()), *getattr(part, "right", ())]
        inner += [part.of] if hasattr(part, "of") else []
        missing = [one for one in inner if id(one) not in made]
        if missing:
            stack += reversed(missing)
            continue
        made[id(part)] = _copied(list_, part, made)
        stack.pop()
    return list_.whole(made[id(game.expression)])


def _copied(nodes: Nodes, part: Any, made: dict[int, int]) -> int:
    match type(part).__name__:
        case "Number":
            return nodes.add("number", part.value)
        case "Nimber":
            return nodes.add("star", Fraction(part.size))
        case "Up":
            return nodes.add("up", Fraction(part.count))
        case "Options":
            left, right = ([made[id(one)] for one in side] for side in (part.left, part.right))
            return nodes.add("options", left=left, right=right)
        case "Sum":
            return nodes.add("sum", left=[made[id(one)] for one in part.parts])
        case "Negative":
            return nodes.add("minus", left=[made[id(part.of)]])
        case "Multiple":
            return nodes.add("copies", Fraction(part.count), [made[id(part.of)]])
        case kind:
            raise InputError(f"a sum holds a {kind}, which is no part of one")


def copied_trees(trees: Sequence[Any]) -> Callable[[Trees], list[int]]:
    """Trees made elsewhere, as components for :func:`zermelo.check.sums.check_components`.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> mine = Trees()
    >>> [str(mine.numbers[game]) for game in copied_trees(trees_of("{5|-5} + 3"))(mine)]
    ['None', '3']
    """
    return lambda own: [copied_tree(own, tree) for tree in trees]


def copied_tree(trees: Trees, tree: Any) -> int:
    """A tree made elsewhere, of objects that have a ``number`` or options ``left`` and ``right``."""
    made: dict[int, int] = {}
    stack = [tree]
    while stack:
        trees.tick()
        node = stack[-1]
        missing = [option for option in (*node.left, *node.right) if id(option) not in made]
        if missing:
            stack += missing
            continue
        stack.pop()
        sides = ([made[id(option)] for option in side] for side in (node.left, node.right))
        made[id(node)] = trees.node(*sides) if node.number is None else trees.number(node.number)
    return made[id(tree)]
