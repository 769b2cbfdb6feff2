"""The command line: one file for each verb. Verbs import engines when they run, so that help answers at once.

Exit status: 0 answered, 1 a certificate was refuted, 2 wrong usage or bad input (one line on standard error),
3 a limit was reached without an answer, 5 engines disagree. With ``--solver-exit-codes`` a formula that is true is 10,
a false one 20.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from textwrap import fill
from typing import Annotated, Any

import typer
import typer.core

from zermelo import __version__
from zermelo.cli.analyse import analyse
from zermelo.cli.arena import arena_app
from zermelo.cli.calculator import WithTableVerb, calculate
from zermelo.cli.certificates import certificate_app
from zermelo.cli.check import check
from zermelo.cli.encode import encode
from zermelo.cli.engines import engines
from zermelo.cli.fuzz import fuzz
from zermelo.cli.games import games
from zermelo.cli.gdl import gdl_app
from zermelo.cli.ggp import ggp
from zermelo.cli.learn import learn
from zermelo.cli.match import match
from zermelo.cli.play import play
from zermelo.cli.serve import serve
from zermelo.cli.shared_options import protected
from zermelo.cli.show import show
from zermelo.cli.solve import solve
from zermelo.errors import DisagreementError, InputError, LimitReachedError, ZermeloError
from zermelo.stop import PROCESS

# What typer raises for wrong usage: BadParameter and its siblings, under whatever name its version gives them.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]


class WithTables(typer.core.TyperCommand):
    """A verb whose help ends with what the tables hold: engines, and ways to name a target."""

    def get_help(self, ctx: Any) -> str:
        """The help, with the tables below it."""
        from zermelo.solving.tables import ENGINES, KINDS

        targets = [kind.expected for kind in KINDS.values() if kind.expected]
        listed = (fill(target, 78, initial_indent="  ", subsequent_indent="    ") for target in targets)
        named = "\n".join((*listed, "  - for standard input"))
        names = ", ".join(["auto", "all", *ENGINES])
        engines = fill(names, 78, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
        return f"{super().get_help(ctx)}\n\nTargets:\n{named}\n\nEngines:\n{engines}"


app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
for _verb in (solve, check, analyse, play, encode, show, games, engines, match, learn, ggp, serve, fuzz):
    app.command(cls=WithTables if _verb in (solve, analyse, play) else None)(_verb)
app.command("cgt", cls=WithTableVerb)(calculate)
app.add_typer(certificate_app, name="certificate")
app.add_typer(gdl_app, name="gdl")
app.add_typer(arena_app, name="arena")


def _tell_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"zermelo {__version__}")
        raise typer.Exit


@app.callback()
def zermelo(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """State a game once. Know who wins, how, and be able to check it.

    Most commands take a TARGET, which names a game: a library game with arguments (wythoff:3,5), a rulesheet
    (rules.kif, or gdl:chess of the library), a graph (map.graph), a network that may fail (net.dgr), a quantified
    Boolean formula (f.qcir, f.qdimacs), a quantified program (p.qlp), a stochastic constraint network (n.json), a sum
    of games in brackets ("{5|-5} + {3||2|-1}", s.cgt), a board that has a value (domineering:4x4), a Go record (g.sgf),
    a tree or a table of Gambit (g.efg, g.nfg), a game of OpenSpiel (open_spiel:connect_four), a class in a Python file
    (mygame.py:MyGame), or - for standard input.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit status; no traceback ever reaches a user."""
    _accept_any_text()
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        status = app(args=protected(given), prog_name="zermelo", standalone_mode=False)
        if sys.stdout is not None:  # None where it was closed before the start
            sys.stdout.flush()
        if status == 130:  # what typer makes of Ctrl-C
            raise KeyboardInterrupt
        return status if isinstance(status, int) else 0
    except typer.Exit as stop:
        return stop.exit_code
    except SystemExit as stop:
        if not isinstance(stop.__context__, BrokenPipeError):
            raise
        _drop_output()  # typer leaves so when the reader has gone
        return 0
    except BrokenPipeError:
        _drop_output()
        return 0
    except (Exception, KeyboardInterrupt) as error:
        return _fail(*_in_words(error))


def _in_words(error: BaseException) -> tuple[str, int]:
    """One line for a person, and the exit status."""
    if PROCESS.reason in ("interrupt", "terminate") and not isinstance(error, ZermeloError | OSError):
        return "zermelo: interrupted", 3  # which Python turns into other errors where classes are being made
    for kinds, status, words in _FAILURES:
        if isinstance(error, kinds):
            return words(error), status
    if os.environ.get("ZERMELO_DEBUG"):
        raise error
    return f"zermelo: internal error, please report it: {type(error).__name__}: {error}", 1


_FAILURES: tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], int, Callable[[Any], str]], ...] = (
    (_UsageError, 2, lambda error: f"zermelo: {getattr(error, 'format_message', error.__str__)()} (try --help)"),
    ((typer.Abort, KeyboardInterrupt), 3, lambda error: "zermelo: interrupted"),
    (LimitReachedError, 3, lambda error: f"zermelo: {error}"),
    # One that knows its place starts with it, so that editors can jump there.
    (InputError, 2, lambda error: str(error) if error.file else f"zermelo: {error}"),
    (DisagreementError, 5, lambda error: f"zermelo: {error}"),
    (ZermeloError, 2, lambda error: f"zermelo: {error}"),
    (MemoryError, 3, lambda error: "zermelo: out of memory: set a lower --memory-limit"),
    # What only the system knows: too long a name, no permission, no room on the disk.
    (OSError, 2, lambda error: f"{error.filename or 'zermelo: standard output'}: {error.strerror or error}"),
)


def _accept_any_text() -> None:
    """Writes what the terminal's encoding lacks as an escape: names of nodes and files may be in any script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """The reader has gone, or the disk is full: keeps the interpreter from complaining when it flushes at exit."""
    with contextlib.suppress(io.UnsupportedOperation):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, status: int) -> int:
    error = sys.exception()
    if isinstance(error, OSError) and error.filename is None:
        _drop_output()
    print(" ".join(message.split()), file=sys.stderr)
    return status
