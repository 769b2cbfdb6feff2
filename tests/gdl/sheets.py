"""Random rulesheets for the laws of reading and printing: any names, any nesting, any meaning."""

from __future__ import annotations

from hypothesis import strategies as st

from zermelo.gdl.syntax import (
    CONNECTIVES,
    KEYWORDS,
    RANDOM,
    And,
    Formula,
    Function,
    Not,
    Or,
    Rule,
    Rulesheet,
    Term,
    Variable,
)

PENNIES = """
% Matching pennies, cooperative: alice and bob win if all three coins show the same side.
role(alice). role(bob). role(random).
side(heads). side(tails).
init(coin(P, unset)) :- role(P).
init(control(alice)). init(control(bob)).
legal(P, choose(X)) :- true(control(P)), side(X).
legal(P, noop) :- role(P), not(true(control(P))).
next(coin(P, X)) :- does(P, choose(X)).
next(coin(P, X)) :- does(P, noop), true(coin(P, X)).
next(control(random)) :- true(control(alice)).
open :- true(coin(P, unset)).
terminal :- not(open).
won :- side(X), true(coin(alice, X)), true(coin(bob, X)), true(coin(random, X)).
goal(P, 100) :- role(P), distinct(P, random), won.
goal(P, 0) :- role(P), distinct(P, random), not(won).
"""
"""The game of Fig. 1 in Koriche, Lagrue, Piette and Tabary (2016), with its slips corrected."""

_ODD = st.text(st.sampled_from("abXYZ019_-+*/'\"\\%.:,!?é≠∧~|&<=>[]{}@#$^猫🎲"), min_size=1, max_size=4)
_PLAIN = st.sampled_from(
    ["p", "q", "cell", "x1", "10", "-3", "a_b", "not", "or", "and", "role", "true", "distinct", "aZ"]
)
NAMES = st.one_of(_PLAIN, st.sampled_from(["Bob", "x-1", "it's", "\\", "0.5", "<=", ":-", "%", "_", "é"]), _ODD).filter(
    lambda name: not name.startswith("?")
)
VARIABLES = st.builds(Variable, st.one_of(st.sampled_from(["x", "y", "X", "_", "_x", "_X", "1", "any1", "a-b"]), _ODD))


def _constant(name: str) -> Function:
    return Function(RANDOM if name.lower() == RANDOM else name)


def _function(name: str, arguments: list[Term]) -> Function:
    return Function(name, tuple(arguments)) if arguments else _constant(name)


TERMS: st.SearchStrategy[Term] = st.recursive(
    st.one_of(VARIABLES, st.builds(_constant, NAMES)),
    lambda inner: st.builds(_function, NAMES, st.lists(inner, max_size=3)),
    max_leaves=5,
)


def _atom(name: str, arguments: list[Term]) -> Function:
    atom = _function(name, arguments)
    return Function(name.lower(), atom.args) if name.lower() in KEYWORDS | {"distinct"} else atom


ATOMS = st.builds(_atom, NAMES.filter(lambda name: name.lower() not in CONNECTIVES), st.lists(TERMS, max_size=3))
FORMULAS: st.SearchStrategy[Formula] = st.recursive(
    st.one_of(ATOMS, st.builds(lambda a, b: Function("distinct", (a, b)), TERMS, TERMS)),
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(Or, st.lists(inner, max_size=3).map(tuple)),
        st.builds(And, st.lists(inner, max_size=3).map(tuple)),
    ),
    max_leaves=5,
)
RULES = st.builds(Rule, ATOMS, st.lists(FORMULAS, max_size=4).map(tuple))
SHEETS = st.builds(Rulesheet, st.lists(RULES, min_size=1, max_size=4).map(tuple))
"""Syntax trees as the readers make them; what they state makes no sense."""
