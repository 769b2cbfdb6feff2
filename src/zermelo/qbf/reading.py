"""Formulas from files, in whichever format they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final
from typing import Literal as Either

from zermelo.errors import InputError
from zermelo.qbf.formula import Formula
from zermelo.qbf.qcir import parse_qcir
from zermelo.qbf.qdimacs import parse_qdimacs
from zermelo.qbf.source import formula_text

SUFFIXES: Final[dict[str, Callable[[str, str], Formula]]] = {
    ".qcir": parse_qcir,
    ".qdimacs": parse_qdimacs,
    ".qcnf": parse_qdimacs,
    ".cnf": parse_qdimacs,
    ".dimacs": parse_qdimacs,
}
"""Endings of file names, and what reads such a file. A formula without a prefix is one of ``exists`` alone."""


_HEADER = re.compile(r"#\s*QCIR", re.ASCII | re.IGNORECASE)
_REMARK = re.compile(r"c(\s|$)", re.ASCII)
_CLAUSAL = re.compile(r"p\s+cnf\b", re.ASCII)
_PREFIX = re.compile(r"(free|exists|forall|output)\s*\(", re.ASCII | re.IGNORECASE)


def read_formula(path: str | Path) -> Formula:
    """The formula of a file, by the end of its name; of ``-``, standard input, by what it says.

    >>> read_formula("game.txt")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: game.txt: '.txt' is no formula, expected .qcir, .qdimacs, .qcnf, .cnf or .dimacs
    """
    file = str(path)
    suffix = Path(path).suffix.lower()
    if file != "-" and suffix not in SUFFIXES:
        *most, last = SUFFIXES
        found = f"{suffix!r} is no formula" if suffix else "a name without an ending"
        raise InputError(f"{found}, expected {', '.join(most)} or {last}", file=file)
    text = formula_text(path)
    return parse_formula(text, file) if file == "-" else SUFFIXES[suffix](text, file)


def parse_formula(text: str, name: str = "formula") -> Formula:
    """The formula that a text states, in QDIMACS if it has the header of that, else in QCIR.

    >>> parse_formula("p cnf 1 1\\n1 0").free, parse_formula("exists(x)\\noutput(x)").free
    ((1,), ())
    """
    return parse_qdimacs(text, name) if format_of(text) == "qdimacs" else parse_qcir(text, name)


def format_of(text: str) -> Either["qcir", "qdimacs"] | None:
    """The format a text begins in; ``None`` where it looks like no formula at all.

    >>> format_of("# a graph\\n3\\n0 1"), format_of("c remark\\np cnf 1 1"), format_of("exists (x)")
    (None, 'qdimacs', 'qcir')
    """
    for line in lines_begun(text):
        if line.startswith("#"):
            if _HEADER.match(line):
                return "qcir"
        elif not _REMARK.match(line):
            return "qdimacs" if _CLAUSAL.match(line) else "qcir" if _PREFIX.match(line) else None
    return None


def lines_begun(text: str) -> Iterator[str]:
    """The lines of a text that are not blank, without the blanks around them, as they are asked for.

    >>> list(lines_begun("a\\n\\n  b"))
    ['a', 'b']
    """
    for line in text.removeprefix("\ufeff").splitlines():
        if found := line.strip():
            yield found
