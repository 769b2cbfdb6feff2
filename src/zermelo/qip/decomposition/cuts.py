"""Cuts of nested decomposition: what later stages ask of the variables that are set before them.

The prices of a stage's linear program bound its value from below for all right sides, since these are not in the dual
program at all. In a quantified linear program earlier variables and universal ones move right sides only. So the cut
that one line of play gives holds for every line: it is a linear form in earlier variables *and* earlier choices, and
the stage before takes it at the worst of the choices between (Benders 1962; Birge, Decomposition and partitioning
methods for multistage stochastic linear programs, 1985; for the worst case in place of the mean Georghiou, Tsoukalas
and Wiesemann, Robust dual dynamic programming, 2019).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm

from zermelo.qip.decomposition.stages import Amount, Stage, StageRow, worst_choices
from zermelo.qip.exact_lp.mip import Number
from zermelo.qip.programs.scenarios import Choices, State, Tree
from zermelo.qip.proofs.exists_plan import Frame

SHARE = 0.1
"""How much of their interval earlier variables are taken to use, when nodes are compared."""
BOX = 10**6
"""Stands for a missing bound while cuts are looked for."""


@dataclass(frozen=True)
class Node:
    """Where a stage begins: the choices of ``forall``, the slack of his rows, that of all rows, and what was set."""

    stage: int
    choices: Choices
    state: State
    slack: list[Amount]
    values: dict[int, Amount]


@dataclass(eq=False)
class Cut:
    """``weight`` times the objective is at least ``constant``, plus ``variables`` times their values, plus ``levels``
    times choices, plus what depends on the slack of the rows of ``forall``. Without weight, that sum is at most 0.

    ``parts`` are the rows and cuts of the stage that made it, times their multipliers.
    """

    stage: int
    weight: Amount
    constant: Amount
    variables: dict[int, Amount]
    levels: dict[int, Amount]
    parts: list[tuple[StageRow | Cut, Amount]]
    made_at: Node
    used: int = 0
    peaks: dict[State, tuple[Amount, Choices]] = field(default_factory=dict)


class Ledger:
    """Makes cuts and says what they ask for, in floating point or exactly: ``zero`` says which."""

    def __init__(self, of: Frame, tree: Tree, stages: Sequence[Stage], zero: Amount) -> None:
        self.of, self.tree, self.stages, self.zero = of, tree, stages, zero
        self._later: dict[tuple[int, State], tuple[Amount, Choices]] = {}

    def bounds(self, number: int) -> tuple[Number, Number]:
        """The bounds of a variable, far away ones where it has none."""
        low, high = self.of.lower[number], self.of.upper[number]
        if low is None:
            low = -BOX if high is None else min(-BOX, high - BOX)
        return low, max(BOX, low + BOX) if high is None else high

    def later(self, row: StageRow, level: int, state: State) -> tuple[Amount, Choices]:
        """The most that later choices add to a row that has ended, and these choices."""
        key = (row.number, state)
        if key not in self._later:
            weights = {at: self.zero + coefficient for at, coefficient in row.later.items()}
            levels = range(level, len(self.tree.universals))
            self._later[key] = worst_choices(self.tree, levels, state, weights, lambda _: self.zero)
        return self._later[key]

    def right(self, row: StageRow, node: Node) -> Amount:
        """What a row leaves to the variables of its stage."""
        left = node.slack[row.number] - row.swept
        return left - self.later(row, self.stages[node.stage].level, node.state)[0] if row.later else left

    def peak(self, cut: Cut, state: State) -> tuple[Amount, Choices]:
        """The most that the choices just before its stage add to a cut, and these choices."""
        if state not in cut.peaks:
            levels = range(self.stages[cut.stage - 1].level, self.stages[cut.stage].level)
            cut.peaks[state] = worst_choices(
                self.tree, levels, state, cut.levels, lambda after: self._future(cut, after)
            )
        return cut.peaks[state]

    def _future(self, cut: Cut, state: State) -> Amount:
        total = self.zero
        for part, multiplier in cut.parts:
            if isinstance(part, Cut):
                total += multiplier * self.peak(part, state)[0]
            elif part.later:
                total += multiplier * self.later(part, self.stages[cut.stage].level, state)[0]
        return total

    def made(self, node: Node, parts: list[tuple[StageRow | Cut, Amount]]) -> Cut:
        """The cut that multipliers of a stage's rows and cuts give."""
        stage = self.stages[node.stage]
        own = {number: place for place, number in enumerate(stage.variables)}
        level_of = {number: level for level, number in enumerate(self.tree.universals)}
        weight = constant = self.zero
        variables, levels, reduced = dict[int, Amount](), dict[int, Amount](), dict[int, Amount]()

        def add(into: dict[int, Amount], key: int, amount: Amount) -> None:
            into[key] = into.get(key, self.zero) + amount

        for part, multiplier in parts:
            if isinstance(part, Cut):
                weight += multiplier * part.weight
                constant += multiplier * part.constant
                for number, coefficient in part.variables.items():
                    add(reduced if number in own else variables, number, multiplier * coefficient)
                for level, coefficient in part.levels.items():
                    if level < stage.level:
                        add(levels, level, multiplier * coefficient)
                continue
            if part.number == 0:
                weight += multiplier
            constant += multiplier * (part.swept - (self.of.right[part.number] if part.number else 0))
            for number, whole in self.of.rows[part.number]:
                if number in own:
                    add(reduced, number, multiplier * whole)
                elif self.of.exists(number):
                    add(variables, number, multiplier * whole)
                elif level_of[number] < stage.level:
                    add(levels, level_of[number], multiplier * whole)
        for number, coefficient in reduced.items():
            low, high = self.bounds(number)
            constant += coefficient * (low if coefficient > 0 else high)
        return self._scaled(Cut(node.stage, weight, constant, variables, levels, parts, node))

    def differs(self, part: StageRow | Cut, stage: Stage) -> float:
        """How much the slack of a row or a cut differs between the nodes of a stage, roughly."""
        level_of = {number: level for level, number in enumerate(self.tree.universals)}
        choices, variables = dict[int, Amount](), dict[int, Amount]()
        if isinstance(part, Cut):
            choices, variables = part.levels, part.variables
        else:
            for number, coefficient in self.of.rows[part.number]:
                (variables if self.of.exists(number) else choices)[level_of.get(number, number)] = coefficient
        total = 0.0
        for level, coefficient in choices.items():
            if level < stage.level:
                total += abs(float(coefficient)) * float(self.tree.values[level][-1] - self.tree.values[level][0])
        for number, coefficient in variables.items():
            if number not in stage.variables:
                low, high = self.bounds(number)
                total += SHARE * abs(float(coefficient)) * float(high - low)
        return total

    def _scaled(self, cut: Cut) -> Cut:
        """The same cut with coefficients of moderate size."""
        numbers = [number for number in (cut.weight, *cut.variables.values(), *cut.levels.values()) if number]
        if not numbers:
            return cut
        factor = _factor(numbers)
        if factor == 1:
            return cut
        cut.weight *= factor
        cut.constant *= factor
        for table in (cut.variables, cut.levels):
            for key in table:
                table[key] *= factor
        cut.parts = [(part, multiplier * factor) for part, multiplier in cut.parts]
        return cut


def _factor(numbers: Sequence[Amount]) -> Amount:
    """Makes fractions whole numbers without a common divisor; makes the largest of other numbers 1."""
    first = numbers[0]
    if isinstance(first, Fraction):
        exact = [Fraction(number) for number in numbers]
        return Fraction(lcm(*(n.denominator for n in exact)), gcd(*(n.numerator for n in exact)))
    return 1.0 / max(abs(number) for number in numbers)


def unrolled(
    ledger: Ledger, node: Node, parts: Sequence[tuple[StageRow | Cut, Fraction]], check: Callable[[], None]
) -> dict[Choices, dict[int, Fraction]]:
    """Multipliers of the rows by lines of play that a combination of rows and cuts at the start stands for.

    A cut is taken at its worst choices; its parts go on from there. ``check`` is called now and then and may raise.
    """
    found: dict[Choices, dict[int, Fraction]] = {}
    pending = [(node.choices, node.state, part, multiplier) for part, multiplier in parts]
    for index in range(len(ledger.stages)):
        level = ledger.stages[index].level
        following: dict[tuple[Choices, int], tuple[State, Cut, Fraction]] = {}
        for place, (choices, state, part, multiplier) in enumerate(pending):
            if place % 64 == 0:
                check()
            if isinstance(part, Cut):
                worst = (*choices, *ledger.peak(part, state)[1])
                after = ledger.tree.state_after(worst)
                before = following[worst, id(part)][2] if (worst, id(part)) in following else Fraction(0)
                following[worst, id(part)] = (after, part, before + multiplier)
                continue
            line = _line(ledger, part, level, choices, state)
            rows = found.setdefault(line, {})
            number = part.number if multiplier > 0 else part.number + 1
            rows[number] = rows.get(number, Fraction(0)) + abs(multiplier)
        pending = [
            (worst, after, inner, weight * multiplier)
            for (worst, _), (after, cut, weight) in following.items()
            for inner, multiplier in cut.parts
        ]
    return found


def _line(ledger: Ledger, row: StageRow, level: int, choices: Choices, state: State) -> Choices:
    """A line of play that begins with choices and then is the worst for a row."""
    tree, of = ledger.tree, ledger.of
    line = list((*choices, *ledger.later(row, level, state)[1]) if row.later else tree.some_line(choices))
    weights: Mapping[int, int] = dict(of.rows[row.number])
    for at in range(level, len(line)):
        number = tree.universals[at]
        if number in weights and not tree.bound[at]:
            bound = of.upper[number] if weights[number] > 0 else of.lower[number]
            line[at] = Fraction(bound or 0)
    return tuple(line)
