"""Proofs about programs as data: read as they stand, and refused with what is wrong."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from zermelo.check.clause_steps import Clause, Derivation, FromClause, FromRow, FromSum, Literal, read_derivation
from zermelo.check.steps import Branch, Case, Choose, Proof, Refute, Scenario, read_proof
from zermelo.check.verdict import Fault


def test_steps_of_each_kind_are_read_as_they_stand() -> None:
    nodes = [
        ["c", 2, [1, "1/2"], -1],
        ["b", 1, [[0, 1, 0], [2, "5/2", -1, 3], [3, 3, 0, 0]]],
        ["r", 0, [[[1, 0], [0, 2, 4, "1/3"]], [[], []]]],
    ]
    assert read_proof("forall", {"value": "7/2", "nodes": nodes}) == Proof(
        "forall",
        Fraction(7, 2),
        (
            Choose(2, (1, Fraction(1, 2)), -1),
            Branch(1, (Case(0, 1, 0, None), Case(2, Fraction(5, 2), -1, 3), Case(3, 3, 0, 0))),
            Refute(0, (Scenario((1, 0), {0: 2, 4: Fraction(1, 3)}), Scenario((), {}))),
        ),
    )
    assert read_proof("exists", {"value": None, "nodes": []}) == Proof("exists", None, ())


def test_clauses_are_read_as_they_stand() -> None:
    clauses = [
        [[[1, 0, 3, 2], [0, 1, -1, 0]], [0, [1, 2], [[3, 0, "1/2"], [4, 1, 2]]], [[5, 1, 0, 0]]],
    ]
    assert read_derivation({"value": 0, "scenarios": [[0, "1/2"], []], "clauses": clauses}) == Derivation(
        Fraction(0),
        ((0, Fraction(1, 2)), ()),
        (
            Clause(
                (Literal(1, False, 3, 2), Literal(0, True, -1, 0)),
                (FromClause(0), FromRow(1, 2), FromSum(((FromRow(3, 0), Fraction(1, 2)), (FromRow(4, 1), 2)))),
                (Literal(5, True, 0, 0),),
            ),
        ),
    )


FIELDS = "the data has not just the fields value, nodes"
KINDS = "node 0: not a choice, cases or a refutation"
PAIRS = "node 0: the multipliers are not [row, multiplier, ...] with each row once"
WRONG_PROOFS: dict[str, tuple[dict[str, Any], str]] = {
    "no nodes": ({"value": 1}, FIELDS),
    "more than that": ({"value": 1, "nodes": [], "more": 1}, FIELDS),
    "nodes that are no list": ({"value": 1, "nodes": {}}, "{} is not a list"),
    "a value that is a truth": ({"value": True, "nodes": []}, 'True is not a whole number or a text "p/q"'),
    "a text that is no number": ({"value": "x", "nodes": []}, "'x' is not a whole number or a text \"p/q\""),
    "a division by nothing": ({"value": "1/0", "nodes": []}, "'1/0' is not a whole number or a text \"p/q\""),
    "a step of two": ({"value": 1, "nodes": [["c", 0]]}, "node 0: ['c', 0] is not a list of 3 or 4"),
    "an unknown kind": ({"value": 1, "nodes": [["d", 0, []]]}, KINDS),
    "a choice that leads nowhere": ({"value": 1, "nodes": [["c", 0, []]]}, KINDS),
    "cases with a follower": ({"value": 1, "nodes": [["b", 0, [], 1]]}, KINDS),
    "a refutation with a follower": ({"value": 1, "nodes": [["r", 0, [], 1]]}, KINDS),
    "a half place": ({"value": 1, "nodes": [["b", "1/2", []]]}, "node 0: '1/2' is not a whole number"),
    "a place that is a truth": ({"value": 1, "nodes": [["b", True, []]]}, "node 0: True is not a whole number"),
    "a case of two": ({"value": 1, "nodes": [["b", 0, [[0, 1]]]]}, "node 0: [0, 1] is not a list of 3 or 4"),
    "a scenario of one": ({"value": 1, "nodes": [["r", 0, [[[]]]]]}, "node 0: [[]] is not a list of 2"),
    "a row without multiplier": ({"value": 1, "nodes": [["r", 0, [[[], [1]]]]]}, PAIRS),
    "a row twice": ({"value": 1, "nodes": [["r", 0, [[[], [1, 1, 1, 2]]]]]}, PAIRS),
    "the second step": ({"value": 1, "nodes": [["b", 0, []], ["x", 0, []]]}, KINDS.replace("0", "1")),
}


@pytest.mark.parametrize("what", WRONG_PROOFS)
def test_what_is_no_proof_is_refused(what: str) -> None:
    data, message = WRONG_PROOFS[what]
    with pytest.raises(Fault) as refused:
        read_proof("exists", data)
    assert str(refused.value) == message


BOUND = "clause 0: a bound is not [variable, 0 or 1, number, scenario]"
WRONG_CLAUSES: dict[str, tuple[list[Any], str]] = {
    "a clause of two": ([[], []], "clause 0: [[], []] is not a list of 3"),
    "a bound of three": ([[[0, 1, 1]], [], []], "clause 0: [0, 1, 1] is not a list of 4"),
    "a side that is a truth": ([[[0, True, 1, 0]], [], []], "clause 0: True is not a whole number"),
    "half a bound": ([[[0, 1, "1/2", 0]], [], []], "clause 0: '1/2' is not a whole number"),
    "a third side": ([[[0, 2, 1, 0]], [], []], BOUND),
    "a side below": ([[], [], [[0, -1, 1, 0]]], BOUND),
    "a row of three": ([[], [[1, 0, 0]], []], "clause 0: [1, 0, 0] is not a list of 2"),
    "a row of nothing": ([[], [[]], []], "clause 0: [] is not a list of 2"),
    "a sum of rows without multipliers": ([[], [[[1, 0]]], []], "clause 0: [1, 0] is not a list of 3"),
    "a clause that is a text": ([[], ["1"], []], "clause 0: '1' is not a whole number"),
}


@pytest.mark.parametrize("what", WRONG_CLAUSES)
def test_what_is_no_clause_is_refused(what: str) -> None:
    clause, message = WRONG_CLAUSES[what]
    with pytest.raises(Fault) as refused:
        read_derivation({"value": None, "scenarios": [], "clauses": [clause]})
    assert str(refused.value) == message
