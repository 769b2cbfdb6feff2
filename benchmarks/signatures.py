"""Node counts of fixed searches, kept in ``signatures.json``: a fingerprint of every search kernel.

``python -m benchmarks.signatures`` compares them with the file, ``--write`` rewrites it. Each engine searches
each of a few small games alone, with a table of fixed size. Of ``uct``, which is told how many simulations to run,
it is the visits of every first move; they rest on logarithms and square roots of floating point, so they are
compared only where they were written, on x86-64 under Linux. All other counts are the same on every machine.

A change that means to alter what a kernel does (move ordering, pruning, replacement, evaluation) alters
signatures: rewrite them in the same commit, and say there why the counts moved. A pure speed-up must leave every
one of them as it is; if it does not, it changed the search.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from pathlib import Path

from zermelo import _native
from zermelo.games import make_game

FILE = Path(__file__).with_name("signatures.json")
ENGINES = ("alphabeta", "andor", "dp", "minimax", "mtdf", "pns", "uct")
TARGETS = (
    "breakthrough:4,3",
    "coins:1,1,2,2,2,1,3,3",
    "connect:3,4,3",
    "connect:4,4,4",
    "dotsandboxes:1,3",
    "geography:random:20,2,1",
    "hex:3",
    "mnk:3,3,3",
    "mnk:4,3,3",
    "nim:3,4,5",
    "othello:4,4",
    "subtraction:50;1,3,4",
    "treblecross:11",
    "wythoff:8,13",
)
TABLE_BYTES = 1 << 20
MOST_NODES = 200_000
"""Searches stop there: what the table could not hold by then is part of the signature too."""
SIMULATIONS = 2000
SEED = 1

Signature = int | list[int]
Signatures = dict[str, dict[str, Signature]]


def comparable(engine: str) -> bool:
    """Whether the engine's counts are the same here as where the file was written."""
    return engine != "uct" or (platform.machine() in ("x86_64", "AMD64") and sys.platform == "linux")


def signature(target: str, engine: str) -> Signature:
    """The number of nodes that an engine visits on a game; of uct, the visits of each first move."""
    game = make_game(target).native()
    if game is None:
        raise ValueError(f"{target} has no native rules")
    params = _native.SearchParams()
    params.table_bytes, params.simulations, params.seed = TABLE_BYTES, SIMULATIONS, SEED
    control = _native.Control(0.0, MOST_NODES, 0)
    search = game.search(engine, params)
    search.solve(control)
    return search.counts() if engine == "uct" else control.nodes


def signatures() -> Signatures:
    """All of them, by game and engine."""
    return {target: {engine: signature(target, engine) for engine in ENGINES} for target in TARGETS}


def stored() -> Signatures:
    """What the file says."""
    found: Signatures = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def differences(found: Signatures, expected: Signatures) -> list[str]:
    """What differs, one line each.

    >>> differences({"nim:1": {"dp": 3}}, {"nim:1": {"dp": 2}})
    ['nim:1 dp: 3 nodes, the signature is 2']
    """
    lines = []
    for target in sorted(found.keys() | expected.keys()):
        here, there = found.get(target, {}), expected.get(target, {})
        lines += [
            f"{target} {engine}: {here.get(engine)} nodes, the signature is {there.get(engine)}"
            for engine in sorted(here.keys() | there.keys())
            if comparable(engine) and here.get(engine) != there.get(engine)
        ]
    return lines


def main() -> int:
    """Compares or rewrites."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.signatures", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("--write", action="store_true", help="rewrite signatures.json")
    given = parser.parse_args()
    found = signatures()
    if given.write:
        lines = [f"  {json.dumps(target)}: {json.dumps(of)}" for target, of in found.items()]
        FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        return 0
    lines = differences(found, stored())
    print("\n".join(lines) or f"all {sum(map(len, found.values()))} signatures hold")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
