"""Zermelo: state a game once; know who wins, how, and be able to check it.

The nouns, used everywhere with one meaning:

game
    Roles, a start position, legal moves, successor, end, score (:class:`Game`). May have chance and any number
    of roles.
position, move, role, score
    A position is any hashable value; a score is an exact number (``int`` or ``Fraction``).
strategy
    What one role plays in every position it can meet: ``strategy(position) -> move``.
certificate
    A strategy written down, with what else the checker needs (:class:`Certificate`).
solution
    Status, value or bounds, winner, best move, line, strategy, certificate, statistics (:class:`Solution`).
engine
    Turns a game into a solution under :class:`Limits`, any time and interruptibly.

>>> import zermelo
>>> solution = zermelo.solve("wythoff:3,5")
>>> print(solution.winner, solution.value, solution.verified)
second -1 True
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from zermelo.draw.shape import Board
from zermelo.errors import ZermeloError
from zermelo.game import CHANCE, DRAW, Game, Move, Position, Role, Score, win_for
from zermelo.limits import Limits

if TYPE_CHECKING:
    from zermelo.certificate import Certificate, Claim, read_certificate
    from zermelo.check import check_certificate
    from zermelo.options import Options
    from zermelo.solution import Solution
    from zermelo.solving import solve
    from zermelo.solving.targets import game_of
    from zermelo.strategy import Strategy

# The one place where the version stands: pyproject.toml reads it here when the package is built.
__version__ = "0.2.0"

# Imported on first use, so that `import zermelo` and `zermelo --help` answer at once.
_LAZY = {
    "Certificate": "zermelo.certificate",
    "Claim": "zermelo.certificate",
    "Options": "zermelo.options",
    "Solution": "zermelo.solution",
    "Strategy": "zermelo.strategy",
    "check_certificate": "zermelo.check",
    "game_of": "zermelo.solving.targets",
    "read_certificate": "zermelo.certificate",
    "solve": "zermelo.solving",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'zermelo' has no attribute {name!r}")


__all__ = [
    "CHANCE",
    "DRAW",
    "Board",
    "Certificate",
    "Claim",
    "Game",
    "Limits",
    "Move",
    "Options",
    "Position",
    "Role",
    "Score",
    "Solution",
    "Strategy",
    "ZermeloError",
    "check_certificate",
    "game_of",
    "read_certificate",
    "solve",
    "win_for",
]
