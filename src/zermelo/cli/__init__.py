"""The command line: one file for each verb. Verbs import engines when they run, so that help answers at once.

Exit status: 0 answered, 1 a certificate was refuted, 2 wrong usage or bad input (one line on standard error),
3 a limit was reached without an answer.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

import typer

from zermelo.cli.check import check
from zermelo.cli.games import games
from zermelo.cli.play import play
from zermelo.cli.show import show
from zermelo.cli.solve import solve
from zermelo.errors import InputError, LimitReachedError, ZermeloError

# What typer raises for wrong usage: BadParameter and its siblings, under whatever name its version gives them.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
for _verb in (solve, check, play, show, games):
    app.command()(_verb)


@app.callback()
def zermelo() -> None:
    """State a game once. Know who wins, how, and be able to check it.

    TARGET is a library game with arguments (wythoff:3,5), a graph file (map.graph) or a class in a Python file
    (mygame.py:MyGame).
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit status; no traceback ever reaches a user."""
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A target may be the name of a file that is not UTF-8.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        status = app(args=given, prog_name="zermelo", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except _UsageError as error:
        message = getattr(error, "format_message", error.__str__)()
        return _fail(f"zermelo: {message} (try --help)", 2)
    except typer.Exit as stop:
        return stop.exit_code
    except (typer.Abort, KeyboardInterrupt):
        return _fail("zermelo: interrupted", 3)
    except BrokenPipeError:
        # The reader has gone; keep the interpreter from complaining when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except LimitReachedError as error:
        return _fail(f"zermelo: {error}", 3)
    except InputError as error:
        # One that knows its place starts with it, so that editors can jump there.
        return _fail(str(error) if error.file else f"zermelo: {error}", 2)
    except ZermeloError as error:
        return _fail(f"zermelo: {error}", 2)
    except OSError as error:
        # A file that cannot be had, for a reason that only the system knows: too long a name, no permission.
        return _fail(f"{error.filename or 'zermelo'}: {error.strerror or error}", 2)
    except MemoryError:
        return _fail("zermelo: out of memory: set a lower --memory-limit", 3)
    except Exception as error:
        if os.environ.get("ZERMELO_DEBUG"):
            raise
        return _fail(f"zermelo: internal error, please report it: {type(error).__name__}: {error}", 1)


def _fail(message: str, status: int) -> int:
    print(" ".join(message.split()), file=sys.stderr)
    return status


def run() -> None:
    """The console script."""
    sys.exit(main())
