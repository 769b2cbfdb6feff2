"""A ground game written out position by position and solved: small games that the search kernels refuse.

Those want a reason why positions never repeat, which many rulesheets do not show (heaps that shrink, tokens that walk
about). Here every position is visited once and retrograde analysis says who wins, repetitions or not.
"""

from __future__ import annotations

import numpy as np

from zermelo import _native
from zermelo.gdl.ground import GroundReasoner
from zermelo.gdl.syntax import RANDOM

MAX_POSITIONS = 100_000
"""Larger games are not written out."""


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

    def __init__(self, game: GroundReasoner, seconds: float):
        self.roles = len(game.roles)
        if self.roles > 2 or RANDOM in game.roles:
            raise _native.NotSearchable("more than two roles, or chance")
        expansion = game.native.expand(_native.Control(seconds, MAX_POSITIONS))
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
