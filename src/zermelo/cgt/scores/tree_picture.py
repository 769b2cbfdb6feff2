"""Components of sums as pictures: trees in which Left's options lean to the left and Right's to the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zermelo.cgt.scores.naming import shown
from zermelo.cgt.scores.scored import Tree
from zermelo.draw.scene import Place, Scene, disc_place
from zermelo.draw.svg import at, clipped, label, number
from zermelo.draw.tokens import rounded

MOST_NODES: Final = 40
MOST_DEPTH: Final = 4
LEVEL: Final = 52.0
LEAF: Final = 36.0
LONGEST: Final = 34


class _Node:
    """A node of the picture: the game there, its options, and where it is."""

    def __init__(self, game: Tree, depth: int, side: str = "") -> None:
        self.game, self.depth, self.side = game, depth, side
        self.below: list[_Node] = []
        self.cut = False
        self.x = 0.0


def tree_scene(game: Tree, title: str, moves: Sequence[tuple[str, str, int]]) -> Scene:
    """A component as a tree with its numbers; a large one is folded below some depth.

    ``moves`` are the names of the moves that can be made here, each with the side and the number of its option.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> [place.name for place in tree_scene(trees_of("{5|-5}")[0], "1", [("1:5", "left", 0)]).places]
    ['1:5']
    """
    root = _grown(game)
    nodes = _in_order(root)
    leaves = _placed(root)
    wide = max((len(_text(node)) for node in nodes), default=1)
    step = max(LEAF, 7.6 * min(wide, 12) + 14)
    caption = clipped(f"{title}: {shown(game)}" if title else shown(game), LONGEST)
    width = max(step * leaves + 24, 7.0 * len(caption) + 24)
    left = (width - step * (leaves - 1)) / 2
    edges, body = [], []
    for node in nodes:
        x, y = left + step * node.x, 44 + LEVEL * node.depth
        for child in node.below:
            kind = 'class="z-first-line"' if child.side == "left" else 'class="z-second-line" stroke-dasharray="6 3"'
            line = f"M{at(x, y)}L{at(left + step * child.x, 44 + LEVEL * child.depth)}"
            edges.append(f'<path {kind} stroke-width="2.5" d="{line}"/>')
        text = _text(node)
        if text:
            half = 3.9 * len(text) + 7
            body.append(
                rounded(x - half, y - 11, 2 * half, 22, "open", 6) + rounded(x - half, y - 11, 2 * half, 22, "line", 6)
            )
            body.append(label(x, y, text, 12))
        else:
            body.append(f'<circle class="z-ink" cx="{number(x)}" cy="{number(y)}" r="4.5"/>')
    spots = {(child.side, index): child for index, child in _numbered(root)}
    places: list[Place] = []
    for name, side, index in moves:
        if (option := spots.get((side, index))) is not None:
            x, y = left + step * option.x, 44 + LEVEL * option.depth
            spot = disc_place(name, x, y, 17)
            places.append(Place(name, x, y + 20 if _text(option) else y, spot.shape, 28))
    body.append(label(width / 2, 16, caption, 13))
    depth = max(node.depth for node in nodes)
    return Scene(width, 44 + LEVEL * depth + 40, tuple(edges), tuple(places), tuple(body), title="sum")


def _text(node: _Node) -> str:
    if node.game.number is not None:
        return str(node.game.number).replace("-", "−")
    return clipped(shown(node.game).replace("-", "−"), 12) if node.cut else ""


def _grown(game: Tree) -> _Node:
    root = _Node(game, 0)
    waiting, count = [root], 1
    for node in waiting:
        options = [("left", one) for one in node.game.left] + [("right", one) for one in node.game.right]
        if node.game.number is not None:
            continue
        if node.depth >= MOST_DEPTH or count + len(options) > MOST_NODES:
            node.cut = True
            continue
        node.below = [_Node(one, node.depth + 1, side) for side, one in options]
        count += len(options)
        waiting += node.below
    return root


def _numbered(root: _Node) -> list[tuple[int, _Node]]:
    found, counts = [], {"left": 0, "right": 0}
    for child in root.below:
        found.append((counts[child.side], child))
        counts[child.side] += 1
    return found


def _in_order(root: _Node) -> list[_Node]:
    nodes = [root]
    for node in nodes:
        nodes += node.below
    return nodes


def _placed(root: _Node) -> int:
    """Gives every node its place across, and returns how many leaves there are."""
    leaves, stack = 0, [root]
    while stack:
        node = stack.pop()
        if not node.below:
            node.x = float(leaves)
            leaves += 1
        stack += reversed(node.below)
    for node in reversed(_in_order(root)):
        if node.below:
            node.x = (node.below[0].x + node.below[-1].x) / 2
    return leaves
