"""Worst-case dynamic graph reliability: a traveller crosses a network while an opponent erases edges of it.

The network is a directed graph without circles. Each time the traveller arrives at a node, and at the start before
the first step, the opponent erases any of the edges that may fail there; some edges may not both fail, ever. Then
the traveller goes on along an edge that is left. Arriving at the target wins, being stuck before loses.

Ederer, Lorenz, Opfer and Wolf (Modelling games with the help of quantified integer linear programs) state it as an
example of a game that is a quantified program: :mod:`zermelo.qip.models.dgr`. It is related to Papadimitriou's dynamic
graph reliability (Games against nature, 1985) and to van Benthem's sabotage game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.errors import ArgumentError
from zermelo.game import Game, win_for
from zermelo.games.entry import Entry, integers
from zermelo.games.geography import SplitMix64

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

USAGE = "dgr:FILE"
RANDOM_USAGE = "dgr:random:NODES,SEED"
MOST_RANDOM = 200
NOTHING = -1
"""As a move: the opponent erases nothing more. As a place: it is the traveller's turn."""


@dataclass(frozen=True)
class Edge:
    """An edge between two nodes, given by their numbers."""

    name: str
    tail: int
    head: int


@dataclass(frozen=True)
class Network:
    """A directed graph without circles, where to go, and what may fail.

    ``erasable`` has for each node the edges (numbers) that may be erased on arrival there; of each pair in
    ``exclusive`` only one may ever fail.

    >>> network = Network(("s", "t"), (Edge("a", 0, 1), Edge("b", 0, 1)), 0, 1, ((0, 1), ()), ((0, 1),))
    >>> network.order, network.leaving[0], network.entering[1]
    ((0, 1), (0, 1), (0, 1))
    """

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]
    start: int
    target: int
    erasable: tuple[tuple[int, ...], ...]
    exclusive: tuple[tuple[int, int], ...] = ()

    @cached_property
    def leaving(self) -> tuple[tuple[int, ...], ...]:
        """The edges out of each node."""
        return tuple(tuple(e for e, edge in enumerate(self.edges) if edge.tail == n) for n in range(len(self.nodes)))

    @cached_property
    def entering(self) -> tuple[tuple[int, ...], ...]:
        """The edges into each node."""
        return tuple(tuple(e for e, edge in enumerate(self.edges) if edge.head == n) for n in range(len(self.nodes)))

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The nodes in an order that every edge follows (Kahn 1962), by number where edges leave a choice.

        Where there is a circle, the nodes on it and behind it are missing.
        """
        import heapq

        waiting = [len(edges) for edges in self.entering]
        free = [node for node, count in enumerate(waiting) if count == 0]
        heapq.heapify(free)
        made = []
        while free:
            node = heapq.heappop(free)
            made.append(node)
            for edge in self.leaving[node]:
                head = self.edges[edge].head
                waiting[head] -= 1
                if waiting[head] == 0:
                    heapq.heappush(free, head)
        return tuple(made)

    @cached_property
    def ahead(self) -> tuple[frozenset[int], ...]:
        """For each node the edges that a way from it can take."""
        found: list[frozenset[int]] = [frozenset()] * len(self.nodes)
        for node in reversed(self.order):
            out = self.leaving[node]
            found[node] = frozenset(out).union(*(found[self.edges[edge].head] for edge in out))
        return tuple(found)

    @cached_property
    def partners(self) -> tuple[frozenset[int], ...]:
        """For each edge those that may not fail as well."""
        others: list[set[int]] = [set() for _ in self.edges]
        for one, other in self.exclusive:
            others[one].add(other)
            others[other].add(one)
        return tuple(frozenset(edges) for edges in others)


Position = tuple[int, frozenset[int], int]


class Reliability(Game):
    """The game on a network. A move is the number of an edge: the one taken, the one erased, or ``NOTHING``.

    The opponent erases one edge a move, in the order in which the network lists them, and then goes without. A
    position is the traveller's node, what is erased as far as it still matters, and from which place of the list on
    the opponent may erase, or ``NOTHING`` where the traveller is to move. Edges that no way on can take are not erased.

    >>> network = Network(("s", "t"), (Edge("a", 0, 1), Edge("b", 0, 1)), 0, 1, ((0, 1), ()), ((0, 1),))
    >>> game = Reliability(network)
    >>> [game.move_text(move) for move in game.moves(game.start())]
    ['a', 'b', '-']
    >>> after = game.play(game.start(), 0)
    >>> game.turn(after), [game.move_text(move) for move in game.moves(after)]
    ('traveller', ['b'])
    """

    roles = ("traveller", "opponent")

    def __init__(self, network: Network) -> None:
        self.network = network
        self.longest = max(Game.longest, len(network.nodes) * (len(network.edges) + 2))

    def start(self) -> Position:
        return self._arrived(self.network.start, frozenset())

    def turn(self, position: Position) -> str:
        return self.roles[position[2] != NOTHING]

    def moves(self, position: Position) -> list[int]:
        node, erased, place = position
        if place == NOTHING:
            return [edge for edge in self.network.leaving[node] if edge not in erased]
        return [*(edge for edge, _ in self._failing(node, erased, place)), NOTHING]

    def play(self, position: Position, move: int) -> Position:
        node, erased, place = position
        if place == NOTHING:
            return self._arrived(self.network.edges[move].head, erased)
        if move == NOTHING:
            return (node, erased, NOTHING)
        after = self.network.erasable[node].index(move) + 1
        return self._turned(node, erased | {move}, after)

    def result(self, position: Position) -> tuple[int, int] | None:
        node, erased, place = position
        if node == self.network.target:
            return win_for(0)
        stuck = place == NOTHING and all(edge in erased for edge in self.network.leaving[node])
        return win_for(1) if stuck else None

    def _arrived(self, node: int, erased: frozenset[int]) -> Position:
        network = self.network
        left = network.ahead[node]
        matters = frozenset(edge for edge in erased if edge in left or not network.partners[edge].isdisjoint(left))
        return self._turned(node, matters, 0)

    def _turned(self, node: int, erased: frozenset[int], place: int) -> Position:
        """With the traveller to move if there is nothing more that the opponent may erase."""
        following = next((place for _, place in self._failing(node, erased, place)), NOTHING)
        return (node, erased, NOTHING if node == self.network.target else following)

    def _failing(self, node: int, erased: frozenset[int], place: int) -> list[tuple[int, int]]:
        """The edges that may be erased from a place of the node's list on, with their places."""
        network = self.network
        return [
            (edge, at)
            for at, edge in enumerate(network.erasable[node])
            if at >= place
            and edge in network.ahead[node]
            and edge not in erased
            and network.partners[edge].isdisjoint(erased)
        ]

    def move_text(self, move: int) -> str:
        return "-" if move == NOTHING else self.network.edges[move].name

    def text(self, position: Position) -> str:
        node, erased, place = position
        network = self.network
        lines = [f"the traveller is at {network.nodes[node]}, on the way to {network.nodes[network.target]}"]
        if erased:
            lines.append(f"erased: {' '.join(network.edges[edge].name for edge in sorted(erased))}")
        if place != NOTHING:
            edges = [network.edges[edge].name for edge, _ in self._failing(node, erased, place)]
            lines.append(f"the opponent may erase: {' '.join(edges)}")
        ways = [network.edges[edge] for edge in network.leaving[node] if edge not in erased]
        lines.append(f"ways on: {' '.join(f'{way.name}>{network.nodes[way.head]}' for way in ways) or 'none'}")
        return "\n".join(lines)

    def graph_svg(self, line: Sequence[Any]) -> str:
        """The network as it stands after a line of moves."""
        return self.svg(reduce(self.play, line, self.start()))

    def scene(self, position: Position) -> Scene:
        """The network: the traveller's node marked, edges that may fail dashed, erased ones faint."""
        from zermelo.games.dgr_picture import network_scene

        return network_scene(self.network, position[0], position[1])


def random_network(nodes: int, seed: int) -> Network:
    """A random network, the same everywhere: about two edges a node, two thirds of which may fail.

    >>> network = random_network(6, 1)
    >>> network.nodes[network.start], network.nodes[network.target], len(network.order)
    ('s', 't', 6)
    """
    chance = SplitMix64(seed)
    names = ("s", *(f"v{node}" for node in range(1, nodes - 1)), "t")
    pairs = {(node, node + 1 + chance.below(nodes - 1 - node)) for node in range(nodes - 1)}
    pairs |= {(chance.below(node), node) for node in range(1, nodes)}
    while len(pairs) < min(2 * nodes - 3, nodes * (nodes - 1) // 2):
        tail = chance.below(nodes - 1)
        pairs.add((tail, tail + 1 + chance.below(nodes - 1 - tail)))
    edges = tuple(Edge(f"e{number}", *pair) for number, pair in enumerate(sorted(pairs), 1))
    failing = [edge for edge in range(len(edges)) if chance.below(3)]
    erasable = tuple(
        tuple(edge for edge in failing if edges[edge].tail >= node and chance.below(3)) for node in range(nodes - 1)
    )
    exclusive = tuple(
        (one, other) for place, one in enumerate(failing) for other in failing[place + 1 :] if not chance.below(3)
    )
    return Network(names, edges, 0, nodes - 1, (*erasable, ()), exclusive)


def _make(text: str) -> Reliability:
    kind, colon, numbers = text.partition(":")
    if kind == "random" and colon:
        nodes, seed = integers(numbers, RANDOM_USAGE, count=2, least=0, most=10**17, whole=text, offset=len("random:"))
        if not 2 <= nodes <= MOST_RANDOM:
            message = f"{nodes} nodes, expected 2..{MOST_RANDOM}: {RANDOM_USAGE}"
            raise ArgumentError(message, file=f"dgr:{text}", line=1, column=len("dgr:random:") + 1)
        return Reliability(random_network(nodes, seed))
    from zermelo.games.dgrfile import read_network

    path = Path(text)
    try:
        there = path.is_file()
    except (OSError, ValueError):
        there = False
    if not there:
        raise ArgumentError(f"no such file, expected {USAGE} or {RANDOM_USAGE}", file=f"dgr:{text}")
    return Reliability(read_network(path))


ENTRIES = (
    Entry(
        "dgr",
        USAGE,
        "reach a target while an opponent erases edges on your way",
        "dgr:random:6,2",
        _make,
    ),
)
