"""When to look at the limits: now and then, as a look takes longer than most steps."""

from __future__ import annotations

from zermelo.errors import LimitReachedError
from zermelo.limits import Limits, memory_watch

OFTEN = 256
"""Steps between two looks."""


class Clock:
    """Looks at the limits now and then; ``LimitReachedError`` when one is reached."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self.steps, self.too_large = limits, 0, memory_watch(limits.memory)

    def tick(self) -> None:
        """One step more."""
        self.steps += 1
        if self.steps % OFTEN == 0 and (self.limits.expired() or self.too_large()):
            raise LimitReachedError("the limit was reached")
