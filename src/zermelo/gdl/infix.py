r"""Reads rulesheets in infix syntax, the Prolog-like one of papers: ``legal(P, M) :- true(control(P)), move(M).``

Variables begin with an upper-case letter or ``_`` (which alone is a fresh variable each time), names with a lower-case
letter or a digit; any other name stands in quotes (``'Upper'``, ``'x-1'``), any other variable in quotes after an
underscore (``_'x-1'``). What papers and programs write is all understood:

=============  =====================================
if             ``:-``  ``<=``  ``<-``  ``←``
and            ``,``  ``&``  ``∧``
or             ``;``  ``|``  ``∨``
not            ``not``  ``~``  ``\+``  ``¬``
different      ``distinct(X, Y)``  ``X \= Y``  ``X != Y``  ``X ≠ Y``
comment        ``% ...``  and  ``/* ... */``
=============  =====================================

The syntax tree is that of KIF: ``X`` here is ``?x`` there, ``_X`` is ``?X`` (see :func:`variable_text`).

>>> sheet = read_infix("role(alice).  legal(P, noop) :- role(P), ~true(control(P)).")
>>> [str(rule) for rule in sheet.rules]
['(role alice)', '(<= (legal ?p noop) (role ?p) (not (true (control ?p))))']
>>> read_infix("role(alice", "broken.pl")
Traceback (most recent call last):
    ...
zermelo.errors.InputError: broken.pl:1:5: this parenthesis is never closed
"""

from __future__ import annotations

import re
from collections.abc import Iterator
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
)

WORDS: Final = frozenset(["not", "or", "and"])
"""Names that build formulas; as names of anything else they stand in quotes."""
PLAIN_NAME: Final = re.compile(r"[a-z0-9][A-Za-z0-9_]*|-[0-9]+")
"""Names that need no quotes."""
_PLAIN_VARIABLE = re.compile(r"(_*)([A-Za-z0-9][A-Za-z0-9_]*)?")
_QUOTED = r"'(?:[^'\\\n]|\\.|'')*'"
_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<comment>%[^\n]*|/\*.*?\*/)"
    rf"|(?P<quoted>{_QUOTED})|(?P<oddvar>_{_QUOTED})|(?P<variable>[A-Z_][A-Za-z0-9_]*)"
    r"|(?P<name>[0-9]+\.[0-9]+|[a-z0-9][A-Za-z0-9_]*|-[0-9]+)"
    r"|(?P<arrow>:-|<=|<-|←|\\leftarrow\b)|(?P<differ>\\==?|!=|≠)|(?P<negate>~|\\\+|¬)"
    r"|(?P<open>\()|(?P<close>\))|(?P<and>[,&∧])|(?P<or>[;|∨])|(?P<stop>\.)",
    re.DOTALL | re.ASCII,
)
_ESCAPE = re.compile(r"\\(.)|''", re.DOTALL)


def variable_text(name: str) -> str:
    """A variable of the syntax tree as infix writes it; every name has a text of its own.

    >>> [variable_text(name) for name in ("x", "player", "X", "1", "_x", "_", "x-1")]
    ['X', 'Player', '_X', '_1', '_x', '__', "_'x-1'"]
    """
    match = _PLAIN_VARIABLE.fullmatch(name)
    if match is None:
        return "_" + quoted(name)
    rest = match[2] or ""
    if rest[:1].islower():
        return name if match[1] else rest[0].upper() + rest[1:]
    return "_" + name


def variable_name(text: str) -> str:
    """The name that a variable of the infix syntax has in the syntax tree: :func:`variable_text` undone.

    >>> [variable_name(text) for text in ("X", "Player", "_X", "_1", "_x", "__")]
    ['x', 'player', 'X', '1', '_x', '_']
    """
    if text[0] != "_":
        return text[0].lower() + text[1:]
    return text if text.lstrip("_")[:1].islower() else text[1:]


def quoted(name: str) -> str:
    r"""A name in quotes.

    >>> print(quoted("Bob's"))
    'Bob\'s'
    """
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def read_infix(text: str, file: str = "<rules>") -> Rulesheet:
    """The rulesheet that a text in infix syntax states; a mistake raises :class:`InputError` with its place."""
    reader = _Reader(file, _unused_prefix(text))
    with collection_paused():
        for token in reader.tokens(text):
            reader.take(token)
        reader.finish()
    return Rulesheet(tuple(reader.rules), file, tuple(reader.comments), tuple(reader.notes))


def _unused_prefix(text: str) -> str:
    """What names the fresh variables of ``_``: a word with a number that no variable of the text can have."""
    prefix, lowered = "any", text.lower()
    while re.search(prefix + "[0-9]", lowered):
        prefix += "_"
    return prefix


@dataclass(slots=True)
class _Token:
    kind: str
    text: str
    span: Span


@dataclass(slots=True)
class _Frame:
    """What is open: the rule itself (no span), a parenthesis, or the arguments of a name."""

    span: Span | None = None
    called: _Token | None = None
    connective: str = ""
    """``or``, ``and`` where these are called like functions."""
    choices: list[list[Formula | Term]] = field(default_factory=lambda: [[]])
    operand: Formula | Term | None = None
    is_formula: bool = False
    """Whether the operand came out of parentheses and is no term."""
    left: Term | None = None
    """What stands left of a sign for different."""
    word: _Token | None = None
    """The operand as it was written, where it is a relation in capitals that looks like a variable."""
    negations: list[Span] = field(default_factory=list)

    @property
    def holds_terms(self) -> bool:
        return self.called is not None and not self.connective


@dataclass
class _Reader:
    """A parser with a stack of its own: input may be nested to any depth."""

    file: str
    fresh_prefix: str
    rules: list[Rule] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    stack: list[_Frame] = field(default_factory=lambda: [_Frame()])
    head: Function | None = None
    begin: Span | None = None
    last: Span = field(default_factory=Span)
    fresh: int = 0
    depth: int = 0
    deepest: int = 0
    name: _Token | None = None
    """A name that has just been read: a parenthesis may follow."""

    def fail(self, message: str, span: Span) -> InputError:
        return InputError(message, file=self.file, line=span.line, column=span.column)

    def tokens(self, text: str) -> Iterator[_Token]:
        line, line_start, place, count = 1, 0, 0, 0
        while place < len(text):
            match = _TOKEN.match(text, place)
            column = place - line_start + 1
            if match is None:
                raise self.fail(_what_is_wrong(text[place : place + 40]), Span(line, column))
            begin, place, piece = place, match.end(), match[0]
            breaks = piece.count("\n")
            if breaks:
                start_line, line, line_start = line, line + breaks, begin + piece.rindex("\n") + 1
            else:
                start_line = line
            kind = match.lastgroup or ""
            if kind == "space":
                continue
            span = Span(start_line, column, line, place - line_start + 1)
            count += 1
            if count > MAX_WORDS:
                raise self.fail(f"more than {MAX_WORDS} words, expected a rulesheet", span)
            if kind == "comment":
                self.comment(piece, span)
            else:
                yield _Token(kind, piece, span)

    def comment(self, piece: str, span: Span) -> None:
        """A block comment becomes one comment a line."""
        if piece.startswith("%"):
            self.comments.append(Comment(piece[1:].rstrip(), span))
            return
        for number, line in enumerate(piece[2:-2].split("\n")):
            here = span.line + number
            column = span.column if number == 0 else 1
            end = span.end_column if here == span.end_line else column + len(line)
            text = line.rstrip() if number == 0 else f" {line.strip().removeprefix('*').strip()}"
            if text.strip() or span.line == span.end_line:
                self.comments.append(Comment(text, Span(here, column, here, end)))

    def take(self, token: _Token) -> None:
        """One step of the parser."""
        kind = token.kind
        if self.begin is None:
            self.begin = token.span
        if self.name is not None:
            waiting, self.name = self.name, None
            if kind == "open":
                self.open_call(waiting, token)
                self.last = token.span
                return
            self.put(self.constant(waiting), waiting.span)
            self.stack[-1].word = waiting if waiting.kind == "variable" else None
        frame = self.stack[-1]
        if kind in ("name", "quoted", "variable", "oddvar"):
            self.take_word(frame, token)
        elif kind == "open":
            self.need_operand(frame, token)
            if frame.holds_terms:
                raise self.fail("a parenthesis without a name before it, expected a term", token.span)
            self.push(_Frame(token.span))
        elif kind == "negate":
            self.negate(frame, token)
        elif kind == "close":
            self.close(frame, token)
        elif kind == "stop":
            self.stop(token)
        elif kind == "arrow":
            self.arrow(token)
        elif kind == "differ":
            self.differ(frame, token)
        else:
            self.separate(frame, token)
        self.last = token.span

    def take_word(self, frame: _Frame, token: _Token) -> None:
        self.need_operand(frame, token)
        if token.kind == "oddvar":
            self.put(Variable(self.unquoted(token, token.text[1:]), token.span), token.span)
        elif token.kind != "variable":
            if token.kind == "name" and token.text == "not" and not frame.holds_terms:
                self.negate(frame, token)
            else:
                self.name = token
        elif token.text.lower() in KEYWORDS | CONNECTIVES and not frame.holds_terms:
            self.name = token  # ROLE(alice): keywords may be in any case
        elif token.text == "_":
            self.fresh += 1
            self.put(Variable(f"{self.fresh_prefix}{self.fresh}", token.span), token.span)
        else:
            self.put(Variable(variable_name(token.text), token.span), token.span)

    def need_operand(self, frame: _Frame, token: _Token) -> None:
        if frame.operand is not None:
            expected = "a comma or )" if frame.span is not None else "a comma or the full stop of the rule before"
            raise self.fail(f"{token.text[:40]} follows without a sign between, expected {expected} it", token.span)

    def put(self, item: Term | Formula, span: Span, is_formula: bool = False) -> None:
        frame = self.stack[-1]
        if frame.operand is not None:
            raise self.fail("expected a comma or a full stop before this", span)
        frame.operand, frame.is_formula = item, is_formula

    def push(self, frame: _Frame) -> None:
        self.deepen(frame.span or self.last)
        self.stack.append(frame)

    def deepen(self, span: Span) -> None:
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        if self.depth > 2 * MAX_DEPTH:
            raise self.fail(f"nested deeper than {MAX_DEPTH} levels", span)

    def open_call(self, name: _Token, token: _Token) -> None:
        frame = self.stack[-1]
        lowered = name.text.lower()
        if name.kind != "quoted" and lowered in WORDS and not frame.holds_terms:
            if lowered == "not":
                self.negate(frame, name)
                self.push(_Frame(token.span))
            else:
                self.push(_Frame(token.span, name, lowered))
        else:
            self.push(_Frame(token.span, name))

    def negate(self, frame: _Frame, token: _Token) -> None:
        self.need_operand(frame, token)
        if frame.holds_terms or frame.left is not None:
            raise self.fail(f"{token.text} cannot stand inside a term", token.span)
        self.deepen(token.span)
        frame.negations.append(token.span)

    def differ(self, frame: _Frame, token: _Token) -> None:
        operand = frame.operand
        if (
            operand is None
            or frame.is_formula
            or frame.left is not None
            or not isinstance(operand, Variable | Function)
        ):
            raise self.fail(f"{token.text} stands between two terms, expected one before it", token.span)
        if frame.holds_terms:
            raise self.fail(f"{token.text} cannot stand inside a term", token.span)
        frame.left, frame.operand = self.compared(frame, operand), None

    def compared(self, frame: _Frame, operand: Term) -> Term:
        """A side of a comparison, where ``Role`` is a variable and no relation in capitals."""
        word, frame.word = frame.word, None
        if word is None:
            return operand
        if word.kind == "called":
            raise self.fail(f"a variable ({word.text}) before a parenthesis, expected a name", word.span)
        return Variable(variable_name(word.text), word.span)

    def separate(self, frame: _Frame, token: _Token) -> None:
        if frame.span is None and self.head is None:
            raise self.fail(f"{token.text} after the head, expected :- or a full stop", token.span)
        if frame.called is not None and token.text != ",":
            raise self.fail(f"{token.text} between arguments, expected a comma", token.span)
        self.finish_operand(frame, token)
        if token.kind == "or":
            frame.choices.append([])

    def finish_operand(self, frame: _Frame, token: _Token) -> None:
        """Adds what stands before a separator or a closing sign to what is open."""
        item = frame.operand
        if item is None:
            before = "a term" if frame.holds_terms else "a formula"
            raise self.fail(f"{token.text} where {before} was expected", token.span)
        if frame.left is not None:
            if frame.is_formula:
                raise self.fail("a formula where a term was expected", token.span)
            left, frame.left = frame.left, None
            span = _joined(left.span, item.span)
            item = Function("distinct", (left, self.compared(frame, self.as_term(item))), span)
        if not frame.holds_terms:
            formula = self.atom(item, body=frame.span is not None or self.head is not None)
            while frame.negations:
                span = frame.negations.pop()
                formula = Not(formula, _joined(span, self.last))
                self.depth -= 1
            item = formula
        frame.choices[-1].append(item)
        frame.operand, frame.is_formula, frame.word = None, False, None

    def as_term(self, item: Formula | Term) -> Term:
        if isinstance(item, Variable | Function):
            return item
        raise self.fail("a formula where a term was expected", item.span)

    def close(self, frame: _Frame, token: _Token) -> None:
        if frame.span is None:
            raise self.fail("this parenthesis closes nothing", token.span)
        empty = frame.operand is None and frame.choices == [[]] and not frame.negations
        if not (frame.called and empty):
            self.finish_operand(frame, token)
        self.stack.pop()
        self.depth -= 1
        if frame.called is None:
            self.put(self.grouped(frame.choices, _joined(frame.span, token.span)), frame.span, is_formula=True)
            return
        span = _joined(frame.called.span, token.span)
        if frame.connective:
            parts = self.formulas(frame.choices[0])
            self.put(Or(parts, span) if frame.connective == "or" else And(parts, span), span, is_formula=True)
            return
        arguments = tuple(self.as_term(item) for item in frame.choices[0])
        if not arguments:
            name = self.name_of(frame.called)
            self.notes.append(Note(f"{name}() is read as {name}", span, "empty-parentheses"))
            self.put(self.constant(_Token(frame.called.kind, frame.called.text, span)), span)
        else:
            self.put(Function(self.name_of(frame.called), arguments, span), span)
        if frame.called.kind == "variable":
            self.stack[-1].word = _Token("called", frame.called.text, frame.called.span)

    def formulas(self, items: list[Formula | Term]) -> tuple[Formula, ...]:
        return tuple(item for item in items if not isinstance(item, Variable))

    def grouped(self, choices: list[list[Formula | Term]], span: Span) -> Formula:
        """One formula out of conjunctions with or between them."""
        parts = []
        for choice in choices:
            formulas = self.formulas(choice)
            whole = _joined(formulas[0].span, formulas[-1].span) if len(choices) > 1 else span
            parts.append(formulas[0] if len(formulas) == 1 else And(formulas, whole))
        return parts[0] if len(parts) == 1 else Or(tuple(parts), span)

    def arrow(self, token: _Token) -> None:
        if len(self.stack) > 1:
            raise self.fail(f"{token.text} inside parentheses, expected )", token.span)
        frame = self.stack[0]
        if self.head is not None:
            raise self.fail(f"a second {token.text} in a rule, expected a full stop", token.span)
        self.take_head(frame, token)

    def take_head(self, frame: _Frame, token: _Token) -> None:
        if frame.negations:
            raise self.fail("a negated head, expected a relation", frame.negations[0])
        is_formula = frame.is_formula
        self.finish_operand(frame, token)
        head = frame.choices[0][0]
        if not isinstance(head, Function) or is_formula or head.name == "distinct":
            raise self.fail("this cannot be a head, expected a relation", head.span)
        self.head = head
        self.stack[0] = _Frame()

    def stop(self, token: _Token) -> None:
        if len(self.stack) > 1:
            raise self.fail("this parenthesis is never closed", self.stack[-1].span or token.span)
        frame = self.stack[0]
        if self.head is None:
            self.take_head(frame, token)
            body: tuple[Formula, ...] = ()
        else:
            self.finish_operand(frame, token)
            body = self.body(frame)
        head, begin = self.head, self.begin
        if head is None or begin is None:
            raise self.fail("a full stop alone, expected a rule before it", token.span)
        rule = Rule(head, body, _joined(begin, token.span))
        # Conversion to KIF must always be possible, so it is the depth there that counts.
        if self.deepest > MAX_DEPTH // 4 and _kif_depth(rule) > MAX_DEPTH:
            raise self.fail(f"nested deeper than {MAX_DEPTH} levels", rule.span)
        self.rules.append(rule)
        self.stack[0] = _Frame()
        self.head, self.begin, self.fresh, self.depth, self.deepest = None, None, 0, 0, 0

    def body(self, frame: _Frame) -> tuple[Formula, ...]:
        if len(frame.choices) == 1:
            return self.formulas(frame.choices[0])
        first, last = frame.choices[0][0], frame.choices[-1][-1]
        return (self.grouped(frame.choices, _joined(first.span, last.span)),)

    def finish(self) -> None:
        if self.begin is not None:
            if len(self.stack) > 1:
                raise self.fail("this parenthesis is never closed", self.stack[-1].span or self.begin)
            raise self.fail("this rule has no end, expected a full stop", self.begin)

    def name_of(self, token: _Token) -> str:
        return self.unquoted(token, token.text) if token.kind == "quoted" else token.text

    def constant(self, token: _Token) -> Function:
        name = self.name_of(token)
        return Function(RANDOM if name.lower() == RANDOM else name, (), token.span)

    def unquoted(self, token: _Token, text: str) -> str:
        """What stands between quotes; only names that KIF can write too, so that every sheet can be converted."""
        name = _ESCAPE.sub(lambda match: match[1] or "'", text[1:-1])
        bad = not name or not name.isprintable() or any(c.isspace() or c in "();" for c in name)
        if bad or (name.startswith("?") and token.kind == "quoted"):
            found = token.text if len(token.text) <= 40 else token.text[:40] + "..."
            raise self.fail(
                f"{found} is no name, expected no blanks, parentheses, semicolons or ? in front", token.span
            )
        return name

    def atom(self, item: Formula | Term, body: bool) -> Formula:
        """A term as an atom; its relation is lower-cased where it is a keyword."""
        if isinstance(item, Variable):
            raise self.fail(f"a variable ({variable_text(item.name)}) where a relation was expected", item.span)
        if not isinstance(item, Function):
            return item
        lowered = item.name.lower()
        if lowered in CONNECTIVES and not (body and lowered == "distinct"):
            where = "a body" if body else "a head"
            raise self.fail(f"{item.name} cannot stand here, expected a relation as {where}", item.span)
        return Function(lowered, item.args, item.span) if lowered in KEYWORDS | {"distinct"} else item


def _joined(first: Span, last: Span) -> Span:
    return Span(first.line, first.column, last.end_line, last.end_column)


def _what_is_wrong(ahead: str) -> str:
    if ahead[0] == "'" or ahead.startswith("_'"):
        return "this quote is never closed on its line"
    if ahead.startswith("/*"):
        return "this comment is never closed, expected */"
    if ahead[0] == "?":
        return "? begins a variable only in KIF, expected an upper-case letter"
    return f"{ahead[0]!r} cannot stand here; names other than letters, digits and _ stand in quotes"


def _kif_depth(rule: Rule) -> int:
    """How deeply parentheses are nested where KIF states the rule."""
    deepest, base = 0, 1 if rule.body else 0
    waiting: list[tuple[Formula | Term, int]] = [(part, base) for part in (rule.head, *rule.body)]
    while waiting:
        here, depth = waiting.pop()
        if isinstance(here, Variable) or (isinstance(here, Function) and not here.args):
            deepest = max(deepest, depth)
            continue
        depth += 1
        deepest = max(deepest, depth)
        inside = here.args if isinstance(here, Function) else (here.part,) if isinstance(here, Not) else here.parts
        waiting.extend((part, depth) for part in inside)
    return deepest
