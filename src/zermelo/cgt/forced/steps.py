"""Which components of a sum a best move is in: what temperature alone says (docs/cgt-forced.md has the proofs).

Three theorems, each tested on the leaves of the trees. Let *Q* be the other components, its spread the sum of theirs.

* *A threat larger than all else.* If the swing of X, what the mover is sure of there less what the other side would be
  sure of, is at least the spread of Q, then some move in X is best, whoever moves.
* *The widest switch.* If X is a switch between two numbers and no other component has a greater spread, moving in X is
  best.
* *Two of a kind.* If X is such a threat once Y has been moved in, whatever the move, and Y once X has, and some side
  has just one option in X or in Y, then some move in X or in Y is best.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.cgt.forced.counted import Counted


def forced_among(games: Sequence[Counted]) -> tuple[int, ...]:
    """The places of the one or two components that a best move is in; none where temperature does not tell.

    >>> from zermelo.cgt.forced.counted import Counted
    >>> forced_among([Counted.switch(3), Counted.switch(50)])
    (1,)
    """
    total = sum(game.spread for game in games)
    by_swing = sorted(range(len(games)), key=lambda at: (-games[at].swing, games[at].key))
    first = by_swing[0]
    if len(games) == 1 or games[first].swing >= total - games[first].spread:
        return (first,)
    plain = [at for at in by_swing if games[at].is_plain]
    if plain and games[plain[0]].spread >= max(game.spread for game in games):
        return (plain[0],)
    second = by_swing[1]
    rest = total - games[first].spread - games[second].spread
    return (first, second) if _two_of_a_kind(games[first], games[second], rest) else ()


def _two_of_a_kind(one: Counted, other: Counted, rest: int) -> bool:
    if min(len(side) for game in (one, other) for side in (game.left, game.right)) > 1:
        return False
    return all(
        game.swing >= option.spread + rest
        for game, moved in ((one, other), (other, one))
        for option in moved.left + moved.right
    )
