"""The checker's own reader of QCIR-G14 (docs/formats/qcir.md): a prefix, an output and gates, a statement a line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from zermelo.check.boolean import Block, QuantifiedFormula, Stated, in_front
from zermelo.check.circuit import QUANTIFIERS, Circuit
from zermelo.check.read.textlines import fail, lines_of
from zermelo.limits import reading_watch
from zermelo.source import Source

if TYPE_CHECKING:
    from zermelo.qbf.game import FormulaGame

_STATEMENT = re.compile(r"(?:([A-Za-z0-9_]+)[ \t]*=[ \t]*)?([A-Za-z0-9_]+)[ \t]*\(([^()]*)\)")
_LITERAL = re.compile(r"(-?)[ \t]*([A-Za-z0-9_]+)")
_HEADER = re.compile(r"#[ \t]*QCIR-G14(?:[ \t]+(.*))?", re.ASCII | re.IGNORECASE)
_COUNT = re.compile(r"[0-9]+")
_INPUTS = {"and": (0, None), "or": (0, None), "xor": (2, None), "ite": (3, 3), "exists": (1, 1), "forall": (1, 1)}
"""The kinds of gates: how many literals each takes, at the least and at the most."""
_DECLARED = ("free", *QUANTIFIERS)


@dataclass(frozen=True)
class Statement:
    """A line: a gate with its name, or a declaration; variables before ``;``, and literals as (negated, name)."""

    line: int
    name: str | None
    word: str
    variables: tuple[str, ...]
    literals: tuple[tuple[bool, str], ...]
    parted: bool
    """Whether there was a ``;``."""


def read(source: Source) -> QuantifiedFormula:
    """The formula that a text states; ``InputError`` with the place where it states none.

    >>> formula = read(Source("qcir", "exists(a)\\noutput(-g)\\ng = forall(x; u)\\nu = or(a, x)", "f"))
    >>> [(block.quantifier, *(formula.names[v] for v in block.variables)) for block in formula.blocks]
    [('exists', 'a', 'x')]
    >>> read(Source("qcir", "output(x)", "f"))
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: f:1:1: unknown name 'x', expected a variable or a gate
    """
    return _Reading(source).formula()


def of_game(game: FormulaGame) -> QuantifiedFormula:
    """The formula that the engines have read, for comparison: in the normal form that they made of it."""
    from zermelo.check.read.formulas import of_engines  # texts are read without it

    return of_engines(game)


class _Reading:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.free: list[str] = []
        self.blocks: list[tuple[str, tuple[str, ...]]] = []
        self.outputs: list[Statement] = []
        self.gates: dict[str, Statement] = {}
        self.declared: dict[str, None] = {}
        """The variables that are free or in the prefix."""
        self.local: dict[str, None] = {}
        """Those that quantified gates alone bind."""
        self.circuit = Circuit()
        self.literal: dict[str, int] = {}

    def formula(self) -> QuantifiedFormula:
        statements, look = list[Statement](), reading_watch()
        for number, line in enumerate(lines_of(self.source), 1):
            look()
            if found := self.statement(number, line):
                statements.append(found)
        for statement in statements:
            look()
            if statement.name is not None:
                self.gate(statement)
            elif statement.word == "output":
                self.output(statement)
            else:
                self.declaration(statement)
        if not self.outputs:
            self.fail(statements[-1].line if statements else 1, "there is no output, expected output(...)")
        self.make()
        return in_front(self.stated())

    # Lines

    def statement(self, number: int, line: str) -> Statement | None:
        """What a line states; nothing if it is blank or a comment."""
        text = line.partition("#")[0].strip(" \t")
        if not text:
            header = _HEADER.fullmatch(line.strip(" \t"))
            if header and header[1] and not _COUNT.fullmatch(header[1]):
                self.fail(number, f"found {header[1][:20]!r}, expected a number after QCIR-G14, or nothing")
            return None
        match = _STATEMENT.fullmatch(text)
        if match is None:
            self.fail(number, "found no statement, expected NAME = KIND(...) or free, exists, forall or output (...)")
        name, word, inside = match.groups()
        before, parted, literals = inside.rpartition(";")
        variables = self.literals(number, before)
        if any(negated for negated, _ in variables):
            self.fail(number, "found '-' before ';', expected variables")
        return Statement(
            number, name, word.lower(), tuple(v for _, v in variables), self.literals(number, literals), bool(parted)
        )

    def literals(self, number: int, text: str) -> tuple[tuple[bool, str], ...]:
        """Names between commas, each perhaps negated."""
        if not text.strip(" \t"):
            return ()
        found = []
        for word in text.split(","):
            match = _LITERAL.fullmatch(word.strip(" \t"))
            if match is None:
                self.fail(number, f"found {word.strip()[:20]!r} in a list, expected a name, perhaps after '-'")
            found.append((match[1] == "-", match[2]))
        return tuple(found)

    # Statements

    def declaration(self, statement: Statement) -> None:
        """A block of the prefix, or free variables."""
        line, word = statement.line, statement.word
        if word not in _DECLARED:
            self.fail(line, f"found {word[:20]!r}, expected free, exists, forall, output or NAME = ...")
        if self.gates:
            self.fail(line, f"{word} after a gate, expected all of the prefix before the gates")
        if statement.parted or any(negated for negated, _ in statement.literals):
            self.fail(line, "found ';' or '-', expected variables alone")
        names = tuple(name for _, name in statement.literals)
        for name in names:
            if name in self.declared:
                self.fail(line, f"{name[:20]!r} is bound or free already, expected each variable once")
            self.declared[name] = None
        if word == "free":
            self.free += names
        else:
            self.blocks.append((word, names))

    def output(self, statement: Statement) -> None:
        if self.outputs:
            self.fail(statement.line, "a second output, expected one")
        if statement.parted or len(statement.literals) != 1:
            self.fail(statement.line, "output takes one literal, expected output(LITERAL)")
        self.outputs.append(statement)

    def gate(self, statement: Statement) -> None:
        line, name, word = statement.line, statement.name or "", statement.word
        if word not in _INPUTS:
            self.fail(line, f"unknown kind of gate {word[:20]!r}, expected {', '.join(_INPUTS)}")
        least, most = _INPUTS[word]
        count = len(statement.literals)
        if count < least or (most is not None and count > most):
            self.fail(line, f"{word} of {count} literals, expected {least}{' or more' if most is None else ''}")
        if statement.parted != (word in QUANTIFIERS):
            self.fail(line, "';' belongs between the variables and the literal of exists and forall, and nowhere else")
        if name in self.gates or name in self.declared:
            self.fail(line, f"{name[:20]!r} is there already, expected a new name")
        self.gates[name] = statement
        self.local |= dict.fromkeys(variable for variable in statement.variables if variable not in self.declared)

    # The circuit

    def make(self) -> None:
        """All variables, and all gates in the order of the text, but for those that another one needs before."""
        for name in [*self.declared, *self.local]:
            if name in self.gates:
                self.fail(self.gates[name].line, f"{name[:20]!r} is a variable, expected a new name for the gate")
            self.literal[name] = self.circuit.variable()
        begun: set[str] = set()
        look = reading_watch()
        for first in self.gates:
            pending = [first]
            while pending:
                look()
                name = pending[-1]
                if name in self.literal:
                    pending.pop()
                    continue
                missing = self.missing(self.gates[name])
                if not missing:
                    self.literal[name] = self.made(self.gates[name])
                elif name in begun:
                    self.fail(self.gates[name].line, f"gate {name[:20]!r} depends on itself, expected no cycle")
                begun.add(name)
                pending.extend(reversed(missing))
        self.missing(self.outputs[0])

    def missing(self, statement: Statement) -> list[str]:
        """The gates that a statement names and that are not made yet."""
        found = [name for _, name in statement.literals if name not in self.literal]
        for name in found:
            if name not in self.gates:
                self.fail(statement.line, f"unknown name {name[:20]!r}, expected a variable or a gate")
        return found

    def made(self, statement: Statement) -> int:
        variables = [self.literal[name] for name in statement.variables]
        return self.circuit.gate(statement.word, [*variables, *self.of(statement)])

    def of(self, statement: Statement) -> list[int]:
        return [self.literal[name] ^ negated for negated, name in statement.literals]

    def stated(self) -> Stated:
        (output,) = self.of(self.outputs[0])
        number = {name: self.literal[name] >> 1 for name in (*self.declared, *self.local)}
        names = {variable: name for name, variable in number.items()}
        blocks = tuple(Block(word, tuple(number[name] for name in block)) for word, block in self.blocks)
        stated = Stated(self.circuit, tuple(number[name] for name in self.free), blocks, output, names)
        if self.local:
            self.need_bound(stated, [number[name] for name in self.local])
        return stated

    def need_bound(self, stated: Stated, local: list[int]) -> None:
        """Makes sure that variables of quantified gates are used inside of these gates only."""
        from zermelo.check.prenex import unbound

        for variable in unbound(stated.circuit, stated.nodes, local):
            expected = "it in the prefix, in free(...) or inside of a gate that binds it"
            found = f"{stated.name(variable)[:20]!r} is used where nothing binds it"
            self.fail(self.outputs[0].line, f"{found}, expected {expected}")

    def fail(self, line: int, message: str) -> NoReturn:
        fail(self.source, line, 0, message)
