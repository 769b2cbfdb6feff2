"""Copies that cancel: of a game and the same game with the sides exchanged, moved by a number.

Whatever else there is, two such components are worth that number to either starter, tempo and all. Whoever wants to
keep what the rest gives him plays on there, and answers every move in the pair by its mirror image. Where the rest is
over and he has to open the pair himself, his best move in one of the two loses nothing: by follow-the-leader (Milnor
1953) he then gets at least the stop of the one less the stop of the other, and these are the same.

So a million equal switches are as easy as two. Two copies of each component are kept: every move and every answer
elsewhere is still there, so that best moves and sente are those of the whole sum.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from zermelo.cgt.scores.scored import Tree, moved_by, negative
from zermelo.cgt.text.written_expression import no_look

KEPT = 2
"""So many copies of a component are never cancelled."""


@dataclass(frozen=True)
class Mirrored:
    """So many pairs of one component and its mirror image, which may be the same; each pair is worth the score.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> one, other = trees_of("{5||3|1} + {0|-2||-4}")
    >>> str(Mirrored(one, other, 10).score)
    '1'
    """

    one: Tree
    other: Tree
    pairs: int

    @property
    def score(self) -> Fraction:
        """What a pair is worth."""
        return self.other.left_stop + self.one.right_stop


def without_mirrors(
    copies: Mapping[Tree, int], look: Callable[[], None] = no_look
) -> tuple[dict[Tree, int], list[Mirrored]]:
    """What is left of a sum after its pairs have cancelled, but for two copies of each component; and the pairs.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> (switch,) = trees_of("{3|-1}")
    >>> left, pairs = without_mirrors({switch: 1_000_001})
    >>> left[switch], pairs[0].pairs, str(pairs[0].score)
    (3, 499999, '2')
    """
    left = dict(copies)
    found: list[Mirrored] = []
    level: dict[Tree, Tree] = {}  # components by what they are around 0
    for game, count in copies.items():
        if count <= KEPT or game.number is not None:
            continue
        centred = moved_by(game, -(game.left_stop + game.right_stop) / 2, look)
        level[centred] = game
        other = level.get(negative(centred, look))
        if other is not None:
            pairs = (count - KEPT) // 2 if other is game else min(count, left[other]) - KEPT
            if pairs > 0:
                found.append(Mirrored(game, other, pairs))
                left[game] -= pairs
                left[other] -= pairs
    return left, found
