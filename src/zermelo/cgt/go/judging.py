"""What is judged where nothing is proved: who owns a point when a position is played out many times.

A judgement is not a proof, and what rests on one is never called verified. After both sides have passed, they agree
that the game is over: then every chain is alive or dead, by the majority of the lines. Before that only what nearly all
lines agree on is taken for settled; the rest stays open, to be played out as a region.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo import _native
from zermelo.cgt.go.ground import BLACK, COLOURS, EMPTY, OTHER, SAFE, Ground
from zermelo.cgt.go.record import GoPosition

if TYPE_CHECKING:
    from zermelo._native import Control

PLAYOUTS = 4_000
SEED = 1913
SURE = 0.8
"""Before the end a chain is judged alive or dead if so much of its balance speaks for it."""
DEPTHS = (0.9, 0.8, 0.7, 0.6)
"""Balances at which points of an open area are taken for somebody's, as few of them as make the rest small enough."""

Balance = Sequence[float]
"""For each point how often Black owns it in the end less how often White does, from -1 to 1."""


@dataclass(frozen=True)
class Judgement:
    """Chains that are judged alive, by their stones, and points that are judged to be somebody's.

    >>> from zermelo.cgt.go.ground import square
    >>> from zermelo.cgt.go.record import parse_record
    >>> position = parse_record("(;SZ[5]AB[ba][bb][bc][bd][be]AW[da][db][dc][dd][de];B[];W[])")
    >>> judgement = judged(square(5), position, position.stones, range(25), 9, _native.Control())
    >>> sorted(judgement.alive)[:2], judgement.owned[0], judgement.owned[4]
    ([1, 3], 'x', 'o')
    """

    alive: frozenset[int]
    owned: dict[int, str]


def judged(
    ground: Ground, position: GoPosition, marked: str, points: Sequence[int], most_empty: int, control: Control
) -> Judgement:
    """What is judged of some points of a position, in which upper case marks stones that are safe already.

    ``most_empty`` is how many empty points an area may have that is left open.
    """
    counts = _native.go_ownership(position.size, position.stones, PLAYOUTS, SEED, control)
    balance = [count / PLAYOUTS for count in counts]
    judge = _Judge(ground, marked, balance, 0.0 if position.ended else SURE)
    return judge.judgement(set(points), most_empty)


class _Judge:
    def __init__(self, ground: Ground, marked: str, balance: Balance, sure: float) -> None:
        self.ground, self.balance, self.sure = ground, balance, sure
        self.board = list(marked)

    def judgement(self, points: set[int], most_empty: int) -> Judgement:
        alive: set[int] = set()
        dead: set[int] = set()
        for colour in COLOURS:
            for chain in self.ground.pieces(p for p in points if self.board[p] == colour):
                favour = self.favour(chain, colour)
                if favour >= self.sure:
                    alive.update(chain)
                elif favour <= -self.sure:
                    dead.update(chain)
        for point in alive:
            self.board[point] = SAFE[self.board[point]]
        owned: dict[int, str] = {}
        for area in self.ground.pieces(p for p in points if self.board[p] == EMPTY or p in dead):
            owned |= self.owners(area, most_empty)
        return Judgement(frozenset(alive), owned)

    def favour(self, points: Sequence[int], colour: str) -> float:
        """How much the balance of some points speaks for a colour."""
        total = sum(self.balance[point] for point in points) / len(points)
        return total if colour == BLACK else -total

    def owners(self, area: list[int], most_empty: int) -> dict[int, str]:
        """An area that one side's living stones enclose is that side's; of another one what is deep enough."""
        inside = set(area)
        around = {self.board[n] for p in area for n in self.ground.neighbours[p] if n not in inside}
        for colour in COLOURS:
            if SAFE[colour] in around and not around & {SAFE[OTHER[colour]], *COLOURS}:
                return dict.fromkeys(area, colour) if self.favour(area, colour) >= self.sure else {}
        for depth in DEPTHS:
            deep = {p: c for p in area for c in COLOURS if self.favour([p], c) >= depth}
            rest = self.ground.pieces(p for p in area if p not in deep)
            if all(sum(self.board[p] == EMPTY for p in piece) <= most_empty for piece in rest):
                return deep
        return {}
