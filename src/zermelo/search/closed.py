"""Who wins, and why, without search: the closed-form strategies.

Each technique looks at a game and either says nothing or returns a :class:`ClosedForm`: the value, the reason in
words, and claims that rest on a rule (see :mod:`zermelo.rules`), which the checker verifies like any other.
"""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.certificate import Claim
from zermelo.game import Game, Score

CLOSED_NAMES = ("symmetry", "pairing", "parity")


@dataclass(frozen=True)
class ClosedForm:
    """An answer by argument: ``value`` is the first role's score, ``reason`` says why in a sentence."""

    engine: str
    value: Score
    reason: str
    claims: tuple[Claim, ...]


def closed_forms(game: Game) -> list[ClosedForm]:
    """Every closed-form answer that is known for a game, the most telling first."""
    del game
    return []
