"""Strategies stated as a rule: which move a rule plays in a position.

A rule is a name and its data, as written in a certificate. What it plays is defined here once; which games it
decides is found in :mod:`zermelo.search.closed` and checked, independently, in :mod:`zermelo.check.named`.

A rule plays a legal move in every position of its game that is not over: also where it promises nothing, so
that a wrong claim can be played out and refuted. Each expects its data in the shape that its docstring gives;
the checker makes sure of that before it asks for a move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isqrt
from typing import Any

from zermelo.certificate import Claim
from zermelo.game import Game
from zermelo.games.coins import Coins
from zermelo.games.connect import Connect
from zermelo.games.mnk import MNK
from zermelo.games.nim import Nim
from zermelo.games.subtraction import Subtraction
from zermelo.games.treblecross import Treblecross
from zermelo.games.wythoff import Wythoff

RuleMove = Callable[[Game, Any, Mapping[str, Any]], Any]


def rule_move(game: Game, position: Any, claim: Claim) -> Any:
    """The move that a claim's rule plays in a position; ``None`` for a rule that is not known or of another
    game.

    >>> rule_move(Nim(3, 4), ((3, 4), 0), Claim("first", 1, rule="nim-sum"))
    (1, 1)
    """
    play = RULE_MOVES.get(claim.rule or "")
    return None if play is None else play(game, position, claim.data)


def mirror_row(game: Game, position: str, data: Mapping[str, Any]) -> int | None:
    """Treblecross: complete three in a row if possible; else take the centre; else mirror the odd cell out.

    ``data``: ``{"centre": number of the cell about which to mirror}``.

    >>> mirror_row(Treblecross(7), "x..x...", {"centre": 4})
    7
    """
    if type(game) is not Treblecross:
        return None
    row = f"..{position}.."
    for number, cell in enumerate(position, 1):
        left, right = row[number - 1 : number + 1], row[number + 2 : number + 4]
        if cell == "." and (left == "xx" or right == "xx" or left[1] == right[0] == "x"):
            return number
    centre = data["centre"]
    if position[centre - 1] == ".":
        return int(centre)
    for number, cell in enumerate(position, 1):
        image = 2 * centre - number
        if cell == "x" and 1 <= image <= game.size and position[image - 1] == ".":
            return int(image)
    return position.index(".") + 1


def mirror_heaps(game: Game, position: tuple[tuple[int, ...], int], data: Mapping[str, Any]) -> tuple[int, int] | None:
    """Nim: make the first group of unlike heaps alike. A heap alone in its group is like its twin if it is
    empty.

    ``data``: ``{"groups": [[heap, heap], ..., [heap], ...]}``.

    >>> mirror_heaps(Nim(5, 5, 2), ((5, 3, 0), 0), {"groups": [[0, 1], [2]]})
    (0, 2)
    """
    if type(game) is not Nim:
        return None
    heaps, _ = position
    for group in data["groups"]:
        low, high = heap_pair(heaps, group)
        if low != high:
            return (max(group, key=lambda heap: heaps[heap]), high - low)
    return _take_one(heaps)


def heap_pair(heaps: Sequence[int], group: Sequence[int]) -> tuple[int, int]:
    """The smaller and the larger heap of a group; a heap alone is paired with an empty one.

    >>> heap_pair((5, 3, 4), (0, 1)), heap_pair((5, 3, 4), (2,))
    ((3, 5), (0, 4))
    """
    sizes = [heaps[heap] for heap in group]
    return (min(sizes) if len(sizes) == 2 else 0, max(sizes))


def equal_heaps(game: Game, position: tuple[tuple[int, int], int], data: Mapping[str, Any]) -> tuple[int, int] | None:
    """Wythoff's game: take everything where both heaps are equal. ``data``: ``{}``.

    >>> equal_heaps(Wythoff(4, 4), ((4, 4), 0), {})
    (4, 4)
    """
    del data
    if type(game) is not Wythoff:
        return None
    left, right = position[0]
    low = min(left, right)
    return (low, low) if low else (min(left, 1), min(right, 1))


def answer_in_the_pair(game: Game, position: str, data: Mapping[str, Any]) -> int | None:
    """k in a row: where the other side holds one cell of a pair and the other cell is free, take that one.

    Else the first free cell. ``data``: ``{"pairs": [[cell, cell], ...]}``, cells numbered from 0 row by row.

    >>> answer_in_the_pair(MNK(2, 2, 3), "..x.", {"pairs": [[0, 1], [2, 3]]})
    3
    """
    if type(game) is not MNK:
        return None
    other = "o" if game.turn(position) == "x" else "x"
    for one, two in data["pairs"]:
        if position[one] == other and position[two] == ".":
            return int(two)
        if position[two] == other and position[one] == ".":
            return int(one)
    return position.index(".")


def answer_on_top(game: Game, position: str, data: Mapping[str, Any]) -> int | None:
    """Connect k: where the other side's stone is on top of a column with room above it, drop a stone there.

    Else into the first column with room. ``data``: ``{}``.

    >>> answer_on_top(Connect(3, 2, 3), ".....x", {})
    1
    """
    del data
    if type(game) is not Connect:
        return None
    other = "o" if game.turn(position) == "x" else "x"
    moves = game.moves(position)
    for column in moves:
        if position[column :: game.columns].lstrip(".").startswith(other):
            return column
    return moves[0]


def nim_sum(game: Game, position: tuple[tuple[int, ...], int], data: Mapping[str, Any]) -> tuple[int, int] | None:
    """Nim: leave heaps whose binary sum without carrying is zero (Bouton 1901). ``data``: ``{}``.

    >>> nim_sum(Nim(3, 4, 5), ((3, 4, 5), 0), {})
    (0, 2)
    """
    del data
    if type(game) is not Nim:
        return None
    heaps, _ = position
    total = 0
    for size in heaps:
        total ^= size
    for heap, size in enumerate(heaps):
        if size ^ total < size:
            return (heap, size - (size ^ total))
    return _take_one(heaps)


def golden_ratio(game: Game, position: tuple[tuple[int, int], int], data: Mapping[str, Any]) -> tuple[int, int] | None:
    """Wythoff's game: leave floor(k phi) and floor(k phi) + k, phi the golden ratio (Wythoff 1907). ``data``:
    ``{}``.

    >>> golden_ratio(Wythoff(4, 5), ((4, 5), 0), {})    # leaves 1 and 2
    (3, 3)
    """
    del data
    if type(game) is not Wythoff:
        return None
    left, right = position[0]
    low, high = sorted((left, right))
    difference = high - low
    cold = lower_wythoff(difference)
    if low > cold:
        return (low - cold, low - cold)
    if low == cold:
        return (min(left, 1), 1 - min(left, 1))
    # Every positive number is floor(k phi) or floor(k phi) + k for exactly one k (Beatty's theorem), and
    # floor(k phi) = low says that k is the whole part of (low + 1) / phi.
    k = ((isqrt(5 * (low + 1) ** 2)) - (low + 1)) // 2
    partner = low + k if lower_wythoff(k) == low else lower_wythoff(low - k)
    return (high - partner, 0) if left == high else (0, high - partner)


def lower_wythoff(k: int) -> int:
    """The whole part of k times the golden ratio, exactly: (k + sqrt(5 k^2)) / 2 rounded down.

    >>> [lower_wythoff(k) for k in range(6)]
    [0, 1, 3, 4, 6, 8]
    """
    return (k + isqrt(5 * k * k)) // 2


def periodic(game: Game, position: tuple[int, int], data: Mapping[str, Any]) -> int | None:
    """Subtraction: leave a size that is labelled lost.

    ``data``: ``{"labels": "LWW...", "period": q}``: the label of each size from 0 on for the player to move;
    beyond the end the last q labels repeat for ever (q = 0: they do not).

    >>> periodic(Subtraction(21, (1, 2, 3)), (21, 0), {"labels": "LWWW", "period": 4})
    1
    """
    if type(game) is not Subtraction:
        return None
    left, _ = position
    labels, period = data["labels"], data["period"]
    for take in game.takes:
        if take <= left and periodic_label(labels, period, left - take) == "L":
            return take
    return game.takes[0]


def periodic_label(labels: str, period: int, size: int) -> str:
    """The label of a size; ``"?"`` beyond the end of labels that do not repeat.

    >>> periodic_label("LLWLW", 2, 8), periodic_label("LW", 0, 2)
    ('W', '?')
    """
    if size < len(labels):
        return labels[size]
    return labels[len(labels) - period + (size - len(labels)) % period] if period else "?"


def single_coins(game: Game, position: tuple[int, int], data: Mapping[str, Any]) -> int | None:
    """Coins: take the whole run of like coins if what lies below is lost for its player, else leave one.
    ``data``: ``{}``.

    >>> single_coins(Coins(7, 7, 7, 1), (4, 0), {})    # the single coin below would win: leave one on it
    2
    """
    del data
    if type(game) is not Coins:
        return None
    values, left = game.values, position[0]
    top = len(values) - left
    run = 1
    while run < left and values[top + run] == values[top]:
        run += 1
    return run if run == 1 or stack_is_lost(values, top + run) else run - 1


def stack_is_lost(values: Sequence[int], top: int = 0) -> bool:
    """Whether the player loses who faces the coins from ``top`` down.

    A run of two or more like coins is won: take all of it or all but one, whichever leaves the loss. A single
    coin leaves no choice and turns the result round. So only the single coins above the first longer run
    count: their number decides, by its parity.

    >>> stack_is_lost([]), stack_is_lost([1, 2]), stack_is_lost([1, 2, 2])
    (True, True, True)
    """
    end = top
    while end < len(values):
        if end + 1 < len(values) and values[end] == values[end + 1]:
            return (end - top) % 2 == 1
        end += 1
    return (end - top) % 2 == 0


def _take_one(heaps: Sequence[int]) -> tuple[int, int]:
    return (next(heap for heap, size in enumerate(heaps) if size), 1)


RULE_MOVES: dict[str, RuleMove] = {
    "mirror-row": mirror_row,
    "mirror-heaps": mirror_heaps,
    "equal-heaps": equal_heaps,
    "pairing": answer_in_the_pair,
    "answer-on-top": answer_on_top,
    "nim-sum": nim_sum,
    "golden-ratio": golden_ratio,
    "period": periodic,
    "single-coins": single_coins,
}
"""The rules by the names that certificates use."""
