"""Formulas from files and texts, in whichever format they are."""

from __future__ import annotations

from pathlib import Path

from zermelo.errors import need
from zermelo.qbf.formula import Formula
from zermelo.qbf.formula_text import formula_text
from zermelo.qbf.qcir import parse_qcir
from zermelo.qbf.qdimacs import parse_qdimacs
from zermelo.source import formula_format_of


def read_formula(path: str | Path) -> Formula:
    """The formula of a file; of ``-``, standard input.

    >>> read_formula("examples/answers.qcir").output > 1
    True
    """
    return parse_formula(formula_text(path), str(path))


def parse_formula(text: str, name: str = "formula") -> Formula:
    """The formula that a text states, in QDIMACS if it has the header of that, else in QCIR.

    >>> parse_formula("p cnf 1 1\\n1 0").free, parse_formula("exists(x)\\noutput(x)").free
    ((1,), ())
    """
    need(text, str, "formula", "a text")
    return parse_qdimacs(text, name) if formula_format_of(text) == "qdimacs" else parse_qcir(text, name)
