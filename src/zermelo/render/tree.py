"""Game trees: all play from a position to a depth, or all play against a strategy that was written down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.certificate import Claim
from zermelo.draw.svg import at, box, clipped, label, number, picture
from zermelo.errors import InputError, ZermeloError
from zermelo.game import CHANCE, Game, Score, plain_score
from zermelo.render.nodes import RADIUS, colour_of, legend_svg, legend_width, mover_of, node_svg, value_text

MOST_NODES = 5000
"""A tree with more positions is refused: its values would take too long to work out."""
MOST_LEAVES = 72
"""More leaves than so many are folded: of each node some children are drawn, and the others counted."""
WIDEST = 1000.0
"""A tree that is wider is broken into rows where it first branches."""
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
    folded: int = 0
    """So many moves this node stands for, where they are too many to draw."""


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
                    "give a smaller depth"
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


def _fold(root: TreeNode) -> None:
    """Leaves as many children at each node as keep the whole readable; one node stands for all the others.

    The strategy's own move stays, then the first of each colour, then others in their order.
    """
    nodes = _breadth_first(root)
    most = max((len(node.children) for node in nodes), default=0)
    gap = _gap(nodes)
    while most > 2 and not _fits(root, most, gap):
        most -= 1
    for node in nodes:
        if len(node.children) <= most:
            continue
        firsts = {child.colour: child for child in reversed(node.children)}.values()
        kept = [child for child in node.children if child.chosen or any(child is one for one in firsts)]
        others = [child for child in node.children if not any(child is one for one in kept)]
        kept = (kept + others)[: most - 1]
        kept = [child for child in node.children if any(child is one for one in kept)]
        rest = [child for child in node.children if not any(child is one for one in kept)]
        colours = {child.colour for child in rest}
        colour = colours.pop() if len(colours) == 1 else "open"
        node.children = [*kept, TreeNode(depth=node.depth + 1, folded=len(rest), colour=colour)]


def _fits(root: TreeNode, most: int, gap: float) -> bool:
    """Whether the tree can be read if nodes have at most so many children."""
    leaves: dict[int, int] = {}
    for node in reversed(_breadth_first(root)):
        below = [leaves[id(child)] for child in node.children]
        if len(below) > most:
            below = [*sorted(below, reverse=True)[: most - 1], 1]
        leaves[id(node)] = sum(below) or 1
    branching = _first_branching(root)
    widest = max((leaves[id(child)] for child in branching.children), default=1)
    return leaves[id(root)] <= MOST_LEAVES and widest * gap <= WIDEST


def _first_branching(root: TreeNode) -> TreeNode:
    while len(root.children) == 1:
        root = root.children[0]
    return root


def _gap(nodes: Sequence[TreeNode]) -> float:
    return max(2 * RADIUS + 8, 6.4 * max(len(node.via) for node in nodes) + 8)


@dataclass(frozen=True)
class _Layout:
    """Where nodes are, how large that is, and where the tree is broken into rows."""

    at: Mapping[int, tuple[float, float]]
    width: float
    height: float
    branching: TreeNode
    rows: Sequence[Sequence[TreeNode]]

    @property
    def is_broken(self) -> bool:
        return len(self.rows) > 1


def _placed(root: TreeNode) -> _Layout:
    """Leaves side by side, each parent above the middle of its children; rows of subtrees where that is too wide."""
    gap, branching = _gap(_breadth_first(root)), _first_branching(root)
    sizes = {id(child): _leaves(child) for child in branching.children}
    rows: list[list[TreeNode]] = [[]]
    for child in branching.children:
        if rows[-1] and gap * (sum(sizes[id(one)] for one in rows[-1]) + sizes[id(child)]) > WIDEST:
            rows.append([])
        rows[-1].append(child)
    widest = max(sum(sizes[id(child)] for child in row) for row in rows) if branching.children else 1
    indent = 34.0 if len(rows) > 1 else 0.0
    width = gap * (widest - 1)
    spots: dict[int, tuple[float, float]] = {}
    y = LEVEL * (branching.depth + 1)
    for row in rows:
        x = indent + (0.0 if len(rows) > 1 else (width - gap * (sum(sizes[id(one)] for one in row) - 1)) / 2)
        deepest = 0
        for child in row:
            for node in _breadth_first(child):
                deepest = max(deepest, node.depth - branching.depth - 1)
            x = _spread(child, x, y, gap, spots)
        y += LEVEL * (deepest + 1)
    height = y - LEVEL if branching.children else LEVEL * branching.depth
    middle = indent + width / 2
    if branching.children and len(rows) == 1:
        middle = (spots[id(rows[0][0])][0] + spots[id(rows[0][-1])][0]) / 2
    node = root
    while True:
        spots[id(node)] = (middle, LEVEL * node.depth)
        if node is branching:
            break
        node = node.children[0]
    return _Layout(spots, indent + width, height, branching, rows)


def _leaves(root: TreeNode) -> int:
    return sum(not node.children for node in _breadth_first(root))


def _spread(root: TreeNode, x: float, y: float, gap: float, spots: dict[int, tuple[float, float]]) -> float:
    """Places a subtree whose root is at a height, from x on; returns where the next one begins."""
    stack = [root]
    while stack:
        node = stack.pop()
        if not node.children:
            spots[id(node)] = (x, y + LEVEL * (node.depth - root.depth))
            x += gap
        stack.extend(reversed(node.children))
    for node in reversed(_breadth_first(root)):
        if node.children:
            left, right = spots[id(node.children[0])][0], spots[id(node.children[-1])][0]
            spots[id(node)] = ((left + right) / 2, y + LEVEL * (node.depth - root.depth))
    return x


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
    _fold(root)
    layout, nodes = _placed(root), _breadth_first(root)
    extra = {
        "chance": any(node.mover == "chance" for node in nodes),
        "unknown": any(node.colour == "open" and not node.folded for node in nodes),
    }
    width = max(layout.width + 2 * RADIUS + 40, legend_width(game, **extra))
    left = (width - layout.width) / 2
    spots = {key: (left + x, TOP + y) for key, (x, y) in layout.at.items()}
    edges = _trunk(layout, spots) if layout.is_broken else []
    body = []
    for node in nodes:
        x, y = spots[id(node)]
        if not (layout.is_broken and node is layout.branching):
            edges += [_branch((x, y), spots[id(child)], child) for child in node.children]
        body += _node(node, x, y)
    bottom = TOP + layout.height + RADIUS + 42
    body += legend_svg(game, width, bottom - 16, **extra)
    return picture(width, bottom, edges + body, title)


def _branch(parent: tuple[float, float], child: tuple[float, float], node: TreeNode) -> str:
    (x, y), (cx, cy) = parent, child
    kind = "z-rim" if node.chosen else "z-line"
    look = ' stroke-width="2.5"' if node.chosen else ' stroke-dasharray="3 4"' if node.folded else ""
    curve = f"{at(x, y + LEVEL * 0.5)} {at(cx, cy - LEVEL * 0.75)} {at(cx, cy - RADIUS)}"
    return f'<path class="{kind}"{look} d="M{at(x, y)}C{curve}"/>'


def _trunk(layout: _Layout, spots: Mapping[int, tuple[float, float]]) -> list[str]:
    """A tree broken into rows: a line down at the left, and from it one along the top of each row."""
    x, y = spots[id(layout.branching)]
    side = min(place[0] for place in spots.values()) - 26
    parts = []
    for index, row in enumerate(layout.rows):
        first, last = spots[id(row[0])], spots[id(row[-1])]
        bar = first[1] - LEVEL * 0.55
        start = f"M{at(x, y)}V{number(bar)}" if index == 0 else f"M{at(side, bar)}"
        reach = (
            f"M{at(min(side, x) if index == 0 else side, bar)}L{at(max(last[0], x) if index == 0 else last[0], bar)}"
        )
        parts.append(f'<path class="z-line" d="{start}{reach}"/>')
        parts += [f'<path class="z-line" d="M{at(spots[id(child)][0], bar)}V{number(first[1])}"/>' for child in row]
    top, end = (spots[id(layout.rows[i][0])][1] - LEVEL * 0.55 for i in (0, -1))
    parts.append(f'<path class="z-line" d="M{at(side, top)}V{number(end)}"/>')
    return parts


def _node(node: TreeNode, x: float, y: float) -> list[str]:
    if node.folded:
        text = f"+{node.folded}"
        wide = 7.0 * len(text) + 10
        pill = box(x - wide / 2, y - 10, wide, 20, node.colour if node.colour != "open" else "cell")
        rim = box(x - wide / 2, y - 10, wide, 20, "line")
        ink = "ink" if node.colour == "open" else "paper"
        rounded = [part.replace("/>", ' rx="9"/>') for part in (pill, rim)]
        return [*rounded, label(x, y, text, 11, kind=ink)]
    body = []
    if node.via:
        wide = 6.4 * len(node.via) + 2
        body.append(box(x - wide / 2, y - RADIUS - 17, wide, 13, "paper"))
        body.append(label(x, y - RADIUS - 10, node.via, 11))
    body.append(node_svg(x, y, node.mover, node.colour, node.text))
    if node.cut:
        body.append(label(x, y + RADIUS + 5, "…", 12, kind="faint"))
    return body


def _value(game: Game, node: TreeNode, values: Mapping[str, Score | None]) -> Score | None:
    result = game.result(node.position)
    return values.get(game.key(node.position)) if result is None else plain_score(result[0])
