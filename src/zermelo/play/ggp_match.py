"""One match of a GGP player: follows play, thinks, and has an answer for the present position when the clock runs out.

The first thing that a message brings about is a legal move, by a thread that does nothing else (:class:`Keeper`).
Two threads think. One has the interpreter, which is there at once; the other makes the ground game beside it, for
as long as that takes, and takes over when it has caught up with play. Each follows the messages by itself and tells the
:class:`~zermelo.play.turn.Turn` what it finds. Who answers waits for the end of the turn, takes the best that was told,
and never waits for a thought to end.

After each answer the tree search goes on, on the time of the others, until the next message comes, the match ends or
their clock has run out: a master that has gone away leaves an idle player behind.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from zermelo import _native
from zermelo.decision import Decision
from zermelo.errors import InputError, LimitReachedError, ZermeloError, one_line
from zermelo.gdl.ground import GroundReasoner, InterpretedReasoner, ground
from zermelo.gdl.reasoner import Reasoner
from zermelo.gdl.syntax import RANDOM
from zermelo.gdl.validate import require_valid
from zermelo.limits import MEBIBYTE, Limits
from zermelo.play.bandits import MAC_UCB, STAGE_SECONDS, shared_rules
from zermelo.play.delays import Delays, safety_margin
from zermelo.play.ggp_message import Perceive, Play, Start
from zermelo.play.thinker import (
    THREAD,
    HiddenThinker,
    OpenThinker,
    PlainThinker,
    hidden_thinker,
    joint_meant,
    some_move,
)
from zermelo.play.turn import Turn
from zermelo.search.forward import ForwardModel, InterpretedModel, ReasonerModel, RulesheetModel

GROUND_MEMORY = 2048 * MEBIBYTE
"""What the ground game of a match may take, unless told otherwise; its trees may take a quarter of that."""
PLAIN_MEMORY = 512 * MEBIBYTE
"""What the interpreter of a match may take, in any case: without it nobody plays."""
LEAST_WAIT = 0.2
"""Even where a clock leaves no time at all, an answer is waited for so long."""
KEEPER = -1
"""The voice of who only knows what is legal."""
LATEST_NEWS = 5.0
"""So long after the end of a clock the next message is still waited for with work under way."""

MatchThinker = OpenThinker | PlainThinker | HiddenThinker


@dataclass(eq=False)
class Told:
    """A message that tells of moves, unless these cannot be."""

    message: Play | Perceive
    refused: bool = False


class MatchTurn(Turn):
    """A turn with all that was told until then; ``message`` is what it answers, ``None`` before the first."""

    def __init__(self, number: int, message: Play | Perceive | None, told: tuple[Told, ...], end: float, idle: float):
        super().__init__(number, end, idle)
        self.message, self.told = message, told
        self.before: MatchTurn | None = None
        """To go back to, where this turn is refused."""
        self.answered: Decision | None = None


class Record:
    """Where play stands, by what was told, and what we may do there: a reasoner that nobody else asks."""

    def __init__(self, model: ForwardModel, role: str):
        self.model, self.role = model, role_number(role, model.roles)
        self._states: list[tuple[Told | None, Any]] = [(None, model.start())]

    def follow(self, told: Sequence[Told]) -> None:
        """Goes where all that was told leads; :class:`InputError` where the last of it cannot be."""
        same = sum(1 for _ in takewhile(lambda pair: pair[0][0] is pair[1], zip(self._states[1:], told, strict=False)))
        del self._states[same + 1 :]
        for news in told[same:]:
            try:
                self._states.append((news, self._after(news.message)))
            except InputError:
                if news is told[-1]:
                    raise
                news.refused = True  # nobody knew when it came

    def first_move(self) -> str:
        """A legal move of ours there; :class:`InputError` if we have none."""
        return self.model.move_text(
            some_move(self.model, self.model.legal(self._states[-1][1], self.role), self.role)[0]
        )

    def _after(self, message: Play | Perceive) -> Any:
        assert isinstance(message, Play), "where moves are hidden there is no record"
        assert message.moves is not None, "what tells nothing is not told"
        state = self._states[-1][1]
        return self.model.play(state, joint_meant(self.model, state, message.moves))


class Keeper:
    """A thread that does nothing but follow the joint moves, and tells each turn its first legal move, or refuses it.

    It is never busy with a thought, so it can do so at once; and since nobody waits for it longer than for a thought,
    rules whose single steps take longer than a clock make nobody late.
    """

    retired = False

    def __init__(self, match: Match):
        self.match = match

    def rest(self) -> None:
        """There is no turn to follow."""

    def start(self) -> None:
        """Begins; what it follows has to be there."""
        threading.Thread(target=self._run, name=THREAD, daemon=True).start()

    def _run(self) -> None:
        seen = 0
        with suppress(ZermeloError):  # that the rules are wrong is said by those who think
            record = self.match.record()
            with suppress(InputError):  # whoever has no move is told so in its turn
                record.first_move()  # what that takes is not to be taken from the first turn
            while (turn := self.match.next_turn(self, seen)) is not None:
                seen = turn.number
                if isinstance(turn.message, Play) or not turn.told:
                    self._tell(turn)

    def _tell(self, turn: MatchTurn) -> None:
        told = [told for told in turn.told if not told.refused]
        record = self.match.record()
        try:
            record.follow(told)
        except InputError as error:
            self.match.refuse(told[-1], turn, error)
            return
        try:
            turn.tell(Decision(record.first_move(), "the first legal move"), KEEPER)
        except InputError as error:
            turn.refuse(error)


class Follower:
    """A thread that makes a thinker, follows a match with it and thinks about each turn.

    ``ready`` says that the thinker is made; ``error`` why it could not be.
    """

    def __init__(self, match: Match, make: Callable[[bool], MatchThinker]):
        self.match, self._make = match, make
        self.ready = self.retired = False
        self.error: Exception | None = None
        self.thinker: MatchThinker | None = None
        self._percepts = match.percepts
        self._followed = 0

    def start(self) -> Follower:
        """Begins; what it follows has to be there."""
        threading.Thread(target=self._run, name=THREAD, daemon=True).start()
        return self

    def rest(self) -> None:
        """There is no turn to think about: a search that goes on from turn to turn has to be told so."""
        if isinstance(self.thinker, OpenThinker):
            self.thinker.rest()

    def retire(self) -> None:
        """Another one has taken over."""
        self.retired = True
        if self.thinker is not None and not isinstance(self.thinker, OpenThinker):
            self.thinker.retired = True

    def _run(self) -> None:
        seen = 0
        try:
            self.thinker = self._make(self._percepts)
            self.match.note(self)
            while (turn := self.match.next_turn(self, seen)) is not None:
                seen = turn.number
                if self.match.percepts != self._percepts:  # the first message says which form is spoken
                    self.thinker.close()
                    self._percepts, self._followed = self.match.percepts, 0
                    self.thinker = self._make(self._percepts)
                self._serve(self.thinker, turn)
        except Exception as error:
            # Whatever it is, it belongs to the one who asks for the match.
            self.match.note(self, error)
        finally:
            if self.thinker is not None:
                self.thinker.close()
            self.thinker = None

    def _serve(self, thinker: MatchThinker, turn: MatchTurn) -> None:
        try:
            self._follow(thinker, turn)
            if not turn.refused:
                self.match.caught_up(self)
                thinker.think(turn)
        except ZermeloError as error:
            turn.refuse(error)
        except Exception as error:
            # A mistake of ours in one thinker leaves what the other one, or this one before, has told.
            self.match.log(f"{self.match.name}: {type(error).__name__}: {one_line(str(error))}")

    def _follow(self, thinker: MatchThinker, turn: MatchTurn) -> None:
        """Makes the moves that were told and not made yet. One that cannot be made is left out."""
        news = [told for told in turn.told if not told.refused][self._followed :]
        for told in news:
            try:
                _advance(thinker, told.message, max(0.05, turn.seconds()))
                self._followed += 1
            except ZermeloError as error:
                self.match.refuse(told, turn, InputError(str(error)))


class Match:
    """A match under way, in which we play one role."""

    def __init__(
        self,
        start: Start,
        received: float,
        *,
        seed: int = 1,
        threads: int = 1,
        memory: int = GROUND_MEMORY,
        log: Callable[[str], None] = lambda line: None,
        delays: Delays | None = None,
    ):
        self._delays = delays or Delays()
        self.start, self.name, self.sheet, self.role = start, start.match, start.sheet, start.role
        self.playclock, self.seed, self.log = start.playclock, seed, log
        self.threads, self.memory = threads, memory
        self.percepts = any(rule.head.name == "sees" for rule in self.sheet.rules)
        self._end = received + max(start.startclock - safety_margin(start.startclock), LEAST_WAIT)
        self._idle = received + start.startclock + LATEST_NEWS
        self._changed = threading.Condition()
        self._turn: MatchTurn | None = None
        self._numbers = 0
        self._asked = 0
        self._closed = False
        self._record: Record | None = None
        self._record_is_ground = False
        self._reasoner: InterpretedReasoner | Reasoner | None = None
        self._game: GroundReasoner | None = None
        self._record_control = _native.Control(0.0, 0, PLAIN_MEMORY)
        self._plain_control = _native.Control(0.0, 0, PLAIN_MEMORY)
        self._ground_controls = self._new_controls()
        self._paused = False
        self.plain = Follower(self, self._make_plain)
        self.ground = Follower(self, self._make_ground)
        with self._changed:  # the time until the first message is ours, too
            self._begin(MatchTurn(self._number(), None, (), self._idle, self._idle))
        Keeper(self).start()
        self.plain.start()
        self.ground.start()

    # --- what the player asks ---

    @property
    def fresh(self) -> bool:
        """Whether no move has been asked for yet."""
        return self._turn is None or self._turn.message is None

    def prepare(self) -> None:
        """Returns when the match can begin, or when the start clock is about to run out; raises what is wrong."""
        with self._changed:
            self._asked += 1
            clock = self.start.startclock
            try:
                self._delays.wait(
                    self._changed,
                    self._can_begin,
                    lambda: self._end - self._delays.reserve(clock) - time.monotonic(),
                )
            finally:
                self._asked -= 1
            if self._closed:
                raise InputError(f"match {self.name!r} has been called off")
            for follower in (self.plain, self.ground):
                if isinstance(follower.error, ZermeloError) and not isinstance(follower.error, LimitReachedError):
                    raise follower.error
            if not self.ground.ready and self.ground.error is None:
                self.log(f"{self.name}: still grounding when the start clock ends")

    def move(self, message: Play | Perceive, received: float) -> Decision:
        """Our answer to a message, before the play clock ends; :class:`InputError` if the message makes no sense."""
        margin = safety_margin(self.playclock)
        end = received + self.playclock - margin
        with self._changed:
            if self._closed:
                raise InputError(f"match {self.name!r} is over")
            last = self._turn
            self._asked += 1
        try:
            with self._changed:
                turn = self._turn_for(message, received, end)
            return self._answer(turn, max(end + margin * 3 / 4, received + LEAST_WAIT))
        except InputError:
            if last is not None and last.message == message and last.answered is not None:
                return last.answered  # it cannot be the next turn, so it is the last one once more
            raise
        finally:
            with self._changed:
                self._asked -= 1

    def rest(self) -> None:
        """Ends the search on the time of the others, at once."""
        with self._changed:
            if self._turn is not None and not self._asked:
                self._turn.close()

    def pause(self) -> None:
        """Gives the ground game up until the next message, unless a message waits for its answer."""
        with self._changed:
            if not self._asked and not self.ground.ready:
                self._paused = True
                self._stop_grounding()

    def close(self) -> None:
        """The match is over: nothing goes on behind it."""
        self._closed = True
        self._record_control.stop()
        self._plain_control.stop()
        with self._changed:
            self._stop_grounding()
            if self._turn is not None:
                self._turn.close()
            self.plain.retire()
            self.ground.retire()
            # Large, and nobody knows when a circle of references is looked for.
            self._turn = self._record = self._reasoner = self._game = None
            self._changed.notify_all()

    # --- turns ---

    def _turn_for(self, message: Play | Perceive, received: float, end: float) -> MatchTurn:
        """The turn that a message begins, or that it asks about once more: masters repeat what got lost."""
        last = self._turn
        known = None if last is None else last.message
        if last is not None and known is not None and self._says_nothing_new(message, known, last, received):
            return self._resumed(last, end, received)
        percepts = isinstance(message, Perceive)
        told = () if last is None else tuple(old for old in last.told if not old.refused)
        if (message.move if isinstance(message, Perceive) else message.moves) is not None:
            told += (Told(message),)
        self.percepts = percepts
        turn = MatchTurn(self._number(), message, told, end, received + self.playclock + LATEST_NEWS)
        turn.before = last
        self._idle = turn.idle
        self._begin(turn)
        if self._paused and self.ground.error is not None:
            self._paused = False
            self._ground_controls = self._new_controls()
            self.ground = Follower(self, self._make_ground).start()
        return turn

    def _resumed(self, last: MatchTurn, end: float, received: float) -> MatchTurn:
        """The last turn, thought about again where that has ended."""
        if not last.over:
            return last
        turn = MatchTurn(self._number(), last.message, last.told, end, received + self.playclock + LATEST_NEWS)
        turn.answered = last.answered
        if last.answered is not None:
            turn.settle(last.answered)
        before = last.before
        self._begin(turn)
        turn.before = before
        return turn

    def _says_nothing_new(
        self, message: Play | Perceive, known: Play | Perceive, last: MatchTurn, received: float
    ) -> bool:
        if isinstance(message, Perceive):
            if not isinstance(known, Perceive):
                raise InputError("a turn with percepts in a match without, expected a joint move")
            if message.turn < known.turn:
                raise InputError(f"turn {message.turn} is over, expected turn {known.turn} or a later one")
            return message.turn == known.turn
        if not isinstance(known, Play):
            raise InputError("a joint move in a match with percepts, expected a turn, a move and what was seen")
        if message.moves is None or message != known:
            return message.moves is None
        # Some games have the same joint move twice. Then it has our answer in it, or the clock has run out.
        if last.answered is None:
            return True
        return received < last.end and last.answered.move.lower() not in (move.lower() for move in message.moves)

    def _answer(self, turn: MatchTurn, latest: float) -> Decision:
        if turn.answered is None:
            thought = turn.answer(latest, self._delays, self.playclock)
            if thought is None:
                raise LimitReachedError(f"no legal move of match {self.name!r} is known in time")
            with self._changed:
                turn.answered = turn.answered or thought
            self._delays.fade()
        return turn.answered

    def _number(self) -> int:
        self._numbers += 1
        return self._numbers

    def _begin(self, turn: MatchTurn) -> None:
        if self._turn is not None:
            self._turn.close()
            self._turn.before = None
        self._turn = turn
        self._changed.notify_all()

    # --- what followers ask ---

    def record(self) -> Record:
        """For the keeper alone; by the ground game as soon as that is there."""
        game = self._game
        if game is not None and not self._record_is_ground:
            self._record, self._record_is_ground = Record(RulesheetModel(game), self.role), True
        record = self._record
        if record is None:
            record = self._record = Record(ReasonerModel(self._interpreter(self._record_control)), self.role)
        return record

    def next_turn(self, follower: Follower | Keeper, seen: int) -> MatchTurn | None:
        """The present turn, once it is a later one than that; ``None`` where there is nothing more to think about."""
        with self._changed:
            while True:
                if self._closed or follower.retired:
                    return None
                if self._turn is not None and self._turn.number > seen:
                    return self._turn
                follower.rest()
                watches = follower is self.plain and not self.ground.ready and self.ground.error is None
                left = max(0.0, self._idle - time.monotonic()) if watches else None
                if left == 0.0:
                    self.pause()
                self._changed.wait(left or None)

    def note(self, follower: Follower, error: Exception | None = None) -> None:
        """A follower is ready, or never will be."""
        with self._changed:
            follower.ready, follower.error = error is None, error
            self._changed.notify_all()
        if isinstance(error, LimitReachedError) and follower is self.ground and not (self._closed or self._paused):
            limit = f"{self.memory // MEBIBYTE} MiB"
            self.log(f"{self.name}: {one_line(str(error))} ({limit}); plays on by the rules as they stand")
        elif error is not None and not isinstance(error, ZermeloError):
            self.log(f"{self.name}: {type(error).__name__}: {one_line(str(error))}")

    def caught_up(self, follower: Follower) -> None:
        """The ground game is where play is: what plays from the rules as they stand is not needed any more."""
        if follower is self.ground and not self.plain.retired:
            with self._changed:
                self.plain.retire()
                self._reasoner = None
                self._changed.notify_all()
            self.log(f"{self.name}: the ground game is there")

    def refuse(self, told: Told, turn: MatchTurn, error: InputError) -> None:
        """What was told cannot be: it is forgotten, and if the turn is about it, so is the turn."""
        with self._changed:
            if turn.told[-1] is told:
                turn.refuse(error)  # before it is forgotten: nobody may take the turn for one about the position before
                if self._turn is turn:
                    self._turn = turn.before
            told.refused = True

    # --- thinkers ---

    def _new_controls(self) -> tuple[_native.Control, _native.Control]:
        """Of grounding, after which it is of no use any more, and of all that is made from the ground rules."""
        return _native.Control(0.0, 0, self.memory), _native.Control()

    def _stop_grounding(self) -> None:
        for control in self._ground_controls:
            control.stop()

    def _can_begin(self) -> bool:
        if self._closed or self.ground.ready:
            return True
        wrong = [follower.error for follower in (self.plain, self.ground) if follower.error is not None]
        if any(isinstance(error, ZermeloError) and not isinstance(error, LimitReachedError) for error in wrong):
            return True
        return self.ground.error is not None and (self.plain.ready or self.plain.error is not None)

    def _make_plain(self, percepts: bool) -> MatchThinker:
        reasoner = self._reasoner = self._reasoner or self._interpreter(self._plain_control)
        number = role_number(self.role, reasoner.roles)
        if percepts:
            return HiddenThinker(ReasonerModel(reasoner), number, seed=self.seed)
        if isinstance(reasoner, InterpretedReasoner):
            return PlainThinker(InterpretedModel(reasoner), number, seed=self.seed)
        return PlainThinker(ReasonerModel(reasoner), number, seed=self.seed)

    def _interpreter(self, control: _native.Control) -> InterpretedReasoner | Reasoner:
        """Whatever can play from the rules as they stand."""
        try:
            return InterpretedReasoner(self.sheet, "no ground game in time", control=control)
        except LimitReachedError:
            if self._closed:
                raise
            return Reasoner(self.sheet)

    def _make_ground(self, percepts: bool) -> MatchThinker:
        grounding, kernels = self._ground_controls
        try:
            game = self._game
            if game is None:
                require_valid(self.sheet)
                game = ground(self.sheet, control=grounding)
                with self._changed:
                    self._game = None if self._closed else game
            number = role_number(self.role, game.roles)
            if percepts:
                return hidden_thinker(game, number, self.seed, kernels, self.threads)
            shared_rules(game, kernels)
            seconds = min(STAGE_SECONDS, max(1.0, (self._end - time.monotonic()) / 2))
            limits = _HeardLimits(seconds=seconds, told=lambda: self._closed or self._paused)
            bandit = replace(MAC_UCB, threads=self.threads, memory=max(1, self.memory // 4 // MEBIBYTE))
            return OpenThinker(game, number, seed=self.seed, limits=limits, bandit=bandit)
        except (_native.Stopped, MemoryError) as error:
            raise LimitReachedError(f"the ground game is too large for the limits: {error}") from None


@dataclass(frozen=True)
class _HeardLimits(Limits):
    """Limits that are reached as soon as it is said so."""

    told: Callable[[], bool] = field(default=lambda: False, compare=False)

    def seconds_left(self) -> float | None:
        return 0.0 if self.told() else super().seconds_left()


def _advance(thinker: MatchThinker, message: Play | Perceive, seconds: float) -> None:
    if isinstance(message, Perceive):
        if not isinstance(thinker, HiddenThinker):
            raise InputError("a turn with percepts in a match without, expected a joint move")
        if message.move is not None:
            # A quarter for as many positions as there are; most of the time, if need be, for one that may be right.
            thinker.advance(message.move, message.percepts, seconds / 4, seconds * 3 / 4)
    elif message.moves is not None:
        if isinstance(thinker, HiddenThinker):
            raise InputError("a joint move in a match with percepts, expected a turn, a move and what was seen")
        thinker.advance(message.moves)


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
