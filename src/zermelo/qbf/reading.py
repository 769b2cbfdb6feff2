"""Formulas from files, in whichever format they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

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
    for line in text.removeprefix("\ufeff").splitlines():
        words = line.split(maxsplit=1)
        if words and words[0] != "c":
            return parse_qdimacs(text, name) if words[0] == "p" else parse_qcir(text, name)
    return parse_qcir(text, name)
