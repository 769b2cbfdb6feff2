"""One game of a match, written down: who sat where, what it came to, and what it took.

>>> record = GameRecord("gdl:tictactoe", ("uct", "random"), 3, 17, "100sims", "", ("1", "0"), 7, (900, 0), (310, 0),
...     (0.1, 0.0))
>>> record.points
(Fraction(1, 1), Fraction(0, 1))
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class GameRecord:
    """A finished game. All tuples have one entry for each seat, in the order of the roles.

    ``players`` are the names as :func:`~zermelo.play.player.make_player` takes them; ``number`` is the place of the
    game in its pairing: games of one pair (all rotations of the same players) share ``seed`` and so their dice.
    ``scores`` are exact, from 0 to 1, as text. ``cut`` says that the game was stopped at a number of steps without an
    end: every score is then that of a draw, or 0 where a player is alone. ``cpu_seconds`` is the processor time of
    ``seconds``, of all threads; empty in games of earlier versions.
    """

    game: str
    players: tuple[str, ...]
    number: int
    seed: int
    clock: str
    commit: str
    scores: tuple[str, ...]
    steps: int
    simulations: tuple[int, ...]
    nodes: tuple[int, ...]
    seconds: tuple[float, ...]
    cut: bool = False
    cpu_seconds: tuple[float, ...] = ()

    @property
    def points(self) -> tuple[Fraction, ...]:
        """Each seat's share of the first place: 1 for a win alone, 1/2 each for two that share it."""
        values = [Fraction(score) for score in self.scores]
        best = max(values)
        first = sum(value == best for value in values)
        return tuple(Fraction(int(value == best), first) for value in values)
