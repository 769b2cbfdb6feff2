"""What makes a rulesheet valid, what its rules say and how it is played, case by case, by the checker's own code."""

from __future__ import annotations

import pytest

from zermelo.check.read.kif import rules_of_kif
from zermelo.check.read.rulesheet import read
from zermelo.check.sheets import reason, terms
from zermelo.check.sheets.join import Table, getter, key_of, row_getter
from zermelo.check.sheets.play import Between, SheetGame
from zermelo.check.sheets.reason import Reasoner
from zermelo.check.sheets.seeing import sees_everything
from zermelo.check.sheets.terms import Literal, Sheet, alternatives, may_be_equal
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
        ("(<= (p (f ?a ?b)) (e ?a ?b)) (p (f 7)) (p (h 1 2)) (p f) (<= (init (x ?a)) (p (f ?a ?b)) (n ?b))",
         "(x 1) (x 2) (x 3) (x 4)"),
        ("(<= (p (f ?a)) (n ?a)) (<= (init (x ?a)) (n ?a) (p (f ?a)) (distinct (f ?a) (f 1)) (not (p (g ?a))))",
         "(x 2) (x 3) (x 4) (x 5)"),
        ("(p (f (g 1)) (g 1)) (p (f (g 1)) (g 2)) (<= (init (x ?v)) (p (f ?v) ?v))", "(x (g 1))"),
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


def test_an_interrupted_question_is_answered_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    reasoner = Reasoner(sheet(FRAME + EDGES + "(<= (legal a (to ?x)) (true s) (e 1 ?x)) (<= (legal a ?x) (n ?x))"))
    plan = reasoner._plan

    def stopped(*arguments: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(reasoner, "_plan", stopped)
    with pytest.raises(KeyboardInterrupt):
        reasoner.pairs("legal", ("s",))
    monkeypatch.setattr(reasoner, "_plan", plan)
    assert reasoner.pairs("legal", ("s",)) == {"a": ["(to 2)", "1", "2", "3", "4", "5", "go"]}


@pytest.mark.parametrize("size", [1, 4, 5])
def test_terms_that_grow_without_end_are_noticed(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reason, "MOST_SYMBOLS", 4)
    text = f"(f {' '.join('a' * (size - 1))})" if size > 1 else "a"
    reasoner = Reasoner(sheet(FRAME + f"(<= (init ?x) (p ?x)) (p {text})"))
    if size <= 4:
        assert reasoner.start() == tuple(sorted([text, "s"]))
    else:
        with pytest.raises(GameError, match="terms of f grow"):
            reasoner.start()


def test_recursion_that_builds_terms_ends_in_an_error_even_where_nobody_has_looked() -> None:
    grows = sheet(FRAME + "(p a) (<= (p (f ?x)) (p ?x)) (<= (init ?x) (p ?x))")
    with pytest.raises(GameError, match="grow beyond"):
        Reasoner(grows).start()
    with pytest.raises(InputError, match="ever larger"):
        need_valid(grows)


def test_too_many_alternatives_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    body = [("or", ("p",), ("q",)), ("or", ("r",), ("s",))]
    monkeypatch.setattr(terms, "MOST_ALTERNATIVES", 4)
    assert len(alternatives(body)) == 4
    monkeypatch.setattr(terms, "MOST_ALTERNATIVES", 3)
    with pytest.raises(InputError, match="alternatives"):
        alternatives(body)
    assert alternatives([("not", ("and", ("p",), ("distinct", "a", "b")))]) == [
        (Literal(False, ("p",)),),
        (Literal(False, ("distinct", "a", "b")),),
    ]


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


def test_tables_keep_their_indexes_up_to_date() -> None:
    table = Table({("1", "x")})
    assert table.index((1,), (0,)) == {"x": {("1",)}} and table.index((), (1,)) == {(): {("x",)}}
    table.add({("2", "x")})
    assert table.index((1,), (0,)) == {"x": {("1",), ("2",)}} and table.rows == {("1", "x"), ("2", "x")}
    assert getter((0,))(("a",)) == "a" and row_getter((0,))(("a",)) == ("a",) and row_getter(())(("a",)) == ()
    assert key_of(("true", ("f",))) == (("true", "f", "0"), ()) and key_of(("p", "a")) == (("p", "1"), ("a",))
    assert key_of(("does", "r", "?m")) == (("does", "2"), ("r", "?m")) and key_of(("terminal",)) == (
        ("terminal", "0"),
        (),
    )


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
        ("(sees a nothing)", False),
        ("", False),
    ],
)
def test_a_role_sees_every_move_only_by_a_rule_that_always_tells_it(rules: str, seen: bool) -> None:
    assert sees_everything(sheet(rules), ("a", "random")) is seen


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
