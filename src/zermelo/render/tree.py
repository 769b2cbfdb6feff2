"""Game trees: all play from a position to a depth, or all play against a strategy that was written down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.certificate import Claim
from zermelo.draw.svg import at, box, clipped, label, picture
from zermelo.errors import InputError, ZermeloError
from zermelo.game import CHANCE, Game, Score, plain_score
from zermelo.render.nodes import RADIUS, colour_of, legend_svg, legend_width, mover_of, node_svg, value_text

MOST_NODES = 600
LEVEL = 72.0
TOP = 34.0
LONGEST_LABEL = 12


@dataclass
class TreeNode:
    """A node of a tree: who moves there, what it is worth, and what leads to it."""

    position: Any = None
    via: str = ""
    depth: int = 0
    chosen: bool = False
    """Whether the edge above is the strategy's own choice."""
    cut: bool = False
    """Whether play goes on below, but is not drawn."""
    children: list[TreeNode] = field(default_factory=list)
    mover: str = "over"
    colour: str = "open"
    text: str = ""
    x: float = 0.0


Branches = Callable[[Any], Sequence[tuple[Any, bool]]]


def tree_svg(
    game: Game,
    position: Any = None,
    depth: int = 2,
    values: Mapping[str, Score | None] | None = None,
    *,
    total: Score = 0,
) -> str:
    """The game tree from a position (by default the start) to a depth, with values as colours.

    ``values`` gives the first role's score by position key; ends know their own. ``total`` is what the scores
    of both roles add up to.

    >>> from zermelo.games import make_game
    >>> svg = tree_svg(make_game("nim:1,2"), depth=1)
    >>> [f">{move}</text>" in svg for move in ("0,1", "1,1", "1,2")]
    [True, True, True]
    """

    def branches(here: Any) -> Sequence[tuple[Any, bool]]:
        return [(move, False) for move in _moves(game, here)]

    return _drawn(game, _grown(game, position, depth, branches), values or {}, total)


def strategy_svg(game: Game, claim: Claim, position: Any = None, depth: int = 4, *, total: Score = 0) -> str:
    """The tree of a strategy: its own move where its role moves (drawn thick), every reply where others do.

    Colours say what the claim promises, and at the ends of play what came of it.

    >>> import zermelo
    >>> solution = zermelo.solve("nim:1,2")
    >>> svg = strategy_svg(solution.game, solution.certificate.claims[0])
    >>> ">1,1</text>" in svg, ">1,2</text>" in svg
    (True, False)
    """

    def branches(here: Any) -> Sequence[tuple[Any, bool]]:
        if game.turn(here) != claim.role:
            return [(move, False) for move in _moves(game, here)]
        move = _claimed(game, here, claim)
        return [] if move is None else [(move, True)]

    root = _grown(game, position, depth, branches)
    promised = claim.at_least if claim.role == game.roles[0] else total - claim.at_least
    return _drawn(game, root, {game.key(node.position): promised for node in _breadth_first(root)}, total)


def _claimed(game: Game, position: Any, claim: Claim) -> Any:
    if claim.rule is not None:
        return game.rule_move(position, claim)
    entry = claim.table.get(game.key(position))
    try:
        return None if entry is None else game.parse_move(position, entry[0])
    except ZermeloError:
        return None


def _moves(game: Game, position: Any) -> Sequence[Any]:
    turn = game.turn(position)
    if turn == CHANCE:
        return [outcome for outcome, _ in game.chances(position)]
    if isinstance(turn, tuple):
        raise InputError("several roles move at once: there is no tree of moves to draw")
    return game.moves(position)


def _grown(game: Game, position: Any, depth: int, branches: Branches) -> TreeNode:
    root = TreeNode(game.start() if position is None else position)
    waiting, count = [root], 1
    for node in waiting:
        if game.result(node.position) is not None:
            continue
        if node.depth >= depth:
            node.cut = True
            continue
        for move, chosen in branches(node.position):
            count += 1
            if count > MOST_NODES:
                raise InputError(
                    f"the tree to depth {depth} has more than {MOST_NODES} nodes, too many to draw: "
                    "give a smaller --depth"
                )
            text = clipped(game.move_text(move), LONGEST_LABEL)
            node.children.append(TreeNode(game.play(node.position, move), text, node.depth + 1, chosen))
        waiting.extend(node.children)
    return root


def _breadth_first(root: TreeNode) -> list[TreeNode]:
    order = [root]
    for node in order:
        order.extend(node.children)
    return order


def _place(root: TreeNode) -> tuple[float, int]:
    """Leaves side by side, each parent above the middle of its children; returns the width and the depth."""
    nodes = _breadth_first(root)
    gap = max(2 * RADIUS + 8, 6.4 * max(len(node.via) for node in nodes) + 8)
    leaves = 0
    stack = [root]
    while stack:
        node = stack.pop()
        if not node.children:
            node.x = gap * leaves
            leaves += 1
        stack.extend(reversed(node.children))
    for node in reversed(nodes):
        if node.children:
            node.x = (node.children[0].x + node.children[-1].x) / 2
    return gap * (leaves - 1), nodes[-1].depth


def _drawn(game: Game, root: TreeNode, values: Mapping[str, Score | None], total: Score) -> str:
    for node in _breadth_first(root):
        value = _value(game, node, values)
        node.mover = mover_of(game, node.position)
        node.colour, node.text = colour_of(game, value, total), value_text(value)
    return tree_picture(game, root)


def tree_picture(game: Game, root: TreeNode, title: str = "game tree") -> str:
    """The picture of a tree whose nodes know who moves and what they are worth.

    >>> from zermelo.games import make_game
    >>> leaf = TreeNode(via="0,1", depth=1, chosen=True, colour="first", text="1")
    >>> ">0,1</text>" in tree_picture(make_game("nim:1"), TreeNode(mover="first", children=[leaf]))
    True
    """
    across, depth = _place(root)
    nodes = _breadth_first(root)
    extra = {
        "chance": any(node.mover == "chance" for node in nodes),
        "unknown": any(node.colour == "open" for node in nodes),
    }
    width = max(across + 2 * RADIUS + 40, legend_width(game, **extra))
    left = (width - across) / 2
    edges, body = [], []
    for node in nodes:
        x, y = left + node.x, TOP + LEVEL * node.depth
        for child in node.children:
            cx, cy = left + child.x, TOP + LEVEL * child.depth
            kind = "z-rim" if child.chosen else "z-line"
            thick = ' stroke-width="2.5"' if child.chosen else ""
            curve = f"{at(x, y + LEVEL * 0.5)} {at(cx, cy - LEVEL * 0.75)} {at(cx, cy - RADIUS)}"
            edges.append(f'<path class="{kind}"{thick} d="M{at(x, y)}C{curve}"/>')
        if node.via:
            wide = 6.4 * len(node.via) + 2
            body.append(box(x - wide / 2, y - RADIUS - 17, wide, 13, "paper"))
            body.append(label(x, y - RADIUS - 10, node.via, 11))
        body.append(node_svg(x, y, node.mover, node.colour, node.text))
        if node.cut:
            body.append(label(x, y + RADIUS + 5, "…", 12, kind="faint"))
    bottom = TOP + LEVEL * depth + RADIUS + 42
    body += legend_svg(game, width, bottom - 16, **extra)
    return picture(width, bottom, edges + body, title)


def _value(game: Game, node: TreeNode, values: Mapping[str, Score | None]) -> Score | None:
    result = game.result(node.position)
    return values.get(game.key(node.position)) if result is None else plain_score(result[0])
