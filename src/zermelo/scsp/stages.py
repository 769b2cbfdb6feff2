"""Networks of any number of stages, solved exactly: a search over the variables in their order.

A decision takes the best of its values, chance the average of those that are possible, all of which have to go well
(Walsh 2002). What can still be got after the first variables depends only on those of them that a table, a utility or
a probability ties to a later one, so it is worked out once for the same values of those: dynamic programming over
the states of a game, where the network comes from one. Arc consistency runs along, natively, and cuts values off
early. All numbers are exact.

With several players a threshold asks something for each of them, and which of two policies helps depends on the rest.
So what is worked out is the set of utilities of which no other is better for all players, as far as they can still
reach what is needed: need falls by what the other outcomes promise at the most (Star1: Ballard 1983) and rises with
what was found (alpha), where only one player counts.

>>> from zermelo.scsp import read_network
>>> best = best_policy(read_network("examples/pennies.json"))
>>> best is not None and best.utility
(Fraction(1, 2),)
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from zermelo.limits import Limits, step_watch
from zermelo.scsp.mac import Solver
from zermelo.scsp.network import Network, Values, frontiers
from zermelo.scsp.policy import LEAF, Policy, expected_utility

Vector = tuple[Fraction, ...]
T = TypeVar("T")


@dataclass(frozen=True)
class Resolution:
    """A feasible policy and what each player gets from it on average; ``nodes`` is how much was worked out."""

    policy: Policy
    utility: Vector
    nodes: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Reached:
    """What some players get from a variable on, and how."""

    value: Vector
    policy: Policy


Front = list[Reached]
_Question = tuple[int, Values, Vector]


def _unseen(states: int) -> None:
    del states


def solve_stages(
    network: Network, limits: Limits | None = None, visit: Callable[[int], None] = _unseen
) -> Resolution | None:
    """A policy that is feasible and reaches the threshold of every player; ``None`` where there is none.

    ``visit`` is told how many states are worked out.

    >>> from zermelo.scsp import read_network
    >>> found = solve_stages(read_network("examples/pennies.json"))
    >>> found is not None and found.utility >= read_network("examples/pennies.json").threshold
    True
    """
    search = _Search(network, tuple(range(network.players)), limits or Limits(), visit)
    front = search.front(network.threshold)
    return Resolution(front[0].policy, front[0].value, len(search.known)) if front else None


def best_policy(
    network: Network, player: int = 0, limits: Limits | None = None, visit: Callable[[int], None] = _unseen
) -> Resolution | None:
    """A feasible policy with the most for one player; ``None`` where no policy is feasible.

    ``visit`` is told how many states are worked out.

    >>> from zermelo.scsp import read_network
    >>> best_policy(read_network("examples/onestage.json")).utility
    (Fraction(1, 1),)
    """
    search = _Search(network, (player,), limits or Limits(), visit)
    front = search.front(plus(search.least[0], search.constant))
    if not front:
        return None
    # What others get is in no front: for them the policy is followed to all its ends, which may be many.
    policy, utility = front[0].policy, front[0].value
    return Resolution(policy, utility if network.players == 1 else expected_utility(network, policy), len(search.known))


def undominated(candidates: Sequence[tuple[Vector, T]]) -> list[tuple[Vector, T]]:
    """Those of which no other is at least as good for everybody; of equal ones the first.

    >>> [name for _, name in undominated([((Fraction(1), Fraction(0)), "a"), ((Fraction(1), Fraction(1)), "b")])]
    ['b']
    """
    kept: list[tuple[Vector, T]] = []
    for one in candidates:
        if not any(at_least(other[0], one[0]) for other in kept):
            kept = [other for other in kept if not at_least(one[0], other[0])]
            kept.append(one)
    return kept


def at_least(value: Vector, need: Vector) -> bool:
    """Whether everybody gets what is needed."""
    return all(a >= b for a, b in zip(value, need, strict=True))


def plus(one: Vector, other: Vector, times: Fraction | int = 1) -> Vector:
    """The sum, the second one multiplied."""
    return tuple(a + times * b for a, b in zip(one, other, strict=True))


class _Search:
    """One search: what it knows of the network and what it has worked out."""

    def __init__(
        self, network: Network, players: tuple[int, ...], limits: Limits, visit: Callable[[int], None] = _unseen
    ) -> None:
        self.network, self.players, self.visit = network, players, visit
        self.step = step_watch(limits)
        self.solver = Solver(network, limits=limits)
        self.zero: Vector = (Fraction(0),) * len(players)
        count = len(network.variables)
        self.frontier = frontiers(network)
        self.utilities = [
            [soft for soft in network.utilities if max(soft.scope, default=-1) == number] for number in range(-1, count)
        ]
        self.most, self.least = [self.zero] * (count + 1), [self.zero] * (count + 1)
        for number in reversed(range(count)):
            self.most[number], self.least[number] = self.most[number + 1], self.least[number + 1]
            for soft in self.utilities[number + 1]:
                rows = [self.zero, *(self._mine(row) for row in soft.table.values())]
                self.most[number] = plus(self.most[number], tuple(map(max, zip(*rows, strict=True))))
                self.least[number] = plus(self.least[number], tuple(map(min, zip(*rows, strict=True))))
        self.constant = self._gain(-1, ())
        """What utilities over no variable give, whatever the policy is."""
        self.known: dict[tuple[int, Values], tuple[Vector, Front]] = {}

    def front(self, need: Vector) -> Front:
        """The best that all policies give to the players, as far as it is what they need."""
        if not self.solver.consistent:
            return []
        found = self._answered((0, (), plus(need, self.constant, -1)))
        return [Reached(plus(reached.value, self.constant), reached.policy) for reached in found]

    def _answered(self, question: _Question) -> Front:
        """Runs the questions below questions on a stack of its own: networks may have thousands of variables."""
        stack = [self._front(*question)]
        answer: Front | None = None
        while stack:
            try:
                asked = stack[-1].send(answer)
            except StopIteration as end:
                answer = end.value
                stack.pop()
            else:
                stack.append(self._front(*asked))
                answer = None
        return answer or []

    def _front(self, number: int, values: Values, need: Vector) -> Generator[_Question, Front | None, Front]:
        self.step()
        if number == len(self.network.variables):
            return [Reached(self.zero, LEAF)] if at_least(self.zero, need) else []
        key = number, tuple(values[v] for v in self.frontier[number])
        known = self.known.get(key)
        if known is not None and at_least(need, known[0]):
            return [reached for reached in known[1] if at_least(reached.value, need)]
        if self.network.variables[number].stochastic:
            front = yield from self._average(number, values, need)
        else:
            front = yield from self._choice(number, values, need)
        self.known[key] = need, front
        self.visit(len(self.known))
        return front

    def _choice(self, number: int, values: Values, need: Vector) -> Generator[_Question, Front | None, Front]:
        front: Front = []
        alone = len(self.players) == 1
        for value in self.solver.native.values(number):
            after = (*values, value)
            gain = self._gain(number, after)
            wanted = plus(front[0].value if alone and front else need, gain, -1)
            if not at_least(self.most[number + 1], wanted):
                continue
            below = yield from self._below(number, after, wanted)
            more = [(plus(reached.value, gain), Policy({value: reached.policy})) for reached in below]
            front = [Reached(*one) for one in undominated([*((r.value, r.policy) for r in front), *more])]
            if any(at_least(reached.value, self.most[number]) for reached in front):
                break
        return front

    def _average(self, number: int, values: Values, need: Vector) -> Generator[_Question, Front | None, Front]:
        chance = self.network.chance_of(number)
        given = chance.given(tuple(values[v] for v in chance.scope))
        possible = [value for value, probability in enumerate(given) if probability]
        if not set(possible) <= set(self.solver.native.values(number)):
            return []
        gains = {value: self._gain(number, (*values, value)) for value in possible}
        rest = self.zero  # what the outcomes not yet looked at give at the most
        for value in possible:
            rest = plus(rest, plus(gains[value], self.most[number + 1]), given[value])
        sums: list[tuple[Vector, dict[int, Policy]]] = [(self.zero, {})]
        for value in possible:
            rest = plus(rest, plus(gains[value], self.most[number + 1]), -given[value])
            top = tuple(map(max, zip(*(total for total, _ in sums), strict=True)))
            short = plus(plus(need, top, -1), rest, -1)
            wanted = plus(tuple(part / given[value] for part in short), gains[value], -1)
            below = yield from self._below(number, (*values, value), wanted)
            longer = [
                (plus(total, plus(r.value, gains[value]), given[value]), {**branches, value: r.policy})
                for total, branches in sums
                for r in below
            ]
            sums = undominated([one for one in longer if at_least(plus(one[0], rest), need)])
            if not sums:
                return []
        return [Reached(total, Policy(branches)) for total, branches in sums]

    def _below(self, number: int, values: Values, wanted: Vector) -> Generator[_Question, Front | None, Front]:
        """What follows once the variable has its value, if arc consistency lets it."""
        holds = self.solver.native.assume_one(number, values[-1])
        front = (yield number + 1, values, wanted) if holds else []
        self.solver.native.retract()
        return front or []

    def _gain(self, number: int, values: Values) -> Vector:
        total = self.zero
        for soft in self.utilities[number + 1]:
            total = plus(total, self._mine(soft.of(tuple(values[v] for v in soft.scope), self.network.players)))
        return total

    def _mine(self, row: Vector) -> Vector:
        return tuple(row[player] for player in self.players)
