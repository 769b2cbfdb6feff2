"""The answer first: what is proved is shown while it is still being explained, certified and checked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Timer
from typing import TYPE_CHECKING

from zermelo.words import rest_of

if TYPE_CHECKING:
    from zermelo.solution import Solution

PATIENCE = 0.5
"""Seconds for which a proved answer waits for the rest of its report: most reports come whole."""


class AnswerFirst:
    """Shows a proved answer, unless the whole report comes within half a second.

    >>> from zermelo import solve
    >>> shown = []
    >>> first = AnswerFirst(shown.append, patience=0)
    >>> nim = solve("nim:1,2")
    >>> first.hear(nim)
    >>> first.rest(str(nim)).splitlines()[-1]
    '  checked  yes, by the independent checker (5 positions)'
    """

    def __init__(self, show: Callable[[str], None], patience: float = PATIENCE) -> None:
        self._show, self._patience = show, patience
        self._timer: Timer | None = None
        self._turn = Lock()
        self._shown = ""
        self._ended = False

    def hear(self, solution: Solution) -> None:
        """An engine has proved the answer; what else it says later on is not news."""
        if self._timer is None and (text := solution.kind.told_first(solution)):
            self._timer = Timer(self._patience, self._speak, (text,))
            self._timer.daemon = True
            self._timer.start()

    def _speak(self, text: str) -> None:
        with self._turn, suppress(OSError, ValueError):  # nobody reads it any more: the files matter all the same
            if not self._ended:
                self._shown = text
                self._show(text)

    def rest(self, report: str) -> str:
        """What is left to be shown of the whole report; from here on nothing is shown by itself."""
        if self._timer is not None:
            self._timer.cancel()
        with self._turn:
            self._ended = True
            return rest_of(self._shown, report)
