"""Can ``forall`` keep his own rows? A program in which he cannot is no game, and whatever is claimed of it is void.

His rows hold integers between bounds. Variables that no row connects are independent, so each connected part is decided
by itself: values are tried depth first, only those that leave every row as much as the later variables take at the
least. What rows had left where nothing worked is remembered; more than the most that can be taken counts as that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import floor, gcd, lcm

from zermelo.check.quantified import AtMost, Number, QuantifiedProgram
from zermelo.limits import Limits, step_watch

OFTEN = 1024
"""Values tried between two looks at the limits."""


def can_be_kept(program: QuantifiedProgram, limits: Limits) -> bool:
    """Whether some values of the universal variables keep all rows of ``forall``; ``LimitReachedError`` at a limit.

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
        self.hopeless = any(row.right < 0 for row in program.own if not row.terms)
        self.parts = [_Part(program, rows) for rows in _connected([row for row in program.own if row.terms])]

    def left_by(self, values: Sequence[Number], limits: Limits) -> bool:
        """Whether values of the first variables of the program leave a way to keep the rows."""
        return not self.hopeless and all(part.left_by(values, limits) for part in self.parts)


def _connected(rows: Sequence[AtMost]) -> list[list[AtMost]]:
    """The rows in groups that have no variable in common."""
    groups: list[tuple[set[int], list[AtMost]]] = []
    for row in rows:
        held = {variable for variable, _ in row.terms}
        joined, members = set(held), [row]
        apart = []
        for variables, others in groups:
            if variables & held:
                joined |= variables
                members = others + members
            else:
                apart.append((variables, others))
        groups = [*apart, (joined, members)]
    return [members for _, members in groups]


class _Part:
    """Rows that are connected, with whole coefficients that have no common divisor and whole right sides."""

    def __init__(self, program: QuantifiedProgram, rows: Sequence[AtMost]) -> None:
        self.rows: list[tuple[dict[int, int], int]] = []
        for row in rows:
            whole = lcm(*(c.denominator for _, c in row.terms))
            scale = Fraction(whole, gcd(*(int(c * whole) for _, c in row.terms)))
            self.rows.append(({v: int(c * scale) for v, c in row.terms}, floor(row.right * scale)))
        self.held = sorted({variable for form, _ in self.rows for variable in form})
        self.box = {n: (int(program.variables[n].lower or 0), int(program.variables[n].upper or 0)) for n in self.held}
        self.least = self.from_the_end(upper=False)
        """What the variables from each place on take of each row at the least."""
        self.most = self.from_the_end(upper=True)

    def from_the_end(self, *, upper: bool) -> list[list[int]]:
        taken = [[0] * len(self.rows)]
        for variable in reversed(self.held):
            coefficients = [form.get(variable, 0) for form, _ in self.rows]
            here = [c * self.box[variable][(c > 0) == upper] for c in coefficients]
            taken.append([a + b for a, b in zip(taken[-1], here, strict=True)])
        return taken[::-1]

    def left_by(self, values: Sequence[Number], limits: Limits) -> bool:
        """Whether values of the first variables of the program leave a way to keep these rows."""
        step = step_watch(limits, OFTEN)
        first = sum(variable < len(values) for variable in self.held)
        left = [right - sum(c * values[v] for v, c in form.items() if v < len(values)) for form, right in self.rows]
        if not self.fits(left, first):
            return False
        dead: set[tuple[int, tuple[Number, ...]]] = set()
        earlier, tries = [left], [self.values(left, first)]
        while tries:
            place = first + len(tries) - 1
            if place == len(self.held):
                return True
            step()
            value = next(tries[-1], None)
            if value is None:
                dead.add(self.state(earlier.pop(), place))
                tries.pop()
                continue
            variable = self.held[place]
            left = [
                have - form.get(variable, 0) * value for have, (form, _) in zip(earlier[-1], self.rows, strict=True)
            ]
            if self.fits(left, place + 1) and self.state(left, place + 1) not in dead:
                earlier.append(left)
                tries.append(self.values(left, place + 1))
        return False

    def fits(self, left: Sequence[Number], place: int) -> bool:
        return all(have >= least for have, least in zip(left, self.least[place], strict=True))

    def state(self, left: Sequence[Number], place: int) -> tuple[int, tuple[Number, ...]]:
        return place, tuple(min(have, most) for have, most in zip(left, self.most[place], strict=True))

    def values(self, left: Sequence[Number], place: int) -> Iterator[int]:
        """The values of the next variable for which no row has too little left, the end with the most slack first."""
        if place == len(self.held):
            return iter(())
        variable = self.held[place]
        low, high = self.box[variable]
        tightest, upwards = None, True
        for have, least, (form, _) in zip(left, self.least[place + 1], self.rows, strict=True):
            coefficient = form.get(variable, 0)
            if not coefficient:
                continue
            slack = Fraction(have - least) / abs(coefficient)
            if coefficient > 0:
                high = min(high, floor(slack))
            else:
                low = max(low, -floor(slack))
            if tightest is None or slack < tightest:
                tightest, upwards = slack, coefficient > 0
        return iter(range(low, high + 1) if upwards else range(high, low - 1, -1))
