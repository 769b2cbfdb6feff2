"""Plans that begin at one variable, found again by the slack that there is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from zermelo.qip.exact_lp.mip import Number
from zermelo.qip.programs.packed import MOST
from zermelo.qip.proofs.exists_plan import ALWAYS, NO_CAP, Frame, Plan
from zermelo.qip.solvers.expansion import Choices

Matrix = NDArray[np.int64] | NDArray[np.object_]


class Pool:
    """Plans and their needs as a matrix, so that one comparison finds those that work.

    >>> from zermelo.qip.proofs.exists_plan import end_plan, frame
    >>> from zermelo.qip.programs.program import Program, Row, Variable, terms
    >>> of = frame(Program((Variable("u", "forall"),), (Row(terms({0: 1}), "<=", 1),)))
    >>> pool = Pool(of, 1)
    >>> pool.add(end_plan(of))
    >>> pool.working([0, 0], [], at=1) is pool.plans[0], pool.working([0, 0], [], at=0)
    (True, None)
    """

    def __init__(self, of: Frame, at: int) -> None:
        self.of, self.at = of, at
        self.plans: list[Plan] = []
        self._exact = of.is_small
        """Whether 64 bits are enough; else Python's numbers are compared one by one."""
        kind = np.int64 if self._exact else object
        self._need = np.zeros((8, len(of.rows)), kind)
        self._cap = np.zeros((8, len(of.uncertainty)), kind)
        self._kind = kind
        self._most: dict[int, tuple[Matrix, Matrix, Matrix]] = {}

    def add(self, plan: Plan) -> None:
        """Takes a plan in."""
        count = len(self.plans)
        if count == len(self._need):
            self._need = np.concatenate((self._need, np.zeros_like(self._need)))
            self._cap = np.concatenate((self._cap, np.zeros_like(self._cap)))
        self._need[count] = self._row(plan.need)
        self._cap[count] = self._row(plan.cap)
        self.plans.append(plan)

    def _row(self, numbers: Sequence[Number | float]) -> Matrix:
        if self._exact:
            numbers = [-MOST if n == ALWAYS else MOST if n == NO_CAP else n for n in numbers]
        return np.array(numbers, self._kind)

    def _skipped(self, at: int) -> tuple[Matrix, Matrix, Matrix]:
        """What the variables from ``at`` up to the plans' begin add at most and at least, and to rows of the
        uncertainty at least."""
        if at not in self._most:
            of = self.of
            most: list[Number] = [0] * len(of.rows)
            least: list[Number] = [0] * len(of.rows)
            own: list[Number] = [0] * len(of.uncertainty)
            for variable in range(at, self.at):
                for row, coefficient in of.in_rows[variable]:
                    most[row] += of.most(variable, coefficient)
                    least[row] += of.least(variable, coefficient)
                for row, coefficient in of.in_uncertainty[variable]:
                    own[row] += of.least(variable, coefficient)
            self._most[at] = (np.array(most, self._kind), np.array(least, self._kind), np.array(own, self._kind))
        return self._most[at]

    def working(self, slack: Sequence[Number], own: Sequence[Number], at: int | None = None) -> Plan | None:
        """A plan that works with this slack, whatever the variables between ``at`` and its begin are; the latest."""
        count = len(self.plans)
        most, _, least = self._skipped(self.at if at is None else at)
        left = np.array(slack, self._kind) - most
        fits = np.asarray(self._need[:count] <= left).all(axis=1)
        if len(own):
            fits &= np.asarray(self._cap[:count] > np.array(own, self._kind) - least).all(axis=1)
        found = np.flatnonzero(fits)
        return self.plans[found[-1]] if len(found) else None

    def alive(self, slack: Sequence[Number], at: int) -> int:
        """How many plans work for some values of the variables between."""
        _, least, _ = self._skipped(at)
        left = np.array(slack, self._kind) - least
        return int(np.asarray(self._need[: len(self.plans)] <= left).all(axis=1).sum())


class Losses:
    """Lines of play that refuted every plan from one variable on, found again where there is no more slack than then.

    >>> from zermelo.qip.proofs.exists_plan import frame
    >>> from zermelo.qip.programs.program import Program, Row, Variable, terms
    >>> of = frame(Program((Variable("x"),), (Row(terms({0: -1}), "<=", -1), Row(terms({0: 1}), "<=", 5))))
    >>> losses = Losses(of, 0)
    >>> losses.add([0, -2, 5], ((),))
    >>> list(losses.against([0, -3, 1])), list(losses.against([0, -1, 1]))
    ([((),)], [])
    """

    def __init__(self, of: Frame, at: int) -> None:
        self.lines: list[tuple[Choices, ...]] = []
        self._kind = np.int64 if of.is_small else object
        self._slack = np.zeros((8, len(of.rows)), self._kind)
        most: list[Number] = [0] * len(of.rows)
        for variable in range(at, of.size):
            for row, coefficient in of.in_rows[variable]:
                # A continuous variable without a bound can always break the row.
                bounded = of.upper[variable] if coefficient > 0 else of.lower[variable]
                most[row] += MOST if bounded is None else of.most(variable, coefficient)
        self._most = most
        """What each row can still come to: with more slack than that it does not matter."""

    def add(self, slack: Sequence[Number], lines: tuple[Choices, ...]) -> None:
        """Notes that lines of play are enough."""
        count = len(self.lines)
        if count == len(self._slack):
            self._slack = np.concatenate((self._slack, np.zeros_like(self._slack)))
        weak = [MOST if left >= most else left for left, most in zip(slack, self._most, strict=True)]
        self._slack[count] = np.array(weak, self._kind)
        self.lines.append(lines)

    def against(self, slack: Sequence[Number]) -> Iterator[tuple[Choices, ...]]:
        """Lines of play that are enough where the rows have this slack, the latest first."""
        fits = np.asarray(self._slack[: len(self.lines)] >= np.array(slack, self._kind)).all(axis=1)
        for number in np.flatnonzero(fits)[::-1]:
            yield self.lines[number]
