"""The text of files that hold formulas: what is no text is refused in one line."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

from zermelo.errors import InputError

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
    file = str(path)
    try:
        if file == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(path).open("rb") as stream:
                data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise InputError("no such file", file=file) from None
    except IsADirectoryError:
        raise InputError(f"a directory, expected a file with a {what}", file=file) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise InputError(f"cannot be read: {reason}", file=file) from None
    if len(data) > MAX_BYTES:
        raise InputError(f"larger than {MAX_BYTES >> 20} MB, expected a {what}", file=file)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        found = "binary data" if b"\0" in data else f"the byte 0x{data[error.start]:02x}, which is not UTF-8"
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise InputError(f"{found}, expected text in UTF-8", file=file, line=line, column=column) from None


def lines_of(text: str, file: str) -> list[str]:
    """The lines of a text, however they end; control characters are refused.

    >>> lines_of("a\\r\\nb\\n", "x")
    ['a', 'b', '']
    >>> lines_of("a\\n b\\0", "x")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: x:2:3: control character '\\x00', expected a text file
    """
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
