"""A player of the GGP protocol: answers messages, never late, never with an illegal move, never with a crash.

The server (:mod:`zermelo.play.ggp_server`) hands it each message with the time it came in; each match
(:mod:`zermelo.play.ggp_match`) thinks for itself.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from zermelo.errors import InputError, LimitReachedError
from zermelo.play.delays import Delays
from zermelo.play.ggp_match import GROUND_MEMORY, Match
from zermelo.play.ggp_message import Abort, Info, Message, Perceive, Play, Preview, Start, Stop, read_message
from zermelo.play.thinker import THREAD

KEPT_MATCHES = 8
"""Matches that were never stopped are forgotten when this many newer ones have begun."""


class GgpPlayer:
    """Answers the messages of a game master.

    >>> player = GgpPlayer("zermelo")
    >>> player.answer("(INFO)", 0.0)
    '((name zermelo) (status available))'
    >>> player.answer("(PLAY unknown NIL)", 0.0)
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: no match 'unknown' is under way
    """

    def __init__(
        self,
        name: str = "zermelo",
        *,
        seed: int = 1,
        threads: int = 1,
        memory: int = GROUND_MEMORY,
        log: Callable[[str], None] = lambda line: None,
    ):
        if not name.isprintable() or not name or any(letter in " ();" for letter in name):
            raise InputError(f"{name!r} is no name for a player, expected one word")
        self.name, self.seed, self.log = name, seed, log
        self.threads, self.memory = threads, memory
        self.matches: dict[str, Match] = {}
        self._delays = Delays()
        self._lock = threading.Lock()

    def answer(self, text: str, received: float) -> str:
        """The answer to a message that came in at a time of :func:`time.monotonic`.

        A message that makes no sense raises :class:`InputError`.
        """
        message: Message = read_message(text)
        match message:
            case Info():
                return f"((name {self.name}) (status {'busy' if self.matches else 'available'}))"
            case Preview():
                return "READY"
            case Start():
                return self._start(message, received)
            case Play(name) | Perceive(name):
                return self._play(self._match(name), message, received)
            case Stop(name):
                self._forget(name, "stopped")
                return "DONE"
            case Abort(name):
                self._forget(name, "aborted")
                return "ABORTED"

    def close(self, seconds: float = 1.0) -> bool:
        """Ends whatever is under way; whether all thoughts have come to an end within the time."""
        with self._lock:
            for match in self.matches.values():
                match.close()
            self.matches.clear()
        end = time.monotonic() + seconds
        thoughts = [thread for thread in threading.enumerate() if thread.name == THREAD]
        for thread in thoughts:
            thread.join(max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in thoughts)

    def _start(self, start: Start, received: float) -> str:
        match = self._match_for(start, received)
        try:
            match.prepare()
        except BaseException:
            with self._lock:
                if self.matches.get(start.match.lower()) is match:
                    del self.matches[start.match.lower()]
            match.close()
            raise
        self.log(f"{start.match}: plays {start.role}")
        return "READY"

    def _match_for(self, start: Start, received: float) -> Match:
        """A new match, known from now on, so that it can be called off while it is prepared; or the same once more."""
        key = start.match.lower()
        with self._lock:
            found = self.matches.get(key)
            if found is not None and found.fresh and found.start == start:
                return found
            if found is not None:
                found.close()
                del self.matches[key]
            if len(self.matches) >= KEPT_MATCHES:
                self.matches.pop(next(iter(self.matches))).close()
            for other in self.matches.values():  # who comes has more to prepare than who waits
                other.rest()
                other.pause()
            match = self.matches[key] = Match(
                start,
                received,
                seed=self.seed,
                threads=self.threads,
                memory=self.memory,
                log=self.log,
                delays=self._delays,
            )
        return match

    def _play(self, match: Match, message: Play | Perceive, received: float) -> str:
        with self._lock:
            others = [other for other in self.matches.values() if other is not match]
        for other in others:
            other.rest()  # who has to answer comes first
        try:
            thought = match.move(message, received)
        except LimitReachedError as error:
            self.log(f"{match.name}: {error}")
            return "NIL"
        self.log(f"{match.name}: {thought.move} ({thought.reason}, {thought.simulations:,} simulations)")
        move: str = thought.move
        return move

    def _match(self, name: str) -> Match:
        # Masters that write everything in capitals write the names of matches so, too.
        found = self.matches.get(name.lower())
        if found is None:
            raise InputError(f"no match {name!r} is under way")
        return found

    def _forget(self, name: str, why: str) -> None:
        with self._lock:
            found = self.matches.pop(name.lower(), None)
        if found is not None:
            found.close()
            self.log(f"{name}: {why}")
