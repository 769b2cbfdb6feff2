"""Writes rulesheets, in KIF or in infix syntax, laid out for reading; comments and blank lines stay where they were.

A rule stands on one line where that fits and nothing was written between its parts, else with one part of the body on
each line. Reading what was printed gives the same rules again, in either syntax.

>>> from zermelo.gdl.kif import read_kif
>>> sheet = read_kif("(<= (legal ?p noop) (role ?p) ; nothing else to do\\n (not (true (control ?p))))")
>>> print(print_rules(sheet, "kif"), end="")
(<= (legal ?p noop)
    (role ?p) ; nothing else to do
    (not (true (control ?p))))
>>> print(print_rules(sheet, "infix"), end="")
legal(P, noop) :-
    role(P), % nothing else to do
    not(true(control(P))).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.gdl.infix import PLAIN_NAME, WORDS, quoted, variable_text
from zermelo.gdl.syntax import And, Comment, Formula, Function, Not, Or, Rule, Rulesheet, Span, Term, Variable

SYNTAXES: Final = ("kif", "infix")
WIDTH: Final = 100
"""A rule that would be longer than this takes several lines."""


def print_rules(sheet: Rulesheet, syntax: str = "kif") -> str:
    """The text of a rulesheet in one of :data:`SYNTAXES`."""
    layout = _LAYOUTS[syntax]
    lines: list[str] = []
    last_line = 0
    comments = list(reversed(sheet.comments))
    for rule in sheet.rules:
        while comments and _begin(comments[-1].span) < _begin(rule.span):
            last_line = _add_comment(lines, comments.pop(), last_line, layout)
        within: list[Comment] = []
        while comments and _begin(comments[-1].span) < _end(rule.span):
            within.append(comments.pop())
        if rule.span.line > last_line + 1 and lines:
            lines.append("")
        lines.extend(_rule_lines(rule, within, layout))
        last_line = rule.span.end_line
        if comments and comments[-1].span.line == last_line and rule.span.line:
            following = comments.pop()
            lines[-1] = f"{lines[-1]} {layout.comment(following.text)}"
            last_line = max(last_line, following.span.end_line)
    while comments:
        last_line = _add_comment(lines, comments.pop(), last_line, layout)
    return "".join(f"{line}\n" for line in lines)


def formula_text(formula: Formula | Term, syntax: str = "kif") -> str:
    """A formula or term on one line.

    >>> formula_text(Not(Function("p", (Variable("x"), Function("Bob")))), "infix")
    "not(p(X, 'Bob'))"
    """
    return _LAYOUTS[syntax].formula(formula)


def _begin(span: Span) -> tuple[int, int]:
    return span.line, span.column


def _end(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_column


def _add_comment(lines: list[str], comment: Comment, last_line: int, layout: _Layout) -> int:
    if comment.span.line > last_line + 1 and lines:
        lines.append("")
    lines.append(layout.comment(comment.text))
    return comment.span.end_line


@dataclass(frozen=True)
class _Layout:
    """How a syntax writes the pieces of a rule."""

    marker: str
    formula: Callable[[Formula | Term], str]
    one_line: Callable[[Rule], str]
    opening: Callable[[Rule], str]
    """The first line of a rule whose body takes lines of its own."""
    between: str
    closing: str
    broken: Callable[[Formula, str], list[str]]
    """A formula that is too long for one line, from the given indentation on."""

    def comment(self, text: str) -> str:
        """A comment; the signs of the other syntax at its beginning become those of this one."""
        rest = text.lstrip(";%")
        return self.marker * (1 + len(text) - len(rest)) + rest


def _rule_lines(rule: Rule, comments: Sequence[Comment], layout: _Layout) -> Iterator[str]:
    """A rule with the comments that stand inside it; those after its last part follow it."""
    if not rule.body:
        yield from (layout.comment(comment.text) for comment in comments)
        yield layout.one_line(rule)
        return
    inside = [comment for comment in comments if _begin(comment.span) < _end(rule.body[-1].span)]
    lines = [layout.one_line(rule)]
    if inside or len(lines[0]) > WIDTH:
        lines = list(_body_lines(rule, inside, layout))
    after = [layout.comment(comment.text) for comment in comments[len(inside) :]]
    if after:
        lines[-1] = f"{lines[-1]} {after.pop(0)}"
    yield from lines
    yield from after


def _body_lines(rule: Rule, comments: Sequence[Comment], layout: _Layout) -> Iterator[str]:
    """A rule with one part of its body on each line."""
    waiting = list(reversed(comments))
    line = layout.opening(rule)
    before, end_line = _begin(rule.body[0].span), rule.head.span.end_line
    while waiting and _begin(waiting[-1].span) < before and waiting[-1].span.line == end_line:
        line = f"{line} {layout.comment(waiting.pop().text)}"
    yield line
    for number, part in enumerate(rule.body):
        while waiting and _begin(waiting[-1].span) < _end(part.span):
            yield f"    {layout.comment(waiting.pop().text)}"
        text = layout.formula(part)
        lines = [f"    {text}"] if len(text) <= WIDTH - 8 else layout.broken(part, "    ")
        lines[-1] += layout.closing if number == len(rule.body) - 1 else layout.between
        if waiting and waiting[-1].span.line == part.span.end_line:
            lines[-1] = f"{lines[-1]} {layout.comment(waiting.pop().text)}"
        yield from lines


def _kif_opening(rule: Rule) -> str:
    return f"(<= {rule.head}"


def _kif_broken(formula: Formula, indent: str) -> list[str]:
    if not isinstance(formula, Or | And) or len(formula.parts) < 2:
        return [f"{indent}{formula}"]
    word = "or" if isinstance(formula, Or) else "and"
    deeper = indent + " " * (len(word) + 2)
    lines: list[str] = []
    for part in formula.parts:
        text = str(part)
        lines.extend([deeper + text] if len(deeper) + len(text) <= WIDTH else _kif_broken(part, deeper))
    lines[0] = f"{indent}({word} {lines[0][len(deeper) :]}"
    lines[-1] += ")"
    return lines


def _name_text(name: str) -> str:
    return name if PLAIN_NAME.fullmatch(name) and name not in WORDS else quoted(name)


def _infix(formula: Formula | Term) -> str:
    if isinstance(formula, Variable):
        return variable_text(formula.name)
    if isinstance(formula, Function):
        inside = [_infix(part) for part in formula.args]
        return f"{_name_text(formula.name)}({', '.join(inside)})" if inside else _name_text(formula.name)
    if isinstance(formula, Not):
        inner = _infix(formula.part)
        # A conjunction or disjunction has its own parentheses already.
        return f"not{inner}" if inner.startswith("(") else f"not({inner})"
    parts = [_infix(part) for part in formula.parts]
    if len(parts) < 2:
        return f"{'or' if isinstance(formula, Or) else 'and'}({', '.join(parts)})"
    return f"({(' ; ' if isinstance(formula, Or) else ', ').join(parts)})"


def _infix_one_line(rule: Rule) -> str:
    return f"{_infix(rule.head)} :- {', '.join(map(_infix, rule.body))}." if rule.body else f"{_infix(rule.head)}."


def _infix_opening(rule: Rule) -> str:
    return f"{_infix(rule.head)} :-"


def _infix_broken(formula: Formula, indent: str) -> list[str]:
    if not isinstance(formula, Or | And) or len(formula.parts) < 2:
        return [f"{indent}{_infix(formula)}"]
    sign = " ;" if isinstance(formula, Or) else ","
    deeper = indent + " "
    lines: list[str] = []
    for number, part in enumerate(formula.parts):
        text = _infix(part)
        lines.extend([deeper + text] if len(deeper) + len(text) <= WIDTH else _infix_broken(part, deeper))
        lines[-1] += sign if number < len(formula.parts) - 1 else ")"
    lines[0] = f"{indent}({lines[0][len(deeper) :]}"
    return lines


_LAYOUTS: Final = {
    "kif": _Layout(";", str, str, _kif_opening, "", ")", _kif_broken),
    "infix": _Layout("%", _infix, _infix_one_line, _infix_opening, ",", ".", _infix_broken),
}
