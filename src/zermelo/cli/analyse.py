"""``zermelo analyse``: what is every move of a position worth?"""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from typing import Annotated

import typer

from zermelo.cli.log import SolverLog
from zermelo.cli.shared_options import (
    After,
    AsJson,
    MemoryLimit,
    NodeLimit,
    TargetArgument,
    as_shown,
    limits_of,
    load_game,
    within,
)
from zermelo.signals import SIGNALS


def analyse(
    target: TargetArgument,
    after: After = "",
    engine: Annotated[str, typer.Option(metavar="NAME", help="auto, or the name of an engine.")] = "auto",
    time_limit: Annotated[float, typer.Option("--time-limit", metavar="S", help="Seconds it may take.")] = 10.0,
    memory_limit: MemoryLimit = 2048,
    node_limit: NodeLimit = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed for what is estimated.")] = 1,
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress on standard error.")] = False,
) -> int:
    """Analyses a position: the value of every legal move.

    The best move for the role to move comes first. Values are marked as proved or as estimated, and an estimate says
    what it rests on. More time proves more.

    Exit status 0: the value of every move is proved; 3: that of some is not.
    """
    limits = limits_of(time_limit, memory_limit, node_limit)
    log = SolverLog(target, sys.stderr, quiet=quiet)
    from zermelo.solving.analysing import analyse_game
    from zermelo.taking_up import taken_up

    # What a game's own code prints must not mix with the answer.
    try:
        with redirect_stdout(sys.stderr), within(limits):
            game = taken_up(load_game(target, limits), after)
            found = analyse_game(game, engine, limits, target, log.show, seed)
    finally:
        log.wipe()
    with SIGNALS.shielded():
        print(json.dumps(found.to_json()) if as_json else as_shown(str(found)), flush=True)
    return 0 if all(move.proved for move in found.moves) else 3
