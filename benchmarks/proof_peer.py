"""``python -m benchmarks.proof_peer``: the search of Connect Four beside a public solver, in one run.

BitBully (``pip install bitbully``) is a strong solver of Connect Four that PyPI has: C++, one thread, an opening book
that is not loaded here. It is asked whether the first player wins, as our engine is, and then for the exact score, the
number of moves included, which our engine does not work out. Processor time of processes that take turns on the same
machine; neither program writes a proof here.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.proof import SEARCH, run

PEER = """
import sys, time
from bitbully import bitbully_core as core
solver, board = core.BitBullyCore(), core.BoardCore()
assert not solver.isBookLoaded()
began = time.process_time()
if sys.argv[1] == "who wins":
    score = solver.negamax(board, 0, 1, 0)
    assert score > 0, score
else:
    score = solver.mtdf(board, 0)
    assert score == 1, score  # the first player wins with his last stone but one
print(time.process_time() - began, solver.getNodeCounter())
"""


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memory", type=int, default=4096, help="megabytes of our table")
    parser.add_argument("--turns", type=int, default=1, help="how often each is measured")
    parser.add_argument("--exact", action="store_true", help="ask BitBully for the exact score as well")
    given = parser.parse_args()
    questions = ["who wins", *(["exact score"] if given.exact else [])]
    print("| program | question | nodes | processor time | memory |")
    print("|---|---|--:|--:|--:|")
    for _ in range(given.turns):
        ours = [sys.executable, "-c", SEARCH, "connect:6,7,4", "", str(given.memory), "1", "brief"]
        said, _, peak = run(ours)
        seconds, _, nodes = said.split()
        print(
            f"| zermelo, `alphabeta` | who wins | {int(nodes):,} | {float(seconds):.1f} s | {peak:,} MB |", flush=True
        )
        for question in questions:
            said, _, peak = run([sys.executable, "-c", PEER, question])
            theirs, visited = said.split()
            print(f"| BitBully | {question} | {int(visited):,} | {float(theirs):.1f} s | {peak:,} MB |", flush=True)


if __name__ == "__main__":
    main()
