"""Lines of words, as graph files and networks that fail are written; ``#`` begins a comment."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zermelo.errors import InputError
from zermelo.source import Source

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True)
class Word:
    """A word and its place, counted from 1."""

    text: str
    line: int
    column: int


def wrong(source: Source, word: Word, message: str) -> InputError:
    """An error at a word.

    >>> print(wrong(Source("graph", "", "map.graph"), Word("x", 3, 5), "unknown node x"))
    map.graph:3:5: unknown node x
    """
    return InputError(message, file=source.name, line=word.line, column=word.column)


def lines_of(source: Source) -> list[list[Word]]:
    """The words of each line that has some; ``InputError`` for a control character.

    >>> [[word.text for word in line] for line in lines_of(Source("graph", "3 # rounds\\n\\n0 1\\n", "map.graph"))]
    [['3'], ['0', '1']]
    """
    found = []
    for number, line in enumerate(source.text.split("\n"), 1):
        if match := _CONTROL.search(line):
            message = f"control character {match.group()!r}, expected a text file"
            raise InputError(message, file=source.name, line=number, column=match.start() + 1)
        data = line.partition("#")[0]
        if words := [Word(match.group(), number, match.start() + 1) for match in re.finditer(r"\S+", data)]:
            found.append(words)
    return found
