"""Several solvers on one problem: for a moment alone, side by side, by turns.

Which technique suits a problem is not known in advance, and the better one is often better by orders of magnitude. Side
by side on two processors it costs no more than the better one; by turns with growing shares of time, on one processor,
at most a small multiple (Luby, Sinclair and Zuckerman, Optimal speedup of Las Vegas algorithms, 1993).
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from zermelo.errors import LimitReachedError, NotApplicableError
from zermelo.limits import Limits
from zermelo.run import Progress, Watch

PATIENCE = 5.0
"""Seconds to wait for a solver that was told to stop."""


class SomeAnswer(Protocol):
    """What the answers to all kinds of problems have."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def nodes(self) -> int:
        """How much work it was."""

    @property
    def cause(self) -> str:
        """What stopped the solver."""


P = TypeVar("P")
A = TypeVar("A", bound=SomeAnswer)
Named = tuple[str, A]
"""Who answered, and what."""
Solver = Callable[[P, Limits, Watch], A]
Lane = Callable[[P, Limits, Watch], tuple[str, A]]
"""One solver, or several by turns."""


@dataclass(frozen=True)
class Portfolio(Generic[P, A]):
    """How solvers of one kind of problem are run together.

    ``decided``: an answer says what was asked for. ``complete``: it is also written down why. ``unknown`` makes the
    answer that a cause left none.
    """

    decided: Callable[[A], bool]
    complete: Callable[[A], bool]
    unknown: Callable[[str], A]

    def asked(self, solver: Solver[P, A], problem: P, limits: Limits, watch: Watch) -> A:
        """What one solver says, be it that it ran into a limit."""
        try:
            return solver(problem, limits, watch)
        except LimitReachedError:
            return self.unknown("time" if limits.expired() else "memory")
        except MemoryError:
            return self.unknown("memory")

    def within(self, solver: Solver[P, A], problem: P, limits: Limits, seconds: float, watch: Watch) -> A:
        """What a solver says within so many seconds."""
        return self.asked(solver, problem, _share(limits, seconds), watch)

    def whole(self, solver: Solver[P, A], problem: P, limits: Limits, seconds: float, watch: Watch) -> A:
        """What a solver says within so many seconds; if they end while it writes its proof down, it may finish."""
        answer = self.within(solver, problem, limits, seconds, watch)
        if not self.decided(answer) or self.complete(answer) or answer.cause != "time" or limits.expired():
            return answer
        return self.asked(solver, problem, limits, watch)

    def ends(self, answer: A, limits: Limits) -> bool:
        """Whether nobody else needs to be asked, or nobody else can."""
        return self.decided(answer) or answer.cause in ("interrupt", "nodes") or limits.expired()

    def by_turns(
        self, solvers: Mapping[str, Solver[P, A]], problem: P, limits: Limits, watch: Watch, seconds: float
    ) -> Named[A]:
        """Each for so many seconds, then for twice as many, until one has the answer.

        Who does not take the problem, or gives up for another reason than time, is not asked again.
        """
        left, nodes = dict(solvers), 0
        last: Named[A] | None = None
        refused: NotApplicableError | None = None
        while left:
            for name, solver in list(left.items()):
                try:
                    answer = self.whole(solver, problem, limits, seconds, watch)
                except NotApplicableError as error:
                    refused = error
                    del left[name]
                    continue
                nodes += answer.nodes
                last = (name, replace(answer, nodes=nodes))
                if self.ends(answer, limits):
                    return last
                if answer.cause != "time":
                    del left[name]
            seconds *= 2
        if last is None:
            raise refused or NotApplicableError("there is no solver for it")
        return last

    def side_by_side(self, lanes: Mapping[str, Lane[P, A]], problem: P, limits: Limits, watch: Watch) -> Named[A]:
        """The first answer; the others are stopped then."""
        stop = threading.Event()
        share = _Stoppable(limits.seconds, limits.memory // len(lanes), limits.nodes, limits.started, stop)
        answers: queue.SimpleQueue[Named[A] | BaseException] = queue.SimpleQueue()

        def hear(progress: Progress) -> None:
            # A native kernel knows nothing of the event; but whoever waits for it shows its progress now and then.
            if stop.is_set():
                raise _StopError
            watch(progress)

        def work(name: str, lane: Lane[P, A]) -> None:
            try:
                answers.put(lane(problem, share, hear))
            except LimitReachedError:
                answers.put((name, self.unknown("time" if share.expired() else "memory")))
            except MemoryError:
                answers.put((name, self.unknown("memory")))
            except BaseException as error:  # handed on to the thread that waits
                answers.put(error)

        for name, lane in lanes.items():
            threading.Thread(target=work, args=(name, lane), daemon=True).start()
        return self._first(answers, stop, list(lanes))

    def _first(
        self, answers: queue.SimpleQueue[Named[A] | BaseException], stop: threading.Event, names: list[str]
    ) -> Named[A]:
        """Waits for an answer, then for the others to stop."""
        best: Named[A] | None = None
        failure: BaseException | None = None
        running = len(names)
        interrupted = False
        while running:
            try:
                answer = answers.get(timeout=PATIENCE if stop.is_set() else 0.1)
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
                failure = _worse(failure, answer)
            elif best is None or (not self.decided(best[1]) and self.decided(answer[1])):
                best = answer
            if best is not None and self.decided(best[1]):
                stop.set()
        if best is not None and (self.decided(best[1]) or failure is None or isinstance(failure, NotApplicableError)):
            cause = "interrupt" if interrupted and not self.decided(best[1]) else best[1].cause
            return best[0], replace(best[1], cause=cause)
        if failure is not None and not interrupted:
            raise failure
        return names[0], self.unknown("interrupt" if interrupted else "time")


class _StopError(Exception):
    """Another solver has the answer."""


def _worse(known: BaseException | None, new: BaseException) -> BaseException | None:
    """That a solver does not take the problem is nothing against a fault; that it was stopped is nothing at all."""
    if isinstance(new, _StopError) or (known is not None and isinstance(new, NotApplicableError)):
        return known
    return new


@dataclass(frozen=True)
class _Stoppable(Limits):
    """Limits that can be brought to an end from outside: who looks at the clock sees that the time is up."""

    stop: threading.Event = field(default_factory=threading.Event, compare=False)

    def seconds_left(self) -> float | None:
        return 0.0 if self.stop.is_set() else super().seconds_left()


def _share(limits: Limits, seconds: float) -> Limits:
    left = limits.seconds_left()
    return replace(limits, seconds=seconds if left is None else min(left, seconds)).restarted()


def cores() -> int:
    """How many processors there are for this process.

    >>> cores() > 0
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
