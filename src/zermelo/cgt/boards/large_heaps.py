"""Heaps of so many counters that their moves cannot be listed: a winning move, and the proof of their nim-values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from zermelo.cgt.boards.octal import PERIOD_SEARCH, NimSequence, OctalCode, Period
from zermelo.cgt.boards.ruleset import Position
from zermelo.errors import LimitReachedError

MANY_COUNTERS = 200
"""Larger heaps are proved by the sequence of nim-values."""
MOST_LISTED = 20_000
"""Sequences of more values get no certificate."""

Heap = tuple[OctalCode | None, int]
"""A heap and the code by which it is played; nim has none."""


@runtime_checkable
class Coded(Protocol):
    """Rules of heaps that codes state."""

    def coded(self, position: Position) -> list[Heap]:
        """The heaps, each with its code."""

    def nim_value(self, position: Position) -> int:
        """The nim-value of all heaps together."""


def large_heaps(summands: Sequence[tuple[object, Position]]) -> list[list[Heap]] | None:
    """The heaps of each position, if its rules and those of all others have a code and some heap is large.

    >>> from zermelo.cgt.boards.ruleset import ruleset_named
    >>> kayles = ruleset_named("kayles")
    >>> [len(heaps) for heaps in large_heaps([(kayles, (3, 1000)), (kayles, (5,))])], large_heaps([(kayles, (9,))])
    ([2, 1], None)
    """
    heaps = []
    for rules, position in summands:
        if not isinstance(rules, Coded):
            return None
        heaps.append(rules.coded(position))
    return heaps if any(heap > MANY_COUNTERS for board in heaps for _, heap in board) else None


def winning_move(boards: Sequence[Sequence[Heap]]) -> tuple[int, str] | None:
    """A move after which the nim-value is 0: the place of the board, and the heap with what is left of it.

    >>> winning_move([[(OctalCode.parse("0.77"), 10**12), (None, 5)]])
    (0, '5>1')
    """
    total = 0
    for code, heap in (one for board in boards for one in board):
        total ^= _value(code, heap)
    for place, board in enumerate(boards):
        for code, heap in board:
            wanted = total ^ _value(code, heap)
            left = [wanted] if code is None and wanted < heap else None if code is None else _left(code, heap, wanted)
            if left is not None:
                return place, f"{heap}>{','.join(map(str, left))}"
    return None


def _sequence(code: OctalCode) -> NimSequence:
    from zermelo.cgt.rulesets.heaps import nim_sequence

    return nim_sequence(code)


def _value(code: OctalCode | None, heap: int) -> int:
    return heap if code is None else _sequence(code).value(heap)


def _largest(boards: Sequence[Sequence[Heap]]) -> dict[OctalCode, int]:
    """The largest heap of each code."""
    largest: dict[OctalCode, int] = {}
    for code, heap in (heap for board in boards for heap in board):
        if code is not None:
            largest[code] = max(largest.get(code, 0), heap)
    return largest


def _period(code: OctalCode, heap: int) -> Period | None:
    """The period that heaps up to this one show: to look among larger ones can take far longer than the heap itself."""
    return None if code.tail or code.unequal else _sequence(code).period(min(heap, PERIOD_SEARCH))


def _left(code: OctalCode, heap: int, wanted: int) -> list[int] | None:
    """Heaps that a move leaves, worth so much together; 0 for none.

    Where the values are periodic, moves that leave small heaps beside a large one make all values: if two are large,
    the smaller one can be made a period smaller and the other a period larger.
    """
    sequence = _sequence(code)
    period = _period(code, heap)
    most = heap if period is None else period.preperiod + period.length
    for taken in range(min(heap, len(code.digits) - 1 if not code.tail else heap) + 1):
        digit, rest = code.digit(taken), heap - taken
        if taken and digit & (1 if rest == 0 else 2) and sequence.value(rest) == wanted:
            return [rest]
        for heaps in (2, 3):
            if digit >> heaps & 1 and (found := _broken(code, rest, heaps, wanted, most)) is not None:
                return found
    return None


def _broken(code: OctalCode, rest: int, heaps: int, wanted: int, most: int) -> list[int] | None:
    sequence = _sequence(code)
    if heaps == 1:
        return [rest] if rest > 0 and sequence.value(rest) == wanted else None
    for small in range(1, min(rest // heaps, most) + 1):
        found = _broken(code, rest - small, heaps - 1, wanted ^ sequence.value(small), most)
        if found is not None and found[-1] >= small and not (code.unequal and small in found):
            return [*found, small]
    return None


def nimber_data(boards: Sequence[Sequence[Heap]], value: str) -> dict[str, Any]:
    """What a claim says of heaps: the nim-values of each code, as many as are needed, and its period.

    >>> nimber_data([[(OctalCode.parse("0.3"), 1001)]], "*")
    {'value': '*', 'sequences': {'0.3': {'values': [0, 1, 0, 1, 0, 1, 0], 'period': [0, 2]}}}
    """
    sequences: dict[str, Any] = {}
    for code, heap in _largest(boards).items():
        sequence = _sequence(code)
        period = sequence.period(min(heap, MOST_LISTED))
        count = heap + 1 if period is None else min(heap + 1, period.checked)
        if count > MOST_LISTED:
            raise LimitReachedError(f"{count:,} nim-values of {code} to list, at most {MOST_LISTED:,} are")
        proved = period is not None and count == period.checked <= heap
        sequences[str(code)] = {"values": sequence.values(count)} | (
            {"period": [period.preperiod, period.length]} if proved and period is not None else {}
        )
    return {"value": value, "sequences": sequences}


def periods_in_words(boards: Sequence[Sequence[Heap]]) -> str:
    """What is proved of the codes, for people.

    >>> periods_in_words([[(OctalCode.parse("0.77"), 1000)]])
    '0.77 repeats every 12 heaps from 71 on, proved by those below 168'
    """
    found = []
    for code, heap in _largest(boards).items():
        period = _period(code, heap)
        if period is not None:
            found.append(
                f"{code} repeats every {period.length} heaps from {period.preperiod} on, proved by those below "
                f"{period.checked}"
            )
    return "; ".join(found)
