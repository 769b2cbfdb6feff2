"""What makes a rulesheet mean something: the restrictions of GDL, each with the reason why it is refused.

They are those of Love, Hinrichs, Haley, Schkufza and Genesereth, "General Game Playing: Game Description Language
Specification" (2008). ``docs/formats/rulesheet.md`` lists them as errors; what it lists as warnings is no matter here.
Those on relations that depend on themselves are in :mod:`zermelo.check.sheets.circles`.

>>> from zermelo.check.read.kif import rules_of_kif
>>> need_valid(Sheet(tuple(rules_of_kif("(role a) (legal a wait) (goal a 100)", "g.kif")), "g.kif"))
Traceback (most recent call last):
    ...
zermelo.errors.InputError: g.kif: no rule for terminal
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from zermelo.check.sheets.rules import Rule, Sheet, bound, unbound
from zermelo.check.sheets.terms import ARITY, Relation, relation_of, variables

Node = TypeVar("Node", bound=Hashable)
_PLAY = ("true", "does", "next", "sees", "legal", "terminal", "goal")
TOO_EARLY: Final = {"legal": ("does",), "terminal": ("does",), "goal": ("does",), "init": _PLAY, "role": _PLAY}
"""What relations may not depend on, since it is not known yet when they are asked for."""


def need_valid(sheet: Sheet) -> None:
    """Raises ``InputError`` unless the sheet has a meaning."""
    for name in ("role", "legal", "terminal", "goal"):
        if all(rule.head[0] != name for rule in sheet.rules):
            raise sheet.fault(f"no rule for {name}")
    for rule in sheet.rules:
        for fault in (*_misplaced(rule), *_unsafe(rule)):
            raise sheet.fault(fault, rule)
    order = Order(sheet)
    for rules in order.groups:
        if in_circle(rules):
            from zermelo.check.sheets.circles import need_end, strata

            strata(rules, sheet)
            need_end(rules, sheet)
    for name, forbidden in TOO_EARLY.items():
        for other in forbidden:
            if (other, ARITY[other]) in reached(order.uses, (name, ARITY[name]), set()):
                raise sheet.fault(f"{name} depends on {other}")


def _misplaced(rule: Rule) -> Iterator[str]:
    """Relations with a meaning in the wrong place or with the wrong number of arguments; goals that are no number."""
    name = rule.head[0]
    if name in ("true", "does"):
        yield f"{name} as a head, expected it in bodies only"
    for atom in (rule.head, *(literal.atom for literal in rule.literals)):
        expected = ARITY.get(str(atom[0]), len(atom) - 1)
        if len(atom) - 1 != expected:
            yield f"{atom[0]} has {len(atom) - 1} arguments, expected {expected}"
    if name == "goal" and not re.fullmatch(r"\?.*|[+-]?[0-9]+", str(rule.head[-1])):
        yield "a goal that is no whole number"
    for literal in rule.literals:
        if literal.atom[0] in ("init", "next", "sees") and name not in ("base", "input"):
            yield f"{literal.atom[0]} in a body, expected it in heads only"
        if literal.atom[0] == "distinct" and not literal.holds:
            yield "not over distinct: GDL has no equality"


def _unsafe(rule: Rule) -> Iterator[str]:
    """Variables of a head, under ``not`` or in ``distinct`` to which no positive atom of the body gives values."""
    for name in sorted(variables(rule.head) - bound(rule.parts)):
        yield f"{name} of the head has no values: expected it in a positive atom of the body"
    for name, atom in unbound(rule.parts):
        yield f"{name} in {atom[0]} has no values: expected it in a positive atom of the body"


class Order:
    """What depends on what: relations in groups, each after those that it rests on."""

    def __init__(self, sheet: Sheet) -> None:
        self.uses: dict[Relation, list[Relation]] = {}
        stating: dict[Relation, list[Rule]] = defaultdict(list)
        for rule in sheet.rules:
            used = [relation_of(literal.atom) for literal in rule.literals]
            for relation in (relation_of(rule.head), *used):
                self.uses.setdefault(relation, [])
            self.uses[relation_of(rule.head)] += used
            stating[relation_of(rule.head)] += [rule] if rule.body else []
        self.groups = [[rule for relation in members for rule in stating[relation]] for members in groups(self.uses)]
        """The rules that have a body, by groups of relations each of which depends on all others of its group."""


def in_circle(rules: Sequence[Rule]) -> bool:
    """Whether some relation of a group asks for one of the same group."""
    heads = {relation_of(rule.head) for rule in rules}
    return any(relation_of(literal.atom) in heads for rule in rules for literal in rule.literals)


def groups(uses: Mapping[Node, Iterable[Node]]) -> list[list[Node]]:
    """The strongly connected groups of a graph, each after those that it uses (Kosaraju and Sharir).

    >>> groups({1: [2], 2: [1, 3], 3: []})
    [[3], [2, 1]]
    """
    users: dict[Node, list[Node]] = defaultdict(list)
    for node, row in uses.items():
        for used in row:
            users[used].append(node)
    # Backwards first: a node that is finished late is used, directly or not, by whatever was met from it.
    seen: set[Node] = set()
    finished = [node for root in uses for node in reached(users, root, seen)]
    taken: set[Node] = set()
    return [members for root in reversed(finished) if (members := reached(uses, root, taken))]


def reached(graph: Mapping[Node, Iterable[Node]], root: Node, seen: set[Node]) -> list[Node]:
    """A node and what it leads to, as far as it was not seen yet; each after whatever is met from it."""
    found: list[Node] = []
    waiting = [(root, False)]
    while waiting:
        node, done = waiting.pop()
        if done:
            found.append(node)
        elif node not in seen:
            seen.add(node)
            waiting += [(node, True), *((used, False) for used in graph.get(node, ()))]
    return found
