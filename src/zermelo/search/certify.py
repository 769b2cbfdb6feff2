"""Writes a kernel's strategy down in the words of the game's own rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from zermelo import _native
from zermelo.certificate import Claim
from zermelo.errors import AmbiguousMoveError, GameError, IllegalMoveError, LimitReachedError
from zermelo.game import Game, Role, Score
from zermelo.kernel_thread import control_for, run_native
from zermelo.layers_played import LayeredTable
from zermelo.limits import Limits
from zermelo.move_layers import Layers
from zermelo.progress import Watch, no_watch
from zermelo.search.proof_parts import FIRST_POSITIONS, ProofForm, layers_of, with_parts

Found = TypeVar("Found")


def claimants(game: Game, winner: Role | None, is_best: bool, is_worst: bool) -> list[int]:
    """Whose claims prove a value, the first role's (0) or the other's (1).

    A win with the best score that any end has says it all; a draw, or a puzzle that cannot be won, takes the claim that
    it is no more: which ends there are is something that only the engines have seen.
    """
    first = game.roles[0]
    if winner == first and is_best:
        return [0]
    return [1] if winner not in (first, "draw") and is_worst else [0, 1]


def claim_of(
    game: Game,
    start: Any,
    search: _native.Search,
    role: Role,
    native_bound: int,
    at_least: Score,
    limits: Limits,
    watch: Watch = no_watch,
    *,
    explored: bool,
    form: ProofForm | None = None,
) -> Claim:
    """The claim that a role gets at least a score, with the table of moves that attains it.

    ``explored``: the rules are a user's, and each move is tried whether it can be read back. ``form``: the moves are
    wanted in layers of this form where the kernel has them so, and as a table only when somebody looks.
    """
    owner = 0 if role == game.roles[0] else 1
    if form is not None and not explored:
        layers = _layers(game, search, owner, native_bound, form, limits, watch)
        if layers is not None:
            return Claim(role, at_least, LayeredTable(game, role, layers, at_least), layers=layers)
    graph = _written(lambda control: search.strategy(owner, native_bound, control), limits, watch)
    return Claim(role, at_least, table_of(game, start, graph, role, limits, explored))


def _layers(
    game: Game, search: _native.Search, owner: int, bound: int, form: ProofForm, limits: Limits, watch: Watch
) -> Layers | None:
    """The strategy in layers; ``None`` where the kernel or the game has none."""
    if form.parts == 1 and form.checkpoint is None:
        found = _written(lambda control: search.layers(owner, bound, control, form.brief), limits, watch)
        return None if found is None else layers_of(found)
    until = FIRST_POSITIONS * form.parts
    trunk = _written(lambda control: search.trunk(owner, bound, control, until), limits, watch)
    if trunk is None:
        return None
    about = f"{owner} {bound} {form.parts}"
    try:
        return with_parts(game, search, trunk, about, form, limits, watch)
    except _native.Stopped:
        if limits.stop.asked:
            raise
        raise LimitReachedError("a limit was reached while the parts of the strategy were written down") from None


def _written(write: Callable[[_native.Control], Found], limits: Limits, watch: Watch) -> Found:
    """What a kernel writes down of a strategy; ``LimitReachedError`` where it does not get to the end."""
    control = control_for(limits)
    try:
        return run_native("strategy", write, control, watch)
    except _native.Stopped:
        if control.cause == "interrupt":
            raise
        raise LimitReachedError(f"the {control.cause} limit was reached while the strategy was written down") from None


def table_of(
    game: Game, start: Any, graph: _native.StrategyGraph, role: Role, limits: Limits, explored: bool
) -> dict[str, tuple[str, int | None]]:
    """Replays a native strategy graph with the Python rules: position keys, move texts, ranks."""
    ranked = graph.ranked
    first_edge, edge_move, edge_target, rank = graph.take()
    positions: list[Any] = [None] * (len(first_edge) - 1)
    positions[0] = start
    table: dict[str, tuple[str, int | None]] = {}
    for node, position in enumerate(positions):
        if node % 1024 == 0 and limits.expired():
            raise LimitReachedError("the time limit was reached while the strategy was written down")
        begin, end = first_edge[node], first_edge[node + 1]
        if begin == end:
            continue
        moves = game.moves(position)
        if game.turn(position) == role:
            move = moves[edge_move[begin]]
            text = game.move_text(move)
            if explored:
                need_own_text(game, position, move, text)
            table[game.key(position)] = (text, rank[node] if ranked else None)
        for edge in range(begin, end):
            if positions[edge_target[edge]] is None:
                positions[edge_target[edge]] = game.play(position, moves[edge_move[edge]])
    return table


def need_own_text(game: Game, position: Any, move: Any, text: str) -> None:
    """Raises ``GameError`` if the move's text does not lead back to it: nobody could read it off a certificate."""
    try:
        found = game.parse_move(position, text)
    except (AmbiguousMoveError, IllegalMoveError) as error:
        raise GameError(
            f"a move written {text!r} cannot be read back ({error}): see move_text and parse_move"
        ) from None
    if found != move:
        raise GameError(f"a move written {text!r} is read back as another: see move_text and parse_move")
