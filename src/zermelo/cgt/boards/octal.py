"""Octal games: take counters off a heap and perhaps break the rest in two; their nim-sequences and proven periods.

Digit k of the code says what may be left when k counters are taken: 1 nothing, 2 one heap, 4 two heaps, and sums of
these (Guy and Smith 1956). Kayles is 0.77, Dawson's Kayles 0.07. Hexadecimal games have 8 for three heaps as well. A
tail in square brackets repeats for ever: nim is 0.[3]. A ``!`` behind a digit asks for heaps of different sizes:
Grundy's game is 4!.0.

>>> sequence = NimSequence(OctalCode.parse("0.77"))
>>> [sequence.value(size) for size in range(12)]
[0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6]
>>> sequence.period()
Period(preperiod=71, length=12, checked=168)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from zermelo.brief import fields_in_brief, introduced, shown_in_brief
from zermelo.cgt.values.arena import step_look
from zermelo.errors import InputError, LimitReachedError

Indices = npt.NDArray[np.int64]
Marks = npt.NDArray[np.bool_]

MOST_COUNTERS = 1_000_000
"""Larger heaps have a value only where a period is proven."""
MOST_PLAIN = 3_000
"""The same for codes that are not octal, whose values are worked out by the definition."""
PERIOD_SEARCH = 20_000
"""How far a period is looked for before a large heap is given up."""


@dataclass(frozen=True)
class OctalCode:
    """The digits from the one before the point, with trailing zeros left out, and those that repeat for ever.

    >>> str(OctalCode.parse(".1370")), str(OctalCode.parse("0.3F")), str(OctalCode.parse("0.[3]"))
    ('0.137', '0.3F', '0.[3]')
    """

    digits: tuple[int, ...]
    unequal: bool = False
    """Must the heaps of a break differ? (Grundy's game, 4!.0)"""
    tail: tuple[int, ...] = ()
    """Digits that go on for ever after the others."""

    __repr__ = fields_in_brief
    _repr_html_ = shown_in_brief

    @classmethod
    def parse(cls, text: str, place: str = "octal", column: int = 1) -> OctalCode:
        """Reads a code such as ``0.137``, ``4.07``, ``0.3F``, ``0.[3]`` or ``4!.0``.

        >>> OctalCode.parse("0.9G")
        Traceback (most recent call last):
            ...
        zermelo.errors.InputError: octal:1:4: unexpected 'G' in a code, expected digits 0 to 9 and A to F
        """
        wrong = re.search(r"[^0-9A-Fa-f.!\[\]]", text)
        if wrong:
            message = f"unexpected {wrong[0]!r} in a code, expected digits 0 to 9 and A to F"
            raise InputError(message, file=place, line=1, column=column + wrong.start())
        found = _CODE.fullmatch(text)
        before = "" if found is None else (found[1] or "").rstrip("!")
        if found is None or (before and int(before, 16) & 3):
            message = f"unexpected code {text!r}, expected 0, 4, 8 or C, a point, digits, such as 0.77, 0.[3] or 4!.0"
            raise InputError(message, file=place, line=1, column=column)
        marked = [(found[1] or "0"), *_DIGIT.findall(found[2])]
        repeated = _DIGIT.findall(found[3] or "")
        breaks = [digit for digit in marked + repeated if int(digit[0], 16) >= 4]
        unequal = any("!" in digit for digit in breaks)
        if any(("!" in digit) != unequal for digit in breaks):
            message = "some digits that break heaps have a '!' and others none, expected it behind all or none of them"
            raise InputError(message, file=place, line=1, column=column)
        digits, tail = ([int(digit[0], 16) for digit in group] for group in (marked, repeated))
        if not any(tail):
            tail = []
            while len(digits) > 1 and digits[-1] == 0:
                digits.pop()
        return cls(tuple(digits), unequal, tuple(tail))

    def __str__(self) -> str:
        before, *after = map(self._written, self.digits)
        tail = f"[{''.join(map(self._written, self.tail))}]" if self.tail else ""
        return f"{before}.{''.join(after) + tail or '0'}"

    def _written(self, digit: int) -> str:
        return f"{digit:X}" + ("!" if self.unequal and digit >= 4 else "")

    @property
    def is_octal(self) -> bool:
        """Is it finite, with breaks into two heaps at most?"""
        return not self.tail and max(self.digits) < 8

    @property
    def most_heaps(self) -> int:
        """How many heaps a move leaves at the most."""
        return max(max(digit.bit_length() for digit in self.digits + self.tail) - 1, 1)

    def digit(self, taken: int) -> int:
        """What may be left when so many counters are taken.

        >>> OctalCode.parse("0.1[03]").digit(101)
        3
        """
        if taken < len(self.digits):
            return self.digits[taken]
        return self.tail[(taken - len(self.digits)) % len(self.tail)] if self.tail else 0

    def options(self, size: int) -> Iterator[tuple[int, ...]]:
        """The heaps that a move may leave of one heap.

        >>> list(OctalCode.parse("0.77").options(3))
        [(2,), (1, 1), (1,)]
        >>> list(OctalCode.parse("0.8").options(5))
        [(2, 1, 1)]
        """
        for taken in range(min(size + 1, len(self.digits)) if not self.tail else size + 1):
            rest, digit = size - taken, self.digit(taken)
            if digit & 1 and rest == 0 and taken:
                yield ()
            if digit & 2 and rest >= 1 and taken:
                yield (rest,)
            if digit & 4:
                for smaller in range(1, rest // 2 + 1):
                    if not (self.unequal and 2 * smaller == rest):
                        yield rest - smaller, smaller
            if digit & 8:
                yield from self._in_three(rest)

    def _in_three(self, rest: int) -> Iterator[tuple[int, ...]]:
        for least in range(1, rest // 3 + 1):
            for middle in range(least, (rest - least) // 2 + 1):
                heaps = rest - least - middle, middle, least
                if not self.unequal or len(set(heaps)) == 3:
                    yield heaps


_DIGIT = re.compile(r"[0-9A-Fa-f]!?")
_CODE = re.compile(rf"({_DIGIT.pattern})?\.((?:{_DIGIT.pattern})*)(?:\[((?:{_DIGIT.pattern})+)\])?")


@dataclass(frozen=True)
class Period:
    """From heap ``preperiod`` on the nim-values repeat every ``length`` heaps; proven by those below ``checked``."""

    preperiod: int
    length: int
    checked: int

    _repr_html_ = shown_in_brief


class NimSequence:
    """The nim-values of the heaps of an octal game, made as they are asked for.

    Most values lie outside of a *sparse space*: values whose ones under some mask are odd in number are common, all
    others rare, and two common ones never make a common one. So the breaks with a rare heap decide which common value
    is the least missing one, and usually all smaller rare ones turn up early among the others (*Winning Ways*,
    chapter 4). The mask is chosen by the values so far; it changes the speed, never the result.

    >>> grundy = NimSequence(OctalCode((4,), unequal=True))
    >>> [grundy.value(size) for size in range(12)]
    [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2]
    """

    _repr_html_ = shown_in_brief

    def __init__(self, code: OctalCode) -> None:
        self.code = code
        self._values = np.zeros(256, dtype=np.int64)
        self._known = 1
        self._period: Period | None = None
        self._look_at = 64
        self._common = np.zeros(4, dtype=bool)  # for each value below a power of two
        self._mask = 0
        self._rare = np.zeros(64, dtype=np.int64)
        self._rare_count = 0
        self._most = MOST_COUNTERS if code.is_octal else MOST_PLAIN
        self._splits: dict[tuple[int, int], set[int]] = {}
        self._breaks = [taken for taken, digit in enumerate(code.digits) if digit & 4]
        self._leaves = [taken for taken, digit in enumerate(code.digits) if digit & 2 and taken]
        self._empties = {taken for taken, digit in enumerate(code.digits) if digit & 1 and taken}

    def __repr__(self) -> str:
        return introduced(self, str(self.code))

    def value(self, size: int) -> int:
        """The nim-value of one heap.

        >>> NimSequence(OctalCode.parse("0.77")).value(10**30)
        1
        """
        if size > self._most:
            period = self.period(PERIOD_SEARCH)
            if period is None:
                message = f"no period of {self.code} is proven, and a heap of {size:,} is too large without one"
                raise LimitReachedError(message)
            size = period.preperiod + (size - period.preperiod) % period.length
        self._extend(size)
        return int(self._values[size])

    def values(self, count: int) -> list[int]:
        """The first nim-values, from that of the empty heap on.

        >>> NimSequence(OctalCode.parse("0.07")).values(9)
        [0, 0, 1, 1, 2, 0, 3, 1, 1]
        """
        if count > 0:
            self._extend(count - 1)
        return [int(value) for value in self._values[:count]]

    def period(self, limit: int = PERIOD_SEARCH) -> Period | None:
        """The period and where it begins, if heaps up to ``limit`` prove one.

        If G(n + p) = G(n) for all n from n0 > 0 to below 2 n0 + p + k, where k is the most counters ever taken, then
        for all n from n0 on: of two heaps left of a larger one, at least one is large enough to be p smaller without a
        change of value (the periodicity theorem of Guy and Smith 1956). With three heaps, to below 3 n0 + 2 p + k.

        >>> NimSequence(OctalCode.parse("0.07")).period()
        Period(preperiod=53, length=34, checked=176)
        """
        if not self.code.unequal and not self.code.tail:  # heaps that must differ may be equal when one is p smaller
            self._extend(min(limit, self._most))
        return self._period

    def _look_for_period(self) -> None:
        if self.code.unequal or self.code.tail:
            return
        last, taken, heaps = self._known - 1, len(self.code.digits) - 1, max(self.code.most_heaps, 2)
        values = self._values[: self._known]
        for length in range(1, (last - taken) // heaps + 1):
            if values[last] != values[last - length]:
                continue
            differ = np.flatnonzero(values[length:] != values[: len(values) - length])
            preperiod = int(differ[-1]) + 1 if len(differ) else 0
            # A heap that is made smaller must not vanish, so one that repeats from the empty heap on counts from 1.
            needed = heaps * (max(preperiod, 1) + length) + taken
            if needed <= self._known:
                self._period = Period(preperiod, length, needed)
                return

    def _extend(self, size: int) -> None:
        if size >= len(self._values):
            self._values = np.concatenate([self._values, np.zeros(size + 1, dtype=np.int64)])
        look = step_look()
        while self._known <= size and self._period is None:
            look()
            heap = self._known
            value = self._least_missing(heap) if self.code.is_octal else self._least_by_splits(heap)
            self._values[heap] = value
            self._known += 1
            if self._known == self._look_at:
                self._look_at *= 2
                self._look_for_period()
                self._choose_mask()
            elif not self._common[value]:
                self._add_rare(heap)
        if self._period is not None and self._known <= size:
            heaps = np.arange(self._known, size + 1) - self._period.preperiod
            self._values[self._known : size + 1] = self._values[self._period.preperiod + heaps % self._period.length]
            self._known = size + 1

    def _add_rare(self, heap: int) -> None:
        if self._rare_count == len(self._rare):
            self._rare = np.concatenate([self._rare, np.zeros_like(self._rare)])
        self._rare[self._rare_count] = heap
        self._rare_count += 1

    def _choose_mask(self) -> None:
        """Takes the mask that makes most of the values so far common."""
        counts = np.bincount(self._values[1 : self._known])
        bits = min((len(counts) - 1).bit_length(), 10)
        present = [(value, int(count)) for value, count in enumerate(counts) if count]
        self._mask = max(
            range(1 << bits),
            key=lambda mask: sum(count for value, count in present if (value & mask).bit_count() % 2),
        )
        self._mark_common(len(self._common))
        self._rare = 1 + np.flatnonzero(~self._common[self._values[1 : self._known]])
        self._rare_count = len(self._rare)
        self._rare = np.concatenate([self._rare, np.zeros(64, dtype=np.int64)])

    def _mark_common(self, size: int) -> None:
        self._common = np.array([(value & self._mask).bit_count() % 2 == 1 for value in range(size)])

    def _least_missing(self, heap: int) -> int:
        values, rare = self._values, self._rare[: self._rare_count]
        hit = np.zeros(len(self._common), dtype=bool)
        for taken in self._leaves:
            if heap > taken:
                hit[values[heap - taken]] = True
        if heap in self._empties:
            hit[0] = True
        rests = [heap - taken for taken in self._breaks if heap - taken >= 2]
        for rest in rests:
            smaller = rare[: np.searchsorted(rare, rest)]
            hit[self._made(rest, smaller)] = True
        free = np.flatnonzero(~hit & self._common)
        bound = int(free[0]) if len(free) else len(hit)
        wanted = np.flatnonzero(~(hit | self._common)[:bound])
        least = self._first_unmet(rests, hit, wanted, bound)
        if 2 * least >= len(self._common):  # every two values, and the next least one, must find a place
            self._mark_common(4 * len(self._common))
        return least

    def _least_by_splits(self, heap: int) -> int:
        """By the definition, for codes that are not octal: what each number of heaps makes of a rest is kept."""
        hit: set[int] = set()
        for taken in range(heap + 1 if self.code.tail else min(heap + 1, len(self.code.digits))):
            digit = self.code.digit(taken)
            for heaps in range(digit.bit_length()):
                if digit >> heaps & 1 and (taken or heaps > 1):
                    hit |= self._split(heap - taken, heaps)
        value = next(value for value in range(len(hit) + 1) if value not in hit)
        if value >= len(self._common):
            self._mark_common(4 * len(self._common))
        return value

    def _split(self, rest: int, heaps: int) -> set[int]:
        """The values of so many heaps that add up to a rest."""
        if heaps < 2:
            return {int(self._values[rest])} if (rest > 0) == (heaps > 0) else set()
        found = self._splits.get((rest, heaps))
        if found is None:
            values = self._values
            if self.code.unequal and heaps == 3:
                options = self.code._in_three(rest)
                found = {int(values[a] ^ values[b] ^ values[c]) for a, b, c in options}
            elif heaps == 3:
                firsts = range(1, rest // 3 + 1)
                found = {int(values[a]) ^ other for a in firsts for other in self._split(rest - a, 2)}
            else:
                smaller = np.arange(1, rest // 2 + 1)
                found = set(self._made(rest, smaller).tolist())
            self._splits[rest, heaps] = found
        return found

    def _made(self, rest: int, smaller: Indices) -> Indices:
        """The values of the breaks of what is left, one heap given."""
        if self.code.unequal:
            smaller = smaller[2 * smaller != rest]
        return self._values[smaller] ^ self._values[rest - smaller]

    def _first_unmet(self, rests: list[int], hit: Marks, wanted: Indices, bound: int) -> int:
        """The least of the wanted values that no break makes, or the bound."""
        start, chunk = 1, 64
        longest = max(rests, default=0) // 2
        while len(wanted) and start <= longest:
            for rest in rests:
                hit[self._made(rest, np.arange(start, max(start, min(start + chunk, rest // 2 + 1))))] = True
            wanted = wanted[~hit[wanted]]
            start += chunk
            chunk *= 4
        return int(wanted[0]) if len(wanted) else bound
