"""Networks whose edges may fail (``.dgr``) as the checker reads them, and the game on them.

Each time the traveller arrives at a node, and at the start before the first step, the opponent erases any of the edges
that may fail there; of two edges that exclude each other only one ever fails. Then the traveller goes on along an edge
that is left. Arriving at the target wins, being stuck before loses.

>>> from zermelo.source import Source
>>> text = "travel s t\\nedge a s t\\nedge b s t\\nerase s a b\\nexclude a b\\n"
>>> game = read(Source("dgr", text, "n.dgr")).game()
>>> [game.move_text(move) for move in game.moves(game.start())]
['a', 'b', '-']
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final

from zermelo.check.read.word_lines import Word, lines_of, wrong
from zermelo.errors import InputError
from zermelo.game import Game, win_for
from zermelo.source import Source

SHAPES: Final = {"travel": (2, 2), "edge": (3, 3), "erase": (2, None), "exclude": (2, None)}
"""What a line begins with, and how many words follow: at least, and at most."""
_NAME = re.compile(r"[A-Za-z0-9_]+")
TRAVELLER: Final = 0
OPPONENT: Final = 1
NOTHING: Final = -1
"""As a move: nothing more is erased. In a position: it is the traveller's turn."""
Position = tuple[int, frozenset[int], int]


@dataclass(frozen=True)
class FailingNetwork:
    """Nodes and edges by number; what may be erased where, and what excludes each other."""

    nodes: tuple[str, ...]
    edges: tuple[tuple[str, int, int], ...]
    start: int
    target: int
    erasable: tuple[tuple[int, ...], ...]
    exclusive: frozenset[tuple[int, int]]

    def canonical(self) -> str:
        """All of it, with numbers for nodes and edges."""
        pairs = sorted(self.exclusive)
        whole = [self.nodes, self.edges, self.start, self.target, self.erasable, pairs]
        return json.dumps(whole, separators=(",", ":"))

    def game(self) -> Game:
        """The game on it."""
        return self._game

    @cached_property
    def _game(self) -> FailingGame:
        return FailingGame(self)

    @cached_property
    def order(self) -> list[int]:
        """The nodes so that edges lead to earlier ones; those that lead to a circle are missing."""
        left = [0] * len(self.nodes)
        into: list[list[int]] = [[] for _ in self.nodes]
        for _, tail, head in self.edges:
            left[tail] += 1
            into[head].append(tail)
        found = [node for node, count in enumerate(left) if not count]
        for node in found:
            for tail in into[node]:
                left[tail] -= 1
                if not left[tail]:
                    found.append(tail)
        return found


def read(source: Source) -> FailingNetwork:
    """The network that a text states; ``InputError`` where it states none."""
    lines: dict[str, list[list[Word]]] = {kind: [] for kind in SHAPES}
    for line in lines_of(source):
        lines[_kind(source, line)].append(line[1:])
    if len(lines["travel"]) != 1:
        found = "two lines that say" if lines["travel"] else "nothing says"
        raise InputError(f"{found} where to go, expected one line: travel START TARGET", file=source.name, line=1)
    ((start, target),) = lines["travel"]
    if start.text == target.text:
        raise wrong(source, target, "the target is the start, expected two nodes")
    nodes = {start.text: 0, target.text: 1}
    edges: dict[str, tuple[str, int, int]] = {}
    for name, tail, head in lines["edge"]:
        if name.text in edges:
            raise wrong(source, name, f"edge {name.text!r} has a line already")
        ends = [nodes.setdefault(word.text, len(nodes)) for word in (tail, head)]
        edges[name.text] = (name.text, ends[0], ends[1])
    number = {name: place for place, name in enumerate(edges)}
    erasable = _erasable(source, lines["erase"], nodes, number)
    pairs = [pair for line in lines["exclude"] for pair in combinations(sorted(_numbers(source, line, number)), 2)]
    made = FailingNetwork(tuple(nodes), tuple(edges.values()), 0, 1, erasable, frozenset(pairs))
    if len(made.order) < len(made.nodes):
        raise InputError("edges lead in a circle, expected a graph without circles", file=source.name)
    return made


def _kind(source: Source, line: list[Word]) -> str:
    """What a line says, its shape tested."""
    first, *rest = line
    if first.text not in SHAPES:
        raise wrong(source, first, f"{first.text[:40]!r} begins no line, expected {', '.join(SHAPES)}")
    least, most = SHAPES[first.text]
    if len(rest) < least or (most is not None and len(rest) > most):
        raise wrong(source, line[-1], f"{len(rest)} words after {first.text}, expected {least}")
    for word in rest:
        if not _NAME.fullmatch(word.text):
            raise wrong(source, word, f"{word.text[:40]!r} is no name, expected letters, digits and underscores")
    return first.text


def _numbers(source: Source, words: Sequence[Word], number: dict[str, int]) -> list[int]:
    """The numbers of edges, each once."""
    found: dict[int, None] = {}
    for word in words:
        if word.text not in number:
            raise wrong(source, word, f"unknown edge {word.text[:40]!r}")
        if number[word.text] in found:
            raise wrong(source, word, f"{word.text[:40]!r} is there already, expected each edge once")
        found[number[word.text]] = None
    return list(found)


def _erasable(
    source: Source, lines: Sequence[Sequence[Word]], nodes: dict[str, int], number: dict[str, int]
) -> tuple[tuple[int, ...], ...]:
    named: dict[int, list[Word]] = {}
    for node, *edges in lines:
        if node.text not in nodes:
            raise wrong(source, node, f"unknown node {node.text[:40]!r}")
        named.setdefault(nodes[node.text], []).extend(edges)
    return tuple(tuple(sorted(_numbers(source, named.get(node, ()), number))) for node in range(len(nodes)))


class FailingGame(Game):
    """The game on a network. A move is the number of an edge: the one taken, the one erased; or ``NOTHING``.

    The opponent erases one edge a move, in the order in which the node lists them. A position is the traveller's
    node, what has failed as far as it can matter, and from which place of the list on the opponent may erase.
    """

    roles = ("traveller", "opponent")

    def __init__(self, network: FailingNetwork) -> None:
        self.network = network
        self._leaving: list[list[int]] = [[] for _ in network.nodes]
        for number, (_, tail, _) in enumerate(network.edges):
            self._leaving[tail].append(number)
        self._excluded: list[set[int]] = [set() for _ in network.edges]
        for one, other in network.exclusive:
            self._excluded[one].add(other)
            self._excluded[other].add(one)
        self._ahead: list[set[int]] = [set() for _ in network.nodes]
        """For each node the edges that a way from it can take."""
        for node in network.order:
            for edge in self._leaving[node]:
                self._ahead[node] |= {edge} | self._ahead[network.edges[edge][2]]

    def start(self) -> Position:
        return self._arrived(self.network.start, frozenset())

    def turn(self, position: Position) -> str:
        return self.roles[TRAVELLER if position[2] == NOTHING else OPPONENT]

    def moves(self, position: Position) -> list[int]:
        node, failed, place = position
        if place == NOTHING:
            return [edge for edge in self._leaving[node] if edge not in failed]
        return [*(self.network.erasable[node][at] for at in self._places(node, failed, place)), NOTHING]

    def play(self, position: Position, move: int) -> Position:
        node, failed, place = position
        if place == NOTHING:
            return self._arrived(self.network.edges[move][2], failed)
        if move == NOTHING:
            return (node, failed, NOTHING)
        return self._waiting(node, failed | {move}, self.network.erasable[node].index(move))

    def result(self, position: Position) -> tuple[int, int] | None:
        if position[0] == self.network.target:
            return win_for(TRAVELLER)
        return None if self.moves(position) else win_for(OPPONENT)

    def move_text(self, move: int) -> str:
        return "-" if move == NOTHING else self.network.edges[move][0]

    def _arrived(self, node: int, failed: frozenset[int]) -> Position:
        """On arrival only failed edges matter that lie ahead, or exclude one that does."""
        ahead = self._ahead[node]
        matters = frozenset(edge for edge in failed if edge in ahead or self._excluded[edge] & ahead)
        return self._waiting(node, matters, 0)

    def _waiting(self, node: int, failed: frozenset[int], place: int) -> Position:
        """The opponent's turn at the next place where something may be erased; the traveller's if there is none."""
        places = [] if node == self.network.target else self._places(node, failed, place)
        return (node, failed, places[0] if places else NOTHING)

    def _places(self, node: int, failed: frozenset[int], place: int) -> list[int]:
        return [
            at
            for at, edge in enumerate(self.network.erasable[node])
            if at >= place and edge in self._ahead[node] and edge not in failed and not self._excluded[edge] & failed
        ]
