"""In which order the relations of a rulesheet are worked out: each after all that it rests on.

>>> from zermelo.check.read.kif import rules_of_kif
>>> rules = "(<= a b) (<= b a) (<= c (not a)) (<= b (true x))"
>>> order = order_of(Sheet(tuple(rules_of_kif(rules, "small.kif"))))
>>> [(component.keys, component.recursive, component.layer) for component in order.components if component.clauses]
[((('a', '0'), ('b', '0')), True, 1), ((('c', '0'),), False, 1)]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from zermelo.check.sheets.normal import All, Literal, Relation, literals_of, normal, relation_of
from zermelo.check.sheets.plan import Key, flat, key_of
from zermelo.check.sheets.terms import Atom, Rule, Sheet, may_be_equal
from zermelo.check.sheets.valid import Circles, groups

STATIC, STATE, MOVES = range(3)
"""What a relation rests on: no fact, the state, or the moves as well."""
_GIVEN: Final = {"true": (1, STATE), "does": (2, MOVES)}
"""The relations that come from outside: their number of arguments and their layer."""


@dataclass(frozen=True)
class Clause:
    """A rule with a body, ready to be applied."""

    key: Key
    """The table that it adds to."""
    head: Atom
    body: All
    layer: int
    spots: tuple[int, ...]
    """Where in the body, taken flat, its own recursion is asked for."""
    again: bool
    """Whether it is applied as a whole in every round, since a disjunction asks for its own recursion."""


@dataclass(frozen=True)
class Component:
    """Relations, or some of their clauses, that are worked out together."""

    keys: tuple[Key, ...]
    clauses: tuple[int, ...]
    layer: int
    recursive: bool
    uses: frozenset[Key]
    whole: bool
    """Whether all clauses of its relations are here."""


@dataclass
class Order:
    """Clauses by their number, components in their order, and the layer of each table."""

    clauses: list[Clause] = field(default_factory=list)
    components: list[Component] = field(default_factory=list)
    layers: dict[Key, int] = field(default_factory=dict)


def new_rows_of(key: Key) -> Key:
    """Where the rows are kept that the last round of a recursion found new.

    >>> new_rows_of(("reach", "2"))
    ('new reach', '2')
    """
    return (f"new {key[0]}", *key[1:])


def order_of(sheet: Sheet) -> Order:
    """The order; ``InputError`` if a rule depends on its own negation."""
    circles = Circles(sheet.rules)
    if (bad := circles.negation()) is not None:
        raise sheet.fault(f"{bad.head[0]} depends on its own negation, expected negation in layers", bad)
    relations: dict[int, list[Relation]] = {}
    for relation, group in circles.group.items():
        relations.setdefault(group, []).append(relation)
    rules: dict[int, list[Rule]] = {}
    for rule in circles.rules:
        rules.setdefault(circles.group[relation_of(rule.head)], []).append(rule)
    order = Order()
    for group in sorted(relations):
        _add_group(order, relations[group], rules.get(group, []))
    return order


def _add_group(order: Order, relations: list[Relation], rules: list[Rule]) -> None:
    """Adds relations that rest on each other, as one component or as several."""
    own = {(name, str(count)) for name, count in relations}
    bodies = [normal(rule.body) for rule in rules]
    layer = max([STATIC, *(_given_layer(key) for key in own)])
    for body in bodies:
        layer = max([layer, *(_layer_of(order, literal) for literal in literals_of(body))])
    for key in own:
        order.layers[key] = order.layers[new_rows_of(key)] = layer
    links = [
        (number, literal)
        for number, body in enumerate(bodies)
        for literal in literals_of(body)
        if literal.atom[0] != "distinct" and key_of(literal.atom)[0] in own
    ]
    pieces: list[list[int]] = [list(range(len(rules)))]
    if any(not literal.holds for _, literal in links):
        # Negation of other things by the same relations (local stratification: Przymusinski 1988): rule by rule.
        pieces = groups(_follows(links, rules))
    for piece in pieces:
        inside = [(number, literal) for number, literal in links if number in piece]
        if len(pieces) > 1:
            inside = [
                (n, literal) for n, literal in inside if any(may_be_equal(literal.atom, rules[m].head) for m in piece)
            ]
        keys = tuple(dict.fromkeys(key_of(rules[number].head)[0] for number in piece)) or tuple(own)
        first = len(order.clauses)
        order.clauses += [
            _clause(order, rules[number], bodies[number], set(keys) if inside else set()) for number in piece
        ]
        used = frozenset(key_of(literal.atom)[0] for number in piece for literal in literals_of(bodies[number]))
        numbers = tuple(range(first, len(order.clauses)))
        order.components.append(Component(keys, numbers, layer, bool(inside), used, len(pieces) == 1))


def _follows(links: Iterable[tuple[int, Literal]], rules: list[Rule]) -> dict[int, list[int]]:
    """From each rule to those whose heads may be what it asks for."""
    found: dict[int, list[int]] = {number: [] for number in range(len(rules))}
    for number, literal in links:
        found[number] += [other for other, rule in enumerate(rules) if may_be_equal(literal.atom, rule.head)]
    return found


def _clause(order: Order, rule: Rule, body: All, own: set[Key]) -> Clause:
    parts = list(flat(body))
    spots = [
        place
        for place, part in enumerate(parts)
        if isinstance(part, Literal) and part.binds and key_of(part.atom)[0] in own
    ]
    nested = (literal for part in parts if not isinstance(part, Literal) for literal in literals_of(part))
    again = any(key_of(literal.atom)[0] in own for literal in nested)
    layer = max([STATIC, *(_layer_of(order, literal) for literal in literals_of(body))])
    return Clause(key_of(rule.head)[0], rule.head, body, layer, tuple(spots), again)


def _layer_of(order: Order, literal: Literal) -> int:
    """The layer of the table that a literal asks for; that of a relation of the same group is found by the others."""
    if literal.atom[0] == "distinct":
        return STATIC
    key = key_of(literal.atom)[0]
    return order.layers.setdefault(key, _given_layer(key)) if _given_layer(key) else order.layers.get(key, STATIC)


def _given_layer(key: Key) -> int:
    count, layer = _GIVEN.get(key[0], (0, STATIC))
    return layer if len(key) == 3 or key[1] == str(count) else STATIC
