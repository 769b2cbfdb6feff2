"""``zermelo solve``: who wins, how, and is it so?"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli.log import SolverLog
from zermelo.cli.options import AsJson, MemoryLimit, NodeLimit, TargetArgument, TimeLimit, limits_of
from zermelo.errors import InputError


def solve(
    target: TargetArgument,
    engine: Annotated[str, typer.Option(metavar="NAME", help="auto, all, or the name of an engine.")] = "auto",
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = 2048,
    node_limit: NodeLimit = None,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Writes the certificate there.", show_default=False)
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(metavar="PLIES", help="A horizon for minimax and alphabeta: an estimate, no proof."),
    ] = None,
    simulations: Annotated[int | None, typer.Option(metavar="N", help="Simulations for uct.")] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed for uct.")] = 1,
    check: Annotated[bool, typer.Option("--check/--no-check", help="Have the answer checked.")] = True,
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress on standard error.")] = False,
) -> int:
    """Solves a game: who wins, in how many moves, by which first move, and why the others are worse.

    The answer is checked by an independent checker. Progress goes to standard error. Ctrl-C returns the best
    bounds so far.
    """
    from zermelo.cli.report import report
    from zermelo.search import Options
    from zermelo.search import solve as solve_target

    if certificate is not None and not certificate.parent.is_dir():
        raise InputError("no such folder for the certificate", file=str(certificate))
    if certificate is not None and certificate.is_dir():
        raise InputError("a folder, expected a file for the certificate", file=str(certificate))
    limits = limits_of(time_limit, memory_limit, node_limit)
    # Who asks for the certificate gets it, however long it takes; others get it if it takes about a minute.
    patience = Options.proof_seconds if certificate is None else None
    options = Options(depth=depth, simulations=simulations, seed=seed, verify=check, proof_seconds=patience)
    log = SolverLog(target, sys.stderr, quiet=quiet)
    solution = solve_target(target, engine, limits, options, log.show)
    log.close(solution)
    if certificate is not None and solution.certificate is not None:
        solution.certificate.write(certificate)
    print(json.dumps(solution.to_json()) if as_json else report(solution))
    return 0 if solution.status == "solved" else 3
