"""Threat-free thermographs of kos (Berlekamp, "The economist's view of combinatorial games", 1996).

One side, the *komaster*, is taken to win the ko whenever it wants to, but has to pay for that with moves: if it takes
the ko, the other side may not take back but plays elsewhere, and the komaster must go on and end the ko at its next
turn. If the other side takes, the komaster may take back. Threats themselves are counted for nothing. Worked out by
area and shifted down by a point for territory, where every move costs one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from zermelo.cgt.go.ground import BLACK, SIGN, WHITE
from zermelo.cgt.go.polyline import Polyline, constant, extreme, last_meeting, through, up_to
from zermelo.cgt.go.tree import Lines, Reading, Step, evaluate, simplifiers
from zermelo.cgt.scores.scored import Tree
from zermelo.cgt.thermographs.thermograph import thermograph


@dataclass(frozen=True)
class MastedWalls:
    """Black's and White's walls by area, the mean and the temperature."""

    left: Polyline
    right: Polyline
    mean: Fraction
    temperature: Fraction


def komaster_thermograph(lines: Lines, master: str, *, taxed: bool = True, offset: int = 0) -> MastedWalls | None:
    """The thermograph of a region with simple kos; None where a ko stands beside other open parts of the region.

    ``taxed`` gives mean and temperature by territory, with ``offset`` added; else by area.

    >>> from zermelo.cgt.go.ground import Ground
    >>> from zermelo.cgt.go.tree import explore
    >>> half_point = explore(Ground(((1,), (0, 2), (1, 3), (2,))), "Xo.O")
    >>> shape = komaster_thermograph(half_point, BLACK, offset=1)
    >>> shape.mean, shape.temperature
    (Fraction(1, 3), Fraction(1, 3))
    """
    walls = _Walls(lines, master)
    try:
        shape = walls.of(lines.root)
    except _BesideOthersError:
        return None
    down = 1 if taxed else 0
    return MastedWalls(shape.left, shape.right, shape.mean + offset, shape.temperature - down)


class _BesideOthersError(Exception):
    """A ko and something else are both open: the thermograph of a sum is not made from those of its parts."""


class _Walls:
    """Thermographs of the positions of a region; recursion goes as deep as the region has points."""

    def __init__(self, lines: Lines, master: str) -> None:
        self.lines, self.master = lines, master
        values = simplifiers()
        self.low = evaluate(lines, values, Reading(WHITE))
        self.high = evaluate(lines, values, Reading(BLACK))
        self.known: dict[str, MastedWalls] = {}

    def of(self, position: str) -> MastedWalls:
        if position not in self.known:
            low = self.low.of(position)
            if low is not None and low is self.high.of(position):
                self.known[position] = _from_tree(low)
            else:
                self.known[position] = self.with_ko(position)
        return self.known[position]

    def with_ko(self, position: str) -> MastedWalls:
        ours = self.scaffold(position, BLACK, in_cycles=True)
        theirs = self.scaffold(position, WHITE, in_cycles=True)
        if ours is None or theirs is None:
            raise _BesideOthersError
        heat = last_meeting(ours, theirs)
        if heat is None:
            raise _BesideOthersError  # nobody would move: not a ko that is fought
        mean = theirs.at(heat)
        return MastedWalls(up_to(ours, heat, mean), up_to(theirs, heat, mean), mean, heat)

    def scaffold(self, position: str, colour: str, *, in_cycles: bool) -> Polyline | None:
        """What a side gets by moving, at every tax."""
        found = []
        for step in self.lines.steps[position]:
            if step.colour != colour:
                continue
            if not self.lines.in_cycle(position, step):
                found.append(self.after(step, lambda part: self.wall(part, colour)))
            elif in_cycles and colour == self.master:
                found.append(self.after(step, self.held))
            elif in_cycles:
                found.append(self.after(step, lambda part: self.wall(part, colour)))
        best = [line for line in found if line is not None]
        return extreme(best, largest=colour == BLACK).plus(0, -SIGN[colour]) if best else None

    def wall(self, position: str, mover: str) -> Polyline:
        """What a position is worth when the other side than the mover is to move in it."""
        shape = self.of(position)
        return shape.right if mover == BLACK else shape.left

    def held(self, position: str) -> Polyline | None:
        """The ko has been taken by its master: the other side moves, not back, or the master ends the ko."""
        other = WHITE if self.master == BLACK else BLACK
        ending = self.scaffold(position, self.master, in_cycles=False)
        if ending is None:
            return None
        answer = self.scaffold(position, other, in_cycles=False)
        return ending if answer is None else extreme([ending, answer], largest=other == BLACK)

    def after(self, step: Step, value: Callable[[str], Polyline | None]) -> Polyline | None:
        """The value of what a move leaves: at most one part that is not a number."""
        total = Fraction(step.score)
        open_parts = []
        for part in step.parts:
            low = self.low.of(part)
            if low is not None and low.number is not None and low is self.high.of(part):
                total += low.number
            else:
                open_parts.append(part)
        if len(open_parts) > 1:
            raise _BesideOthersError
        if not open_parts:
            return constant(total)
        line = value(open_parts[0])
        return None if line is None else line.plus(total)


def _from_tree(game: Tree) -> MastedWalls:
    shape = thermograph(game)
    left, right = through(shape.left.breakpoints), through(shape.right.breakpoints)
    return MastedWalls(left, right, shape.mean, shape.temperature)
