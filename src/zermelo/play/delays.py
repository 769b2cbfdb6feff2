"""How much of a clock is kept back, by how late a busy machine wakes who waits.

A thread that waits for the end of a turn is not woken then, but when the machine, and the lock of the interpreter, let
it. How long that takes is seen only by waiting. So whoever waits does it in short steps (:meth:`Delays.wait`), notes
how late each of them ended, and ends so much earlier: what is measured counts in the same turn, and the time to prepare
has measured it before the first.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

STEP_SECONDS = 0.05
"""So long a step of a wait is."""


def safety_margin(clock: float) -> float:
    """The seconds of a clock that are not used for thinking: to wait for any answer, and for its way.

    >>> safety_margin(30), safety_margin(2), safety_margin(1)
    (1.5, 0.5, 0.25)
    """
    return min(1.5, clock / 4)


class Delays:
    """The worst delay of those that were seen; it fades by a tenth from answer to answer.

    It counts three times, since the way of a message has delays that nobody sees. No more than a third of a clock is
    given up for it.

    >>> delays = Delays()
    >>> delays.note(0.01)
    >>> delays.reserve(1.0), delays.reserve(0.03)
    (0.03, 0.01)
    """

    def __init__(self) -> None:
        self._worst = 0.0

    def note(self, seconds: float) -> None:
        """A wait ended so late."""
        self._worst = max(seconds, self._worst)

    def fade(self) -> None:
        """An answer has been given: what was seen before counts less."""
        self._worst *= 0.9

    def reserve(self, clock: float) -> float:
        """What of a clock is better not used."""
        return min(3 * self._worst, clock / 3)

    def wait(self, changed: threading.Condition, done: Callable[[], bool], left: Callable[[], float]) -> None:
        """Waits, with the condition held, until something is done or no time is left; measures it on the way."""
        while not done() and (seconds := min(left(), STEP_SECONDS)) > 0:
            begin = time.monotonic()
            if not changed.wait(seconds):
                self.note(time.monotonic() - begin - seconds)
