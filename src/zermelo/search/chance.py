"""Games of chance: the exact expectation under best play."""

from __future__ import annotations

from fractions import Fraction
from time import monotonic
from typing import Any

from zermelo.certificate import Certificate, Claim
from zermelo.encode.graph import CHANCE_TURN, OVER_TURN, GameGraph
from zermelo.errors import LimitReachedError
from zermelo.game import NOBODY, plain_score, winner_of
from zermelo.limits import Limits
from zermelo.search.certify import need_own_text
from zermelo.search.expectation import expected_values
from zermelo.search.problem import Problem
from zermelo.solution import Solution


def solve_chance(problem: Problem, target: str, limits: Limits) -> Solution:
    """Solves an explored game of chance; both roles' tables are the certificate."""
    game, graph = problem.game, problem.graph
    assert graph is not None
    nodes, visited = len(graph.turn), 0

    def visit() -> None:
        nonlocal visited
        visited += 1
        if visited % 1024 == 0 and limits.expired():
            raise LimitReachedError(f"the time limit was reached after {visited} of {nodes} positions")

    began = monotonic()
    scores = [
        Fraction(graph.results[node][0]) if node in graph.results else Fraction(0) for node in range(len(graph.turn))
    ]
    values, choice = expected_values(graph.first_edge, graph.target, graph.turn, scores, graph.probability, visit=visit)
    value = plain_score(values[0])
    heights = _heights(graph)
    claims = tuple(
        Claim(
            role,
            plain_score(value if number == 0 else Fraction(problem.total) - value),
            _table(problem, number, choice, heights),
        )
        for number, role in enumerate((*game.roles, NOBODY)[:2])
    )
    root_moves = [] if graph.turn[0] in (OVER_TURN, CHANCE_TURN) else list(game.moves(problem.start))
    edges = range(graph.first_edge[0], graph.first_edge[1])
    move = root_moves[choice[0] - graph.first_edge[0]] if root_moves else None
    return Solution(
        target=target,
        game=game,
        engine="dp",
        status="solved",
        value=value,
        bounds=(value, value),
        winner=winner_of(game, value, problem.total),
        move=move,
        line=() if move is None else (move,),
        move_values={
            game.move_text(m): plain_score(values[graph.target[edge]])
            for m, edge in zip(root_moves, edges, strict=False)
        },
        certificate=Certificate(target, claims),
        stats={
            "seconds": round(monotonic() - began, 6),
            "nodes": len(graph.turn),
            "positions": len(graph.turn),
            "expected": True,
        },
    )


def _heights(graph: GameGraph) -> list[int]:
    """The longest distance to an end from every node of an acyclic graph, without recursion."""
    heights = [-1] * len(graph.turn)
    stack = [0]
    while stack:
        node = stack[-1]
        children = graph.target[graph.first_edge[node] : graph.first_edge[node + 1]]
        open_children = [child for child in children if heights[child] < 0]
        if open_children:
            stack.extend(open_children)
        else:
            heights[node] = 1 + max((heights[child] for child in children), default=-1)
            stack.pop()
    return heights


def _table(problem: Problem, role: int, choice: Any, heights: list[int]) -> dict[str, tuple[str, int | None]]:
    """The role's moves in the positions its own play can lead to."""
    game, graph = problem.game, problem.graph
    assert graph is not None
    table: dict[str, tuple[str, int | None]] = {}
    seen, todo = {0}, [0]
    while todo:
        node = todo.pop()
        position = graph.positions[node]
        edges = range(graph.first_edge[node], graph.first_edge[node + 1])
        if graph.turn[node] == role:
            edges = range(choice[node], choice[node] + 1)
            move = game.moves(position)[choice[node] - graph.first_edge[node]]
            text = game.move_text(move)
            need_own_text(game, position, move, text)
            table[game.key(position)] = (text, heights[node])
        for edge in edges:
            if graph.target[edge] not in seen:
                seen.add(graph.target[edge])
                todo.append(graph.target[edge])
    return table
