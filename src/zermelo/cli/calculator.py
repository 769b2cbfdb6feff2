"""``zermelo cgt``: a calculator for values of games."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli.shared_options import MemoryLimit, TimeLimit, limits_of, within

if TYPE_CHECKING:
    from zermelo.cgt.calculator import Calculator

PROMPT = "cgt> "


def calculate(
    expressions: Annotated[
        list[str] | None,
        typer.Argument(metavar="[EXPRESSION]...", help="What to work out; without one, lines are read."),
    ] = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = 2048,
) -> int:
    """Works out values of games, line by line.

    `G = {3|^*}` gives a value a name; `G + G`, `G <= H`, `mean G`, `thermograph G` and `cool(G, 1)` work with it. A
    board is a value too: `domineering:..|.. + 1`. A name inside its own braces makes a loopy game: `G = {0|G}`. `help`
    lists what can be typed. Without an expression, lines are read from the terminal, with history and completion, or
    from standard input.

    Exit status 2 if an expression is wrong, 3 if a limit was reached.
    """
    from zermelo.cgt.calculator import Calculator

    calculator = Calculator()
    if expressions:
        with within(limits_of(time_limit, memory_limit)):
            for expression in expressions:
                print(_said(calculator, expression))
        return 0
    return _by_lines(calculator, time_limit, memory_limit)


def _said(calculator: Calculator, line: str) -> str:
    from zermelo.cgt.calculator import help_text

    return help_text() if line.strip() == "help" else calculator.said(line)


def _by_lines(calculator: Calculator, time_limit: float | None, memory_limit: int) -> int:
    """Reads lines until there are none; a wrong one is told of, and the next one is read if somebody types them."""
    from zermelo.errors import LimitReachedError, ZermeloError

    typed = sys.stdin is not None and sys.stdin.isatty()
    if typed:
        _with_history(calculator)
        print("Values of games; `help` lists what can be typed.")
    status = 0
    while True:
        try:
            line = input(PROMPT if typed else "")
        except EOFError:
            return status
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line.strip() in ("quit", "exit"):
            return status
        try:
            with within(limits_of(time_limit, memory_limit)):
                print(_said(calculator, line), flush=True)
        except ZermeloError as error:
            if not typed:
                raise
            print(error, file=sys.stderr)
            status = 3 if isinstance(error, LimitReachedError) else status


def _with_history(calculator: Calculator) -> None:
    """Lines can be called back, and the names that are known are completed."""
    try:
        import readline
    except ImportError:  # not on every system
        return
    from zermelo.cgt.calculator import FUNCTIONS, LOOPY_QUESTIONS, QUESTIONS
    from zermelo.cgt.loopy.stopper import NAMED

    def complete(begun: str, number: int) -> str | None:
        words = [*calculator.names, *QUESTIONS, *LOOPY_QUESTIONS, *FUNCTIONS, *NAMED, "help", "quit"]
        found = [word for word in words if word.startswith(begun)]
        return found[number] if number < len(found) else None

    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")
