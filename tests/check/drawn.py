"""Games drawn node by node, for tests of the walk over a strategy and of certificates as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zermelo.game import CHANCE, Game

GUESS = {"start": ("first", {"good": "won", "bad": "lost"}), "won": (1, -1), "lost": (-1, 1)}


class Tree(Game):
    """A game drawn node by node: an end is its scores, another node who moves and where each move leads.

    Chance says how likely each move is: ``(CHANCE, {"a": (1, "left")})``.
    """

    def __init__(self, nodes: Mapping[str, Any], roles: tuple[str, ...] = ("first", "second"), **more: Any) -> None:
        self.nodes, self.roles = nodes, roles
        vars(self).update(more)

    def start(self) -> str:
        return next(iter(self.nodes))

    def turn(self, position: str) -> Any:
        return self.nodes[position][0]

    def moves(self, position: str) -> Sequence[str]:
        return list(self.nodes[position][1])

    def chances(self, position: str) -> Sequence[tuple[str, Any]]:
        return [(move, chance) for move, (chance, _) in self.nodes[position][1].items()]

    def play(self, position: str, move: str) -> str:
        turn, moves = self.nodes[position]
        return str(moves[move][1] if turn == CHANCE else moves[move])

    def result(self, position: str) -> tuple[Any, ...] | None:
        scores: tuple[Any, ...] = self.nodes[position]
        return None if isinstance(scores[-1], dict) else scores


def table(**moves: Any) -> dict[str, tuple[str, int | None]]:
    """Moves by the names of nodes, with a rank: ``start=("a", 1)``."""
    return {f"'{node}'": entry for node, entry in moves.items()}
