"""Where values live, and the limits that work on them heeds.

The native arena holds every game once, in canonical form. There is one for the whole process, unless a block has its
own; so it is with the control that says when work on values has to stop.

>>> with own_arena(memory=1 << 28) as arena, controlled(Control(seconds=10)):
...     arena is current_arena()
True
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Concatenate, ParamSpec, TypeVar

from zermelo._native import CgtArena, CgtMemoryError, Control, Stopped
from zermelo.cgt.text.written_expression import no_look
from zermelo.errors import LimitReachedError
from zermelo.kernel_thread import HeardControl
from zermelo.limits import stopped_at

DEFAULT_MEMORY = 2 << 30
"""Bytes that the games of one arena may take, unless :func:`start_arena` or :func:`own_arena` says otherwise."""

Result = TypeVar("Result")
P = ParamSpec("P")

_CONTROL: ContextVar[Control | None] = ContextVar("control of values", default=None)
_ARENA: ContextVar[CgtArena | None] = ContextVar("arena of values", default=None)
_lock = threading.Lock()
_default: list[CgtArena] = []


def current_arena() -> CgtArena:
    """Where new values live: one arena for the whole process, unless a block has its own.

    >>> current_arena() is current_arena()
    True
    """
    own = _ARENA.get()
    if own is not None:
        return own
    with _lock:
        if not _default:
            _default.append(CgtArena(DEFAULT_MEMORY))
        return _default[0]


def start_arena(memory: int = DEFAULT_MEMORY) -> CgtArena:
    """Makes new values of the process live in a new arena with this cap on memory; those at hand keep theirs alive.

    >>> from zermelo.cgt.values.value import number
    >>> arena = start_arena(1 << 30)
    >>> number(1).arena is arena
    True
    """
    with _lock:
        _default[:] = [CgtArena(memory)]
        return _default[0]


@contextmanager
def own_arena(memory: int = DEFAULT_MEMORY) -> Iterator[CgtArena]:
    """Within the block, new values live in a new arena with this cap on memory, which goes when the last of them goes.

    They mix with values of other arenas: a sum lives where its first part does.

    >>> from zermelo.cgt.values.value import value_of
    >>> with own_arena(memory=1 << 28):
    ...     game = value_of("{2|1}")
    >>> game.arena is current_arena(), game == value_of("{2|1}")
    (False, True)
    """
    token = _ARENA.set(CgtArena(memory))
    try:
        yield current_arena()
    finally:
        _ARENA.reset(token)


@contextmanager
def controlled(control: Control) -> Iterator[None]:
    """Within the block, work on values heeds the limits of a control and stops when it is told to.

    >>> from zermelo.cgt.values.value import nimber
    >>> with controlled(Control(seconds=10)):
    ...     print(nimber(1) + nimber(2))
    *3
    """
    token = _CONTROL.set(control)
    try:
        yield
    finally:
        _CONTROL.reset(token)


def current_control() -> Control | None:
    """The control that work on values heeds now, if there is one.

    >>> current_control() is None
    True
    """
    return _CONTROL.get()


def step_look() -> Callable[[], None]:
    """To be called at every step of long work on values in Python, so that it heeds the current control as well.

    >>> step_look()()
    """
    control = _CONTROL.get()
    return control.look if isinstance(control, HeardControl) else no_look


def limited(work: Callable[Concatenate[P], Result], *args: P.args, **kwargs: P.kwargs) -> Result:
    """What the work returns; what stopped it becomes a limit that was reached, in words.

    >>> limited(max, 1, 2)
    2
    """
    try:
        return work(*args, **kwargs)
    except CgtMemoryError:
        raise LimitReachedError("the values of games need more memory than they may take") from None
    except Stopped:
        control = _CONTROL.get()
        raise stopped_at(control.cause if control else "memory") from None
    except OverflowError as error:
        raise LimitReachedError(f"{error}, more than values can hold") from None
