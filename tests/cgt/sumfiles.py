"""Reads test files of the Minimax-based Combinatorial Game Solver: sums of games, and what is claimed of them.

``[game]`` opens a section, in which texts between blanks, or in parentheses, are summands; ``cgt: ... :cgt`` is a
summand written with brackets. A command in braces ends the sum: ``{B win, W loss}`` says who wins if Black (Left) or
White (Right) begins, ``{N 3}`` the nim-value, ``{thermograph L: ... R: ...}`` the turning points of the walls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import xor
from pathlib import Path

from zermelo.cgt.boards.board_value import value_of_board
from zermelo.cgt.boards.ruleset import IMPARTIAL, is_ruleset, ruleset_named
from zermelo.cgt.values.value import Value, nimber, number, switch, ups, value_of
from zermelo.limits import Limits

TOKEN = re.compile(
    r"(?P<comment>/\*.*?\*/)|\[(?P<section>[^\]]*)\]|\{(?P<command>[^}]*)\}|\((?P<bracketed>[^()]*)\)"
    r"|cgt:(?P<literal>.*?):cgt|(?P<game>[^\s\[\]{}()]+)",
    re.DOTALL,
)
RULESETS = {
    "clobber_1xn": "clobber",
    "nogo_1xn": "nogo",
    "toppling_dominoes": "dominoes",
    "gen_toads": "gentoads",
    "cannibal_clobber": "cannibal",
}
"""Sections whose rules have another name here."""

MOST_NODES = 250_000
"""Boards that need more are left open."""

Walls = dict[str, list[tuple[Fraction, Fraction]]]
"""For L and R the turning points (value, t) of a wall, from t = -1 up."""


@dataclass(frozen=True)
class Case:
    """A sum with the claims about it, and the line on which they stand."""

    line: int
    summands: tuple[tuple[str, str], ...]
    """Sections and texts; the section of a literal is ``cgt``."""
    wins: tuple[tuple[str, bool], ...] = ()
    """Whether B or W wins when moving first."""
    nim_value: int | None = None
    walls: Walls | None = None

    @property
    def sections(self) -> set[str]:
        return {section for section, _ in self.summands}


def cases_of(path: Path) -> Iterator[Case]:
    """The sums of a file that something is claimed of."""
    text = path.read_text(encoding="utf-8")
    section, summands = "", []
    for match in TOKEN.finditer(text):
        kind, content = match.lastgroup, (match[match.lastgroup] if match.lastgroup else "").strip()
        if kind == "section":
            section = content
        elif kind in ("game", "bracketed"):
            summands.append((section, content))
        elif kind == "literal":
            summands.append(("cgt", content))
        elif kind == "command" and not content.startswith("version"):
            yield _case(text.count("\n", 0, match.start()) + 1, tuple(summands), content)
            summands = []


def _case(line: int, summands: tuple[tuple[str, str], ...], command: str) -> Case:
    if command.startswith("thermograph"):
        _, left, right = re.split("[LR]:", command)
        return Case(line, summands, walls={"L": _points(left), "R": _points(right)})
    wins, nim_value = [], None
    for claim in (part.split() for part in command.split(",")):
        if len(claim) == 2 and claim[0] in "BW":
            wins.append((claim[0], {"win": True, "loss": False}[claim[1]]))
        elif len(claim) == 2 and claim[0] == "N":
            nim_value = int(claim[1])
        else:
            assert claim[0] in ("B", "W", "N") and len(claim) == 1, f"line {line}: {claim}"
    return Case(line, summands, tuple(wins), nim_value)


def _points(text: str) -> list[tuple[Fraction, Fraction]]:
    return [(Fraction(value), Fraction(t)) for value, t in re.findall(r"\(\s*([^,\s]+)\s*,\s*([^)\s]+)\s*\)", text)]


def _ruleset_name(section: str) -> str:
    impartial, _, name = section.rpartition(" ")
    known = RULESETS.get(name, name)
    if impartial != "impartial" or ruleset_named(known).impartial:
        return known
    return "cram" if known == "domineering" else f"{IMPARTIAL}{known}"


def is_known(section: str) -> bool:
    """Are the rules of a section among ours?"""
    name = section.rpartition(" ")[2]
    return section == "cgt" or section in LITERALS or is_ruleset(RULESETS.get(name, name))


def _fractions(text: str) -> list[Fraction]:
    return [Fraction(part.replace(" ", "")) for part in re.findall(r"-?\d+(?:\s*/\s*\d+)?", text)]


def _up_star(text: str) -> Value:
    return ups(sum(int(count) for count in re.findall(r"-?\d+", text))) + nimber(text.count("*"))


LITERALS = {
    "integer_game": lambda text: number(int(text)),
    "dyadic_rational": lambda text: number(_fractions(text)[0]),
    "nimber": lambda text: nimber(int(text)),
    "switch_game": lambda text: switch(*_fractions(text)),
    "up_star": _up_star,
}
"""Sections whose texts are values."""


def sum_value(case: Case) -> Value:
    """What the summands are worth together; ``LimitReachedError`` where that takes long."""
    total = number(0)
    for section, text in case.summands:
        if section == "cgt":
            total += value_of(text)
        elif section in LITERALS:
            total += LITERALS[section](text)
        else:
            ruleset = ruleset_named(_ruleset_name(section))
            total += value_of_board(ruleset, [ruleset.parse(text, section)], Limits(nodes=MOST_NODES))
    return total


def sum_nim_value(case: Case) -> int:
    """The nim-value of the summands together; each must have one."""
    found = []
    for section, text in case.summands:
        if section == "nimber":
            found.append(int(text))
        else:
            name = _ruleset_name(section)
            ruleset = ruleset_named(name)
            worth = value_of_board(ruleset, [ruleset.parse(text, section)]).nimber
            assert worth is not None
            found.append(worth)
    return reduce(xor, found, 0)
