"""Watches over code that does not look at limits itself: a user's game that does not come back, a long phase of ours.

Most of this package looks at its limits as it works, and returns what it has when they are reached. What does not, is
stopped a little later from here, by the alarm of the system: wherever the main thread is in Python, it meets a
``LimitReachedError``.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import Final

from zermelo.errors import GameError, LimitReachedError
from zermelo.limits import Limits, memory_ceiling, resident

PATIENCE = 10
"""Seconds that one call of a game's method may take before the game counts as one that hangs."""
GRACE = 0.25
"""Seconds beyond a limit for those who look at it themselves: they have something to report."""
AGAIN = 1.0
"""Seconds until who was told that the time is up is told again."""
_TICK = 0.1


@contextmanager
def watchdog(limits: Limits, progress: Callable[[], int]) -> Iterator[None]:
    """Within the block, raises ``LimitReachedError`` at the time limit and ``GameError`` when nothing progresses.

    Works by a signal, so only in the main thread; elsewhere the block runs unwatched.
    """
    last, changed = -1, monotonic()

    def look(frame: FrameType | None) -> None:
        nonlocal last, changed
        if limits.expired():
            raise LimitReachedError(f"the time limit was reached after {progress()} positions")
        if progress() != last:
            last, changed = progress(), monotonic()
        elif monotonic() - changed >= PATIENCE:
            code = None if frame is None else frame.f_code
            name = code.co_qualname if code is not None and hasattr(code, "co_qualname") else "a method"
            raise GameError(f"{name} has not returned for {PATIENCE} seconds: the game hangs")

    with _alarm(look):
        yield


@contextmanager
def deadline(limits: Limits) -> Iterator[None]:
    """Within the block, raises ``LimitReachedError`` soon after the time limit, and where memory is over its ceiling.

    Whoever works on and on after that is told again. In another thread than the main one the block runs unwatched.

    >>> with deadline(Limits(seconds=0.05)):
    ...     while True:
    ...         pass
    Traceback (most recent call last):
        ...
    zermelo.errors.LimitReachedError: the time limit was reached
    """
    guard = _Guard(limits)
    with _alarm(guard.look):
        yield


class _Guard:
    """Looks at the limits at every tick; raises only if those who were to look did not."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.quiet_until = 0.0
        self.over_since: float | None = None

    def look(self, frame: FrameType | None) -> None:
        del frame
        now = monotonic()
        seconds = self.limits.seconds
        late = seconds is not None and now > self.limits.started + seconds + GRACE
        if resident() <= memory_ceiling():
            self.over_since = None
        elif self.over_since is None:
            self.over_since = now
            self.limits.stop.request("memory")
        too_large = self.over_since is not None and now > self.over_since + GRACE
        if (late or too_large) and now >= self.quiet_until:
            self.quiet_until = now + AGAIN
            raise LimitReachedError(f"the {'time' if late else 'memory'} limit was reached")


Look = Callable[[FrameType | None], None]
_LOOKS: list[Look] = []
"""Who looks at every tick; the last one first."""
_TIDY: Final = (__file__, contextlib.__file__)
"""Code that must not be interrupted: it takes looks away again."""


@contextmanager
def _alarm(look: Look) -> Iterator[None]:
    """Within the block, has a function look every tenth of a second, in the main thread, before those around it."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGALRM"):
        yield
        return
    outer = signal.getsignal(signal.SIGALRM)
    _LOOKS.append(look)
    try:
        if len(_LOOKS) == 1:
            signal.signal(signal.SIGALRM, _tick)
            signal.setitimer(signal.ITIMER_REAL, _TICK, _TICK)
        yield
    finally:
        _LOOKS.remove(look)
        if not _LOOKS:
            _take_off()
            signal.signal(signal.SIGALRM, outer)


def _tick(number: int, frame: FrameType | None) -> None:
    del number
    if frame is None or frame.f_code.co_filename not in _TIDY:
        for look in reversed(_LOOKS):
            look(frame)


def _take_off() -> None:
    """Takes the alarm off: also a tick that is on its way to another thread, which would end the process by default."""
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
