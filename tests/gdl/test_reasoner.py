"""The plain reasoner: what rulesheets mean."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import clingo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.gdl.samples import NIM, Question, questions, sheet_of
from zermelo.errors import InputError
from zermelo.gdl.lower import Literal, PlainRule, Sign, lower
from zermelo.gdl.reasoner import LARGE, Reasoner
from zermelo.gdl.strata import Layer
from zermelo.gdl.syntax import Formula, Function, Not, Or, Term, Variable, atoms_of


def reasoner_of(text: str) -> Reasoner:
    return Reasoner(sheet_of(text, "rules.kif"))


def test_nim_is_played_to_its_end() -> None:
    nim = reasoner_of(NIM)
    state = nim.start()
    assert state == ("(control left)", "(heap a 1)", "(heap b 2)")
    assert nim.legal(state, "left") == ["(reduce a 0)", "(reduce b 0)", "(reduce b 1)"]
    assert nim.legal(state, "right") == ["noop"]
    state = nim.next(state, ("(reduce b 0)", "noop"))
    assert state == ("(control right)", "(heap a 1)", "(heap b 0)")
    assert not nim.terminal(state)
    state = nim.next(state, ("noop", "(reduce a 0)"))
    assert nim.terminal(state)
    assert nim.goals(state, "right") == ["100"]
    assert nim.goals(state, "left") == ["0"]


def test_tests_may_stand_before_the_atoms_that_bind_their_variables() -> None:
    assert reasoner_of("(p a) (p b) (q a) (<= (r ?x ?y) (distinct ?x ?y) (not (q ?x)) (p ?x) (p ?y))").holds(
        "r", ()
    ) == ["(r b a)"]


def test_recursion_reaches_a_fixpoint() -> None:
    chain = " ".join(f"(edge {n} {n + 1})" for n in range(30))
    rules = "(<= (path ?a ?b) (edge ?a ?b)) (<= (path ?a ?c) (path ?a ?b) (path ?b ?c))"
    assert len(reasoner_of(chain + rules).holds("path", ())) == 30 * 31 // 2


def test_mutual_recursion() -> None:
    rules = "(even 0) (<= (odd ?y) (even ?x) (succ ?x ?y)) (<= (even ?y) (odd ?x) (succ ?x ?y))"
    found = reasoner_of(rules + "(succ 0 1) (succ 1 2) (succ 2 3)")
    assert found.holds("even", ()) == ["(even 0)", "(even 2)"]
    assert found.holds("odd", ()) == ["(odd 1)", "(odd 3)"]


def test_function_terms_are_matched_inside() -> None:
    found = reasoner_of("(<= (p ?x) (true (at (pair ?x ?x) ?y)) (true (at ?y home)))")
    assert found.holds("p", ("(at (pair 1 1) 2)", "(at (pair 1 2) 2)", "(at 2 home)")) == ["(p 1)"]


def test_a_relation_may_depend_on_its_own_negation_for_other_rows() -> None:
    found = reasoner_of("(role x) (<= (goal x 0) (true lost)) (<= (goal x 100) (not (goal x 0)))")
    assert found.goals((), "x") == ["100"]
    assert found.goals(("lost",), "x") == ["0"]


def test_roles_may_be_defined_by_rules_and_keep_their_order() -> None:
    assert reasoner_of("(role z) (<= (role ?p) (seat ?p)) (seat b) (seat a)").roles == ("z", "a", "b")


def test_relations_are_told_apart_by_their_number_of_arguments() -> None:
    assert reasoner_of("(p a) (p a b) (<= q (p ?x ?x))").holds("q", ()) == []


def test_negation_of_an_atom_with_a_variable_of_its_own_means_there_is_none() -> None:
    found = reasoner_of("(p a) (p b) (q a 1) (<= (r ?x) (p ?x) (not (q ?x ?any)))")
    assert found.holds("r", ()) == ["(r b)"]


def test_legal_moves_that_depend_on_moves_are_asked_before_anybody_moves() -> None:
    found = reasoner_of("(role a) (<= (legal a stay) (not (does a go))) (<= (legal a more) (does a go))")
    assert found.legal((), "a") == ["stay"]


def test_bodies_longer_than_python_nests_blocks() -> None:
    names = [f"?v{n}" for n in range(30)]
    links = " ".join(f"(next_to {a} {b})" for a, b in pairwise(names))
    found = reasoner_of(f"(next_to a b) (next_to b a) (<= (ends {names[0]} {names[-1]}) {links})")
    assert found.holds("ends", ()) == ["(ends a b)", "(ends b a)"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(role a)\n(<= (p ?x) (q ?y))", "rules.kif:2:1: unsafe rule: ?x in (p ?x)"),
        ("(<= (p ?x) (q ?x) (distinct ?x ?y))", "rules.kif:1:1: unsafe rule: ?y"),
        ("(<= p (not q)) (<= q (not p))", "not stratified: the meaning of p and q depends on its own negation"),
        ("(n 0) (<= (n (s ?x)) (n ?x))", "the terms of n grow without end"),
        ("(n 0) (<= (n (s ?x ?x)) (n ?x))", "the terms of n grow without end"),
    ],
)
def test_what_cannot_be_computed_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        reasoner_of(text).holds("n", ())
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_reasoner_imports_no_native_code() -> None:
    code = "import sys, zermelo.gdl.reasoner as r; print('zermelo._native' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


# The oracle: clingo on the same rules, translated by hand below.


def asp_term(term: Term) -> str:
    if isinstance(term, Variable):
        return f"V{term.name}"
    return f"c{term.name}" + (f"({','.join(map(asp_term, term.args))})" if term.args else "")


def asp_atom(atom: Function) -> str:
    return f"r_{atom.name}" + (f"({','.join(map(asp_term, atom.args))})" if atom.args else "")


def asp_cases(formula: Formula, positive: bool = True) -> list[str]:
    """The alternatives of a formula, each a conjunction; written apart from the lowering that is under test."""
    if isinstance(formula, Not):
        return asp_cases(formula.part, not positive)
    if isinstance(formula, Function):
        if formula.name == "distinct":
            left, right = map(asp_term, formula.args)
            return [f"{left} {'!=' if positive else '=='} {right}"]
        return [asp_atom(formula) if positive else f"not {asp_atom(formula)}"]
    parts = [asp_cases(part, positive) for part in formula.parts]
    if isinstance(formula, Or) == positive:
        return [case for part in parts for case in part]
    cases = [""]
    for part in parts:
        cases = [f"{case}, {other}" if case else other for case in cases for other in part]
    return cases


def by_clingo(question: Question) -> set[str]:
    lines = [f"r_true({asp_term(fact)})." for fact in map(parsed, question.state)]
    lines += [f"r_does(c{role},{asp_term(parsed(move))})." for role, move in zip("ab", question.joint, strict=True)]
    for rule in question.sheet.rules:
        bodies = [""]
        for formula in rule.body:
            bodies = [f"{body}, {case}" if body else case for body in bodies for case in asp_cases(formula)]
        lines += [f"{asp_atom(rule.head)} :- {body}." for body in bodies]
    control = clingo.Control(["--warn=none"], logger=lambda code, text: None)
    control.add("base", [], "\n".join(lines))
    control.ground([("base", [])])
    models: list[set[str]] = []
    control.solve(on_model=lambda model: models.append({kif(symbol, "r_") for symbol in model.symbols(atoms=True)}))
    assert len(models) == 1
    return models[0]


def parsed(text: str) -> Function:
    return sheet_of(f"(fact {text})").rules[0].head.args[0]  # type: ignore[return-value]


def kif(symbol: clingo.Symbol, prefix: str = "c") -> str:
    name = symbol.name.removeprefix(prefix)
    return f"({' '.join([name, *map(kif, symbol.arguments)])})" if symbol.arguments else name


@settings(max_examples=100)
@given(questions(), st.booleans())
def test_random_rulesheets_mean_what_clingo_says(question: Question, on_demand: bool) -> None:
    reasoner = Reasoner(question.sheet)
    # As if every relation were too large to be computed as a whole.
    reasoner.large = dict.fromkeys(Layer, -1) if on_demand else LARGE
    names = {rule.head.name for rule in question.sheet.rules}
    found = {atom for name in names for atom in reasoner.holds(name, question.state, question.joint)}
    assert found == {atom for atom in by_clingo(question) if atom.strip("()").split()[0] in names}


@settings(max_examples=30)
@given(questions())
def test_a_reasoner_remembers_nothing_of_other_states(question: Question) -> None:
    used = Reasoner(question.sheet)
    used.holds("next", (), ("a", "a"))
    used.holds("next", question.state, ("b", "b"))
    assert used.next(question.state, question.joint) == Reasoner(question.sheet).next(question.state, question.joint)


@settings(max_examples=50)
@given(questions())
def test_lowered_rules_are_plain_and_safe(question: Question) -> None:
    for rule in lower(question.sheet):
        assert isinstance(rule, PlainRule)
        assert all(isinstance(literal, Literal) for literal in rule.body)
        bound = {v for x in rule.body if x.sign is Sign.HOLDS for v in names_in(x.atom)}
        assert all(names_in(atom) <= bound for atom in (rule.head, *(x.atom for x in rule.body)))


def names_in(atom: Function) -> set[str]:
    return {name for part, _ in atoms_of(atom) for name in _names(part)}


def _names(term: Term) -> set[str]:
    return {term.name} if isinstance(term, Variable) else {name for arg in term.args for name in _names(arg)}
