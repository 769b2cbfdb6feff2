"""k in a row and connect k, by pairs of cells: neither side need lose."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any, Final

from zermelo.check.named import Data, RuleChecker, is_index, no_data
from zermelo.games.connect import Connect
from zermelo.games.mnk import MNK
from zermelo.limits import Limits


def _pairs_shape(game: MNK, data: Data) -> str | None:
    cells = game.rows * game.columns
    pairs = data.get("pairs")
    if set(data) != {"pairs"} or type(pairs) is not list or len(pairs) > cells // 2:
        return f'expected {{"pairs": a list of at most {cells // 2}}}'
    if not all(type(pair) is list and len(pair) == 2 and all(is_index(cell, cells) for cell in pair) for pair in pairs):
        return f"a pair is not two cells from 0 to {cells - 1}"
    named = {cell for pair in pairs for cell in pair}
    return None if len(named) == 2 * len(pairs) else "the pairs have a cell in common"


def pairing_lemma(game: MNK, role: int, data: Data, limits: Limits) -> str | None:
    """If disjoint pairs of cells are such that each line of k holds both cells of a pair, neither side need
    lose.

    Whoever follows the rule sees to it that after each of their moves no pair has a cell of the other side
    and a free one. This holds at the start; a move of the other side breaks it for one pair at most, since
    pairs are disjoint, and the rule then takes the free cell of that pair; a move elsewhere, when nothing is
    broken (as at the first player's first turn), breaks nothing, for a mark of one's own only fills pairs. So
    the other side never has both cells of a pair and never a whole line: the follower gets a draw at least.
    (Hales and Jewett, Regularity and positional games, 1963.)
    """
    del role
    partner: dict[int, int] = {}
    for one, two in data["pairs"]:
        partner[one], partner[two] = two, one
    for number, line in enumerate(_lines(game)):
        if number % 1024 == 0 and limits.expired():
            raise TimeoutError
        if not any(partner.get(cell) in line for cell in line):
            ends = f"{game.move_text(line[0])} to {game.move_text(line[-1])}"
            return f"the line from {ends} holds no pair"
    return None


def _lines(game: MNK) -> Iterator[range]:
    """Every line of k cells, across, down and along both diagonals."""
    rows, columns, k = game.rows, game.columns, game.k
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(rows - down * (k - 1)):
            for column in range(columns):
                if 0 <= column + right * (k - 1) < columns:
                    first, step = row * columns + column, down * columns + right
                    # A line of one cell has no direction; 1 stands in for a step of 0.
                    yield range(first, first + step * (k - 1) + 1, step or 1)


def answer_on_top_lemma(game: Connect, role: int, data: Data, limits: Limits) -> str | None:
    """On a board of connect k with fewer than k columns, neither side need lose.

    There is a column, so k is 2 or more, and only upright lines of k fit. Whoever follows the rule sees to it
    that after each of their moves no stone of the other side is on top of a column with room above it: each
    move of the other side makes one such column at most, and the rule covers it. So two stones of the other
    side never lie one upon the other, and it never has a line.
    """
    del role, data, limits
    return f"lines of {game.k} fit across {game.columns} columns" if game.k <= game.columns else None


def _board_effort(game: MNK | Connect) -> int:
    cells = game.rows * game.columns
    return cells * prod([3] * min(cells, 64))


RULES: Final[dict[str, RuleChecker[Any]]] = {
    "pairing": RuleChecker(MNK, 0, _pairs_shape, _board_effort, pairing_lemma),
    "answer-on-top": RuleChecker(Connect, 0, no_data, _board_effort, answer_on_top_lemma),
}
