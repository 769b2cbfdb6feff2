"""The checker's own reader of QCIR-G14 (docs/formats/qcir.md): a prefix, an output and gates, a statement a line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from zermelo.check.boolean import Block, QuantifiedFormula, joined
from zermelo.check.circuit import QUANTIFIERS, Circuit
from zermelo.check.read.textlines import fail, lines_of
from zermelo.limits import reading_watch
from zermelo.source import Source

_STATEMENT = re.compile(r"(?:(\w+)[ \t]*=[ \t]*)?(\w+)[ \t]*\(([^()]*)\)", re.ASCII)
_LITERAL = re.compile(r"(-?)[ \t]*(\w+)", re.ASCII)
_HEADER = re.compile(r"#[ \t]*QCIR-G14(?:[ \t]+(.*))?", re.ASCII | re.IGNORECASE)
_DECLARED = ("free", *QUANTIFIERS)
_FORMS = dict.fromkeys(_DECLARED, "VARIABLES?") | {
    "output": "LITERAL",
    "NAME = and": "LITERALS?",
    "NAME = or": "LITERALS?",
    "NAME = xor": "LITERAL,LITERALS",
    "NAME = ite": "LITERAL,LITERAL,LITERAL",
    "NAME = exists": "VARIABLES?;LITERAL",
    "NAME = forall": "VARIABLES?;LITERAL",
}
"""What each statement has between its parentheses; ``?`` is for what may be missing."""
_NAME, _SIGNED = r"[ \t]*\w+[ \t]*", r"[ \t]*(?:-[ \t]*)?\w+[ \t]*"
_PARTS = {"VARIABLES": f"(?:{_NAME}(?:,{_NAME})*)", "LITERALS": f"(?:{_SIGNED}(?:,{_SIGNED})*)", "LITERAL": _SIGNED}
_PATTERNS = {
    form: re.compile(re.sub("[A-Z]+", lambda part: _PARTS[part[0]], inside), re.ASCII)
    for form, inside in _FORMS.items()
}


@dataclass(frozen=True)
class Statement:
    """A gate, or the output: its variables are those before ``;``, its inputs literals as (name, negated)."""

    line: int
    kind: str
    variables: list[str]
    inputs: list[tuple[str, bool]]


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


class _Reading:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.circuit = Circuit()
        self.literal: dict[str, int] = {}
        """Of variables, and of the gates that are made."""
        self.free: list[Block] = []
        self.blocks: list[Block] = []
        self.local: list[int] = []
        """The variables that quantified gates alone bind."""
        self.gates: dict[str, Statement] = {}
        self.output: Statement | None = None

    def formula(self) -> QuantifiedFormula:
        last, look = 1, reading_watch()
        for number, line in enumerate(lines_of(self.source), 1):
            look()
            if text := line.partition("#")[0].strip(" \t"):
                last = number
                self.read(number, text)
            elif (header := _HEADER.fullmatch(line.strip(" \t"))) and not re.fullmatch("[0-9]*", header[1] or ""):
                self.fail(number, f"found {header[1][:20]!r}, expected a number after QCIR-G14, or nothing")
        if self.output is None:
            self.fail(last, "there is no output, expected output(...)")
        names = {literal >> 1: name for name, literal in self.literal.items()}
        self.make_gates(self.output)
        (output,) = self.inputs(self.output)
        found = QuantifiedFormula(self.circuit, joined([*self.free, *self.blocks]), output, names)
        if not any(kind in QUANTIFIERS for kind in self.circuit.kinds):
            return found
        from zermelo.check.prenex import prenex, unbound  # where all quantifiers are in front nobody need trust it

        for variable in unbound(found, self.local):
            expected = "it in the prefix, in free(...) or inside of a gate that binds it"
            stated = f"{names[variable][:20]!r} is used where nothing binds it"
            self.fail(self.output.line, f"{stated}, expected {expected}")
        return prenex(found)

    def read(self, line: int, text: str) -> None:
        """Takes note of what a line states."""
        match = _STATEMENT.fullmatch(text)
        name, word, inside = match.groups() if match else ("", "", "")
        form = ("NAME = " if name else "") + word.lower()
        if form not in _FORMS:
            self.fail(line, f"found {text[:20]!r}, expected one of {', '.join(f'{form}(...)' for form in _FORMS)}")
        if not _PATTERNS[form].fullmatch(inside.strip(" \t")):
            self.fail(line, f"found {text[:20]!r}, expected {form}({_FORMS[form]})")
        before, _, after = inside.rpartition(";")
        variables = [variable for _, variable in _LITERAL.findall(before)]
        inputs = [(literal, minus == "-") for minus, literal in _LITERAL.findall(after)]
        statement = Statement(line, word.lower(), variables, inputs)
        if name:
            self.gate(name, statement)
        elif form in _DECLARED:
            self.declaration(statement)
        elif self.output:
            self.fail(line, "a second output, expected one")
        else:
            self.output = statement

    def declaration(self, statement: Statement) -> None:
        """A block of the prefix, or free variables."""
        if self.gates:
            self.fail(statement.line, f"{statement.kind} after a gate, expected all of the prefix before the gates")
        for name, _ in statement.inputs:
            if name in self.literal:
                self.fail(statement.line, f"{name[:20]!r} is bound or free already, expected each variable once")
            self.literal[name] = self.circuit.variable()
        variables = tuple(literal >> 1 for literal in self.inputs(statement))
        if statement.kind == "free":
            self.free.append(Block("exists", variables))
        else:
            self.blocks.append(Block(statement.kind, variables))

    def gate(self, name: str, gate: Statement) -> None:
        if name in self.gates or name in self.literal:
            self.fail(gate.line, f"{name[:20]!r} is there already, expected a new name")
        self.gates[name] = gate
        for variable in gate.variables:
            if variable in self.gates:
                self.fail(gate.line, f"{variable[:20]!r} is a gate, expected a variable")
            if variable not in self.literal:
                self.literal[variable] = self.circuit.variable()
                self.local.append(self.literal[variable] >> 1)

    def make_gates(self, output: Statement) -> None:
        """All gates in the order of the text, but for those that another one needs before."""
        for statement in (*self.gates.values(), output):
            for name, _ in statement.inputs:
                if name not in self.gates and name not in self.literal:
                    self.fail(statement.line, f"unknown name {name[:20]!r}, expected a variable or a gate")
        begun, look = set[str](), reading_watch()
        for first in self.gates:
            pending = [first]
            while pending:
                look()
                name, gate = pending[-1], self.gates[pending[-1]]
                missing = [one for one, _ in gate.inputs if one not in self.literal]
                if not missing:
                    variables = [self.literal[variable] for variable in gate.variables]
                    self.literal[name] = self.circuit.gate(gate.kind, [*variables, *self.inputs(gate)])
                    pending.pop()
                elif name in begun:
                    self.fail(gate.line, f"gate {name[:20]!r} depends on itself, expected no cycle")
                begun.add(name)
                pending.extend(reversed(missing))

    def inputs(self, statement: Statement) -> list[int]:
        return [self.literal[name] ^ negated for name, negated in statement.inputs]

    def fail(self, line: int, message: str) -> NoReturn:
        fail(self.source, line, 0, message)
