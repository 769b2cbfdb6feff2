"""What is judged where nothing is proved: who owns a point when a position is played out many times.

A judgement is not a proof, and what rests on one is never called verified. After both sides have passed, they agree
that the game is over: then every chain is alive or dead, by the majority of the lines. Before that only what nearly all
lines agree on is taken for settled; the rest stays open, to be played out as a region.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo import _native
from zermelo.cgt.go.ground import BLACK, COLOURS, EMPTY, OTHER, SAFE, Ground
from zermelo.cgt.go.record import GoPosition

if TYPE_CHECKING:
    from zermelo._native import Control

PLAYOUTS = 4_000
SEED = 1913
SURES = (0.95, 0.8, 0.6, 0.4)
"""How much of a balance must speak for a side: all is judged by the first, what then stays too large by the next."""

Balance = Sequence[float]
"""For each point how often Black owns it in the end less how often White does, from -1 to 1."""


@dataclass(frozen=True)
class Judgement:
    """Chains that are judged alive, by their stones, and points that are judged to be somebody's.

    >>> from zermelo.cgt.go.ground import square
    >>> from zermelo.cgt.go.record import parse_record
    >>> position = parse_record("(;SZ[5]AB[ba][bb][bc][bd][be]AW[da][db][dc][dd][de];B[];W[])")
    >>> balance = balance_of(position, _native.Control())
    >>> judgement = judged(square(5), balance, position.stones, range(25), 0.0, 2.0)
    >>> sorted(judgement.alive)[:2], judgement.owned[0], judgement.owned[4]
    ([1, 3], 'x', 'o')
    """

    alive: frozenset[int]
    owned: dict[int, str]


def balance_of(position: GoPosition, control: Control) -> Balance:
    """The balance of a position, always the same one."""
    counts = _native.go_ownership(position.size, position.stones, PLAYOUTS, SEED, control)
    return [count / PLAYOUTS for count in counts]


def stages(position: GoPosition) -> list[tuple[float, float]]:
    """How sure one must be of chains and of enclosed areas, and of single points in open ones, stage by stage.

    >>> from zermelo.cgt.go.record import parse_record
    >>> stages(parse_record("(;SZ[2];B[];W[])"))[0]
    (0.0, 2.0)
    """
    return [(0.0, depth) for depth in (2.0, *SURES)] if position.ended else [(sure, sure) for sure in SURES]


def judged(
    ground: Ground, balance: Balance, marked: str, points: Iterable[int], sure: float, depth: float
) -> Judgement:
    """What is judged of some points of a board, in which upper case marks stones that are safe already."""
    return _Judge(ground, marked, balance, sure, depth).judgement(set(points))


class _Judge:
    def __init__(self, ground: Ground, marked: str, balance: Balance, sure: float, depth: float) -> None:
        self.ground, self.balance, self.sure, self.depth = ground, balance, sure, depth
        self.board = list(marked)

    def judgement(self, points: set[int]) -> Judgement:
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
            owned |= self.owners(area)
        return Judgement(frozenset(alive), owned)

    def favour(self, points: Sequence[int], colour: str) -> float:
        """How much the balance of some points speaks for a colour."""
        total = sum(self.balance[point] for point in points) / len(points)
        return total if colour == BLACK else -total

    def owners(self, area: list[int]) -> dict[int, str]:
        """An area that one side's living stones enclose is that side's; of another one what is deep enough."""
        inside = set(area)
        around = {self.board[n] for p in area for n in self.ground.neighbours[p] if n not in inside}
        for colour in COLOURS:
            if SAFE[colour] in around and not around & {SAFE[OTHER[colour]], *COLOURS}:
                return dict.fromkeys(area, colour) if self.favour(area, colour) >= self.sure else {}
        return {p: c for p in area for c in COLOURS if self.favour([p], c) >= self.depth}
