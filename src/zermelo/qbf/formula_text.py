"""The text of files that hold formulas: what is no text is refused in one line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from zermelo.errors import InputError, need
from zermelo.files import read_text

MAX_BYTES: Final = 512 << 20
"""Longer files are refused before anything is read of them."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def formula_text(path: str | Path, what: str = "formula") -> str:
    """The text of a file, of which errors say what it should hold; ``-`` is standard input.

    >>> formula_text("no/such.qcir")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: no/such.qcir: no such file
    """
    return read_text(path, what, MAX_BYTES)


def lines_of(text: str, file: str) -> list[str]:
    """The lines of a text, however they end; control characters are refused.

    >>> lines_of("a\\r\\nb\\n", "x")
    ['a', 'b', '']
    >>> lines_of("a\\n b\\0", "x")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: x:2:3: control character '\\x00', expected a text file
    """
    need(text, str, "formula", "a text")
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if garbage := _CONTROL.search(text):
        place = garbage.start()
        line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
        message = f"control character {garbage.group()!r}, expected a text file"
        raise InputError(message, file=file, line=line, column=column)
    return text.split("\n")


def shown(word: str) -> str:
    """A word as an error quotes it: not at any length.

    >>> shown("x" * 99)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'"
    """
    return repr(word if len(word) <= 40 else word[:40] + "...")
