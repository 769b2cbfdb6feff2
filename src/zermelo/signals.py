"""Signals on the command line: the first Ctrl-C ends the run with what it has, the second ends it whatever it is doing.

Python hears of a signal only between two steps of the main thread, and native code may keep that thread for long. So a
thread of its own hears of signals as they come: it asks for the stop of the process, which reaches every kernel, and at
the second signal it leaves. Who presses Ctrl-C twice in a row still wants to see what was found: the report keeps the
second that it is promised, unless there is a third signal. The main thread, when it gets to it, is interrupted by
``KeyboardInterrupt`` once and never again: what it does after that, as writing the report, stays whole.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final, NoReturn

from zermelo.files import remove_partial_files
from zermelo.stop import PROCESS, Reason, Stop, is_making_definitions

STATUS: Final[dict[int, int]] = {signal.SIGINT: 130, signal.SIGTERM: 143}
"""The status of a process that a signal ended, as shells have it."""
REASONS: Final[dict[int, Reason]] = {signal.SIGINT: "interrupt", signal.SIGTERM: "terminate"}
SAME_MOMENT: Final = 0.01
"""Seconds within which signals count as one: ``timeout`` sends its own to the process, and to its group again."""
REPORT_SECONDS: Final = 1.0
"""So long after the first signal a second one leaves the report time to come out."""


class Signals:
    """What the process does at Ctrl-C and at SIGTERM, from ``install`` on."""

    def __init__(self, stop: Stop = PROCESS) -> None:
        self.stop = stop
        self._first: float | None = None
        self._hurried = False
        self._raised = False
        self._shields = 0
        self._pipe: tuple[int, int] | None = None
        self._installed = False

    def install(self) -> None:
        """To be called once, in the main thread."""
        self._installed = True
        self._pipe = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC) if hasattr(os, "pipe2") else None
        for number in STATUS:
            # A signal that whoever started us had ignored, as nohup does and a shell's background, stays ignored.
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._interrupt_main)
        sys.unraisablehook = _but_interrupts
        if self._pipe is not None:
            reading, writing = self._pipe
            os.set_blocking(reading, True)
            signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
            os.register_at_fork(after_in_child=self._forget)
            threading.Thread(target=self._listen, args=(reading,), name=LISTENER, daemon=True).start()

    def uninstall(self) -> None:
        """Leaves signals to Python again: for verbs in which Ctrl-C is a word of the user, and no end."""
        if self._installed:
            self._forget()

    def ignore(self) -> None:
        """The answer has been given, nothing is left to be stopped."""
        for number in STATUS:
            signal.signal(number, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_REAL, 0)

    @contextmanager
    def shielded(self) -> Iterator[None]:
        """Within the block the main thread is not interrupted: for what is short and must be whole."""
        self._shields += 1
        try:
            yield
        finally:
            self._shields -= 1

    @contextmanager
    def delayed(self) -> Iterator[None]:
        """Within the block the main thread is not interrupted, but right after it: for what must not be cut in two."""
        with self.shielded():
            yield
        if self._installed and self.stop.asked and not self._raised and not self._shields:
            self._raised = True
            raise KeyboardInterrupt

    def _forget(self) -> None:
        if self._pipe is not None:
            signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def _interrupt_main(self, number: int, frame: FrameType | None) -> None:
        """Runs in the main thread, between two of its steps."""
        if self._pipe is None:
            self._hear(number)
        else:
            self.stop.request(REASONS[number])  # the listener may have no turn before the main thread goes on
        if self._raised or self._shields:
            return
        self._raised = True
        if is_making_definitions(frame):
            sys.setprofile(_interrupt_when_made)
        else:
            raise KeyboardInterrupt

    def _listen(self, pipe: int) -> None:
        while numbers := os.read(pipe, 64):
            for number in numbers:
                if number in STATUS:  # others come too: the alarm of a time limit
                    self._hear(number)

    def _hear(self, number: int) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first = now
            self.stop.request(REASONS[number])
        elif now - self._first > SAME_MOMENT:
            left = self._first + REPORT_SECONDS - now
            if self._hurried or left <= 0:
                leave(STATUS[number])
            self._hurried = True
            end = threading.Timer(left, leave, [STATUS[number]])
            end.daemon = True
            end.start()


LISTENER: Final = "zermelo signals"
SIGNALS: Final = Signals()
"""Of this process; installed by the command line alone."""


def leave(status: int) -> NoReturn:
    """Ends the process at once, from any thread; nothing half written stays behind.

    Not by the interpreter's own end: it would tear threads out of native code, which C++ answers with ``terminate``.
    """
    remove_partial_files()
    with suppress(OSError):
        os.write(2, b"zermelo: interrupted\n")
    os._exit(status)


def finish(status: int) -> NoReturn:
    """Ends the process when all is said; threads that still are in native code are left where they are."""
    SIGNALS.ignore()
    others = [thread for thread in threading.enumerate() if thread.name not in (LISTENER, threading.main_thread().name)]
    # CPython remembers an interrupt that struck in some kinds of code, as in the making of a class, and would kill
    # itself by SIGINT in the end, though the interrupt was caught long ago.
    if not others and not SIGNALS.stop.asked:
        sys.exit(status)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(status)


def _interrupt_when_made(frame: FrameType, event: str, argument: Any) -> None:
    """Looks at every call and return of the main thread: the first one beyond the making is interrupted."""
    del event, argument
    if not is_making_definitions(frame):
        sys.setprofile(None)
        raise KeyboardInterrupt


def _but_interrupts(unraisable: Any) -> None:
    """An interrupt where Python cannot raise one, as in a destructor, was heard all the same: the stop is asked for."""
    if not isinstance(unraisable.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
