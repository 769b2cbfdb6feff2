"""Play by scenario refinement: who wins from a position on, and how.

See :mod:`zermelo.qip.solvers.cegar` for the engine that this is the inner part of.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from zermelo.errors import InputError, LimitReachedError, NotApplicableError
from zermelo.qip.exact_lp.mip import Meter, Number, NumericalError, solve_mip
from zermelo.qip.programs.program import Program
from zermelo.qip.programs.scenarios import State, Tree, scenario_tree
from zermelo.qip.proofs.exists_plan import Frame, Plan, Slacks, branched, chosen, end_plan, frame
from zermelo.qip.solvers.expansion import Choices, Expansion
from zermelo.qip.solvers.plan_pool import Losses, Pool


@dataclass(frozen=True)
class Loss:
    """``exists`` cannot win: these lines of play of ``forall``, from the position on, leave him no way."""

    scenarios: tuple[Choices, ...]


Result = Plan | Loss
Step = Generator["Step", Result, Result]
"""A part of the search: yields other parts and is sent their results, so that nothing recurses on the input."""


def run_steps(step: Step) -> Result:
    """Runs a part of the search to its result.

    >>> def leaf():
    ...     return Loss(((1,),))
    ...     yield
    >>> def root():
    ...     result = yield leaf()
    ...     return Loss(((0, *result.scenarios[0]),))
    >>> run_steps(root())
    Loss(scenarios=((0, 1),))
    """
    stack = [step]
    result: Result | None = None
    while True:
        try:
            following = next(stack[-1]) if result is None else stack[-1].send(result)
        except StopIteration as stop:
            stack.pop()
            result = cast("Result", stop.value)
            if not stack:
                return result
        else:
            stack.append(following)
            result = None


@dataclass(frozen=True)
class Position:
    """Where the play stands: the slack that rows have left, and what ``forall`` may still choose.

    ``state`` is ``None`` where he can no longer keep his own rows.
    """

    slack: Slacks
    own: Slacks
    state: State | None
    level: int


def _tree(of: Frame) -> Tree:
    """The choices of ``forall``; refuses what the engines over scenarios cannot take."""
    for number, variable in enumerate(of.program.variables):
        low, high = of.lower[number], of.upper[number]
        if variable.integer and (low is None or high is None):
            raise NotApplicableError(f"the integer variable {variable.name} has no bounds")
        if low is not None and high is not None and low > high:
            raise InputError(f"the variable {variable.name} has no value within its bounds")
    try:
        return scenario_tree(of.program)
    except LimitReachedError as limit:
        raise NotApplicableError(str(limit)) from None


class Search:
    """The play under way."""

    def __init__(self, program: Program, meter: Meter) -> None:
        self.of: Frame = frame(program)
        self.tree: Tree = _tree(self.of)
        self.meter = meter
        self.pools: dict[int, Pool] = {}
        self.pool(self.of.size).add(end_plan(self.of))
        self.losses = [Losses(self.of, block.first) for block in self.of.blocks]
        self.refuted: dict[int, list[Choices]] = {}
        self.values = [self._values(level) for level in range(len(self.tree.universals))]
        self.hardest = [self._hardest(level) for level in range(len(self.tree.universals))]
        self.programs = self.largest = 0

    def pool(self, at: int) -> Pool:
        """The plans that begin at a variable."""
        if at not in self.pools:
            self.pools[at] = Pool(self.of, at)
        return self.pools[at]

    def _values(self, level: int) -> tuple[Number, ...]:
        variable = self.tree.universals[level]
        low, high = self.of.lower[variable], self.of.upper[variable]
        assert low is not None
        assert high is not None
        if self.tree.ends[level]:
            return (low,) if low == high else (low, high)
        return tuple(range(int(low), int(high) + 1))

    def _hardest(self, level: int) -> tuple[Number, ...]:
        """The values of a universal variable, those first that take the most slack, each row by its largest term."""
        taken = Fraction(0)
        for row, coefficient in self.of.in_rows[self.tree.universals[level]]:
            taken += Fraction(coefficient, max(abs(c) for _, c in self.of.rows[row]))
        return self.values[level] if taken < 0 else self.values[level][::-1]

    def start(self, asked: Number) -> Position:
        """The start, with the right side of row 0."""
        (state,) = self.tree.layers[0]
        return Position([asked, *self.of.right[1:]], list(self.of.uncertainty_right), state, 0)

    def after(self, position: Position, variable: int, value: Number) -> Position:
        """The position after a variable was set."""
        slack = list(position.slack)
        for row, coefficient in self.of.in_rows[variable]:
            slack[row] -= coefficient * value
        if self.of.exists(variable):
            return Position(slack, position.own, position.state, position.level)
        own, state = list(position.own), position.state
        for row, coefficient in self.of.in_uncertainty[variable]:
            own[row] -= coefficient * value
        if state is not None:
            state = self.tree.after(position.level, state, Fraction(value))
        return Position(slack, own, state, position.level + 1)

    def some_line(self, position: Position) -> Choices:
        """Legal choices from a position on, such as leave the rows little slack."""
        state, made = position.state, list[Number]()
        assert state is not None
        for level in range(position.level, len(self.tree.universals)):
            for value in self.hardest[level]:
                following = self.tree.after(level, state, Fraction(value))
                if following is not None:
                    made.append(value)
                    state = following
                    break
        return tuple(made)

    def is_legal(self, position: Position, line: Choices) -> bool:
        """Whether choices from a position on keep the rows of ``forall``."""
        state = position.state
        for level, value in enumerate(line, position.level):
            if state is None:
                return False
            state = self.tree.after(level, state, Fraction(value))
        return state is not None

    def play(self, block: int, position: Position) -> Step:
        """Who wins from a block on: a plan of ``exists``, or lines of play that refute every plan."""
        self.meter.look()
        if block == len(self.of.blocks):
            plan = self.pool(self.of.size).working(position.slack, position.own)
            return plan if plan is not None else Loss(((),))
        losses = self.losses[block]
        for lines in losses.against(position.slack):
            if all(self.is_legal(position, line) for line in lines):
                return Loss(lines)
        if self.of.blocks[block].quantifier == "exists":
            result = yield self.choose(block, position)
        else:
            result = yield self.cover(block, self.of.blocks[block].first, position)
        if isinstance(result, Loss):
            losses.add(position.slack, result.scenarios)
        return result

    def choose(self, block: int, position: Position) -> Step:
        """A block of ``exists``."""
        begin = self.of.blocks[block].first
        expansion = Expansion(self.of, begin, position.slack)
        for line in self.refuted.get(block, [])[-2:]:
            if self.is_legal(position, line):
                expansion.add(line)
        if not expansion.scenarios:
            expansion.add(self.some_line(position))
        tried = set[Choices]()
        while True:
            values = self.solved(expansion)
            if values is None:
                return Loss(tuple(expansion.scenarios))
            move = expansion.move(values)
            if move in tried:
                raise NumericalError("HiGHS contradicts itself on whether a move can be refuted")
            tried.add(move)
            result = yield self.answered(block, position, move)
            if isinstance(result, Plan):
                return chosen(self.of, begin, move, result)
            for line in result.scenarios:
                expansion.add(line)
            self.remember(block, result.scenarios)

    def remember(self, block: int, lines: Sequence[Choices]) -> None:
        """Keeps lines that refuted a move of a block, the latest last."""
        known = self.refuted.setdefault(block, [])
        for line in lines:
            if line in known:
                known.remove(line)
            known.append(line)

    def answered(self, block: int, position: Position, move: Choices) -> Step:
        """The blocks after a move of ``exists``."""
        for variable, value in enumerate(move, self.of.blocks[block].first):
            position = self.after(position, variable, value)
        result = yield self.play(block + 1, position)
        return result

    def solved(self, expansion: Expansion, gap: float = 0.0) -> tuple[Number, ...] | None:
        """Values that win all scenarios of an expansion."""
        self.programs += 1
        self.largest = max(self.largest, len(expansion.rows))
        rows, cost = expansion.stated()
        values = solve_mip(expansion.columns, rows, cost, self.meter, gap=gap).values
        return None if values is None else expansion.with_cost(values)

    def cover(self, block: int, at: int, position: Position) -> Step:
        """A block of ``forall`` from one of its variables on."""
        self.meter.look()
        end = self.of.blocks[block].end
        for begin in (end, at):
            plan = self.pool(begin).working(position.slack, position.own, at)
            if plan is not None:
                return plan
        if at == end:
            if position.state is None:
                result = yield self.doomed(position)
                return result
            result = yield self.play(block + 1, position)
            if isinstance(result, Plan) and result.at == at:
                self.pool(at).add(result)
            return result
        cases: dict[Number, tuple[Plan | None, int | None]] = {}
        for value in self.ordered(block, at, position):
            broken = self.broken(at, position, value)
            if broken is not None:
                cases[value] = (None, broken)
                continue
            result = yield self.cover(block, at + 1, self.after(position, at, value))
            if isinstance(result, Loss):
                return Loss(tuple((value, *line) for line in result.scenarios))
            cases[value] = (result, None)
        made = branched(self.of, at, ((value, *cases[value]) for value in sorted(cases)))
        self.pool(at).add(made)
        return made

    def ordered(self, block: int, at: int, position: Position) -> Sequence[Number]:
        """The values of a variable of ``forall``, those first that leave ``exists`` the fewest plans."""
        values, pool = self.values[position.level], self.pool(self.of.blocks[block].end)
        if len(values) == 1:
            return values

        def left(value: Number) -> int:
            after = self.after(position, at, value)
            return pool.alive(after.slack, at + 1)

        return sorted(values, key=left)

    def broken(self, at: int, position: Position, value: Number) -> int | None:
        """A row of his own that ``forall`` breaks with a value, whatever he does later."""
        for row, coefficient in self.of.in_uncertainty[at]:
            later = sum(self.of.least(v, c) for v, c in self.of.uncertainty[row] if v > at)
            if position.own[row] - coefficient * value < later:
                return row
        return None

    def doomed(self, position: Position) -> Step:
        """Where ``forall`` will break a row of his own, whatever he does: each line until one row shows it."""
        variable = self.tree.universals[position.level]
        cases: list[tuple[Number, Plan | None, int | None]] = []
        for value in self.values[position.level]:
            broken = self.broken(variable, position, value)
            plan: Plan | None = None
            if broken is None:
                result = yield self.doomed(self.after(position, variable, value))
                assert isinstance(result, Plan)
                plan = result
            cases.append((value, plan, broken))
        return branched(self.of, variable, cases)
