"""QLP files, read for the checker: terms are looked for one after the other, in all the ways that they can be read.

The rules are those of ``docs/formats/qlp.md``. An expression is a sequence of terms with signs before them. Where one
begins, all that it could be is found behind which a sign or the end follows. One is the meaning; none is an error; two
are refused as ambiguous, but for what is a variable or a plain number where only terms belong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NoReturn

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
RESERVED = {word.split()[0] for word in KEYWORDS} | {"INF", "INFINITY"}

LETTER = r"[^\s+\-*/<>=:^\\]"
NAME = re.compile(rf"(?![0-9.]){LETTER}+")
LABEL = re.compile(rf"[^\S\n]*({LETTER}+)[^\S\n]*:")
# Each digit can be taken in one way only, so that a long number without an exponent is no work.
PLAIN = re.compile(r"[0-9]+/[0-9]+|[0-9]+(?:\.[0-9]*)?|\.[0-9]+")
POWER = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]+")
SIGNS = re.compile(r"[\s+-]*")
TIMES = re.compile(r"\s*\*?\s*")
SIGN_OR_END = re.compile(r"\s*(?:[+-]|\Z)")
RELATION = re.compile(r"<=|>=|=")


def read(source: Source) -> QuantifiedProgram:
    """The program that a text states; ``InputError`` where it states none.

    >>> text = "MINIMIZE\\n2e2 + x\\nBINARIES\\ne2 x\\nEXISTS\\ne2 x\\nORDER\\ne2 x\\nEND"
    >>> [(number, str(coefficient)) for number, coefficient in read(Source("qlp", text, "small.qlp")).goal]
    [(0, '2'), (1, '1')]
    """
    plain = replace(source, text=_without_comments(source.text, source.name))
    return _Text("\n".join(lines_of(plain)), source.name).program()


def of_game(game: Any) -> QuantifiedProgram:
    """The same of a program that the engines have read, or that was made in Python."""
    from zermelo.check.read import models  # texts are read without it

    return models.of_game(game)


def _without_comments(text: str, file: str) -> str:
    """The text with blanks in the place of comments."""
    kept, place = list[str](), 0
    while begin := re.compile(r"//|\\|/\*").search(text, place):
        kept.append(text[place : begin.start()])
        long = begin.group() == "/*"
        end = re.compile(r"\*/" if long else r"(?=[\r\n])|\Z").search(text, begin.end())
        if end is None:
            line = len(re.findall(r"\r\n|\r|\n", text[: begin.start()])) + 1
            raise InputError("the comment is not closed, expected */", file=file, line=line)
        kept.append("".join(c if c in "\r\n" else " " for c in text[begin.start() : end.end()]))
        place = end.end()
    return "".join((*kept, text[place:]))


@dataclass(frozen=True)
class _Reading:
    """One way to read a term: a number as it is written, a variable or none, and where the term ends."""

    number: str
    name: str
    end: int

    def __str__(self) -> str:
        return f"{self.number or 1} times the variable {self.name}" if self.name else f"the number {self.number}"


class _Text:
    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self.numbers: dict[str, Fraction] = {}
        """What numbers are, by how they are written: most stand in a text many times."""
        self.maximise = False
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
        self.order = {name: number for number, name in enumerate(self.names("order"))}
        self.read_bounds()
        variables = self.variables()
        first, end = self.parts["objective"]
        label = re.compile(rf"\s*{LETTER}+[^\S\n]*:").match(self.text, first, end)
        begin = label.end() if label else first
        goal = self.added(self.sum(begin, end, terms_only=True) if self.text[begin:end].strip() else [], begin)
        constant = goal.pop(CONSTANT, Fraction(0))
        rows, own = list[AtMost](), list[AtMost]()
        for name, made in self.rows("rows"):
            (own if name.startswith("U_") else rows).extend(made)
        own += [row for _, made in self.rows("own") for row in made]
        (form,) = at_most(list(goal.items()), "<=", 0)
        try:
            return sound(QuantifiedProgram(variables, tuple(rows), tuple(own), form.terms, constant, self.maximise))
        except InputError as error:
            raise InputError(error.message, file=self.file) from None

    def find_sections(self) -> None:
        section = ""
        for begin, line in self.lines(0, len(self.text)):
            if not line.strip():
                continue
            words = " ".join(line.split(None, 3))
            keyword = words.upper() if words.isascii() else words
            if section == "end":
                self.fail("more after END", begin)
            if not section and KEYWORDS.get(keyword) != "objective":
                self.fail("expected MINIMIZE or MAXIMIZE alone on the first line", begin)
            if keyword not in KEYWORDS:
                continue
            if section:
                self.parts[section] = (self.parts[section][0], begin)
            section = KEYWORDS[keyword]
            if section in self.parts:
                self.fail(f"{keyword} a second time", begin)
            self.parts[section] = (min(begin + len(line) + 1, len(self.text)), len(self.text))
            self.maximise |= keyword == "MAXIMIZE"
        if section != "end":
            self.fail("expected END alone on the last line", len(self.text))

    def lines(self, first: int, end: int) -> Iterator[tuple[int, str]]:
        """Where lines begin, and what they are."""
        while first < end:
            stop = self.text.find("\n", first, end)
            stop = end if stop < 0 else stop
            yield first, self.text[first:stop]
            first = stop + 1

    def names(self, section: str) -> dict[str, int]:
        """The names in a list, each with its place; all are variables."""
        first, end = self.parts.get(section, (0, 0))
        found: dict[str, int] = {}
        for word in re.compile(r"\S+").finditer(self.text, first, end):
            name = word.group()
            if not NAME.fullmatch(name) or not name.isprintable() or _is_reserved(name) or name in found:
                self.fail(f"{name[:40]!r}, expected the name of a variable that is not there yet", word.start())
            if section != "order" and name not in self.order:
                self.fail(f"{name[:40]!r} is not in ORDER", word.start())
            found[name] = word.start()
        return found

    def variables(self) -> tuple[Variable, ...]:
        exists, forall, integers, binaries = map(self.names, ("exists", "forall", "integers", "binaries"))
        made, place = [], self.parts["order"][0]
        for name in self.order:
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
        for begin, line in self.lines(*self.parts.get("bounds", (0, 0))):
            if not line.strip():
                continue
            sides, relations = RELATION.split(line), RELATION.findall(line)
            words = [side.strip() for side in sides]
            named = [n for n, word in enumerate(words) if NAME.fullmatch(word) and not _is_infinite(word)]
            if (len(sides), *named) not in ((2, 0), (2, 1), (3, 1)) or (len(sides) == 3 and "=" in relations):
                self.fail("expected a bound: l <= x <= u, x <= u, x >= l or x = v", begin)
            (middle,) = named
            name = words[middle]
            if name not in self.order:
                self.fail(f"{name[:40]!r} has a bound but is not in ORDER", begin)
            for n, relation in enumerate(relations):
                right = n == middle  # whether the number stands to the right of the variable
                value = self.bound(sides[n + 1] if right else sides[n], begin)
                for upper in (False, True):
                    if relation == "=" or upper == ((relation == "<=") == right):
                        self.set_bound(name, upper, value, begin)

    def set_bound(self, name: str, upper: bool, value: Fraction | float, place: int) -> None:
        if (name, upper) in self.bounds:
            self.fail(f"{name!r} has that bound already", place)
        if isinstance(value, float) and (value > 0) != upper:
            self.fail(f"nothing is beyond the bound of {name!r}", place)
        self.bounds[name, upper] = None if isinstance(value, float) else value

    def bound(self, side: str, place: int) -> Fraction | float:
        """A number with its sign; plus or minus infinity as a ``float``."""
        signs = SIGNS.match(side)
        begin = signs.end() if signs else 0
        sign, word = 1 - 2 * (side.count("-", 0, begin) % 2), side[begin:].strip()
        if _is_infinite(word):
            return sign * float("inf")
        if not PLAIN.fullmatch(word) and not POWER.fullmatch(word):
            self.fail("expected a number, inf or -inf", place)
        return sign * self.number(word, place)

    def rows(self, section: str) -> Iterator[tuple[str, tuple[AtMost, ...]]]:
        """The name of each row, and what it says; it ends with the line on which the relation is."""
        name = ""
        begin: int | None = None
        for first, line in self.lines(*self.parts.get(section, (0, 0))):
            if (label := LABEL.match(line)) is not None:
                if begin is not None:
                    self.fail("a row begins, but the one before has no relation", first)
                name, begin = label[1], first + label.end()
            elif begin is None and line.strip():
                begin = first
            after_label = label.end() if label is not None else 0
            if begin is None or (relation := RELATION.search(line, after_label)) is None:
                continue
            middle, end = first + relation.start(), first + len(line)
            right = self.sum(first + relation.end(), end)
            left = self.sum(begin, middle, terms_only=all(variable == CONSTANT for variable, _ in right))
            total = self.added([*left, *((variable, -number) for variable, number in right)], begin)
            constant = total.pop(CONSTANT, Fraction(0))
            yield name, at_most(list(total.items()), relation.group(), -constant)
            name, begin = "", None
        if begin is not None:
            self.fail("the row has no relation", begin)

    def added(self, terms: Sequence[tuple[int, Fraction]], place: int) -> dict[int, Fraction]:
        """Terms with those of one variable added up."""
        total: dict[int, Fraction] = {}
        for variable, number in terms:
            total[variable] = self.short(total.get(variable, Fraction(0)) + number, place)
        return total

    def sum(self, place: int, end: int, *, terms_only: bool = False) -> list[tuple[int, Fraction]]:
        """The terms of an expression, plain numbers among them."""
        terms = list[tuple[int, Fraction]]()
        stop = len(self.text[place:end].rstrip()) + place
        while place < stop or not terms:
            signs = SIGNS.match(self.text, place, stop)
            begin = signs.end() if signs else place
            term = self.term(begin, stop, terms_only)
            value = self.numbers.get(term.number) or self.number(term.number or "1", begin)
            self.numbers[term.number] = value
            negative = self.text.count("-", place, begin) % 2
            terms.append((self.order[term.name] if term.name else CONSTANT, -value if negative else value))
            place = term.end
        return terms

    def term(self, begin: int, stop: int, terms_only: bool) -> _Reading:
        """The one way to read the term that begins at a place."""
        found = [reading for reading in self.readings(begin, stop) if SIGN_OR_END.match(self.text, reading.end, stop)]
        if not found:
            self.fail("expected a term: a number, a declared variable, or both, and then a sign or the end", begin)
        if terms_only and len({reading.end for reading in found}) == 1:
            found = [reading for reading in found if reading.name] or found
        if len(found) > 1:
            self.fail(f"{self.text[begin : found[0].end]!r:.60} is {found[0]}, or {found[1]}", begin)
        return found[0]

    def readings(self, begin: int, stop: int) -> Iterator[_Reading]:
        """All terms that could begin at a place, whatever follows."""
        if (name := NAME.match(self.text, begin, stop)) and name.group() in self.order:
            yield _Reading("", name.group(), name.end())
        for kind in (PLAIN, POWER):
            if number := kind.match(self.text, begin, stop):
                yield _Reading(number.group(), "", number.end())
                times = TIMES.match(self.text, number.end(), stop)
                name = NAME.match(self.text, times.end() if times else number.end(), stop)
                if name and name.group() in self.order:
                    yield _Reading(number.group(), name.group(), name.end())

    def number(self, word: str, place: int) -> Fraction:
        """What a number is; one that would be huge is refused before it is computed."""
        above, _, below = word.partition("/")
        decimal, _, power = above.lower().partition("e")
        whole, _, decimals = decimal.partition(".")
        digits = power.lstrip("+-").lstrip("0")
        if max(len(whole), len(decimals), len(below)) > DIGITS or len(digits) > 3 or int(digits or 0) > DIGITS:
            self.fail(f"the number {word[:40]!r} is too long, expected at most {DIGITS} digits", place)
        if below:
            if int(below) == 0:
                self.fail(f"the number {word[:40]!r} divides by 0", place)
            return self.short(Fraction(int(above), int(below)), place)
        exponent = (-1 if power.startswith("-") else 1) * int(digits or 0) - len(decimals)
        return self.short(int(whole + decimals) * Fraction(10) ** exponent, place)

    def short(self, number: Fraction, place: int) -> Fraction:
        if max(abs(number.numerator), number.denominator) >= 10**DIGITS:
            self.fail(f"a number has more than {DIGITS} digits", place)
        return number

    def fail(self, message: str, place: int) -> NoReturn:
        line, column = self.text.count("\n", 0, place) + 1, place - self.text.rfind("\n", 0, place)
        raise InputError(message, file=self.file, line=line, column=column)


def _is_reserved(name: str) -> bool:
    return name.isascii() and name.upper() in RESERVED


def _is_infinite(word: str) -> bool:
    return word.isascii() and word.upper() in ("INF", "INFINITY")
