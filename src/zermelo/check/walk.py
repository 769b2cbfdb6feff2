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
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from zermelo.certificate import Claim, score_text
from zermelo.check.instance import own_game
from zermelo.check.verdict import Fault, Verdict
from zermelo.errors import IllegalMoveError, LimitReachedError
from zermelo.game import CHANCE, NOBODY, Game, Score
from zermelo.limits import Limits, step_watch
from zermelo.watchdog import watchdog

Choice = Callable[[Any], tuple[Any, int | None]]
"""What a strategy plays in a position, with the rank of the position, if it has one."""


def check_table(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks one claim that rests on a table."""
    own = own_game(game)

    def choose(position: Any) -> tuple[Any, int | None]:
        entry = claim.table.get(own.key(position))
        if entry is None:
            raise Fault(f"the table of {claim.role} has no move here")
        try:
            return own.parse_move(position, entry[0]), entry[1]
        except ValueError as error:
            raise Fault(f"the table of {claim.role} says {entry[0]!r}: {error}") from None

    return check_choice(own, claim, choose, limits)


def check_choice(game: Game, claim: Claim, choose: Choice, limits: Limits, *, ranked: bool = True) -> Verdict:
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
    moves: Sequence[Any]
    weights: Sequence[Fraction | int] | None = None  # the probabilities of the moves, where chance makes them
    own: bool = False  # whether the claiming role moves, and the rank that its strategy gives the position
    rank: int | None = None
    value: Score | None = None
    highest: int = -1  # the highest rank among the next positions of the role
    tried: int = 0


_OPEN: tuple[Score | None, int] = (None, -2)
"""What is noted of a position on the stack; told from a finished one by identity."""


class _Walk:
    """A depth-first walk over all lines of play that agree with the strategy, with an explicit stack.

    What is found of a position is its value, ``None`` where play repeats and that is good enough, and the highest rank
    among the positions of the claiming role that come next, itself included.
    """

    def __init__(self, game: Game, claim: Claim, choose: Choice, limits: Limits, ranked: bool) -> None:
        self.game, self.claim, self.choose, self.limits = game, claim, choose, limits
        self.goal = f"the claim is at least {score_text(claim.at_least)}"
        self.endless = game.endless or (0,) * len(game.roles)
        self.endless_is_enough = self.share(self.endless) >= claim.at_least
        self.needs_ranks = ranked and not self.endless_is_enough
        self.met: dict[Any, tuple[Score | None, int]] = {}  # what is found of finished positions, or _OPEN
        self.stack: list[_Frame] = []
        self.found: Score | None = None  # of the start
        self.look = step_watch(replace(limits, nodes=None), often=1024)
        self.chance_above = 0
        self.saw_chance = self.saw_cycle = False
        self.most: Score | None = None

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
            with watchdog(self.limits, lambda: len(self.met)):
                self.walk()
        except Fault as fault:
            line = tuple(frame.moves[frame.tried - 1] for frame in self.stack)
            return Verdict("refuted", str(fault), line, len(self.met))
        except LimitReachedError:
            return Verdict("limit", "the limit was reached before every reply was tried", (), len(self.met))
        if self.found is not None and self.found < self.claim.at_least:
            reason = f"{self.claim.role} can expect only {score_text(self.found)}, {self.goal}"
            return Verdict("refuted", reason, (), len(self.met))
        return Verdict("accepted", positions=len(self.met), most=self.most)

    def walk(self) -> None:
        self.enter(self.game.start())
        while self.stack:
            top = self.stack[-1]
            if top.tried < len(top.moves):
                top.tried += 1
                self.enter(self.game.play(top.position, top.moves[top.tried - 1]))
            else:
                self.leave(self.stack.pop())

    def enter(self, position: Any) -> None:
        """Opens a position on the stack, or answers at once for one that is over, finished or repeated."""
        self.look()
        known = self.met.get(position)
        if known is _OPEN:
            if not self.endless_is_enough or self.saw_chance:
                raise Fault("the line comes back to an earlier position: nothing is proved by going round in circles")
            self.saw_cycle = True  # good enough: there is nothing that the position before must know
            self.note_total(self.endless)
        elif known is not None:
            self.reject_low(known[0])
            self.take(*known)
        elif (result := self.game.result(position)) is not None:
            share = self.share(result)
            self.note_total(result)
            self.met[position] = (share, -1)
            self.reject_low(share)
            self.take(share, -1)
        else:
            self.stack.append(self.frame(position))
            self.met[position] = _OPEN

    def frame(self, position: Any) -> _Frame:
        """A position with the moves that are to be tried there."""
        turn = self.game.turn(position)
        if isinstance(turn, tuple):
            raise Fault("several roles move at once: a table of moves proves nothing here")
        if turn == CHANCE:
            return self.chance_frame(position)
        moves = tuple(self.game.moves(position))
        if turn == self.claim.role:
            return self.own_frame(position, moves)
        if not moves:
            raise Fault("there is no legal move here, though the game is not over")
        return _Frame(position, moves)

    def own_frame(self, position: Any, legal: Sequence[Any]) -> _Frame:
        try:
            move, rank = self.choose(position)
        except IllegalMoveError as error:
            raise Fault(f"the strategy of {self.claim.role} fails here: {error}") from None
        if move not in legal:
            raise Fault(f"the strategy of {self.claim.role} plays {self.game.move_text(move)}, which is not legal")
        return _Frame(position, (move,), own=True, rank=rank)

    def chance_frame(self, position: Any) -> _Frame:
        outcomes = list(self.game.chances(position))
        weights = [chance for _, chance in outcomes]
        # An expectation over inexact or negative "probabilities" would prove anything.
        if not all(isinstance(chance, int | Fraction) and chance >= 0 for chance in weights) or sum(weights) != 1:
            raise Fault("the probabilities here are not exact numbers from 0 to 1 that add up to 1")
        if self.saw_cycle:
            raise Fault("positions repeat in a game of chance: no expectation is proved")
        self.chance_above += 1
        self.saw_chance = True
        return _Frame(position, [outcome for outcome, _ in outcomes], weights)

    def leave(self, frame: _Frame) -> None:
        """Notes what is found of a position once all its moves have been tried."""
        if frame.own:
            if self.needs_ranks and (frame.rank is None or frame.highest >= frame.rank):
                found = "no rank" if frame.rank is None else f"rank {frame.rank}"
                raise Fault(f"{found} here, but the role moves again at rank {frame.highest}: ranks must fall")
            frame.highest = -1 if frame.rank is None else frame.rank
        self.chance_above -= frame.weights is not None
        self.met[frame.position] = (frame.value, frame.highest)
        self.take(frame.value, frame.highest)

    def take(self, value: Score | None, highest: int) -> None:
        """Hands what was found of a position to the one that the walk came from."""
        if not self.stack:
            self.found = value
            return
        frame = self.stack[-1]
        frame.highest = max(frame.highest, highest)
        if value is None:
            return
        if frame.weights is not None:
            frame.value = (frame.value or 0) + frame.weights[frame.tried - 1] * value
        elif frame.value is None or value < frame.value:
            frame.value = value

    def reject_low(self, value: Score | None) -> None:
        if value is not None and value < self.claim.at_least and not self.chance_above:
            raise Fault(f"{self.claim.role} gets {score_text(value)}, {self.goal}")
