"""Pirates divide gold: the eldest proposes, the others vote, and without half of the votes, his own too, he dies.

``zermelo solve examples/pirates.py:Pirates`` finds what the five of them get. Each pirate wants to live, then gold.
Whoever is indifferent may vote either way, so it matters what ties mean: ``--ties first`` has him vote yes, ``--ties
worst-for-others`` against whoever gains by his vote.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

from zermelo import Game

Position = tuple[Any, ...]
"""Who is alive, the proposal that is voted on (or none yet), the votes so far."""


class Pirates(Game):
    """Proposals share out coins among those alive. Death is worth -1, and nothing is worth more than life and gold."""

    def __init__(self, pirates: int = 5, coins: int = 3) -> None:
        self.roles = tuple("ABCDEFGHIJ"[:pirates])
        self.coins = coins

    def start(self) -> Position:
        return (0, None, ())

    def turn(self, position: Position) -> str:
        dead, proposal, votes = position
        return self.roles[dead] if proposal is None else self.roles[dead + 1 + len(votes)]

    def moves(self, position: Position) -> list[Any]:
        dead, proposal, _ = position
        if proposal is not None:
            return ["yes", "no"]
        # The coins that the proposer gives away, each to one of the others; what is left he keeps.
        others = range(dead + 1, len(self.roles))
        gifts = [who for given in range(self.coins + 1) for who in combinations_with_replacement(others, given)]
        return [tuple(who.count(one) for one in others) for who in gifts]

    def play(self, position: Position, move: Any) -> Position:
        dead, proposal, votes = position
        proposal, votes = (move, ()) if proposal is None else (proposal, (*votes, move))
        if dead + 1 + len(votes) < len(self.roles):
            return (dead, proposal, votes)
        passed = 2 * (1 + votes.count("yes")) >= 1 + len(votes)
        return (dead, proposal, "done") if passed else (dead + 1, None, ())

    def result(self, position: Position) -> tuple[int, ...] | None:
        dead, proposal, votes = position
        if votes != "done":
            return None
        return (-1,) * dead + (self.coins - sum(proposal), *proposal)
