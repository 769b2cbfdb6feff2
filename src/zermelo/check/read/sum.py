"""Sums in brackets, as the checker reads them (docs/formats/sum.md has the notation).

A text is a row of pieces: numbers, signs, bars, brackets. Whenever a bracket closes, what stands since it was opened
becomes one game; so there is only ever a row without brackets to understand, and depth costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from zermelo.check.trees import Trees, folded
from zermelo.check.unplayed import Unplayed
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.source import Source

if TYPE_CHECKING:
    from zermelo.check.read.shorthand import Shorthand

MOST_STROKES, MOST_DIGITS = 100, 4_000
"""Longer bars and numbers are taken for mistakes."""
ATTACHED = ("star", "ups")
"""What may be written close to a number, a star or ups, and is added to it."""

Kind = Literal["number", "star", "up", "options", "sum", "minus", "copies"]


@dataclass(frozen=True)
class Node:
    """A part of what was written; parts of it are meant by their place in the list.

    ``amount`` is the number, the size of the nim heap, the ups (downs are negative) or the copies; ``left`` has Left's
    options, or what is added up, made negative or copied; ``right`` has Right's options.
    """

    kind: Kind
    amount: Fraction = Fraction(0)
    left: tuple[int, ...] = ()
    right: tuple[int, ...] = ()


@dataclass(frozen=True)
class WrittenSum:
    """A sum as it was written: its parts, each before what it is a part of; the last is the whole.

    >>> print(text_as_sum("+-5 + 2*{3|*}").canonical())
    number 5
    minus 0 0
    options 0 0|1
    number 3
    star 1
    options 0 3|4
    copies 2 5
    sum 0 2 6
    """

    nodes: tuple[Node, ...]

    def canonical(self) -> str:
        """The parts in the order in which they are written, each once."""
        return "\n".join(_line(node) for node in self.nodes)

    def game(self) -> Game:
        """The sum played for its score, by rules of the checker's own."""
        return Unplayed(("left", "right"), self._played)

    def _played(self) -> Game:
        from zermelo.check.sumgame import SumGame

        return SumGame(self.components)

    def components(self, trees: Trees) -> list[int]:
        """What is added up, as scored trees."""
        from zermelo.check.sumtrees import components_of

        return components_of(trees, self)


def _line(node: Node) -> str:
    if node.kind in ("number", "star", "up"):
        return f"{node.kind} {node.amount}"
    left, right = (" ".join(map(str, side)) for side in (node.left, node.right))
    return f"{node.kind} {node.amount} {left}" + (f"|{right}" if node.kind == "options" else "")


def read(source: Source) -> Any:
    """The sum that a text states; boards where it names games."""
    boards = import_module("zermelo.check.read.boardfile").boards_in(source) if ":" in source.text else None
    return boards or text_as_sum(source.text, source.name)


class Nodes:
    """Parts under way, equal ones once."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._place: dict[Node, int] = {}

    def add(
        self, kind: Kind, amount: Fraction = Fraction(0), left: Sequence[int] = (), right: Sequence[int] = ()
    ) -> int:
        node = Node(kind, amount, tuple(left), tuple(right))
        place = self._place.setdefault(node, len(self.nodes))
        if place == len(self.nodes):
            self.nodes.append(node)
        return place

    def whole(self, root: int) -> WrittenSum:
        """What the root needs, in the order in which a walk from it ends with each."""
        kept: list[Node] = []
        place: dict[int, int] = {}

        def keep(at: int) -> int:
            node = self.nodes[at]
            left, right = (tuple(place[part] for part in side) for side in (node.left, node.right))
            kept.append(Node(node.kind, node.amount, left, right))
            return len(kept) - 1

        folded(root, lambda at: reversed(self.nodes[at].left + self.nodes[at].right), place, keep)
        return WrittenSum(tuple(kept))


_PIECE = re.compile(
    r"(?P<blank>(?:\s|\#[^\n]*)+)|(?P<number>[0-9]+(?:[./][0-9]+)?)"
    r"|(?P<times>[*∗](?=[{(])|·(?=\s*[{(]))|(?P<star>[*∗★](?:\[[0-9]+\]|[0-9]*+(?![{(])))"
    r"|(?P<ups>[\^↑v↓](?:\[[0-9]+\]|<[0-9]+>)|upstar|(?:\^+|↑+|⇑|v+|↓+|⇓)[0-9]*)"
    r"|(?P<switch>\+-|±)|(?P<tiny>\+_|⧾|Tiny(?=\())|(?P<miny>-_|⧿|Miny(?=\())|(?P<sign>[+\-−])"
    r"|(?P<bar>\|+)|(?P<comma>,)|(?P<open>[{(])|(?P<close>[})])"
)
"""Pieces of a text; a star close before a bracket is the sign of so many copies."""


@dataclass(frozen=True)
class Piece:
    """A piece of a row: what it is, where it begins and ends, and what it says.

    Numbers, stars, ups and closed brackets (``game``) have become games: several only after ``(a, b)``.
    """

    kind: str
    at: int
    end: int
    text: str
    games: tuple[int, ...] = ()


def _attached(one: Piece, other: Piece) -> bool:
    """Is the second written close to the first, to be added to it?"""
    return one.kind in ("number", *ATTACHED) and other.kind in ATTACHED and other.at == one.end


def text_as_sum(text: str, name: str = "literal") -> WrittenSum:
    """The sum that a text states; ``InputError`` with the place where it states none.

    >>> text_as_sum("{5|-5")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: literal:1:1: this { is never closed, expected }
    """
    return Reading(text, name).whole()


class Reading:
    """One text under way."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name, self.nodes = text, name, Nodes()

    @cached_property
    def shorthand(self) -> Shorthand:
        """What is shorter than its brackets, read where it stands."""
        from zermelo.check.read.shorthand import Shorthand

        return Shorthand(self)

    def wrong(self, at: int, message: str) -> NoReturn:
        before = self.text[:at].split("\n")
        raise InputError(message, file=self.name, line=len(before), column=len(before[-1]) + 1)

    def whole(self) -> WrittenSum:
        rows: list[list[Piece]] = [[]]
        opened: list[Piece] = []
        for piece in self.pieces():
            if piece.kind == "open":
                opened.append(piece)
                rows.append([])
            elif piece.kind == "close":
                if not opened or opened[-1].text + piece.text not in ("()", "{}"):
                    self.wrong(piece.at, f"unexpected {piece.text!r}, expected what closes the bracket before it")
                row, begin = rows.pop(), opened.pop()
                rows[-1].append(Piece("game", begin.at, piece.end, begin.text, self.bracket(row, begin)))
            else:
                rows[-1].append(piece)
        if opened:
            self.wrong(opened[0].at, f"this {opened[0].text} is never closed, expected {')}'[opened[0].text == '{']}")
        (row,) = rows
        if not any(piece.kind != "bar" for piece in row):
            self.wrong(0, "no game here, expected a number, a game such as {5|-5} or {|} for zero")
        if any(piece.kind == "comma" for piece in row) and not any(piece.kind == "bar" for piece in row):
            self.wrong(0, "a comma outside of brackets, expected + between games")
        return self.nodes.whole(self.games(row)[0])

    def bracket(self, row: list[Piece], begin: Piece) -> tuple[int, ...]:
        bars = any(piece.kind == "bar" for piece in row)
        if begin.text == "{" and not bars:
            self.wrong(begin.at, "no bar between these brackets, expected {left options | right options}")
        if not row:
            self.wrong(begin.at, "nothing between these brackets, expected a game")
        return self.games(row)

    def games(self, row: list[Piece]) -> tuple[int, ...]:
        """The games with commas between them; with bars, the one game that these make, the longest bar outermost."""
        longest = max((len(piece.text) for piece in row if piece.kind == "bar"), default=0)
        if not longest:
            return self.listed(row)
        places = [n for n, piece in enumerate(row) if piece.kind == "bar" and len(piece.text) == longest]
        if len(places) > 1:
            self.wrong(row[places[1]].at, f"a second bar of {longest} at the same level, expected brackets")
        left, right = self.games(row[: places[0]]), self.games(row[places[0] + 1 :])
        return (self.nodes.add("options", left=left, right=right),)

    def listed(self, row: list[Piece]) -> tuple[int, ...]:
        if not row:
            return ()
        commas = [-1, *(n for n, piece in enumerate(row) if piece.kind == "comma"), len(row)]
        found: list[int] = []
        for begin, end in pairwise(commas):
            if end == begin + 1:
                self.wrong(row[min(end, len(row) - 1)].at, "a comma with nothing beside it, expected a game")
            found.append(self.added(row[begin + 1 : end]))
        return tuple(found)

    def added(self, row: list[Piece]) -> int:
        """Terms with signs between them."""
        terms: list[int] = []
        at = 0
        while at < len(row):
            at = self.term(row, at, terms)
        return terms[0] if len(terms) == 1 else self.nodes.add("sum", left=terms)

    def one(self, piece: Piece) -> int:
        """The one game of a bracket; several may stand only after the sign of a switch."""
        if len(piece.games) > 1:
            self.wrong(piece.at, "a comma between ( and ), expected + between games")
        return piece.games[0]

    def term(self, row: list[Piece], at: int, terms: list[int]) -> int:
        """Reads the signs before a term and the term itself; the place after it."""
        negative, signs = False, list[Piece]()
        if terms and row[at].kind in ("sign", "switch"):
            if row[at].text == "±":
                self.wrong(row[at].at, "± after a game, expected + before it")
            negative = row[at].text != "+"  # also in "+-": between terms it is plus and minus
            at += 1
        elif terms and row[at].kind == "times":
            return self.shorthand.multiplied(row, at, terms)
        elif terms:
            self.wrong(row[at].at, "two games side by side, expected +, -, a comma or a bar between them")
        while at < len(row) and row[at].kind in ("sign", "switch", "tiny", "miny"):
            if row[at].kind != "sign" or signs:
                signs.append(row[at])
            elif row[at].text != "+":
                negative = not negative
            at += 1
        if at == len(row):
            self.wrong(row[at - 1].at, "a sign with nothing after it, expected a game")
        if row[at].kind == "times":
            self.wrong(row[at].at, "this * multiplies, expected a whole number before it")
        term = self.signed(signs, row[at])
        terms.append(self.nodes.add("minus", left=[term]) if negative else term)
        while at + 1 < len(row) and _attached(row[at], row[at + 1]):
            at += 1
            terms.append(self.nodes.add("sum", left=[terms.pop(), *row[at].games]))
        return at + 1

    def signed(self, signs: list[Piece], piece: Piece) -> int:
        """A term with what stands before it, the nearest sign first."""
        add, games = self.nodes.add, piece.games
        for sign in reversed(signs):
            if sign.kind == "switch":
                games = (add("options", left=games, right=[add("minus", left=[game]) for game in games]),)
                continue
            game = games[0] if len(games) == 1 else self.one(piece)
            if sign.kind == "sign":
                games = (game if sign.text == "+" else add("minus", left=[game]),)
            else:
                games = (self.shorthand.tiny(sign.kind, game),)
        return games[0] if len(games) == 1 else self.one(piece)

    # Pieces

    def pieces(self) -> Iterator[Piece]:
        at = 0
        while at < len(self.text):
            found = _PIECE.match(self.text, at)
            if found is None:
                self.wrong(
                    at, f"unexpected {self.text[at]!r}, expected a number, *, ^, v, +-, a bracket, a bar or a sum"
                )
            kind, at = str(found.lastgroup), found.end()
            if kind == "bar" and len(found[0]) > MOST_STROKES:
                self.wrong(found.start(), f"{len(found[0])} strokes in one bar, expected at most {MOST_STROKES}")
            if kind != "blank":
                yield Piece(kind, found.start(), at, found[0], self.named(kind, found[0], found.start()))

    def named(self, kind: str, text: str, at: int) -> tuple[int, ...]:
        """The game that a piece names by itself, if it does."""
        if kind == "number":
            return (self.nodes.add("number", self.number(text, at)),)
        return (self.shorthand.named(kind, text, at),) if kind in ATTACHED else ()

    def number(self, text: str, at: int) -> Fraction:
        if len(text) > MOST_DIGITS:
            self.wrong(at, f"a number of {len(text):,} digits, expected at most {MOST_DIGITS:,}")
        try:
            value = Fraction(text)
        except ZeroDivisionError:
            self.wrong(at, f"{text} divides by zero, expected a number such as 3/4")
        if value.denominator & (value.denominator - 1):
            self.wrong(at, f"{text} is no dyadic rational, expected a denominator that is a power of two")
        return value
