"""Reads rulesheets written in KIF, the prefix syntax of the general game playing world.

>>> sheet = read_kif("(ROLE xplayer) (<= (next ?f) (true ?f) (not (does xplayer reset)))")
>>> [str(rule) for rule in sheet.rules]
['(role xplayer)', '(<= (next ?f) (true ?f) (not (does xplayer reset)))']
>>> read_kif("(role x", "broken.kif")
Traceback (most recent call last):
    ...
zermelo.errors.InputError: broken.kif:1:1: this parenthesis is never closed
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from zermelo.errors import InputError
from zermelo.gdl.syntax import (
    CONNECTIVES,
    KEYWORDS,
    MAX_DEPTH,
    MAX_WORDS,
    RANDOM,
    And,
    Comment,
    Formula,
    Function,
    Not,
    Note,
    Or,
    Rule,
    Rulesheet,
    Span,
    Term,
    Variable,
    collection_paused,
    subterms,
)

MAX_MESSAGE_WORDS: Final = 250_000
"""Messages are answered under a clock, so they are refused sooner: this many words are read in about a second."""
_TOKEN = re.compile(r"(?P<comment>;[^\n]*)|(?P<open>\()|(?P<close>\))|(?P<word>[^\s();]+)")


@dataclass(slots=True)
class Node:
    """A word, or a list of nodes where ``word`` is None: KIF before it means anything."""

    word: str | None
    parts: list[Node]
    span: Span


def read_kif(text: str, file: str = "<rules>") -> Rulesheet:
    """The rulesheet that a KIF text states; a mistake raises :class:`InputError` with its place."""
    reader = _Reader(file, MAX_WORDS)
    with collection_paused():
        return reader.sheet(reader.nodes(text))


def read_nodes(text: str, file: str = "<text>") -> list[Node]:
    """The nested lists of a text, as the messages of the GGP protocol are written.

    >>> [node.word or len(node.parts) for node in read_nodes("PLAY m1 (noop (mark 1 2))")]
    ['PLAY', 'm1', 2]
    """
    return _Reader(file, MAX_MESSAGE_WORDS).nodes(text)


def rules_of(nodes: list[Node], file: str = "<rules>") -> Rulesheet:
    """The rulesheet that nested lists state.

    >>> len(rules_of(read_nodes("(role x) (init p)")).rules)
    2
    """
    return _Reader(file).sheet(nodes)


def term_of(node: Node, file: str = "<term>") -> Function:
    """The ground term that a nested list states.

    >>> str(term_of(read_nodes("( mark 1 (pair a b) )")[0]))
    '(mark 1 (pair a b))'
    """
    term = _Reader(file).term(node)
    if any(isinstance(part, Variable) for part in subterms(term)) or isinstance(term, Variable):
        raise InputError(
            f"a variable in {term}, expected a ground term", file=file, line=node.span.line, column=node.span.column
        )
    return term


def read_term(text: str, file: str = "<term>") -> Function:
    """One ground term, as the GGP protocol and recorded walks write moves and facts.

    >>> str(read_term("( mark 1 (pair a b) )"))
    '(mark 1 (pair a b))'
    """
    nodes = read_nodes(text, file)
    if len(nodes) != 1:
        raise InputError(f"{len(nodes)} terms, expected one", file=file, line=1, column=1)
    return term_of(nodes[0], file)


@dataclass
class _Reader:
    file: str
    most: int = MAX_WORDS
    comments: list[Comment] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def fail(self, message: str, span: Span) -> InputError:
        return InputError(message, file=self.file, line=span.line, column=span.column)

    def sheet(self, nodes: list[Node]) -> Rulesheet:
        rules = tuple(self.rule(node) for node in nodes)
        return Rulesheet(rules, self.file, tuple(self.comments), tuple(self.notes))

    def nodes(self, text: str) -> list[Node]:
        """The nested lists of a text, by a stack of our own: input may be nested to any depth."""
        top: list[Node] = []
        open_lists: list[Node] = []
        line, line_start, seen = 1, 0, 0
        for count, match in enumerate(_TOKEN.finditer(text)):
            begin, end = match.span()
            breaks = text.count("\n", seen, begin)
            if breaks:
                line, line_start = line + breaks, text.rindex("\n", 0, begin) + 1
            seen = begin
            span = Span(line, begin - line_start + 1, line, end - line_start + 1)
            kind = match.lastgroup
            if count == self.most:
                raise self.fail(f"more than {self.most} words, expected a rulesheet", span)
            if kind == "comment":
                self.comments.append(Comment(match[0][1:].rstrip(), span))
            elif kind == "open":
                if len(open_lists) == MAX_DEPTH:
                    raise self.fail(f"nested deeper than {MAX_DEPTH} levels", span)
                open_lists.append(Node(None, [], span))
            elif kind == "close":
                if not open_lists:
                    raise self.fail("this parenthesis closes nothing", span)
                done = open_lists.pop()
                done.span = Span(done.span.line, done.span.column, span.end_line, span.end_column)
                (open_lists[-1].parts if open_lists else top).append(done)
            else:
                word = match[0]
                if not word.isprintable():
                    raise self.fail(f"{word!r} is not a word, expected printable text", span)
                (open_lists[-1].parts if open_lists else top).append(Node(word, [], span))
        if open_lists:
            raise self.fail("this parenthesis is never closed", open_lists[-1].span)
        return top

    def rule(self, node: Node) -> Rule:
        if node.word is None and node.parts and node.parts[0].word == "<=":
            if len(node.parts) == 1:
                raise self.fail("an empty rule, expected (<= head body...)", node.span)
            head = self.atom(node.parts[1])
            return Rule(head, tuple(self.formula(part) for part in node.parts[2:]), node.span)
        return Rule(self.atom(node), (), node.span)

    def formula(self, node: Node) -> Formula:
        word = node.parts[0].word if node.word is None and node.parts else None
        kind = word.lower() if word else ""
        if kind == "not":
            if len(node.parts) != 2:
                raise self.fail(f"not has {len(node.parts) - 1} arguments, expected one", node.span)
            return Not(self.formula(node.parts[1]), node.span)
        if kind in ("or", "and"):
            if kind == "and":
                message = "and is not in the GDL standard: a body is a conjunction as it is"
                self.notes.append(Note(message, node.span, "and"))
            parts = tuple(self.formula(part) for part in node.parts[1:])
            return Or(parts, node.span) if kind == "or" else And(parts, node.span)
        return self.atom(node, body=True)

    def atom(self, node: Node, body: bool = False) -> Function:
        """An atom; its relation is lower-cased where it is a keyword."""
        term = self.term(node)
        if isinstance(term, Variable):
            raise self.fail(f"a variable ({term}) where a relation was expected", node.span)
        lowered = term.name.lower()
        if lowered in CONNECTIVES and not (body and lowered == "distinct"):
            where = "a body" if body else "a head"
            raise self.fail(f"{term.name} cannot stand here, expected a relation as {where}", node.span)
        if lowered in KEYWORDS or lowered == "distinct":
            return Function(lowered, term.args, term.span)
        return term

    def term(self, node: Node) -> Term:
        if node.word is not None:
            if node.word.startswith("?"):
                if len(node.word) == 1:
                    raise self.fail("a question mark alone, expected a variable such as ?x", node.span)
                return Variable(node.word[1:], node.span)
            name = RANDOM if node.word.lower() == RANDOM else node.word
            return Function(name, (), node.span)
        if not node.parts:
            raise self.fail("() is empty, expected a name", node.span)
        first = node.parts[0]
        if first.word is None or first.word.startswith("?"):
            raise self.fail("expected a name after the parenthesis", first.span)
        if len(node.parts) == 1:
            self.notes.append(Note(f"({first.word}) is read as {first.word}", node.span, "empty-parentheses"))
            return self.term(Node(first.word, [], node.span))
        return Function(first.word, tuple(self.term(part) for part in node.parts[1:]), node.span)
