"""Loopy games in braces: ``over``, ``{0|over}``, ``a{0|a}`` (a game that Right may always move back to).

A name before braces is the name of what is in them, and may stand inside. Parts without names are written as all games
are (:mod:`zermelo.cgt.text.notation`).
"""

from __future__ import annotations

import re
from typing import Final

from zermelo.cgt.loopy.graph import Loopy, graph_of_options, graph_of_value
from zermelo.cgt.loopy.stopper import NAMED
from zermelo.cgt.values.value import value_of
from zermelo.errors import InputError

DEEPEST: Final = 100
"""Braces inside braces, at most."""
_NAME: Final = re.compile(r"(?!v\b)[A-Za-z_]\w*")
_PLAIN: Final = re.compile(r"[^{}|,]+")

Nodes = dict[str, tuple[list[str], list[str]]]


def is_loopy(text: str) -> bool:
    """Whether a text has names in it, so that it may state a loopy game.

    >>> is_loopy("{0|over}"), is_loopy("{3|v*}")
    (True, False)
    """
    return _NAME.search(text) is not None


def read_graph(text: str) -> Loopy:
    """The game that a text states.

    >>> read_graph("a{0|a}").nodes
    (((1,), (0,)), ((), ()))
    >>> read_graph("{0|b}")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: {0|b}:1:4: nothing is called b, expected on, off, over, under, upon, downon, dud
    """
    reader = _Reader(text)
    start = reader.game({}, 0)
    reader.skip()
    if reader.at < len(text):
        reader.fail("something follows the game")
    return graph_of_options(reader.nodes, start)


class _Reader:
    """One text that is read."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.nodes: Nodes = {}

    def fail(self, message: str) -> None:
        raise InputError(message, file=self.text[:60], line=1, column=self.at + 1)

    def skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def sees(self, letter: str) -> bool:
        self.skip()
        return self.text.startswith(letter, self.at)

    def take(self, letter: str) -> None:
        if not self.sees(letter):
            self.fail(f"expected {letter}")
        self.at += 1

    def new(self) -> str:
        name = f"node {len(self.nodes)}"
        self.nodes[name] = ([], [])
        return name

    def game(self, known: dict[str, str], depth: int) -> str:
        """One game, by the name of its node."""
        if depth > DEEPEST:
            self.fail(f"more than {DEEPEST} braces inside one another")
        self.skip()
        if (found := _NAME.match(self.text, self.at)) is not None:
            self.at = found.end()
            if self.sees("{"):
                return self.braces(found.group(), known, depth)
            return self.named(found, known)
        if self.sees("{"):
            plain = self.plain_braces()
            return self.braces("", known, depth) if plain is None else self.value(plain)
        chunk = _PLAIN.match(self.text, self.at)
        if chunk is None:
            self.fail("expected a game")
            return ""
        self.at = chunk.end()
        return self.value(chunk.group())

    def named(self, found: re.Match[str], known: dict[str, str]) -> str:
        name = found.group()
        if name in known:
            return known[name]
        if name not in NAMED:
            self.at = found.start()
            self.fail(f"nothing is called {name}, expected {', '.join([*known, *NAMED])}")
        options = NAMED[name][0]
        self.nodes |= {f"{name} {node}": ([f"{name} {o}" for o in left], [f"{name} {o}" for o in right])
                       for node, (left, right) in options.items()}  # fmt: skip
        return f"{name} {name}"

    def plain_braces(self) -> str | None:
        """What stands in braces from here on, if there are no names in it; it is taken then."""
        depth = 0
        for place in range(self.at, len(self.text)):
            depth += {"{": 1, "}": -1}.get(self.text[place], 0)
            if depth == 0:
                inside = self.text[self.at : place + 1]
                if is_loopy(inside):
                    return None
                self.at = place + 1
                return inside
        self.fail("a brace is not closed")
        return None

    def value(self, text: str) -> str:
        """The node of a game that ends, with all that it leads to."""
        graph, first = graph_of_value(value_of(text)), len(self.nodes)
        for left, right in graph.nodes:
            self.nodes[f"node {len(self.nodes)}"] = (
                [f"node {first + o}" for o in left],
                [f"node {first + o}" for o in right],
            )
        return f"node {first}"

    def braces(self, name: str, known: dict[str, str], depth: int) -> str:
        node = self.new()
        inside = known | ({name: node} if name else {})
        self.take("{")
        for side, end in ((0, "|"), (1, "}")):
            while not self.sees(end):
                self.nodes[node][side].append(self.game(inside, depth + 1))
                if not self.sees(end):
                    self.take(",")
            self.take(end)
        return node
