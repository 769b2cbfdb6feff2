"""Directed graphs as text files, read and written.

Two formats, told apart by the first line that holds data (``#`` begins a comment, blank lines do not count):

*Rounds and rows*: one number alone, the maximum number of rounds, then one line for each node: the node, then
its successors. Nodes are whole numbers. Play starts at node 0, or at the first row's node if there is no 0.
A *round* is one move of one player. ::

    3            # at most three rounds
    0 1 2        # from 0 to 1 or to 2
    1
    2 1

*Edge list*: every line is an edge, ``FROM TO``. Nodes are any words; nothing bounds the number of rounds.
Play starts at node ``0`` if there is one, else at the first node mentioned. Nodes are put in the order of
their names, numbers by value before words by spelling.

>>> graph = parse_graph("b a\\na c\\nb c\\n")
>>> graph.names, graph.successors, graph.names[graph.start]
(('a', 'b', 'c'), ((2,), (0, 2), ()), 'b')
>>> print(write_graph(graph), end="")
b a
b c
a c
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.brief import counted, introduced
from zermelo.errors import InputError
from zermelo.files import read_text

MOST_BYTES = 64 << 20
"""Longer files are refused before anything is read of them."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_COMMENT = re.compile(r"#[^\n]*")
_WORD = re.compile(r"\S+")
_NOT_WHOLE = re.compile(r"[^\s0-9]|[0-9]{19}")


@dataclass(frozen=True)
class Graph:
    """A directed graph with a start node. Nodes are numbered from 0; ``bound`` is a maximum number of rounds.

    >>> Graph(("0", "1"), ((1,), ()), bound=1).start
    0
    """

    names: tuple[str, ...]
    successors: tuple[tuple[int, ...], ...]
    start: int = 0
    bound: int | None = None

    def __repr__(self) -> str:
        edges = sum(map(len, self.successors))
        return introduced(self, counted(len(self.names), "node"), counted(edges, "edge"))

    def _repr_svg_(self) -> str:
        from zermelo.render.graph import digraph_svg

        return digraph_svg(self.names, self.successors, self.start)


class _Source:
    """The text of a file without its comments, line by line, and errors that point into it."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.text = _COMMENT.sub("", text) if "#" in text else text
        self.lines = self.text.split("\n")

    def first(self) -> int:
        """The place of the first line of data in the list of lines, or one past the end."""
        return next((i for i, line in enumerate(self.lines) if line and not line.isspace()), len(self.lines))

    def error(self, message: str, line: int, word: int = 0) -> InputError:
        """An error at a word of the line with that place in the list."""
        starts = [match.start() + 1 for match in _WORD.finditer(self.lines[line])]
        return InputError(message, file=self.name, line=line + 1, column=starts[word])


def read_graph(path: Path) -> Graph:
    """The graph that a file holds; ``InputError`` with the place if it holds none.

    >>> read_graph(Path("no/such.graph"))
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: no/such.graph: no such file
    """
    return parse_graph(text_of_file(path, "graph"), str(path))


def text_of_file(path: Path, what: str) -> str:
    """The text of a file, of which errors say what it should hold; what is no text is refused in one line.

    >>> text_of_file(Path("."), "graph")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: .: a directory, expected a file with a graph
    """
    return read_text(path, what, MOST_BYTES)


def parse_graph(text: str, name: str = "graph") -> Graph:
    """The graph that a text states.

    >>> parse_graph("3\\n0 1\\n1 2")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: graph:3:3: unknown node 2, expected one that has a line of its own
    """
    need_plain(text, name)
    source = _Source(text, name)
    first = source.first()
    if first == len(source.lines):
        message = "no data, expected the maximum number of rounds or an edge"
        raise InputError(message, file=name, line=1, column=1)
    single = len(source.lines[first].split()) == 1
    return _parse_rows(source, first) if single else _parse_edges(source, first)


def need_plain(text: str, name: str) -> None:
    """Refuses a text with control characters in one line.

    >>> need_plain("a\\tb\\n", "map.graph")
    """
    if garbage := _CONTROL.search(text):
        place = garbage.start()
        line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
        message = f"control character {garbage.group()!r}, expected a text file"
        raise InputError(message, file=name, line=line, column=column)


def _parse_rows(source: _Source, first: int) -> Graph:
    _check_whole(source, first)
    bound = int(source.lines[first])
    rows: list[tuple[int, ...]] = []
    number: dict[int, int] = {}
    for line in range(first + 1, len(source.lines)):
        row = tuple(map(int, source.lines[line].split()))
        if not row:
            continue
        if row[0] in number:
            raise source.error(f"node {row[0]} has a line already, expected one line for each node", line)
        if len(row) > 2 and len(set(row)) < len(row):
            _check_distinct(source, line, row)
        number[row[0]] = len(rows)
        rows.append(row)
    if not rows:
        raise source.error("no nodes, expected a line for each node after the number of rounds", first)
    try:
        successors = tuple([tuple([number[node] for node in row[1:]]) for row in rows])
    except KeyError:
        raise _unknown_node(source, first, number) from None
    return Graph(tuple([str(row[0]) for row in rows]), successors, number.get(0, 0), bound)


def _check_whole(source: _Source, first: int) -> None:
    wrong = _NOT_WHOLE.search(source.text)
    if wrong is None:
        return
    line = source.text.count("\n", 0, wrong.start())
    words = source.lines[line].split()
    word = next(i for i, text in enumerate(words) if _NOT_WHOLE.search(text))
    what = "the maximum number of rounds" if line == first else "a node's number"
    raise source.error(f"{_short(words[word])} is not a whole number, expected {what}", line, word)


def _check_distinct(source: _Source, line: int, row: tuple[int, ...]) -> None:
    seen: set[int] = set()
    for word, node in enumerate(row[1:], 1):
        if node in seen:
            raise source.error(f"{node} is a successor already, expected each once", line, word)
        seen.add(node)


def _unknown_node(source: _Source, first: int, number: dict[int, int]) -> InputError:
    line, word, node = next(
        (line, word, node)
        for line in range(first + 1, len(source.lines))
        for word, node in enumerate(map(int, source.lines[line].split()))
        if node not in number
    )
    return source.error(f"unknown node {node}, expected one that has a line of its own", line, word)


def _short(word: str) -> str:
    return repr(word if len(word) <= 40 else word[:40] + "...")


def _parse_edges(source: _Source, first: int) -> Graph:
    places: list[int] = []
    words: list[str] = []
    for line in range(first, len(source.lines)):
        edge = source.lines[line].split()
        if len(edge) == 2:
            places.append(line)
            words += edge
        elif edge:
            raise _not_an_edge(source, first, line, len(edge))
    names = sorted(set(words), key=_by_name)
    index = {name: node for node, name in enumerate(names)}
    successors: list[dict[int, None]] = [{} for _ in names]
    for line, tail, head in zip(places, words[::2], words[1::2], strict=True):
        row, node = successors[index[tail]], index[head]
        if node in row:
            raise source.error(f"{_short(head)} is a successor already, expected each edge once", line, 1)
        row[node] = None
    start = index["0"] if "0" in index else index[words[0]]
    return Graph(tuple(names), tuple([tuple(row) for row in successors]), start)


def _not_an_edge(source: _Source, first: int, line: int, count: int) -> InputError:
    found = f"{count} word{'s' * (count != 1)}"
    if line == first:
        expected = "the maximum number of rounds alone on the first line, or an edge FROM TO"
        return source.error(f"{found}, expected {expected}", line)
    word = 2 if count > 2 else 0
    return source.error(f"{found}, expected an edge FROM TO, as the first line is one", line, word)


def _by_name(name: str) -> tuple[bool, int, str]:
    numeric = _is_number(name)
    return (not numeric, int(name) if numeric else 0, name)


def _is_number(name: str) -> bool:
    return name.isdecimal() and name.isascii() and len(name) <= 18 and (name == "0" or name[0] != "0")


def write_graph(graph: Graph) -> str:
    """The text of a graph: rounds and rows if it has a bound, else an edge list. Reading is the inverse.

    >>> print(write_graph(Graph(("0", "1"), ((1,), ()), bound=1)), end="")
    1
    0 1
    1
    """
    text = "".join(f"{line}\n" for line in (_rows(graph) if graph.bound is not None else _edges(graph)))
    try:
        faithful = parse_graph(text) == graph
    except InputError:
        faithful = False
    if not faithful:
        raise InputError(
            "the format cannot hold this graph: with a bound, nodes are whole numbers and play starts at "
            "0 or the first; without, nodes are words in order, each on an edge, and the start has a move"
        )
    return text


def _rows(graph: Graph) -> Iterable[str]:
    yield str(graph.bound)
    for name, row in zip(graph.names, graph.successors, strict=True):
        yield " ".join([name, *(graph.names[node] for node in row)])


def _edges(graph: Graph) -> Iterable[str]:
    rest = (node for node in range(len(graph.names)) if node != graph.start)
    for tail in (graph.start, *rest):
        for head in graph.successors[tail]:
            yield f"{graph.names[tail]} {graph.names[head]}"


def graph_of_networkx(graph: Any) -> Graph:
    """A directed graph of networkx; play starts at the node that its attribute ``start`` names, else at the first.

    >>> import networkx
    >>> graph_of_networkx(networkx.DiGraph([("b", "a"), ("a", "c")])).names
    ('b', 'a', 'c')
    """
    nodes = list(graph.nodes)
    number = {node: index for index, node in enumerate(nodes)}
    start = graph.graph.get("start", nodes[0] if nodes else None)
    if start not in number:
        raise InputError("the graph has no node to start at")
    successors = tuple(tuple(number[head] for head in graph.successors(node)) for node in nodes)
    return Graph(tuple(str(node) for node in nodes), successors, start=number[start])
