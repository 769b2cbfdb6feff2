"""What makes a rulesheet valid, what its rules say and how it is played, case by case, by the checker's own code."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo.check.read import rulesheet
from zermelo.check.read.kif import rules_of_kif
from zermelo.check.read.rulesheet import read
from zermelo.check.sheets import circles, plan, play, reason, terms
from zermelo.check.sheets.plan import picker, split
from zermelo.check.sheets.play import Between, SheetGame
from zermelo.check.sheets.reason import Reasoner
from zermelo.check.sheets.rules import Body, Either, Literal, Rule, Sheet, bound, unbound
from zermelo.check.sheets.seeing import sees_everything
from zermelo.check.sheets.terms import may_be_equal, parts_of
from zermelo.check.sheets.valid import groups, need_valid
from zermelo.errors import GameError, IllegalMoveError, InputError
from zermelo.game import CHANCE
from zermelo.gdl.game import RulesheetGame
from zermelo.gdl.reader import read_rules
from zermelo.source import Source

FRAME = "(role a) (init s) (legal a go) (<= terminal (true done)) (goal a 100) "


def sheet(text: str) -> Sheet:
    return Sheet(tuple(rules_of_kif(text, "sheet")), "sheet")


def start(text: str) -> tuple[str, ...]:
    """The start of both reasoners, which agree."""
    need_valid(sheet(FRAME + text))
    found = Reasoner(sheet(FRAME + text)).start()
    assert RulesheetGame(read_rules(FRAME + text)).start() == found
    return tuple(fact for fact in found if fact != "s")


EDGES = "(e 1 2) (e 2 3) (e 3 4) (e 4 2) (n 1) (n 2) (n 3) (n 4) (n 5) "


@pytest.mark.parametrize(
    ("rules", "facts"),
    [
        ("(<= (init (x ?a)) (e ?a ?b) (e ?b 4))", "(x 2)"),
        ("(<= (init (x ?a)) (e ?a ?a))", ""),
        ("(<= (init (x ?a ?c)) (e ?a ?b) (e ?b ?c) (distinct ?a ?c))", "(x 1 3) (x 2 4) (x 3 2) (x 4 3)"),
        ("(<= (init (x ?a)) (n ?a) (not (e ?a 2)))", "(x 2) (x 3) (x 5)"),
        ("(<= (init (x ?a)) (n ?a) (not (out ?a))) (<= (out ?a) (e ?a ?b))", "(x 5)"),
        ("(<= (init (x ?a)) (n ?a) (or (e ?a 2) (e 2 ?a)))", "(x 1) (x 3) (x 4)"),
        ("(<= (init (x ?a)) (or (e ?a 2) (and (n ?a) (not (e 1 ?a)) (distinct ?a 5))))", "(x 1) (x 3) (x 4)"),
        ("(<= (init (x ?a)) (n ?a) (not (or (e ?a 2) (e 2 ?a))))", "(x 2) (x 5)"),
        ("(<= (init (x ?a)) (n ?a) (not (and (e ?a ?a) (n ?a))) (not (not (e ?a 3))))", "(x 2)"),
        ("(<= (init (x ?a)) (n ?a) (or))", ""),
        ("(<= (init (x ?a)) (n ?a) (and) (e ?a 3))", "(x 2)"),
        ("(<= (init x) (n 5) (e 1 2))", "x"),
        ("(<= (init x) (n 6))", ""),
        ("(<= (init x) (distinct 1 1))", ""),
        ("(<= (init x) (distinct 1 2) (not nothing))", "x"),
        # recursion, also through two relations and with negation of what lies below
        ("(<= (r ?a ?b) (e ?a ?b)) (<= (r ?a ?c) (r ?a ?b) (e ?b ?c)) (<= (init (x ?a)) (r ?a ?a))",
         "(x 2) (x 3) (x 4)"),
        ("(<= (r ?a ?b) (e ?a ?b)) (<= (r ?a ?c) (r ?a ?b) (r ?b ?c)) (<= (init (x ?a)) (r 1 ?a))",
         "(x 2) (x 3) (x 4)"),
        ("(odd 9) (<= (odd ?b) (even ?a) (e ?a ?b)) (even 1) (<= (even ?b) (odd ?a) (e ?a ?b)) "
         "(<= (init (x ?a)) (odd ?a))",
         "(x 2) (x 3) (x 4) (x 9)"),
        ("(<= (r 1) (n 1)) (<= (r ?b) (or (r ?a) (s ?a)) (e ?a ?b) (not (e ?b 4))) (s 3) (<= (init (x ?a)) (r ?a))",
         "(x 1) (x 2) (x 4)"),
        # negation within a relation, about different things
        ("(<= (g a 1) (n 5)) (<= (g a 0) (not (g a 1))) (<= (g b 0) (not (g b 1))) (<= (init (x ?r ?v)) (g ?r ?v))",
         "(x a 1) (x b 0)"),
        ("(<= (w ?a 2) (w ?a 1) (not (w ?a 3))) (<= (w ?a 1) (n ?a)) (<= (w 2 3) (n 1)) (<= (init (x ?a)) (w ?a 2))",
         "(x 1) (x 3) (x 4) (x 5)"),
        # functions: made, opened, compared
        ("(<= (p (f ?a (g ?b))) (e ?a ?b)) (<= (init (x ?b)) (p (f 1 (g ?b))))", "(x 2)"),
        ("(<= (p (f ?a (g ?b))) (e ?a ?b)) (<= (init (x ?a)) (p (f ?a (g ?a))))", ""),
        ("(<= (p (f ?a ?b)) (e ?a ?b)) (p (f 7)) (p (h 5 2)) (p f) (<= (init (x ?a)) (p (f ?a ?b)) (n ?b))",
         "(x 1) (x 2) (x 3) (x 4)"),
        ("(<= (p (f ?a)) (n ?a)) (<= (init (x ?a)) (n ?a) (p (f ?a)) (distinct (f ?a) (f 1)) (not (p (g ?a))))",
         "(x 2) (x 3) (x 4) (x 5)"),
        ("(p (f (g 1)) (g 1)) (p (f (g 1)) (g 2)) (<= (init (x ?v)) (p (f ?v) ?v))", "(x (g 1))"),
        ("(<= (init (x ?a)) (p ?a distinct)) (<= (p ?a distinct) (out ?a)) (<= (out ?a) (e ?a 3))", "(x 2)"),
        ("(p fx) (<= (init (x ?a)) (p (f ?a)))", ""),
        ("(p a a b) (p a b b) (<= (init (x ?u ?v)) (p ?u ?u ?v))", "(x a b)"),
    ],
)  # fmt: skip
def test_rules_give_what_their_definition_says(rules: str, facts: str) -> None:
    assert " ".join(start(EDGES + rules)) == facts


def test_state_and_moves_are_looked_up_by_function_and_as_a_whole() -> None:
    text = """(role a) (role b) (init (c 1)) (init (c 2)) (init d) (goal a 1) (goal b 0)
        (<= (legal a (take ?n)) (true (c ?n))) (legal a wait) (<= (legal b ?f) (true ?f)) (legal b wait)
        (<= (next ?f) (true ?f) (distinct ?f d) (not (taken ?f))) (<= (taken (c ?n)) (does a (take ?n)))
        (<= (next (did ?r ?m)) (does ?r ?m) (distinct ?m wait)) (<= (next late) (true d))
        (<= terminal (not (true d)))"""
    reasoner = Reasoner(sheet(text))
    state = reasoner.start()
    assert (reasoner.roles, state) == (("a", "b"), ("(c 1)", "(c 2)", "d"))
    assert reasoner.pairs("legal", state) == {
        "a": ["(take 1)", "(take 2)", "wait"],
        "b": ["(c 1)", "(c 2)", "d", "wait"],
    }
    assert reasoner.next(state, ("(take 1)", "d")) == ("(c 2)", "(did a (take 1))", "(did b d)", "late")
    assert reasoner.next(state, ("wait", "(c 2)")) == ("(c 1)", "(c 2)", "(did b (c 2))", "late")
    assert [reasoner.terminal(here) for here in (state, ("d",), (), ("(d 1)",))] == [False, False, True, True]
    for number in range(reason.KEPT_STATES + 5):
        assert reasoner.pairs("legal", (f"(c {number})",))["a"] == [f"(take {number})", "wait"]
    assert reasoner.pairs("goal", state) == {"a": ["1"], "b": ["0"]}


@pytest.mark.parametrize("rules", ["", "(<= (r ?a ?b) (e ?a ?b)) (<= (r ?a ?c) (r ?a ?b) (e ?b ?c) (true s))"])
def test_an_interrupted_question_is_answered_anew(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it is interrupted: the first time in the first plan that runs, then in the second, and so on."""
    text = (
        f"{FRAME}{EDGES}{rules}(<= (legal a (to ?x)) (true s) (e 1 ?x)) (<= (legal a ?x) (r 1 ?x)) (<= (p ?x) (n ?x))"
    )
    text += "(<= (legal a (p ?x)) (p ?x) (not (e ?x 2)))"
    answers = Reasoner(sheet(text)).pairs("legal", ("s",))
    reasoner, run = Reasoner(sheet(text)), plan.Plan.rows
    for most in range(40):
        left = most

        def stopped(*arguments: Any) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                raise KeyboardInterrupt
            return run(*arguments)

        monkeypatch.setattr(plan.Plan, "rows", stopped)
        try:
            assert reasoner.pairs("legal", ("s",)) == answers
            break
        except KeyboardInterrupt:
            continue
    assert 3 <= most < 39 and set(answers["a"]) >= {"(to 2)", "(p 2)", "(p 3)", "(p 5)", "go"}


@pytest.mark.parametrize("size", [1, 4, 5])
def test_terms_that_grow_without_end_are_noticed(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reason, "MOST_SYMBOLS", 4)
    text = f"(g{size} {' '.join('a' * (size - 1))})" if size > 1 else "a"
    reasoner = Reasoner(sheet(FRAME + f"(<= (init ?x) (p ?x)) (p {text})"))
    if size <= 4:
        assert reasoner.start() == tuple(sorted([text, "s"]))
    else:
        with pytest.raises(GameError, match="terms of g5 grow"):
            reasoner.start()


def test_a_state_is_as_deep_as_terms_in_a_sheet_at_the_most() -> None:
    reasoner = Reasoner(sheet(FRAME + "(<= (next (f ?x)) (true ?x))"))
    state = reasoner.start()
    for _ in range(terms.DEEPEST):
        state = reasoner.next(state, ("go",))
    assert state == ("(f " * terms.DEEPEST + "s" + ")" * terms.DEEPEST,)
    with pytest.raises(GameError, match="levels"):
        reasoner.next(state, ("go",))
    long = "a" * (reason.MOST_SYMBOLS + 1)
    assert Reasoner(sheet(FRAME + f"(init {long})")).start() == (long, "s")


def test_negation_stands_before_atoms_and_disjunctions_are_kept() -> None:
    formula = ("not", ("and", ("p",), ("or", ("q",), ("not", ("r",))), ("distinct", "a", "b")))
    assert Rule(("h",), (formula,)).parts == (
        Either(
            (
                (Literal(False, ("p",)),),
                (Literal(False, ("q",)), Literal(True, ("r",))),
                (Literal(False, ("distinct", "a", "b")),),
            )
        ),
    )
    assert Rule(("h",), (("or", ("p",)), ("and", ("q",), ("and", ("p",))))).parts == (
        Literal(True, ("p",)),
        Literal(True, ("q",)),
        Literal(True, ("p",)),
    )
    assert Rule(("h",), (("or",),)).parts == (Either(()),) and Rule(("h",), (("not", ("or",)),)).parts == ()


def test_a_variable_has_a_value_where_every_branch_gives_it_one() -> None:
    def parts(text: str) -> Body:
        return sheet(f"(<= h {text})").rules[0].parts

    assert bound(parts("(or (p ?x) (q ?x ?y)) (not (r ?z)) (distinct ?u ?v)")) == {"?x"}
    assert bound(parts("(or)")) == set() and bound(parts("(p ?x) (q ?y)"), lambda atom: atom[0] == "p") == {"?x"}
    assert list(unbound(parts("(or (p ?x) (not (q ?x)))"))) == [("?x", ("q", "?x"))]
    assert list(unbound(parts("(or (p ?x) (not (q ?x))) (r ?x)"))) == []
    assert list(unbound(parts("(not (q ?x ?y))"), {"?x"})) == [("?y", ("q", "?x", "?y"))]
    assert list(unbound(parts("(or (and (not (q ?x)) (p ?x)) (r ?x))"))) == []


@pytest.mark.parametrize(
    ("rules", "facts"),
    [
        # values that all branches give, that one gives, and that come from elsewhere
        ("(<= (init (x ?a ?b)) (n ?a) (or (e ?a ?b) (e ?b ?a)) (distinct ?b 2))",
         "(x 2 1) (x 2 3) (x 2 4) (x 3 4) (x 4 3)"),
        ("(<= (init (x ?a)) (or (and (e ?a ?b) (e ?b 4)) (and (n ?a) (not (e ?a 2)) (not (e 2 ?a)))))", "(x 2) (x 5)"),
        ("(<= (init (x ?a)) (or (e 1 ?a) (e ?b ?a)) (or (e ?b ?a) (n ?b)))", "(x 2) (x 3) (x 4)"),
        ("(<= (init x) (or (and (e 1 ?a) (not (e ?b 3))) (e 9 ?a)) (or (and (e 3 ?b) (not (e ?a 4))) (e 9 ?b)))", "x"),
        ("(<= (init x) (or (and (e 1 ?a) (not (e ?b 2))) (e 9 ?a)) (or (and (e 3 ?b) (not (e ?a 4))) (e 9 ?b)))", ""),
        ("(<= (init (x ?a)) (or (f ?a) (e 1 ?a)) (or (g ?b) (e ?a ?b)) (or (e ?b 4) (e ?b 9)))", "(x 2)"),
        ("(<= (init (x (f ?a))) (n ?a) (or (distinct ?a 1) (e ?a 2)) (or (distinct ?a 5) (e ?a 2)))",
         "(x (f 1)) (x (f 2)) (x (f 3)) (x (f 4))"),
        # recursion inside a disjunction
        ("(<= (r ?b) (or (e 1 ?b) (and (r ?a) (e ?a ?b)))) (<= (init (x ?a)) (r ?a))", "(x 2) (x 3) (x 4)"),
    ],
)  # fmt: skip
def test_disjunctions_are_joined_with_the_rest(rules: str, facts: str) -> None:
    assert " ".join(start(EDGES + rules)) == facts


def test_forty_disjunctions_in_a_body_are_no_more_work_than_their_sum() -> None:
    """Spread out, they would be two to the power of forty alternatives."""
    body = " ".join("(or (e ?a 2) (e ?a 3) (n ?a))" for _ in range(40))
    other = " ".join(f"(or (e ?a ?b{number}) (e ?b{number} ?a))" for number in range(40))
    assert start(f"{EDGES} (<= (init (x ?a)) (n ?a) {body} {other})") == ("(x 1)", "(x 2)", "(x 3)", "(x 4)")


def test_what_is_asked_about_is_worked_out_and_no_more() -> None:
    """As a whole the relation would have a hundred to the power of five rows."""
    cells = " ".join(f"(init (cell {number}))" for number in range(100))
    five = "(<= (five ?a ?b ?c ?d ?e) " + " ".join(f"(true (cell ?{name}))" for name in "abcde") + ")"
    reasoner = Reasoner(sheet(f"{FRAME} {cells} {five} (<= (legal a (take ?x)) (true (cell ?x)) (five ?x 1 2 3 4))"))
    assert len(reasoner.pairs("legal", reasoner.start())["a"]) == 101


def test_a_chain_of_relations_may_be_long() -> None:
    chain = " ".join(f"(<= (p{number} ?x) (p{number - 1} ?x) (true ?x))" for number in range(1, 1000))
    reasoner = Reasoner(sheet(f"{FRAME} (p0 s) (p0 t) {chain} (<= (legal a ?x) (p999 ?x))"))
    assert reasoner.pairs("legal", ("s",)) == {"a": ["go", "s"]}


def test_atoms_are_looked_up_by_function() -> None:
    assert split(("does", "r", ("f", "a"))) == ("does f", "r", "a") and split(("p", ("f", "a"))) == ("p", ("f", "a"))
    assert split(("true", "s")) == ("true s",) and split(("does", "r", "?m")) == ("does", "r", "?m")
    assert picker((0,))(("a",)) == ("a",) and picker(())(("a",)) == ()


def test_words_may_have_question_marks_inside() -> None:
    odd = Reasoner(
        sheet(FRAME + "(init a?b) (init (f c?)) (<= (legal a ?f) (true ?f)) (<= (legal a ?x) (true (f ?x)))")
    )
    assert odd.pairs("legal", odd.start()) == {"a": ["(f c?)", "a?b", "c?", "go", "s"]}


VALID = [
    ("(legal a go) terminal (goal a 1)", "no rule for role"),
    ("(role a) terminal (goal a 1)", "no rule for legal"),
    ("(role a) (legal a go) (goal a 1)", "no rule for terminal"),
    ("(role a) (legal a go) terminal", "no rule for goal"),
    ("(true p)", "true as a head"),
    ("(<= (does a p) (role a))", "does as a head"),
    ("(goal a x)", "a goal that is no whole number"),
    ("(goal a (f 1))", "a goal that is no whole number"),
    ("(goal a -5) (goal a +5)", ""),
    ("(<= (goal a ?x) (role ?x))", ""),
    ("(role a b)", "role has 2 arguments, expected 1"),
    ("(<= q (true a b))", "true has 2 arguments, expected 1"),
    ("(terminal a)", "terminal has 1 arguments, expected 0"),
    ("(<= q (distinct a))", "distinct has 1 arguments, expected 2"),
    ("(<= q (init p))", "init in a body"),
    ("(<= q (next p))", "next in a body"),
    ("(<= q (sees a p))", "sees in a body"),
    ("(<= (base ?p) (init ?p))", ""),
    ("(<= (input ?r p) (role ?r) (not (init s)))", ""),
    ("(<= q (not (distinct a b)))", "not over distinct"),
    ("(<= (q ?x) (role a))", "?x of the head has no values"),
    ("(q ?x)", "?x of the head has no values"),
    ("(<= (q ?x) (or (role ?x) (role a)))", "?x of the head has no values"),
    ("(<= (q ?x) (or (role ?x) (p ?x ?y)))", ""),
    ("(<= (q ?x) (or))", "?x of the head has no values"),
    ("(<= q (not (p ?x)))", "?x in p has no values"),
    ("(<= q (role ?x) (not (p ?x ?y)))", "?y in p has no values"),
    ("(<= q (role ?x) (distinct ?x ?y))", "?y in distinct has no values"),
    ("(<= q (or (role ?x) (not (p ?x))))", "?x in p has no values"),
    ("(<= q (or (and (role ?x) (not (p ?x))) (role a)))", ""),
    ("(<= q (not q))", "q depends on its own negation"),
    ("(<= q p) (<= p (not q))", "depends on its own negation"),
    ("(<= (q ?x) (role ?x) (not (q a)))", "q depends on its own negation"),
    ("(<= (q b) (not (q a))) (<= (q a) (q c)) (<= (q c) (role b))", ""),
    ("(<= (q b) (not (q a))) (<= (q a) (q c)) (<= (q c) (q b))", "depends on its own negation"),
    ("(<= (q (f ?x)) (q ?x))", "ever larger terms for q"),
    ("(<= (q (f ?x)) (p ?x)) (<= (p ?x) (q ?x))", "ever larger terms for q"),
    ("(<= (q (f ?x)) (q ?x) (role ?x))", ""),
    ("(<= (q ?x ?y) (q ?x (f ?y)) (role ?y))", ""),
    ("(<= (q (f ?x) ?y) (q ?x ?y))", "ever larger terms for q"),
    ("(<= (q (f a) ?y) (q ?x ?y))", ""),
    ("(<= (q ?x (f ?y)) (q ?x ?z) (role ?y))", ""),
    ("(<= (q ?x (f ?x)) (q ?x ?x))", ""),
    ("(<= (q ?z (f ?z)) (q ?x ?z) (role ?x))", ""),
    ("(<= (q ?z (f ?z)) (q ?z ?z) (not (p (g ?z))))", ""),
    ("(<= (q (f ?x)) (role ?x)) (<= (q ?x) (q (g ?x)))", ""),
    ("(<= (q a) (q b)) (<= (q b) (q a)) (<= (q c) (not (q a)))", ""),
    ("(<= (legal a go) q) (<= q p) (<= p q)", ""),
    ("(goal a)", "goal has 1 arguments, expected 2"),
    ("(<= (legal a ?m) (does a ?m))", "legal depends on does"),
    ("(<= (legal a go) q) (<= q (does a go))", "legal depends on does"),
    ("(<= terminal (does a go))", "terminal depends on does"),
    ("(<= (goal a 1) (does a go))", "goal depends on does"),
    ("(<= (init p) (true q))", "init depends on true"),
    ("(<= (init p) (legal a go))", "init depends on legal"),
    ("(<= (role b) terminal)", "role depends on true"),
    ("(<= (role b) (goal a 1))", "role depends on goal"),
    ("(<= (next p) (does a go) (true q) (legal a go) terminal (goal a 100))", ""),
]


@pytest.mark.parametrize(("text", "fault"), VALID)
def test_a_sheet_has_a_meaning_or_is_refused_with_the_reason(text: str, fault: str) -> None:
    whole = text if fault.startswith("no rule") else FRAME + text
    try:
        need_valid(sheet(whole))
        found = ""
    except InputError as error:
        found = error.message
    assert fault in found and bool(fault) == bool(found)


def test_a_large_circle_with_negation_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    circle = sheet(FRAME + "(<= (q b) (not (q a))) (<= (q a) (q c)) (<= (q c) (role b))")  # two links, three rules
    monkeypatch.setattr(circles, "MOST_PAIRS", 6)
    need_valid(circle)
    monkeypatch.setattr(circles, "MOST_PAIRS", 5)
    with pytest.raises(InputError, match="in too many ways"):
        need_valid(circle)


def test_a_fault_names_the_rule_that_is_to_blame() -> None:
    with pytest.raises(InputError) as caught:
        need_valid(sheet(FRAME + "\n (<= q (not p))\n  (<= p q)"))
    assert (caught.value.line, caught.value.column) == (2, 2)


def test_groups_come_after_what_they_use() -> None:
    found = groups({1: [2], 2: [3, 1], 3: [4], 4: [3], 5: [1, 5], 6: []})
    assert sorted(map(sorted, found)) == [[1, 2], [3, 4], [5], [6]]
    place = {node: number for number, members in enumerate(found) for node in members}
    assert place[3] < place[1] < place[5]


def test_terms_may_be_equal_if_no_word_differs() -> None:
    assert may_be_equal(("p", "?x", ("f", "a")), ("p", "b", "?y")) and may_be_equal("?x", ("f", "a"))
    assert not may_be_equal(("p", "a"), ("p", "a", "b")) and not may_be_equal(("p", ("f", "a")), ("p", ("g", "a")))
    assert not may_be_equal("a", ("f", "a")) and not may_be_equal(("p", ("f", "a")), ("p", ("f", "b")))


def test_words_have_no_parts_and_rules_are_equal_wherever_they_stand() -> None:
    assert list(parts_of("ab")) == ["ab"] and list(parts_of(("f", "a"))) == [("f", "a"), "a"]
    assert not may_be_equal("a?b", "axb") and not may_be_equal("f", ("f",)) and not may_be_equal(("f",), "f")
    assert Rule(("p",), (), (1, 1)) == Rule(("p",), (), (2, 2)) and Rule(("p",)).place == (0, 0)
    assert Sheet((), "one") == Sheet((), "other")
    assert str(Sheet((), "one").fault("bad", Rule(("p",), (), (0, 5)))) == "one: bad"
    assert str(Sheet((), "one").fault("bad", Rule(("p",), (), (3, 5)))) == "one:3:5: bad"
    assert str(Sheet((), "one").fault("bad")) == "one: bad"


SEEN = "(<= (sees ?r (did ?p ?m)) (role ?r) (does ?p ?m))"


@pytest.mark.parametrize(
    ("rules", "seen"),
    [
        (SEEN, True),
        ("(<= (sees a (did ?m)) (does random ?m))", True),
        ("(<= (sees a (did ?m)) (does a ?m))", False),
        ("(<= (sees b (did ?m)) (does random ?m))", False),
        ("(<= (sees a ?m) (does random ?m))", False),
        ("(<= (sees a (did ?p)) (does ?p ?m))", False),
        ("(<= (sees a (did ?m)) (does ?p ?m))", False),
        ("(<= (sees a (did ?m)) (does random ?m) (true s))", False),
        ("(<= (sees a (did ?m)) (does random ?m) (role a))", True),
        ("(<= (sees a (did ?m)) (does random ?m) (role c))", False),
        ("(<= (sees a (did ?m)) (does random ?m) (not (role c)))", False),
        ("(<= (sees ?r (did ?m)) (does ?p ?m) (distinct ?r ?p))", False),
        ("(<= (sees ?r (did ?p ?m)) (does ?p ?m) (distinct ?r ?p) (role ?r))", True),
        ("(<= (sees ?r (did ?p ?m)) (does ?p ?m) (distinct ?r ?m) (role ?r))", False),
        ("(<= (sees ?r (did ?p ?m)) (does ?p ?m) (role ?r) (distinct ?p ?p))", False),
        ("(<= (sees a (did ?m)) (does random ?m) (does a ?n))", False),
        ("(<= (sees a (did ?m)) (not (does random ?m)) (does a ?m))", False),
        ("(<= (sees a (did ?m)) (or (does random ?m) (true s)))", False),
        ("(<= (sees a (did (take ?m))) (does random (take ?m)))", False),
        (SEEN + "(<= (sees a (did ?p x)) (role ?p))", False),
        (SEEN + "(<= (sees a (other ?p x)) (role ?p))", True),
        ("(<= (sees ?p (did ?p ?m)) (does ?p ?m))", False),
        ("(<= (sees ?m (did ?p ?m)) (does ?p ?m))", False),
        ("(<= (sees ?r (did ?p ?p)) (does ?p ?p) (role ?r))", False),
        ("(<= (sees a (did ?m)) (not (does random ?m)))", False),
        ("(<= (sees ?r (did ?p ?m)) (does ?p ?m) (role ?r) (role random) (distinct x y))", True),
        ("(<= (sees ?r (did ?p ?m)) (does ?p ?m) (not (distinct ?r ?p)))", False),
        ("(<= (sees a (did ?m)) (does random ?m) (not (role a)))", False),
        ("(<= (sees ?r (did ?p ?m)) (does ?p ?m) (watches ?r))", False),
        ("(sees a nothing)", False),
        ("", False),
    ],
)
def test_a_role_sees_every_move_only_by_a_rule_that_always_tells_it(rules: str, seen: bool) -> None:
    assert sees_everything(sheet(rules), ("a", "random")) is seen


def test_every_role_has_to_see_every_other() -> None:
    only_a = sheet("(<= (sees a (did ?p ?m)) (does ?p ?m))")
    assert sees_everything(only_a, ("a", "random")) and not sees_everything(only_a, ("a", "b", "random"))
    one_of_two = sheet("(<= (sees a (did ?m)) (does b ?m)) (<= (sees b (did ?p ?m)) (does ?p ?m))")
    assert not sees_everything(one_of_two, ("a", "b", "random"))
    assert sees_everything(sheet(SEEN), ("a", "b", "random")) and sees_everything(sheet(""), ("random",))


def test_who_moves_is_told_by_who_has_a_choice() -> None:
    text = (
        """(role a) (role b) (role random) (init (at 1))
        (<= (legal a l) (true (at 1))) (<= (legal a r) (true (at 1))) (<= (legal b wait) (true (at 1)))
        (<= (legal random wait) (true (at 1)))
        (<= (legal a wait) (true (at 2))) (<= (legal b l) (true (at 2))) (<= (legal b r) (true (at 2)))
        (<= (legal random h) (true (at 2))) (<= (legal random t) (true (at 2)))
        (<= (legal a l) (true (at 3))) (<= (legal a r) (true (at 3))) (<= (legal b l) (true (at 3)))
        (<= (legal b r) (true (at 3))) (<= (legal random wait) (true (at 3)))
        (<= (legal a wait) (true (at 4))) (<= (legal b (do it)) (true (at 4))) (<= (legal random wait) (true (at 4)))
        (<= (legal a wait) (true (at 5))) (<= (legal b wait) (true (at 5))) (<= (legal random h) (true (at 5)))
        (<= (legal random t) (true (at 5)))
        (<= (legal a wait) (true (at 6))) (<= (legal b wait) (true (at 6))) (<= (legal random wait) (true (at 6)))
        (<= (next (at ?m)) (true (at ?n)) (then ?n ?m))
        (then 1 2) (then 2 3) (then 3 4) (then 4 5) (then 5 6) (then 6 7)
        (<= (next (did ?r ?x)) (does ?r ?x) (distinct ?x wait)) (<= terminal (true (at 7)))
        (<= (goal a 30) (true (at 7))) (<= (goal b 70) (true (at 7))) (<= (goal random 0) terminal)"""
        + SEEN
    )
    game = SheetGame(sheet(text))
    assert (game.roles, game.hidden_information, game.endless) == (("a", "b"), False, (50, 50))
    position = game.start()
    assert (game.turn(position), game.moves(position)) == ("a", ["l", "r"])
    position = game.play(position, "r")
    assert position == ("(at 2)", "(did a r)") and game.turn(position) == "b"
    between = game.play(position, "l")
    assert isinstance(between, Between) and game.turn(between) == CHANCE and game.moves(between) == ["h", "t"]
    assert game.key(between) == "(at 2) (did a r) | wait l" and game.result(between) is None
    position = game.play(between, "t")
    assert position == ("(at 3)", "(did b l)", "(did random t)") and game.turn(position) == ("a", "b")
    assert game.moves(position) == [("l", "l"), ("l", "r"), ("r", "l"), ("r", "r")]
    assert game.move_text(("l", "r")) == "l+r" and game.parse_move(position, "r+l") == ("r", "l")
    position = game.play(position, ("l", "r"))
    assert position == ("(at 4)", "(did a l)", "(did b r)")
    assert game.turn(position) == "b" and game.moves(position) == ["(do it)"] and game.move_text("(do it)") == "do(it)"
    assert game.parse_move(position, "do(it)") == game.parse_move(position, "(do it)") == "(do it)"
    with pytest.raises(IllegalMoveError):
        game.parse_move(position, "(do that)")
    position = game.play(position, "(do it)")
    assert game.turn(position) == CHANCE and game.chances(position) == [("h", 1 / 2), ("t", 1 / 2)]
    position = game.play(position, "h")
    assert game.turn(position) == "a" and game.key(position) == "(at 6) (did random h)"
    assert game.result(position) is None and game.result(game.play(position, "wait")) == (30, 70)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("(role random) (legal random x) (goal random 1) terminal", "0 roles to play"),
        ("(role draw) (role draw_role) (legal draw x) (goal draw 1) terminal", "a role has the name"),
    ],
)
def test_roles_without_a_name_of_their_own_are_refused(text: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        read(Source("rulesheet", text, "sheet"))


def test_a_position_without_a_move_or_with_two_goals_is_told() -> None:
    game = SheetGame(sheet("(role draw) (init x) (legal b m) (<= terminal (true x)) (goal draw 1) (goal draw 2)"))
    assert game.roles == ("draw_role",)
    with pytest.raises(GameError, match="draw has 2 goals in the terminal state x"):
        game.result(("x",))
    with pytest.raises(GameError, match="draw has no legal move in the state without facts"):
        game.moves(())
    game = SheetGame(sheet("(role a) (legal a m) terminal (goal a -5)"))
    assert game.result(()) == (-5,)
    for goal in ("+5", "x", "1/2", "--5"):
        with pytest.raises(GameError, match="not a whole number"):
            SheetGame(sheet(f"(role a) (legal a m) terminal (goal a {goal})")).result(())


def test_roles_are_those_stated_in_their_order_then_those_derived() -> None:
    assert Reasoner(sheet("(<= (role c) (n 1)) (n 1) (role b) (p x role) (role a)")).roles == ("b", "a", "c")


def test_relations_of_one_name_may_need_each_other() -> None:
    rules = "(<= (r ?a ?b) (e ?a ?b)) (<= (r ?b) (r ?a) (r ?a ?b)) (<= (r ?a ?c) (r ?b) (r ?a ?b) (e ?b ?c)) (r 1)"
    assert " ".join(start(EDGES + rules + "(<= (init (x ?a)) (r ?a)) (<= (init (y ?a)) (r 1 ?a))")) == (
        "(x 1) (x 2) (x 3) (x 4) (y 2) (y 3) (y 4)"
    )


TWO = "(role a) (role b) (init x) (legal a m) (legal b m) (<= terminal (true done)) (goal a 1) (goal b 1) "


def game_of_text(text: str) -> SheetGame:
    return SheetGame(sheet(text))


@pytest.mark.parametrize(
    ("more", "hidden"),
    [
        ("", False),
        ("(p sees)", False),
        ("(sees a x)", True),
        ("(<= (sees a (did ?m)) (does b ?m)) (<= (sees b (did ?m)) (does a ?m))", True),
        ("(<= (sees a (one ?m)) (does b ?m)) (<= (sees b (two ?m)) (does a ?m))", False),
        ("(role random) (legal random m)", True),
        ("(role random) (legal random m) " + SEEN, False),
    ],
)
def test_what_is_hidden_is_known(more: str, hidden: bool) -> None:
    assert game_of_text(TWO + more).hidden_information is hidden


def test_games_without_chance_are_played_and_texts_of_moves_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of_text(TWO + "(<= (next done) (does a m) (does b m))")
    assert (game.turn(("x",)), game.play(("x",), "m"), game.result(("done",))) == ("a", ("done",), (1, 1))
    assert game_of_text(FRAME).endless is None
    texts = {"(f a,b)": "f('a,b')", "(f ,)": "f(,)", "(f a+)": "f('a+')", "(f a?b)": "f(a?b)", "m": "m", "''": "''''"}
    assert {move: game.move_text(move) for move in texts} == texts
    with pytest.raises(IllegalMoveError):
        game.parse_move(("x",), "(m")
    monkeypatch.setattr(play, "MOST_ROLES", 2)
    assert game_of_text(TWO).roles == ("a", "b")
    with pytest.raises(GameError, match="3 roles to play"):
        game_of_text(TWO + "(role c)")
    with pytest.raises(GameError, match="not a whole number"):
        game_of_text("(role a) (legal a m) terminal (goal a ٣)").result(())


def test_a_rulesheet_is_read_in_the_syntax_that_its_name_or_its_beginning_tells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kif, infix = FRAME, "role(a). init(s). legal(a, go). terminal :- true(done). goal(a, 100)."
    for name, text in (("x.kif", kif), ("x", kif), ("x.pl", infix), ("x", infix), ("x.PL", infix), ("x.gdl", infix)):
        assert read(Source("rulesheet", text, name)).canonical() == read(Source("rulesheet", kif, "x")).canonical()
    for name, text in (("x.kif", infix), ("x.pl", kif)):
        with pytest.raises(InputError):
            read(Source("rulesheet", text, name))
    rule = "(<= (q ?b (f ?a ?b) c) (p ?a) (not (r ?b)) (p ?b))"
    written = read(Source("rulesheet", FRAME + rule, "x")).canonical()
    assert written.endswith('[["q","?0",["f","?1","?0"],"c"],["p","?1"],["not",["r","?0"]],["p","?0"]]')
    for text, fault in (
        ("(role a)\n \0", "x:2:2: a zero byte"),
        ("(a\ud800", "x:1:3: half of"),
        ("; no", "x: there is no"),
    ):
        with pytest.raises(InputError, match=fault):
            read(Source("rulesheet", text, "x"))
    with pytest.raises(InputError, match="no rule for"):
        read(Source("rulesheet", "(role a)", "x"))
    monkeypatch.setattr(rulesheet, "MOST_CHARACTERS", len(FRAME))
    assert read(Source("rulesheet", FRAME, "x")).game().roles == ("a",)
    with pytest.raises(InputError, match="larger than"):
        read(Source("rulesheet", FRAME + " ", "x"))
