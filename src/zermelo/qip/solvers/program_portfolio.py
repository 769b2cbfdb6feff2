"""Several solvers on one program, by turns (:mod:`zermelo.portfolio`): who gets how much depends on the program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from zermelo.game import Score
from zermelo.limits import Limits
from zermelo.portfolio import Portfolio, Share
from zermelo.progress import Watch, no_watch
from zermelo.qip.programs.program import Program, minimised
from zermelo.qip.solvers.solver_answer import Answer, Solver

KNOWN = 1 << 60


def shares_of(program: Program) -> dict[str, Share]:
    """How the processor is shared out among the solvers.

    Without an objective there is nothing to close in on from both sides, and learning is what most often decides; with
    continuous variables the scenarios are, since mixed integer programs take them as they are. The deterministic
    equivalent takes much memory and comes later.

    >>> from zermelo.qip.programs.program import Variable
    >>> shares = shares_of(Program((Variable("x"),)))
    >>> shares["qip-learn"].size > shares["qip-table"].size
    True
    """
    table, learn, cegar, leaf = 1.5, 1.0, 0.6, 0.2
    if any(not variable.integer for variable in program.variables):
        table, learn, cegar, leaf = 1.0, 0.75, 1.5, 0.5
    elif not program.objective.terms:
        table, learn, cegar, leaf = 0.4, 2.0, 1.0, 0.2
    return {
        "qip-table": Share(table),
        "qip-learn": Share(learn),
        "qip-cegar": Share(cegar),
        "qip-leaf": Share(leaf),
        "qip-dep": Share(0.3, after=1.0),
    }


def is_complete(answer: Answer) -> bool:
    """Whether all of an answer is written down: that the value is reached, and that it cannot be beaten.

    >>> is_complete(Answer("infeasible")), is_complete(Answer("unknown"))
    (False, False)
    """
    if answer.status == "unknown" or answer.forall is None:
        return False
    return answer.status == "infeasible" or answer.exists is not None


def together(program: Program, one: Answer, other: Answer) -> Answer:
    """What two solvers know that have no answer: the better bounds, and how the better value is reached.

    >>> from fractions import Fraction
    >>> one, other = (Answer("unknown", bounds=(Fraction(low), None)) for low in (1, 2))
    >>> together(Program(()), one, other).bounds
    (Fraction(2, 1), None)

    Where the bounds meet they are the answer.
    """
    lowers = [bound for bound in (one.bounds[0], other.bounds[0]) if bound is not None]
    uppers = [bound for bound in (one.bounds[1], other.bounds[1]) if bound is not None]
    bounds = max(lowers, default=None), min(uppers, default=None)
    worse = 1 if minimised(program) > 0 else 0
    shown = [answer.exists for answer in (one, other) if answer.exists and answer.bounds[worse] == bounds[worse]]
    stats = {**other.stats, **one.stats}
    found = replace(one, bounds=bounds, exists=shown[0] if shown else one.exists or other.exists, stats=stats)
    if bounds[0] is None or bounds[0] != bounds[1]:
        return found
    return replace(found, status="optimal", value=bounds[0], cause="none")


def _unknown(cause: str) -> Answer:
    return Answer("unknown", cause=cause)


def _gap(bounds: tuple[Score, Score]) -> Score | None:
    """How far bounds are apart, if both are known; solvers show huge numbers in the place of others."""
    low, high = bounds
    return high - low if -KNOWN < low <= high < KNOWN else None


def _no_gap(bounds: tuple[Score, Score]) -> None:
    """Without an objective there is no value to close in on."""
    del bounds


def _decided(answer: Answer) -> bool:
    return answer.status != "unknown"


def proving(*, exists: bool, forall: bool) -> Portfolio[Program, Answer]:
    """How solvers are run of which only proofs are wanted.

    >>> proving(exists=False, forall=True).decided(Answer("infeasible"))
    False
    """

    def proves(answer: Answer) -> bool:
        return (not exists or answer.exists is not None) and (not forall or answer.forall is not None)

    return Portfolio(decided=proves, unknown=_unknown)


def portfolio(
    solvers: Mapping[str, Solver],
    program: Program,
    limits: Limits,
    watch: Watch = no_watch,
    wanted: Portfolio[Program, Answer] | None = None,
) -> tuple[str, Answer]:
    """The first answer and who gave it; if nobody has one, the name of one of them and what they know together.

    ``wanted`` says which answers will do.

    >>> def yes(program, limits, watch):
    ...     return Answer("infeasible")
    >>> def idle(program, limits, watch):
    ...     return Answer("unknown", cause="time")
    >>> portfolio({"idle": idle, "yes": yes}, Program(()), Limits())[0]
    'yes'
    """

    def join(one: Answer, other: Answer) -> Answer:
        return together(program, one, other)

    wanted = wanted or Portfolio(
        decided=_decided, unknown=_unknown, together=join, gap=_gap if program.objective.terms else _no_gap
    )
    if len(solvers) == 1:
        ((name, solver),) = solvers.items()
        return name, wanted.asked(solver, program, limits, watch)
    return wanted.by_turns(solvers, shares_of(program), program, limits, watch)
