"""Sums, boards and Go positions that were made in Python, copied into the checker's nouns. No text needs this."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from zermelo.check.boards import IMPARTIAL, MODULES
from zermelo.check.dots import Dots
from zermelo.check.read.board import Boards, board_target
from zermelo.check.read.sgf import Endgame, point_named, with_marks
from zermelo.check.read.sum import Nodes, WrittenSum
from zermelo.check.trees import Trees, folded
from zermelo.errors import InputError


def endgame(game: Any) -> Endgame:
    """The position that the engines have read."""
    at = game.position
    safe = [*at.safe, *(point_named(name, at.size) for name in game.safe)]
    marked = with_marks(at.stones, safe, at.territory)
    return Endgame(at.stones, marked, at.to_move, at.komi, at.prisoners, at.banned, game.scoring)


def dots(game: Any) -> Dots:
    """The boards of a game of dots and boxes."""
    return Dots(tuple(game.boards))


def boards(game: Any) -> Boards | Dots | None:
    """The boards of a game of the engines; ``None`` where its rules are stated in Python by somebody else."""
    rules = game.ruleset
    while True:
        if not type(rules).__module__.startswith("zermelo.cgt.") or rules.name.removeprefix(IMPARTIAL) not in MODULES:
            return None
        if not hasattr(rules, "rules"):
            break
        rules = rules.rules
    texts = "+".join(map(game.ruleset.text, game.positions))
    return board_target(f"{game.ruleset.name}:{texts}")


def mixed(game: Any) -> Any:
    """Boards of several games and games in brackets; ``None`` where somebody else states rules of one."""
    from zermelo.check.mixed import mixed_target

    summands = game.summands(game.start())
    if any(not type(rules).__module__.startswith("zermelo.cgt.") for rules, _ in summands):
        return None
    terms = [
        f"({rules.text(p)})" if rules.name == "short" else f"{rules.name}:{rules.text(p)}" for rules, p in summands
    ]
    return mixed_target(" + ".join(terms))


def written_sum(game: Any) -> WrittenSum:
    """What the engines have read, copied from their expression."""
    nodes = Nodes()

    def inner(part: Any) -> list[Any]:
        found = [*getattr(part, "parts", ()), *getattr(part, "left", ()), *getattr(part, "right", ())]
        return [*found, part.of] if hasattr(part, "of") else found

    return nodes.whole(_each_once(game.expression, inner, partial(_copied, nodes)))


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
    objects = {id(tree): tree for tree in trees}

    def copied(own: Trees) -> list[int]:
        made = {key: copied_tree(own, tree) for key, tree in objects.items()}
        return [made[id(tree)] for tree in trees]

    return copied


def copied_tree(trees: Trees, tree: Any) -> int:
    """A tree made elsewhere, of objects that have a ``number`` or options ``left`` and ``right``."""

    def copy(node: Any, made: dict[int, int]) -> int:
        trees.tick()
        left, right = ([made[id(option)] for option in side] for side in (node.left, node.right))
        return trees.node(left, right) if node.number is None else trees.number(node.number)

    return _each_once(tree, lambda node: [*node.left, *node.right], copy)


def _each_once(root: Any, inner: Callable[[Any], list[Any]], copy: Callable[[Any, dict[int, int]], int]) -> int:
    """Copies objects, inner ones first; those that are copied are known by their identity."""
    objects: dict[int, Any] = {id(root): root}
    made: dict[int, int] = {}

    def inside(key: int) -> list[int]:
        found = {id(part): part for part in inner(objects[key])}
        objects.update(found)
        return list(found)

    return folded(id(root), inside, made, lambda key: copy(objects[key], made))
