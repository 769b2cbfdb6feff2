"""Values in canonical form as certificates of boards name them: ``1/2^*``, ``+-{2|1}``, ``3||2|-1``, ``+_2``.

That is a small part of the notation of sums (docs/formats/sum.md): nothing is added up but a number, ups and a star
that are written together. A text is read from left to right; when a bracket closes, the row in it becomes one game.
"""

from __future__ import annotations

import re

from zermelo.check.games import Games
from zermelo.check.listed import dyadic
from zermelo.check.verdict import Fault
from zermelo.errors import one_line

_PIECE = re.compile(r"(\|+|,)|([})])|(\+-|\+_|-_|)(?:([{(])|([-0-9/^v*]+))")
"""A bar or a comma; a closing bracket; a sign, perhaps none, before an opening bracket or before a name."""
_NAME = re.compile(r"(-?[0-9]+(?:/[0-9]+)?)?(\^+|v+|[\^v][0-9]{1,9})?(\*[0-9]{0,9})?")
"""A number, ups or downs, and a star, each of which may be missing."""

Row = list[str | int]
"""Bars and commas, and the games that stand between them."""


def named_value(games: Games, text: str) -> int:
    """The game that a text names, in canonical form; a fault where it names none.

    >>> from zermelo.limits import Limits
    >>> games = Games(Limits())
    >>> named_value(games, "{0|0}") == named_value(games, "*") == games.nimber(1)
    True
    """
    rows: list[Row] = [[]]
    opened: list[tuple[str, str]] = []
    while text:
        piece = _PIECE.match(text)
        if piece is None:
            raise Fault(f"no canonical form: unexpected {one_line(text[:40])}")
        text = text[piece.end() :]
        mark, closing, sign, opening, name = piece.groups()
        if mark:
            rows[-1].append(mark)
        elif opening:
            opened.append((sign, opening))
            rows.append([])
        elif name:
            rows[-1].append(_signed(games, sign, [_named(games, name, alone=sign != "")]))
        elif not opened or opened[-1][1] + closing not in ("()", "{}"):
            raise Fault(f"no canonical form: {closing} closes no bracket")
        else:
            row, (sign, opening) = rows.pop(), opened.pop()
            if opening == "{" and not _bars(row):
                raise Fault("no canonical form: no bar between brackets")
            rows[-1].append(_signed(games, sign, _games(games, row)))
    if opened:
        raise Fault(f"no canonical form: {opened[-1][1]} is never closed")
    (row,) = rows
    return _signed(games, "", _games(games, row))


def _bars(row: Row) -> list[str]:
    return [piece for piece in row if isinstance(piece, str) and piece != ","]


def _games(games: Games, row: Row) -> list[int]:
    """The games with commas between them; with bars, the one game that these make, the longest bar outermost."""
    if bars := _bars(row):
        longest = max(bars, key=len)
        if bars.count(longest) > 1:
            raise Fault("no canonical form: two bars of one length side by side")
        at = row.index(longest)
        return [games.canonical(_games(games, row[:at]), _games(games, row[at + 1 :]))]
    found = [piece for piece in row if isinstance(piece, int)]
    if row and (len(found) != row.count(",") + 1 or any(piece != "," for piece in row[1::2])):
        raise Fault("no canonical form: expected games with commas between them")
    return found


def _signed(games: Games, sign: str, options: list[int]) -> int:
    """The one game, or what a sign makes of it: a switch, of several games too; tiny or miny."""
    if sign == "+-" and options:
        return games.canonical(options, [games.negate(option) for option in options])
    if len(options) != 1:
        raise Fault("no canonical form: expected one game")
    (game,) = options
    if not sign:
        return game
    reply = games.canonical([games.zero], [games.negate(game)])
    tiny = games.canonical([games.zero], [reply])
    return tiny if sign == "+_" else games.negate(tiny)


def _named(games: Games, name: str, *, alone: bool) -> int:
    """A number, ups and a star, added up; after a sign only one of them, which the sign is then meant for."""
    found = _NAME.fullmatch(name)
    if found is None or (alone and sum(part is not None for part in found.groups()) > 1):
        raise Fault(f"no canonical form: unexpected {one_line(name[:40])}")
    number, ups, star = found.groups()
    total = games.number(dyadic(number, "the value")) if number else games.zero
    if ups:
        count = int(ups[1:]) if ups[1:].isdigit() else len(ups)
        total = games.add(total, games.times(count, games.up() if ups[0] == "^" else games.negate(games.up())))
    return games.add(total, games.nimber(int(star[1:] or 1))) if star else total
