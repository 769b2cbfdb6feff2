"""The checker's own reader of QDIMACS (docs/formats/qdimacs.md): a header, blocks, clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from zermelo.check.boolean import Block, QuantifiedFormula, Stated, in_front
from zermelo.check.circuit import Circuit
from zermelo.check.read.textlines import fail, lines_of
from zermelo.limits import reading_watch
from zermelo.source import Source

if TYPE_CHECKING:
    from zermelo.qbf.game import FormulaGame

_WORD = re.compile(r"[^ \t]+")
_INTEGER = re.compile(r"-?[0-9]{1,9}")
_QUANTIFIERS = {"e": "exists", "a": "forall"}


class Line(NamedTuple):
    """A line that is neither blank nor a comment: its number from 1 on, and its words."""

    number: int
    words: list[str]


def read(source: Source) -> QuantifiedFormula:
    """The formula that a text states; ``InputError`` with the place where it states none.

    >>> read(Source("qdimacs", "p cnf 2 1\\na 1 0\\n1 -2 0", "f")).blocks  # 2 is free
    (Block(quantifier='exists', variables=(1,)), Block(quantifier='forall', variables=(2,)))
    >>> read(Source("qdimacs", "p cnf 2 2\\n1 -2 0", "f"))
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: f:1:9: 1 clause is stated, expected 2
    """
    lines = list(_lines(source))
    if not lines:
        fail(source, 1, 0, "there is no header, expected p cnf VARIABLES CLAUSES")
    most, count = _header(source, lines[0])
    first = next((n for n, line in enumerate(lines) if n and line.words[0] not in _QUANTIFIERS), len(lines))
    blocks, bound = list[tuple[str, list[int]]](), set[int]()
    for line in lines[1:first]:
        variables = _block(source, line, most)
        for place, variable in enumerate(variables, 1):
            if variable in bound:
                _fail(source, line, place, f"variable {variable} is bound already, expected each once")
            bound.add(variable)
        blocks.append((_QUANTIFIERS[line.words[0]], variables))
    clauses = _clauses(source, lines[first:], most)
    if len(clauses) != count:
        found = f"{len(clauses)} clause{'s are' if len(clauses) != 1 else ' is'} stated"
        _fail(source, lines[0], 3, f"{found}, expected {count}")
    return _formula(blocks, bound, clauses)


def of_game(game: FormulaGame) -> QuantifiedFormula:
    """The formula that the engines have read, for comparison: in the normal form that they made of it."""
    from zermelo.check.read.formulas import of_engines  # texts are read without it

    return of_engines(game)


def _lines(source: Source) -> Iterator[Line]:
    look = reading_watch()
    for number, line in enumerate(lines_of(source), 1):
        look()
        words = _WORD.findall(line)
        if words and not words[0].startswith("c"):
            yield Line(number, words)


def _fail(source: Source, line: Line, place: int, message: str) -> NoReturn:
    """Refuses a word of a line."""
    text = lines_of(source)[line.number - 1]
    fail(source, line.number, [word.start() for word in _WORD.finditer(text)][place], message)


def _header(source: Source, line: Line) -> tuple[int, int]:
    """The greatest variable and the number of clauses."""
    if line.words[:2] != ["p", "cnf"] or len(line.words) != 4:
        _fail(source, line, 0, f"found {line.words[0][:20]!r}, expected p cnf VARIABLES CLAUSES")
    for place in (2, 3):
        if line.words[place].startswith("-"):
            _fail(source, line, place, f"found {line.words[place][:20]!r}, expected how many there are")
    most, count = _integers(source, line, 2, 10**9)
    return most, count


def _integers(source: Source, line: Line, first: int, most: int) -> list[int]:
    """The numbers of a line from some word on, none of them larger than that."""
    for place, word in enumerate(line.words[first:], first):
        if not _INTEGER.fullmatch(word):
            _fail(source, line, place, f"found {word[:20]!r}, expected a whole number of at most nine digits")
        if abs(int(word)) > most:
            _fail(source, line, place, f"found {word}, expected no variable above {most}")
    return [int(word) for word in line.words[first:]]


def _block(source: Source, line: Line, most: int) -> list[int]:
    """The variables of a line of the prefix: numbers from 1 on, and 0 at the end."""
    numbers = _integers(source, line, 1, most)
    if not numbers or numbers[-1] != 0:
        _fail(source, line, -1, "the block has no end, expected 0")
    for place, number in enumerate(numbers[:-1], 1):
        if number <= 0:
            _fail(source, line, place, f"found {number}, expected a variable: a number from 1 on")
    return numbers[:-1]


def _clauses(source: Source, lines: list[Line], most: int) -> list[list[int]]:
    clauses: list[list[int]] = [[]]
    look = reading_watch()
    for line in lines:
        look()
        for number in _integers(source, line, 0, most):
            if number:
                clauses[-1].append(number)
            else:
                clauses.append([])
    if clauses.pop():
        _fail(source, lines[-1], -1, "the last clause has no end, expected 0")
    return clauses


def _formula(blocks: list[tuple[str, list[int]]], bound: set[int], clauses: list[list[int]]) -> QuantifiedFormula:
    """Clauses as a circuit; variables that no block binds are free."""
    circuit = Circuit()
    free = sorted({abs(number) for clause in clauses for number in clause} - bound)
    node = {number: circuit.variable() >> 1 for number in [*free, *(v for _, block in blocks for v in block)]}
    made, look = [], reading_watch()
    for clause in clauses:
        look()
        made.append(circuit.gate("or", [2 * node[abs(n)] + (n < 0) for n in clause]))
    prefix = tuple(Block(quantifier, tuple(node[v] for v in block)) for quantifier, block in blocks)
    names = {place: str(number) for number, place in node.items()}
    return in_front(Stated(circuit, tuple(node[v] for v in free), prefix, circuit.gate("and", made), names))
