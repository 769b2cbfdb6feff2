"""Transfinite nimbers: nim arithmetic of ordinals below epsilon zero, in Cantor normal form (Conway 1976, chapter 6).

Ordinals are a field of characteristic two as the finite nimbers are. The nim sum is taken coefficient by coefficient.
For products below w^w^w, the theorem of Conway and Lenstra is used. Let p be the (k+1)-st odd prime. Then w^(w^k) has
the p-th power alpha_p, and the p-th root of w^(w^k p^n) is w^(w^k p^(n+1)); apart from that products are ordinary ones.
The ordinals alpha_p are known one by one (Conway's table, continued by Lenstra 1977).

>>> w = transfinite("w")
>>> str(w + w), str(w * w), str(w * w * w), str(transfinite("w^w + 3") + transfinite("w^w + w + 1"))
('0', 'w^2', '2', 'w + 2')
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, total_ordering

from zermelo.brief import shown_in_brief
from zermelo.cgt.values.nimbers import nim_product
from zermelo.errors import InputError, LimitReachedError

DEEPEST = 50
"""Exponents of exponents, at most."""
MOST_DIGITS = 1_000
MOST_TERMS = 20_000
"""Terms of a product, at most."""

ALPHA = {
    3: "2",
    5: "4",
    7: "w + 1",
    11: "w^w + 1",
    13: "w + 4",
    17: "16",
    19: "w^3 + 4",
    23: "w^(w^3) + 1",
    29: "w^(w^2) + 4",
    31: "w^w + 1",
    37: "w^3 + 4",
    41: "w^w + 1",
    43: "w^(w^2) + 1",
    47: "w^(w^7) + 1",
}
"""The least ordinal without a p-th root among those below w^(w^k), for each odd prime p, the (k+1)-st."""
PRIMES = tuple(ALPHA)


@total_ordering
@dataclass(frozen=True)
class TransfiniteNimber:
    """An ordinal below epsilon zero: exponents of w, falling, with coefficients; ``+`` and ``*`` are the nim ones."""

    terms: tuple[tuple[TransfiniteNimber, int], ...]

    _repr_html_ = shown_in_brief

    def __lt__(self, other: TransfiniteNimber) -> bool:
        for (e, c), (f, d) in zip(self.terms, other.terms, strict=False):
            if e != f:
                return e < f
            if c != d:
                return c < d
        return len(self.terms) < len(other.terms)

    def __add__(self, other: TransfiniteNimber) -> TransfiniteNimber:
        found = dict(self.terms)
        for exponent, coefficient in other.terms:
            found[exponent] = found.get(exponent, 0) ^ coefficient
        return _sorted(found)

    __sub__ = __add__

    def __mul__(self, other: TransfiniteNimber) -> TransfiniteNimber:
        return _ordinal(_times(_field(self), _field(other)))

    def __pow__(self, exponent: int) -> TransfiniteNimber:
        """The nim power, by squaring; squares are taken term by term.

        >>> str(transfinite("w") ** 3), str(transfinite("w^w") ** 5), str(transfinite("w^(w^2)") ** 7)
        ('2', '4', 'w + 1')
        """
        if exponent < 0:
            raise InputError(f"the power {exponent} of a transfinite nimber, expected 0 or more")
        result: _Element = {(): 1}
        square = _field(self)
        while exponent:
            if exponent & 1:
                result = _times(result, square)
            square = _squared(square)
            exponent >>= 1
        return _ordinal(result)

    @property
    def finite(self) -> int | None:
        """The number, where it is finite."""
        if not self.terms:
            return 0
        return self.terms[0][1] if not self.terms[0][0].terms else None

    def __str__(self) -> str:
        return " + ".join(_term(exponent, coefficient) for exponent, coefficient in self.terms) or "0"

    def __repr__(self) -> str:
        return f"<TransfiniteNimber {self}>"


def _term(exponent: TransfiniteNimber, coefficient: int) -> str:
    if not exponent.terms:
        return str(coefficient)
    power = str(exponent)
    base = "w" if power == "1" else f"w^{power}" if re.fullmatch(r"\w+", power) else f"w^({power})"
    return base if coefficient == 1 else f"{base}*{coefficient}"


def _sorted(terms: Mapping[TransfiniteNimber, int]) -> TransfiniteNimber:
    return TransfiniteNimber(tuple(sorted(((e, c) for e, c in terms.items() if c), reverse=True)))


def _of(number: int) -> TransfiniteNimber:
    return TransfiniteNimber(((TransfiniteNimber(()), number),) if number else ())


# ------------------------------------------------------------ products

_Monomial = tuple[tuple[tuple[int, int], int], ...]
"""A product of powers: ((p, j), d) stands for w^(w^k p^(j-1)) to the d-th, d below p."""
_Element = dict[_Monomial, int]
"""Monomials with finite nimbers."""


def _field(ordinal: TransfiniteNimber) -> _Element:
    """An ordinal below w^w^w as a sum of products of roots."""
    return {_monomial(exponent): coefficient for exponent, coefficient in ordinal.terms}


def _monomial(exponent: TransfiniteNimber) -> _Monomial:
    found: dict[tuple[int, int], int] = {}
    for power, count in exponent.terms:
        k = power.finite
        if k is None:
            raise LimitReachedError(f"a product with w^({exponent}), expected ordinals below w^w^w")
        if k >= len(PRIMES):
            message = (
                f"a product with w^({exponent}), expected w^(w^k) for k below {len(PRIMES)}: no table reaches further"
            )
            raise LimitReachedError(message)
        rest, j = count, 1
        while rest:
            rest, digit = divmod(rest, PRIMES[k])
            if digit:
                found[PRIMES[k], j] = digit
            j += 1
    return tuple(sorted(found.items()))


def _ordinal(element: _Element) -> TransfiniteNimber:
    found: dict[TransfiniteNimber, int] = {}
    for monomial, coefficient in element.items():
        counts: dict[int, int] = {}
        for (p, j), digit in monomial:
            counts[p] = counts.get(p, 0) + digit * p ** (j - 1)
        found[_sorted({_of(PRIMES.index(p)): count for p, count in counts.items()})] = coefficient
    return _sorted(found)


def _times(one: _Element, other: _Element) -> _Element:
    found: _Element = {}
    for m, a in one.items():
        for n, b in other.items():
            _add(found, _product(m, n), nim_product(a, b))
    return found


def _squared(one: _Element) -> _Element:
    found: _Element = {}
    for m, a in one.items():
        _add(found, _product(m, m), nim_product(a, a))
    return found


def _add(total: _Element, more: Mapping[_Monomial, int], coefficient: int) -> None:
    for monomial, each in more.items():
        value = total.pop(monomial, 0) ^ nim_product(each, coefficient)
        if value:
            total[monomial] = value
    if len(total) > MOST_TERMS:
        raise LimitReachedError(f"a product of transfinite nimbers with more than {MOST_TERMS:,} terms")


@cache
def _product(one: _Monomial, other: _Monomial) -> _Element:
    digits = dict(one)
    for root, digit in other:
        digits[root] = digits.get(root, 0) + digit
    carried: list[_Element] = []
    for (p, j), digit in list(digits.items()):
        if digit < p:
            continue
        digits[p, j] = digit - p
        carried.append(_alpha(p) if j == 1 else {(((p, j - 1), 1),): 1})
    found: _Element = {tuple(sorted((root, digit) for root, digit in digits.items() if digit)): 1}
    for each in carried:
        found = _times(found, each)
    return found


@cache
def _alpha(p: int) -> _Element:
    return _field(transfinite(ALPHA[p]))


# ------------------------------------------------------------ reading

_TOKEN = re.compile(r"\s*(?:(?P<number>[0-9]+)|(?P<omega>w|ω|omega)|(?P<mark>[()^*+]))")


def transfinite(source: str | int) -> TransfiniteNimber:
    """An ordinal in Cantor normal form: ``w^(w^2 + 1)*3 + w + 5``; also ``ω`` or ``omega``.

    >>> str(transfinite("w^w^2 + w*3 + 1")), transfinite("w") > transfinite(10**9)
    ('w^(w^2) + w*3 + 1', True)
    >>> transfinite("1 + w")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: 1 + w:1:5: the exponents do not fall, expected Cantor normal form such as w^2 + w*3 + 1
    """
    if isinstance(source, int):
        if source < 0:
            raise InputError(f"the ordinal {source}, expected 0 or more")
        return _of(source)
    reader = _Reader(source)
    found = reader.sum(0)
    reader.end()
    return found


class _Reader:
    """One reading of one text; depth is bounded by :data:`DEEPEST`."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def wrong(self, message: str) -> InputError:
        return InputError(message, file=self.text[:60], line=1, column=self.at + 1)

    def end(self) -> None:
        if self.text[self.at :].strip():
            raise self.wrong("expected +, * or the end")

    def take(self, *kinds: str) -> str | None:
        """The next piece, if it is a number, an omega or one of these marks; a space before it is passed over."""
        found = _TOKEN.match(self.text, self.at)
        if found is None or not (found.lastgroup in kinds or found.group().strip() in kinds):
            return None
        self.at = found.end()
        return found.group().strip()

    def sum(self, depth: int) -> TransfiniteNimber:
        if depth > DEEPEST:
            raise self.wrong(f"more than {DEEPEST} exponents inside one another")
        terms: list[tuple[TransfiniteNimber, int]] = []
        while True:
            while self.text[self.at : self.at + 1].isspace():
                self.at += 1
            begin = self.at
            exponent, coefficient = self.term(depth)
            if terms and not exponent < terms[-1][0]:
                self.at = begin
                raise self.wrong("the exponents do not fall, expected Cantor normal form such as w^2 + w*3 + 1")
            if coefficient:
                terms.append((exponent, coefficient))
            if self.take("+") is None:
                return TransfiniteNimber(tuple(terms))

    def term(self, depth: int) -> tuple[TransfiniteNimber, int]:
        if (number := self.take("number")) is not None:
            return _of(0), self.number(number)
        if self.take("omega") is None:
            raise self.wrong("expected an ordinal such as w^2 + w*3 + 1")
        exponent = self.exponent(depth) if self.take("^") is not None else _of(1)
        if self.take("*") is None:
            return exponent, 1
        number = self.take("number")
        if number is None:
            raise self.wrong("expected a whole number after *")
        return exponent, self.number(number)

    def number(self, digits: str) -> int:
        if len(digits) > MOST_DIGITS:
            raise self.wrong(f"a number of {len(digits):,} digits, expected at most {MOST_DIGITS:,}")
        return int(digits)

    def exponent(self, depth: int) -> TransfiniteNimber:
        if depth > DEEPEST:
            raise self.wrong(f"more than {DEEPEST} exponents inside one another")
        if self.take("(") is not None:
            found = self.sum(depth + 1)
            if self.take(")") is None:
                raise self.wrong("expected )")
            return found
        if (number := self.take("number")) is not None:
            return _of(self.number(number))
        if self.take("omega") is None:
            raise self.wrong("expected an exponent")
        inner = self.exponent(depth + 1) if self.take("^") is not None else _of(1)
        return TransfiniteNimber(((inner, 1),))
