"""Watches over code that does not look at limits itself: a user's game that does not come back, a long phase of ours.

Most of this package looks at its limits as it works, and returns what it has when they are reached. What does not, is
stopped a little later from here, by the alarm of the system: wherever the main thread is in Python, it meets a
``LimitReachedError``. Where Python cannot raise one, as in a destructor, it is raised right after that.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, thread_time
from types import FrameType
from typing import Any, Final

from zermelo.errors import GameError, LimitReachedError, ZermeloError
from zermelo.limits import SPARE_ADDRESSES, Limits, addresses_left, memory_ceiling, resident
from zermelo.stop import is_making_definitions

PATIENCE = 10
"""Seconds that one call of a game's method may take before the game counts as one that hangs. Those in which others had
the processor do not count."""
GRACE = 0.25
"""Seconds beyond a limit for those who look at it themselves: they have something to report."""
AGAIN = 1.0
"""Seconds until who was told that the time is up is told again."""
HEARING = 0.5
"""Seconds of its own processor time until a main thread that works on after Ctrl-C is told as if the time were up."""
FAR_BEYOND = 1.1
"""Who holds so many times the ceiling of memory is stopped without grace: what grows that fast does not look."""
_TICK = 0.1
_CLOSE, _QUICK = 0.7, 0.01
"""From this part of the ceiling on memory is looked at so often: Python takes a hundred megabytes in half a second."""
_SOON = 0.005
"""Seconds until what could not be raised is raised again."""


_HEARERS: list[Callable[[int], None]] = []


@contextmanager
def heard(hear: Callable[[int], None]) -> Iterator[None]:
    """Within the block, what is watched over tells ten times a second how far it is.

    >>> told = []
    >>> with heard(told.append), watchdog(Limits(), lambda: 7):
    ...     while not told:
    ...         pass
    >>> told[0]
    7
    """
    _HEARERS.append(hear)
    try:
        yield
    finally:
        _HEARERS.remove(hear)


def _own_time() -> float:
    """The clock without the seconds for which this thread waited for a processor, where the system tells of them."""
    try:
        waited = int(Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        waited = 0.0
    return monotonic() - waited


@contextmanager
def watchdog(limits: Limits, progress: Callable[[], int]) -> Iterator[None]:
    """Within the block, raises ``LimitReachedError`` at the time limit and ``GameError`` when nothing progresses.

    Works by a signal, so only in the main thread; elsewhere the block runs unwatched.
    """
    last, changed = -1, _own_time()
    hear = _HEARERS[-1] if _HEARERS else None

    def look(frame: FrameType | None) -> None:
        nonlocal last, changed
        if limits.expired():
            raise LimitReachedError(f"the time limit was reached after {progress()} positions")
        if hear is not None:
            hear(progress())
        if progress() != last:
            last, changed = progress(), _own_time()
        elif _own_time() - changed >= PATIENCE:
            code = None if frame is None else frame.f_code
            name = code.co_qualname if code is not None and hasattr(code, "co_qualname") else "a method"
            raise GameError(f"{name} has not returned for {PATIENCE} seconds: the game hangs")

    with _alarm(look):
        yield


@contextmanager
def deadline(limits: Limits) -> Iterator[None]:
    """Within the block, raises ``LimitReachedError`` soon after the time limit, where memory is over its ceiling, and
    where Ctrl-C was not heard.

    Whoever works on and on after that is told again. In another thread than the main one the block runs unwatched.

    >>> with deadline(Limits(seconds=0.05)):
    ...     while True:
    ...         pass
    Traceback (most recent call last):
        ...
    zermelo.errors.LimitReachedError: the time limit was reached
    """
    lookout = _Lookout(limits)
    with _alarm(lookout.look):
        yield


class _Lookout:
    """Looks at the limits at every tick; raises only if those who were to look did not."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.quiet_until = 0.0
        self.over_since: float | None = None
        self.asked_at: float | None = None

    def look(self, frame: FrameType | None) -> None:
        del frame
        now = monotonic()
        seconds = self.limits.seconds
        late = seconds is not None and now > self.limits.started + seconds + GRACE
        too_large = self._too_large(now)
        unheard = self._unheard()
        if (late or too_large or unheard) and now >= self.quiet_until:
            self.quiet_until = now + AGAIN
            words = f"the {'time' if late else 'memory'} limit was reached" if late or too_large else "interrupted"
            raise LimitReachedError(words)

    def _too_large(self, now: float) -> bool:
        held, ceiling, addresses = resident(), memory_ceiling(), addresses_left()
        _set_timer(_QUICK if held > _CLOSE * ceiling or addresses < 2 * SPARE_ADDRESSES else _TICK)
        if held <= ceiling and addresses > SPARE_ADDRESSES // 4:
            self.over_since = None
            return False
        if self.over_since is None:
            self.over_since = now
            self.limits.stop.request("memory")
        return now > self.over_since + GRACE or held > FAR_BEYOND * ceiling

    def _unheard(self) -> bool:
        """Whether the main thread has worked on for too long since somebody asked it to stop."""
        if self.limits.stop.reason not in ("interrupt", "terminate"):
            return False
        if self.asked_at is None:
            self.asked_at = thread_time()
        return thread_time() > self.asked_at + HEARING


Look = Callable[[FrameType | None], None]
_LOOKS: list[Look] = []
"""Who looks at every tick; the last one first."""
_TIDY: Final = (__file__, contextlib.__file__)
"""Code that must not be interrupted: it takes looks away again."""


@dataclass(frozen=True)
class _Lost:
    """What was raised where Python cannot raise, and by whom."""

    look: Look
    error: ZermeloError


_LOST: list[_Lost] = []
Hook = Callable[[Any], object]


@contextmanager
def _alarm(look: Look) -> Iterator[None]:
    """Within the block, has a function look every tenth of a second, in the main thread, before those around it."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGALRM"):
        yield
        return
    outer, hook = signal.getsignal(signal.SIGALRM), sys.unraisablehook
    _LOOKS.append(look)
    try:
        if len(_LOOKS) == 1:
            sys.unraisablehook = _but_alarms(hook)
            signal.signal(signal.SIGALRM, _tick)
            _set_timer(_TICK)
        yield
    finally:
        _LOOKS.remove(look)
        if not _LOOKS:
            _take_off()
            signal.signal(signal.SIGALRM, outer)
            sys.unraisablehook = hook


def _tick(number: int, frame: FrameType | None) -> None:
    del number
    if (frame is not None and frame.f_code.co_filename in _TIDY) or is_making_definitions(frame):
        return
    while _LOST:
        lost = _LOST.pop()
        if lost.look in _LOOKS:
            raise _told_by(lost.look, lost.error)
    for look in reversed(_LOOKS):
        try:
            look(frame)
        except ZermeloError as error:
            raise _told_by(look, error) from None


def _told_by(look: Look, error: ZermeloError) -> ZermeloError:
    """The error, with a mark by which it is known again where it is lost."""
    vars(error)["told_by"] = look
    return error


def _but_alarms(hook: Hook) -> Hook:
    """What hears of errors that Python cannot raise: ours are raised again, where it can."""

    def hear(unraisable: Any) -> None:
        error = unraisable.exc_value
        look = getattr(error, "told_by", None)
        if look is None:
            with contextlib.suppress(MemoryError):  # where there is none left to print it, nobody could read it either
                hook(unraisable)
        elif look in _LOOKS:
            _LOST.append(_Lost(look, error.with_traceback(None)))
            signal.setitimer(signal.ITIMER_REAL, _SOON, _Timer.seconds)

    return hear


class _Timer:
    """How often the alarm strikes; 0 where it is off."""

    seconds = 0.0


def _set_timer(seconds: float) -> None:
    if seconds != _Timer.seconds:
        _Timer.seconds = seconds
        signal.setitimer(signal.ITIMER_REAL, seconds, seconds)


def forget() -> None:
    """To be called in a copy of the process: who looked at every tick there does not look here, and no alarm is set.

    >>> forget()
    """
    _LOOKS.clear()
    _Timer.seconds = 0.0
    _take_off()


def _take_off() -> None:
    """Takes the alarm off: also a tick that is on its way to another thread, which would end the process by default."""
    _set_timer(0.0)
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    _LOST.clear()
