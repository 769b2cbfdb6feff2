"""Relations that depend on themselves: whether that has a meaning and an end, and how they are worked out.

Who checks a game without recursion need not read this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zermelo.check.sheets.plan import NEW, Mode, Row
from zermelo.check.sheets.reason import Clause, Layer, View
from zermelo.check.sheets.rules import Body, Either, Literal, Rule, Sheet, bound, literals_of
from zermelo.check.sheets.terms import Atom, Relation, may_be_equal, parts_of, relation_of, variables
from zermelo.check.sheets.valid import groups

MOST_PAIRS: Final = 1_000_000
"""Pairs of an atom and a rule for it that are looked at in a circle with negation; beyond, the circle is refused."""


def strata(rules: Sequence[Rule], sheet: Sheet) -> list[list[Rule]]:
    """The rules of a group in the order in which they can be applied, those together that need each other.

    A group with negation in it may still be about different things: ``(goal x 0)`` where ``(goal x 100)`` fails. So
    there it is rules that are followed, to those whose heads may be what they ask for (local stratification:
    Przymusinski 1988). ``InputError`` if one depends on its own negation (Apt, Blair and Walker 1988).
    """
    heads = {relation_of(rule.head) for rule in rules}
    links = [
        (number, one) for number, rule in enumerate(rules) for one in rule.literals if relation_of(one.atom) in heads
    ]
    if all(literal.holds for _, literal in links):
        return [list(rules)]
    first = rules[links[0][0]]
    if len(links) * len(rules) > MOST_PAIRS:
        raise sheet.fault(f"{first.head[0]} depends on its own negation in too many ways", first)
    follows: dict[int, list[int]] = {number: [] for number in range(len(rules))}
    against = []
    for number, literal in links:
        met = [other for other, rule in enumerate(rules) if may_be_equal(literal.atom, rule.head)]
        follows[number] += met
        against += [] if literal.holds else [(number, other) for other in met]
    pieces = groups(follows)
    piece_of = {number: place for place, members in enumerate(pieces) for number in members}
    for number, other in against:
        if piece_of[number] == piece_of[other]:
            name = rules[number].head[0]
            raise sheet.fault(f"{name} depends on its own negation, expected negation in layers", rules[number])
    return [[rules[number] for number in members] for members in pieces]


def need_end(rules: Sequence[Rule], sheet: Sheet) -> None:
    """``InputError`` for a recursion that builds terms for ever.

    The recursion restriction (Love et al., definition 15) wants every argument of an atom of the same group to be an
    argument of the head or to have its variables in atoms of other groups. A group that breaks it has no end if some
    head in it puts a function around a variable that no atom of another group has.
    """
    heads = {relation_of(rule.head) for rule in rules}
    broken, builder = False, None
    for rule in rules:
        inner = [argument for one in rule.literals if relation_of(one.atom) in heads for argument in one.atom[1:]]
        outside = bound(rule.parts, lambda atom: relation_of(atom) not in heads)
        broken |= any(argument not in rule.head[1:] and not variables(argument) <= outside for argument in inner)
        if any(_builds(argument, outside) for argument in rule.head[1:]):
            builder = rule
    if broken and builder is not None:
        raise sheet.fault(f"recursion builds ever larger terms for {builder.head[0]}", builder)


def _builds(argument: Atom | str, outside: set[str]) -> bool:
    return any(isinstance(term, tuple) and not variables(term) <= outside for term in parts_of(argument))


class Circle:
    """The relations of a group, and for each stratum its clauses and those for rows that are new."""

    def __init__(self, rules: Sequence[Rule], sheet: Sheet) -> None:
        self.relations = list(dict.fromkeys(relation_of(rule.head) for rule in rules))
        self.strata = [
            (
                [Clause(rule.head, rule.parts) for rule in stratum],
                [Clause(rule.head, body) for rule in stratum for body in self.for_new_rows(rule.parts)],
            )
            for stratum in strata(rules, sheet)
        ]

    def for_new_rows(self, body: Body) -> list[Body]:
        """The bodies by which a rule is applied to new rows; where such an atom is in a disjunction, to all of them."""
        found = []
        for place, part in enumerate(body):
            inner = [one.atom for one in literals_of((part,)) if one.binds and relation_of(one.atom) in self.relations]
            if inner and isinstance(part, Either):
                return [body]
            for name, *terms in inner:
                found.append((*body[:place], Literal(True, (NEW + str(name), *terms)), *body[place + 1 :]))
        return found

    def work_out(self, view: View, layer: Layer) -> None:
        """Applies clauses until they find nothing new; after the first round, to new rows only (semi-naive)."""
        for relation in self.relations:
            layer.put(relation, set(view.reasoner.stated[relation]))
        for first, again in self.strata:
            clauses = first
            while clauses:
                found: dict[Relation, set[Row]] = {relation: set() for relation in self.relations}
                for clause in clauses:
                    relation = relation_of(clause.head)
                    found[relation].update(clause.rows(Mode(relation, ()), [()], view))
                for relation, rows in found.items():
                    rows.difference_update(layer.rows[relation])
                    layer.rows[relation] |= rows
                    layer.put(relation, layer.rows[relation])
                    layer.put((NEW + relation[0], relation[1]), rows)
                clauses = again if any(found.values()) else []
