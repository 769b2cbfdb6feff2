"""Linear programs with exact answers.

HiGHS solves in floating point; what is taken from it is its last basis. Its solution and prices are worked out in
rational arithmetic and, where rounding has led astray, mended by exact pivots (:mod:`zermelo.exact.simplex`); so
answers never rest on tolerances (Applegate, Cook, Dash and Espinoza, Exact solutions to linear programming problems,
2007).

That there is no solution is shown by multipliers of the rows (Farkas' lemma). They are found as prices of another
linear program, that of the least sum of violations, which always has an optimum; likewise a direction without end.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, Protocol

import highspy
import numpy as np

from zermelo.errors import InputError, LimitReachedError
from zermelo.exact.simplex import Finish, Interval, Start, Tableau, simplex, slack_basis
from zermelo.kernel_thread import begin
from zermelo.limits import Limits
from zermelo.qip.programs.program import Program, Relation, Row, Terms, minimised, normal, tightened

INFINITY = highspy.kHighsInf
TOLERANCE = 1e-9
"""HiGHS's own is 1e-7: the smaller, the less there is to mend."""
_LARGEST = 1e15
"""HiGHS refuses larger coefficients."""
_SOON = 0.3
"""Seconds for which nobody minds waiting after Ctrl-C."""
_TIME_IS_UP = "the time limit was reached in a linear program"
_SMALL = 16
"""Columns and rows up to which exact pivots alone are faster than to ask HiGHS."""
_PRESOLVE = 200
"""Columns from which presolving pays."""

Status = Literal["optimal", "infeasible", "unbounded"]


class Bounded(Protocol):
    """A column: anything with bounds, as a variable of a program."""

    @property
    def lower(self) -> Fraction | None: ...
    @property
    def upper(self) -> Fraction | None: ...


class Constraint(Protocol):
    """A row: anything with terms over columns, a relation and a right side, as a row of a program."""

    @property
    def terms(self) -> Terms: ...
    @property
    def relation(self) -> Relation: ...
    @property
    def right(self) -> Fraction: ...


@dataclass(frozen=True)
class Exact:
    """The exact answer to a linear program that minimises.

    ``primal`` is an optimal point, or where the program is ``unbounded`` one that keeps the rows, from which ``ray``
    leads to any value. ``multipliers`` has a number for each row: at least 0 for ``<=``, at most 0 for ``>=``. Let
    ``sum`` be that of all multipliers times (left side less right side). Within the bounds of the columns, the
    objective plus ``sum`` is never less than ``value`` where ``optimal``; ``sum`` is positive where ``infeasible``.
    """

    status: Status
    value: Fraction | None
    primal: tuple[Fraction, ...]
    multipliers: tuple[Fraction, ...]
    ray: tuple[Fraction, ...] = ()
    pivots: int = 0
    """Exact pivots that were needed beyond HiGHS's basis."""


def solve_exact(
    columns: Sequence[Bounded], rows: Sequence[Constraint], objective: Terms, limits: Limits | None = None
) -> Exact:
    """Minimises a linear form over columns under rows; ``LimitReachedError`` when the time is up.

    Integrality is not looked at.

    >>> from zermelo.qip.programs.program import Variable, terms
    >>> x, y = Variable("x", upper=None, integer=False), Variable("y", upper=Fraction(2), integer=False)
    >>> rows = [Row(terms({0: 3, 1: 1}), ">=", Fraction(4))]
    >>> exact = solve_exact([x, y], rows, terms({0: 2, 1: Fraction(1, 2)}))
    >>> exact.status, str(exact.value), [str(value) for value in exact.primal], [str(m) for m in exact.multipliers]
    ('optimal', '7/3', ['2/3', '2'], ['-2/3'])
    >>> solve_exact([y], [Row(terms({0: 1}), ">=", Fraction(3))], ()).multipliers
    (Fraction(-1, 1),)
    """
    limits = limits or Limits()
    problem = _Problem.of(columns, rows, objective)
    if len(columns) + len(rows) <= _SMALL:
        return problem.answer(_finished(problem, None, limits))
    status, start = _floating(problem, limits)
    if status == "optimal":
        return problem.answer(_finished(problem, start, limits))
    # What HiGHS says of a program without an optimum may be an effect of rounding: it is proved, or not believed.
    least = _finished(elastic := problem.elastic(), _floating(elastic, limits)[1], limits)
    if elastic.value(least) > 0:
        return Exact("infeasible", None, (), tuple(-price for price in least.prices), (), least.pivots)
    point = least.values[: len(columns)]
    recession = problem.recession()
    steepest = _finished(recession, _floating(recession, limits)[1], limits)
    if recession.value(steepest) < 0:
        return Exact("unbounded", None, point, (), steepest.values, least.pivots + steepest.pivots)
    return problem.answer(_finished(problem, start, limits))


def leaf_lp(program: Program, prefix: Sequence[Fraction | int], limits: Limits | None = None) -> Exact:
    """The linear program that is left of a program after its first variables have these values.

    All variables that are left must be existential and continuous. ``primal`` are their values. ``value`` is that of
    the objective in the normal form, without its constant, with what the set variables add. ``multipliers`` belong to
    the rows of the normal form (row 0 gets 1 where there is an optimum); all are at least 0.

    >>> from zermelo.qip.programs.program import Objective, Variable, terms
    >>> u, y = Variable("u"), Variable("y", upper=Fraction(2), integer=False)
    >>> row = Row(terms({0: 1, 1: 2}), "=", Fraction(2))
    >>> exact = leaf_lp(Program((u, y), (row,), Objective("max", terms({0: 5, 1: 1}))), [1])
    >>> str(exact.value), [str(value) for value in exact.primal], [str(number) for number in exact.multipliers]
    ('-11/2', ['1/2'], ['1', '1/2', '0'])
    """
    program = tightened(program)
    left = program.variables[len(prefix) :]
    if any(variable.quantifier == "forall" or variable.integer for variable in left):
        raise InputError("only existential continuous variables may be left for a linear program")
    sign = minimised(program)

    def split(form: Terms) -> tuple[Terms, Fraction]:
        later = tuple((number - len(prefix), c) for number, c in form if number >= len(prefix))
        return later, sum((c * prefix[number] for number, c in form if number < len(prefix)), Fraction(0))

    rows = []
    for row in program.rows:
        later, spent = split(row.terms)
        rows.append(Row(later, row.relation, row.right - spent))
    goal, constant = split(program.objective.terms)
    exact = solve_exact(left, rows, tuple((number, sign * c) for number, c in goal), limits)
    by_row: dict[int | None, Fraction] = dict(enumerate(exact.multipliers))
    by_row[None] = Fraction(exact.status == "optimal")
    found = normal_multipliers(program, by_row)
    multipliers = tuple(found.get(number, Fraction(0)) for number in range(len(normal(program).rows)))
    value = None if exact.value is None else exact.value + sign * constant
    return Exact(exact.status, value, exact.primal, multipliers, exact.ray, exact.pivots)


@dataclass(frozen=True)
class _Problem:
    """A linear program by columns, rows as intervals of their left sides."""

    tableau: Tableau

    @staticmethod
    def of(columns: Sequence[Bounded], rows: Sequence[Constraint], objective: Terms) -> _Problem:
        entries: list[dict[int, Fraction]] = [{} for _ in columns]
        for number, row in enumerate(rows):
            for column, coefficient in row.terms:
                entries[column][number] = coefficient
        cost = [Fraction(0)] * len(columns)
        for column, coefficient in objective:
            cost[column] = coefficient
        bounds: list[Interval] = [(column.lower, column.upper) for column in columns]
        for number, (low, high) in enumerate(bounds):
            if low is not None and high is not None and low > high:
                raise InputError(f"column {number} has no value between {low} and {high}")
        bounds += [
            (None if row.relation == "<=" else row.right, None if row.relation == ">=" else row.right) for row in rows
        ]
        return _Problem(Tableau(entries, bounds, cost))

    def value(self, finish: Finish) -> Fraction:
        return sum((c * v for c, v in zip(self.tableau.cost, finish.values, strict=True) if c and v), Fraction(0))

    def answer(self, finish: Finish) -> Exact:
        prices = tuple(-price for price in finish.prices)
        if finish.status == "unbounded":
            return Exact("unbounded", None, finish.values, (), finish.ray, finish.pivots)
        if finish.status == "infeasible":
            return Exact("infeasible", None, (), prices, (), finish.pivots)
        return Exact("optimal", self.value(finish), finish.values, prices, (), finish.pivots)

    def elastic(self) -> _Problem:
        """The least sum of violations of the rows."""
        columns = list(self.tableau.columns)
        bounds = list(self.tableau.bounds[: len(columns)])
        intervals = self.tableau.bounds[len(columns) :]
        cost = [Fraction(0)] * len(columns)
        for row, (low, high) in enumerate(intervals):
            for sign, bound in ((1, low), (-1, high)):
                if bound is not None:
                    columns.append({row: Fraction(sign)})
                    bounds.append((Fraction(0), None))
                    cost.append(Fraction(1))
        return _Problem(Tableau(columns, [*bounds, *intervals], cost))

    def recession(self) -> _Problem:
        """The steepest direction in which one can go on for ever."""
        zero, one = Fraction(0), Fraction(1)
        count = len(self.tableau.columns)
        bounds: list[Interval] = []
        for number, (low, high) in enumerate(self.tableau.bounds):
            far = one if number < count else None
            bounds.append(
                (zero if low is not None else far and -far, zero if high is not None else far),
            )
        return _Problem(Tableau(self.tableau.columns, bounds, self.tableau.cost))


def _finished(problem: _Problem, start: Start | None, limits: Limits) -> Finish:
    return simplex(problem.tableau, start or slack_basis(problem.tableau), checker(limits))


def checker(limits: Limits) -> Callable[[], None]:
    """Raises ``LimitReachedError`` when called after the time is up.

    >>> checker(Limits())()
    """

    def check() -> None:
        if limits.expired():
            raise LimitReachedError(_TIME_IS_UP)

    return check


def _floating(problem: _Problem, limits: Limits) -> tuple[str, Start | None]:
    """What HiGHS finds: a status and its last basis; none where it can make nothing of the numbers."""
    tableau = problem.tableau
    count, rows = len(tableau.columns), tableau.rows
    if not count or not rows:
        return "other", None
    model = _model(tableau)
    if model is None:
        return "other", None
    solver = quiet_solver()
    solver.setOptionValue("presolve", "on" if count >= _PRESOLVE else "off")
    solver.passModel(model)
    status = run_highs(solver, limits)
    if status != highspy.HighsModelStatus.kOptimal:
        return "other", _start(solver, tableau)
    return "optimal", _start(solver, tableau)


def quiet_solver() -> highspy.Highs:
    """A HiGHS solver that prints nothing, with small tolerances.

    >>> solver = quiet_solver()
    >>> run_highs(solver, Limits()).name
    'kModelEmpty'
    """
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    # HiGHS refuses another number than its first user in the process has set: all of them say one.
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("primal_feasibility_tolerance", TOLERANCE)
    solver.setOptionValue("dual_feasibility_tolerance", TOLERANCE)
    return solver


def run_highs(solver: highspy.Highs, limits: Limits) -> highspy.HighsModelStatus:
    """Runs HiGHS; where that takes long, in a thread, so that Ctrl-C is heard."""
    left = limits.seconds_left()
    if left is not None and left <= 0:
        raise LimitReachedError(_TIME_IS_UP)
    solver.setOptionValue("time_limit", solver.getRunTime() + (_SOON if left is None else min(_SOON, left)))
    solver.run()
    if solver.getModelStatus() == highspy.HighsModelStatus.kTimeLimit:
        _run_watched(solver, limits)
    status = solver.getModelStatus()
    if status in (highspy.HighsModelStatus.kTimeLimit, highspy.HighsModelStatus.kInterrupt):
        raise LimitReachedError(_TIME_IS_UP)
    return status


def _run_watched(solver: highspy.Highs, limits: Limits) -> None:
    stop, done = threading.Event(), threading.Event()

    def heard(event: Any) -> None:
        limits.seconds_left()  # where solvers take turns, HiGHS waits here for its own
        event.data_in.user_interrupt = stop.is_set()

    def work() -> None:
        try:
            solver.run()
        finally:
            done.set()

    solver.cbSimplexInterrupt.subscribe(heard)
    left = limits.seconds_left()
    solver.setOptionValue("time_limit", INFINITY if left is None else solver.getRunTime() + left)
    # Its work so far was cut off anywhere: HiGHS is faster from the start, with presolving.
    solver.clearSolver()
    begin(work)
    try:
        while not done.wait(0.05) and not limits.expired():
            pass
    finally:
        stop.set()
        done.wait()


def _model(tableau: Tableau) -> highspy.HighsLp | None:
    count, rows = len(tableau.columns), tableau.rows
    try:
        lower = [-INFINITY if low is None else float(low) for low, _ in tableau.bounds]
        upper = [INFINITY if high is None else float(high) for _, high in tableau.bounds]
        values = [float(value) for column in tableau.columns for value in column.values()]
        cost = [float(value) for value in tableau.cost]
    except OverflowError:
        return None
    if any(abs(value) > _LARGEST for value in (*values, *cost)):
        return None
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = count, rows
    model.col_cost_ = np.array(cost)
    model.col_lower_, model.col_upper_ = np.array(lower[:count]), np.array(upper[:count])
    model.row_lower_, model.row_upper_ = np.array(lower[count:]), np.array(upper[count:])
    starts = np.cumsum([0, *(len(column) for column in tableau.columns)])
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.num_col_, model.a_matrix_.num_row_ = count, rows
    model.a_matrix_.start_ = starts.astype(np.int32)
    model.a_matrix_.index_ = np.array([row for column in tableau.columns for row in column], np.int32)
    model.a_matrix_.value_ = np.array(values)
    return model


def _start(solver: highspy.Highs, tableau: Tableau) -> Start | None:
    basis = solver.getBasis()
    if not basis.valid:
        return None
    statuses = [*basis.col_status, *basis.row_status]
    basic = frozenset(n for n, status in enumerate(statuses) if status == highspy.HighsBasisStatus.kBasic)
    if len(basic) != tableau.rows:
        return None
    return Start(basic, frozenset(n for n, s in enumerate(statuses) if s == highspy.HighsBasisStatus.kUpper))


def normal_multipliers(program: Program, by_row: Mapping[int | None, Fraction]) -> dict[int, Fraction]:
    """Multipliers of a program's rows, as :class:`Exact` has them, as multipliers of the rows of its normal form.

    Key ``None`` is the objective: its multiplier is that of row 0.

    >>> from zermelo.qip.programs.program import terms
    >>> rows = (Row(terms({0: 1}), "=", Fraction(1)), Row(terms({0: 1}), ">=", Fraction(1)))
    >>> normal_multipliers(Program((), rows), {0: Fraction(-2), 1: Fraction(-3), None: Fraction(1)})
    {2: Fraction(2, 1), 3: Fraction(3, 1), 0: Fraction(1, 1)}
    """
    first, place = 1, dict[int, int]()
    for number, row in enumerate(program.rows):
        place[number] = first
        first += 2 if row.relation == "=" else 1
    found: dict[int, Fraction] = {}
    for source, multiplier in by_row.items():
        if not multiplier:
            continue
        number = 0 if source is None else place[source]
        if source is not None and program.rows[source].relation == "=" and multiplier < 0:
            number += 1
        found[number] = found.get(number, Fraction(0)) + abs(multiplier)
    return found
