"""Several solvers on one formula: the first for a moment alone, then all of them side by side or by turns.

Which technique suits a formula is not known in advance, and the better one is often better by orders of magnitude. Side
by side on two processors it costs no more than the better one; by turns with growing shares of time, on one processor,
at most a small multiple (Luby, Sinclair and Zuckerman, Optimal speedup of Las Vegas algorithms, 1993).
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from zermelo.errors import LimitReachedError, NotApplicableError
from zermelo.limits import Limits
from zermelo.qbf.answer import Answer, Solver
from zermelo.qbf.formula import Formula
from zermelo.run import Progress, Watch, no_watch

PROBE_SECONDS = 1.0
"""What the first solver gets alone, before threads are started: most formulas need no more."""
PATIENCE = 5.0
"""Seconds to wait for a solver that was told to stop."""


def portfolio(
    solvers: Mapping[str, Solver], formula: Formula, limits: Limits, watch: Watch = no_watch
) -> tuple[str, Answer]:
    """The first answer and who gave it; if nobody has one, the name and the answer of the first solver.

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
        return names[0], _asked(solvers[names[0]], formula, limits, watch)
    answer = _whole(solvers[names[0]], formula, limits, PROBE_SECONDS, watch)
    if answer.value is not None or answer.cause in ("interrupt", "nodes") or limits.expired():
        return names[0], answer
    together = _side_by_side if _cores() > 1 else _by_turns
    return together(solvers, formula, limits, watch)


def _asked(solver: Solver, formula: Formula, limits: Limits, watch: Watch) -> Answer:
    try:
        return solver(formula, limits, watch)
    except LimitReachedError:
        return Answer(None, cause="time" if limits.expired() else "memory")
    except MemoryError:
        return Answer(None, cause="memory")


def _whole(solver: Solver, formula: Formula, limits: Limits, seconds: float, watch: Watch) -> Answer:
    """What a solver says within so many seconds; if they end while it writes its functions down, it may finish."""
    answer = _asked(solver, formula, _share(limits, seconds), watch)
    if answer.value is None or answer.functions is not None or answer.cause != "time" or limits.expired():
        return answer
    return _asked(solver, formula, limits, watch)


def _share(limits: Limits, seconds: float) -> Limits:
    left = limits.seconds_left()
    return replace(limits, seconds=seconds if left is None else min(left, seconds)).restarted()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _by_turns(solvers: Mapping[str, Solver], formula: Formula, limits: Limits, watch: Watch) -> tuple[str, Answer]:
    seconds, nodes = PROBE_SECONDS, 0
    while True:
        seconds *= 2
        for name, solver in solvers.items():
            answer = _whole(solver, formula, limits, seconds, watch)
            nodes += answer.nodes
            if answer.value is not None or answer.cause in ("interrupt", "nodes") or limits.expired():
                return name, replace(answer, nodes=nodes)


class _StopError(Exception):
    """Another solver has the answer."""


@dataclass(frozen=True)
class _Stoppable(Limits):
    """Limits that can be brought to an end from outside: who looks at the clock sees that the time is up."""

    stop: threading.Event = field(default_factory=threading.Event, compare=False)

    def seconds_left(self) -> float | None:
        return 0.0 if self.stop.is_set() else super().seconds_left()


def _side_by_side(solvers: Mapping[str, Solver], formula: Formula, limits: Limits, watch: Watch) -> tuple[str, Answer]:
    stop = threading.Event()
    share = _Stoppable(limits.seconds, limits.memory // len(solvers), limits.nodes, limits.started, stop)
    answers: queue.SimpleQueue[tuple[str, Answer | BaseException]] = queue.SimpleQueue()

    def hear(progress: Progress) -> None:
        # A native kernel knows nothing of the event; but whoever waits for it shows its progress now and then.
        if stop.is_set():
            raise _StopError
        watch(progress)

    def work(name: str, solver: Solver) -> None:
        try:
            answers.put((name, _asked(solver, formula, share, hear)))
        except BaseException as error:  # handed on to the thread that waits
            answers.put((name, error))

    for name, solver in solvers.items():
        threading.Thread(target=work, args=(name, solver), daemon=True).start()
    return _first(answers, stop, len(solvers))


def _first(
    answers: queue.SimpleQueue[tuple[str, Answer | BaseException]], stop: threading.Event, count: int
) -> tuple[str, Answer]:
    """Waits for an answer, then for the others to stop."""
    best: tuple[str, Answer] | None = None
    failure: BaseException | None = None
    running = count
    interrupted = False
    while running:
        try:
            name, answer = answers.get(timeout=PATIENCE if stop.is_set() else 0.1)
        except queue.Empty:
            if stop.is_set():
                break  # it will find out; the answer need not wait for that
            continue
        except KeyboardInterrupt:
            stop.set()
            interrupted = True
            continue
        running -= 1
        if isinstance(answer, BaseException):
            failure = failure if isinstance(answer, _StopError) else answer
        elif best is None or (best[1].value is None and answer.value is not None):
            best = (name, answer)
        if best is not None and best[1].value is not None:
            stop.set()
    if best is not None and (best[1].value is not None or failure is None):
        cause = "interrupt" if interrupted and best[1].value is None else best[1].cause
        return best[0], replace(best[1], cause=cause)
    if failure is not None:
        raise failure
    return "qbf", Answer(None, cause="interrupt" if interrupted else "time")
