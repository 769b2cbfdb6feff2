"""``zermelo ggp``: a player of the general game playing protocol."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Annotated

import typer


def ggp(
    port: Annotated[int, typer.Option(help="Where to listen; 0 takes any free port.", min=0, max=65535)] = 9147,
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    name: Annotated[str, typer.Option(help="What the player calls itself.")] = "zermelo",
    seed: Annotated[int, typer.Option(help="Seed for random choices.")] = 1,
    threads: Annotated[
        int | None, typer.Option(min=1, max=1024, help="How many trees grow at once. [one for each processor]")
    ] = None,
    memory_limit: Annotated[int, typer.Option(min=1, help="MiB that the ground game of a match may take.")] = 2048,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing of matches and moves.")] = False,
) -> None:
    """Plays whatever game a game master sends over HTTP.

    It understands the messages INFO, START, PLAY, STOP, ABORT and PREVIEW.
    """
    from zermelo.errors import InputError
    from zermelo.limits import MEBIBYTE
    from zermelo.play.ggp_player import GgpPlayer
    from zermelo.play.ggp_server import make_server
    from zermelo.portfolio import cores

    def log(line: str) -> None:
        if not quiet:
            print(line, file=sys.stderr, flush=True)

    player = GgpPlayer(name, seed=seed, threads=threads or cores(), memory=memory_limit * MEBIBYTE, log=log)
    try:
        server = make_server(player, host, port, log)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot listen on {host}:{port}: {reason}") from None
    try:
        print(f"{name} listens on http://{host}:{server.server_port}", flush=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()
    finally:
        server.server_close()
        closed = player.close()
        log("stopped")  # the last word: what thought on the time of others has said its own
        if not closed:
            # Native code that cannot be stopped must not meet the end of the interpreter: Python would abort it.
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(0)
