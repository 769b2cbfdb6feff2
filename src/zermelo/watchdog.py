"""Interrupts a user's Python code that does not come back."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from zermelo.errors import GameError, LimitReachedError
from zermelo.limits import Limits

PATIENCE = 10
"""Seconds that one call of a game's method may take before the game counts as one that hangs."""


@contextmanager
def watchdog(limits: Limits, progress: Callable[[], int]) -> Iterator[None]:
    """Within the block, raises ``LimitReachedError`` at the time limit and ``GameError`` when nothing progresses.

    Works by a signal, so only in the main thread; elsewhere the block runs unwatched.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGALRM"):
        yield
        return
    last, quiet = -1, 0

    def look(number: int, frame: FrameType | None) -> None:
        nonlocal last, quiet
        if limits.expired():
            raise LimitReachedError(f"the time limit was reached after {progress()} positions")
        last, quiet = (last, quiet + 1) if progress() == last else (progress(), 0)
        if quiet >= PATIENCE * 2:
            name = (
                frame.f_code.co_qualname if frame is not None and hasattr(frame.f_code, "co_qualname") else "a method"
            )
            raise GameError(f"{name} has not returned for {PATIENCE} seconds: the game hangs")

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, 0.5, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
