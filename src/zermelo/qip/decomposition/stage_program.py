"""The linear program of one stage, solved again and again with other right sides: in floating point, and exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, cast

import highspy
import numpy as np

from zermelo.exact.simplex import Interval, Start, Tableau, simplex
from zermelo.qip.decomposition.cuts import Cut, Ledger, Node
from zermelo.qip.decomposition.slack import SlackDecisions
from zermelo.qip.decomposition.stages import Amount, Stage, StageRow
from zermelo.qip.exact_lp.lp import INFINITY, TOLERANCE, quiet_solver

Part = tuple[StageRow | Cut, Amount]
"""A row or a cut with its multiplier."""

_ALONE = 24
"""Columns and rows up to which exact pivots alone are faster than to ask HiGHS for a basis."""
_SPARE = 1e-6
"""Slack below which floating point says nothing."""
_DENOMINATORS = (1, 4, 24, 1000, 10**6)
"""With these, one after the other, a decision in floating point is rounded to an exact one."""


class StalledError(Exception):
    """Floating point does not get any further."""


@dataclass(frozen=True)
class Solution:
    """Values for the variables of a stage and what the objective comes to at the least (``None``: nothing is known).

    ``values`` are ``None`` where there are none. ``parts`` are the multipliers that prove it.
    """

    values: tuple[Amount, ...] | None
    bound: Amount | None
    parts: list[Part]


class StageLp(Protocol):
    """A stage's linear program."""

    cuts: list[Cut]

    def solve(self, node: Node) -> Solution:
        """The least bound of the objective, where the stage begins at a node."""

    def decide(self, node: Node, limit: Amount) -> tuple[Amount, ...] | None:
        """Values that keep to a limit of the objective and leave slack; ``None`` where it sees none."""

    def add(self, cut: Cut) -> None:
        """One cut more."""


class _Highs:
    """A stage in HiGHS, which keeps its basis from one right side to the next. The objective is the last column, fixed
    until a row bounds it."""

    def __init__(self, ledger: Ledger, stage: Stage, objective: bool) -> None:
        self.solver = quiet_solver()
        self.solver.setOptionValue("presolve", "off")
        self.bounded = False
        self._own = len(stage.variables)
        self._equations = [row.equation for row in stage.rows]
        self.rights: list[float] = []
        for number in stage.variables:
            low, high = ledger.bounds(number)
            self.solver.addVar(float(low), float(high))
        if objective:
            self.solver.addVar(0.0, 0.0)

    def append(self, own: Mapping[int, float], weight: float) -> None:
        places, numbers = list(own), list(own.values())
        if weight:
            places.append(self._own)
            numbers.append(-weight)
            if not self.bounded:
                self.bounded = True
                self.solver.changeColBounds(self._own, -INFINITY, INFINITY)
                self.solver.changeColCost(self._own, 1.0)
        self.solver.addRow(-INFINITY, 0.0, len(places), np.array(places, np.int32), np.array(numbers))
        self.rights.append(float("nan"))

    def equation(self, place: int) -> bool:
        return place < len(self._equations) and self._equations[place]

    def run(self, rights: Sequence[float]) -> highspy.HighsModelStatus:
        for place, right in enumerate(rights):
            if right != self.rights[place]:
                self.solver.changeRowBounds(place, right if self.equation(place) else -INFINITY, right)
        self.rights = list(rights)
        self.solver.run()
        return self.solver.getModelStatus()

    def basis(self) -> Start | None:
        found = self.solver.getBasis()
        if not found.valid:
            return None
        statuses, kinds = [*found.col_status, *found.row_status], highspy.HighsBasisStatus
        basic = frozenset(n for n, status in enumerate(statuses) if status == kinds.kBasic)
        if len(basic) != len(self.rights):
            return None
        return Start(basic, frozenset(n for n, status in enumerate(statuses) if status == kinds.kUpper))


class _Table:
    """What cuts ask for at a node, in floating point: of earlier variables and choices, scaled."""

    def __init__(self, ledger: Ledger, stage: Stage) -> None:
        self.ledger, self.stage = ledger, stage
        self._cuts: list[tuple[Cut, float]] = []
        self._matrix = np.zeros((16, ledger.of.size))
        self._choices = np.zeros((16, len(ledger.tree.universals)))
        self._constants = np.zeros(16)

    def add(self, cut: Cut, scale: Amount) -> None:
        count = len(self._cuts)
        if count == len(self._matrix):
            self._matrix, self._choices, self._constants = (
                np.concatenate((table, np.zeros_like(table)))
                for table in (self._matrix, self._choices, self._constants)
            )
        for number, coefficient in cut.variables.items():
            if number not in self.stage.variables:
                self._matrix[count, number] = float(coefficient / scale)
        for level, coefficient in cut.levels.items():
            if level < self.stage.level:
                self._choices[count, level] = float(coefficient / scale)
        self._constants[count] = float(cut.constant / scale)
        self._cuts.append((cut, scale))

    def asked(self, node: Node) -> list[float]:
        count = len(self._cuts)
        values, choices = np.zeros(self._matrix.shape[1]), np.zeros(self._choices.shape[1])
        for number, value in node.values.items():
            values[number] = float(value)
        choices[: len(node.choices)] = [float(choice) for choice in node.choices]
        peaks = np.array([float(self.ledger.peak(cut, node.state)[0] / scale) for cut, scale in self._cuts])
        asked = self._matrix[:count] @ values + self._choices[:count] @ choices + self._constants[:count]
        found: list[float] = (asked + peaks).tolist()
        return found


class FloatStage:
    """In floating point."""

    def __init__(self, ledger: Ledger, index: int, objective: bool) -> None:
        self.ledger, self.stage = ledger, ledger.stages[index]
        self.cuts: list[Cut] = []
        self._highs = _Highs(ledger, self.stage, objective)
        self._with_slack = SlackDecisions(ledger, self.stage)
        self._place = {number: place for place, number in enumerate(self.stage.variables)}
        self._empty: list[bool] = []
        self._weights: list[float] = []
        for row in self.stage.rows:
            self._append(row, {place: float(number) for place, number in row.own}, float(row.number == 0))
        self._table = _Table(ledger, self.stage)

    def _append(self, part: StageRow | Cut, own: Mapping[int, float], weight: float) -> None:
        self._highs.append(own, weight)
        self._with_slack.append(part, own, 1.0)
        self._empty.append(not own and not weight)
        self._weights.append(weight)

    def add(self, cut: Cut) -> None:
        """One cut more."""
        self.cuts.append(cut)
        self._append(cut, {self._place[n]: c for n, c in cut.variables.items() if n in self._place and c}, cut.weight)
        self._table.add(cut, 1.0)

    def solve(self, node: Node) -> Solution:
        """The least bound of the objective, where the stage begins at a node."""
        rights = self._rights(node)
        for place, right in enumerate(rights):
            if self._empty[place] and (right < -TOLERANCE or (right > TOLERANCE and self._highs.equation(place))):
                # HiGHS gives no ray where a row without columns is broken.
                return Solution(None, None, [(self._parts()[place], 1.0 if right < 0 else -1.0)])
        if not self._highs.solver.getNumCol() or not rights:
            return Solution(tuple(float(self.ledger.bounds(n)[0]) for n in self.stage.variables), None, [])
        status, kinds = self._highs.run(rights), highspy.HighsModelStatus
        solver = self._highs.solver
        if status == kinds.kOptimal:
            found = solver.getSolution()
            values = tuple(found.col_value)
            own = values[: len(self.stage.variables)]
            if not self._highs.bounded:
                return Solution(own, None, [])
            return Solution(own, values[-1], self._priced(found.row_dual))
        if status == kinds.kInfeasible:
            # The stubs of highspy leave this one out.
            _, known, ray = cast(Any, solver).getDualRay()
            if known:
                return Solution(None, None, self._priced(ray))
        raise StalledError(f"HiGHS says {solver.modelStatusToString(status)} of a stage")

    def decide(self, node: Node, limit: Amount) -> tuple[Amount, ...] | None:
        """Values that keep to a limit of the objective and leave slack."""
        rights = self._rights(node)
        found = self._with_slack.decide([r + w * limit for r, w in zip(rights, self._weights, strict=True)])
        return None if found is None or found[1] < 0 else found[0]

    def _rights(self, node: Node) -> list[float]:
        rights = [self.ledger.right(row, node) for row in self.stage.rows]
        return rights + [-asked for asked in self._table.asked(node)] if self.cuts else rights

    def _parts(self) -> list[StageRow | Cut]:
        return [*self.stage.rows, *self.cuts]

    def _priced(self, prices: Sequence[float]) -> list[Part]:
        parts: list[Part] = []
        for place, (part, price) in enumerate(zip(self._parts(), prices, strict=True)):
            if abs(price) > 1e-11 and (price < 0 or self._highs.equation(place)):
                parts.append((part, -price))
                if isinstance(part, Cut):
                    part.used += 1
        return parts


class ExactStage:
    """Exactly: the simplex method starts at the basis that HiGHS ends with, or, if the stage is small, at its last."""

    def __init__(self, ledger: Ledger, index: int, objective: bool, check: Callable[[], None]) -> None:
        self.ledger, self.stage, self._check = ledger, ledger.stages[index], check
        self.cuts: list[Cut] = []
        self._highs = _Highs(ledger, self.stage, objective)
        self._place = {number: place for place, number in enumerate(self.stage.variables)}
        self._columns: list[dict[int, Fraction]] = [{} for _ in self.stage.variables]
        self._bounds: list[Interval] = []
        for number in self.stage.variables:
            low, high = ledger.bounds(number)
            self._bounds.append((Fraction(low), Fraction(high)))
        if objective:
            self._columns.append({})
            self._bounds.append((Fraction(0), Fraction(0)))
        self._start = Start(frozenset(), frozenset())
        self._scales: list[Fraction] = []
        """What the rows are divided by for HiGHS, which takes no large numbers."""
        self._weights: list[Fraction] = []
        self._with_slack = SlackDecisions(ledger, self.stage)
        self._table = _Table(ledger, self.stage)
        for row in self.stage.rows:
            self._append(row, {place: Fraction(number) for place, number in row.own}, Fraction(row.number == 0))

    def _append(self, part: StageRow | Cut, own: Mapping[int, Fraction], weight: Fraction) -> None:
        count = len(self._scales)
        for place, number in own.items():
            self._columns[place][count] = number
        if weight:
            self._columns[-1][count] = -weight
            self._bounds[-1] = (None, None)
        scale = max([abs(number) for number in (*own.values(), weight) if number], default=Fraction(1))
        self._scales.append(scale)
        self._weights.append(weight)
        floating = {place: float(number / scale) for place, number in own.items()}
        self._highs.append(floating, float(weight / scale))
        self._with_slack.append(part, floating, float(scale))
        if isinstance(part, Cut):
            self._table.add(part, scale)
        self._start = Start(self._start.basic | {len(self._columns) + count}, self._start.upper)

    def add(self, cut: Cut) -> None:
        """One cut more."""
        self.cuts.append(cut)
        self._append(cut, {self._place[n]: c for n, c in cut.variables.items() if n in self._place and c}, cut.weight)

    def solve(self, node: Node) -> Solution:
        """The least bound of the objective, where the stage begins at a node."""
        rights = [self.ledger.right(row, node) for row in self.stage.rows]
        rights += [-self._asked(cut, node) for cut in self.cuts]
        sides: list[Interval] = [
            (right if self._highs.equation(place) else None, right) for place, right in enumerate(rights)
        ]
        cost = [Fraction(0)] * len(self._columns)
        if self._highs.bounded:
            cost[-1] = Fraction(1)
        tableau = Tableau(self._columns, [*self._bounds, *sides], cost)
        finish = simplex(tableau, self._from_highs(rights) or self._start, self._check)
        self._start = finish.basis
        parts: list[StageRow | Cut] = [*self.stage.rows, *self.cuts]
        priced: list[Part] = [(part, -price) for part, price in zip(parts, finish.prices, strict=True) if price]
        if finish.status == "infeasible":
            return Solution(None, None, priced)
        values = finish.values[: len(self.stage.variables)]
        return Solution(values, finish.values[-1], priced) if self._highs.bounded else Solution(values, None, [])

    def decide(self, node: Node, limit: Amount) -> tuple[Amount, ...] | None:
        """Values that keep to a limit of the objective and leave slack: found in floating point, rounded to
        small numbers as far as the rows allow. Cuts are not looked at exactly: they only say what may come."""
        sides = [self.ledger.right(row, node) for row in self.stage.rows]
        sides = [side + weight * limit for side, weight in zip(sides, self._weights, strict=False)]
        rights = [float(side / scale) for side, scale in zip(sides, self._scales, strict=False)]
        count = len(rights)
        for asked, weight, scale in zip(
            self._table.asked(node), self._weights[count:], self._scales[count:], strict=True
        ):
            rights.append(float(weight * limit / scale) - asked)
        found = self._with_slack.decide(rights)
        if found is None or found[1] <= _SPARE:
            return None
        for denominator in _DENOMINATORS:
            values = tuple(Fraction(value).limit_denominator(denominator) for value in found[0])
            if self._with_slack.keeps([float(value) for value in values]) and self._within(values, sides):
                return values
        return None

    def _within(self, values: Sequence[Fraction], sides: Sequence[Fraction]) -> bool:
        for value, (low, high) in zip(values, self._bounds, strict=False):
            if (low is not None and value < low) or (high is not None and value > high):
                return False
        return all(self._keeps(row, side, values) for row, side in zip(self.stage.rows, sides, strict=True))

    def _keeps(self, row: StageRow, side: Fraction, values: Sequence[Fraction]) -> bool:
        left = sum((coefficient * values[place] for place, coefficient in row.own), Fraction(0))
        return left == side if row.equation else left <= side

    def _from_highs(self, rights: Sequence[Fraction]) -> Start | None:
        if len(rights) + len(self._columns) <= _ALONE:
            return None
        try:
            self._highs.run([float(right / scale) for right, scale in zip(rights, self._scales, strict=True)])
        except OverflowError:
            return None
        return self._highs.basis()

    def _asked(self, cut: Cut, node: Node) -> Fraction:
        total: Fraction = cut.constant + self.ledger.peak(cut, node.state)[0]
        for number, coefficient in cut.variables.items():
            if number in node.values:
                total += coefficient * node.values[number]
        for level, coefficient in cut.levels.items():
            if level < self.stage.level:
                total += coefficient * node.choices[level]
        return total
