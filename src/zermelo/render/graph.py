"""Graphs in layers: every position of a small game once, or the map of a geography game."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo.draw.svg import box, clipped, label, picture
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


def layered_body(
    rows: Sequence[Sequence[int]], dots: Sequence[Dot], start: int, least: float = 0.0
) -> tuple[float, float, list[str]]:
    """The width, the height and the SVG elements of a graph in layers (Sugiyama, Tagawa and Toda 1981).

    Layers are distances from the start; nodes that it does not reach share the last one. Within a layer,
    sweeps move each node to the mean place of its neighbours in the layer before: most crossings go away.

    >>> layered_body([[1], []], [Dot(), Dot()], 0)[2][0].startswith("<path")
    True
    """
    layers = _layers(rows, start)
    _untangle(rows, layers)
    gap = max(5.0 * RADIUS, 6.0 * max((len(dot.below) for dot in dots), default=0) + 10)
    width = max(least, gap * (max(len(layer) for layer in layers) - 1) + 2 * RADIUS + 90)
    place: dict[int, tuple[float, float]] = {}
    depth = {}
    for number, layer in enumerate(layers):
        for i, node in enumerate(layer):
            place[node] = (width / 2 + gap * (i - (len(layer) - 1) / 2), TOP + LEVEL * number)
            depth[node] = number
    body = []
    for tail, row in enumerate(rows):
        for head in row:
            if head == tail:
                body.append(loop_svg(*place[tail]))
                continue
            # Only edges to the next layer are free of nodes in between: the others are bent round them.
            span = depth[head] - depth[tail]
            bend = 0.0 if span == 1 and tail not in rows[head] else 14.0 + 9.0 * abs(span - 1)
            body.append(arrow_svg(place[tail], place[head], bend))
    for node, dot in enumerate(dots):
        x, y = place[node]
        body.append(node_svg(x, y, dot.mover, dot.colour, dot.inside))
        if dot.below:
            wide = 5.8 * len(dot.below) + 4
            body.append(box(x - wide / 2, y + RADIUS + 3, wide, 12, "paper"))
            body.append(label(x, y + RADIUS + 9, dot.below, 10))
    return width, TOP + LEVEL * (len(layers) - 1) + RADIUS + 36, body


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
