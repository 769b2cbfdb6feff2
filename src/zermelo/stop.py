"""One call to stop, which reaches every thread and every phase of a run.

A :class:`Stop` travels with the limits of a run. Whoever looks at the limits sees that the time is up once it was asked
for; native kernels, and programs of others, are told at once. A stop within a stop, as a portfolio has one to end the
solvers that lost, hears the outer one as well.

The process has one stop of its own, :data:`PROCESS`, which all limits carry that are not given another. The command
line asks for it at Ctrl-C (see :mod:`zermelo.signals`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import ExtensionFileLoader
from types import FrameType
from typing import Literal, Protocol

Reason = Literal["", "interrupt", "terminate", "memory", "answered", "share"]
"""Why a run is to stop: Ctrl-C, the system's wish, too much memory, somebody else's answer, or its share is used up."""


class Stoppable(Protocol):
    """What can be told to stop from another thread, as a native control can."""

    def stop(self) -> None:
        """From any thread: to be called any number of times."""


class Stop:
    """A call to stop that may come at any time, from any thread or from the handler of a signal; it is final.

    >>> outer = Stop()
    >>> inner = Stop(outer)
    >>> outer.request("interrupt")
    >>> inner.asked, inner.reason
    (True, 'interrupt')
    """

    def __init__(self, outer: Stop | None = None) -> None:
        self._outer = outer
        self._reason: Reason = ""
        # Read and changed by single operations only: no lock, which the handler of a signal could find taken.
        self._heard_by: set[Stoppable] = set()

    @property
    def reason(self) -> Reason:
        """Why there was a call to stop; empty if there was none."""
        if self._reason or self._outer is None:
            return self._reason
        return self._outer.reason

    @property
    def asked(self) -> bool:
        """Whether there was a call to stop."""
        return bool(self.reason)

    def request(self, reason: Reason = "interrupt") -> None:
        """Calls to stop; the first reason stays."""
        if not self._reason:
            self._reason = reason
        for listener in tuple(self._heard_by):
            listener.stop()

    @contextmanager
    def heard_by(self, listener: Stoppable) -> Iterator[None]:
        """Within the block, the listener is told to stop when somebody asks for it, or has asked already.

        >>> from zermelo._native import Control
        >>> stop, control = Stop(), Control()
        >>> with stop.heard_by(control):
        ...     stop.request()
        """
        links = list(self._chain())
        for link in links:
            link._heard_by.add(listener)
        try:
            if self.asked:
                listener.stop()
            yield
        finally:
            for link in links:
                link._heard_by.discard(listener)

    def _chain(self) -> Iterator[Stop]:
        link: Stop | None = self
        while link is not None:
            yield link
            link = link._outer

    def __repr__(self) -> str:
        return f"Stop({self.reason!r})"


PROCESS = Stop()
"""The stop of this process: what Ctrl-C asks for on the command line."""


def is_making_definitions(frame: FrameType | None) -> bool:
    """Whether a native module or a field of a class is being made at that place, where nothing may be raised.

    C++ answers what is raised there by ending the process, and Python 3.11 turns whatever is raised while a field is
    told its name into a ``RuntimeError``.

    >>> import sys
    >>> is_making_definitions(sys._getframe())
    False
    """
    while frame is not None:
        if frame.f_code in _LOADERS or frame.f_code.co_name == "__set_name__":
            return True
        frame = frame.f_back
    return False


_LOADERS = (ExtensionFileLoader.create_module.__code__, ExtensionFileLoader.exec_module.__code__)
