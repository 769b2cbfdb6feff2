"""What a check ends with: accepted, refuted with the reason, or a limit that leaves the claim open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from zermelo.errors import LimitReachedError
from zermelo.game import Score
from zermelo.limits import Limits, memory_watch


@dataclass(frozen=True)
class Verdict:
    """What the checker says: ``accepted``, ``refuted`` with the line that shows why, or ``limit``."""

    status: Literal["accepted", "refuted", "limit"]
    reason: str = ""
    line: tuple[Any, ...] = ()
    positions: int = 0
    how: str = ""
    """What accepted the claims, in words, where it is not a walk over positions."""
    most: Score | None = None
    """What the scores of all roles add up to at the most, over the ends that were met."""

    @property
    def accepted(self) -> bool:
        """Whether every claim holds."""
        return self.status == "accepted"


class Fault(Exception):  # noqa: N818  (no checker lets it out)
    """Why what is claimed is refuted, in one line."""


class Undecided(Exception):  # noqa: N818  (no checker lets it out)
    """Why nothing can be said of what is claimed, in one line."""


def judged(check: Callable[[], Verdict]) -> Verdict:
    """The verdict of a check, also where it ends with a fault or undecided.

    >>> def check() -> Verdict:
    ...     raise Fault("the last clause is not empty")
    >>> judged(check)
    Verdict(status='refuted', reason='the last clause is not empty', line=(), positions=0, how='', most=None)
    """
    try:
        return check()
    except Fault as fault:
        return Verdict("refuted", str(fault))
    except (Undecided, TimeoutError, LimitReachedError, RecursionError) as reason:
        return Verdict("limit", str(reason) or "the limit was reached before everything was checked")


def watch(limits: Limits) -> Callable[[], None]:
    """To be called now and then: it gives up once the time or the memory is used up."""
    over_memory = memory_watch(limits.memory)

    def look() -> None:
        if limits.expired() or over_memory():
            raise Undecided("the limit was reached before everything was checked")

    return look
