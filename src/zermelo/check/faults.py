"""How a check by a rule ends: a fault in what is claimed refutes it, a limit leaves it open."""

from __future__ import annotations

from collections.abc import Callable

from zermelo.check.strategy import Verdict
from zermelo.errors import LimitReachedError
from zermelo.limits import Limits, memory_watch


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
    except (Undecided, TimeoutError, LimitReachedError) as reason:
        return Verdict("limit", str(reason) or "the limit was reached before everything was checked")


def watch(limits: Limits) -> Callable[[], None]:
    """To be called now and then: it gives up once the time or the memory is used up."""
    over_memory = memory_watch(limits.memory)

    def look() -> None:
        if limits.expired() or over_memory():
            raise Undecided("the limit was reached before everything was checked")

    return look
