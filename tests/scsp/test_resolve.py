"""Networks of one stage against trying all policies."""

from __future__ import annotations

import pytest
from benchmarks.scsp_networks import matching_pennies

from tests.scsp import brute
from tests.scsp.networks import example_three, example_two, small_networks
from zermelo.errors import NotApplicableError
from zermelo.scsp import resolve
from zermelo.scsp.network import HALF, Chance, EvenChance, Network, Table, Variable
from zermelo.scsp.policy import Policy, expected_utility, solves


def text(policy: Policy) -> str:
    """The same for equal policies."""
    return repr(sorted((value, text(below)) for value, below in policy.branches.items()))


@pytest.mark.parametrize("start", range(0, 1500, 500))
def test_feasible_policies_of_random_networks(start: int) -> None:
    for seed, network in small_networks(range(start, start + 500), one_stage=True):
        found = [text(policy) for policy in resolve.feasible(network)]
        expected = {text(policy) for policy in brute.feasible_policies(network)}
        assert len(found) == len(expected), seed
        assert set(found) == expected, seed


@pytest.mark.parametrize("start", range(0, 900, 300))
def test_thresholds_of_random_networks(start: int) -> None:
    for seed, network in small_networks(range(start, start + 300), one_stage=True):
        assert resolve.satisfiable(network) == brute.satisfiable(network), seed
        for found in resolve.solutions(network):
            assert solves(network, found.policy), seed
            assert expected_utility(network, found.policy) == found.utility, seed


def test_solutions_are_all_solutions_where_nothing_is_decided_after_chance() -> None:
    for seed, network in small_networks(range(300), one_stage=True):
        if resolve.split(network).after:
            continue
        found = sorted(text(solution.policy) for solution in resolve.solutions(network))
        assert found == sorted(text(policy) for policy in brute.solutions(network)), seed


def test_example_three_as_the_paper_resolves_it() -> None:
    network = example_three()
    feasibility = resolve.feasibility_constraint(network)
    names = {
        tuple(network.variables[v].domain[value] for v, value in zip(feasibility.scope, row, strict=True))
        for row in feasibility.tuples
    }
    assert names == {("2", "1"), ("2", "2")}
    (policy,) = resolve.feasible(network)
    (x1,) = policy.branches
    (x2,) = policy.branches[x1].branches
    assert (network.variables[0].domain[x1], network.variables[1].domain[x2]) == ("2", "2")
    assert resolve.satisfiable(network)


def test_example_two_has_two_stages_and_is_refused() -> None:
    with pytest.raises(NotApplicableError, match="between stochastic"):
        resolve.split(example_two())


def test_what_chance_determines_belongs_to_the_stochastic_part() -> None:
    coin = ("heads", "tails")
    variables = (
        Variable("stake", ("0", "1")),
        Variable("coin", coin, stochastic=True),
        Variable("shown", coin),
        Variable("kept", ("0", "1")),
    )
    same = frozenset({(0, 0), (1, 1)})
    network = Network(
        1, variables, (Table((1, 2), same), Table((0, 3), same)), chances=(Chance(1, (), {(): (HALF, HALF)}),)
    )
    parts = resolve.split(network)
    assert parts.outcome == (2,)
    assert [table.scope for table in parts.drawn] == [(1, 2)]
    assert [table.scope for table in parts.decided] == [(0, 3)]


def test_outcomes_that_cannot_happen_do_not_matter() -> None:
    variables = (
        Variable("can0", ("no", "yes")),
        Variable("can1", ("no", "yes")),
        Variable("y", ("0", "1"), stochastic=True),
    )
    network = Network(1, variables, (Table((2,), frozenset({(0,)})),), chances=(EvenChance(2, (0, 1)),))
    assert sorted(resolve.feasibility_constraint(network).tuples) == [(1, 0)]


def test_many_coins_have_to_match() -> None:
    network = matching_pennies(16)
    found = list(resolve.solutions(network))
    assert len(found) == 2
    assert all(solution.utility == (HALF,) for solution in found)


def test_the_feasibility_constraint_may_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolve, "MOST_ROWS", 0)
    for seed, network in small_networks(range(200), one_stage=True):
        expected = {text(policy) for policy in brute.feasible_policies(network)}
        assert {text(policy) for policy in resolve.feasible(network)} == expected, seed
