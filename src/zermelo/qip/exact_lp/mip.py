"""Mixed integer programs by HiGHS, under limits; what comes back was checked with exact numbers.

HiGHS works in floating point. A solution that it returns is rounded to whole numbers and every row is checked; that it
finds none is no proof, only a reason to look for one (:mod:`zermelo.qip.solvers.refutation`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.errors import InputError, LimitReachedError, ZermeloError
from zermelo.kernel_thread import begin
from zermelo.limits import Limits, memory_watch
from zermelo.qip.programs.program import Row, Variable

if TYPE_CHECKING:
    import highspy

Number = int | Fraction
Cells = tuple[tuple[int, Number], ...]
"""A linear form over columns."""

TOLERANCES = (1e-7, 1e-9)
"""How far HiGHS may miss rows and whole numbers; the second where rounding did not help."""
_SHOW = 0.25


class OutOfLimitError(Exception):
    """A limit was reached; its only argument is the cause, as in :class:`zermelo.qip.solvers.solver_answer.Answer`."""


class UnboundedError(InputError):
    """Continuous variables without bounds make the cost as small as one likes."""

    def __init__(self) -> None:
        super().__init__("the objective is unbounded: continuous variables can make it as good as one likes")


class NumericalError(ZermeloError):
    """Floating point contradicts exact arithmetic: nothing can be said by this engine."""


@dataclass(frozen=True)
class Column:
    """A variable of a mixed integer program; ``None`` is no bound."""

    lower: Number | None = 0
    upper: Number | None = 1
    integer: bool = True


@dataclass(frozen=True)
class Inequality:
    """The linear form is at most ``right``."""

    cells: Cells
    right: Number

    def holds(self, values: Sequence[Number]) -> bool:
        """Whether values of all columns keep it.

        >>> Inequality(((0, 2), (1, -1)), 3).holds([2, 1])
        True
        """
        return sum(coefficient * values[column] for column, coefficient in self.cells) <= self.right


@dataclass
class Meter:
    """Counts the calls of HiGHS, shows progress and stops the run at a limit."""

    limits: Limits
    show: Callable[[int], None]
    calls: int = 0
    shown: float = field(default_factory=monotonic)

    def __post_init__(self) -> None:
        self.too_large = memory_watch(self.limits.memory)

    def call(self) -> None:
        """One call more."""
        if self.limits.nodes is not None and self.calls >= self.limits.nodes:
            raise OutOfLimitError("nodes")
        self.calls += 1
        self.look()

    def look(self) -> None:
        """Checks time and memory and shows progress."""
        if self.limits.expired():
            raise OutOfLimitError("time")
        now = monotonic()
        if now - self.shown >= _SHOW:
            self.shown = now
            if self.too_large():
                raise OutOfLimitError("memory")
            self.show(self.calls)


@dataclass(frozen=True)
class Outcome:
    """What HiGHS found: ``values`` keep all rows exactly; ``bound`` is its own bound of the cost, in floating point.

    ``proved`` says whether HiGHS takes the values for the best (or the rows for contradictory, without values); if not,
    ``cause`` says what came first.
    """

    values: tuple[Number, ...] | None
    bound: float
    proved: bool
    cause: str = "none"


def solve_mip(
    columns: Sequence[Column],
    rows: Sequence[Inequality],
    cost: Cells,
    meter: Meter,
    watch: Callable[[float, float], None] = lambda lower, upper: None,
    *,
    gap: float = 0.0,
    anytime: bool = False,
) -> Outcome:
    """Makes ``cost`` small, or within a relative ``gap`` of that.

    ``NumericalError`` where no exact solution is near the one that HiGHS returns, ``UnboundedError`` where no solution
    is the best.

    ``watch`` sees the bounds while HiGHS runs. At a limit, ``OutOfLimitError``; or with ``anytime`` the best solution
    so far, not ``proved``.

    >>> meter = Meter(Limits(), lambda calls: None)
    >>> rows = [Inequality(((0, 2), (1, 3)), 4)]
    >>> solve_mip([Column(0, 5), Column(0, 5)], rows, ((0, -1), (1, -1)), meter).values
    (2, 0)
    >>> solve_mip([Column()], [Inequality(((0, 2),), 1), Inequality(((0, -2),), -1)], (), meter).values is None
    True
    """
    if contradictory(columns, rows):
        return Outcome(None, float("inf"), True)
    for tolerance in TOLERANCES:
        meter.call()
        highs = _built(columns, rows, cost, tolerance, gap)
        stopped = _run(highs, meter, watch)
        if _is_boundless(highs):
            if solve_mip(columns, rows, (), meter).values is None:
                return Outcome(None, float("inf"), True)
            raise UnboundedError
        if stopped == "interrupt" and not anytime:
            raise KeyboardInterrupt
        outcome = _outcome(highs, columns, rows, cost, meter.limits, stopped)
        if outcome is not None and not outcome.proved and not anytime:
            raise OutOfLimitError(outcome.cause)
        if outcome is not None:
            return outcome
    raise NumericalError("HiGHS returns a solution that breaks a row once it is rounded to whole numbers")


def _is_boundless(highs: highspy.Highs) -> bool:
    """Whether HiGHS says that the cost has no bound, or that there may be no solution at all."""
    import highspy

    return highs.getModelStatus() in (
        highspy.HighsModelStatus.kUnbounded,
        highspy.HighsModelStatus.kUnboundedOrInfeasible,
    )


def contradictory(columns: Sequence[Column], rows: Sequence[Inequality]) -> bool:
    """Whether bounds or rows without columns contradict each other at sight.

    >>> contradictory([], [Inequality((), -1)])
    True
    """
    empty = any(c.lower is not None and c.upper is not None and c.lower > c.upper for c in columns)
    return empty or any(not row.cells and row.right < 0 for row in rows)


def _built(
    columns: Sequence[Column], rows: Sequence[Inequality], cost: Cells, tolerance: float, gap: float
) -> highspy.Highs:
    import highspy

    highs = highspy.Highs()
    for option, value in (
        ("output_flag", False),
        ("threads", 1),
        ("mip_rel_gap", gap),
        ("mip_abs_gap", 1e-9),
        ("mip_feasibility_tolerance", tolerance),
        ("primal_feasibility_tolerance", tolerance),
        ("dual_feasibility_tolerance", tolerance),
    ):
        highs.setOptionValue(option, value)
    highs.passModel(linear_model(columns, rows, cost, whole=True))
    return highs


def linear_model(columns: Sequence[Column], rows: Sequence[Inequality], cost: Cells, *, whole: bool) -> highspy.HighsLp:
    """The model as HiGHS takes it, with or without the demand for whole numbers.

    >>> linear_model([Column()], [Inequality(((0, 2),), 1)], (), whole=False).num_row_
    1
    """
    try:
        return _linear_model(columns, rows, cost, whole)
    except OverflowError:
        raise NumericalError("the numbers are too large for floating point") from None


def _linear_model(columns: Sequence[Column], rows: Sequence[Inequality], cost: Cells, whole: bool) -> highspy.HighsLp:
    import highspy

    infinity = highspy.kHighsInf
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(columns), len(rows)
    costs = np.zeros(len(columns))
    for column, coefficient in cost:
        costs[column] = float(coefficient)
    model.col_cost_ = costs
    model.col_lower_ = np.array([-infinity if c.lower is None else float(c.lower) for c in columns], np.float64)
    model.col_upper_ = np.array([infinity if c.upper is None else float(c.upper) for c in columns], np.float64)
    model.row_lower_ = np.full(len(rows), -infinity)
    model.row_upper_ = np.array([float(row.right) for row in rows], np.float64)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.cumsum([0, *(len(row.cells) for row in rows)]).astype(np.int32)
    model.a_matrix_.index_ = np.array([column for row in rows for column, _ in row.cells], np.int32)
    model.a_matrix_.value_ = np.array([float(c) for row in rows for _, c in row.cells], np.float64)
    if whole:
        kinds = highspy.HighsVarType
        model.integrality_ = [kinds.kInteger if c.integer else kinds.kContinuous for c in columns]
    return model


def _run(highs: highspy.Highs, meter: Meter, watch: Callable[[float, float], None]) -> str | None:
    """Runs HiGHS in a thread, so that Ctrl-C is heard; returns what stopped it before its time."""
    stop, done = threading.Event(), threading.Event()

    def heard(event: Any) -> None:
        watch(event.data_out.mip_dual_bound, event.data_out.mip_primal_bound)
        meter.limits.seconds_left()  # where solvers take turns, HiGHS waits here for its own
        if stop.is_set():
            event.data_in.user_interrupt = True

    def work() -> None:
        try:
            highs.run()
        finally:
            done.set()

    highs.cbMipInterrupt += heard
    highs.cbSimplexInterrupt += heard
    left = meter.limits.seconds_left()
    if left is not None:
        highs.setOptionValue("time_limit", max(left, 0.01))
    begin(work)
    cause: str | None = None
    try:
        while not done.wait(0.05):
            meter.look()
    except OutOfLimitError as limit:
        cause = str(limit)
    except KeyboardInterrupt:
        cause = "interrupt"
    finally:
        stop.set()
        _wait(done)
    return cause


def _wait(done: threading.Event) -> None:
    """Waits, whatever happens: who leaves while HiGHS runs tears its threads down with the process."""
    while not done.is_set():
        with suppress(KeyboardInterrupt):
            done.wait(0.1)


def _outcome(
    highs: highspy.Highs,
    columns: Sequence[Column],
    rows: Sequence[Inequality],
    cost: Cells,
    limits: Limits,
    stopped: str | None,
) -> Outcome | None:
    """``None`` where the solution cannot be made exact."""
    import highspy

    status, kinds = highs.getModelStatus(), highspy.HighsModelStatus
    bound = highs.getInfo().mip_dual_bound
    if status == kinds.kInfeasible:
        return Outcome(None, float("inf"), True)
    if status == kinds.kModelEmpty:
        return Outcome((), 0.0, True)
    proved = status == kinds.kOptimal
    if not proved and status not in (kinds.kTimeLimit, kinds.kInterrupt):
        return None
    cause = "none" if proved else stopped or "time"
    solution = highs.getSolution()
    if not solution.value_valid:
        return None if proved else Outcome(None, bound, False, cause)
    values = made_exact(columns, rows, cost, solution.col_value, limits)
    return None if values is None else Outcome(values, bound, proved, cause)


def made_exact(
    columns: Sequence[Column], rows: Sequence[Inequality], cost: Cells, found: Sequence[float], limits: Limits
) -> tuple[Number, ...] | None:
    """Values near those found that keep bounds and rows exactly, whole where they must be.

    The others are found anew, by an exact linear program.

    >>> made_exact([Column()], [Inequality(((0, 3),), 3)], (), [1.0000001], Limits())
    (1,)
    """
    values: list[Number] = [round(value) if c.integer else 0 for value, c in zip(found, columns, strict=True)]
    loose = [number for number, column in enumerate(columns) if not column.integer]
    if loose and not _complete(columns, rows, cost, values, loose, limits):
        return None
    if any(_outside(value, column) for value, column in zip(values, columns, strict=True)):
        return None
    return tuple(values) if all(row.holds(values) for row in rows) else None


def _complete(
    columns: Sequence[Column],
    rows: Sequence[Inequality],
    cost: Cells,
    values: list[Number],
    loose: Sequence[int],
    limits: Limits,
) -> bool:
    """Gives the continuous columns their best values, the others being set; says whether they have any."""
    from zermelo.qip.exact_lp.lp import solve_exact

    place = {column: number for number, column in enumerate(loose)}
    left = []
    for row in rows:
        held = tuple((place[column], Fraction(c)) for column, c in row.cells if column in place)
        if held:
            spent = sum(c * values[column] for column, c in row.cells if column not in place)
            left.append(Row(held, "<=", Fraction(row.right - spent)))
    variables = [
        Variable("", "exists", _fraction(columns[number].lower), _fraction(columns[number].upper), False)
        for number in loose
    ]
    goal = tuple((place[column], Fraction(c)) for column, c in cost if column in place)
    try:
        exact = solve_exact(variables, left, goal, limits)
    except LimitReachedError as limit:
        raise OutOfLimitError("time") from limit
    if exact.status == "infeasible":
        return False
    for number, value in zip(loose, exact.primal, strict=True):
        values[number] = int(value) if value.denominator == 1 else value
    return True


def _fraction(number: Number | None) -> Fraction | None:
    return None if number is None else Fraction(number)


def _outside(value: Number, column: Column) -> bool:
    return (column.lower is not None and value < column.lower) or (column.upper is not None and value > column.upper)
