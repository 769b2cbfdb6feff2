"""QDIMACS, the format of formulas that are clauses, read and written (standard 1.1).

::

    c a comment
    p cnf 4 2                      the greatest variable and the number of clauses
    e 1 2 0                        the prefix, outermost block first: e for exists, a for forall
    a 3 0
    -1 2 0                         a clause: literals, closed by 0
    3 0

Variables of clauses that no block binds are free, which the standard takes for an outermost block of ``exists``. The
counts of the header must be right. More liberal than the standard: comments anywhere, neighbouring blocks of one
quantifier, an innermost block of ``forall``, clauses over several lines or several on one.

>>> print(write_qdimacs(parse_qdimacs("p cnf 2 1\\na 1 0\\ne 2 0\\n1 -2 0")), end="")
p cnf 2 1
a 1 0
e 2 0
1 -2 0
"""

from __future__ import annotations

import re
from typing import Final, NoReturn

from zermelo.errors import InputError
from zermelo.gdl.reader import no_garbage
from zermelo.limits import reading_watch
from zermelo.qbf.circuit import Circuit
from zermelo.qbf.formula import Block, Formula, Quantifier
from zermelo.qbf.formula_text import lines_of, shown
from zermelo.qbf.tseitin import Clause, Clauses, Place, clausal

_QUANTIFIERS: Final[dict[str, Quantifier]] = {"e": "exists", "a": "forall"}
_WORD = re.compile(r"[^ \t]+")
_LONGEST = 9
_COUNT = re.compile(r"[0-9]{1,9}", re.ASCII)
_INTEGER = re.compile(r"-?[0-9]{1,9}", re.ASCII)


def parse_qdimacs(text: str, name: str = "formula") -> Formula:
    """The formula that a text states; its variables are named by their numbers.

    >>> parse_qdimacs("p cnf 1 1\\n1 -2 0", "f.qdimacs")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: f.qdimacs:2:3: variable 2, expected at most 1 as the header says
    """
    with no_garbage():
        return _Reader(lines_of(text, name), name).formula()


class _Reader:
    def __init__(self, lines: list[str], file: str) -> None:
        self.lines, self.file = lines, file
        self.most = self.count = 0
        """What the header says: the greatest variable, the number of clauses."""
        self.prefix: list[tuple[Quantifier, list[int]]] = []
        self.clauses: list[list[int]] = []
        self.bound: set[int] = set()
        self.look = reading_watch()

    def formula(self) -> Formula:
        place = self.header()
        place = self.blocks(place)
        self.read_clauses(place)
        used = {abs(literal) for clause in self.clauses for literal in clause}
        free = sorted(used - self.bound)
        circuit = Circuit()
        node = {number: circuit.variable() >> 1 for number in free}
        for _, numbers in self.prefix:
            node.update((number, circuit.variable() >> 1) for number in numbers)
        gates = []
        for clause in self.clauses:
            self.look()
            gates.append(circuit.disjunction([2 * node[abs(i)] + (i < 0) for i in clause]))
        output = circuit.conjunction(gates)
        prefix = tuple(Block(quantifier, tuple(node[n] for n in numbers)) for quantifier, numbers in self.prefix)
        names = {variable: str(number) for number, variable in node.items()}
        return Formula(circuit, prefix, output, names, tuple(node[number] for number in free))

    def header(self) -> int:
        """Reads up to the header; returns the number of the next line."""
        for number, line in enumerate(self.lines):
            words = _words(line)
            if not words or words[0][0] == "c":
                continue
            if words[0] != "p":
                self.fail(f"found {shown(words[0])}, expected the header p cnf VARIABLES CLAUSES", number, 0)
            if len(words) != 4 or words[1] != "cnf":
                found = " ".join(words)
                self.fail(f"found {shown(found)}, expected the header p cnf VARIABLES CLAUSES", number, 0)
            for word in (2, 3):
                if not _COUNT.fullmatch(words[word]):
                    what = ("variables", "clauses")[word - 2]
                    self.fail(f"found {shown(words[word])}, expected the number of {what}", number, word)
            self.most, self.count = int(words[2]), int(words[3])
            return number + 1
        raise self.error("there is no header, expected p cnf VARIABLES CLAUSES", 0, 0)

    def blocks(self, place: int) -> int:
        """Reads the prefix; returns the number of the line of the first clause, or one past the end."""
        for number in range(place, len(self.lines)):
            words = _words(self.lines[number])
            if not words or words[0][0] == "c":
                continue
            if words[0] not in _QUANTIFIERS:
                return number
            values = self.integers(number, words, 1)
            if not values or values[-1] != 0:
                self.fail("the line does not end in 0, expected the variables of a block and 0", number, len(words) - 1)
            for word, value in enumerate(values[:-1], 1):
                if value <= 0:
                    self.fail(f"found {value}, expected a variable: a number from 1 on", number, word)
                if value in self.bound:
                    self.fail(f"variable {value} is bound already, expected each once", number, word)
                self.check_range(value, number, word)
                self.bound.add(value)
            if len(values) > 1:
                self.prefix.append((_QUANTIFIERS[words[0]], values[:-1]))
        return len(self.lines)

    def read_clauses(self, place: int) -> None:
        clause: list[int] = []
        clauses, most = self.clauses, self.most
        number = place
        for number in range(place, len(self.lines)):
            self.look()
            words = _words(self.lines[number])
            if not words or words[0][0] == "c":
                continue
            values = self.integers(number, words, 0)
            if max(values) > most or min(values) < -most:
                for word, value in enumerate(values):
                    self.check_range(value, number, word)
            for word, value in enumerate(values):
                if value:
                    clause.append(value)
                    continue
                if len(clauses) == self.count:
                    expected = f"{self.count} as the header says"
                    self.fail(f"more clauses than announced, expected {expected}", number, word)
                clauses.append(clause)
                clause = []
        last = max((n for n in range(len(self.lines)) if _words(self.lines[n])), default=0)
        if clause:
            words = _words(self.lines[last])
            self.fail("the last clause is not closed, expected 0", last, len(words) - 1)
        if len(clauses) < self.count:
            found = f"{len(clauses)} clause{'s' * (len(clauses) != 1)}"
            self.fail(f"{found}, expected {self.count} as the header says", last, 0)

    def integers(self, number: int, words: list[str], first: int) -> list[int]:
        try:
            values = list(map(int, words[first:]))
        except ValueError:
            values = None
        # int() takes more than the format has: signs of all kinds, underscores, digits of other scripts, any length.
        if values is not None and not _suspect(self.lines[number]) and max(map(len, words)) <= _LONGEST:
            return values
        for word in range(first, len(words)):
            if not _INTEGER.fullmatch(words[word]):
                what = "a variable" if first else "a literal"
                expected = f"{what} or 0"
                if words[word] in ("e", "a", "p"):
                    expected += "; the prefix comes before the clauses, the header before the prefix"
                self.fail(f"found {shown(words[word])}, expected {expected}", number, word)
        return [int(word) for word in words[first:]]

    def check_range(self, value: int, number: int, word: int) -> None:
        if abs(value) > self.most:
            self.fail(f"variable {abs(value)}, expected at most {self.most} as the header says", number, word)

    def fail(self, message: str, number: int, word: int) -> NoReturn:
        raise self.error(message, number, word)

    def error(self, message: str, number: int, word: int) -> InputError:
        starts = [match.start() + 1 for match in _WORD.finditer(self.lines[number])] or [1]
        return InputError(message, file=self.file, line=number + 1, column=starts[word])


def _words(line: str) -> list[str]:
    """The words between blanks, and blanks are spaces and tabs: other scripts have more, which the format has not."""
    return line.split() if line.isascii() else _WORD.findall(line)


def _suspect(line: str) -> bool:
    return "+" in line or "_" in line or not line.isascii()


def write_qdimacs(formula: Formula, *, place: Place = "dependency", comments: bool = False) -> str:
    """The text of a formula; one that is not clausal gets definitions, see :func:`zermelo.qbf.tseitin.clausal`.

    Variables keep the numbers that are their names, if all names are numbers; else they are
    numbered from 1 in the order of the prefix, and ``comments`` tell the names.

    >>> from zermelo.qbf.qcir import parse_qcir
    >>> formula = parse_qcir("exists(x)\\nforall(y)\\noutput(g)\\ng = or(-y, h)\\nh = and(x, y)")
    >>> print(write_qdimacs(formula, comments=True), end="")
    c 1 is x
    c 2 is y
    p cnf 3 3
    e 1 0
    a 2 0
    e 3 0
    -2 3 0
    1 -3 0
    2 -3 0
    """
    with no_garbage():
        return clauses_text(clausal(formula, place), comments=comments)


def clauses_text(clauses: Clauses, *, comments: bool = False) -> str:
    """The text of clauses.

    >>> from zermelo.qbf.qcir import parse_qcir
    >>> print(clauses_text(clausal(parse_qcir("exists(x)\\noutput(-x)"))), end="")
    p cnf 1 1
    e 1 0
    -1 0
    """
    body = _canonical(clauses)
    used = {abs(literal) for clause in body for literal in clause}
    most = max(used, default=0)
    lines: list[str] = []
    for block in clauses.prefix:
        shown_numbers = [number for number in block.variables if number not in clauses.free or number not in used]
        most = max([most, *shown_numbers])
        if shown_numbers:
            lines.append(" ".join(["e" if block.quantifier == "exists" else "a", *map(str, shown_numbers), "0"]))
    lines += [" ".join(map(str, (*clause, 0))) for clause in body]
    head = [f"p cnf {most} {len(body)}"]
    if comments:
        name = clauses.formula.name
        head = [f"c {number} is {name(variable)}" for number, variable in sorted(clauses.origin.items())] + head
    return "\n".join([*head, *lines]) + "\n"


def _canonical(clauses: Clauses) -> list[Clause]:
    """The clauses as a reader would list them: simplified as circuits are, literals in the order of the prefix."""
    order: dict[int, int] = {number: place for place, number in enumerate(sorted(clauses.free))}
    for block in clauses.prefix:
        for number in block.variables:
            order.setdefault(number, len(order))
    units: dict[int, None] = {}
    longer: dict[Clause, None] = {}
    for clause in clauses.clauses:
        if len(clause) == 1:
            units[clause[0]] = None
        elif not clause:
            return [()]
        else:
            longer[tuple(sorted(clause, key=lambda i: (order[abs(i)], i < 0)))] = None
    if any(-unit in units for unit in units):
        return [()]
    return [*((unit,) for unit in sorted(units, key=lambda i: order[abs(i)])), *longer]
