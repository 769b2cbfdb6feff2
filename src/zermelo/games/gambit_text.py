"""The words of Gambit's files: texts in quotes, braces, numbers, and where each of them stands.

>>> [token.text for token in tokens('t "" 1 "won" { 1, 1/2 }', "a.efg")]
['t', '', '1', 'won', '{', '1', '1/2', '}']
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, NoReturn

from zermelo.errors import InputError
from zermelo.game import CHANCE, NOBODY, Score, plain_score

_TOKEN: Final = re.compile(r'(?s)(?P<text>"(?:[^"\\]|\\.)*")|(?P<brace>[{}])|(?P<word>[^\s"{},]+)|[,\s]+')
_NUMBER: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?|[+-]?\d+/\d+", re.ASCII)
_WHOLE: Final = re.compile(r"\d{1,9}", re.ASCII)
MOST_DIGITS: Final = 300
"""Longer numbers are refused: nobody means them."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a file: a text without its quotes, a brace or a word."""

    kind: Literal["text", "brace", "word"]
    text: str
    line: int
    column: int


def tokens(text: str, name: str) -> list[Token]:
    """The pieces of a file; commas may stand between numbers and mean nothing."""
    found: list[Token] = []
    at, line, begin = 0, 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise InputError("a text in quotes does not end", file=name, line=line, column=at - begin + 1)
        if (kind := match.lastgroup) in ("text", "brace", "word"):
            piece = match.group()
            said = re.sub(r"\\(.)", r"\1", piece[1:-1], flags=re.DOTALL) if kind == "text" else piece
            found.append(Token(kind, said, line, at - begin + 1))  # type: ignore[arg-type]
        if newlines := text.count("\n", at, match.end()):
            line, begin = line + newlines, text.rindex("\n", at, match.end()) + 1
        at = match.end()
    return found


class Reader:
    """Takes the pieces of a file one after the other."""

    def __init__(self, text: str, name: str) -> None:
        self.name, self._tokens, self._next = name, tokens(text.removeprefix("\ufeff"), name), 0

    def fail(self, message: str, at: Token | None = None) -> NoReturn:
        """Refuses the file at a piece of it: the next one, if none is given; or the last, where nothing follows."""
        if at is None:
            at = self._tokens[min(self._next, len(self._tokens) - 1)] if self._tokens else Token("word", "", 1, 1)
        raise InputError(message, file=self.name, line=at.line, column=at.column)

    @property
    def ended(self) -> bool:
        """Whether everything was taken."""
        return self._next == len(self._tokens)

    def sees(self, kind: str, text: str | None = None) -> bool:
        """Whether a piece of that kind comes next, or that very one."""
        if self.ended:
            return False
        token = self._tokens[self._next]
        return token.kind == kind and text in (None, token.text)

    def take(self, kind: str, expected: str, text: str | None = None) -> Token:
        """The next piece, which has to be of that kind."""
        if not self.sees(kind, text):
            what = "the file ends" if self.ended else repr(self._tokens[self._next].text[:40])
            self.fail(f"{what}, expected {expected}")
        self._next += 1
        return self._tokens[self._next - 1]

    def word(self, text: str) -> Token:
        """A word that has to stand there."""
        return self.take("word", text, text)

    def text(self, expected: str) -> Token:
        """A text in quotes."""
        return self.take("text", f"{expected} in quotes")

    def whole(self, expected: str) -> int:
        """A whole number that is not negative."""
        token = self.take("word", expected)
        if not _WHOLE.fullmatch(token.text):
            self.fail(f"{token.text[:40]!r}, expected {expected}", token)
        return int(token.text)

    def number(self, expected: str) -> Score:
        """An exact number: whole, decimal or a fraction."""
        token = self.take("word", expected)
        if not _NUMBER.fullmatch(token.text) or len(token.text) > MOST_DIGITS:
            self.fail(f"{token.text[:40]!r}, expected {expected}", token)
        try:
            return plain_score(Fraction(token.text))
        except ZeroDivisionError:
            self.fail(f"{token.text[:40]!r} has the denominator 0", token)

    def texts(self, expected: str) -> list[Token]:
        """Texts in braces."""
        self.take("brace", "{", "{")
        found = []
        while not self.sees("brace", "}"):
            found.append(self.text(expected))
        self.take("brace", "}", "}")
        return found

    def numbers(self, count: int, expected: str) -> tuple[Score, ...]:
        """So many numbers in braces."""
        self.take("brace", "{", "{")
        found = tuple(self.number(expected) for _ in range(count))
        self.take("brace", f"}} after {count} numbers", "}")
        return found

    def players(self) -> tuple[str, ...]:
        """The names of the players, each of which has to be told from the others."""
        begin = self._next
        roles = [token.text or f"player {at}" for at, token in enumerate(self.texts("the name of a player"), 1)]
        for at, role in enumerate(roles):
            token = self._tokens[begin + 1 + at]
            if role in roles[:at]:
                self.fail(f"two players are called {role!r}", token)
            if role in (CHANCE, NOBODY, "draw"):
                self.fail(f"no player can be called {role!r}", token)
        if not roles:
            self.fail("no players, expected at least one", self._tokens[begin])
        return tuple(roles)


def labels(names: Sequence[str]) -> tuple[str, ...]:
    """The names of moves, with their numbers where the names alone do not tell all of them apart.

    >>> labels(["up", "down"]), labels(["up", "", "up"]), labels(["", ""])
    (('up', 'down'), ('up#1', '#2', 'up#3'), ('1', '2'))
    """
    if all(names) and len(set(names)) == len(names):
        return tuple(names)
    return tuple(f"{name}#{at}" if any(names) else str(at) for at, name in enumerate(names, 1))
