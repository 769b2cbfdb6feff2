"""Networks whose edges may fail: nodes in layers, edges with their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from zermelo.draw.scene import Scene, disc_place
from zermelo.draw.svg import at, box, clipped, label
from zermelo.errors import InputError
from zermelo.games.dgr import Network
from zermelo.render.nodes import RADIUS, node_svg, towards

MOST_NODES = 120
STEP, GAP = 110.0, 84.0
LONGEST = 12


def network_scene(network: Network, place: int | None = None, erased: Collection[int] = ()) -> Scene:
    """A network, from the start on the left to the right; edges are places, where their names stand.

    Edges that may fail somewhere are dashed, erased ones faint and crossed out. Under each node stands what may be
    erased on arrival. The node ``place`` has the first role's colour, the target the mark's.

    >>> from zermelo.games.dgr import Edge, Network
    >>> [place.name for place in network_scene(Network(("s", "t"), (Edge("a", 0, 1),), 0, 1, ((0,), ()))).places]
    ['a']
    """
    if len(network.nodes) > MOST_NODES:
        raise InputError(f"the network has {len(network.nodes)} nodes, too many to draw (at most {MOST_NODES})")
    spots = _places(network)
    width = max(x for x, _ in spots) + 70
    height = max(y for _, y in spots) + 60 + (14 if network.exclusive else 0)
    failing = {edge for edges in network.erasable for edge in edges}
    body, places, seen = [], [], Counter[tuple[int, int]]()
    for number_, edge in enumerate(network.edges):
        twin = seen[edge.tail, edge.head]
        seen[edge.tail, edge.head] += 1
        bend = _bend(network, spots, edge.tail, edge.head, twin)
        line = _edge(spots[edge.tail], spots[edge.head], bend, edge.name, number_ in failing, number_ in erased)
        body.append(line)
        middle = _middle(spots[edge.tail], spots[edge.head], bend)
        places.append(disc_place(edge.name, *middle, 15, "erased" if number_ in erased else "edge"))
    for node, (x, y) in enumerate(spots):
        colour = "first" if node == place else "mark" if node == network.target else "open"
        name = network.nodes[node]
        body.append(node_svg(x, y, "first", colour, name if len(name) <= 3 else ""))
        if len(name) > 3:
            body.append(label(x, y - RADIUS - 8, clipped(name, LONGEST), 10))
        if network.erasable[node]:
            what = " ".join(network.edges[edge].name for edge in network.erasable[node])
            body.append(label(x, y + RADIUS + 9, f"✂ {clipped(what, LONGEST + 2)}", 9, kind="faint"))
    if network.exclusive:
        pairs = ", ".join(f"{network.edges[a].name}/{network.edges[b].name}" for a, b in network.exclusive)
        body.append(label(width / 2, height - 12, clipped(f"never both: {pairs}", int(width / 5)), 10, kind="faint"))
    return Scene(width, height, (), tuple(places), tuple(body), title="network")


def _middle(tail: tuple[float, float], head: tuple[float, float], bend: float) -> tuple[float, float]:
    """Where the name of an edge stands."""
    (x0, y0), (x1, y1) = tail, head
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 or 1.0
    return (x0 + x1) / 2 + bend * (y1 - y0) / length, (y0 + y1) / 2 - bend * (x1 - x0) / length


def _places(network: Network) -> list[tuple[float, float]]:
    """Layers by the longest way from a node without predecessors; within one, by where the predecessors stand."""
    layer = [0] * len(network.nodes)
    for node in network.order:
        layer[node] = max((layer[network.edges[edge].tail] + 1 for edge in network.entering[node]), default=0)
    columns: list[list[int]] = [[] for _ in range(max(layer) + 1)]
    for node in network.order:
        columns[layer[node]].append(node)
    tallest = max(map(len, columns))
    spots = [(0.0, 0.0)] * len(network.nodes)
    for depth, column in enumerate(columns):
        before = {
            node: [spots[network.edges[edge].tail][1] for edge in network.entering[node]] or [0.0] for node in column
        }
        column.sort(key=lambda node: sum(before[node]) / len(before[node]))
        # Every other column is a little lower, so that edges past a node do not run through it.
        shift = 0.35 * GAP * (depth % 2) if len(columns) > 2 else 0.0
        for i, node in enumerate(column):
            spots[node] = (50 + STEP * depth, 45 + shift + GAP * (i + (tallest - len(column)) / 2))
    return spots


def _bend(network: Network, spots: list[tuple[float, float]], tail: int, head: int, twin: int) -> float:
    """How far an edge is bent, and to which side, so that it passes no other node or its text; less is better.

    Edges between the same nodes take one bend after the other.
    """
    nodes = [node for node in range(len(spots)) if node not in (tail, head)]
    texts = [(spots[node][0], spots[node][1] + RADIUS + 9) for node in nodes if network.erasable[node]]
    others = [*(spots[node] for node in nodes), *texts]
    (x0, y0), (x1, y1) = spots[tail], spots[head]
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 or 1.0
    aside = ((y1 - y0) / length, (x0 - x1) / length)
    free = []
    for bend in sorted((sign * 14.0 * step for step in range(7) for sign in (1, -1)), key=abs):
        # The curve, a parabola, is farthest aside in its middle.
        curve = [
            (x0 + (x1 - x0) * t + way * aside[0], y0 + (y1 - y0) * t + way * aside[1])
            for t, way in ((i / 12, bend * i / 3 * (1 - i / 12)) for i in range(1, 12))
        ]
        close = min((abs(x - a) + abs(y - b) for x, y in curve for a, b in others), default=1000.0)
        if close > 2.2 * RADIUS and bend not in free:
            free.append(bend)
    return free[2 * twin if 2 * twin < len(free) else -1] if free else 26.0


def _edge(
    tail: tuple[float, float], head: tuple[float, float], bend: float, name: str, failing: bool, erased: bool
) -> str:
    """An arrow with a name on it."""
    (x0, y0), (x1, y1) = tail, head
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 or 1.0
    along = ((x1 - x0) / length, (y1 - y0) / length)
    control = ((x0 + x1) / 2 + 2 * bend * along[1], (y0 + y1) / 2 - 2 * bend * along[0])
    middle = _middle(tail, head, bend)
    begin, end = towards(tail, control, RADIUS + 2), towards(head, control, RADIUS + 2)
    back = towards(end, control, 7.0)
    dx, dy = (end[0] - back[0]) / 2.2, (end[1] - back[1]) / 2.2
    wings = f"L{at(back[0] - dy, back[1] + dx)}L{at(back[0] + dy, back[1] - dx)}"
    dashes = ' stroke-dasharray="5 3"' if failing else ""
    kind, fade = ("line", ' opacity="0.35"') if erased else ("rim", "")
    parts = [
        f'<path class="z-{kind}" d="M{at(*begin)}Q{at(*control)} {at(*back)}"{dashes}{fade}/>',
        f'<path class="z-ink" d="M{at(*end)}{wings}z"{fade}/>',
    ]
    if erased:
        x, y = middle
        strokes = (at(x - 9, y - 9), at(x + 9, y + 9), at(x - 9, y + 9), at(x + 9, y - 9))
        parts.append('<path class="z-first-line" d="M{}L{}M{}L{}"/>'.format(*strokes))
    wide = 6.0 * len(clipped(name, LONGEST)) + 4
    parts.append(box(middle[0] - wide / 2, middle[1] - 7, wide, 14, "paper"))
    parts.append(label(*middle, clipped(name, LONGEST), 10, kind="faint" if erased else "ink"))
    return "".join(parts)
