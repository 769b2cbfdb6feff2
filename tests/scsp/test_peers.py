"""Counts of solutions equal those of other solvers."""

from __future__ import annotations

from itertools import product

from benchmarks.scsp_networks import matching_pennies, tictactoe
from benchmarks.scsp_peer import Tables, by_cpsat, by_python_constraint

from tests.scsp.networks import random_csp
from zermelo.scsp.mac import Solver
from zermelo.scsp.network import ANY, Network


def written_out(network: Network) -> tuple[list[int], Tables]:
    """Sizes of domains, and tables without short tuples."""
    domains = [variable.size for variable in network.variables]
    tables: Tables = []
    for table in network.tables:
        if not table.scope:
            continue
        choices = (
            [range(domains[v]) if e == ANY else (e,) for v, e in zip(table.scope, r, strict=True)] for r in table.tuples
        )
        rows = sorted({full for choice in choices for full in product(*choice)})
        tables.append((list(table.scope), [list(row) for row in rows]))
    return domains, tables


def small(seed: int) -> Network:
    """A network with few solutions and no table that says nothing at all."""
    network = random_csp(seed, most_variables=5, most_values=3)
    return Network(1, network.variables, tuple(table for table in network.tables if table.scope and table.tuples))


def test_python_constraint_counts_the_same() -> None:
    for seed in range(60):
        network = small(seed)
        assert by_python_constraint(*written_out(network), 60.0)[0] == Solver(network).count(), seed


def test_cpsat_counts_the_same() -> None:
    networks = [small(seed) for seed in range(25)] + [matching_pennies(10)]
    networks += [
        Network(1, v.variables, v.tables)
        for v in (random_csp(s, 9, 3, 80) for s in range(8))
        if Solver(v).count() < 3000
    ]
    for number, network in enumerate(networks):
        found, _, complete = by_cpsat(*written_out(network), 60.0)
        if complete:
            assert found == Solver(network).count(), number


def test_the_round_of_tictactoe_has_a_solution_for_every_blank_cell() -> None:
    assert Solver(tictactoe()).count() == Solver(tictactoe(), "fc").count() == 2 * 9 * 3**8 == 118_098
