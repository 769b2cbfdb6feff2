"""Lanes: processes of their own in which jobs run one after the other, each within its share of processor time.

A job that does not come back when its share is used up ends with its lane, and the next job has a new lane. In this way
one engine that hangs, crashes or takes all memory costs nothing but its own answer. A lane begins as a copy of this
process (``fork``), so that whatever is asked about need not be written down for it.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from zermelo import watchdog
from zermelo.stop import Stop

GRACE = 1.0
"""Seconds that a job has to come back with what it knows once its share is used up."""
CLOCK = 6.0
"""A job whose lane gets less of a processor than it could use ends after so many times its share by the clock."""

Job = Callable[[Stop, float | None], Any]
"""What runs in a lane: it is given the stop that ends it, and its seconds by the clock."""


@dataclass(frozen=True)
class Ended:
    """How a job ended: what it returned, or why it returned nothing, and the processor time that it took."""

    number: int
    result: Any
    why_not: str
    cpu_seconds: float


def lanes_possible() -> bool:
    """Whether this process can have lanes: the system can copy it, and nobody forbids that.

    >>> lanes_possible() in (True, False)
    True
    """
    main = threading.current_thread() is threading.main_thread()
    return main and hasattr(os, "fork") and not multiprocessing.current_process().daemon


@dataclass
class _Lane:
    """A process, the pipe to it, and the job that it is at."""

    process: BaseProcess
    pipe: Connection
    number: int | None = None
    began: float = 0.0
    ends: float | None = None
    """When the job is told to end by the clock;"""
    told: float | None = None
    """when that was."""


@dataclass
class Lanes:
    """So many jobs side by side.

    >>> lanes = Lanes([lambda stop, seconds: 6 * 7], 1)
    >>> lanes.begin(0, None)
    >>> [ended.result for ended in lanes.hear()]
    [42]
    >>> lanes.close()
    """

    jobs: list[Job]
    most: int
    clock: float = CLOCK
    _lanes: list[_Lane] = field(default_factory=list)

    @property
    def free(self) -> int:
        """How many jobs may begin."""
        return self.most - sum(lane.number is not None for lane in self._lanes)

    @property
    def busy(self) -> list[int]:
        """The jobs under way."""
        return [lane.number for lane in self._lanes if lane.number is not None]

    def begin(self, number: int, cpu_seconds: float | None, clock_seconds: float | None = None) -> None:
        """Has a job begin, within so much processor time; ``OSError`` if the system has no room for another process."""
        lane = next((lane for lane in self._lanes if lane.number is None), None) or self._new()
        clock = [] if cpu_seconds is None else [self.clock * cpu_seconds]
        clock += [] if clock_seconds is None else [clock_seconds]
        seconds = min(clock, default=None)
        lane.number, lane.began, lane.told = number, time.monotonic(), None
        lane.ends = None if seconds is None else lane.began + seconds
        lane.pipe.send((number, cpu_seconds, seconds))

    def bound(self, clock_seconds: float) -> None:
        """From now on, jobs under way have at most so many seconds by the clock in all."""
        for lane in self._lanes:
            if lane.number is not None:
                ends = lane.began + clock_seconds
                lane.ends = ends if lane.ends is None else min(lane.ends, ends)

    def hear(self, seconds: float = 0.1) -> list[Ended]:
        """The jobs that have ended by now; waits for the first of them, at most so long."""
        by_pipe = {lane.pipe: lane for lane in self._lanes if lane.number is not None}
        ready = wait(list(by_pipe), seconds)
        found = [self._read(by_pipe[pipe]) for pipe in ready if isinstance(pipe, Connection)]
        now = time.monotonic()
        for lane in list(self._lanes):
            if lane.number is None or lane.ends is None:
                continue
            if lane.told is None and now > lane.ends:
                self._tell(lane, signal.SIGPROF)
            elif lane.told is not None and now > lane.told + GRACE:
                found.append(Ended(lane.number, None, "it did not come back at its limit", now - lane.began))
                self._end(lane)
        return found

    def interrupt(self) -> None:
        """Tells all jobs to come back with what they know."""
        for lane in self._lanes:
            if lane.number is not None:
                lane.ends = min(lane.ends or time.monotonic(), time.monotonic())
                self._tell(lane, signal.SIGINT)

    def close(self) -> None:
        """Ends all lanes, whatever they are at."""
        for lane in list(self._lanes):
            self._end(lane)

    def _new(self) -> _Lane:
        here, there = multiprocessing.Pipe()
        process = multiprocessing.get_context("fork").Process(target=_serve, args=(there, here, self.jobs), daemon=True)
        process.start()
        there.close()
        lane = _Lane(process, here)
        self._lanes.append(lane)
        return lane

    def _read(self, lane: _Lane) -> Ended:
        number = lane.number
        assert number is not None
        try:
            ended = Ended(*pickle.loads(lane.pipe.recv_bytes()))
            lane.number = None
        except (EOFError, OSError):
            lane.process.join(GRACE)
            why_not = f"its process ended with status {lane.process.exitcode}"
            ended = Ended(number, None, why_not, time.monotonic() - lane.began)
            self._end(lane)
        return ended

    @staticmethod
    def _tell(lane: _Lane, number: int) -> None:
        lane.told = time.monotonic()
        if lane.process.pid is not None and lane.process.is_alive():
            os.kill(lane.process.pid, number)

    def _end(self, lane: _Lane) -> None:
        self._lanes.remove(lane)
        lane.pipe.close()
        lane.process.kill()
        lane.process.join()


class _Current:
    """The stop of the job that a lane is at."""

    stop = Stop()


def _serve(pipe: Connection, other_end: Connection, jobs: list[Job]) -> None:
    """The life of a lane: jobs come by number, each with its share, until the pipe is closed."""
    other_end.close()
    watchdog.forget()
    signal.signal(signal.SIGPROF, lambda *_: _Current.stop.request("share"))
    signal.signal(signal.SIGINT, lambda *_: _Current.stop.request("interrupt"))
    while True:
        try:
            number, cpu_seconds, clock_seconds = pipe.recv()
        except (EOFError, OSError):
            return
        _Current.stop = Stop()
        before = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, cpu_seconds or 0.0)
        result, why_not = None, ""
        try:
            result = jobs[number](_Current.stop, clock_seconds)
        except MemoryError:
            why_not = "out of memory"
        except Exception as error:  # one job of several: the others go on
            why_not = f"{type(error).__name__}: {error}"
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        cpu = round(time.process_time() - before, 6)
        try:
            message = pickle.dumps((number, result, why_not, cpu))
        except Exception as error:  # whatever pickle meets in objects of others
            message = pickle.dumps((number, None, f"cannot be sent: {type(error).__name__}", cpu))
        pipe.send_bytes(message)
