"""Several solvers on one problem, by turns: each gets its share of the processor and is resumed where it paused.

Which technique suits a problem is not known in advance, and the better one is often better by orders of magnitude. So
all of them run, each in a thread of its own, but only one at a time (two where there are processors for them): the one
that has had least of its share is next. Shares are of processor time, so that a busy machine starves nobody; a solver
whose turn is over waits, with all that it has found, until it is its turn again. By the time that a solver with the
share s of all shares S has had t seconds, all of them have had about t * S / s: that is what not knowing costs (stride
scheduling: Waldspurger and Weihl 1995).

A solver pauses where it looks at its limits: native kernels at their controls, others where they ask for the time left.
A program of others that runs outside this process does not pause.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from zermelo._native import Stopped
from zermelo.errors import LimitReachedError, NotApplicableError
from zermelo.game import Score
from zermelo.kernel_thread import begin
from zermelo.limits import Limits
from zermelo.progress import Progress, Watch
from zermelo.stop import Stop

if TYPE_CHECKING:
    from zermelo import _native

PATIENCE = 0.5
"""Seconds to wait for solvers that were told to stop; who looks up later finds nobody waiting."""
TURN = 0.02
"""Seconds of processor time of the first turns;"""
GROWTH = 0.25
"""later ones are this part of what the solver has had."""
IDLE = 10.0
"""A turn of which a solver makes no use (it waits for another program, say) is over after so many times its length, the
time not counted in which our threads could have run and others had the processors."""
ALONE = 0.25
"""Until the solvers together have had so many seconds they run one at a time: most problems need no more."""
LEAD = 3.0
"""Whose bounds are closest together has so many times its share: it has most often been the first to end."""
SIDE_BY_SIDE = 2
"""So many run at once then, where there are processors for them."""


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


@dataclass(frozen=True)
class Share:
    """How much of the processor a solver gets, and from when on: all of them have had ``after`` seconds by then.

    >>> Share(2.0).after
    0.0
    """

    size: float = 1.0
    after: float = 0.0


class Turns:
    """Whether a solver may run, and the processor time that its threads have used.

    >>> turns = Turns()
    >>> turns.pause()
    >>> turns.resume()
    >>> turns.look()
    >>> turns.spent() >= 0
    True
    """

    def __init__(self) -> None:
        self._may_run = threading.Event()
        self._may_run.set()
        self._lock = threading.Lock()
        self._spent = 0.0
        self._controls: list[_native.Control] = []
        self._of_thread = threading.local()
        self.stopped = False

    def look(self) -> None:
        """To be called by the solver's threads: counts their time, and waits while it is not their turn."""
        self._count()
        if not self._may_run.is_set():
            self._may_run.wait()

    def _count(self) -> None:
        # A thread's own clock begins with the thread: all of it belongs to the solver that started it.
        now = time.thread_time()
        with self._lock:
            self._spent += now - getattr(self._of_thread, "counted", 0.0)
        self._of_thread.counted = now

    def adopt(self, control: _native.Control) -> None:
        """Makes a native run part of the solver."""
        control.meter()
        with self._lock:
            self._controls.append(control)
            if not self._may_run.is_set():
                control.pause()
            if self.stopped:
                control.stop()

    def spent(self) -> float:
        """Seconds of processor time so far, as far as the threads have told."""
        with self._lock:
            return self._spent + sum(control.processor_seconds for control in self._controls)

    def pause(self) -> None:
        """The solver waits from its next look on."""
        with self._lock:
            self._may_run.clear()
            for control in self._controls:
                control.pause()

    def resume(self) -> None:
        """The solver goes on."""
        with self._lock:
            self._may_run.set()
            for control in self._controls:
                control.resume()

    def stop(self) -> None:
        """The solver ends as if its time were up."""
        with self._lock:
            self.stopped = True
            for control in self._controls:
                control.stop()
        self.resume()


@dataclass(frozen=True)
class TurnLimits(Limits):
    """Limits of a solver that runs by turns: who asks for the time left waits for its turn.

    >>> limits = TurnLimits(seconds=10)
    >>> limits.turns.stop()
    >>> limits.expired()
    True
    """

    turns: Turns = field(default_factory=Turns, compare=False)

    def seconds_left(self) -> float | None:
        self.turns.look()
        return 0.0 if self.turns.stopped else super().seconds_left()

    def adopt(self, control: _native.Control) -> None:
        self.turns.adopt(control)


@dataclass
class _Lane(Generic[P, A]):
    """A solver with its share, its place in the race and its thread."""

    name: str
    solver: Solver[P, A]
    share: Share
    limits: TurnLimits
    started: bool = False
    running: bool = False
    ended: bool = False
    unused: float = 0.0
    """Processor time that it was given and did not use: counts as used, or nobody else would have a turn."""
    began: float = 0.0
    waited: float = 0.0
    at_begin: float = 0.0
    length: float = 0.0
    """The turn under way: when it began, how long our threads had waited for a processor and what the solver had had by
    then, and how much more it may have."""
    gap: Score | None = None
    """How far its bounds are apart."""
    leads: bool = False

    @property
    def turns(self) -> Turns:
        return self.limits.turns

    def spent(self) -> float:
        """Seconds that the solver has had."""
        return self.turns.spent() + self.unused

    @property
    def pace(self) -> float:
        """What it has had, by its share: the least is next."""
        return self.spent() / (self.share.size * (LEAD if self.leads else 1.0))

    def begin_turn(self) -> None:
        self.began, self.waited, self.at_begin = time.monotonic(), waited_for_processor(), self.spent()
        self.length = max(TURN * self.share.size, GROWTH * self.at_begin)

    def left(self) -> float:
        """Seconds of processor time that are left of the turn; none if it has lasted far longer than that."""
        used = self.spent() - self.at_begin
        elapsed, idle = time.monotonic() - self.began, IDLE * self.length
        if elapsed > idle and used < self.length and elapsed - (waited_for_processor() - self.waited) > idle:
            self.unused += self.length - used
            return 0.0
        return max(0.0, self.length - used)


@dataclass(frozen=True)
class Portfolio(Generic[P, A]):
    """How solvers of one kind of problem are run together.

    ``decided``: an answer says what was asked for. ``unknown`` makes the answer that a cause left none; ``together``
    joins two of those that say nothing but bounds. ``gap`` says of bounds how far they are apart, ``None`` if that
    means nothing.
    """

    decided: Callable[[A], bool]
    unknown: Callable[[str], A]
    together: Callable[[A, A], A] = lambda one, other: one
    gap: Callable[[tuple[Score, Score]], Score | None] = lambda bounds: None

    def asked(self, solver: Solver[P, A], problem: P, limits: Limits, watch: Watch) -> A:
        """What one solver says, be it that it ran into a limit."""
        try:
            return solver(problem, limits, watch)
        except (LimitReachedError, Stopped):
            return self.unknown("time" if limits.expired() else "memory")
        except MemoryError:
            return self.unknown("memory")

    def by_turns(
        self,
        solvers: Mapping[str, Solver[P, A]],
        shares: Mapping[str, Share],
        problem: P,
        limits: Limits,
        watch: Watch,
        most: int | None = None,
    ) -> Named[A]:
        """The first answer; the others are stopped then. If nobody has one, what they know together.

        A solver that ``shares`` does not name has a share of size 1; ``most`` run at once. Who does not take the
        problem is left out; that a solver ran out of nodes ends the run.
        """
        race = _Race(self, dict(solvers), shares, problem, limits, watch)
        return race.run(min(SIDE_BY_SIDE, cores()) if most is None else most)


class _Race(Generic[P, A]):
    """Solvers on their way to an answer."""

    def __init__(
        self,
        portfolio: Portfolio[P, A],
        solvers: dict[str, Solver[P, A]],
        shares: Mapping[str, Share],
        problem: P,
        limits: Limits,
        watch: Watch,
    ) -> None:
        self.portfolio, self.problem, self.limits, self.watch = portfolio, problem, limits, watch
        # No SimpleQueue: where a signal comes as its timeout ends, its get waits for ever (CPython 3.11 and others).
        self.answers: queue.Queue[tuple[_Lane[P, A], A | BaseException]] = queue.Queue()
        memory = limits.memory // max(1, min(len(solvers), 3))  # a few of them need most of it
        self.lanes = [
            _Lane(
                name,
                solver,
                shares.get(name, Share()),
                TurnLimits(limits.seconds, memory, limits.nodes, limits.started, Stop(limits.stop)),
            )
            for name, solver in solvers.items()
        ]
        self.best: tuple[str, A] | None = None
        self.nodes = 0
        self.refused: BaseException | None = None
        self.failure: BaseException | None = None

    def run(self, most: int) -> Named[A]:
        interrupted = False
        outer = self.limits.stop
        try:
            while any(not lane.ended for lane in self.lanes) and not self.over():
                self.share_out(most)
                self.hear(self.patience())
        except KeyboardInterrupt:
            interrupted = True
        finally:
            interrupted = self.stop() or interrupted or outer.reason in ("interrupt", "terminate")
        return self.outcome(interrupted)

    def over(self) -> bool:
        """Whether nobody needs to go on, or nobody may."""
        if self.best is not None and (self.portfolio.decided(self.best[1]) or self.best[1].cause == "nodes"):
            return True
        return self.limits.expired()

    # Turns

    def share_out(self, most: int) -> None:
        """Ends the turns that are over and begins others: of those that wait, who has had least by its share."""
        left = [lane for lane in self.lanes if not lane.ended]
        closest = min((lane.gap for lane in left if lane.gap is not None), default=None)
        for lane in left:
            lane.leads = closest is not None and lane.gap == closest
        total = sum(lane.turns.spent() for lane in self.lanes)
        at_once = 1 if total < ALONE else most
        for lane in left:
            if lane.running and not lane.left():
                if len(left) > at_once:
                    lane.running = False
                    lane.turns.pause()
                else:
                    lane.begin_turn()
        waiting = [lane for lane in left if not lane.running]
        due = [lane for lane in waiting if lane.started or lane.share.after <= total] or waiting
        for lane in sorted(due, key=lambda lane: lane.pace)[: max(0, at_once - (len(left) - len(waiting)))]:
            self.go(lane)

    def go(self, lane: _Lane[P, A]) -> None:
        lane.running = True
        if lane.share.after and not lane.started:
            # Who comes late begins where the others are, and does not catch up.
            paces = [other.pace for other in self.lanes if other.started and not other.ended]
            lane.unused = min(paces, default=0.0) * lane.share.size
        lane.begin_turn()
        if lane.started:
            lane.turns.resume()
        else:
            lane.started = True
            try:
                begin(partial(self.work, lane))
            except MemoryError:
                self.note(lane, self.portfolio.unknown("memory"))

    def patience(self) -> float:
        """Seconds until a turn may be over: no thread has more processor time than the clock gives it."""
        left = [lane.left() for lane in self.lanes if lane.running and not lane.ended]
        return min(max(min(left, default=0.05), 0.002), 0.05)

    # Answers

    def work(self, lane: _Lane[P, A]) -> None:
        """The thread of a solver."""

        def hear(progress: Progress) -> None:
            lane.turns.look()
            if lane.turns.stopped:
                raise _StopError  # a kernel knows nothing of it; whoever waits for it shows its progress now and then
            lane.gap = self.portfolio.gap(progress.bounds)
            self.watch(progress)

        try:
            answer: A | BaseException = self.portfolio.asked(lane.solver, self.problem, lane.limits, hear)
        except BaseException as error:  # handed on to the thread that waits
            answer = error
        self.answers.put((lane, answer))

    def hear(self, seconds: float) -> None:
        """Waits for an answer, at most so long."""
        try:
            self.note(*self.answers.get(timeout=seconds))
        except queue.Empty:
            return

    def note(self, lane: _Lane[P, A], answer: A | BaseException) -> None:
        lane.ended, lane.running = True, False
        if isinstance(answer, NotApplicableError):
            self.refused = answer
        elif isinstance(answer, BaseException):
            self.failure = self.failure if isinstance(answer, _StopError) else answer
        else:
            self.nodes += answer.nodes
            self.best = (lane.name, answer) if self.best is None else self.better(self.best, (lane.name, answer))

    def better(self, one: Named[A], other: Named[A]) -> Named[A]:
        if self.portfolio.decided(one[1]):
            return one
        if self.portfolio.decided(other[1]):
            return other
        return one[0], self.portfolio.together(one[1], other[1])

    def stop(self) -> bool:
        """Has all solvers stop, and waits for them; says whether somebody interrupted that."""
        interrupted = False
        for lane in self.lanes:
            lane.limits.stop.request("answered")
            lane.turns.stop()
        deadline = time.monotonic() + PATIENCE
        while any(lane.started and not lane.ended for lane in self.lanes) and time.monotonic() < deadline:
            try:
                self.hear(0.05)
            except KeyboardInterrupt:
                interrupted = True
                deadline = min(deadline, time.monotonic() + 0.1)
        return interrupted

    def outcome(self, interrupted: bool) -> Named[A]:
        if self.best is not None:
            name, answer = self.best
            if self.portfolio.decided(answer):
                return name, replace(answer, nodes=self.nodes)
            if self.failure is None:
                cause = "interrupt" if interrupted else "time" if self.limits.expired() else answer.cause
                return name, replace(answer, nodes=self.nodes, cause=cause)
        if interrupted:
            return self.lanes[0].name, self.portfolio.unknown("interrupt")
        if self.failure is not None:
            raise self.failure
        if self.refused is not None and all(lane.ended for lane in self.lanes):
            raise self.refused
        return self.lanes[0].name, self.portfolio.unknown("time")


class _StopError(Exception):
    """Another solver has the answer, or nobody waits for one."""


def waited_for_processor() -> float:
    """Seconds that the threads of this process could have run while others had the processors; 0 if nobody tells.

    A busy machine gives a solver little time, and that is no reason to take its turn away.

    >>> waited_for_processor() >= 0
    True
    """
    total = 0
    for task in Path("/proc/self/task").glob("*/schedstat"):
        with suppress(OSError, ValueError, IndexError):
            total += int(task.read_text(encoding="ascii").split()[1])
    return total / 1e9


def cores() -> int:
    """How many processors there are for this process.

    >>> cores() > 0
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
