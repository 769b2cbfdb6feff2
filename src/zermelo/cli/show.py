"""``zermelo show``: pictures of boards, trees and graphs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.options import MemoryLimit, TargetArgument, limits_of
from zermelo.errors import AmbiguousMoveError, IllegalMoveError, InputError, LimitReachedError
from zermelo.files import write_text

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.limits import Limits


class Kind(StrEnum):
    """What to draw."""

    BOARD = "board"
    TREE = "tree"
    GRAPH = "graph"


def show(
    target: TargetArgument,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Writes the picture there: .svg, or .txt for the board as text.",
        ),
    ] = None,
    after: Annotated[
        str, typer.Option("--after", metavar="MOVES", help='Shows the position after these moves: "b2 a1".')
    ] = "",
    kind: Annotated[Kind, typer.Option("--as", help="What to draw.")] = Kind.BOARD,
    depth: Annotated[int, typer.Option(metavar="N", help="How many moves deep the tree goes.")] = 2,
    time_limit: Annotated[
        float, typer.Option("--time-limit", metavar="S", help="Seconds for the values of a tree or graph.")
    ] = 10.0,
    memory_limit: MemoryLimit = 1024,
) -> int:
    """Shows a game: the board, the tree of moves with the value of each, or the graph of all positions.

    Without -o the board goes to standard output as text, a tree or graph as SVG. Colours say who wins, shapes
    who moves; values that cannot be worked out in the time are left blank.
    """
    from zermelo.targets import game_of

    limits = limits_of(time_limit, memory_limit)
    if depth < 0:
        raise InputError(f"--depth {depth} is not a number of moves")
    suffix = _suffix(output, kind)
    game = game_of(target)
    line = _line(game, after)
    position = game.start()
    for move in line:
        position = game.play(position, move)
    if kind is Kind.BOARD:
        drawn = game.text(position) + "\n" if suffix == ".txt" else _marked_board(game, position, line)
    elif kind is Kind.TREE:
        drawn = _tree(game, line, depth, limits)
    else:
        drawn = _graph(game, line, limits)
    if output is None:
        print(drawn.rstrip("\n"))
        return 0
    write_text(output, drawn)
    return 0


def _suffix(output: Path | None, kind: Kind) -> str:
    suffix = ".txt" if output is None and kind is Kind.BOARD else ".svg" if output is None else output.suffix.lower()
    if suffix == ".png":
        raise InputError("PNG is not written, use .svg: browsers and editors show it at any size", file=str(output))
    if suffix not in (".svg", ".txt"):
        raise InputError(f"unknown kind of picture {suffix!r}, expected .svg or .txt", file=str(output))
    if suffix == ".txt" and kind is not Kind.BOARD:
        raise InputError(f"a {kind} is drawn as .svg only", file=str(output))
    return suffix


def _line(game: Game, text: str) -> list[Any]:
    """The moves of ``--after``, each checked; where chance moves, the outcome is named like a move."""
    from zermelo.game import CHANCE

    line: list[Any] = []
    position = game.start()
    for number, word in enumerate(text.split(), 1):
        try:
            if game.result(position) is not None:
                raise IllegalMoveError("the game is over")
            if game.turn(position) == CHANCE:
                named = [o for o, _ in game.chances(position) if game.move_text(o).lower() == word.lower()]
                if not named:
                    raise IllegalMoveError(f"{word!r} is not an outcome of chance here")
                move = named[0]
            else:
                move = game.parse_move(position, word)
        except (IllegalMoveError, AmbiguousMoveError) as error:
            raise InputError(f"--after, move {number} ({word!r}): {error}") from None
        line.append(move)
        position = game.play(position, move)
    return line


def _marked_board(game: Game, position: Any, line: list[Any]) -> str:
    """The picture of a position, with the cells that the last move changed marked."""
    from zermelo.render.board import board_svg

    board = game.board(position)
    if board is None or not line:
        return game.svg(position)
    before = game.start()
    for move in line[:-1]:
        before = game.play(before, move)
    old = game.board(before)
    rows = () if old is None else old.cells
    changed = [
        (r, c)
        for r, (new_row, old_row) in enumerate(zip(board.cells, rows, strict=False))
        for c, (new, was) in enumerate(zip(new_row, old_row, strict=False))
        if new != was
    ]
    return board_svg(board, changed)


def _tree(game: Game, line: list[Any], depth: int, limits: Limits) -> str:
    from zermelo.render.tree import tree_svg
    from zermelo.search.analysis import Analysis

    position = game.start()
    for move in line:
        position = game.play(position, move)
    tree_svg(game, position, depth)  # a tree too large to draw is refused before its values are worked out
    analysis = Analysis(game)
    values = analysis.values_below(line, depth, limits)
    return tree_svg(game, position, depth, values, total=analysis.total())


def _graph(game: Game, line: list[Any], limits: Limits) -> str:
    from dataclasses import replace

    from zermelo.encode.graph import graph_of
    from zermelo.encode.later import Later
    from zermelo.games.geography import Geography
    from zermelo.render.graph import MOST_NODES, digraph_svg, game_graph_svg
    from zermelo.search.analysis import Analysis

    if isinstance(game, Geography):
        return digraph_svg(game.graph.names, game.graph.successors, game.graph.start, line)
    later = Later(game, line)
    try:
        graph = graph_of(later, replace(limits, nodes=MOST_NODES + 1))
    except LimitReachedError:
        raise InputError(f"the graph is too large to draw (at most {MOST_NODES} nodes)") from None
    analysis = Analysis(later)
    values = analysis.values_below((), len(graph.positions), limits) if len(graph.positions) <= MOST_NODES else {}
    return game_graph_svg(later, graph, values, total=analysis.total())
