"""How long, how much memory, how many nodes a run may take."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from zermelo.errors import LimitReachedError

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Limits of one run. ``None`` means no limit; memory defaults to 2 GiB so that nothing grows unseen.

    >>> Limits(seconds=10).memory // MEBIBYTE
    2048
    """

    seconds: float | None = None
    memory: int = 2048 * MEBIBYTE
    nodes: int | None = None
    started: float = field(default_factory=time.monotonic, compare=False)

    def restarted(self) -> Limits:
        """The same limits, counted from now."""
        return replace(self, started=time.monotonic())

    def seconds_left(self) -> float | None:
        """Seconds until the time limit; never below zero; ``None`` without a limit.

        >>> Limits().seconds_left() is None
        True
        """
        if self.seconds is None:
            return None
        return max(0.0, self.seconds - (time.monotonic() - self.started))

    def expired(self) -> bool:
        """Whether the time is up."""
        left = self.seconds_left()
        return left is not None and left <= 0


def memory_watch(limit: int) -> Callable[[], bool]:
    """Says whether the process has grown by more than the limit (in bytes) since now.

    >>> memory_watch(1 << 40)()
    False
    """
    before = _resident()
    return lambda: _resident() - before > max(limit, MEBIBYTE)


def step_watch(limits: Limits, often: int = 256) -> Callable[[], None]:
    """To be called at every step: ``LimitReachedError`` when a limit is reached, looked at every so many steps.

    >>> step = step_watch(Limits(nodes=1), often=1)
    >>> step()
    >>> step()
    Traceback (most recent call last):
        ...
    zermelo.errors.LimitReachedError: stopped at the limit of nodes
    """
    over = memory_watch(limits.memory)
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1
        if limits.nodes is not None and steps > limits.nodes:
            raise LimitReachedError("stopped at the limit of nodes")
        if steps % often == 0 and limits.expired():
            raise LimitReachedError("stopped at the limit of time")
        if steps % often == 0 and over():
            raise LimitReachedError("stopped at the limit of memory")

    return step


def _resident() -> int:
    """Bytes that the process holds now; where the system does not tell, the most that it ever held."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
