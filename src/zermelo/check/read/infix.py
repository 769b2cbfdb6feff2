r"""The infix syntax of rulesheets as the checker reads it.

A pair of parentheses is read as soon as it closes, when all pairs inside it have been read already. So what has to be
understood is always a flat list: words, signs, and what was read before. Whether it lists terms or states a formula is
known when the parenthesis opens, from what stands before it and around it.

>>> [rule] = rules_of_infix("legal(P, noop) :- role(P), ~true(control(P)).", "small.pl")
>>> rule.head, rule.body
(('legal', '?p', 'noop'), (('role', '?p'), ('not', ('true', ('control', '?p')))))
>>> rules_of_infix("role(a", "small.pl")
Traceback (most recent call last):
    ...
zermelo.errors.InputError: small.pl:1:5: this parenthesis is never closed
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from zermelo.check.read.kif import MOST_WORDS, Wrong, constant_name, relation_name
from zermelo.check.sheets.rules import CONNECTIVES, Formula, Place, Rule
from zermelo.check.sheets.terms import ARITY, DEEPEST, Term
from zermelo.errors import InputError

MOST_OPEN: Final = 2 * DEEPEST
"""Parentheses and negations that may be open at once: many of them leave no trace in KIF."""
_QUOTED = r"'(?:[^'\\\n]|\\.|'')*'"
_PIECES = {
    "blank": r"[ \t\n\r\f\v]+|%[^\n]*|/\*.*?\*/",
    "variable": rf"_{_QUOTED}|[A-Z_][A-Za-z0-9_]*",
    "name": rf"{_QUOTED}|[0-9]+\.[0-9]+|[a-z0-9][A-Za-z0-9_]*|-[0-9]+",
    "if": r":-|<=|<-|←|\\leftarrow(?![A-Za-z0-9_])",
    "differ": r"\\==?|!=|≠",
    "not": r"~|\\\+|¬",
    "open": r"\(",
    "close": r"\)",
    "and": r"[,&∧]",
    "or": r"[;|∨]",
    "stop": r"\.",
}
_PIECE = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _PIECES.items()), re.DOTALL)
_CAPITALS: Final = frozenset([*ARITY, *CONNECTIVES])
"""What may be written with capitals where a formula is expected, though it then looks like a variable."""


@dataclass(frozen=True)
class _Word:
    """A word or sign."""

    kind: str
    text: str
    place: Place


@dataclass(frozen=True)
class _Called:
    """A name with the terms that stand in parentheses after it."""

    name: _Word
    inside: tuple[Term, ...]


@dataclass(frozen=True)
class _Grouped:
    """A formula in parentheses."""

    formula: Formula
    place: Place


_Item = _Word | _Called | _Grouped


@dataclass
class _Open:
    """A pair of parentheses that is open, or the rule itself (at the bottom), and what has been read in it."""

    place: Place
    called: _Word | None = None
    holds_terms: bool = False
    items: list[_Item] = field(default_factory=list)
    negations: int = 0
    """How many of them wait for what they negate."""

    def add(self, word: _Word) -> None:
        """Takes one more word or sign."""
        if word.kind == "name" and word.text == "not" and not self.holds_terms:
            word = _Word("not", word.text, word.place)
        if word.kind in ("and", "or", "if"):
            self.negations = 0
        self.negations += word.kind == "not"
        self.items.append(word)


def rules_of_infix(text: str, name: str) -> list[Rule]:
    """The rules that a text in infix syntax states; ``InputError`` with the place where it states none."""
    try:
        return list(_rules(text))
    except Wrong as wrong:
        assert wrong.place is not None, "here all faults have a place"
        line, column = wrong.place
        raise InputError(wrong.args[0], file=name, line=line, column=column) from None


def _words(text: str) -> Iterator[_Word]:
    line, begin_of_line, at, count = 1, 0, 0, 0
    while at < len(text):
        place = (line, at - begin_of_line + 1)
        match = _PIECE.match(text, at)
        if match is None:
            raise Wrong(f"{text[at]!r} begins nothing that can stand here", place)
        piece, kind = match.group(), str(match.lastgroup)
        count += piece[0] not in " \t\n\r\f\v"
        if count > MOST_WORDS:
            raise Wrong(f"more than {MOST_WORDS} words, expected a rulesheet", place)
        if kind != "blank":
            yield _Word(kind, piece, place)
        if breaks := piece.count("\n"):
            line, begin_of_line = line + breaks, at + piece.rindex("\n") + 1
        at = match.end()


def _rules(text: str) -> Iterator[Rule]:
    stack: list[_Open] = []
    for word in _words(text):
        stack = stack or [_Open(word.place)]
        if word.kind == "open":
            stack.append(_opened(stack[-1], word))
        elif word.kind == "close":
            if len(stack) == 1:
                raise Wrong("this parenthesis closes nothing", word.place)
            done = _closed(stack.pop(), word.place)
            stack[-1].items.append(done)
        elif word.kind == "stop":
            if len(stack) > 1:
                raise Wrong("this parenthesis is never closed", stack[-1].place)
            yield _rule(stack.pop(), word.place)
        else:
            stack[-1].add(word)
        if len(stack) > 1 and len(stack) - 1 + sum(part.negations for part in stack) > MOST_OPEN:
            raise Wrong(f"nested deeper than {DEEPEST} levels", word.place)
    if len(stack) > 1:
        raise Wrong("this parenthesis is never closed", stack[-1].place)
    if stack:
        raise Wrong("this rule has no end, expected a full stop", stack[0].place)


def _opened(outer: _Open, word: _Word) -> _Open:
    before = outer.items[-1] if outer.items else None
    if isinstance(before, _Word) and before.kind in ("name", "variable"):
        lowered = before.text.lower()
        if before.kind == "variable" and (outer.holds_terms or lowered not in _CAPITALS):
            raise Wrong("a variable before a parenthesis, expected a name", word.place)
        outer.items.pop()
        if outer.holds_terms or lowered not in CONNECTIVES:
            return _Open(word.place, before, holds_terms=True)
        if lowered != "not":
            return _Open(word.place, before)
        outer.add(_Word("not", before.text, before.place))
    if outer.holds_terms:
        raise Wrong("a parenthesis without a name before it, expected a term", word.place)
    return _Open(word.place)


def _closed(group: _Open, end: Place) -> _Item:
    """What a pair of parentheses is, now that it is closed."""
    if group.called is None:
        return _Grouped(_any_of(_alternatives(group.items, end)), group.place)
    for item in group.items:
        if isinstance(item, _Word) and item.kind in ("and", "or") and item.text != ",":
            raise Wrong(f"{item.text} between arguments, expected a comma", item.place)
    parts = _split(group.items, "and", end) if group.items else []
    if group.holds_terms:
        return _Called(group.called, tuple(_term(part, end) for part in parts))
    return _Grouped((group.called.text.lower(), *(_formula(part, end) for part in parts)), group.place)


def _rule(whole: _Open, end: Place) -> Rule:
    arrows = [number for number, item in enumerate(whole.items) if isinstance(item, _Word) and item.kind == "if"]
    head_items = whole.items[: arrows[0]] if arrows else whole.items
    if len(head_items) != 1 or isinstance(head_items[0], _Grouped):
        raise Wrong("this cannot be a head, expected a relation", whole.place)
    head = _formula(head_items, end, in_body=False)
    body: tuple[Formula, ...] = ()
    if arrows:
        alternatives = _alternatives(whole.items[arrows[0] + 1 :], end)
        body = (_any_of(alternatives),) if len(alternatives) > 1 else tuple(alternatives[0])
    if max(map(_depth, (head, *body))) + bool(body) > DEEPEST:
        raise Wrong(f"nested deeper than {DEEPEST} levels", whole.place)
    return Rule(head, body, whole.place)


def _depth(formula: Term) -> int:
    """How deeply KIF nests parentheses for a formula."""
    deepest, waiting = 0, [(formula, 0)]
    while waiting:
        here, depth = waiting.pop()
        if isinstance(here, tuple):
            deepest = max(deepest, depth + (len(here) > 1 or here[0] in CONNECTIVES))
            waiting += [(part, depth + 1) for part in here[1:]]
    return deepest


def _alternatives(items: list[_Item], end: Place) -> list[list[Formula]]:
    """Conjunctions with ``or`` between them, which binds less."""
    return [[_formula(part, end) for part in _split(one, "and", end)] for one in _split(items, "or", end)]


def _any_of(alternatives: list[list[Formula]]) -> Formula:
    """One formula: a conjunction of one is that one, and so is a disjunction."""
    parts: list[Formula] = [one[0] if len(one) == 1 else ("and", *one) for one in alternatives]
    return parts[0] if len(parts) == 1 else ("or", *parts)


def _split(items: list[_Item], kind: str, end: Place) -> list[list[_Item]]:
    """The items between signs of a kind; nothing may be missing."""
    parts: list[list[_Item]] = [[]]
    for item in items:
        if isinstance(item, _Word) and item.kind == kind:
            parts.append([])
        else:
            parts[-1].append(item)
    if not all(parts):
        raise Wrong("something is missing between two signs, expected a term or a formula", end)
    return parts


def _formula(items: list[_Item], end: Place, in_body: bool = True) -> Formula:
    """An atom, a group or a comparison, with negations before it."""
    count = 0
    while count < len(items) and isinstance(word := items[count], _Word) and word.kind == "not":
        count += 1
    rest = items[count:]
    signs = [number for number, item in enumerate(rest) if isinstance(item, _Word) and item.kind == "differ"]
    if signs:
        formula: Formula = ("distinct", _term(rest[: signs[0]], end), _term(rest[signs[0] + 1 :], end))
    else:
        formula = _atom(_only(rest, end), in_body)
    for _ in range(count):
        formula = ("not", formula)
    return formula


def _only(items: list[_Item], end: Place) -> _Item:
    """The item of a list of one."""
    if not items:
        raise Wrong("nothing there, expected a term or a formula", end)
    if len(items) > 1:
        second = items[1].name if isinstance(items[1], _Called) else items[1]
        raise Wrong("this follows without a sign between, expected a comma or a full stop before it", second.place)
    return items[0]


def _atom(item: _Item, in_body: bool) -> Formula:
    if isinstance(item, _Grouped):
        return item.formula
    word = item.name if isinstance(item, _Called) else item
    if word.kind not in ("name", "variable") or (word.kind == "variable" and word.text.lower() not in _CAPITALS):
        raise Wrong(f"{word.text[:40]} where a relation was expected", word.place)
    inside = item.inside if isinstance(item, _Called) else ()
    name = relation_name(_name(word) if inside else constant_name(_name(word)))
    if name.lower() in (*CONNECTIVES, "<=") or (name == "distinct" and not in_body):
        raise Wrong(f"{name} cannot stand here, expected a relation", word.place)
    return (name, *inside)


def _term(items: list[_Item], end: Place) -> Term:
    item = _only(items, end)
    if isinstance(item, _Grouped):
        raise Wrong("a formula where a term was expected", item.place)
    word = item.name if isinstance(item, _Called) else item
    if word.kind == "variable" and isinstance(item, _Word):
        return _variable(word)
    if word.kind != "name":
        raise Wrong(f"{word.text[:40]} where a term was expected", word.place)
    inside = item.inside if isinstance(item, _Called) else ()
    return (_name(word), *inside) if inside else constant_name(_name(word))


def _variable(word: _Word) -> str:
    """``X`` is ``?x``, ``_X`` is ``?X``, ``_x`` is ``?_x``, ``_'x-1'`` is ``?x-1``; ``_`` is another one each time."""
    text = word.text
    if text == "_":
        return f"? {word.place}"
    if text.startswith("_'"):
        return f"?{_unquoted(text[1:], word.place)}"
    if not text.startswith("_"):
        return f"?{text[0].lower()}{text[1:]}"
    return f"?{text}" if text.lstrip("_")[:1].islower() else f"?{text[1:]}"


def _name(word: _Word) -> str:
    if not word.text.startswith("'"):
        return word.text
    name = _unquoted(word.text, word.place)
    if name.startswith("?"):
        raise Wrong(f"{word.text[:40]} is no name, expected no ? in front", word.place)
    return name


def _unquoted(text: str, place: Place) -> str:
    """What stands between quotes, as far as KIF can write it too."""
    name = re.sub(r"\\(.)|''", lambda match: match[1] or "'", text[1:-1], flags=re.DOTALL)
    if not name or not name.isprintable() or any(letter.isspace() or letter in "();" for letter in name):
        raise Wrong(f"{text[:40]} is no name, expected no blanks, parentheses or semicolons", place)
    return name
