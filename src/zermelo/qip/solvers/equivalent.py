"""The engine ``qip-dep``: the deterministic equivalent as one mixed integer program.

Every line of play of ``forall`` is written out (:mod:`zermelo.qip.programs.deterministic_equivalent`) and HiGHS does
the rest. The size grows with the number of lines, so this is for programs with few of them, and what the other engines
are measured by. The solution is made exact and becomes a plan of ``exists``; that nothing is better is shown as
``qip-cegar`` does it, from as many of the lines as that needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isfinite
from time import monotonic

from zermelo.errors import LimitReachedError, NotApplicableError
from zermelo.limits import Limits
from zermelo.progress import Progress, Watch, no_watch
from zermelo.qip.exact_lp.mip import (
    Cells,
    Column,
    Inequality,
    Meter,
    Number,
    NumericalError,
    OutOfLimitError,
    UnboundedError,
    solve_mip,
)
from zermelo.qip.programs.deterministic_equivalent import Equivalent, deterministic
from zermelo.qip.programs.packed import whole_factor
from zermelo.qip.programs.program import Bound, Program, Relation
from zermelo.qip.proofs.exists_plan import Plan, branched, chosen, cost_of, end_plan, int_if_whole, lifted, works
from zermelo.qip.solvers.cegar import UNKNOWN, Best, bounds, incumbent, optimum, unproved
from zermelo.qip.solvers.refinement import Position, Search, Step, run_steps
from zermelo.qip.solvers.solver_answer import Answer

NAME = "qip-dep"


def solve_by_equivalent(program: Program, limits: Limits | None = None, watch: Watch = no_watch) -> Answer:
    """Solves a program by its deterministic equivalent; ``nodes`` are calls of HiGHS.

    ``NotApplicableError`` where the equivalent would be too large.

    >>> from zermelo.qip.programs.program import Objective, Row, Variable, terms
    >>> u, y = Variable("u", "forall"), Variable("y", upper=Fraction(3), integer=False)
    >>> rows = (Row(terms({0: 1, 1: 2}), ">=", Fraction(2)),)
    >>> answer = solve_by_equivalent(Program((u, y), rows, Objective("min", terms({0: 1, 1: 1}))))
    >>> answer.status, str(answer.value), len(answer.exists.nodes)
    ('optimal', '3/2', 3)
    """
    began, best, seen = monotonic(), Best(), [Fraction(-UNKNOWN), Fraction(UNKNOWN)]

    def show(calls: int) -> None:
        watch(Progress(NAME, monotonic() - began, calls, bounds=(seen[0], seen[1])))

    def look(lower: float, upper: float) -> None:
        shown = [Fraction(cost).limit_denominator(1000) if isfinite(cost) else None for cost in (lower, upper)]
        seen[:] = _as_stated(program, *shown)

    meter = Meter(limits or Limits(), show)
    search = Search(program, meter)
    proved = False
    try:
        equivalent = _equivalent(program, meter)
        columns, rows, cost = as_mixed(equivalent)
        best.stats |= {"lines": equivalent.tree.counts[-1], "columns": len(columns)}
        outcome = solve_mip(columns, rows, cost, meter, look, anytime=True)
        proved, cause = outcome.proved, outcome.cause
        if outcome.values is not None:
            best.plan = plan_of(search, equivalent, outcome.values)
            best.cost = cost_of(best.plan)
        if proved:
            return _optimum(search, best, equivalent)
    except OutOfLimitError as limit:
        cause = str(limit)
    except MemoryError:
        cause = "memory"
    except KeyboardInterrupt:
        cause = "interrupt"
    except NumericalError as error:
        cause = "numerical"
        best.stats["why"] = str(error)
    if not proved:
        known, reached = bounds(search, best), incumbent(search, best)
        return Answer("unknown", None, known, reached, nodes=meter.calls, cause=cause, stats=best.stats)
    return unproved(search, best, cause)


def _equivalent(program: Program, meter: Meter) -> Equivalent:
    try:
        return deterministic(program, check=meter.look)
    except LimitReachedError as limit:
        raise NotApplicableError(str(limit)) from None


def _optimum(search: Search, best: Best, equivalent: Equivalent) -> Answer:
    """That nothing is better, from some lines of play; from all where some leave the objective unbounded."""
    try:
        return optimum(search, best)
    except UnboundedError:
        lines = equivalent.tree.prefixes(len(equivalent.tree.universals))
        return optimum(search, best, [tuple(int_if_whole(value) for value in line) for line in lines])


def _as_stated(program: Program, lower: Fraction | None, upper: Fraction | None) -> list[Fraction]:
    """Bounds of the cost as bounds of the program's own objective."""
    if program.objective.sense == "max":
        lower, upper = None if upper is None else -upper, None if lower is None else -lower
    return [Fraction(-UNKNOWN) if lower is None else lower, Fraction(UNKNOWN) if upper is None else upper]


def as_mixed(equivalent: Equivalent) -> tuple[list[Column], list[Inequality], Cells]:
    """An equivalent as upper bounds with whole coefficients; its cost is to be small.

    >>> from zermelo.qip.programs.program import Row, Variable, terms
    >>> u, y = Variable("u", "forall"), Variable("y")
    >>> as_mixed(deterministic(Program((u, y), (Row(terms({0: 1, 1: Fraction(1, 2)}), "<=", Fraction(1)),))))[1]
    [Inequality(cells=((0, 1),), right=2), Inequality(cells=((1, 1),), right=0)]
    """
    columns = [Column(_whole(column.lower), _whole(column.upper), column.integer) for column in equivalent.columns]
    rows: list[Inequality] = []
    scales: dict[int | None, Fraction] = {}
    for line in equivalent.rows:
        if line.source not in scales:
            scales[line.source] = whole_factor(Bound(line.terms, line.right), with_right=False)
        scale = scales[line.source]
        for sign in _signs(line.relation):
            cells = tuple((column, int(sign * scale * c)) for column, c in line.terms)
            rows.append(Inequality(cells, int_if_whole(sign * scale * line.right)))
    sign = 1 if equivalent.sense == "min" else -1
    return columns, rows, tuple((column, sign * int_if_whole(c)) for column, c in equivalent.objective)


def _signs(relation: Relation) -> tuple[int, ...]:
    """What a row is multiplied by to become upper bounds."""
    return (1,) if relation == "<=" else (-1,) if relation == ">=" else (1, -1)


def _whole(bound: Fraction | None) -> Number | None:
    return None if bound is None else int_if_whole(bound)


def plan_of(search: Search, equivalent: Equivalent, values: Sequence[Number]) -> Plan:
    """The plan that a solution of the equivalent is; equal parts are shared.

    >>> from zermelo.qip.programs.program import Row, Variable, terms
    >>> u, y = Variable("u", "forall"), Variable("y")
    >>> program = Program((u, y), (Row(terms({0: 1, 1: 1}), "=", Fraction(1)),))
    >>> search = Search(program, Meter(Limits(), lambda calls: None))
    >>> [(leaf.lower, leaf.plan.values) for leaf in plan_of(search, deterministic(program), (1, 0)).cases]
    [(0, (1,)), (1, (0,))]
    """
    result = run_steps(_Reading(search, equivalent, values).plan(0, (), search.start(0)))
    assert isinstance(result, Plan)
    need, cap = lifted(search.of, result, 0)
    if result.at:
        result = Plan(0, need, cap, (), result)
    if not works(need[1:], search.of.right[1:]):
        raise NumericalError("the solution of the equivalent is not a plan for all lines of play")
    return result


class _Reading:
    """A plan on its way from the values of the columns."""

    def __init__(self, search: Search, equivalent: Equivalent, values: Sequence[Number]) -> None:
        self.search, self.equivalent, self.values = search, equivalent, values
        self.known: dict[tuple[object, ...], Plan] = {}
        self.end = end_plan(search.of)

    def plan(self, at: int, choices: tuple[Fraction, ...], position: Position) -> Step:
        """The plan from a variable on."""
        search = self.search
        if at == search.of.size:
            return self.end
        if search.of.exists(at):
            block = next(block for block in search.of.blocks if block.first == at)
            values = tuple(self.value(variable, choices) for variable in range(at, block.end))
            then = yield self.plan(block.end, choices, position)
            assert isinstance(then, Plan)
            return self.shared((at, values, id(then)), lambda: chosen(search.of, at, values, then))
        level = position.level
        looked_at = self.equivalent.tree.values[level]
        if len(looked_at) == 1:
            # Nobody can react to it, so the rows were taken at their worst: any value will do.
            following = search.after(position, at, int_if_whole(looked_at[0]))
            result = yield self.plan(at + 1, (*choices, looked_at[0]), following)
            return result
        cases: list[tuple[Number, Plan | None, int | None]] = []
        for value in search.values[level]:
            broken = search.broken(at, position, value)
            if broken is not None:
                cases.append((value, None, broken))
                continue
            following = search.after(position, at, value)
            if following.state is None:
                result = yield search.doomed(following)
            else:
                result = yield self.plan(at + 1, (*choices, Fraction(value)), following)
            assert isinstance(result, Plan)
            cases.append((value, result, None))
        key = (at, *((value, id(plan), broken) for value, plan, broken in cases))
        return self.shared(key, lambda: branched(search.of, at, cases))

    def shared(self, key: tuple[object, ...], make: Callable[[], Plan]) -> Plan:
        if key not in self.known:
            self.known[key] = make()
        return self.known[key]

    def value(self, variable: int, choices: tuple[Fraction, ...]) -> Number:
        column = self.equivalent.index.get((variable, choices))
        if column is not None:
            return self.values[column]
        low, high = self.search.of.lower[variable], self.search.of.upper[variable]
        return low if low is not None else min(0, high) if high is not None else 0
