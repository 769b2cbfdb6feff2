"""Processor time that a part of a run may take: what is tried first must not lose its chance on a busy machine.

A limit that somebody sets is by the clock, and a part of it is by the clock too. A number of seconds that an engine
itself gives to what it tries is a :class:`Budget`: seconds of the processor, however long they are by the clock.

>>> limits = budgeted(Limits(), 0.02)
>>> while not limits.expired():
...     pass
>>> limits.budget.spent() >= 0.02, Limits().expired()
(True, False)
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from zermelo.limits import Limits
from zermelo.stop import Stop

if TYPE_CHECKING:
    from zermelo import _native


class ThreadClock:
    """The processor time of the thread that makes it, from then on; any thread may read it.

    >>> clock = ThreadClock()
    >>> 0 <= clock.read() <= clock.read()
    True
    """

    def __init__(self) -> None:
        told = hasattr(time, "pthread_getcpuclockid")  # elsewhere the whole process counts
        self._clock = time.pthread_getcpuclockid(threading.get_ident()) if told else time.CLOCK_PROCESS_CPUTIME_ID
        self._last = self._began = time.clock_gettime(self._clock)

    def read(self) -> float:
        """Seconds so far; those of a thread that has ended stay as they were last seen."""
        with suppress(OSError):
            self._last = max(self._last, time.clock_gettime(self._clock))
        return self._last - self._began


class Budget:
    """Seconds of processor time, of the thread that makes it and of those that native runs under it have.

    >>> budget = Budget(5.0, Stop())
    >>> budget.look()
    >>> budget.over
    False
    """

    def __init__(self, seconds: float, stop: Stop) -> None:
        self.seconds, self.stop = seconds, stop
        self.over = False
        """Whether it is used up, and those who work under it were told."""
        self._lock = threading.Lock()
        self._clocks, self._ended = [ThreadClock()], 0.0

    def spent(self) -> float:
        """Seconds that were used."""
        with self._lock:
            return self._ended + sum(clock.read() for clock in self._clocks)

    def look(self) -> None:
        """Tells those who work under it once it is used up; to be called by whoever waits for them."""
        if not self.stop.asked and self.spent() >= self.seconds:
            self.over = True
            self.stop.request("share")

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Within the block, the time of the thread at work counts too."""
        clock = ThreadClock()
        with self._lock:
            self._clocks.append(clock)
        try:
            yield
        finally:
            with self._lock:
                self._clocks.remove(clock)
                self._ended += clock.read()


@dataclass(frozen=True)
class BudgetLimits(Limits):
    """Limits of a part of a run that has a budget of processor time within the limits of the whole."""

    whole: Limits = field(default_factory=Limits, compare=False)
    budget: Budget = field(default_factory=lambda: Budget(float("inf"), Stop()), compare=False)

    def seconds_left(self) -> float | None:
        self.budget.look()
        ways = [left for left in (super().seconds_left(), self.whole.seconds_left()) if left is not None]
        return min(ways, default=None)

    def adopt(self, control: _native.Control) -> None:
        self.whole.adopt(control)
        control.budget = self.budget  # type: ignore[attr-defined]


def budgeted(limits: Limits, seconds: float, part: float = 1.0) -> BudgetLimits:
    """So many seconds of processor time from now on, and no more than a part of what is left.

    >>> budgeted(Limits(10), 5.0, 0.5).seconds <= 5.0, budgeted(Limits(), 5.0, 0.5).seconds
    (True, None)
    """
    left, of_lane = limits.seconds_left(), processor_left()
    stop = Stop(limits.stop)
    budget = Budget(seconds if of_lane is None else min(seconds, of_lane * part), stop)
    return BudgetLimits(
        None if left is None else left * part, limits.memory, limits.nodes, stop=stop, whole=limits, budget=budget
    )


def processor_left() -> float | None:
    """Processor time after which the system tells this process, as it does in a lane; ``None`` where it does not.

    >>> processor_left() is None
    True
    """
    return signal.getitimer(signal.ITIMER_PROF)[0] or None
