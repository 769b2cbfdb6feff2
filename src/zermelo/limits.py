"""How long, how much memory, how many nodes a run may take."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING

from zermelo.brief import shown_in_brief
from zermelo.errors import InputError, LimitReachedError, need
from zermelo.stop import PROCESS, Stop

if TYPE_CHECKING:
    from zermelo import _native

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Limits of one run. ``None`` means no limit; memory defaults to 2 GiB so that nothing grows unseen.

    With them travels the stop of the run: once somebody has asked for it, the time is up.

    >>> Limits(seconds=10).memory // MEBIBYTE
    2048
    >>> Limits(seconds=-1)
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: seconds -1 is not a number from 0 on
    """

    seconds: float | None = None
    memory: int = 2048 * MEBIBYTE
    nodes: int | None = None
    started: float = field(default_factory=time.monotonic, compare=False, repr=False)
    stop: Stop = field(default=PROCESS, compare=False, repr=False)

    _repr_html_ = shown_in_brief

    def __post_init__(self) -> None:
        seconds, memory, nodes = self.seconds, self.memory, self.nodes
        if seconds is not None and not (isinstance(seconds, int | float) and seconds >= 0):
            raise InputError(f"seconds {seconds!r} is not a number from 0 on")
        if not (isinstance(memory, int) and memory >= 0):
            raise InputError(f"memory {memory!r} is not a number of bytes")
        if nodes is not None and not (isinstance(nodes, int) and nodes >= 0):
            raise InputError(f"nodes {nodes!r} is not a number of nodes")

    def restarted(self) -> Limits:
        """The same limits, counted from now."""
        return replace(self, started=time.monotonic())

    def seconds_left(self) -> float | None:
        """Seconds until the time limit; never below zero; ``None`` without a limit.

        >>> Limits().seconds_left() is None
        True
        """
        if self.stop.asked:
            return 0.0
        if self.seconds is None:
            return None
        return max(0.0, self.seconds - (time.monotonic() - self.started))

    def adopt(self, control: _native.Control) -> None:
        """Hears of each native run under these limits; who has them run by turns takes note."""
        del control

    def expired(self) -> bool:
        """Whether the time is up, or somebody has asked to stop."""
        left = self.seconds_left()
        return left is not None and left <= 0

    def bytes_left(self) -> int:
        """How many bytes may still be taken: the limit of memory, or what is left below the ceiling of the process.

        >>> Limits(memory=MEBIBYTE).bytes_left() // MEBIBYTE
        1
        """
        return max(min(self.memory, _Ceiling.most - resident(), addresses_left() - SPARE_ADDRESSES), 1)

    def part(self, seconds: float) -> Limits:
        """So many seconds from now, or what is left if that is less; everything else as it is.

        >>> Limits(seconds=1).part(5).seconds <= 1, Limits().part(5).seconds
        (True, 5)
        """
        left = self.seconds_left()
        return replace(self, seconds=seconds if left is None else min(left, seconds)).restarted()


SPARE_ADDRESSES = 48 * MEBIBYTE
"""Where the system caps the addresses of the process (``ulimit -v``), so many are not given to tables: a thread that
finds none left for its own data is ended by the C library, and the process with it."""


def addresses_left() -> int:
    """Bytes of addresses that the system still allows the process.

    >>> addresses_left() > 0
    True
    """
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY:
        return sys.maxsize
    try:
        used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    except OSError:
        return sys.maxsize
    return most - used


def memory_watch(limit: int) -> Callable[[], bool]:
    """Says whether the process has grown by more than the limit (in bytes) since now, or is beyond its ceiling.

    >>> memory_watch(1 << 40)()
    False
    """
    before = resident()

    def over() -> bool:
        now = resident()
        return now - before > max(limit, MEBIBYTE) or now > _Ceiling.most

    return over


class _Ceiling:
    """How many bytes the process may hold in all; none to speak of, unless somebody sets one."""

    most = 1 << 62


@contextmanager
def resident_ceiling(most: int) -> Iterator[int]:
    """Within the block, every watch over memory bounds what the process holds in all, the interpreter included.

    What it holds already counts, but leaves at least a quarter of the bytes to work with. Gives the ceiling.

    >>> with resident_ceiling(1 << 40) as ceiling:
    ...     ceiling == memory_ceiling() == 1 << 40
    True
    """
    before, _Ceiling.most = _Ceiling.most, max(most, resident() + most // 4)
    try:
        yield _Ceiling.most
    finally:
        _Ceiling.most = before


def memory_ceiling() -> int:
    """How much the process may hold in all."""
    return _Ceiling.most


def stopped_at(cause: str) -> LimitReachedError:
    """What a native control's cause is as an error.

    >>> str(stopped_at("time")), str(stopped_at("interrupt"))
    ('stopped at the limit of time', 'interrupted')
    """
    return LimitReachedError("interrupted" if cause == "interrupt" else f"stopped at the limit of {cause}")


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


_READING: ContextVar[Limits | None] = ContextVar("the limits under which something is read", default=None)
READING_STEPS = 4096
"""Lines or gates between two looks at the limits."""


@contextmanager
def reading_under(limits: Limits) -> Iterator[None]:
    """Within the block, whatever this thread reads is read under these limits.

    >>> with reading_under(Limits(nodes=1)):
    ...     step = reading_watch(often=1)
    >>> step()
    """
    before = _READING.set(limits)
    try:
        yield
    finally:
        _READING.reset(before)


def reading_watch(often: int = READING_STEPS) -> Callable[[], None]:
    """To be called by readers at every line or gate: ``LimitReachedError`` when the time or the memory is up.

    Readers are called from everywhere, so they take the limits of :func:`reading_under`; there need not be any.

    >>> with reading_under(Limits(seconds=0.0)):
    ...     step = reading_watch(often=1)
    >>> step()
    Traceback (most recent call last):
        ...
    zermelo.errors.LimitReachedError: stopped at the limit of time
    """
    limits = _READING.get()
    return _no_step if limits is None else step_watch(replace(limits, nodes=None), often)


def _no_step() -> None:
    """Nothing bounds what is read."""


def resident() -> int:
    """Bytes that the process holds now; where the system does not tell, the most that it ever held.

    >>> resident() > MEBIBYTE
    True
    """
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def need_limits(limits: object, seconds: float | None = None) -> Limits:
    """The limits, or those of somebody who set none.

    >>> need_limits(5)
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: limits 5, expected zermelo.Limits(seconds=...)
    """
    need(limits, (Limits, NoneType), "limits", "zermelo.Limits(seconds=...)")
    return limits if isinstance(limits, Limits) else Limits(seconds)
