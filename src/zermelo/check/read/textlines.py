"""Lines of a text, and errors that say their place."""

from __future__ import annotations

import re
from typing import NoReturn

from zermelo.errors import InputError
from zermelo.source import Source

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
"""Characters that no text file has."""
_LINE_END = re.compile(r"\r\n|\r|\n")


def lines_of(source: Source) -> list[str]:
    """The lines of a text without a byte order mark; ``InputError`` where it has control characters.

    >>> lines_of(Source("qcir", "\\ufeffa\\r\\nb\\rc", "f"))
    ['a', 'b', 'c']
    >>> lines_of(Source("qcir", "a\\n b\\0", "f"))
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: f:2:3: control character '\\x00', expected a text file
    """
    lines = _LINE_END.split(source.text.removeprefix("\ufeff"))
    for number, line in enumerate(lines, 1):
        if garbage := CONTROL.search(line):
            fail(source, number, garbage.start(), f"control character {garbage.group()!r}, expected a text file")
    return lines


def fail(source: Source, line: int, place: int, message: str) -> NoReturn:
    """Refuses a text: ``line`` counts from 1, ``place`` in it from 0."""
    raise InputError(message, file=source.name, line=line, column=place + 1)
