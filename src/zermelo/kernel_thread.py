"""Runs a native kernel in a thread of its own, so that progress can be shown and Ctrl-C be heard."""

from __future__ import annotations

import atexit
import ctypes
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from zermelo import _native
from zermelo.errors import LimitReachedError
from zermelo.limits import Limits
from zermelo.progress import Progress, Question, Watch, no_watch
from zermelo.stop import PROCESS, Stop

if TYPE_CHECKING:
    from zermelo.budget import Budget

T = TypeVar("T")

_LOOK = 0.05
"""Seconds between two looks at a thread that is to stop."""
_MOST = (1 << 64) - 1
"""The largest number that a native limit can hold: as good as none."""
HEARING = 0.3
"""Seconds of processor time that the thread of a run may work on after it was told to stop. Then it meets an error,
wherever it is in Python: not all code looks at its control."""


class StoppedControl(_native.Control):
    """A native control with what is left of the limits (a control's 0 would mean no limit), and their stop."""

    budget: Budget | None = None
    """The processor time of the run, where it has one."""

    def __init__(self, limits: Limits, share: float = 1.0) -> None:
        left = limits.seconds_left()
        seconds = 0.0 if left is None else max(left * share, 1e-6)
        super().__init__(seconds, min(limits.nodes or 0, _MOST), min(limits.bytes_left(), _MOST))
        self.called_by = limits.stop
        limits.adopt(self)

    @property
    def cause(self) -> str:
        """What stopped the run; the end of its budget is one of time, though it was told by its stop."""
        cause = super().cause
        return "time" if cause == "interrupt" and self.is_over_budget else cause

    @property
    def is_over_budget(self) -> bool:
        """Whether the processor time of the run is used up."""
        return self.budget is not None and self.budget.over


def control_for(limits: Limits, share: float = 1.0) -> _native.Control:
    """A native control with what is left of the limits, which their stop reaches."""
    return StoppedControl(limits, share)


class HeardControl(StoppedControl):
    """A control that Python code can look at too, where it works in the thread of a run between native calls.

    >>> control = HeardControl(Limits(), often=1)
    >>> control.look()
    >>> control.stop()
    >>> control.look()
    Traceback (most recent call last):
        ...
    zermelo.errors.LimitReachedError: interrupted
    """

    def __init__(self, limits: Limits, often: int = 256) -> None:
        super().__init__(limits)
        self.limits, self.often = limits, often
        self.steps, self.told, self.interrupted = 0, False, False

    def stop(self) -> None:
        """From any thread: whoever works under the control is to stop."""
        self.told = True
        super().stop()

    def look(self) -> None:
        """To be called at every step: ``LimitReachedError`` if there was a call to stop, or the time is up."""
        self.steps += 1
        if self.steps % self.often:
            return
        if self.told and not self.is_over_budget:
            self.interrupted = True
            raise LimitReachedError("interrupted")
        if self.told or self.limits.expired():
            raise LimitReachedError("stopped at the limit of time")


def begin(work: Callable[[], None]) -> None:
    """Starts a thread that does not keep the process alive; ``MemoryError`` where there is no room for another one.

    >>> begin(lambda: None)
    """
    try:
        threading.Thread(target=work, daemon=True).start()
    except RuntimeError:  # what the system refuses is memory for its stack
        raise MemoryError("no room for another thread") from None


def _raise_in(thread: int) -> None:
    """Has a thread meet an error at its next step in Python; nothing happens where it has ended."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(UnheardError))


class UnheardError(LimitReachedError):
    """What a thread meets that works on after it was told to stop."""

    def __init__(self) -> None:
        super().__init__("stopped at a limit")


class KernelRun(Generic[T]):
    """A native call under way in a thread; several may run side by side."""

    def __init__(self, engine: str, call: Callable[[_native.Control], T], control: _native.Control) -> None:
        self.engine, self.control = engine, control
        self._call = call
        self._result: T | None = None
        self._error: BaseException | None = None
        # An event, not Thread.join: a join that Ctrl-C interrupts takes the thread for ended (CPython issue 90882).
        self._done = threading.Event()
        self._stop: Stop = getattr(control, "called_by", PROCESS)
        self._budget: Budget | None = getattr(control, "budget", None)
        self._thread = 0
        self._clock: int | None = None
        self._told_at: float | None = None
        _UNDER_WAY.add(self)
        try:
            begin(self._work)
        except MemoryError:
            self._ended()
            raise

    def _ended(self) -> None:
        _UNDER_WAY.discard(self)
        self._done.set()

    def _work(self) -> None:
        if hasattr(time, "pthread_getcpuclockid"):
            self._clock = time.pthread_getcpuclockid(threading.get_ident())
        self._thread = threading.get_ident()
        try:
            with nullcontext() if self._budget is None else self._budget.counted(), self._stop.heard_by(self.control):
                self._result = self._call(self.control)
        except BaseException as error:  # handed on to the thread that waits, in result()
            self._error = error
        finally:
            self._ended()

    @property
    def running(self) -> bool:
        """Whether the kernel is still at work."""
        return not self._done.is_set()

    @property
    def failed(self) -> bool:
        """Whether the kernel ended with an error."""
        return self._error is not None

    def wait(self, seconds: float) -> None:
        """Waits for the end, at most so long."""
        self._done.wait(seconds)

    def stop(self) -> None:
        """Asks the kernel to stop and waits until it has."""
        self.control.stop()
        self.wait_for_end()

    def wait_for_end(self, deadline: float | None = None) -> None:
        """Waits for a kernel that was told to stop."""
        while not self._done.wait(_LOOK) and (deadline is None or time.monotonic() < deadline):
            self.hurry()

    @property
    def told_to_stop(self) -> bool:
        """Whether somebody has asked for the stop that the run heeds."""
        return self._stop.asked

    def look_at_budget(self) -> None:
        """Has the run stop where its processor time is used up."""
        if self._budget is not None:
            self._budget.look()

    def hurry(self) -> None:
        """To be called again and again after a call to stop: Python code that works on and on is told by an error."""
        now = self._processor_time()
        if now is None or not self._thread or self._done.is_set():
            return
        if self._told_at is None:
            self._told_at = now
        elif now > self._told_at + HEARING:
            self._told_at = now
            _raise_in(self._thread)

    def _processor_time(self) -> float | None:
        """What the thread has worked, or the time of day where the system does not tell; ``None`` if it has ended."""
        try:
            return time.monotonic() if self._clock is None else time.clock_gettime(self._clock)
        except OSError:
            return None

    def progress(self) -> Progress:
        """How far the kernel is."""
        c = self.control
        proof, disproof = c.proof_numbers
        question = Question(c.question, proof, disproof) if proof or disproof else None
        return Progress(self.engine, c.elapsed, c.nodes, c.depth, (c.lower, c.upper), c.memory, question)

    def result(self) -> T:
        """What the kernel returned, or what it raised."""
        if self._error is not None:
            raise self._error
        return self._result  # type: ignore[return-value]


SHARED_OUT = 0.01
"""Seconds between two looks at who has had more than its share."""
_UNDER_WAY: set[KernelRun[Any]] = set()
_PATIENCE = 5.0
"""Seconds that the end of the interpreter waits for kernels that were told to stop."""


@atexit.register
def _stop_all() -> None:
    """Python ends threads where they wait for its lock. In native code C++ takes that for a fault, and aborts."""
    runs = tuple(_UNDER_WAY)
    for run in runs:
        run.control.stop()
    deadline = time.monotonic() + _PATIENCE
    for run in runs:
        run.wait_for_end(deadline)


def _share_out(running: list[KernelRun[T]], shares: Mapping[str, float]) -> None:
    """Has those wait that are ahead of the one with the largest share, each by its own share."""
    first = max(running, key=lambda run: shares[run.engine])
    pace = first.control.processor_seconds / shares[first.engine]
    for run in running:
        if run is not first and run.control.processor_seconds > pace * shares[run.engine]:
            run.control.pause()
        else:
            run.control.resume()


def run_native(
    engine: str, call: Callable[[_native.Control], T], control: _native.Control, watch: Watch = no_watch
) -> T:
    """Runs one kernel to its end. Ctrl-C stops it; it then returns its bounds so far.

    >>> run_native("demo", lambda control: 42, _native.Control())
    42
    """
    run = KernelRun(engine, call, control)
    race([run], watch)
    return run.result()


def _hurry(runs: list[KernelRun[T]]) -> None:
    for run in runs:
        run.look_at_budget()
        if run.told_to_stop:
            run.hurry()


def race(
    runs: list[KernelRun[T]],
    watch: Watch = no_watch,
    won: Callable[[KernelRun[T]], bool] = lambda run: True,
    shares: Mapping[str, float] | None = None,
) -> KernelRun[T]:
    """Waits until one run has won (or all have ended), stops the others and returns it.

    With ``shares``, by engine, who has had more than its share of the processor waits; their controls have to be
    metered. Who has the largest share never waits.
    """
    pause, longest, shown = 0.0005, 0.05 if shares is None else SHARED_OUT, time.monotonic()
    try:
        while True:
            # One look at all of them: a run may end at any moment, also between two looks.
            running = [run for run in runs if run.running]
            finished = [run for run in runs if run not in running]
            for run in finished:
                if run._error is not None or won(run):
                    return run
            if not running:
                return runs[0]
            if shares is not None:
                _share_out(running, shares)
            running[0].wait(pause)
            _hurry(running)
            pause = min(pause * 2, longest)
            if time.monotonic() - shown >= 0.25:
                shown = time.monotonic()
                for run in runs:
                    if run.running:
                        watch(run.progress())
    except KeyboardInterrupt:
        for run in runs:
            run.control.stop()
        return runs[0]
    finally:
        for run in runs:
            run.stop()
