"""The canonical form of boards: Zermelo and cgt-py, in one run.

CPU seconds from the board to its form and the peak memory of the whole process, which each run has to itself; the best
of five runs, or of as many as fit into two seconds. cgt-py (PyPI, Rust inside) may live in another interpreter, named
by the variable ``ZERMELO_CGT_PYTHON``. ``python -m benchmarks cgt``.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from zermelo.cgt.boards.board_value import value_of_board
from zermelo.cgt.boards.ruleset import positions_of
from zermelo.cgt.values.arena import start_arena
from zermelo.limits import Limits

PEER = Path(__file__).with_name("cgt_peer.py")
PEER_NAMES = {"domineering": "Domineering", "amazons": "Amazons", "konane": "Konane"}
RUNS, WINDOW = 5, 2.0
BOARDS = (
    *(f"domineering:{size}" for size in ("4x4", "4x5", "5x5", "5x6", "5x7", "6x6")),
    "cram:5x6",
    "clobber:4x4",
    "clobber:4x5",
    "amazons:x...|....|...o",
    "amazons:x...|....|....|...o",
    "konane:xoxox|ox.xo|xoxox|oxoxo",
    "nogo:3x4",
    "col:4x5",
    "snort:4x4",
)


@dataclass(frozen=True)
class Measurement:
    """What one program took and found, or why there is nothing."""

    seconds: float = 0.0
    memory: int = 0
    facts: tuple[float, ...] = ()
    failure: str = ""


def ours(target: str) -> Measurement:
    """The board by Zermelo, in this process."""
    ruleset, positions = positions_of(target)
    start_arena(4 << 30)
    began = time.process_time()
    value = value_of_board(ruleset, positions, Limits(memory=4 << 30))
    seconds = time.process_time() - began
    facts = tuple(float(fact) for fact in (value.left_stop, value.right_stop, value.temperature))
    return Measurement(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, facts)


def in_a_process(command: list[str], limit: float) -> Measurement:
    """What a program prints about a board, if it does so in time."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return Measurement(failure=f"over {limit:.0f} s")
    if done.returncode != 0:
        return Measurement(failure=(done.stderr.strip().splitlines() or ["died"])[-1][:60])
    found = json.loads(done.stdout)
    return Measurement(found["seconds"], found["memory"], tuple(found["facts"]))


def best(command: list[str], limit: float) -> Measurement:
    """The fastest of some runs."""
    found = [in_a_process(command, limit)]
    while len(found) < RUNS and found[-1].facts and sum(one.seconds for one in found) < WINDOW:
        found.append(in_a_process(command, limit))
    return min(found, key=lambda one: one.seconds)


def table(limit: float = 60) -> Iterator[str]:
    """The lines of a Markdown table; raises if the programs disagree on stops or temperature."""
    peer = os.environ.get("ZERMELO_CGT_PYTHON", sys.executable)
    yield "| board | zermelo | cgt-py | faster | memory of zermelo | of cgt-py |"
    yield "|---|--:|--:|--:|--:|--:|"
    for target in BOARDS:
        own = best([sys.executable, "-m", "benchmarks.cgt", target], 10 * limit)
        name, _, _ = target.partition(":")
        other = Measurement(failure="")
        if name in PEER_NAMES:
            _, positions = positions_of(target)
            other = best([peer, str(PEER), PEER_NAMES[name], positions[0]], limit)
        if own.facts and other.facts and own.facts != other.facts:
            raise SystemExit(f"{target}: the programs disagree: {own} and {other}")
        cells = [f"`{target}`", _seconds(own), _seconds(other), _ratio(own, other, limit), _memory(own), _memory(other)]
        yield "| " + " | ".join(cells) + " |"


def _seconds(measurement: Measurement) -> str:
    return f"{measurement.seconds:.3g} s" if measurement.facts else measurement.failure


def _memory(measurement: Measurement) -> str:
    return f"{measurement.memory >> 20} MB" if measurement.facts else ""


def _ratio(own: Measurement, other: Measurement, limit: float) -> str:
    if not own.facts or (not other.facts and not other.failure.startswith("over")):
        return ""
    return f"{other.seconds / own.seconds:,.0f}x" if other.facts else f"over {limit / own.seconds:,.0f}x"


if __name__ == "__main__":
    found = ours(sys.argv[1])
    print(json.dumps({"seconds": found.seconds, "memory": found.memory, "facts": found.facts}))
