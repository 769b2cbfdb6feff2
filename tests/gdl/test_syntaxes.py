"""Reading and printing in KIF and in infix syntax."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.gdl.sheets import FORMULAS, PENNIES, RULES, SHEETS, VARIABLES
from zermelo.errors import InputError
from zermelo.gdl.infix import read_infix, variable_name, variable_text
from zermelo.gdl.kif import read_kif
from zermelo.gdl.printer import _LAYOUTS, SYNTAXES, print_rules
from zermelo.gdl.reader import parse_rules, read_rules
from zermelo.gdl.syntax import MAX_DEPTH, Formula, Not, Rule, Rulesheet, Variable

FEW = settings(max_examples=60)
READERS = {"kif": read_kif, "infix": read_infix}


def infix(text: str) -> list[str]:
    """The rules of an infix text, in KIF."""
    return [str(rule) for rule in read_infix(text).rules]


@pytest.mark.parametrize("syntax", SYNTAXES)
@FEW
@given(SHEETS)
def test_what_is_printed_is_read_again_alike(syntax: str, sheet: Rulesheet) -> None:
    text = print_rules(sheet, syntax)
    again = READERS[syntax](text)
    assert again == sheet
    assert print_rules(again, syntax) == print_rules(READERS[syntax](print_rules(again, syntax)), syntax)


@FEW
@given(SHEETS)
def test_conversion_there_and_back_changes_nothing(sheet: Rulesheet) -> None:
    there = read_infix(print_rules(sheet, "infix"))
    back = read_kif(print_rules(there, "kif"))
    assert back == there == sheet


@given(VARIABLES)
def test_every_variable_has_a_text_of_its_own(variable: Variable) -> None:
    text = variable_text(variable.name)
    if "'" not in text:
        assert variable_name(text) == variable.name
    assert read_infix(f"p({text}).").rules[0].head.args == (variable,)


@FEW
@given(RULES, FORMULAS)
def test_long_rules_are_read_again_alike(rule: Rule, formula: Formula) -> None:
    sheet = Rulesheet((Rule(rule.head, (*rule.body, formula, Not(formula)) * 6),))
    for syntax, read in READERS.items():
        assert read(print_rules(sheet, syntax)) == sheet


@FEW
@given(SHEETS, st.sampled_from(SYNTAXES), st.data())
def test_formatting_twice_changes_nothing_more_and_keeps_every_comment(
    sheet: Rulesheet, syntax: str, data: st.DataObject
) -> None:
    """Comments are put at random line ends of a text with a token on each line."""
    mark = ";" if syntax == "kif" else "%"
    lines: list[str] = []
    count = 0
    for rule in sheet.rules:
        for piece in _LAYOUTS[syntax].one_line(rule).split(" "):
            comment = data.draw(st.sampled_from(["", "", "", " {} one{}", "\n{} two{}", "\n\n{}{} three{}"]))
            count += bool(comment)
            lines.append(piece + comment.replace("{}", mark))
    text = "\n".join(lines)
    read = READERS[syntax]
    assert read(text) == sheet
    once = print_rules(read(text), syntax)
    assert read(once) == sheet
    assert sum(map(once.count, (f"{mark} one", f"{mark} two", f"{mark} three"))) == count
    assert print_rules(read(once), syntax) == once


def test_infix_understands_what_papers_write() -> None:
    assert infix("a:-b,c. a<=b&c. a<-b,c. a ← b ∧ c. a \\leftarrow b,c.") == ["(<= a b c)"] * 5
    assert infix("a :- not(b). a :- not b. a :- ~b. a :- \\+ b. a :- ¬b.") == ["(<= a (not b))"] * 5
    assert infix("a :- b;c. a :- b|c. a :- (b ; c). a :- or(b, c). a :- b ∨ c.") == ["(<= a (or b c))"] * 5
    assert (
        infix("a :- p(X), X \\= b. a :- p(X), distinct(X,b). a :- p(X), X != b.")
        == ["(<= a (p ?x) (distinct ?x b))"] * 3
    )


def test_and_binds_closer_than_or_and_not_closest() -> None:
    assert infix("a :- b, ~c ; d.") == ["(<= a (or (and b (not c)) d))"]
    assert infix("a :- b, (c ; d).") == ["(<= a b (or c d))"]
    assert infix("a :- ~(b, c), d.") == ["(<= a (not (and b c)) d)"]


def test_underscore_is_a_new_variable_each_time_and_never_one_that_is_there() -> None:
    assert infix("a :- p(_, _). b :- p(_).") == ["(<= a (p ?any1 ?any2))", "(<= b (p ?any1))"]
    assert infix("a :- p(_, Any1).") == ["(<= a (p ?any_1 ?any1))"]


def test_names_that_look_like_variables_stand_in_quotes() -> None:
    assert infix("p('Bob', 'x-1', 'it''s', 'it\\'s', _'a-b').") == ["(p Bob x-1 it's it's ?a-b)"]


def test_keywords_may_be_in_any_case_in_both_syntaxes() -> None:
    assert infix("ROLE(a). Legal(a, b) :- NOT(True(c)).") == ["(role a)", "(<= (legal a b) (not (true c)))"]
    assert str(read_kif("(<= (LEGAL a b) (Not (TRUE c)))").rules[0]) == "(<= (legal a b) (not (true c)))"


def test_empty_parentheses_mean_nothing_and_are_noted() -> None:
    for sheet in (read_kif("(<= (p) q)"), read_infix("p() :- q.")):
        assert str(sheet.rules[0]) == "(<= p q)"
        assert [note.code for note in sheet.notes] == ["empty-parentheses"]


def test_every_node_knows_its_place_in_infix() -> None:
    rule = read_infix("\n  legal(P, M) :-\n    not(p(M)).").rules[0]
    assert rule.span[:] == (2, 3, 3, 15)
    assert rule.head.span[:] == (2, 3, 2, 14)
    assert rule.head.args[1].span[:] == (2, 12, 2, 13)
    assert rule.body[0].span[:] == (3, 5, 3, 14)


def test_comments_stay_with_their_rules_across_syntaxes() -> None:
    text = (
        ";;; The roles.\n(role a) ; first\n(role b)\n\n; The end.\n(<= terminal\n    ; no more moves\n    (not open))\n"
    )
    sheet = read_kif(text)
    assert print_rules(sheet, "kif") == text
    there = print_rules(sheet, "infix")
    assert there == (
        "%%% The roles.\nrole(a). % first\nrole(b).\n\n% The end.\nterminal :-\n    % no more moves\n    not(open).\n"
    )
    assert print_rules(read_infix(there), "kif") == text


def test_block_comments_become_line_comments() -> None:
    assert print_rules(read_infix("/* One\n * two */\np. /* three */"), "infix") == "% One\n% two\np. % three\n"


def test_the_figure_of_the_paper_is_read() -> None:
    sheet = read_rules(PENNIES)
    assert [str(rule.head) for rule in sheet.rules[:3]] == ["(role alice)", "(role bob)", "(role random)"]
    assert read_rules(print_rules(sheet, "kif")) == sheet


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("role(a)", "1:1: this rule has no end, expected a full stop"),
        ("role(a", "1:5: this parenthesis is never closed"),
        ("role(a)).", "1:8: this parenthesis closes nothing"),
        ("role(a)\nrole(b).", "2:1: role follows without a sign between"),
        ("a :- b, .", "1:9: . where a formula was expected"),
        ("a :- .", "1:6: . where a formula was expected"),
        (".", "1:1: . where a formula was expected"),
        ("a :- b :- c.", "1:8: a second :- in a rule"),
        ("p(a,).", "1:5: ) where a term was expected"),
        ("p(a;b).", "1:4: ; between arguments"),
        ("p((a)).", "1:3: a parenthesis without a name"),
        ("X.", "1:1: a variable (X) where a relation was expected"),
        ("a :- X.", "1:6: a variable (X) where a relation was expected"),
        ("~a.", "1:1: a negated head"),
        ("a, b.", "1:2: , after the head"),
        ("(a ; b) :- c.", "1:1: this cannot be a head"),
        ("distinct(a, b).", "1:1: distinct cannot stand here"),
        ("a :- b \\= .", "1:11: . where a formula was expected"),
        ("p(~a).", "1:3: ~ cannot stand inside a term"),
        ("p('a b').", "1:3: 'a b' is no name"),
        ("p('abc).", "1:3: this quote is never closed"),
        ("p. /* and so on", "1:4: this comment is never closed"),
        ("p(?x).", "1:3: ? begins a variable only in KIF"),
        ("p(é).", "1:3: 'é' cannot stand here"),
        ("p :- " + "~" * 9999, f"1:{6 + 2 * MAX_DEPTH}: nested deeper than {MAX_DEPTH} levels"),
        ("f(" * 9999, f"1:{2 * (2 * MAX_DEPTH + 1)}: nested deeper than {MAX_DEPTH} levels"),
    ],
)
def test_mistakes_in_infix_have_a_place_and_a_reason(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_infix(text, "g.pl")
    assert str(caught.value).startswith(f"g.pl:{message}")


def test_depth_is_limited_alike_in_both_syntaxes() -> None:
    for depth in (MAX_DEPTH, MAX_DEPTH + 1):
        kif = "(f " * depth + "a" + ")" * depth
        prefix = "f(" * depth + "a" + ")" * depth + "."
        if depth == MAX_DEPTH:
            assert read_kif(kif) == read_infix(prefix)
        else:
            for text, read in ((kif, read_kif), (prefix, read_infix)):
                with pytest.raises(InputError, match="nested deeper"):
                    read(text)


@pytest.mark.parametrize(
    ("text", "file", "syntax"),
    [
        ("(role a)", "g.gdl", "kif"),
        ("; a comment\n ( role a )", "g", "kif"),
        ("role(a).", "g.gdl", "infix"),
        ("% a comment (really)\nrole (a).", "g.txt", "infix"),
        ("/* ( */ terminal :- a.", "-", "infix"),
        ("terminal", "g.gdl", "kif"),
        ("'Role'(a).", "g.gdl", "infix"),
        ("terminal.", "g.pl", "infix"),
    ],
)
def test_syntax_is_found_by_the_name_of_the_file_or_by_its_text(text: str, file: str, syntax: str) -> None:
    assert parse_rules(text, file)[1] == syntax
