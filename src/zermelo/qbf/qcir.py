"""QCIR-G14, the format of formulas that are circuits, read and written.

The grammar is that of Jordan, Klieber and Seidl, "Non-CNF QBF Solving with QCIR" (2016)::

    #QCIR-G14 [n]                  the header; a file without it is read as well
    free(x, ...)                   variables that nothing binds
    exists(x, ...)                 the prefix, outermost block first
    forall(y, ...)
    output(g)                      a variable or a gate, negated by "-"
    g = and(a, -b, ...)            also or; any number of inputs, none included
    g = xor(a, b)                  more than two are folded: an odd number of them
    g = ite(c, a, b)
    g = exists(x, ...; a)          a quantified gate; also forall

Every name that is used is a gate, a variable of the prefix or ``free``, or a variable bound by a quantified gate that
it is used inside of. A variable may be bound in several places, the innermost binding holds; so a gate that mentions
``x`` means the ``x`` of the place where the gate is used. Gates may come in any order, if none depends on itself.

>>> formula = parse_qcir("forall(x)\\nexists(y)\\noutput(-g)\\ng = xor(x, y)")
>>> print(write_qcir(formula), end="")
#QCIR-G14
forall(x)
exists(y)
output(-g1)
g1 = xor(x, y)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, NoReturn

from zermelo.errors import InputError
from zermelo.gdl.reader import no_garbage
from zermelo.limits import reading_watch
from zermelo.qbf.circuit import QUANTIFIED, Circuit, Kind, Literal, cone
from zermelo.qbf.formula import Block, Formula, Quantifier
from zermelo.qbf.formula_text import lines_of, shown
from zermelo.qbf.normal import normalized
from zermelo.qbf.scope import escaping, exposed_at

_GATES: Final = {"and": Kind.AND, "or": Kind.OR, "xor": Kind.XOR, "ite": Kind.ITE,
                 "exists": Kind.EXISTS, "forall": Kind.FORALL}  # fmt: skip
_SPELLED: Final = ("", "", *_GATES)
"""The word of each kind, by its number."""
_WORDS: Final = {kind: word for word, kind in _GATES.items()}
_QUANTIFIERS: Final[dict[str, Quantifier]] = {"exists": "exists", "forall": "forall"}

_STATEMENT = re.compile(r"\s*(?:(\w+)\s*=\s*)?(\w+)\s*\(([^()]*)\)\s*(?:#.*)?", re.ASCII)
_NOTHING = re.compile(r"\s*(?:#.*)?", re.ASCII)
_HEADER = re.compile(r"#\s*+QCIR-G14(?:\s++(.*))?", re.ASCII | re.IGNORECASE)
# Possessive, or a long row of blanks would be tried in all the ways it can be cut in two.
_LITERAL = re.compile(r"\s*+(-?)\s*+(\w+)\s*+", re.ASCII)
_NAME = re.compile(r"\s*+(\w+)\s*+", re.ASCII)
_BAD_NAME = re.compile(r"\W", re.ASCII)
_STEPS: Final = (
    (re.compile(r"\s*\w+", re.ASCII), "free, exists, forall, output or a gate's name"),
    (re.compile(r"(?:\s*=\s*\w+)?(?!\s*=)", re.ASCII), "the kind of the gate: and, or, xor, ite, exists or forall"),
    (re.compile(r"\s*\(", re.ASCII), "'=' or '('"),
    (re.compile(r"[^()#]*", re.ASCII), "names"),
    (re.compile(r"\s*\)", re.ASCII), "')'"),
    (re.compile(r"\s*(?:#.*)?$", re.ASCII), "the end of the line"),
)


def parse_qcir(text: str, name: str = "formula") -> Formula:
    """The formula that a text states. Its blocks are as written; gates are simplified and equal ones joined.

    >>> parse_qcir("exists(x)\\noutput(g)\\ng = and(x, y)", "f.qcir")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: f.qcir:3:12: unknown name 'y', expected a bound variable or a gate
    """
    with no_garbage():
        return _Reader(lines_of(text, name), name, ";" in text).formula()


class _Reader:
    """One text on its way to a formula. ``known`` has the literal of every variable and every gate read so far."""

    def __init__(self, lines: list[str], file: str, quantified: bool) -> None:
        self.lines, self.file = lines, file
        self.circuit = Circuit()
        self.known: dict[str, Literal] = {}
        self.names: dict[int, str] = {}
        self.free: list[int] = []
        self.prefix: list[Block] = []
        self.output: int | None = None
        """The number of the line with the output."""
        self.begun = False
        """Whether a gate was seen, after which the prefix is complete."""
        self.quantified = quantified
        self.local: list[int] = []
        """Variables that only quantified gates bind."""
        self.later: dict[str, int] | None = None
        """The line of each gate, once one was used before its definition."""
        self.early: set[int] = set()
        """Lines of gates that were defined before their turn."""

    def formula(self) -> Formula:
        self.statements()
        if self.output is None:
            last = max((n for n, line in enumerate(self.lines) if not _NOTHING.fullmatch(line)), default=0)
            self.fail("there is no output, expected output(...)", last, 0)
        (output,) = self.literals(self.output)
        if self.local:
            self.check_scopes(output)
        return Formula(self.circuit, tuple(self.prefix), output, self.names, tuple(self.free))

    def statements(self) -> None:
        known, early = self.known, self.early
        conjunction, disjunction = self.circuit.conjunction, self.circuit.disjunction
        fullmatch = _STATEMENT.fullmatch
        look = reading_watch()
        for number, line in enumerate(self.lines):
            look()
            match = fullmatch(line)
            if match is None:
                self.not_a_statement(number)
                continue
            name, word, inside = match.groups()
            if name is None:
                self.declaration(number, match)
                continue
            if not self.begun:
                self.begin()
            if number in early:
                continue
            if name in known:
                self.report_again(name, number, match.start(1))
            if word not in _GATES:
                word = self.keyword(word, number, match.start(2))
            try:
                words = [w.strip(" \t") for w in inside.split(",")]
                literals = [known[w] if w[0] != "-" else known[w[1:]] ^ 1 for w in words]
            except (KeyError, IndexError):
                # Something else than plain names that are known: empty, "- x", quantified, defined later, or wrong.
                self.define_below(number)
                literals = self.literals(number)
            if word == "and":
                known[name] = conjunction(literals)
            elif word == "or":
                known[name] = disjunction(literals)
            else:
                known[name] = self.gate(_GATES[word], literals, number)

    def keyword(self, word: str, number: int, column: int) -> str:
        if word.lower() not in _GATES:
            expected = "and, or, xor, ite, exists or forall"
            self.fail(f"unknown kind of gate {shown(word)}, expected {expected}", number, column)
        return word.lower()

    def begin(self) -> None:
        """The variables of quantified gates get their numbers before all gates, which makes writing a fixpoint."""
        self.begun = True
        if not self.quantified:
            return
        look = reading_watch()
        for number, line in enumerate(self.lines):
            look()
            match = _STATEMENT.fullmatch(line) if ";" in line else None
            if match and match[1] and match[2].lower() in _QUANTIFIERS:
                inside, begin = match[3].partition(";")[0], match.start(3)
                for name, _ in self.variables(inside, number, begin):
                    if name not in self.known:
                        self.local.append(self.declare(name))

    def gate(self, kind: Kind, literals: list[Literal], number: int) -> Literal:
        circuit = self.circuit
        match kind:
            case Kind.AND:
                return circuit.conjunction(literals)
            case Kind.OR:
                return circuit.disjunction(literals)
            case Kind.XOR if len(literals) >= 2:
                odd = literals[0]
                for literal in literals[1:]:
                    odd = circuit.exclusive(odd, literal)
                return odd
            case Kind.ITE if len(literals) == 3:
                return circuit.choice(*literals)
            case Kind.EXISTS | Kind.FORALL if ";" in self.statement(number)[3]:
                return circuit.quantified(kind, literals[:-1], literals[-1])
        found = f"{_WORDS[kind]} with {len(literals)} input{'s' * (len(literals) != 1)}"
        expected = {Kind.XOR: "at least 2", Kind.ITE: "3: condition, then, else"}.get(kind, "variables; a literal")
        raise self.error(f"{found}, expected {expected}", number, self.statement(number).start(2))

    def define_below(self, first: int) -> None:
        """Defines the gates that a gate uses and that come later in the text, each after those that it uses itself."""
        pending, way = [first], dict[int, None]()
        look = reading_watch()
        while pending:
            look()
            number = pending[-1]
            missing = [] if number in self.early else self.missing(number)
            if missing and number in way:
                self.report_cycle(list(way)[list(way).index(number) :])
            if missing:
                way[number] = None
                pending.extend(reversed(missing))
                continue
            pending.pop()
            way.pop(number, None)
            if number != first and number not in self.early:
                match = self.statement(number)
                self.known[match[1]] = self.gate(_GATES[match[2].lower()], self.literals(number), number)
                self.early.add(number)

    def missing(self, number: int) -> list[int]:
        """The lines of the gates that a gate uses before they are defined, in the order in which it names them."""
        match = self.statement(number)
        kind = _GATES[self.keyword(match[2], number, match.start(2))]
        if kind in QUANTIFIED and ";" not in match[3]:
            expected = f"{_WORDS[kind]}(variables; literal)"
            self.fail(f"no ';' in a quantified gate, expected {expected}", number, match.start(3))
        missing = []
        for word, column in self.words(number, match, kind):
            if word not in self.known:
                missing.append(self.line_of(word, number, column))
        return missing

    def line_of(self, word: str, number: int, column: int) -> int:
        """The line that defines a gate."""
        if self.later is None:
            self.later = {}
            for place, line in enumerate(self.lines):
                if (match := _STATEMENT.fullmatch(line)) and match[1]:
                    self.later.setdefault(match[1], place)
        if word not in self.later:
            self.fail(f"unknown name {shown(word)}, expected a bound variable or a gate", number, column)
        return self.later[word]

    def statement(self, number: int) -> re.Match[str]:
        match = _STATEMENT.fullmatch(self.lines[number])
        if match is None:
            raise AssertionError("only statements are asked for")
        return match

    def literals(self, number: int) -> list[Literal]:
        """The literals inside the parentheses of a statement whose names are all known."""
        match = self.statement(number)
        bound, semicolon, rest = match[3].rpartition(";")
        made = [self.known[name] for name, _ in self.variables(bound, number, match.start(3))] if semicolon else []
        for sign, name, column in self.signed(rest, number, match.end(3) - len(rest)):
            if name not in self.known:
                self.fail(f"unknown name {shown(name)}, expected a bound variable or a gate", number, column)
            made.append(self.known[name] ^ (1 if sign else 0))
        return made

    def words(self, number: int, match: re.Match[str], kind: Kind) -> Iterator[tuple[str, int]]:
        """The names inside the parentheses of a gate with their columns; what is not in order is reported."""
        bound, semicolon, rest = match[3].rpartition(";")
        if semicolon and kind not in QUANTIFIED:
            self.fail("found ';', expected ',' or ')'", number, match.start(3) + len(bound))
        if semicolon:
            yield from self.variables(bound, number, match.start(3))
        begin = match.end(3) - len(rest)
        count = 0
        for _, name, column in self.signed(rest, number, begin):
            yield name, column
            count += 1
        if semicolon and count != 1:
            self.fail(f"{count} literals after ';', expected 1", number, begin)

    def variables(self, text: str, number: int, begin: int) -> Iterator[tuple[str, int]]:
        """The names in a list of variables, with their columns."""
        if not text.strip(" \t"):
            return
        place = begin
        for word in text.split(","):
            match = _NAME.fullmatch(word)
            if match is None:
                self.not_a_word(word, number, place, "a variable")
            yield match[1], place + match.start(1)
            place += len(word) + 1

    def signed(self, text: str, number: int, begin: int) -> Iterator[tuple[str, str, int]]:
        """The signs and names in a list of literals, with the columns of the names."""
        if not text.strip(" \t"):
            return
        place = begin
        for word in text.split(","):
            match = _LITERAL.fullmatch(word)
            if match is None:
                self.not_a_word(word, number, place, "a literal")
            yield match[1], match[2], place + match.start(2)
            place += len(word) + 1

    def not_a_word(self, word: str, number: int, place: int, what: str) -> NoReturn:
        pattern = _LITERAL if what == "a literal" else _NAME
        good = pattern.match(word)
        end = good.end() if good else len(word) - len(word.lstrip())
        expected = "',' or ')'" if good else f"{what} (letters, digits and _)"
        found = shown(word[end]) if end < len(word) else "nothing"
        self.fail(f"found {found}, expected {expected}", number, place + end)

    def declaration(self, number: int, match: re.Match[str]) -> None:
        """A statement without a name: free, a block or the output."""
        word, inside, begin = match[2].lower(), match[3], match.start(3)
        if word == "output":
            if self.output is not None:
                self.fail(f"a second output, expected one: line {self.output + 1} has it", number, match.start(2))
            if len(list(self.signed(inside, number, begin))) != 1:
                self.fail("output takes one literal, expected output(LITERAL)", number, begin)
            self.output = number
            return
        if word not in ("free", *_QUANTIFIERS):
            expected = f"GATE = {word}(...)" if word in _GATES else "free, exists, forall, output or GATE = ..."
            self.fail(f"found {shown(match[2])}, expected {expected}", number, match.start(2))
        if self.begun:
            self.fail(f"{word} after a gate, expected all of the prefix before the gates", number, match.start(2))
        if ";" in inside:
            where = begin + inside.index(";")
            self.fail("found ';', expected ',' or ')'; a quantified gate has a name: g = ...", number, where)
        variables = []
        for name, column in self.variables(inside, number, begin):
            if name in self.known:
                self.fail(f"{shown(name)} is bound or free already, expected each variable once", number, column)
            variables.append(self.declare(name))
        if word == "free":
            self.free += variables
        elif variables:
            self.prefix.append(Block(_QUANTIFIERS[word], tuple(variables)))

    def declare(self, name: str) -> int:
        literal = self.circuit.variable()
        self.known[name] = literal
        self.names[literal >> 1] = name
        return literal >> 1

    def check_scopes(self, output: Literal) -> None:
        """Reports a variable of quantified gates that is used outside of them."""
        for variable in escaping(self.circuit, output, set(self.local))[:1]:
            gate, name = exposed_at(self.circuit, output, variable), self.names[variable]
            places = [self.output or 0]
            for number, line in enumerate(self.lines):
                match = _STATEMENT.fullmatch(line)
                if match and match[1] and self.known[match[1]] >> 1 == gate:
                    places.append(number)
            for number in places[::-1]:
                found = self.statement(number)
                rest = found[3].rpartition(";")[2]
                for _, word, column in self.signed(rest, number, found.end(3) - len(rest)):
                    if word == name:
                        self.fail_unbound(name, number, column)
            self.fail_unbound(name, places[-1], 0)

    def fail_unbound(self, name: str, number: int, column: int) -> NoReturn:
        expected = "it in the prefix, in free(...) or inside of a gate that binds it"
        self.fail(f"{shown(name)} is used where nothing binds it, expected {expected}", number, column)

    def not_a_statement(self, number: int) -> None:
        line = self.lines[number]
        if _NOTHING.fullmatch(line):
            header = _HEADER.fullmatch(line.strip(" \t"))
            if header and header[1] and not (header[1].isascii() and header[1].isdecimal()):
                expected = "the number of variables and gates or nothing"
                self.fail(f"found {shown(header[1])}, expected {expected}", number, line.index(header[1]))
            return
        place = 0
        for step, expected in _STEPS:
            match = step.match(line, place)
            if match is None:
                place += len(line[place:]) - len(line[place:].lstrip())
                found = shown(line[place]) if place < len(line) else "the end of the line"
                self.fail(f"found {found}, expected {expected}", number, place)
            place = match.end()
        self.fail("found something else, expected a statement of QCIR", number, 0)

    def report_again(self, name: str, number: int, column: int) -> NoReturn:
        if self.known.get(name, 0) >> 1 in self.names and self.names[self.known[name] >> 1] == name:
            self.fail(f"{shown(name)} is a variable, expected a new name for the gate", number, column)
        found = (_STATEMENT.fullmatch(line) for line in self.lines)
        first = next(place for place, match in enumerate(found) if match and match[1] == name)
        self.fail(f"gate {shown(name)} is defined already in line {first + 1}, expected a new name", number, column)

    def report_cycle(self, way: list[int]) -> NoReturn:
        """Reports gates each of which uses the next one, the last one the first."""
        names = [self.statement(number)[1] for number in way]
        dots = ["..."] * (len(names) > 6)
        circle = " -> ".join([*names[:6], *dots, names[0]])
        self.fail(f"gate {shown(names[0])} depends on itself ({circle}), expected no cycle", way[0],
                  self.statement(way[0]).start(1))  # fmt: skip

    def fail(self, message: str, number: int, column: int) -> NoReturn:
        raise self.error(message, number, column)

    def error(self, message: str, number: int, column: int) -> InputError:
        return InputError(message, file=self.file, line=number + 1, column=column + 1)


def write_qcir(formula: Formula, *, numeric: bool = False) -> str:
    """The text of a formula. Variables keep their names, gates are called ``g1``, ``g2``, and so on.

    Names that the format does not allow are changed, letter by letter. ``numeric`` gives what the strictest solvers ask
    for: the normal form (see :func:`zermelo.qbf.normal.normalized`) with numbers for names, AND and OR alone, and the
    count in the header. There the variables are 1, 2, 3, ... in the order of the normal form's prefix.

    >>> formula = parse_qcir("exists(x, y)\\noutput(g)\\ng = xor(x, y)")
    >>> print(write_qcir(formula, numeric=True), end="")
    #QCIR-G14 5
    exists(1, 2)
    output(5)
    3 = and(1, -2)
    4 = and(-1, 2)
    5 = or(3, 4)
    """
    with no_garbage():
        lines = _numeric_lines(normalized(formula)) if numeric else _named_lines(formula)
        return "\n".join(lines) + "\n"


def _named_lines(formula: Formula) -> Iterable[str]:
    circuit = formula.circuit
    nodes = cone(circuit, [formula.output])
    free, bound, local = _variables(formula, nodes)
    label: dict[int, str] = _labels(formula, [*free, *bound, *local])
    # The numbers that a reader will give: with them the inputs of a gate stand in the order a reader puts them in.
    order = {node: place for place, node in enumerate(label, 1)}
    in_order = all(one < other for one, other in pairwise(order))
    prefix = _gate_prefix(label.values())
    gates: list[str] = []
    for node in nodes:
        kind, inputs = circuit.kind[node], circuit.inputs[node]
        if kind <= Kind.VARIABLE:
            continue
        if kind <= Kind.XOR and not in_order:
            inputs = tuple(sorted(inputs, key=lambda literal: 2 * order[literal >> 1] + (literal & 1)))
        words = ["-" + label[i >> 1] if i & 1 else label[i >> 1] for i in inputs]
        label[node] = f"{prefix}{len(gates) + 1}"
        order[node] = len(order) + 1
        inside = ", ".join(words) if kind < Kind.EXISTS else f"{', '.join(words[:-1])}; {words[-1]}"
        gates.append(f"{label[node]} = {_SPELLED[kind]}({inside})")
    output = formula.output
    if output >> 1 == 0:
        gates.append(f"{prefix}1 = {'and' if output else 'or'}()")
        label[0], output = f"{prefix}1", 0
    yield "#QCIR-G14"
    if free:
        yield f"free({', '.join(label[variable] for variable in free)})"
    for block in formula.prefix:
        if block.variables:
            yield f"{block.quantifier}({', '.join(label[variable] for variable in block.variables)})"
    yield f"output({'-' * (output & 1)}{label[output >> 1]})"
    yield from gates


def _variables(formula: Formula, nodes: list[int]) -> tuple[list[int], list[int], list[int]]:
    """The free variables, those of the prefix, and those that quantified gates alone bind."""
    circuit = formula.circuit
    bound = [variable for block in formula.prefix for variable in block.variables]
    known = {*bound, *formula.free}
    local: dict[int, None] = {}
    for node in nodes:
        if circuit.kind[node] in QUANTIFIED:
            local.update((i >> 1, None) for i in circuit.inputs[node][:-1] if i >> 1 not in known)
    known |= local.keys()
    loose = [node for node in nodes if circuit.kind[node] == Kind.VARIABLE and node not in known]
    return [*formula.free, *loose], bound, list(local)


def _labels(formula: Formula, variables: list[int]) -> dict[int, str]:
    """Distinct names that the format allows: a variable's own wherever that is one."""
    label: dict[int, str] = {}
    used: set[str] = set()
    for variable in variables:
        name = stem = _BAD_NAME.sub("_", formula.name(variable)) or "_"
        number = 1
        while name in used:
            number += 1
            name = f"{stem}_{number}"
        used.add(name)
        label[variable] = name
    return label


def _gate_prefix(names: Iterable[str]) -> str:
    """The first of g, g_, g__, ... that no variable's name continues with a number."""
    taken = {match[1] for name in names if (match := re.fullmatch(r"(g_*)[0-9]+", name))}
    prefix = "g"
    while prefix in taken:
        prefix += "_"
    return prefix


def _numeric_lines(formula: Formula) -> Iterable[str]:
    circuit = formula.circuit
    number: dict[int, int] = {}
    for block in formula.prefix:
        for variable in block.variables:
            number[variable] = len(number) + 1
    last = len(number)
    gates: list[str] = []

    def gate(word: str, inputs: Iterable[int]) -> int:
        nonlocal last
        last += 1
        gates.append(f"{last} = {word}({', '.join(map(str, inputs))})")
        return last

    for node in cone(circuit, [formula.output]):
        kind = circuit.kind[node]
        if kind <= Kind.VARIABLE:
            continue
        inputs = [-number[i >> 1] if i & 1 else number[i >> 1] for i in circuit.inputs[node]]
        if kind in (Kind.AND, Kind.OR):
            number[node] = gate(_WORDS[Kind(kind)], inputs)
        else:
            yes, no = (inputs[1], inputs[2]) if kind == Kind.ITE else (-inputs[1], inputs[1])
            number[node] = gate("or", [gate("and", (inputs[0], yes)), gate("and", (-inputs[0], no))])
    if formula.output >> 1 == 0:
        output = gate("and" if formula.output else "or", ())
    elif circuit.kind[formula.output >> 1] == Kind.VARIABLE:
        # Some solvers insist on a gate as the output.
        variable = number[formula.output >> 1]
        output = gate("and", [-variable if formula.output & 1 else variable])
    else:
        output = -number[formula.output >> 1] if formula.output & 1 else number[formula.output >> 1]
    yield f"#QCIR-G14 {last}"
    for block in formula.prefix:
        yield f"{block.quantifier}({', '.join(str(number[variable]) for variable in block.variables)})"
    yield f"output({output})"
    yield from gates
