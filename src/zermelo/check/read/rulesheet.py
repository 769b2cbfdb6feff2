"""Rulesheets as the checker reads them: in KIF or in infix syntax, valid, and as a game of its own.

>>> from zermelo.source import Source
>>> text = "(role a) (init p) (legal a wait) (<= terminal (not (true p))) (goal a 50)"
>>> sheet = read(Source("rulesheet", text, "small.kif"))
>>> sheet.game().moves(("p",)), sheet.canonical()[:29]
(['wait'], '[["role","a"]],[["init","p"]]')
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import Any, Final

from zermelo.check.read.kif import rules_of_kif
from zermelo.check.sheets.play import SheetGame
from zermelo.check.sheets.rules import Rule, Sheet
from zermelo.check.sheets.terms import Term
from zermelo.check.sheets.valid import need_valid
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.source import Source

MOST_CHARACTERS: Final = 64 << 20
INFIX_SUFFIXES: Final = (".pl", ".pro", ".prolog", ".hrf", ".infix", ".lp")
_INFIX = re.compile(
    r"(?:\s+|[;%][^\n]*|/\*.*?\*/)*+(?:'[^'\n]*'|[^\s()'.,;]+?)\s*(?:[(.←]|:-|<=|<-|\\leftarrow)", re.DOTALL
)
"""How infix begins, after blanks and comments: a name, then its arguments, a full stop or an arrow."""


@dataclass(frozen=True)
class Rulesheet:
    """The checker's reading of a rulesheet; ``InputError`` for one without a meaning."""

    sheet: Sheet

    def __post_init__(self) -> None:
        need_valid(self.sheet)

    def canonical(self) -> str:
        """The rules in their order, each with its variables numbered as they come."""
        return ",".join(json.dumps(_numbered(rule), separators=(",", ":")) for rule in self.sheet.rules)

    def game(self) -> Game:
        """The game, with the keys and texts of moves that certificates use."""
        return self._game

    @cached_property
    def _game(self) -> SheetGame:
        return SheetGame(self.sheet)


def read(source: Source) -> Rulesheet:
    """The rulesheet that a text states; ``InputError`` where it states none, or one without a meaning."""
    text = source.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if match := re.search("[\0\ud800-\udfff]", text):
        before, what = text[: match.start()], "a zero byte" if match[0] == "\0" else "half of a surrogate pair"
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise InputError(f"{what}, expected text", file=source.name, line=line, column=column)
    if len(text) > MOST_CHARACTERS:
        raise InputError(f"larger than {MOST_CHARACTERS >> 20} MB, expected a rulesheet", file=source.name)
    sheet = Sheet(tuple(_rules_of(text, source.name)), source.name)
    if not sheet.rules:
        raise InputError("there is no rule in it, expected a rulesheet", file=source.name)
    made = Rulesheet(sheet)
    made.game()  # a sheet without a role to play is refused here
    return made


def _rules_of(text: str, name: str) -> list[Rule]:
    """By the syntax that the file's name tells, else by that of KIF unless the text begins as the infix syntax does."""
    suffix = PurePath(name).suffix.lower()
    if suffix == ".kif" or not (suffix in INFIX_SUFFIXES or _INFIX.match(text)):
        return rules_of_kif(text, name)
    from zermelo.check.read.infix import rules_of_infix  # who checks a sheet in KIF need not trust it

    return rules_of_infix(text, name)


def _numbered(rule: Rule) -> Any:
    """A rule as lists, its variables by the order in which they come."""
    numbers: dict[str, str] = {}

    def renamed(term: Term) -> Any:
        if isinstance(term, tuple):
            return [term[0], *map(renamed, term[1:])]
        return numbers.setdefault(term, f"?{len(numbers)}") if term.startswith("?") else term

    return [renamed(part) for part in (rule.head, *rule.body)]
