"""Thermostatic bounds: what a side gets of a sum at least, by the walls of its components at one tax.

Let l and r be the walls at a tax t >= 0. If Right moves, Left gets at least the sum of all r less t; if Left moves, at
least the sum of all r with l in place of r for one component that he opens. For Right the mirror image (Berlekamp,
Conway and Guy, *Winning Ways*, chapter 6; Yedwab 1985, theorem 5.3, erratum 16).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from zermelo.check.verdict import Fault
from zermelo.check.walls import Corners, thermograph, walls_at

if TYPE_CHECKING:
    from zermelo.check.sums import Forest, Key


class Bounds:
    """The walls of the positions of a forest, and what they promise to one side."""

    def __init__(self, forest: Forest, left_owns: bool) -> None:
        self.forest, self.left_owns = forest, left_owns
        # Walls meet halfway between whole numbers at worst, once for each move: so corners are whole in this scale.
        self.scale = max(forest.height)
        self._corners: list[Corners] = []
        self._walls: dict[int, dict[int, tuple[int, int]]] = {}

    def promised(self, key: Key, tax: Fraction, opens: int | None) -> int:
        """What the owner gets of a sum if he opens that component, or moves second (``None``); a fault for no tax."""
        scaled = tax * (1 << self.scale)
        if tax < 0 or scaled.denominator != 1:
            raise Fault(f"{tax} is no tax of these positions")
        own = 1 if self.left_owns else 0
        total = sum(self.walls(n, int(scaled))[own] * count for n, count in key)
        if opens is None:
            total += -int(scaled) if self.left_owns else int(scaled)
        elif not any(n == opens for n, _ in key):
            raise Fault(f"position {opens} is not there to be opened")
        else:
            pair = self.walls(opens, int(scaled))
            total += pair[1 - own] - pair[own]
        # Totals are whole numbers: what is more than one less is that one.
        return -(-total >> self.scale) if self.left_owns else total >> self.scale

    def walls(self, position: int, tax: int) -> tuple[int, int]:
        """Both walls at a tax, all scaled."""
        row = self._walls.setdefault(tax, {})
        if position not in row:
            self.draw(position)
            row[position] = walls_at(self._corners[position], tax)
        return row[position]

    def draw(self, last: int) -> None:
        """The thermographs of all positions up to one; every move earns a bonus of 1."""
        for number in range(len(self._corners), last + 1):
            self.forest.tick()
            score = self.forest.score[number]
            if score is not None:
                here = score << self.scale
                self._corners.append(((0, here, here),))
                continue
            left, right = ([self._corners[n] for n in side] for side in self.forest.sides[number])
            self._corners.append(thermograph(left, right, 1 << self.scale))
