"""How the ratio of easyAI's time to Zermelo's depends on the rule of timing: ``python -m benchmarks.rules``.

Solves that take a fraction of a millisecond and solves that take a tenth of a second suffer differently from a busy
machine, from cold caches and from the choice of the best or the middle of many runs. So this counts processor time,
set-up of the game included, and applies every rule to the same runs. The programs take turns, each in a fresh process.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection

from benchmarks.exact import CASES, PROGRAMS, WINDOW, Case

PEER = "easyAI Negamax + table"
LEAST = 10

Rule = Callable[[Sequence[float]], float]
RULES: dict[str, Rule] = {
    "second solve of a process": lambda runs: runs[0],
    "best of ten": lambda runs: min(runs[:LEAST]),
    "median of ten": lambda runs: statistics.median(runs[:LEAST]),
    "best in two seconds": min,
    "median in two seconds": statistics.median,
}


def _child(program: str, case: Case, pipe: Connection) -> None:
    PROGRAMS[program](case)  # imports are not counted
    runs: list[float] = []
    while len(runs) < LEAST or sum(runs) < WINDOW:
        began = time.process_time()
        PROGRAMS[program](case)
        runs.append(time.process_time() - began)
    pipe.send(runs)


def runs_of(program: str, case: Case) -> list[float]:
    """Processor seconds of one solve after another in a fresh process, for two seconds and at least ten times."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(program, case, sender))
    process.start()
    sender.close()
    runs: list[float] = receiver.recv()
    process.join()
    return runs


def table(case: Case, repetitions: int) -> str:
    """The ratios under every rule as a Markdown table."""
    pairs = [(runs_of("zermelo", case), runs_of(PEER, case)) for _ in range(repetitions)]
    rows = ["| rule | zermelo | easyAI | least ratio | median | greatest |", "|---|--:|--:|--:|--:|--:|"]
    for name, rule in RULES.items():
        ours, theirs = [rule(runs) for runs, _ in pairs], [rule(runs) for _, runs in pairs]
        ratios = [their / our for our, their in zip(ours, theirs, strict=True)]
        times = [f"{statistics.median(times) * 1000:.3g} ms" for times in (ours, theirs)]
        numbers = [f"{of(ratios):,.0f}x" for of in (min, statistics.median, max)]
        rows.append(f"| {name} | {' | '.join(times + numbers)} |")
    return "\n".join(rows)


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("target", nargs="?", default="connect:4,4,4", choices=[case.target for case in CASES])
    parser.add_argument("--repetitions", type=int, default=9)
    given = parser.parse_args()
    case = next(case for case in CASES if case.target == given.target)
    print(table(case, given.repetitions))
    return 0


if __name__ == "__main__":
    sys.exit(main())
