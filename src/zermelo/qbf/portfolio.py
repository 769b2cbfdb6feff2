"""Several solvers on one formula: the first for a moment alone, then all of them side by side or by turns."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from zermelo import portfolio as together
from zermelo.errors import NotApplicableError
from zermelo.limits import Limits
from zermelo.portfolio import Portfolio
from zermelo.qbf.answer import Answer, Solver
from zermelo.qbf.formula import Formula
from zermelo.run import Watch, no_watch

PROBE_SECONDS = 1.0
"""What the first solver gets alone, before threads are started: most formulas need no more."""


FORMULAS: Portfolio[Formula, Answer] = Portfolio(
    decided=lambda answer: answer.value is not None,
    complete=lambda answer: answer.functions is not None,
    unknown=lambda cause: Answer(None, cause=cause),
)


def portfolio(
    solvers: Mapping[str, Solver], formula: Formula, limits: Limits, watch: Watch = no_watch
) -> tuple[str, Answer]:
    """The first answer and who gave it; if nobody has one, the name and the answer of one of them.

    >>> from zermelo.qbf.circuit import TRUE, Circuit
    >>> def yes(formula, limits, watch):
    ...     return Answer(True)
    >>> def idle(formula, limits, watch):
    ...     return Answer(None, cause="time")
    >>> portfolio({"idle": idle, "yes": yes}, Formula(Circuit(), (), TRUE), Limits())[0]
    'yes'
    """
    names = list(solvers)
    if not names:
        raise NotApplicableError("there is no solver of formulas")
    if len(names) == 1:
        return names[0], FORMULAS.asked(solvers[names[0]], formula, limits, watch)
    answer = FORMULAS.whole(solvers[names[0]], formula, limits, PROBE_SECONDS, watch)
    if FORMULAS.ends(answer, limits):
        return names[0], answer
    if together.cores() > 1:
        lanes = {name: partial(_alone, name, solver) for name, solver in solvers.items()}
        return FORMULAS.side_by_side(lanes, formula, limits, watch)
    return FORMULAS.by_turns(solvers, formula, limits, watch, 2 * PROBE_SECONDS)


def _alone(name: str, solver: Solver, formula: Formula, limits: Limits, watch: Watch) -> tuple[str, Answer]:
    return name, FORMULAS.asked(solver, formula, limits, watch)
