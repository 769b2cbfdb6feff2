"""The reader of QLP files: see :mod:`zermelo.qip.formats.qlp` for the format."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal, NoReturn

from zermelo.errors import InputError, need
from zermelo.qbf.formula_text import lines_of, shown
from zermelo.qip.programs.program import Objective, Program, Relation, Row, Sense, Terms, Variable
from zermelo.qip.programs.wellformed import DIGITS, Fault, fault, too_long

_SECTIONS: Final[dict[str, str]] = {
    "MINIMIZE": "MINIMIZE",
    "MAXIMIZE": "MAXIMIZE",
    "SUBJECT TO": "SUBJECT TO",
    "UNCERTAINTY SUBJECT TO": "UNCERTAINTY SUBJECT TO",
    "BOUNDS": "BOUNDS",
    "GENERALS": "GENERALS",
    "GENERAL": "GENERALS",
    "INTEGERS": "GENERALS",
    "BINARIES": "BINARIES",
    "BINARY": "BINARIES",
    "EXISTS": "EXISTS",
    "ALL": "ALL",
    "ORDER": "ORDER",
    "END": "END",
}
"""Keywords, and the section that each begins."""

_LISTS: Final = ("GENERALS", "BINARIES", "EXISTS", "ALL", "ORDER")
_INFINITE: Final = frozenset({"INF", "INFINITY"})
UNIVERSAL: Final = "U_"
"""So begin the names of the universal player's rows, whatever section they stand in."""
RESERVED: Final = frozenset(word for keyword in _SECTIONS for word in keyword.split()[:1]) | _INFINITE

NAME = re.compile(r"[^\s0-9.+\-*/<>=:^\\][^\s+\-*/<>=:^\\]*")
ROW_NAME = re.compile(r"[^\s+\-*/<>=:^\\]+")
_LABEL = re.compile(rf"\s*({ROW_NAME.pattern})\s*:")
# Without exponents: whether 2e2 is 200 or twice the variable e2 is decided when all variables are known.
_NUMBER = r"[0-9]+/[0-9]+|[0-9]+\.?[0-9]*|\.[0-9]+"
_TOKEN = re.compile(rf"({_NUMBER})|({NAME.pattern})|([+-])|(<=|>=|=(?!=))|(:)|(\*)|(\S)")
_NUMBER_KIND, _NAME_KIND, _SIGN, _RELATION, _COLON, _STAR, _JUNK = range(1, 8)
_PARTS = re.compile(r"([0-9]*)\.?([0-9]*)(?:[eE]([+-]?)0*([0-9]*))?|([0-9]+)/([0-9]+)")
_COMMENT = re.compile(r"//[^\r\n]*|\\[^\r\n]*|/\*.*?\*/|/\*", re.DOTALL)
_WORD = re.compile(r"\S+")
_MAYBE_EXPONENT = re.compile(r"[0-9.][eE]")
_EXPONENT = re.compile(r"([eE][0-9]+)(.*)", re.DOTALL)
_DIGITS = re.compile(r"[0-9]+")

_ONE: Final = Fraction(1)

_Token = tuple[int, str, int, int]
"""Kind, text, number of the line and column, both from 0."""
_Place = Literal["terms", "any", "bound"]
"""What can stand where a number is: terms by the format of Yasol, anything by ours, a bound."""


def program_of(text: str, file: str) -> Program:
    """The program that a text states; ``InputError`` with the place if it states none.

    >>> program_of("MINIMIZE\\nORDER\\nEND", "none.qlp").variables
    ()
    """
    need(text, str, "program", "a text")
    return _Reader(lines_of(_without_comments(text, file), file), file).program()


def _without_comments(text: str, file: str) -> str:
    """The text with blanks in place of its comments, so that all other characters keep their places."""
    if "/" not in text and "\\" not in text:
        return text

    def blank(match: re.Match[str]) -> str:
        if match.group() == "/*":
            before = text[: match.start()]
            line, column = before.count("\n") + 1, match.start() - before.rfind("\n")
            raise InputError("the comment is not closed, expected */", file=file, line=line, column=column)
        return re.sub(r"[^\r\n]", " ", match.group())

    return _COMMENT.sub(blank, text)


@dataclass
class _Form:
    """A linear expression: coefficients by name, and the constant."""

    coefficients: dict[str, Fraction] = field(default_factory=dict)
    constant: Fraction = Fraction(0)
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Where each variable stands first."""


@dataclass
class _ReadRow:
    name: str
    left: _Form
    relation: Relation
    first: int
    """The line on which it begins."""


@dataclass
class _Bounds:
    named: tuple[int, int]
    place: tuple[int, int]
    lower: Fraction | None = None
    upper: Fraction | None = None
    given: set[str] = field(default_factory=set)


class _Reader:
    def __init__(self, lines: list[str], file: str) -> None:
        self.lines, self.file = lines, file
        self.numbers: dict[str, Fraction] = {}
        self.sense: Sense = "min"
        self.objective = _Form()
        self.rows: dict[str, list[_ReadRow]] = {"SUBJECT TO": [], "UNCERTAINTY SUBJECT TO": []}
        self.bounds: dict[str, _Bounds] = {}
        self.lists: dict[str, dict[str, tuple[int, int]]] = {section: {} for section in _LISTS}
        self.undeclared: tuple[str, int, int] | None = None
        """The first variable of an expression that is not in ORDER, and where it stands."""
        self.begins: dict[str, int] = {}
        """Where the sections begin: the lines of their keywords."""

    def program(self) -> Program:
        self.read_sections()
        self.check_declarations()
        variables = tuple(self.variable(name) for name in self.lists["ORDER"])
        position = {variable.name: number for number, variable in enumerate(variables)}
        objective = Objective(self.sense, _terms(self.objective, position), self.objective.constant)
        plain, uncertain = self.split_rows()
        rows = tuple(_row(row, position) for row in plain)
        uncertainty = tuple(_row(row, position) for row in uncertain)
        program = Program(variables, rows, objective, uncertainty, Path(self.file).stem)
        if (found := fault(program)) is not None:
            self.fail_at(found, program, plain, uncertain)
        return program

    def read_sections(self) -> None:
        """Cuts the text at its keywords and reads each part."""
        begins = [(n, section) for n, line in enumerate(self.lines) if (section := _section(line))]
        first = next((n for n, line in enumerate(self.lines) if line.strip()), None)
        if first is None:
            raise InputError("an empty file, expected MINIMIZE or MAXIMIZE", file=self.file, line=1, column=1)
        if not begins or begins[0][0] != first or begins[0][1] not in ("MINIMIZE", "MAXIMIZE"):
            self.fail(f"found {self.quoted(first)}, expected MINIMIZE or MAXIMIZE alone on its line", first)
        for number, section in begins:
            self.begin_section(number, section)
            if section == "END":
                self.need_nothing_after(number)
                break
        else:
            last = max(n for n, line in enumerate(self.lines) if line.strip())
            self.fail("the file ends without END, expected it alone on the last line", last)
        parts = [(section, number + 1, end) for (number, section), (end, _) in pairwise(begins)]
        # The variables first: how a number that runs into a name is read depends on them.
        for section, first, end in parts:
            if section in _LISTS:
                self.read_names(section, first, end)
        for section, first, end in parts:
            if section not in _LISTS:
                self.read_section(section, first, end)

    def begin_section(self, number: int, section: str) -> None:
        if section == "MAXIMIZE":
            self.sense = "max"
        kind = "the objective" if section in ("MINIMIZE", "MAXIMIZE") else section
        if kind in self.begins:
            self.fail(f"{kind} a second time, first on line {self.begins[kind] + 1}, expected it once", number)
        self.begins[kind] = number

    def need_nothing_after(self, end: int) -> None:
        for number in range(end + 1, len(self.lines)):
            if self.lines[number].strip():
                self.fail(f"found {self.quoted(number)} after END, expected nothing more", number)

    def read_section(self, section: str, first: int, end: int) -> None:
        if section in ("MINIMIZE", "MAXIMIZE"):
            self.read_objective(first, end)
        elif section in self.rows:
            self.read_rows(self.rows[section], first, end)
        else:
            for number in range(first, end):
                if tokens := self.with_exponents(self.tokens(number), "bound"):
                    self.read_bound(tokens)

    def read_names(self, section: str, first: int, end: int) -> None:
        names = self.lists[section]
        for number in range(first, end):
            for match in _WORD.finditer(self.lines[number]):
                name, place = match.group(), (number, match.start())
                if not NAME.fullmatch(name) or not name.isprintable():
                    self.fail(f"found {shown(name)}, expected the name of a variable", *place)
                if names.setdefault(name, place) != place:
                    before = names[name][0] + 1
                    self.fail(f"variable {shown(name)} is in {section} already, on line {before}", *place)

    def read_objective(self, first: int, end: int) -> None:
        tokens: list[_Token] = []
        named = False
        for number in range(first, end):
            label = None if named or tokens else _LABEL.match(self.lines[number])
            named = named or label is not None
            tokens += self.tokens(number, label.end() if label else 0)
        for token in tokens:
            if token[0] == _RELATION:
                self.fail_token(token, "SUBJECT TO alone on a line before the rows")
        if tokens:
            self.add(self.objective, self.with_exponents(tokens, "terms"), 1)

    def read_rows(self, rows: list[_ReadRow], first: int, end: int) -> None:
        pending: list[_Token] = []
        label: re.Match[str] | None = None
        begun = first
        for number in range(first, end):
            fresh = not pending and label is None
            named = _LABEL.match(self.lines[number])
            if fresh:
                label, begun = named, number
            elif named:
                message = f"a row begins here, but the one before it, from line {begun + 1}, has no <=, >= or ="
                self.fail(message, number)
            tokens = self.tokens(number, label.end() if fresh and label else 0)
            pending += tokens
            if any(token[0] == _RELATION for token in tokens):
                rows.append(self.read_row(pending, label.group(1) if label else "", begun))
                pending, label = [], None
        if pending or label:
            self.fail("the row has no relation, expected <=, >= or = and a number", begun)

    def read_row(self, tokens: list[_Token], name: str, begun: int) -> _ReadRow:
        middle = next(n for n, token in enumerate(tokens) if token[0] == _RELATION)
        if not middle:
            self.fail_token(tokens[0], "an expression before it")
        if middle + 1 == len(tokens):
            _, word, line, column = tokens[middle]
            self.fail(f"nothing after {word}, expected a number on the same line", line, column)
        left = _Form()
        right = self.with_exponents(tokens[middle + 1 :], "any")
        as_in_yasol = not any(kind == _NAME_KIND for kind, _, _, _ in right)
        self.add(left, self.with_exponents(tokens[:middle], "terms" if as_in_yasol else "any"), 1)
        self.add(left, right, -1)
        return _ReadRow(name, left, _relation(tokens[middle][1]), begun)

    def add(self, form: _Form, tokens: list[_Token], factor: int) -> None:
        """Adds an expression, times a factor, to a form."""
        signed = 0
        """The sign that waits for its term; 0 where none has been read."""
        number: Fraction | None = None
        starred = False
        complete = False
        """Whether the last term has its variable, so that a sign must come next."""
        for token in tokens:
            kind, word, line, column = token
            if kind == _NAME_KIND:
                if complete:
                    self.fail_token(token, "+ or - before the next term, or a relation")
                number = _ONE if number is None else number
                self.add_term(form, word, number if (signed or factor) == 1 else -number, line, column)
                signed, number, starred, complete = 0, None, False, True
            elif kind == _SIGN:
                if starred:
                    self.fail_token(token, "a variable after *")
                if number is not None:
                    self.add_constant(form, (signed or factor) * number, line, column)
                    signed, number = 0, None
                signed = (signed or factor) * (1 if word == "+" else -1)
                complete = False
            elif kind == _NUMBER_KIND and not complete and number is None:
                number = self.number(word, line, column)
            elif kind == _STAR and number is not None and not starred:
                starred = True
            else:
                self.fail_token(token, _expected_in_term(kind, complete or number is not None))
        _, word, line, column = tokens[-1]
        if starred or (signed and number is None):
            self.fail(f"nothing after {word}, expected a term", line, column)
        if number is not None:
            self.add_constant(form, (signed or factor) * number, line, column)

    def add_term(self, form: _Form, name: str, coefficient: Fraction, line: int, column: int) -> None:
        before = form.coefficients.get(name)
        if before is None:
            if self.undeclared is None and name not in self.lists["ORDER"]:
                self.undeclared = (name, line, column)
            form.coefficients[name] = coefficient
            form.places[name] = (line, column)
            return
        if too_long(total := before + coefficient):
            self.fail(f"the coefficients of {shown(name)} add up to more than {DIGITS} digits", line, column)
        form.coefficients[name] = total

    def add_constant(self, form: _Form, number: Fraction, line: int, column: int) -> None:
        form.constant += number
        if too_long(form.constant):
            self.fail(f"the numbers add up to more than {DIGITS} digits", line, column)

    def read_bound(self, tokens: list[_Token]) -> None:
        """One line: a variable with a number on one side of it or on both."""
        relations = [n for n, token in enumerate(tokens) if token[0] == _RELATION]
        cuts = [-1, *relations, len(tokens)]
        sides = [tokens[a + 1 : b] for a, b in pairwise(cuts)]
        _, _, line, column = tokens[0]
        named = [n for n, side in enumerate(sides) if len(side) == 1 and _is_variable(side[0])]
        if not 2 <= len(sides) <= 3 or len(named) != 1 or (len(sides) == 3 and named[0] != 1):
            self.fail(
                f"found {self.quoted(line)}, expected a bound: l <= x <= u, x <= u, x >= l or x = v", line, column
            )
        middle = named[0]
        _, name, line, column = sides[middle][0]
        bounds = self.bounds.setdefault(name, _Bounds((line, column), (line, column)))
        for n, relation in enumerate(relations):
            other = n if n != middle else n + 1
            value = self.bound_value(sides[other], tokens[relation])
            sign = tokens[relation][1]
            # x >= l and l <= x give a lower bound, x <= u and u >= x an upper one, x = v both.
            if sign == "=" and len(sides) == 3:
                self.fail_token(tokens[relation], "<= or >= between a variable and two bounds")
            if sign == "=" or (sign == ">=") == (other > middle):
                self.set_bound(bounds, "lower", name, value, tokens[relation])
            if sign == "=" or (sign == "<=") == (other > middle):
                self.set_bound(bounds, "upper", name, value, tokens[relation])

    def set_bound(self, bounds: _Bounds, side: str, name: str, value: Fraction | int | None, token: _Token) -> None:
        _, _, line, column = token
        if side in bounds.given:
            self.fail(f"variable {shown(name)} has a {side} bound already, expected one", line, column)
        bounds.given.add(side)
        bounds.place = (line, column)
        endless = -1 if side == "lower" else 1
        if isinstance(value, int):
            if value != endless:
                self.fail(f"the {side} bound of {shown(name)} is {'-' * (value < 0)}inf, expected less", line, column)
            value = None
        if side == "lower":
            bounds.lower = value
        else:
            bounds.upper = value

    def bound_value(self, tokens: list[_Token], relation: _Token) -> Fraction | int:
        """A signed number; 1 or -1 (as ``int``) for infinity and minus infinity."""
        sign = 1
        place = 0
        while place < len(tokens) and tokens[place][0] == _SIGN:
            sign = -sign if tokens[place][1] == "-" else sign
            place += 1
        if place == len(tokens):
            self.fail_token(relation, "a number on either side of it")
        kind, word, line, column = tokens[place]
        if place + 1 < len(tokens):
            self.fail_token(tokens[place + 1], "one number on either side of the variable")
        if kind == _NUMBER_KIND:
            return sign * self.number(word, line, column)
        if kind == _NAME_KIND and _capitals(word) in _INFINITE:
            return sign
        return self.fail_token(tokens[place], "a number, inf or -inf")

    def number(self, word: str, line: int, column: int) -> Fraction:
        """The value of a number, which is exact; those that would be huge are refused before they are computed."""
        known = self.numbers.get(word)
        if known is not None:
            return known
        match = _PARTS.fullmatch(word)
        whole, decimals, sign, power, above, below = match.groups("") if match else ("", "", "", "", "", "")
        if (
            max(len(whole), len(decimals), len(above), len(below)) > DIGITS
            or len(power) > 3
            or int(power or 0) > DIGITS
        ):
            self.fail(f"the number {shown(word)} is too long, expected at most {DIGITS} digits", line, column)
        if below:
            if not int(below):
                self.fail(f"the number {shown(word)} divides by 0", line, column)
            value = Fraction(int(above), int(below))
        else:
            exponent = int(sign + (power or "0")) - len(decimals)
            digits = int(whole + decimals)
            value = Fraction(digits * 10**exponent) if exponent >= 0 else Fraction(digits, 10**-exponent)
        if too_long(value):
            self.fail(f"the number {shown(word)} is too long, expected at most {DIGITS} digits", line, column)
        self.numbers[word] = value
        return value

    def check_declarations(self) -> None:
        """Every variable is in ORDER and in one of EXISTS and ALL; the other lists speak of such variables only."""
        exists, universal, order = self.lists["EXISTS"], self.lists["ALL"], self.lists["ORDER"]
        if "ORDER" not in self.begins:
            self.fail("there is no ORDER, expected it with all variables", self.begins["END"])
        for name, place in universal.items():
            if name in exists:
                first = exists[name][0] + 1
                self.fail(f"variable {shown(name)} is in ALL and in EXISTS, on line {first}, expected one", *place)
        for name, place in order.items():
            if name not in exists and name not in universal:
                self.fail(f"variable {shown(name)} is in no EXISTS and no ALL, expected one", *place)
            if is_reserved(name):
                self.fail(f"found {shown(name)}, expected a name that is no keyword", *place)
        for section in ("EXISTS", "ALL", "GENERALS", "BINARIES"):
            for name, place in self.lists[section].items():
                if name not in order:
                    self.fail(f"variable {shown(name)} is in {section} but not in ORDER", *place)
        for name, bounds in self.bounds.items():
            if name not in order:
                self.fail(f"variable {shown(name)} has a bound but is not in ORDER", *bounds.named)
        if self.undeclared is not None:
            name, line, column = self.undeclared
            self.fail(f"variable {shown(name)} is not declared, expected it in ORDER", line, column)

    def variable(self, name: str) -> Variable:
        binary = name in self.lists["BINARIES"]
        bounds = self.bounds.get(name)
        lower, upper = (Fraction(0), Fraction(1)) if binary else (None, None)
        if not binary and (bounds is None or len(bounds.given) < 2):
            side = "bounds" if bounds is None else "lower bound" if "upper" in bounds.given else "upper bound"
            place = self.lists["ORDER"][name] if bounds is None else bounds.place
            self.fail(f"variable {shown(name)} has no {side}, expected LOWER <= {name} <= UPPER in BOUNDS", *place)
        if bounds is not None:
            if "lower" in bounds.given:
                lower = bounds.lower
            if "upper" in bounds.given:
                upper = bounds.upper
            if binary and (lower is None or lower < 0 or upper is None or upper > 1):
                self.fail(f"the binary variable {shown(name)} has bounds beyond 0 and 1", *bounds.place)
        integer = binary or name in self.lists["GENERALS"]
        return Variable(name, "exists" if name in self.lists["EXISTS"] else "forall", lower, upper, integer)

    def split_rows(self) -> tuple[list[_ReadRow], list[_ReadRow]]:
        """The rows of both players; those of the universal one are also told by their names, and then come first."""
        plain = [row for row in self.rows["SUBJECT TO"] if not row.name.startswith(UNIVERSAL)]
        named = [row for row in self.rows["SUBJECT TO"] if row.name.startswith(UNIVERSAL)]
        return plain, named + self.rows["UNCERTAINTY SUBJECT TO"]

    def fail_at(self, found: Fault, program: Program, plain: list[_ReadRow], uncertain: list[_ReadRow]) -> NoReturn:
        """Raises what is wrong with the whole, at the place that it speaks of."""
        name = program.variables[found.variable].name if found.variable is not None else ""
        if found.row is not None and found.about in ("rows", "uncertainty"):
            row = (plain if found.about == "rows" else uncertain)[found.row]
            self.fail(found.message, *row.left.places.get(name, (row.first, 0)))
        if found.about == "bounds" and name in self.bounds:
            self.fail(found.message, *self.bounds[name].place)
        self.fail(found.message, *self.lists["ORDER"].get(name, (self.begins["the objective"], 0)))

    def tokens(self, number: int, start: int = 0) -> list[_Token]:
        return [(m.lastindex or 0, m.group(), number, m.start()) for m in _TOKEN.finditer(self.lines[number], start)]

    def with_exponents(self, tokens: list[_Token], kind: _Place) -> list[_Token]:
        """The tokens of an expression or a bound, in which numbers have got their exponents.

        ``2e2`` is a number, or twice the variable ``e2``. Where one of them alone can stand there it is that one. Where
        both can it is the variable if the format of Yasol has terms only in that place; else the file is refused.
        """
        if not any(_MAYBE_EXPONENT.search(self.lines[line]) for line in {line for _, _, line, _ in tokens}):
            return tokens
        made: list[_Token] = []
        place = 0
        while place < len(tokens):
            number, name, end = self.exponent_at(tokens, place)
            if end == place or not self.means_number(tokens, place, number, name, end, kind):
                made.append(tokens[place])
                place += 1
                continue
            _, _, line, column = tokens[place]
            made.append((_NUMBER_KIND, number, line, column))
            if name:
                _, word, line, column = tokens[end - 1]
                made.append((_NAME_KIND, name, line, column + len(word) - len(name)))
            place = end
        return made

    def exponent_at(self, tokens: list[_Token], place: int) -> tuple[str, str, int]:
        """The number with an exponent that may begin at a place, the name that it runs into, and where both end."""
        kind, number, _, _ = tokens[place]
        none = ("", "", place)
        if kind != _NUMBER_KIND or "/" in number or not _follows(tokens, place, _NAME_KIND):
            return none
        letter = tokens[place + 1][1]
        if match := _EXPONENT.fullmatch(letter):
            return number + match[1], match[2], place + 2
        if letter not in ("e", "E") or not _follows(tokens, place + 1, _SIGN):
            return none
        if not _follows(tokens, place + 2, _NUMBER_KIND) or not _DIGITS.fullmatch(tokens[place + 3][1]):
            return none
        number += "".join(word for _, word, _, _ in tokens[place + 1 : place + 4])
        glued = _follows(tokens, place + 3, _NAME_KIND)
        return number, tokens[place + 4][1] if glued else "", place + 4 + glued

    def means_number(self, tokens: list[_Token], place: int, number: str, name: str, end: int, kind: _Place) -> bool:
        """Whether the number with the exponent is meant, not a variable whose name begins with the ``e``."""
        order = self.lists["ORDER"]
        after = tokens[end][0] if end < len(tokens) else 0
        if kind == "bound":
            return not name
        if after == _NUMBER_KIND or (name and (name not in order or after in (_NAME_KIND, _STAR))):
            return False
        variable = tokens[place + 1][1]
        signed = variable in ("e", "E")
        if variable not in order or (not signed and after in (_NAME_KIND, _STAR)):
            return True
        if kind == "terms" and not signed and not name:
            return False
        return self.fail_glued(tokens[place:end], number, name)

    def fail_glued(self, tokens: list[_Token], number: str, name: str) -> NoReturn:
        """Raises that a number and a name run into each other in two ways."""
        (_, factor, line, column), (_, variable, _, _) = tokens[:2]
        signed = variable in ("e", "E")
        found = "".join(word for _, word, _, _ in tokens)
        one = f"{factor} times the variable {shown(variable)}" + (" and more" if signed else "")
        other = f"{number} times the variable {shown(name)}" if name else f"the number {number}"
        self.fail(f"{shown(found)} is {one}, or {other}, expected a blank or * after the number", line, column)

    def quoted(self, number: int) -> str:
        return shown(" ".join(self.lines[number].split()))

    def fail_token(self, token: _Token, expected: str) -> NoReturn:
        self.fail(f"found {shown(token[1])}, expected {expected}", token[2], token[3])

    def fail(self, message: str, line: int, column: int | None = None) -> NoReturn:
        if column is None:
            text = self.lines[line]
            column = len(text) - len(text.lstrip())
        raise InputError(message, file=self.file, line=line + 1, column=column + 1)


def _follows(tokens: list[_Token], place: int, kind: int) -> bool:
    """Whether a token is followed by one of a kind, without a blank between them."""
    if place + 1 >= len(tokens):
        return False
    _, word, line, column = tokens[place]
    return tokens[place + 1][0] == kind and tokens[place + 1][2:] == (line, column + len(word))


def _row(row: _ReadRow, position: Mapping[str, int]) -> Row:
    return Row(_terms(row.left, position), row.relation, -row.left.constant, row.name)


def _terms(form: _Form, position: Mapping[str, int]) -> Terms:
    return tuple(
        sorted((position[name], coefficient) for name, coefficient in form.coefficients.items() if coefficient)
    )


def _section(line: str) -> str | None:
    """The section that a line begins."""
    # The longest keyword has three words: no other line is taken apart.
    words = line.split(None, 3)
    return _SECTIONS.get(_capitals(" ".join(words))) if len(words) <= 3 else None


def _capitals(word: str) -> str:
    """A word as keywords are compared. Letters beyond ASCII stay: some have capitals within it."""
    return word.upper() if word.isascii() else word


def is_reserved(name: str) -> bool:
    """Whether a name has a meaning of its own in the format.

    >>> is_reserved("Order"), is_reserved("inf"), is_reserved("e2")
    (True, True, False)
    """
    return _capitals(name) in RESERVED


def _relation(word: str) -> Relation:
    return "<=" if word == "<=" else ">=" if word == ">=" else "="


def _is_variable(token: _Token) -> bool:
    return token[0] == _NAME_KIND and _capitals(token[1]) not in _INFINITE


def _expected_in_term(kind: int, after_term: bool) -> str:
    if kind == _COLON:
        return "<=, >= or = before the next row begins with its name"
    if kind == _RELATION:
        return "one relation in a row"
    return "+ or - before the next term, or a relation" if after_term else "a number or a variable"
