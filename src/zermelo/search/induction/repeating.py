"""Values of positions that repeat, in games of one role or of two opposed ones, with or without chance.

Positions that lead to each other are solved together, once all others that they lead to have their values. Both
roles have optimal strategies that look at the position alone (Gillette 1957; Liggett and Lippman 1969: play that never
ends counts like a constant reward), so *strategy iteration* finds them (Hoffman and Karp 1966; Condon 1992): against a
strategy of the first role the second improves its own until it is best; then the first improves; nothing is rounded.

To look one move ahead is not enough. A role may have to keep out of a circle, or to stay in one: where nobody gains by
a single move, the set in which a role can keep play for ever is looked at too, and the role stays there if endless play
is better than what it has. Without such a set every strategy is *proper* (Bertsekas and Tsitsiklis 1991): play ends,
and a solution of the equations is the value, for a bounded martingale keeps its expectation to the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from operator import mul
from typing import Final

from zermelo.errors import LimitReachedError
from zermelo.graph import CHANCE_TURN, GameGraph
from zermelo.search.induction.linear import Row, expectations

SWEEPS: Final = 200
"""How often a first guess by floating-point numbers goes through all nodes."""
CLOSE: Final = 1e-10
"""Where nothing changes by more than this, the guess is good enough."""
MOST_TURNS: Final = 1000
"""After so many improvements something is wrong, and nothing is claimed."""


class Component:
    """The nodes of one component, and what the first role gets beyond them.

    ``beyond`` says what a node outside is worth, ``endless`` what play that never ends is worth.
    """

    def __init__(
        self, graph: GameGraph, nodes: Sequence[int], beyond: Callable[[int], Fraction], endless: Fraction
    ) -> None:
        self.graph, self.nodes, self.endless = graph, nodes, endless
        self.inside = frozenset(nodes)
        self.rows = {node: range(graph.first_edge[node], graph.first_edge[node + 1]) for node in nodes}
        outside = {graph.target[edge] for row in self.rows.values() for edge in row} - self.inside
        self.outside = {node: beyond(node) for node in outside}
        self.movers = {node: graph.turn[node] for node in nodes}
        self.policy = self._guess()

    def solve(self, step: Callable[[], None] = lambda: None) -> dict[int, Fraction]:
        """The value of every node; :attr:`policy` then has an optimal edge of each node where a role moves."""
        for _ in range(MOST_TURNS):
            values = self._best_reply(1, step)
            if not self._improved(0, values, ties_only=True):
                return values
        raise LimitReachedError("strategy iteration did not end")

    def _best_reply(self, role: int, step: Callable[[], None]) -> dict[int, Fraction]:
        for _ in range(MOST_TURNS):
            values = self._evaluated(step)
            if not self._improved(role, values, ties_only=False):
                return values
        raise LimitReachedError("strategy iteration did not end")

    def _improved(self, role: int, values: dict[int, Fraction], *, ties_only: bool) -> bool:
        """Whether a role has changed its strategy for a better one."""
        sign = 1 if role == 0 else -1
        changed = False
        for node, mover in self.movers.items():
            if mover == role:
                best = max(self.rows[node], key=lambda edge: sign * self._worth(edge, values))
                if sign * self._worth(best, values) > sign * values[node]:
                    self.policy[node] = best
                    changed = True
        return changed or self._stays(role, values, sign, ties_only)

    def _stays(self, role: int, values: dict[int, Fraction], sign: int, ties_only: bool) -> bool:
        """Whether a role is better off by keeping play for ever in nodes worth less to it, and now does so.

        Against an opponent who may still change its mind (``ties_only``) by moves that do not lose anything.
        """

        def usable(node: int) -> Iterable[int]:
            if self.movers[node] == CHANCE_TURN:
                return self.rows[node]
            if self.movers[node] != role:
                return (self.policy[node],)
            if not ties_only:
                return self.rows[node]
            return [edge for edge in self.rows[node] if self._worth(edge, values) == values[node]]

        kept = kept_for_ever(self.graph, self.nodes, usable, lambda node: self.movers[node] == role)
        changed = False
        for node in kept:
            if self.movers[node] == role and sign * values[node] < sign * self.endless:
                staying = next(edge for edge in usable(node) if self.graph.target[edge] in kept)
                changed |= self.policy[node] != staying
                self.policy[node] = staying
        return changed

    def _worth(self, edge: int, values: dict[int, Fraction]) -> Fraction:
        child = self.graph.target[edge]
        return values[child] if child in self.inside else self.outside[child]

    def _evaluated(self, step: Callable[[], None]) -> dict[int, Fraction]:
        """What every node is worth if both keep to their strategies."""
        graph = self.graph

        def usable(node: int) -> Iterable[int]:
            return self.rows[node] if self.movers[node] == CHANCE_TURN else (self.policy[node],)

        stuck = kept_for_ever(graph, self.nodes, usable, lambda node: False)
        system: dict[int, Row] = {}
        for node in self.nodes:
            if node in stuck:
                continue
            constant, terms = Fraction(0), dict[int, Fraction]()
            for edge in usable(node):
                weight = graph.probability[edge] if self.movers[node] == CHANCE_TURN else Fraction(1)
                child = graph.target[edge]
                if child in stuck:
                    constant += weight * self.endless
                elif child in self.inside:
                    terms[child] = terms.get(child, Fraction(0)) + weight
                else:
                    constant += weight * self.outside[child]
            system[node] = (constant, {child: weight for child, weight in terms.items() if weight})
        return expectations(system, step) | dict.fromkeys(stuck, self.endless)

    def _guess(self) -> dict[int, int]:
        """Edges that look best after some sweeps of value iteration by floating-point numbers, which prove nothing."""
        graph = self.graph
        place = {node: number for number, node in enumerate([*self.nodes, *self.outside])}
        values = [float(self.endless)] * len(self.nodes) + [float(value) for value in self.outside.values()]
        targets = [[place[graph.target[edge]] for edge in self.rows[node]] for node in self.nodes]
        movers = [self.movers[node] for node in self.nodes]
        weights = [
            [float(graph.probability[edge]) for edge in self.rows[node]] if mover == CHANCE_TURN else []
            for node, mover in zip(self.nodes, movers, strict=True)
        ]
        for _ in range(SWEEPS):
            change = 0.0
            for number in range(len(movers) - 1, -1, -1):  # what was met last is nearest to the ends
                after = [values[target] for target in targets[number]]
                if movers[number] == CHANCE_TURN:
                    value = sum(map(mul, weights[number], after))
                else:
                    value = max(after) if movers[number] == 0 else min(after)
                change = max(change, abs(value - values[number]))
                values[number] = value
            if change < CLOSE:
                break
        policy: dict[int, int] = {}
        for node, mover, row in zip(self.nodes, movers, targets, strict=True):
            if mover != CHANCE_TURN:
                after = [values[target] for target in row]
                policy[node] = self.rows[node][after.index(max(after) if mover == 0 else min(after))]
        return policy


def kept_for_ever(
    graph: GameGraph,
    nodes: Sequence[int],
    usable: Callable[[int], Iterable[int]],
    chooses: Callable[[int], bool],
) -> set[int]:
    """The largest set of nodes in which play can be kept for ever.

    Where ``chooses`` holds, one of the usable edges that stays is enough; elsewhere all of them have to, those that
    chance never takes excepted. Linear in the edges.

    >>> from zermelo.graph import GameGraph
    >>> graph = GameGraph([0, 1], turn=bytearray([0, 0]))
    >>> graph.first_edge.extend([1, 2])
    >>> graph.target.extend([1, 0])
    >>> sorted(kept_for_ever(graph, [0, 1], lambda node: [node], lambda node: True))
    [0, 1]
    """
    kept = set(nodes)
    before: dict[int, list[int]] = {}
    ways: dict[int, int] = {}
    leaving: list[int] = []
    for node in nodes:
        edges = [edge for edge in usable(node) if graph.probability.get(edge, 1)]
        staying = [edge for edge in edges if graph.target[edge] in kept]
        for edge in staying:
            before.setdefault(graph.target[edge], []).append(node)
        ways[node] = len(staying) if chooses(node) else int(len(staying) == len(edges))
        if not ways[node]:
            leaving.append(node)
    kept.difference_update(leaving)
    while leaving:
        for node in before.get(leaving.pop(), ()):
            if node in kept:
                ways[node] = ways[node] - 1 if chooses(node) else 0
                if not ways[node]:
                    kept.remove(node)
                    leaving.append(node)
    return kept
