"""Graph files as the checker reads them, and generalized geography on them.

A token moves along the edges of a directed graph, never to a node it has been on; whoever cannot move loses. With a
bound of r rounds nobody may move after r moves. Certificates name a position by the token's node, the visited nodes
that can still matter, and a clock; which those are is worked out here a second time:

* An edge back to a node that *dominates* its tail (every way from the start to the tail leads through it) is never
  taken, for that node has been visited. (Dominators: Cooper, Harvey and Kennedy 2001.)
* A strongly connected part of what is left is not entered again once it is left, so only the visited nodes of the
  token's own part matter. (Parts: Kosaraju and Sharir.)
* A bound that no play reaches is none: no play takes more steps than there are nodes on a way through the parts.

>>> from zermelo.source import Source
>>> read(Source("graph", "3\\n0 1 2\\n1\\n2 1\\n", "map.graph")).game().moves((0, frozenset(), 0))
[1, 2]
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from zermelo.check.read.word_lines import Word, lines_of, wrong
from zermelo.errors import IllegalMoveError, InputError
from zermelo.game import Game, win_for
from zermelo.source import Source

MOST_DIGITS: Final = 18
Position = tuple[int, frozenset[int], int]


@dataclass(frozen=True)
class Graph:
    """A directed graph with a start; ``rounds`` is the most rounds that are played, if there is such a bound."""

    names: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]
    start: int
    rounds: int | None

    def canonical(self) -> str:
        """The names, the successors of each node, the start and the bound."""
        return json.dumps([self.names, self.rows, self.start, self.rounds], separators=(",", ":"))

    def game(self) -> Game:
        """Generalized geography on it."""
        return self._game

    @cached_property
    def _game(self) -> TokenGame:
        return TokenGame(self)


def read(source: Source) -> Graph:
    """The graph that a text states; ``InputError`` where it states none."""
    lines = lines_of(source)
    if not lines:
        raise InputError("no data, expected the number of rounds or an edge", file=source.name, line=1, column=1)
    return _rows(source, lines) if len(lines[0]) == 1 else _edges(source, lines)


def _rows(source: Source, lines: list[list[Word]]) -> Graph:
    """The number of rounds, then a line for each node: the node and its successors."""
    (first,), *others = lines
    (bound,), *rest = [[_whole(source, word) for word in line] for line in lines]
    if not rest:
        raise wrong(source, first, "no nodes, expected a line for each node after the number of rounds")
    place: dict[int, int] = {}
    for row, line in zip(rest, others, strict=True):
        if row[0] in place:
            raise wrong(source, line[0], f"node {row[0]} has a line already")
        place[row[0]] = len(place)
    for row, line in zip(rest, others, strict=True):
        seen: set[int] = set()
        for node, word in zip(row[1:], line[1:], strict=True):
            if node not in place:
                raise wrong(source, word, f"unknown node {node}, expected one that has a line of its own")
            if node in seen:
                raise wrong(source, word, f"{node} is a successor already")
            seen.add(node)
    successors = tuple(tuple(place[node] for node in row[1:]) for row in rest)
    return Graph(tuple(str(row[0]) for row in rest), successors, place.get(0, 0), bound)


def _whole(source: Source, word: Word) -> int:
    if not (word.text.isascii() and word.text.isdigit() and len(word.text) <= MOST_DIGITS):
        raise wrong(source, word, f"{word.text[:40]!r} is not a whole number of at most {MOST_DIGITS} digits")
    return int(word.text)


def _edges(source: Source, lines: list[list[Word]]) -> Graph:
    """An edge a line; nodes in the order of their names, numbers by value before words by spelling."""
    ways: dict[str, dict[str, None]] = {}
    for line in lines:
        if len(line) != 2:
            raise wrong(source, line[0], f"{len(line)} words, expected an edge FROM TO")
        tail, head = (word.text for word in line)
        if head in ways.setdefault(tail, {}):
            raise wrong(source, line[1], f"{head[:40]!r} is a successor already")
        ways[tail][head] = None
        ways.setdefault(head, {})
    numbers = [name for name in ways if _is_number(name)]
    names = sorted(numbers, key=int) + sorted(ways.keys() - set(numbers))
    place = {name: node for node, name in enumerate(names)}
    rows = tuple(tuple(place[head] for head in ways[name]) for name in names)
    return Graph(tuple(names), rows, place.get("0", place[lines[0][0].text]), None)


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdigit() and len(name) <= MOST_DIGITS and str(int(name)) == name


class TokenGame(Game):
    """Generalized geography. A move is the number of a node, written as its name.

    >>> game = TokenGame(Graph(("a", "b", "c"), ((1, 2), (0, 2), ()), 0, None))
    >>> game.moves(game.play(game.start(), 1))        # not back to a
    [2]
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        tree = dominators(graph.rows, graph.start)
        self._rows = {node: [head for head in graph.rows[node] if not _dominates(tree, head, node)] for node in tree}
        self._part, steps = parts_of(self._rows, graph.start)
        self._bound = graph.rounds if graph.rounds is not None and graph.rounds < steps else None

    def start(self) -> Position:
        return (self.graph.start, frozenset(), 0)

    def turn(self, position: Position) -> str:
        return self.roles[position[2] % 2]

    def moves(self, position: Position) -> list[int]:
        node, visited, clock = position
        if clock == self._bound:
            return []
        return [head for head in self._rows[node] if head not in visited]

    def play(self, position: Position, move: int) -> Position:
        node, visited, clock = position
        stays = self._part[node] == self._part[move]
        return (move, visited | {node} if stays else frozenset(), 1 - clock if self._bound is None else clock + 1)

    def result(self, position: Position) -> tuple[int, int] | None:
        return None if self.moves(position) else win_for(1 - position[2] % 2)

    def move_text(self, move: int) -> str:
        return self.graph.names[move]

    def parse_move(self, position: Position, text: str) -> int:
        for move in self.moves(position):
            if self.graph.names[move] == text.strip():
                return move
        raise IllegalMoveError(f"{text.strip()!r} is not a legal move here")


Rows = Sequence[Sequence[int]] | Mapping[int, Sequence[int]]
"""The successors of each node."""
Tree = dict[int, tuple[int, int]]
"""Where a walk around a tree of nodes enters and leaves what is below each; who has the other inside is above it."""


def _from(rows: Rows, start: int) -> list[int]:
    """The nodes that the start leads to, each after all that a walk meets from it (postorder)."""
    seen, order = {start}, list[int]()
    stack = [(start, iter(rows[start]))]
    while stack:
        node, rest = stack[-1]
        head = next((head for head in rest if head not in seen), None)
        if head is None:
            order.append(node)
            stack.pop()
        else:
            seen.add(head)
            stack.append((head, iter(rows[head])))
    return order


def _into(rows: Rows, nodes: Sequence[int]) -> dict[int, list[int]]:
    """The nodes before each."""
    before: dict[int, list[int]] = {node: [] for node in nodes}
    for node in nodes:
        for head in rows[node]:
            before[head].append(node)
    return before


def dominators(rows: Rows, start: int) -> Tree:
    """The tree of dominators of the nodes that the start leads to.

    >>> tree = dominators([[1, 2], [3], [3], [0], [0]], 0)
    >>> _dominates(tree, 0, 3), _dominates(tree, 1, 3), 4 in tree
    (True, False, False)
    """
    order = _from(rows, start)
    number, before = {node: place for place, node in enumerate(order)}, _into(rows, order)
    above = {start: start}
    changed = True
    while changed:
        changed = False
        for node in reversed(order[:-1]):
            best, *others = (tail for tail in before[node] if tail in above)
            for tail in others:
                other = tail
                while best != other:  # the nearest that both have above them
                    if number[best] < number[other]:
                        best = above[best]
                    else:
                        other = above[other]
            if above.get(node) != best:
                above[node], changed = best, True
    return _walked(above, start)


def _walked(above: dict[int, int], start: int) -> Tree:
    """A tree that is known by what is right above each node."""
    below: dict[int, list[int]] = {node: [] for node in above}
    for node, parent in above.items():
        if node != start:
            below[parent].append(node)
    walk, stack = list[int](), [start]
    while stack:
        walk.append(stack.pop())
        stack += below[walk[-1]]
    leave = {node: place + 1 for place, node in enumerate(walk)}
    for node in reversed(walk):
        leave[above[node]] = max(leave[above[node]], leave[node])
    return {node: (place, leave[node]) for place, node in enumerate(walk)}


def _dominates(tree: Tree, above: int, node: int) -> bool:
    enter, leave = tree[above]
    return enter <= tree[node][0] < leave


def parts_of(rows: Rows, start: int) -> tuple[dict[int, int], int]:
    """The strongly connected part of each node that the start leads to, and the most steps of a play.

    >>> parts_of([[1], [2], [1], [0]], 0)
    ({0: 0, 1: 1, 2: 1}, 2)
    """
    order = _from(rows, start)
    before = _into(rows, order)
    part: dict[int, int] = {}
    members: list[list[int]] = []
    for root in reversed(order):  # parts come before those that they lead to
        if root not in part:
            part[root] = len(members)
            inside = [root]
            for node in inside:
                for tail in before[node]:
                    if tail not in part:
                        part[tail] = len(members)
                        inside.append(tail)
            members.append(inside)
    ahead: dict[int, int] = {}
    for number in reversed(range(len(members))):
        after = (part[head] for node in members[number] for head in rows[node])
        ahead[number] = len(members[number]) + max((ahead[other] for other in after if other != number), default=0)
    return part, ahead[part[start]] - 1
