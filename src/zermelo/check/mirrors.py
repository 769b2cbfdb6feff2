"""Mirrored pairs that a certificate of a sum leaves out: made anew, compared, and counted for what they are worth.

A game and its negative, moved by a number, are worth that number beside anything else (docs/formats/sum-certificate.md
has the proof).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from zermelo.check.listed import list_of
from zermelo.check.sums import pair_of
from zermelo.check.trees import Trees
from zermelo.check.verdict import Fault


def cancelled(store: Trees, positions: Sequence[int], listed: Any, copies: Counter[int]) -> Fraction:
    """Takes the listed pairs away from the components; what they are worth."""
    worth = Fraction(0)
    for item in list_of(listed, '"mirrors"'):
        if not isinstance(item, list) or len(item) != 3 or type(item[2]) is not int or item[2] < 1:
            raise Fault('"mirrors": an entry is not [position, position, pairs]')
        (first, second), pairs = pair_of(item[:2], '"mirrors"', len(positions)), item[2]
        one, other = positions[first], positions[second]
        score = store.left_first[other][0] + store.right_first[one][0]
        if store.numbers[one] is not None or store.moved(store.negate(one), score) != other:
            raise Fault(f"positions {first} and {second} are not mirror images of each other")
        copies[one] -= pairs
        copies[other] -= pairs
        if min(copies[one], copies[other]) < 0:
            raise Fault(f"there are no {pairs} pairs of positions {first} and {second} to cancel")
        worth += score * pairs
    return worth
