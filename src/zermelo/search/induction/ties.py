"""Which vectors subgame-perfect equilibria have, where ties leave a choice.

A role that is indifferent between two moves may take either, in one place this one and in another that one, and may
make it depend on what was played before. So a node has a *set* of vectors: for a role's move those of any successor
with which it does not get less than another move is sure to give it (any other move can be answered by the vector of
its own set that is worst for the role). For chance they are the means of all combinations. Where a set would grow too
large, or a part of the game has not been seen, there is a box instead: for each role what it gets at least and at most.

Strategies are pure here: to mix moves that are equally good can lead to vectors between these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import inf, prod
from typing import Any, Final

from zermelo.graph import AT_ONCE_TURN, CHANCE_TURN, OVER_TURN, GameGraph
from zermelo.search.induction.payoffs import Vector

MOST: Final = 32
"""A set of more vectors becomes a box."""
MOST_COMBINED: Final = 1024
"""So many combinations of what may follow chance are looked at."""


@dataclass(frozen=True)
class Box:
    """What each role gets at least, and at most; infinite where nothing is known."""

    lower: tuple[Any, ...]
    upper: tuple[Any, ...]


Possible = frozenset[Vector] | Box


def unknown(roles: int) -> Box:
    """The box of a position of which nothing is known.

    >>> unknown(1)
    Box(lower=(-inf,), upper=(inf,))
    """
    return Box((-inf,) * roles, (inf,) * roles)


def least(possible: Possible, role: int) -> Any:
    """What a role gets at least.

    >>> least(frozenset({(1, 2), (3, 0)}), 0)
    1
    """
    return possible.lower[role] if isinstance(possible, Box) else min(vector[role] for vector in possible)


def most(possible: Possible, role: int) -> Any:
    """What a role gets at most."""
    return possible.upper[role] if isinstance(possible, Box) else max(vector[role] for vector in possible)


def boxed(possible: Iterable[Possible], roles: int) -> Box:
    """The smallest box around several sets and boxes.

    >>> boxed([frozenset({(1, 2)}), frozenset({(0, 3)})], 2)
    Box(lower=(0, 2), upper=(1, 3))
    """
    listed = list(possible)
    lower = tuple(min(least(each, role) for each in listed) for role in range(roles))
    return Box(lower, tuple(max(most(each, role) for each in listed) for role in range(roles)))


def of_mover(after: Sequence[Possible], mover: int, roles: int) -> Possible:
    """What may come of a node at which one role moves.

    >>> sorted(of_mover([frozenset({(1, 5)}), frozenset({(0, 9), (2, 2)}), frozenset({(1, 7)})], 0, 2))
    [(1, 5), (1, 7), (2, 2)]
    """
    sure = max(least(each, mover) for each in after)
    kept: list[Possible] = [
        each if isinstance(each, Box) else frozenset(vector for vector in each if vector[mover] >= sure)
        for each in dict.fromkeys(after)
        if most(each, mover) >= sure
    ]
    if not any(isinstance(each, Box) for each in kept):
        union = frozenset[Vector]().union(*(each for each in kept if not isinstance(each, Box)))
        if len(union) <= MOST:
            return union
    box = boxed(kept, roles)
    return Box((*box.lower[:mover], max(sure, box.lower[mover]), *box.lower[mover + 1 :]), box.upper)


def of_chance(after: Sequence[Possible], weights: Sequence[Fraction], roles: int) -> Possible:
    """What may come of a node at which chance moves.

    >>> half = Fraction(1, 2)
    >>> of_chance([frozenset({(1, 0)}), frozenset({(0, 1)})], [half, half], 2)
    frozenset({(Fraction(1, 2), Fraction(1, 2))})
    """
    sets = [each for each in after if not isinstance(each, Box)]
    if len(sets) == len(after) and prod(map(len, sets)) <= MOST_COMBINED:
        means = frozenset(
            tuple(_mean(weights, column) for column in zip(*some, strict=True)) for some in product(*sets)
        )
        if len(means) <= MOST:
            return means
    bounds = [[_mean(weights, [side(each, role) for each in after]) for role in range(roles)] for side in (least, most)]
    return Box(tuple(bounds[0]), tuple(bounds[1]))


def _mean(weights: Sequence[Fraction], parts: Sequence[Any]) -> Any:
    if any(isinstance(part, float) and weight for weight, part in zip(weights, parts, strict=True)):
        return next(part for weight, part in zip(weights, parts, strict=True) if isinstance(part, float) and weight)
    return sum((weight * part for weight, part in zip(weights, parts, strict=True) if weight), Fraction(0))


def possible_vectors(
    graph: GameGraph,
    order: Iterable[int],
    roles: int,
    step: Callable[[], None] = lambda: None,
    start: Box | None = None,
) -> Possible:
    """The vectors of all equilibria of the game that begins at node 0, or a box around them.

    ``order`` has every expanded node after those that it leads to, as far as it goes; a node that was not met before is
    worth anything in ``start``. Where several roles move at once, a box spans whatever may follow. Linear in the edges
    times the size of the sets.

    >>> from zermelo.games import make_game
    >>> from zermelo.graph import graph_of
    >>> from zermelo.limits import Limits
    >>> possible_vectors(graph_of(make_game("nim:1"), Limits()), [1, 0], 2)
    frozenset({(1, -1)})
    """
    open_box = unknown(roles) if start is None else start
    found: dict[int, Possible] = {}
    for node in order:
        step()
        turn = graph.turn[node]
        if turn == OVER_TURN:
            found[node] = frozenset([graph.results[node]])
            continue
        row = range(graph.first_edge[node], graph.first_edge[node + 1])
        after = [found.get(graph.target[edge], open_box) for edge in row]
        if turn == CHANCE_TURN:
            found[node] = of_chance(after, [graph.probability[edge] for edge in row], roles)
        elif turn == AT_ONCE_TURN:
            found[node] = boxed(after, roles)
        else:
            found[node] = of_mover(after, turn, roles)
    return found.get(0, open_box)
