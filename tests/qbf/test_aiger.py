"""Functions as AIGER and as lists of terms: round trips, sizes, and errors that say where."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from tests.qbf.bruteforce import brute_functions
from tests.qbf.randomformulas import random_formula
from tests.qbf.terms import parse_decisions
from zermelo.errors import InputError
from zermelo.qbf import decisions
from zermelo.qbf.aiger import parse_aag, write_aag
from zermelo.qbf.circuit import FALSE, TRUE, Circuit
from zermelo.qbf.decisions import write_decisions
from zermelo.qbf.formula import Block, Formula
from zermelo.qbf.functions import Functions

FORMULA = random_formula(Random(3))


def example() -> Formula:
    """For all x there are y and z."""
    circuit = Circuit()
    x, y, z = (circuit.variable() // 2 for _ in range(3))
    output = circuit.conjunction([circuit.exclusive(2 * x, 2 * y), 2 * z])
    return Formula(circuit, (Block("forall", (x,)), Block("exists", (y, z))), output, {x: "x", y: "y", z: "z"})


def same(formula: Formula, one: Functions, other: Functions) -> bool:
    others = [v for block in formula.prefix if block.quantifier != one.owner for v in block.variables]
    for bits in product((False, True), repeat=len(others)):
        chosen = dict(zip(others, bits, strict=True))
        if one.replies(chosen) != other.replies(chosen):
            return False
    return one.owner == other.owner


def test_functions_come_back_from_aiger_and_from_terms_as_they_were() -> None:
    for seed in range(300):
        formula = random_formula(Random(seed), variables=8, blocks=5)
        functions = brute_functions(formula).functions
        assert functions is not None
        text = write_aag(formula, functions)
        again = parse_aag(text, formula, functions.owner)
        assert same(formula, functions, again)
        assert write_aag(formula, again) == text
        terms = write_decisions(formula, functions)
        assert same(formula, functions, parse_decisions(terms, formula, functions.owner))


def test_terms_are_written_as_seed_2_writes_them() -> None:
    formula = example()
    inner = Circuit()
    leaf = inner.variable()
    functions = Functions("exists", inner, {1: leaf >> 1}, {2: leaf ^ 1, 3: TRUE})
    assert write_decisions(formula, functions) == "list(list(y, ite(x, false(), true())), list(z, true()))"


def test_a_term_used_twice_is_written_once() -> None:
    circuit = Circuit()
    xs = [circuit.variable() // 2 for _ in range(4)]
    y, z = circuit.variable() // 2, circuit.variable() // 2
    names = {x: f"x{x}" for x in xs} | {y: "y", z: "g1"}
    formula = Formula(circuit, (Block("forall", tuple(xs)), Block("exists", (y, z))), TRUE, names)
    inner = Circuit()
    leaves = [inner.variable() for _ in xs]
    both = inner.conjunction(leaves)
    inputs = {x: leaf >> 1 for x, leaf in zip(xs, leaves, strict=True)}
    functions = Functions("exists", inner, inputs, {y: both ^ 1, z: inner.disjunction([both, leaves[0] ^ 1])})
    text = write_decisions(formula, functions)
    assert text.count("and(") == 1
    assert "let(g2, and(x1, x2, x3, x4))" in text  # g1 is the name of a variable
    assert same(formula, functions, parse_decisions(text, formula))


def chain(length: int) -> tuple[Formula, Functions]:
    """A function that nests very deeply."""
    circuit, inner = Circuit(), Circuit()
    x, w, y = (circuit.variable() // 2 for _ in range(3))
    formula = Formula(circuit, (Block("forall", (x, w)), Block("exists", (y,))), TRUE)
    one, other = inner.variable(), inner.variable()
    literal = one
    for step in range(length):
        literal = inner.conjunction([literal ^ 1, other ^ (step & 1)])
    return formula, Functions("exists", inner, {x: one >> 1, w: other >> 1}, {y: literal})


def test_a_function_of_ten_thousand_nested_gates_is_written_and_read() -> None:
    formula, functions = chain(10_000)
    text = write_aag(formula, functions)
    assert write_aag(formula, parse_aag(text, formula)) == text
    terms = write_decisions(formula, functions)
    again = parse_decisions(terms, formula)
    assert same(formula, functions, again)


def test_functions_too_large_for_a_list_are_refused_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "MOST_GATES", 100)
    formula, functions = chain(101)
    with pytest.raises(InputError, match=r"write them as \.aag"):
        write_decisions(formula, functions)


GOOD = "aag 2 1 0 2 1\n2\n4\n1\n4 2 2\ni0 x\no0 y\no1 z\n"

BAD = {
    "": "f.aag:1: the text ends here, expected aag M I L O A",
    "aig 0 0 0 0 0\n": 'f.aag:1: expected a header "aag M I L O A"',
    "aag 1 1 0 1\n": 'f.aag:1: expected a header "aag M I L O A" with five numbers',
    "aag 1 1 0 -1 0\n": 'f.aag:1: expected a header "aag M I L O A" with five numbers',
    "aag 1 0 1 0 0\n": "f.aag:1: 1 latches, expected none: functions have no memory",
    "aag 1 1 0 0 1\n": "f.aag:1: 1 inputs and 1 gates, but 1 as the highest number",
    "aag 1 1 0 0 0\n3\n": "f.aag:2: 3 is not an even number up to 2",
    "aag 999999999999 999999999999 0 0 0\n": "f.aag:2: the text ends here, expected an input: one even number",
    GOOD.replace("4 2 2", "4 4 2"): "f.aag:5: 4 is neither an input nor a gate that was defined before",
    GOOD.replace("4 2 2", "2 2 2"): "f.aag:5: 2 is defined a second time",
    GOOD.replace("4 2 2", "4 2"): "f.aag:5: expected a gate: three numbers",
    GOOD.replace("\n4\n", "\n8\n"): "f.aag:3: 8 is neither an input nor a gate that was defined before",
    GOOD.replace("o1 z\n", ""): "f.aag:7: no name for o1",
    GOOD.replace("o1 z", "o1 x"): "f.aag:8: x is a variable of forall, expected one of exists",
    GOOD.replace("o1 z", "o1 y"): "f.aag:8: y is named a second time",
    GOOD.replace("o1 z", "o0 z"): "f.aag:8: o0 is named a second time",
    GOOD.replace("i0 x", "i0 u"): "f.aag:6: the formula has no variable 'u'",
    GOOD.replace("i0 x", "x"): 'f.aag:6: expected the name of an input or output ("i0 x"), or "c" before comments',
}


@pytest.mark.parametrize("text", BAD)
def test_what_is_not_aiger_is_refused_with_the_line(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_aag(text, example(), name="f.aag")
    assert str(caught.value) == BAD[text]


def test_comments_after_the_names_are_ignored() -> None:
    assert parse_aag(GOOD + "c\nanything (at all\n", example()).outputs[3] == TRUE


BAD_TERMS = {
    "": "f.txt:1:1: the text ends here, expected )",
    "list(list(y, true())": "f.txt:1:21: the text ends here, expected )",
    "list(list(x, true()), list(y, x))": "f.txt:1:31: x is a variable of forall, expected one of exists",
    "list(list(y, y))": "f.txt:1:14: y is a variable of exists, expected one of the other role",
    "list(list(y, ite(x, true())))": "f.txt:1:27: ite has 2 parts, expected 3",
    "list(list(y, true(), false()))": "f.txt:1:29: 2 terms, expected one",
    "list(list(y, q))": "f.txt:1:14: the formula has no variable 'q'",
    "list(list(y, true()), list(y, true()))": "f.txt:1:28: a second function for y",
    "list() more": "f.txt:1:8: 'more' found after the end of the list",
    "list(\nlist(y, ,))": "f.txt:2:9: ',' found, expected a term",
}


@pytest.mark.parametrize("text", BAD_TERMS)
def test_what_is_no_list_of_terms_is_refused_with_line_and_column(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_decisions(text, example(), name="f.txt")
    if text.startswith("list(list(x"):  # the first variable named says whose functions these are
        assert str(caught.value) == "f.txt:1:28: y is a variable of exists, expected one of forall"
    else:
        assert str(caught.value) == BAD_TERMS[text]


def test_an_empty_list_is_the_strategy_of_who_has_no_variables() -> None:
    assert parse_decisions("list()", example()).outputs == {}
    assert FALSE not in parse_aag("aag 0 0 0 0 0\n", example()).outputs
