"""Generalized geography: a token moves along the edges of a directed graph, never to a node it has been on.

Whoever cannot move loses. The start counts as visited. A bound of r rounds, where the graph's file gives one,
ends play after r moves: nobody may move any more, so whoever would be next loses and the last mover wins.
Where r is at least the longest possible play, this is the game without a bound (erratum 2.1): it is dropped.

To decide the game is PSPACE-complete (Schaefer 1978), so a position holds no more than it must:

- Edges that no play can take are struck out first. Every play that reaches a node has passed the nodes that
  dominate it, so an edge back to one of those is dead. On a tree walked both ways only the edges away from
  the start are left.
- A strongly connected component is never entered again once it is left, so only the nodes visited in the
  token's own component matter. On a path of a million nodes a position is a node and whose turn it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING

from zermelo.errors import ArgumentError, IllegalMoveError
from zermelo.game import Game, win_for
from zermelo.games.digraph import NONE, components, most_steps, playable
from zermelo.games.entry import Entry, integers
from zermelo.games.graphfile import Graph

if TYPE_CHECKING:
    from zermelo import _native
    from zermelo.draw.scene import Scene

USAGE = "geography:random:N,DEG,SEED"
MOST_NODES = 10**6
MOST_EDGES = 10**7

Position = tuple[int, frozenset[int], int]


class Geography(Game):
    """Generalized geography on a graph. A move is the number of a node, written as the node's name.

    A position is the token's node, the nodes visited before it in the same strongly connected component, and
    a clock: the number of rounds played where a bound may cut play short, else whether that number is odd.

    >>> game = Geography(Graph(("a", "b", "c"), ((1, 2), (0, 2), ())))
    >>> [game.move_text(move) for move in game.moves(game.start())]
    ['b', 'c']
    >>> game.moves(game.play(game.start(), 1))        # not back to a
    [2]
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        rows = graph.successors
        parts = components(rows, graph.start)
        if max(parts.sizes) > 1 or any(node in row for node, row in enumerate(rows)):
            rows = tuple(playable(rows, graph.start))
            parts = components(rows, graph.start)
        self._rows = rows
        self._part = parts.of
        self._parts = len(parts.sizes)
        reached = sum(parts.sizes)
        self.longest = max(Game.longest, reached)
        self.bound: int | None = None
        """The number of rounds after which play ends, if play can get that far; else ``None``."""
        if graph.bound is not None and graph.bound < reached - 1:
            cuts = graph.bound < most_steps(rows, graph.start, parts)
            self.bound = graph.bound if cuts else None

    def start(self) -> Position:
        return (self.graph.start, frozenset(), 0)

    def turn(self, position: Position) -> str:
        return self.roles[position[2] % 2]

    def moves(self, position: Position) -> list[int]:
        node, visited, _ = position
        return [head for head in self._rows[node] if head not in visited]

    def play(self, position: Position, move: int) -> Position:
        node, visited, clock = position
        left = visited | {node} if self._part[node] == self._part[move] else frozenset()
        return (move, left, 1 - clock if self.bound is None else clock + 1)

    def result(self, position: Position) -> tuple[int, int] | None:
        node, visited, clock = position
        if clock == self.bound or all(head in visited for head in self._rows[node]):
            return win_for(1 - clock % 2)
        return None

    def move_text(self, move: int) -> str:
        return self.graph.names[move]

    def parse_move(self, position: Position, text: str) -> int:
        for move in self.moves(position):
            if self.graph.names[move] == text.strip():
                return move
        raise IllegalMoveError(f"{text.strip()!r} is not a legal move here")

    def text(self, position: Position) -> str:
        node, visited, clock = position
        names = self.graph.names
        lines = [f"the token is on {names[node]}"]
        if self.bound is not None:
            lines.append(f"{self.bound - clock} rounds to go")
        if visited:
            lines.append(f"visited: {' '.join(names[other] for other in sorted(visited))}")
        ways = [] if self.result(position) is not None else self.moves(position)
        lines.append(f"ways on: {' '.join(names[head] for head in ways) or 'none'}")
        return "\n".join(lines)

    def graph_svg(self, line: Sequence[int]) -> str:
        """The graph, in layers by the distance from its start, with the nodes marked that were visited."""
        from zermelo.render.graph import digraph_svg

        return digraph_svg(self.graph.names, self.graph.successors, self.graph.start, line)

    def scene(self, position: Position) -> Scene:
        """The graph with the token; nodes that it may not go to again are grey."""
        from zermelo.render.graph import graph_scene

        token, visited, _ = position
        seen = {*visited, self.graph.start}
        return graph_scene(self.graph.names, self.graph.successors, start=token, token=token, visited=seen)

    def native(self) -> _native.Game | None:
        import numpy as np

        from zermelo import _native

        rows = [row if part != NONE else () for row, part in zip(self._rows, self._part, strict=True)]
        first_edge = np.fromiter(accumulate(map(len, rows), initial=0), np.uint64, len(rows) + 1)
        target = np.fromiter(chain.from_iterable(rows), np.uint32, int(first_edge[-1]))
        part = np.array(self._part, np.int64)
        unreached = np.flatnonzero(part == NONE)
        part[unreached] = self._parts + np.arange(len(unreached))
        return _native.geography(first_edge, target, part.astype(np.uint32), self.graph.start, self.bound)


class SplitMix64:
    """The generator of random graphs (Steele, Lea and Flood 2014): the same numbers everywhere.

    >>> SplitMix64(0).next() == 0xE220A8397B1DCDAF
    True
    """

    def __init__(self, seed: int) -> None:
        self.state = seed & 0xFFFFFFFFFFFFFFFF

    def next(self) -> int:
        """64 random bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        bits = self.state
        bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        return bits ^ (bits >> 31)

    def below(self, bound: int) -> int:
        """A number in 0..bound-1, each equally likely: draws that would favour some are thrown away."""
        while True:
            bits = self.next()
            if bits < (1 << 64) - (1 << 64) % bound:
                return bits % bound


def random_graph(nodes: int, degree: int, seed: int) -> Graph:
    """A graph in which each node has ``degree`` successors, drawn without repetition from the other nodes.

    Node by node, the set is drawn by Floyd's method (Bentley and Floyd 1987) and sorted.

    >>> random_graph(4, 2, 1).successors
    ((2, 3), (0, 3), (1, 3), (0, 1))
    """
    random = SplitMix64(seed)
    rows = []
    for node in range(nodes):
        chosen: set[int] = set()
        for last in range(nodes - 1 - degree, nodes - 1):
            pick = random.below(last + 1)
            chosen.add(last if pick in chosen else pick)
        rows.append(tuple(sorted(other + (other >= node) for other in chosen)))
    return Graph(tuple(str(node) for node in range(nodes)), tuple(rows))


def random_graph_of(text: str, game: str = "geography") -> Graph:
    """The random graph that the arguments of a target ask for; ``game`` is what stands before them in the target.

    >>> random_graph_of("random:4,2,1").successors == random_graph(4, 2, 1).successors
    True
    """
    kind, colon, numbers = text.partition(":")
    target, column, usage = f"{game}:{text}", len(game) + 2, f"{game}:{USAGE.partition(':')[2]}"
    if kind != "random" or not colon:
        found = f"{kind!r} is not 'random'" if kind != "random" else "the numbers are missing"
        message = f"{found}, expected {usage}, or as a target the name of a graph file"
        raise ArgumentError(message, file=target, line=1, column=column)
    offset = len("random:")
    front = game.partition(":")[2]  # `integers` writes what stands before the first colon of the usage
    whole = f"{front}:{text}" if front else text
    nodes, degree, seed = integers(
        numbers, usage, count=3, least=0, most=10**17, whole=whole, offset=offset + len(whole) - len(text)
    )
    if not 1 <= nodes <= MOST_NODES:
        found = f"{nodes} nodes, expected 1..{MOST_NODES}: {usage}"
        raise ArgumentError(found, file=target, line=1, column=column + offset)
    most = min(nodes - 1, MOST_EDGES // nodes)
    if degree > most:
        found = f"{degree} successors a node, expected 0..{most} for {nodes} nodes: {usage}"
        raise ArgumentError(found, file=target, line=1, column=column + offset + numbers.index(",") + 1)
    return random_graph(nodes, degree, seed)


ENTRIES = (
    Entry(
        "geography",
        USAGE,
        "move a token along edges to new nodes; whoever cannot move loses",
        "geography:random:8,2,1",
        lambda text: Geography(random_graph_of(text)),
    ),
)
