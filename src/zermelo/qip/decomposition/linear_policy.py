"""Policies of ``exists`` in linear programs, from values of the copies of his variables to a plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from zermelo.qip.exact_lp.mip import Number
from zermelo.qip.programs.scenarios import Choices, State, Tree
from zermelo.qip.proofs.exists_plan import Frame, Plan, branched, chosen, end_plan, int_if_whole

Decide = Callable[[int, Choices], Number]
"""The value of an existential variable after choices of ``forall``."""


def depth_of(of: Frame, tree: Tree) -> int:
    """How many choices of ``forall`` a policy has to look at: those before the last existential variable, and of later
    ones those that his own rows make depend on each other.

    >>> from zermelo.qip.proofs.exists_plan import frame
    >>> from zermelo.qip.programs.program import Program, Variable
    >>> from zermelo.qip.programs.scenarios import scenario_tree
    >>> program = Program((Variable("u", "forall"), Variable("y"), Variable("w", "forall")))
    >>> depth_of(frame(program), scenario_tree(program))
    1
    """
    later = [level for level, bound in enumerate(tree.bound) if bound and of.in_rows[tree.universals[level]]]
    return max(before_last(of, tree), later[-1] + 1 if later else 0)


def before_last(of: Frame, tree: Tree) -> int:
    """How many choices ``forall`` makes before the last existential variable.

    >>> from zermelo.qip.proofs.exists_plan import frame
    >>> from zermelo.qip.programs.program import Program, Variable
    >>> from zermelo.qip.programs.scenarios import scenario_tree
    >>> program = Program((Variable("u", "forall"), Variable("y"), Variable("w", "forall")))
    >>> before_last(frame(program), scenario_tree(program))
    1
    """
    last = max((number for number in range(of.size) if of.exists(number)), default=-1)
    return sum(universal < last for universal in tree.universals)


def any_value(of: Frame, number: int) -> Number:
    """Some value within the bounds of a variable.

    >>> from zermelo.qip.proofs.exists_plan import frame
    >>> from zermelo.qip.programs.program import Program, Variable
    >>> any_value(frame(Program((Variable("y", lower=None, upper=Fraction(3), integer=False),))), 0)
    3
    """
    return next((bound for bound in (of.lower[number], of.upper[number]) if bound is not None), 0)


def policy_plan(of: Frame, tree: Tree, decide: Decide) -> Plan:
    """The plan that sets variables as ``decide`` says; equal parts of the tree are one.

    >>> from zermelo.qip.proofs.exists_plan import frame
    >>> from zermelo.qip.programs.program import Program, Row, Variable, terms
    >>> from zermelo.qip.programs.scenarios import scenario_tree
    >>> program = Program((Variable("u", "forall"), Variable("y")), (Row(terms({0: 1, 1: 1}), "=", Fraction(1)),))
    >>> plan = policy_plan(frame(program), scenario_tree(program), lambda variable, choices: 1 - choices[0])
    >>> [(leaf.lower, leaf.plan.values) for leaf in plan.cases]
    [(0, (1,)), (1, (0,))]
    """
    depth = depth_of(of, tree)
    writer = Writer(of, tree)
    below: dict[Choices, Plan] = {}
    for level in range(depth, -1, -1):
        first = tree.universals[level - 1] + 1 if level else 0
        beyond = tree.universals[level] if level < len(tree.universals) else of.size
        here: dict[Choices, Plan] = {}
        for prefix in tree.prefixes(level):
            plan = writer.end
            if level < depth:
                plans: dict[Choices, Plan] = {
                    (value,): below[*prefix, value] for value in tree.values[level] if (*prefix, value) in below
                }
                plan = writer.branch(range(level, level + 1), tree.state_after(prefix), plans)
            values = [int_if_whole(decide(number, prefix)) for number in range(first, beyond)]
            here[prefix] = writer.choose(range(first, beyond), values, plan)
        below = here
    return below[()]


class Writer:
    """Writes plans from below; plans that say the same become one, so that the proof is a graph and not a tree.

    >>> from zermelo.qip.proofs.exists_plan import frame
    >>> from zermelo.qip.programs.program import Program, Row, Variable, terms
    >>> from zermelo.qip.programs.scenarios import scenario_tree
    >>> program = Program((Variable("u", "forall"), Variable("y")), (Row(terms({0: 1, 1: 1}), "<=", Fraction(2)),))
    >>> tree = scenario_tree(program)
    >>> writer = Writer(frame(program), tree)
    >>> plan = writer.choose([1], [1], writer.end)
    >>> writer.choose([1], [1], writer.end) is plan
    True
    >>> writer.branch(range(1), tree.state_after(()), {choices: plan for choices in tree.prefixes(1)}) is plan
    True
    """

    def __init__(self, of: Frame, tree: Tree) -> None:
        self.of, self.tree = of, tree
        self.end = end_plan(of)
        self.depth = depth_of(of, tree)
        self.before = before_last(of, tree)
        self._doomed = Doomed(of, tree)
        self._made: dict[tuple[object, ...], Plan] = {}
        self._tails: dict[tuple[int, State], Plan] = {}

    def _once(self, plan: Plan) -> Plan:
        cases = tuple((leaf.lower, leaf.upper, id(leaf.plan), leaf.breaks) for leaf in plan.cases)
        return self._made.setdefault((plan.at, plan.values, id(plan.then), cases), plan)

    def choose(self, variables: Sequence[int], values: Sequence[Number], then: Plan) -> Plan:
        """Sets variables, in their order; others between them may take any value."""
        plan, end = then, len(variables)
        while end:
            begin = end - 1
            while begin and variables[begin - 1] == variables[begin] - 1:
                begin -= 1
            plan = self._once(chosen(self.of, variables[begin], values[begin:end], plan))
            end = begin
        return plan

    def branch(self, levels: range, state: State, plans: Mapping[Choices, Plan]) -> Plan:
        """A plan for every legal list of choices at some levels; what is not legal breaks a row of ``forall``.

        A plan for a shorter list serves whatever follows; then there is none for a longer one that begins so.
        """
        below: dict[Choices, Plan] = {}
        for level in reversed(levels):
            length = level - levels.start
            here = {choices: plan for choices, plan in plans.items() if len(choices) == length + 1}
            here.update(below)
            below = {}
            for prefix in dict.fromkeys(choices[:length] for choices in here):
                below[prefix] = self._one(level, levels.start, state, prefix, here)
        return plans[()] if () in plans else below[()]

    def _one(self, level: int, start: int, state: State, prefix: Choices, below: Mapping[Choices, Plan]) -> Plan:
        cases: list[tuple[Number, Plan | None, int | None]] = []
        if self.tree.bound[level]:
            for place, value in enumerate(prefix):
                state = self.tree.after(start + place, state, value) or state
        for value in self.tree.values[level]:
            plan = below.get((*prefix, value))
            cases.append((int_if_whole(value), *((plan, None) if plan else self._doomed.after(level, state, value))))
        first = cases[0][1]
        skipped = not self.tree.bound[level] or len(cases) == 1
        if first is not None and skipped and all(plan is first for _, plan, _ in cases):
            return first
        return self._once(branched(self.of, self.tree.universals[level], cases))

    def tail(self, level: int, state: State) -> Plan:
        """What is left when all existential variables are set: later choices that rows of ``forall`` tie together."""
        while level < self.before:
            # Choices between the last variables that have one value only.
            following = self.tree.after(level, state, self.tree.values[level][0])
            assert following is not None
            level, state = level + 1, following
        layers: list[dict[State, None]] = [{state: None}]
        for at in range(level, self.depth):
            reached = (self.tree.after(at, one, value) for one in layers[-1] for value in self.tree.values[at])
            layers.append(dict.fromkeys(found for found in reached if found is not None))
        for at in range(self.depth, level - 1, -1):
            for one in layers[at - level]:
                if (at, one) not in self._tails:
                    self._tails[at, one] = self.end if at >= self.depth else self._tail_at(at, one)
        return self._tails[level, state] if level < self.depth else self.end

    def _tail_at(self, level: int, state: State) -> Plan:
        plans: dict[Choices, Plan] = {}
        for value in self.tree.values[level]:
            after = self.tree.after(level, state, value)
            if after is not None:
                plans[value,] = self._tails[level + 1, after]
        return self.branch(range(level, level + 1), state, plans)


class Doomed:
    """Where ``forall`` will break a row of his own whatever he does: a plan that goes on until one row shows it.

    >>> from zermelo.qip.proofs.exists_plan import frame
    >>> from zermelo.qip.programs.program import Program, Row, Variable, terms
    >>> from zermelo.qip.programs.scenarios import scenario_tree
    >>> a, b = Variable("a", "forall"), Variable("b", "forall")
    >>> own = Row(terms({0: 2, 1: 2}), "<=", Fraction(3)), Row(terms({0: 2, 1: -2}), "<=", Fraction(1))
    >>> program = Program((a, b), (), uncertainty=own)
    >>> tree = scenario_tree(program)
    >>> plan, row = Doomed(frame(program), tree).after(0, tree.state_after(()), Fraction(1))
    >>> [(leaf.lower, leaf.breaks) for leaf in plan.cases]
    [(0, 1), (1, 0)]
    """

    def __init__(self, of: Frame, tree: Tree) -> None:
        self.of, self.tree = of, tree
        self._known: dict[tuple[int, State], Plan] = {}

    def after(self, level: int, state: State, value: Fraction) -> tuple[Plan | None, int | None]:
        """What follows a choice that is not legal: a plan, or the row that is broken at once."""
        row = self.tree.broken(level, state, value)
        if row is not None:
            return None, row
        reached = self.tree.anywhere(level, state, value)
        assert reached is not None
        return self._plan(level + 1, reached), None

    def _open(self, level: int, plan: Plan) -> Plan:
        """Variables without bounds need some value, since a proof leaves only bounded ones open."""
        first, beyond = self.tree.universals[level - 1] + 1, self.tree.universals[level]
        if all(self.of.lower[n] is not None and self.of.upper[n] is not None for n in range(first, beyond)):
            return plan
        return chosen(self.of, first, [any_value(self.of, number) for number in range(first, beyond)], plan)

    def _plan(self, level: int, state: State) -> Plan:
        stack = [(level, state)]
        while stack:
            key = stack[-1]
            values = self.tree.values[key[0]]
            open_ones = []
            for value in values:
                reached = self.tree.anywhere(*key, value)
                if reached is not None and (key[0] + 1, reached) not in self._known:
                    open_ones.append((key[0] + 1, reached))
            if open_ones:
                stack.extend(open_ones)
                continue
            stack.pop()
            if not self.tree.bound[key[0]]:  # not all of its values are listed, and all lead to the same plan
                same = self.tree.anywhere(*key, values[0])
                assert same is not None
                self._known[key] = self._open(key[0], self._known[key[0] + 1, same])
                continue
            cases: list[tuple[Number, Plan | None, int | None]] = []
            for value in values:
                reached = self.tree.anywhere(*key, value)
                plan = None if reached is None else self._known[key[0] + 1, reached]
                cases.append((int_if_whole(value), plan, self.tree.broken(*key, value) if plan is None else None))
            self._known[key] = self._open(key[0], branched(self.of, self.tree.universals[key[0]], cases))
        return self._known[level, state]
