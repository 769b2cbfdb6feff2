"""A ground game written out position by position and solved: small games that the search kernels refuse.

Those want a reason why positions never repeat, which many rulesheets do not show (heaps that shrink, tokens that walk
about). Here every position is visited once and retrograde analysis says who wins, repetitions or not. Games of chance
get their exact expected scores by backward induction.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Protocol

import numpy as np

from zermelo import _native
from zermelo.errors import NotApplicableError
from zermelo.gdl.ground import GroundReasoner
from zermelo.gdl.syntax import RANDOM
from zermelo.graph import CHANCE_TURN
from zermelo.search.expectation import expected_values

MAX_POSITIONS = 100_000
"""Larger games are not written out."""
MAX_CHANCE_POSITIONS = 50_000
"""Larger games of chance are not: fractions take longer than labels."""


Hear = Callable[[_native.Control], object]
"""Told of the control of native work that is about to begin, so that somebody else can stop it."""


def _unheard(control: _native.Control) -> None:
    del control


class Solved(Protocol):
    """A game solved everywhere; ``least`` and ``most`` are what the first player gets at the worst and best end."""

    least: int
    most: int

    def best(self, state: bytes) -> tuple[int, int | Fraction] | None: ...


def solved_everywhere(
    game: GroundReasoner,
    seconds: float,
    visit: Callable[[], None] | None = None,
    most: int = MAX_POSITIONS,
    hear: Hear = _unheard,
) -> Solved:
    """The game written out, with chance or without, within some seconds; ``visit`` may raise an error to stop it.

    Games of more than ``most`` positions are not written out.
    """
    if RANDOM in game.roles:
        return Expected(game, seconds, visit, most, hear)
    return Explored(game, seconds, most, hear)


class Explored:
    """All positions of a game of one role, or of two whose scores add up to the same at every end, without chance.

    Other games raise :class:`_native.NotSearchable`, larger ones :class:`_native.Stopped`.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> game = ground(rulesheet("nim", "1,2"))
    >>> explored = Explored(game, 10.0)
    >>> move, value = explored.best(game.native.start())
    >>> game.moves[game.native.legal(game.native.start(), 0)[move]], value, explored.least, explored.most
    ('(take b 1)', 100, 0, 100)
    """

    def __init__(self, game: GroundReasoner, seconds: float, most: int = MAX_POSITIONS, hear: Hear = _unheard):
        self.roles = len(game.roles)
        if self.roles > 2 or RANDOM in game.roles:
            raise _native.NotSearchable("more than two roles, or chance")
        control = _native.Control(seconds, min(most, MAX_POSITIONS))
        hear(control)
        expansion = game.native.expand(control)
        nodes = expansion.nodes
        self._node = {expansion.state(node): node for node in range(nodes)}
        self._first_edge, self._target, self._turn, ends, scores = expansion.take()
        table = scores.reshape(-1, self.roles)
        totals = set(table.sum(axis=1).tolist())
        if not len(ends) or (self.roles == 2 and len(totals) > 1):
            raise _native.NotSearchable("no end, or scores that do not add up to the same number at every end")
        firsts = table[:, 0]
        self.least, self.most = int(firsts.min()), int(firsts.max())
        self._score = np.zeros(nodes, np.int32)
        self._score[ends] = firsts

    def best(self, state: bytes) -> tuple[int, int] | None:
        """The number of a best move among the legal ones and the first role's score after it, if that is certain.

        Play without end counts as the middle between the best and the worst end.
        """
        node = self._node.get(state)
        if node is None:
            return None
        native = _native.graph(
            self._first_edge,
            self._target,
            self._turn,
            self._score,
            self.least,
            self.most,
            (self.least + self.most) // 2,
            node,
            self.roles,
            np.zeros(len(self._score) * self.roles),
            np.zeros(0, np.float64),
        )
        outcome = native.search("dp", _native.SearchParams()).solve(_native.Control())
        return (outcome.move, outcome.lower) if outcome.solved and outcome.move >= 0 else None


class Expected:
    """All positions of a game of chance in which every game ends, for one player or for two whose scores add up.

    Other games raise :class:`_native.NotSearchable`, larger ones :class:`_native.Stopped`.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> game = ground(rulesheet("orchard", "1,2,2"))
    >>> Expected(game, 10.0).most
    100
    """

    def __init__(
        self,
        game: GroundReasoner,
        seconds: float,
        visit: Callable[[], None] | None = None,
        most: int = MAX_CHANCE_POSITIONS,
        hear: Hear = _unheard,
    ):
        self.players = len(game.roles) - 1
        if self.players not in (1, 2):
            raise _native.NotSearchable("more than two players, or none")
        control = _native.Control(seconds, min(most, MAX_CHANCE_POSITIONS))
        hear(control)
        expansion = game.native.expand(control)
        nodes = expansion.nodes
        self._node = {expansion.state(node): node for node in range(nodes) if expansion.pending(node) < 0}
        rows, targets, turns, ends, scores = expansion.take()
        table = scores.reshape(-1, self.players)
        if not len(ends) or len(set(table.sum(axis=1).tolist())) > (1 if self.players == 2 else len(ends)):
            raise _native.NotSearchable("no end, or scores that do not add up to the same number at every end")
        firsts = table[:, 0].tolist()
        self.least, self.most = min(firsts), max(firsts)
        first_edge, target, turn = rows.tolist(), targets.tolist(), turns.tolist()
        score = [Fraction(0)] * nodes
        for node, first in zip(ends.tolist(), firsts, strict=True):
            score[node] = Fraction(first)
        probability = [Fraction(0)] * len(target)
        for node in range(nodes):
            if turn[node] == CHANCE_TURN:
                row = slice(first_edge[node], first_edge[node + 1])
                probability[row] = [Fraction(1, row.stop - row.start)] * (row.stop - row.start)
        try:
            self._values, self._edges = expected_values(first_edge, target, turn, score, probability, visit=visit)
        except NotApplicableError as error:
            raise _native.NotSearchable(str(error)) from None
        self._first_edge = first_edge

    def best(self, state: bytes) -> tuple[int, Fraction] | None:
        """The number of a best move among the legal ones and the first player's expected score after it."""
        node = self._node.get(state)
        if node is None or self._edges[node] < 0:
            return None
        return self._edges[node] - self._first_edge[node], self._values[node]
