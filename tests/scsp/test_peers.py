"""Counts of solutions equal those of other solvers."""

from __future__ import annotations

import json
import subprocess
import sys

from benchmarks.scsp import PEER
from benchmarks.scsp_networks import matching_pennies, tictactoe, written_out

from tests.scsp.networks import random_csp
from zermelo.encode.scsp.micro import micro_network
from zermelo.gdl.ground import ground
from zermelo.gdl.library import rulesheet
from zermelo.scsp.mac import Solver
from zermelo.scsp.network import Network


def counts(program: str, networks: list[Network]) -> list[int]:
    """How many solutions another program finds, in a process of its own."""
    command, lines = [sys.executable, str(PEER), program, "60"], "".join(map(written_out, networks))
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(networks) and all(one["complete"] for one in found)
    return [one["found"] for one in found]


def random_network(seed: int, *sizes: int) -> Network:
    """A network without tables that have no variables or no rows, which peers do not take."""
    network = random_csp(seed, *sizes)
    return Network(1, network.variables, tuple(table for table in network.tables if table.scope and table.tuples))


def test_python_constraint_counts_the_same() -> None:
    networks = [random_network(seed, 5, 3) for seed in range(60)]
    assert counts("python-constraint2", networks) == [Solver(network).count() for network in networks]


def test_cpsat_counts_the_same() -> None:
    rounds = [("nim", "3,4,5"), ("connectfour", "2,3,2"), ("matchingpennies", "")]
    networks = [micro_network(ground(rulesheet(*game))).network for game in rounds] + [matching_pennies(11)]
    networks += [random_network(seed, 9, 3, 80) for seed in range(40)]
    own = [Solver(network).count() for network in networks]
    assert counts("cpsat", networks) == own and max(own) > 2000


def test_the_round_of_tictactoe_has_a_solution_for_every_blank_cell() -> None:
    assert Solver(tictactoe()).count() == Solver(tictactoe(), "fc").count() == 2 * 9 * 3**8 == 118_098
