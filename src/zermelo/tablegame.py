"""Games written out as tables: for every node whose turn it is, where its moves lead, or the score of an end.

Any finite game can be stated so. Random games are drawn in this form, and so is a game written down on which engines
disagree.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from fractions import Fraction
from itertools import product
from typing import Any

from zermelo.game import CHANCE, Game, Score
from zermelo.graph import AT_ONCE_TURN, CHANCE_TURN, GameGraph

Turn = str | tuple[str, ...]


@dataclass(frozen=True)
class TableGame(Game):
    """A game as a table; node 0 is the start, a move is its place in the row of its node.

    ``scores`` has ``None`` where the game is not over, else the score of each role, or the first role's alone: both
    scores of such an end add up to ``total``. Where several roles move at once, ``sizes`` has how many moves each of
    them has, and the row has a node for each combination; the last one's moves change fastest.

    >>> game = TableGame(("first", "second", "second"), ((1, 2), (), ()), (None, 1, -1))
    >>> game.moves(0), game.result(1)
    ([0, 1], (1, -1))
    >>> pennies = TableGame(
    ...     (("even", "odd"), "even", "even"), ((1, 2, 2, 1), (), ()), (None, 1, -1), (), ("even", "odd"),
    ...     sizes=((2, 2), (), ())
    ... )
    >>> pennies.moves(0), pennies.play(0, (1, 0))
    ([(0, 0), (0, 1), (1, 0), (1, 1)], 2)
    """

    turns: tuple[Turn, ...]
    successors: tuple[tuple[int, ...], ...]
    scores: tuple[Score | tuple[Score, ...] | None, ...]
    weights: tuple[tuple[Fraction, ...], ...] = ()
    roles: tuple[str, ...] = ("first", "second")
    total: Score = 0
    endless: tuple[Score, ...] | None = None
    sizes: tuple[tuple[int, ...], ...] = ()
    score_sum: tuple[Score, Score] | None = None

    def start(self) -> int:
        return 0

    def turn(self, position: int) -> Turn:
        return self.turns[position]

    def moves(self, position: int) -> list[Any]:
        if isinstance(self.turns[position], tuple):
            return list(product(*map(range, self.sizes[position])))
        return list(range(len(self.successors[position])))

    def moves_of(self, position: int, role: str) -> list[int]:
        turn = self.turns[position]
        if isinstance(turn, tuple):
            return list(range(self.sizes[position][turn.index(role)]))
        return self.moves(position)

    def play(self, position: int, move: Any) -> int:
        row = self.successors[position]
        if not isinstance(move, tuple):
            return row[int(move)]
        place = 0
        for part, size in zip(move, self.sizes[position], strict=True):
            place = place * size + part
        return row[place]

    def result(self, position: int) -> tuple[Score, ...] | None:
        score = self.scores[position]
        if isinstance(score, tuple):
            return score
        return None if score is None else (score, self.total - score)[: len(self.roles)]

    def chances(self, position: int) -> list[tuple[int, Fraction]]:
        return list(enumerate(self.weights[position]))


def table_of(game: Game, graph: GameGraph) -> TableGame:
    """The table of a game that was explored.

    >>> from zermelo.games import make_game
    >>> from zermelo.graph import graph_of
    >>> from zermelo.limits import Limits
    >>> game = make_game("nim:2")
    >>> len(table_of(game, graph_of(game, Limits())).turns)
    4
    """
    count = graph.rows
    rows = [tuple(graph.target[graph.first_edge[node] : graph.first_edge[node + 1]]) for node in range(count)]
    weights = [
        tuple(graph.probability[edge] for edge in range(graph.first_edge[node], graph.first_edge[node + 1]))
        if graph.turn[node] == CHANCE_TURN and rows[node]
        else ()
        for node in range(count)
    ]
    ends = [graph.results.get(node) for node in range(count)]
    totals = {sum(end) for end in ends if end is not None}
    opposed = len(game.roles) == 1 or (len(game.roles) == 2 and len(totals) <= 1)
    return TableGame(
        tuple(_turn(game, graph, node) for node in range(count)),
        tuple(rows),
        tuple(None if end is None else end[0] if opposed else end for end in ends),
        tuple(weights),
        tuple(game.roles),
        next(iter(totals), 0) if opposed and len(game.roles) == 2 else 0,
        game.endless,
        tuple(graph.together[node][1] if node in graph.together else () for node in range(count))
        if graph.together
        else (),
        game.score_sum,
    )


def _turn(game: Game, graph: GameGraph, node: int) -> Turn:
    """Who moves at a node; anybody where the game is over."""
    turn = graph.turn[node]
    if turn == AT_ONCE_TURN:
        return tuple(game.roles[role] for role in graph.together[node][0])
    return CHANCE if turn == CHANCE_TURN else game.roles[min(turn, len(game.roles) - 1)]


def reachable(game: TableGame) -> TableGame:
    """The game on the nodes that play can reach, numbered anew.

    >>> reachable(TableGame(("first", "first", "first"), ((2,), (), ()), (None, 1, 0))).scores
    (None, 0)
    """
    seen, todo = {0}, [0]
    while todo:
        for child in game.successors[todo.pop()]:
            if child not in seen:
                seen.add(child)
                todo.append(child)
    nodes = sorted(seen)
    number = {node: place for place, node in enumerate(nodes)}
    weights = game.weights or tuple(() for _ in game.turns)
    return replace(
        game,
        turns=tuple(game.turns[node] for node in nodes),
        successors=tuple(tuple(number[child] for child in game.successors[node]) for node in nodes),
        scores=tuple(game.scores[node] for node in nodes),
        weights=tuple(weights[node] for node in nodes),
        sizes=tuple(game.sizes[node] for node in nodes) if game.sizes else (),
    )


def python_source(game: TableGame, name: str, remark: str) -> str:
    """A Python file that states the game as a class.

    >>> print(python_source(TableGame(("first",), ((),), (1,)), "Won", "a win").splitlines()[-1])
            super().__init__(turns=('first',), successors=((),), scores=(1,))
    """
    lines = [f'"""{remark}"""', "", "from fractions import Fraction", "", "from zermelo.tablegame import TableGame", ""]
    stated = [f"{each.name}={getattr(game, each.name)!r}" for each in fields(game)
              if getattr(game, each.name) != each.default]  # fmt: skip
    lines += ["", f"class {name}(TableGame):", "    def __init__(self) -> None:"]
    return "\n".join([*lines, f"        super().__init__({', '.join(stated)})", ""])
