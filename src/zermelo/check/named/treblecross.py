"""Treblecross by symmetry: take the centre and mirror."""

from __future__ import annotations

from typing import Any, Final

from zermelo.check.named import Data, RuleChecker, is_index
from zermelo.games.treblecross import Treblecross
from zermelo.limits import Limits


def _centre_shape(game: Treblecross, data: Data) -> str | None:
    if set(data) != {"centre"} or not is_index(data["centre"], game.size + 1) or data["centre"] == 0:
        return f'expected {{"centre": a cell from 1 to {game.size}}}'
    return None


def mirror_row_lemma(game: Treblecross, role: int, data: Data, limits: Limits) -> str | None:
    """In a row of odd length the first player wins by taking the centre and mirroring.

    Call a cell a *threat* if filling it makes three in a row. We show: after each move of the first player
    that does not win, the row is symmetric about its filled centre and has no threat. So it is after the
    first move, when one cell is filled. Then the second player, having no threat to use, fills some cell c.
    If there is a threat now, the first player wins by it. Otherwise the mirror image c' is empty, for the row
    was symmetric, and the first player fills it: the row is symmetric again. Suppose it had a threat, in a
    window of three cells, two of them filled. Without c' in it, it was a threat before the move: there was
    none. Without c in it, its mirror image is a window without c' and a threat as well: again none. With both
    c and c' in it, which are an even distance apart, they are the neighbours of the filled centre, and three
    were in a row at once.

    So the second player never makes three in a row. The row is finite, and if it fills up the last cell is
    the first player's, its length being odd: the first player wins.
    """
    del limits
    if game.size % 2 == 0:
        return f"a row of {game.size} cells has no centre"
    if role != 0:
        return f"{game.roles[0]} takes the centre and wins"
    return None if 2 * data["centre"] == game.size + 1 else f"cell {data['centre']} is not the centre"


def _row_effort(game: Treblecross) -> int:
    return game.size << min(game.size, 64)


RULES: Final[dict[str, RuleChecker[Any]]] = {
    "mirror-row": RuleChecker(Treblecross, 1, _centre_shape, _row_effort, mirror_row_lemma),
}
