"""Expected values of games of chance, exactly.

Backward induction over an explicit graph: the first role takes the largest value, the second the smallest,
chance the mean. All arithmetic is in fractions, which is why this is Python and not a kernel: denominators of
expected values grow with the depth of the game and soon leave any machine word.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from zermelo.errors import GameError, NotApplicableError
from zermelo.graph import CHANCE_TURN, OVER_TURN


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
    found = Expectation([Fraction(0)] * len(turn), [-1] * len(turn))
    for _ in induction(first_edge, target, turn, score, probability, found):
        if visit is not None:
            visit()
    return found


def induction(
    first_edge: Sequence[int],
    target: Sequence[int],
    turn: Sequence[int],
    score: Sequence[Fraction],
    probability: Sequence[Fraction] | Mapping[int, Fraction],
    found: Expectation,
) -> Iterator[int]:
    """Fills ``found`` from the ends to the start, node by node: yields each when it is final.

    The arguments are those of :func:`expected_values`. Who stops half-way knows what is final; see
    :func:`expected_bounds` for what that proves.

    >>> found = Expectation([Fraction(0)] * 2, [-1] * 2)
    >>> next(induction([0, 1, 1], [1], [0, 254], [Fraction(0), Fraction(7)], [], found)), found.values
    (1, [Fraction(0, 1), Fraction(7, 1)])
    """
    _check_arrays(first_edge, target, turn, score, probability)
    values, edges = found
    for node in reversed(_topological_order(first_edge, target, turn)):
        begin, end = first_edge[node], first_edge[node + 1]
        if turn[node] == OVER_TURN:
            values[node] = score[node]
        elif turn[node] == CHANCE_TURN:
            weights = [probability[edge] for edge in range(begin, end)]
            values[node] = weighted_mean(weights, [values[child] for child in target[begin:end]])
        else:
            ranks = _ranks([values[child] for child in target[begin:end]])
            edge = begin + ranks.index(max(ranks) if turn[node] == 0 else min(ranks))
            values[node] = values[target[edge]]
            edges[node] = edge
        yield node


def mean(values: Sequence[Fraction]) -> Fraction:
    """The exact mean, with one reduction to lowest terms: sums of fractions make one a term.

    >>> mean([Fraction(1, 2), Fraction(1, 3)])
    Fraction(5, 12)
    """
    common = lcm(*[value.denominator for value in values])
    return Fraction(sum([value.numerator * (common // value.denominator) for value in values]), common * len(values))


def weighted_mean(weights: Sequence[Fraction], values: Sequence[Fraction]) -> Fraction:
    """The exact mean by weights that add up to 1.

    >>> weighted_mean([Fraction(1, 3), Fraction(2, 3)], [Fraction(1), Fraction(1, 2)])
    Fraction(2, 3)
    """
    if all(weight is weights[0] for weight in weights):
        return mean(values)
    lower = [weight.denominator * value.denominator for weight, value in zip(weights, values, strict=True)]
    upper = [weight.numerator * value.numerator for weight, value in zip(weights, values, strict=True)]
    common = lcm(*lower)
    return Fraction(sum([part * (common // below) for part, below in zip(upper, lower, strict=True)]), common)


def _ranks(values: Sequence[Fraction]) -> list[int]:
    """Whole numbers in the same order and with the same ties: quicker to compare."""
    common = lcm(*[value.denominator for value in values])
    return [value.numerator * (common // value.denominator) for value in values]


MOST_NODES = 20_000
"""How many nodes :func:`expected_bounds` looks at: what takes a fraction of a second."""


def expected_bounds(
    first_edge: Sequence[int],
    target: Sequence[int],
    turn: Sequence[int],
    probability: Sequence[Fraction] | Mapping[int, Fraction],
    known: Callable[[int], Fraction | None],
    others: tuple[Fraction | None, Fraction | None],
    *,
    most: int = MOST_NODES,
) -> tuple[Fraction | None, Fraction | None]:
    """Bounds on the expected value of node 0 when only some nodes are known; ``None`` where there is no bound.

    The rows are those of :func:`expected_values`, or the first ones of them. ``known`` says the value of a node
    whose value is known (ends among them); every other node lies within ``others``. Expectations rise with the
    values of the nodes they are taken over, so the bounds come from one induction over the rows with the rest
    at the lower bound, and one with it at the upper. Only the ``most`` nodes nearest to node 0 are looked at.

    A fair coin decides between 1 and a position that has not been looked at, worth something in 0..1:

    >>> half, zero, one = Fraction(1, 2), Fraction(0), Fraction(1)
    >>> expected_bounds([0, 2], [1, 2], [255], [half, half], {1: one}.get, (zero, one))
    (Fraction(1, 2), Fraction(1, 1))
    """
    order = _nearest(first_edge, target, turn, known, most)
    low: dict[int, Fraction | None] = {}
    high: dict[int, Fraction | None] = {}

    def bounds(node: int) -> tuple[Fraction | None, Fraction | None]:
        if node in low:
            return low[node], high[node]
        value = known(node)
        return others if value is None else (value, value)

    for node in reversed(order):
        row = range(first_edge[node], first_edge[node + 1])
        below, above = zip(*(bounds(target[edge]) for edge in row), strict=True)
        if turn[node] == CHANCE_TURN:
            weights = [Fraction(probability[edge]) for edge in row]
            low[node], high[node] = _mean(weights, below), _mean(weights, above)
        elif turn[node] == 0:
            low[node], high[node] = _any_bound(max, below), _all_bound(max, above)
        else:
            low[node], high[node] = _all_bound(min, below), _any_bound(min, above)
    return bounds(0)


Choice = Callable[[list[Fraction]], Fraction]


def _any_bound(choose: Choice, bounds: Sequence[Fraction | None]) -> Fraction | None:
    """The mover's side of the bound: one move that has it is enough."""
    given = [bound for bound in bounds if bound is not None]
    return choose(given) if given else None


def _all_bound(choose: Choice, bounds: Sequence[Fraction | None]) -> Fraction | None:
    """The other side: a move without a bound may lead anywhere."""
    given = [bound for bound in bounds if bound is not None]
    return choose(given) if len(given) == len(bounds) else None


def _mean(weights: Sequence[Fraction], bounds: Sequence[Fraction | None]) -> Fraction | None:
    total = Fraction(0)
    for weight, bound in zip(weights, bounds, strict=True):
        if weight:
            if bound is None:
                return None
            total += weight * bound
    return total


def _nearest(
    first_edge: Sequence[int],
    target: Sequence[int],
    turn: Sequence[int],
    known: Callable[[int], Fraction | None],
    most: int,
) -> list[int]:
    """The unknown nodes with rows nearest to node 0, each before its successors."""
    rows = min(len(first_edge) - 1, len(turn))
    inner: dict[int, int] = {}  # with the number of edges from other nodes met
    queue = deque([0])
    while queue and len(inner) < most:
        node = queue.popleft()
        if node in inner or node >= rows or known(node) is not None:
            continue
        inner[node] = 0
        queue.extend(target[first_edge[node] : first_edge[node + 1]])
    for node in inner:
        for child in target[first_edge[node] : first_edge[node + 1]]:
            if child in inner:
                inner[child] += 1
    order = [0] if inner.get(0) == 0 else []
    for node in order:
        for child in target[first_edge[node] : first_edge[node + 1]]:
            if child in inner:
                inner[child] -= 1
                if inner[child] == 0:
                    order.append(child)
    if len(order) < len(inner):
        raise NotApplicableError(REPEATS)
    return order


REPEATS = "positions repeat in a game of chance: exact expected values need a game that always ends"


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
        raise NotApplicableError(REPEATS)
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
            if all(chance is chances[0] for chance in chances) and chances[0] * len(chances) == 1:
                continue
            if sum(chances) != 1 or min(chances) < 0:
                raise GameError("the chances of a position do not add up to 1, or one of them is negative")
