"""Networks of any number of stages against trying all policies."""

from __future__ import annotations

import pytest

from tests.scsp import brute
from tests.scsp.networks import example_three, example_two, small_networks
from zermelo.errors import LimitReachedError
from zermelo.limits import Limits
from zermelo.scsp.network import Network, Table, Variable
from zermelo.scsp.policy import expected_utility, feasible, solves
from zermelo.scsp.stages import best_policy, solve_stages


@pytest.mark.parametrize("start", range(0, 900, 300))
def test_best_policies_and_thresholds_of_random_networks(start: int) -> None:
    for seed, network in small_networks(range(start, start + 300)):
        found = solve_stages(network)
        assert (found is not None) == brute.satisfiable(network), seed
        if found is not None:
            assert solves(network, found.policy), seed
            assert expected_utility(network, found.policy) == found.utility, seed
        for player in range(network.players):
            expected, best = brute.best_policy(network, player), best_policy(network, player)
            assert (best is None) == (expected is None), seed
            if best is not None and expected is not None:
                assert feasible(network, best.policy), seed
                assert best.utility[player] == expected_utility(network, expected)[player], seed
                assert best.utility == expected_utility(network, best.policy), seed


def test_example_two_is_worth_one_half() -> None:
    best = best_policy(example_two())
    assert best is not None
    assert [str(part) for part in best.utility] == ["1/2"]
    assert solve_stages(example_two()) is not None


def test_example_three_has_a_solution() -> None:
    found = solve_stages(example_three())
    assert found is not None
    assert solves(example_three(), found.policy)


def test_a_chain_of_thousands_of_variables_is_no_recursion() -> None:
    count = 3000
    variables = tuple(Variable(f"v{number}", ("0", "1")) for number in range(count))
    same = frozenset({(0, 0), (1, 1)})
    network = Network(1, variables, tuple(Table((v, v + 1), same) for v in range(count - 1)))
    assert solve_stages(network) is not None


def test_a_limit_ends_the_search() -> None:
    with pytest.raises(LimitReachedError):
        solve_stages(example_two(), Limits(nodes=3))
