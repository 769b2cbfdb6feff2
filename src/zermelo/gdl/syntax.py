"""The syntax tree of a rulesheet, the same for every way of writing it.

A term is a :class:`Variable` or a :class:`Function` (a constant is a function without arguments); an atom is a
``Function`` as well, named by its relation. Places in the text never count in comparisons.

>>> cell = Function("cell", (Function("1"), Variable("x")))
>>> str(cell), sorted(variables_of(cell))
('(cell 1 ?x)', ['x'])
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from zermelo.brief import counted, fields_in_brief, introduced, shown_in_brief

KEYWORDS: Final = frozenset(
    ["role", "init", "true", "legal", "does", "next", "terminal", "goal", "base", "input", "sees"]
)
"""The relations with a fixed meaning."""
CONNECTIVES: Final = frozenset(["not", "or", "and", "distinct", "<="])
"""The words that build rules out of atoms."""
RANDOM: Final = "random"
"""The role that is chance."""
MAX_WORDS: Final = 1_000_000
"""Texts of more words and parentheses than this are refused. A flat sheet of 4 MB (190,000 facts, 960,000 words) takes
300 MB and 4 s of processor time to read, and as long again to check."""
MAX_DEPTH: Final = 128
"""Terms and formulas nested deeper than this are refused, so that nothing overflows a stack: comparing two terms takes
four levels of the interpreter's thousand for each of their own."""


class Span(NamedTuple):
    """Where a piece of text stands: from (line, column) up to (end_line, end_column), counted from one."""

    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0


NOWHERE: Final = Span()


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable; its name is without the question mark."""

    name: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    _repr_html_ = shown_in_brief

    def __str__(self) -> str:
        return f"?{self.name}"


@dataclass(frozen=True, slots=True)
class Function:
    """A constant, a function term or an atom."""

    name: str
    args: tuple[Term, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    __repr__ = fields_in_brief
    _repr_html_ = shown_in_brief

    def __str__(self) -> str:
        return f"({self.name} {' '.join(map(str, self.args))})" if self.args else self.name


@dataclass(frozen=True, slots=True)
class Not:
    """A negated formula."""

    part: Formula
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    __repr__ = fields_in_brief

    def __str__(self) -> str:
        return f"(not {self.part})"


@dataclass(frozen=True, slots=True)
class Or:
    """At least one of the parts holds."""

    parts: tuple[Formula, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    __repr__ = fields_in_brief

    def __str__(self) -> str:
        return f"(or {' '.join(map(str, self.parts))})"


@dataclass(frozen=True, slots=True)
class And:
    """All of the parts hold. Not in the GDL standard, but some rulesheets write it."""

    parts: tuple[Formula, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    __repr__ = fields_in_brief

    def __str__(self) -> str:
        return f"(and {' '.join(map(str, self.parts))})"


Term = Variable | Function
Formula = Function | Not | Or | And
"""What stands in a body; ``distinct`` is the atom ``Function("distinct", (a, b))``."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A head that holds wherever all of the body does; a fact has no body."""

    head: Function
    body: tuple[Formula, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    __repr__ = fields_in_brief
    _repr_html_ = shown_in_brief

    def __str__(self) -> str:
        return f"(<= {' '.join(map(str, (self.head, *self.body)))})" if self.body else str(self.head)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, its text without the semicolon (or percent sign) that opens it."""

    text: str
    span: Span

    __repr__ = fields_in_brief


@dataclass(frozen=True, slots=True)
class Note:
    """Something a reader noticed that is legal but unwise, such as ``(p)`` for ``p``."""

    message: str
    span: Span
    code: str
    """Names the kind of note; it never changes."""

    __repr__ = fields_in_brief


@dataclass(frozen=True)
class Rulesheet:
    """The rules of a game in the order of the text, with the name of the file they came from."""

    rules: tuple[Rule, ...]
    file: str = field(default="<rules>", compare=False)
    comments: tuple[Comment, ...] = field(default=(), compare=False, repr=False)
    notes: tuple[Note, ...] = field(default=(), compare=False, repr=False)

    def __repr__(self) -> str:
        return introduced(self, self.file, counted(len(self.rules), "rule"))

    def _repr_svg_(self) -> str:
        from zermelo.gdl.game import RulesheetGame

        return RulesheetGame(self)._repr_svg_()


@contextmanager
def collection_paused() -> Iterator[None]:
    """Keeps the garbage collector from looking through a syntax tree again and again while it grows: half the time.

    >>> with collection_paused():
    ...     gc.isenabled()
    False
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def subterms(term: Term) -> Iterator[Term]:
    """A term and everything inside it, outermost first."""
    waiting: list[Term] = [term]
    while waiting:
        here = waiting.pop()
        yield here
        if isinstance(here, Function):
            waiting.extend(reversed(here.args))


def atoms_of(formula: Formula, positive: bool = True) -> Iterator[tuple[Function, bool]]:
    """The atoms of a formula, each with whether it stands under an even number of negations.

    >>> a, b = Function("a"), Function("b")
    >>> [(str(atom), sign) for atom, sign in atoms_of(Or((a, Not(b))))]
    [('a', True), ('b', False)]
    """
    waiting: list[tuple[Formula, bool]] = [(formula, positive)]
    while waiting:
        here, sign = waiting.pop()
        if isinstance(here, Function):
            yield here, sign
        elif isinstance(here, Not):
            waiting.append((here.part, not sign))
        else:
            waiting.extend((part, sign) for part in reversed(here.parts))


def variables_of(formula: Formula | Variable) -> set[str]:
    """The names of the variables in a term or formula.

    >>> sorted(variables_of(Not(Function("p", (Variable("x"), Variable("y"))))))
    ['x', 'y']
    """
    if isinstance(formula, Variable):
        return {formula.name}
    return {term.name for atom, _ in atoms_of(formula) for term in subterms(atom) if isinstance(term, Variable)}
