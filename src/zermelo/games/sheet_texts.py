"""The texts of the library's rulesheets: files in ``games/rulesheets``, and other sizes of them made on demand.

Every ``NAME.kif`` in that folder is a game of the library. Its first comment lines say what it is, one ``key: text``
each, where an indented comment line continues the one before::

    ; title: Connect four
    ; summary: drop discs into columns; a straight line of them wins
    ; variant: 6 rows, 7 columns, four in a line; x drops first
    ; arguments: R,C,K (rows, columns, discs in a line)
    ; size: 86 facts, 16 moves

A comment ``; section: NAME`` opens a part of the file. Games that take arguments are made from the same file by
writing other facts into some of its sections (:mod:`zermelo.games.sheet_sizes`), so that there is one text of the
rules. What the text says is for readers to find out, that of the engines and that of the checker.

>>> "connectfour" in rulesheet_names()
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from zermelo import games
from zermelo.errors import ArgumentError, UnknownGameError, one_line
from zermelo.files import read_text

_FOLDER = Path(games.__file__).parent / "rulesheets"
_KEY = re.compile(r";\s{0,1}(?P<key>[a-z]+):\s*(?P<text>.*)")
_MORE = re.compile(r";\s{2,}(?P<text>\S.*)")
LARGEST_VIEW = 1 << 20
"""Bytes of a stylesheet."""
_SIZE = re.compile(r"(?P<facts>\d+) facts, (?P<moves>\d+) moves")
_ROLE = re.compile(r"^\(role (?P<name>\w+)\)", re.MULTILINE)
_SECTION = re.compile(r"^; section: (?P<name>\w+)\n", re.MULTILINE)


@dataclass(frozen=True)
class SheetEntry:
    """A rulesheet of the library, as its first comment lines describe it.

    ``arguments`` says how to ask for other sizes, and is empty where there are none; ``golden`` is where the recorded
    line of play in the tests comes from; ``facts`` and ``moves`` are the numbers of those in the ground game.
    """

    name: str
    title: str
    summary: str
    variant: str = ""
    arguments: str = ""
    golden: str = ""
    roles: tuple[str, ...] = ()
    facts: int = 0
    moves: int = 0

    @property
    def usage(self) -> str:
        """How a target that names this game is written.

        >>> rulesheet_entry("nim").usage, rulesheet_entry("othello").usage
        ('gdl:nim[:H,H,...]', 'gdl:othello')
        """
        form = self.arguments.split(" (")[0]
        return f"gdl:{self.name}[:{form}]" if form else f"gdl:{self.name}"


def rulesheet_names() -> list[str]:
    """The names of all rulesheets in the library, in order.

    >>> names = rulesheet_names()
    >>> names == sorted(names), "chess" in names
    (True, True)
    """
    return sorted(path.stem for path in _FOLDER.glob("*.kif"))


def rulesheet_entry(name: str) -> SheetEntry:
    """What the library knows of a rulesheet without reading its rules.

    >>> rulesheet_entry("tictactoe").title
    'Tic-tac-toe'
    >>> rulesheet_entry("tictactow")
    Traceback (most recent call last):
        ...
    zermelo.errors.UnknownGameError: unknown rulesheet 'tictactow': did you mean tictactoe?
    """
    text = _file_text(name)
    said = _header(text.splitlines())
    size = _SIZE.fullmatch(said.get("size", ""))
    return SheetEntry(
        name,
        title=said.get("title", name),
        summary=said.get("summary", ""),
        variant=said.get("variant", ""),
        arguments=said.get("arguments", ""),
        golden=said.get("golden", ""),
        roles=tuple(_ROLE.findall(text)),
        facts=int(size["facts"]) if size else 0,
        moves=int(size["moves"]) if size else 0,
    )


def rulesheet_entries() -> list[SheetEntry]:
    """Every rulesheet of the library, by name.

    >>> all(entry.summary for entry in rulesheet_entries())
    True
    """
    return [rulesheet_entry(name) for name in rulesheet_names()]


def rulesheet_text(name: str, arguments: str = "") -> str:
    """The KIF text of a library rulesheet, in another size if there are arguments.

    >>> "(last_column c)" in rulesheet_text("hex", "3")
    True
    >>> rulesheet_text("checkers", "8")
    Traceback (most recent call last):
        ...
    zermelo.errors.ArgumentError: gdl:checkers:8:1:14: no arguments expected: gdl:checkers
    """
    text = _file_text(name)
    if not arguments:
        return text
    from zermelo.games.sheet_sizes import MAKERS

    target = f"gdl:{name}:{arguments}"
    maker = MAKERS.get(name)
    if maker is None:
        raise ArgumentError(f"no arguments expected: gdl:{name}", file=target, line=1, column=len(name) + 6)
    made = maker(arguments)
    for section, facts in made.sections.items():
        text = _with_section(text, section, facts)
    return _with_variant(text, made.variant)


def view_text(file: str) -> tuple[str, str] | None:
    """The stylesheet that belongs to a rulesheet and its name: of the library, or beside a file; ``None`` without one.

    >>> view_text("gdl:nim:3,4")[1], view_text("no/such.kif")
    ('gdl:nim.view.toml', None)
    """
    name = file.removeprefix("gdl:").partition(":")[0]
    path = _FOLDER / f"{name}.view.toml" if file.startswith("gdl:") else Path(file).with_suffix(".view.toml")
    if name not in rulesheet_names() if file.startswith("gdl:") else not Path(file).is_file():
        return None
    if not path.is_file():
        return None
    shown = f"gdl:{name}.view.toml" if file.startswith("gdl:") else str(path)
    return read_text(str(path), "stylesheet", LARGEST_VIEW), shown


@cache
def _file_text(name: str) -> str:
    names = rulesheet_names()
    if name not in names:
        near = get_close_matches(name, names, 1)
        hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(names)}"
        raise UnknownGameError(f"unknown rulesheet {name!r}: {hint}")
    return (_FOLDER / f"{name}.kif").read_text(encoding="utf-8")


def _header(lines: Iterable[str]) -> dict[str, str]:
    said: dict[str, str] = {}
    key = None
    for line in lines:
        if match := _KEY.fullmatch(line):
            key = match["key"]
            said[key] = match["text"].strip()
        elif key is not None and (match := _MORE.fullmatch(line)):
            said[key] += " " + match["text"].strip()
        else:
            break
    return said


def _with_section(text: str, section: str, facts: str) -> str:
    marks = list(_SECTION.finditer(text))
    place = next(i for i, mark in enumerate(marks) if mark["name"] == section)
    end = marks[place + 1].start() if place + 1 < len(marks) else len(text)
    return f"{text[: marks[place].end()]}{facts.rstrip()}\n\n{text[end:]}"


def _with_variant(text: str, variant: str) -> str:
    """The text with another variant in its header; what else is about the file as it stands goes."""
    lines = text.splitlines(keepends=True)
    kept: list[str] = []
    skipping = False
    for place, line in enumerate(lines):
        match = _KEY.fullmatch(line.rstrip("\n"))
        if match is None and not (skipping and _MORE.fullmatch(line.rstrip("\n"))):
            return "".join(kept) + f"; variant: {one_line(variant)}\n" + "".join(lines[place:])
        if match is not None:
            skipping = match["key"] in ("variant", "arguments", "size", "golden")
        if not skipping:
            kept.append(line)
    return text
