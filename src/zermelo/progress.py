"""Progress: what a run under way shows of itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from zermelo.game import Score

if TYPE_CHECKING:
    from zermelo.certificate import Certificate
    from zermelo.limits import Limits

NO_BOUNDS: tuple[Score, Score] = (-(1 << 63), (1 << 63) - 1)
"""What a control has for bounds before its kernel reports any."""


@dataclass(frozen=True)
class Question:
    """What a search by proof numbers is at: does the first role get at least so much?

    ``proof`` estimates how many open positions must be settled to say yes, ``disproof`` how many to say no
    (Allis 1994). When one of them is 0, the question is answered.

    >>> Question(1, 12, 40).at_least
    1
    """

    at_least: Score
    proof: int
    disproof: int


@dataclass(frozen=True)
class Progress:
    """One look at a run under way: what a line of the log shows.

    What is not known is left out: no nodes are counted (0), no depth is reported (0), nobody counts memory (0), or
    there are no bounds (:data:`NO_BOUNDS`, or one half of them).
    """

    engine: str
    seconds: float
    nodes: int = 0
    depth: int = 0
    bounds: tuple[Score, Score] = NO_BOUNDS
    memory: int = 0
    question: Question | None = None
    checked: int | None = None
    """While the checker reads the proof: how many positions it has looked at."""
    to_check: int = 0
    """How many these will be, where the proof says so."""

    @property
    def checking(self) -> str:
        """How far the checker is, in words; empty while engines run.

        >>> Progress("checker", 3.0, checked=120_000, to_check=500_000).checking
        'checking 120,000 of 500,000 positions'
        """
        if self.checked is None:
            return ""
        return f"checking {self.checked:,}{f' of {self.to_check:,}' if self.to_check else ''} positions"


Watch = Callable[[Progress], None]


def no_watch(progress: Progress) -> None:
    """Looks away."""
    del progress


def telling(certificate: Certificate, limits: Limits, watch: Watch) -> Callable[[int], None]:
    """Passes on how far the checker is: claims are checked one after the other, each from 0 on.

    >>> from zermelo.certificate import Certificate
    >>> from zermelo.limits import Limits
    >>> told = []
    >>> tell = telling(Certificate("nim:1", ()), Limits(), told.append)
    >>> for count in (5, 9, 2):
    ...     tell(count)
    >>> [progress.checked for progress in told]
    [5, 9, 11]
    """
    layers = [claim.layers for claim in certificate.claims]
    total = sum(sum(each.positions) for each in layers if each is not None) if None not in layers else 0
    before, last, busy = 0, 0, False

    def tell(count: int) -> None:
        nonlocal before, last, busy
        if busy:  # the alarm struck again while it was told
            return
        busy = True
        before, last = before + (last if count < last else 0), count
        watch(Progress("checker", monotonic() - limits.started, checked=before + count, to_check=total))
        busy = False

    return tell
