"""``zermelo encode``: a game, a formula or a program in another form, for other tools."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from zermelo.cli.options import MemoryLimit, NodeLimit, TargetArgument, TimeLimit, limits_of, load_game, within
from zermelo.errors import InputError, LimitReachedError, NotApplicableError
from zermelo.files import need_writable, write_text

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.limits import Limits
    from zermelo.qbf.formula import Formula
    from zermelo.qip.export import Target
    from zermelo.scsp.network import Network


class Form(StrEnum):
    """What to turn the game into."""

    GRAPH = "graph"
    QCIR = "qcir"
    QDIMACS = "qdimacs"
    QLP = "qlp"
    LP = "lp"
    MPS = "mps"
    SUM = "sum"
    NETWORK = "network"
    XCSP = "xcsp"


PROGRAMS: Final[dict[Form, Target]] = {Form.QLP: "qlp", Form.LP: "lp", Form.MPS: "mps"}
"""The forms that are programs."""
NETWORKS: Final = (Form.NETWORK, Form.XCSP)
"""The forms that are constraint networks."""
_COMMENT: Final[dict[Form, str]] = {Form.QLP: "//", Form.LP: "\\", Form.MPS: "*"}
_SAMPLED: Final = "the longest of some random games took {} plies: longer ones count as not won"


def encode(
    target: TargetArgument,
    to: Annotated[Form, typer.Option("--to", help="What to turn the game, formula or program into.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Writes it there instead of to standard output."),
    ] = None,
    horizon: Annotated[
        int | None,
        typer.Option(
            metavar="PLIES",
            help="How many plies a formula or program speaks of, the longest line if not said; how many rounds a "
            "network has, one from any state if not said.",
        ),
    ] = None,
    goal: Annotated[
        str | None, typer.Option(metavar="SCORE", help="What the first role is to get at least; the best if not said.")
    ] = None,
    encoding: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="How it is said: unary, premise, index, rank, symmetry, thesis or layers; in a program also stones or "
            "network.",
        ),
    ] = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = 2048,
    node_limit: NodeLimit = None,
) -> int:
    """Writes a game, a formula or a program in another form: `graph`, `qcir`, `qdimacs`, `qlp`, `lp`, `mps`, `sum`,
    `network`, `xcsp`.

    `graph` is every reachable position and move of a game, as one JSON object. "nodes" is a list of {"key", "turn",
    "result"}: the position as text, the role to move ("chance" where chance does, null where the game is over), and
    the score of each role as exact numbers (null where it is not over). "edges" is a list of {"from", "to", "move"},
    numbers of nodes and the move as people write it, with "probability" where chance moves; edges of a node are in
    the order of its moves. Play begins at node 0. "roles" and "endless" (the scores of play that never ends)
    complete the game.

    `qcir` and `qdimacs` are quantified Boolean formulas, true exactly if the first role can get at least --goal within
    --horizon plies. The first lines, comments, say how its variables are read. A target that is a formula is written
    in the other format. Exit status 3 if a limit came first.

    `qlp` is a quantified program. Of a formula it is feasible exactly if that is true. Of a game up to --horizon plies
    it is feasible if the first role wins, or its value is the first role's score; the first lines, comments, say so.
    `lp` and `mps` are a program's deterministic equivalent, an ordinary mixed integer program with the same value, in
    which every line of play of the universal player is written out.

    `sum` is, of a formula, a sum of games of depth 2 that Left, moving first, wins exactly if the formula is true; with
    --encoding thesis its clauses are brought to three literals first. The target partition:3,1,1,2 asks instead
    whether these numbers part into halves of equal sum. Comments in the text say how it is read.

    `network` is a rulesheet as a stochastic constraint network, in JSON: one round from any state, or --horizon rounds
    from the start. `xcsp` is its hard constraints as XCSP3, for other solvers to count or enumerate; the target may be
    a network too.
    """
    limits = limits_of(time_limit, memory_limit, node_limit)
    if output is not None:
        need_writable(output, to.value)
    with redirect_stdout(sys.stderr), within(limits):
        if to in PROGRAMS:
            if goal is not None:
                raise InputError("--goal is for formulas: of a program the score is the objective")
            text = _program_text(target, to, horizon, encoding, limits)
        elif to is Form.GRAPH:
            if any(option is not None for option in (horizon, goal, encoding)):
                raise InputError("--horizon, --goal and --encoding are for formulas")
            text = _graph_text(load_game(target, limits), limits, target)
        elif to in NETWORKS:
            if goal is not None or encoding is not None:
                raise InputError("--goal and --encoding are for formulas and programs", file=target)
            text = _network_text(target, to, horizon, limits)
        elif to is Form.SUM:
            if horizon is not None or goal is not None:
                raise InputError("--horizon and --goal are for games: a sum is made of a formula", file=target)
            text = _sum_text(target, encoding, limits)
        else:
            text = _formula_text(load_game(target, limits), to, target, horizon, goal, encoding, limits)
    if output is None:
        print(text, end="")
    else:
        write_text(output, text)
    return 0


def _graph_text(game: Game, limits: Limits, target: str) -> str:
    from zermelo.encode.graph import graph_of
    from zermelo.encode.graphjson import graph_json

    return json.dumps(graph_json(game, graph_of(game, limits), target), separators=(",", ":")) + "\n"


def _network_text(target: str, to: Form, horizon: int | None, limits: Limits) -> str:
    from zermelo.scsp.jsonform import read_network, write_network
    from zermelo.scsp.xcsp import write_xcsp

    if target.lower().endswith(".json"):
        if horizon is not None:
            raise InputError("--horizon is for games", file=target)
        network = read_network(target)
    else:
        network = _network_of_game(load_game(target, limits), target, horizon, limits)
    return write_network(network) if to is Form.NETWORK else write_xcsp(network)


def _network_of_game(game: Game, target: str, horizon: int | None, limits: Limits) -> Network:
    from zermelo.encode.scsp import micro_network, staged_network
    from zermelo.gdl.game import RulesheetGame

    if not isinstance(game, RulesheetGame):
        raise InputError("no rulesheet: a network is made of the rules of a game, as in gdl:tictactoe", file=target)
    if game.hidden_information:
        raise NotApplicableError("some role does not see every move: networks are of games of complete information")
    game.limits = limits
    if (ground := game.ground) is None:
        raise LimitReachedError(f"{target}: the ground game is too large for the limits")
    if horizon is None:
        return micro_network(ground, limits).network
    return staged_network(ground, _plies(horizon), limits).network


def _sum_text(target: str, encoding: str | None, limits: Limits) -> str:
    from zermelo.encode.sum.text import text_of_formula, text_of_partition
    from zermelo.qbf.game import FormulaGame

    if encoding not in (None, "thesis"):
        raise InputError(f"no encoding {encoding!r} of sums, expected thesis or none", file=target)
    if target.startswith("partition:"):
        return text_of_partition(target)
    game = load_game(target, limits)
    if not isinstance(game, FormulaGame):
        raise InputError("no formula: a sum is made of a formula or of partition:3,1,1,2", file=target)
    return text_of_formula(game.written, target, three=encoding == "thesis")


def _program_text(target: str, to: Form, horizon: int | None, encoding: str | None, limits: Limits) -> str:
    from zermelo.qbf.game import FormulaGame
    from zermelo.qip.export import program_text
    from zermelo.qip.fromqbf import program_of_formula
    from zermelo.qip.game import ProgramGame

    game = load_game(target, limits)
    if isinstance(game, ProgramGame | FormulaGame):
        if horizon is not None or encoding is not None:
            raise InputError("--horizon and --encoding are for games", file=target)
        if isinstance(game, ProgramGame):
            return program_text(game.program, PROGRAMS[to])
        return program_text(program_of_formula(game.written, Path(target).stem), PROGRAMS[to])
    from zermelo.encode.qip import program_encoder

    encoder = program_encoder(game, encoding, limits)
    plies = encoder.length if horizon is None else _plies(horizon)
    if not encoder.grows and plies != encoder.length:
        raise InputError(f"--horizon {plies}: the encoding {encoder.encoding} takes the whole game", file=target)
    encoded = encoder.encode(plies)
    comments = [
        f"{target}: {game.roles[0]} (exists) against {game.roles[1]} (forall), {plies} plies",
        f"encoding: {encoder.encoding}; {encoded.meaning}",
    ]
    if horizon is None and not encoder.exact:
        comments.append(_SAMPLED.format(plies))
        print(f"zermelo: horizon {plies}, the longest of some random games", file=sys.stderr)
    text = program_text(replace(encoded.program, name=target), PROGRAMS[to])
    return "".join(f"{_COMMENT[to]} {comment}\n" for comment in comments) + text


def _plies(horizon: int) -> int:
    if horizon < 0:
        raise InputError(f"--horizon {horizon} is not a number of plies")
    return horizon


def _formula_text(
    game: Game,
    to: Form,
    target: str,
    horizon: int | None,
    goal: str | None,
    encoding: str | None,
    limits: Limits,
) -> str:
    from zermelo.qbf.game import FormulaGame

    if isinstance(game, FormulaGame):
        if any(option is not None for option in (horizon, goal, encoding)):
            raise InputError("--horizon, --goal and --encoding are for games", file=target)
        return _written(game.written, to, [])
    from zermelo.certificate import parse_score, score_text
    from zermelo.encode.qbf import Question, encoder_of, need_turns
    from zermelo.game import plain_score

    encoder = encoder_of(game, encoding, limits)
    try:
        score = encoder.scores[-1] if goal is None else plain_score(parse_score(goal))
    except ValueError as error:
        raise InputError(f"--goal: {error}") from None
    plies = encoder.length if horizon is None else _plies(horizon)
    encoded = encoder.encode(Question(plies, score))
    need_turns(encoded)
    first, second = game.roles
    comments = [
        f"{target}: {first} (exists) gets at least {score_text(score)} within {plies} plies, against {second} (forall)",
        f"encoding: {encoder.encoding}",
    ]
    if horizon is None and not encoder.exact:
        comments.append(_SAMPLED.format(plies))
        print(f"zermelo: horizon {plies}, the longest of some random games", file=sys.stderr)
    return _written(encoded.formula, to, comments)


def _written(formula: Formula, to: Form, comments: list[str]) -> str:
    if to is Form.QCIR:
        from zermelo.qbf.qcir import write_qcir

        head, rest = write_qcir(formula).split("\n", 1)
        return "\n".join([head, *(f"# {comment}" for comment in comments), rest])
    from zermelo.qbf.qdimacs import write_qdimacs

    return "".join(f"c {comment}\n" for comment in comments) + write_qdimacs(formula, comments=True)
