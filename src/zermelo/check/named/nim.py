"""Nim, by the nim-sum, and by making heaps alike."""

from __future__ import annotations

from math import prod
from typing import Any, Final

from zermelo.check.named import Data, RuleChecker, is_index, no_data
from zermelo.games.nim import Nim
from zermelo.games.strategy_rules import heap_pair
from zermelo.limits import Limits


def nim_sum_lemma(game: Nim, role: int, data: Data, limits: Limits) -> str | None:
    """Whoever leaves heaps with nim-sum 0 (the exclusive or of their sizes) wins (Bouton 1901).

    From nim-sum 0 every move leads to another sum, as it changes one heap only. From nim-sum s > 0 some heap
    h has the highest bit of s, so h xor s < h, and cutting h down to h xor s leaves nim-sum 0; this is the
    rule's move. The empty heaps have nim-sum 0 and are lost for the player to move. So the first player wins
    if and only if the sum is not 0 at the start.
    """
    del data, limits
    total = 0
    for size in game.heaps:
        total ^= size
    return None if (total == 0) == (role == 1) else f"the nim-sum is {total}"


def _groups_shape(game: Nim, data: Data) -> str | None:
    heaps = len(game.heaps)
    groups = data.get("groups")
    if set(data) != {"groups"} or type(groups) is not list or len(groups) > heaps:
        return f'expected {{"groups": a list of at most {heaps}}}'
    if not all(type(group) is list and 1 <= len(group) <= 2 for group in groups):
        return "a group is not one heap or two"
    named = [heap for group in groups for heap in group]
    if not all(is_index(heap, heaps) for heap in named) or sorted(named) != list(range(heaps)):
        return f"the groups do not name each heap from 0 to {heaps - 1} once"
    return None


def mirror_heaps_lemma(game: Nim, role: int, data: Data, limits: Limits) -> str | None:
    """Whoever leaves all groups of heaps alike wins Nim: two equal heaps, or one empty heap, are a group
    alike.

    A move changes one heap, so it makes exactly one group unlike, and then the larger heap of that group (or
    the only one) can be made equal to the smaller (to nothing) in one move: all groups are alike again.
    Whoever restores likeness always has an answer, so the other player is the one who cannot move. The second
    player does so if all groups are alike at the start; the first if exactly one is not.
    """
    del limits
    unlike = 0
    for group in data["groups"]:
        low, high = heap_pair(game.heaps, group)
        unlike += low != high
    return None if unlike == 1 - role else f"{unlike} groups of heaps are unlike at the start"


def _nim_effort(game: Nim) -> int:
    return prod(size + 1 for size in game.heaps) * sum(game.heaps)


RULES: Final[dict[str, RuleChecker[Any]]] = {
    "mirror-heaps": RuleChecker(Nim, 1, _groups_shape, _nim_effort, mirror_heaps_lemma),
    "nim-sum": RuleChecker(Nim, 1, no_data, _nim_effort, nim_sum_lemma),
}
