"""An explicit game graph as JSON, for other programs to read."""

from __future__ import annotations

from typing import Any

from zermelo.certificate import score_text
from zermelo.game import CHANCE, Game
from zermelo.graph import CHANCE_TURN, OVER_TURN, GameGraph

FORMAT = "zermelo-graph"
VERSION = 1


def graph_json(game: Game, graph: GameGraph, target: str = "") -> dict[str, Any]:
    """Nodes with key, turn and result, edges with the text of their move; node 0 is the start.

    >>> from zermelo.graph import graph_of
    >>> from zermelo.games import make_game
    >>> from zermelo.limits import Limits
    >>> game = make_game("nim:1")
    >>> drawn = graph_json(game, graph_of(game, Limits()))
    >>> drawn["nodes"][1]
    {'key': '((0),1)', 'turn': None, 'result': ['1', '-1']}
    >>> drawn["edges"]
    [{'from': 0, 'to': 1, 'move': '0,1'}]
    """
    nodes, edges = [], []
    for node, position in enumerate(graph.positions):
        turn = graph.turn[node]
        over, chance = turn == OVER_TURN, turn == CHANCE_TURN
        nodes.append({
            "key": game.key(position),
            "turn": None if over else CHANCE if chance else game.roles[turn],
            "result": [score_text(score) for score in graph.results[node]] if over else None,
        })  # fmt: skip
        if over:
            continue
        moves = [outcome for outcome, _ in game.chances(position)] if chance else game.moves(position)
        for move, number in zip(moves, range(graph.first_edge[node], graph.first_edge[node + 1]), strict=True):
            edge: dict[str, Any] = {"from": node, "to": graph.target[number], "move": game.move_text(move)}
            if chance:
                edge["probability"] = score_text(graph.probability[number])
            edges.append(edge)
    return {
        "format": FORMAT,
        "version": VERSION,
        "target": target,
        "roles": list(game.roles),
        "endless": [score_text(score) for score in game.endless or (0,) * len(game.roles)],
        "nodes": nodes,
        "edges": edges,
    }
