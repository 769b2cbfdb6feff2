"""Nim arithmetic: with these operations 0, 1, 2, ... are a field (Conway, *On Numbers and Games*, chapter 6)."""

from __future__ import annotations

from functools import cache

from zermelo.errors import InputError


def nim_sum(a: int, b: int) -> int:
    """The heap that two heaps side by side are worth (Bouton 1901).

    >>> nim_sum(5, 3)
    6
    """
    _check(a, b)
    return a ^ b


def nim_product(a: int, b: int) -> int:
    """The product of the field of nimbers; of any size.

    >>> nim_product(2, 2), nim_product(4, 2), nim_product(16, 16)
    (3, 8, 24)
    """
    _check(a, b)
    if a < 2 or b < 2:
        return a * b
    total = 0
    for x in _powers(a):
        for y in _powers(b):
            total ^= _product_of_powers(x, y) if x <= y else _product_of_powers(y, x)
    return total


def nim_inverse(a: int) -> int:
    """What a nimber is to be multiplied by to give 1.

    >>> nim_product(7, nim_inverse(7))
    1
    """
    _check(a, a)
    if a == 0:
        raise InputError("0 has no inverse, expected a positive nimber")
    # In the field of 2^(2^n) elements that holds a, its inverse is a to the power of the number of elements less 2.
    bits = 1
    while a >> bits:
        bits *= 2
    power, result, exponent = a, 1, (1 << bits) - 2
    while exponent:
        if exponent & 1:
            result = nim_product(result, power)
        power = nim_product(power, power)
        exponent >>= 1
    return result


def _check(a: int, b: int) -> None:
    if a < 0 or b < 0:
        raise InputError(f"a nimber of size {min(a, b)}, expected 0 or more")


def _powers(a: int) -> list[int]:
    """The exponents of the powers of two that add up to a."""
    return [bit for bit in range(a.bit_length()) if a >> bit & 1]


@cache
def _product_of_powers(x: int, y: int) -> int:
    """The nim product of 2^x and 2^y: a power of two is the ordinary product of the Fermat powers 2^(2^k) named by the
    bits of its exponent. Different Fermat powers multiply in the ordinary way, and the square of F is F + F/2."""
    if x & y == 0:
        return 1 << (x + y)
    shared = 1 << ((x & y).bit_length() - 1)  # the largest Fermat power that both have: F = 2^shared
    rest = nim_product(1 << (x ^ shared), 1 << (y ^ shared))
    return nim_product(rest, (1 << shared) ^ (1 << (shared - 1)))
