"""Stochastic constraint networks: feasible profiles a second, and joint moves that have to fit together.

The round of tic-tac-toe as our encoder states it, and the same written by hand, against OR-tools' CP-SAT,
python-constraint and its compiled successor python-constraint2. Matching pennies for many, against looking at every
joint move. Processor time of one thread, best of several runs. ``python -m benchmarks scsp``.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import TypeVar

import numpy as np

from benchmarks.scsp_networks import matching_pennies, pennies_rulesheet, tictactoe, written_out
from zermelo import _native
from zermelo.encode.scsp.micro import micro_network
from zermelo.gdl.ground import ground
from zermelo.gdl.library import rulesheet
from zermelo.scsp import resolve
from zermelo.scsp.mac import Method, Solver
from zermelo.scsp.network import HALF, Network
from zermelo.search.forward import RulesheetModel, rulesheet_model

PEER = Path(__file__).with_name("scsp_peer.py")
PEERS = {"cpsat": "CP-SAT", "python-constraint": "python-constraint", "python-constraint2": "python-constraint2"}
PLAYERS = 16
RUNS = 5
T = TypeVar("T")


def best(run: Callable[[], T], runs: int = RUNS) -> tuple[T, float]:
    """What it gives, and the fewest seconds of processor time that it took."""
    fewest = float("inf")
    for _ in range(runs):
        began = time.process_time()
        found = run()
        fewest = min(fewest, time.process_time() - began)
    return found, fewest


def profiles(network: Network, method: Method, runs: int) -> tuple[int, float]:
    """How many solutions the hard constraints have, and the seconds to write all of them into an array.

    As with the peers, the model is made before.
    """
    solver = Solver(network, method)

    def run() -> int:
        solver.native.start(None)
        return len(solver.native.fill(1 << 24, _native.Control())) // len(network.variables)

    return best(run, runs)


def by_peer(network: Network, program: str, seconds: float) -> tuple[float, bool, int] | str:
    """Solutions a second that a peer finds, whether it found all and how many; or why it did not."""
    command = [sys.executable, str(PEER), program, str(seconds)]
    done = subprocess.run(command, input=written_out(network), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return (done.stderr.strip().splitlines() or ["died"])[-1][:60]
    found = json.loads(done.stdout)
    return found["found"] / found["seconds"], found["complete"], found["found"]


def profile_table(seconds: float) -> Iterator[str]:
    """Feasible profiles a second, the lines of a Markdown table."""
    peers = " ".join(f"{name} /s | faster |" for name in PEERS.values())
    yield f"| round of tic-tac-toe | solutions | MAC /s | FC /s | {peers}"
    yield "|---|--:|--:|--:" + "|--:|--:" * len(PEERS) + "|"
    encoded = micro_network(ground(rulesheet("tictactoe"))).network
    for name, network in (("encoded from the rulesheet", encoded), ("written by hand", tictactoe())):
        count, mac = profiles(network, "mac", 3 * RUNS)
        also, fc = profiles(network, "fc", RUNS)
        if count != also:
            raise SystemExit(f"{name}: MAC finds {count} solutions, FC {also}")
        cells = [name, f"{count:,}", f"{count / mac:,.0f}", f"{count / fc:,.0f}"]
        for program in PEERS:
            other = by_peer(network, program, seconds)
            if isinstance(other, str):
                cells += [other, ""]
                continue
            rate, complete, found = other
            if complete and found != count:
                raise SystemExit(f"{name}: we find {count} solutions, {program} {found}")
            cells += [f"{rate:,.0f}", f"{count / mac / rate:,.0f}x"]
        yield "| " + " | ".join(cells) + " |"


def by_resolution(network: Network) -> int:
    """Joint moves that reach the threshold, by the whole resolution, policies written out."""
    return sum(1 for _ in resolve.solutions(network))


def by_mac(solver: Solver) -> int:
    """The same on tables that were compiled before, as a player meets them at every move."""
    solver.native.start([*range(PLAYERS)])
    return len(solver.native.fill(1 << 20, _native.Control())) // PLAYERS


def by_enumeration(network: Network) -> int:
    """All joint moves as solutions of the hard constraints alone, natively; then those that win half of the time."""
    solver = Solver(network)
    solver.native.start([*range(PLAYERS), len(network.variables) - 2])
    rows = solver.native.fill(1 << 24, _native.Control()).reshape(-1, PLAYERS + 1)
    return int(np.count_nonzero(rows[:, -1] == 1))


def by_forward_model(model: RulesheetModel) -> int:
    """All joint moves one after the other in the ground game, with both outcomes of chance."""
    start = model.start()
    moves = [model.legal(start, role) for role in range(len(model.roles))]
    chance = model.roles.index("random")
    reached = 0
    for joint in product(*moves[:chance], *moves[chance + 1 :]):
        total = Fraction(0)
        for drawn in moves[chance]:
            total += model.score(model.play(start, [*joint[:chance], drawn, *joint[chance:]]), 0)
        reached += total / len(moves[chance]) >= HALF
    return reached


def pennies_table() -> Iterator[str]:
    """Coupled joint moves, the lines of a Markdown table."""
    network = matching_pennies(PLAYERS)
    model = rulesheet_model(pennies_rulesheet(PLAYERS))
    thresholds = Network(1, network.variables, network.tables + resolve.threshold_tables(network), (), network.chances)
    solver = Solver(thresholds)
    rows: list[tuple[str, Callable[[], int], int]] = [
        ("MAC with the threshold, tables compiled", lambda: by_mac(solver), 200),
        ("MAC with the threshold, from the network to policies", lambda: by_resolution(network), RUNS),
        ("every joint move, as a solution of the network", lambda: by_enumeration(network), RUNS),
        ("every joint move, in the ground game", lambda: by_forward_model(model), 1),
    ]
    yield f"| matching pennies, {PLAYERS} players | joint moves found | seconds | MAC is faster |"
    yield "|---|--:|--:|--:|"
    first = 0.0
    for name, run, runs in rows:
        count, seconds = best(run, runs)
        if count != 2:
            raise SystemExit(f"{name}: {count} joint moves reach the threshold, expected 2")
        first = first or seconds
        yield f"| {name} | {count} | {seconds:.3g} | {seconds / first:,.0f}x |"


def table(seconds: float) -> Iterator[str]:
    """All lines."""
    yield from profile_table(seconds)
    yield ""
    yield from pennies_table()
