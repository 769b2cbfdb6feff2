"""Pairing: disjoint pairs of cells, a whole pair in each line; who answers in the pair never loses.

If such pairs exist k in a row is drawn, for either side can follow them (the proof is with the lemma of
:mod:`zermelo.check.named`). They are sought in two ways. For k of 9 or more one pattern of side 8 pairs the
whole plane, so any board (Hales and Jewett, Regularity and positional games, 1963). For smaller k,
overlapping lines are put into groups with cells in common, and a bipartite matching gives each group two
cells of its own; it is found by augmenting paths, in time O(cells * edges) at worst. No pairing found says
nothing about the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from zermelo.certificate import Claim
from zermelo.game import Game
from zermelo.games.connect import Connect
from zermelo.games.mnk import MNK
from zermelo.search.form import ClosedForm

Pair = tuple[int, int]
_Covers = frozenset[int]

PERIOD = 8
"""The side of the pattern: with 4 * side lines and a pair for each, 8 is the least that has enough cells."""

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def pairing(game: Game) -> ClosedForm | None:
    """A draw in k in a row by pairs of cells; in connect k with fewer than k columns by answering on top.

    >>> form = pairing(MNK(5, 5, 5))
    >>> form.value, len(form.claims[0].data["pairs"])
    (0, 12)
    >>> pairing(MNK(3, 3, 3)) is None
    True
    """
    if type(game) is Connect and game.k > max(game.columns, 1):
        reason = f"no line of {game.k} fits across: who answers on top of each stone never loses"
        return ClosedForm("pairing", 0, reason, tuple(Claim(role, 0, rule="answer-on-top") for role in game.roles))
    if type(game) is not MNK:
        return None
    pairs = pairs_for(game.rows, game.columns, game.k)
    if pairs is None:
        return None
    if pairs:
        reason = f"each line holds one of {len(pairs)} pairs of cells whole: who answers in the pair never loses"
    else:
        reason = f"no line of {game.k} fits on the board"
    claims = tuple(
        Claim(role, 0, rule="pairing", data={"pairs": [list(pair) for pair in pairs]}) for role in game.roles
    )
    return ClosedForm("pairing", 0, reason, claims)


def pairs_for(rows: int, columns: int, k: int) -> list[Pair] | None:
    """Disjoint pairs of cells such that each line of k on the board holds a whole pair; ``None`` if none was
    found.

    >>> pairs_for(1, 3, 2) is None, pairs_for(1, 3, 3), pairs_for(2, 2, 3)
    (True, [(0, 1)], [])
    """
    if k > max(rows, columns):
        return []
    if k > PERIOD:
        return _pairs_by_pattern(rows, columns)
    segments = list(_segments(rows, columns, k))
    for size in range(1, k):
        groups = [group for segment in segments for group in _groups(segment, k, size)]
        if 2 * len(groups) <= rows * columns and (pairs := matched_pairs(groups)) is not None:
            return pairs
    return None


def _segments(rows: int, columns: int, k: int) -> Iterator[list[int]]:
    """Every row, column and diagonal of at least k cells."""
    for down, right in _DIRECTIONS:
        for row in range(rows):
            for column in range(columns):
                if row >= down and 0 <= column - right < columns:
                    continue  # the segment begins earlier
                rest = range(max(rows, columns))
                along = ((row + step * down, column + step * right) for step in rest)
                cells = [r * columns + c for r, c in along if r < rows and 0 <= c < columns]
                if len(cells) >= k:
                    yield cells


def _groups(segment: Sequence[int], k: int, size: int) -> Iterator[Sequence[int]]:
    """The lines of k in a segment, in groups of at most ``size``: the cells that each group has in common."""
    lines = len(segment) - k + 1
    count = -(-lines // size)
    for number in range(count):
        first, last = number * lines // count, (number + 1) * lines // count - 1
        yield segment[last : first + k]


def matched_pairs(groups: Sequence[Sequence[int]]) -> list[Pair] | None:
    """Two cells for each group out of its own, no cell twice; ``None`` if that is impossible (Hall 1935;
    Berge 1957).

    >>> matched_pairs([[0, 1, 2], [0, 1]])
    >>> matched_pairs([[0, 1, 2, 3], [0, 1]])
    [(2, 3), (0, 1)]
    """
    owner: dict[int, int] = {}  # cell -> the half (2 * group, 2 * group + 1) that has it
    cell_of: dict[int, int] = {}
    for half in range(2 * len(groups)):
        if not _augment(groups, half, owner, cell_of):
            return None
    pairs = ((cell_of[2 * group], cell_of[2 * group + 1]) for group in range(len(groups)))
    return [(min(pair), max(pair)) for pair in pairs]


def _augment(groups: Sequence[Sequence[int]], half: int, owner: dict[int, int], cell_of: dict[int, int]) -> bool:
    """Gives one more half a cell, along a shortest path of halves that each pass their cell on."""
    wanted_by: dict[int, int] = {}  # cell -> the half that reached it first
    queue = [half]
    for asking in queue:
        for cell in groups[asking // 2]:
            if cell in wanted_by:
                continue
            wanted_by[cell] = asking
            if cell in owner:
                queue.append(owner[cell])
                continue
            given: int | None = cell
            while given is not None:
                taker = wanted_by[given]
                owner[given] = taker
                cell_of[taker], given = given, cell_of.get(taker)
            return True
    return False


def _pairs_by_pattern(rows: int, columns: int) -> list[Pair]:
    """The pattern laid over the board: along any line, one pair of neighbours begins in every eight cells."""
    pairs = []
    for row in range(rows):
        for column in range(columns):
            for down, right in plane_pattern().get((row % PERIOD, column % PERIOD), ()):
                if row + down < rows and 0 <= column + right < columns:
                    first = row * columns + column
                    pairs.append((first, first + down * columns + right))
    return pairs


@lru_cache(maxsize=1)
def plane_pattern() -> dict[Pair, list[Pair]]:
    """On a torus of side 8, a pair of neighbours on each of the 32 lines, no cell twice: cell -> steps to
    partners.

    An exact cover of all cells and lines, found by Knuth's Algorithm X: always the cell or line with the
    fewest pairs left (Dancing links, 2000).

    >>> sum(len(steps) for steps in plane_pattern().values())
    32
    """
    meaning: dict[_Covers, tuple[Pair, Pair]] = {}
    for direction, (down, right) in enumerate(_DIRECTIONS):
        for row in range(PERIOD):
            for column in range(PERIOD):
                cell, partner = (row, column), ((row + down) % PERIOD, (column + right) % PERIOD)
                line = (PERIOD + direction) * PERIOD + (row * right - column * down) % PERIOD
                numbers = (r * PERIOD + c for r, c in (cell, partner))
                meaning[frozenset((*numbers, line))] = (cell, (down, right))
    pattern: dict[Pair, list[Pair]] = {}
    for covers in _exact_cover(list(meaning)):
        cell, step = meaning[covers]
        pattern.setdefault(cell, []).append(step)
    return pattern


def _exact_cover(options: list[_Covers]) -> list[_Covers]:
    """Disjoint options that cover every item of any option; empty if there are none."""
    items = set().union(*options)
    chosen: list[_Covers] = []
    # Each level: the options still possible, and the alternatives still to be tried for one item.
    levels = [(options, _fewest(options, items))]
    while items and levels:
        possible, alternatives = levels[-1]
        if not alternatives:
            levels.pop()
            items |= chosen.pop() if chosen else set()
            continue
        option = alternatives.pop()
        chosen.append(option)
        items -= option
        possible = [other for other in possible if other.isdisjoint(option)]
        levels.append((possible, _fewest(possible, items)))
    return chosen


def _fewest(options: list[_Covers], items: set[int]) -> list[_Covers]:
    """The options that cover the item with the fewest of them; none if some item has none."""
    covering: dict[int, list[_Covers]] = {item: [] for item in items}
    for option in options:
        for item in option:
            covering[item].append(option)
    return min(covering.values(), key=len, default=[])
