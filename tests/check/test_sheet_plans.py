"""How rules of a sheet are worked out: what is looked up, in which order, and how much is kept meanwhile."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo.check.read.infix import rules_of_infix
from zermelo.check.read.kif import rules_of_kif
from zermelo.check.sheets.circles import Circle
from zermelo.check.sheets.plan import Plan, split
from zermelo.check.sheets.play import SheetGame
from zermelo.check.sheets.reason import Layer, Reasoner, View
from zermelo.check.sheets.rules import Literal, Sheet
from zermelo.check.sheets.seeing import sees_everything
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


def test_a_role_may_be_more_than_a_word() -> None:
    text = """(role (p 1)) (role (p 2)) (init s) (<= (legal ?r (go ?r)) (role ?r)) (<= (legal ?r stay) (role ?r))
        (<= (next (did ?n)) (does (p ?n) (go (p ?n)))) (<= terminal (true (did 1))) (<= (goal ?r 50) (role ?r))"""
    reasoner, theirs = Reasoner(sheet(text)), RulesheetGame(read_rules(text))
    assert reasoner.roles == theirs.roles == ("(p 1)", "(p 2)")
    assert reasoner.next(("s",), ("(go (p 1))", "stay")) == ("(did 1)",)
    assert theirs.play(("s",), ("(go (p 1))", "stay")) == ("(did 1)",)
    assert reasoner.pairs("goal", ("s",)) == {"(p 1)": ["50"], "(p 2)": ["50"]}


def test_facts_and_rules_of_one_relation_are_both_there() -> None:
    text = "(p 1) (<= (p 2) (true s)) (<= (p ?x) (p 1) (q ?x) (true s)) (q 3) (<= (legal a (take ?x)) (p ?x))"
    reasoner = Reasoner(sheet(FRAME + text))
    assert reasoner.pairs("legal", ("s",)) == {"a": ["(take 1)", "(take 2)", "(take 3)", "go"]}
    assert reasoner.pairs("legal", ()) == {"a": ["(take 1)", "go"]}
    static = Reasoner(sheet(FRAME + "(p 1) (<= (p ?x) (q ?x)) (q 2) (<= (legal a (take ?x)) (p ?x) (true s))"))
    assert static.pairs("legal", ("s",)) == {"a": ["(take 1)", "(take 2)", "go"]}
    demand = Reasoner(sheet(FRAME + "(p 1) (<= (p ?x) (true ?x)) (<= (legal a (take ?x)) (p ?x))"))
    assert demand.pairs("legal", ("s",)) == {"a": ["(take 1)", "(take s)", "go"]}


def test_relations_of_static_state_and_moves_are_told_apart() -> None:
    """What rests on moves is not kept for the next moves, nor what rests on a state for another state."""
    text = """(<= (still ?x) (q ?x)) (q 1) (<= (here ?x) (true (at ?x)) (still ?x))
        (<= (made ?x) (does a (to ?x)) (here ?x))
        (<= (path ?x) (made ?x)) (<= (path ?y) (path ?x) (e ?x ?y)) (e 1 2) (e 2 3)
        (<= (far ?x) (here ?x)) (<= (far ?y) (far ?x) (e ?x ?y)) (<= (legal a (to ?x)) (far ?x))
        (<= (next (at ?x)) (path ?x))"""
    reasoner = Reasoner(sheet(FRAME + text))
    assert reasoner.next(("(at 1)",), ("(to 1)",)) == ("(at 1)", "(at 2)", "(at 3)")
    assert reasoner.next(("(at 1)",), ("go",)) == () and reasoner.next(("(at 2)",), ("(to 2)",)) == ()
    assert reasoner.pairs("legal", ("(at 1)",)) == {"a": ["(to 1)", "(to 2)", "(to 3)", "go"]}
    assert reasoner.pairs("legal", ("(at 2)",)) == {"a": ["go"]}


def test_a_state_that_is_asked_about_again_is_not_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    runs, run = [0], Plan.run

    def counted(*arguments: Any) -> Any:
        runs[0] += 1
        return run(*arguments)

    monkeypatch.setattr(Plan, "run", counted)
    circle = "(<= (r ?x) (true ?x)) (<= (r ?y) (r ?x) (e ?x ?y)) (e s t) (<= (fix ?x) (e ?x ?y))"
    reasoner = Reasoner(sheet(FRAME + circle + "(<= (legal a (to ?x)) (r ?x) (fix ?x)) (<= terminal (r done))"))
    work = []
    for state in (("s",), ("s",), ("t",), ("t",)):
        before = runs[0]
        assert reasoner.pairs("legal", state)["a"][-1] == "go" and not reasoner.terminal(state)
        work.append(runs[0] - before)
    assert work[0] > work[2] > 0 and work[1] == work[3] == 0  # what is static is known by then


def test_only_new_rows_are_joined_again() -> None:
    """A chain of three hundred links is followed in as many rounds, each with one row."""
    links = " ".join(f"(e {number} {number + 1})" for number in range(300))
    circle = Circle(sheet(f"{links} (<= (r ?x) (b ?x)) (<= (r ?y) (r ?x) (e ?x ?y)) (b 0)").rules[300:302], sheet(""))
    [(first, again)] = circle.strata
    assert len(first) == 2 and [clause.body[0] for clause in again] == [Literal(True, ("new r", "?x"))]
    assert start(f"{links} (b 0) (<= (r ?x) (b ?x)) (<= (r ?y) (r ?x) (e ?x ?y)) (<= (init (x ?y)) (r ?y) (e ?x ?y)"
                 "(e ?x 300))") == "(x 300)"  # fmt: skip


def test_a_term_whose_column_was_dropped_is_made_again() -> None:
    reasoner = Reasoner(sheet(FRAME + "(p (f 1)) (q 2) (r (f 1) 2) (r (f 1) 3)"))
    view = View(reasoner, (Layer(), Layer(), Layer()))
    [rule] = rules_of_kif("(<= (h ?a) (p (f ?a)) (q ?b) (r (f ?a) ?b))", "sheet")
    assert set(Plan(rule.head, rule.parts, (0,), view).rows([("1",), ("2",)], view)) == {("1",)}


def test_a_branch_may_ask_for_nothing() -> None:
    facts = "(e 2 1) (e 3 1) (n 1) (n 2)"
    assert start(f"{facts} (<= (init (x ?b ?a)) (n ?b) (e ?a ?b) (or (and) (n ?a)))") == "(x 1 2) (x 1 3)"
    assert start(f"{facts} (<= (init (x ?d)) (e ?d ?c) (or (and) (n ?c)))") == "(x 2) (x 3)"
    assert start(f"{facts} (<= (init (x ?a)) (e ?b ?a) (n ?c) (or (and) (n ?a)))") == "(x 1)"


def test_what_was_asked_on_demand_stays_known_while_a_circle_is_worked_out() -> None:
    text = """(<= (ok ?x) (true (cell ?x))) (<= (r ?x) (b ?x) (ok ?x)) (<= (r ?y) (r ?x) (e ?x ?y) (ok ?x))
        (b 1) (e 1 2) (e 2 3) (<= (legal a (to ?x)) (r ?x))"""
    reasoner = Reasoner(sheet(FRAME + text))
    assert reasoner.pairs("legal", ("(cell 1)", "(cell 2)"))["a"] == ["(to 1)", "(to 2)", "(to 3)", "go"]
    assert reasoner.pairs("legal", ("(cell 1)",))["a"] == ["(to 1)", "(to 2)", "go"]


def test_the_second_role_has_the_turn_where_it_alone_can_choose() -> None:
    text = "(role a) (role b) (init x) (legal a (wait 1)) (legal b l) (legal b r) (<= terminal (true done)) (goal a 1)"
    game = SheetGame(sheet(f"{text} (goal b 1) (<= (next (did ?r ?m)) (does ?r ?m))"))
    assert game.turn(("x",)) == "b" and game.moves(("x",)) == ["l", "r"]
    assert game.play(("x",), "r") == ("(did a (wait 1))", "(did b r)")


def test_what_is_told_only_in_one_of_two_cases_is_hidden() -> None:
    told = "(<= (sees a (did ?m)) (does random ?m) {})"
    assert sees_everything(sheet(told.format("(or (role a) (role a))")), ("a", "random")) is False
    assert sees_everything(sheet(told.format("(or (true s) (true t))")), ("a", "random")) is False
    assert sees_everything(sheet(told.format("(or (role a))")), ("a", "random")) is True


def test_not_in_capitals_may_be_before_several_formulas() -> None:
    [rule] = rules_of_infix("p :- NOT(q, r).", "sheet")
    assert rule.body == (("not", ("and", ("q",), ("r",))),)
