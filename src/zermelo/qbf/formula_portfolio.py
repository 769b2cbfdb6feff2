"""Several solvers on one formula, by turns (:mod:`zermelo.portfolio`)."""

from __future__ import annotations

from collections.abc import Mapping

from zermelo.errors import NotApplicableError
from zermelo.limits import Limits
from zermelo.portfolio import Portfolio, Share
from zermelo.progress import Watch, no_watch
from zermelo.qbf.formula import Formula
from zermelo.qbf.solver_answer import Answer, Solver

SHARES: Mapping[str, Share] = {"qbf-search": Share(3.0), "qbf-cegar": Share(1.0)}
"""The search answers most formulas of games sooner."""

FORMULAS: Portfolio[Formula, Answer] = Portfolio(
    decided=lambda answer: answer.value is not None,
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
    if not solvers:
        raise NotApplicableError("there is no solver of formulas")
    if len(solvers) == 1:
        ((name, solver),) = solvers.items()
        return name, FORMULAS.asked(solver, formula, limits, watch)
    return FORMULAS.by_turns(solvers, SHARES, formula, limits, watch)
