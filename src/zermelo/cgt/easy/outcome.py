"""What a polynomial algorithm says of a sum: where play stops, and a first move that gets there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from zermelo.cgt.scores.scored import LEFT_TO_MOVE, RIGHT_TO_MOVE, Stop, Tree


@dataclass(frozen=True)
class Move:
    """The component to play in, by its place in the sum, and the option to go to there.

    >>> from zermelo.cgt.scores.scored import leaf
    >>> str(Move(0, leaf(5)).option)
    '5'
    """

    component: int
    option: Tree


@dataclass(frozen=True)
class Outcome:
    """The score at which best play stops, who is to move then, and a best first move (none where play is over).

    >>> Outcome((Fraction(3), RIGHT_TO_MOVE), None).score
    Fraction(3, 1)
    """

    stop: Stop
    move: Move | None

    @property
    def score(self) -> Fraction:
        """The score alone: V_L where Left starts, V_R where Right does.

        >>> Outcome((Fraction(-1), LEFT_TO_MOVE), None).score
        Fraction(-1, 1)
        """
        return self.stop[0]


Method = Callable[[Sequence[Tree], bool], Outcome]
"""Works out a sum when Left (True) or Right (False) starts."""


def to_move_after(moves: int, left_starts: bool) -> int:
    """Who is to move after that many moves.

    >>> to_move_after(3, True) == RIGHT_TO_MOVE
    True
    """
    return LEFT_TO_MOVE if (moves % 2 == 0) == left_starts else RIGHT_TO_MOVE


def total_of(components: Iterable[Tree]) -> Fraction:
    """What the components that are numbers already add up to.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> total_of(trees_of("3 + {5|-5} - 1/2"))
    Fraction(5, 2)
    """
    copies = Counter(components)
    return sum((game.number * copies[game] for game in copies if game.number is not None), Fraction(0))
