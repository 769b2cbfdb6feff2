"""Policies of ``exists`` in linear programs, from values of the copies of his variables to a plan."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from zermelo.qip.mip import Number
from zermelo.qip.plan import Frame, Plan, branched, chosen, end_plan, whole
from zermelo.qip.scenarios import Choices, State, Tree

Decide = Callable[[int, Choices], Number]
"""The value of an existential variable after choices of ``forall``."""


def depth_of(of: Frame, tree: Tree) -> int:
    """How many choices of ``forall`` a policy has to look at: those before the last existential variable, and of later
    ones those that his own rows make depend on each other.

    >>> from zermelo.qip.plan import frame
    >>> from zermelo.qip.program import Program, Variable
    >>> from zermelo.qip.scenarios import scenario_tree
    >>> program = Program((Variable("u", "forall"), Variable("y"), Variable("w", "forall")))
    >>> depth_of(frame(program), scenario_tree(program))
    1
    """
    last = max((number for number in range(of.size) if of.exists(number)), default=-1)
    before = sum(universal < last for universal in tree.universals)
    later = [level for level, bound in enumerate(tree.bound) if bound and of.in_rows[tree.universals[level]]]
    return max(before, later[-1] + 1 if later else 0)


def any_value(of: Frame, number: int) -> Number:
    """Some value within the bounds of a variable.

    >>> from zermelo.qip.plan import frame
    >>> from zermelo.qip.program import Program, Variable
    >>> any_value(frame(Program((Variable("y", lower=None, upper=Fraction(3), integer=False),))), 0)
    3
    """
    return next((bound for bound in (of.lower[number], of.upper[number]) if bound is not None), 0)


def policy_plan(of: Frame, tree: Tree, decide: Decide) -> Plan:
    """The plan that sets variables as ``decide`` says; equal parts of the tree are one.

    >>> from zermelo.qip.plan import frame
    >>> from zermelo.qip.program import Program, Row, Variable, terms
    >>> from zermelo.qip.scenarios import scenario_tree
    >>> program = Program((Variable("u", "forall"), Variable("y")), (Row(terms({0: 1, 1: 1}), "=", Fraction(1)),))
    >>> plan = policy_plan(frame(program), scenario_tree(program), lambda variable, choices: 1 - choices[0])
    >>> [(leaf.lower, leaf.plan.values) for leaf in plan.cases]
    [(0, (1,)), (1, (0,))]
    """
    depth = depth_of(of, tree)
    doomed = Doomed(of, tree)
    made: dict[tuple[object, ...], Plan] = {}

    def once(plan: Plan) -> Plan:
        """Plans that say the same become one, so that the proof is a graph and not a tree."""
        cases = tuple((leaf.lower, leaf.upper, id(leaf.plan), leaf.breaks) for leaf in plan.cases)
        return made.setdefault((plan.at, plan.values, id(plan.then), cases), plan)

    end = end_plan(of)
    below: dict[Choices, Plan] = {}
    for level in range(depth, -1, -1):
        first = tree.universals[level - 1] + 1 if level else 0
        beyond = tree.universals[level] if level < len(tree.universals) else of.size
        here: dict[Choices, Plan] = {}
        for prefix in tree.prefixes(level):
            plan = end
            if level < depth:
                plan = once(_branch(of, tree, doomed, prefix, below))
            if first < beyond:
                values = [whole(decide(number, prefix)) for number in range(first, beyond)]
                plan = once(chosen(of, first, values, plan))
            here[prefix] = plan
        below = here
    return below[()]


def _branch(of: Frame, tree: Tree, doomed: Doomed, prefix: Choices, below: dict[Choices, Plan]) -> Plan:
    level = len(prefix)
    number = tree.universals[level]
    if not tree.bound[level]:
        cases = [(whole(value), below[*prefix, value], None) for value in tree.values[level]]
        if all(plan is cases[0][1] for _, plan, _ in cases):
            return cases[0][1]
        return branched(of, number, cases)
    state = tree.state_after(prefix)
    some: list[tuple[Number, Plan | None, int | None]] = []
    for value in tree.values[level]:
        plan = below.get((*prefix, value))
        some.append((whole(value), *((plan, None) if plan is not None else doomed.after(level, state, value))))
    return branched(of, number, some)


class Doomed:
    """Where ``forall`` will break a row of his own whatever he does: a plan that goes on until one row shows it."""

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
            cases: list[tuple[Number, Plan | None, int | None]] = []
            for value in values:
                reached = self.tree.anywhere(*key, value)
                plan = None if reached is None else self._known[key[0] + 1, reached]
                cases.append((whole(value), plan, self.tree.broken(*key, value) if plan is None else None))
            self._known[key] = self._open(key[0], branched(self.of, self.tree.universals[key[0]], cases))
        return self._known[level, state]
