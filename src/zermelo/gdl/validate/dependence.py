"""What depends on what: negation in layers, recursion that ends, nothing that depends on moves too early."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from zermelo.gdl.finding import ERROR, WARNING, Finding, Severity
from zermelo.gdl.strata import strong_components
from zermelo.gdl.syntax import Function, Rule, Rulesheet, Term, atoms_of, subterms, variables_of
from zermelo.gdl.validate.keywords import ARITY, HINTS
from zermelo.gdl.validate.safety import bound_by

Node = TypeVar("Node", bound=Hashable)
MOST_PAIRS: Final = 1_000_000
"""Circles with more pairs of an atom and a rule for it than this are judged by their relations alone."""
Relation = tuple[str, int]
"""A relation by its name and number of arguments."""


@dataclass(frozen=True)
class Edge:
    """A head depends on an atom of a body."""

    rule: Rule
    atom: Function
    positive: bool


Graph = dict[Relation, dict[Relation, list[Edge]]]


def relation_of(atom: Function) -> Relation:
    """The relation of an atom.

    >>> relation_of(Function("succ", (Function("1"), Function("2"))))
    ('succ', 2)
    """
    return atom.name, len(atom.args)


def dependence_of(rules: Iterable[Rule]) -> Graph:
    """Which relations each relation is defined by, and by which atoms."""
    graph: Graph = {}
    for rule in rules:
        edges = graph.setdefault(relation_of(rule.head), {})
        for part in rule.body:
            for atom, positive in atoms_of(part):
                if atom.name != "distinct":
                    edges.setdefault(relation_of(atom), []).append(Edge(rule, atom, positive))
                    graph.setdefault(relation_of(atom), {})
    return graph


def components_of(graph: Mapping[Node, Iterable[Node]]) -> dict[Node, int]:
    """The strongly connected component of each node, numbered so that one depends on lower ones only.

    >>> components_of({"a": ["b"], "b": ["a", "c"], "c": []})
    {'c': 0, 'b': 1, 'a': 1}
    """
    return {node: number for number, group in enumerate(strong_components(graph)) for node in group}


def check_dependence(sheet: Rulesheet) -> Iterator[Finding]:
    """Negation in a circle, recursion without end, relations that depend on what they must not."""
    graph = dependence_of(sheet.rules)
    component = components_of(graph)
    yield from _negation(sheet, graph, component)
    yield from _recursion(sheet, graph, component)
    yield from _early(sheet, graph)


def _negation(sheet: Rulesheet, graph: Graph, component: dict[Relation, int]) -> Iterator[Finding]:
    """Stratified negation (Apt, Blair and Walker 1988): no relation depends on its own negation.

    A circle of relations is no circle yet where its rules are about different things: ``(goal x 0)`` may well hold
    where ``(goal x 100)`` does not. Such sheets are played, so only a circle of rules is an error.
    """
    said: set[int] = set()
    members: dict[int, list[Relation]] = {}
    for name, number in component.items():
        members.setdefault(number, []).append(name)
    for head, targets in graph.items():
        for target, edges in targets.items():
            here = component[head]
            negative = next((edge for edge in edges if not edge.positive), None)
            if negative is None or here != component[target] or here in said:
                continue
            said.add(here)
            within: Graph = {
                name: {other: found for other, found in graph[name].items() if component[other] == here}
                for name in members[here]
            }
            culprit = _negative_circle(within)
            edge = culprit or negative
            begin, end = relation_of(edge.rule.head), relation_of(edge.atom)
            circle = [begin[0], f"not {end[0]}", *(name for name, _ in _path(within, end, {begin})[1:])]
            shown = " <= ".join(circle if len(circle) <= 12 else [*circle[:8], "...", circle[-1]])
            if culprit is not None:
                message = f"negation in a circle ({shown}), expected negation in layers"
                yield Finding(ERROR, "unstratified", message, sheet.file, edge.atom.span)
            else:
                message = f"negation within one relation ({shown}), though of other things; GDL wants it in layers"
                yield Finding(WARNING, "loosely-stratified", message, sheet.file, edge.atom.span)


def _negative_circle(graph: Graph) -> Edge | None:
    """A negated atom through which a rule depends on itself, where its heads and atoms could be the same things."""
    edges = [edge for targets in graph.values() for found in targets.values() for edge in found]
    rules: dict[Relation, dict[int, Rule]] = {}
    for edge in edges:
        rules.setdefault(relation_of(edge.rule.head), {})[id(edge.rule)] = edge.rule
    if sum(len(rules.get(relation_of(edge.atom), ())) for edge in edges) > MOST_PAIRS:
        return next(edge for edge in edges if not edge.positive)
    follows: dict[int, set[int]] = {id(edge.rule): set() for edge in edges}
    targets: list[tuple[Edge, list[int]]] = []
    for edge in edges:
        candidates = rules.get(relation_of(edge.atom), {})
        met = [number for number, rule in candidates.items() if not _differ(edge.atom, rule.head)]
        follows[id(edge.rule)].update(met)
        targets.append((edge, met))
    component = components_of(follows)
    for edge, met in targets:
        if not edge.positive and any(component[number] == component[id(edge.rule)] for number in met):
            return edge
    return None


def _differ(one: Function, other: Function) -> bool:
    """Whether two atoms can never be the same; variables may stand for anything, each time anew."""
    waiting: list[tuple[Term, Term]] = [(one, other)]
    while waiting:
        left, right = waiting.pop()
        if isinstance(left, Function) and isinstance(right, Function):
            if left.name != right.name or len(left.args) != len(right.args):
                return True
            waiting.extend(zip(left.args, right.args, strict=True))
    return False


def _path(graph: Graph, start: Relation, goals: set[Relation]) -> list[Relation]:
    """A shortest way along dependences from a relation to one of some others; empty if there is none."""
    before: dict[Relation, Relation | None] = {start: None}
    waiting = deque([start])
    while waiting:
        here: Relation | None = waiting.popleft()
        if here in goals:
            way: list[Relation] = []
            while here is not None:
                way.append(here)
                here = before[here]
            return way[::-1]
        for target in graph.get(here, {}) if here is not None else ():
            if target not in before:
                before[target] = here
                waiting.append(target)
    return []


def _recursion(sheet: Rulesheet, graph: Graph, component: dict[Relation, int]) -> Iterator[Finding]:
    """The recursion restriction of Love et al. (2008), definition 15.

    In a rule of a circle, each argument of an atom of the same circle must be ground, an argument of the head, or have
    its variables in an atom outside the circle. Where it is broken and some head of the circle builds terms around
    variables that only the circle provides, there is no end to what can be derived; elsewhere it is only unwise.
    """
    broken: dict[int, tuple[Rule, Function]] = {}
    grows: dict[int, Rule] = {}
    known: dict[int, tuple[set[str], set[Term]]] = {}
    for head, targets in graph.items():
        here = component[head]
        recursive = [edge for target, edges in targets.items() if component[target] == here for edge in edges]
        for edge in recursive:
            rule = edge.rule
            if id(rule) not in known:
                known[id(rule)] = _bound_outside(rule, here, component), set(rule.head.args)
                if _builds(rule.head, known[id(rule)][0]):
                    grows.setdefault(here, rule)
            outside, arguments = known[id(rule)]
            if any(term not in arguments and not variables_of(term) <= outside for term in edge.atom.args):
                broken.setdefault(here, (rule, edge.atom))
    for circle, (rule, atom) in broken.items():
        if circle in grows:
            builder = grows[circle].head
            message = f"recursion builds terms without end in {builder}, expected its variables in an atom outside it"
            yield Finding(ERROR, "endless-recursion", message, sheet.file, builder.span)
        else:
            message = (
                f"{rule.head.name} recurs through {atom} whose arguments are neither the head's nor bound outside "
                f"the recursion (the recursion restriction of GDL)"
            )
            yield Finding(WARNING, "recursion-restriction", message, sheet.file, atom.span)


def _bound_outside(rule: Rule, circle: int, component: dict[Relation, int]) -> set[str]:
    """The variables that atoms outside a circle give values to."""

    def outside(atom: Function) -> bool:
        return component.get(relation_of(atom)) != circle

    return set().union(*(bound_by(part, outside) for part in rule.body))


def _builds(head: Function, outside: set[str]) -> bool:
    """Whether a head puts a function around a variable that has no values from outside."""
    return any(
        isinstance(term, Function) and term.args and not variables_of(term) <= outside
        for argument in head.args
        for term in subterms(argument)
    )


_STATE = ("true", "does", "next", "sees", "legal", "terminal", "goal")
_EARLY: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("legal", ("does",), "what is legal cannot depend on the move that is chosen from it"),
    ("terminal", ("does",), "the end depends on the position alone"),
    ("goal", ("does",), "goals depend on the position alone"),
    ("init", _STATE, "there is no position before the start"),
    ("role", _STATE, "roles are the same in every position"),
    ("base", ("true", "does"), "it is the same in every position"),
    ("input", ("true", "does"), "it is the same in every position"),
)


def _early(sheet: Rulesheet, graph: Graph) -> Iterator[Finding]:
    """Keywords that depend on something that is not known yet, directly or through other relations."""
    for keyword, forbidden, reason in _EARLY:
        start = keyword, ARITY[keyword]
        if start not in graph:
            continue
        way = _path(graph, start, {(name, ARITY[name]) for name in forbidden})
        if not way:
            continue
        edge = graph[way[0]][way[1]][0]
        shown = " <= ".join(name for name, _ in (way if len(way) <= 12 else [*way[:8], ("...", 0), way[-1]]))
        message = f"{keyword} depends on {way[-1][0]} ({shown}): {reason}"
        severity: Severity = WARNING if keyword in HINTS else ERROR
        yield Finding(severity, f"{keyword}-dependence", message, sheet.file, edge.atom.span)
