"""``zermelo encode``: a game, a formula or a program in another form, for other tools."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli.shared_options import (
    After,
    MemoryLimit,
    NodeLimit,
    TargetArgument,
    TimeLimit,
    limits_of,
    load_game,
    within,
)
from zermelo.files import need_writable, write_text
from zermelo.kind import Writing


class Form(StrEnum):
    """What to turn the game into."""

    GRAPH = "graph"
    QCIR = "qcir"
    QDIMACS = "qdimacs"
    QLP = "qlp"
    LP = "lp"
    MPS = "mps"
    SUM = "sum"
    NETWORK = "network"
    XCSP = "xcsp"
    EFG = "efg"
    NFG = "nfg"


def encode(
    target: TargetArgument,
    to: Annotated[Form, typer.Option("--to", help="What to turn the game, formula or program into.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write to this file instead of standard output."),
    ] = None,
    horizon: Annotated[
        int | None,
        typer.Option(
            metavar="PLIES",
            help="How many plies a formula or program covers (by default the longest line), or how many rounds a "
            "network has (by default one, from any state).",
        ),
    ] = None,
    goal: Annotated[
        str | None, typer.Option(metavar="SCORE", help="The score that the first role must reach; by default the best.")
    ] = None,
    encoding: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="How moves become variables: unary, premise, index, rank, symmetry, thesis or layers; for a program "
            "also stones or network.",
        ),
    ] = None,
    after: After = "",
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = 2048,
    node_limit: NodeLimit = None,
) -> int:
    """Writes a game, a formula or a program in another form.

    The forms are `graph`, `qcir`, `qdimacs`, `qlp`, `lp`, `mps`, `sum`, `network`, `xcsp`, `efg` and `nfg`.

    `graph` is every reachable position and move of a game, as one JSON object. "nodes" is a list of {"key", "turn",
    "result"}: the position as text, the role to move ("chance" where chance does, null where the game is over), and
    the score of each role as exact numbers (null where it is not over). "edges" is a list of {"from", "to", "move"},
    numbers of nodes and the move as people write it, with "probability" where chance moves; edges of a node are in
    the order of its moves. Play begins at node 0. "roles" and "endless" (the scores of play that never ends)
    complete the game.

    `qcir` and `qdimacs` are quantified Boolean formulas, true exactly if the first role can get at least --goal within
    --horizon plies. The first lines, comments, say how its variables are read. A target that is a formula is written
    in the other format. Exit status 3 if a limit came first.

    `qlp` is a quantified program. The program of a formula is feasible exactly if the formula is true. The program of a
    game covers up to --horizon plies: it is feasible if the first role wins, or its value is the first role's score.
    Comments in its first lines say which.
    `lp` and `mps` are a program's deterministic equivalent, an ordinary mixed integer program with the same value, in
    which every line of play of the universal player is written out.

    `sum` turns a formula into a sum of games of depth 2. Left, moving first, wins the sum exactly if the formula is
    true. With --encoding thesis, its clauses are first brought to three literals. The target partition:3,1,1,2 asks
    instead whether these numbers can be split into two halves of equal sum. Comments in the text say how to read it.

    `network` writes a rulesheet as a stochastic constraint network in JSON: one round from any state, or --horizon
    rounds from the start. `xcsp` writes the hard constraints as XCSP3, for other solvers to count or enumerate; its
    target may also be a network.

    `efg` is the tree of every line of play and `nfg` the table of a game of one move of everybody at once, as Gambit
    reads them.
    """
    limits = limits_of(time_limit, memory_limit, node_limit)
    if output is not None:
        need_writable(output, to.value)
    writing = Writing(target, to.value, limits, horizon, goal, encoding)
    with redirect_stdout(sys.stderr), within(limits):
        from zermelo.solving.writing import is_partition, partition_text, written
        from zermelo.taking_up import taken_up

        if is_partition(writing):
            text = partition_text(writing)
        else:
            text = written(taken_up(load_game(target, limits), after), writing, _say)
    if output is None:
        print(text, end="")
    else:
        write_text(output, text)
    return 0


def _say(line: str) -> None:
    print(f"zermelo: {line}", file=sys.stderr)
