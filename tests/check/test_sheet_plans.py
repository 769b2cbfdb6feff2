"""How rules of a sheet are worked out: what is looked up, in which order, and how much is kept meanwhile."""

from __future__ import annotations

import pytest

from zermelo.check.read.kif import rules_of_kif
from zermelo.check.sheets.plan import Plan, split
from zermelo.check.sheets.reason import Layer, Reasoner, View
from zermelo.check.sheets.rules import Sheet
from zermelo.check.sheets.valid import need_valid
from zermelo.gdl.game import RulesheetGame
from zermelo.gdl.reader import read_rules

FRAME = "(role a) (init s) (legal a go) (<= terminal (true done)) (goal a 100) "


def sheet(text: str) -> Sheet:
    return Sheet(tuple(rules_of_kif(text, "sheet")), "sheet")


def start(text: str) -> str:
    """The facts of the start, by both reasoners, which agree."""
    need_valid(sheet(FRAME + text))
    found = Reasoner(sheet(FRAME + text)).start()
    assert RulesheetGame(read_rules(FRAME + text)).start() == found
    return " ".join(fact for fact in found if fact != "s")


def test_a_fact_of_one_word_is_kept_by_that_word() -> None:
    assert split(("true", "stay")) == ("true stay",) and split(("does", "r", "stay")) == ("does stay", "r")


def test_columns_that_nothing_asks_for_are_dropped() -> None:
    reasoner = Reasoner(sheet(FRAME + "(e 1 2) (e 2 3)"))
    view = View(reasoner, (Layer(), Layer(), Layer()))
    [rule] = rules_of_kif("(<= (h ?a) (e ?a ?b) (e ?c ?d) (distinct ?c ?d) (e ?b ?f))", "sheet")
    plan = Plan(rule.head, rule.parts, (), view)
    assert plan.width == plan.fixed + 1 and set(plan.rows([()], view)) == {("1",)}
    given = Plan(rule.head, rule.parts, (0,), view)
    assert given.width == given.fixed == 1 and set(given.rows([("1",), ("2",)], view)) == {("1",)}


@pytest.mark.parametrize(
    ("rules", "facts"),
    [
        # a value that one branch alone gives is not taken for that of another variable
        ("(q 4) (m 4 1) (<= (init x) (or (p ?a) (q ?b)) (or (m ?a ?b) (z ?a ?b)))", ""),
        ("(q 4) (m 1 4) (<= (init x) (or (p ?a) (q ?b)) (or (m ?a ?b) (z ?a ?b)))", "x"),
        ("(p 4) (m 4 1) (<= (init (x ?b)) (or (p ?a) (q ?b)) (or (m ?a ?b) (z ?a ?b)))", "(x 1)"),
    ],
)
def test_branches_that_give_different_values_are_joined_with_the_rest_one_by_one(rules: str, facts: str) -> None:
    assert start(rules) == facts
