"""Stochastic constraint networks by trying everything: the oracle that tests compare faster ways with."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from zermelo.scsp.network import Network, Values
from zermelo.scsp.policy import LEAF, Policy, expected_utility


def consistent_instantiations(network: Network) -> Iterator[Values]:
    """All complete instantiations that keep the hard constraints, probabilities aside."""
    return (values for values in network.instantiations() if network.consistent(values))


def feasible_policies(network: Network) -> Iterator[Policy]:
    """All policies whose every path keeps the hard constraints."""
    return _extensions(network, ())


def _extensions(network: Network, values: Values) -> Iterator[Policy]:
    if not network.consistent(values):
        return
    number = len(values)
    if number == len(network.variables):
        yield LEAF
        return
    variable = network.variables[number]
    if not variable.stochastic:
        for value in range(variable.size):
            for below in _extensions(network, (*values, value)):
                yield Policy({value: below})
        return
    chance = network.chance_of(number)
    given = chance.given(tuple(values[v] for v in chance.scope))
    possible = [value for value, probability in enumerate(given) if probability]
    below_each = [list(_extensions(network, (*values, value))) for value in possible]
    for below_all in product(*below_each):
        yield Policy(dict(zip(possible, below_all, strict=True)))


def solutions(network: Network) -> Iterator[Policy]:
    """The feasible policies that reach the threshold."""
    for policy in feasible_policies(network):
        reached = expected_utility(network, policy)
        if all(value >= least for value, least in zip(reached, network.threshold, strict=True)):
            yield policy


def satisfiable(network: Network) -> bool:
    """Whether there is a solution."""
    return next(solutions(network), None) is not None


def best_policy(network: Network, player: int = 0) -> Policy | None:
    """A feasible policy with the most for one player; ``None`` where no policy is feasible."""
    best: Policy | None = None
    most = Fraction(-1)
    for policy in feasible_policies(network):
        reached = expected_utility(network, policy)[player]
        if best is None or reached > most:
            best, most = policy, reached
    return best
