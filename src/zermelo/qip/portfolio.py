"""Several solvers on one program: the two searches for a moment alone each, then all of them under growing budgets.

On several processors there are two lanes: the native searches take turns in one, the solvers that build mixed integer
programs in the other. On one processor all take turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from zermelo import portfolio as together
from zermelo.errors import NotApplicableError
from zermelo.limits import Limits
from zermelo.portfolio import Portfolio
from zermelo.qip.answer import Answer, Solver
from zermelo.qip.program import Program
from zermelo.run import Watch, no_watch


@dataclass(frozen=True)
class Probe:
    """Seconds that one solver gets alone. Who is named again has closed in on the value from both sides by then, or is
    left out, unless it is tried ``anyway``."""

    solver: str
    seconds: float
    anyway: bool = False


PROBES: Sequence[Probe] = (
    Probe("qip-table", 0.2),
    Probe("qip-leaf", 0.5),
    Probe("qip-learn", 0.2),
    Probe("qip-table", 0.4),
    Probe("qip-learn", 0.4),
    Probe("qip-cegar", 0.6),
    Probe("qip-table", 1.0),
    Probe("qip-cegar", 1.0),
    Probe("qip-table", 5.0, anyway=True),
    Probe("qip-learn", 10.0),
)
"""One after the other, before anything else is tried: most programs need no more."""
NATIVE = ("qip-table", "qip-learn")
"""Who shares the first lane."""
TURN_SECONDS = 4.0
"""The first turn of each; the next is twice as long."""


def is_complete(answer: Answer) -> bool:
    """Whether all of an answer is written down: that the value is reached, and that it cannot be beaten.

    >>> is_complete(Answer("infeasible")), is_complete(Answer("unknown"))
    (False, False)
    """
    if answer.status == "unknown" or answer.forall is None:
        return False
    return answer.status == "infeasible" or answer.exists is not None


PROGRAMS: Portfolio[Program, Answer] = Portfolio(
    decided=lambda answer: answer.status != "unknown",
    complete=is_complete,
    unknown=lambda cause: Answer("unknown", cause=cause),
)


def proving(*, exists: bool, forall: bool) -> Portfolio[Program, Answer]:
    """How solvers are run of which only proofs are wanted.

    >>> proving(exists=False, forall=True).decided(Answer("infeasible"))
    False
    """

    def proves(answer: Answer) -> bool:
        return (not exists or answer.exists is not None) and (not forall or answer.forall is not None)

    return Portfolio(decided=proves, complete=proves, unknown=PROGRAMS.unknown)


def portfolio(
    solvers: Mapping[str, Solver],
    program: Program,
    limits: Limits,
    watch: Watch = no_watch,
    wanted: Portfolio[Program, Answer] = PROGRAMS,
) -> tuple[str, Answer]:
    """The first answer and who gave it; if nobody has one, the name and the answer of one of them.

    ``wanted`` says which answers will do.

    >>> def yes(program, limits, watch):
    ...     return Answer("infeasible")
    >>> def idle(program, limits, watch):
    ...     return Answer("unknown", cause="time")
    >>> portfolio({"idle": idle, "yes": yes}, Program(()), Limits())[0]
    'yes'
    """
    if len(solvers) == 1:
        ((name, solver),) = solvers.items()
        return name, wanted.asked(solver, program, limits, watch)
    left = dict(solvers)
    far = set[str]()
    known: tuple[str, Answer] | None = None
    for probe in PROBES:
        name = probe.solver
        if name not in left or (name in far and not probe.anyway):
            continue
        try:
            answer = wanted.within(left[name], program, limits, probe.seconds, watch)
        except NotApplicableError:
            del left[name]
            continue
        if wanted.decided(answer) and not wanted.complete(answer) and answer.cause == "time":
            known = known or (name, answer)  # somebody else may write down sooner why
        elif wanted.ends(answer, limits):
            return (name, answer) if known is None or wanted.decided(answer) else known
        if answer.cause != "time":
            del left[name]
        elif None in answer.bounds:
            far.add(name)
    if known is not None:
        answer = wanted.asked(solvers[known[0]], program, limits, watch)
        return (known[0], answer) if wanted.decided(answer) else known
    lanes = [{n: s for n, s in left.items() if (n in NATIVE) == native} for native in (True, False)]
    if together.cores() > 1 and all(lanes):
        named = {"+".join(lane): partial(wanted.by_turns, lane, seconds=TURN_SECONDS) for lane in lanes}
        return wanted.side_by_side(named, program, limits, watch)
    return wanted.by_turns(left, program, limits, watch, TURN_SECONDS)
