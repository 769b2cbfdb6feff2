"""A game made ready for the native kernels: its own native twin, or its explicit graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo import _native
from zermelo.brief import introduced
from zermelo.errors import GameError, NotApplicableError
from zermelo.game import Game, Score, plain_score
from zermelo.graph import GameGraph, graph_of
from zermelo.limits import Limits


def too_many_roles(roles: int) -> str:
    """Why kernels that know one score and its opposite do not take a game.

    >>> too_many_roles(3)
    'it has 3 roles: only induction, maxn and uct take it'
    """
    return f"it has {roles} roles: only induction, maxn and uct take it"


@dataclass(frozen=True)
class Problem:
    """What an engine works on. ``scores[i]`` is the exact score that the kernels know as the whole number ``i``."""

    game: Game
    native: _native.Game
    scores: tuple[Score, ...] | None  # None: the kernels use the scores themselves
    total: Score  # what the scores of all roles add up to, at every end
    graph: GameGraph | None
    start: Any
    zero_sum: bool = True

    def __repr__(self) -> str:
        where = "native" if self.graph is None else repr(self.graph)
        return introduced(self, repr(self.game), where)

    def exact(self, native_score: int) -> Score:
        """The score that a kernel's whole number stands for."""
        if self.scores is None:
            return native_score
        return self.scores[min(max(native_score, 0), len(self.scores) - 1)]

    def between(self, native_score: float) -> float:
        """The score that a number between the kernel's whole ones stands for, on the straight line between theirs.

        >>> from zermelo.game import Game, win_for
        >>> class Turn(Game):
        ...     def start(self): return 0
        ...     def turn(self, position): return "first"
        ...     def moves(self, position): return [1, 2]
        ...     def play(self, position, move): return move
        ...     def result(self, position): return win_for(position - 1) if position else None
        >>> problem_of(Turn(), Limits()).between(0.5)
        -0.5
        """
        if self.scores is None:
            return native_score
        import numpy as np

        return float(np.interp(native_score, range(len(self.scores)), [float(score) for score in self.scores]))

    def after(self, index: int) -> Problem:
        """The problem after the move at a place in the list of legal moves."""
        move = self.game.moves(self.start)[index]
        position = self.game.play(self.start, move)
        return Problem(
            self.game, self.native.after(index), self.scores, self.total, self.graph, position, self.zero_sum
        )

    @property
    def has_chance(self) -> bool:
        """Whether chance moves anywhere."""
        return self.graph is not None and self.graph.has_chance

    def why_not_exact(self) -> str | None:
        """Why two-player kernels cannot take the game; ``None`` if they can."""
        if self.has_chance:
            return "chance moves: only dp, induction and uct take it"
        if len(self.game.roles) > 2:
            return too_many_roles(len(self.game.roles))
        if not self.zero_sum:
            return "the scores of its two roles do not always add up to the same number: only induction and uct take it"
        return None


def problem_of(
    game: Game, limits: Limits, visit: Callable[[int], None] = lambda count: None, into: GameGraph | None = None
) -> Problem:
    """Makes a game ready for search: natively where it has a native twin, else by exploring it once.

    ``into`` is as in :func:`~zermelo.graph.graph_of`.

    >>> from zermelo.games import make_game
    >>> problem_of(make_game("nim:2,1"), Limits()).why_not_exact() is None
    True
    """
    native = native_twin(game)
    if native is not None:
        return Problem(game, native, None, game.total, None, game.start())
    return problem_of_graph(game, graph_of(game, limits, visit, into))


def native_twin(game: Game) -> _native.Game | None:
    """The game's native twin, unless it has refused.

    >>> from zermelo.games import make_game
    >>> native_twin(make_game("geography:random:3,1,1")) is None, native_twin(make_game("nim:1")) is None
    (False, False)
    """
    if game.hidden_information:
        raise NotApplicableError("some role does not see every move: exact search takes games of complete information")
    return None if game.native_refused else game.native()


def problem_of_graph(game: Game, graph: GameGraph) -> Problem:
    """The problem that an explicit graph states."""
    import numpy as np  # here, since a game with native rules does without

    if not graph.results and game.endless is None and len(game.roles) > 2:
        raise GameError("the game has no end")
    endless = game.endless or (0,) * len(game.roles)
    totals = {sum(scores, Fraction(0)) for scores in graph.results.values()}
    zero_sum = len(game.roles) == 1 or len(totals) <= 1
    # A game without any end is all endless play.
    total = Fraction(0) if len(game.roles) == 1 else next(iter(totals), sum(endless, Fraction(0)))
    firsts = {Fraction(scores[0]) for scores in graph.results.values()}
    scores = tuple(sorted(firsts | {Fraction(endless[0])}))
    rank = {score: number for number, score in enumerate(scores)}
    nodes = len(graph.positions)
    score = np.zeros(nodes, np.int32)
    utility = np.zeros(nodes * len(game.roles), np.float64)
    for node, result in graph.results.items():
        score[node] = rank[Fraction(result[0])]
        for role, value in enumerate(result):
            utility[node * len(game.roles) + role] = _sample(value)
    probability = np.zeros(len(graph.target) if graph.probability else 0, np.float64)
    for edge, weight in graph.probability.items():
        probability[edge] = float(weight)
    ends = [rank[first] for first in firsts]
    native = _native.graph(
        np.frombuffer(graph.first_edge, np.uint64),
        np.frombuffer(graph.target, np.uint32) if len(graph.target) else np.zeros(0, np.uint32),
        np.frombuffer(bytes(graph.turn), np.uint8),
        score,
        min(ends, default=0),
        max(ends, default=0),
        rank[Fraction(endless[0])],
        0,
        len(game.roles),
        utility,
        probability,
    )
    if not native.acyclic and len(game.roles) == 2 and zero_sum and graph.results and total != sum(endless):
        raise GameError(f"positions repeat, so `endless` must say two scores that add up to {total}")
    return Problem(
        game,
        native,
        tuple(plain_score(s) for s in scores),
        plain_score(total),
        graph,
        graph.positions[0],
        zero_sum,
    )


def _sample(score: Score) -> float:
    """The score as UCT averages it: only there are numbers rounded, and only there do they have an end."""
    try:
        return float(score)
    except OverflowError:
        return 1e300 if score > 0 else -1e300
