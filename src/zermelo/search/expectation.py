"""Expected values of games of chance, exactly.

Backward induction over an explicit graph: the first role takes the largest value, the second the smallest,
chance the mean. All arithmetic is in fractions, which is why this is Python and not a kernel: denominators of
expected values grow with the depth of the game and soon leave any machine word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from zermelo.encode.graph import CHANCE_TURN, OVER_TURN
from zermelo.errors import GameError, NotApplicableError


class Expectation(NamedTuple):
    """What every node is worth, and which edge is best there."""

    values: list[Fraction]
    """The first role's expected score under best play, for each node."""
    edges: list[int]
    """A best edge of each node where a role moves, the first of equals; -1 at chance nodes and ends."""


def expected_values(
    first_edge: Sequence[int],
    target: Sequence[int],
    turn: Sequence[int],
    score: Sequence[Fraction],
    probability: Sequence[Fraction] | Mapping[int, Fraction],
    *,
    visit: Callable[[], None] | None = None,
) -> Expectation:
    """The exact expected value of every node of an acyclic game graph in compressed rows.

    Node ``i`` owns the edges ``first_edge[i]`` to ``first_edge[i + 1] - 1``; ``turn`` is 0 (maximises),
    1 (minimises), 255 (chance) or 254 (over). ``score`` counts where the game is over, ``probability`` (by
    edge) where chance moves. ``visit`` is called once a node and may raise to stop. Linear in the edges, up
    to the size of the fractions. Raises :class:`~zermelo.errors.NotApplicableError` if positions repeat.

    A fair coin decides between 1 and 0; the first role may also take 1/3 and leave:

    >>> half, third = Fraction(1, 2), Fraction(1, 3)
    >>> found = expected_values(
    ...     first_edge=[0, 2, 4, 4, 4, 4],
    ...     target=[4, 1, 2, 3],
    ...     turn=[0, 255, 254, 254, 254],
    ...     score=[Fraction(0), Fraction(0), Fraction(1), Fraction(0), third],
    ...     probability=[Fraction(0), Fraction(0), half, half],
    ... )
    >>> found.values[0], found.edges[0]
    (Fraction(1, 2), 1)
    """
    _check_arrays(first_edge, target, turn, score, probability)
    values = [Fraction(0)] * len(turn)
    edges = [-1] * len(turn)
    for node in reversed(_topological_order(first_edge, target, turn)):
        if visit is not None:
            visit()
        begin, end = first_edge[node], first_edge[node + 1]
        if turn[node] == OVER_TURN:
            values[node] = score[node]
        elif turn[node] == CHANCE_TURN:
            values[node] = sum((probability[e] * values[target[e]] for e in range(begin, end)), Fraction(0))
        else:
            choose = max if turn[node] == 0 else min
            edge = choose(range(begin, end), key=lambda e: values[target[e]])
            values[node] = values[target[edge]]
            edges[node] = edge
    return Expectation(values, edges)


def _topological_order(first_edge: Sequence[int], target: Sequence[int], turn: Sequence[int]) -> list[int]:
    """Every node before its successors (Kahn 1962). An end has no successors, whatever its row says."""
    rows = [
        range(first_edge[node], first_edge[node + 1] if turn[node] != OVER_TURN else first_edge[node])
        for node in range(len(turn))
    ]
    waiting = [0] * len(turn)
    for row in rows:
        for edge in row:
            waiting[target[edge]] += 1
    order = [node for node, count in enumerate(waiting) if count == 0]
    for node in order:
        for edge in rows[node]:
            waiting[target[edge]] -= 1
            if waiting[target[edge]] == 0:
                order.append(target[edge])
    if len(order) < len(turn):
        raise NotApplicableError(
            "positions repeat in a game of chance: exact expected values need a game that always ends"
        )
    return order


def _check_arrays(
    first_edge: Sequence[int],
    target: Sequence[int],
    turn: Sequence[int],
    score: Sequence[Fraction],
    probability: Sequence[Fraction] | Mapping[int, Fraction],
) -> None:
    if len(first_edge) != len(turn) + 1 or len(score) != len(turn) or first_edge[-1] != len(target):
        raise GameError("the arrays of the game graph do not fit together")
    for node, mover in enumerate(turn):
        if mover == OVER_TURN:
            continue
        if mover not in (0, 1, CHANCE_TURN):
            raise NotApplicableError("expected values are computed for games of one or two roles and chance")
        begin, end = first_edge[node], first_edge[node + 1]
        if begin == end:
            raise GameError("a position that is not over has no moves")
        if mover == CHANCE_TURN:
            chances = [probability[edge] for edge in range(begin, end)]
            if sum(chances) != 1 or min(chances) < 0:
                raise GameError("the chances of a position do not add up to 1, or one of them is negative")
