"""Games as people write them: ``{3|{2|-1}}``, ``3||2|-1``, ``+-5``, ``*2``, ``^^*``, ``+_2``, ``3*{5|-5}`` and sums.

A bar of more strokes binds more loosely: ``a|b||c`` is ``{{a|b}|c}``. Signs bind tighter than commas and bars.
A number with ups or stars written close to it is their sum (``1/2*``, ``3^*2``); a whole number before ``*{`` or ``*(``
counts copies. Where a term is expected ``+-`` is the switch sign, after a term it is plus and minus. ``^[n]`` and
``^<n>`` are powers of up; spellings of CGSuite are read as well: ``Tiny(2)``, ``*[4]``, ``upstar``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NoReturn

from zermelo.cgt.text.written_expression import Expression, Multiple, Negative, Nimber, Number, Options, Sum, Up
from zermelo.errors import InputError

MOST_BARS = 100
"""Runs of more strokes than this are taken for a mistake."""
MOST_DIGITS = 4_000
"""Longer numbers are taken for a mistake (Python itself refuses to read them in decimal)."""

MOST_POWERS = 1_000
"""Higher powers of up are taken for a mistake."""

_TOKENS = re.compile(
    r"(?P<space>(?:\s|\#[^\n]*)+)"
    r"|(?P<number>[0-9]+(?:\.[0-9]+|/[0-9]+)?)"
    r"|(?P<star>[*∗★](?:\[[0-9]+\]|[0-9]*(?![0-9{(])))"
    r"|(?P<times>[*∗·](?=\s*[{(]))"
    r"|(?P<powers>[\^↑v↓](?:\[[0-9]+\]|<[0-9]+>)|upstar)"
    r"|(?P<up>(?:\^+|↑+|⇑)(?:[0-9]+)?)"
    r"|(?P<down>(?:v+|↓+|⇓)(?:[0-9]+)?)"
    r"|(?P<bars>\|+)"
    r"|(?P<switch>\+-|±)"
    r"|(?P<tiny>\+_|⧾|Tiny(?=\())"
    r"|(?P<miny>-_|⧿|Miny(?=\())"
    r"|(?P<sign>[+\-−])"
    r"|(?P<mark>[{}(),])"
)

Prefix = tuple[Literal["minus", "plus", "switch", "tiny", "miny", "times"], int]
_Item = Expression | int | None  # an expression, a bar of that many strokes, or a comma


@dataclass
class _Frame:
    """What stands between two brackets, as far as it has been read."""

    bracket: str
    opened: int
    prefixes: list[Prefix] = field(default_factory=list)  # of the term that this bracket is
    negated: bool = False  # was the sign before that term a minus?
    items: list[_Item] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    parts: list[Expression] = field(default_factory=list)  # of the sum that is being read
    minus: bool = False  # does the next part count negatively?
    wanted: bool = False  # must a term follow, since a sign or a prefix stands before it?
    waiting: list[Prefix] = field(default_factory=list)  # prefixes of the next term


def parse(text: str, name: str = "literal") -> Expression:
    """Reads a game, or a sum of games, in brackets.

    >>> parse("{5|-5} + {3||2|-1}").parts[1].right[0].left[0].value
    Fraction(2, 1)
    >>> parse("{5|-5")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: literal:1:1: this { is never closed, expected }
    """
    return _Parser(text, name).read()


def _powers(count: int) -> Expression:
    """{^[n-1] | *}."""
    found: Expression = Up(1) if count else Number(Fraction(0))
    for _ in range(count - 1):
        found = Options((found,), (Nimber(1),))
    return found


def _power(count: int) -> Expression:
    """{0 | v[n-1]*}."""
    if count == 1:
        return Up(1)
    return Options((Number(Fraction(0)),), (Sum((Negative(_powers(count - 1)), Nimber(1))),))


class _Parser:
    """One reading of one text; frames replace recursion."""

    def __init__(self, text: str, name: str):
        self.text, self.name = text, name
        self.frames = [_Frame("", 0)]
        self.just_ended = -1  # where a term that takes ups and stars ended

    def wrong(self, at: int, message: str) -> NoReturn:
        line = self.text.count("\n", 0, at) + 1
        column = at - (self.text.rfind("\n", 0, at) + 1) + 1
        raise InputError(message, file=self.name, line=line, column=column)

    def read(self) -> Expression:
        at = 0
        while at < len(self.text):
            match = _TOKENS.match(self.text, at)
            if match is None:
                self.wrong(
                    at, f"unexpected {self.text[at]!r}, expected a number, *, ^, v, +-, a bracket, a bar or a sum"
                )
            if match.lastgroup != "space":
                self.take(str(match.lastgroup), match.group(), at)
            at = match.end()
        if len(self.frames) > 1:
            last = self.frames[-1]
            closing = "}" if last.bracket == "{" else ")"
            self.wrong(last.opened, f"this {last.bracket} is never closed, expected {closing}")
        frame = self.frames[0]
        self.end_sum(frame, at)
        if not frame.items:
            self.wrong(at, "nothing is written here, expected a game such as {5|-5}")
        if None in frame.items and not any(isinstance(item, int) for item in frame.items):
            self.wrong(frame.places[frame.items.index(None)], "a comma outside of brackets, expected + between games")
        if all(isinstance(item, int) for item in frame.items):
            self.wrong(frame.places[0], "a bar with nothing on either side, expected {|} for zero")
        return self.resolve(frame.items, frame.places)[0]

    def take(self, kind: str, token: str, at: int) -> None:
        frame = self.frames[-1]
        close_by = self.just_ended == at
        match kind:
            case "number":
                self.term(Number(self.number(token, at)), at)
                self.just_ended = at + len(token)
            case "star":
                self.suffix(Nimber(self.size(token[1:].strip("[]"), at) if len(token) > 1 else 1), at, close_by)
                self.just_ended = at + len(token)
            case "up" | "down":
                self.suffix(Up(self.ups(token, at) * (1 if kind == "up" else -1)), at, close_by)
                self.just_ended = at + len(token)
            case "powers":
                self.suffix(self.powers(token, at), at, close_by)
                self.just_ended = at + len(token)
            case "times":
                self.times(frame, at)
            case "switch" | "tiny" | "miny":
                self.prefix(frame, kind, token, at)
            case "sign":
                self.sign(frame, token, at)
            case "bars":
                if len(token) > MOST_BARS:
                    self.wrong(at, f"{len(token)} strokes in one bar, expected at most {MOST_BARS}")
                self.end_sum(frame, at)
                frame.items.append(len(token))
                frame.places.append(at)
            case _:
                self.mark(frame, token, at)

    def mark(self, frame: _Frame, token: str, at: int) -> None:
        if token in "{(":
            self.need_space(frame, at)
            inner = _Frame(token, at, frame.waiting, frame.minus)
            frame.waiting, frame.minus, frame.wanted = [], False, False
            self.frames.append(inner)
        elif token == ",":
            self.end_sum(frame, at)
            frame.items.append(None)
            frame.places.append(at)
        else:
            opening = "{" if token == "}" else "("
            if frame.bracket != opening:
                expected = {"{": "}", "(": ")", "": "the end"}[frame.bracket]
                self.wrong(at, f"unexpected {token!r}, expected {expected}")
            self.end_sum(frame, at)
            self.frames.pop()
            self.close(frame, at)

    def close(self, frame: _Frame, at: int) -> None:
        bars = any(isinstance(item, int) for item in frame.items)
        if frame.bracket == "{" and not bars:
            self.wrong(at, "no bar between these brackets, expected {left options | right options}")
        if frame.bracket == "(" and not frame.items:
            self.wrong(at, "nothing between these brackets, expected a game")
        switched = bool(frame.prefixes) and frame.prefixes[-1][0] == "switch"
        if not bars and None in frame.items and not switched:
            self.wrong(frame.places[frame.items.index(None)], "a comma between ( and ), expected + between games")
        outer = self.frames[-1]
        outer.waiting, outer.minus, outer.wanted = frame.prefixes, frame.negated, True
        self.term(self.resolve(frame.items, frame.places), frame.opened)
        self.just_ended = -1

    def sign(self, frame: _Frame, token: str, at: int) -> None:
        minus = token != "+"
        if not frame.parts or frame.wanted or frame.waiting:
            if frame.waiting:
                frame.waiting.append(("minus" if minus else "plus", 1))
            elif minus:
                frame.minus = not frame.minus
        else:
            frame.minus = minus
        frame.wanted = True

    def prefix(self, frame: _Frame, kind: str, token: str, at: int) -> None:
        if frame.parts and not frame.wanted:
            if token != "+-":
                self.wrong(at, f"{token} after a game, expected + before it")
            frame.minus = frame.wanted = True
            return
        match kind:
            case "switch":
                frame.waiting.append(("switch", 1))
            case "tiny":
                frame.waiting.append(("tiny", 1))
            case _:
                frame.waiting.append(("miny", 1))
        frame.wanted = True

    def times(self, frame: _Frame, at: int) -> None:
        last = frame.parts[-1] if frame.parts and not frame.wanted else None
        negative = isinstance(last, Negative)
        base = last.of if isinstance(last, Negative) else last
        if not isinstance(base, Number) or base.value.denominator != 1:
            self.wrong(at, "this * multiplies, expected a whole number before it")
        frame.parts.pop()
        frame.minus, frame.wanted = negative, True
        frame.waiting = [("times", base.value.numerator)]

    def need_space(self, frame: _Frame, at: int) -> None:
        if frame.parts and not frame.wanted:
            self.wrong(at, "two games side by side, expected +, -, a comma or a bar between them")

    def suffix(self, term: Expression, at: int, close_by: bool) -> None:
        frame = self.frames[-1]
        if not close_by or frame.wanted:
            self.term(term, at)
            return
        frame.parts.append(Sum((frame.parts.pop(), term)))  # -3^ is (-3) + ^, as people print it

    def term(self, term: Expression | tuple[Expression, ...], at: int) -> None:
        """Adds a term, with what stands before it, to the sum that is being read."""
        frame = self.frames[-1]
        self.need_space(frame, at)
        terms = term if isinstance(term, tuple) else (term,)
        for kind, count in reversed(frame.waiting):
            made: Expression
            match kind:
                case "minus":
                    made = Negative(terms[0])
                case "plus":
                    made = terms[0]
                case "switch":
                    made = Options(terms, tuple(Negative(one) for one in terms))
                case "times":
                    made = Multiple(count, terms[0])
                case _:
                    zero = Number(Fraction(0))
                    made = Options((zero,), (Options((zero,), (Negative(terms[0]),)),))
                    made = made if kind == "tiny" else Negative(made)
            terms = (made,)
        if frame.minus:
            terms = (Negative(terms[0]),)
        frame.parts.append(terms[0])
        frame.waiting, frame.minus, frame.wanted = [], False, False

    def end_sum(self, frame: _Frame, at: int) -> None:
        if frame.wanted:
            self.wrong(at, "a sign with nothing after it, expected a game")
        if frame.parts:
            frame.items.append(frame.parts[0] if len(frame.parts) == 1 else Sum(tuple(frame.parts)))
            frame.places.append(at)
        frame.parts = []
        self.just_ended = -1

    def resolve(self, items: list[_Item], places: list[int]) -> tuple[Expression, ...]:
        """The games of a list without bars, or the one game that bars make; depth is bounded by :data:`MOST_BARS`."""
        strokes = max((item for item in items if isinstance(item, int)), default=0)
        if strokes == 0:
            return self.listed(items, places)
        cuts = [index for index, item in enumerate(items) if item == strokes and isinstance(item, int)]
        if len(cuts) > 1:
            bar = "|" * strokes
            self.wrong(places[cuts[1]], f"a second {bar} at the same level, expected one {bar} or brackets")
        cut = cuts[0]
        left = self.resolve(items[:cut], places[:cut])
        right = self.resolve(items[cut + 1 :], places[cut + 1 :])
        return (Options(left, right),)

    def listed(self, items: list[_Item], places: list[int]) -> tuple[Expression, ...]:
        games: list[Expression] = []
        for index, item in enumerate(items):
            if (item is None) == (index % 2 == 0):
                self.wrong(places[index], "a comma without a game before it, expected a game")
            if item is not None and not isinstance(item, int):
                games.append(item)
        if items and items[-1] is None:
            self.wrong(places[-1], "a comma without a game after it, expected a game")
        return tuple(games)

    def number(self, token: str, at: int) -> Fraction:
        if len(token) > MOST_DIGITS:
            self.wrong(at, f"a number of {len(token):,} digits, expected at most {MOST_DIGITS:,}")
        if token.endswith("/0") or re.fullmatch(r"[0-9]+/0+", token):
            self.wrong(at, f"{token} divides by zero, expected a number such as 3/4")
        value = Fraction(token)
        if value.denominator & (value.denominator - 1):
            self.wrong(at, f"{token} is no dyadic rational, expected a denominator that is a power of two")
        return value

    def size(self, digits: str, at: int) -> int:
        if len(digits) > 9:
            self.wrong(at, f"a nimber of {len(digits)} digits, expected at most 9")
        return int(digits)

    def powers(self, token: str, at: int) -> Expression:
        """``^[n]``, the sum of the first n powers of up; ``^<n>``, the n-th; and ``upstar``."""
        if token == "upstar":
            return Sum((Up(1), Nimber(1)))
        count = self.size(token[2:-1], at)
        least = 0 if token[1] == "[" else 1
        if not least <= count <= MOST_POWERS:
            self.wrong(at, f"{token}, expected a power from {least} to {MOST_POWERS}")
        found = _powers(count) if token[1] == "[" else _power(count)
        return found if token[0] in "^↑" else Negative(found)

    def ups(self, token: str, at: int) -> int:
        marks = token.rstrip("0123456789")
        count = 2 if marks in ("⇑", "⇓") else len(marks)
        digits = token[len(marks) :]
        if not digits:
            return count
        if count > 1:
            self.wrong(at, f"{token} counts its arrows twice, expected {marks} or {marks[0]}{digits}")
        return self.size(digits, at)
