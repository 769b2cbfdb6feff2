"""Reads a rulesheet in whichever syntax it is written, from text or from a file.

>>> str(read_rules("(role x)").rules[0]) == str(read_rules("role(x).").rules[0])
True
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from zermelo import files
from zermelo.errors import InputError, need
from zermelo.gdl.infix import read_infix
from zermelo.gdl.kif import read_kif
from zermelo.gdl.syntax import Rulesheet

SUFFIXES: Final = {".kif": "kif", ".pl": "infix", ".pro": "infix", ".prolog": "infix", ".hrf": "infix",
                   ".infix": "infix", ".lp": "infix"}  # fmt: skip
"""Endings of file names that say which syntax is inside; with any other, the text itself does."""
MAX_BYTES: Final = 64 << 20
"""Longer texts are refused before anything is read of them."""

_COMMENT = re.compile(r"(?:\s+|[;%][^\n]*|/\*.*?\*/)*", re.DOTALL)
_INFIX_START = re.compile(r"(?:'[^'\n]*'|[^\s()'.,;]+)\s*(?:\(|\.|:-|<=|<-|←|\\leftarrow)")


@contextmanager
def no_garbage() -> Iterator[None]:
    """No search for cycles meanwhile: a syntax tree has none, and looking for them more than doubles the time.

    >>> with no_garbage():
    ...     gc.isenabled()
    False
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def read_rules(text: str, file: str = "<rules>") -> Rulesheet:
    """The rulesheet that a text states, in KIF or in infix syntax as the name of the file or else the text tells."""
    return parse_rules(text, file)[0]


def parse_rules(text: str, file: str = "<rules>") -> tuple[Rulesheet, str]:
    """The rulesheet together with the name of the syntax it is written in.

    >>> parse_rules("terminal :- true(done).")[1]
    'infix'
    """
    need(text, str, "rules", "a text")
    text = _checked(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"), file)
    syntax = SUFFIXES.get(Path(file).suffix.lower()) or _syntax_of(text)
    with no_garbage():
        sheet = read_kif(text, file) if syntax == "kif" else read_infix(text, file)
    if not sheet.rules:
        raise InputError("there is no rule in it, expected a rulesheet", file=file)
    return sheet, syntax


def read_rulesheet(path: str | Path) -> Rulesheet:
    """The rulesheet of a file; ``-`` is standard input, ``gdl:NAME`` one of the library.

    >>> read_rulesheet("no/such.kif")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: no/such.kif: no such file
    """
    return read_rules(read_text(path), str(path))


def read_text(path: str | Path) -> str:
    """The text of a file that should hold a rulesheet; what is no text is refused in one line."""
    file = str(path)
    if file.startswith("gdl:"):
        from zermelo.gdl.library import rulesheet_text

        name, _, arguments = file.removeprefix("gdl:").partition(":")
        return rulesheet_text(name, arguments)
    return files.read_text(path, "rulesheet", MAX_BYTES)


def _checked(text: str, file: str) -> str:
    """The text itself if it could be written to a file again."""
    if len(text) > MAX_BYTES:
        raise InputError(f"larger than {MAX_BYTES >> 20} MB, expected a rulesheet", file=file)
    if (zero := text.find("\0")) >= 0:
        line, column = _place(text[:zero])
        raise InputError("a zero byte, expected text", file=file, line=line, column=column)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        line, column = _place(text[: error.start])
        raise InputError("half of a surrogate pair, expected text", file=file, line=line, column=column) from None
    return text


def _place(before: str) -> tuple[int, int]:
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _syntax_of(text: str) -> str:
    """The syntax that a text looks like: KIF begins with a parenthesis, infix with a relation."""
    match = _COMMENT.match(text)
    return "infix" if _INFIX_START.match(text, match.end() if match else 0) else "kif"
