"""``python -m benchmarks``: every comparison with its peers, in one run.

Names of parts (``exact``, ``mcts``, ``gdl``, ``qbf``, ``qip``, ``qlp``, ``cgt``) may be given; without them all run.
"""

from __future__ import annotations

import argparse

PARTS = ["exact", "mcts", "gdl", "qbf", "qip", "qlp", "cgt"]


def main() -> None:
    """Runs the parts that were asked for and prints their tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--limit", type=float, default=120, help="seconds a peer may take on one game")
    parser.add_argument("--seconds", type=float, default=2, help="seconds of one simulation count")
    arguments = parser.parse_args()
    parts = arguments.parts or PARTS
    if "exact" in parts:
        from benchmarks import exact

        print("## Time to the exact value\n\n" + exact.table(arguments.limit) + "\n")
    if "mcts" in parts:
        from benchmarks import mcts

        print("## Simulations a second\n\n" + mcts.table(arguments.seconds) + "\n")
    if "gdl" in parts:
        from benchmarks import gdl

        print("## Rulesheets\n\n" + gdl.table(arguments.seconds) + "\n")
    if "qbf" in parts:
        from benchmarks import qbf

        print("## Formulas\n")
        for line in qbf.table(min(arguments.limit, 60.0)):
            print(line, flush=True)
    if "qip" in parts:
        from benchmarks import qip

        print("## Programs\n")
        for line in qip.table(min(arguments.limit, 60.0)):
            print(line, flush=True)
    if "qlp" in parts:
        from benchmarks import qlp

        print("## Linear programs\n")
        for line in qlp.table(min(arguments.limit, 60.0)):
            print(line, flush=True)
    if "cgt" in parts:
        from benchmarks import cgt, cgt_sums

        print("## Boards and their values\n")
        for line in cgt.table(min(arguments.limit, 60.0)):
            print(line, flush=True)
        print("\n## Sums of games\n")
        for line in cgt_sums.table(min(arguments.limit, 5.0)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
