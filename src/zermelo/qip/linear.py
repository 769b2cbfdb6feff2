"""The engine ``qlp``: quantified programs whose existential variables are all continuous.

What ``exists`` can reach is then convex in what ``forall`` does, so of a universal interval only the two ends matter
(Lorenz, Martin and Wolf, Polyhedral and algorithmic properties of quantified linear programs, 2010); universal integers
in rows of the uncertainty take all their legal values. Small programs are written out as one linear program, the
deterministic equivalent; larger ones are decomposed (:mod:`zermelo.qip.benders`).

Either way the answer is exact, with a policy for all lines of play and with multipliers that show that none is better.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from zermelo.errors import InputError, LimitReachedError, NotApplicableError
from zermelo.limits import Limits
from zermelo.qip.answer import Answer
from zermelo.qip.deterministic import Equivalent, deterministic
from zermelo.qip.lp import Exact, normal_multipliers, solve_exact
from zermelo.qip.mip import Number, OutOfLimitError
from zermelo.qip.plan import Frame, frame, written
from zermelo.qip.policy import any_value, policy_plan
from zermelo.qip.program import Program, minimised
from zermelo.qip.proof import Proof, Refute, Scenario
from zermelo.qip.scenarios import Choices
from zermelo.run import Watch, no_watch

NAME = "qlp"


def solve_linear(program: Program, limits: Limits | None = None, watch: Watch = no_watch) -> Answer:
    """Solves a program whose existential variables are all continuous, exactly.

    ``NotApplicableError`` for other programs, ``InputError`` where the objective has no limit.

    >>> from zermelo.qip.program import Objective, Row, Variable, terms
    >>> u, y = Variable("u", "forall", integer=False), Variable("y", upper=Fraction(9), integer=False)
    >>> rows = (Row(terms({0: 1, 1: 3}), ">=", Fraction(2)), Row(terms({0: 2, 1: -1}), "<=", Fraction(1)))
    >>> answer = solve_linear(Program((u, y), rows, Objective("min", terms({1: 1}))))
    >>> answer.status, str(answer.value)
    ('optimal', '1')
    """
    if not program.is_linear:
        raise NotApplicableError("the engine qlp takes programs whose existential variables are all continuous")
    limits = limits or Limits()
    try:
        return solve_written_out(program, limits)
    except OutOfLimitError as limit:
        cause = str(limit)
    except LimitReachedError:
        cause = "time"
    except MemoryError:
        cause = "memory"
    except KeyboardInterrupt:
        cause = "interrupt"
    return Answer("unknown", cause=cause)


def solve_written_out(program: Program, limits: Limits) -> Answer:
    """Solves by the deterministic equivalent over all lines of play."""
    equivalent = deterministic(program)
    sign = minimised(program)
    goal = tuple((column, sign * coefficient) for column, coefficient in equivalent.objective)
    exact = solve_exact(equivalent.columns, equivalent.rows, goal, limits)
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
        by_choices = {equivalent.tree.prefixes(len(equivalent.tree.universals))[0]: {None: Fraction(1)}}
    return Proof("forall", value, (refute(equivalent.program, by_choices),))


def refute(program: Program, by_choices: Mapping[Choices, Mapping[int | None, Fraction]]) -> Refute:
    """A step of a proof from multipliers of the program's rows by lines of play."""
    scenarios = [Scenario(choices, normal_multipliers(program, rows)) for choices, rows in sorted(by_choices.items())]
    return Refute(0, tuple(scenarios))
