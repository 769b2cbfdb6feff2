"""Games of chance: the exact expectation under best play."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from time import monotonic
from typing import Any

from zermelo.answer import Answer
from zermelo.certificate import Claim
from zermelo.game import NOBODY, plain_score, winner_of
from zermelo.graph import CHANCE_TURN, OVER_TURN, GameGraph
from zermelo.limits import Limits
from zermelo.search.certify import need_own_text
from zermelo.search.expectation import Expectation, expected_bounds, induction
from zermelo.search.problem import Problem


def solve_chance(problem: Problem, limits: Limits) -> Answer:
    """Solves an explored game of chance; both roles' tables are the certificate.

    At the time limit or after Ctrl-C the values found until then give bounds.
    """
    game, graph = problem.game, problem.graph
    assert graph is not None
    nodes = len(graph.turn)
    began = monotonic()
    scores = [Fraction(graph.results[node][0]) if node in graph.results else Fraction(0) for node in range(nodes)]
    found, final = Expectation([Fraction(0)] * nodes, [-1] * nodes), bytearray(nodes)
    cause, steps = "none", induction(graph.first_edge, graph.target, graph.turn, scores, graph.probability, found)
    try:
        for visited, node in enumerate(steps, 1):
            final[node] = 1
            if visited % 1024 == 0 and limits.expired():
                cause = "seconds"
                break
    except KeyboardInterrupt:
        cause = "interrupt"
    if not final[0]:
        return _bounded(problem, cause, found.values, final, monotonic() - began)
    values, choice = found
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
    return Answer(
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
        claims=claims,
        stats={
            "seconds": round(monotonic() - began, 6),
            "nodes": len(graph.turn),
            "positions": len(graph.turn),
            "expected": True,
        },
    )


def _bounded(problem: Problem, cause: str, values: list[Fraction], final: bytearray, seconds: float) -> Answer:
    """What the values of some nodes prove of the start."""
    graph = problem.graph
    assert graph is not None
    results = graph.results
    ends = [Fraction(scores[0]) for scores in results.values()]
    worst, best = min(ends), max(ends)

    def known(node: int) -> Fraction | None:
        return values[node] if final[node] else Fraction(results[node][0]) if node in results else None

    lower, upper = expected_bounds(graph.first_edge, graph.target, graph.turn, graph.probability, known, (worst, best))
    assert lower is not None and upper is not None
    visited = sum(final)
    why = "interrupted" if cause == "interrupt" else "the time limit was reached"
    note = f"{why} after {visited} of {len(graph.turn)} positions"
    proved = lower > worst or upper < best
    answer = Answer(
        engine="dp",
        status="bounded" if proved else "unknown",
        bounds=(plain_score(lower), plain_score(upper)) if proved else (None, None),
        note=note,
        reached=f"{visited:,} of {len(graph.turn):,} positions",
        stopped_by=cause,
        stats={"seconds": round(seconds, 6), "nodes": visited, "positions": len(graph.turn), "expected": True},
    )
    if lower < upper:
        return answer
    value = plain_score(lower)
    winner, bounds = winner_of(problem.game, value, problem.total), (value, value)
    return replace(answer, status="solved", value=value, bounds=bounds, winner=winner, note=f"not verified: {note}")


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
