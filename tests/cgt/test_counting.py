"""Positions are counted by formulas where there are too many to make: as many as a walk over them finds."""

from __future__ import annotations

import random

import pytest

from tests.cgt.randomgames import random_text
from zermelo.cgt.values.value import Value, value_of


def walked(root: Value) -> int:
    met, stack = {root}, [root]
    while stack:
        game = stack.pop()
        new = {option for option in (*game.left, *game.right) if option not in met}
        met |= new
        stack += new
    return len(met)


def test_positions_are_as_many_as_a_walk_finds() -> None:
    rng = random.Random(18)
    for _ in range(300):
        text = random_text(rng)
        assert value_of(text).position_count == walked(value_of(text)), text


@pytest.mark.parametrize("number", ["0", "5", "-3/8", "17/32"])
@pytest.mark.parametrize("ups", ["", "^", "^^", "v3", "^4"])
@pytest.mark.parametrize("heap", ["", "*", "*2", "*5"])
def test_numbers_with_ups_and_heaps_are_counted_alike(number: str, ups: str, heap: str) -> None:
    value = value_of(number + ups + heap)
    assert value.position_count == walked(value)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("1000000000000", 10**12 + 1),
        ("-1000000000000", 10**12 + 1),
        ("{1000000000000|-1000000000000}", 2 * 10**12 + 2),
        ("*400000000", 400_000_001),
        ("^1000000", 1_000_002),
        (f"1/{2**200}", 202),
    ],
)
def test_counting_many_positions_costs_nothing(text: str, count: int) -> None:
    assert value_of(text).position_count == count
