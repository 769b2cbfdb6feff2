"""Smaller networks keep instantiations, policies and utilities."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from tests.scsp import brute
from tests.scsp.networks import random_csp, random_network, small_networks
from zermelo.scsp import preprocess
from zermelo.scsp.network import ANY, HALF, Chance, Network, Table, Values, Variable
from zermelo.scsp.policy import Policy, leaves

STEPS: tuple[Callable[[Network], Network], ...] = (
    preprocess.merge_scopes,
    preprocess.project_unary,
    preprocess.without_universal_variables,
    preprocess.singleton_consistent,
    preprocess.preprocessed,
)

Names = tuple[str, ...]


def named(network: Network, values: Values) -> Names:
    """An instantiation by the names of its values."""
    return tuple(variable.domain[value] for variable, value in zip(network.variables, values, strict=True))


def consistent(network: Network) -> set[Names]:
    """The consistent instantiations."""
    return {named(network, values) for values in brute.consistent_instantiations(network)}


def described(network: Network, policy: Policy) -> frozenset[tuple[Names, Fraction, tuple[Fraction, ...]]]:
    """What a policy leads to, with probabilities and utilities."""
    return frozenset(
        (named(network, values), probability, network.utility(values))
        for values, probability in leaves(network, policy)
    )


@pytest.mark.parametrize("step", STEPS)
def test_keeps_consistent_instantiations_of_random_networks(step: Callable[[Network], Network]) -> None:
    for seed in range(400):
        for network in (random_csp(seed, most_variables=4, most_values=3), random_network(seed)):
            assert consistent(step(network)) == consistent(network), seed


@pytest.mark.parametrize("step", STEPS)
def test_keeps_feasible_policies_and_their_utilities(step: Callable[[Network], Network]) -> None:
    for seed, network in small_networks(range(250)):
        smaller = step(network)
        expected = {described(network, policy) for policy in brute.feasible_policies(network)}
        assert {described(smaller, policy) for policy in brute.feasible_policies(smaller)} == expected, seed


def binary(count: int) -> tuple[Variable, ...]:
    """Variables with the values 0 and 1."""
    return tuple(Variable(f"v{number}", ("0", "1")) for number in range(count))


def test_tables_over_the_same_variables_are_merged_in_any_order() -> None:
    tables = (Table((0, 1), frozenset({(0, 1), (1, 1)})), Table((1, 0), frozenset({(1, 0), (0, 0)})))
    (merged,) = preprocess.merge_scopes(Network(1, binary(2), tables)).tables
    assert merged.tuples == {(0, 1)}


def test_short_tuples_are_intersected() -> None:
    tables = (Table((0, 1), frozenset({(ANY, 1), (0, ANY)})), Table((0, 1), frozenset({(1, ANY), (ANY, 0)})))
    (merged,) = preprocess.merge_scopes(Network(1, binary(2), tables)).tables
    assert {row for row in ((0, 0), (0, 1), (1, 0), (1, 1)) if merged.allows(row)} == {(1, 1), (0, 0)}


def test_unary_tables_become_domains() -> None:
    network = preprocess.project_unary(Network(1, binary(2), (Table((0,), frozenset({(1,)})),)))
    assert [variable.domain for variable in network.variables] == [("1",), ("0", "1")]
    assert network.tables == ()


def test_chance_keeps_its_values() -> None:
    coin = (Variable("coin", ("0", "1"), stochastic=True),)
    table = Table((0,), frozenset({(1,)}))
    network = preprocess.preprocessed(Network(1, coin, (table,), chances=(Chance(0, (), {(): (HALF, HALF)}),)))
    assert network.variables[0].size == 2
    assert network.tables == (table,)
    assert list(brute.feasible_policies(network)) == []


def test_variables_that_do_not_matter_leave_the_scope() -> None:
    table = Table((0, 1, 2), frozenset({(0, ANY, 1), (1, 0, 0), (1, 1, 0)}))
    (smaller,) = preprocess.without_universal_variables(Network(1, binary(3), (table,))).tables
    assert smaller == Table((0, 2), frozenset({(0, 1), (1, 0)}))


def test_a_table_that_allows_everything_goes() -> None:
    table = Table((0, 1), frozenset({(ANY, 0), (ANY, 1)}))
    assert preprocess.without_universal_variables(Network(1, binary(2), (table,))).tables == ()


def test_a_contradiction_is_a_table_without_tuples() -> None:
    differ = frozenset({(0, 1), (1, 0)})
    network = Network(1, binary(3), (Table((0, 1), differ), Table((1, 2), differ), Table((0, 2), differ)))
    assert any(not table.tuples for table in preprocess.preprocessed(network).tables)
