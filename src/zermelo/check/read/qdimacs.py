"""The checker's own reader of QDIMACS (docs/formats/qdimacs.md): a header, blocks, clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from zermelo.check.boolean import Block, QuantifiedFormula, joined
from zermelo.check.circuit import Circuit
from zermelo.check.read.textlines import fail, lines_of
from zermelo.limits import reading_watch
from zermelo.source import Source

_WORD = re.compile(r"[^ \t]+")
_INTEGER = re.compile(r"-?[0-9]{1,9}")
_HEADER = re.compile(r"p cnf ([0-9]{1,9}) ([0-9]{1,9})")
_QUANTIFIERS = {"e": "exists", "a": "forall"}


@dataclass(frozen=True)
class Line:
    """A line that is neither blank nor a comment; its number counts from 1."""

    source: Source
    number: int
    text: str
    words: list[str]

    def integers(self, first: int, least: int, most: int) -> list[int]:
        """The words from some place on as numbers, in some range."""
        for place, word in enumerate(self.words[first:], first):
            if not _INTEGER.fullmatch(word):
                self.fail(place, f"found {word[:20]!r}, expected a whole number of at most nine digits")
            if not least <= int(word) <= most:
                self.fail(place, f"found {word}, expected a number from {least} to {most}")
        return [int(word) for word in self.words[first:]]

    def fail(self, place: int, message: str) -> NoReturn:
        """Refuses a word of the line."""
        fail(self.source, self.number, [word.start() for word in _WORD.finditer(self.text)][place], message)


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
    header, *rest = lines
    sizes = _HEADER.fullmatch(" ".join(header.words))
    if sizes is None:
        header.fail(0, f"found {header.text.strip()[:20]!r}, expected p cnf VARIABLES CLAUSES")
    most, count = map(int, sizes.groups())
    first = next((n for n, line in enumerate(rest) if line.words[0] not in _QUANTIFIERS), len(rest))
    blocks = _blocks(rest[:first], most)
    clauses = _clauses(rest[first:], most)
    if len(clauses) != count:
        header.fail(3, f"{len(clauses)} clause{'s are' if len(clauses) != 1 else ' is'} stated, expected {count}")
    return _formula(blocks, clauses)


def _lines(source: Source) -> Iterator[Line]:
    look = reading_watch()
    for number, text in enumerate(lines_of(source), 1):
        look()
        words = _WORD.findall(text)
        if words and not words[0].startswith("c"):
            yield Line(source, number, text, words)


def _blocks(lines: list[Line], most: int) -> list[tuple[str, list[int]]]:
    """The prefix: in each line a quantifier, variables, and 0."""
    blocks, bound = list[tuple[str, list[int]]](), {0}
    for line in lines:
        numbers = line.integers(1, 0, most)
        if numbers[-1:] != [0]:
            line.fail(-1, "the block has no end, expected 0")
        for place, variable in enumerate(numbers[:-1], 1):
            if variable in bound:
                line.fail(place, f"found {variable}, expected a variable that is not bound yet")
            bound.add(variable)
        blocks.append((_QUANTIFIERS[line.words[0]], numbers[:-1]))
    return blocks


def _clauses(lines: list[Line], most: int) -> list[list[int]]:
    """The clauses, each of which ends with 0, wherever lines do."""
    clauses, look = list[list[int]]([[]]), reading_watch()
    for line in lines:
        look()
        for number in line.integers(0, -most, most):
            if number:
                clauses[-1].append(number)
            else:
                clauses.append([])
    if clauses.pop():
        lines[-1].fail(-1, "the last clause has no end, expected 0")
    return clauses


def _formula(blocks: list[tuple[str, list[int]]], clauses: list[list[int]]) -> QuantifiedFormula:
    """Clauses as a circuit; variables that no block binds are free, and chosen first by exists."""
    circuit, look = Circuit(), reading_watch()
    bound = {variable for _, block in blocks for variable in block}
    free = sorted({abs(number) for clause in clauses for number in clause} - bound)
    prefix = [("exists", free), *blocks]
    node = {number: circuit.variable() >> 1 for _, block in prefix for number in block}
    made = []
    for clause in clauses:
        look()
        made.append(circuit.gate("or", [2 * node[abs(n)] + (n < 0) for n in clause]))
    names = {place: str(number) for number, place in node.items()}
    found = joined(Block(quantifier, tuple(node[v] for v in block)) for quantifier, block in prefix)
    return QuantifiedFormula(circuit, found, circuit.gate("and", made), names)
