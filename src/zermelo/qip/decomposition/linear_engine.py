"""The engine ``qlp``: quantified programs whose existential variables are all continuous.

What ``exists`` can reach is then convex in what ``forall`` does, so of a universal interval only the two ends matter
(Lorenz, Martin and Wolf, Polyhedral and algorithmic properties of quantified linear programs, 2010); universal integers
in rows of the uncertainty take all their legal values. Small programs are written out as one linear program, the
deterministic equivalent; larger ones are decomposed (:mod:`zermelo.qip.decomposition.benders`).

Either way the answer is exact, with a policy for all lines of play and with multipliers that show that none is better.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor, isfinite
from time import monotonic

from zermelo.errors import InputError, LimitReachedError, NotApplicableError
from zermelo.limits import Limits
from zermelo.progress import Progress, Watch, no_watch
from zermelo.qip.decomposition.benders import Decomposition, Outcome
from zermelo.qip.decomposition.cuts import unrolled
from zermelo.qip.decomposition.linear_policy import any_value, policy_plan
from zermelo.qip.exact_lp.lp import Exact, normal_multipliers, solve_exact
from zermelo.qip.exact_lp.mip import Meter, Number, OutOfLimitError
from zermelo.qip.programs.deterministic_equivalent import Equivalent, deterministic, size
from zermelo.qip.programs.program import Program, minimised, normal, tightened
from zermelo.qip.programs.scenarios import Choices, scenario_tree, universals_of
from zermelo.qip.proofs.exists_plan import Frame, frame, written
from zermelo.qip.proofs.proof import Proof, Refute, Scenario
from zermelo.qip.solvers.cegar import UNKNOWN
from zermelo.qip.solvers.solver_answer import Answer

NAME = "qlp"
WRITTEN_OUT = 20000
"""Coefficients up to which the deterministic equivalent is taken."""
MOST_STAGES = 200
"""Stages that may be tied together by rows of the uncertainty: what they ask for is found from stage to stage."""


def solve_linear(
    program: Program, limits: Limits | None = None, watch: Watch = no_watch, *, written_out: int = WRITTEN_OUT
) -> Answer:
    """Solves a program whose existential variables are all continuous, exactly; ``nodes`` are linear programs.

    The deterministic equivalent is taken where it has at most ``written_out`` coefficients. ``NotApplicableError`` for
    other programs, ``InputError`` where the objective has no limit.

    >>> from zermelo.qip.programs.program import Objective, Row, Variable, terms
    >>> u, y = Variable("u", "forall", integer=False), Variable("y", upper=Fraction(9), integer=False)
    >>> rows = (Row(terms({0: 1, 1: 3}), ">=", Fraction(2)), Row(terms({0: 2, 1: -1}), "<=", Fraction(1)))
    >>> answer = solve_linear(Program((u, y), rows, Objective("min", terms({1: 1}))))
    >>> answer.status, str(answer.value)
    ('optimal', '1')
    """
    if not program.is_linear:
        raise NotApplicableError("the engine qlp takes programs whose existential variables are all continuous")
    run = _LinearSolving(program, limits or Limits(), watch)
    try:
        return run.solve(written_out)
    except OutOfLimitError as limit:
        return run.stopped(str(limit))
    except LimitReachedError:
        return run.stopped("time")
    except MemoryError:
        return run.stopped("memory")
    except KeyboardInterrupt:
        return run.stopped("interrupt")


class _LinearSolving:
    """One run of the engine: which way it takes, and what is known if it is stopped."""

    def __init__(self, program: Program, limits: Limits, watch: Watch) -> None:
        self.program, self.watch = tightened(program), watch
        self.began = monotonic()
        self.meter = Meter(limits, self.show)
        self.parts: Decomposition | None = None

    def solve(self, written_out: int) -> Answer:
        self.meter.look()
        if size(self.program).entries <= written_out:
            return solve_written_out(self.program, self.meter)
        return self.decomposed()

    def decomposed(self) -> Answer:
        of, tree = frame(self.program), scenario_tree(self.program)
        self.parts = Decomposition(of, tree, self.meter)
        if tree.rows and len(self.parts.stages) > MOST_STAGES:
            return solve_written_out(self.program, self.meter)
        outcome = self.parts.solve()
        forall = decomposed_refutation(self.parts, outcome)
        if rests_on_open_bounds(self.program, forall):
            return solve_written_out(self.program, self.meter)
        if outcome.plan is None:
            return Answer("infeasible", forall=forall, nodes=self.meter.calls, stats=self.parts.stats)
        value = of.value(outcome.bound or 0)
        exists = written(outcome.plan, value)
        return Answer("optimal", value, (value, value), exists, forall, self.meter.calls, stats=self.parts.stats)

    def show(self, calls: int) -> None:
        """Shows the bounds in floating point, by which the run goes; only proved ones become part of an answer."""
        bounds, depth = [Fraction(-UNKNOWN), Fraction(UNKNOWN)], 0
        if self.parts is not None:
            depth, sign = len(self.parts.stages), minimised(self.program)
            for place, bound in enumerate((self.parts.lower, self.parts.upper)[::sign]):
                if isfinite(bound):
                    bounds[place] = rounded(self.parts.of.value(Fraction(bound)), upward=place == 1)
        self.watch(Progress(NAME, monotonic() - self.began, calls, depth, (bounds[0], bounds[1])))

    def stopped(self, cause: str) -> Answer:
        """Bounds are only those that were proved."""
        bounds: tuple[Fraction | None, Fraction | None] = (None, None)
        if self.parts is not None and self.parts.proved is not None and not has_open_bounds(self.program):
            proved = self.parts.of.value(self.parts.proved)
            bounds = (proved, None) if minimised(self.program) > 0 else (None, proved)
        stats = self.parts.stats if self.parts is not None else {}
        return Answer("unknown", bounds=bounds, nodes=self.meter.calls, cause=cause, stats=stats)


def rounded(bound: Fraction, upward: bool) -> Fraction:
    """A bound that can be read, and is still one: rounded outwards, to tenths where it is small.

    >>> [str(rounded(Fraction(bound), upward=True)) for bound in ("1234.56", "12.34")]
    ['1235', '62/5']
    """
    times = 1 if abs(bound) >= 100 else 10
    return Fraction(ceil(bound * times) if upward else floor(bound * times), times)


def has_open_bounds(program: Program) -> bool:
    """Whether some variable lacks a bound.

    >>> from zermelo.qip.programs.program import Variable
    >>> has_open_bounds(Program((Variable("y", upper=None, integer=False),)))
    True
    """
    return any(variable.lower is None or variable.upper is None for variable in program.variables)


def rests_on_open_bounds(program: Program, proof: Proof) -> bool:
    """Whether a proof of ``forall`` uses a bound that a variable does not have: one that stood for it in between.

    >>> from zermelo.qip.programs.program import Row, Variable, terms
    >>> free = Variable("y", lower=None, upper=None, integer=False)
    >>> program = Program((free,), (Row(terms({0: 1}), "<=", Fraction(1)),))
    >>> rests_on_open_bounds(program, Proof("forall", None, (Refute(0, (Scenario((), {1: 1}),)),)))
    True
    """
    if not has_open_bounds(program):
        return False
    universals, rows = universals_of(program), normal(program).rows
    copies: dict[tuple[int, tuple[Number, ...]], Fraction] = {}
    for node in proof.nodes:
        for scenario in node.scenarios if isinstance(node, Refute) else ():
            for number, multiplier in scenario.multipliers.items():
                for held, coefficient in rows[number].terms:
                    copy = (held, scenario.choices[: bisect_left(universals, held)])
                    copies[copy] = copies.get(copy, Fraction(0)) + multiplier * coefficient
    for (number, _), coefficient in copies.items():
        variable = program.variables[number]
        if (coefficient > 0 and variable.lower is None) or (coefficient < 0 and variable.upper is None):
            return True
    return False


def decomposed_refutation(parts: Decomposition, outcome: Outcome) -> Proof:
    """The proof of ``forall`` from the multipliers at the root of a decomposition."""
    of = parts.of
    value = None if outcome.plan is None else of.value(outcome.bound or 0)
    found = unrolled(parts.ledger, outcome.root, outcome.parts, parts.meter.look)
    if outcome.plan is not None and outcome.bound is None:
        found = {parts.tree.some_line(): {0: Fraction(1)}}
    form = normal(of.program)
    scenarios = []
    for choices, rows in sorted(found.items()):
        multipliers = {}
        for number, multiplier in sorted(rows.items()):
            cells = form.rows[number].terms
            # The frame has rows with whole coefficients: what they were multiplied by comes to the multipliers.
            multipliers[number] = multiplier * of.rows[number][0][1] / cells[0][1] if cells else multiplier
        scenarios.append(Scenario(choices, multipliers))
    return Proof("forall", value, (Refute(0, tuple(scenarios)),))


def solve_written_out(program: Program, meter: Meter) -> Answer:
    """Solves by the deterministic equivalent over all lines of play; ``NotApplicableError`` where that is too large.

    >>> from zermelo.qip.programs.program import Row, Variable, terms
    >>> u, y = Variable("u", "forall"), Variable("y", integer=False)
    >>> program = Program((y, u), (Row(terms({0: 1, 1: 1}), "=", Fraction(1)),))
    >>> answer = solve_written_out(program, Meter(Limits(), lambda calls: None))
    >>> answer.status, len(answer.forall.nodes[0].scenarios)
    ('infeasible', 2)
    """
    try:
        equivalent = deterministic(program, check=meter.look)
    except LimitReachedError as limit:
        raise NotApplicableError(str(limit)) from None
    sign = minimised(program)
    goal = tuple((column, sign * coefficient) for column, coefficient in equivalent.objective)
    exact = solve_exact(equivalent.columns, equivalent.rows, goal, meter.limits)
    stats = {
        "scenarios": equivalent.tree.counts[-1],
        "columns": len(equivalent.columns),
        "rows": len(equivalent.rows),
        "exact pivots": exact.pivots,
    }
    if exact.status == "unbounded":
        raise InputError(unbounded(program, equivalent, exact))
    if exact.value is None:
        return Answer("infeasible", forall=refutation(equivalent, exact, None), stats=stats)
    value = sign * exact.value + equivalent.constant
    of = frame(program)
    return Answer(
        "optimal",
        value,
        (value, value),
        policy(of, equivalent, exact, value),
        refutation(equivalent, exact, value),
        stats=stats,
    )


def unbounded(program: Program, equivalent: Equivalent, exact: Exact) -> str:
    """Says which variables can grow for ever."""
    numbers = {
        column.variable
        for column, step in zip(equivalent.columns, exact.ray, strict=True)
        if step and column.variable is not None
    }
    names = ", ".join(program.variables[number].name for number in sorted(numbers)[:5])
    more = " and others" if len(numbers) > 5 else ""
    return f"the objective is unbounded: it improves for ever with {names}{more}"


def policy(of: Frame, equivalent: Equivalent, exact: Exact, value: Fraction) -> Proof:
    """The proof of ``exists`` from the values of all copies."""

    def decide(number: int, choices: Choices) -> Number:
        column = equivalent.index.get((number, choices))
        # Without a column it is in no row.
        return any_value(of, number) if column is None else exact.primal[column]

    return written(policy_plan(of, equivalent.tree, decide), value)


def refutation(equivalent: Equivalent, exact: Exact, value: Fraction | None) -> Proof:
    """The proof of ``forall``: his lines of play with the multipliers of the rows."""
    by_choices: dict[Choices, dict[int | None, Fraction]] = {}
    for line, multiplier in zip(equivalent.rows, exact.multipliers, strict=True):
        if multiplier:
            rows = by_choices.setdefault(line.choices, {})
            rows[line.source] = rows.get(line.source, Fraction(0)) + multiplier
    if value is not None and not equivalent.objective:
        # Without an objective, that nothing is better than its constant needs no rows.
        by_choices = {equivalent.tree.some_line(): {None: Fraction(1)}}
    return Proof("forall", value, (refute(equivalent.program, by_choices),))


def refute(program: Program, by_choices: Mapping[Choices, Mapping[int | None, Fraction]]) -> Refute:
    """A step of a proof from multipliers of the program's rows by lines of play."""
    scenarios = [Scenario(choices, normal_multipliers(program, rows)) for choices, rows in sorted(by_choices.items())]
    return Refute(0, tuple(scenarios))
