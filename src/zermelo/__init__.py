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
analysis
    A position with the value, bounds or estimate of every legal move, best first (:class:`PositionAnalysis`).

>>> import zermelo
>>> solution = zermelo.solve("wythoff:3,5")
>>> print(solution.winner, solution.value, solution.verified)
second -1 True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.draw.shape import Board
from zermelo.errors import ZermeloError
from zermelo.game import CHANCE, DRAW, Game, Move, Position, Role, Score, win_for
from zermelo.lazy import lazy
from zermelo.limits import Limits

if TYPE_CHECKING:
    from zermelo.certificate import Certificate, Claim, read_certificate
    from zermelo.check import check_certificate
    from zermelo.games import make_game
    from zermelo.options import Options
    from zermelo.picturing import MoveValue, PictureOptions, picture
    from zermelo.positions import position_from_json, position_json
    from zermelo.solution import Solution
    from zermelo.solving import analyse, solve
    from zermelo.solving.analysing import MoveAnalysis, PositionAnalysis
    from zermelo.solving.targets import game_of
    from zermelo.solving.writing import encoded
    from zermelo.strategy import Strategy

# The one place where the version stands: pyproject.toml reads it here when the package is built.
__version__ = "0.8.0"

# Imported on first use, so that `import zermelo` and `zermelo --help` answer at once.
__getattr__, __dir__ = lazy(
    __name__,
    {
        "Certificate": "certificate",
        "Claim": "certificate",
        "MoveAnalysis": "solving.analysing",
        "MoveValue": "picturing",
        "Options": "options",
        "PictureOptions": "picturing",
        "PositionAnalysis": "solving.analysing",
        "Solution": "solution",
        "Strategy": "strategy",
        "analyse": "solving",
        "check_certificate": "check",
        "encoded": "solving.writing",
        "game_of": "solving.targets",
        "make_game": "games",
        "picture": "picturing",
        "position_from_json": "positions",
        "position_json": "positions",
        "read_certificate": "certificate",
        "solve": "solving",
    },
)

__all__ = [
    "CHANCE",
    "DRAW",
    "Board",
    "Certificate",
    "Claim",
    "Game",
    "Limits",
    "Move",
    "MoveAnalysis",
    "MoveValue",
    "Options",
    "PictureOptions",
    "Position",
    "PositionAnalysis",
    "Role",
    "Score",
    "Solution",
    "Strategy",
    "ZermeloError",
    "analyse",
    "check_certificate",
    "encoded",
    "game_of",
    "make_game",
    "picture",
    "position_from_json",
    "position_json",
    "read_certificate",
    "solve",
    "win_for",
]
