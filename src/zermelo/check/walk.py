"""Plays a strategy that was written down against every possible reply.

A claim "ROLE gets at least SCORE" is accepted when, with ROLE following its table and everyone else playing
whatever is legal, every line ends with at least that score for ROLE; where chance moves, when the exact
expectation does. Two things could make a false proof look true, and both are excluded:

* *a reply that was left out*: legal moves come from the game's own rules, never from the certificate;
* *going round in circles*: where endless play is not good enough for the claim, the ranks in the table must
  fall strictly from each of ROLE's positions to the next, and no position may come back.

A strategy stated as a rule has no ranks. There the second half alone must do, and it does: the walk has
finished and met no position again while it was open, so what it walked over is finite and has no circle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NoReturn

from zermelo.certificate import Claim, score_text
from zermelo.check.instance import Playable, Resumable, instance_of, rules_of
from zermelo.check.verdict import Fault, Verdict
from zermelo.errors import IllegalMoveError, LimitReachedError, NotApplicableError
from zermelo.game import CHANCE, NOBODY, Game, Score
from zermelo.limits import Limits, memory_watch
from zermelo.watchdog import watchdog
from zermelo.wrapper import GameWrapper


def own_game(game: Game) -> Game:
    """The game to play by: the checker's own reading where there is one, from the same position on."""
    instance = instance_of(game)
    if not isinstance(instance, Playable):
        return game
    own = instance.game()
    if own.hidden_information:
        raise NotApplicableError("some role does not see every move: a table by positions is no strategy there")
    # A formula or program that was taken up later is read as it stands then.
    read = len(rules_of(game).line) if isinstance(instance, Resumable) else 0
    if len(game.line) == read:
        return own
    from zermelo.check.later import position_after  # who checks from the start need not trust it

    return _From(own, position_after(own, game, read))


class _From(GameWrapper):
    """A game from a later position on."""

    def __init__(self, game: Game, position: Any) -> None:
        super().__init__(game)
        self._position = position

    def start(self) -> Any:
        return self._position


def check_claim(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks one claim that rests on a table."""

    def choose(position: Any) -> tuple[Any, int | None]:
        entry = claim.table.get(game.key(position))
        if entry is None:
            raise Fault(f"the table of {claim.role} has no move here")
        try:
            return game.parse_move(position, entry[0]), entry[1]
        except ValueError as error:
            raise Fault(f"the table of {claim.role} says {entry[0]!r}: {error}") from None

    return check_choice(game, claim, choose, limits)


def check_choice(
    game: Game,
    claim: Claim,
    choose: Callable[[Any], tuple[Any, int | None]],
    limits: Limits,
    *,
    ranked: bool = True,
) -> Verdict:
    """Checks a claim whose moves come from a function of the position, with ranks unless it has none.

    >>> from zermelo.games import make_game
    >>> def take_all(position):
    ...     return (0, position[0][0]), None
    >>> check_choice(make_game("nim:2"), Claim("first", 1), take_all, Limits(), ranked=False).status
    'accepted'
    """
    if claim.role not in game.roles and not (claim.role == NOBODY and len(game.roles) == 1):
        return Verdict("refuted", f"{claim.role!r} is not a role of the game: {', '.join(game.roles)}")
    return _Walk(game, claim, choose, limits, ranked).verdict()


@dataclass(slots=True)
class _Frame:
    """A position under way. A million of them lie on the stack of a long game, hence the slots."""

    position: Any
    kind: Literal["own", "other", "chance"]
    moves: Sequence[Any]
    weights: Sequence[Fraction | int] | None  # of the outcomes, where chance moves
    rank: int | None
    via: Any = None
    weight: Fraction | int = 1
    value: Score | None = None
    highest: int = -1  # the highest rank among the next positions of the role
    tried: int = 0


_OPEN: tuple[Score | None, int] = (None, -2)
"""What is noted of a position on the stack; told from a finished one by identity."""


class _Walk:
    """A depth-first walk over all lines of play that agree with the strategy, with an explicit stack."""

    def __init__(
        self,
        game: Game,
        claim: Claim,
        choose: Callable[[Any], tuple[Any, int | None]],
        limits: Limits,
        ranked: bool,
    ) -> None:
        self.game, self.claim, self.choose, self.limits = game, claim, choose, limits
        self.endless = game.endless or (0,) * len(game.roles)
        self.endless_is_enough = self.share(self.endless) >= claim.at_least
        self.needs_ranks = ranked and not self.endless_is_enough
        self.met: dict[Any, tuple[Score | None, int]] = {}  # value and highest rank of finished positions, or _OPEN
        self.over_memory = memory_watch(limits.memory)
        self.stack: list[_Frame] = []
        self.steps = self.chance_above = 0
        self.saw_chance = self.saw_cycle = False
        self.most: Score | None = None
        self.last: Any = None

    def share(self, scores: tuple[Score, ...]) -> Score:
        """What the claiming role gets of an end's scores."""
        if self.claim.role in self.game.roles:
            return scores[self.game.roles.index(self.claim.role)]
        return -scores[0]  # nobody, in a game of one role

    def note_total(self, scores: tuple[Score, ...]) -> None:
        """Remembers what the scores of all roles add up to at the most."""
        total = sum(scores)
        self.most = total if self.most is None else max(self.most, total)

    def verdict(self) -> Verdict:
        try:
            with watchdog(self.limits, lambda: self.steps):
                value = self.walk()
        except Fault as fault:
            return Verdict("refuted", str(fault), self.line(), len(self.met))
        except (TimeoutError, LimitReachedError):
            return Verdict("limit", "the limit was reached before every reply was tried", (), len(self.met))
        if value is not None and value < self.claim.at_least:
            reason = f"{self.claim.role} can expect only {score_text(value)}, the claim is {self.goal()}"
            return Verdict("refuted", reason, (), len(self.met))
        return Verdict("accepted", positions=len(self.met), most=self.most)

    def walk(self) -> Score | None:
        value, highest = self.enter(self.game.start(), None, 1)
        while self.stack:
            top = self.stack[-1]
            if top.tried == len(top.moves):
                value, highest = self.leave()
                if self.stack:
                    self.take(self.stack[-1], value, highest, top.weight)
                continue
            move = top.moves[top.tried]
            weight = 1 if top.weights is None else top.weights[top.tried]
            top.tried += 1
            depth = len(self.stack)
            value, highest = self.enter(self.game.play(top.position, move), move, weight)
            if len(self.stack) == depth:
                self.take(top, value, highest, weight)
        return value

    def enter(self, position: Any, via: Any, weight: Fraction | int) -> tuple[Score | None, int]:
        """Opens a position on the stack, or answers at once for one that is over, finished or repeated."""
        self.steps += 1
        if self.steps % 1024 == 0 and (self.limits.expired() or self.over_memory()):
            raise TimeoutError
        known = self.met.get(position)
        if known is _OPEN:
            if self.endless_is_enough and not self.saw_chance:
                self.saw_cycle = True
                self.note_total(self.endless)
                return None, -1
            self.fault("the line comes back to an earlier position: nothing is proved by going round in circles", via)
        if known is not None:
            self.reject_low(known[0], via)
            return known
        result = self.game.result(position)
        if result is not None:
            share = self.share(result)
            self.note_total(result)
            self.met[position] = (share, -1)
            self.reject_low(share, via)
            return share, -1
        self.open_position(position, via, weight)
        return None, -1

    def open_position(self, position: Any, via: Any, weight: Fraction | int) -> None:
        turn = self.game.turn(position)
        if turn == CHANCE:
            self.stack.append(self.chance_frame(position, via, weight))
        elif isinstance(turn, tuple):
            self.fault("several roles move at once: a table of moves proves nothing here", via)
        elif turn == self.claim.role:
            self.stack.append(self.own_frame(position, via, weight))
        else:
            moves = tuple(self.game.moves(position))
            if not moves:
                self.fault("there is no legal move here, though the game is not over", via)
            self.stack.append(_Frame(position, "other", moves, None, None, via, weight))
        self.met[position] = _OPEN

    def own_frame(self, position: Any, via: Any, weight: Fraction | int) -> _Frame:
        try:
            move, rank = self.choose(position)
        except Fault as fault:
            self.fault(str(fault), via)
        except IllegalMoveError as error:
            self.fault(f"the strategy of {self.claim.role} fails here: {error}", via)
        if move not in self.game.moves(position):
            self.fault(f"the strategy of {self.claim.role} plays {self.game.move_text(move)}, which is not legal", via)
        return _Frame(position, "own", (move,), None, rank, via, weight)

    def chance_frame(self, position: Any, via: Any, weight: Fraction | int) -> _Frame:
        outcomes = list(self.game.chances(position))
        weights = [chance for _, chance in outcomes]
        # An expectation over inexact or negative "probabilities" would prove anything.
        if not all(isinstance(chance, int | Fraction) and chance >= 0 for chance in weights) or sum(weights) != 1:
            self.fault("the probabilities here are not exact numbers from 0 to 1 that add up to 1", via)
        if self.saw_cycle:
            self.fault("positions repeat in a game of chance: no expectation is proved", via)
        self.chance_above += 1
        self.saw_chance = True
        return _Frame(position, "chance", [outcome for outcome, _ in outcomes], weights, None, via, weight)

    def take(self, frame: _Frame, value: Score | None, highest: int, weight: Fraction | int) -> None:
        """Hands the value of a child to its parent. ``None``: play that repeats and is good enough."""
        frame.highest = max(frame.highest, highest)
        if value is None:
            return
        if frame.kind == "chance":
            frame.value = (frame.value or 0) + weight * value
        elif frame.value is None or value < frame.value:
            frame.value = value

    def leave(self) -> tuple[Score | None, int]:
        frame = self.stack[-1]
        if frame.kind == "own":
            if self.needs_ranks and (frame.rank is None or frame.highest >= frame.rank):
                found = "no rank" if frame.rank is None else f"rank {frame.rank}"
                raise Fault(f"{found} here, but the role moves again at rank {frame.highest}: ranks must fall")
            frame.highest = -1 if frame.rank is None else frame.rank
        self.stack.pop()
        if frame.kind == "chance":
            self.chance_above -= 1
        self.met[frame.position] = (frame.value, frame.highest)
        return frame.value, frame.highest

    def reject_low(self, value: Score | None, via: Any) -> None:
        if value is not None and value < self.claim.at_least and not self.chance_above:
            self.fault(f"{self.claim.role} gets {score_text(value)}, the claim is {self.goal()}", via)

    def fault(self, reason: str, via: Any) -> NoReturn:
        self.last = via
        raise Fault(reason)

    def goal(self) -> str:
        return f"at least {score_text(self.claim.at_least)}"

    def line(self) -> tuple[Any, ...]:
        moves = [frame.via for frame in self.stack if frame.via is not None]
        return (*moves, self.last) if self.last is not None else tuple(moves)
