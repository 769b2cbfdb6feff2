"""Nested Benders decomposition of quantified linear programs over the scenario tree.

Stage by stage, ``exists`` sets his variables by a small linear program that knows the later stages by cuts
(:mod:`zermelo.qip.decomposition.cuts`). The first stage's optimum is a bound of the value. Then the choices of
``forall`` are walked through, depth first: a stage that must exceed the bound gives its predecessor a cut, which
decides anew. Once every line of play keeps to the bound, it is the value.

Two things keep the walk short. A node only has to keep to the bound, not to be solved to its own optimum, and one
choice that exceeds it ends the node: the window of alpha-beta search, of width zero at the bound. And a policy that
worked once knows how much slack it needs (:mod:`zermelo.qip.proofs.exists_plan`): it serves every node with that much
slack, which is then not explored.

It runs twice. In floating point, first with a wide gap above the bound and then with ever smaller ones, so that both
bounds of the value are known early. Then exactly, with the cuts that were of use, found again in rational arithmetic at
the nodes where they were made: the bound is then proved by multipliers of rows and the policy holds exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from zermelo.qip.decomposition.cuts import Cut, Ledger, Node
from zermelo.qip.decomposition.linear_policy import Writer
from zermelo.qip.decomposition.stage_program import ExactStage, FloatStage, Part, Solution, StageLp, StalledError
from zermelo.qip.decomposition.stages import Amount, stages_of
from zermelo.qip.exact_lp.mip import Meter, Number
from zermelo.qip.programs.scenarios import Choices, State, Tree
from zermelo.qip.proofs.exists_plan import Frame, Plan, lifted

GAPS = (0.1, 0.01, 1e-3, 1e-5, 0.0)
"""Gaps above the bound, relative to it, with which floating point looks for policies."""
EPSILON = 1e-7
"""What floating point does not tell apart."""
_KILLERS = 6
_PLANS = 256
"""Policies from one stage on that are kept for reuse."""


@dataclass(frozen=True)
class Outcome:
    """How a walk ended: a ``plan`` that keeps to ``bound`` (the right side of row 0; ``None`` without an objective), or
    no plan. ``parts`` are the multipliers at the root that prove the bound, or that there is none."""

    root: Node
    plan: Plan | None
    bound: Amount | None
    parts: list[Part]


@dataclass
class _Visit:
    """A node on the way from the root: what its stage decides and which choices of ``forall`` are won with it."""

    node: Node
    solution: Solution | None = None
    before: Solution | None = None
    slack: list[Amount] = field(default_factory=list)
    values: dict[int, Amount] = field(default_factory=dict)
    pending: Iterator[_Visit] = field(default_factory=lambda: iter(()))
    current: Choices = ()
    plans: dict[Choices, Plan] = field(default_factory=dict)


class _Pool:
    """Policies by the slack that they need: looked for in floating point, and then exactly if asked for."""

    def __init__(self, rows: int) -> None:
        self._matrix = np.zeros((_PLANS, rows))
        self._needs: list[tuple[list[Number | float], Plan]] = []
        self._next = 0

    def add(self, need: list[Number | float], plan: Plan) -> None:
        if len(self._needs) < _PLANS:
            self._needs.append((need, plan))
        else:
            self._needs[self._next] = (need, plan)
        self._matrix[self._next] = [float(amount) for amount in need]
        self._next = (self._next + 1) % _PLANS

    def find(self, slack: Sequence[Amount], exact: bool) -> Plan | None:
        left = np.array([float(amount) for amount in slack])
        left += EPSILON * np.maximum(1.0, abs(left))
        fits = np.flatnonzero((self._matrix[: len(self._needs)] <= left).all(axis=1))
        for place in reversed(fits.tolist()):
            need, plan = self._needs[place]
            if not exact or all(asked <= amount for asked, amount in zip(need, slack, strict=True)):
                return plan
        return None


class Walk:
    """The walk over the scenario tree with one kind of numbers."""

    def __init__(self, ledger: Ledger, programs: Sequence[StageLp], tolerance: Amount, meter: Meter) -> None:
        self.ledger, self.programs, self.tolerance, self.meter = ledger, programs, tolerance, meter
        self.writer = Writer(ledger.of, ledger.tree)
        self.deepest = 0
        self._pools: dict[tuple[int, State], _Pool] = {}
        self._killers: list[list[Choices]] = [[] for _ in programs]
        self._limit: Amount | None = None

    def start(self) -> Node:
        """The root."""
        of = self.ledger.of
        slack = [self.ledger.zero, *(self.ledger.zero + right for right in of.right[1:])]
        return Node(0, (), self.ledger.tree.state_after(()), slack, {})

    def run(self, gap: Callable[[Amount], Amount], bound_seen: Callable[[Amount], None]) -> Outcome:
        """Walks until all lines of play keep to the first stage's bound plus a gap."""
        root = self.start()
        visits = [_Visit(root)]
        while True:
            visit = visits[-1]
            self.deepest = max(self.deepest, len(visits))
            if visit.solution is None:
                self.meter.call()
                solution = self._solved(visit, len(visits) == 1)
                if len(visits) == 1:
                    if solution.values is None:
                        return Outcome(root, None, None, solution.parts)
                    if solution.bound is not None:
                        self._limit = solution.bound + gap(solution.bound)
                        bound_seen(solution.bound)
                elif solution.values is None or self._exceeds(solution.bound):
                    visits.pop()
                    self._cut(visits[-1], self.ledger.made(visit.node, solution.parts))
                    continue
                self._decide(visit, solution)
            child = next(visit.pending, None)
            if child is not None:
                visits.append(child)
                continue
            plan = self._won(visit)
            visits.pop()
            if not visits:
                assert visit.solution is not None
                return Outcome(root, plan, visit.solution.bound, visit.solution.parts)
            visits[-1].plans[visits[-1].current] = plan

    def _solved(self, visit: _Visit, first: bool) -> Solution:
        program = self.programs[visit.node.stage]
        if not first and (self._limit is not None or not self.ledger.of.rows[0]):
            values = program.decide(visit.node, self._limit if self._limit is not None else self.ledger.zero)
            if values is not None and (visit.before is None or values != visit.before.values):
                return Solution(values, None, [])
        return program.solve(visit.node)

    def _exceeds(self, bound: Amount | None) -> bool:
        return bound is not None and (self._limit is None or bound > self._limit + self.tolerance)

    def _cut(self, visit: _Visit, cut: Cut) -> None:
        """A later stage refuses what a node has decided."""
        self.programs[visit.node.stage].add(cut)
        killers = self._killers[visit.node.stage]
        if visit.current in killers:
            killers.remove(visit.current)
        killers.insert(0, visit.current)
        del killers[_KILLERS:]
        visit.before, visit.solution = visit.solution, None

    def _decide(self, visit: _Visit, solution: Solution) -> None:
        assert solution.values is not None
        node, stage = visit.node, self.ledger.stages[visit.node.stage]
        if self.tolerance and visit.before is not None and _same(visit.before, solution):
            raise StalledError("a cut does not change the decision")
        visit.solution = solution
        visit.plans = {}
        visit.values = {**node.values, **dict(zip(stage.variables, solution.values, strict=True))}
        visit.slack = self._after(node.slack, stage.variables, solution.values)
        if node.stage + 1 < len(self.ledger.stages):
            visit.pending = self._children(visit)

    def _after(self, slack: Sequence[Amount], variables: Sequence[int], values: Sequence[Amount]) -> list[Amount]:
        left = list(slack)
        for number, value in zip(variables, values, strict=True):
            if value:
                for row, coefficient in self.ledger.of.in_rows[number]:
                    left[row] -= coefficient * value
        return left

    def _children(self, visit: _Visit) -> Iterator[_Visit]:
        """The nodes of the next stage that are to be explored, those first that were too much lately.

        Where a policy is known for some choices, or for whatever follows the first of them, it is noted on the way.
        """
        node, tree = visit.node, self.ledger.tree
        first, end = self.ledger.stages[node.stage].level, self.ledger.stages[node.stage + 1].level
        early = list[Choices]()
        for choices in list(self._killers[node.stage]):
            state: State | None = node.state
            for level, value in enumerate(choices, first):
                state = None if state is None else tree.after(level, state, value)
            if state is not None:
                early.append(choices)
                yield from self._explored(visit, choices, state, self._slack_after(visit.slack, first, choices))
        pending: list[tuple[Choices, State, list[Amount]]] = [((), node.state, visit.slack)]
        while pending:
            choices, after, slack = pending.pop()
            level = first + len(choices)
            if level == end:
                if choices not in early:
                    yield from self._explored(visit, choices, after, slack)
                continue
            plan = self._known(node.stage + 1, after, slack, level) if not tree.rows else None
            if plan is not None:
                visit.plans[choices] = plan
                for choice in early:
                    if choice[: len(choices)] == choices:
                        del visit.plans[choice]
                continue
            for value in reversed(tree.values[level]):
                reached = tree.after(level, after, value)
                if reached is not None:
                    pending.append(((*choices, value), reached, self._slack_after(slack, level, (value,))))

    def _explored(self, visit: _Visit, choices: Choices, state: State, slack: list[Amount]) -> Iterator[_Visit]:
        node = visit.node
        plan = self._known(node.stage + 1, state, slack, self.ledger.stages[node.stage + 1].level)
        if plan is None:
            visit.current = choices
            yield _Visit(Node(node.stage + 1, (*node.choices, *choices), state, slack, visit.values))
        else:
            visit.plans[choices] = plan

    def _slack_after(self, slack: Sequence[Amount], level: int, choices: Choices) -> list[Amount]:
        universals = self.ledger.tree.universals[level : level + len(choices)]
        return self._after(slack, universals, [self.ledger.zero + value for value in choices])

    def _known(self, stage: int, state: State, slack: Sequence[Amount], level: int) -> Plan | None:
        """A policy that works whatever ``forall`` chooses from a level on up to the stage."""
        pool = self._pools.get((stage, state))
        objective = bool(self.ledger.of.rows[0])
        if pool is None or (objective and self._limit is None):
            return None
        left = list(slack)
        if objective:
            left[0] += self._limit
        for at in range(level, self.ledger.stages[stage].level):
            number = self.ledger.tree.universals[at]
            for row, coefficient in self.ledger.of.in_rows[number]:
                left[row] -= self.ledger.of.most(number, coefficient)
        return pool.find(left, exact=not self.tolerance)

    def _won(self, visit: _Visit) -> Plan:
        node, stages = visit.node, self.ledger.stages
        stage = stages[node.stage]
        assert visit.solution is not None and visit.solution.values is not None
        if node.stage + 1 < len(stages):
            levels = range(stage.level, stages[node.stage + 1].level)
            then = self.writer.branch(levels, node.state, visit.plans)
        else:
            then = self.writer.tail(stage.level, node.state)
        plan = self.writer.choose(stage.variables, visit.solution.values, then)
        pool = self._pools.setdefault((node.stage, node.state), _Pool(len(self.ledger.of.rows)))
        begin = self.ledger.tree.universals[stage.level - 1] + 1 if stage.level else 0
        pool.add(lifted(self.ledger.of, plan, begin)[0], plan)
        return plan


def _same(one: Solution, other: Solution) -> bool:
    assert one.values is not None and other.values is not None
    still = all(abs(a - b) <= 1e-10 for a, b in zip(one.values, other.values, strict=True))
    if one.bound is None or other.bound is None:
        return still and one.bound is other.bound
    return still and abs(one.bound - other.bound) <= 1e-12 * max(1.0, abs(float(one.bound)))


@dataclass
class Decomposition:
    """Both walks over one program, and how far they are: bounds of the right side of row 0 in floating point.

    >>> from zermelo.limits import Limits
    >>> from zermelo.qip.proofs.exists_plan import frame
    >>> from zermelo.qip.programs.program import Objective, Program, Row, Variable, terms
    >>> from zermelo.qip.programs.scenarios import scenario_tree
    >>> u, y = Variable("u", "forall"), Variable("y", upper=Fraction(2), integer=False)
    >>> row = Row(terms({0: 1, 1: 2}), ">=", Fraction(3))
    >>> program = Program((u, y), (row,), Objective("min", terms({1: 1})))
    >>> parts = Decomposition(frame(program), scenario_tree(program), Meter(Limits(), lambda calls: None))
    >>> outcome = parts.solve()
    >>> outcome.bound, outcome.plan.values
    (Fraction(3, 2), (Fraction(3, 2),))
    """

    of: Frame
    tree: Tree
    meter: Meter
    lower: float = float("-inf")
    upper: float = float("inf")
    proved: Fraction | None = None
    """An exact lower bound."""

    def __post_init__(self) -> None:
        self.stages = stages_of(self.of, self.tree)
        goal = [index for index, stage in enumerate(self.stages) for row in stage.rows if row.number == 0]
        self.goal = goal[0] if goal else -1
        """The stage that the objective belongs to; later ones only have to keep rows."""
        self.ledger = Ledger(self.of, self.tree, self.stages, Fraction(0))
        self.stats: dict[str, int | float | str] = {"stages": len(self.stages)}

    def solve(self) -> Outcome:
        """The exact outcome."""
        seeds = self._in_floating_point()
        programs = [ExactStage(self.ledger, n, n <= self.goal, self.meter.look) for n in range(len(self.stages))]
        self._seed(programs, seeds)

        def seen(bound: Fraction) -> None:
            self.proved = bound

        walk = Walk(self.ledger, programs, Fraction(0), self.meter)
        outcome = walk.run(lambda bound: Fraction(0), seen)
        self.stats["exact cuts"] = sum(len(program.cuts) for program in programs)
        return outcome

    def _in_floating_point(self) -> list[Cut]:
        """The cuts that were of use."""
        ledger = Ledger(self.of, self.tree, self.stages, 0.0)
        programs = [FloatStage(ledger, n, n <= self.goal) for n in range(len(self.stages))]
        walk = Walk(ledger, programs, EPSILON, self.meter)

        def seen(bound: float) -> None:
            self.lower = max(self.lower, bound)

        try:
            for share in GAPS:
                for program in programs:
                    for cut in program.cuts:
                        cut.used = 0
                outcome = walk.run(_relative(share), seen)
                if outcome.plan is None or outcome.bound is None:
                    break
                self.upper = min(self.upper, float(outcome.plan.need[0]))
                if self.upper - self.lower <= EPSILON * max(1.0, abs(self.lower)):
                    break
        except (StalledError, OverflowError) as error:
            self.stats["stalled"] = str(error)
        self.stats["cuts"] = sum(len(program.cuts) for program in programs)
        return _with_parts([cut for program in programs for cut in program.cuts if cut.used])

    def _seed(self, programs: Sequence[ExactStage], seeds: Sequence[Cut]) -> None:
        """Finds cuts again exactly, where they were made: those of later stages first, since others rest on them."""
        known = set[tuple[object, ...]]()
        for cut in sorted(seeds, key=lambda cut: -cut.stage):
            self.meter.call()
            node = self._exact_node(cut.made_at)
            solution = programs[cut.stage].solve(node)
            if solution.values is not None and solution.bound is None:
                continue
            made = self.ledger.made(node, solution.parts)
            key = (made.stage, made.weight, made.constant, *sorted(made.variables.items()), *made.levels.items())
            if key not in known:
                known.add(key)
                programs[cut.stage - 1].add(made)

    def _exact_node(self, node: Node) -> Node:
        values = {number: Fraction(value) for number, value in node.values.items()}
        slack = [Fraction(0), *(Fraction(right) for right in self.of.right[1:])]
        for number, value in (*values.items(), *zip(self.tree.universals, node.choices, strict=False)):
            for row, coefficient in self.of.in_rows[number]:
                slack[row] -= coefficient * value
        return Node(node.stage, node.choices, node.state, slack, values)


def _relative(share: float) -> Callable[[float], float]:
    return lambda bound: share * max(1.0, abs(bound))


def _with_parts(cuts: Sequence[Cut]) -> list[Cut]:
    """Cuts, and those that they are made of."""
    found: dict[int, Cut] = {}
    pending = list(cuts)
    while pending:
        cut = pending.pop()
        if id(cut) not in found:
            found[id(cut)] = cut
            pending += [part for part, _ in cut.parts if isinstance(part, Cut)]
    return list(found.values())
