"""Solutions a second by OR-tools' CP-SAT, python-constraint or its successor, for :mod:`benchmarks.scsp`.

Run by an interpreter that has them, which need not have Zermelo: ``python benchmarks/scsp_peer.py cpsat 10``, with
networks on standard input, one a line, prints how many solutions were found, in how many seconds of processor time, and
whether these are all. CP-SAT needs a process without HiGHS, of which it brings another version. python-constraint has
the name to import that its compiled successor python-constraint2 has, and so lies in a directory of its own.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

ORIGINAL = Path(sys.prefix) / "peers" / "python-constraint"
Tables = list[tuple[list[int], list[list[int]]]]


def by_cpsat(domains: list[int], tables: Tables, seconds: float) -> tuple[int, float, bool]:
    """CP-SAT enumerates all solutions, with one worker as it has to."""
    from ortools.sat.python import cp_model

    class Count(cp_model.CpSolverSolutionCallback):  # type: ignore[misc, unused-ignore]
        """Counts."""

        def __init__(self) -> None:
            super().__init__()
            self.found = 0

        def on_solution_callback(self) -> None:
            """One more."""
            self.found += 1

    model = cp_model.CpModel()
    variables = [model.new_int_var(0, size - 1, f"v{number}") for number, size in enumerate(domains)]
    for scope, rows in tables:
        model.add_allowed_assignments([variables[v] for v in scope], [tuple(row) for row in rows])
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds
    count = Count()
    began = time.process_time()
    status = solver.solve(model, count)
    return count.found, time.process_time() - began, status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)


def by_original(domains: list[int], tables: Tables, seconds: float) -> tuple[int, float, bool]:
    """python-constraint itself."""
    if not ORIGINAL.is_dir():
        raise SystemExit("not installed: make bench does it")
    sys.path.insert(0, str(ORIGINAL))
    return by_python_constraint(domains, tables, seconds)


def by_python_constraint(domains: list[int], tables: Tables, seconds: float) -> tuple[int, float, bool]:
    """The one that is found first, with the solver that it takes by itself."""
    import constraint

    problem = constraint.Problem()
    for number, size in enumerate(domains):
        problem.addVariable(number, list(range(size)))
    for scope, rows in tables:
        allowed = {tuple(row) for row in rows}
        problem.addConstraint(_allowed(allowed), scope)
    found = 0
    began = time.process_time()
    for _ in problem.getSolutionIter():
        found += 1
        if time.process_time() - began > seconds:
            return found, time.process_time() - began, False
    return found, time.process_time() - began, True


def _allowed(rows: set[tuple[int, ...]]) -> Callable[..., bool]:
    return lambda *values: values in rows


def main() -> None:
    """Reads networks, one a line, with all tuples written out, and prints what one program makes of each."""
    run = {"cpsat": by_cpsat, "python-constraint": by_original, "python-constraint2": by_python_constraint}[sys.argv[1]]
    for line in sys.stdin:
        data = json.loads(line)
        found, seconds, complete = run(data["domains"], data["tables"], float(sys.argv[2]))
        print(json.dumps({"found": found, "seconds": seconds, "complete": complete}), flush=True)


if __name__ == "__main__":
    main()
