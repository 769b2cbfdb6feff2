"""What the validator says about rulesheets, by code."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.gdl.sheets import PENNIES
from zermelo.errors import InputError
from zermelo.gdl.finding import ERROR, Finding
from zermelo.gdl.reader import read_rules, read_rulesheet
from zermelo.gdl.validate import check_rules, require_valid
from zermelo.gdl.validate.dependence import components_of

COMPLETE = "role(a). init(on). legal(a, wait). next(off) :- true(on). terminal :- true(off). goal(a, 100).\n"
"""A game without faults, on one line, to which tests add theirs."""
INVALID = {
    "base_test__test_case_3b": "unsafe-variable",
    "base_test__test_case_3e": "unsafe-variable",
    "base_test__test_case_3f": "unsafe-variable",
    "base_test__test_clean_not_distinct": "negated-distinct",
}


def said(text: str) -> list[str]:
    """The findings on a text as ``line:column code``, an error marked by an exclamation mark."""
    return [
        f"{finding.span.line}:{finding.span.column} {finding.code}{'!' if finding.severity == ERROR else ''}"
        for finding in check_rules(read_rules(text))
    ]


def said_of(line: str) -> list[str]:
    """The findings on the second line of a sheet that is complete without it."""
    return said(COMPLETE + line)


def test_a_sheet_without_faults_has_no_findings() -> None:
    assert said(COMPLETE) == []
    assert said(PENNIES) == []


@pytest.mark.parametrize(
    ("line", "findings"),
    [
        ("goal(X, 0) :- true(on).", ["2:6 unsafe-variable!"]),
        ("goal(a, 0) :- not(true(X)).", ["2:24 unsafe-variable!"]),
        ("goal(a, 0) :- distinct(X, a).", ["2:24 unsafe-variable!"]),
        ("goal(X, 0) :- role(X) ; true(on).", ["2:6 unsafe-variable!"]),
        ("goal(X, 0) :- role(X) ; legal(X, wait).", []),
        ("goal(X, 0) :- (role(X) ; true(on)), legal(X, M), distinct(X, M).", []),
        ("goal(X, 0) :- role(X), (true(on) ; legal(X, M), not(legal(M, X))).", []),
        ("goal(X, 0) :- role(X), (legal(X, M) ; not(legal(M, X))).", ["2:49 unsafe-variable!"]),
        ("goal(X, 0) :- not(not(role(X))).", ["2:15 nested-negation"]),
        ("goal(X, 0).", ["2:6 unsafe-variable!"]),
    ],
)
def test_every_variable_needs_a_positive_atom(line: str, findings: list[str]) -> None:
    assert said_of(line) == findings


def test_negation_in_a_circle_is_reported_with_the_circle() -> None:
    sheet = read_rules(COMPLETE + "p(X) :- role(X), q(X). q(X) :- role(X), not(p(X)).")
    (finding,) = check_rules(sheet)
    assert (finding.code, finding.severity) == ("unstratified", ERROR)
    assert "q <= not p <= q" in finding.message


def test_negation_of_other_things_in_one_relation_is_only_a_warning() -> None:
    assert said_of("goal(a, 0) :- not(goal(a, 100)).") == ["2:19 loosely-stratified"]
    assert said_of("goal(a, 0) :- not(goal(a, 50)). goal(a, 50) :- not(goal(a, 0)).") == ["2:19 unstratified!"]


@pytest.mark.parametrize(
    ("line", "findings"),
    [
        ("path(X, Y) :- arc(X, Y). path(X, Z) :- path(X, Y), arc(Y, Z). arc(a, a). goal(a, 0) :- path(a, a).", []),
        ("number(zero). number(s(X)) :- number(X). goal(a, 0) :- number(zero).", ["2:15 endless-recursion!"]),
        ("n(zero). n(s(X)) :- n(X), small(X). small(zero). goal(a, 0) :- n(zero).", []),
        ("n(zero). n(s(X)) :- m(X). m(X) :- n(X). goal(a, 0) :- n(zero).", ["2:10 endless-recursion!"]),
        ("p(f(X), X) :- q(X). q(X) :- p(X, Y). q(a). goal(a, 0) :- q(a).", ["2:1 endless-recursion!"]),
        ("p(X) :- p(Y), role(X). goal(a, 0) :- p(a).", ["2:9 recursion-restriction"]),
    ],
)
def test_recursion_must_end(line: str, findings: list[str]) -> None:
    assert said_of(line) == findings


@pytest.mark.parametrize(
    ("line", "findings"),
    [
        ("legal(a, M) :- does(a, M).", ["2:16 legal-dependence!"]),
        ("legal(a, go) :- p. p :- q. q :- does(a, wait).", ["2:17 legal-dependence!"]),
        ("terminal :- does(a, wait).", ["2:13 terminal-dependence!"]),
        ("goal(a, 0) :- not(does(a, wait)).", ["2:19 goal-dependence!"]),
        ("init(off) :- true(on).", ["2:14 init-dependence!"]),
        ("role(b) :- true(on).", ["2:12 role-dependence!"]),
        ("base(F) :- true(F).", ["2:12 base-dependence"]),
        ("true(on) :- role(a).", ["2:1 keyword-in-head!"]),
        ("does(a, wait).", ["2:1 keyword-in-head!"]),
        ("goal(a, 0) :- init(on).", ["2:15 keyword-in-body!"]),
        ("next(on) :- next(off).", ["2:13 keyword-in-body!"]),
        ("base(F) :- init(F).", ["2:12 keyword-in-body"]),
        ("goal(a).", ["2:1 keyword-arity!"]),
        ("terminal(now).", ["2:1 keyword-arity!"]),
        ("goal(a, 0) :- distinct(a).", ["2:15 keyword-arity!"]),
        ("goal(a, 0) :- not(distinct(a, a)).", ["2:19 negated-distinct!"]),
        ("goal(a, half).", ["2:9 goal-value!"]),
        ("goal(a, 0.5).", ["2:9 goal-value!"]),
        ("goal(a, 101).", ["2:9 goal-range"]),
        ("goal(a, -1).", ["2:9 goal-range"]),
        (f"goal(a, {'9' * 5000}).", ["2:9 goal-range"]),
        ("next(true(on)).", ["2:6 keyword-as-term", "2:6 unused-fact"]),
        ("goal(a, 0) :- or().", ["2:15 empty-connective"]),
    ],
)
def test_keywords_have_their_places(line: str, findings: list[str]) -> None:
    assert said_of(line) == findings


@pytest.mark.parametrize(
    ("line", "findings"),
    [
        ("role(a).", ["2:1 duplicate-role"]),
        ("role(b).", ["2:1 role-without-goal", "2:1 role-without-legal"]),
        ("legal(c, wait).", ["2:7 unknown-role"]),
        ("p(a). p(a, a). goal(a, 0) :- p(a), p(a, a).", ["2:7 relation-arity"]),
        ("next(f(a)). next(f(a, a)). goal(a, 0) :- true(f(X)), true(f(X, X)).", ["2:18 function-arity"]),
        ("'Side'(a). side(a). goal(a, 0) :- side(a), 'Side'(a).", ["2:12 capitalisation"]),
        ("goal(X, 0) :- role(X), legal(X, _X).", ["2:33 capitalisation"]),
        ("p(a).", ["2:1 unused-relation"]),
        ("p(X) :- role(X). p(X) :- p(X).", ["2:1 unused-relation"]),
        ("goal(a, 0) :- p(a).", ["2:15 unproduced-relation"]),
        ("goal(a, 0) :- true(p).", ["2:20 unproduced-fact"]),
        ("next(on) :- does(a, sing).", ["2:21 unproduced-move"]),
        ("next(p).", ["2:6 unused-fact"]),
        ("init(on).", ["2:1 duplicate-rule"]),
        ("goal(a, 0) :- terminal().", ["2:15 empty-parentheses"]),
    ],
)
def test_slips_of_the_pen_are_warnings(line: str, findings: list[str]) -> None:
    assert said_of(line) == findings


def test_what_is_missing_is_said_without_a_place() -> None:
    errors = [finding for finding in check_rules(read_rules("p(a).", "g.pl")) if finding.severity == ERROR]
    assert [finding.code for finding in errors] == ["no-goal", "no-legal", "no-role", "no-terminal"]
    assert str(errors[2]) == "g.pl: error: no role: nobody plays [no-role]"


def test_and_is_noted_in_kif_where_it_is_not_standard() -> None:
    text = "(role a) (legal a b) (goal a 1) (init c) (next c) (<= terminal (and (true c) (not (true c))))"
    assert [finding.code for finding in check_rules(read_rules(text))] == ["and"]


def test_require_valid_raises_the_first_error_and_lets_warnings_pass() -> None:
    require_valid(read_rules(COMPLETE + "p(a)."))
    with pytest.raises(InputError, match=r"^g\.pl:2:9: the goal is half, expected"):
        require_valid(read_rules(COMPLETE + "goal(a, half). goal(X, 0).", "g.pl"))


def test_findings_of_public_sheets() -> None:
    """Every sheet that a reasoner can play passes; the others are refused for the right reason."""
    corpus = os.environ.get("ZERMELO_CORPUS")
    sheets = sorted(Path(corpus, "gdl", "rules").glob("*.kif")) if corpus else []
    for path in sheets:
        errors = [finding for finding in check_rules(read_rulesheet(path)) if finding.severity == ERROR]
        assert {finding.code for finding in errors} == ({INVALID[path.stem]} if path.stem in INVALID else set()), errors


def test_findings_are_one_line_each_whatever_the_names() -> None:
    assert "\n" not in str(Finding(ERROR, "x", "a\nb", "g\n.kif"))


def test_components_are_numbered_from_the_bottom() -> None:
    component = components_of({1: [2], 2: [3, 1], 3: [4], 4: [3], 5: [5]})
    assert component[1] == component[2] > component[3] == component[4]
    assert len(set(component.values())) == 3
