"""``zermelo serve``: the web page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from zermelo.errors import InputError


def serve(
    port: Annotated[int, typer.Option(help="Where to listen; 0 takes any free port.", min=0, max=65535)] = 8913,
    host: Annotated[str, typer.Option(help="The address to listen on; others than this machine need a token.")] = (
        "127.0.0.1"
    ),
    time_limit: Annotated[
        float, typer.Option("--time-limit", metavar="S", help="Seconds that a computation may take.", min=1)
    ] = 600.0,
    memory_limit: Annotated[
        int, typer.Option("--memory-limit", metavar="MB", help="Memory that each process may hold.", min=128)
    ] = 1024,
    processes: Annotated[
        int | None, typer.Option(metavar="N", help="Computations at once. [one for each processor]", min=1, max=256)
    ] = None,
    arena: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The plan or store of a tournament, whose standings are shown."),
    ] = None,
) -> int:
    """Serves the web page: play, solve and look at any game.

    Every computation runs in its own process, with limits on memory and time. The server never reads a file for a page.
    If it listens on an address other than this machine's own, a token is needed, which is part of the printed address.
    Ctrl-C stops the server.
    """
    from zermelo.signals import SIGNALS
    from zermelo.web.listening import run
    from zermelo.web.server import Settings

    if arena is not None and not arena.is_file():
        raise InputError("no such file", file=str(arena))
    SIGNALS.uninstall()  # Ctrl-C is the server's to hear
    settings = Settings(seconds=time_limit, memory=memory_limit, arena=arena)
    if processes is not None:
        settings = replace(settings, running=processes)
    return run(host, port, settings, lambda line: print(line, flush=True))
