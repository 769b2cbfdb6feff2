"""Can ``forall`` keep his own rows? A program in which he cannot is no game, and whatever is claimed of it is void.

His rows hold integers between bounds. Variables that no row connects are independent, so each connected part is decided
by itself: values are tried depth first, only those that leave every row as much as the later variables take at the
least. What rows had left where nothing worked is remembered; more than the most that can be taken counts as that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor

from zermelo.check.quantified import AtMost, Number, QuantifiedProgram, total, whole_scale
from zermelo.limits import Limits, step_watch

OFTEN = 1024
"""Values tried between two looks at the limits."""


def can_be_kept(program: QuantifiedProgram, limits: Limits) -> bool:
    """Whether some values of the universal variables keep all rows of ``forall``; ``LimitReachedError`` at a limit.

    >>> from fractions import Fraction
    >>> from zermelo.check.quantified import Variable, at_most
    >>> u, v = (Variable(name, "forall", True, Fraction(0), Fraction(3)) for name in "uv")
    >>> can_be_kept(QuantifiedProgram((u, v), own=at_most([(0, 2), (1, 4)], "=", 6)), Limits())
    True
    >>> can_be_kept(QuantifiedProgram((u, v), own=at_most([(0, 2), (1, 4)], "=", 7)), Limits())
    False
    """
    return OwnRows(program).left_by((), limits)


class OwnRows:
    """The rows of ``forall``, asked again and again in the course of a play."""

    def __init__(self, program: QuantifiedProgram) -> None:
        self.parts = [_Part(program, rows) for rows in connected(program.own)]

    def left_by(self, values: Sequence[Number], limits: Limits) -> bool:
        """Whether values of the first variables of the program leave a way to keep the rows."""
        return all(part.left_by(values, limits) for part in self.parts)


def connected(rows: Sequence[AtMost]) -> list[list[AtMost]]:
    """The rows in groups that have no variable in common."""
    groups: list[tuple[set[int], list[AtMost]]] = []
    for row in rows:
        held, members = {variable for variable, _ in row.terms}, [row]
        for group in [group for group in groups if group[0] & held]:
            groups.remove(group)
            held, members = held | group[0], group[1] + members
        groups.append((held, members))
    return [members for _, members in groups]


class _Part:
    """Rows that are connected, with whole coefficients that have no common divisor and whole right sides."""

    def __init__(self, program: QuantifiedProgram, rows: Sequence[AtMost]) -> None:
        scales = [whole_scale(row.terms) for row in rows]
        self.rows = [[(v, int(c * scale)) for v, c in row.terms] for row, scale in zip(rows, scales, strict=True)]
        self.right = [floor(row.right * scale) for row, scale in zip(rows, scales, strict=True)]
        self.held = sorted({variable for row in self.rows for variable, _ in row})
        self.box = {n: (int(program.variables[n].lower or 0), int(program.variables[n].upper or 0)) for n in self.held}
        self.columns = [[dict(row).get(variable, 0) for row in self.rows] for variable in self.held]
        """Of each variable: its coefficient in each row."""
        self.least, self.most = self.from_the_end(0), self.from_the_end(1)
        """What the variables from each place on take of each row at the least, and at the most."""

    def from_the_end(self, end: int) -> list[list[int]]:
        taken = [[0] * len(self.rows)]
        for variable, column in zip(reversed(self.held), reversed(self.columns), strict=True):
            here = [c * self.box[variable][end if c > 0 else 1 - end] for c in column]
            taken.append([a + b for a, b in zip(taken[-1], here, strict=True)])
        return taken[::-1]

    def left_by(self, values: Sequence[Number], limits: Limits) -> bool:
        """Whether values of the first variables of the program leave a way to keep these rows."""
        step = step_watch(limits, OFTEN)
        first = sum(variable < len(values) for variable in self.held)
        given = [[term for term in row if term[0] < len(values)] for row in self.rows]
        left = [right - total(terms, values) for right, terms in zip(self.right, given, strict=True)]
        if any(have < least for have, least in zip(left, self.least[first], strict=True)):
            return False
        dead: set[tuple[int, tuple[Number, ...]]] = set()
        lefts, tries = [left], [self.values(left, first)]
        while tries and first + len(tries) <= len(self.held):
            step()
            place = first + len(tries)
            value = next(tries[-1], None)
            if value is None:
                tries.pop()
                dead.add(self.state(lefts.pop(), place - 1))
                continue
            left = [have - c * value for have, c in zip(lefts[-1], self.columns[place - 1], strict=True)]
            if self.state(left, place) not in dead:
                lefts.append(left)
                tries.append(self.values(left, place))
        return bool(tries)

    def state(self, left: Sequence[Number], place: int) -> tuple[int, tuple[Number, ...]]:
        return place, tuple(min(have, most) for have, most in zip(left, self.most[place], strict=True))

    def values(self, left: Sequence[Number], place: int) -> Iterator[int]:
        """The values of the next variable for which no row has too little left."""
        if place == len(self.held):
            return iter(())
        low, high = self.box[self.held[place]]
        for have, least, coefficient in zip(left, self.least[place + 1], self.columns[place], strict=True):
            if coefficient:
                steps = (have - least) // abs(coefficient)
                low, high = (low, min(high, steps)) if coefficient > 0 else (max(low, -steps), high)
        return iter(range(low, high + 1))
