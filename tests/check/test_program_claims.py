"""Claims that rest on a proof about a program: of whom it is, what it promises, and formulas as programs."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo.certificate import Claim
from zermelo.check.rules import check_rule
from zermelo.limits import Limits
from zermelo.qbf.game import FormulaGame
from zermelo.qbf.qcir import parse_qcir

TRUE = FormulaGame(parse_qcir("exists(x)\nforall(u)\noutput(g)\ng = or(x, u)"))
FALSE = FormulaGame(parse_qcir("exists(x)\nforall(u)\noutput(g)\ng = and(x, u)"))
WON: dict[str, Any] = {"value": 0, "nodes": [["c", 0, [1], -1]]}
LOST: dict[str, Any] = {"value": None, "nodes": [["r", 0, [[[0], [2, 1]]]]]}
"""The second row says that u holds, which forall does not."""
DERIVED: dict[str, Any] = {"value": None, "scenarios": [[0]], "clauses": [[[], [[2, 0]], []]]}


@pytest.mark.parametrize(
    ("game", "role", "at_least", "rule", "data", "reason"),
    [
        (TRUE, "exists", 1, "program", WON, ""),
        (TRUE, "exists", 0, "program", WON, ""),
        (TRUE, "exists", 2, "program", WON, "a formula is worth 1 at most, the claim is at least 2"),
        (TRUE, "exists", 1, "program", {**WON, "value": 1}, "the proof promises -1, the claim is at least 0"),
        (TRUE, "exists", 1, "program", {**WON, "value": None}, "such a proof is none of exists"),
        (TRUE, "forall", 1, "program", LOST, "2 is not the number of a row"),
        (FALSE, "exists", 1, "program", WON, "may come to"),
        (FALSE, "forall", 1, "program", LOST, ""),
        (FALSE, "forall", 2, "program", LOST, "a formula is worth 1 at most, the claim is at least 2"),
        (FALSE, "forall", 1, "program", {**LOST, "value": 0}, "the proof promises 0, the claim is at least 1"),
        (FALSE, "forall", 1, "clauses", DERIVED, ""),
        (FALSE, "forall", 1, "clauses", {**DERIVED, "value": 0}, "the proof promises 0, the claim is at least 1"),
        (FALSE, "exists", 1, "clauses", DERIVED, "such a proof is none of exists"),
        (TRUE, "forall", 1, "clauses", DERIVED, "there is no row 2"),
        (FALSE, "forall", 1, "clauses", WON, "the data of the rule 'clauses' is not as it should be"),
    ],
)
def test_a_formula_is_a_program_that_can_be_kept_if_it_is_true(
    game: FormulaGame, role: str, at_least: int, rule: str, data: dict[str, Any], reason: str
) -> None:
    verdict = check_rule(game, Claim(role, at_least, rule=rule, data=data), Limits())
    assert verdict.accepted == (not reason), verdict
    assert reason in verdict.reason
