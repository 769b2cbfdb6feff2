"""Runs the parts in turns until the time is up; see the package for what they do."""

from __future__ import annotations

import argparse
import faulthandler
import multiprocessing
import random
import sys
import time
from multiprocessing.sharedctypes import SynchronizedArray
from pathlib import Path
from types import ModuleType
from typing import cast

from tests import fuzz
from tests.fuzz import (
    certificates,
    cli,
    engines,
    forged,
    forged_held,
    forged_tables,
    formulas,
    kinds,
    layers,
    library,
    outcomes,
    parsers,
    programs,
    readers,
    roles,
    rulesheets,
    solvers,
    two_checkers,
    two_checkers_of_files,
    two_checkers_of_rules,
    two_checkers_of_values,
)
from tests.fuzz.kept import FOLDER, kept
from tests.fuzz.part import Part, fails, run_case

PARTS: dict[str, ModuleType] = {
    "engines": engines,
    "library": library,
    "roles": roles,
    "certificates": certificates,
    "parsers": parsers,
    "rulesheets": rulesheets,
    "formulas": formulas,
    "solvers": solvers,
    "programs": programs,
    "kinds": kinds,
    "outcomes": outcomes,
    "forged": forged,
    "forged-tables": forged_tables,
    "forged-held": forged_held,
    "layers": layers,
    "readers": readers,
    "two-checkers": two_checkers,
    "two-checkers-files": two_checkers_of_files,
    "two-checkers-rules": two_checkers_of_rules,
    "two-checkers-values": two_checkers_of_values,
    "cli": cli,
}
TURN = 2.0
"""Seconds of one part before the next has its turn."""
PATIENCE = 120
"""A case that takes more seconds than this hangs."""


def part_named(name: str) -> Part:
    """The part of that name: a module is one."""
    return cast(Part, PARTS[name])


def fuzz_parts(names: list[str], seed: int, seconds: float, now: SynchronizedArray[int]) -> int:
    """Runs the parts in turns; returns how many of them failed. ``now`` says which case is running.

    Case number i of every part has the seed ``seed + i``, so a failing case is the first one of its seed.
    """
    faulthandler.enable()
    began = time.monotonic()
    counts = dict.fromkeys(names, 0)
    failed: list[str] = []
    while time.monotonic() - began < seconds and len(failed) < len(names):
        for name in names:
            turn_ends = time.monotonic() + min(TURN, seconds / len(names))
            while name not in failed and time.monotonic() < turn_ends:
                now[0], now[1] = names.index(name), seed + counts[name]
                failure = run_case(name, part_named(name), seed + counts[name], folder=FOLDER)
                counts[name] += 1
                if failure is not None:
                    print(failure, flush=True)
                    failed.append(name)
    for name in names:
        summary = getattr(PARTS[name], "summary", None)
        more = "" if summary is None else f": {summary()}"
        print(f"{name}: {counts[name]:,} cases from seed {seed}, {'FAILED' if name in failed else 'no failure'}{more}")
    sys.stdout.flush()
    return len(failed)


def replay(files: list[str]) -> int:
    """Checks cases that were kept once more; returns how many of them still fail."""
    failed = 0
    for file in files:
        name, case = kept(Path(file))
        error = fails(part_named(name), case)
        failed += error is not None
        print(f"{file}: {name} {'keeps the law' if error is None else f'fails: {error}'}")
        print(part_named(name).show(case))
    return failed


def main() -> int:
    """Runs the fuzzer in a process of its own, so that a crash or a hang is reported with its seed as well."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=fuzz.__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument(
        "parts", nargs="*", metavar="part", help=f"{', '.join(PARTS)}; all of them if none is named; or replay FILE ..."
    )
    parser.add_argument("--seconds", type=float, default=300, help="how long to go on (300)")
    parser.add_argument("--seed", type=int, help="the seed of the first case (random)")
    given = parser.parse_args()
    if given.parts[:1] == ["replay"]:
        return replay(given.parts[1:])
    names = list(dict.fromkeys(given.parts)) or list(PARTS)
    if unknown := [name for name in names if name not in PARTS]:
        parser.error(f"unknown part {unknown[0]!r}, expected {', '.join(PARTS)}")
    seed = random.SystemRandom().getrandbits(32) if given.seed is None else given.seed
    fork = multiprocessing.get_context("fork")
    now: SynchronizedArray[int] = fork.Array("q", 2)
    child = fork.Process(target=lambda: sys.exit(fuzz_parts(names, seed, given.seconds, now)))
    child.start()
    last, since = (-1, -1), time.monotonic()
    while child.is_alive():
        child.join(1)
        here = (now[0], now[1])
        if here != last:
            last, since = here, time.monotonic()
        elif time.monotonic() - since > PATIENCE:
            child.kill()
            child.join()
            print(f"{names[here[0]]} hangs: python -m tests.fuzz --seed {here[1]} {names[here[0]]}")
            return 1
    if child.exitcode is not None and child.exitcode < 0:
        print(f"{names[now[0]]} crashes (signal {-child.exitcode}): "
              f"python -m tests.fuzz --seed {now[1]} {names[now[0]]}")  # fmt: skip
    return 0 if child.exitcode == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
