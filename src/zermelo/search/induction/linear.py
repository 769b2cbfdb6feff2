"""Expectations along a Markov chain, exactly: sparse systems ``x = a + P x`` solved by elimination."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from heapq import heapify, heappop, heappush

Row = tuple[Fraction, Mapping[int, Fraction]]
"""``x = constant + sum of weight * y``, the weights by the names of the unknowns."""


def expectations(rows: Mapping[int, Row], step: Callable[[], None] = lambda: None) -> dict[int, Fraction]:
    """The solution of a system with one row for each unknown, where every unknown leads to a constant in the end.

    Each unknown is put into the rows that name it, those first that make the fewest new entries (Markowitz 1957).

    >>> half = Fraction(1, 2)
    >>> found = expectations({0: (Fraction(0), {1: Fraction(1)}), 1: (half, {0: half})})
    >>> found[0], found[1]
    (Fraction(1, 1), Fraction(1, 1))
    """
    constant = {name: row[0] for name, row in rows.items()}
    terms = {name: dict(row[1]) for name, row in rows.items()}
    named_in: dict[int, set[int]] = {name: set() for name in rows}
    for name, row in terms.items():
        for other in row:
            named_in[other].add(name)

    def cost(name: int) -> int:
        return len(terms[name]) * len(named_in[name])

    waiting = [(cost(name), name) for name in rows]
    heapify(waiting)
    order: list[int] = []
    gone: set[int] = set()
    while waiting:
        priced, name = heappop(waiting)
        if name in gone:
            continue
        if priced < (now := cost(name)):
            heappush(waiting, (now, name))
            continue
        step()
        gone.add(name)
        order.append(name)
        own = terms[name]
        if (circle := own.pop(name, None)) is not None:
            named_in[name].discard(name)
            factor = 1 / (1 - circle)
            constant[name] *= factor
            for other in own:
                own[other] *= factor
        for reader in named_in[name]:
            row = terms[reader]
            weight = row.pop(name)
            constant[reader] += weight * constant[name]
            for other, part in own.items():
                row[other] = row.get(other, Fraction(0)) + weight * part
                named_in[other].add(reader)
        for other in own:
            named_in[other].discard(name)
    # What is left in a row was taken out later than the row itself: it is known by then.
    found: dict[int, Fraction] = {}
    for name in reversed(order):
        found[name] = sum((part * found[other] for other, part in terms[name].items()), constant[name])
    return found
