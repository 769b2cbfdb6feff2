"""Nim arithmetic of ordinals: a field, the finite nimbers in it, the powers of the literature."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.cgt.calculator import Calculator
from zermelo.cgt.values.nimbers import nim_product
from zermelo.cgt.values.transfinite import ALPHA, PRIMES, TransfiniteNimber, transfinite
from zermelo.errors import InputError, LimitReachedError, ZermeloError

EXPONENTS = ["", "w", "w^2", "w^3", "w^w", "w^(w + 1)", "w^(w*2)", "w^(w^2)", "w^5", "w^(w*5)", "w^(w^2 + w + 2)"]


def added(terms: dict[str, int]) -> TransfiniteNimber:
    total = transfinite(0)
    for power, count in terms.items():
        total += transfinite(f"{power}*{count}" if power else count)
    return total


ordinals = st.dictionaries(st.sampled_from(EXPONENTS), st.integers(1, 20), max_size=3).map(added)
below_omega_omega = st.dictionaries(st.sampled_from(["", "w", "w^2"]), st.integers(1, 3), max_size=3).map(added)


@settings(max_examples=60, deadline=None)
@given(ordinals, ordinals, ordinals)
def test_ordinals_are_a_ring_of_characteristic_two(
    a: TransfiniteNimber, b: TransfiniteNimber, c: TransfiniteNimber
) -> None:
    zero, one = transfinite(0), transfinite(1)
    assert a + a == zero and a + b == b + a and (a + b) + c == a + (b + c)
    assert a * b == b * a and (a * b) * c == a * (b * c) and a * (b + c) == a * b + a * c
    assert a * one == a and a * zero == zero
    assert (a * b == zero) == (zero in (a, b))


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_finite_ordinals_are_the_nimbers(a: int, b: int) -> None:
    assert (transfinite(a) + transfinite(b)).finite == a ^ b
    assert (transfinite(a) * transfinite(b)).finite == nim_product(a, b)


@settings(max_examples=40, deadline=None)
@given(below_omega_omega)
def test_w_generates_a_field_of_64_elements(a: TransfiniteNimber) -> None:
    """w is a cube root of 2, over the field of 4."""
    assert a**64 == a


@given(ordinals)
def test_what_is_printed_is_read_back(a: TransfiniteNimber) -> None:
    assert transfinite(str(a)) == a


@settings(max_examples=40, deadline=None)
@given(ordinals, ordinals)
def test_the_nim_sum_is_the_least_ordinal_that_no_smaller_one_makes(a: TransfiniteNimber, b: TransfiniteNimber) -> None:
    total = a + b
    assert all((smaller + b) != total for smaller in (transfinite(0), transfinite("w"), transfinite(7)) if smaller < a)
    for smaller in (transfinite(0), transfinite(5), transfinite("w + 1"), transfinite("w^w")):
        if smaller < total:  # it is made by a smaller one in the place of a or of b
            assert smaller + b < a or smaller + a < b


KNOWN = [
    # Conway, On Numbers and Games, chapter 6.
    ("w", 3, "2"),
    ("w^3", 3, "w"),
    ("w^9", 3, "w^3"),
    ("w^w", 5, "4"),
    ("w^(w*5)", 5, "w^w"),
    ("w^(w^2)", 7, "w + 1"),
    ("w^(w^3)", 11, "w^w + 1"),
    ("w^(w^4)", 13, "w + 4"),
    ("w^(w^5)", 17, "16"),
    ("w^(w^6)", 19, "w^3 + 4"),
]


@pytest.mark.parametrize(("base", "power", "known"), KNOWN)
def test_a_power_of_the_literature(base: str, power: int, known: str) -> None:
    assert transfinite(base) ** power == transfinite(known)


def degree(a: TransfiniteNimber) -> int:
    """How often it is to be squared to come back."""
    power, count = a * a, 1
    while power != a:
        power, count = power * power, count + 1
    return count


@pytest.mark.parametrize("p", [3, 5, 7, 11, 13, 17, 31])
def test_an_entry_of_the_table_has_no_root_in_its_field(p: int) -> None:
    """In a field of 2^n elements, p dividing 2^n - 1, x has a p-th root exactly if x^((2^n - 1)/p) is 1."""
    alpha = transfinite(ALPHA[p])
    size = degree(alpha)
    while pow(2, size, p) != 1:
        size += degree(alpha)
    assert alpha ** ((2**size - 1) // p) != transfinite(1)


@pytest.mark.parametrize(
    ("p", "less"), [(5, "2"), (5, "3"), (7, "w"), (7, "5"), (13, "w"), (13, "w + 1"), (13, "w + 3")]
)
def test_what_lies_below_an_entry_has_a_root(p: int, less: str) -> None:
    x = transfinite(less)
    size = degree(x)
    while pow(2, size, p) != 1:
        size += degree(x)
    assert x ** ((2**size - 1) // p) == transfinite(1)


def test_products_beyond_the_table_are_refused() -> None:
    beyond = transfinite(f"w^(w^{len(PRIMES)})")
    with pytest.raises(LimitReachedError, match="no table"):
        _ = beyond * beyond
    with pytest.raises(LimitReachedError, match="below w\\^w\\^w"):
        _ = transfinite("w^w^w") * transfinite("w")
    assert transfinite("w^w^w^w") + transfinite("w^w^w^w") == transfinite(0)


def test_the_calculator_multiplies_ordinals() -> None:
    said = Calculator().said
    assert said("nimproduct(w^2, w)") == "2" and said("nimsum(w + 3, w + 1)") == "2"


@pytest.mark.parametrize("text", ["", "x", "1 + w", "w^", "w^(2", "w*w", "w 2", "w*", "w^" * 60 + "w", "-1", "(" * 99])
def test_a_wrong_ordinal_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError) as refused:
        transfinite(text)
    assert "\n" not in str(refused.value)
    with pytest.raises(ZermeloError):
        Calculator().said(f"nimsum({text}, 1)")
