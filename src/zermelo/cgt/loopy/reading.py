"""Loopy games in braces: ``over``, ``{0|over}``, ``a{0|a}``, ``{0||0|0,pass}``, ``on - over``, ``3/2under``.

A name before braces is the name of what is in them, and may stand inside; ``pass`` is the game in whose options it
stands. Bars of more strokes bind more loosely, terms written close together are added, and parts without names are
written as all games are (:mod:`zermelo.cgt.text.notation`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NoReturn

from zermelo.cgt.loopy.graph import Loopy, graph_of_options, graph_of_value, negative, summed
from zermelo.cgt.loopy.stopper import NAMED
from zermelo.cgt.values.value import value_of
from zermelo.errors import InputError

DEEPEST: Final = 100
"""Braces inside braces, and strokes in a bar, at most."""
MOST_COPIES: Final = 100
"""Copies of one loopy game in a sum, at most."""
NAME: Final = re.compile(r"(?!v+[0-9]*(?![A-Za-z_]))[A-Za-z]\w*")
_COPIES: Final = re.compile(r"([0-9]+)\s*[*∗·]\s*(?=[({]|[A-Za-z])")
_PLAIN: Final = re.compile(r"(?:\+-|\+_|-_)?(?:(?![\^v][\[<]on[\]>])(?:[^{}|,&+\-()A-Za-z\s]|v+(?![A-Za-z_])))+")
_TO_ON: Final = {"^[on]": "upon", "v[on]": "downon", "^<on>": "uponth", "v<on>": "downonth"}
_ENDS: Final = ",|}&)"


@dataclass(frozen=True)
class _Reference:
    name: str
    at: int


@dataclass(frozen=True)
class _Plain:
    text: str


@dataclass(frozen=True)
class _Braces:
    name: str
    left: tuple[_Sum, ...]
    right: tuple[_Sum, ...]


@dataclass(frozen=True)
class _Sum:
    """Terms with how often they are counted, and where the first one stands."""

    terms: tuple[tuple[int, _Term], ...]
    at: int


_Term = _Reference | _Plain | _Braces | _Sum
_Item = _Sum | int | None  # a sum, a bar of that many strokes, or a comma


def is_loopy(text: str) -> bool:
    """Whether a text has names in it, so that it may state a loopy game.

    >>> is_loopy("{0|over}"), is_loopy("{3|vv*} + +_2"), is_loopy("^[on]")
    (True, False, True)
    """
    return NAME.search(text) is not None


def read_graph(text: str, known: Mapping[str, Loopy] | None = None) -> Loopy:
    """The game that a text states; ``known`` games have names.

    >>> read_graph("a{0|a}").nodes
    (((1,), (0,)), ((), ()))
    >>> read_graph("{0|b}")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: {0|b}:1:4: nothing is called b, expected pass, on, off, over, under, upon, downon, ...
    """
    reader = _Reader(text)
    stated = reader.whole()
    builder = _Builder(known or {}, reader.fail)
    return builder.graph(stated)


class _Reader:
    """One text that is read."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def fail(self, message: str, at: int | None = None) -> NoReturn:
        raise InputError(message, file=self.text[:60], line=1, column=(self.at if at is None else at) + 1)

    def skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def sees(self, start: str) -> bool:
        self.skip()
        return self.text.startswith(start, self.at)

    def whole(self) -> _Sum:
        items, places = self.items(0)
        if self.at < len(self.text):
            self.fail("something follows the game")
        found = self.resolved("", items, places)
        if len(found) != 1:
            self.fail("expected one game")
        return found[0]

    def items(self, depth: int) -> tuple[list[_Item], list[int]]:
        """What stands between commas and bars, up to a bracket that closes."""
        if depth > DEEPEST:
            self.fail(f"more than {DEEPEST} braces inside one another")
        items: list[_Item] = []
        places: list[int] = []
        while not (self.sees("}") or self.sees(")") or self.at == len(self.text)):
            places.append(self.at)
            if self.sees(","):
                self.at += 1
                items.append(None)
            elif self.sees("|"):
                begin = self.at
                while self.text.startswith("|", self.at):
                    self.at += 1
                items.append(self.at - begin)
                if self.at - begin > DEEPEST:
                    self.fail(f"{self.at - begin} strokes in one bar, expected at most {DEEPEST}", begin)
            else:
                items.append(self.sum(depth))
        return items, places

    def resolved(self, name: str, items: list[_Item], places: list[int]) -> tuple[_Sum, ...]:
        """The games of a list, or the one game that bars make of it; depth is bounded by :data:`DEEPEST`."""
        strokes = max((item for item in items if isinstance(item, int)), default=0)
        if strokes == 0:
            for index, item in enumerate(items):
                if (item is None) == (index % 2 == 0) or (item is None and index + 1 == len(items)):
                    self.fail("expected a game, and commas between games", places[index])
            return tuple(item for item in items if isinstance(item, _Sum))
        cuts = [index for index, item in enumerate(items) if isinstance(item, int) and item == strokes]
        if len(cuts) > 1:
            self.fail(f"a second {'|' * strokes} at the same level, expected one", places[cuts[1]])
        cut = cuts[0]
        left = self.resolved("", items[:cut], places[:cut])
        right = self.resolved("", items[cut + 1 :], places[cut + 1 :])
        return (_Sum(((1, _Braces(name, left, right)),), places[0]),)

    def sum(self, depth: int) -> _Sum:
        begin = self.at
        if (plain := self.without_names()) is not None:
            return _Sum(((1, _Plain(plain)),), begin)
        terms: list[tuple[int, _Term]] = []
        while True:
            count = 1
            while self.sees("+") or self.sees("-"):
                if self.text[self.at : self.at + 2] in ("+_", "-_", "+-"):
                    break
                count *= -1 if self.text[self.at] == "-" else 1
                self.at += 1
            if (copies := _COPIES.match(self.text, self.at)) is not None:
                count *= min(int(copies[1][:9]), MOST_COPIES + 1)
                self.at = copies.end()
                if abs(count) > MOST_COPIES:
                    self.fail(f"{copies[1]} copies of a loopy game, expected at most {MOST_COPIES}", copies.start())
            terms.append((count, self.term(depth)))
            end = self.at
            self.skip()
            if self.at == len(self.text) or self.text[self.at] in _ENDS:
                return _Sum(tuple(terms), begin)
            if self.text[self.at] not in "+-" and self.at != end:
                self.fail("something follows the game")

    def without_names(self) -> str | None:
        """What stands up to the next comma, bar or end, if there are no names in it; it is taken then."""
        depth = 0
        for place in range(self.at, len(self.text) + 1):
            letter = self.text[place : place + 1]
            if depth == 0 and (not letter or letter in _ENDS):
                inside = self.text[self.at : place]
                if is_loopy(inside) or not inside.strip():
                    return None
                self.at = place
                return inside
            depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(letter, 0)
            if not letter:
                self.fail("a bracket is not closed")
        return None

    def term(self, depth: int) -> _Term:
        begin = self.at
        for written, name in _TO_ON.items():
            if self.text.startswith(written, begin):
                self.at += len(written)
                return _Reference(name, begin)
        if (found := NAME.match(self.text, begin)) is not None:
            self.at = found.end()
            if self.text.startswith("{", self.at):
                return self.braces(found.group(), depth)
            if found.group() in ("Tiny", "Miny") and self.sees("("):
                return _tiny(self.brackets(depth), found.group() == "Tiny", begin)
            return _Reference(found.group(), begin)
        if self.sees("{"):
            return self.braces("", depth)
        if self.sees("("):
            return self.brackets(depth)
        if self.text[begin : begin + 2] in ("+_", "-_") and self.text[begin + 2 : begin + 3] in tuple("{(") + _LETTERS:
            self.at += 2
            return _tiny(_Sum(((1, self.term(depth)),), begin), self.text[begin] == "+", begin)
        plain = _PLAIN.match(self.text, begin)
        if plain is None:
            self.fail("expected a game")
        self.at = plain.end()
        return _Plain(plain.group())

    def brackets(self, depth: int) -> _Sum:
        self.at += 1
        items, places = self.items(depth + 1)
        if not self.sees(")"):
            self.fail("expected )")
        self.at += 1
        found = self.resolved("", items, places)
        if len(found) != 1:
            self.fail("expected one game between brackets")
        return found[0]

    def braces(self, name: str, depth: int) -> _Braces:
        begin = self.at
        self.at += 1
        items, places = self.items(depth + 1)
        if not self.sees("}"):
            self.fail("a brace is not closed", begin)
        if not any(isinstance(item, int) for item in items):
            self.fail("no bar between these braces, expected {left options | right options}", begin)
        self.at += 1
        made = self.resolved(name, items, places)[0].terms[0][1]
        assert isinstance(made, _Braces)
        return made


_LETTERS: Final = tuple("abcdefghijklmnopqrstuwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


def _tiny(of: _Sum, positive: bool, at: int) -> _Sum:
    """{0||0|-G}, or its negative."""
    zero = _Sum(((1, _Plain("0")),), at)
    inner = _Sum(((1, _Braces("", (zero,), (_Sum(((-1, of),), at),))),), at)
    return _Sum(((1 if positive else -1, _Braces("", (zero,), (inner,))),), at)


class _Builder:
    """Makes the nodes of what was read."""

    def __init__(self, known: Mapping[str, Loopy], fail: Callable[[str, int], NoReturn]) -> None:
        self.known, self.fail = known, fail
        self.nodes: dict[str, tuple[list[str], list[str]]] = {}

    def graph(self, stated: _Sum) -> Loopy:
        start = self.sum(stated, {})
        return graph_of_options(self.nodes, start)

    def sum(self, stated: _Sum, names: Mapping[str, str]) -> str:
        """The node of a sum."""
        if len(stated.terms) == 1 and stated.terms[0][0] == 1:
            return self.term(stated.terms[0][1], names)
        total: Loopy | None = None
        for count, term in stated.terms:
            alone = _Builder(self.known, self.fail)
            one = graph_of_options(alone.nodes, alone.term(term, dict.fromkeys(names, "")))
            for _ in range(abs(count)):
                each = one if count > 0 else negative(one)
                total = each if total is None else summed(total, each)
        return self.embedded(Loopy((((), ()),)) if total is None else total)

    def term(self, term: _Term, names: Mapping[str, str]) -> str:
        match term:
            case _Sum():
                return self.sum(term, names)
            case _Plain(text):
                return self.embedded(graph_of_value(value_of(text)))
            case _Reference(name, at):
                return self.named(name, at, names)
            case _Braces(name, left, right):
                node = self.new()
                inside = {**names, "pass": node, **({name: node} if name else {})}
                for options, stated in zip(self.nodes[node], (left, right), strict=True):
                    options += [self.sum(each, inside) for each in stated]
                return node

    def named(self, name: str, at: int, names: Mapping[str, str]) -> str:
        if name in names:
            if not names[name]:
                self.fail(f"{name} is not stated to its end here, and cannot be part of a sum or turned round", at)
            return names[name]
        if name in self.known:
            return self.embedded(self.known[name])
        if name == "upstar":
            return self.embedded(graph_of_value(value_of("^*")))
        if name not in NAMED:
            at_hand = [*names, *self.known, *NAMED]
            self.fail(f"nothing is called {name}, expected {', '.join(at_hand[:7])}, ...", at)
        return self.embedded(graph_of_options(NAMED[name][0], name))

    def new(self) -> str:
        name = f"node {len(self.nodes)}"
        self.nodes[name] = ([], [])
        return name

    def embedded(self, graph: Loopy) -> str:
        """The first node of a graph whose nodes are taken over."""
        first = len(self.nodes)
        for left, right in graph.nodes:
            self.nodes[self.new()] = ([f"node {first + o}" for o in left], [f"node {first + o}" for o in right])
        return f"node {first}"
