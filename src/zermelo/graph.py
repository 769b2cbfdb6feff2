"""A game as an explicit graph: every reachable position is visited once and becomes a number."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from zermelo.brief import counted, introduced
from zermelo.errors import GameError, LimitReachedError, NotApplicableError
from zermelo.game import CHANCE, Game, Score
from zermelo.limits import Limits, memory_watch
from zermelo.watchdog import watchdog

if TYPE_CHECKING:
    from zermelo import _native

CHANCE_TURN = 255
OVER_TURN = 254
AT_ONCE_TURN = 253


class MovesAtOnceError(NotApplicableError):
    """A graph has one role a node, and here several have a choice."""


@dataclass(frozen=True)
class GameGraph:
    """Compressed rows: the edges of node ``i`` are ``first_edge[i]`` up to ``first_edge[i + 1]``, in move order.

    A graph whose exploration was stopped has fewer rows than positions.
    """

    positions: Sequence[Any] = field(default_factory=list)
    first_edge: array[int] = field(default_factory=lambda: array("Q", [0]))
    target: array[int] = field(default_factory=lambda: array("L" if array("L").itemsize == 4 else "I"))
    turn: bytearray = field(default_factory=bytearray)
    results: dict[int, tuple[Score, ...]] = field(default_factory=dict)
    probability: dict[int, Fraction] = field(default_factory=dict)
    together: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=dict)
    """Where several roles move at once: which ones, and how many moves each has; the last one's change fastest."""

    def __repr__(self) -> str:
        return introduced(self, counted(len(self.positions), "position"), counted(len(self.target), "edge"))

    @property
    def rows(self) -> int:
        """How many positions have been expanded: those with all their edges, the first ones."""
        return len(self.first_edge) - 1

    @property
    def has_chance(self) -> bool:
        """Whether chance moves anywhere."""
        return CHANCE_TURN in self.turn


class Growing(ABC):
    """The positions of a game of one or two roles without chance, found where a question is decided.

    ``native/search/growth.hpp`` says which position to look at next; a subclass knows the rules. ``scores`` are those
    of the first role that are known so far, and ``score_range`` what they lie between, where the rules say it.
    """

    growth: _native.Growth
    positions: Sequence[Any]
    score_range: tuple[Score, Score] | None = None

    def __init__(self, scores: Sequence[Score]) -> None:
        self.scores = list(scores)
        self._above: list[Score | None] = [None, None]
        self._latest = 1
        self.visit: Callable[[int], None] = lambda count: None
        """Hears now and then how many positions have been expanded."""

    @property
    @abstractmethod
    def total(self) -> Score:
        """What the scores of all roles add up to at every end met so far; 0 for one role."""

    @abstractmethod
    def grow(self, positions: int, widely: bool = False) -> None:
        """Finds up to so many positions, or until the question asked is answered; ``LimitReachedError`` at a limit.

        ``widely``: in the order in which they are met, whatever the question. :class:`NotGrownError` where the game
        turns out to be of another kind.
        """

    @abstractmethod
    def forget(self) -> None:
        """Lets go of the positions, where memory is short: to see what the part proves takes its edges alone."""

    def ask(self, above: Score | None) -> None:
        """From now on grows where "does the first role get more than that?" is decided; ``None``: any score will do.

        The numbers of two questions are kept.
        """
        self._latest = self._above.index(above) if above in self._above else 1 - self._latest
        self._above[self._latest] = above
        self.growth.ask(self._latest, [self._counts(self._latest, score) for score in self.scores])

    def add_score(self, score: Score) -> int:
        """The number of a score that has become known."""
        self.scores.append(score)
        self.growth.add_score(self._counts(0, score), self._counts(1, score))
        return len(self.scores) - 1

    def _counts(self, question: int, score: Score) -> bool:
        above = self._above[question]
        return above is None or score > above

    def graph(self) -> GameGraph:
        """All positions as an explicit graph, once none is open."""
        first_edge, target, turn, numbers = self.growth.rows()
        results: dict[int, tuple[Score, ...]] = {}
        for node in (turn == OVER_TURN).nonzero()[0].tolist():
            first = self.scores[numbers[node]]
            results[node] = (first,) if self.growth.roles == 1 else (first, self.total - first)
        kind = "L" if array("L").itemsize == 4 else "I"
        rows, edges = array("Q", first_edge.tobytes()), array(kind, target.tobytes())
        return GameGraph(self.positions, rows, edges, bytearray(turn.tobytes()), results)


class NotGrownError(Exception):
    """A position was met that no growing graph has: chance, several roles at once, scores that do not add up."""


def graph_of(
    game: Game,
    limits: Limits,
    visit: Callable[[int], None] = lambda count: None,
    into: GameGraph | None = None,
    *,
    at_once: bool = False,
) -> GameGraph:
    """Explores a game from its start, one call of ``moves`` and ``play`` a position.

    ``into``, an empty graph, is filled where it is given: who gave it has what was explored when a limit raises.
    Where several roles move at once, ``at_once`` says whether the graph is to have their joint moves for edges;
    else :class:`MovesAtOnceError`.

    >>> from zermelo.games import make_game
    >>> graph = graph_of(make_game("nim:1,1"), Limits())
    >>> len(graph.positions), len(graph.target)
    (4, 4)
    """
    if game.hidden_information:
        raise NotApplicableError("some role does not see every move: exact search takes games of complete information")
    if (found := game.explored(limits, visit)) is not None:
        return found
    graph = GameGraph() if into is None else into
    visited = Counter()
    game = game.explorer(limits)
    with watchdog(limits, lambda: visited.count + len(graph.positions)):
        start = game.start()
        find_endless_line(game, start, visited, limits)
        _explore(game, start, graph, limits, visit, at_once)
    return graph


def _explore(
    game: Game, start: Any, graph: GameGraph, limits: Limits, visit: Callable[[int], None], at_once: bool
) -> None:
    roles = {role: number for number, role in enumerate(game.roles)}
    positions = graph.positions
    assert isinstance(positions, list)
    index: dict[Any, int] = {start: 0}
    positions.append(start)
    # What is left of the memory is for what comes after: the graph once more, natively, and its labels.
    memory = memory_watch(limits.bytes_left() * 3 // 4)
    node = 0
    while node < len(positions):
        if node % 64 == 0 or node == limits.nodes:
            visit(node)
            if limits.expired() or memory() or node == limits.nodes:
                raise LimitReachedError(f"limit reached after {node} positions, {len(positions) - node} still to visit")
        position = positions[node]
        result = game.result(position)
        if result is not None:
            graph.turn.append(OVER_TURN)
            graph.results[node] = result
        else:
            moves = _moves(game, position, node, graph, roles, at_once)
            for move in moves:
                child = game.play(position, move)
                number = index.setdefault(child, len(positions))
                if number == len(positions):
                    positions.append(child)
                graph.target.append(number)
                if len(graph.target) % 256 == 0 and memory():
                    raise LimitReachedError(f"the memory limit was reached after {node} positions")
        graph.first_edge.append(len(graph.target))
        node += 1


def _moves(
    game: Game, position: Any, node: int, graph: GameGraph, roles: dict[str, int], at_once: bool
) -> Sequence[Any]:
    """The moves of a position that is not over; the graph takes note of who makes them, and of chances."""
    turn = game.turn(position)
    if isinstance(turn, tuple):
        if not at_once:
            raise MovesAtOnceError("several roles move at once: exact search takes games in which one moves at a time")
        graph.turn.append(AT_ONCE_TURN)
        choices = [game.moves_of(position, role) for role in turn]
        graph.together[node] = tuple(roles[role] for role in turn), tuple(map(len, choices))
        return list(product(*choices))
    if turn != CHANCE:
        graph.turn.append(roles[turn])
        return list(game.moves(position))
    graph.turn.append(CHANCE_TURN)
    weighted = game.chances(position)
    for offset, (_, weight) in enumerate(weighted):
        graph.probability[len(graph.target) + offset] = weight
    return [outcome for outcome, _ in weighted]


class Counter:
    """Positions met so far, for the watchdog."""

    count = 0


def find_endless_line(game: Game, start: Any, visited: Counter, limits: Limits) -> None:
    """Follows three lines of play (first moves, last moves, random ones): each must end or repeat a position.

    Whether a game ends is undecidable for rules written as a program; a line longer than ``game.longest`` that
    never repeats is reported as what it most likely is, a game that never ends.
    """
    chooser, memory = random.Random(1), memory_watch(limits.memory)
    for choose in (lambda moves: moves[0], lambda moves: moves[-1], chooser.choice):
        position, seen = start, {start}
        while game.result(position) is None and isinstance(game.turn(position), str):
            if game.turn(position) == CHANCE:
                moves = [outcome for outcome, _ in game.chances(position)]
            else:
                moves = list(game.moves(position))
            position = game.play(position, choose(moves))
            if position in seen:
                break
            seen.add(position)
            visited.count += 1
            # Positions may be large: a thousand of them unseen would be too many.
            if len(seen) % 16 == 0 and memory():
                raise LimitReachedError(f"the memory limit was reached after {visited.count} moves along a line")
            if len(seen) > game.longest:
                raise GameError(
                    f"a line of {game.longest} moves neither ends nor repeats a position: the game never ends "
                    "(if it does, raise the attribute `longest` of its class)"
                )
