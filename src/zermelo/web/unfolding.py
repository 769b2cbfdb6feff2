"""A strategy unfolded move by move, however many positions it meets.

A table of some thousand moves is written out at once. Of a longer proof in layers, and of one that leaves out images or
closed positions, only the layers down to the one that somebody looks at are walked. Below some depth these are too
many. There the position gets a proof of its own, by the same engines and the same checker, which promises the same and
is smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from zermelo.certificate import Claim
from zermelo.errors import IllegalMoveError, LimitReachedError
from zermelo.game import Game
from zermelo.layers_walked import Walk
from zermelo.limits import Limits
from zermelo.solution import Solution
from zermelo.solving import solve_game
from zermelo.strategy import Strategy, strategy_of

MOST_WRITTEN_OUT: Final = 50_000
"""Moves of a table that is made at once; a longer one in layers is walked as deep as somebody looks."""
MOST_WALKED: Final = 200_000
"""Positions that are walked: some seconds in Python."""

Prove = Callable[[Game, Limits], Solution]


@dataclass
class Unfolding:
    """The strategy of a claim, with the proofs of later positions that were asked for where it is too deep to walk."""

    game: Game
    claim: Claim
    words: str = ""
    """What the moves rest on where it is not the claim itself."""
    prove: Prove = lambda game, limits: solve_game(game, "auto", limits)
    _later: dict[tuple[Any, ...], Unfolding] = field(default_factory=dict)
    _known: Strategy | Walk | None = None

    @property
    def unfolds(self) -> bool:
        """Whether there are moves to be shown."""
        if self.claim.rule is None:
            return self.claim.move_count > 0 or (self.claim.layers is not None and bool(self.claim.layers.closed))
        self._known = self._known or strategy_of(self.game, self.claim)
        return self._known is not None

    def move(self, line: Sequence[Any], position: Any, limits: Limits) -> tuple[Any, str]:
        """The move after a line of play, and what it rests on; ``IllegalMoveError`` where the strategy never comes."""
        nearest = max((prefix for prefix in self._later if tuple(line[: len(prefix)]) == prefix), key=len, default=None)
        if nearest is not None:
            return self._later[nearest].move(line[len(nearest) :], position, limits)
        known = self._found()
        if isinstance(known, Walk):
            try:
                move = known.move(line, MOST_WALKED)
            except LimitReachedError:
                self._later[tuple(line)] = self._proved(line, limits)
                return self.move(line, position, limits)
            if move is None:
                raise IllegalMoveError(f"the strategy of {self.claim.role} does not meet this position")
            return move, self.words
        return known(position), self.words

    def _found(self) -> Strategy | Walk:
        if self._known is None:
            layers = self.claim.layers
            if layers is not None and (layers.brief or layers.parts or layers.move_count > MOST_WRITTEN_OUT):
                self._known = Walk(self.game, self.claim.role, layers, self.claim.at_least)
            else:
                self._known = strategy_of(self.game, self.claim)
        assert self._known is not None  # whoever asks has seen that it unfolds
        return self._known

    def _proved(self, line: Sequence[Any], limits: Limits) -> Unfolding:
        """The same promise from a later position on, by a proof of that position."""
        later = self.game.at(tuple(line))
        solution = self.prove(later, limits)
        for claim in solution.certificate.claims if solution.certificate else ():
            if claim.role == self.claim.role and claim.at_least >= self.claim.at_least:
                found = Unfolding(solution.game, claim, self._told(claim, solution), self.prove)
                if found.unfolds:
                    return found
        raise LimitReachedError(
            "the tree is too deep to be walked here, and no proof of this position was found in time"
        )

    @staticmethod
    def _told(claim: Claim, solution: Solution) -> str:
        how = f"the rule {claim.rule}" if claim.rule else f"a proof of its own with {claim.move_count:,} moves"
        return f"from here on by {how}{', checked' if solution.verified else ''}"
