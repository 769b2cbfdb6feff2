"""Symmetry: whoever can keep the position symmetric always has an answer.

Proofs are with the lemmas of :mod:`zermelo.check.named`. Reference: Oltean, Games and strategies, 2015;
Berlekamp, Conway and Guy, Winning Ways ("Tweedledum and Tweedledee"). Time is linear in the size of the
board.
"""

from __future__ import annotations

from zermelo.game import Game
from zermelo.games.nim import Nim
from zermelo.games.treblecross import Treblecross
from zermelo.games.wythoff import Wythoff
from zermelo.search.form import ClosedForm, win_by_rule


def symmetry(game: Game) -> ClosedForm | None:
    """Odd treblecross, Nim with heaps equal in pairs (after at most one move), Wythoff's game with equal
    heaps.

    >>> form = symmetry(Treblecross(7))
    >>> form.claims[0].role, form.claims[0].data
    ('first', {'centre': 4})
    """
    if type(game) is Treblecross and game.size % 2:
        return _odd_row(game)
    if type(game) is Nim:
        return _paired_heaps(game)
    if type(game) is Wythoff and game.heaps[0] == game.heaps[1] > 0:
        reason = "both heaps are equal: first takes everything"
        return win_by_rule(game, "symmetry", 0, reason, rule="equal-heaps", data={})
    return None


def _odd_row(game: Treblecross) -> ClosedForm:
    centre = (game.size + 1) // 2
    reason = "first takes the centre, then completes three in a row if possible and mirrors the last move if not"
    return win_by_rule(game, "symmetry", 0, reason, rule="mirror-row", data={"centre": centre})


def _paired_heaps(game: Nim) -> ClosedForm | None:
    groups: list[list[int]] = []
    waiting: dict[int, int] = {}  # size of a heap without a twin so far -> the heap
    for heap, size in enumerate(game.heaps):
        if size == 0:
            groups.append([heap])
        elif size in waiting:
            groups.append([waiting.pop(size), heap])
        else:
            waiting[size] = heap
    if len(waiting) > 2:
        return None
    if waiting:
        groups.append(list(waiting.values()))
    answers = "answers each move by the same move in the twin heap"
    if not waiting:
        reason = f"every heap has a twin: second {answers}"
    elif len(waiting) == 2:
        reason = f"first makes the two unequal heaps equal; from then on first {answers}"
    elif any(len(group) == 2 for group in groups):
        reason = f"first takes the heap without a twin; from then on first {answers}"
    else:
        reason = "there is one heap only: first takes it whole"
    return win_by_rule(game, "symmetry", 0 if waiting else 1, reason, rule="mirror-heaps", data={"groups": groups})
