"""``zermelo cgt``: a calculator for values of games."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
import typer.core
import typer.main

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
    from standard input. `zermelo cgt table` keeps values of boards in a file: see `zermelo cgt table --help`.

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


def keep_table(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The table; it is made if there is none.")],
    targets: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TARGET]...", help="Boards whose regions are to be in it: domineering:5x6."),
    ] = None,
    cells: Annotated[int, typer.Option(metavar="N", min=1, max=64, help="Keep regions of at most so many cells.")] = 64,
    check: Annotated[bool, typer.Option("--check", help="Work every value out anew from those of its moves.")] = False,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = 2048,
) -> int:
    """Keeps values of regions of boards in a file, so that a later run begins with them.

    The values of the targets are worked out, with what the file holds already, and all regions that came up are
    written. What is found before a limit is kept. `zermelo solve TARGET --table FILE` uses the file.

    Exit status 1 if a value is wrong, 2 if the file is no table, 3 if a limit was reached.
    """
    from zermelo.cgt.boards.board_value import value_of_board
    from zermelo.cgt.boards.region_tables import load_table, save_table, values_follow
    from zermelo.cgt.boards.ruleset import positions_of
    from zermelo.cgt.values.arena import start_arena
    from zermelo.errors import InputError
    from zermelo.files import need_writable
    from zermelo.kernel_thread import control_for

    wanted = [positions_of(target) for target in targets or ()]
    if not wanted and not file.exists():
        raise InputError("no such table, and no board to make one of", file=str(file))
    need_writable(file, "table of regions")
    limits = limits_of(time_limit, memory_limit)
    with within(limits):
        start_arena(limits.bytes_left())
        counts = load_table(file) if file.exists() else {}
        if check and not values_follow(control_for(limits)):
            print(f"{file}: a value does not follow from those of its moves")
            return 1
        if wanted or cells < 64:
            try:
                for ruleset, positions in wanted:
                    value_of_board(ruleset, positions, limits)
            finally:
                counts = save_table(file, cells)
    for game, count in counts.items():
        print(f"{game}: {count:,} regions")
    print(f"{file}: {file.stat().st_size:,} bytes{', every value follows from those of its moves' if check else ''}")
    return 0


class WithTableVerb(typer.core.TyperCommand):
    """The calculator, with a verb of its own behind the word `table`."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """The context of the calculator, or that of the verb."""
        if args[:1] != ["table"]:
            return super().make_context(info_name, args, parent, **extra)
        alone = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)
        alone.command("table")(keep_table)
        return typer.main.get_command(alone).make_context(f"{info_name} table", args[1:], parent, **extra)


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
