"""Writes down what backward induction found, in the words of the game: claims that the checker can check.

Of two opposed roles, or one alone, each has a claim of its own: what it can expect whatever the other does
(``expectation``). Roles with interests of their own have one together: what they get in an equilibrium
(``equilibrium``), which nobody could be sure of alone. ``docs/certificates.md`` describes both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from zermelo.certificate import Claim, score_text
from zermelo.errors import GameError, LimitReachedError
from zermelo.game import NOBODY, Game, Score, plain_score
from zermelo.graph import AT_ONCE_TURN, CHANCE_TURN, OVER_TURN, GameGraph
from zermelo.limits import Limits
from zermelo.search.certify import need_own_text
from zermelo.search.induction.payoffs import Payoffs, Vector

Said = str | dict[str, str]
"""A move, or moves with their chances."""


def expectation_claim(game: Game, graph: GameGraph, found: Payoffs, owner: int, limits: Limits) -> Claim:
    """What a role can expect: in a game of one role, the second owner is nobody, who says that it cannot be more."""
    alone = len(game.roles) == 1
    role = (*game.roles, NOBODY)[owner]

    def bound(node: int) -> Score:
        return -found.values[node][0] if alone and owner else found.values[node][owner]

    table: dict[str, list[Any]] = {}
    mover = None if alone and owner else owner
    for node, position in _met(graph, found, mover, limits):
        turn = graph.turn[node]
        if turn != OVER_TURN:
            entry = table[game.key(position)] = [score_text(bound(node))]
            if mover is not None and mover in _movers(graph, node):
                entry.append(_said(game, graph, found, node, position)[_movers(graph, node).index(mover)])
    return Claim(role, plain_score(bound(0)), rule="expectation", data={"positions": table})


def equilibrium_claim(game: Game, graph: GameGraph, found: Payoffs, ties: str, limits: Limits) -> Claim:
    """What all roles get, and what each plays wherever it may have to move."""
    numbers: dict[Vector, int] = {}
    table: dict[str, list[Any]] = {}
    for node, position in _met(graph, found, None, limits):
        turn = graph.turn[node]
        if turn != OVER_TURN:
            number = numbers.setdefault(found.values[node], len(numbers))
            said: list[Said] = [] if turn == CHANCE_TURN else _said(game, graph, found, node, position)
            table[game.key(position)] = [number, None if not said else said if turn == AT_ONCE_TURN else said[0]]
    data = {
        "roles": list(game.roles),
        "values": _texts(found.values[0]),
        "ties": "any" if graph.together else ties,
        "vectors": [_texts(vector) for vector in numbers],
        "positions": table,
    }
    value = plain_score(found.values[0][0])
    return Claim(game.roles[0], value, rule="equilibrium", data=data, play="equilibrium")


def _texts(vector: Vector) -> list[str]:
    return [score_text(score) for score in vector]


def _movers(graph: GameGraph, node: int) -> tuple[int, ...]:
    turn = graph.turn[node]
    if turn in (OVER_TURN, CHANCE_TURN):
        return ()
    return graph.together[node][0] if turn == AT_ONCE_TURN else (turn,)


def _met(graph: GameGraph, found: Payoffs, owner: int | None, limits: Limits) -> Iterator[tuple[int, Any]]:
    """Every node that can be met if one role plays as was found, or nobody does, with its position."""
    seen, todo = bytearray(len(graph.turn)), [0]
    seen[0] = 1
    for count, node in enumerate(todo):
        if count % 1024 == 0 and limits.expired():
            raise LimitReachedError("the time limit was reached while the strategy was written down")
        yield node, graph.positions[node]
        for edge in _edges(graph, found, owner, node):
            child = graph.target[edge]
            if not seen[child]:
                seen[child] = 1
                todo.append(child)


def _edges(graph: GameGraph, found: Payoffs, owner: int | None, node: int) -> Sequence[int]:
    """The edges that may be taken."""
    row = range(graph.first_edge[node], graph.first_edge[node + 1])
    if graph.turn[node] == CHANCE_TURN:
        return [edge for edge in row if graph.probability[edge]]
    movers = _movers(graph, node)
    if owner is None or owner not in movers:
        return row
    if graph.turn[node] != AT_ONCE_TURN:
        return (found.edges[node],)
    place = movers.index(owner)
    chances = found.mixtures[node][place]
    joint = product(*map(range, graph.together[node][1]))
    return [edge for edge, places in zip(row, joint, strict=True) if chances[places[place]]]


def _said(game: Game, graph: GameGraph, found: Payoffs, node: int, position: Any) -> list[Said]:
    """What each mover plays."""
    if graph.turn[node] != AT_ONCE_TURN:
        move = game.moves(position)[found.edges[node] - graph.first_edge[node]]
        text = game.move_text(move)
        need_own_text(game, position, move, text)
        return [text]
    movers = graph.together[node][0]
    return [
        mixture_text(game, position, game.roles[mover], chances)
        for mover, chances in zip(movers, found.mixtures[node], strict=True)
    ]


def mixture_text(game: Game, position: Any, role: str, chances: Sequence[Fraction]) -> dict[str, str]:
    """The moves of a role that it plays at all, each with its chance."""
    moves = [game.move_text(move) for move in game.moves_of(position, role)]
    if len(set(moves)) < len(moves):
        raise GameError(f"two moves of {role} are written alike: see move_text")
    return {move: score_text(chance) for move, chance in zip(moves, chances, strict=True) if chance}
