"""Who wins, and why, without search: the closed-form strategies.

Each technique looks at a game and either says nothing or returns a :class:`ClosedForm`: the value, the reason
in words, and claims that rest on a rule (see :mod:`zermelo.games.strategy_rules`), which the checker verifies like any
other. Only library games are looked at, and only from their start position: a user's class may have any
rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zermelo.game import Game
from zermelo.search.form import ClosedForm
from zermelo.search.pairing import pairing
from zermelo.search.parity import parity
from zermelo.search.symmetry import symmetry

__all__ = ["CLOSED_NAMES", "ClosedForm", "closed_forms"]

# The most telling first: people see symmetry sooner than a sum in binary.
_TECHNIQUES: Mapping[str, Callable[[Game], ClosedForm | None]] = {
    "symmetry": symmetry,
    "pairing": pairing,
    "parity": parity,
}

CLOSED_NAMES = tuple(_TECHNIQUES)


def closed_forms(game: Game) -> list[ClosedForm]:
    """Every closed-form answer that is known for a game, the most telling first.

    >>> from zermelo.games import make_game
    >>> [form.engine for form in closed_forms(make_game("nim:7,7"))]
    ['symmetry', 'parity']
    """
    forms = (technique(game) for technique in _TECHNIQUES.values())
    return [form for form in forms if form is not None]
