"""Options that several verbs share."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from zermelo.errors import InputError, LimitReachedError
from zermelo.limits import MEBIBYTE, Limits, reading_under, resident, resident_ceiling
from zermelo.stop import PROCESS, Stop

if TYPE_CHECKING:
    from zermelo.game import Game

_NEGATIVE = re.compile(r"-+\s*[{(\d*^_+±]")
"""A game in brackets that begins with a minus sign; no option looks like that."""


def protected(arguments: Sequence[str]) -> list[str]:
    """The words of a command line with a blank before games such as ``-{5|-5}``, which are no options.

    Numbers as values of options do not mind the blank; targets lose it again.

    >>> protected(["solve", "-3 + {1|-1}", "--json", "-x"])
    ['solve', ' -3 + {1|-1}', '--json', '-x']
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return [f" {word}" if at < end and _NEGATIVE.match(word) else word for at, word in enumerate(arguments)]


def _as_typed(target: str) -> str:
    return target[1:] if _NEGATIVE.match(target[1:]) else target


TargetArgument = Annotated[
    str,
    typer.Argument(
        callback=_as_typed,
        metavar="TARGET",
        help="The game: wythoff:3,5, gdl:chess, rules.kif, map.graph, net.dgr, formula.qcir, program.qlp, "
        "network.json, record.sgf, tree.efg, table.nfg, '{5|-5} + *', domineering:4x4, open_spiel:nim, "
        "mygame.py:MyGame, or - for standard input.",
        show_default=False,
    ),
]
After = Annotated[
    str,
    typer.Option("--after", metavar="MOVES", help='Begin after these moves: "b2 a1", "mark(b,2) mark(a,1)".'),
]
TimeLimit = Annotated[float | None, typer.Option("--time-limit", metavar="S", help="Seconds the run may take.")]
MemoryLimit = Annotated[
    int,
    typer.Option(
        "--memory-limit",
        metavar="MB",
        help="Memory the process may use; Python and its libraries take about 50 MB of it.",
    ),
]
NodeLimit = Annotated[int | None, typer.Option("--node-limit", metavar="N", help="Nodes the search may visit.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else on standard output.")]


def as_shown(text: str, verdict: str = "", stream: TextIO | None = None) -> str:
    """A report as standard output shows it, or a verdict of that style: on a terminal it fits and has colours.

    >>> as_shown("nim:1: first wins")
    'nim:1: first wins'
    """
    shown_on = stream or sys.stdout
    if shown_on is None or not shown_on.isatty():
        return text
    from zermelo.cli.screen import report_on, verdict_on

    return verdict_on(shown_on, text, verdict) if verdict else report_on(shown_on, text)


def limits_of(time_limit: float | None, memory_limit: int, node_limit: int | None = None) -> Limits:
    """The limits that the options state, checked.

    >>> limits_of(5, 100).memory == 100 * MEBIBYTE
    True
    """
    if time_limit is not None and not 0 < time_limit < 1e9:
        raise InputError(f"--time-limit {time_limit:g} is not a positive number of seconds")
    if not 1 <= memory_limit <= 1 << 24:
        raise InputError(f"--memory-limit {memory_limit} is not in 1..{1 << 24} MB")
    if node_limit is not None and node_limit < 1:
        raise InputError(f"--node-limit {node_limit} is not a positive number of nodes")
    return Limits(time_limit, memory_limit * MEBIBYTE, node_limit, stop=Stop(PROCESS))


@contextmanager
def within(limits: Limits) -> Iterator[int]:
    """Within the block the limits hold whatever is done: also for what does not look at them itself.

    Gives the interpreter's own share of the memory, which is what the process holds before it does anything.

    >>> with within(limits_of(60, 2048)) as share:
    ...     load_game("nim:3,4", Limits()).start()
    ((3, 4), 0)
    """
    from zermelo.watchdog import deadline

    share = resident()
    with resident_ceiling(limits.memory), deadline(limits):
        yield share


def load_game(target: str, limits: Limits) -> Game:
    """The game that a target names, made within the time limit: a graph of a million nodes takes its time.

    >>> load_game("nim:3,4", Limits()).start()
    ((3, 4), 0)
    """
    from zermelo.solving.targets import game_of

    with loading(limits):
        return game_of(target)


@contextmanager
def loading(limits: Limits) -> Iterator[None]:
    """Says of a limit that is reached inside that it was while the game was read."""
    from zermelo.watchdog import watchdog

    # Time itself is the progress here: only the time limit counts, a file that hangs is found by its loader.
    try:
        with watchdog(limits, lambda: int(monotonic() * 1000)), reading_under(limits):
            yield
    except LimitReachedError:
        if limits.expired():
            limit = "memory" if limits.stop.reason == "memory" else "time"
            raise LimitReachedError(f"the {limit} limit was reached while the game was read") from None
        raise
