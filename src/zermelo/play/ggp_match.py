"""One match of a GGP player: prepares, follows, thinks, and has an answer when the clock runs out, whatever happens.

All work is done in threads of its own, and whoever asks waits no longer than the clock allows: then the best move
known so far is the answer. Grounding that takes longer than the start clock goes on behind the play; until it is done
the interpreter plays, and after that the ground game takes over where play stands.

After each answer the tree search goes on, on the time of the others, until the next message comes, the match ends or
their clock has run out: a master that has gone away leaves an idle player behind.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from zermelo import _native
from zermelo.errors import InputError, LimitReachedError, ZermeloError
from zermelo.gdl.ground import GroundReasoner, InterpretedReasoner, ground
from zermelo.gdl.reasoner import Reasoner
from zermelo.gdl.syntax import RANDOM, Rulesheet
from zermelo.gdl.validate import require_valid
from zermelo.limits import MEBIBYTE, Limits
from zermelo.play.ggp_message import Perceive, Play, Start
from zermelo.play.positions import PlainPositions
from zermelo.play.thinker import THREAD, HiddenThinker, OpenThinker, PlainThinker, Thought, hidden_thinker

GROUND_MEMORY = 2048 * MEBIBYTE
"""What the ground game of a match may take."""
LEAST_WAIT = 0.2
"""Even where a clock leaves no time at all, an answer is waited for so long."""
LATEST_NEWS = 5.0
"""So long after the end of a play clock the moves of the others are still waited for with a search under way."""

T = TypeVar("T")
Thinker = OpenThinker | PlainThinker[tuple[str, ...]] | HiddenThinker[bytes] | HiddenThinker[tuple[str, ...]]


def safety_margin(clock: float) -> float:
    """The seconds of a clock that are not used for thinking: half of them for thoughts that end late, half for the way.

    >>> safety_margin(30), safety_margin(2), safety_margin(1)
    (1.5, 0.5, 0.25)
    """
    return min(1.5, clock / 4)


class Job(Generic[T]):
    """Work in a thread of its own, which may be left to itself.

    >>> job = Job(lambda: 6 * 7)
    >>> job.wait(time.monotonic() + 5), job.result()
    (True, 42)
    """

    def __init__(self, work: Callable[[], T]):
        self._work = work
        self._results: list[T] = []
        self._error: Exception | None = None
        self._done = threading.Event()
        threading.Thread(target=self._run, name=THREAD, daemon=True).start()

    def _run(self) -> None:
        try:
            self._results.append(self._work())
        except Exception as error:
            # Whatever it is, it belongs to the one who asks for the result.
            self._error = error
        finally:
            self._done.set()

    def wait(self, until: float) -> bool:
        """Whether it is done at that time of :func:`time.monotonic`."""
        return self._done.wait(max(0.0, until - time.monotonic()))

    def result(self) -> T:
        """What it found, or the error that it ended with; waits for it."""
        self._done.wait()
        if self._error is not None:
            raise self._error
        return self._results[0]


class Match:
    """A match under way, in which we play one role."""

    def __init__(self, start: Start, received: float, *, seed: int = 1, log: Callable[[str], None] = lambda line: None):
        self.name, self.sheet, self.role, self.playclock = start.match, start.sheet, start.role, start.playclock
        self.seed, self._log = seed, log
        self._end = received + max(start.startclock - safety_margin(start.startclock), LEAST_WAIT)
        self._begun = received
        self._control = _native.Control(0.0, 0, GROUND_MEMORY)
        self._ground = Job(self._make_ground)
        self._plain: Job[InterpretedReasoner | Reasoner] | None = None
        # Who holds the lock may think: use the reasoners and the thinker, which take one question at a time.
        self._lock = threading.Lock()
        self._thinker: Thinker | None = None
        self._told: list[Play | Perceive] = []
        self._followed = 0
        self._last = "NIL"
        self._closed = False
        self._pondering: _native.Control | None = None

    def prepare(self) -> None:
        """Returns when the match can begin, or when the start clock is about to run out; raises what is wrong.

        The interpreter, which is ready soon, is only made where the ground game is not there at half time.
        """
        if not self._ground.wait((self._begun + self._end) / 2):
            self._plain = Job(lambda: _interpreter(self.sheet))
        if not self._ground.wait(self._end):
            self._log(f"{self.name}: still grounding when the start clock ends")
            return
        try:
            roles = self._ground.result().roles
        except LimitReachedError as error:
            self._log(f"{self.name}: {error}")
            self._plain = self._plain or Job(lambda: _interpreter(self.sheet))
            if not self._plain.wait(self._end):
                return
            roles = self._plain.result().roles
        role_number(self.role, roles)
        Job(self._warm_up).wait(self._end)

    def move(self, message: Play | Perceive, received: float) -> Thought:
        """Our answer to a message, before the play clock ends; :class:`InputError` if the message makes no sense."""
        margin = safety_margin(self.playclock)
        end = received + self.playclock - margin
        heard: list[Thought] = []

        def tell(thought: Thought) -> None:
            if self._closed:
                raise LimitReachedError(f"match {self.name!r} is over")
            heard.append(thought)

        self.rest()
        self._note(message)  # here, since threads that wait for the lock get it in any order
        job = Job(lambda: self._think(message, end, tell))
        if job.wait(max(end + margin / 2, received + LEAST_WAIT)):
            thought = job.result()
            self._ponder(received + self.playclock + LATEST_NEWS)
        else:
            thought = heard[-1] if heard else Thought(self._last, "nothing better in time")
        self._last = thought.move
        return thought

    def rest(self) -> None:
        """Ends the search on the time of the others, at once."""
        control, self._pondering = self._pondering, None
        if control is not None:
            control.stop()

    def close(self) -> None:
        """The match is over: nothing goes on behind it for long."""
        self._closed = True
        self._control.stop()
        self.rest()

    def _ponder(self, until: float) -> None:
        """Goes on with the search behind the answer. One that waits for the lock until it is stopped does nothing."""
        control = self._pondering = _native.Control(max(0.001, until - time.monotonic()))

        def search() -> None:
            with self._lock:
                if isinstance(self._thinker, OpenThinker) and not self._closed and control is self._pondering:
                    simulations = self._thinker.ponder(control)
                    self._log(f"{self.name}: {simulations:,} simulations on the time of the others")

        Job(search)

    def _make_ground(self) -> GroundReasoner:
        require_valid(self.sheet)
        return ground(self.sheet, control=self._control)

    def _warm_up(self) -> None:
        """Makes the thinker that the rules suggest, for the first move not to wait for it."""
        with self._lock:
            percepts = any(rule.head.name == "sees" for rule in self.sheet.rules)
            if self._thinker is None:
                self._thinker = self._make_thinker(percepts, self._end)

    def _think(self, message: Play | Perceive, end: float, tell: Callable[[Thought], None]) -> Thought:
        """Follows the message, then thinks. What was told while another thought went on is not lost."""
        with self._lock:
            percepts = isinstance(self._told[0] if self._told else message, Perceive)
            if self._thinker is None or self._is_behind() or isinstance(self._thinker, HiddenThinker) != percepts:
                self._thinker = self._make_thinker(percepts, end)
                self._followed = 0
            self._follow(self._thinker, end)
            return self._thinker.choose(max(0.0, end - time.monotonic()), tell)

    def _note(self, message: Play | Perceive) -> None:
        """Writes down what moves were made; the first message tells none, and a repeated one none that is new."""
        if isinstance(message, Perceive):
            known = self._told[-1] if self._told else None
            if message.move is not None and not (isinstance(known, Perceive) and known.turn == message.turn):
                self._told.append(message)
        elif message.moves is not None:
            self._told.append(message)

    def _is_behind(self) -> bool:
        """Whether the interpreter plays, but the ground game is there by now."""
        plain = self._thinker is not None and isinstance(self._thinker.positions, PlainPositions)
        if plain and self._ready_ground() is not None:
            self._log(f"{self.name}: the ground game takes over")
            return True
        return False

    def _make_thinker(self, percepts: bool, end: float) -> Thinker:
        game = self._ready_ground()
        if game is not None:
            number = role_number(self.role, game.roles)
            return hidden_thinker(game, number, self.seed) if percepts else OpenThinker(game, number, seed=self.seed)
        self._plain = self._plain or Job(lambda: _interpreter(self.sheet))
        if not self._plain.wait(end):
            raise LimitReachedError(f"the rules of match {self.name!r} are not ready")
        positions = PlainPositions(self._plain.result())
        number = role_number(self.role, positions.roles)
        if percepts:
            return HiddenThinker(positions, number, seed=self.seed)
        return PlainThinker(positions, number, seed=self.seed)

    def _ready_ground(self) -> GroundReasoner | None:
        """The ground game, if it is there; what is wrong with the rules is raised."""
        if not self._ground.wait(0.0):
            return None
        try:
            return self._ground.result()
        except LimitReachedError:
            return None

    def _follow(self, thinker: Thinker, end: float) -> None:
        """Makes the moves that were told and not made yet. One that cannot be made is forgotten."""
        while self._followed < len(self._told):
            message = self._told[self._followed]
            try:
                _advance(thinker, message, max(0.05, (end - time.monotonic()) / 4))
            except ZermeloError as error:
                del self._told[self._followed]
                raise InputError(str(error)) from None
            self._followed += 1


def _advance(thinker: Thinker, message: Play | Perceive, seconds: float) -> None:
    if isinstance(message, Perceive):
        if not isinstance(thinker, HiddenThinker):
            raise InputError("a turn with percepts in a match without, expected a joint move")
        if message.move is not None:
            thinker.advance(message.move, message.percepts, seconds)
    elif message.moves is not None:
        if isinstance(thinker, HiddenThinker):
            raise InputError("a joint move in a match with percepts, expected a turn, a move and what was seen")
        thinker.advance(message.moves)


def _interpreter(sheet: Rulesheet) -> InterpretedReasoner | Reasoner:
    """Whatever can play from the rules as they stand."""
    try:
        return InterpretedReasoner(sheet, "no ground game in time", Limits(memory=GROUND_MEMORY))
    except LimitReachedError:
        return Reasoner(sheet)


def role_number(name: str, roles: tuple[str, ...]) -> int:
    """The number of a role, as written or else in other letters; chance is no role to play.

    >>> role_number("WHITE", ("black", "white"))
    1
    """
    found = [number for number, role in enumerate(roles) if role == name]
    found = found or [number for number, role in enumerate(roles) if role.lower() == name.lower()]
    if not found or roles[found[0]] == RANDOM:
        raise InputError(
            f"{name[:80]!r} is no role to play, expected one of {', '.join(r for r in roles if r != RANDOM)}"
        )
    return found[0]
