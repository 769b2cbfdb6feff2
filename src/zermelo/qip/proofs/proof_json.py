"""Proofs as the data of claims: compact JSON, written and strictly read.

The rule ``program`` holds a :class:`~zermelo.qip.proofs.proof.Proof`, the rule ``clauses`` a
:class:`~zermelo.qip.proofs.derivation.Derivation`. A number is a whole number or, where it is none, a text ``"p/q"``.
All of it is described in ``docs/certificates.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from zermelo.certificate import parse_score
from zermelo.qip.programs.program import Quantifier
from zermelo.qip.proofs.derivation import Clause, Derivation, FromClause, FromRow, FromSum, Literal
from zermelo.qip.proofs.proof import Branch, Case, Choose, Node, Proof, Refute, Scenario

Number = Fraction | int


class ShapeError(ValueError):
    """The data of a claim has not the form of a proof."""


def proof_data(proof: Proof) -> dict[str, Any]:
    """A proof as JSON; its owner is the role of the claim.

    >>> proof_data(Proof("exists", Fraction(3, 2), (Choose(0, (1, Fraction(1, 2)), -1),)))
    {'value': '3/2', 'nodes': [['c', 0, [1, '1/2'], -1]]}
    """
    return {"value": _plain_or_none(proof.value), "nodes": [_node_data(node) for node in proof.nodes]}


def _node_data(node: Node) -> list[Any]:
    if isinstance(node, Choose):
        return ["c", node.at, [_plain(value) for value in node.values], node.then]
    if isinstance(node, Branch):
        return ["b", node.at, [_case_data(case) for case in node.cases]]
    scenarios = [
        [
            [_plain(value) for value in s.choices],
            [part for row, m in s.multipliers.items() for part in (row, _plain(m))],
        ]
        for s in node.scenarios
    ]
    return ["r", node.at, scenarios]


def _case_data(case: Case) -> list[Any]:
    data = [_plain(case.lower), _plain(case.upper), case.then]
    return data if case.breaks is None else [*data, case.breaks]


def derivation_data(derivation: Derivation) -> dict[str, Any]:
    """A derivation as JSON.

    >>> step = Clause((Literal(0, True, 0),), (FromRow(1),), (Literal(1, False, 1),))
    >>> derivation_data(Derivation(None, (), (step,)))
    {'value': None, 'scenarios': [], 'clauses': [[[[0, 1, 0, 0]], [[1, 0]], [[1, 0, 1, 0]]]]}
    """
    return {
        "value": _plain_or_none(derivation.value),
        "scenarios": [[_plain(value) for value in scenario] for scenario in derivation.scenarios],
        "clauses": [
            [
                [_literal_data(literal) for literal in clause.literals],
                [_antecedent_data(antecedent) for antecedent in clause.antecedents],
                [_literal_data(literal) for literal in clause.dropped],
            ]
            for clause in derivation.clauses
        ],
    }


def _antecedent_data(antecedent: FromRow | FromClause | FromSum) -> int | list[Any]:
    if isinstance(antecedent, FromClause):
        return antecedent.clause
    if isinstance(antecedent, FromRow):
        return [antecedent.row, antecedent.scenario]
    return [[part.row, part.scenario, _plain(multiplier)] for part, multiplier in antecedent.parts]


def _literal_data(literal: Literal) -> list[Any]:
    return [literal.variable, int(literal.upper), _plain(literal.bound), literal.scenario]


def _plain(number: Number) -> int | str:
    return int(number) if number.denominator == 1 else str(number)


def _plain_or_none(number: Number | None) -> int | str | None:
    return None if number is None else _plain(number)


def proof_from_data(owner: Quantifier, data: Mapping[str, Any]) -> Proof:
    """The proof that the data of a claim states; ``ShapeError`` if it states none. What it proves is not checked.

    >>> proof_from_data("exists", {"value": 3, "nodes": [["c", 0, [1], -1]]}).nodes
    (Choose(at=0, values=(1,), then=-1),)
    >>> proof_from_data("exists", {"value": 3, "nodes": [["c", 0, [0.5], -1]]})
    Traceback (most recent call last):
        ...
    zermelo.qip.proofs.proof_json.ShapeError: node 0: 0.5 is not a whole number or a text "p/q"
    """
    _need_keys(data, "value", "nodes")
    nodes: list[Node] = []
    for number, item in enumerate(_list(data["nodes"], "the nodes")):
        try:
            nodes.append(_node(item))
        except ShapeError as error:
            raise ShapeError(f"node {number}: {error}") from None
    return Proof(owner, _value(data["value"]), tuple(nodes))


def _node(item: object) -> Node:
    match item:
        case ["c", at, values, then]:
            return Choose(_whole(at), _numbers(values), _whole(then))
        case ["b", at, cases]:
            return Branch(_whole(at), tuple(_case(case) for case in _list(cases, "the cases")))
        case ["r", at, scenarios]:
            return Refute(_whole(at), tuple(_scenario(one) for one in _list(scenarios, "the scenarios")))
    raise ShapeError("not a choice, cases or a refutation")


def _case(item: object) -> Case:
    match item:
        case [lower, upper, then]:
            return Case(_number(lower), _number(upper), _whole(then))
        case [lower, upper, then, breaks]:
            return Case(_number(lower), _number(upper), _whole(then), _whole(breaks))
    raise ShapeError("a case is not [lowest, highest, node] or [lowest, highest, -1, row]")


def _scenario(item: object) -> Scenario:
    match item:
        case [choices, [*pairs]] if len(pairs) % 2 == 0:
            rows = [_whole(row) for row in pairs[::2]]
            if len(set(rows)) < len(rows):
                raise ShapeError("a row has two multipliers")
            return Scenario(_numbers(choices), dict(zip(rows, map(_number, pairs[1::2]), strict=True)))
    raise ShapeError("a scenario is not [choices, [row, multiplier, ...]]")


def derivation_from_data(data: Mapping[str, Any]) -> Derivation:
    """The derivation that the data of a claim states; ``ShapeError`` if it states none.

    >>> derivation_from_data({"value": None, "scenarios": [], "clauses": [[[], [[1, 0]], []]]}).clauses
    (Clause(literals=(), antecedents=(FromRow(row=1, scenario=0),), dropped=()),)
    """
    _need_keys(data, "value", "scenarios", "clauses")
    scenarios = tuple(
        tuple(_number(value) for value in _list(one, "a scenario")) for one in _list(data["scenarios"], "the scenarios")
    )
    clauses = []
    for number, item in enumerate(_list(data["clauses"], "the clauses")):
        try:
            clauses.append(_clause(item))
        except ShapeError as error:
            raise ShapeError(f"clause {number}: {error}") from None
    return Derivation(_value(data["value"]), scenarios, tuple(clauses))


def _clause(item: object) -> Clause:
    match item:
        case [[*literals], [*antecedents], [*dropped]]:
            return Clause(
                tuple(map(_literal, literals)), tuple(map(_antecedent, antecedents)), tuple(map(_literal, dropped))
            )
    raise ShapeError("not [bounds, antecedents, dropped bounds]")


def _literal(item: object) -> Literal:
    match item:
        case [variable, 0 | 1 as upper, bound, scenario] if type(upper) is int:
            return Literal(_whole(variable), upper == 1, _number(bound), _whole(scenario))
    raise ShapeError("a bound is not [variable, 0 or 1, number, scenario]")


def _antecedent(item: object) -> FromRow | FromClause | FromSum:
    match item:
        case [int(row), scenario]:
            return FromRow(_whole(row), _whole(scenario))
        case [[*_], *_]:
            return FromSum(tuple(_part(part) for part in _list(item, "a sum of rows")))
    return FromClause(_whole(item))


def _part(item: object) -> tuple[FromRow, Number]:
    match item:
        case [row, scenario, multiplier]:
            return FromRow(_whole(row), _whole(scenario)), _number(multiplier)
    raise ShapeError("a part of a sum is not [row, scenario, multiplier]")


def _need_keys(data: Mapping[str, Any], *names: str) -> None:
    if set(data) != set(names):
        raise ShapeError(f"the data has not just the fields {', '.join(names)}")


def _value(item: object) -> Fraction | None:
    return None if item is None else Fraction(_number(item))


def _list(item: object, what: str) -> list[Any]:
    if not isinstance(item, list):
        raise ShapeError(f"{what} are not a list")
    return item


def _numbers(item: object) -> tuple[Number, ...]:
    return tuple(map(_number, _list(item, "the values")))


def _number(item: object) -> Number:
    if type(item) is int:
        return item
    try:
        if isinstance(item, str):
            return parse_score(item)
    except ValueError:
        pass
    raise ShapeError(f'{item!r:.40} is not a whole number or a text "p/q"')


def _whole(item: object) -> int:
    if type(item) is not int:
        raise ShapeError(f"{item!r:.40} is not a whole number")
    return item
