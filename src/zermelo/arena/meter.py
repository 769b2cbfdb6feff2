"""What a player's thinking takes of the processor, and how long it may think so that all have the same of it.

By the clock a player with two threads has twice the work of one with a single thread, and on a busy machine whoever is
interrupted has less. With a clock of processor time the referee turns what a move may take of the processor into
seconds by the clock, from how busy the player has kept the processor so far. What a move took too much is paid back by
the next ones; what it left is not kept, as by any other clock.

>>> meter = Meter()
>>> meter.clock(Clock(0.1, processor=True))
Clock(seconds=0.1, simulations=None)
>>> meter.add(seconds=0.1, cpu_seconds=0.2)      # it has two threads
>>> meter.clock(Clock(0.1, processor=True)).seconds
0.005
>>> meter.add(seconds=0.005, cpu_seconds=0.01)
>>> meter.clock(Clock(0.1, processor=True)).seconds
0.045
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from zermelo.decision import Clock

LEAST_SHARE = 0.1
"""Of a clock that a player has in any case, however much it has to pay back."""
LEAST_RATE, MOST_RATE = 0.05, 1024.0
"""Between these the processors lie that a player is taken to keep busy."""
LEAST_SECONDS = 0.002
"""A thought that is shorter tells nothing of that."""


class Meter:
    """The account of one player in one game."""

    def __init__(self) -> None:
        self.seconds = self.cpu_seconds = 0.0
        self._debt = 0.0
        self._wall = self._cpu = 0.0
        self._allowed: float | None = None

    def clock(self, clock: Clock) -> Clock:
        """The clock that a player is given for its next move."""
        self._allowed = clock.seconds if clock.processor else None
        if self._allowed is None:
            return clock
        rate = min(max(self._cpu / self._wall, LEAST_RATE), MOST_RATE) if self._wall else 1.0
        seconds = max(self._allowed * LEAST_SHARE, self._allowed - self._debt) / rate
        return Clock(round(seconds, 6))

    def add(self, seconds: float, cpu_seconds: float) -> None:
        """A thought took so much."""
        self.seconds += seconds
        self.cpu_seconds += cpu_seconds
        if seconds >= LEAST_SECONDS:
            self._wall += seconds
            self._cpu += cpu_seconds
        if self._allowed is not None:
            self._debt = max(0.0, self._debt + cpu_seconds - self._allowed)
            self._allowed = 0.0  # what is heard afterwards is paid in full

    @contextmanager
    def running(self) -> Iterator[None]:
        """Measures what happens meanwhile; the processor time is that of the whole process."""
        begin, cpu = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            self.add(time.perf_counter() - begin, time.process_time() - cpu)
