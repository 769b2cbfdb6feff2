"""The linear program of one stage, solved again and again with other right sides: in floating point, and exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, cast

import highspy
import numpy as np

from zermelo.qip.cuts import Cut, Ledger, Node
from zermelo.qip.lp import INFINITY, TOLERANCE, quiet_solver
from zermelo.qip.simplex import Interval, Start, Tableau, simplex
from zermelo.qip.stages import Amount, StageRow

Part = tuple[StageRow | Cut, Amount]
"""A row or a cut with its multiplier."""


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

    def add(self, cut: Cut) -> None:
        """One cut more."""


class FloatStage:
    """By HiGHS, which keeps its basis from one right side to the next."""

    def __init__(self, ledger: Ledger, index: int, objective: bool) -> None:
        self.ledger, self.stage = ledger, ledger.stages[index]
        self.cuts: list[Cut] = []
        self._objective = objective
        self._bounded = False
        self._solver = quiet_solver()
        self._solver.setOptionValue("presolve", "off")
        for number in self.stage.variables:
            low, high = ledger.bounds(number)
            self._solver.addVar(float(low), float(high))
        if objective:
            self._solver.addVar(0.0, 0.0)
        self._rights, self._empty = list[float](), list[bool]()
        for row in self.stage.rows:
            self._append(dict(row.own), 1.0 if row.number == 0 else 0.0)
        self._matrix = np.zeros((0, ledger.of.size))
        self._choices = np.zeros((0, len(ledger.tree.universals)))
        self._constants = np.zeros(0)

    def _append(self, own: dict[int, int] | dict[int, float], weight: float) -> None:
        places, numbers = list(own), [float(number) for number in own.values()]
        if weight:
            places.append(len(self.stage.variables))
            numbers.append(-weight)
            if not self._bounded:
                self._bounded = True
                self._solver.changeColBounds(len(self.stage.variables), -INFINITY, INFINITY)
                self._solver.changeColCost(len(self.stage.variables), 1.0)
        self._solver.addRow(-INFINITY, 0.0, len(places), np.array(places, np.int32), np.array(numbers))
        self._rights.append(float("nan"))
        self._empty.append(not places)

    def add(self, cut: Cut) -> None:
        """One cut more."""
        place = {number: at for at, number in enumerate(self.stage.variables)}
        self.cuts.append(cut)
        self._append({place[n]: c for n, c in cut.variables.items() if n in place and c}, cut.weight)
        line, levels = np.zeros((1, self._matrix.shape[1])), np.zeros((1, self._choices.shape[1]))
        for number, coefficient in cut.variables.items():
            if number not in place:
                line[0, number] = coefficient
        for level, coefficient in cut.levels.items():
            if level < self.stage.level:
                levels[0, level] = coefficient
        self._matrix = np.concatenate((self._matrix, line))
        self._choices = np.concatenate((self._choices, levels))
        self._constants = np.append(self._constants, cut.constant)

    def solve(self, node: Node) -> Solution:
        """The least bound of the objective, where the stage begins at a node."""
        rights = [self.ledger.right(row, node) for row in self.stage.rows]
        if self.cuts:
            values, choices = np.zeros(self._matrix.shape[1]), np.zeros(self._choices.shape[1])
            for number, value in node.values.items():
                values[number] = value
            choices[: len(node.choices)] = [float(choice) for choice in node.choices]
            peaks = np.array([self.ledger.peak(cut, node.state)[0] for cut in self.cuts])
            asked = self._matrix @ values + self._choices @ choices + self._constants + peaks
            rights += (-asked).tolist()
        for place, right in enumerate(rights):
            if right != self._rights[place]:
                self._solver.changeRowBounds(place, right if self._equation(place) else -INFINITY, right)
        self._rights = rights
        for place, right in enumerate(rights):
            if self._empty[place] and (right < -TOLERANCE or (right > TOLERANCE and self._equation(place))):
                # HiGHS gives no ray where a row without columns is broken.
                return Solution(None, None, [(self._part(place), 1.0 if right < 0 else -1.0)])
        if not self._solver.getNumCol() or not rights:
            return Solution(tuple(float(self.ledger.bounds(n)[0]) for n in self.stage.variables), None, [])
        return self._run()

    def _equation(self, place: int) -> bool:
        return place < len(self.stage.rows) and self.stage.rows[place].equation

    def _part(self, place: int) -> StageRow | Cut:
        rows = self.stage.rows
        return rows[place] if place < len(rows) else self.cuts[place - len(rows)]

    def _run(self) -> Solution:
        solver = self._solver
        solver.run()
        status, kinds = solver.getModelStatus(), highspy.HighsModelStatus
        if status == kinds.kOptimal:
            found = solver.getSolution()
            values = tuple(found.col_value)
            bound = values[-1] if self._bounded else None
            own = values[: len(self.stage.variables)]
            return Solution(own, bound, self._parts(found.row_dual) if bound is not None else [])
        if status == kinds.kInfeasible:
            # The stubs of highspy leave this one out.
            _, known, ray = cast(Any, solver).getDualRay()
            if known:
                return Solution(None, None, self._parts(ray))
        raise StalledError(f"HiGHS says {solver.modelStatusToString(status)} of a stage")

    def _parts(self, prices: Sequence[float]) -> list[Part]:
        parts: list[Part] = []
        own: list[StageRow | Cut] = [*self.stage.rows, *self.cuts]
        for part, price in zip(own, prices, strict=True):
            if abs(price) > 1e-11 and (price < 0 or (isinstance(part, StageRow) and part.equation)):
                parts.append((part, -price))
                if isinstance(part, Cut):
                    part.used += 1
        return parts


class ExactStage:
    """By the exact simplex method, which starts at its last basis."""

    def __init__(self, ledger: Ledger, index: int, objective: bool, check: Callable[[], None]) -> None:
        self.ledger, self.stage, self._check = ledger, ledger.stages[index], check
        self.cuts: list[Cut] = []
        self._bounded = False
        self._columns: list[dict[int, Fraction]] = [{} for _ in self.stage.variables]
        self._bounds: list[Interval] = []
        for number in self.stage.variables:
            low, high = ledger.bounds(number)
            self._bounds.append((Fraction(low), Fraction(high)))
        if objective:
            self._columns.append({})
            self._bounds.append((Fraction(0), Fraction(0)))
        self._start = Start(frozenset(), frozenset())
        self._count = 0
        for row in self.stage.rows:
            self._append(dict(row.own), Fraction(row.number == 0))

    def _append(self, own: dict[int, int] | dict[int, Fraction], weight: Fraction) -> None:
        for place, number in own.items():
            self._columns[place][self._count] = Fraction(number)
        if weight:
            self._columns[-1][self._count] = -weight
            self._bounded = True
            self._bounds[-1] = (None, None)
        self._start = Start(self._start.basic | {len(self._columns) + self._count}, self._start.upper)
        self._count += 1

    def add(self, cut: Cut) -> None:
        """One cut more."""
        place = {number: at for at, number in enumerate(self.stage.variables)}
        self.cuts.append(cut)
        self._append({place[n]: c for n, c in cut.variables.items() if n in place and c}, cut.weight)

    def solve(self, node: Node) -> Solution:
        """The least bound of the objective, where the stage begins at a node."""
        rights = [self.ledger.right(row, node) for row in self.stage.rows]
        rights += [-self._asked(cut, node) for cut in self.cuts]
        sides: list[Interval] = [
            (right if place < len(self.stage.rows) and self.stage.rows[place].equation else None, right)
            for place, right in enumerate(rights)
        ]
        cost = [Fraction(0)] * len(self._columns)
        if self._bounded:
            cost[-1] = Fraction(1)
        finish = simplex(Tableau(self._columns, [*self._bounds, *sides], cost), self._start, self._check)
        self._start = finish.basis
        own: list[StageRow | Cut] = [*self.stage.rows, *self.cuts]
        parts = [(part, -price) for part, price in zip(own, finish.prices, strict=True) if price]
        if finish.status == "infeasible":
            return Solution(None, None, parts)
        values = finish.values[: len(self.stage.variables)]
        return Solution(values, finish.values[-1], parts) if self._bounded else Solution(values, None, [])

    def _asked(self, cut: Cut, node: Node) -> Fraction:
        total: Fraction = cut.constant + self.ledger.peak(cut, node.state)[0]
        for number, coefficient in cut.variables.items():
            if number in node.values:
                total += coefficient * node.values[number]
        for level, coefficient in cut.levels.items():
            if level < self.stage.level:
                total += coefficient * node.choices[level]
        return total
