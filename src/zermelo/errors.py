"""Errors by cause. Each carries one line that a person can act on."""

from __future__ import annotations

import re


def one_line(text: str) -> str:
    """The text with everything escaped that would break the line or disturb a terminal.

    >>> one_line("a\\nb")
    'a\\\\nb'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


LONGEST_WORD = 200
"""A longer word of a message is not shown whole; a file may consist of one."""

LONGEST_NAME = 4096
"""A longer name of a file is none: a game written out where a file was expected."""


def shortened(message: str) -> str:
    """The message, without the greatest part of words that nobody would read.

    >>> shortened("unknown node " + 1000 * "9")[:30], len(shortened(1000 * "9"))
    ('unknown node 99999999999999999', 203)
    """
    if len(message) <= LONGEST_WORD:
        return message
    return _LONG_WORD.sub(lambda found: f"{found[0][: LONGEST_WORD // 2]}...{found[0][-LONGEST_WORD // 2 :]}", message)


_LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")


class ZermeloError(Exception):
    """Anything that Zermelo reports on purpose; the command line prints it as one line."""


class InputError(ZermeloError, ValueError):
    """The input is wrong: where, what was found, what was expected.

    >>> print(InputError("unknown node 9, expected one of 0..7", file="map.graph", line=3, column=5))
    map.graph:3:5: unknown node 9, expected one of 0..7
    """

    def __init__(self, message: str, *, file: str | None = None, line: int | None = None, column: int | None = None):
        message = shortened(message)
        self.message, self.file, self.line, self.column = message, file, line, column
        # A file is named in full, as editors jump there; no system has longer names than that.
        name = None if file is None else file if len(file) <= LONGEST_NAME else shortened(file)
        place = [str(part) for part in (name, line, column) if part is not None]
        super().__init__(one_line(f"{':'.join(place)}: {message}" if place else message))


def need(thing: object, wanted: type | tuple[type, ...], what: str, expected: str) -> None:
    """Refuses what is of another type, in the words of whoever gave it.

    >>> need(5, str, "engine", "a name")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: engine 5, expected a name
    """
    if not isinstance(thing, wanted) or (isinstance(thing, bool) and bool is not wanted):
        raise InputError(f"{what} {shortened(repr(thing))[:LONGEST_WORD]}, expected {expected}")


class UnknownGameError(InputError):
    """No library game, file or class of that name."""


class ArgumentError(InputError):
    """A library game was given the wrong number or kind of arguments."""


class GameError(InputError):
    """A game breaks the contract of :class:`zermelo.Game`: it raises, never ends or contradicts itself."""


class CertificateError(InputError):
    """A certificate file that cannot be read or does not belong to the game."""


class IllegalMoveError(ZermeloError, ValueError):
    """The move is not legal in the position."""


class AmbiguousMoveError(ZermeloError, ValueError):
    """The text fits more than one legal move."""


class NotApplicableError(ZermeloError):
    """The engine does not take games of this kind; the message says why."""


class DisagreementError(ZermeloError):
    """Two engines gave different values for one game: a bug in one of them. ``routes`` names them, where it is known.

    >>> DisagreementError("dp and pns disagree", ("dp", "pns")).routes
    ('dp', 'pns')
    """

    def __init__(self, message: str, routes: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.routes = routes


class LimitReachedError(ZermeloError):
    """A limit was reached before there was anything to report."""
