"""Games on any graph: Col and Snort (Conway 1976), Node Kayles and Arc Kayles (Schaefer 1978).

A graph is written by its edges and single vertices, with commas or blanks between them: ``a-b, b-c, d``. In Col and
Snort a vertex may be tinted, ``a:x`` or ``a:o``: only Left or only Right may still colour it. Coloured vertices need
not be kept: they tint their neighbours and are gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from zermelo.cgt.boards.ruleset import Option, Position, Ruleset, Side
from zermelo.cgt.rulesets.cells import STONES, components
from zermelo.errors import InputError

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

Vertex = tuple[str, str]
"""A name, and who may still colour it: ``x`` Left, ``o`` Right, nothing for both."""
Graph = tuple[tuple[Vertex, ...], tuple[tuple[str, str], ...]]
"""The vertices and the edges, both in alphabetical order."""

_ITEM = re.compile(r"(\w+)(?:\s*-\s*(\w+)|\s*:\s*([xXoO])(?!\w))?")
_GAP = re.compile(r"\s*,\s*|\s+")
MOST_VERTICES = 10_000
"""Larger graphs are taken for mistakes."""


def graph_of(vertices: Iterable[Vertex], edges: Iterable[tuple[str, str]]) -> Graph:
    """A graph in order; edges whose ends are not both there are left out.

    >>> graph_of([("b", ""), ("a", "x")], [("b", "a"), ("b", "c")])
    ((('a', 'x'), ('b', '')), (('a', 'b'),))
    """
    kept = dict(vertices)
    pairs = {(min(pair), max(pair)) for pair in edges if pair[0] in kept and pair[1] in kept}
    return tuple(sorted(kept.items())), tuple(sorted(pairs))


def neighbours(graph: Graph) -> dict[str, set[str]]:
    """For each vertex those that an edge joins to it.

    >>> neighbours(graph_of([("a", ""), ("b", "")], [("a", "b")]))
    {'a': {'b'}, 'b': {'a'}}
    """
    found: dict[str, set[str]] = {name: set() for name, _ in graph[0]}
    for one, other in graph[1]:
        found[one].add(other)
        found[other].add(one)
    return found


class GraphRuleset(Ruleset):
    """A game whose position is a graph."""

    tinted: ClassVar[bool] = False

    def parse(self, text: str, place: str, column: int = 1) -> Graph:
        """Edges, single vertices and tints."""
        vertices: dict[str, str] = {}
        edges: list[tuple[str, str]] = []
        at = 0
        while at < len(text):
            found = _ITEM.match(text, at)
            wrong = found is None or (found[3] and not self.tinted)
            if found is None or wrong or found[1] == found[2] or len(vertices) > MOST_VERTICES:
                message = f"unexpected {text[at : at + 12]!r}, expected an edge such as a-b or a vertex such as a"
                raise InputError(message, file=place, line=1, column=column + at)
            for name in found.group(1, 2):
                if name is not None:
                    vertices.setdefault(name, "")
            if found[2]:
                edges.append((found[1], found[2]))
            if found[3]:
                vertices[found[1]] = found[3].lower()
            at = found.end()
            gap = _GAP.match(text, at)
            if gap is None and at < len(text):
                message = f"unexpected {text[at]!r}, expected a comma and the next edge"
                raise InputError(message, file=place, line=1, column=column + at)
            at = gap.end() if gap else at
        return graph_of(vertices.items(), edges)

    def parts(self, graph: Graph) -> list[Graph]:
        """The connected parts."""
        beside = neighbours(graph)
        order = {name: number for number, (name, _) in enumerate(graph[0])}
        names = list(order)
        found = components(range(len(names)), lambda at: [order[name] for name in beside[names[at]]])
        return [graph_of([graph[0][at] for at in sorted(part)], graph[1]) for part in found]

    def regions(self, position: Position) -> Sequence[Position]:
        """The connected parts, but for vertices that nobody can use."""
        return self.parts(position)

    def text(self, position: Position) -> str:
        """Tints and single vertices first, then the edges."""
        vertices, edges = position
        joined = {name for edge in edges for name in edge}
        single = [f"{name}:{tint}" if tint else name for name, tint in vertices if tint or name not in joined]
        return ",".join([*single, *(f"{one}-{other}" for one, other in edges)])

    def shown(self, position: Position) -> str:
        """The same in one line."""
        return self.text(position) or "no vertex is left"

    def scene(self, position: Position) -> Scene:
        """The vertices in a circle."""
        from zermelo.draw.circle import circle_scene

        return circle_scene(*position)


class GraphColouring(GraphRuleset):
    """A vertex takes the side's colour and is gone; its neighbours may no longer take one of the colours."""

    tinted = True
    keeps: ClassVar[dict[Side, str]]
    """Who may still colour the neighbours of a vertex that a side has coloured."""

    def options(self, position: Position, side: Side) -> Sequence[Option]:
        """Vertices that the side may colour."""
        vertices, edges = position
        beside, keeps = neighbours(position), self.keeps[side]
        found = []
        for name, tint in vertices:
            if tint in ("", STONES[side]):
                left = [
                    (other, keeps if other in beside[name] else tinted)
                    for other, tinted in vertices
                    if other != name and not (other in beside[name] and tinted not in ("", keeps))
                ]
                found.append(Option(name, graph_of(left, edges)))
        return found

    def most_moves(self, position: Position, side: Side) -> int:
        """Vertices that the side may colour."""
        return sum(tint in ("", STONES[side]) for _, tint in position[0])


class GraphCol(GraphColouring):
    """Neighbours must not have the same colour.

    >>> rules = GraphCol()
    >>> [option.position[0] for option in rules.options(rules.parse("a-b", ""), "left")]
    [(('b', 'o'),), (('a', 'o'),)]
    """

    name = "graphcol"
    summary = "colour the vertices of a graph, neighbours must differ"
    form = "graphcol:EDGE,EDGE,... such as graphcol:a-b,b-c,c:x"
    example = "graphcol:a-b,b-c,c-d,d-a,a-c"
    keeps: ClassVar[dict[Side, str]] = {"left": "o", "right": "x"}


class GraphSnort(GraphColouring):
    """Neighbours must not have different colours.

    >>> rules = GraphSnort()
    >>> [option.position[0] for option in rules.options(rules.parse("a-b", ""), "left")]
    [(('b', 'x'),), (('a', 'x'),)]
    """

    name = "graphsnort"
    summary = "colour the vertices of a graph, neighbours must agree"
    form = "graphsnort:EDGE,EDGE,... such as graphsnort:a-b,b-c,c:x"
    example = "graphsnort:a-b,b-c,c-d,d-a,a-c"
    keeps: ClassVar[dict[Side, str]] = {"left": "x", "right": "o"}


class NodeKayles(GraphRuleset):
    """Take a vertex and all its neighbours.

    >>> rules = NodeKayles()
    >>> [rules.text(option.position) for option in rules.options(rules.parse("a-b,b-c,c-d", ""), "left")]
    ['c-d', 'd', 'a', 'a-b']
    """

    name = "nodekayles"
    summary = "take a vertex of a graph and all its neighbours"
    form = "nodekayles:EDGE,EDGE,... such as nodekayles:a-b,b-c,d"
    example = "nodekayles:a-b,b-c,c-d,d-e,e-a,e-f"
    impartial = True

    def options(self, position: Position, side: Side) -> Sequence[Option]:
        """Any vertex."""
        vertices, edges = position
        beside = neighbours(position)
        return [
            Option(name, graph_of([(o, "") for o, _ in vertices if o != name and o not in beside[name]], edges))
            for name, _ in vertices
        ]


class ArcKayles(GraphRuleset):
    """Take an edge with its ends, and all edges that have one of them.

    >>> rules = ArcKayles()
    >>> [rules.text(option.position) for option in rules.options(rules.parse("a-b,b-c,c-d", ""), "left")]
    ['c-d', '', 'a-b']
    """

    name = "arckayles"
    summary = "take an edge of a graph and all edges that share an end with it"
    form = "arckayles:EDGE,EDGE,... such as arckayles:a-b,b-c,c-a"
    example = "arckayles:a-b,b-c,c-d,d-e,e-a,e-f"
    impartial = True

    def parse(self, text: str, place: str, column: int = 1) -> Graph:
        """Single vertices do not matter."""
        return self._bare(super().parse(text, place, column))

    @staticmethod
    def _bare(graph: Graph) -> Graph:
        return graph_of([(name, "") for edge in graph[1] for name in edge], graph[1])

    def options(self, position: Position, side: Side) -> Sequence[Option]:
        """Any edge."""
        vertices, edges = position
        return [
            Option(f"{one}-{other}", self._bare(graph_of([v for v in vertices if v[0] not in (one, other)], edges)))
            for one, other in edges
        ]
