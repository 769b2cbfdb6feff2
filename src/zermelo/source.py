"""The text that a game was read from, and which format of formulas a text is in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from zermelo.brief import counted, cut, introduced

GRAPH_SUFFIXES: Final = (".graph", ".txt", ".edges", ".edgelist")
"""Files that hold a graph, by the ends of their names."""

_QCIR = re.compile(r"#\s*QCIR", re.ASCII | re.IGNORECASE)
_REMARK = re.compile(r"c(\s|$)", re.ASCII)
_CLAUSAL = re.compile(r"p\s+cnf\b", re.ASCII)
_PREFIX = re.compile(r"(free|exists|forall|output)\s*\(", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True)
class Source:
    """A statement of a game as somebody wrote it: its format, its text, and the name that errors give it.

    ``options`` is what a target says beside the text, as the ``area`` of ``game.sgf:area``.

    A game keeps its source so that the checker can read it with a reader of its own. A misreading of ours would
    otherwise be checked against itself.

    >>> Source("qlp", "minimize x ...", "small.qlp").format
    'qlp'
    """

    format: str
    text: str
    name: str
    options: str = ""

    def __repr__(self) -> str:
        return introduced(self, cut(self.name, 60), self.format, counted(len(self.text), "character"))


def formula_format_of(text: str) -> str | None:
    """The format of formulas that a text begins in; ``None`` where it looks like no formula at all.

    >>> formula_format_of("# a graph\\n3\\n0 1"), formula_format_of("# QCIR-G14\\nexists(x)")
    (None, 'qcir')
    """
    for line in _lines_begun(text):
        if line.startswith("#"):
            if _QCIR.match(line):
                return "qcir"
        elif not _REMARK.match(line):
            return "qdimacs" if _CLAUSAL.match(line) else "qcir" if _PREFIX.match(line) else None
    return None


def _lines_begun(text: str) -> Iterator[str]:
    """The lines of a text that are not blank, without the blanks around them, as they are asked for."""
    for line in text.removeprefix("\ufeff").splitlines():
        if found := line.strip():
            yield found
