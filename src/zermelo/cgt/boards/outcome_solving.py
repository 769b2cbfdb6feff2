"""Who wins a game of boards: the search, a winning move, and the claims that prove it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from zermelo.certificate import Claim
from zermelo.cgt.boards.board_value import value_of_board
from zermelo.cgt.boards.outcome import Outcome, OutcomeSearch, ShortValued, Summand
from zermelo.cgt.boards.outcome_proof import OTHER, OutcomeProof
from zermelo.cgt.boards.ruleset import SIDES, Position, Ruleset
from zermelo.cgt.values.arena import current_control
from zermelo.cgt.values.value import Value
from zermelo.errors import LimitReachedError
from zermelo.limits import Limits
from zermelo.options import Options


class OnBoards(Protocol):
    """A game of boards side by side."""

    def start(self) -> Any: ...
    def moves(self, position: Any) -> Sequence[Any]: ...
    def play(self, position: Any, move: Any) -> Any: ...
    def summands(self, position: Any) -> list[Summand]: ...


class OutcomeSolving:
    """One game that is asked who wins it; to be used under the control of a run.

    >>> from zermelo.cgt.game import BoardSum
    >>> OutcomeSolving(BoardSum.named("clobber:xxo"), Limits(), Options()).found()
    (Outcome(left_first='left', right_first='left'), (0, 'b1c1'))
    """

    def __init__(self, game: OnBoards, limits: Limits, options: Options) -> None:
        self.game, self.limits, self.options = game, limits, options
        self.note = ""
        self.search: OutcomeSearch | None = None

    def found(self) -> tuple[Outcome, Any]:
        """Who wins, and Left's winning first move if he has one. A second answer that is too far is left out."""
        self.search = search = OutcomeSearch(current_control())
        start = self.game.start()
        if (lost := search.first_loses(self.game.summands(start))) is not None:
            return (Outcome("right", "left"), None) if lost else (Outcome("left", "right"), self.leaving_zero(start))
        total = search.total(self.game.summands(start))
        left = search.winner(total, "left")
        move = self.winning_move(start) if left == "left" else None
        right = None
        try:
            right = search.winner(total, "right")
        except LimitReachedError as error:
            self.note = f"who wins if right starts is not known: {error}"
        return Outcome(left, right), move

    def leaving_zero(self, start: Any) -> Any:
        """A winning move where both sides have the same ones: that which the search has found, else another."""
        assert self.search is not None
        moves = self.game.moves(start)
        for known in (True, False):
            for move in moves:
                if self.search.first_loses(self.game.summands(self.game.play(start, move)), known=known):
                    return move
        return self.winning_move(start)

    def winning_move(self, start: Any) -> Any:
        assert self.search is not None
        moves = self.game.moves(start)
        totals = [self.search.total(self.game.summands(self.game.play(start, move))) for move in moves]
        for move, total in zip(moves, totals, strict=True):
            if self.search.known(total, "right") is False:
                return move
        return next((move for move, total in zip(moves, totals, strict=True) if not self.search.wins(total, "right")))

    def claims(self, found: Outcome, limits: Limits) -> tuple[Claim, ...]:
        """Proofs of what was found, to be checked."""
        assert self.search is not None
        self.search.control = current_control() or self.search.control

        def value_of(ruleset: Ruleset, position: Position) -> Value:
            if isinstance(ruleset, ShortValued):
                return ruleset.short_value(position)
            return value_of_board(ruleset, [position], limits)

        proof = OutcomeProof(self.search, value_of, limits)
        start = proof.start(self.game.summands(self.game.start()))
        winners = {"left": found.left_first, "right": found.right_first}
        claims = []
        for starts in SIDES:
            winner = winners[starts]
            if winner is not None:
                side = starts if winner == starts else OTHER[starts]
                data = proof.data(start, starts, side)
                claims.append(Claim(side, 1, rule="outcome", data=data, starts=starts, play="normal"))
        return tuple(claims)
