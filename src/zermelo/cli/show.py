"""``zermelo show``: pictures of boards, trees and graphs."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.options import MemoryLimit, TargetArgument, limits_of, load_game, within
from zermelo.errors import AmbiguousMoveError, IllegalMoveError, InputError, LimitReachedError
from zermelo.files import need_writable, write_text

if TYPE_CHECKING:
    from zermelo.certificate import Claim
    from zermelo.game import Game
    from zermelo.limits import Limits
    from zermelo.qip.game import ProgramGame


class Kind(StrEnum):
    """What to draw."""

    BOARD = "board"
    TREE = "tree"
    GRAPH = "graph"
    STRATEGY = "strategy"
    POLYTOPE = "polytope"
    THERMOGRAPH = "thermograph"


def show(
    target: TargetArgument,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Writes it there: .svg, .txt for text, .aag for the strategy of a formula.",
        ),
    ] = None,
    after: Annotated[
        str, typer.Option("--after", metavar="MOVES", help='Shows the position after these moves: "b2 a1".')
    ] = "",
    wanted: Annotated[
        Kind | None,
        typer.Option("--as", help="What to draw: by default the board, of a sum in brackets the thermograph."),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many moves deep a tree goes: 2, that of a strategy 4.", show_default=False),
    ] = None,
    engine: Annotated[str, typer.Option(metavar="NAME", help="Who finds the strategy.")] = "auto",
    time_limit: Annotated[
        float, typer.Option("--time-limit", metavar="S", help="Seconds for the values of a tree or graph.")
    ] = 10.0,
    memory_limit: MemoryLimit = 1024,
) -> int:
    """Shows a game: the board, the tree of moves with the value of each, the graph of all positions, or a strategy.

    Without -o the board goes to standard output as text, a tree or graph as SVG. Colours say who wins, shapes
    who moves; values that cannot be worked out in the time are left blank. The strategy is the winner's: a tree of
    its moves and all replies (.svg), and for a formula its functions, as terms (.txt, the default) or as AIGER (.aag).
    That of a program is written as a tree (.txt, the default, or .svg) or as the graph of all its steps (.dot, .json).
    The polytope is that of the solutions of a program of two or three variables, with the ends of a strategy.
    The thermograph is that of a sum in brackets, with those of its components, or of a board with a value.
    """
    limits = limits_of(time_limit, memory_limit)
    if depth is not None and depth < 0:
        raise InputError(f"--depth {depth} is not a number of moves")
    if output is not None:
        need_writable(output, "picture")
    # The limit of time is for values, which are left out when it is up: what there is gets drawn all the same.
    with redirect_stdout(sys.stderr), within(replace(limits, seconds=None)):
        drawn = _drawn(target, output, wanted, after, depth, engine, limits)
    if output is None:
        print(drawn.rstrip("\n"))
        return 0
    write_text(output, drawn)
    return 0


def _drawn(
    target: str, output: Path | None, wanted: Kind | None, after: str, depth: int | None, engine: str, limits: Limits
) -> str:
    from zermelo.cgt.game import WrittenSum

    game = load_game(target, replace(limits, seconds=None))
    kind = wanted or (Kind.THERMOGRAPH if isinstance(game, WrittenSum) else Kind.BOARD)
    suffix = _suffix(output, kind, game)
    line = _line(game, after)
    position = game.start()
    for move in line:
        position = game.play(position, move)
    if kind is Kind.BOARD:
        return game.text(position) + "\n" if suffix == ".txt" else _marked_board(game, position, line)
    if kind is Kind.TREE:
        return _tree(game, line, 2 if depth is None else depth, limits)
    if kind is Kind.STRATEGY:
        return _strategy(game, line, engine, suffix, depth, limits)
    if kind is Kind.POLYTOPE:
        return _polytope(game, line, engine, limits)
    if kind is Kind.THERMOGRAPH:
        return _thermograph(game, position, suffix, limits)
    return _graph(game, line, limits)


def _suffix(output: Path | None, kind: Kind, game: Game) -> str:
    from zermelo.qbf.game import FormulaGame
    from zermelo.qip.game import ProgramGame

    functions = kind is Kind.STRATEGY and isinstance(game, FormulaGame)
    steps = kind is Kind.STRATEGY and isinstance(game, ProgramGame)
    if output is None:
        return ".txt" if kind in (Kind.BOARD, Kind.THERMOGRAPH) or functions or steps else ".svg"
    suffix = output.suffix.lower()
    if suffix == ".png":
        raise InputError("PNG is not written, use .svg: browsers and editors show it at any size", file=str(output))
    if suffix == ".aag" and not functions:
        raise InputError("only the strategy of a formula is written as .aag: --as strategy", file=str(output))
    if suffix in (".dot", ".json") and not steps:
        raise InputError(f"only the strategy of a program is written as {suffix}: --as strategy", file=str(output))
    if suffix not in (".svg", ".txt", ".aag", ".dot", ".json"):
        raise InputError(f"unknown kind of picture {suffix!r}, expected .svg or .txt", file=str(output))
    if suffix == ".txt" and kind not in (Kind.BOARD, Kind.THERMOGRAPH) and not (functions or steps):
        raise InputError(f"a {kind} is drawn as .svg only", file=str(output))
    return suffix


def _strategy(game: Game, line: list[Any], engine: str, suffix: str, depth: int | None, limits: Limits) -> str:
    """The winner's strategy from a position on."""
    from zermelo.certificate import parse_score
    from zermelo.encode.later import Later
    from zermelo.qbf.aiger import write_aag
    from zermelo.qbf.decisions import write_decisions
    from zermelo.qbf.game import FormulaGame
    from zermelo.qip.game import ProgramGame
    from zermelo.render.tree import strategy_svg
    from zermelo.search import Options
    from zermelo.solving import solve_game
    from zermelo.strategy import FunctionsStrategy

    position = game.start()
    for move in line:
        position = game.play(position, move)
    later: Game = Later(game, line) if line else game
    if isinstance(game, FormulaGame):
        later = FormulaGame(game.formula, position)
    elif isinstance(game, ProgramGame):
        later = ProgramGame(game.program, position)
    solution = solve_game(later, engine, limits, Options(move_values=False))
    strategy = solution.strategy
    if solution.status != "solved":
        raise LimitReachedError(solution.note or "not solved")
    if strategy is None or solution.certificate is None:
        raise InputError(f"there is no strategy to show: {solution.note or 'nobody wins'}")
    claim = next(claim for claim in solution.certificate.claims if claim.role == strategy.role)
    if isinstance(later, ProgramGame):
        return _steps(later, claim, suffix, depth)
    if isinstance(later, FormulaGame) and isinstance(strategy, FunctionsStrategy):
        if suffix == ".aag":
            return write_aag(later.formula, strategy.functions)
        if suffix == ".txt":
            return write_decisions(later.formula, strategy.functions) + "\n"
    levels = 4 if depth is None else depth
    return strategy_svg(later, claim, depth=levels, total=parse_score(solution.stats.get("total", "0")))


def _steps(game: ProgramGame, claim: Claim, suffix: str, depth: int | None) -> str:
    """The strategy that a proof of a program holds."""
    from zermelo.qip import tree
    from zermelo.qip.proof import Proof
    from zermelo.render.tree import strategy_svg

    proof = game.proof(claim) if claim.rule == "program" else None
    if not isinstance(proof, Proof):  # a table of moves, or clauses: played move by move
        if suffix != ".svg":
            raise InputError(f"the proof is not one of steps: its strategy is drawn as .svg only, not {suffix}")
        return strategy_svg(game, claim, depth=4 if depth is None else depth)
    match suffix:
        case ".json":
            return json.dumps(tree.strategy_json(game, proof), indent=1) + "\n"
        case ".dot":
            return tree.strategy_dot(game, proof)
        case ".txt":
            return tree.strategy_text(game, proof) if depth is None else tree.strategy_text(game, proof, depth)
    return tree.strategy_picture(game, proof, 6 if depth is None else depth)


def _thermograph(game: Game, position: Any, suffix: str, limits: Limits) -> str:
    """The thermograph of a sum in brackets or of boards; as a picture with those of the components."""
    from zermelo.cgt.game import BoardSum, WrittenSum
    from zermelo.cgt.pictures import shapes_of
    from zermelo.render.thermograph import thermograph_svg, thermograph_text

    if not isinstance(game, BoardSum | WrittenSum):
        raise InputError("only a sum of games has a thermograph, expected {5|-5} or a board such as domineering:...")
    shapes = shapes_of(game, position, limits)
    if suffix == ".txt":
        return thermograph_text(shapes[0][1]) + "\n"
    return thermograph_svg([shape for _, shape in shapes], [name for name, _ in shapes])


def _polytope(game: Game, line: list[Any], engine: str, limits: Limits) -> str:
    """The solutions of a small program, with the points in which a strategy of ``exists`` ends."""
    from zermelo.qip.game import ProgramGame
    from zermelo.qip.strategy import strategy_ends
    from zermelo.render.polytope import polytope, polytope_svg
    from zermelo.search import Options
    from zermelo.solving import solve_game

    if not isinstance(game, ProgramGame):
        raise InputError("only a program has a polytope, expected a .qlp file")
    if line:
        raise InputError("--after: the polytope is that of the whole program")
    polytope(game.program)  # one that cannot be drawn is refused before it is solved
    solution = solve_game(game, engine, limits, Options(move_values=False))
    claims = solution.certificate.claims if solution.certificate else ()
    claim = next((claim for claim in claims if claim.role == "exists"), None)
    ends = [] if claim is None else strategy_ends(game, claim)
    return polytope_svg(game.program, [tuple(map(Fraction, end)) for end in ends])


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
    from zermelo.encode.graph import graph_of
    from zermelo.encode.later import Later
    from zermelo.games.dgr import Reliability
    from zermelo.games.geography import Geography
    from zermelo.render.graph import MOST_NODES, digraph_svg, game_graph_svg
    from zermelo.search.analysis import Analysis

    if isinstance(game, Geography):
        return digraph_svg(game.graph.names, game.graph.successors, game.graph.start, line)
    if isinstance(game, Reliability):
        position = game.start()
        for move in line:
            position = game.play(position, move)
        return game.svg(position)
    later = Later(game, line)
    try:
        graph = graph_of(later, replace(limits, nodes=MOST_NODES + 1))
    except LimitReachedError:
        raise InputError(f"the graph is too large to draw (at most {MOST_NODES} nodes)") from None
    analysis = Analysis(later)
    values = analysis.values_below((), len(graph.positions), limits) if len(graph.positions) <= MOST_NODES else {}
    return game_graph_svg(later, graph, values, total=analysis.total())
