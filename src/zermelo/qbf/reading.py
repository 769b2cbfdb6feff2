"""Formulas from files, in whichever format they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from zermelo.errors import InputError
from zermelo.qbf.formula import Formula
from zermelo.qbf.formula_text import formula_text
from zermelo.qbf.qcir import parse_qcir
from zermelo.qbf.qdimacs import parse_qdimacs
from zermelo.source import formula_format_of

SUFFIXES: Final[dict[str, Callable[[str, str], Formula]]] = {
    ".qcir": parse_qcir,
    ".qdimacs": parse_qdimacs,
    ".qcnf": parse_qdimacs,
    ".cnf": parse_qdimacs,
    ".dimacs": parse_qdimacs,
}
"""Endings of file names, and what reads such a file. A formula without a prefix is one of ``exists`` alone."""


def read_formula(path: str | Path) -> Formula:
    """The formula of a file, by the end of its name; of ``-``, standard input, by what it says.

    >>> read_formula("game.txt")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: game.txt: '.txt' is no formula, expected .qcir, .qdimacs, .qcnf, .cnf or .dimacs
    """
    if str(path) == "-":
        return parse_formula(formula_text(path), "-")
    parse = parser_of(path)
    return parse(formula_text(path), str(path))


def parser_of(path: str | Path) -> Callable[[str, str], Formula]:
    """What reads a file, by the end of its name.

    >>> parser_of("a.QCIR") is parse_qcir
    True
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        *most, last = SUFFIXES
        found = f"{suffix!r} is no formula" if suffix else "a name without an ending"
        raise InputError(f"{found}, expected {', '.join(most)} or {last}", file=str(path))
    return SUFFIXES[suffix]


def parse_formula(text: str, name: str = "formula") -> Formula:
    """The formula that a text states, in QDIMACS if it has the header of that, else in QCIR.

    >>> parse_formula("p cnf 1 1\\n1 0").free, parse_formula("exists(x)\\noutput(x)").free
    ((1,), ())
    """
    return parse_qdimacs(text, name) if formula_format_of(text) == "qdimacs" else parse_qcir(text, name)
