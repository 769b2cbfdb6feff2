"""Games that are written down: a tree of choices with payoffs at its ends, and a table of payoffs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zermelo.draw.hands import choice_name, role_token
from zermelo.draw.pieces import ROLE_COLOURS, piece
from zermelo.draw.scene import Place, Scene, disc_place, square_place
from zermelo.draw.svg import at, box, clipped, label, number

RADIUS = 13.0
STOREY = 74.0
MOST_NODES = 60
"""Larger trees are drawn from the present node on, and what does not fit is a number."""
LONGEST = 14
NEAR = 0.62
"""How far down a branch its name stands: near the end, where branches are apart."""


@dataclass(frozen=True)
class Branching:
    """A node of a tree: who chooses (its place among the roles, -1 is chance, ``None`` an end), and the branches."""

    who: int | None
    moves: tuple[str, ...] = ()
    after: tuple[int, ...] = ()
    paid: tuple[str, ...] = ()
    """What each role gets, at an end."""


def choices_scene(nodes: Sequence[Branching], roles: Sequence[str], here: int) -> Scene:
    """The tree, with a ring around the node where play stands; its branches can be pointed at.

    >>> nodes = [Branching(0, ("a", "b"), (1, 2)), Branching(None, paid=("1",)), Branching(None, paid=("0",))]
    >>> scene = choices_scene(nodes, ["Ann"], 0)
    >>> [place.name for place in scene.places], scene.ways["b"]
    (['start', 'a', 'b'], ('b',))
    """
    top, names = _top(nodes, here)
    drawn = _drawn(nodes, top)
    points, width, depth = _layout(nodes, top, drawn)
    for node in drawn:
        for move, after in zip(nodes[node].moves, nodes[node].after, strict=True):
            names[after] = move if node == 0 else f"{names[node]}, {move}"
    lines, discs, texts, places = [], [], [], []
    for node in drawn:
        x, y = points[node]
        row = nodes[node]
        for move, after in zip(row.moves, row.after, strict=True):
            if after in drawn:
                x1, y1 = points[after]
                lines.append(f'<path class="z-line" stroke-width="2" d="M{at(x, y)}L{at(x1, y1)}"/>')
                middle = (x + NEAR * (x1 - x), y + NEAR * (y1 - y))
                texts.append(label(*middle, clipped(move, LONGEST), 12, halo=True))
        if row.after and row.after[0] not in drawn:
            texts.append(label(x, y + RADIUS + 12, f"+{len(row.after)}", 12, kind="faint"))
        discs.append(_node(row, x, y, here=node == here))
        places.append(disc_place(names[node], x, y, RADIUS, ", ".join(row.paid) or ("here" if node == here else "")))
        texts += [
            label(x, y + 18 * (role + 0.2), paid, 13, kind=ROLE_COLOURS[role % len(ROLE_COLOURS)])
            for role, paid in enumerate(row.paid)
        ]
    height = 40 + STOREY * depth + 18 * len(roles)
    key, x = [], 12.0
    for role, who in enumerate(roles):
        shown = clipped(who, 18)
        key.append(piece(role_token(role), x + 9, height + 10, 20))
        key.append(label(x + 22, height + 10, shown, 12, kind="faint", extra=' text-anchor="start"'))
        x += 7.4 * len(shown) + 40
    ways = {
        move: (names[after],)
        for move, after in zip(nodes[here].moves, nodes[here].after, strict=True)
        if after in drawn
    }
    return Scene(max(width, x), height + 26, tuple(lines), tuple(places), (*discs, *texts), tuple(key), "tree", ways)


def _top(nodes: Sequence[Branching], here: int) -> tuple[int, dict[int, str]]:
    """The node to draw from, and what it is called."""
    if len(nodes) <= MOST_NODES or here == 0:
        return 0, {0: "start"}
    return here, {here: "here"}


def _drawn(nodes: Sequence[Branching], top: int) -> dict[int, int]:
    """The nodes that are drawn with their depth: from the top on, all branches of a node or none."""
    depth = {top: 0}
    queue = [top]
    for node in queue:
        if len(depth) + len(nodes[node].after) <= MOST_NODES:
            depth.update(dict.fromkeys(nodes[node].after, depth[node] + 1))
            queue += nodes[node].after
    return depth


def _layout(
    nodes: Sequence[Branching], top: int, drawn: Mapping[int, int]
) -> tuple[dict[int, tuple[float, float]], float, int]:
    """Where each node stands: the ends side by side, every other node over the middle of its branches."""
    longest = max((len(clipped(move, LONGEST)) for node in drawn for move in nodes[node].moves), default=1)
    widest = max((len(paid) for node in drawn for paid in nodes[node].paid), default=1)
    step = max(36.0, (7.2 * longest + 8) / NEAR, 9.0 * widest + 12)
    column: dict[int, float] = {}
    order, stack = [], [top]
    while stack:
        node = stack.pop()
        order.append(node)
        stack += [after for after in reversed(nodes[node].after) if after in drawn]
    ends = 0
    for node in order:
        if not any(after in drawn for after in nodes[node].after):
            column[node] = float(ends)
            ends += 1
    for node in reversed(order):
        if node not in column:
            below = [column[after] for after in nodes[node].after]
            column[node] = (below[0] + below[-1]) / 2
    points = {node: (step * (column[node] + 0.5) + 10, 26 + STOREY * drawn[node]) for node in drawn}
    return points, step * ends + 20, max(drawn.values())


def _node(node: Branching, x: float, y: float, *, here: bool) -> str:
    """A token where a role chooses, a diamond for chance, nothing at an end; a ring where play stands."""
    ring = f'<circle class="z-amber-line" cx="{number(x)}" cy="{number(y)}" r="{number(RADIUS + 4)}" stroke-width="4"/>'
    shown = ring if here else ""
    if node.who is None:
        return shown
    if node.who < 0:
        diamond = f'd="M{at(x, y - RADIUS)}L{at(x + RADIUS, y)}L{at(x, y + RADIUS)}L{at(x - RADIUS, y)}z"'
        return f'{shown}<path class="z-open" {diamond}/><path class="z-rim" {diamond}/>'
    return shown + piece(role_token(node.who), x, y, 2.4 * RADIUS)


def table_scene(
    roles: tuple[str, str],
    choices: tuple[Sequence[str], Sequence[str]],
    paid: Mapping[tuple[str, str], tuple[str, str]],
    chosen: tuple[str, ...] = (),
) -> Scene:
    """The payoffs of two roles: the first chooses a row, the second a column; what they chose is marked.

    >>> paid = {("a", "c"): ("1", "0"), ("b", "c"): ("0", "1")}
    >>> [place.name for place in table_scene(("Ann", "Bob"), (("a", "b"), ("c",)), paid).places]
    ['Ann: a', 'Ann: b', 'Bob: c']
    """
    entries = [text for pair in paid.values() for text in pair]
    head = max(8.0 * min(len(row), LONGEST) for row in (*choices[0], roles[0])) + 24
    wide = max([8.0 * min(len(column), LONGEST) + 16 for column in choices[1]] + [18.0 * len(t) + 20 for t in entries])
    wide, tall, left, top = max(wide, 56.0), 46.0, 30 + head, 66.0
    body = [piece(role_token(0), 20, top - 18, 24)]
    body.append(label(36, top - 18, clipped(roles[0], LONGEST), 12, kind="faint", extra=' text-anchor="start"'))
    middle = left + wide * len(choices[1]) / 2
    body.append(piece(role_token(1), middle - 10, 16, 24))
    body.append(label(middle + 6, 16, clipped(roles[1], LONGEST), 12, kind="faint", extra=' text-anchor="start"'))
    places: list[Place] = []
    for r, row in enumerate(choices[0]):
        y = top + tall * r
        places.append(square_place(choice_name(roles[0], row), 36, y + 4, head - 10, tall - 8, row))
        body.append(label(32 + head / 2, y + tall / 2, clipped(row, LONGEST), 14))
    for c, column in enumerate(choices[1]):
        x = left + wide * c
        places.append(square_place(choice_name(roles[1], column), x + 3, top - 32, wide - 6, 28, column))
        body.append(label(x + wide / 2, top - 18, clipped(column, LONGEST), 14))
        for r, row in enumerate(choices[0]):
            y = top + tall * r
            body.append(box(x, y, wide, tall, "mark" if chosen == (row, column) else "cell"))
            body.append(box(x, y, wide, tall, "line"))
            first, second = paid[row, column]
            body.append(label(x + wide * 0.28, y + tall * 0.68, first, 15, kind="first"))
            body.append(label(x + wide * 0.72, y + tall * 0.32, second, 15, kind="second"))
    full = left + wide * len(choices[1]) + 14
    name = 7.4 * min(len(roles[1]), LONGEST) + middle + 20
    return Scene(max(full, name), top + tall * len(choices[0]) + 14, (), tuple(places), tuple(body), title="table")
