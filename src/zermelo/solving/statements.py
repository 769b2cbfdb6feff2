"""From a target to the text that states its game: which format it is in, and what it says; nothing is read from it yet.

The engines' reader (:mod:`zermelo.solving.targets`) begins here. The checker reads the same text by itself, and where
only a certificate is checked, it finds the text by itself as well (:mod:`zermelo.check.targets`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from zermelo.files import read_text
from zermelo.games import is_library_game
from zermelo.kind import Format
from zermelo.solving.tables import formats
from zermelo.source import Source

AMBIGUOUS: Final = (".txt",)
"""Ends of file names that say little: what the text looks like counts first."""
MOST_FROM_STREAM: Final = 512 << 20
"""Bytes that are read from standard input."""
DEFAULT: Final = "graph"
"""The format of a text that looks like nothing else."""


def source_of(target: str) -> Source | None:
    """The text that states a target's game; ``None`` for games of the library and of Python classes.

    >>> source_of("{5|-5}").format, source_of("domineering:..|..").format, source_of("nim:3,4")
    ('cgt', 'board', None)
    """
    if target == "-":
        text = read_text("-", "text that states a game", MOST_FROM_STREAM)
        return Source(format_of(text), text, "-")
    if ":" in target and (source := _by_name(target)) is not None:
        return source
    suffix = Path(target).suffix.lower()
    for form in formats():
        if suffix in form.suffixes:
            return _from_file(target, form, suffix)
    return _by_name(target) or _by_content(target)


def _by_name(target: str) -> Source | None:
    return next((source for form in formats() if (source := form.ways(target)) is not None), None)


def _from_file(target: str, form: Format, suffix: str) -> Source:
    text = read_text(target, form.what, form.most_bytes)
    return Source(format_of(text, form.name) if suffix in AMBIGUOUS else form.name, text, target)


def _by_content(target: str) -> Source | None:
    """What a file states whose name does not say it; ``None`` where there is none of that name."""
    if ":" in target or Path(target).suffix.lower() == ".py" or is_library_game(target) or not _is_file(target):
        return None
    text = read_text(target, "text that states a game", MOST_FROM_STREAM)
    return Source(format_of(text), text, target)


def _is_file(target: str) -> bool:
    try:
        return Path(target).is_file()
    except (OSError, ValueError):  # a text that can be no name
        return False


def format_of(text: str, default: str = DEFAULT) -> str:
    """The format that a text looks to be in.

    >>> format_of("# a graph\\n3\\n0 1"), format_of("c remark\\np cnf 1 1"), format_of("exists (x)")
    ('graph', 'qdimacs', 'qcir')
    >>> format_of("MINIMIZE\\n x"), format_of('{"format": ...'), format_of("{5|-5}"), format_of("(;SZ[9])")
    ('qlp', 'network', 'cgt', 'sgf')
    """
    return next((form.name for form in formats() if form.looks(text)), default)
