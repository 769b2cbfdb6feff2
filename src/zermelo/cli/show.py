"""``zermelo show``: pictures of boards, trees and graphs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from zermelo.cli.shared_options import After, MemoryLimit, TargetArgument, limits_of, load_game, within
from zermelo.errors import InputError
from zermelo.files import need_writable, write_bytes, write_text
from zermelo.kind import Drawing, Picture

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.limits import Limits
    from zermelo.picturing import MoveValue
    from zermelo.solution import Solution


PAPER_SUFFIXES: Final = (".png", ".pdf")
"""What an SVG picture is turned into where the file asks for it."""


def show(
    target: TargetArgument,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write to this file: .svg, .png or .pdf, .txt for text, .aag for the strategy of a formula.",
        ),
    ] = None,
    after: After = "",
    wanted: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="WHAT",
            help="What to draw: board, tree, graph or strategy; the polytope of a program; the thermograph or bounds "
            "of a sum. [board, or thermograph for a sum in brackets]",
        ),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many moves deep a tree goes. [2; 4 for a strategy]", show_default=False),
    ] = None,
    legal: Annotated[bool, typer.Option("--legal", help="Mark the legal moves on the board.")] = False,
    values: Annotated[
        bool, typer.Option("--values", help="Mark what each legal move on the board is worth, as analyse reports it.")
    ] = False,
    size: Annotated[
        float | None,
        typer.Option(metavar="N", help="The longer side of a board in pixels.", show_default=False, min=16, max=10_000),
    ] = None,
    engine: Annotated[str, typer.Option(metavar="NAME", help="The engine that finds the strategy.")] = "auto",
    time_limit: Annotated[
        float, typer.Option("--time-limit", metavar="S", help="Seconds for the values of a tree or graph.")
    ] = 10.0,
    memory_limit: MemoryLimit = 1024,
) -> int:
    """Shows a game: its board, tree of moves, graph or strategy.

    Without -o, a board goes to standard output as text, and a tree or graph as SVG. Colours show who wins, shapes
    show who moves. Values that cannot be worked out in the time are left blank.

    The strategy is the winner's: a tree of its moves and all replies (.svg). For a formula it can also be its
    functions, as terms (.txt, the default) or as AIGER (.aag). For a program it is a tree (.txt, the default, or .svg)
    or the graph of all its steps (.dot, .json).

    The polytope shows the solutions of a program with two or three variables, and where a strategy ends. The
    thermograph belongs to a sum in brackets, with its components, or to a board with a value. The bounds of a sum are
    the scores that each side can secure with a thermostat, for every setting of the thermostat.
    """
    limits = limits_of(time_limit, memory_limit)
    if depth is not None and depth < 0:
        raise InputError(f"--depth {depth} is not a number of moves")
    if output is not None:
        need_writable(output, "picture")
    # The limit of time is for values, which are left out when it is up: what there is gets drawn all the same.
    with redirect_stdout(sys.stderr), within(replace(limits, seconds=None)):
        asked = Asked(after, wanted, depth, engine, legal, values, size)
        drawn = _drawn(target, output, asked, limits)
    if output is None:
        print(drawn.rstrip("\n"))
        return 0
    if output.suffix.lower() in PAPER_SUFFIXES:
        from zermelo.render.paper import on_paper

        write_bytes(output, on_paper(drawn, "png" if output.suffix.lower() == ".png" else "pdf"))
    else:
        write_text(output, drawn)
    return 0


@dataclass(frozen=True)
class Asked:
    """What the options ask for."""

    after: str
    wanted: str | None
    depth: int | None
    engine: str
    legal: bool
    values: bool
    size: float | None


def _drawn(target: str, output: Path | None, asked: Asked, limits: Limits) -> str:
    from zermelo.options import Options
    from zermelo.solving import kind_of, solve_game
    from zermelo.solving.drawings import PICTURES
    from zermelo.taking_up import moves_of

    game = load_game(target, replace(limits, seconds=None))
    kind = kind_of(game)
    if (later := kind.on_board(game, asked.after)) is not None:
        game, asked = later, replace(asked, after="")
    pictures = {**PICTURES, **kind.pictures(game)}
    name = asked.wanted or kind.picture
    if name not in pictures:
        raise InputError(f"a {kind.noun} has no {name}, expected one of {', '.join(pictures)}", file=target)
    picture = pictures[name]
    if name != "board" and (asked.legal or asked.values or asked.size is not None):
        raise InputError(f"--legal, --values and --size are for boards, not for a {name}", file=target)

    def solve(game: Game) -> Solution:
        return solve_game(game, asked.engine, limits, Options(move_values=False))

    def values(game: Game) -> Mapping[Any, MoveValue]:
        from zermelo.picturing import values_of
        from zermelo.solving import analyse_game

        return values_of(analyse_game(game, limits=limits))

    suffix, line = _suffix(output, picture), moves_of(game, asked.after)
    found = values if asked.values else None
    return picture.draw(Drawing(game, line, suffix, limits, solve, asked.depth, asked.legal, found, asked.size))


def _suffix(output: Path | None, picture: Picture) -> str:
    """The suffix of the file that is written; without one, that of what goes to standard output."""
    if output is None:
        return picture.suffixes[0]
    suffix = output.suffix.lower()
    on_paper = PAPER_SUFFIXES if ".svg" in picture.suffixes else ()
    if suffix in on_paper:
        return ".svg"
    if suffix not in picture.suffixes:
        expected = " or ".join((*picture.suffixes, *on_paper))
        raise InputError(
            f"a {picture.name} is not written as {suffix or 'that'}, expected {expected}", file=str(output)
        )
    return suffix
