"""Symmetry of geography: of moves that lead to the same position but for names, one is enough.

What is left of a game of geography is a graph with a root: the nodes that the token can still get to, and the token's.
An automorphism that keeps the root in its place turns a move into another one, and everything that may follow it into
what may follow the other, for both players. So of each class of moves that automorphisms turn into each other a formula
needs one, the *representative*, whoever is to move. Graphs that are symmetric at first soon are so no more, as nodes
are visited: only the first rounds are looked at, up to where there are many lines of representatives, and of those only
as many as make the formula smaller.

Automorphisms are found by refinement of colours and individualisation (McKay, "Practical graph isomorphism", 1981), on
two copies of the graph at once, and compared with the graph edge by edge. One that is not found costs a few variables.

A strategy that was found for representatives is played by turning every move of the other side into one, and the answer
back (:class:`Mirrored`); what comes out is a strategy of the game itself, for every reply.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from zermelo.game import Game
from zermelo.wrapper import Repositioned

MOST_PATHS: Final = 64
"""So many lines of representatives are followed at most."""
MOST_ROUNDS: Final = 12
"""And for so many rounds."""
MOST_NODES: Final = 400
"""In larger graphs no symmetry is looked for: to refine colours would take longer than to solve most of them."""
MOST_TRIED: Final = 200
"""How often a node is singled out for one automorphism before it is given up."""

Rows = Mapping[int, tuple[int, ...]]


def rooted(rows: Sequence[Sequence[int]], root: int, gone: frozenset[int]) -> dict[int, tuple[int, ...]]:
    """The part of a graph that a root reaches past some nodes.

    >>> rooted([[1, 2], [2], [0], [1]], 1, frozenset({0}))
    {1: (2,), 2: ()}
    """
    found: dict[int, tuple[int, ...]] = {}
    pending = [root]
    while pending:
        node = pending.pop()
        if node not in found:
            found[node] = tuple(head for head in rows[node] if head not in gone and head != root)
            pending.extend(found[node])
    return found


def automorphism(rows: Rows, pairs: Sequence[tuple[int, int]]) -> dict[int, int] | None:
    """A permutation of the nodes that keeps all edges and turns the first node of each pair into the second.

    ``None`` if there is none, or if it was not found soon.

    >>> square = {0: (1, 2), 1: (3,), 2: (3,), 3: ()}
    >>> automorphism(square, [(0, 0), (1, 2)])
    {0: 0, 1: 2, 2: 1, 3: 3}
    >>> automorphism({0: (1, 2), 1: (2,), 2: ()}, [(1, 2)]) is None
    True
    """
    before: dict[int, list[int]] = {node: [] for node in rows}
    for node, row in rows.items():
        for head in row:
            before[head].append(node)
    plain = dict.fromkeys(rows, 0)
    ones, others = dict(plain), dict(plain)
    for number, (one, other) in enumerate(pairs, 1):
        ones[one], others[other] = number, number
    pending, tried = [(ones, others)], 0
    while pending and tried <= MOST_TRIED:
        refined = _refined(rows, before, *pending.pop())
        if refined is None:
            continue
        ones, others = refined
        classes = _classes(ones)
        several = min((nodes for nodes in classes.values() if len(nodes) > 1), key=len, default=None)
        if several is None:
            where = {colour: node for node, colour in others.items()}
            turned = {node: where[colour] for node, colour in ones.items()}
            if _keeps_edges(rows, turned):
                return turned
            continue
        node, new = several[0], len(rows)
        for other in reversed(_classes(others)[ones[node]]):
            pending.append((ones | {node: new}, others | {other: new}))
            tried += 1
    return None


def _refined(
    rows: Rows, before: Mapping[int, list[int]], ones: dict[int, int], others: dict[int, int]
) -> tuple[dict[int, int], dict[int, int]] | None:
    """Finer colours by those of the neighbours, the same in both copies; ``None`` where the copies differ."""
    count = 0
    while True:
        seen = [
            {
                node: (
                    colour[node],
                    tuple(sorted([colour[head] for head in rows[node]])),
                    tuple(sorted([colour[tail] for tail in before[node]])),
                )
                for node in rows
            }
            for colour in (ones, others)
        ]
        if sorted(seen[0].values()) != sorted(seen[1].values()):
            return None
        names = {view: number for number, view in enumerate(sorted(set(seen[0].values())))}
        ones, others = ({node: names[view] for node, view in views.items()} for views in seen)
        if len(names) == count:
            return ones, others
        count = len(names)


def _classes(colours: Mapping[int, int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for node, colour in colours.items():
        found.setdefault(colour, []).append(node)
    return found


def _keeps_edges(rows: Rows, turned: Mapping[int, int]) -> bool:
    """Whether a permutation is an automorphism: exactly, edge by edge."""
    return set(turned.values()) == set(rows) and all(
        {turned[head] for head in row} == set(rows[turned[node]]) for node, row in rows.items()
    )


@dataclass
class Branch:
    """A line of representatives, at its end: for each move its representative and how the one is turned into the other.

    ``after`` are the lines longer by one representative.
    """

    path: tuple[int, ...]
    turns: dict[int, tuple[int, Mapping[int, int]]]
    after: dict[int, Branch] = field(default_factory=dict)

    @property
    def moves(self) -> list[int]:
        """The representatives."""
        return sorted({move for move, _ in self.turns.values()})


def branch_at(rows: Sequence[Sequence[int]], path: tuple[int, ...], gone: frozenset[int]) -> Branch:
    """The moves at the end of a path and their representatives: of moves turned into each other, the first.

    >>> branch = branch_at([[1, 2], [3], [3], []], (0,), frozenset())
    >>> branch.moves, branch.turns[2]
    ([1], (1, {0: 0, 2: 1, 3: 3, 1: 2}))
    """
    here = path[-1]
    graph = rooted(rows, here, gone | set(path))
    turns: dict[int, tuple[int, Mapping[int, int]]] = {}
    chosen: list[int] = []
    for move in graph[here]:
        for representative in chosen:
            turned = automorphism(graph, [(here, here), (move, representative)])
            if turned is not None:
                turns[move] = (representative, turned)
                break
        else:
            chosen.append(move)
            turns[move] = (move, {node: node for node in graph})
    return Branch(path, turns)


def lines_of_representatives(
    rows: Sequence[Sequence[int]], start: int, gone: frozenset[int], rounds: int
) -> list[list[Branch]]:
    """For the first rounds, the lines of representatives before each; as many rounds as have symmetry to break.

    >>> rows = [[1, 2, 3], [4, 5], [4, 5], [4, 5], [], [4]]
    >>> [[branch.path for branch in branches] for branches in lines_of_representatives(rows, 0, frozenset(), 9)]
    [[(0,)]]
    """
    levels: list[list[Branch]] = []
    useful = 0
    layer = [branch_at(rows, (start,), gone)] if len(rooted(rows, start, gone)) <= MOST_NODES else []
    while layer and len(levels) < min(rounds, MOST_ROUNDS):
        levels.append(layer)
        if any(len(branch.moves) < len(branch.turns) for branch in layer):
            useful = len(levels)
        if sum(len(branch.moves) for branch in layer) > MOST_PATHS:
            break
        layer = []
        for branch in levels[-1]:
            branch.after = {move: branch_at(rows, (*branch.path, move), gone) for move in branch.moves}
            layer.extend(branch.after.values())
    return levels[:useful]


@dataclass(frozen=True)
class Mirror:
    """A position of a game of geography, and how it is turned into one on a line of representatives.

    Two that are of one position count as equal: either way to look at it will do.
    """

    position: Any
    turned: Mapping[int, int] = field(compare=False)
    branch: Branch | None = field(compare=False)
    rounds: int = field(compare=False)
    """How many rounds from here on are played by representatives only."""

    def spoken(self, move: int) -> int:
        """The node that stands for a move in the formula."""
        there = self.turned[move]
        return self.branch.turns[there][0] if self.rounds and self.branch else there

    def meant(self, node: int, moves: Sequence[int]) -> int | None:
        """The move that a node of the formula stands for."""
        return next((move for move in moves if self.turned[move] == node), None)

    def after(self, position: Any, move: int) -> Mirror:
        """The position after a move."""
        if not self.rounds or self.branch is None:
            return Mirror(position, self.turned, None, 0)
        representative, turn = self.branch.turns[self.turned[move]]
        turned = {node: turn[there] for node, there in self.turned.items() if there in turn}
        return Mirror(position, turned, self.branch.after.get(representative), self.rounds - 1)


class Mirrored(Repositioned):
    """Geography whose positions know how they are turned into lines of representatives, for the first rounds."""

    def __init__(self, game: Game, nodes: int, first: Branch, rounds: int) -> None:
        super().__init__(game)
        self._first = Mirror(game.start(), {node: node for node in range(nodes)}, first, rounds)

    def inside(self, position: Mirror) -> Any:
        return position.position

    def start(self) -> Mirror:
        return self._first

    def play(self, position: Mirror, move: Any) -> Mirror:
        return position.after(self.inner.play(position.position, move), move)


@dataclass(frozen=True)
class MirroredChoice:
    """One variable for each node that a round may go to, on a line of representatives."""

    nodes: tuple[int, ...]
    variables: tuple[int, ...]

    def move(self, game: Game, position: Mirror, values: Sequence[bool]) -> Any:
        """The move that the node stands for whose variable alone is true."""
        said = [node for node, value in zip(self.nodes, values, strict=True) if value]
        return position.meant(said[0], game.moves(position)) if len(said) == 1 else None

    def values(self, game: Game, position: Mirror, move: Any) -> Sequence[bool]:
        """The variable true of the node that stands for the move, all others false."""
        spoken = position.spoken(move)
        return tuple(node == spoken for node in self.nodes)
