"""Relations with a fixed meaning: how many arguments they have, where they may stand, what goals are worth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zermelo.gdl.finding import ERROR, WARNING, Finding, Severity
from zermelo.gdl.syntax import KEYWORDS, And, Formula, Function, Not, Or, Rule, Rulesheet, atoms_of, subterms

ARITY: Final = {
    "role": 1, "init": 1, "true": 1, "legal": 2, "does": 2, "next": 1, "terminal": 0, "goal": 2,
    "base": 1, "input": 2, "sees": 2, "distinct": 2,
}  # fmt: skip
"""How many arguments a keyword has."""
HINTS: Final = frozenset(["base", "input"])
"""What only lists all facts and moves there may be; play never needs it, so a mistake there is no error."""

_ONLY_BODY = {"true": "a position's facts are what init and next say", "does": "moves are what players choose"}
_ONLY_HEAD = {
    "init": "the start position is asked for by true, in the first position",
    "next": "the position after the move is not known before it",
    "sees": "what a player perceives is no fact of the position",
}
_NUMBER = re.compile(r"[+-]?[0-9]+")


def check_keywords(sheet: Rulesheet) -> Iterator[Finding]:
    """Wrong numbers of arguments, wrong places, wrong goal values, connectives in unusual forms."""
    for rule in sheet.rules:
        yield from _arity(sheet, rule.head)
        yield from _head(sheet, rule)
        for part in rule.body:
            for atom, positive in atoms_of(part):
                yield from _arity(sheet, atom)
                yield from _body_atom(sheet, rule, atom, positive)
            yield from _connectives(sheet, part)


def _arity(sheet: Rulesheet, atom: Function) -> Iterator[Finding]:
    expected = ARITY.get(atom.name)
    if expected is not None and len(atom.args) != expected:
        message = f"{atom.name} has {_arguments(len(atom.args))}, expected {expected or 'none'}"
        yield Finding(ERROR, "keyword-arity", message, sheet.file, atom.span)
    # A percept may well be called (does ...): it tells of a move.
    inside = () if atom.name == "sees" else atom.args
    for term in (term for argument in inside for term in subterms(argument)):
        if isinstance(term, Function) and term.args and term.name.lower() in KEYWORDS:
            message = f"{term.name} inside {atom.name} is only a name there, without its meaning as a relation"
            yield Finding(WARNING, "keyword-as-term", message, sheet.file, term.span)


def _arguments(count: int) -> str:
    return f"{count} argument{'' if count == 1 else 's'}"


def _head(sheet: Rulesheet, rule: Rule) -> Iterator[Finding]:
    head = rule.head
    if (reason := _ONLY_BODY.get(head.name)) is not None:
        message = f"{head.name} cannot be a head ({reason}), expected it in bodies only"
        yield Finding(ERROR, "keyword-in-head", message, sheet.file, head.span)
    if head.name == "goal" and len(head.args) == 2 and isinstance(head.args[1], Function):
        value = head.args[1]
        if value.args or not _NUMBER.fullmatch(value.name):
            message = f"the goal is {value}, expected a whole number from 0 to 100"
            yield Finding(ERROR, "goal-value", message, sheet.file, value.span)
        elif not _within_range(value.name):
            message = f"the goal is {value}, expected a number from 0 to 100"
            yield Finding(WARNING, "goal-range", message, sheet.file, value.span)


def _within_range(text: str) -> bool:
    """Whether a number is in 0..100, however many digits it has."""
    digits = text.lstrip("+-").lstrip("0") or "0"
    return len(digits) <= 3 and 0 <= int(digits) <= 100 and (not text.startswith("-") or digits == "0")


def _body_atom(sheet: Rulesheet, rule: Rule, atom: Function, positive: bool) -> Iterator[Finding]:
    if (reason := _ONLY_HEAD.get(atom.name)) is not None:
        severity: Severity = WARNING if rule.head.name in HINTS else ERROR
        message = f"{atom.name} in a body ({reason}), expected it in heads only"
        yield Finding(severity, "keyword-in-body", message, sheet.file, atom.span)
    if atom.name == "distinct" and not positive:
        message = "not over distinct: GDL has no equality, expected the same variable or name in both places instead"
        yield Finding(ERROR, "negated-distinct", message, sheet.file, atom.span)


def _connectives(sheet: Rulesheet, formula: Formula) -> Iterator[Finding]:
    waiting = [formula]
    while waiting:
        here = waiting.pop()
        if isinstance(here, Or | And):
            if not here.parts:
                word, always = ("or", "never holds") if isinstance(here, Or) else ("and", "always holds")
                yield Finding(WARNING, "empty-connective", f"{word} of nothing {always}", sheet.file, here.span)
            waiting.extend(here.parts)
        elif isinstance(here, Not):
            if not isinstance(here.part, Function):
                message = "not over more than an atom is not in the GDL standard; it is read as logic has it"
                yield Finding(WARNING, "nested-negation", message, sheet.file, here.span)
            waiting.append(here.part)
