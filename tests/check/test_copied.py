"""Games made in Python are copied into the checker's own nouns part by part, and read as their texts are."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from zermelo.check import copied
from zermelo.check.read import dgr, network, rulesheet
from zermelo.check.read import graph as graphs
from zermelo.check.sheets.terms import DEEPEST
from zermelo.errors import InputError
from zermelo.gdl.game import RulesheetGame
from zermelo.gdl.reader import read_rules
from zermelo.gdl.syntax import And, Function, Not, Or, Variable
from zermelo.solving.targets import game_from
from zermelo.source import Source

SHEET = """(role a) (init (at 1)) (succ 1 2) (<= (base (at ?x)) (succ ?y ?x))
(<= (legal a (go ?x ?y)) (true (at ?x)) (or (succ ?x ?y) (and (succ ?y ?x) (not (true (at 2))))))
(<= (next (at ?y)) (does a (go ?x ?y))) (<= terminal (true (at 2)))
(<= (goal a 100) (true (at 2))) (<= (goal a 0) (not (true (at 2))))"""
NETWORK = """{"format": "zermelo-network", "version": 1, "players": 2, "threshold": ["1/2", 0], "stages": [1, 4],
"variables": [{"name": "x", "domain": ["a", "b"]}, {"name": "y", "domain": ["0", "1"]},
  {"name": "c", "domain": ["h", "t"], "stochastic": true}, {"name": "d", "domain": ["h", "t"], "stochastic": true}],
"tables": [{"scope": ["x", "y"], "tuples": [[0, "*"], [1, 1]]}],
"utilities": [{"scope": ["x"], "rows": [{"values": [0], "utility": ["1/3", 2]}]}],
"chances": [{"variable": "c", "scope": [], "rows": [{"values": [], "probability": ["1/4", "3/4"]}]},
  {"variable": "d", "even": ["x", "y"]}]}"""
FAILING = "travel s t\nedge a s t\nedge b s t\nerase s a b\nexclude a b\n"


def test_what_is_copied_says_the_same_as_what_is_read() -> None:
    for form, text, copy, module in (
        ("network", NETWORK, copied.network, network),
        ("dgr", FAILING, copied.reliability, dgr),
        ("graph", "3\n0 1 2\n1\n2 1\n", copied.graph, graphs),
        ("rulesheet", SHEET, copied.rulesheet, rulesheet),
    ):
        source = Source(form, text, f"text.{form}")
        made: Any = copy
        reader: Any = module
        assert made(game_from(source)).canonical() == reader.read(source).canonical(), form


def test_a_copied_sheet_keeps_places_for_its_errors() -> None:
    copy = copied.rulesheet(RulesheetGame(read_rules(SHEET)))
    assert [rule.place for rule in copy.sheet.rules[:4]] == [(1, 1), (1, 10), (1, 24), (1, 35)]


def test_a_network_that_fails_and_leads_in_a_circle_is_refused() -> None:
    game: Any = game_from(Source("dgr", FAILING, "n.dgr"))
    edge = game.network.edges[0]
    game.network = replace(game.network, edges=(*game.network.edges, replace(edge, name="c", tail=1, head=0)))
    with pytest.raises(InputError, match="edges of the network lead in a circle"):
        copied.reliability(game)


def test_formulas_and_terms_are_copied_down_to_the_deepest_that_may_be_stated() -> None:
    p, x = Function("p"), Variable("x")
    parts = Or((And((p, Not(p))), Function("q", (x, Function("f", (x,)), Function("c")))))
    assert copied._formula(parts, 1) == ("or", ("and", ("p",), ("not", ("p",))), ("q", "?x", ("f", "?x"), "c"))
    formula: Any = p
    term: Any = Function("c")
    for _ in range(DEEPEST):
        formula, term = Not(formula), Function("f", (term,))
    copied._formula(formula, 1)
    copied._formula(Function("p", (x,)), DEEPEST + 1)
    copied._term(term, 1)
    with pytest.raises(InputError, match=f"a rule is nested deeper than {DEEPEST} levels"):
        copied._formula(Or((Not(formula), p)), 0)
    for deeper in (Not(formula), And((formula,)), Or((p, formula)), Function("p", (Function("f", (term,)),))):
        with pytest.raises(InputError, match="nested deeper"):
            copied._formula(deeper, 1)
    with pytest.raises(InputError, match=f"a term is nested deeper than {DEEPEST} levels"):
        copied._term(Function("f", (term,)), 1)


def test_heads_bodies_connectives_and_arguments_are_all_measured() -> None:
    def copy(head: Any, *body: Any) -> None:
        rule = SimpleNamespace(head=head, body=body, span=(1, 1))
        copied.rulesheet(SimpleNamespace(sheet=SimpleNamespace(rules=[rule], file="f")))

    p, deep = Function("p"), Function("c")
    either: Any = p
    for _ in range(DEEPEST - 1):
        either, deep = Or((either,)), Function("f", (deep,))
    for head, body in ((p, Or((either,))), (Function("p", (deep,)), Function("p", (deep,)))):
        with pytest.raises(InputError, match="no rule for role"):  # what is looked at after the depth
            copy(head, body)
    deeper = Function("p", (Function("f", (deep,)),))
    for head, body in ((deeper, p), (p, deeper), (p, And((Or((either,)),)))):
        with pytest.raises(InputError, match="nested deeper"):
            copy(head, body)


def test_an_even_chance_is_copied_without_a_table() -> None:
    copy = copied.network(game_from(Source("network", NETWORK, "n.json")))
    assert [(one.variable, one.even) for one in copy.drawn] == [(2, False), (3, True)]
    assert copy.drawn[0].given.rows == {(): (Fraction(1, 4), Fraction(3, 4))} and copy.drawn[1].given.rows == {}
