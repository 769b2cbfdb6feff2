"""The rows that ``forall`` must keep: can values of his variables be completed so that they hold?"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from zermelo.errors import LimitReachedError
from zermelo.limits import Limits
from zermelo.qip.programs.program import Program, normal, tightened

Number = Fraction | int
OFTEN = 1024
"""Values tried between two looks at the limits."""


class Law:
    """The uncertainty of a program, asked again and again in the course of a play.

    >>> from zermelo.qip.programs.program import Row, Variable, terms
    >>> variables = (Variable("u", "forall"), Variable("x"), Variable("v", "forall"))
    >>> law = Law(Program(variables, uncertainty=(Row(terms({0: 1, 2: 1}), "=", Fraction(1)),)))
    >>> law.completion((1,))
    (0,)
    >>> law.allows((1, 0, 1))
    False
    """

    def __init__(self, program: Program) -> None:
        self.program = tightened(program)
        rows = normal(self.program).uncertainty
        scales = [lcm(row.right.denominator, *(c.denominator for _, c in row.terms)) for row in rows]
        self.rows = [
            (tuple((variable, int(c * scale)) for variable, c in row.terms), int(row.right * scale))
            for row, scale in zip(rows, scales, strict=True)
        ]
        held = sorted({variable for form, _ in self.rows for variable, _ in form})
        self.held = held
        """The variables that some row holds."""
        self.values = {n: _domain(self.program, n) for n in held}
        self.columns: dict[int, list[tuple[int, int]]] = {n: [] for n in held}
        for number, (form, _) in enumerate(self.rows):
            for variable, c in form:
                self.columns[variable].append((number, c))
        self.least_after: dict[int, list[int]] = {}
        """For each variable that is held: what it and the later ones add to each row at the least."""
        least = [0] * len(self.rows)
        for variable in reversed(held):
            for number, c in self.columns[variable]:
                values = self.values[variable]
                least[number] += min(c * values[0], c * values[-1])
            self.least_after[variable] = list(least)

    def allows(self, played: Sequence[Number], limits: Limits | None = None) -> bool:
        """Whether values of the first variables leave ``forall`` a way to keep his rows."""
        return not self.rows or self.completion(played, limits) is not None

    def completion(self, played: Sequence[Number], limits: Limits | None = None) -> tuple[int, ...] | None:
        """Values for the later variables that the rows hold, which keep the rows; ``None`` if there are none.

        Depth first; what was found to leave no way is remembered by the slack that was left.
        """
        slack = [right - sum(c * played[n] for n, c in form if n < len(played)) for form, right in self.rows]
        later = [n for n in self.held if n >= len(played)]
        if not self._fits(slack, later, 0):
            return None
        hopeless: set[tuple[int, tuple[Number, ...]]] = set()
        chosen: list[int] = []
        waiting = [iter(self._by_slack(later, 0, slack))] if later else []
        tried = 0
        while len(chosen) < len(later):
            variable = later[len(chosen)]
            value = next(waiting[-1], None)
            tried += 1
            if tried % OFTEN == 0 and limits is not None and limits.expired():
                raise LimitReachedError("the time limit was reached while the universal player's rows were looked at")
            if value is None:
                hopeless.add((len(chosen), tuple(slack)))
                waiting.pop()
                if not chosen:
                    return None
                self._add(slack, later[len(chosen) - 1], chosen.pop())
                continue
            self._add(slack, variable, -value)
            chosen.append(value)
            if self._fits(slack, later, len(chosen)) and (len(chosen), tuple(slack)) not in hopeless:
                if len(chosen) < len(later):
                    waiting.append(iter(self._by_slack(later, len(chosen), slack)))
            else:
                self._add(slack, variable, chosen.pop())
        return tuple(chosen)

    def _by_slack(self, later: Sequence[int], place: int, slack: Sequence[Number]) -> Sequence[int]:
        """The values of a variable, first those that take less from the tightest row."""
        values = self.values[later[place]]
        tightest = min(self.columns[later[place]], key=lambda pair: slack[pair[0]] / abs(pair[1]))
        return values if tightest[1] > 0 else values[::-1]

    def _fits(self, slack: Sequence[Number], later: Sequence[int], place: int) -> bool:
        least = self.least_after[later[place]] if place < len(later) else [0] * len(self.rows)
        return all(have >= need for have, need in zip(slack, least, strict=True))

    def _add(self, slack: list[Number], variable: int, value: int) -> None:
        for number, c in self.columns[variable]:
            slack[number] += c * value


def _domain(program: Program, number: int) -> range:
    variable = program.variables[number]
    assert variable.lower is not None and variable.upper is not None
    return range(int(variable.lower), int(variable.upper) + 1)
