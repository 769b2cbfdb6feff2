"""``zermelo play``: a game in the terminal."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli.shared_options import After, MemoryLimit, TargetArgument, limits_of, within
from zermelo.limits import Limits
from zermelo.signals import SIGNALS
from zermelo.stop import Stop

if TYPE_CHECKING:
    from zermelo.play.terminal import Look


def play(
    target: TargetArgument,
    role: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="ROLE",
            help="The role you play (several with commas), both, or none to watch. [the first]",
            show_default=False,
        ),
    ] = None,
    engine: Annotated[str, typer.Option(metavar="NAME", help="auto, or the name of an engine.")] = "auto",
    after: After = "",
    time_limit: Annotated[
        float, typer.Option("--time-limit", metavar="S", help="Seconds the engine may take for a move.")
    ] = 3.0,
    memory_limit: MemoryLimit = 1024,
    seed: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=(1 << 64) - 1, help="Seed for chance and for engines that play at random."
        ),
    ] = 1,
) -> int:
    """Plays a game in the terminal: either side, undo, hints.

    Type a move as the board names it; `help` lists the commands. The engine follows a proved strategy if it has one.
    If not, it looks for one from the position on the board, and otherwise plays the move that UCT likes best. A sum in
    brackets is played exactly (--engine sum), or by the thermostat (--engine thermostatic), which only looks at walls.
    Ctrl-C while the engine thinks makes it play its best move so far. At the prompt, or if only engines play, Ctrl-C
    leaves the game; so does the end of the input. The exit status is 0 however the game ends.
    """
    SIGNALS.uninstall()  # Ctrl-C is a word of the player's here, which may be said more than twice
    limits = limits_of(time_limit, memory_limit)
    with suppress(KeyboardInterrupt), within(Limits(memory=limits.memory, stop=Stop())):
        _play(target, role, engine, after, limits, seed)
    return 0


def _play(target: str, role: str | None, engine: str, after: str, limits: Limits, seed: int) -> None:
    from zermelo.play.engine_player import EnginePlayer
    from zermelo.play.session import Session
    from zermelo.play.terminal import Terminal, console_reader, humans_of
    from zermelo.solving import game_of, kind_of
    from zermelo.taking_up import taken_up

    stated = game_of(target)
    # A program about a board is played on the board, and solved anew after each move.
    game = taken_up(stated.played_as or stated, after)
    engine = kind_of(stated).auto(stated) if stated.played_as is not None and engine == "auto" else engine
    humans = humans_of(game, role)
    player = kind_of(game).adviser(game, engine, limits)
    if player is None:
        player = EnginePlayer(game, engine, limits, seed)
    reader = console_reader()
    terminal = Terminal(Session(game, seed), humans, player, reader, lambda line: print(line, flush=True), _look())
    if not humans:

        def leave(number: int, frame: FrameType | None) -> None:
            terminal.left = True
            raise KeyboardInterrupt

        # Nobody is ever asked, so nobody could leave at a prompt.
        signal.signal(signal.SIGINT, leave)
    terminal.run()


def _look() -> Look:
    """How the streams of this process show a game."""
    from zermelo.cli.screen import LiveLine, folded, has_colour, is_terminal, painted, redraws, width_of
    from zermelo.play.terminal import Look

    out, note = sys.stdout, LiveLine(sys.stderr)
    watched = is_terminal(out) and redraws(sys.stderr)
    return Look(
        fit=lambda text: folded(text, width_of(out), 2),
        strong=lambda text: painted(text, "strong") if has_colour(out) else text,
        thinking=lambda words: (note.draw(f"{words} ...") if words else note.wipe()) if watched else None,
    )
