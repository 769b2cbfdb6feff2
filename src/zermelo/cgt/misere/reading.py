"""Impartial games as they are written for misere play: ``*2 + *2``, ``*[[2],0]``, ``3**2``, and boards."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NoReturn

from zermelo.cgt.misere.form import MisereGame, game_of, heap
from zermelo.errors import InputError

MOST_COPIES = 1_000
_TOKENS = re.compile(
    r"\s*(?:(?P<copies>[0-9]+)\s*\*(?=\s*[*\[])|(?P<heap>\*?[0-9]+|\*(?!\[))|(?P<open>\*?\[)|(?P<mark>[\],+]))"
)


def read(text: str, known: Callable[[str], MisereGame] | None = None) -> MisereGame:
    """The game that a text states; a term that is none of these is looked up, such as a board.

    >>> str(read("2**2")), str(read("[[2],0]")), str(read("*[2]"))
    ('*[3,2]', '*[[2],0]', '*[2]')
    >>> read("*[1")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: *[1:1:4: expected ]
    """
    return _Reader(text, known).whole()


class _Reader:
    """One reading of one text; brackets are held on a stack, so that depth does not matter."""

    def __init__(self, text: str, known: Callable[[str], MisereGame] | None) -> None:
        self.text, self.known, self.at = text, known, 0

    def wrong(self, message: str) -> NoReturn:
        raise InputError(message, file=self.text[:60], line=1, column=self.at + 1)

    def whole(self) -> MisereGame:
        lists: list[list[MisereGame]] = []
        starred: list[bool] = []
        totals: list[MisereGame | None] = [None]
        copies, wanted = [1], True
        while self.text[self.at :].strip():
            found = _TOKENS.match(self.text, self.at)
            kind = found.lastgroup if found else None
            if wanted and kind not in ("copies", "heap", "open"):
                if found is not None and found["mark"] == "]" and lists and totals[-1] is None and not lists[-1]:
                    kind = "mark"  # an empty list
                else:
                    self._add(totals, copies, self._other())
                    wanted = False
                    continue
            if found is None or (not wanted and kind != "mark"):
                self.wrong("expected +, a comma or ]")
            self.at = found.end()
            match kind:
                case "copies":
                    copies[-1] = int(found["copies"][:9])
                    if copies[-1] > MOST_COPIES:
                        self.wrong(f"more than {MOST_COPIES} copies of a game")
                case "heap":
                    digits = found["heap"].lstrip("*")
                    self._add(totals, copies, heap(int((digits or "1")[:9])))
                    wanted = False
                case "open":
                    lists.append([])
                    starred.append("*" in found["open"])
                    totals.append(None)
                    copies.append(1)
                case _:
                    wanted = self._mark(found["mark"], lists, starred, totals, copies)
        if lists:
            self.wrong("expected ]")
        if wanted or totals[0] is None:
            self.wrong("expected a game such as *2 or *[[2],0]")
        return totals[0]

    def _mark(
        self,
        mark: str,
        lists: list[list[MisereGame]],
        starred: list[bool],
        totals: list[MisereGame | None],
        copies: list[int],
    ) -> bool:
        """Takes a plus, a comma or a bracket that closes; says whether a game must follow."""
        if mark == "+":
            return True
        if not lists:
            self.wrong(f"unexpected {mark}")
        total = totals.pop()
        if total is not None:
            lists[-1].append(total)
        if mark == ",":
            totals.append(None)
            return True
        copies.pop()
        games = lists.pop()
        self._add(totals, copies, games[0] if starred.pop() and len(games) == 1 else game_of(games))
        return False

    def _add(self, totals: list[MisereGame | None], copies: list[int], game: MisereGame) -> None:
        for _ in range(copies[-1]):
            before = totals[-1]
            totals[-1] = game if before is None else before + game
        copies[-1] = 1

    def _other(self) -> MisereGame:
        """A term that somebody else knows."""
        found = re.compile(r"\s*([^\s+,\[\]]+)").match(self.text, self.at)
        if found is None or self.known is None:
            self.wrong("expected a game such as *2 or *[[2],0]")
        game = self.known(found[1])
        self.at = found.end()
        return game
