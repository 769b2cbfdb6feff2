"""Policies of a stochastic constraint network: a value for every decision, one branch for every outcome of chance.

>>> from zermelo.scsp import read_network
>>> from zermelo.scsp.stages import best_policy
>>> network = read_network("examples/pennies.json")
>>> expected_utility(network, best_policy(network).policy)
(Fraction(1, 2),)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from zermelo.brief import introduced, shown_in_brief
from zermelo.scsp.network import Network, Values


@dataclass(frozen=True)
class Policy:
    """A tree over the variables in order: ``branches`` maps values of the next variable to what follows.

    A decision has one branch, a stochastic variable one for each value of positive probability. After the last
    variable comes the policy without branches.

    >>> Policy({1: Policy({0: LEAF, 1: LEAF})}).branches[1].branches.keys()
    dict_keys([0, 1])
    """

    branches: dict[int, Policy]

    _repr_html_ = shown_in_brief

    def __repr__(self) -> str:
        return introduced(self, f"{len(self.branches)} branches" if self.branches else "the end")


LEAF = Policy({})


def leaves(network: Network, policy: Policy) -> Iterator[tuple[Values, Fraction]]:
    """The complete instantiations that the policy leads to, each with its probability.

    >>> from zermelo.scsp import read_network
    >>> stay = Policy({0: Policy({0: Policy({0: Policy({0: Policy({0: Policy({0: LEAF, 1: LEAF})})})})})})
    >>> [(values[-1], str(probability)) for values, probability in leaves(read_network("examples/pennies.json"), stay)]
    [(0, '1/2'), (1, '1/2')]
    """
    stack: list[tuple[Policy, Values, Fraction]] = [(policy, (), Fraction(1))]
    while stack:
        node, values, probability = stack.pop()
        number = len(values)
        if number == len(network.variables):
            yield values, probability
            continue
        if not network.variables[number].stochastic:
            (value, below), *_ = node.branches.items()
            stack.append((below, (*values, value), probability))
            continue
        chance = network.chance_of(number)
        given = chance.given(tuple(values[v] for v in chance.scope))
        possible = [value for value in reversed(range(len(given))) if given[value]]
        stack += [(node.branches[value], (*values, value), probability * given[value]) for value in possible]


def feasible(network: Network, policy: Policy) -> bool:
    """Whether every path of positive probability keeps all hard constraints.

    >>> from zermelo.scsp import read_network
    >>> change = Policy({0: Policy({0: Policy({0: Policy({1: Policy({0: Policy({0: LEAF, 1: LEAF})})})})})})
    >>> feasible(read_network("examples/pennies.json"), change)
    False
    """
    return all(network.consistent(values) for values, _ in leaves(network, policy))


def expected_utility(network: Network, policy: Policy) -> tuple[Fraction, ...]:
    """What each player gets on average: exact."""
    total = [Fraction(0)] * network.players
    for values, probability in leaves(network, policy):
        for player, part in enumerate(network.utility(values)):
            total[player] += probability * part
    return tuple(total)


def solves(network: Network, policy: Policy) -> bool:
    """Whether the policy is feasible and everybody gets the threshold on average (a solution).

    >>> from zermelo.scsp import read_network
    >>> from zermelo.scsp.stages import best_policy
    >>> network = read_network("examples/pennies.json")
    >>> solves(network, best_policy(network).policy)
    True
    """
    if not feasible(network, policy):
        return False
    reached = expected_utility(network, policy)
    return all(value >= least for value, least in zip(reached, network.threshold, strict=True))
