"""Games written out as tables: for every node whose turn it is, where its moves lead, or the score of an end.

Any finite game can be stated so. Random games are drawn in this form, and so is a game written down on which engines
disagree.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction

from zermelo.game import CHANCE, Game, Score
from zermelo.graph import CHANCE_TURN, GameGraph


@dataclass(frozen=True)
class TableGame(Game):
    """A game of one or two roles as a table; node 0 is the start, a move is its place in the row of its node.

    ``scores`` are the first role's, ``None`` where the game is not over; both scores of an end add up to ``total``.

    >>> game = TableGame(("first", "second", "second"), ((1, 2), (), ()), (None, 1, -1))
    >>> game.moves(0), game.result(1)
    ([0, 1], (1, -1))
    """

    turns: tuple[str, ...]
    successors: tuple[tuple[int, ...], ...]
    scores: tuple[Score | None, ...]
    weights: tuple[tuple[Fraction, ...], ...] = ()
    roles: tuple[str, ...] = ("first", "second")
    total: Score = 0
    endless: tuple[Score, ...] | None = None

    def start(self) -> int:
        return 0

    def turn(self, position: int) -> str:
        return self.turns[position]

    def moves(self, position: int) -> list[int]:
        return list(range(len(self.successors[position])))

    def play(self, position: int, move: int) -> int:
        return self.successors[position][move]

    def result(self, position: int) -> tuple[Score, ...] | None:
        score = self.scores[position]
        return None if score is None else (score, self.total - score)[: len(self.roles)]

    def chances(self, position: int) -> list[tuple[int, Fraction]]:
        return list(enumerate(self.weights[position]))


def table_of(game: Game, graph: GameGraph) -> TableGame:
    """The table of a game that was explored, of one or two roles.

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
    names = [
        CHANCE if graph.turn[node] == CHANCE_TURN else game.roles[min(graph.turn[node], len(game.roles) - 1)]
        for node in range(count)
    ]
    ends = [graph.results.get(node) for node in range(count)]
    total = next((sum(end) for end in ends if end is not None and len(game.roles) == 2), 0)
    scores = tuple(None if end is None else end[0] for end in ends)
    return TableGame(tuple(names), tuple(rows), scores, tuple(weights), tuple(game.roles), total, game.endless)


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
    return TableGame(
        tuple(game.turns[node] for node in nodes),
        tuple(tuple(number[child] for child in game.successors[node]) for node in nodes),
        tuple(game.scores[node] for node in nodes),
        tuple(weights[node] for node in nodes),
        game.roles,
        game.total,
        game.endless,
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
