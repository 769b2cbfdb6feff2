"""How the relations of a rulesheet depend on each other: components in an order in which they can be computed.

>>> from zermelo.gdl.kif import read_kif
>>> from zermelo.gdl.lower import lower
>>> rules = lower(read_kif("(<= a b) (<= b a) (<= c (not a)) (<= b (true x))"))
>>> [(c.relations, c.recursive, c.layer.name) for c in components(rules)]
[((('true', 1),), False, 'STATE'), ((('a', 0), ('b', 0)), True, 'STATE'), ((('c', 0),), False, 'STATE')]
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeVar

from zermelo.gdl.lower import PlainRule, Sign
from zermelo.gdl.syntax import Function, Term, Variable

Node = TypeVar("Node", bound=Hashable)
Relation = tuple[str, int]
"""A relation is its name and its number of arguments."""


class Layer(IntEnum):
    """What a relation depends on: nothing, the state, or the moves done in it as well."""

    STATIC = 0
    STATE = 1
    MOVES = 2


GIVEN: Final[Mapping[Relation, Layer]] = {("true", 1): Layer.STATE, ("does", 2): Layer.MOVES}
"""The relations that come from outside."""


@dataclass(frozen=True)
class Component:
    """Relations that depend on each other in a circle, or a single one, with their rules.

    Where a relation depends on its own negation, but never for the same rows, its rules are in several components:
    in ``(<= (goal x 100) (not (goal x 0)))`` the row ``(x 0)`` comes first (local stratification: Przymusinski 1988).
    """

    relations: tuple[Relation, ...]
    rules: tuple[PlainRule, ...]
    recursive: bool
    layer: Layer
    uses: tuple[int, ...]
    """The components below that its rules speak of."""
    contradiction: PlainRule | None = None
    """A rule by which the component depends on its own negation."""


def relation_of(atom: Function) -> Relation:
    """The relation of an atom.

    >>> relation_of(Function("terminal"))
    ('terminal', 0)
    """
    return atom.name, len(atom.args)


def components(rules: Sequence[PlainRule]) -> list[Component]:
    """The strongly connected components of the relations, each after all that it uses."""
    by_head: dict[Relation, list[PlainRule]] = {}
    uses: dict[Relation, dict[Relation, None]] = {}
    for rule in rules:
        head = relation_of(rule.head)
        by_head.setdefault(head, []).append(rule)
        mine = uses.setdefault(head, {})
        for literal in rule.body:
            if literal.sign is not Sign.DISTINCT:
                mine[relation_of(literal.atom)] = None
                uses.setdefault(relation_of(literal.atom), {})
    out: list[Component] = []
    numbers: dict[Relation, list[int]] = {}
    for group in strong_components(uses):
        members = set(group)
        own = [rule for member in group for rule in by_head.get(member, ())]
        outer = {used for member in group for used in uses[member] if used not in members}
        below = sorted({number for used in outer for number in numbers[used]})
        layer = max([out[number].layer for number in below] + [GIVEN.get(member, Layer.STATIC) for member in group])
        recursive = any(used in members for member in group for used in uses[member])
        pieces = [(own, recursive, list[int]())]
        if _negates(own, members) is not None:
            pieces = _pieces(own, members)
        first = len(out)
        for part, circular, inner in pieces:
            heads = tuple(sorted({relation_of(rule.head) for rule in part})) if part else tuple(group)
            used = (*below, *(first + number for number in inner))
            bad = _negates(part, members) if circular else None
            out.append(Component(heads, tuple(part), circular, layer, used, bad))
        for member in group:
            numbers[member] = list(range(first, len(out)))
    return out


def _negates(rules: Iterable[PlainRule], members: Collection[Relation]) -> PlainRule | None:
    """A rule that negates one of the relations."""
    for rule in rules:
        if any(literal.sign is Sign.FAILS and relation_of(literal.atom) in members for literal in rule.body):
            return rule
    return None


def _pieces(rules: list[PlainRule], members: set[Relation]) -> list[tuple[list[PlainRule], bool, list[int]]]:
    """Rules in groups whose heads have no row in common, in an order in which they can be computed.

    Each group with whether it depends on itself and with the numbers of the groups before that it uses.
    """
    groups: list[list[PlainRule]] = []
    for rule in rules:
        meets = [group for group in groups if any(may_meet(rule.head, other.head) for other in group)]
        groups = [group for group in groups if group not in meets]
        groups.append([rule, *(other for group in meets for other in group)])
    uses: dict[int, list[int]] = {}
    for number, group in enumerate(groups):
        atoms = [literal.atom for rule in group for literal in rule.body if relation_of(literal.atom) in members]
        uses[number] = [
            other
            for other, heads in enumerate(groups)
            if any(may_meet(atom, rule.head) for atom in atoms for rule in heads)
        ]
    out: list[tuple[list[PlainRule], bool, list[int]]] = []
    place: dict[int, int] = {}
    for component in strong_components(uses):
        used = {other for number in component for other in uses[number]}
        part = [rule for number in component for rule in groups[number]]
        before = sorted({place[other] for other in used if other in place})
        out.append((part, not used.isdisjoint(component), before))
        place.update(dict.fromkeys(component, len(out) - 1))
    return out


def may_meet(left: Term, right: Term) -> bool:
    """Whether two atoms of different rules may have a row in common; never wrongly ``False``.

    >>> x, zero, one = Variable("x"), Function("0"), Function("1")
    >>> may_meet(Function("p", (x, zero)), Function("p", (zero, x))), may_meet(zero, one)
    (True, False)
    """
    if isinstance(left, Variable) or isinstance(right, Variable):
        return True
    if left.name != right.name or len(left.args) != len(right.args):
        return False
    return all(map(may_meet, left.args, right.args))


def strong_components(uses: Mapping[Node, Iterable[Node]]) -> list[list[Node]]:
    """The strongly connected components of a graph, each after all that it uses (Tarjan 1972).

    >>> strong_components({"a": ["b"], "b": ["a", "c"], "c": []})
    [['c'], ['b', 'a']]
    """
    order: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    on_stack: set[Node] = set()
    out: list[list[Node]] = []
    for root in uses:
        if root in order:
            continue
        walk = [(root, iter(uses[root]))]
        order[root] = low[root] = len(order)
        stack.append(root)
        on_stack.add(root)
        while walk:
            node, rest = walk[-1]
            for used in rest:
                if used not in order:
                    order[used] = low[used] = len(order)
                    stack.append(used)
                    on_stack.add(used)
                    walk.append((used, iter(uses[used])))
                    break
                if used in on_stack:
                    low[node] = min(low[node], order[used])
            else:
                walk.pop()
                if walk:
                    low[walk[-1][0]] = min(low[walk[-1][0]], low[node])
                if low[node] == order[node]:
                    group: list[Node] = []
                    while not group or group[-1] != node:
                        group.append(stack.pop())
                        on_stack.discard(group[-1])
                    out.append(group)
    return out
