"""What a claim promises, in the words in which people speak of its game."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol, runtime_checkable

from zermelo.certificate import Claim
from zermelo.check.instance import instance_of
from zermelo.game import Game


@runtime_checkable
class WithObjective(Protocol):
    """A reading whose scores stand for an objective, or for a row that is broken."""

    maximise: bool
    goal: tuple[tuple[int, Fraction], ...]

    def score(self, value: Fraction | None) -> Fraction:
        """What ``exists`` gets for the objective; ``None``: for a broken row."""


def promise_of(game: Game, claim: Claim) -> str:
    """What a claim promises; of a program, what its objective will be.

    >>> from zermelo.games import make_game
    >>> promise_of(make_game("nim:1"), Claim("first", 1))
    'first gets at least 1'
    """
    stated = instance_of(game)
    if not isinstance(stated, WithObjective) or claim.role not in game.roles:
        return claim.promise
    own = claim.role == game.roles[0]
    score = Fraction(claim.at_least if own else -claim.at_least)
    if score == stated.score(None):
        return "exists forces nothing" if own else "forall forces a row to be broken"
    if own and not stated.goal:
        return "exists satisfies all rows"
    side = "at least" if stated.maximise == own else "at most"
    keeps = "satisfies all rows, with" if own else "forces"
    return f"{claim.role} {keeps} an objective of {side} {score if stated.maximise else -score}"
