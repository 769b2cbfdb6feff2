"""Nim-sequences of octal games and Grundy's game, and periods that are proven."""

from __future__ import annotations

import random
from functools import reduce
from operator import xor

import pytest

from zermelo.cgt.boards.octal import NimSequence, OctalCode, Period
from zermelo.errors import LimitReachedError

GRUNDY = OctalCode((4,), unequal=True)


def plain_values(code: OctalCode, count: int) -> list[int]:
    """The nim-values by the definition: the least value that no move makes."""
    values: list[int] = []
    for size in range(count):
        made = {reduce(xor, (values[heap] for heap in heaps), 0) for heaps in code.options(size)}
        values.append(min(set(range(len(made) + 1)) - made))
    return values


CODES = ["0.77", "0.07", "0.137", "0.6", "0.16", "0.106", "4.7", "4.0", "0.3", "0.033", "0.45"]


@pytest.mark.parametrize("text", CODES)
def test_values_are_those_of_the_definition(text: str) -> None:
    code = OctalCode.parse(text)
    assert NimSequence(code).values(150) == plain_values(code, 150)


def test_random_codes_have_the_values_of_the_definition() -> None:
    rng = random.Random(8)
    for _ in range(15):
        code = OctalCode.parse("0." + "".join(rng.choice("01234567") for _ in range(rng.randint(1, 4))))
        assert NimSequence(code).values(100) == plain_values(code, 100), code


def test_grundys_game_begins_as_known() -> None:
    # Winning Ways, chapter 4.
    first = [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3, 0]
    assert NimSequence(GRUNDY).values(21) == first
    assert NimSequence(GRUNDY).values(200) == plain_values(GRUNDY, 200)


@pytest.mark.parametrize(
    ("text", "preperiod", "length"),
    [
        ("0.77", 71, 12),  # Kayles: heap 70 is the last exception
        ("0.07", 53, 34),  # Dawson's Kayles
        ("0.137", 52, 34),  # Dawson's Chess: the same values, one heap earlier
        ("0.45", 498, 20),
        ("0.3", 0, 2),
        ("0.156", 3479, 349),
    ],
)
def test_periods_are_those_of_the_tables(text: str, preperiod: int, length: int) -> None:
    found = NimSequence(OctalCode.parse(text)).period()
    assert found is not None
    assert (found.preperiod, found.length) == (preperiod, length)


def test_a_period_needs_all_the_values_that_prove_it() -> None:
    kayles = NimSequence(OctalCode.parse("0.77"))
    assert kayles.period(120) is None
    assert kayles.period(300) == Period(71, 12, 168)


def test_values_beyond_the_proof_are_those_of_the_definition() -> None:
    code = OctalCode.parse("0.77")
    assert NimSequence(code).values(600) == plain_values(code, 600)


def test_heaps_of_any_size_have_a_value_where_there_is_a_period() -> None:
    kayles = NimSequence(OctalCode.parse("0.77"))
    assert kayles.value(10**100) == kayles.value(71 + (10**100 - 71) % 12)


def test_where_no_period_is_known_a_huge_heap_is_refused() -> None:
    with pytest.raises(LimitReachedError, match="no period"):
        NimSequence(GRUNDY).value(10**12)
