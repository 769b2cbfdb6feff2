"""``zermelo encode``: a game in another form, for other programs."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli.options import MemoryLimit, NodeLimit, TargetArgument, TimeLimit, limits_of, load_game
from zermelo.files import need_writable, write_text


class Form(StrEnum):
    """What to turn the game into."""

    GRAPH = "graph"


def encode(
    target: TargetArgument,
    to: Annotated[Form, typer.Option("--to", help="What to turn the game into.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Writes it there instead of to standard output."),
    ] = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = 2048,
    node_limit: NodeLimit = None,
) -> int:
    """Writes a game in another form: `graph` is every reachable position and move, as one JSON object.

    "nodes" is a list of {"key", "turn", "result"}: the position as text, the role to move ("chance" where chance
    does, null where the game is over), and the score of each role as exact numbers (null where it is not over).
    "edges" is a list of {"from", "to", "move"}, numbers of nodes and the move as people write it, with
    "probability" where chance moves; edges of a node are in the order of its moves. Play begins at node 0. "roles"
    and "endless" (the scores of play that never ends) complete the game. Exit status 3 if a limit came first.
    """
    del to  # one form so far
    from zermelo.encode.graph import graph_of
    from zermelo.encode.graphjson import graph_json

    limits = limits_of(time_limit, memory_limit, node_limit)
    if output is not None:
        need_writable(output, "graph")
    with redirect_stdout(sys.stderr):
        game = load_game(target, limits)
        text = json.dumps(graph_json(game, graph_of(game, limits), target), separators=(",", ":"))
    if output is None:
        print(text)
    else:
        write_text(output, text + "\n")
    return 0
