"""Graphs in layers: every position of a small game once, or the map of a geography game."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo.draw.scene import Scene, disc_place
from zermelo.draw.svg import clipped, label, picture
from zermelo.errors import InputError
from zermelo.game import Game, Score, plain_score
from zermelo.render.nodes import (
    RADIUS,
    arrow_svg,
    colour_of,
    legend_svg,
    legend_width,
    loop_svg,
    mover_of,
    node_svg,
    value_text,
)

if TYPE_CHECKING:
    from zermelo.graph import GameGraph

MOST_NODES = 250
LEVEL = 90.0
TOP = 40.0
LONGEST_LABEL = 16
LONGEST_INSIDE = 3
SWEEPS = 12
WIDEST = 1000.0
"""A wider layer of a graph is broken into rows."""
BROKEN_LEVEL = 62.0
MOST_READABLE = 60
"""A graph that is played on has at most so many nodes on a picture."""


@dataclass(frozen=True)
class Dot:
    """How a node is drawn: shape and colour (see :mod:`zermelo.render.nodes`), text inside and below."""

    mover: str = "first"
    colour: str = "open"
    inside: str = ""
    below: str = ""


def game_graph_svg(
    game: Game, graph: GameGraph, values: Mapping[str, Score | None] | None = None, *, total: Score = 0
) -> str:
    """An explored game: every position once, in layers by the number of moves that lead to it.

    ``values`` gives the first role's score by position key; ends know their own.

    >>> from zermelo.graph import graph_of
    >>> from zermelo.games import make_game
    >>> from zermelo.limits import Limits
    >>> nim = make_game("nim:1,1")
    >>> game_graph_svg(nim, graph_of(nim, Limits())).count('<polygon class="z-open"')
    3
    """
    known = values or {}
    count = len(graph.positions)
    _reject_large(count)
    rows = [list(graph.target[graph.first_edge[node] : graph.first_edge[node + 1]]) for node in range(count)]
    dots, shown = [], []
    for node, position in enumerate(graph.positions):
        result = graph.results.get(node)
        value = plain_score(result[0]) if result is not None else known.get(game.key(position))
        shown.append(value)
        below = clipped(game.key(position), LONGEST_LABEL)
        dots.append(Dot(mover_of(game, position), colour_of(game, value, total), value_text(value), below))
    extra = {"chance": graph.has_chance, "unknown": None in shown}
    width, height, body = layered_body(rows, dots, 0, least=legend_width(game, **extra))
    body += legend_svg(game, width, height, **extra)
    return picture(width, height + 24, body, "game graph")


def digraph_svg(
    names: Sequence[str], successors: Sequence[Sequence[int]], start: int = 0, marked: Collection[int] = ()
) -> str:
    """A directed graph in layers by the distance from its start, which has the first role's colour.

    >>> digraph_svg(["a", "b"], [[1], [0]]).count(">a</text>")
    1
    """
    _reject_large(len(names))
    dots = [
        Dot(
            "first",
            "first" if node == start else "mark" if node in marked else "open",
            inside=name if len(name) <= LONGEST_INSIDE else "",
            below="" if len(name) <= LONGEST_INSIDE else clipped(name, LONGEST_LABEL),
        )
        for node, name in enumerate(names)
    ]
    width, height, body = layered_body(successors, dots, start)
    return picture(width, height, body, "graph")


def graph_scene(
    names: Sequence[str],
    successors: Sequence[Sequence[int]],
    *,
    start: int = 0,
    token: int | None = None,
    visited: Collection[int] = (),
) -> Scene:
    """A directed graph with a token on one of its nodes; nodes are places, named as they are.

    A graph too large to read is folded: the nodes that two steps from the token reach are drawn, the others counted.

    >>> [place.name for place in graph_scene(["a", "b"], [[1], []], token=0).places]
    ['a', 'b']
    """
    kept = _near(successors, start) if len(names) > MOST_READABLE else list(range(len(names)))
    spot = {node: index for index, node in enumerate(kept)}
    rows = [[spot[head] for head in successors[node] if head in spot] for node in kept]
    place = layered_places(rows, spot.get(start, 0), max((len(names[node]) for node in kept), default=0))
    bold = {spot[token]} if token in spot else set()
    body = _edges(rows, place, bold)
    over, places = [], []
    for node in kept:
        x, y, name = *place.at[spot[node]], names[node]
        colour = "first" if node == token else "shade" if node in visited else "open"
        inside = name if len(name) <= LONGEST_INSIDE else ""
        over.append(node_svg(x, y, "first", colour, inside))
        if not inside:
            over.append(label(x, y + RADIUS + 9, clipped(name, LONGEST_LABEL), 10, halo=True))
        content = "token" if node == token else "visited" if node in visited else "free"
        places.append(disc_place(name, x, y, RADIUS + 3, content))
    height = place.height
    if len(kept) < len(names):
        note = f"{len(kept)} of {len(names)} nodes: those that two moves reach"
        over.append(label(place.width / 2, height - 8, note, 11, kind="faint"))
        height += 14
    return Scene(place.width, height, tuple(body), tuple(places), tuple(over), title="graph")


def _near(successors: Sequence[Sequence[int]], start: int) -> list[int]:
    """The nodes that two steps reach, as far as they can be read."""
    found, level = {start: None}, [start]
    for _ in range(2):
        level = [head for node in level for head in successors[node] if head not in found]
        found |= dict.fromkeys(level[: MOST_READABLE - len(found)])
    return list(found)


@dataclass(frozen=True)
class Layout:
    """Where the nodes of a graph are, and how large that is."""

    width: float
    height: float
    at: Mapping[int, tuple[float, float]]
    depth: Mapping[int, int]


def layered_places(
    rows: Sequence[Sequence[int]], start: int, longest: int, least: float = 0.0, *, downwards: bool = False
) -> Layout:
    """Nodes in layers (Sugiyama, Tagawa and Toda 1981), with room for labels of so many letters.

    Layers are distances from the start; nodes that it does not reach share the last one. In a graph without cycles
    they may be the longest ways instead, so that all edges lead ``downwards``. Within a layer, sweeps move each node to
    the mean place of its neighbours in the layer before: most crossings go away. A layer that is too wide to read is
    broken into several rows.

    >>> layered_places([[1], []], 0, 1).at[1][1] > layered_places([[1], []], 0, 1).at[0][1]
    True
    """
    layers = _downwards(rows, start) if downwards else _layers(rows, start)
    _untangle(rows, layers)
    gap = max(5.0 * RADIUS, 6.0 * min(longest, LONGEST_LABEL) + 10)
    in_row = max(4, int((WIDEST - 90) / gap) + 1)
    broken: list[tuple[int, list[int]]] = []
    for number, layer in enumerate(layers):
        rows_needed = -(-len(layer) // in_row)
        size = -(-len(layer) // rows_needed)
        broken += [(number, layer[i : i + size]) for i in range(0, len(layer), size)]
    width = max(least, gap * (max(len(layer) for _, layer in broken) - 0.5) + 2 * RADIUS + 60)
    place: dict[int, tuple[float, float]] = {}
    depth: dict[int, int] = {}
    y, before = TOP, 0
    for row, (number, layer) in enumerate(broken):
        if row:
            y += LEVEL if number != before else BROKEN_LEVEL
        # Every other row is a little aside, so that an arrow between two of its neighbours passes between nodes.
        shift = 0.25 * gap * (row % 2) if len(broken) > len(layers) else 0.0
        for i, node in enumerate(layer):
            place[node] = (width / 2 + shift + gap * (i - (len(layer) - 1) / 2), y)
            depth[node] = row
        before = number
    return Layout(width, y + RADIUS + 36, place, depth)


def _edges(rows: Sequence[Sequence[int]], layout: Layout, bold: Collection[int] = ()) -> list[str]:
    body = []
    for tail, row in enumerate(rows):
        for head in row:
            if head == tail:
                body.append(loop_svg(*layout.at[tail]))
                continue
            # Only edges to the next layer are free of nodes in between: the others are bent round them.
            span = layout.depth[head] - layout.depth[tail]
            bend = 0.0 if span == 1 and tail not in rows[head] else 14.0 + 9.0 * abs(span - 1)
            drawn = arrow_svg(layout.at[tail], layout.at[head], min(bend, 60.0))
            body.append(drawn.replace("z-line", "z-rim").replace("z-faint", "z-ink") if tail in bold else drawn)
    return body


def layered_body(
    rows: Sequence[Sequence[int]], dots: Sequence[Dot], start: int, least: float = 0.0
) -> tuple[float, float, list[str]]:
    """The width, the height and the SVG elements of a graph in layers.

    >>> layered_body([[1], []], [Dot(), Dot()], 0)[2][0].startswith("<path")
    True
    """
    layout = layered_places(rows, start, max((len(dot.below) for dot in dots), default=0), least)
    body = _edges(rows, layout)
    for node, dot in enumerate(dots):
        x, y = layout.at[node]
        body.append(node_svg(x, y, dot.mover, dot.colour, dot.inside))
        if dot.below:
            body.append(label(x, y + RADIUS + 9, dot.below, 10, halo=True))
    return layout.width, layout.height, body


def _reject_large(count: int) -> None:
    if count > MOST_NODES:
        raise InputError(
            f"the graph has {count:,} nodes, too many to draw (at most {MOST_NODES}): "
            "take a smaller game, a later position (--after) or --as tree with a --depth"
        )


def _layers(rows: Sequence[Sequence[int]], start: int) -> list[list[int]]:
    seen, layers = {start}, [[start]]
    while layers[-1]:
        layer: list[int] = []
        for node in layers[-1]:
            for head in rows[node]:
                if head not in seen:
                    seen.add(head)
                    layer.append(head)
        layers.append(layer)
    layers[-1] = [node for node in range(len(rows)) if node not in seen]
    return [layer for layer in layers if layer]


def _downwards(rows: Sequence[Sequence[int]], start: int) -> list[list[int]]:
    """Layers by the longest way from the start, in a graph without cycles that it reaches."""
    depth = dict.fromkeys(range(len(rows)), 0)
    changed = [start]
    while changed:
        node = changed.pop()
        for head in rows[node]:
            if depth[head] <= depth[node]:
                depth[head] = depth[node] + 1
                changed.append(head)
    layers: list[list[int]] = [[] for _ in range(max(depth.values(), default=0) + 1)]
    for node, layer in depth.items():
        layers[layer].append(node)
    return [layer for layer in layers if layer]


def _untangle(rows: Sequence[Sequence[int]], layers: list[list[int]]) -> None:
    near: list[set[int]] = [set() for _ in rows]
    for tail, row in enumerate(rows):
        for head in row:
            near[tail].add(head)
            near[head].add(tail)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        pairs = range(1, len(layers)) if down else range(len(layers) - 2, -1, -1)
        for i in pairs:
            before = layers[i - 1 if down else i + 1]
            spot = {node: (n + 0.5) / len(before) for n, node in enumerate(before)}
            here = {node: (n + 0.5) / len(layers[i]) for n, node in enumerate(layers[i])}
            layers[i].sort(key=lambda node: _mean([spot[n] for n in near[node] if n in spot], here[node]))


def _mean(places: list[float], otherwise: float) -> float:
    return sum(places) / len(places) if places else otherwise
