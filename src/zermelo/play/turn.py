"""One turn of a match: what is known of the answer so far, and until when it may be thought about.

Whoever thinks about a turn tells it what it has found; whoever has to answer takes the best of that when the time is
up. A thought belongs to the turn that it was told to, so one that comes late is lost instead of being played in
another position.

>>> turn = Turn(3, end=time.monotonic() + 60, idle=time.monotonic() + 90)
>>> turn.tell(Decision("noop", "the first legal move"))
>>> turn.ask(lambda: Decision("jump", "searched", 100))
>>> turn.best().move, turn.settled
('jump', False)
>>> turn.settle(Decision("stay", "proved"))
>>> turn.answer().move, turn.over
('stay', False)
>>> turn.close()
>>> turn.over
True
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from zermelo import _native
from zermelo.decision import Decision
from zermelo.errors import ZermeloError
from zermelo.play.delays import Delays

Ask = Callable[[], Decision | None]


class Turn:
    """A turn with a number of its own, to be answered at ``end`` and thought about until ``idle``.

    Both are times of :func:`time.monotonic`. Where nobody thinks longer than until the answer they are the same, and
    the turn is over when its answer is settled. Thinkers have voices: where two think about the same turn, the one with
    the higher voice counts as soon as it has searched.
    """

    def __init__(self, number: int, end: float, idle: float | None = None):
        self.number, self.end = number, end
        self.idle = end if idle is None else idle
        self._changed = threading.Condition()
        self._asks: dict[int, Ask] = {}
        self._told: dict[int, Decision] = {}
        self._settled: Decision | None = None
        self._error: ZermeloError | None = None
        self._closed = False
        self._controls: list[_native.Control] = []

    @property
    def over(self) -> bool:
        """Whether nobody needs to think about it any more."""
        return self._done() or time.monotonic() >= self.idle

    def _done(self) -> bool:
        return self._closed or (self.settled and self.idle <= self.end)

    @property
    def closed(self) -> bool:
        """Whether it was over before its time."""
        return self._closed

    @property
    def settled(self) -> bool:
        """Whether its answer is known, or that it has none."""
        return self._settled is not None or self._error is not None

    @property
    def refused(self) -> bool:
        """Whether what it was told cannot be."""
        return self._error is not None

    def seconds(self) -> float:
        """How long there is until the answer."""
        return max(0.0, self.end - time.monotonic())

    def tell(self, thought: Decision, voice: int = 0) -> None:
        """The best that a thinker knows so far."""
        with self._changed:
            first = not self._told
            self._told[voice] = thought
            if first:  # nobody waits for more than that
                self._changed.notify_all()

    def ask(self, ask: Ask, voice: int = 0) -> None:
        """What knows better than what was told, at any moment: ``None`` where it does not."""
        with self._changed:
            self._asks[voice] = ask

    def settle(self, thought: Decision) -> None:
        """Nothing better will come: who waits need not."""
        with self._changed:
            self._settled = self._settled or thought
            self._changed.notify_all()

    def refuse(self, error: ZermeloError) -> None:
        """There is no answer: what the turn was told cannot be."""
        with self._changed:
            self._error = self._error or error
            self._changed.notify_all()

    def close(self) -> None:
        """The next turn has begun, or the match is over: whoever thinks about it is to stop."""
        with self._changed:
            self._closed = True
            for control in self._controls:
                control.stop()
            self._controls.clear()
            self._asks.clear()  # a search elsewhere has nothing to say of it
            self._changed.notify_all()

    def heard_by(self, control: _native.Control) -> _native.Control:
        """A control that stops when the turn is closed."""
        with self._changed:
            self._controls.append(control)
            if self._closed:
                control.stop()
        return control

    def wait(self, seconds: float) -> bool:
        """Waits so long; whether the turn is over by then, or before."""
        with self._changed:
            end = min(time.monotonic() + seconds, self.idle)
            self._changed.wait_for(self._done, max(0.0, end - time.monotonic()))
        return self.over

    def best(self) -> Decision | None:
        """The best that is known now."""
        with self._changed:
            asks, told, settled = dict(self._asks), dict(self._told), self._settled
        if settled is not None:
            return settled
        found: Decision | None = None
        for voice in sorted({*asks, *told}):
            thought = (asks[voice]() if voice in asks else None) or told.get(voice)
            if thought is not None and (found is None or thought.simulations):
                found = thought
        return found

    def answer(self, latest: float | None = None, delays: Delays | None = None, clock: float = 0.0) -> Decision | None:
        """What is known at the end of the turn; waits for that, and where nothing is until ``latest``.

        Where a machine wakes us late the turn ends so much earlier, by as much of the clock as its delays cost. What
        makes the turn impossible is raised.
        """
        delays, planned = delays or Delays(), self.end

        def left() -> float:
            self.end = min(self.end, planned - delays.reserve(clock))
            return self.seconds()

        with self._changed:
            delays.wait(self._changed, lambda: self.settled or self._closed, left)
            if latest is not None and not self._told:
                seconds = max(0.0, latest - time.monotonic())
                self._changed.wait_for(lambda: self.settled or self._closed or bool(self._told), seconds)
            if self._error is not None:
                raise self._error
        return self.best()
