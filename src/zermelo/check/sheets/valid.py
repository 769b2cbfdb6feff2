"""What makes a rulesheet mean something: the restrictions of GDL, each with the reason why it is refused.

They are those of Love, Hinrichs, Haley, Schkufza and Genesereth, "General Game Playing: Game Description Language
Specification" (2008). ``docs/formats/rulesheet.md`` lists them as errors; what it lists as warnings is no matter here.

>>> from zermelo.check.read.kif import rules_of_kif
>>> need_valid(Sheet(tuple(rules_of_kif("(role a) (legal a wait) (goal a 100)", "g.kif")), "g.kif"))
Traceback (most recent call last):
    ...
zermelo.errors.InputError: g.kif: no rule for terminal
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

from zermelo.check.sheets.terms import (
    ARITY,
    Atom,
    Rule,
    Sheet,
    bound,
    may_be_equal,
    parts_of,
    relation_of,
    variables,
)

Node = TypeVar("Node", bound=Hashable)
Relation = tuple[str, int]
NEEDED: Final = ("role", "legal", "terminal", "goal")
"""Relations that some rule has to state."""
HINTS: Final = ("base", "input")
"""Relations that play never asks for."""
ONLY_HEADS: Final = ("init", "next", "sees")
ONLY_BODIES: Final = ("true", "does")
_PLAY = ("true", "does", "next", "sees", "legal", "terminal", "goal")
TOO_EARLY: Final[Mapping[str, tuple[str, ...]]] = {
    "legal": ("does",), "terminal": ("does",), "goal": ("does",), "init": _PLAY, "role": _PLAY,
}  # fmt: skip
"""What relations may not depend on, since it is not known yet when they are asked for."""
MOST_PAIRS: Final = 1_000_000
"""Pairs of an atom and a rule for it that are looked at in a circle with negation; beyond, the circle is refused."""
_NUMBER = re.compile(r"[+-]?[0-9]+")


def need_valid(sheet: Sheet) -> None:
    """Raises ``InputError`` unless the sheet has a meaning."""
    stated = {str(rule.head[0]) for rule in sheet.rules}
    for name in NEEDED:
        if name not in stated:
            raise sheet.fault(f"no rule for {name}")
    for rule in sheet.rules:
        for fault in (*_misplaced(rule), *_unsafe(rule)):
            raise sheet.fault(fault, rule)
    circles = Circles(sheet)
    for group in circles.groups:
        circles.strata(group)
        if (found := circles.growth(group)) is not None:
            raise sheet.fault(f"recursion builds ever larger terms for {found.head[0]}", found)
    for name, forbidden in TOO_EARLY.items():
        reached = circles.below((name, ARITY[name]))
        for other in forbidden:
            if (other, ARITY[other]) in reached:
                raise sheet.fault(f"{name} depends on {other}")


def _misplaced(rule: Rule) -> Iterator[str]:
    """Relations with a meaning in the wrong place or with the wrong number of arguments; goals that are no number."""
    name = rule.head[0]
    if name in ONLY_BODIES:
        yield f"{name} as a head, expected it in bodies only"
    if name == "goal" and len(rule.head) == 3:
        value = rule.head[2]
        if isinstance(value, tuple) or not (value.startswith("?") or _NUMBER.fullmatch(value)):
            yield "a goal that is no whole number"
    for atom in (rule.head, *(literal.atom for literal in rule.literals)):
        expected = ARITY.get(str(atom[0]))
        if expected is not None and len(atom) - 1 != expected:
            yield f"{atom[0]} has {len(atom) - 1} arguments, expected {expected}"
    for literal in rule.literals:
        if literal.atom[0] in ONLY_HEADS and name not in HINTS:
            yield f"{literal.atom[0]} in a body, expected it in heads only"
        if literal.atom[0] == "distinct" and not literal.holds:
            yield "not over distinct: GDL has no equality"


def _unsafe(rule: Rule) -> Iterator[str]:
    """Variables of a head, under ``not`` or in ``distinct`` to which no positive atom of the body gives values."""
    for literals in rule.alternatives:
        known = bound(literals)
        for name in sorted(variables(rule.head) - known):
            yield f"{name} of the head has no values: expected it in a positive atom of the body"
        for literal in literals:
            if not literal.binds and not variables(literal.atom) <= known:
                name = min(variables(literal.atom) - known)
                yield f"{name} in {literal.atom[0]} has no values: expected it in a positive atom of the body"


class Circles:
    """What depends on what: rules in groups, by relations each of which depends on all others of the same group."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.uses: dict[Relation, dict[Relation, None]] = {relation_of(rule.head): {} for rule in sheet.rules}
        stating: dict[Relation, list[Rule]] = {}
        for rule in sheet.rules:
            if rule.body:
                stating.setdefault(relation_of(rule.head), []).append(rule)
            for literal in rule.literals:
                if literal.atom[0] != "distinct":
                    self.uses[relation_of(rule.head)][relation_of(literal.atom)] = None
        for used in [relation for row in self.uses.values() for relation in row]:
            self.uses.setdefault(used, {})
        found = groups(self.uses)
        self.number = {relation: number for number, members in enumerate(found) for relation in members}
        self.groups = [[rule for relation in members for rule in stating.get(relation, ())] for members in found]
        """The rules that have a body, each group after those that it rests on."""

    def below(self, relation: Relation) -> set[Relation]:
        """All that a relation depends on."""
        found: set[Relation] = set()
        waiting = list(self.uses.get(relation, ()))
        while waiting:
            here = waiting.pop()
            if here not in found:
                found.add(here)
                waiting.extend(self.uses[here])
        return found

    def inside(self, rule: Rule, atom: Atom) -> bool:
        """Whether an atom in the body of a rule is about the group that the rule is in."""
        return self.number.get(relation_of(atom)) == self.number[relation_of(rule.head)]

    def outside(self, rule: Rule, atom: Atom) -> bool:
        """Whether it is not."""
        return not self.inside(rule, atom)

    def strata(self, rules: Sequence[Rule]) -> list[list[Rule]]:
        """The rules of a group in the order in which they can be applied, those together that need each other.

        A group with negation in it may still be about different things: ``(goal x 0)`` where ``(goal x 100)`` fails. So
        there it is rules that are followed, to those whose heads may be what they ask for (local stratification:
        Przymusinski 1988). ``InputError`` if one depends on its own negation (Apt, Blair and Walker 1988).
        """
        links = [
            (place, one) for place, rule in enumerate(rules) for one in rule.literals if self.inside(rule, one.atom)
        ]
        if all(literal.holds for _, literal in links):
            return [list(rules)] if rules else []
        first = rules[links[0][0]]
        if len(links) * len(rules) > MOST_PAIRS:
            raise self.sheet.fault(f"{first.head[0]} depends on its own negation in too many ways", first)
        met = [
            (place, literal.holds, other)
            for place, literal in links
            for other, rule in enumerate(rules)
            if may_be_equal(literal.atom, rule.head)
        ]
        follows: dict[int, list[int]] = {place: [] for place in range(len(rules))}
        for place, _, other in met:
            follows[place].append(other)
        pieces = groups(follows)
        piece_of = {place: number for number, members in enumerate(pieces) for place in members}
        for place, holds, other in met:
            if not holds and piece_of[place] == piece_of[other]:
                name = rules[place].head[0]
                raise self.sheet.fault(f"{name} depends on its own negation, expected negation in layers", rules[place])
        return [[rules[place] for place in members] for members in pieces]

    def growth(self, rules: Iterable[Rule]) -> Rule | None:
        """A rule that makes a recursion build terms for ever.

        The recursion restriction (Love et al., definition 15) wants every argument of an atom of the same group to be
        an argument of the head or to have its variables in atoms of other groups. A group that breaks it has no end if
        some head in it puts a function around a variable that no atom of another group has.
        """
        broken, builder = False, None
        for rule in rules:
            inner = [one for one in rule.literals if self.inside(rule, one.atom)]
            outside = rule.bound(partial(self.outside, rule)) if inner else set()
            for argument in (argument for literal in inner for argument in literal.atom[1:]):
                broken = broken or (argument not in rule.head[1:] and not variables(argument) <= outside)
            if inner and _builds(rule.head, outside):
                builder = rule
        return builder if broken else None


def _builds(head: Atom, outside: set[str]) -> bool:
    terms = (term for argument in head[1:] for term in parts_of(argument))
    return any(isinstance(term, tuple) and not variables(term) <= outside for term in terms)


def groups(uses: Mapping[Node, Iterable[Node]]) -> list[list[Node]]:
    """The strongly connected groups of a graph, each after those that it uses (Kosaraju and Sharir).

    >>> groups({1: [2], 2: [1, 3], 3: []})
    [[3], [1, 2]]
    """
    graph: dict[Node, list[Node]] = {node: list(row) for node, row in uses.items()}
    users: dict[Node, list[Node]] = {node: [] for node in graph}
    for node, row in graph.items():
        for used in row:
            users[used].append(node)
    # Backwards first: a node that is finished late is used, directly or not, by whatever was met from it.
    finished: list[Node] = []
    seen: set[Node] = set()
    for root in graph:
        waiting = [(root, False)]
        while waiting:
            node, done = waiting.pop()
            if done:
                finished.append(node)
            elif node not in seen:
                seen.add(node)
                waiting.append((node, True))
                waiting += [(user, False) for user in users[node]]
    out: list[list[Node]] = []
    taken: set[Node] = set()
    for root in reversed(finished):
        members: list[Node] = []
        rest = [] if root in taken else [root]
        while rest:
            node = rest.pop()
            if node not in taken:
                taken.add(node)
                members.append(node)
                rest += graph[node]
        if members:
            out.append(members)
    return out
