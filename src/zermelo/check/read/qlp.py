"""QLP files, read for the checker: terms are looked for one after the other, in all the ways that they can be read.

The rules are those of ``docs/formats/qlp.md``. An expression is a sequence of terms with signs before them. Where one
begins, all that it could be is found behind which a sign or the end follows. One is the meaning; none is an error; two
are refused as ambiguous, but for what is a variable or a plain number where only terms belong.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import NoReturn

from zermelo.check.quantified import DIGITS, AtMost, QuantifiedProgram, Role, Variable, at_most, sound
from zermelo.check.read.textlines import lines_of
from zermelo.errors import InputError
from zermelo.source import Source

KEYWORDS = {
    "MINIMIZE": "objective",
    "MAXIMIZE": "objective",
    "SUBJECT TO": "rows",
    "UNCERTAINTY SUBJECT TO": "own",
    "BOUNDS": "bounds",
    "GENERALS": "integers",
    "GENERAL": "integers",
    "INTEGERS": "integers",
    "BINARIES": "binaries",
    "BINARY": "binaries",
    "EXISTS": "exists",
    "ALL": "forall",
    "ORDER": "order",
    "END": "end",
}
CONSTANT = -1
"""In the place of a variable: a plain number."""
NOWHERE = (0, 0)
"""In the place of a section that is not there: where a text without a letter begins and ends."""
INFINITE = ("INF", "INFINITY")
RESERVED = {word.split()[0] for word in KEYWORDS} | {*INFINITE}
Reading = tuple[str, str, int]
"""One way to read a term: a number as it is written or none, a variable or none, and where the term ends."""

LETTER = r"[^\s+\-*/<>=:^\\]"
NAME = rf"(?![0-9.]){LETTER}+"
# Each digit and blank can be taken in one way only, so that a long text of them is no work.
PLAIN = r"(?:[0-9]+/[0-9]+|[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
POWER = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]+"
NUMBER = f"{PLAIN}|{POWER}"
TIMES = r"(?:\s*\*)?\s*"
WAYS = [
    re.compile(f"(?P<number>{number}){between}(?P<name>{name})")
    for number, between, name in (
        ("", "", NAME),
        (PLAIN, "", ""),
        (PLAIN, TIMES, NAME),
        (POWER, "", ""),
        (POWER, TIMES, NAME),
    )
]
"""What a term can be."""
LABEL = re.compile(rf"\s*({LETTER}+)[^\S\n]*:")
COMMENT = re.compile(r"/\*(?:.*?\*/)?|(?://|\\)[^\r\n]*", re.DOTALL)
SIGNS = re.compile(r"[\s+-]*")
SIGN_OR_END = re.compile(r"\s*(?:[+-]|\Z)")
RELATION = re.compile(r"<=|>=|=")


def read(source: Source) -> QuantifiedProgram:
    """The program that a text states; ``InputError`` where it states none.

    >>> text = "MINIMIZE\\n2e2 + x\\nBINARIES\\ne2 x\\nEXISTS\\ne2 x\\nORDER\\ne2 x\\nEND"
    >>> [(number, str(coefficient)) for number, coefficient in read(Source("qlp", text, "small.qlp")).goal]
    [(0, '2'), (1, '1')]
    """
    text = COMMENT.sub(lambda found: _blanks(found, source.name), source.text)
    return _Text("\n".join(lines_of(replace(source, text=text))), source.name).program()


def _blanks(comment: re.Match[str], file: str) -> str:
    """What stands in the place of a comment, so that all else stays where it is."""
    if comment[0] == "/*":
        line = len(re.findall(r"\r\n|\r|\n", comment.string[: comment.start()])) + 1
        raise InputError("the comment is not closed, expected */", file=file, line=line)
    return re.sub(r"[^\r\n]", " ", comment[0])


class _Text:
    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self.parts: dict[str, tuple[int, int]] = {}
        """Of each section: where its text begins and ends."""
        self.order: dict[str, int] = {}
        """The variables, numbered in the order of the prefix."""
        self.bounds: dict[tuple[str, bool], Fraction | None] = {}
        """By variable, lower bounds under ``False`` and upper ones under ``True``; ``None`` is no bound."""

    def program(self) -> QuantifiedProgram:
        self.find_sections()
        if "order" not in self.parts:
            self.fail("there is no ORDER", 0)
        places = self.names("order")
        self.order = {name: number for number, name in enumerate(places)}
        self.read_bounds()
        variables, (begin, end) = self.variables(places), self.parts["objective"]
        if label := LABEL.match(self.text, begin, end):
            begin = label.end()
        goal = self.sum(begin, end, terms_only=True) if self.text[begin:end].strip() else []
        rows, own = list[AtMost](), list[AtMost]()
        for name, made in self.rows("rows"):
            (own if name.startswith("U_") else rows).extend(made)
        own += [row for _, made in self.rows("own") for row in made]
        (form,) = _moved(goal, "<=")
        program = QuantifiedProgram(variables, tuple(rows), tuple(own), form.terms, -form.right, self.maximise)
        try:
            return sound(program)
        except InputError as error:
            raise InputError(error.message, file=self.file) from None

    def find_sections(self) -> None:
        found = list[tuple[str, int, int]]()
        for begin, line in self.lines((0, len(self.text))):
            words = " ".join(line.split())
            if _is_one_of(KEYWORDS, words):
                found.append((words.upper(), begin, begin + len(line)))
        if not found or KEYWORDS[found[0][0]] != "objective" or self.text[: found[0][1]].strip():
            self.fail("expected MINIMIZE or MAXIMIZE alone on the first line", len(self.text) - len(self.text.lstrip()))
        if found[-1][0] != "END" or self.text[found[-1][2] :].strip():
            self.fail("expected END alone on the last line", found[-1][2])
        for (keyword, place, begin), (_, end, _) in pairwise(found):
            if KEYWORDS[keyword] in self.parts or keyword == "END":
                self.fail(f"{keyword} a second time", place)
            self.parts[KEYWORDS[keyword]] = (begin, end)
        self.maximise = found[0][0] == "MAXIMIZE"

    def lines(self, part: tuple[int, int]) -> Iterator[tuple[int, str]]:
        """Where lines begin, and what they are."""
        return ((line.start(), line[0]) for line in re.compile(r"[^\n]+").finditer(self.text, *part))

    def names(self, section: str) -> dict[str, int]:
        """The names in a list, each with its place; all are variables."""
        found: dict[str, int] = {}
        for word in re.compile(r"\S+").finditer(self.text, *self.parts.get(section, NOWHERE)):
            name = word[0]
            if not re.fullmatch(NAME, name) or not name.isprintable() or _is_one_of(RESERVED, name) or name in found:
                self.fail(f"{name[:40]!r}, expected the name of a variable that is not there yet", word.start())
            if section != "order" and name not in self.order:
                self.fail(f"{name[:40]!r} is not in ORDER", word.start())
            found[name] = word.start()
        return found

    def variables(self, places: Mapping[str, int]) -> tuple[Variable, ...]:
        exists, forall, integers, binaries = map(self.names, ("exists", "forall", "integers", "binaries"))
        made = []
        for name, place in places.items():
            if (name in exists) == (name in forall):
                self.fail(f"{name!r} is not in one of EXISTS and ALL", place)
            binary = name in binaries
            if not binary and not {(name, False), (name, True)} <= self.bounds.keys():
                self.fail(f"{name!r} has not a lower and an upper bound", place)
            lower = self.bounds.get((name, False), Fraction(0))
            upper = self.bounds.get((name, True), Fraction(1))
            if binary and (lower is None or lower < 0 or upper is None or upper > 1):
                self.fail(f"the binary variable {name!r} has bounds beyond 0 and 1", place)
            role: Role = "exists" if name in exists else "forall"
            made.append(Variable(name, role, binary or name in integers, lower, upper))
        return tuple(made)

    def read_bounds(self) -> None:
        for place, line in self.lines(self.parts.get("bounds", NOWHERE)):
            if not line.strip():
                continue
            sides, relations = [side.strip() for side in RELATION.split(line)], RELATION.findall(line)
            named = [n for n, side in enumerate(sides) if re.fullmatch(NAME, side) and not _is_one_of(INFINITE, side)]
            if (len(sides), *named) not in ((2, 0), (2, 1), (3, 1)) or (len(sides) == 3 and "=" in relations):
                self.fail("expected a bound: l <= x <= u, x <= u, x >= l or x = v", place)
            (middle,) = named
            name = sides[middle]
            if name not in self.order:
                self.fail(f"{name[:40]!r} has a bound but is not in ORDER", place)
            for n, relation in enumerate(relations):
                right = n == middle  # whether the number stands to the right of the variable
                for upper in (False, True):
                    if relation == "=" or upper == ((relation == "<=") == right):
                        self.set_bound(name, upper, sides[n + right], place)

    def set_bound(self, name: str, upper: bool, side: str, place: int) -> None:
        """A number with its sign, or infinity."""
        word = SIGNS.sub("", side, 1)
        negative = side[: len(side) - len(word)].count("-") % 2
        if (name, upper) in self.bounds:
            self.fail(f"{name!r} has that bound already", place)
        if _is_one_of(INFINITE, word) and negative != upper:
            self.bounds[name, upper] = None
        elif re.fullmatch(NUMBER, word):
            self.bounds[name, upper] = (-1) ** negative * self.number(word, place)
        else:
            self.fail(f"expected a number for the bound of {name!r}, or inf above or -inf below", place)

    def rows(self, section: str) -> Iterator[tuple[str, tuple[AtMost, ...]]]:
        """The name of each row, and what it says; it ends with the line on which the relation is."""
        name, begin = "", -1
        for first, line in self.lines(self.parts.get(section, NOWHERE)):
            label = LABEL.match(line)
            if label is not None and begin >= 0:
                self.fail("a row begins, but the one before has no relation", first)
            if label is not None:
                name, begin = label[1], first + label.end()
            elif begin < 0 and line.strip():
                begin = first
            if relation := RELATION.search(line):
                right = self.sum(first + relation.end(), first + len(line))
                numbers_only = all(variable == CONSTANT for variable, _ in right)
                left = self.sum(begin, first + relation.start(), terms_only=numbers_only)
                yield name, _moved([*left, *((variable, -number) for variable, number in right)], relation[0])
                name, begin = "", -1
        if begin >= 0:
            self.fail("the row has no relation", begin)

    def sum(self, place: int, end: int, *, terms_only: bool = False) -> list[tuple[int, Fraction]]:
        """The terms of an expression, plain numbers among them."""
        terms = list[tuple[int, Fraction]]()
        stop = len(self.text[place:end].rstrip()) + place
        while place < stop or not terms:
            signs = SIGNS.match(self.text, place, stop)
            begin = signs.end() if signs else place
            number, name, after = self.term(begin, stop, terms_only)
            value = self.number(number or "1", begin) * (-1) ** self.text.count("-", place, begin)
            terms.append((self.order[name] if name else CONSTANT, value))
            place = after
        return terms

    def term(self, begin: int, stop: int, terms_only: bool) -> Reading:
        """The one way to read the term that begins at a place."""
        found = [reading for reading in self.readings(begin, stop) if SIGN_OR_END.match(self.text, reading[2], stop)]
        if not found:
            self.fail("expected a term: a number, a declared variable, or both, and then a sign or the end", begin)
        if terms_only and len({end for _, _, end in found}) == 1:
            found = [reading for reading in found if reading[1]] or found
        if len(found) > 1:
            ways = [f"{n or 1} times the variable {name}" if name else f"the number {n}" for n, name, _ in found]
            self.fail(f"{self.text[begin : found[0][2]]!r:.60} is {', or '.join(ways)}", begin)
        return found[0]

    def readings(self, begin: int, stop: int) -> Iterator[Reading]:
        """All terms that could begin at a place, whatever follows."""
        for way in WAYS:
            found = way.match(self.text, begin, stop)
            if found and (not found["name"] or found["name"] in self.order):
                yield found["number"], found["name"], found.end()

    def number(self, word: str, place: int) -> Fraction:
        """What a number is; one that would be huge is refused before it is computed."""
        above, _, below = word.partition("/")
        decimal, _, power = above.lower().partition("e")
        whole, _, decimals = decimal.partition(".")
        digits = power.lstrip("+-").lstrip("0")
        if max(map(len, (whole, decimals, below))) > DIGITS or len(digits) > 3 or int(digits or 0) > DIGITS:
            self.fail(f"the number {word[:40]!r} is too long, expected at most {DIGITS} digits", place)
        if below and int(below) == 0:
            self.fail(f"the number {word[:40]!r} divides by 0", place)
        exponent = (-1 if power.startswith("-") else 1) * int(digits or 0) - len(decimals)
        number = Fraction(int(whole + decimals), int(below or 1)) * Fraction(10) ** exponent
        if max(number.numerator, number.denominator) >= 10**DIGITS:
            self.fail(f"the number {word[:40]!r} has more than {DIGITS} digits", place)
        return number

    def fail(self, message: str, place: int) -> NoReturn:
        line, column = self.text.count("\n", 0, place) + 1, place - self.text.rfind("\n", 0, place)
        raise InputError(message, file=self.file, line=line, column=column)


def _moved(terms: Sequence[tuple[int, Fraction]], relation: str) -> tuple[AtMost, ...]:
    """The row that terms and numbers on its left side state."""
    constant = sum((number for variable, number in terms if variable == CONSTANT), Fraction(0))
    return at_most([term for term in terms if term[0] != CONSTANT], relation, -constant)


def _is_one_of(words: Collection[str], name: str) -> bool:
    """Whether it is one of the words, in capitals or not."""
    return name.isascii() and name.upper() in words
