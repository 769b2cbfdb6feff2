"""A player of the GGP protocol: answers messages, never late, never with an illegal move, never with a crash.

The server (:mod:`zermelo.play.ggp_server`) hands it each message with the time it came in. START grounds the rules
within the start clock; PLAY follows the joint move, then thinks until shortly before the play clock ends.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from zermelo.errors import InputError, LimitReachedError
from zermelo.gdl.ground import GroundReasoner, ground
from zermelo.gdl.reasoner import Reasoner, State
from zermelo.gdl.syntax import RANDOM
from zermelo.gdl.validate import require_valid
from zermelo.limits import MEBIBYTE, Limits
from zermelo.play.ggp_message import Abort, Info, Message, Perceive, Play, Preview, Start, Stop, read_message
from zermelo.play.thinker import HiddenThinker, OpenThinker, Thought

KEPT_MATCHES = 8
"""Matches that were never stopped are forgotten when this many newer ones have begun."""


def safety_margin(clock: float) -> float:
    """The seconds of a clock that are kept for the way back.

    >>> safety_margin(30), safety_margin(2), safety_margin(1)
    (1.5, 0.5, 0.25)
    """
    return min(1.5, clock / 4)


@dataclass
class PlainThinker:
    """Plays legal moves by the plain reasoner, where the ground game is too large or came too late."""

    reasoner: Reasoner
    role: int

    def __post_init__(self) -> None:
        self.state: State = self.reasoner.start()

    def legal(self) -> list[str]:
        """The moves of our role here."""
        return self.reasoner.legal(self.state, self.reasoner.roles[self.role])

    def advance(self, joint: Sequence[str]) -> None:
        """All roles have moved."""
        self.state = self.reasoner.next(self.state, joint)

    def choose(self, seconds: float) -> Thought:
        """The first legal move."""
        del seconds
        return Thought(self.legal()[0], "the rules are too large to search")


@dataclass
class _Match:
    """A match under way."""

    name: str
    roles: tuple[str, ...]
    role: int
    playclock: float
    game: GroundReasoner | Reasoner
    thinker: OpenThinker | HiddenThinker | PlainThinker
    turn: int = 0  # how many joint moves have been played
    last: str | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class GgpPlayer:
    """Answers the messages of a game master.

    >>> player = GgpPlayer("zermelo")
    >>> player.answer("(INFO)", time.monotonic())
    '((name zermelo) (status available))'
    >>> player.answer("(PLAY unknown NIL)", time.monotonic())
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: no match 'unknown' is under way
    """

    def __init__(self, name: str = "zermelo", *, seed: int = 1, log: Callable[[str], None] = lambda line: None):
        self.name, self.seed, self.log = name, seed, log
        self.matches: dict[str, _Match] = {}

    def answer(self, text: str, received: float) -> str:
        """The answer to a message that came in at a time of :func:`time.monotonic`; ``InputError`` if it makes no sense."""
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
            case Stop(name, last):
                self.log(f"{name}: stopped")
                self.matches.pop(name, None)
                return "DONE"
            case Abort(name):
                self.log(f"{name}: aborted")
                self.matches.pop(name, None)
                return "ABORTED"

    def _match(self, name: str) -> _Match:
        found = self.matches.get(name)
        if found is None:
            raise InputError(f"no match {name!r} is under way")
        return found

    def _start(self, start: Start, received: float) -> str:
        require_valid(start.sheet)
        left = start.startclock - safety_margin(start.startclock) - (time.monotonic() - received)
        game: GroundReasoner | Reasoner
        try:
            game = ground(start.sheet, Limits(seconds=max(left, 0.05), memory=4096 * MEBIBYTE))
        except LimitReachedError:
            game = Reasoner(start.sheet)
        role = _role(start.role, game.roles)
        while len(self.matches) >= KEPT_MATCHES:
            self.matches.pop(next(iter(self.matches)))
        thinker = self._thinker(game, role, percepts=False)
        self.matches[start.match] = _Match(start.match, game.roles, role, start.playclock, game, thinker)
        self.log(f"{start.match}: plays {game.roles[role]} of {start.sheet.file} by {type(thinker).__name__}")
        return "READY"

    def _thinker(
        self, game: GroundReasoner | Reasoner, role: int, percepts: bool
    ) -> OpenThinker | HiddenThinker | PlainThinker:
        if isinstance(game, Reasoner):
            return PlainThinker(game, role)
        return HiddenThinker(game, role, self.seed) if percepts else OpenThinker(game, role, seed=self.seed)

    def _play(self, match: _Match, message: Play | Perceive, received: float) -> str:
        with match.lock:
            end = received + match.playclock - safety_margin(match.playclock)
            self._follow(match, message, end)
            match.turn += 1
            thought = match.thinker.choose(max(0.0, end - time.monotonic()))
            match.last = thought.move
            self.log(f"{match.name}: {thought.move} ({thought.reason}, {thought.simulations} simulations)")
            return thought.move

    def _follow(self, match: _Match, message: Play | Perceive, end: float) -> None:
        """Makes the moves that a message tells of. The first message says which of the two protocols is spoken."""
        if match.turn == 0:
            match.thinker = self._thinker(match.game, match.role, isinstance(message, Perceive))
        thinker = match.thinker
        if isinstance(message, Perceive):
            if message.move is None:
                return
            if not isinstance(thinker, HiddenThinker):
                raise InputError(f"match {match.name!r} has no percepts, expected a joint move")
            move = _written_so(message.move, [match.last] if match.last else thinker.legal())
            thinker.advance(move, message.percepts, max(0.1, (end - time.monotonic()) / 4))
        elif message.moves is not None:
            if len(message.moves) != len(match.roles):
                raise InputError(f"a joint move of {len(message.moves)} moves, expected {len(match.roles)}")
            if isinstance(thinker, HiddenThinker):
                raise InputError(f"match {match.name!r} has percepts, expected a turn, a move and what was seen")
            legal = [_legal(thinker, role) for role in range(len(match.roles))]
            thinker.advance([_written_so(move, known) for move, known in zip(message.moves, legal, strict=True)])


def _legal(thinker: OpenThinker | PlainThinker, role: int) -> list[str]:
    if isinstance(thinker, PlainThinker):
        return thinker.reasoner.legal(thinker.state, thinker.reasoner.roles[role])
    return [thinker.game.moves[move] for move in thinker.game.native.legal(thinker.state, role)]


def _written_so(text: str, known: Sequence[str]) -> str:
    """The known move that a text means: as written, or in other letters."""
    if text in known:
        return text
    found = [move for move in known if move.lower() == text.lower()]
    if len(found) != 1:
        raise InputError(f"{text} is not a legal move here")
    return found[0]


def _role(name: str, roles: Sequence[str]) -> int:
    found = [number for number, role in enumerate(roles) if role == name]
    found = found or [number for number, role in enumerate(roles) if role.lower() == name.lower()]
    if not found or roles[found[0]] == RANDOM:
        raise InputError(f"{name!r} is no role to play, expected one of {', '.join(r for r in roles if r != RANDOM)}")
    return found[0]
