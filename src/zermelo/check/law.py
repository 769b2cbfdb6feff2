"""What the rows of ``forall`` leave him: how far a derivation may drop bounds on variables that they hold."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor

from zermelo.check.ownrows import connected
from zermelo.check.quantified import AtMost, QuantifiedProgram, total
from zermelo.check.verdict import Fault

Bounded = dict[int, tuple[int, int]]
"""Bounds of variables."""


class Law:
    """The rows of ``forall`` that can be broken: which variables they connect, and the values that they leave him."""

    ROUNDS = 100
    """So often the rows narrow the bounds; what is left out only makes bounds wider."""

    def __init__(self, program: QuantifiedProgram) -> None:
        bounds = [(int(v.lower or 0), int(v.upper or 0)) for v in program.variables]
        worst = ({n: bounds[n][c > 0] for n, c in row.terms} for row in program.own)
        self.rows = [
            row for row, values in zip(program.own, worst, strict=True) if total(row.terms, values) > row.right
        ]
        self.part = {n: part for part, rows in enumerate(connected(self.rows)) for row in rows for n, _ in row.terms}
        """Of each variable in such a row: the number of the part that rows connect."""
        self.box: Bounded = {number: bounds[number] for number in self.part}
        for _ in range(self.ROUNDS):
            before = dict(self.box)
            for row in self.rows:
                self._narrow(row)
            if before == self.box:
                break

    def _narrow(self, row: AtMost) -> None:
        slack = row.right - total(row.terms, {n: self.box[n][c < 0] for n, c in row.terms})
        for number, coefficient in row.terms:
            low, high = self.box[number]
            steps = max(0, floor(slack / abs(coefficient)))
            self.box[number] = (low, min(high, low + steps)) if coefficient > 0 else (max(low, high - steps), high)

    def keeps(self, chosen: Mapping[int, int]) -> bool:
        """Whether the rows whose variables are all chosen hold."""
        return all(
            total(row.terms, chosen) <= row.right for row in self.rows if row.terms and row.terms[0][0] in chosen
        )

    def need_free(self, dropped: set[int], kept: Bounded | None, all_failed: Bounded | None) -> None:
        """Makes sure that ``forall`` can see to it that bounds fail which a clause drops.

        ``kept``: the bounds of variables under which all literals of the clause fail that it keeps, ``all_failed`` with
        those that it drops. What his rows connect to a variable that is dropped must have one value left, and those
        values keep the rows.
        """
        parts = {self.part[number] for number in dropped if number in self.part}
        if self._within(kept) is None:
            return  # his rows alone imply the clause
        left = self._within(all_failed)
        chosen: dict[int, int] = {}
        for number, part in self.part.items():
            if part in parts:
                low, high = (0, 1) if left is None else left.get(number) or self.box[number]
                if low != high:
                    raise Fault(f"forall is not free to set variable {min(dropped & self.part.keys())}")
                chosen[number] = low
        if not self.keeps(chosen):
            raise Fault("what is dropped breaks a row of forall's own")

    def _within(self, bounds: Bounded | None) -> Bounded | None:
        """The bounds that the rows leave him; ``None`` where that is nothing."""
        if bounds is None:
            return None
        left: Bounded = {}
        for number, (low, high) in bounds.items():
            least, most = self.box.get(number, (low, high))
            left[number] = max(low, least), min(high, most)
        return left if all(low <= high for low, high in left.values()) else None
