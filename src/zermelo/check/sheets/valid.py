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
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Final, TypeVar

from zermelo.check.sheets.normal import All, Literal, Part, Relation, bound, literals_of, normal, relation_of
from zermelo.check.sheets.terms import ARITY, Atom, Rule, Sheet, Term, may_be_equal, parts_of, variables

Node = TypeVar("Node", bound=Hashable)
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
    circles = Circles(sheet.rules)
    if (found := circles.negation()) is not None:
        raise sheet.fault(f"{found.head[0]} depends on its own negation, expected negation in layers", found)
    if (found := circles.growth()) is not None:
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
    literals = list(literals_of(normal(rule.body)))
    for atom in (rule.head, *(literal.atom for literal in literals)):
        expected = ARITY.get(str(atom[0]))
        if expected is not None and len(atom) - 1 != expected:
            yield f"{atom[0]} has {len(atom) - 1} arguments, expected {expected}"
    for literal in literals:
        if literal.atom[0] in ONLY_HEADS and name not in HINTS:
            yield f"{literal.atom[0]} in a body, expected it in heads only"
        if literal.atom[0] == "distinct" and not literal.holds:
            yield "not over distinct: GDL has no equality"


def _unsafe(rule: Rule) -> Iterator[str]:
    """Variables of a head, under ``not`` or in ``distinct`` to which no positive atom of the body gives values."""
    body = normal(rule.body)
    known = bound(body)
    for name in sorted(variables(rule.head) - known):
        yield f"{name} of the head has no values: expected it in a positive atom of the body"
    waiting: list[tuple[Part, set[str]]] = [(body, known)]
    while waiting:
        part, known = waiting.pop()
        if isinstance(part, Literal):
            if not part.binds and not variables(part.atom) <= known:
                name = min(variables(part.atom) - known)
                yield f"{name} in {part.atom[0]} has no values: expected it in a positive atom of the body"
        elif isinstance(part, All):
            waiting += [(inner, known | bound(part)) for inner in part.parts]
        else:
            waiting += [(inner, known | bound(inner)) for inner in part.parts]


class Circles:
    """What depends on what: relations in groups, each of which depends on itself as a whole."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = [rule for rule in rules if rule.body]
        self.bodies = [list(literals_of(normal(rule.body))) for rule in self.rules]
        self.uses: dict[Relation, dict[Relation, None]] = {relation_of(rule.head): {} for rule in rules}
        for rule, body in zip(self.rules, self.bodies, strict=True):
            for literal in body:
                if literal.atom[0] != "distinct":
                    self.uses[relation_of(rule.head)][relation_of(literal.atom)] = None
        for used in [relation for row in self.uses.values() for relation in row]:
            self.uses.setdefault(used, {})
        self.group = {relation: number for number, members in enumerate(groups(self.uses)) for relation in members}

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

    def inside(self) -> dict[int, list[tuple[int, Literal]]]:
        """For each group, its rules (by number) with each literal about the same group."""
        found: dict[int, list[tuple[int, Literal]]] = {}
        for number, (rule, body) in enumerate(zip(self.rules, self.bodies, strict=True)):
            here = self.group[relation_of(rule.head)]
            for literal in body:
                if literal.atom[0] != "distinct" and self.group[relation_of(literal.atom)] == here:
                    found.setdefault(here, []).append((number, literal))
        return found

    def negation(self) -> Rule | None:
        """A rule that depends on its own negation (Apt, Blair and Walker 1988).

        Relations that do may be about different things: ``(goal x 0)`` where ``(goal x 100)`` fails. So it is rules
        that are followed: from a rule to those whose heads may be what it asks for.
        """
        for links in self.inside().values():
            if all(literal.holds for _, literal in links):
                continue
            stating: dict[Relation, dict[int, None]] = {}
            for number, _ in links:
                stating.setdefault(relation_of(self.rules[number].head), {})[number] = None
            if sum(len(stating.get(relation_of(literal.atom), ())) for _, literal in links) > MOST_PAIRS:
                return self.rules[links[0][0]]
            follows: dict[int, dict[int, None]] = {number: {} for number, _ in links}
            met = [
                (number, literal.holds, other)
                for number, literal in links
                for other in stating.get(relation_of(literal.atom), ())
                if may_be_equal(literal.atom, self.rules[other].head)
            ]
            for number, _, other in met:
                follows[number][other] = None
            group = {rule: place for place, members in enumerate(groups(follows)) for rule in members}
            for number, holds, other in met:
                if not holds and group[number] == group[other]:
                    return self.rules[number]
        return None

    def growth(self) -> Rule | None:
        """A rule that makes a recursion build terms for ever.

        The recursion restriction (Love et al., definition 15) wants every argument of an atom of the same group to be
        an argument of the head or to have its variables in atoms of other groups. A group that breaks it has no end if
        some head in it puts a function around a variable that no atom of another group has.
        """
        for links in self.inside().values():
            broken, builder = False, None
            for number, literal in links:
                rule = self.rules[number]
                outside = bound(normal(rule.body), self._is_outside(rule))
                if any(arg not in rule.head[1:] and not variables(arg) <= outside for arg in literal.atom[1:]):
                    broken = True
                if _builds(rule.head, outside):
                    builder = rule
            if broken and builder is not None:
                return builder
        return None

    def _is_outside(self, rule: Rule) -> Callable[[Atom], bool]:
        here = self.group[relation_of(rule.head)]
        return lambda atom: self.group.get(relation_of(atom)) != here


def _builds(head: Atom, outside: set[str]) -> bool:
    terms: Iterator[Term] = (term for argument in head[1:] for term in parts_of(argument))
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
