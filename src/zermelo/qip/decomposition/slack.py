"""Decisions of a stage that leave slack.

Any decision that keeps to the limit will do, but not all are equally good: a policy is used again wherever it has the
slack that it needs, so the less it needs the better. Of all decisions the one is taken that leaves every row and cut
the most slack, measured by how much that differs from node to node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import highspy
import numpy as np

from zermelo.qip.decomposition.cuts import Cut, Ledger
from zermelo.qip.decomposition.stages import Stage, StageRow
from zermelo.qip.exact_lp.lp import INFINITY, TOLERANCE, quiet_solver

MOST_SLACK = 4.0
"""Slack beyond what any other node could need is worth nothing."""


class SlackDecisions:
    """A stage's linear program that leaves slack: in HiGHS, with the slack as its last column.

    >>> from fractions import Fraction
    >>> from zermelo.qip.proofs.exists_plan import frame
    >>> from zermelo.qip.programs.program import Program, Row, Variable, terms
    >>> from zermelo.qip.programs.scenarios import scenario_tree
    >>> from zermelo.qip.decomposition.stages import stages_of
    >>> u, y = Variable("u", "forall"), Variable("y", upper=Fraction(8), integer=False)
    >>> above, below = Row(terms({0: 1, 1: -1}), "<=", Fraction(0)), Row(terms({0: 1, 1: 1}), "<=", Fraction(6))
    >>> program = Program((u, y), (above, below))
    >>> tree = scenario_tree(program)
    >>> stages = stages_of(frame(program), tree)
    >>> decisions = SlackDecisions(Ledger(frame(program), tree, stages, 0.0), stages[1])
    >>> for row in stages[1].rows:
    ...     decisions.append(row, {place: float(number) for place, number in row.own}, 1.0)
    >>> decisions.decide([0.0, 6.0])
    ((3.0,), 3.0)
    """

    def __init__(self, ledger: Ledger, stage: Stage) -> None:
        self.ledger, self.stage = ledger, stage
        self._solver = quiet_solver()
        self._solver.setOptionValue("presolve", "off")
        self._rights: list[float] = []
        self._matrix = np.zeros((16, len(stage.variables)))
        self._equations = [row.equation for row in stage.rows]
        for number in stage.variables:
            low, high = ledger.bounds(number)
            self._solver.addVar(float(low), float(high))
        self._solver.addVar(-INFINITY, MOST_SLACK)
        self._solver.changeColCost(len(stage.variables), -1.0)

    def append(self, part: StageRow | Cut, own: Mapping[int, float], scale: float) -> None:
        """One row more: its own terms, and what it was divided by."""
        count = len(self._rights)
        if count == len(self._matrix):
            self._matrix = np.concatenate((self._matrix, np.zeros_like(self._matrix)))
        self._matrix[count, list(own)] = list(own.values())
        places, numbers = list(own), list(own.values())
        equation = isinstance(part, StageRow) and part.equation
        differs = 0.0 if equation else self.ledger.differs(part, self.stage) / scale
        if differs:
            places.append(len(self.stage.variables))
            numbers.append(differs)
        self._solver.addRow(-INFINITY, 0.0, len(places), np.array(places, np.int32), np.array(numbers))
        self._rights.append(float("nan"))

    def keeps(self, values: Sequence[float]) -> bool:
        """Whether values keep to the last right sides, as far as floating point can tell."""
        rights = np.array(self._rights)
        left = self._matrix[: len(rights)] @ np.array(values)
        return bool((left <= rights + TOLERANCE * np.maximum(1.0, abs(rights))).all())

    def decide(self, rights: Sequence[float]) -> tuple[tuple[float, ...], float] | None:
        """Values and the slack that they leave; ``None`` where there are none."""
        for place, right in enumerate(rights):
            if right != self._rights[place]:
                equation = place < len(self._equations) and self._equations[place]
                self._solver.changeRowBounds(place, right if equation else -INFINITY, right)
        self._rights = list(rights)
        self._solver.run()
        if self._solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        values = tuple(self._solver.getSolution().col_value)
        return values[:-1], values[-1]
