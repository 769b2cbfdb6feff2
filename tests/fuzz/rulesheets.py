"""Rulesheets in both syntaxes, right and damaged: an error of one line, or a sheet that reads again as printed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tests.fuzz.damage import damaged_text, random_text
from tests.fuzz.part import shorter
from zermelo.errors import InputError
from zermelo.gdl.infix import read_infix
from zermelo.gdl.kif import read_kif
from zermelo.gdl.printer import print_rules
from zermelo.gdl.reader import read_rules
from zermelo.gdl.validate import check_rules

READERS = {"kif": read_kif, "infix": read_infix}
RULES = (
    ("(role a)", "role(a)."),
    ("(init (cell 1 ?x)) ; start", "init(cell(1, X)). % start"),
    ("(<= (legal ?p noop) (role ?p) (not (true (control ?p))))", "legal(P, noop) :- role(P), not(true(control(P)))."),
    (
        "(<= (next ?f) (true ?f) (or (does a b) (and p (distinct ?f c))))",
        "next(F) :- true(F), (does(a, b) ; p, F \\= c).",
    ),
    ("(<= terminal (not open))", "terminal :- ~open."),
    ("(goal a 100)", "goal(a, 100)."),
    ("(<= (p (f ?x)) (q ?x) (p ?x))", "p(f(X)) :- q(X), p(X)."),
    ("(<= (q ?x-1 Bob) (not (q Bob ?x-1)))", "q(_'x-1', 'Bob') :- not(q('Bob', _'x-1'))."),
    ("(<= (sees ?r (p)) (does ?r ?_))", "sees(R, p()) :- does(R, _)."),
)
"""Rules of our own, the same in KIF and in infix."""
SIGNS = ("(", ")", ")(", ";", "%", ".", ",", ":-", "<=", "?", "'", "_", "~", "not ", "or(", "/*", "*/", "\\", "|", " ")
"""What is put into a text: the signs of both syntaxes."""


@dataclass(frozen=True)
class Case:
    """A text, and the syntax it is read in; without one, as its looks tell."""

    syntax: str
    text: str


def draw(rng: random.Random) -> Case:
    """A few rules with some damage, or noise."""
    syntax = rng.choice(("kif", "infix", "infix", ""))
    if rng.random() < 0.05:
        return Case(syntax, random_text(rng))
    column = ("kif", "infix").index(syntax or rng.choice(("kif", "infix")))
    text = rng.choice((" ", "\n")).join(rng.choice(RULES)[column] for _ in range(rng.choice((1, 1, 2, 3))))
    if rng.random() < 0.4:
        return Case(syntax, damaged_text(text, rng))
    for _ in range(rng.randrange(4)):
        begin = rng.randint(0, len(text))
        text = text[:begin] + rng.choice(SIGNS) + text[begin + rng.randrange(3) :]
    return Case(syntax, text)


def check(case: Case) -> None:
    """A clean error of one line, or a sheet that is checked, printed in either syntax, and read again alike."""
    try:
        sheet = READERS[case.syntax](case.text) if case.syntax else read_rules(case.text)
    except InputError as error:
        assert "\n" not in str(error), f"more than one line: {error}"
        return
    assert all("\n" not in str(finding) for finding in check_rules(sheet))
    for syntax, read in READERS.items():
        text = print_rules(sheet, syntax)
        again = read(text)
        assert again == sheet, f"read again from {syntax}: {text!r}"
        assert print_rules(again, syntax) == text, f"laid out anew in {syntax}: {text!r}"


def smaller(case: Case) -> Iterator[Case]:
    """The text with pieces left out."""
    for text in shorter(tuple(case.text)):
        yield Case(case.syntax, "".join(text))


def show(case: Case) -> str:
    """The case as Python."""
    return repr(case)
