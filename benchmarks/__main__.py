"""``python -m benchmarks``: every comparison with its peers, in one run.

Names of parts (``exact``, ``mcts``, ``gdl``, ``qbf``, ``qip``, ``qlp``, ``cgt``, ``boards``, ``scsp``) may be given;
without them all run.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

PARTS = ["exact", "mcts", "gdl", "qbf", "qip", "qlp", "cgt", "boards", "scsp"]


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

        show("Formulas", qbf.table(min(arguments.limit, 60.0)))
    if "qip" in parts:
        from benchmarks import qip

        show("Programs", qip.table(min(arguments.limit, 60.0)))
    if "qlp" in parts:
        from benchmarks import qlp

        show("Linear programs", qlp.table(min(arguments.limit, 60.0)))
    if "cgt" in parts:
        from benchmarks import cgt, cgt_sums

        show("Boards and their values", cgt.table(min(arguments.limit, 60.0)))
        show("Sums of games", cgt_sums.table(min(arguments.limit, 5.0)))
    if "boards" in parts:
        from benchmarks import boards

        show("Who wins boards", boards.table(min(arguments.limit, 60.0)))
    if "scsp" in parts:
        from benchmarks import scsp

        show("Stochastic constraint networks", scsp.table(min(arguments.limit, 20.0)))


def show(title: str, lines: Iterable[str]) -> None:
    """Prints a table as it comes."""
    print(f"## {title}\n")
    for line in lines:
        print(line, flush=True)
    print()


if __name__ == "__main__":
    main()
